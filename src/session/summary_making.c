/* SPDX-License-Identifier: Apache-2.0 */
/* summary_making.c - what a summary says of what it was made of; and is it made of that? */
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/sys/mapfile.h"
#include "cmodel/cmodel.h"
#include "session/summaries.h"

static bool digest_module(struct summary *out, const char *path, struct diag *d)
{
	struct mapfile f;
	const char *slash = strrchr(path, '/');

	if (!mapfile_open(&f, path)) {
		diag_add(d, DIAG_E060, path, STR(""), DIAG_NO_OFFSET, "cannot be opened: %s", mapfile_why());
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
		if (cir_is_symbol(o) && cir_is_defined(p, o) && !(o->flags & (COBJ_STATIC | COBJ_EXPORTED)))
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

bool summary_has_module(const struct summary *s, const char *const *modules, uint32_t n)
{
	struct summary given;
	struct diag ignored;
	bool has = false;

	summary_init(&given);
	diag_init(&ignored);
	for (uint32_t i = 0; i < n; i++)
		digest_module(&given, modules[i], &ignored);
	for (uint32_t i = 0; i < given.modules.len && !has; i++)
		has = has_module(s, &given.modules.data[i], interned(&given.program.names, given.modules.data[i].name));
	diag_release(&ignored);
	summary_release(&given);
	return has;
}

/* By a string of the summary's. */
static struct summary_module renamed(const struct csession *s, struct summary *out, struct summary_module m)
{
	m.name = intern(&out->program.names, interned(&s->program.names, m.name));
	return m;
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
	for (uint32_t i = 0; i < s->made_of.len; i++)
		vec_push(&out->modules, renamed(s, out, s->made_of.data[i]));
	for (uint32_t i = 0; i < s->uses.len; i++)
		vec_push(&out->uses, renamed(s, out, s->uses.data[i]));
	for (uint32_t i = 0; i < s->opt.nmodules; i++)
		ok &= digest_module(out, s->opt.modules[i], &s->inquiry->diag);
	sort_lists(out);
	return ok;
}
