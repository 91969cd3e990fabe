/* SPDX-License-Identifier: Apache-2.0 */
#include "session/summaries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys/mapfile.h"
#include "base/sys/replacefile.h"
#include "base/digest.h"
#include "cmodel/cmodel.h"
#include "formats/elf/ar.h"
#include "formats/elf/elf.h"

/* What is being linked, of one summary after the other */
struct linking {
	struct csession *s;
	struct clink_opt how;
	const char *path;
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
static void check_uses(struct linking *k, const char *path, const struct summary *s, const struct summary *all, uint32_t n)
{
	for (uint32_t i = 0; i < s->uses.len; i++)
		for (uint32_t o = 0; o < n; o++) {
			struct str name = interned(&s->program.names, s->uses.data[i].name);
			bool is_it = str_eq(name, interned(&all[o].program.names, all[o].library));
			if (is_it && summary_build(&all[o]) != s->uses.data[i].digest)
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

static void open_one(struct linking *k, const char *path, struct summary *sum)
{
	k->path = path;
	if (!summary_open(sum, path, &k->s->inquiry->diag))
		k->failed = true;
	else
		begin(k->s, sum);
	if (!k->failed && sum->program.pointer_size != k->s->program.pointer_size)
		complain(k, path, "is for a machine with pointers of another size: ", interned(&sum->program.names, sum->library),
			 "compile both for one machine");
}

/* All are opened before the first one is linked, and all are linked before it is asked who defines what. */
static bool link_all(struct linking *k, const char *const *paths, uint32_t n, void (*each)(struct csession *s, const struct summary *sum))
{
	struct summary *sums = mem_zalloc((n + UINT64_C(1)) * sizeof(*sums));

	for (uint32_t i = 0; i < n; i++)
		summary_init(&sums[i]);
	for (uint32_t i = 0; i < n && !k->failed; i++)
		open_one(k, paths[i], &sums[i]);
	for (uint32_t i = 0; i < n && !k->failed; i++)
		check_uses(k, paths[i], &sums[i], sums, n);
	for (uint32_t i = 0; i < n && !k->failed; i++) {
		k->path = paths[i];
		link_one(k, &sums[i]);
		each(k->s, &sums[i]);
	}
	for (uint32_t i = 0; i < n && !k->failed; i++) {
		k->path = paths[i];
		note_models(k, &sums[i]);
	}
	check_models(k);
	for (uint32_t i = 0; i < n; i++)
		summary_release(&sums[i]);
	free(sums);
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

/* Files */

bool summary_is_file(const char *path)
{
	struct mapfile f;

	if (!mapfile_open(&f, path))
		return false;
	bool is = summary_is(f.bytes);
	mapfile_close(&f);
	return is;
}

static const char *why_not(void)
{
	return errno == EINVAL ? "not a regular file" : strerror(errno);
}

/* The first member that has one: archives are linked member by member, but described once. */
static bool find_in_archive(struct ar *a, struct span *out, struct strbuf *err)
{
	struct ar_member m;
	bool ok = true;

	while (ok && !out->len && ar_next(a, &m, err))
		if (elf_is(m.bytes))
			ok = elf_section(m.bytes, SUMMARY_SECTION, out, err);
	return ok && !err->len;
}

/* The part of the file that is a summary; all of it unless it is an ELF file, or an archive of some. */
static bool find_summary(struct span file, struct span *out, struct strbuf *err)
{
	struct span section = { 0 };
	struct ar a;
	bool is_elf = elf_is(file), is_ar = !is_elf && ar_open(&a, file), ok;

	*out = file;
	if (!is_elf && !is_ar)
		return true;
	ok = is_elf ? elf_section(file, SUMMARY_SECTION, &section, err) : find_in_archive(&a, &section, err);
	*out = section;
	if (ok && !section.len)
		strbuf_adds(err, "carries no summary; attach one with sherd summary attach");
	return ok && section.len;
}

/* The names that a library has for others, and one that the summary has and the library does not. */
struct fitting {
	const struct summary *s;
	struct map names;            /* of the summary's program: 1: wanted, 2: found */
};

static void on_export(void *ctx, struct str name)
{
	struct fitting *f = ctx;
	str_id id;

	if (interner_find(&f->s->program.names, name, &id) && map_get(&f->names, id.i))
		*map_at(&f->names, id.i) = 2;
}

static void want_exports(struct fitting *f)
{
	const struct cprogram *p = &f->s->program;

	for (uint32_t i = 1; i < p->objs.len; i++)
		if (p->objs.data[i].flags & COBJ_EXPORTED)
			*map_at(&f->names, p->objs.data[i].name.i) = 1;
	for (uint32_t i = 0; i < p->aliases.len; i++)
		*map_at(&f->names, p->aliases.data[i].name.i) = 1;
}

/* A shared library has to export what the summary that it carries says: otherwise it is of another build. */
static bool fits_library(const struct summary *s, struct span file, const char *path, struct diag *d)
{
	const struct cprogram *p = &s->program;
	struct fitting f = { .s = s };
	struct strbuf err = { 0 };
	str_id missing = { 0 };

	want_exports(&f);
	bool has_names = elf_is(file) && elf_exports(file, on_export, &f, &err);
	for (uint32_t i = 1; i < p->objs.len && has_names && !missing.i; i++)
		if (map_get(&f.names, p->objs.data[i].name.i) == 1)
			missing = p->objs.data[i].name;
	if (missing.i) {
		struct str name = interned(&p->names, missing), lib = interned(&p->names, s->library);
		diag_add(d, DIAG_E082, path, STR(""), DIAG_NO_OFFSET,
			 "does not export %.*s, which the summary of %.*s has: it is of another build; make one of this build, with "
			 "--exports %s", (int)name.len, name.p, (int)lib.len, lib.p, path);
	}
	map_release(&f.names);
	strbuf_release(&err);
	return !missing.i;
}

bool summary_open(struct summary *s, const char *path, struct diag *d)
{
	struct strbuf err = { 0 };
	struct mapfile f;
	struct span bytes;
	bool ok = mapfile_open(&f, path);

	if (!ok) {
		diag_add(d, DIAG_E081, path, STR(""), DIAG_NO_OFFSET, "cannot be opened: %s", why_not());
		return false;
	}
	ok = find_summary(f.bytes, &bytes, &err);
	if (ok && bytes.p != f.bytes.p && !summary_is(bytes)) {
		strbuf_adds(&err, "its section " SUMMARY_SECTION " is no summary; take it out with objcopy -R " SUMMARY_SECTION
				  ", and attach one with sherd summary attach");
		ok = false;
	}
	if (!ok)
		diag_add(d, DIAG_E081, path, STR(""), DIAG_NO_OFFSET, "%s", err.s);
	ok = ok && summary_read(s, bytes, path, d) && fits_library(s, f.bytes, path, d);
	strbuf_release(&err);
	mapfile_close(&f);
	return ok;
}

/* Making one */

static bool digest_module(struct summary *out, const char *path, struct diag *d)
{
	struct mapfile f;
	const char *slash = strrchr(path, '/');

	if (!mapfile_open(&f, path)) {
		diag_add(d, DIAG_E081, path, STR(""), DIAG_NO_OFFSET, "cannot be opened: %s", why_not());
		return false;
	}
	struct summary_module m = { intern(&out->program.names, str_of(slash ? slash + 1 : path)),
				    digest_add(DIGEST_START, f.bytes.p, f.bytes.len) };
	mapfile_close(&f);
	vec_push(&out->modules, m);
	return true;
}

void summaries_note_inner(struct csession *s)
{
	const struct cprogram *p = &s->program;

	for (uint32_t i = 1; i < p->objs.len; i++) {
		const struct cobj *o = &p->objs.data[i];
		bool defined = o->kind == COBJ_FUNCTION ? p->fns.data[o->fn.i].flags & CFN_DEFINED : !(o->flags & COBJ_IMPORTED);
		bool is_symbol = (o->kind == COBJ_FUNCTION || (o->kind == COBJ_GLOBAL && !o->fn.i)) && o->name.i;
		if (is_symbol && defined && !(o->flags & (COBJ_STATIC | COBJ_EXPORTED)))
			vec_push(&s->inner, o->name);
	}
}

struct named {
	struct str name;
	struct summary_module row;   /* or its name alone */
};

static int compare_named(const void *x, const void *y)
{
	const struct named *a = x, *b = y;
	int c = str_cmp(a->name, b->name);

	return c ? c : (a->row.digest > b->row.digest) - (a->row.digest < b->row.digest);
}

typedef VEC(struct named) named_rows;

static void sort_named(named_rows *rows)
{
	if (rows->len)
		qsort(rows->data, rows->len, sizeof(*rows->data), compare_named);
}

static void sort_modules(const struct summary *out, struct summary_module *m, uint32_t n)
{
	named_rows rows = { 0 };

	for (uint32_t i = 0; i < n; i++)
		vec_push(&rows, ((struct named){ interned(&out->program.names, m[i].name), m[i] }));
	sort_named(&rows);
	for (uint32_t i = 0; i < n; i++)
		m[i] = rows.data[i].row;
	vec_release(&rows);
}

static void sort_lists(struct summary *out)
{
	named_rows rows = { 0 };

	sort_modules(out, out->uses.data, out->uses.len);
	sort_modules(out, out->modules.data, out->modules.len);
	for (uint32_t i = 0; i < out->inner.len; i++)
		vec_push(&rows, ((struct named){ interned(&out->program.names, out->inner.data[i]), { out->inner.data[i], 0 } }));
	sort_named(&rows);
	for (uint32_t i = 0; i < rows.len; i++)
		out->inner.data[i] = rows.data[i].row.name;
	vec_release(&rows);
}

/* Names are without folders: modules of one name are told apart by their digests. */
static bool has_module(const struct summary *s, const struct summary_module *m, struct str name)
{
	for (uint32_t i = 0; i < s->modules.len; i++)
		if (s->modules.data[i].digest == m->digest && str_eq(interned(&s->program.names, s->modules.data[i].name), name))
			return true;
	return false;
}

static bool fit_modules(const struct summary *s, const struct summary *given, const char *path, struct diag *d)
{
	struct str lib = interned(&s->program.names, s->library);
	uint32_t before = d->entries.len;

	for (uint32_t i = 0; i < given->modules.len; i++) {
		struct str name = interned(&given->program.names, given->modules.data[i].name);
		if (!has_module(s, &given->modules.data[i], name))
			diag_add(d, DIAG_E082, path, STR(""), DIAG_NO_OFFSET,
				 "%.*s was not made of this %.*s, but of another build or without it; make the summary anew", (int)lib.len, lib.p,
				 (int)name.len, name.p);
	}
	if (d->entries.len == before && given->modules.len != s->modules.len)
		diag_add(d, DIAG_E082, path, STR(""), DIAG_NO_OFFSET, "%.*s was made of %u modules, not of these %u alone", (int)lib.len, lib.p,
			 s->modules.len, given->modules.len);
	return d->entries.len == before;
}

bool summary_fits(const struct summary *s, const char *path, const char *const *modules, uint32_t n, struct diag *d)
{
	struct summary given;
	bool ok = true;

	summary_init(&given);
	for (uint32_t i = 0; i < n; i++)
		ok &= digest_module(&given, modules[i], d);
	ok = ok && (!n || fit_modules(s, &given, path, d));
	summary_release(&given);
	return ok;
}

static bool extend(const struct summary *s, struct span file, struct strbuf *out, struct strbuf *err)
{
	struct strbuf bytes = { 0 };
	struct span old = { 0 };
	bool ok = elf_is(file);

	if (!ok)
		strbuf_adds(err, "is neither a shared library nor an object (ELF)");
	ok = ok && elf_section(file, SUMMARY_SECTION, &old, err);
	if (ok && old.len) {
		strbuf_adds(err, "carries a summary already; link the library anew, or take it out with objcopy -R " SUMMARY_SECTION);
		ok = false;
	}
	if (ok) {
		summary_write_binary(s, &bytes);
		ok = elf_extend(file, SUMMARY_SECTION, (struct span){ (const uint8_t *)bytes.s, bytes.len }, out, err);
	}
	strbuf_release(&bytes);
	return ok;
}

bool summary_attach(const struct summary *s, const char *library, const char *to, struct diag *d)
{
	struct strbuf out = { 0 }, err = { 0 };
	struct mapfile f;
	bool ok = mapfile_open(&f, library);

	if (!ok) {
		diag_add(d, DIAG_E082, library, STR(""), DIAG_NO_OFFSET, "cannot be opened: %s", why_not());
		return false;
	}
	ok = fits_library(s, f.bytes, library, d);
	if (!ok) {
		mapfile_close(&f);
		return false;
	}
	ok = extend(s, f.bytes, &out, &err);
	mapfile_close(&f);
	if (ok && !replacefile(to, strbuf_str(&out), library)) {
		strbuf_addf(&err, "%s cannot be written: %s", to, why_not());
		ok = false;
	}
	if (!ok)
		diag_add(d, DIAG_E082, library, STR(""), DIAG_NO_OFFSET, "%s", err.s);
	strbuf_release(&out);
	strbuf_release(&err);
	return ok;
}

bool summary_describe(struct csession *s, const char *name, struct summary *out)
{
	bool ok = true;

	cprogram_release(&out->program);
	out->program = s->summary;
	cprogram_init(&s->summary);
	out->library = intern(&out->program.names, str_of(name));
	out->options = s->opt.basic ? 0 : SUMMARY_OPTIMISED;
	out->models = cmodel_digest();
	out->exports = summary_exports_digest(&out->program);
	for (uint32_t i = 0; i < s->inner.len; i++)
		vec_push(&out->inner, intern(&out->program.names, interned(&s->program.names, s->inner.data[i])));
	for (uint32_t i = 0; i < s->made_of.len; i++) {
		struct summary_module m = s->made_of.data[i];
		m.name = intern(&out->program.names, interned(&s->program.names, m.name));
		vec_push(&out->modules, m);
	}
	for (uint32_t i = 0; i < s->uses.len; i++) {
		struct summary_module m = s->uses.data[i];
		m.name = intern(&out->program.names, interned(&s->program.names, m.name));
		vec_push(&out->uses, m);
	}
	for (uint32_t i = 0; i < s->opt.nmodules; i++)
		ok &= digest_module(out, s->opt.modules[i], &s->inquiry->diag);
	sort_lists(out);
	return ok;
}
