/* SPDX-License-Identifier: Apache-2.0 */
/* arith.c - integers that may be pointers. What is narrower than a pointer is carried by copies, not by arithmetic.
 *
 * C programs keep pointers in integers: to align them (p & ~7), to tag their low bits, to go on by a number of bytes.
 * So an integer as wide as a pointer is followed as if it were one, and arithmetic makes it point elsewhere in its
 * object. What is surely a number is not: a remainder, the difference of two pointers, a few low bits. If these were
 * followed, every length would be a pointer to anywhere in the objects that it was computed from. */
#include "bitcode/lower_p.h"

enum {
	LOW_BITS = 12,               /* of pointers that are aligned: room for tags */
	MAX_STEPS = 8,               /* from a number back to the pointer that it was */
	MAX_VALUES = 100             /* ... that are looked at */
};

static bool constant_of(LLVMValueRef v, int64_t *n)
{
	if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	*n = LLVMConstIntGetSExtValue(v);
	return true;
}

static bool is_from_pointer(LLVMValueRef v)
{
	return LLVMIsAPtrToIntInst(v) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMPtrToInt);
}

static bool was_pointer(LLVMValueRef v, uint32_t steps, uint32_t *left);

/* Without optimisation a number is in a variable between two steps: what is stored there may be loaded. */
static bool holds_pointer(LLVMValueRef variable, uint32_t steps, uint32_t *left)
{
	for (LLVMUseRef u = LLVMGetFirstUse(variable); u && *left; u = LLVMGetNextUse(u), *left -= *left > 0) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable && was_pointer(LLVMGetOperand(user, 0), steps, left))
			return true;
	}
	return false;
}

static bool is_made_of_pointer(LLVMValueRef v, uint32_t steps, uint32_t *left)
{
	LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
	int64_t c;

	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMURem: case LLVMSRem:
		return false;
	case LLVMSub:
		return was_pointer(a, steps, left) != was_pointer(b, steps, left);
	case LLVMAnd:
		if (constant_of(b, &c) && c >= 0 && c < 1 << LOW_BITS)
			return false;
		break;
	default:
		break;
	}
	return was_pointer(a, steps, left) || was_pointer(b, steps, left);
}

/* Is a number that of a pointer, by way of variables and arithmetic, as far as the function shows? Asked before a note
 * that a pointer is taken apart: numbers are truncated everywhere, and a note for each would hide those that matter. */
static bool was_pointer(LLVMValueRef v, uint32_t steps, uint32_t *left)
{
	if (is_from_pointer(v))
		return true;
	if (steps == MAX_STEPS || *left == 0)
		return false;
	--*left;
	if (LLVMIsALoadInst(v))
		return LLVMIsAAllocaInst(LLVMGetOperand(v, 0)) && holds_pointer(LLVMGetOperand(v, 0), steps + 1, left);
	return LLVMIsABinaryOperator(v) && is_made_of_pointer(v, steps + 1, left);
}

/* p & ~7 is p, and (p + 7) & ~7 is p when it was aligned; p & 7 is no pointer any more. */
static struct val masked(struct lowering *x, struct val v, int64_t mask)
{
	uint64_t alignment = -(uint64_t)mask;
	struct val base = v;

	if (mask >= 0 && mask <= UINT32_MAX)
		return (struct val){ 0 };
	if (v.off <= 0 || mask >= 0 || alignment > 1 << LOW_BITS)
		return v;
	base.off -= v.off % (int32_t)alignment;
	base.is_bytes &= base.off != 0;
	return low_union(x, (struct val[]){ base, v }, 2);
}

/* Bits that are set in aligned pointers are tags, or a way to add; a step back by as much leads to the pointer again. */
static struct val tagged(struct lowering *x, struct val v, int64_t bits)
{
	bool is_low = bits > 0 && bits < 1 << LOW_BITS;

	return is_low ? low_union(x, (struct val[]){ v, low_plus_bytes(x, val_var(low_var(x, v)), bits) }, 2) : v;
}

static struct val with_constant(struct lowering *x, LLVMOpcode op, struct val v, int64_t c)
{
	switch (op) {
	case LLVMAdd:
		return low_plus_bytes(x, v, c);
	case LLVMSub:
		return low_plus_bytes(x, v, c == INT64_MIN ? c : -c);
	case LLVMAnd:
		return masked(x, v, c);
	case LLVMOr:
	case LLVMXor:
		return tagged(x, v, c);
	default:
		return v;
	}
}

/* What else is done to a pointer, a shift or exclusive or, is undone before it is used: it is the same pointer then. Only sums
 * make other ones. Remainders and differences of pointers are none. */
static struct val with_another(struct lowering *x, LLVMOpcode op, LLVMValueRef a, LLVMValueRef b, struct val va, struct val vb)
{
	switch (op) {
	case LLVMAdd:
		return low_union(x, (struct val[]){ low_anywhere(x, va), low_anywhere(x, vb) }, 2);
	case LLVMSub:                    /* n - p: undone by another such */
		if (is_from_pointer(a))
			return is_from_pointer(b) ? (struct val){ 0 } : low_anywhere(x, va);
		return low_union(x, (struct val[]){ low_anywhere(x, va), vb }, 2);
	case LLVMAnd: case LLVMOr: case LLVMXor: case LLVMMul:
		return low_union(x, (struct val[]){ va, vb }, 2);
	default:
		return va;
	}
}

struct val low_arithmetic(struct lowering *x, LLVMOpcode op, LLVMValueRef a, LLVMValueRef b, struct val va, struct val vb)
{
	int64_t c;

	if (low_bits(x, LLVMTypeOf(a)) < low_pointer_bits(x) || op == LLVMURem || op == LLVMSRem)
		return (struct val){ 0 };
	if (constant_of(b, &c))
		return va.kind == VAL_NONE ? va : with_constant(x, op, va, c);
	if (constant_of(a, &c) && (op == LLVMAdd || op == LLVMAnd || op == LLVMOr))
		return vb.kind == VAL_NONE ? vb : with_constant(x, op, vb, c);
	if (constant_of(a, &c) && op == LLVMSub)         /* 0 - p: undone by another such */
		return vb;
	return with_another(x, op, a, b, va, vb);
}

struct val low_convert(struct lowering *x, LLVMOpcode op, LLVMValueRef from, LLVMTypeRef to, struct val v)
{
	uint32_t wide = low_bits(x, LLVMTypeOf(from)), narrow = low_bits(x, to), whole = low_pointer_bits(x);
	uint32_t left = MAX_VALUES;
	bool splits = (op == LLVMTrunc && wide == whole) || (op == LLVMPtrToInt && narrow < whole);

	if (!splits)
		return v;
	if (op != LLVMPtrToInt && !was_pointer(from, 0, &left))
		return (struct val){ 0 };
	low_note(x, CNOTE_SPLIT, "");    /* put together in memory, it is followed; by arithmetic, it is not */
	return v;
}
