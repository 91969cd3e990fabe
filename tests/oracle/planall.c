// SPDX-License-Identifier: Apache-2.0
// links: base formats/archive formats/classfile formats/coverage
/* planall -o PLAN [-m MODULE] [-v RELEASE] [-x IMAGE] ARCHIVE... - a plan with every virtual and interface call of every class
 * of jars, class folders, and of a module (java.base if not given) of JDK images. Of classes with the same name the first
 * counts, as on a class path; those that IMAGE has do not count. No call requires anything. Prints `C classes, M methods, S
 * calls`.
 * planall -c FILE - what the agent says about a run with such a plan: prints why methods were left alone, notes, and
 * `W classes watched, L left, R receivers`; exit status 1 when the run did not come to its end, or when classes are not watched
 * for other reasons than is_excused() names, or more than one in a hundred. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/map.h"
#include "base/sys/mapfile.h"
#include "formats/archive/archive.h"
#include "formats/classfile/attributes.h"
#include "formats/classfile/bytecode.h"
#include "formats/coverage/plan.h"
#include "formats/coverage/runs.h"

struct found {                  /* a class in an archive */
	struct str name;                /* dotted */
	uint32_t archive, entry;
};
struct ordered {                /* a method of the class under way */
	struct str name, desc;
	const struct cf_member *member;
};

struct making {
	struct plan plan;
	struct arena mem;
	struct diag d;
	const char *module;
	struct archive *shadows;        /* its classes come before those of any class path; NULL: none */
	VEC(struct archive *) archives;
	VEC(struct found) found;
	VEC(struct ordered) methods;
	VEC(uint64_t) keys;             /* of the calls of the method under way */
};

static struct str dotted(struct making *r, struct str internal)
{
	char *s = arena_copy(&r->mem, internal.p, internal.len);

	for (uint32_t i = 0; i < internal.len; i++)
		if (s[i] == '/')
			s[i] = '.';
	return (struct str){ s, internal.len };
}

static void list_archive(struct making *r, struct archive *a)
{
	struct strbuf tmp = { 0 };

	vec_push(&r->archives, a);
	for (uint32_t e = 1; e <= archive_count(a); e++) {
		struct str name = archive_class_name(a, e, &tmp);

		if (!name.len || (archive_kind(a) == ARCHIVE_JIMAGE && !str_is(archive_module(a, e), r->module)))
			continue;
		if (r->shadows && archive_find_class(r->shadows, name))
			continue;
		vec_push(&r->found, ((struct found){ dotted(r, name), r->archives.len - 1, e }));
	}
	strbuf_release(&tmp);
}

static int by_name(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int c = str_cmp(x->name, y->name);

	return c ? c : (x->archive > y->archive) - (x->archive < y->archive);
}

static int by_signature(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;
	int c = str_cmp(x->name, y->name);

	return c ? c : str_cmp(x->desc, y->desc);
}

static bool is_dispatched(const struct classfile *cf, const struct insn *in)
{
	unsigned tag = cf_tag(cf, (uint16_t)in->a);

	return (in->op == BC_invokevirtual || in->op == BC_invokeinterface) && (tag == CP_METHOD || tag == CP_IMETHOD);
}

static void add_call(struct making *r, const struct classfile *cf, const struct cf_member *m, const struct insn *in)
{
	struct cf_ref ref = cf_ref(cf, (uint16_t)in->a);
	struct plan_site s = { .method = r->plan.methods.len, .pc = in->pc, .line = cf_line(cf, m, in->pc) };

	s.flags = in->op == BC_invokeinterface ? PLAN_INTERFACE : 0;
	s.owner = dotted(r, cf_name(cf, ref.owner));
	s.name = ref.name;
	s.desc = ref.desc;
	vec_push(&r->plan.sites, s);
	vec_push(&r->keys, map_key(in->op, (uint32_t)in->a));
}

/* The nth of `of` calls that look the same. */
static void number_calls(struct making *r, uint32_t first)
{
	struct map of = { 0 };

	for (uint32_t i = 0; i < r->keys.len; i++)
		r->plan.sites.data[first + i].nth = (*map_at(&of, r->keys.data[i]))++;
	for (uint32_t i = 0; i < r->keys.len; i++)
		r->plan.sites.data[first + i].of = map_get(&of, r->keys.data[i]);
	map_release(&of);
}

static void add_method(struct making *r, const struct classfile *cf, const struct ordered *o)
{
	struct span code = cf_code(cf, o->member).code;
	struct plan_method row = { .class = r->plan.classes.len, .name = o->name, .desc = o->desc,
				   .code = plan_code_digest(code), .first_site = r->plan.sites.len };
	struct insn in;

	vec_clear(&r->keys);
	for (uint32_t pc = 0; pc < code.len && bytecode_decode(code, pc, &in); pc += in.len)
		if (is_dispatched(cf, &in))
			add_call(r, cf, o->member, &in);
	row.nsites = r->plan.sites.len - row.first_site;
	if (row.nsites == 0)
		return;
	number_calls(r, row.first_site);
	vec_push(&r->plan.methods, row);
}

static void order_methods(struct making *r, const struct classfile *cf)
{
	vec_clear(&r->methods);
	for (uint16_t i = 0; i < cf->nmethods; i++) {
		const struct cf_member *m = &cf->methods[i];

		if (m->code)
			vec_push(&r->methods, ((struct ordered){ cf_utf8(cf, m->name), cf_utf8(cf, m->desc), m }));
	}
	if (r->methods.len)
		qsort(r->methods.data, r->methods.len, sizeof(*r->methods.data), by_signature);
}

