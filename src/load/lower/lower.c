/* SPDX-License-Identifier: Apache-2.0 */
/* lower.c - the passes that turn a method's bytecode into a body; see lower_ssa_p.h. */
#include "load/lower/ssa_p.h"

static bool lower_start(struct lower *l)
{
	const struct cf_member *m = &l->u->cf.methods[l->index];

	l->code = cf_code(&l->u->cf, m);
	l->is_static = m->access & ACC_STATIC;
	if (!signature_of(cf_utf8(&l->u->cf, m->desc), &l->sig))
		return lower_fail(l, DIAG_E020, 0, "malformed method descriptor");
	return true;
}

const struct ir_body *lower_method(struct program *p, struct unit *u, uint16_t index, struct arena *mem,
				   struct arena *scratch)
{
	struct lower l = { .p = p, .u = u, .index = index, .scratch = scratch };
	struct ir_body *body = NULL;

	if (lower_start(&l) && lower_decode(&l) && lower_graph(&l) && lower_live(&l) && lower_execute(&l)) {
		body = arena_new(mem, struct ir_body);
		lower_finish(&l, body, mem);
	} else {
		lower_diag(p, u, index, l.what_code, l.what_pc, l.what);
	}
	builder_release(&l.b);
	return body;
}
