/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - what users read. A name starts plain and gets more parts until it is the only one of its kind: a file, a
 * line, a column, at last a number. Plain names are not unique: each file may have a static function of the same name,
 * a function two locals in two blocks, a line two allocations. Results, and what users ask for, need names that are. */
#include "cir/cir.h"

#include "base/map.h"
#include "base/strbuf.h"
#include "base/text/utf8.h"

#define MAX_TEXT 24                      /* characters of a string that are shown */
#define PARTS 3                          /* how many parts a name may get before it gets a number */

static struct str text_of(const struct cprogram *p, str_id s)
{
	return interned(&p->names, s);
}

static const struct cloc *loc_of(const struct cprogram *p, cloc_id l)
{
	return &p->locs.data[l.i];
}

/* file:line:column as far as `parts` go. */
static void add_loc(const struct cprogram *p, cloc_id id, unsigned parts, struct strbuf *out)
{
	const struct cloc *l = loc_of(p, id);

	strbuf_addstr(out, text_of(p, l->file));
	if (parts > 1 && l->line)
		strbuf_addf(out, ":%u", (unsigned)l->line);
	if (parts > 2 && l->line && l->column)
		strbuf_addf(out, ":%u", (unsigned)l->column);
}

void cname_loc(const struct cprogram *p, cloc_id l, struct strbuf *out)
{
	if (l.i == 0)
		strbuf_addch(out, '?');
	else
		add_loc(p, l, 3, out);
}

/* Functions and globals: `name`, `file:name`. */
static void add_linked(const struct cprogram *p, str_id name, cloc_id loc, bool is_static, unsigned parts, struct strbuf *out)
{
	struct str s = text_of(p, name);

	if (is_static && parts > 0 && loc_of(p, loc)->file.i) {
		add_loc(p, loc, 1, out);
		strbuf_addch(out, ':');
	}
	strbuf_addstr(out, s.len ? s : STR("?"));
}

static void plain_fn(const struct cprogram *p, cfn_id f, unsigned parts, struct strbuf *out)
{
	const struct cfn *row = &p->fns.data[f.i];

	add_linked(p, row->name, row->loc, row->flags & CFN_STATIC, parts, out);
}

/* The length of the character at `at`; bytes that are not UTF-8 are alone. */
static uint32_t char_len(struct str s, uint32_t at)
{
	unsigned char c = (unsigned char)s.p[at];
	uint32_t n = c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;

	for (uint32_t i = 1; i < n; i++)
		if (at + i >= s.len || ((unsigned char)s.p[at + i] & 0xc0) != 0x80)
			return 1;
	return n;
}

static void add_char(struct str s, uint32_t at, uint32_t n, struct strbuf *out)
{
	unsigned char c = (unsigned char)s.p[at];

	if (c == '"' || c == '\\')
		strbuf_addf(out, "\\%c", c);
	else if (c == '\n')
		strbuf_adds(out, "\\n");
	else if (c == '\t')
		strbuf_adds(out, "\\t");
	else if (!utf8_is_shown((struct str){ s.p + at, n }))
		for (uint32_t i = 0; i < n; i++)
			strbuf_addf(out, "\\x%02x", (unsigned char)s.p[at + i]);
	else
		strbuf_add(out, s.p + at, n);
}

static void add_string(struct str s, struct strbuf *out)
{
	uint32_t at = 0;

	strbuf_addch(out, '"');
	for (uint32_t chars = 0; at < s.len && chars < MAX_TEXT; chars++) {
		uint32_t n = char_len(s, at);

		add_char(s, at, n, out);
		at += n;
	}
	strbuf_adds(out, at < s.len ? "…\"" : "\"");
}

/* Locals, with and without address: `f::x`, `f::x@3`, `f::x@3:7`. */
static void add_local(const struct cprogram *p, cfn_id f, str_id name, cloc_id loc, unsigned parts, struct strbuf *out)
{
	const struct cloc *l = loc_of(p, loc);
	struct str s = text_of(p, name);

	if (f.i) {
		cname_fn(p, f, out);
		strbuf_adds(out, "::");
	}
	strbuf_addstr(out, s.len ? s : STR("?"));
	if (parts > 0 && l->line)
		strbuf_addf(out, "@%u", (unsigned)l->line);
	if (parts > 1 && l->line && l->column)
		strbuf_addf(out, ":%u", (unsigned)l->column);
}

/* Without a line: the function. */
static void add_heap(const struct cprogram *p, const struct cobj *o, unsigned parts, struct strbuf *out)
{
	strbuf_adds(out, "heap@");
	if (loc_of(p, o->loc)->line)
		add_loc(p, o->loc, parts + 2, out);
	else if (o->fn.i)
		cname_fn(p, o->fn, out);
	else
		strbuf_addch(out, '?');
}

