/* SPDX-License-Identifier: Apache-2.0 */
/* function.c - a function's parameters, its locals, and the walk over its instructions.
 *
 * Without optimisation, clang gives every local memory of its own (an alloca), and stores every parameter to one.
 * Where that memory is only loaded from and stored to as a whole, the local is a variable: it has no address that
 * anybody could take, and its statements are copies. Else it is an object. */
#include "bitcode/lower_p.h"

#include <string.h>

static str_id llvm_name(struct lowering *x, LLVMValueRef v)
{
	size_t len;
	const char *name = LLVMGetValueName2(v, &len);

	return intern(&x->p->names, (struct str){ name, (uint32_t)(len > 256 ? 256 : len) });
}

static unsigned attribute_kind(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* The type that a parameter is a copy of; NULL: it is passed as it is. */
static LLVMTypeRef byval_type(LLVMValueRef function, uint32_t k)
{
	LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(function, k + 1, attribute_kind("byval"));

	return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* A struct that is passed by value is an object of the callee, which gets the caller's contents. */
static struct val byval_param(struct lowering *x, LLVMValueRef param, LLVMTypeRef type, cvar_id v, struct source_var s)
{
	struct cobj o = { .kind = COBJ_LOCAL, .name = x->p->vars.data[v.i].name, .fn = x->fn, .size = types_size(x->m->t, type) };
	struct source_var by_value = debug_local(x->m->g, param);
	struct val copied;

	o.layout = by_value.layout.i ? by_value.layout : types_layout(x->m->t, type);
	o.name = by_value.name.i ? by_value.name : o.name;
	o.loc = by_value.loc.i ? by_value.loc : s.loc;
	copied = (struct val){ .kind = VAL_OBJ, .id = cir_object(x->p, o).i };
	low_move(x, copied, val_var(v), o.size, CSTMT_HIDDEN);
	return copied;
}

static void add_params(struct lowering *x, LLVMValueRef function)
{
	uint32_t first = x->p->fns.data[x->fn.i].params, n = x->p->fns.data[x->fn.i].nparams;

	for (uint32_t k = 0; k < n; k++) {
		LLVMValueRef param = LLVMGetParam(function, k);
		LLVMTypeRef copied = byval_type(function, k);
		struct source_var s = debug_param(x->m->g, k);
		cvar_id v = { first + k };

		x->p->vars.data[v.i].name = s.name.i ? s.name : llvm_name(x, param);
		x->p->vars.data[v.i].loc = s.loc;
		low_define(x, param, copied ? byval_param(x, param, copied, v, s) : val_var(v));
	}
}

/* Locals. */

/* Marks of lifetimes and debug information take a local's address and do nothing with it. */
static bool is_marker(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
	size_t len;
	const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &len) : "";

	return strncmp(name, "llvm.lifetime.", 14) == 0 || strncmp(name, "llvm.dbg.", 9) == 0;
}

/* Casts of typed pointers for markers of lifetimes. */
static bool is_cast_for_markers(LLVMValueRef user)
{
	if (!LLVMIsABitCastInst(user))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(user); u; u = LLVMGetNextUse(u))
		if (!is_marker(LLVMGetUser(u)))
			return false;
	return true;
}

/* Others may be accessed in part: then they need cells. */
static bool is_scalar(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
	case LLVMPointerTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMX86_FP80TypeKind:
	case LLVMFP128TypeKind:
		return true;
	default:
		return false;
	}
}

/* How many the alloca makes; 0: not known before it runs. */
static uint64_t count_of(LLVMValueRef alloca)
{
	LLVMValueRef n = LLVMGetOperand(alloca, 0);

	return LLVMIsAConstantInt(n) && LLVMGetIntTypeWidth(LLVMTypeOf(n)) <= 64 ? LLVMConstIntGetZExtValue(n) : 0;
}

/* Is the alloca only loaded from and stored to, as a whole? Then it is a variable. *param: the only parameter stored to it. */
static bool is_variable(struct lowering *x, LLVMValueRef alloca, LLVMValueRef *param)
{
	LLVMTypeRef type = LLVMGetAllocatedType(alloca);
	uint64_t size = types_size(x->m->t, type);

	*param = NULL;
	if (!is_scalar(type) || count_of(alloca) != 1)
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		LLVMTypeRef accessed;

		if (LLVMIsALoadInst(user)) {
			accessed = LLVMTypeOf(user);
		} else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == alloca && LLVMGetOperand(user, 0) != alloca) {
			accessed = LLVMTypeOf(LLVMGetOperand(user, 0));
			if (LLVMGetValueKind(LLVMGetOperand(user, 0)) == LLVMArgumentValueKind)
				*param = LLVMGetOperand(user, 0);
		} else if (is_marker(user) || is_cast_for_markers(user)) {
			continue;
		} else {
			return false;
		}
		if (types_size(x->m->t, accessed) != size)
			return false;
	}
	return true;
}

