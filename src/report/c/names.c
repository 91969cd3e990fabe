/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - the names of a C program in their order, and sets of them. */
#include "report/c/c_p.h"

#include "base/text/glob.h"

struct named {
	struct str text;
	uint32_t id;
};
typedef VEC(struct named) named_vec;

static bool is_string(struct str name)
{
	return name.len && name.p[0] == '"';
}

static int by_text(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = str_cmp(x->text, y->text);

	return c ? c : (x->id > y->id) - (x->id < y->id);
}

/* For people, strings come last: they are many, and say least. */
static int for_people(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = is_string(x->text) - is_string(y->text);

	return c ? c : by_text(a, b);
}

static void add_named(named_vec *all, struct arena *mem, struct strbuf *text, uint32_t id)
{
	struct str s = strbuf_str(text);

	s.p = arena_copy(mem, s.p, (size_t)s.len + 1);
	vec_push(all, ((struct named){ s, id }));
	strbuf_clear(text);
}

static struct str escaped(struct c_names *n, enum escape form, struct str raw)
{
	struct strbuf text = { 0 };

	escape_add(&text, form, raw);
	struct str s = strbuf_str(&text);
	s.p = arena_copy(&n->mem, s.p, (size_t)s.len + 1);
	strbuf_release(&text);
	return s;
}

/* Temporaries have no name in the source. */
static bool has_name(const struct cprogram *p, uint32_t v)
{
	const struct cvar *row = &p->vars.data[v];

	return row->kind != CVAR_TEMP && (row->name.i || row->kind == CVAR_RESULT);
}

/* Of cells and variables. The raw names are needed for sorting only. */
static void collect(struct c_names *n, named_vec *all, struct arena *raw)
{
	const struct cprogram *p = n->r->program;
	struct strbuf text = { 0 };

	for (uint32_t c = 1; c <= n->ncells; c++) {
		struct ccell row = cpta_cell(n->r->facts, (ccell_id){ c });
		if (row.whole && !row.off)
			cname_object(p, row.obj, &text);
		else
			cname_cell(p, row.obj, row.off, &text);
		add_named(all, raw, &text, c);
		if (row.off)
			continue;
		cname_object(p, row.obj, &text);
		add_named(all, raw, &text, n->ncells + p->vars.len + c);
	}
	for (uint32_t v = 1; v < p->vars.len; v++) {
		if (!has_name(p, v))
			continue;
		cname_var(p, (cvar_id){ v }, &text);
		add_named(all, raw, &text, n->ncells + v);
	}
	strbuf_release(&text);
}

static void rank_items(struct c_names *n, enum escape form)
{
	named_vec all = { 0 };
	struct arena raw;

	arena_init(&raw);
	collect(n, &all, &raw);
	if (all.len)
		qsort(all.data, all.len, sizeof(all.data[0]), form == ESCAPE_PLAIN ? for_people : by_text);
	n->rank = arena_zarray(&n->mem, uint32_t, 2 * (size_t)n->ncells + n->r->program->vars.len + 1);
	n->target_rank = n->rank + n->ncells + n->r->program->vars.len;
	n->text = arena_array(&n->mem, struct str, (size_t)all.len + 1);
	for (uint32_t i = 0; i < all.len; i++) {
		if (i == 0 || !str_eq(all.data[i].text, all.data[i - 1].text))
			n->text[++n->n] = escaped(n, form, all.data[i].text);
		n->rank[all.data[i].id] = n->n;
	}
	n->marks = arena_zarray(&n->mem, uint64_t, (size_t)n->n / 64 + 1);
	n->low = UINT32_MAX;
	vec_release(&all);
	arena_release(&raw);
}

void c_names_init_functions(struct c_names *n, const struct c_result *r)
{
	*n = (struct c_names){ .r = r };
	arena_init(&n->mem);
	cfunctions_init(&n->functions, r->facts);
}

void c_names_escape_functions(struct c_names *n, enum escape form)
{
	uint32_t len = n->r->program->fns.len;

	n->fns = arena_zarray(&n->mem, struct str, len + 1);
	for (uint32_t f = 1; f < len; f++)
		n->fns[f] = escaped(n, form, n->functions.names[f]);
}

void c_names_init(struct c_names *n, const struct c_result *r, enum escape form)
{
	c_names_init_functions(n, r);
	c_names_escape_functions(n, form);
	n->ncells = cpta_ncells(r->facts);
	rank_items(n, form);
}

void c_names_release(struct c_names *n)
{
	arena_release(&n->mem);
	cfunctions_release(&n->functions);
	vec_release(&n->sorted);
	vec_release(&n->cells);
	vec_release(&n->places);
}

void c_set_add(struct c_names *n, uint32_t rank)
{
	uint32_t word = rank / 64;
	uint64_t bit = UINT64_C(1) << (rank % 64);

	if (!rank || n->marks[word] & bit)
		return;
	n->marks[word] |= bit;
	n->nmarked++;
	n->low = word < n->low ? word : n->low;
	n->high = word > n->high ? word : n->high;
}

