/* SPDX-License-Identifier: Apache-2.0 */
/* summaries.c - summaries are linked with a program, unless they do not fit. */
#include "session/summaries.h"

#include "cmodel/cmodel.h"

/* What is being linked, of one summary after the other */
struct linking {
	struct csession *s;
	struct clink_opt how;
	const char *path;
	VEC(const char *) files;     /* of each summary */
	VEC(str_id) libraries;       /* of the summaries so far */
	VEC(str_id) modelled;        /* functions that optimised ones took for those of the C library */
	VEC(const char *) paths;     /* of the summary that each of these is from */
	bool failed;
};

static void complain(struct linking *k, const char *path, const char *text, struct str name, const char *what_to_do)
{
	k->failed = true;
	diag_add(&k->s->inquiry->diag, DIAG_E082, path, STR(""), DIAG_NO_OFFSET, "%.*s %s%s", (int)name.len, name.p, text, what_to_do);
}

static void on_conflict(void *ctx, struct str name)
{
	complain(ctx, ((struct linking *)ctx)->path, "is defined by the program, too: ", name,
		 "leave out the modules that the summary stands for, or the summary");
}

/* One library twice, or two builds of it */
static void check_library(struct linking *k, const struct summary *sum)
{
	str_id name = intern(&k->s->program.names, interned(&sum->program.names, sum->library));

	for (uint32_t i = 0; i < k->libraries.len; i++)
		if (k->libraries.data[i].i == name.i)
			complain(k, k->path, "has two summaries here: ", interned(&k->s->program.names, name), "leave one of them out");
	vec_push(&k->libraries, name);
}

/* Names of the program that it does not define: what a library has under such a name and hides is not what is meant. */
static void check_inner(struct linking *k, const struct summary *sum)
{
	struct cprogram *p = &k->s->program;
	struct map wanted = { 0 };

	for (uint32_t i = 1; i < p->fns.len; i++)
		if (!(p->fns.data[i].flags & CFN_DEFINED))
			*map_at(&wanted, p->fns.data[i].name.i) = 1;
	for (uint32_t i = 1; i < p->objs.len; i++)
		if (p->objs.data[i].kind == COBJ_GLOBAL && p->objs.data[i].flags & COBJ_IMPORTED)
			*map_at(&wanted, p->objs.data[i].name.i) = 1;
	for (uint32_t i = 0; i < sum->inner.len; i++) {
		struct str name = interned(&sum->program.names, sum->inner.data[i]);
		if (map_get(&wanted, intern(&p->names, name).i))
			complain(k, k->path, "is used by the program, but the library does not export it: ", name,
				 "add its module, or make the summary with --exports that name it");
	}
	map_release(&wanted);
}

/* In the program's own names, which stay when rows of it are taken. */
static void note_models(struct linking *k, const struct summary *sum)
{
	struct cprogram *p = &k->s->program;
	struct map modelled = { 0 };

	for (uint32_t i = 1; i < sum->program.fns.len; i++) {
		const struct cfn *f = &sum->program.fns.data[i];
		if (!(f->flags & CFN_DEFINED) && f->flags & CFN_MODEL)
			*map_at(&modelled, intern(&p->names, interned(&sum->program.names, f->name)).i) = 1;
	}
	for (uint32_t i = 1; i < p->fns.len; i++) {
		const struct cfn *f = &p->fns.data[i];
		if (!(f->flags & CFN_DEFINED) || f->flags & CFN_STATIC || !map_get(&modelled, f->name.i))
			continue;
		vec_push(&k->modelled, f->name);
		vec_push(&k->paths, k->path);
	}
	map_release(&modelled);
}

/* Somebody defines what was taken for a function of the C library. */
static void check_models(struct linking *k)
{
	for (uint32_t i = 0; i < k->modelled.len; i++)
		complain(k, k->paths.data[i], "is defined by the program; the summary was made with that of the C library: ",
			 interned(&k->s->program.names, k->modelled.data[i]),
			 "make it anew with sherd summarize --basic, or with --summary of the library that has it");
}

static void check_table(struct linking *k, const struct summary *sum)
{
	if (sum->options & SUMMARY_OPTIMISED && sum->models != cmodel_digest())
		complain(k, k->path, "was summarized with another table of models of the C library: ",
			 interned(&sum->program.names, sum->library), "make the summary anew with sherd summarize");
}

/* What the other library does decided what was left out. */
static void check_uses(struct linking *k, const char *path, const struct summary *s, const summary_list *all)
{
	for (uint32_t i = 0; i < s->uses.len; i++)
		for (uint32_t o = 0; o < all->len; o++) {
			struct str name = interned(&s->program.names, s->uses.data[i].name);
			bool is_it = str_eq(name, interned(&all->data[o]->program.names, all->data[o]->library));
			if (is_it && summary_build(all->data[o]) != s->uses.data[i].digest)
				complain(k, path, "is another build than the one that this summary was made with: ", name,
					 "make the summary anew with --summary of this build, or give that one");
		}
}

