/* SPDX-License-Identifier: Apache-2.0 */
/* effects.c - syntactic effects: what the statement itself names or points at. */
#include "analysis/modref/modref_p.h"

/* Variables with names are variables of the source: others are values on their way. */
static void var_effect(const struct access *x, uint32_t var, const struct effect_sink *sink)
{
	if (var && cpta_program(x->a)->vars.data[var].name.i)
		sink->var(sink->ctx, (cvar_id){ var });
}

static void direct_effect(const struct access *x, uint32_t obj, int32_t off, const struct effect_sink *sink)
{
	ccell_id c = cpta_cell_at(x->a, (cobj_id){ obj }, off < 0 ? 0 : (uint64_t)off);

	if (c.i)
		sink->cell(sink->ctx, c.i, true);
}

/* An access that is wider than a cell goes over those that follow; one of unknown width, over all of the object. */
static void wide_effect(const struct access *x, ccell_id at, uint64_t width, const struct effect_sink *sink)
{
	struct ccell first = cpta_cell(x->a, at);
	bool repeats = cpta_program(x->a)->objs.data[first.obj.i].flags & COBJ_REPEATS;

	for (uint32_t c = x->first_cell[first.obj.i]; c; c = x->next_cell[c]) {
		uint64_t off = cpta_cell(x->a, (ccell_id){ c }).off;

		if (c == at.i || repeats || !width || (off > first.off && off - first.off < width))
			sink->cell(sink->ctx, c, false);
	}
}

/* Texts and numbers (CSTMT_ELEMENTS) stay in the array or scalar that the pointer is to. */
static void indirect_effect(struct access *x, uint32_t pointer, const struct cstmt *s, const struct effect_sink *sink)
{
	const struct cprogram *p = cpta_program(x->a);
	uint64_t width = s->width;
	bool wide = (!width || width > p->pointer_size) && !(s->flags & CSTMT_ELEMENTS);

	uint32_t set = cpta_set_of_var(x->a, (cvar_id){ pointer });

	if (!pointer || (!wide && x->turn && x->looked_at[set] == x->turn))
		return;
	if (!wide)
		x->looked_at[set] = x->turn;
	vec_clear(&x->set);
	cpta_set(x->a, set, &x->set);
	for (uint32_t i = 0; i < x->set.len; i++) {
		if (p->objs.data[cpta_cell(x->a, x->set.data[i]).obj.i].kind == COBJ_FUNCTION)
			continue;
		if (wide && !cpta_cell(x->a, x->set.data[i]).whole)
			wide_effect(x, x->set.data[i], width, sink);
		else
			sink->cell(sink->ctx, x->set.data[i].i, false);
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
		direct_effect(x, s->dst, s->off, sink);
		break;
	case C_STORE:
	case C_MOVE:
		indirect_effect(x, s->dst, s, sink);
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
		direct_effect(x, s->src, s->off, sink);
		break;
	case C_LOAD:
		var_effect(x, s->src, sink);
		indirect_effect(x, s->src, s, sink);
		break;
	case C_STORE:
		var_effect(x, s->src, sink);
		var_effect(x, s->dst, sink);
		break;
	case C_MOVE:
		var_effect(x, s->src, sink);
		var_effect(x, s->dst, sink);
		indirect_effect(x, s->src, s, sink);
		break;
	case C_CALL:
		call_uses(x, &cpta_program(x->a)->calls.data[s->dst], sink);
		break;
	}
}

void stmt_effects(struct access *x, const struct cstmt *s, enum effect e, const struct effect_sink *sink)
{
	if (s->flags & CSTMT_HIDDEN)
		return;
	if (e == EFFECT_MOD)
		modifications(x, s, sink);
	else
		uses(x, s, sink);
}