static void plain_object(const struct cprogram *p, cobj_id id, unsigned parts, struct strbuf *out)
{
	const struct cobj *o = &p->objs.data[id.i];

	if (o->kind == COBJ_HEAP && o->name.i == 0)
		add_heap(p, o, parts, out);
	else if (o->kind == COBJ_FUNCTION)
		cname_fn(p, o->fn, out);
	else if (o->kind == COBJ_STRING)
		add_string(text_of(p, o->name), out);
	else if (o->fn.i && !(o->flags & COBJ_MODEL))
		add_local(p, o->fn, o->name, o->loc, parts, out);
	else
		add_linked(p, o->name, o->loc, o->flags & COBJ_STATIC, parts, out);
}

static void plain_var(const struct cprogram *p, cvar_id v, unsigned parts, struct strbuf *out)
{
	const struct cvar *row = &p->vars.data[v.i];

	add_local(p, row->fn, row->name, row->loc, parts, out);
}

/* The index. Objects and variables share one space of names; the objects of functions have those of functions. */

struct indexer {
	struct cprogram *p;
	struct strbuf text;
	struct map seen;               /* by name, at this number of parts: 1, or 2 for more than one */
	struct map taken;              /* by name: the next number to try */
};

typedef void (*plain_name)(const struct indexer *x, uint32_t id, unsigned parts, struct strbuf *out);

static void name_of_fn(const struct indexer *x, uint32_t id, unsigned parts, struct strbuf *out)
{
	plain_fn(x->p, (cfn_id){ id }, parts, out);
}

/* Rows from objs.len on are variables. */
static void name_of_place(const struct indexer *x, uint32_t id, unsigned parts, struct strbuf *out)
{
	if (id < x->p->objs.len)
		plain_object(x->p, (cobj_id){ id }, parts, out);
	else
		plain_var(x->p, (cvar_id){ id - x->p->objs.len }, parts, out);
}

static str_id text_name(struct indexer *x, plain_name name, uint32_t id, unsigned parts)
{
	strbuf_clear(&x->text);
	name(x, id, parts, &x->text);
	return intern(&x->p->names, strbuf_str(&x->text));
}

/* The name itself, or with the first number that is free. */
static str_id take_name(struct indexer *x, str_id s)
{
	uint32_t *next = map_at(&x->taken, s.i);

	if (*next == 0) {
		*next = 2;
		return s;
	}
	for (;;) {
		strbuf_clear(&x->text);
		strbuf_addstr(&x->text, text_of(x->p, s));
		strbuf_addf(&x->text, "#%u", (unsigned)(*map_at(&x->taken, s.i))++);
		str_id numbered = intern(&x->p->names, strbuf_str(&x->text));
		next = map_at(&x->taken, numbered.i);
		if (*next == 0) {
			*next = 2;
			return numbered;
		}
	}
}

struct name_row {
	uint32_t id;
	str_id name;
};
typedef VEC(struct name_row) name_rows;

/* Those that share a name get one part more; of those that cannot tell themselves apart by it the name stays. */
static bool add_parts(struct indexer *x, plain_name name, name_rows *rows, unsigned parts)
{
	bool again = false;

	map_release(&x->seen);
	for (uint32_t i = 0; i < rows->len; i++) {
		uint32_t *n = map_at(&x->seen, rows->data[i].name.i);

		*n = *n ? 2 : 1;
	}
	for (uint32_t i = 0; i < rows->len; i++) {
		struct name_row *r = &rows->data[i];

		if (map_get(&x->seen, r->name.i) == 2) {
			r->name = text_name(x, name, r->id, parts);
			again = true;
		}
	}
	return again;
}

static void make_unique(struct indexer *x, plain_name name, name_rows *rows)
{
	for (uint32_t i = 0; i < rows->len; i++)
		rows->data[i].name = text_name(x, name, rows->data[i].id, 0);
	for (unsigned parts = 1; parts < PARTS && add_parts(x, name, rows, parts); parts++)
		;
	for (uint32_t i = 0; i < rows->len; i++)
		rows->data[i].name = take_name(x, rows->data[i].name);
}

static void index_fns(struct indexer *x, name_rows *rows)
{
	struct cprogram *p = x->p;

	vec_clear(&p->fn_names);
	for (uint32_t i = 1; i < p->fns.len; i++)
		if (p->fns.data[i].of.i == 0)
			vec_push(rows, ((struct name_row){ .id = i }));
	make_unique(x, name_of_fn, rows);
	vec_reserve(&p->fn_names, p->fns.len);
	for (uint32_t i = 0; i < p->fns.len; i++)
		vec_push(&p->fn_names, ((str_id){ 0 }));
	for (uint32_t i = 0; i < rows->len; i++)
		p->fn_names.data[rows->data[i].id] = rows->data[i].name;
}

