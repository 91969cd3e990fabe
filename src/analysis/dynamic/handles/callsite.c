/* SPDX-License-Identifier: Apache-2.0 */
/* Call sites stand for the handles that are their targets: that of their constructor and, of those that can be changed, each
 * that is set anywhere. */
#include "analysis/dynamic/values_p.h"

/* The handles that are passed to a method of a library's class, wherever. */
static void copy_parameter(struct values *v, uint32_t n, class_id c, const char *name)
{
	sel_id sel = program_sel(v->p, str_of(name), STR("(Ljava/lang/invoke/MethodHandle;)V"));

	program_load(v->p, c);
	method_id m = program_declared(v->p, c, sel);
	const struct code code = m.i ? *values_code(v, m) : (struct code){ 0 };
	for (uint32_t i = 0; code.body && i < code.body->nstmts; i++)
		if (code.body->stmts[i].op == IR_PARAM && code.body->stmts[i].ref == 1)
			vnode_copy(v, n, vnode_at(v, AT_VALUE, false, m.i, code.body->stmts[i].result));
}

static bool copy_of_class(struct values *v, uint32_t n, class_id c, const char *name, bool is_mutable)
{
	class_id is = program_class(v->p, str_of(name));

	if (!hierarchy_is_subclass(v->h, c, is))
		return false;
	copy_parameter(v, n, is, "<init>");
	if (is_mutable)
		copy_parameter(v, n, is, "setTarget");
	return true;
}

/* The target that a constructor gets right here. */
static bool copy_of_constructor(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s)
{
	for (uint32_t i = 0; i < c->body->nstmts; i++) {
		const struct ir_stmt *call = &c->body->stmts[i];
		bool is_ours = call->op == IR_CALL_SPECIAL && call->nargs == 2 && code_operand(c, call, 0) == s->result;
		if (!is_ours || !str_is(sel_desc(v->p, mref_row(v->p, (mref_id){ call->ref })->sel), "(Ljava/lang/invoke/MethodHandle;)V"))
			continue;
		vnode_copy_value(v, n, v->nodes.data[n].of, code_operand(c, call, 1));
		return true;
	}
	return false;
}

void callsite_expand(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s)
{
	class_id type = { s->ref };
	bool is_constant = str_is(class_name(v->p, type), "java/lang/invoke/ConstantCallSite");

	if (v->nodes.data[n].is_elements || (is_constant && !copy_of_constructor(v, n, c, s)))
		vnode_open(v, n, REASON_QUERY);
	else if (!is_constant && !copy_of_class(v, n, type, "java/lang/invoke/MutableCallSite", true) &&
		 !copy_of_class(v, n, type, "java/lang/invoke/VolatileCallSite", true) &&
		 !copy_of_class(v, n, type, "java/lang/invoke/ConstantCallSite", false))
		vnode_open(v, n, REASON_QUERY);
}
