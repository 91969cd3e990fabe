/* SPDX-License-Identifier: Apache-2.0 */
/* intrinsic.c - functions that LLVM itself knows: what clang makes of memcpy(), va_start() and some builtins, and what
 * it notes for itself. They have no body and no model. One without a row is taken to carry what it gets to all that it
 * returns and points to, and is noted if there are pointers at all: newer versions of LLVM have newer ones. */
#include "bitcode/lower_p.h"

#include <string.h>

enum action {
	NO_INTRINSIC,
	IGNORED,                     /* says something, computes nothing that carries */
	FIRST,                       /* returns its first argument */
	EITHER,                      /* returns one of its arguments */
	SUM, DIFFERENCE,             /* arithmetic, also with overflow: what the instruction carries */
	MOVES, SETS,
	RELATIVE,                    /* loads an address that is relative to its place */
	VA_START, VA_COPY,
	MASKED_LOAD, MASKED_STORE, GATHER, SCATTER,
	UNKNOWN
};

/* By the longest prefix. All intrinsics of floating point, bits and debugging need no row: they have no pointer. */
static const struct row {
	const char *prefix;
	uint8_t action;
} rows[] = {
	{ "llvm.dbg.", IGNORED },
	{ "llvm.lifetime.", IGNORED },
	{ "llvm.invariant.", IGNORED },
	{ "llvm.assume", IGNORED },
	{ "llvm.var.annotation", IGNORED },
	{ "llvm.codeview.annotation", IGNORED },
	{ "llvm.prefetch", IGNORED },
	{ "llvm.objectsize", IGNORED },
	{ "llvm.is.constant", IGNORED },
	{ "llvm.stacksave", IGNORED },
	{ "llvm.stackrestore", IGNORED },
	{ "llvm.returnaddress", IGNORED },
	{ "llvm.frameaddress", IGNORED },
	{ "llvm.addressofreturnaddress", IGNORED },
	{ "llvm.sponentry", IGNORED },
	{ "llvm.eh.", IGNORED },
	{ "llvm.va_end", IGNORED },
	{ "llvm.clear_cache", IGNORED },
	{ "llvm.type.test", IGNORED },
	{ "llvm.public.type.test", IGNORED },
	{ "llvm.instrprof.", IGNORED },
	{ "llvm.experimental.noalias.scope.decl", IGNORED },
	{ "llvm.read_register", IGNORED },
	{ "llvm.write_register", IGNORED },
	{ "llvm.thread.pointer", IGNORED },
	{ "llvm.ctpop", IGNORED },
	{ "llvm.ctlz", IGNORED },
	{ "llvm.cttz", IGNORED },
	{ "llvm.abs", IGNORED },
	{ "llvm.pcmarker", IGNORED },
	{ "llvm.readcyclecounter", IGNORED },
	{ "llvm.lround", IGNORED },
	{ "llvm.llround", IGNORED },
	{ "llvm.lrint", IGNORED },
	{ "llvm.llrint", IGNORED },
	{ "llvm.fpto", IGNORED },
	{ "llvm.allow.", IGNORED },
	{ "llvm.launder.invariant.group", FIRST },
	{ "llvm.strip.invariant.group", FIRST },
	{ "llvm.ptr.annotation", FIRST },
	{ "llvm.annotation", FIRST },
	{ "llvm.ptrmask", FIRST },
	{ "llvm.expect", FIRST },
	{ "llvm.ssa.copy", FIRST },
	{ "llvm.threadlocal.address", FIRST },
	{ "llvm.preserve.", FIRST },
	{ "llvm.arithmetic.fence", FIRST },
	{ "llvm.bswap", FIRST },
	{ "llvm.bitreverse", FIRST },
	{ "llvm.vector.", EITHER },
	{ "llvm.experimental.vector.", EITHER },
	{ "llvm.umax", EITHER },
	{ "llvm.umin", EITHER },
	{ "llvm.smax", EITHER },
	{ "llvm.smin", EITHER },
	{ "llvm.fshl", EITHER },
	{ "llvm.fshr", EITHER },
	{ "llvm.uadd.", SUM },
	{ "llvm.sadd.", SUM },
	{ "llvm.umul.", SUM },
	{ "llvm.smul.", SUM },
	{ "llvm.usub.", DIFFERENCE },
	{ "llvm.ssub.", DIFFERENCE },
	{ "llvm.memcpy.", MOVES },
	{ "llvm.memmove.", MOVES },
	{ "llvm.memset.", SETS },
	{ "llvm.va_start", VA_START },
	{ "llvm.va_copy", VA_COPY },
	{ "llvm.load.relative", RELATIVE },
	{ "llvm.masked.load", MASKED_LOAD },
	{ "llvm.masked.expandload", MASKED_LOAD },
	{ "llvm.masked.store", MASKED_STORE },
	{ "llvm.masked.compressstore", MASKED_STORE },
	{ "llvm.masked.gather", GATHER },
	{ "llvm.masked.scatter", SCATTER },
};

static enum action action_of_name(struct str name)
{
	size_t longest = 0;
	enum action a = str_starts(name, "llvm.") ? UNKNOWN : NO_INTRINSIC;

	for (uint32_t i = 0; a && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strlen(rows[i].prefix) > longest && str_starts(name, rows[i].prefix)) {
			longest = strlen(rows[i].prefix);
			a = rows[i].action;
		}
	return a;
}

static enum action action_of(struct module *m, LLVMValueRef f)
{
	uint32_t *known = valtable_at(&m->intrinsics, (uint64_t)(uintptr_t)f, 0);
	size_t len;
	const char *name;

