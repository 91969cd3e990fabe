/* SPDX-License-Identifier: Apache-2.0 */
/* form.c - see form_p.h. */
#include "summary/form_p.h"

#include <stdlib.h>

#include "base/text/textreader.h"
#include "cir/words.h"

bool sform_is_row(const struct clayout *l)
{
	return l->kind == CLAYOUT_STRUCT || l->name.i;
}

bool sform_same_loc(const struct cprogram *p, cloc_id a, cloc_id b)
{
	const struct cloc *x = &p->locs.data[a.i], *y = &p->locs.data[b.i];

	return x->file.i == y->file.i && x->line == y->line && x->column == y->column;
}

/* Labels. A map counts those that are the same within one function. */

static void add_name(struct strbuf *out, str_id name, const struct cprogram *p, bool is_quoted)
{
	struct str s = interned(&p->names, name);

	if (!is_quoted && cir_is_plain(s))
		strbuf_addstr(out, s);
	else
		text_quote(out, s, false);
}

static str_id label(struct sform *f, struct map *counts, uint32_t scope, struct strbuf *base)
{
	uint32_t n = ++*map_at(counts, map_key(scope, intern(&f->text, strbuf_str(base)).i));

	if (n > 1)
		strbuf_addf(base, "/%u", (unsigned)n);
	str_id id = intern(&f->text, strbuf_str(base));
	strbuf_clear(base);
	return id;
}

static void label_functions(struct sform *f, struct map *counts, struct strbuf *base)
{
	vec_push(&f->fns, (str_id){ 0 });
	for (uint32_t i = 1; i < f->p->fns.len; i++) {
		strbuf_addch(base, '#');
		add_name(base, f->p->fns.data[i].name, f->p, false);
		vec_push(&f->fns, label(f, counts, 0, base));
	}
}

static void label_objects(struct sform *f, struct map *counts, struct strbuf *base)
{
	uint32_t fn = 0, nth = 0;

	vec_push(&f->objs, (str_id){ 0 });
	for (uint32_t i = 1; i < f->p->objs.len; i++) {
		const struct cobj *o = &f->p->objs.data[i];
		nth = o->fn.i == fn ? nth + 1 : 1;
		fn = o->fn.i;
		if (o->kind == COBJ_FUNCTION) {
			vec_push(&f->objs, f->fns.data[fn]);
			continue;
		}
		strbuf_addch(base, fn ? '.' : '@');
		if (fn && !o->name.i)
			strbuf_addf(base, "%u", (unsigned)nth);
		else
			add_name(base, o->name, f->p, o->kind == COBJ_STRING);
		vec_push(&f->objs, label(f, counts, fn, base));
	}
}

static void add_number(struct strbuf *base, const struct cfn *fn, uint32_t v)
{
	if (v >= fn->result.i)
		strbuf_addf(base, "%u", (unsigned)(v - fn->result.i));
	else
		strbuf_addf(base, "-%u", (unsigned)(v - fn->params + 1));
}

/* Those of no function are counted. */
static void label_variables(struct sform *f, struct map *counts, struct strbuf *base)
{
	vec_push(&f->vars, (str_id){ 0 });
	for (uint32_t i = 1; i < f->p->vars.len; i++) {
		const struct cvar *v = &f->p->vars.data[i];
		if (!v->fn.i) {
			vec_push(&f->vars, (str_id){ 0 });
			continue;
		}
		strbuf_addch(base, '%');
		if (v->name.i)
			add_name(base, v->name, f->p, false);
		else
			add_number(base, &f->p->fns.data[v->fn.i], i);
		vec_push(&f->vars, label(f, counts, v->fn.i, base));
	}
}

/* Layouts. Those that are contained come before, so that their digests are there. */

static uint64_t digest_u64(uint64_t d, uint64_t x)
{
	return digest_u32(digest_u32(d, (uint32_t)x), (uint32_t)(x >> 32));
}

static uint64_t digest_layout(const struct sform *f, const struct clayout *l)
{
	uint64_t d = digest_u64(digest_u32(DIGEST_START, l->kind), l->size);

	d = digest_str(d, interned(&f->p->names, l->name));
	if (l->kind == CLAYOUT_ARRAY)
		return digest_u64(digest_u64(d, f->digests.data[l->elem.i]), l->count);
	for (uint32_t i = 0; l->kind == CLAYOUT_STRUCT && i < l->nfields; i++) {
		const struct cfield *x = &f->p->fields.data[l->first + i];
		d = digest_u64(digest_u64(d, x->offset), f->digests.data[x->layout.i]);
		d = digest_str(d, interned(&f->p->names, x->name));
	}
	return d;
}

struct named_layout {
	struct str name;
	uint64_t digest;
	uint32_t id;
};

static int compare_layouts(const void *x, const void *y)
{
	const struct named_layout *a = x, *b = y;
	int c = str_cmp(a->name, b->name);

	c = c ? c : (a->digest > b->digest) - (a->digest < b->digest);
	return c ? c : (a->id > b->id) - (a->id < b->id);
}

