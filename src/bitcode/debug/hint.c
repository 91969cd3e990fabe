// SPDX-License-Identifier: Apache-2.0
/* hint.c - what fresh memory is used as.
 *
 * Allocators are asked for bytes. Memory without a layout has the cells that offsets in the program make, and an index
 * over it makes them fewer (cpta/cells.c); with the layout of what it is used for, its fields stay apart.
 *
 * First the source's word: the type of the variable or field that the pointer is stored to, or of what the function or
 * the callee returns. Else the structs that GEPs on the pointer, or on a variable that holds it, find in the memory,
 * if they are one struct. A layout only says which bytes are one cell, but also where an index over elements stays:
 * memory that has something else behind the struct (`malloc(sizeof *p + n)`) has none. */
#include "bitcode/debug/debug_p.h"

enum {
	MAX_STEPS = 12,              /* from an address to the variable that it is in */
	MAX_THROUGH = 4,             /* casts and the like, one after another */
	MAX_USES = 400               /* of the pointer and of the variables that hold it */
};

/* Types of addresses. */

static bool passes(LLVMValueRef v)
{
	return LLVMIsABitCastInst(v) || LLVMIsAAddrSpaceCastInst(v) || LLVMIsAPHINode(v) || LLVMIsASelectInst(v);
}

/* What an address points into, by the source: byte `off` of `type`. NULL: not known. */
struct target {
	LLVMMetadataRef type;
	uint64_t off;
};

static LLVMMetadataRef returned_type(struct debug *d, LLVMValueRef function)
{
	LLVMMetadataRef s = function && LLVMIsAFunction(function) ? LLVMGetSubprogram(function) : NULL;
	LLVMMetadataRef type = s ? di_operand(d, s, DI_FUNCTION_TYPE) : NULL;

	if (!di_is(type, LLVMDISubroutineTypeMetadataKind))
		return NULL;
	return di_operand(d, di_operand(d, type, DI_SIGNATURE_TYPES), 0);
}

static LLVMMetadataRef type_pointed_to(struct debug *d, LLVMMetadataRef pointer)
{
	return di_type(d, pointer)->to;
}

/* Of a variable: its own type when `v` is its address, what it points to when it is its value. */
static struct target of_variable(struct debug *d, LLVMValueRef v)
{
	const struct di_local *l = LLVMIsAGlobalVariable(v) ? NULL : di_local(d, v);
	LLVMMetadataRef var = LLVMIsAGlobalVariable(v) ? di_global_variable(v) : NULL;

	if (var)
		return (struct target){ di_variable_type(d, var), 0 };
	if (!l || !l->exact)
		return (struct target){ 0 };
	if (l->declared)
		return (struct target){ di_variable_type(d, l->var), 0 };
	return (struct target){ type_pointed_to(d, di_variable_type(d, l->var)), 0 };
}

static struct target target_of(struct debug *d, LLVMValueRef address, uint32_t steps);

static struct target of_gep(struct debug *d, LLVMValueRef gep, uint32_t steps)
{
	struct gep g = types_gep(d->t, gep);
	struct target t = target_of(d, g.base, steps);
	int64_t off = g.elements ? g.inner : g.off;      /* elements are all alike */

	if (off < 0)
		return (struct target){ 0 };
	t.off += (uint64_t)off;
	return t;
}

static struct target target_of(struct debug *d, LLVMValueRef address, uint32_t steps)
{
	struct target t = of_variable(d, address);

	if (t.type || !steps)
		return t;
	if (LLVMIsAGetElementPtrInst(address) || (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr))
		return of_gep(d, address, steps - 1);
	if (LLVMIsABitCastInst(address) || (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMBitCast))
		return target_of(d, LLVMGetOperand(address, 0), steps - 1);
	if (LLVMIsACallInst(address))
		return (struct target){ type_pointed_to(d, returned_type(d, LLVMGetCalledValue(address))), 0 };
	if (!LLVMIsALoadInst(address))
		return t;
	t = target_of(d, LLVMGetOperand(address, 0), steps - 1);
	return (struct target){ t.type ? type_pointed_to(d, di_pointer_at(d, t.type, t.off)) : NULL, 0 };
}

/* Uses. */

struct hint {
	struct debug *d;
	uint32_t left;               /* uses still to be looked at */
	clayout_id found;
	bool conflict;
};

static clayout_id stored_to(struct debug *d, LLVMValueRef address)
{
	struct target t = target_of(d, address, MAX_STEPS);

	return t.type ? di_pointee(d, di_pointer_at(d, t.type, t.off)) : (clayout_id){ 0 };
}

/* A function that hands out memory of one kind says so. */
static clayout_id returned_by(struct debug *d, LLVMValueRef function)
{
	clayout_id l = di_pointee(d, returned_type(d, function));

	return l.i && d->p->layouts.data[l.i].kind == CLAYOUT_STRUCT ? l : (clayout_id){ 0 };
}

/* The first variable, field or result that gets the pointer and has a type that says something. */
static clayout_id by_receivers(struct hint *h, LLVMValueRef v, uint32_t through)
{
	clayout_id l = { 0 };

	for (LLVMUseRef u = LLVMGetFirstUse(v); u && !l.i && h->left; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		h->left--;
		if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v)
			l = stored_to(h->d, LLVMGetOperand(user, 1));
		else if (LLVMIsAReturnInst(user))
			l = returned_by(h->d, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
		else if (passes(user) && through)
			l = by_receivers(h, user, through - 1);
	}
	return l;
}

