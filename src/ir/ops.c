/* SPDX-License-Identifier: Apache-2.0 */
/* ops.c - the tables behind ops.def and arith.def. */
#include "ir/arith.h"
#include "ir/body.h"

const struct ir_op_info ir_ops[IR_OPS] = {
#define OP(name, text, result, ref, operands) [IR_##name] = { text, result, IR_REF_##ref, operands },
#include "ir/ops.def"
#undef OP
};

const struct ir_arith_info ir_ariths[256] = {
#define ARITH(value, name, a, b, result) [value] = { #name, IR_KIND_##a, IR_KIND_##b, IR_KIND_##result },
#include "ir/arith.def"
#undef ARITH
};

enum ir_kind ir_kind_of_desc(struct str desc)
{
	int64_t close = desc.len && desc.p[0] == '(' ? str_rfind(desc, ')') : -1;

	switch (close + 1 < desc.len ? desc.p[close + 1] : 'V') {
	case 'B': case 'C': case 'I': case 'S': case 'Z':
		return IR_KIND_INT;
	case 'J':
		return IR_KIND_LONG;
	case 'F':
		return IR_KIND_FLOAT;
	case 'D':
		return IR_KIND_DOUBLE;
	case 'L': case '[':
		return IR_KIND_OBJECT;
	default:
		return IR_KIND_NONE;
	}
}

enum ir_kind ir_result_kind(const struct ir_stmt *s)
{
	switch (s->op) {
	case IR_PARAM: case IR_PHI: case IR_UNDEF: case IR_CONST_DYNAMIC: case IR_GETFIELD: case IR_GETSTATIC:
	case IR_CALL_STATIC: case IR_CALL_SPECIAL: case IR_CALL_VIRTUAL: case IR_CALL_INTERFACE: case IR_CALL_DYNAMIC:
		return IR_KIND_NONE;
	case IR_CONST_INT: case IR_INSTANCEOF: case IR_LENGTH:
		return IR_KIND_INT;
	case IR_CONST_LONG:
		return IR_KIND_LONG;
	case IR_CONST_FLOAT:
		return IR_KIND_FLOAT;
	case IR_CONST_DOUBLE:
		return IR_KIND_DOUBLE;
	case IR_ARITH:
		return (enum ir_kind)ir_ariths[s->sub & 255].result;
	case IR_ALOAD:
		return ir_value_kind(s->sub);
	default:
		return IR_KIND_OBJECT;
	}
}
