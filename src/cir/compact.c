/* SPDX-License-Identifier: Apache-2.0 */
/* compact.c - what of a program is referred to, in an order that the modules' order does not change.
 *
 * Functions are ordered by name and place. Two may share these: a static function in a header is one in each module that includes it.
 * They are told apart by what they do, by what their callees and callers are, and theirs: labels that take in those of neighbours in
 * turns. Where these are the same after all, so is the text of the program, whichever comes first. No label depends on the machine. */
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/hash.h"
#include "cir/copy_p.h"

enum { ROUNDS = 4 };                     /* of labels */

enum mark { DROPPED, NAMED, KEPT };      /* NAMED: what is within it says so, but nobody calls it */

struct compact {
	const struct cprogram *p;
	struct ccopy c;
	uint8_t *fns, *objs, *vars, *inits;      /* marks; statements of the initialisers by their number */
	uint32_t *puts, *defs, *next;            /* of these: what gives an object, or a variable, its value; 1 + number */
	uint64_t *fn_labels, *obj_labels;
	VEC(uint32_t) pending, objects;          /* functions that are kept, objects that have first values */
	VEC(uint32_t) order;                     /* of functions */
};

static const struct cfn *fn_row(const struct compact *k, uint32_t f)
{
	return &k->p->fns.data[f];
}

static const struct cstmt *stmt_row(const struct compact *k, const struct cfn *f, uint32_t i)
{
	return &k->p->stmts.data[f->stmts + i];
}

static uint32_t object_of(const struct cstmt *s)
{
	return s->op == C_PUT ? s->dst : s->op == C_ADDR || s->op == C_GET ? s->src : 0;
}

/* What is referred to */

static void mark_object(struct compact *k, uint32_t o);

static void mark_function(struct compact *k, uint32_t f, enum mark m)
{
	if (k->fns[f] >= m || !f)
		return;
	k->fns[f] = (uint8_t)m;
	k->objs[fn_row(k, f)->obj.i] = KEPT;
	if (m == KEPT)
		vec_push(&k->pending, f);
}

static void mark_initial(struct compact *k, uint32_t i)
{
	const struct cstmt *s = stmt_row(k, fn_row(k, k->p->initialisers.i), i);

	if (k->inits[i])
		return;
	k->inits[i] = KEPT;
	mark_object(k, object_of(s));
	uint32_t v = s->op == C_ADDR || s->op == C_GET || s->op == C_CALL ? 0 : s->src;
	for (uint32_t d = v ? k->defs[v] : 0; d; d = k->next[d])
		mark_initial(k, d - 1);
}

static void mark_object(struct compact *k, uint32_t o)
{
	const struct cobj *row = &k->p->objs.data[o];

	if (!o || (k->objs[o] && row->kind != COBJ_FUNCTION))
		return;
	k->objs[o] = KEPT;
	mark_function(k, row->fn.i, row->kind == COBJ_FUNCTION ? KEPT : NAMED);
	if (k->puts[o])
		vec_push(&k->objects, o);
}

static void mark_var(struct compact *k, uint32_t v)
{
	k->vars[v] = KEPT;
	mark_function(k, k->p->vars.data[v].fn.i, NAMED);
}

static void mark_stmt(struct compact *k, const struct cstmt *s)
{
	const struct ccall *c = s->op == C_CALL ? &k->p->calls.data[s->dst] : NULL;

	if (!c) {
		mark_object(k, object_of(s));
		mark_var(k, s->op == C_PUT ? 0 : s->dst);
		mark_var(k, s->op == C_ADDR || s->op == C_GET ? 0 : s->src);
		return;
	}
	mark_function(k, c->callee.i, KEPT);
	mark_object(k, c->memory.i);
	mark_var(k, c->pointer.i);
	mark_var(k, c->result.i);
	for (uint32_t i = 0; i < c->nargs; i++)
		mark_var(k, k->p->args.data[c->args + i].i);
}

static void mark_body(struct compact *k, uint32_t f)
{
	const struct cfn *row = fn_row(k, f);

	mark_function(k, row->of.i, KEPT);
	for (uint32_t i = 0; i < row->nstmts && f != k->p->initialisers.i; i++)
		mark_stmt(k, stmt_row(k, row, i));
}

