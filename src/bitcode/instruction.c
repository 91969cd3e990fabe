/* SPDX-License-Identifier: Apache-2.0 */
/* instruction.c - one instruction to statements.
 *
 * Statements have no order and know no control flow: branches say nothing, and a phi is a copy from each of its
 * values. What is left of an instruction is whose pointers its result may have, and which memory it reads or writes.
 * Integers count as much as pointers: C programs cast one to the other, and optimisers move pointers as integers of
 * the same size. Accesses that carry no pointer become statements, too, with variable 0: they are a part of MOD and
 * USE. */
#include "bitcode/lower_p.h"

static struct val nth(struct lowering *x, LLVMValueRef i, uint32_t k)
{
	return low_operand(x, LLVMGetOperand(i, k));
}

/* A piece of a value. Loops that copy byte by byte, by way of an int perhaps, and what optimisers make of them, move
 * pointers in pieces: these are followed where they are only passed on. */
static bool is_piece(struct lowering *x, LLVMValueRef v)
{
	return low_is_narrow(x, LLVMTypeOf(v)) && LLVMGetValueKind(v) == LLVMInstructionValueKind;
}

static bool passes_on(LLVMValueRef v)
{
	return LLVMIsALoadInst(v) || LLVMIsAPHINode(v) || LLVMIsASelectInst(v) || LLVMIsAFreezeInst(v) || LLVMIsATruncInst(v) ||
	       LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) || LLVMIsAPtrToIntInst(v);
}

static struct val passed(struct lowering *x, LLVMValueRef v)
{
	return is_piece(x, v) && passes_on(v) ? low_row(x, v) : low_operand(x, v);
}

static void lower_load(struct lowering *x, LLVMValueRef i)
{
	low_define(x, i, low_load(x, nth(x, i, 0), LLVMTypeOf(i), low_is_needed(x, i)));
}

/* Is a parameter stored to its own variable? The compiler does that where the function starts, at no line of the source. */
static bool is_arrival(struct lowering *x, LLVMValueRef store)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(store);
	bool first = block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));

	return first && LLVMIsAAllocaInst(LLVMGetOperand(store, 1)) && debug_is_there(x->m->g) && !LLVMGetDebugLocLine(store);
}

/* The variable of a parameter may have its value already. */
static void lower_store(struct lowering *x, LLVMValueRef i)
{
	LLVMValueRef v = LLVMGetOperand(i, 0);
	bool is_param = LLVMGetValueKind(v) == LLVMArgumentValueKind;
	struct val from = is_param ? low_row(x, v) : passed(x, v), to = nth(x, i, 1);

	if (is_param && to.kind == VAL_LOCAL && from.kind == VAL_VAR && from.off == 0 && to.id == from.id)
		return;
	if (low_is_narrow(x, LLVMTypeOf(v)) && is_param)
		from = (struct val){ 0 };
	else if (LLVMIsAConstantExpr(v))
		from = low_constant(x, v, 0);    /* also a piece of an address */
	low_store(x, to, LLVMTypeOf(v), from, is_param && is_arrival(x, i) ? CSTMT_HIDDEN : 0);
}

static void lower_binary(struct lowering *x, LLVMValueRef i)
{
	struct val v = { 0 };

	if (low_bits(x, LLVMTypeOf(i)) >= low_pointer_bits(x) && low_is_needed(x, i))
		v = low_arithmetic(x, LLVMGetInstructionOpcode(i), LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), nth(x, i, 0),
				   nth(x, i, 1));
	low_define(x, i, v);
}

static void lower_cast(struct lowering *x, LLVMValueRef i)
{
	LLVMValueRef from = LLVMGetOperand(i, 0);

	if (is_piece(x, from))
		low_define(x, i, low_is_pieced(x, i) ? passed(x, from) : (struct val){ 0 });
	else
		low_define(x, i, low_convert(x, LLVMGetInstructionOpcode(i), from, LLVMTypeOf(i), low_operand(x, from)));
}

/* Values from other blocks may not be there yet: the variable is, before they are asked for. */
static void lower_phi(struct lowering *x, LLVMValueRef i)
{
	cvar_id v;

	if (!low_is_needed(x, i)) {
		low_define(x, i, (struct val){ 0 });
		return;
	}
	v = low_var(x, low_row(x, i));
	for (uint32_t k = 0, n = LLVMCountIncoming(i); k < n; k++) {
		struct val from = passed(x, LLVMGetIncomingValue(i, k));

		if (from.kind != VAL_NONE)
			low_copy(x, v, from, CSTMT_HIDDEN);
	}
}

/* Of operands from..to-1, as one value: structs and vectors in registers have no cells. */
static void lower_union(struct lowering *x, LLVMValueRef i, uint32_t from, uint32_t to)
{
	struct val v[3] = { { 0 } };

	if (low_is_needed(x, i))
		for (uint32_t k = from; k < to; k++)
			v[k - from] = passed(x, LLVMGetOperand(i, k));
	low_define(x, i, low_union(x, v, to - from));
}

static void lower_return(struct lowering *x, LLVMValueRef i)
{
	struct val v;

	if (LLVMGetNumOperands(i) == 0)
		return;
	v = nth(x, i, 0);
	if (v.kind != VAL_NONE)
		low_copy(x, x->p->fns.data[x->fn.i].result, v, CSTMT_HIDDEN);
}