/* A parameter that is only stored to its own variable is that variable: the store is the compiler's, and two variables
 * of one name would be shown. */
static bool is_spilled(LLVMValueRef param)
{
	LLVMUseRef use = param ? LLVMGetFirstUse(param) : NULL;

	return use && !LLVMGetNextUse(use);
}

static void add_variable(struct lowering *x, LLVMValueRef alloca, LLVMValueRef param)
{
	struct source_var s = debug_local(x->m->g, alloca);
	struct val v = { .kind = VAL_LOCAL };
	struct val p = is_spilled(param) ? low_row(x, param) : (struct val){ 0 };

	if (p.kind == VAL_VAR && (!s.name.i || s.name.i == x->p->vars.data[p.id].name.i)) {
		v.id = p.id;
	} else {
		str_id name = s.name.i || debug_is_there(x->m->g) ? s.name : llvm_name(x, alloca);

		v.id = cir_var(x->p, name.i ? CVAR_LOCAL : CVAR_TEMP, name, x->fn).i;
		x->p->vars.data[v.id].loc = s.loc;
	}
	low_define(x, alloca, v);
}

static bool is_bytes(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 8;
}

/* Memory for many: alloca() and arrays of variable length. The former are bytes that are used as something else. */
static void make_array(struct lowering *x, LLVMValueRef alloca, struct cobj *o)
{
	LLVMTypeRef type = LLVMGetAllocatedType(alloca);
	uint64_t n = count_of(alloca);
	uint64_t each = types_size(x->m->t, type);

	o->size = each && n < UINT64_MAX / each ? n * each : 0;
	if (is_bytes(type)) {
		o->layout = debug_hint(x->m->g, alloca);
		o->flags |= o->layout.i ? COBJ_REPEATS : 0;
		return;
	}
	o->layout = types_layout(x->m->t, type);
	o->flags |= COBJ_REPEATS;
}

static void add_object(struct lowering *x, LLVMValueRef alloca)
{
	struct source_var s = debug_local(x->m->g, alloca);
	LLVMTypeRef type = LLVMGetAllocatedType(alloca);
	struct cobj o = { .kind = COBJ_LOCAL, .fn = x->fn, .name = s.name, .loc = s.loc };

	if (!s.name.i && !debug_is_there(x->m->g))
		o.name = llvm_name(x, alloca);
	if (count_of(alloca) == 1) {
		o.layout = s.layout.i ? s.layout : types_layout(x->m->t, type);
		o.size = types_size(x->m->t, type);
	} else {
		make_array(x, alloca, &o);
	}
	if (!o.loc.i)
		o.loc = debug_loc(x->m->g, alloca);
	low_define(x, alloca, (struct val){ .kind = VAL_OBJ, .id = cir_object(x->p, o).i });
}

/* Wherever they are in the code: blocks need not come in the order in which they run, so that uses may be read before
 * them. */
static void add_locals(struct lowering *x, LLVMValueRef function)
{
	LLVMValueRef param;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (LLVMGetInstructionOpcode(i) != LLVMAlloca)
				continue;
			if (is_variable(x, i, &param))
				add_variable(x, i, param);
			else
				add_object(x, i);
		}
}

static void walk(struct lowering *x, LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			x->at = i;
			x->has_loc = false;
			low_instruction(x, i);
		}
}

void low_function(struct lowering *x, LLVMValueRef function, cfn_id fn)
{
	x->fn = fn;
	x->at = NULL;
	x->has_loc = true;
	x->loc = x->p->fns.data[fn.i].loc;
	valtable_clear(&x->values);
	valtable_clear(&x->numbers);
	vec_clear(&x->rows);
	debug_enter(x->m->g, function);
	cir_begin(x->p, fn);
	add_params(x, function);
	add_locals(x, function);
	walk(x, function);
	cir_end(x->p, fn);
}