/* The name without what clang puts before and LLVM behind it: struct.s.12 */
static struct str source_name(const char *name)
{
	struct str s = str_of(name);
	const char *dot = strchr(name, '.'), *end;

	if (!dot)
		return s;
	s = str_of(dot + 1);
	end = s.p + s.len;
	while (end > s.p && end[-1] >= '0' && end[-1] <= '9')
		end--;
	if (end > s.p + 1 && end < s.p + s.len && end[-1] == '.')
		s.len = (uint32_t)(end - 1 - s.p);
	return s;
}

/* The layout of a struct, with the names of the source where it has them. */
static clayout_id struct_layout(struct debug *d, LLVMTypeRef type)
{
	const char *name = LLVMGetStructName(type);
	clayout_id known = { 0 };
	str_id id;

	if (name && interner_find(&d->p->names, source_name(name), &id))
		known.i = map_get(&d->structs, id.i);
	if (known.i && d->p->layouts.data[known.i].size == types_size(d->t, type))
		return known;
	return types_layout(d->t, type);
}

static void agree(struct hint *h, clayout_id l)
{
	if (!l.i || !h->d->p->layouts.data[l.i].size)
		return;
	h->conflict = h->conflict || (h->found.i && h->found.i != l.i);
	h->found = l;
}

static void by_structs(struct hint *h, LLVMValueRef v, uint32_t through);

/* What was stored to a local is in what is loaded from it. */
static void by_loads(struct hint *h, LLVMValueRef variable, uint32_t through)
{
	if (!LLVMIsAAllocaInst(variable))
		return;
	for (LLVMUseRef u = LLVMGetFirstUse(variable); u && h->left; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		h->left--;
		if (LLVMIsALoadInst(user))
			by_structs(h, user, through);
	}
}

static void by_structs(struct hint *h, LLVMValueRef v, uint32_t through)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u && h->left; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		h->left--;
		if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == v) {
			LLVMTypeRef type = LLVMGetGEPSourceElementType(user);

			if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
				agree(h, struct_layout(h->d, type));
		} else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v) {
			agree(h, stored_to(h->d, LLVMGetOperand(user, 1)));
			if (through)
				by_loads(h, LLVMGetOperand(user, 1), through - 1);
		} else if (passes(user) && through) {
			by_structs(h, user, through - 1);
		}
	}
}

/* Sizes. */

/* Is the number a multiple of `size`, whatever the variables in it are? */
static bool is_multiple(LLVMValueRef v, uint64_t size, uint32_t depth)
{
	LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : 0;
	LLVMValueRef a = op ? LLVMGetOperand(v, 0) : NULL;

	if (LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64)
		return LLVMConstIntGetZExtValue(v) % size == 0;
	if (!depth)
		return false;
	if (op == LLVMZExt || op == LLVMSExt || op == LLVMTrunc)
		return is_multiple(a, size, depth - 1);
	if (op == LLVMMul)
		return is_multiple(a, size, depth - 1) || is_multiple(LLVMGetOperand(v, 1), size, depth - 1);
	if (op == LLVMAdd || op == LLVMSub)
		return is_multiple(a, size, depth - 1) && is_multiple(LLVMGetOperand(v, 1), size, depth - 1);
	if (op == LLVMShl && LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
		return ((uint64_t)1 << (LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) & 63)) % size == 0;
	return false;
}

static bool is_sum(LLVMValueRef v)
{
	for (uint32_t i = 0; i < MAX_THROUGH && (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) || LLVMIsATruncInst(v)); i++)
		v = LLVMGetOperand(v, 0);
	return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMAdd;
}

/* Is memory asked for that has more in it than structs of this size, one after another? */
static bool asks_for_more(struct debug *d, LLVMValueRef call, clayout_id l)
{
	uint64_t size = d->p->layouts.data[l.i].size;
	uint32_t n = LLVMIsAAllocaInst(call) ? 1 : LLVMGetNumArgOperands(call);
	bool more = false;

	if (!size || d->p->layouts.data[l.i].kind == CLAYOUT_SCALAR)
		return false;
	for (uint32_t k = 0; k < n; k++) {
		LLVMValueRef v = LLVMGetOperand(call, k);

		if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
			continue;
		if (is_multiple(v, size, MAX_STEPS))
			return false;
		more |= is_sum(v);
	}
	return more;
}

static clayout_id hint_by_uses(struct debug *d, LLVMValueRef call)
{
	struct hint h = { .d = d, .left = MAX_USES };
	clayout_id l;

	if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMPointerTypeKind)
		return (clayout_id){ 0 };
	l = by_receivers(&h, call, MAX_THROUGH);
	if (!l.i && (LLVMIsACallInst(call) || LLVMIsAInvokeInst(call)))
		l = returned_by(d, LLVMGetCalledValue(call));
	if (l.i)
		return l;
	h.left = MAX_USES;
	by_structs(&h, call, MAX_THROUGH);
	return h.conflict || !h.left ? (clayout_id){ 0 } : h.found;
}

/* A function that says what it hands out is asked for numbers of that. */
clayout_id debug_hint(struct debug *d, LLVMValueRef call)
{
	clayout_id l = hint_by_uses(d, call);
	bool is_typed = l.i && !LLVMIsAAllocaInst(call) && returned_by(d, LLVMGetCalledValue(call)).i;

	return l.i && !is_typed && asks_for_more(d, call, l) ? (clayout_id){ 0 } : l;
}