static void link_one(struct linking *k, const struct summary *sum)
{
	check_library(k, sum);
	check_table(k, sum);
	check_inner(k, sum);
	if (!k->failed)
		cir_link(&k->s->program, &sum->program, &k->how);
}

/* The program has nothing yet, and is for whatever machine the first part is for. */
static void begin(struct csession *s, const struct summary *first)
{
	if (!s->opt.nmodules && s->program.fns.len <= 1)
		s->program.pointer_size = first->program.pointer_size;
}

static void take_one(struct linking *k, summary_list *sums, struct summary *sum)
{
	begin(k->s, sum);
	if (sum->program.pointer_size != k->s->program.pointer_size)
		complain(k, k->path, "is for a machine with pointers of another size: ", interned(&sum->program.names, sum->library),
			 "compile both for one machine");
	vec_push(sums, sum);
	vec_push(&k->files, k->path);
}

/* What a program was linked from may have a summary beside its bitcode: the bitcode was asked for. */
static void open_file(struct linking *k, const char *path, summary_list *sums)
{
	summary_list all = { 0 };
	bool is_program;

	k->path = path;
	k->failed |= !summary_open_all(&all, path, &is_program, &k->s->inquiry->diag);
	for (uint32_t i = 0; i < all.len && !k->failed; i++) {
		if (is_program && summary_has_module(all.data[i], k->s->opt.modules, k->s->opt.nmodules))
			continue;
		take_one(k, sums, all.data[i]);
		all.data[i] = NULL;
	}
	summary_list_release(&all);
}

static void link_each(struct linking *k, const summary_list *sums, void (*each)(struct csession *s, const struct summary *sum))
{
	for (uint32_t i = 0; i < sums->len && !k->failed; i++)
		check_uses(k, k->files.data[i], sums->data[i], sums);
	for (uint32_t i = 0; i < sums->len && !k->failed; i++) {
		k->path = k->files.data[i];
		link_one(k, sums->data[i]);
		each(k->s, sums->data[i]);
	}
	for (uint32_t i = 0; i < sums->len && !k->failed; i++) {
		k->path = k->files.data[i];
		note_models(k, sums->data[i]);
	}
	check_models(k);
}

/* All are opened before the first one is linked, and all are linked before it is asked who defines what. */
static bool link_all(struct linking *k, const char *const *paths, uint32_t n, void (*each)(struct csession *s, const struct summary *sum))
{
	summary_list sums = { 0 };

	for (uint32_t i = 0; i < n && !k->failed; i++)
		open_file(k, paths[i], &sums);
	link_each(k, &sums, each);
	summary_list_release(&sums);
	vec_release(&k->files);
	vec_release(&k->libraries);
	vec_release(&k->modelled);
	vec_release(&k->paths);
	return !k->failed;
}

static void note_use(struct csession *s, struct str name, uint64_t digest)
{
	struct summary_module m = { intern(&s->program.names, name), digest };

	for (uint32_t i = 0; i < s->uses.len; i++)
		if (s->uses.data[i].name.i == m.name.i && s->uses.data[i].digest == digest)
			return;
	vec_push(&s->uses, m);
}

static void note_other(struct csession *s, const struct summary *sum)
{
	if (s->opt.summarizes)
		note_use(s, interned(&sum->program.names, sum->library), summary_build(sum));
}

bool summaries_link(struct csession *s)
{
	struct linking k = { .s = s };

	k.how = (struct clink_opt){ .keep_exports = s->opt.library, .on_conflict = on_conflict, .ctx = &k };
	return link_all(&k, s->opt.summaries, s->opt.nsummaries, note_other);
}

/* What it was made of, and what nobody else may name, is of the whole from now on. */
static void note_part(struct csession *s, const struct summary *sum)
{
	for (uint32_t i = 0; i < sum->modules.len; i++) {
		struct summary_module m = sum->modules.data[i];
		m.name = intern(&s->program.names, interned(&sum->program.names, m.name));
		vec_push(&s->made_of, m);
	}
	for (uint32_t i = 0; i < sum->uses.len; i++)
		note_use(s, interned(&sum->program.names, sum->uses.data[i].name), sum->uses.data[i].digest);
	for (uint32_t i = 0; i < sum->inner.len; i++)
		vec_push(&s->inner, intern(&s->program.names, interned(&sum->program.names, sum->inner.data[i])));
}

bool summaries_join(struct csession *s)
{
	struct linking k = { .s = s };

	k.how = (struct clink_opt){ .keep_exports = true, .on_conflict = on_conflict, .ctx = &k };
	return link_all(&k, s->opt.parts, s->opt.nparts, note_part);
}