	if (!*known) {
		name = LLVMGetValueName2(f, &len);
		*known = 1 + action_of_name((struct str){ name, (uint32_t)(len < 1000 ? len : 1000) });
	}
	return (enum action)(*known - 1);
}

bool low_copies_bytes(struct lowering *x, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	enum action a = LLVMGetValueKind(callee) == LLVMFunctionValueKind ? action_of(x->m, callee) : NO_INTRINSIC;

	return a == MOVES || a == SETS;
}

static struct val arg(struct lowering *x, LLVMValueRef call, uint32_t k)
{
	LLVMValueRef v = LLVMGetOperand(call, k);

	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMMetadataTypeKind ? (struct val){ 0 } : low_operand(x, v);
}

static uint64_t length_of(LLVMValueRef call, uint32_t k)
{
	LLVMValueRef v = LLVMGetOperand(call, k);

	return LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64 ? LLVMConstIntGetZExtValue(v) : 0;
}

static bool is_nothing(LLVMValueRef call, uint32_t k)
{
	LLVMValueRef v = LLVMGetOperand(call, k);

	return LLVMIsAConstantInt(v) && LLVMIsNull(v);
}

static struct val all_args(struct lowering *x, LLVMValueRef call, uint32_t n)
{
	struct low_sum all = { 0 };

	for (uint32_t k = 0; k < n; k++)
		low_add(x, &all, arg(x, call, k));
	return all.v;
}

/* All arguments beyond the parameters are in one object; the list points to it, wherever it keeps pointers. */
static void va_start(struct lowering *x, LLVMValueRef call)
{
	struct val list = arg(x, call, 0), rest = { .kind = VAL_OBJ, .id = cir_rest(x->p, x->fn).i };
	LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(call, 0));

	low_move(x, list, (struct val){ 0 }, x->m->va_list_size, 0);
	for (uint32_t k = 0; k < x->m->nva_list; k++)
		low_store(x, low_plus(x, list, x->m->va_list_holds[k]), pointer, rest, 0);
}

static struct val sum(struct lowering *x, LLVMValueRef call, LLVMOpcode op)
{
	return low_arithmetic(x, op, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), arg(x, call, 0), arg(x, call, 1));
}

static bool has_pointer(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	if (kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind)
		kind = LLVMGetTypeKind(LLVMGetElementType(type));
	return kind == LLVMPointerTypeKind;
}

/* Without pointers it computes numbers from numbers. Else it is said, and assumed to pass on what it gets. */
static struct val unknown(struct lowering *x, LLVMValueRef call, LLVMValueRef callee, uint32_t n)
{
	struct val all = all_args(x, call, n);
	bool has_some = has_pointer(LLVMTypeOf(call));
	size_t len;

	for (uint32_t k = 0; k < n; k++) {
		LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, k));

		if (!has_pointer(type))
			continue;
		has_some = true;
		low_store(x, arg(x, call, k), type, all, 0);
	}
	if (has_some)
		low_note(x, CNOTE_INSTRUCTION, LLVMGetValueName2(callee, &len));
	return all;
}

static struct val act(struct lowering *x, LLVMValueRef call, enum action a, LLVMValueRef callee)
{
	LLVMTypeRef type = LLVMTypeOf(call);
	uint32_t n = LLVMGetNumArgOperands(call);
	struct val none = { 0 }, v;

	switch (a) {
	case FIRST:
		return n > 0 ? arg(x, call, 0) : none;
	case EITHER:
		return low_is_needed(x, call) ? all_args(x, call, n) : none;
	case SUM:
	case DIFFERENCE:
		return n > 1 && low_is_needed(x, call) ? sum(x, call, a == SUM ? LLVMAdd : LLVMSub) : none;
	case MOVES:
		if (n > 2 && !is_nothing(call, 2))
			low_move(x, arg(x, call, 0), arg(x, call, 1), length_of(call, 2), 0);
		return none;
	case SETS:
		if (n > 2 && !is_nothing(call, 2))
			low_move(x, arg(x, call, 0), none, length_of(call, 2), 0);
		return none;
	case RELATIVE:
		return n > 0 ? low_load(x, arg(x, call, 0), type, true) : none;
	case VA_START:
		va_start(x, call);
		return none;
	case VA_COPY:
		low_move(x, arg(x, call, 0), arg(x, call, 1), x->m->va_list_size, 0);
		return none;
	case MASKED_LOAD:
	case GATHER:             /* from each of many addresses, or all from one */
		type = a == GATHER ? LLVMGetElementType(type) : type;
		v = low_load(x, arg(x, call, 0), type, true);
		return low_union(x, (struct val[]){ v, n > 1 ? arg(x, call, n - 1) : none }, 2);
	case MASKED_STORE:
	case SCATTER:
		type = LLVMTypeOf(LLVMGetOperand(call, 0));
		if (n > 1)
			low_store(x, arg(x, call, 1), a == SCATTER ? LLVMGetElementType(type) : type, arg(x, call, 0), 0);
		return none;
	case UNKNOWN:
		return unknown(x, call, callee, n);
	default:
		return none;
	}
}

bool low_intrinsic(struct lowering *x, LLVMValueRef call, LLVMValueRef callee)
{
	enum action a = LLVMGetValueKind(callee) == LLVMFunctionValueKind ? action_of(x->m, callee) : NO_INTRINSIC;
	struct val v;

	if (a == NO_INTRINSIC)
		return false;
	v = a == IGNORED ? (struct val){ 0 } : act(x, call, a, callee);
	if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
		low_define(x, call, v);
	return true;
}