static void mark_first_values(struct compact *k, uint32_t o)
{
	for (uint32_t i = k->puts[o]; i; i = k->next[i])
		mark_initial(k, i - 1);
}

static void mark_pending(struct compact *k)
{
	while (k->pending.len || k->objects.len) {
		if (k->pending.len)
			mark_body(k, vec_pop(&k->pending));
		else
			mark_first_values(k, vec_pop(&k->objects));
	}
}

/* Of the initialisers, what is no first value of an object is always there. */
static void index_initials(struct compact *k)
{
	const struct cfn *f = fn_row(k, k->p->initialisers.i);

	k->inits = mem_zalloc(f->nstmts + UINT64_C(1));
	k->next = mem_zalloc(sizeof(uint32_t) * (f->nstmts + UINT64_C(1)));
	for (uint32_t i = f->nstmts; i-- > 0;) {
		const struct cstmt *s = stmt_row(k, f, i);
		bool is_def = s->op != C_PUT && s->op != C_STORE && s->op != C_MOVE && s->op != C_CALL;
		uint32_t *at = s->op == C_PUT ? &k->puts[s->dst] : is_def ? &k->defs[s->dst] : NULL;
		if (!at)
			continue;
		k->next[i + 1] = *at;
		*at = i + 1;
	}
}

static void mark_free_initials(struct compact *k)
{
	const struct cfn *f = fn_row(k, k->p->initialisers.i);

	for (uint32_t i = 0; i < f->nstmts; i++) {
		const struct cstmt *s = stmt_row(k, f, i);
		if (s->op != C_STORE && s->op != C_MOVE && s->op != C_CALL)
			continue;
		mark_initial(k, i);
		mark_stmt(k, s);
	}
}

static void mark_roots(struct compact *k)
{
	for (uint32_t i = 1; i < k->p->objs.len; i++)
		if (k->p->objs.data[i].flags & COBJ_EXPORTED)
			mark_object(k, i);
	for (uint32_t i = 1; i < k->p->fns.len; i++)
		if (fn_row(k, i)->flags & CFN_STARTS)
			mark_function(k, i, KEPT);
	mark_function(k, k->p->initialisers.i, KEPT);
	if (k->p->initialisers.i)
		mark_free_initials(k);
	mark_pending(k);
}

/* What is in the initialisers when all is marked that has first values */
static void mark_vars(struct compact *k)
{
	const struct cfn *init = fn_row(k, k->p->initialisers.i);

	for (uint32_t i = 0; i < init->nstmts; i++)
		if (k->inits[i])
			mark_stmt(k, stmt_row(k, init, i));
	mark_pending(k);
	for (uint32_t f = 1; f < k->p->fns.len; f++) {
		const struct cfn *row = fn_row(k, f);
		for (uint32_t i = 0; k->fns[f] && i < row->nparams; i++)
			k->vars[row->params + i] = KEPT;
		if (!k->fns[f])
			continue;
		k->vars[row->result.i] = KEPT;
		k->vars[row->other.i] = KEPT;
		k->objs[row->rest.i] = KEPT;
	}
	k->vars[0] = k->objs[0] = DROPPED;
}

/* Labels */

static uint64_t mix(uint64_t h, uint64_t x)
{
	return hash_mix(h * UINT64_C(0x9e3779b97f4a7c15) + x);
}

static uint64_t hash_name(const struct compact *k, str_id s)
{
	return digest_str(DIGEST_START, interned(&k->p->names, s));
}

static uint64_t hash_loc(const struct compact *k, cloc_id l)
{
	const struct cloc *row = &k->p->locs.data[l.i];

	return l.i ? mix(mix(hash_name(k, row->file), row->line), row->column) : 0;
}

static uint64_t first_label(const struct compact *k, uint32_t f)
{
	const struct cfn *row = fn_row(k, f);
	uint64_t h = mix(mix(hash_name(k, row->name), hash_loc(k, row->loc)), row->flags);

	for (uint32_t i = 0; k->fns[f] == KEPT && f != k->p->initialisers.i && i < row->nstmts; i++) {
		const struct cstmt *s = stmt_row(k, row, i);
		h = mix(h, s->op | (uint64_t)s->flags << 8 | (uint64_t)(uint32_t)s->off << 16);
		h = mix(h, s->width + hash_loc(k, s->loc));
	}
	return h;
}

