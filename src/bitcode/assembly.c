/* SPDX-License-Identifier: Apache-2.0 */
/* assembly.c - inline assembly: assumed to do what its operands say. What comes in, by value or from memory that it may read,
 * may go to all that it gives back and to all memory that it may write. */
#include "bitcode/lower_p.h"

#include <string.h>

enum { MAX_OPERANDS = 64 };

struct operands {
	struct val value[MAX_OPERANDS];
	bool is_memory[MAX_OPERANDS];        /* the value is the address of the operand */
	bool is_written[MAX_OPERANDS];
	uint32_t n;
	bool clobbers_memory;
};

/* What "=*m,r,~{memory}" says of the next operand that is an argument. */
static void read_constraint(struct operands *o, struct str c, uint32_t *arg)
{
	bool is_output = c.len > 0 && c.p[0] == '=';
	bool is_memory = c.len > 0 && memchr(c.p, '*', c.len) != NULL;

	if (str_is(c, "~{memory}"))
		o->clobbers_memory = true;
	if (c.len == 0 || c.p[0] == '~' || (is_output && !is_memory) || *arg >= o->n)
		return;
	o->is_memory[*arg] = is_memory;
	o->is_written[*arg] = is_output;
	++*arg;
}

static void read_constraints(struct operands *o, LLVMValueRef assembly)
{
#if LLVM_VERSION_MAJOR >= 18
	size_t len;
	const char *p = LLVMGetInlineAsmConstraintString(assembly, &len);
	uint32_t arg = 0;

	while (len > 0) {
		const char *comma = memchr(p, ',', len);
		size_t n = comma ? (size_t)(comma - p) : len;

		read_constraint(o, (struct str){ p, (uint32_t)n }, &arg);
		n += comma != NULL;
		p += n;
		len -= n;
	}
#else
	(void)assembly;
	(void)read_constraint;
	o->clobbers_memory = true;               /* constraints cannot be read: the worst */
#endif
}

static void read_operands(struct lowering *x, struct operands *o, LLVMValueRef call, LLVMTypeRef *types)
{
	uint32_t n = LLVMGetNumArgOperands(call);

	o->n = n < MAX_OPERANDS ? n : MAX_OPERANDS;
	for (uint32_t k = 0; k < o->n; k++) {
		LLVMValueRef a = LLVMGetOperand(call, k);

		types[k] = LLVMTypeOf(a);
		o->value[k] = LLVMGetTypeKind(types[k]) == LLVMMetadataTypeKind ? (struct val){ 0 } : low_operand(x, a);
	}
}

/* Memory that the operand is or, with a clobber, that it points to. */
static bool is_address(const struct operands *o, uint32_t k, const LLVMTypeRef *types)
{
	bool is_pointer = o->value[k].kind != VAL_NONE && LLVMGetTypeKind(types[k]) == LLVMPointerTypeKind;

	return is_pointer && (o->is_memory[k] || o->clobbers_memory);
}

void low_assembly(struct lowering *x, LLVMValueRef call, LLVMValueRef assembly)
{
	struct operands o = { .n = 0 };
	LLVMTypeRef types[MAX_OPERANDS];
	cvar_id all = low_temporary(x);

	low_note(x, CNOTE_ASM, "");
	read_operands(x, &o, call, types);
	read_constraints(&o, assembly);
	for (uint32_t k = 0; k < o.n; k++) {
		if (!o.is_memory[k] && o.value[k].kind != VAL_NONE)
			low_copy(x, all, o.value[k], CSTMT_HIDDEN);
		if (is_address(&o, k, types) && !o.is_written[k])
			low_copy(x, all, low_load(x, o.value[k], types[k], true), CSTMT_HIDDEN);
	}
	for (uint32_t k = 0; k < o.n; k++)
		if (is_address(&o, k, types) && (o.is_written[k] || !o.is_memory[k]))
			low_store(x, o.value[k], types[k], val_var(all), 0);
	if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
		low_define(x, call, val_var(all));
}