static void add_cells(struct c_names *n)
{
	for (uint32_t i = 0; i < n->cells.len; i++)
		c_set_add(n, c_rank_target(n, n->cells.data[i]));
}

void c_set_add_var(struct c_names *n, cvar_id v)
{
	vec_clear(&n->cells);
	cpta_points_to(n->r->facts, v, &n->cells);
	add_cells(n);
}

void c_set_add_content(struct c_names *n, ccell_id c)
{
	vec_clear(&n->cells);
	cpta_content(n->r->facts, c, &n->cells);
	add_cells(n);
}

static void add_places(struct c_names *n)
{
	for (uint32_t i = 0; i < n->places.len; i++)
		c_set_add(n, c_rank_place(n, n->places.data[i]));
}

void c_set_add_stmt(struct c_names *n, const struct c_stmt *s, enum effect e)
{
	vec_clear(&n->places);
	modref_stmt(n->r->effects, s->fn, s->row, e, &n->places);
	add_places(n);
}

void c_set_add_fn(struct c_names *n, cfn_id f, enum effect e)
{
	vec_clear(&n->places);
	modref_fn(n->r->effects, f, e, &n->places);
	add_places(n);
}

static uint32_t lowest_bit(uint64_t w)
{
	uint32_t k = 0;

	for (uint32_t half = 32; half; half /= 2)
		if (!(w & ((UINT64_C(1) << half) - 1))) {
			w >>= half;
			k += half;
		}
	return k;
}

struct c_set c_set_read(struct c_names *n)
{
	vec_clear(&n->sorted);
	for (uint32_t word = n->low; n->nmarked && word <= n->high; word++) {
		for (uint64_t w = n->marks[word]; w; w &= w - 1)
			vec_push(&n->sorted, word * 64 + lowest_bit(w));
		n->marks[word] = 0;
	}
	n->nmarked = 0;
	n->low = UINT32_MAX;
	n->high = 0;
	return (struct c_set){ n->sorted.data, n->sorted.len };
}

static int by_rank(const void *a, const void *b)
{
	const struct c_holder *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->cell.i != y->cell.i)
		return x->cell.i < y->cell.i ? -1 : 1;
	return (x->var.i > y->var.i) - (x->var.i < y->var.i);
}

/* Others are parts of an object that collapsed. */
static bool stands_for_itself(const struct c_result *r, ccell_id c)
{
	struct ccell row = cpta_cell(r->facts, c);

	return cpta_cell_at(r->facts, row.obj, row.off).i == c.i;
}

/* Functions and strings hold nothing; what models, placeholders and functions of summarized libraries keep is theirs. */
static bool is_own_object(const struct c_result *r, ccell_id c)
{
	const struct cobj *o = &r->program->objs.data[cpta_cell(r->facts, c).obj.i];

	bool is_theirs = o->flags & COBJ_MODEL || (o->kind == COBJ_LOCAL && o->fn.i && c_fn(r, o->fn)->flags & (CFN_MODEL | CFN_SUMMARY));

	return o->kind != COBJ_FUNCTION && o->kind != COBJ_STRING && !is_theirs;
}

void c_holders(struct c_names *n, c_holder_vec *out)
{
	const struct cprogram *p = n->r->program;

	for (uint32_t c = 1; c <= n->ncells; c++)
		if (stands_for_itself(n->r, (ccell_id){ c }) && is_own_object(n->r, (ccell_id){ c }))
			vec_push(out, ((struct c_holder){ .rank = n->rank[c], .cell = { c } }));
	for (uint32_t v = 1; v < p->vars.len; v++)
		if (n->rank[n->ncells + v] && c_is_own(n->r, p->vars.data[v].fn))
			vec_push(out, ((struct c_holder){ .rank = n->rank[n->ncells + v], .var = { v } }));
	if (out->len)
		qsort(out->data, out->len, sizeof(out->data[0]), by_rank);
}

void c_holder_add(struct c_names *n, const struct c_holder *h)
{
	if (h->cell.i)
		c_set_add_content(n, h->cell);
	else
		c_set_add_var(n, h->var);
}

bool c_matches_one(const char *pattern, struct str name)
{
	struct str p = str_of(pattern);

	if (glob_matches_plain(p, name))
		return true;
	if (strpbrk(pattern, "*?") || name.len <= p.len || memcmp(name.p, p.p, p.len) != 0)
		return false;
	return name.p[p.len] == '.' || name.p[p.len] == '+' || name.p[p.len] == '[';
}

bool c_matches(const struct c_patterns *patterns, struct str name)
{
	for (uint32_t i = 0; i < patterns->n; i++)
		if (c_matches_one(patterns->at[i], name))
			return true;
	return false;
}
