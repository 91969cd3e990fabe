/* SPDX-License-Identifier: Apache-2.0 */
/* call.c - calls of functions.
 *
 * A call is direct when its callee is a function, also behind casts. Arguments are passed by their position alone:
 * types say little, since programs call through casts, and functions without prototypes. */
#include "bitcode/lower_p.h"

enum { MAX_ARGS = 1 << 16 };

/* Bytes that an allocator would be asked for: its only integer, or both of calloc's; 0: not known. */
static uint64_t asked_for(LLVMValueRef call, uint32_t nargs, struct str callee)
{
	uint64_t size = 0;
	bool is_product = str_is(callee, "calloc") || str_is(callee, "reallocarray");

	for (uint32_t k = 0; k < nargs; k++) {
		LLVMValueRef a = LLVMGetOperand(call, k);

		if (LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMIntegerTypeKind)
			continue;
		if (!LLVMIsAConstantInt(a) || LLVMGetIntTypeWidth(LLVMTypeOf(a)) > 64 || (size && !is_product))
			return 0;
		uint64_t n = LLVMConstIntGetZExtValue(a);
		if (n > UINT32_MAX)
			return 0;
		size = size ? size * n : n;
	}
	return size;
}

/* A struct that is passed by value is used by the call. To a variadic function, what is in it is passed; else its address is,
 * and the callee copies. */
static struct val byval_arg(struct lowering *x, LLVMValueRef call, uint32_t k, struct val v)
{
	LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, k + 1, LLVMGetEnumAttributeKindForName("byval", 5));
	LLVMTypeRef type = byval ? LLVMGetTypeAttributeValue(byval) : NULL;
	bool is_extra = k >= LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
	struct val inside;

	if (!type)
		return v;
	inside = low_load(x, v, type, is_extra);
	return is_extra ? inside : v;
}

static void add_args(struct lowering *x, LLVMValueRef call, uint32_t nargs)
{
	vec_clear(&x->args);
	for (uint32_t k = 0; k < nargs; k++) {
		LLVMValueRef a = LLVMGetOperand(call, k);
		bool is_value = LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMMetadataTypeKind;
		cvar_id v = is_value ? low_var(x, byval_arg(x, call, k, low_operand(x, a))) : (cvar_id){ 0 };

		vec_push(&x->args, v);
	}
}

/* `int f();` tells no parameters: a call of it has a variadic type, whose parameters are the arguments. So has a call
 * of a variadic function that passes no more than its parameters. */
static bool is_untyped(LLVMValueRef call, uint32_t nargs)
{
	LLVMTypeRef type = LLVMGetCalledFunctionType(call);

	return LLVMIsFunctionVarArg(type) && LLVMCountParamTypes(type) == nargs;
}

static void lower_function(struct lowering *x, LLVMValueRef call, LLVMValueRef callee)
{
	struct val to = low_operand(x, callee);
	uint32_t n = LLVMGetNumArgOperands(call);
	struct ccall c = { .nargs = n < MAX_ARGS ? n : MAX_ARGS, .caller = x->fn };
	struct str name = { 0 };

	c.flags = is_untyped(call, n) ? CCALL_UNTYPED : 0;
	if (to.kind == VAL_OBJ && to.off == 0 && x->p->objs.data[to.id].kind == COBJ_FUNCTION) {
		c.callee = x->p->objs.data[to.id].fn;
		name = interned(&x->p->names, x->p->fns.data[c.callee.i].name);
	} else {
		c.pointer = low_var(x, to);
	}
	add_args(x, call, c.nargs);
	if (low_is_needed(x, call)) {
		struct val result = low_operand(x, call);    /* a new variable, or that of an early use */

		c.result = (cvar_id){ result.id };
		if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind) {
			c.hint = debug_hint(x->m->g, call);
			c.size = asked_for(call, c.nargs, name);
		}
	} else if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) {
		low_define(x, call, (struct val){ 0 });
	}
	if (str_is(name, "__cxa_throw") && c.nargs > 0)
		low_throw(x, val_var(x->args.data[0]));
	c.loc = low_here(x);
	cir_call(x->p, c, x->args.data);
}

void low_call(struct lowering *x, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);

	if (LLVMGetValueKind(callee) == LLVMInlineAsmValueKind)
		low_assembly(x, call, callee);
	else if (!low_intrinsic(x, call, callee))
		lower_function(x, call, callee);
}
