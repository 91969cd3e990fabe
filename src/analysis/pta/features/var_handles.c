/* SPDX-License-Identifier: Apache-2.0 */
/* VarHandles: their accesses are signature-polymorphic, (object, [index,] values). */
#include "analysis/pta/feature.h"

/* How many values, behind its coordinates, an access of a VarHandle takes. */
static uint32_t access_values(struct str name)
{
	if (str_starts(name, "compareAnd") || str_starts(name, "weakCompareAnd"))
		return 2;
	return str_starts(name, "set") || str_starts(name, "getAnd");
}

/* A call of a VarHandle's method reads or writes the fields of its first coordinate, if it has one. */
static bool var_handle_call(struct maker *k, const struct frame *f, const struct ir_stmt *s, const struct link *l)
{
	uint32_t base = frame_operand(f, s, 1), result = s->result ? f->var[s->result] : 0;
	uint32_t values = access_values(sel_name(k->a->p, mref_row(k->a->p, (mref_id){ s->ref })->sel));
	if (l->site.cause != CG_METHOD_HANDLE || !base || s->nargs < 2 + values)
		return false;
	for (uint32_t i = 2; i < s->nargs; i++)
		if (frame_operand(f, s, i))
			maker_emit(k, (struct t_stmt){ .op = T_PUT_ANY, .to = base, .from = frame_operand(f, s, i) });
	class_id type = f->types[s->result];
	if (result && !maker_is_constant(k, result)) {      /* the JVM checks the result: no cast follows */
		uint32_t read = type.i ? maker_var(k, (class_id){ 0 }) : result;
		maker_emit(k, (struct t_stmt){ .op = T_GET_ANY, .to = read, .from = base });
		if (type.i)
			maker_cast(k, result, read, type, false);
	}
	return true;
}

const struct feature feature_var_handles = { .call = var_handle_call };
