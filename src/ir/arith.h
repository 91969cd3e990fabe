/* SPDX-License-Identifier: Apache-2.0 */
/* arith.h - the operations on primitives and the conditions, by JVM opcode (ir_stmt.sub). */
#ifndef IR_ARITH_H
#define IR_ARITH_H

#include "ir/body.h"

struct ir_arith_info {
	const char *name;          /* NULL: no such operation */
	uint8_t a, b, result;      /* enum ir_kind; b NONE: one operand; result NONE: a condition */
};
extern const struct ir_arith_info ir_ariths[256];

#endif
