/* SPDX-License-Identifier: Apache-2.0 */
/* Call sites stand for the handles that are their targets: that of their constructor and, of those that can be changed, each
 * that is set anywhere. */
#include "analysis/dynamic/values_p.h"

/* The handles that are set as targets of objects of a library's class, wherever. */
static void copy_set(struct values *v, uint32_t n, class_id c)
{
	sel_id sel = program_sel(v->p, STR("setTarget"), STR("(Ljava/lang/invoke/MethodHandle;)V"));

	program_load(v->p, c);
	method_id m = program_declared(v->p, c, sel);
	const struct code code = m.i ? *values_code(v, m) : (struct code){ 0 };
	for (uint32_t i = 0; code.body && i < code.body->nstmts; i++)
		if (code.body->stmts[i].op == IR_PARAM && code.body->stmts[i].ref == 1)
			vnode_copy(v, n, vnode_at(v, AT_VALUE, false, m.i, code.body->stmts[i].result));
}

/* The target that a constructor of the library's class gets, in this call. One that gets a type alone has none yet. */
static void copy_given(struct values *v, uint32_t n, method_id m, const struct code *c, const struct ir_stmt *call)
{
	struct str desc = sel_desc(v->p, mref_row(v->p, (mref_id){ call->ref })->sel);

	if (str_is(desc, "(Ljava/lang/invoke/MethodHandle;)V"))
		vnode_copy_value(v, n, m.i, code_operand(c, call, 1));
	else if (!str_is(desc, "(Ljava/lang/invoke/MethodType;)V"))
		vnode_open(v, n, REASON_QUERY);
}

static bool is_constructor(const struct values *v, const struct ir_stmt *s, class_id of)
{
	struct ir_mref ref = s->op == IR_CALL_SPECIAL ? *mref_row(v->p, (mref_id){ s->ref }) : (struct ir_mref){ 0 };

	return ref.owner.i == of.i && str_is(sel_name(v->p, ref.sel), "<init>");
}

/* Of an object of the library's class: right here. */
static void copy_of_constructor(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s)
{
	bool is_made = false;

	for (uint32_t i = 0; i < c->body->nstmts; i++) {
		const struct ir_stmt *call = &c->body->stmts[i];
		if (!is_constructor(v, call, (class_id){ s->ref }) || code_operand(c, call, 0) != s->result)
			continue;
		copy_given(v, n, (method_id){ v->nodes.data[n].of }, c, call);
		is_made = true;
	}
	if (!is_made)
		vnode_open(v, n, REASON_QUERY);
}

static void copy_of_supers(struct values *v, uint32_t n, method_id m, class_id base)
{
	const struct code c = *values_code(v, m);

	if (!c.body)
		vnode_open(v, n, REASON_MISSING);
	for (uint32_t i = 0; c.body && i < c.body->nstmts; i++)
		if (is_constructor(v, &c.body->stmts[i], base))
			copy_given(v, n, m, &c, &c.body->stmts[i]);
}

/* Of a class of one's own: where its constructors call those of the library. */
static void copy_of_subclass(struct values *v, uint32_t n, class_id c, class_id base)
{
	for (; c.i && c.i != base.i; c = class_row(v->p, c)->super) {
		struct ir_class row = *class_row(v->p, c);
		for (uint32_t i = 0; i < row.nmethods; i++) {
			method_id m = { row.first_method + i };
			if (str_is(sel_name(v->p, method_row(v->p, m)->sel), "<init>"))
				copy_of_supers(v, n, m, base);
		}
	}
}

void callsite_expand(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s)
{
	static const char *const names[] = {
		"java/lang/invoke/ConstantCallSite", "java/lang/invoke/MutableCallSite", "java/lang/invoke/VolatileCallSite",
	};
	class_id type = { s->ref }, base = { 0 };
	bool is_constant = false;

	for (size_t i = 0; i < ARRAY_LEN(names) && !base.i; i++) {
		class_id is = program_class(v->p, str_of(names[i]));
		base = hierarchy_is_subclass(v->h, type, is) ? is : base;
		is_constant = i == 0;
	}
	if (!base.i || v->nodes.data[n].is_elements) {
		vnode_open(v, n, REASON_QUERY);
		return;
	}
	if (type.i == base.i)
		copy_of_constructor(v, n, c, s);
	else
		copy_of_subclass(v, n, type, base);
	if (!is_constant)
		copy_set(v, n, base);
}
