/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes from what defines them: statements of methods. */
#include "analysis/dynamic/values_p.h"

#include "analysis/dynamic/casts.h"
#include "ir/access.h"

/* Those of a phi are used at the ends of blocks. */
static void copy_operands(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s)
{
	uint32_t m = v->nodes.data[n].of, block = block_of(c->body, code_index(c, s));

	for (uint32_t i = 0; i < s->nargs; i++)
		vnode_copy_used(v, n, m, c, s->op == IR_PHI ? c->body->edges[c->body->blocks[block].preds + i] : block,
				c->body->args[s->args + i]);
}

/* int.class is Integer.TYPE, which the library gets from the JVM; none: it is another field. */
static class_id primitive_at(struct values *v, fref_id f)
{
	static const char *const boxes[][2] = {
		{ "java/lang/Integer", "I" }, { "java/lang/Long", "J" }, { "java/lang/Boolean", "Z" }, { "java/lang/Character", "C" },
		{ "java/lang/Byte", "B" }, { "java/lang/Short", "S" }, { "java/lang/Float", "F" }, { "java/lang/Double", "D" },
		{ "java/lang/Void", "V" },
	};
	struct ir_fref row = *fref_row(v->p, f);

	for (size_t i = 0; i < ARRAY_LEN(boxes) && str_is(sel_name(v->p, row.sel), "TYPE"); i++)
		if (str_is(class_name(v->p, row.owner), boxes[i][0]))
			return program_class_of_desc(v->p, str_of(boxes[i][1]));
	return (class_id){ 0 };
}

void expand_field(struct values *v, uint32_t n, fref_id f)
{
	class_id primitive = primitive_at(v, f);
	if (primitive.i) {
		vnode_add(v, n, meta_of(META_CLASS, primitive.i));
		return;
	}
	if (fref_row(v->p, f)->owner.i == v->jvm.i) {
		vnode_open(v, n, REASON_NATIVE);
		return;
	}
	bool is_ours = values_carries(v, program_class_of_desc(v->p, sel_desc(v->p, fref_row(v->p, f)->sel)));
	bool is_synthetic = class_row(v->p, fref_row(v->p, f)->owner)->kind == CLASS_SYNTHETIC;

	if ((is_ours || is_synthetic) && resolve_field(v->h, f) == RESOLVE_OK)
		vnode_copy(v, n, vnode_at(v, AT_FIELD, v->nodes.data[n].is_elements, fref_row(v->p, f)->target.i, 0));
	else
		vnode_open(v, n, is_ours ? REASON_MISSING : REASON_CONTAINER);
}

struct query_row values_query(struct values *v, const struct ir_stmt *s)
{
	if (s->op == IR_CALL_DYNAMIC)
		return (struct query_row){ 0 };
	resolve_method(v->h, (mref_id){ s->ref });
	return query_find(&v->queries, v->h, (mref_id){ s->ref });
}

bool values_is_query(struct values *v, const struct ir_stmt *s)
{
	return values_query(v, s).is;
}

/* Queries */

uint32_t values_about(struct values *v, const struct ir_stmt *s, struct query_row q)
{
	struct ir_mref ref = *mref_row(v->p, (mref_id){ s->ref });
	uint32_t at = 0, k = s->op != IR_CALL_STATIC;
	class_id type;

	if (!q.by_string)
		return 0;
	if (q.is == QUERY_CLASS_NAMED)
		return k + loaders_name(v->p, ref.sel);
	while (sel_next_param(v->p, ref.sel, &at, &type) && type.i != v->p->string.i)
		k++;
	return k;
}

/* What `x.getClass()` is depends on the objects that x refers to. */
static void expand_class_of(struct values *v, uint32_t n)
{
	const struct code c = *values_code(v, (method_id){ v->nodes.data[n].of });
	const struct ir_stmt *s = code_definition(&c, v->nodes.data[n].value);
	class_id type = { s && (s->op == IR_NEW || s->op == IR_NEWARRAY) ? s->ref : 0 };

	if (s && s->op == IR_PARAM && s->ref == 0 && !(method_row(v->p, (method_id){ v->nodes.data[n].of })->flags & ACCESS_STATIC))
		type = method_row(v->p, (method_id){ v->nodes.data[n].of })->owner;
	bool is_exact = s && (s->op == IR_NEW || s->op == IR_NEWARRAY);
	if (type.i && (is_exact || (class_row(v->p, type)->flags & ACCESS_FINAL)))
		vnode_add(v, n, meta_of(META_CLASS, type.i));
	else
		vnode_open(v, n, REASON_OBJECT);
}

