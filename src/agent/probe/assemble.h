/* SPDX-License-Identifier: Apache-2.0 */
/* assemble.h - a small assembler of class files, for the one class that the agent brings along. Version 49: the JVM then
 * infers types itself, so that no stack maps are needed. */
#ifndef AGENT_PROBE_ASSEMBLE_H
#define AGENT_PROBE_ASSEMBLE_H

#include "base/strbuf.h"
#include "base/vec.h"

struct assembler {
	struct strbuf pool, fields, methods, code;
	uint16_t npool, nfields, nmethods;    /* npool: entries, from 1 */
	VEC(uint32_t) entries;                /* where each begins in `pool` */
};
void assembler_release(struct assembler *a);

uint16_t asm_utf8(struct assembler *a, const char *s);
uint16_t asm_class(struct assembler *a, const char *internal);
uint16_t asm_int(struct assembler *a, uint32_t value);
uint16_t asm_field_ref(struct assembler *a, const char *owner, const char *name, const char *desc);
uint16_t asm_method_ref(struct assembler *a, const char *owner, const char *name, const char *desc);

/* `annotations`: descriptors, up to NULL; may be NULL itself. */
void asm_field(struct assembler *a, unsigned access, const char *name, const char *desc, const char *const *annotations);

/* Code of one method: instructions, then asm_method(), which takes them. */
void asm_op(struct assembler *a, unsigned op);
void asm_op1(struct assembler *a, unsigned op, unsigned operand);
void asm_op2(struct assembler *a, unsigned op, unsigned operand);

/* A place in the code: any number of jumps there, before or behind it. */
struct label {
	int64_t at;                           /* -1: not yet known */
	uint32_t jumps[8], n;
};
#define LABEL { .at = -1 }
void asm_jump(struct assembler *a, unsigned op, struct label *to);
void asm_label(struct assembler *a, struct label *here);

/* With no code: a native method. */
void asm_method(struct assembler *a, unsigned access, const char *name, const char *desc, unsigned stack, unsigned locals,
		const char *const *annotations);

/* The whole file, appended. */
void asm_finish(struct assembler *a, unsigned access, const char *name, const char *super, struct strbuf *out);

#endif
