/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays: what is stored into them, by whatever name. An elements node asks every use of its value in the method, so that
 * between a load and the array's making each name was asked. */
#include "analysis/dynamic/values_p.h"

static void copy_to_elements(struct values *v, uint32_t n, ir_value element)
{
	vnode_copy(v, n, vnode_at(v, AT_VALUE, false, v->nodes.data[n].of, element));
}

static bool has_operand(const struct code *c, const struct ir_stmt *s, ir_value x)
{
	for (uint32_t k = 0; k < s->nargs; k++)
		if (code_operand(c, s, k) == x)
			return true;
	return false;
}

/* What statement `s` does with an array: stores an element, hands it to others who might, or neither. An array that is made in
 * this activation and returned from it is none of its business any more. */
static void expand_use(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s, ir_value array)
{
	switch (s->op) {
	case IR_ASTORE:
		if (code_operand(c, s, 0) == array)
			copy_to_elements(v, n, code_operand(c, s, 2));
		if (code_operand(c, s, 2) == array)
			vnode_open(v, n, REASON_ARRAY);
		break;
	case IR_PUTFIELD:
	case IR_PUTSTATIC:
		expand_field(v, n, (fref_id){ s->ref });
		break;
	case IR_RETURN:
		if (is_field_load(code_definition(c, v->nodes.data[n].value)))
			vnode_open(v, n, REASON_ARRAY);
		break;
	default:
		if (ir_is_call(s->op) && !values_is_query(v, s))
			vnode_open(v, n, REASON_ARRAY);
		break;
	}
}

void elements_expand(struct values *v, uint32_t n, const struct code *c)
{
	VEC(ir_value) names = { 0 };

	vec_push(&names, v->nodes.data[n].value);
	for (uint32_t k = 0; k < names.len; k++) {
		struct uses uses = values_uses(v, (method_id){ v->nodes.data[n].of }, names.data[k]);
		for (uint32_t i = 0; i < uses.n; i++) {
			const struct ir_stmt *s = &c->body->stmts[uses.at[i]];
			if (i && uses.at[i] == uses.at[i - 1])
				continue;
			bool is_renamed = s->op == IR_PHI || s->op == IR_CAST, is_known = false;
			for (uint32_t j = 0; j < names.len; j++)
				is_known |= names.data[j] == s->result;
			if (is_renamed && !is_known)
				vec_push(&names, s->result);
			else if (!is_renamed)
				expand_use(v, n, c, s, names.data[k]);
		}
	}
	vec_release(&names);
}

/* Is the array, made here, handed to code other than `user` that might store into it, or does it get another name? */
static bool is_shared(struct values *v, const struct code *c, ir_value array, const struct ir_stmt *user)
{
	for (uint32_t i = 0; i < c->body->nstmts; i++) {
		const struct ir_stmt *s = &c->body->stmts[i];
		bool is_harmless = s->op == IR_ALOAD || (s->op == IR_ASTORE && code_operand(c, s, 2) != array) || s->op == IR_LENGTH ||
				   s == user || (ir_is_call(s->op) && values_is_query(v, s));
		if (!is_harmless && has_operand(c, s, array))
			return true;
	}
	return false;
}

/* The value that is stored at index `k` of an array made here; 0: that is not clear. */
static ir_value element_at(const struct code *c, ir_value array, uint32_t k)
{
	ir_value found = 0;

	for (uint32_t i = 0; i < c->body->nstmts; i++) {
		const struct ir_stmt *s = &c->body->stmts[i];
		if (s->op != IR_ASTORE || code_operand(c, s, 0) != array)
			continue;
		const struct ir_stmt *index = code_definition(c, code_operand(c, s, 1));
		if (!index || index->op != IR_CONST_INT)
			return 0;
		if (index->ref == k && found)
			return 0;
		if (index->ref == k)
			found = code_operand(c, s, 2);
	}
	return found;
}

/* How long an array is that is made and filled here, and given to `user` alone; false: that is not clear. */
static bool is_written(struct values *v, const struct code *c, ir_value array, const struct ir_stmt *user, uint32_t *length)
{
	const struct ir_stmt *s = code_definition(c, array);

	*length = 0;
	if (!s || s->op != IR_NEWARRAY || s->nargs != 1 || is_shared(v, c, array, user))
		return s && s->op == IR_CONST_NULL;
	const struct ir_stmt *l = code_definition(c, code_operand(c, s, 0));
	if (!l || l->op != IR_CONST_INT || l->ref > 255)
		return false;
	*length = l->ref;
	for (uint32_t k = 0; k < *length; k++)
		if (!element_at(c, array, k))
			return false;
	return true;
}

uint32_t elements_written(struct values *v, const struct code *c, ir_value array, const struct ir_stmt *user, ir_value *out, uint32_t most)
{
	uint32_t length;

	if (!is_written(v, c, array, user, &length) || length > most)
		return most + 1;
	for (uint32_t k = 0; k < length; k++)
		out[k] = element_at(c, array, k);
	return length;
}

/* The types of parameters are often written down: new Class<?>[] { int.class, String.class }. */
void elements_expand_types(struct values *v, uint32_t n, const struct code *c, ir_value array)
{
	uint32_t m = v->nodes.data[n].of, length;

	if (!is_written(v, c, array, NULL, &length))
		return;
	for (uint32_t k = 0; k < length; k++)
		vnode_input(v, n, vnode_at(v, AT_VALUE, false, m, element_at(c, array, k)));
	v->nodes.data[n].knows_types = true;
}
