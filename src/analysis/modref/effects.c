/* SPDX-License-Identifier: Apache-2.0 */
/* effects.c - syntactic effects: what the statement itself names or points at; the thesis's SynMod (section 3.1.3),
 * with widths.
 *
 * An access is of bytes, an object's cells are fields. Compilers copy several narrow fields by one access of eight
 * bytes, and programs read structs as bytes: so an access counts for every cell that it may go over, not only for the
 * one it starts at. */
#include "analysis/modref/modref_p.h"

enum { MAX_TURN = 0xffffff, MAX_WIDTHS = 0xff };         /* of struct look; later turns look at everything */

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
	bool direct;
	const struct effect_sink *sink;
};

static void cover(void *ctx, uint64_t off)
{
	struct covered *v = ctx;
	ccell_id c = cpta_cell_at(v->x->a, v->obj, off);

	if (c.i)
		v->sink->cell(v->sink->ctx, c.i, v->direct);
}

/* All cells of the object that an access of this width may go over, not knowing its layout; all of them for width 0. */
static void cover_raw(struct covered *v, ccell_id at, uint64_t width)
{
	uint64_t first = cpta_cell(v->x->a, at).off;

	for (uint32_t c = v->x->first_cell[v->obj.i]; c; c = v->x->next_cell[c]) {
		uint64_t off = cpta_cell(v->x->a, (ccell_id){ c }).off;

		if (c == at.i || !width || (off > first && off - first < width))
			v->sink->cell(v->sink->ctx, c, v->direct);
	}
}

/* In an array, an access may go on in the next element: then any cell of an element may be met. */
static void wide_effect(const struct access *x, struct start at, uint64_t width, bool direct, const struct effect_sink *sink)
{
	const struct cprogram *p = cpta_program(x->a);
	struct covered v = { .x = x, .obj = cpta_cell(x->a, at.cell).obj, .direct = direct, .sink = sink };
	const struct cobj *o = &p->objs.data[v.obj.i];
	uint64_t size = o->layout.i ? p->layouts.data[o->layout.i].size : 0;
	bool wraps = (o->flags & COBJ_REPEATS) && (at.off > size || width > size - at.off);

	if (size && width && !wraps)
		clayout_each(p, o->layout, at.off, width, cover, &v);
	else
		cover_raw(&v, at.cell, wraps ? 0 : width);
}

static void cell_effect(const struct access *x, struct start at, uint64_t width, bool direct, const struct effect_sink *sink)
{
	if (is_wide(x, at, width))
		wide_effect(x, at, width, direct, sink);
	else
		sink->cell(sink->ctx, at.cell.i, direct);
}

static void direct_effect(const struct access *x, uint32_t obj, const struct cstmt *s, const struct effect_sink *sink)
{
	uint64_t off = s->off < 0 ? 0 : (uint64_t)s->off;
	struct start at = { .cell = cpta_cell_at(x->a, (cobj_id){ obj }, off), .off = off };

	if (at.cell.i)
		cell_effect(x, at, s->width ? s->width : 1, true, sink);
}

/* Texts and numbers (CSTMT_ELEMENTS) stay in the array or scalar that the pointer is to. */
static uint64_t width_of(const struct cstmt *s)
{
	return s->flags & CSTMT_ELEMENTS ? 1 : s->width;
}

/* False: the set was looked at for this function, with this width. Those of one cell come again and again. */
static bool look_at(struct access *x, uint32_t set, uint64_t width)
{
	if (!x->turn || !width || width > cpta_program(x->a)->pointer_size)
		return true;
	struct look *last = &x->looks[set];
	uint32_t bit = 1u << __builtin_ctzll(width);

	if (last->turn != x->turn)
		*last = (struct look){ .turn = x->turn & MAX_TURN };
	bool is_power = (width & (width - 1)) == 0, again = is_power && (last->widths & bit);

	last->widths = (last->widths | bit) & MAX_WIDTHS;
	return !again;
}

/* Functions are no memory; constants are not modified. */
static bool has_effect(const struct cobj *o, enum effect e)
{
	if (o->kind == COBJ_FUNCTION)
		return false;
	return e == EFFECT_USE || !(o->kind == COBJ_STRING || (o->flags & COBJ_CONSTANT));
}

static void indirect_effect(struct access *x, uint32_t pointer, const struct cstmt *s, enum effect e,
			    const struct effect_sink *sink)
{
	const struct cprogram *p = cpta_program(x->a);
	uint32_t set = cpta_set_of_var(x->a, (cvar_id){ pointer });

	if (!pointer || !look_at(x, set, width_of(s)))
		return;
	vec_clear(&x->set);
	cpta_set(x->a, set, &x->set);
	for (uint32_t i = 0; i < x->set.len; i++) {
		struct ccell c = cpta_cell(x->a, x->set.data[i]);

		if (has_effect(&p->objs.data[c.obj.i], e))
			cell_effect(x, (struct start){ .cell = x->set.data[i], .off = c.off }, width_of(s), false, sink);
	}
}

static void modifications(struct access *x, const struct cstmt *s, const struct effect_sink *sink)
{
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
		indirect_effect(x, s->dst, s, EFFECT_MOD, sink);
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

static void uses(struct access *x, const struct cstmt *s, const struct effect_sink *sink)
{
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
		indirect_effect(x, s->src, s, EFFECT_USE, sink);
		break;
	case C_STORE:
		var_effect(x, s->src, sink);
		var_effect(x, s->dst, sink);
		break;
	case C_MOVE:
		var_effect(x, s->src, sink);
		var_effect(x, s->dst, sink);
		indirect_effect(x, s->src, s, EFFECT_USE, sink);
		break;
	case C_CALL:
		call_uses(x, &cpta_program(x->a)->calls.data[s->dst], sink);
		break;
	}
}

void stmt_effects(struct access *x, const struct cstmt *s, enum effect e, const struct effect_sink *sink)
{
	if (s->flags & CSTMT_HIDDEN)             /* the compiler's or the lowering's: nobody wrote it */
		return;
	if (e == EFFECT_MOD)
		modifications(x, s, sink);
	else
		uses(x, s, sink);
}
