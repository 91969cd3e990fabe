/* SPDX-License-Identifier: Apache-2.0 */
/* lower_p.h - shared by the two ways to turn bytecode into statements: outline.c and lower*.c. */
#ifndef LOAD_LOWER_LOWER_P_H
#define LOAD_LOWER_LOWER_P_H

#include "ir/builder.h"
#include "load/lower/indy.h"
#include "load/lower/lower.h"

/* A method descriptor, taken apart into kinds. */
#define MAX_PARAMS 255
struct signature {
	uint8_t params[MAX_PARAMS];        /* enum ir_kind; sub-int types are IR_KIND_INT */
	uint32_t nparams;
	enum ir_kind returns;              /* IR_KIND_NONE: void */
};

/* False when `desc` is no method descriptor or has too many parameters. */
bool signature_of(struct str desc, struct signature *s);

/* An invokedynamic site with its operands, as what its bootstrap makes it do; the result, or 0 when it
 * has none. In an outline `args` is not used. */
ir_value emit_dynamic_call(struct program *p, struct body_builder *b, const struct indy *in,
			   const struct signature *s, const ir_value *args);
/* The same for a dynamic constant. */
ir_value emit_dynamic_constant(struct program *p, struct body_builder *b, const struct indy *in);
/* A loadable constant that is not dynamic; 0: the entry is of another kind. */
ir_value emit_constant(struct program *p, struct unit *u, struct body_builder *b, uint16_t cp);
/* A MethodHandle constant; false when the entry behind it is of the wrong kind. */
bool emit_handle(struct program *p, struct unit *u, struct body_builder *b, uint16_t cp, ir_value *result);

class_id lower_primitive_array(struct program *p, unsigned type);    /* the operand of newarray: 4 .. 11 */

/* Adds a diagnostic about pc of method `index`: `Class.method:desc` is part of the sentence. */
void lower_diag(struct program *p, const struct unit *u, uint16_t index, enum diag_code code, uint32_t pc,
		const char *what);

#endif