static void index_places(struct indexer *x, name_rows *rows)
{
	struct cprogram *p = x->p;

	vec_clear(rows);
	for (uint32_t i = 1; i < p->objs.len; i++)
		if (p->objs.data[i].kind != COBJ_FUNCTION)
			vec_push(rows, ((struct name_row){ .id = i }));
	for (uint32_t i = 1; i < p->vars.len; i++)
		if (p->vars.data[i].name.i)
			vec_push(rows, ((struct name_row){ .id = p->objs.len + i }));
	make_unique(x, name_of_place, rows);
}

static void keep_places(struct cprogram *p, const name_rows *rows)
{
	vec_clear(&p->obj_names);
	vec_clear(&p->var_names);
	for (uint32_t i = 0; i < p->objs.len; i++)
		vec_push(&p->obj_names, ((str_id){ 0 }));
	for (uint32_t i = 0; i < p->vars.len; i++)
		vec_push(&p->var_names, ((str_id){ 0 }));
	for (uint32_t i = 0; i < rows->len; i++) {
		const struct name_row *r = &rows->data[i];

		if (r->id < p->objs.len)
			p->obj_names.data[r->id] = r->name;
		else
			p->var_names.data[r->id - p->objs.len] = r->name;
	}
}

void cir_index_names(struct cprogram *p)
{
	struct indexer x = { .p = p };
	name_rows rows = { 0 };

	vec_clear(&p->fn_names);
	vec_clear(&p->obj_names);
	vec_clear(&p->var_names);
	index_fns(&x, &rows);
	index_places(&x, &rows);
	keep_places(p, &rows);
	vec_release(&rows);
	map_release(&x.seen);
	map_release(&x.taken);
	strbuf_release(&x.text);
}

/* Names */

void cname_fn(const struct cprogram *p, cfn_id f, struct strbuf *out)
{
	if (p->fns.data[f.i].of.i)
		f = p->fns.data[f.i].of;
	if (f.i < p->fn_names.len && p->fn_names.data[f.i].i)
		strbuf_addstr(out, text_of(p, p->fn_names.data[f.i]));
	else
		plain_fn(p, f, 0, out);
}

void cname_object(const struct cprogram *p, cobj_id o, struct strbuf *out)
{
	if (o.i < p->obj_names.len && p->obj_names.data[o.i].i)
		strbuf_addstr(out, text_of(p, p->obj_names.data[o.i]));
	else
		plain_object(p, o, 0, out);
}

void cname_var(const struct cprogram *p, cvar_id v, struct strbuf *out)
{
	const struct cvar *row = &p->vars.data[v.i];

	if (v.i < p->var_names.len && p->var_names.data[v.i].i) {
		strbuf_addstr(out, text_of(p, p->var_names.data[v.i]));
	} else if (row->name.i) {
		plain_var(p, v, 0, out);
	} else {
		if (row->fn.i) {
			cname_fn(p, row->fn, out);
			strbuf_adds(out, "::");
		}
		if (row->kind == CVAR_RESULT)
			strbuf_adds(out, "%result");
		else
			strbuf_addf(out, "%%%u", (unsigned)v.i);
	}
}

/* Fields */

/* The field that `off` lies in, or NULL. */
static const struct cfield *field_at(const struct cprogram *p, const struct clayout *l, uint64_t off)
{
	uint32_t lo = 0, hi = l->nfields;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (p->fields.data[l->first + mid].offset <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > 0 ? &p->fields.data[l->first + lo - 1] : NULL;
}

/* `.head.next`, `[].key`; what is left is an offset: `+8`. */
static void add_path(const struct cprogram *p, clayout_id id, uint64_t off, struct strbuf *out)
{
	while (id.i) {
		const struct clayout *l = &p->layouts.data[id.i];
		const struct cfield *f = l->kind == CLAYOUT_STRUCT ? field_at(p, l, off) : NULL;

		if (l->kind == CLAYOUT_ARRAY && p->layouts.data[l->elem.i].size) {
			strbuf_adds(out, "[]");
			off %= p->layouts.data[l->elem.i].size;
			id = l->elem;
		} else if (f && f->name.i) {
			strbuf_addch(out, '.');
			strbuf_addstr(out, text_of(p, f->name));
			off -= f->offset;
			id = f->layout;
		} else {
			break;
		}
	}
	if (off)
		strbuf_addf(out, "+%llu", (unsigned long long)off);
}

void cname_cell(const struct cprogram *p, cobj_id o, uint64_t off, struct strbuf *out)
{
	const struct cobj *row = &p->objs.data[o.i];
	uint64_t size = p->layouts.data[row->layout.i].size;

	cname_object(p, o, out);
	if ((row->flags & COBJ_REPEATS) && size)
		off %= size;
	add_path(p, row->layout, off, out);
}