/* What run() of an action does, where the action is made here. */
static void expand_run(struct values *v, uint32_t n, const struct code *c, ir_value action)
{
	const struct ir_stmt *s = code_definition(c, action);
	sel_id run = program_sel(v->p, STR("run"), STR("()Ljava/lang/Object;"));
	method_id m = { 0 };

	for (class_id k = { s && s->op == IR_NEW ? s->ref : 0 }; k.i && !m.i; k = class_row(v->p, k)->super) {
		program_load(v->p, k);
		m = program_declared(v->p, k, run);
	}
	if (m.i)
		vnode_copy(v, n, vnode_at(v, AT_RETURN, v->nodes.data[n].is_elements, m.i, 0));
	else
		vnode_open(v, n, REASON_CONTAINER);
}

static void expand_query(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s, struct query_row q)
{
	uint32_t k = values_about(v, s, q), m = v->nodes.data[n].of;

	if (q.is == QUERY_HANDLE) {
		handles_expand(v, n, c, s, q.handle);
		return;
	}
	if (q.is == QUERY_RUN) {
		if (!settings_expand_action(v, n, c, s->result, code_operand(c, s, 0)))
			expand_run(v, n, c, code_operand(c, s, 0));
		return;
	}
	if (q.is == QUERY_SAME) {
		vnode_copy_value(v, n, m, code_operand(c, s, k));
		return;
	}
	if (q.is == QUERY_CLASS_OF) {
		vnode_copy(v, n, vnode_at(v, AT_CLASS, false, m, code_operand(c, s, 0)));
		return;
	}
	if (q.is == QUERY_NOTHING || k >= s->nargs || query_gives_array(q.is) != v->nodes.data[n].is_elements) {
		vnode_open(v, n, REASON_QUERY);
		return;
	}
	v->nodes.data[n].query = q.is;
	uint32_t block = block_of(c->body, code_index(c, s)), input = texts_used(v, m, c, block, code_operand(c, s, k));
	vnode_input(v, n, input);
	if (q.by_string)
		texts_ask(v, input, q.is == QUERY_CLASS_NAMED ? NAME_OF_CLASS : NAME_OTHER);
	bool has_name = query_takes_name(q.is) && s->nargs > 1;
	if (has_name) {
		uint32_t name = texts_used(v, m, c, block, code_operand(c, s, 1));
		texts_ask(v, name, NAME_OF_MEMBER);
		vnode_input(v, n, name);
	} else
		vec_push(&v->nodes.data[n].inputs, 0);
	if (query_takes_types(q.is))
		elements_expand_types(v, n, c, code_operand(c, s, has_name ? 2 : 1));
}

static void expand_call(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s)
{
	/* What is missing gives back who knows what. */
	if (s->op == IR_CALL_DYNAMIC || resolve_method(v->h, (mref_id){ s->ref }) != RESOLVE_OK) {
		vnode_open(v, n, s->op == IR_CALL_DYNAMIC ? REASON_QUERY : REASON_MISSING);
		return;
	}
	/* In models of natives; graphs do not have the pseudo class. */
	if (mref_row(v->p, (mref_id){ s->ref })->owner.i == v->jvm.i) {
		vnode_open(v, n, REASON_NATIVE);
		return;
	}
	struct query_row q = query_find(&v->queries, v->h, (mref_id){ s->ref });
	bool is_answer = v->nodes.data[n].where == AT_ANSWER;
	if (settings_expand(v, n, c, s, q.is))
		return;
	if (q.is == QUERY_OF_PROPERTIES)
		q.is = QUERY_NONE;
	if (texts_expand_call(v, n, c, s))
		return;
	/* Into an array that is the answer, others may be stored. */
	if (q.is && v->nodes.data[n].is_elements && !is_answer)
		vnode_copy(v, n, vnode_at(v, AT_ANSWER, true, v->nodes.data[n].of, s->result));
	else if (q.is)
		expand_query(v, n, c, s, q);
	else if (values_carries(v, sel_result(v->p, mref_row(v->p, (mref_id){ s->ref })->sel)))
		vec_push(&v->calls, n);
	else
		vnode_open(v, n, REASON_CONTAINER);
}

class_id values_param_type(struct values *v, method_id m, uint32_t k)
{
	struct ir_method row = *method_row(v->p, m);
	uint32_t at = 0, i = !(row.flags & ACCESS_STATIC);
	class_id type = row.owner;

	if (i && k == 0)
		return type;
	while (sel_next_param(v->p, row.sel, &at, &type) && i < k)
		i++;
	return type;
}

/* Can its callers be looked at? Names are passed to public methods of libraries from everywhere, and seldom those of classes;
 * of those who are meant to be called with names of classes, what they do is a feature of its own. */
static bool is_traced(struct values *v, method_id m, uint32_t k)
{
	struct ir_method row = *method_row(v->p, m);
	class_id type = values_param_type(v, m, k);

	if (class_row(v->p, row.owner)->kind == CLASS_SYNTHETIC)
		return true;
	if (!values_carries(v, type))
		return false;
	while (class_row(v->p, type)->kind == CLASS_ARRAY)
		type = class_row(v->p, type)->element;
	bool is_shown = (row.flags & (ACCESS_PUBLIC | ACCESS_PROTECTED)) || query_of_method(&v->queries, v->h, m).is;
	return type.i != v->p->string.i || !is_shown || !(v->opt->is_library && v->opt->is_library(v->opt->ctx, row.owner));
}

