/* SPDX-License-Identifier: Apache-2.0 */
/* effects.c - syntactic effects: what the statement itself names or points at; the thesis's SynMod (section 3.1.3),
 * with widths.
 *
 * An access is of bytes, an object's cells are fields. Compilers copy several narrow fields by one access of eight
 * bytes, and programs read structs as bytes: so an access counts for every cell that it may go over, not only for the
 * one it starts at. */
#include "analysis/modref/modref_p.h"

/* Variables with names are variables of the source: others are values on their way. */
static void var_effect(const struct access *x, uint32_t var, const struct effect_sink *sink)
{
	if (var && cpta_program(x->a)->vars.data[var].name.i)
		sink->var(sink->ctx, (cvar_id){ var });
}

/* Where an access starts: its cell, and the offset, which may be behind the cell's in an array. */
struct start {
	ccell_id cell;
	uint64_t off;
};

/* Does an access of this width go over other cells? One of unknown width does. */
static bool is_wide(const struct access *x, struct start at, uint64_t width)
{
	const struct cprogram *p = cpta_program(x->a);
	struct ccell c = cpta_cell(x->a, at.cell);
	const struct cobj *o = &p->objs.data[c.obj.i];

	if (c.whole)
		return false;
	if (!width || width > p->pointer_size)
		return true;
	return o->layout.i ? clayout_cell(p, o->layout, at.off + width - 1) != c.off : width > p->pointer_size / 2;
}

/* Cells of one object, of which `off` is one. */
struct covered {
	const struct access *x;
	cobj_id obj;
	void (*each)(void *ctx, uint32_t cell);
	void *ctx;
};

static void cover(void *ctx, uint64_t off)
{
	struct covered *v = ctx;
	ccell_id c = cpta_cell_at(v->x->a, v->obj, off);

	if (c.i)
		v->each(v->ctx, c.i);
}

/* All cells of the object that an access of this width may go over, not knowing its layout; all of them for width 0. */
static void cover_raw(struct covered *v, ccell_id at, uint64_t width)
{
	uint64_t first = cpta_cell(v->x->a, at).off;

	for (uint32_t c = v->x->first_cell[v->obj.i]; c; c = v->x->next_cell[c]) {
		uint64_t off = cpta_cell(v->x->a, (ccell_id){ c }).off;

		if (c == at.i || !width || (off > first && off - first < width))
			v->each(v->ctx, c);
	}
}

/* In an array, an access may go on in the next element: then any cell of an element may be met. */
static void wide_access(struct covered *v, struct start at, uint64_t width)
{
	const struct cprogram *p = cpta_program(v->x->a);
	const struct cobj *o = &p->objs.data[v->obj.i];
	uint64_t size = o->layout.i ? p->layouts.data[o->layout.i].size : 0;
	bool wraps = (o->flags & COBJ_REPEATS) && (at.off > size || width > size - at.off);

	if (size && width && !wraps)
		clayout_each(p, o->layout, at.off, width, cover, v);
	else
		cover_raw(v, at.cell, wraps ? 0 : width);
}

/* Calls each(ctx, cell) for the cells that an access goes over. */
static void cells_of(const struct access *x, struct start at, uint64_t width, void (*each)(void *ctx, uint32_t cell), void *ctx)
{
	struct covered v = { x, cpta_cell(x->a, at.cell).obj, each, ctx };

	if (is_wide(x, at, width))
		wide_access(&v, at, width);
	else
		each(ctx, at.cell.i);
}

static void direct_effect(const struct access *x, uint32_t obj, const struct cstmt *s, const struct effect_sink *sink)
{
	uint64_t off = s->off < 0 ? 0 : (uint64_t)s->off;
	struct start at = { .cell = cpta_cell_at(x->a, (cobj_id){ obj }, off), .off = off };

	if (at.cell.i)
		cells_of(x, at, s->width ? s->width : 1, sink->cell, sink->ctx);
}

/* Functions are no memory; constants are not modified. */
static bool has_effect(const struct cobj *o, enum effect e)
{
	if (o->kind == COBJ_FUNCTION)
		return false;
	return e == EFFECT_USE || !(o->kind == COBJ_STRING || (o->flags & COBJ_CONSTANT));
}

void behind_init(struct modref *m)
{
	draft_init(&m->behind.shared, &m->sets, m->ncells);
	draft_init(&m->behind.passed, &m->sets, m->ncells);
}