/* What a function's statements name: also what names an object is told from others by that. */
static uint64_t next_label(const struct compact *k, uint32_t f, uint64_t *to_fns, uint64_t *to_objs)
{
	const struct cfn *row = fn_row(k, f);
	uint64_t h = k->fn_labels[f];

	for (uint32_t i = 0; k->fns[f] == KEPT && f != k->p->initialisers.i && i < row->nstmts; i++) {
		const struct cstmt *s = stmt_row(k, row, i);
		uint32_t o = object_of(s), callee = s->op == C_CALL ? k->p->calls.data[s->dst].callee.i : 0;
		h = mix(h, o ? k->obj_labels[o] : callee ? k->fn_labels[callee] : 0);
		to_objs[o] += mix(k->fn_labels[f], i);
		to_fns[callee] += mix(k->fn_labels[f], i);
	}
	return h;
}

static void label_round(struct compact *k, uint64_t *fns, uint64_t *objs)
{
	memset(fns, 0, sizeof(*fns) * k->p->fns.len);
	memset(objs, 0, sizeof(*objs) * k->p->objs.len);
	for (uint32_t f = 1; f < k->p->fns.len; f++)
		fns[f] += k->fns[f] ? mix(1, next_label(k, f, fns, objs)) : 0;
	for (uint32_t f = 1; f < k->p->fns.len; f++)
		k->fn_labels[f] = mix(k->fn_labels[f], fns[f]);
	for (uint32_t o = 1; o < k->p->objs.len; o++) {
		const struct cobj *row = &k->p->objs.data[o];
		k->obj_labels[o] = mix(k->obj_labels[o], objs[o] + (row->kind == COBJ_FUNCTION ? k->fn_labels[row->fn.i] : 0));
	}
}

static void label(struct compact *k)
{
	uint64_t *fns = mem_zalloc(sizeof(*fns) * k->p->fns.len), *objs = mem_zalloc(sizeof(*objs) * k->p->objs.len);

	for (uint32_t f = 1; f < k->p->fns.len; f++)
		k->fn_labels[f] = k->fns[f] ? first_label(k, f) : 0;
	for (uint32_t o = 1; o < k->p->objs.len; o++) {
		const struct cobj *row = &k->p->objs.data[o];
		k->obj_labels[o] = mix(mix(hash_name(k, row->name), hash_loc(k, row->loc)), row->kind + row->size * 8);
	}
	for (uint32_t i = 0; i < ROUNDS; i++)
		label_round(k, fns, objs);
	free(fns);
	free(objs);
}

/* Order */

struct place {
	struct str name, file;
	uint32_t line, column;
	uint64_t rank, label;
	uint32_t id;
};

