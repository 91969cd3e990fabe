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