/* Whether it stores is not known before it runs. The result is the old value and a flag, as one. */
static void lower_cmpxchg(struct lowering *x, LLVMValueRef i)
{
	LLVMValueRef new = LLVMGetOperand(i, 2);
	struct val p = nth(x, i, 0);

	low_define(x, i, low_load(x, p, LLVMTypeOf(new), low_is_needed(x, i)));
	low_store(x, p, LLVMTypeOf(new), low_operand(x, new), 0);
}

/* An exchange stores the other value. Arithmetic on a pointer, as to take the next element of a shared array, makes
 * one to somewhere in the same object. */
static void lower_atomicrmw(struct lowering *x, LLVMValueRef i)
{
	LLVMValueRef with = LLVMGetOperand(i, 1);
	LLVMTypeRef type = LLVMTypeOf(with);
	bool is_exchange = LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg;
	bool carries = low_bits(x, type) >= low_pointer_bits(x);
	struct val p = nth(x, i, 0), v = carries ? low_operand(x, with) : (struct val){ 0 };
	struct val old = low_load(x, p, type, carries || low_is_needed(x, i));

	if (carries && !is_exchange)
		v = low_union(x, (struct val[]){ low_anywhere(x, v), low_anywhere(x, old) }, 2);
	low_store(x, p, type, v, 0);
	low_define(x, i, old);
}

/* The places that a va_list points to hold all arguments. */
static void lower_va_arg(struct lowering *x, LLVMValueRef i)
{
	LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(i, 0));
	struct val list = nth(x, i, 0), all[3] = { { 0 } };

	for (uint32_t k = 0; k < x->m->nva_list; k++)
		all[k] = low_load(x, low_load(x, low_plus(x, list, x->m->va_list_holds[k]), pointer, true), LLVMTypeOf(i), true);
	low_define(x, i, low_union(x, all, 3));
}

/* Exceptions of C++: what any throws, any may catch. */
static cvar_id thrown(struct lowering *x)
{
	struct symbols *l = x->m->l;

	if (!l->thrown.i)
		l->thrown = cir_var(x->p, CVAR_TEMP, intern(&x->p->names, STR("exception")), (cfn_id){ 0 });
	return l->thrown;
}

void low_throw(struct lowering *x, struct val v)
{
	if (v.kind != VAL_NONE)
		low_copy(x, thrown(x), v, CSTMT_HIDDEN);
}

static void lower_other(struct lowering *x, LLVMValueRef i, const char *name)
{
	low_note(x, CNOTE_INSTRUCTION, name);
	if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
		low_define(x, i, (struct val){ 0 });
}

void low_instruction(struct lowering *x, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAlloca:                 /* before all others */
	case LLVMBr: case LLVMSwitch: case LLVMIndirectBr: case LLVMUnreachable: case LLVMFence:
		return;
	case LLVMLoad:
		lower_load(x, i);
		return;
	case LLVMStore:
		lower_store(x, i);
		return;
	case LLVMGetElementPtr:
		low_define(x, i, low_gep(x, i, nth(x, i, 0)));
		return;
	case LLVMCall: case LLVMInvoke: case LLVMCallBr:
		low_call(x, i);
		return;
	case LLVMRet:
		lower_return(x, i);
		return;
	case LLVMPHI:
		lower_phi(x, i);
		return;
	case LLVMSelect:
		lower_union(x, i, 1, 3);
		return;
	case LLVMInsertValue: case LLVMInsertElement: case LLVMShuffleVector:
		lower_union(x, i, 0, 2);
		return;
	case LLVMExtractValue: case LLVMExtractElement: case LLVMFreeze:
		lower_union(x, i, 0, 1);
		return;
	case LLVMTrunc: case LLVMZExt: case LLVMSExt:
	case LLVMPtrToInt: case LLVMIntToPtr: case LLVMBitCast: case LLVMAddrSpaceCast:
		lower_cast(x, i);
		return;
	case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem:
	case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor:
		lower_binary(x, i);
		return;
	case LLVMICmp: case LLVMFCmp:            /* truths and floating point: no pointers */
	case LLVMFAdd: case LLVMFSub: case LLVMFMul: case LLVMFDiv: case LLVMFRem: case LLVMFNeg:
	case LLVMFPToUI: case LLVMFPToSI: case LLVMUIToFP: case LLVMSIToFP: case LLVMFPTrunc: case LLVMFPExt:
		low_define(x, i, (struct val){ 0 });
		return;
	case LLVMAtomicCmpXchg:
		lower_cmpxchg(x, i);
		return;
	case LLVMAtomicRMW:
		lower_atomicrmw(x, i);
		return;
	case LLVMVAArg:
		lower_va_arg(x, i);
		return;
	case LLVMLandingPad:
		low_define(x, i, val_var(thrown(x)));
		return;
	case LLVMResume:
		low_throw(x, nth(x, i, 0));
		return;
	/* Exceptions as compilers for Windows write them. */
	case LLVMCleanupRet: case LLVMCatchRet: case LLVMCatchPad: case LLVMCleanupPad: case LLVMCatchSwitch:
		lower_other(x, i, "funclet");
		return;
	default:
		lower_other(x, i, "instruction");
		return;
	}
}