static void add_class(struct making *r, const struct found *f)
{
	const struct archive *a = r->archives.data[f->archive];
	struct plan_class row = { .name = f->name, .first_method = r->plan.methods.len, .first_site = r->plan.sites.len };
	struct classfile cf;
	struct span bytes;

	if (!archive_read(a, f->entry, &r->mem, &bytes, &r->d) ||
	    !classfile_parse(&cf, bytes, &r->mem, archive_path(a), f->name, &r->d))
		return;
	row.is_jdk = archive_kind(a) == ARCHIVE_JIMAGE;
	if (cf_source_file(&cf))
		row.source = cf_utf8(&cf, cf_source_file(&cf));
	order_methods(r, &cf);
	for (uint32_t i = 0; i < r->methods.len; i++)
		add_method(r, &cf, &r->methods.data[i]);
	row.nmethods = r->plan.methods.len - row.first_method;
	row.nsites = r->plan.sites.len - row.first_site;
	vec_push(&r->plan.classes, row);
}

static void add_all(struct making *r)
{
	for (uint32_t i = 0; i < r->found.len; i++)
		if (i == 0 || !str_eq(r->found.data[i - 1].name, r->found.data[i].name))
			add_class(r, &r->found.data[i]);
}

static bool write_plan(struct making *r, const char *path)
{
	struct strbuf out = { 0 };
	FILE *f = fopen(path, "wb");

	r->plan.component = r->plan.class_path = STR("*");
	r->plan.interface = r->plan.clients = r->plan.algorithm = r->plan.jdk = r->plan.version = STR("none");
	r->plan.criteria = PLAN_RC;
	vec_push(&r->plan.types, (struct plan_type){ 0 });
	plan_write(&r->plan, &out);
	bool ok = f && fwrite(out.s, 1, out.len, f) == out.len;

	ok = f && fclose(f) == 0 && ok;
	strbuf_release(&out);
	return ok;
}

static void release(struct making *r)
{
	for (uint32_t i = 0; i < r->archives.len; i++)
		archive_close(r->archives.data[i]);
	if (r->shadows)
		archive_close(r->shadows);
	plan_release(&r->plan);
	vec_release(&r->archives);
	vec_release(&r->found);
	vec_release(&r->methods);
	vec_release(&r->keys);
	arena_release(&r->mem);
	diag_release(&r->d);
}

static bool open_all(struct making *r, char **paths, int n, int version)
{
	for (int i = 0; i < n; i++) {
		struct archive *a = archive_open(paths[i], version, &r->d);

		if (!a) {
			fprintf(stderr, "planall: cannot open %s\n", paths[i]);
			return false;
		}
		list_archive(r, a);
	}
	if (r->found.len)
		qsort(r->found.data, r->found.len, sizeof(*r->found.data), by_name);
	return true;
}

static bool str_has(struct str s, const char *part)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (str_starts(str_sub(s, i, s.len), part))
			return true;
	return false;
}

/* A method of nearly 64 KB has no room for more. A jar may bring others by its manifest, before those of the class path, with
 * other versions of classes. */
static bool is_excused(const struct run_class *c)
{
	return c->state == RUN_MATCHED || (c->state == RUN_FAILED && str_has(c->text, "longer than 65535 bytes"));
}

static bool check_seen(const struct run *seen)
{
	uint32_t watched = 0, bad = 0;

	for (uint32_t i = 0; i < seen->classes.len; i++) {
		const struct run_class *c = &seen->classes.data[i];

		watched += c->state == RUN_WATCHED;
		bad += c->state != RUN_WATCHED && !is_excused(c);
		if (c->state != RUN_WATCHED)
			printf("%.*s: state %u: %.*s\n", (int)c->name.len, c->name.p, c->state, (int)c->text.len, c->text.p);
	}
	for (uint32_t i = 0; i < seen->notes.len; i++)
		printf("note: %.*s\n", (int)seen->notes.data[i].len, seen->notes.data[i].p);
	printf("%u classes watched, %u left, %u receivers\n", (unsigned)watched, (unsigned)(seen->classes.len - watched),
	       (unsigned)seen->cells.len);
	return bad == 0 && seen->is_complete && seen->cells.len > 0 && watched > seen->classes.len / 100 * 99;
}

static int check_file(const char *path)
{
	struct mapfile file;
	struct runs runs = { 0 };
	struct strbuf err = { 0 };
	bool ok = mapfile_open(&file, path) && runs_read(&runs, file.bytes, &err) && runs.runs.len == 1;

	if (!ok)
		printf("%s: no run: %.*s\n", path, (int)strbuf_str(&err).len, strbuf_str(&err).p);
	else
		ok = check_seen(&runs.runs.data[0]);
	runs_release(&runs);
	strbuf_release(&err);
	return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
	static struct making r = { .module = "java.base" };
	const char *out = NULL, *shadows = NULL;
	int o, version = 17;

	while ((o = getopt(argc, argv, "o:m:v:x:c:")) != -1) {
		if (o == 'o')
			out = optarg;
		else if (o == 'm')
			r.module = optarg;
		else if (o == 'v')
			version = atoi(optarg);
		else if (o == 'x')
			shadows = optarg;
		else if (o == 'c')
			return check_file(optarg);
		else
			return 2;
	}
	if (!out)
		return 2;
	arena_init(&r.mem);
	diag_init(&r.d);
	r.shadows = shadows ? archive_open(shadows, version, &r.d) : NULL;
	bool ok = open_all(&r, argv + optind, argc - optind, version);

	if (ok)
		add_all(&r);
	if (ok && !write_plan(&r, out)) {
		fprintf(stderr, "planall: cannot write %s\n", out);
		ok = false;
	}
	printf("%u classes, %u methods, %u calls\n", (unsigned)r.plan.classes.len, (unsigned)r.plan.methods.len,
	       (unsigned)r.plan.sites.len);
	release(&r);
	return ok ? 0 : 1;
}
