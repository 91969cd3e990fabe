/* SPDX-License-Identifier: Apache-2.0 */
/* bytecode.h - JVM instructions (JVMS chapter 6), decoded one at a time from untrusted code. */
#ifndef FORMATS_BYTECODE_H
#define FORMATS_BYTECODE_H

#include "base/span.h"

enum opcode {
#define OPCODE(value, name, format, pops, pushes) BC_##name = value,
#include "formats/classfile/opcodes.def"
#undef OPCODE
};

/* How the operands look; see opcodes.def. */
enum bc_format {
	BCF_NONE, BCF_S1, BCF_S2,          /* none; signed byte; signed short: in `a` */
	BCF_LOCAL,                         /* local variable index: `a`; also under wide */
	BCF_IINC,                          /* `a` local, `b` signed amount */
	BCF_LDC, BCF_CP,                   /* constant-pool index, one or two bytes: `a` */
	BCF_BRANCH,                        /* `a`: absolute target pc (goto_w and jsr_w too) */
	BCF_TABLE, BCF_LOOKUP,             /* switches: see bytecode_switch */
	BCF_NEWARRAY,                      /* `a`: 4 boolean .. 11 long */
	BCF_INTERFACE, BCF_DYNAMIC,        /* `a`: constant-pool index */
	BCF_MULTI,                         /* `a`: constant-pool index, `b`: dimensions */
	BCF_WIDE,                          /* never returned: folded into the wide instruction */
	BCF_BAD,
};

struct insn {
	uint32_t pc, len;                  /* len includes a wide prefix and switch padding */
	uint8_t op;                        /* enum opcode; the instruction under `wide` */
	uint8_t format;                    /* enum bc_format */
	int32_t a, b;
};

/* Decodes the instruction at pc < code.len. False when it is cut off, undefined, or a branch leaves
 * [0, code.len). Constant-pool indices and locals are not checked here. */
bool bytecode_decode(struct span code, uint32_t pc, struct insn *out);

/* Switches: number of keys, key k and its absolute target; target -1 is the default. Only for decoded
 * BCF_TABLE / BCF_LOOKUP instructions, whose targets bytecode_decode has checked. */
uint32_t bytecode_switch_count(struct span code, const struct insn *in);
int32_t bytecode_switch_key(struct span code, const struct insn *in, uint32_t k);
uint32_t bytecode_switch_target(struct span code, const struct insn *in, int64_t k);

const char *bytecode_name(unsigned op);    /* "invokevirtual"; NULL: undefined */
/* Stack words popped and pushed by a fixed-effect opcode; -1 when it depends on the operand. */
extern const int8_t bytecode_pops[256], bytecode_pushes[256];
extern const uint8_t bytecode_format[256];

#endif
