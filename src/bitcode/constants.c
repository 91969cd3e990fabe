/* SPDX-License-Identifier: Apache-2.0 */
/* constants.c - constants in operands, and the initial values of globals.
 *
 * Initial values become statements of one function, the initialisers, which runs before all others. LLVM shares equal
 * constants and lets them be nested: a small file can stand for a huge value, so depth and visits are bounded, and
 * what lies beyond is noted. */
#include "bitcode/lower_p.h"

enum { MAX_DEPTH = 64, MAX_VISITS = 1 << 26 };

/* Symbols are rows by now: one that is none is an intrinsic's, and no memory. */
static struct val global(struct lowering *x, LLVMValueRef g)
{
	uint32_t s = valtable_get(&x->m->globals, (uint64_t)(uintptr_t)g, 0);

	return s ? (struct val){ .kind = VAL_OBJ, .id = x->m->l->rows.data[s].obj.i } : (struct val){ 0 };
}

/* (int)(&a - &table): tables of addresses relative to their own are read by llvm.load.relative. */
static LLVMValueRef relative(LLVMValueRef v)
{
	LLVMValueRef sum = LLVMGetOperand(v, 0), to;

	if (LLVMGetConstOpcode(v) != LLVMTrunc || !LLVMIsAConstantExpr(sum) || LLVMGetConstOpcode(sum) != LLVMSub)
		return NULL;
	to = LLVMGetOperand(sum, 0);
	return LLVMIsAConstantExpr(to) && LLVMGetConstOpcode(to) == LLVMPtrToInt ? LLVMGetOperand(to, 0) : NULL;
}

static struct val expression(struct lowering *x, LLVMValueRef v, uint32_t depth)
{
	LLVMOpcode op = LLVMGetConstOpcode(v);
	struct val first, second;

	if (relative(v))
		return low_constant(x, relative(v), depth);
	first = low_constant(x, LLVMGetOperand(v, 0), depth);

	switch (op) {
	case LLVMGetElementPtr:
		return low_gep(x, v, first);
	case LLVMTrunc: case LLVMZExt: case LLVMSExt:
	case LLVMPtrToInt: case LLVMIntToPtr: case LLVMBitCast: case LLVMAddrSpaceCast:
		return low_convert(x, op, LLVMGetOperand(v, 0), LLVMTypeOf(v), first);
	case LLVMAdd: case LLVMSub: case LLVMMul:
	case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor:
		second = low_constant(x, LLVMGetOperand(v, 1), depth);
		return low_arithmetic(x, op, LLVMGetOperand(v, 0), LLVMGetOperand(v, 1), first, second);
	case LLVMSelect:
		second = low_constant(x, LLVMGetOperand(v, 1), depth);
		return low_union(x, (struct val[]){ second, low_constant(x, LLVMGetOperand(v, 2), depth) }, 2);
	case LLVMExtractValue:
	case LLVMExtractElement:
		return first;
	default:
		return (struct val){ 0 };
	}
}

/* All that a struct, array or vector has in it, as one value. */
static struct val aggregate(struct lowering *x, LLVMValueRef v, uint32_t depth)
{
	int n = LLVMGetNumOperands(v);
	struct low_sum all = { 0 };

	for (int i = 0; i < n; i++)
		low_add(x, &all, low_constant(x, LLVMGetOperand(v, (unsigned)i), depth));
	return all.v;
}

/* Constants share their parts: each is looked at once. */
static struct val compound(struct lowering *x, LLVMValueRef v, uint32_t depth)
{
	uint32_t known = valtable_get(&x->values, (uint64_t)(uintptr_t)v, 0);
	struct val made;

	if (known)
		return x->rows.data[known - 1];
	made = LLVMGetValueKind(v) == LLVMConstantExprValueKind ? expression(x, v, depth) : aggregate(x, v, depth);
	low_define(x, v, made);
	return made;
}

struct val low_constant(struct lowering *x, LLVMValueRef v, uint32_t depth)
{
	if (depth == MAX_DEPTH) {
		low_note(x, CNOTE_INSTRUCTION, "constant");
		return (struct val){ 0 };
	}
	switch (LLVMGetValueKind(v)) {
	case LLVMFunctionValueKind:
	case LLVMGlobalVariableValueKind:
	case LLVMGlobalAliasValueKind:
	case LLVMGlobalIFuncValueKind:
		return global(x, v);
	case LLVMConstantExprValueKind:
	case LLVMConstantStructValueKind:
	case LLVMConstantArrayValueKind:
	case LLVMConstantVectorValueKind:
		return compound(x, v, depth + 1);
	default:                         /* numbers; dso_local_equivalent, no_cfi and ptrauth are about a global */
		return LLVMIsAConstant(v) && LLVMGetNumOperands(v) > 0 && !LLVMIsABlockAddress(v) ?
			       low_constant(x, LLVMGetOperand(v, 0), depth + 1) : (struct val){ 0 };
	}
}

/* Initial values: where in the object which part of the constant is. */

/* Elements of an array are one cell: a table with the same pointer in all its rows needs one statement. One for each
 * definition of a symbol: those of a weak definition are dropped when a strong one takes its place. */
static void put(struct lowering *x, cobj_id obj, uint64_t off, struct val v, uint64_t size)
{
	const struct cobj *o = &x->p->objs.data[obj.i];
	uint64_t cell = o->layout.i && off < o->size ? clayout_cell(x->p, o->layout, off) : off;
	uint32_t definition = x->m->l->rows.data[x->symbol].definition;
	cvar_id src = low_var(x, v);
	uint32_t *known;

	if (!src.i || cell > INT32_MAX)
		return;
	known = valtable_at(&x->numbers, (uint64_t)C_PUT << 40 | (uint64_t)(definition & 0xff) << 32 | src.i,
			    (uint64_t)obj.i << 32 | cell);
	if (*known)
		return;
	*known = src.i;
	low_emit(x, (struct cstmt){ .op = C_PUT, .flags = CSTMT_HIDDEN, .dst = obj.i, .src = src.i, .off = (int32_t)cell,
				    .width = (uint32_t)size });
}

static void initialise_at(struct lowering *x, cobj_id obj, uint64_t off, LLVMValueRef v, uint32_t depth)
{
	LLVMTypeRef type = LLVMTypeOf(v);
	LLVMValueKind kind = LLVMGetValueKind(v);
	uint64_t each;

	if (depth == MAX_DEPTH || x->m->visits++ >= MAX_VISITS) {
		low_note(x, CNOTE_INSTRUCTION, "initialiser");
	} else if (kind == LLVMConstantStructValueKind) {
		for (uint32_t i = 0, n = (uint32_t)LLVMGetNumOperands(v); i < n; i++)
			initialise_at(x, obj, off + types_field_offset(x->m->t, type, i), LLVMGetOperand(v, i), depth + 1);
	} else if (kind == LLVMConstantArrayValueKind || kind == LLVMConstantVectorValueKind) {
		each = types_size(x->m->t, LLVMGetElementType(type));
		for (uint32_t i = 0, n = (uint32_t)LLVMGetNumOperands(v); i < n; i++)
			initialise_at(x, obj, off + i * each, LLVMGetOperand(v, i), depth + 1);
	} else if (kind != LLVMConstantIntValueKind) {
		put(x, obj, off, low_constant(x, v, depth), types_size(x->m->t, type));
	}
}

void low_initialise(struct lowering *x, cobj_id obj, LLVMValueRef initialiser)
{
	if (initialiser)
		initialise_at(x, obj, 0, initialiser, 0);
}