void behind_release(struct behind *b)
{
	map_release(&b->rows[EFFECT_MOD]);
	map_release(&b->rows[EFFECT_USE]);
	vec_release(&b->parts);
	draft_release(&b->shared);
	draft_release(&b->passed);
}

static void part_cell(void *ctx, uint32_t cell)
{
	struct modref *m = ctx;

	draft_add(modref_is_shared(m, cell) ? &m->behind.shared : &m->behind.passed, cell);
}

static struct parts look_behind(struct modref *m, uint32_t set, uint32_t width, enum effect e)
{
	struct access *x = &m->access;

	vec_clear(&x->set);
	cpta_set(m->a, set, &x->set);
	for (uint32_t i = 0; i < x->set.len; i++) {
		struct ccell c = cpta_cell(m->a, x->set.data[i]);

		if (has_effect(&m->p->objs.data[c.obj.i], e))
			cells_of(x, (struct start){ .cell = x->set.data[i], .off = c.off }, width, part_cell, m);
	}
	return (struct parts){ draft_close(&m->behind.shared), draft_close(&m->behind.passed) };
}

static struct parts parts_of(struct modref *m, uint32_t set, uint32_t width, enum effect e)
{
	struct behind *b = &m->behind;
	uint32_t *row = map_at(&b->rows[e], map_key(set, width));

	if (!*row) {
		vec_push(&b->parts, look_behind(m, set, width, e));
		*row = b->parts.len;
	}
	return b->parts.data[*row - 1];
}

/* Texts and numbers (CSTMT_ELEMENTS) stay in the array or scalar that the pointer is to. */
static uint32_t width_of(const struct cstmt *s)
{
	return s->flags & CSTMT_ELEMENTS ? 1 : s->width;
}

static void indirect_effect(struct modref *m, uint32_t pointer, const struct cstmt *s, enum effect e, const struct effect_sink *sink)
{
	if (pointer)
		sink->cells(sink->ctx, parts_of(m, cpta_set_of_var(m->a, (cvar_id){ pointer }), width_of(s), e));
}

static void modifications(struct modref *m, const struct cstmt *s, const struct effect_sink *sink)
{
	const struct access *x = &m->access;

	switch ((enum cop)s->op) {
	case C_ADDR:
	case C_COPY:
	case C_SHIFT:
	case C_GET:
	case C_LOAD:
		var_effect(x, s->dst, sink);
		break;
	case C_PUT:
		direct_effect(x, s->dst, s, sink);
		break;
	case C_STORE:
	case C_MOVE:
		indirect_effect(m, s->dst, s, EFFECT_MOD, sink);
		break;
	case C_CALL:
		var_effect(x, cpta_program(x->a)->calls.data[s->dst].result.i, sink);
		break;
	}
}

static void call_uses(const struct access *x, const struct ccall *c, const struct effect_sink *sink)
{
	var_effect(x, c->pointer.i, sink);
	for (uint32_t i = 0; i < c->nargs; i++)
		var_effect(x, cpta_program(x->a)->args.data[c->args + i].i, sink);
}

static void uses(struct modref *m, const struct cstmt *s, const struct effect_sink *sink)
{
	const struct access *x = &m->access;

	switch ((enum cop)s->op) {
	case C_ADDR:
		break;
	case C_COPY:
	case C_SHIFT:
	case C_PUT:
		var_effect(x, s->src, sink);
		break;
	case C_GET:
		direct_effect(x, s->src, s, sink);
		break;
	case C_LOAD:
		var_effect(x, s->src, sink);
		indirect_effect(m, s->src, s, EFFECT_USE, sink);
		break;
	case C_STORE:
		var_effect(x, s->src, sink);
		var_effect(x, s->dst, sink);
		break;
	case C_MOVE:
		var_effect(x, s->src, sink);
		var_effect(x, s->dst, sink);
		indirect_effect(m, s->src, s, EFFECT_USE, sink);
		break;
	case C_CALL:
		call_uses(x, &cpta_program(x->a)->calls.data[s->dst], sink);
		break;
	}
}

void stmt_effects(struct modref *m, const struct cstmt *s, enum effect e, const struct effect_sink *sink)
{
	if (s->flags & CSTMT_HIDDEN)             /* the compiler's or the lowering's: nobody wrote it */
		return;
	if (e == EFFECT_MOD)
		modifications(m, s, sink);
	else
		uses(m, s, sink);
}