void values_want(struct values *v, uint32_t method)
{
	vec_push(&v->fresh, method);
}

static void expand_param(struct values *v, uint32_t n, const struct ir_stmt *s)
{
	method_id m = { v->nodes.data[n].of };

	if (!is_traced(v, m, s->ref)) {
		vnode_open(v, n, values_carries(v, values_param_type(v, m, s->ref)) ? REASON_PARAMETER : REASON_CONTAINER);
		return;
	}
	uint32_t *first = map_at(&v->wanted, v->nodes.data[n].of);

	while (v->next_param.len <= n)
		vec_push(&v->next_param, 0);
	v->next_param.data[n] = *first;
	*first = n;
	values_want(v, m.i);
	vec_push(&v->params, n);
}

static void expand_value(struct values *v, uint32_t n)
{
	struct vnode node = v->nodes.data[n];
	const struct code c = *values_code(v, (method_id){ node.of });
	const struct ir_stmt *s = code_definition(&c, node.value);

	if (!s) {
		vnode_open(v, n, REASON_QUERY);
		return;
	}
	if (node.is_elements)
		elements_expand(v, n, &c);
	switch (s->op) {
	case IR_PARAM:
		expand_param(v, n, s);
		break;
	case IR_PHI:
	case IR_CAST:
		copy_operands(v, n, &c, s);
		break;
	case IR_CONST_NULL:
	case IR_UNDEF:
		break;
	case IR_CONST_CLASS:
		vnode_add(v, n, meta_of(META_CLASS, s->ref));
		break;
	case IR_CONST_STRING:
		vnode_add(v, n, meta_of(META_STRING, s->ref));
		texts_literal(v, n, (str_id){ s->ref });
		break;
	case IR_CONST_MTYPE:
		vnode_add(v, n, meta_of(META_TYPE, s->ref));
		break;
	case IR_CONST_HANDLE:
		handles_expand_constant(v, n, s);
		break;
	case IR_GETFIELD:
	case IR_GETSTATIC:
		expand_field(v, n, (fref_id){ s->ref });
		break;
	case IR_ALOAD:
		if (node.is_elements)
			vnode_open(v, n, REASON_ARRAY);
		else
			vnode_copy(v, n, vnode_at(v, AT_VALUE, true, node.of, code_operand(&c, s, 0)));
		break;
	case IR_NEW:
		if (!texts_expand_new(v, n, &c, s))
			callsite_expand(v, n, &c, s);
		break;
	case IR_NEWARRAY:
		if (!node.is_elements)
			vnode_open(v, n, REASON_ARRAY);
		break;
	default:
		if (ir_is_call(s->op))
			expand_call(v, n, &c, s);
		else
			vnode_open(v, n, REASON_STRING);
		break;
	}
}

static void expand_answer(struct values *v, uint32_t n)
{
	const struct code c = *values_code(v, (method_id){ v->nodes.data[n].of });

	expand_call(v, n, &c, code_definition(&c, v->nodes.data[n].value));
}

static void expand_return(struct values *v, uint32_t n)
{
	uint32_t m = v->nodes.data[n].of;
	const struct code c = *values_code(v, (method_id){ m });

	if (!c.body)
		vnode_open(v, n, REASON_NATIVE);
	for (uint32_t i = 0; c.body && i < c.body->nstmts; i++)
		if (c.body->stmts[i].op == IR_RETURN && c.body->stmts[i].nargs)
			vnode_copy_used(v, n, m, &c, block_of(c.body, i), code_operand(&c, &c.body->stmts[i], 0));
}

/* Of code that nobody has seen, nothing is known. */
static bool is_unseen(const struct values *v, struct vnode n)
{
	return n.where != AT_FIELD && n.where != AT_SET && class_row(v->p, method_row(v->p, (method_id){ n.of })->owner)->is_unseen;
}

void values_expand(struct values *v, uint32_t n)
{
	vnode_enqueue(v, n);
	if (is_unseen(v, v->nodes.data[n])) {
		vnode_open(v, n, REASON_ENTRY);
		return;
	}
	switch ((enum where)v->nodes.data[n].where) {
	case AT_VALUE:
		expand_value(v, n);
		break;
	case AT_RETURN:
		expand_return(v, n);
		break;
	case AT_FIELD:
		vec_push(&v->fields, n);
		break;
	case AT_ANSWER:
		expand_answer(v, n);
		break;
	case AT_TESTED:
		test_expand(v, n);
		break;
	case AT_CONTENT:
		builder_expand(v, n);
		break;
	case AT_CLASS:
		expand_class_of(v, n);
		break;
	case AT_SET:             /* connect.c */
	case WHERES:
		break;
	}
}