static int compare_u64(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

static int compare_places(const void *x, const void *y)
{
	const struct place *a = x, *b = y;
	int c = compare_u64(a->rank, b->rank);

	c = c ? c : str_cmp(a->name, b->name);
	c = c ? c : str_cmp(a->file, b->file);
	c = c ? c : compare_u64(a->line, b->line);
	c = c ? c : compare_u64(a->column, b->column);
	c = c ? c : compare_u64(a->label, b->label);
	return c ? c : compare_u64(a->id, b->id);
}

static struct place place_of(const struct compact *k, str_id name, cloc_id loc, uint64_t label, uint32_t id)
{
	const struct cloc *l = &k->p->locs.data[loc.i];

	return (struct place){ .name = interned(&k->p->names, name), .file = interned(&k->p->names, l->file), .line = l->line,
			       .column = l->column, .label = label, .id = id };
}

typedef VEC(struct place) place_rows;

static void sort_places(place_rows *rows)
{
	if (rows->len)
		qsort(rows->data, rows->len, sizeof(*rows->data), compare_places);
}

static void order_functions(struct compact *k, place_rows *rows)
{
	vec_clear(rows);
	for (uint32_t f = 1; f < k->p->fns.len; f++)
		if (k->fns[f])
			vec_push(rows, place_of(k, fn_row(k, f)->name, fn_row(k, f)->loc, k->fn_labels[f], f));
	sort_places(rows);
	for (uint32_t i = 0; i < rows->len; i++) {
		vec_push(&k->order, rows->data[i].id);
		k->c.fns[rows->data[i].id] = i + 1;
	}
}

/* Those of functions stay in the order that they had there. */
static void order_objects(struct compact *k, place_rows *rows)
{
	uint32_t n = 0;

	vec_clear(rows);
	for (uint32_t o = 1; o < k->p->objs.len; o++) {
		const struct cobj *row = &k->p->objs.data[o];
		if (k->objs[o] && row->kind != COBJ_FUNCTION && !row->fn.i) {
			struct place at = place_of(k, row->name, row->loc, k->obj_labels[o], o);
			at.rank = row->kind;
			vec_push(rows, at);
		}
	}
	sort_places(rows);
	for (; n < rows->len; n++)
		k->c.objs[rows->data[n].id] = n + 1;
	vec_clear(rows);
	for (uint32_t o = 1; o < k->p->objs.len; o++) {
		const struct cobj *row = &k->p->objs.data[o];
		if (k->objs[o] && row->kind != COBJ_FUNCTION && row->fn.i)
			vec_push(rows, ((struct place){ .rank = k->c.fns[row->fn.i], .id = o }));
	}
	sort_places(rows);
	for (uint32_t i = 0; i < rows->len; i++)
		k->c.objs[rows->data[i].id] = ++n;
	for (uint32_t i = 0; i < k->order.len; i++)
		k->c.objs[fn_row(k, k->order.data[i])->obj.i] = ++n;
}

static uint64_t var_rank(const struct cvar *v)
{
	return v->kind == CVAR_PARAM ? 0 : v->kind == CVAR_RESULT ? 1 : 2;
}

/* Of functions: parameters, the result, others. Those of no function follow in the order of the initialisers. */
static void order_vars(struct compact *k, place_rows *rows, uint32_t n)
{
	vec_clear(rows);
	for (uint32_t v = 1; v < k->p->vars.len; v++) {
		const struct cvar *row = &k->p->vars.data[v];
		if (k->vars[v] && row->fn.i)
			vec_push(rows, ((struct place){ .rank = (uint64_t)k->c.fns[row->fn.i] << 2 | var_rank(row), .id = v }));
	}
	sort_places(rows);
	for (uint32_t i = 0; i < rows->len; i++)
		k->c.vars[rows->data[i].id] = ++n;
}

/* The initialisers, in the order of what they are for */

struct put {
	uint32_t object, row;
	int32_t off;
};

static int compare_puts(const void *x, const void *y)
{
	const struct put *a = x, *b = y;
	int c = compare_u64(a->object, b->object);

	c = c ? c : (a->off > b->off) - (a->off < b->off);
	return c ? c : compare_u64(a->row, b->row);
}

typedef VEC(uint32_t) number_rows;

static void emit_initial(struct compact *k, uint32_t i, number_rows *out)
{
	const struct cstmt *s = stmt_row(k, fn_row(k, k->p->initialisers.i), i);
	uint32_t v = s->op == C_ADDR || s->op == C_GET || s->op == C_CALL ? 0 : s->src;

	if (k->inits[i] != KEPT)
		return;
	k->inits[i] = NAMED;
	for (uint32_t d = v ? k->defs[v] : 0; d; d = k->next[d])
		emit_initial(k, d - 1, out);
	vec_push(out, i);
}

static void order_initials(struct compact *k, number_rows *out)
{
	const struct cfn *f = fn_row(k, k->p->initialisers.i);
	VEC(struct put) puts = { 0 };

	for (uint32_t i = 0; i < f->nstmts; i++) {
		const struct cstmt *s = stmt_row(k, f, i);
		if (k->inits[i] && s->op == C_PUT)
			vec_push(&puts, ((struct put){ k->c.objs[s->dst], i, s->off }));
	}
	if (puts.len)
		qsort(puts.data, puts.len, sizeof(*puts.data), compare_puts);
	for (uint32_t i = 0; i < puts.len; i++)
		emit_initial(k, puts.data[i].row, out);
	for (uint32_t i = 0; i < f->nstmts; i++)
		emit_initial(k, i, out);
	vec_release(&puts);
}

/* Variables of no function are named by their first use there. */
static uint32_t number_initial_vars(struct compact *k, const number_rows *inits)
{
	const struct cfn *f = fn_row(k, k->p->initialisers.i);
	uint32_t n = 0;

	for (uint32_t i = 0; i < inits->len; i++) {
		const struct cstmt *s = stmt_row(k, f, inits->data[i]);
		uint32_t v[2] = { s->op == C_PUT || s->op == C_CALL ? 0 : s->dst,
				  s->op == C_ADDR || s->op == C_GET || s->op == C_CALL ? 0 : s->src };
		for (int j = 0; j < 2; j++)
			if (v[j] && !k->p->vars.data[v[j]].fn.i && !k->c.vars[v[j]])
				k->c.vars[v[j]] = ++n;
	}
	for (uint32_t v = 1; v < k->p->vars.len; v++)
		if (k->vars[v] && !k->p->vars.data[v].fn.i && !k->c.vars[v])
			k->c.vars[v] = ++n;
	return n;
}

/* Copying, in the new order */

static void invert(const uint32_t *places, uint32_t n, number_rows *out)
{
	uint32_t most = 0;

	for (uint32_t i = 1; i < n; i++)
		most = places[i] > most ? places[i] : most;
	vec_clear(out);
	vec_reserve(out, most + UINT64_C(1));
	out->len = most + 1;
	for (uint32_t i = 1; i < n; i++)
		out->data[places[i]] = i;
	out->data[0] = 0;
}

/* Which names others cannot use, and why, is the same to them. */
static void hide(struct cobj *o)
{
	o->flags = (uint8_t)((o->flags & ~(COBJ_EXPORTED | COBJ_HIDDEN)) | COBJ_STATIC);
}

static struct cobj object_of_row(struct compact *k, uint32_t o)
{
	struct cobj row = ccopy_object(&k->c, o);
	const struct cobj *was = &k->p->objs.data[o];

	if (cir_is_symbol(was) && cir_is_defined(k->p, was) && !(was->flags & COBJ_EXPORTED))
		hide(&row);
	return row;
}

/* Nobody calls what is only named: it has no body, and no other may take its name. */
static struct cfn head_of(struct compact *k, uint32_t f)
{
	struct cfn row = ccopy_function(&k->c, f);
	struct cobj *o = &k->c.to->objs.data[row.obj.i];

	if (k->fns[f] == NAMED) {
		row.flags = (uint16_t)((row.flags & ~(CFN_STARTS | CFN_WEAK | CFN_ALLOCATES)) | CFN_STATIC | CFN_DEFINED);
		hide(o);
	}
	if (o->flags & COBJ_STATIC)
		row.flags |= CFN_STATIC;
	return row;
}

static void copy_rows(struct compact *k, number_rows *rows)
{
	invert(k->c.objs, k->p->objs.len, rows);
	for (uint32_t i = 1; i < rows->len; i++)
		cir_object(k->c.to, object_of_row(k, rows->data[i]));
	invert(k->c.vars, k->p->vars.len, rows);
	for (uint32_t i = 1; i < rows->len; i++)
		vec_push(&k->c.to->vars, ccopy_var(&k->c, rows->data[i]));
	for (uint32_t i = 0; i < k->order.len; i++)
		vec_push(&k->c.to->fns, head_of(k, k->order.data[i]));
}

static void copy_bodies(struct compact *k, const number_rows *inits)
{
	for (uint32_t i = 0; i < k->order.len; i++) {
		uint32_t f = k->order.data[i];
		if (k->fns[f] != KEPT || !(fn_row(k, f)->flags & CFN_DEFINED))
			continue;
		if (f != k->p->initialisers.i) {
			ccopy_body(&k->c, f);
			continue;
		}
		cir_begin(k->c.to, (cfn_id){ k->c.fns[f] });
		for (uint32_t s = 0; s < inits->len; s++)
			ccopy_stmt(&k->c, stmt_row(k, fn_row(k, f), inits->data[s]));
		cir_end(k->c.to, (cfn_id){ k->c.fns[f] });
	}
}

static int compare_uses(const void *x, const void *y)
{
	return compare_u64(((const struct cuse *)x)->param.i, ((const struct cuse *)y)->param.i);
}

static void copy_uses(struct compact *k)
{
	struct cprogram *to = k->c.to;

	for (uint32_t i = 0; i < k->p->uses.len; i++) {
		struct cuse u = k->p->uses.data[i];
		u.param.i = k->c.vars[u.param.i];
		if (u.param.i)
			vec_push(&to->uses, u);
	}
	if (to->uses.len)
		qsort(to->uses.data, to->uses.len, sizeof(*to->uses.data), compare_uses);
}

static void copy_notes(struct compact *k, place_rows *rows)
{
	vec_clear(rows);
	for (uint32_t i = 1; i < k->p->notes.len; i++) {
		const struct cnote *x = &k->p->notes.data[i];
		struct place at = place_of(k, x->text, x->loc, x->kind, i);
		at.rank = k->c.fns[x->fn.i];
		if (!x->fn.i || at.rank)
			vec_push(rows, at);
	}
	sort_places(rows);
	for (uint32_t i = 0; i < rows->len; i++) {
		const struct cnote *x = &k->p->notes.data[rows->data[i].id];
		cir_note(k->c.to, x->kind, (cfn_id){ k->c.fns[x->fn.i] }, ccopy_loc(&k->c, x->loc), ccopy_name(&k->c, x->text));
	}
}

static void copy_aliases(struct compact *k, place_rows *rows)
{
	vec_clear(rows);
	for (uint32_t i = 0; i < k->p->aliases.len; i++) {
		const struct calias *a = &k->p->aliases.data[i];
		if (k->c.objs[a->obj.i])
			vec_push(rows, place_of(k, a->name, (cloc_id){ 0 }, k->c.objs[a->obj.i], i));
	}
	sort_places(rows);
	for (uint32_t i = 0; i < rows->len; i++) {
		const struct calias *a = &k->p->aliases.data[rows->data[i].id];
		vec_push(&k->c.to->aliases, ((struct calias){ ccopy_name(&k->c, a->name), { k->c.objs[a->obj.i] } }));
	}
}

static void copy_all(struct compact *k)
{
	place_rows places = { 0 };
	number_rows inits = { 0 }, rows = { 0 };

	order_functions(k, &places);
	order_objects(k, &places);
	if (k->p->initialisers.i)
		order_initials(k, &inits);
	order_vars(k, &places, number_initial_vars(k, &inits));
	copy_rows(k, &rows);
	copy_bodies(k, &inits);
	copy_uses(k);
	copy_notes(k, &places);
	copy_aliases(k, &places);
	k->c.to->initialisers.i = k->c.fns[k->p->initialisers.i];
	k->c.to->pointer_size = k->p->pointer_size;
	ccopy_folders(&k->c);
	vec_release(&places);
	vec_release(&inits);
	vec_release(&rows);
}

void cir_compact(const struct cprogram *from, struct cprogram *to)
{
	struct compact k = { .p = from };

	cprogram_init(to);
	ccopy_init(&k.c, from, to);
	k.fns = mem_zalloc(from->fns.len + UINT64_C(1));
	k.objs = mem_zalloc(from->objs.len + UINT64_C(1));
	k.vars = mem_zalloc(from->vars.len + UINT64_C(1));
	k.puts = mem_zalloc(sizeof(uint32_t) * (from->objs.len + UINT64_C(1)));
	k.defs = mem_zalloc(sizeof(uint32_t) * (from->vars.len + UINT64_C(1)));
	k.fn_labels = mem_zalloc(sizeof(uint64_t) * (from->fns.len + UINT64_C(1)));
	k.obj_labels = mem_zalloc(sizeof(uint64_t) * (from->objs.len + UINT64_C(1)));
	index_initials(&k);
	mark_roots(&k);
	mark_vars(&k);
	label(&k);
	copy_all(&k);
	ccopy_release(&k.c);
	free(k.fns);
	free(k.objs);
	free(k.vars);
	free(k.inits);
	free(k.puts);
	free(k.defs);
	free(k.next);
	free(k.fn_labels);
	free(k.obj_labels);
	vec_release(&k.pending);
	vec_release(&k.objects);
	vec_release(&k.order);
}