static clayout_id row_of(const struct sform *f, clayout_id l)
{
	while (l.i && !sform_is_row(&f->p->layouts.data[l.i]))
		l = f->p->layouts.data[l.i].elem;
	return l;
}

/* Behind what it contains, unless an equal one is there. Rows that it mentions come before what has none: the text has them first. */
static void place(struct sform *f, uint32_t id)
{
	const struct clayout *l = &f->p->layouts.data[id];
	uint32_t known = map_get(&f->by_digest, f->digests.data[id]), nfields = l->kind == CLAYOUT_STRUCT ? l->nfields : 0;

	if (!id || f->places.data[id])
		return;
	if (known) {
		f->places.data[id] = known;
		return;
	}
	place(f, row_of(f, l->elem).i);
	for (uint32_t i = 0; i < nfields; i++)
		place(f, row_of(f, f->p->fields.data[l->first + i].layout).i);
	place(f, l->elem.i);
	for (uint32_t i = 0; i < nfields; i++)
		place(f, f->p->fields.data[l->first + i].layout.i);
	vec_push(&f->order, id);
	f->places.data[id] = *map_at(&f->by_digest, f->digests.data[id]) = f->order.len;
}

typedef VEC(struct named_layout) layout_rows;

static void label_layouts(struct sform *f, const layout_rows *rows, struct strbuf *base)
{
	for (uint32_t i = 0; i < rows->len; i++) {
		const struct named_layout *r = &rows->data[i];
		bool is_shared = !r->name.len || (i && str_eq(r->name, r[-1].name)) || (i + 1 < rows->len && str_eq(r->name, r[1].name));
		strbuf_addch(base, '$');
		if (r->name.len)
			add_name(base, f->p->layouts.data[r->id].name, f->p, false);
		if (is_shared)
			strbuf_addf(base, "/%08x%08x", (unsigned)(r->digest >> 32), (unsigned)r->digest);
		f->layouts.data[r->id] = intern(&f->text, strbuf_str(base));
		strbuf_clear(base);
	}
}

/* Each once, by name. */
static void gather_layouts(struct sform *f, layout_rows *rows)
{
	struct map seen = { 0 };

	vec_push(&f->digests, 0);
	for (uint32_t i = 1; i < f->p->layouts.len; i++) {
		const struct clayout *l = &f->p->layouts.data[i];
		uint64_t d = digest_layout(f, l);
		vec_push(&f->digests, d);
		if (!sform_is_row(l) || map_get(&seen, d))
			continue;
		*map_at(&seen, d) = i;
		vec_push(rows, ((struct named_layout){ interned(&f->p->names, l->name), d, i }));
	}
	map_release(&seen);
	if (rows->len)
		qsort(rows->data, rows->len, sizeof(*rows->data), compare_layouts);
}

/* Rows, then what is not a row in the order in which the text mentions it. */
static void order_layouts(struct sform *f, const layout_rows *rows)
{
	const struct cprogram *p = f->p;
	uint32_t o = 1;

	for (uint32_t i = 0; i < rows->len; i++)
		place(f, rows->data[i].id);
	for (; o < p->objs.len && !p->objs.data[o].fn.i; o++)
		place(f, p->objs.data[o].layout.i);
	for (uint32_t i = 1; i < p->fns.len; i++) {
		place(f, p->objs.data[p->fns.data[i].obj.i].layout.i);
		for (; o < p->objs.len && p->objs.data[o].kind != COBJ_FUNCTION && p->objs.data[o].fn.i == i; o++)
			place(f, p->objs.data[o].layout.i);
	}
	for (uint32_t i = 1; i < p->calls.len; i++)
		place(f, p->calls.data[i].hint.i);
}

void sform_init(struct sform *f, const struct cprogram *p)
{
	struct map counts = { 0 };
	struct strbuf base = { 0 };
	layout_rows rows = { 0 };

	*f = (struct sform){ .p = p };
	interner_init(&f->text);
	label_functions(f, &counts, &base);
	label_objects(f, &counts, &base);
	label_variables(f, &counts, &base);
	for (uint32_t i = 0; i < p->layouts.len; i++) {
		vec_push(&f->layouts, (str_id){ 0 });
		vec_push(&f->places, 0);
	}
	gather_layouts(f, &rows);
	label_layouts(f, &rows, &base);
	order_layouts(f, &rows);
	/* Equal ones have the label of the one that stands for them. */
	for (uint32_t i = 1; i < p->layouts.len; i++)
		if (f->places.data[i])
			f->layouts.data[i] = f->layouts.data[f->order.data[f->places.data[i] - 1]];
	map_release(&counts);
	strbuf_release(&base);
	vec_release(&rows);
}

void sform_release(struct sform *f)
{
	interner_release(&f->text);
	vec_release(&f->fns);
	vec_release(&f->objs);
	vec_release(&f->vars);
	vec_release(&f->layouts);
	vec_release(&f->order);
	vec_release(&f->places);
	vec_release(&f->digests);
	map_release(&f->by_digest);
}
