// SPDX-License-Identifier: Apache-2.0
// links: base bitcode cir
/* cinstrument NUMBER MODULE KEYED.ll RECORDED.ll [LINES] - a module in two versions, to hold an analysis against a run.
 *
 * KEYED is for the analysis: the same program, but every instruction has a place of its own (line: its number, column:
 * NUMBER, which is the module's, below 128), every variable of debug information a name of its own (globals: their
 * symbols). So what is observed at an instruction can be asked about exactly. RECORDED is for the run: functions of
 * tests/lib/crecorder.c are told of every read, write, call, local and allocation. There, variables have room behind
 * them, so that a pointer past the end of one does not point to the next. LINES gets a line for every key: what it is in
 * the source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>

#include "base/strbuf.h"
#include "base/vec.h"

#if LLVM_VERSION_MAJOR < 18
int main(void)
{
	puts("cinstrument: needs LLVM 18 or newer");
	return 77;
}
#else

#define TEXT 64                  /* bytes of a string that tell it from others */
#define ROOM 16                  /* bytes behind each variable: the first 8 are still called its own */

typedef VEC(LLVMValueRef) value_vec;

struct work {
	LLVMContextRef ctx;
	LLVMModuleRef m;
	LLVMTargetDataRef sizes;
	LLVMDIBuilderRef debug;
	LLVMBuilderRef b;
	LLVMTypeRef ptr, i8, i32, i64, nothing;
	uint32_t number, key, nlocals;
	value_vec local_rows, global_rows, function_rows;
	LLVMValueRef depth;          /* of the function at hand */
	FILE *lines;                 /* NULL: not wanted */
};

static _Noreturn void die(const char *what, const char *detail)
{
	fprintf(stderr, "cinstrument: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
	exit(2);
}

static const char *name_of(LLVMValueRef v)
{
	size_t n;

	return LLVMGetValueName2(v, &n);
}

static bool has_prefix(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool is_debug(LLVMValueRef i)
{
	return LLVMIsADbgInfoIntrinsic(i) != NULL;
}

/* Keys */

static void rename_variable(struct work *w, LLVMValueRef node, uint32_t operand, const char *name)
{
	LLVMReplaceMDNodeOperandWith(node, operand, LLVMMDStringInContext2(w->ctx, name, strlen(name)));
}

static void name_local(struct work *w, LLVMValueRef declare)
{
	LLVMValueRef node = LLVMGetOperand(declare, 1), ops[8];
	struct strbuf s = { 0 };
	uint32_t n = 0;
	const char *old;

	if (LLVMGetMDNodeNumOperands(node) > 8)
		die("a variable of debug information has more operands than expected", NULL);
	LLVMGetMDNodeOperands(node, ops);
	old = ops[1] ? LLVMGetMDString(ops[1], &n) : "";
	if (memchr(old, '#', n))
		return;              /* inlined: seen before */
	strbuf_addf(&s, "%.*s#%u.%u", (int)n, old, (unsigned)w->number, (unsigned)++w->nlocals);
	rename_variable(w, node, 1, s.s);
	strbuf_release(&s);
}

/* Printing an instruction is dear: its operation has to do. */
static void write_line(struct work *w, LLVMValueRef i, LLVMValueRef f)
{
	LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(i);
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	const char *what = op == LLVMStore ? " store" : op == LLVMCall ? " call " : "";

	fprintf(w->lines, "%u line %u of %s%s%s\n", w->number << 24 | w->key, loc ? LLVMDILocationGetLine(loc) : 0,
		name_of(f), what, op == LLVMCall ? name_of(LLVMGetCalledValue(i)) : "");
}

static void key_function(struct work *w, LLVMValueRef f)
{
	LLVMMetadataRef scope = LLVMGetSubprogram(f);

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (is_debug(i)) {
				if (LLVMIsADbgVariableIntrinsic(i))
					name_local(w, i);
				continue;
			}
			w->key++;
			if (w->lines)
				write_line(w, i, f);
			if (scope)
				LLVMInstructionSetDebugLoc(i, LLVMDIBuilderCreateDebugLocation(w->ctx, w->key,
					w->number, scope, NULL));
		}
}

/* What debug information says of a global; NULL: nothing. */
static LLVMValueRef debug_node(struct work *w, LLVMValueRef g)
{
	size_t n;
	LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(g, &n);
	LLVMValueRef node = NULL;

	for (unsigned k = 0; k < n && !node; k++) {
		LLVMMetadataRef md = LLVMValueMetadataEntriesGetMetadata(all, k);

		if (LLVMGetMetadataKind(md) == LLVMDIGlobalVariableExpressionMetadataKind)
			node = LLVMMetadataAsValue(w->ctx, LLVMDIGlobalVariableExpressionGetVariable(md));
	}
	LLVMDisposeValueMetadataEntries(all);
	return node;
}

static void key_global(struct work *w, LLVMValueRef g)
{
	LLVMValueRef node = debug_node(w, g);

	if (!node)
		return;
	rename_variable(w, node, 1, name_of(g));
	rename_variable(w, node, 4, name_of(g));
}

/* A variable that was split has the name of one of its parts. */
static void keyed_name(struct work *w, LLVMValueRef g, struct strbuf *out)
{
	LLVMValueRef node = LLVMGetLinkage(g) == LLVMInternalLinkage ? debug_node(w, g) : NULL, ops[16];
	const char *name = name_of(g);
	uint32_t n = (uint32_t)strlen(name);

	if (node && LLVMGetMDNodeNumOperands(node) <= 16) {
		LLVMGetMDNodeOperands(node, ops);
		name = LLVMGetMDString(ops[1], &n);
	}
	strbuf_add(out, name, n);
}

/* What linkers append to names of static functions is a part of the name here. */
static void name_function(LLVMValueRef f, struct strbuf *s)
{
	if (LLVMGetLinkage(f) != LLVMInternalLinkage || !strchr(name_of(f), '.'))
		return;
	strbuf_clear(s);
	strbuf_adds(s, name_of(f));
	for (char *dot; (dot = strchr(s->s, '.'));)
		*dot = '_';
	LLVMSetValueName2(f, s->s, s->len);
}

/* Names where there are none, so that both versions have the same. */
static void name_values(struct work *w)
{
	struct strbuf s = { 0 };
	uint32_t next = 0;

	for (LLVMValueRef g = LLVMGetFirstGlobal(w->m); g; g = LLVMGetNextGlobal(g))
		if (!*name_of(g) || has_prefix(name_of(g), ".str")) {
			strbuf_clear(&s);
			strbuf_addf(&s, ".string.%u.%u", (unsigned)w->number, (unsigned)++next);
			LLVMSetValueName2(g, s.s, s.len);
		}
	for (LLVMValueRef f = LLVMGetFirstFunction(w->m); f; f = LLVMGetNextFunction(f)) {
		name_function(f, &s);
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				if (LLVMIsAAllocaInst(i) && !*name_of(i))
					LLVMSetValueName2(i, "unnamed", 7);
	}
	strbuf_release(&s);
}

static void write_keys(struct work *w, const char *path)
{
	char *error = NULL;

	name_values(w);
	for (LLVMValueRef g = LLVMGetFirstGlobal(w->m); g; g = LLVMGetNextGlobal(g))
		key_global(w, g);
	for (LLVMValueRef f = LLVMGetFirstFunction(w->m); f; f = LLVMGetNextFunction(f))
		key_function(w, f);
	if (LLVMPrintModuleToFile(w->m, path, &error))
		die(path, error);
}

/* Recording: calls of the recorder */

static LLVMValueRef number32(struct work *w, uint64_t n)
{
	return LLVMConstInt(w->i32, n, false);
}

static LLVMValueRef number64(struct work *w, uint64_t n)
{
	return LLVMConstInt(w->i64, n, false);
}

static LLVMValueRef key_of(struct work *w, LLVMValueRef instruction)
{
	LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(instruction);

	return number32(w, loc ? w->number << 24 | LLVMDILocationGetLine(loc) : 0);
}

static LLVMValueRef tell(struct work *w, const char *name, LLVMTypeRef result, LLVMTypeRef *types, LLVMValueRef *args,
	uint32_t n, bool variadic)
{
	LLVMTypeRef type = LLVMFunctionType(result, types, n, variadic);
	LLVMValueRef f = LLVMGetNamedFunction(w->m, name);

	if (!f)
		f = LLVMAddFunction(w->m, name, type);
	return LLVMBuildCall2(w->b, type, f, args, n, "");
}

static void before(struct work *w, LLVMValueRef i)
{
	LLVMPositionBuilderBefore(w->b, i);
}

static void after(struct work *w, LLVMValueRef i)
{
	LLVMPositionBuilderBefore(w->b, LLVMGetNextInstruction(i));
}

/* Parameters that get memory: no statement of the source. */
static bool is_arrival(LLVMValueRef i)
{
	return LLVMIsAStoreInst(i) && LLVMIsAArgument(LLVMGetOperand(i, 0)) && LLVMIsAAllocaInst(LLVMGetOperand(i, 1)) &&
		LLVMGetInstructionParent(i) == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
}

/* `from`: what is copied; NULL: not memory. */
static void tell_write(struct work *w, LLVMValueRef i, LLVMValueRef address, LLVMValueRef len, LLVMValueRef from)
{
	LLVMTypeRef types[] = { w->i32, w->i32, w->ptr, w->i64, w->ptr };
	LLVMValueRef args[5] = { w->depth, is_arrival(i) ? number32(w, 0) : key_of(w, i), address, NULL, from };

	if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != 0)
		return;
	after(w, i);
	args[3] = LLVMBuildZExtOrBitCast(w->b, len, w->i64, "");
	tell(w, from ? "rec_move" : "rec_write", w->nothing, types, args, from ? 5 : 4, false);
}

static void tell_load(struct work *w, LLVMValueRef i)
{
	LLVMTypeRef types[] = { w->i32, w->i32, w->ptr, w->i64 };
	LLVMValueRef len = number64(w, LLVMStoreSizeOfType(w->sizes, LLVMTypeOf(i)));
	LLVMValueRef args[] = { w->depth, key_of(w, i), LLVMGetOperand(i, 0), len };

	if (LLVMGetPointerAddressSpace(LLVMTypeOf(args[2])) != 0)
		return;
	before(w, i);
	tell(w, "rec_read", w->nothing, types, args, 4, false);
}

static void tell_store(struct work *w, LLVMValueRef i, LLVMValueRef address, LLVMValueRef value)
{
	tell_write(w, i, address, number64(w, LLVMStoreSizeOfType(w->sizes, LLVMTypeOf(value))), NULL);
}

/* A row { name, function's name or string's text, address, size } of the tables that the recorder gets; a local's size is
 * told later, and its key is here. */
static LLVMValueRef row(struct work *w, const char *name, const char *function, LLVMValueRef address, uint64_t size)
{
	LLVMValueRef text[2], fields[4];
	const char *texts[2] = { name, function };

	for (int k = 0; k < 2; k++) {
		LLVMValueRef s = LLVMConstStringInContext(w->ctx, texts[k], (unsigned)strlen(texts[k]), false);

		text[k] = LLVMAddGlobal(w->m, LLVMTypeOf(s), "rec.name");
		LLVMSetInitializer(text[k], s);
		LLVMSetLinkage(text[k], LLVMPrivateLinkage);
		LLVMSetGlobalConstant(text[k], true);
	}
	fields[0] = text[0];
	fields[1] = text[1];
	fields[2] = address ? address : LLVMConstNull(w->ptr);
	fields[3] = number64(w, size);
	return LLVMConstStructInContext(w->ctx, fields, 4, false);
}

/* Locals */

static void add_local(struct work *w, const char *what, LLVMValueRef address, LLVMValueRef size, const char *name,
	const char *function, uint64_t key)
{
	LLVMTypeRef types[] = { w->i32, w->i32, w->i32, w->ptr, w->i64 };
	LLVMValueRef args[] = { w->depth, number32(w, w->number), number32(w, w->local_rows.len), address, size };

	vec_push(&w->local_rows, row(w, name, function, NULL, key));
	tell(w, what, w->nothing, types, args, 5, false);
}

static void add_zeros(struct work *w, LLVMValueRef address, LLVMValueRef size)
{
	LLVMTypeRef types[] = { w->ptr, w->i64 };
	LLVMValueRef args[] = { address, size };

	tell(w, "rec_zero", w->nothing, types, args, 2, false);
}

/* The memory that a debug intrinsic says a variable is in; NULL: says nothing of memory. */
static LLVMValueRef memory_of(LLVMValueRef i)
{
	bool declares = has_prefix(name_of(LLVMGetCalledValue(i)), "llvm.dbg.declare");
	LLVMValueRef wrapped = declares ? LLVMGetOperand(i, 0) : NULL, v = NULL;

	if (has_prefix(name_of(LLVMGetCalledValue(i)), "llvm.dbg.assign"))
		wrapped = LLVMGetOperand(i, 4);
	if (wrapped && LLVMGetMDNodeNumOperands(wrapped) == 1)
		LLVMGetMDNodeOperands(wrapped, &v);
	return v;
}

/* The name that debug information has for the memory at `v`; else the value's. */
static void name_of_memory(LLVMValueRef f, LLVMValueRef v, struct strbuf *out)
{
	strbuf_clear(out);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			LLVMValueRef ops[8];
			uint32_t n = 0;
			const char *s;

			if (!is_debug(i) || memory_of(i) != v)
				continue;
			LLVMGetMDNodeOperands(LLVMGetOperand(i, 1), ops);
			s = LLVMGetMDString(ops[1], &n);
			strbuf_add(out, s, n);
			return;
		}
	strbuf_addf(out, "%s", name_of(v));
}

/* With room behind the variable; where memory is made while the function runs, before it as well: there the stack ends. */
static LLVMValueRef roomy_alloca(struct work *w, LLVMValueRef f, LLVMValueRef i, LLVMValueRef size)
{
	bool fixed = LLVMIsConstant(size) && LLVMGetInstructionParent(i) == LLVMGetEntryBasicBlock(f);
	unsigned align = LLVMGetAlignment(i) > 16 ? LLVMGetAlignment(i) : 16;
	LLVMValueRef all = LLVMBuildAdd(w->b, size, number64(w, fixed ? ROOM : ROOM + align), "");
	LLVMValueRef memory, front = number64(w, align);

	if (fixed)
		memory = LLVMBuildAlloca(w->b, LLVMArrayType2(w->i8, LLVMConstIntGetZExtValue(all)), "");
	else
		memory = LLVMBuildArrayAlloca(w->b, w->i8, all, "");
	LLVMSetAlignment(memory, align);
	return fixed ? memory : LLVMBuildGEP2(w->b, w->i8, memory, &front, 1, "");
}

static void record_alloca(struct work *w, LLVMValueRef f, LLVMValueRef i)
{
	LLVMValueRef count = LLVMGetOperand(i, 0), size, memory;
	struct strbuf name = { 0 };

	name_of_memory(f, i, &name);
	before(w, i);
	count = LLVMBuildZExtOrBitCast(w->b, count, w->i64, "");
	size = LLVMBuildMul(w->b, count, number64(w, LLVMABISizeOfType(w->sizes, LLVMGetAllocatedType(i))), "");
	memory = roomy_alloca(w, f, i, size);
	add_local(w, "rec_local", memory, size, name.s, name_of(f), LLVMConstIntGetZExtValue(key_of(w, i)));
	add_zeros(w, memory, size);
	LLVMReplaceAllUsesWith(i, memory);
	LLVMInstructionEraseFromParent(i);
	strbuf_release(&name);
}

/* Structs that are passed by value are memory of the callee's. */
static void record_parameters(struct work *w, LLVMValueRef f, LLVMValueRef first)
{
	unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
	struct strbuf name = { 0 };

	before(w, first);
	for (uint32_t k = 0; k < LLVMCountParams(f); k++) {
		LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f, k + 1, byval);
		LLVMValueRef p = LLVMGetParam(f, k);

		if (!a)
			continue;
		name_of_memory(f, p, &name);
		add_local(w, "rec_passed", p, number64(w, LLVMABISizeOfType(w->sizes, LLVMGetTypeAttributeValue(a))), name.s,
			name_of(f), 0);
	}
	strbuf_release(&name);
}

/* Calls */

static void tell_depth(struct work *w, const char *what)
{
	tell(w, what, w->nothing, &w->i32, &w->depth, 1, false);
}

static void tell_call(struct work *w, LLVMValueRef i, LLVMValueRef target)
{
	LLVMTypeRef types[] = { w->i32, w->i32, w->ptr };
	LLVMValueRef args[] = { w->depth, key_of(w, i), target };

	before(w, i);
	tell(w, "rec_call", w->nothing, types, args, 3, false);
}

/* What the function has for a body is not recorded: the recorder compares memory before and after. */
static void tell_extern(struct work *w, LLVMValueRef i)
{
	LLVMTypeRef types[] = { w->i32, w->i32 };
	LLVMValueRef args[2 + 16] = { w->depth, NULL };
	uint32_t n = 0, all = LLVMGetNumArgOperands(i);
	LLVMTypeRef type = LLVMFunctionType(w->nothing, types, 2, true);
	LLVMValueRef f = LLVMGetNamedFunction(w->m, "rec_extern");

	for (uint32_t k = 0; k < all && n < 16; k++)
		if (LLVMTypeOf(LLVMGetOperand(i, k)) == w->ptr)
			args[2 + n++] = LLVMGetOperand(i, k);
	args[1] = number32(w, n);
	before(w, i);
	if (!f)
		f = LLVMAddFunction(w->m, "rec_extern", type);
	LLVMBuildCall2(w->b, type, f, args, 2 + n, "");
}

/* Arrays of variable size end. */
static void tell_restore(struct work *w, LLVMValueRef i)
{
	LLVMTypeRef types[] = { w->i32, w->ptr };
	LLVMValueRef args[] = { w->depth, LLVMGetOperand(i, 0) };

	before(w, i);
	tell(w, "rec_restore", w->nothing, types, args, 2, false);
}

static void record_intrinsic(struct work *w, LLVMValueRef i, const char *name)
{
	bool is_move = has_prefix(name, "llvm.memcpy.") || has_prefix(name, "llvm.memmove.");

	if (is_move || has_prefix(name, "llvm.memset."))
		tell_write(w, i, LLVMGetOperand(i, 0), LLVMGetOperand(i, 2), is_move ? LLVMGetOperand(i, 1) : NULL);
	else if (has_prefix(name, "llvm.va_start") || has_prefix(name, "llvm.va_copy"))
		tell_write(w, i, LLVMGetOperand(i, 0), number64(w, 24), NULL);
	else if (has_prefix(name, "llvm.stackrestore"))
		tell_restore(w, i);
	else if (has_prefix(name, "llvm.lifetime."))
		LLVMInstructionEraseFromParent(i);
}

static void record_call(struct work *w, LLVMValueRef i)
{
	LLVMValueRef callee = LLVMGetCalledValue(i);
	bool direct = LLVMIsAFunction(callee), is_asm = LLVMIsAInlineAsm(callee);

	if (direct && has_prefix(name_of(callee), "llvm.")) {
		record_intrinsic(w, i, name_of(callee));
		return;
	}
	if (LLVMGetTailCallKind(i) == LLVMTailCallKindMustTail)
		die("calls in the place of returns are not handled", NULL);
	LLVMSetTailCallKind(i, LLVMTailCallKindNone);
	tell_call(w, i, direct || is_asm ? LLVMConstNull(w->ptr) : callee);
	if (direct && LLVMIsDeclaration(callee) && strcmp(name_of(callee), "sigaction") != 0)
		tell_extern(w, i);   /* sigaction leaves what was on the stack in its result */
	after(w, i);
	tell_depth(w, "rec_back");
}

static void record_instruction(struct work *w, LLVMValueRef f, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad: tell_load(w, i); break;
	case LLVMStore: tell_store(w, i, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0)); break;
	case LLVMAtomicRMW: tell_store(w, i, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)); break;
	case LLVMAtomicCmpXchg: tell_store(w, i, LLVMGetOperand(i, 0), LLVMGetOperand(i, 2)); break;
	case LLVMAlloca: record_alloca(w, f, i); break;
	case LLVMCall: record_call(w, i); break;
	case LLVMRet:
		before(w, i);
		tell_depth(w, "rec_leave");
		break;
	case LLVMInvoke: die("invoke is not handled", name_of(f)); break;
	default: break;
	}
}

static void record_function(struct work *w, LLVMValueRef f, uint32_t index)
{
	value_vec all = { 0 };
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
	LLVMTypeRef types[] = { w->i32, w->i32 };
	LLVMValueRef args[] = { number32(w, w->number), number32(w, index) };

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (!is_debug(i))
				vec_push(&all, i);
	before(w, first);
	w->depth = tell(w, "rec_enter", w->i32, types, args, 2, false);
	record_parameters(w, f, first);
	for (uint32_t k = 0; k < all.len; k++)
		record_instruction(w, f, all.data[k]);
	vec_release(&all);
}

/* Globals and functions */

static bool can_move(LLVMValueRef g)
{
	const char *section = LLVMGetSection(g);

	return !(section && *section) && !LLVMIsThreadLocal(g) && LLVMGetLinkage(g) != LLVMAppendingLinkage &&
		LLVMGetLinkage(g) != LLVMAvailableExternallyLinkage;
}

static LLVMValueRef with_room(struct work *w, LLVMValueRef g)
{
	LLVMValueRef room = LLVMConstNull(LLVMArrayType2(w->i8, ROOM)), parts[] = { LLVMGetInitializer(g), room };
	LLVMValueRef init = LLVMConstStructInContext(w->ctx, parts, 2, false), moved = LLVMAddGlobal(w->m, LLVMTypeOf(init), "");
	size_t n;
	const char *name = LLVMGetValueName2(g, &n);
	char *kept = memcpy(calloc(n + 1, 1), name, n);
	unsigned align = LLVMGetAlignment(g), natural = LLVMABIAlignmentOfType(w->sizes, LLVMGlobalGetValueType(g));
	LLVMLinkage linkage = LLVMGetLinkage(g);

	LLVMSetInitializer(moved, init);
	LLVMSetGlobalConstant(moved, LLVMIsGlobalConstant(g));
	LLVMSetLinkage(moved, linkage == LLVMCommonLinkage ? LLVMWeakAnyLinkage : linkage);
	LLVMSetVisibility(moved, LLVMGetVisibility(g));
	align = align > natural ? align : natural;
	LLVMSetAlignment(moved, align > 8 ? align : 8);
	LLVMReplaceAllUsesWith(g, moved);
	LLVMDeleteGlobal(g);
	LLVMSetValueName2(moved, kept, n);
	free(kept);
	return moved;
}

/* The first bytes of a string, in hexadecimal digits after an x; nothing when it is none. */
static void text_of(LLVMValueRef g, struct strbuf *out)
{
	LLVMValueRef init = LLVMGetInitializer(g);
	const char *text;
	size_t n;

	strbuf_adds(out, "");
	if (LLVMGetLinkage(g) != LLVMPrivateLinkage || !LLVMIsGlobalConstant(g))
		return;
	if (LLVMIsAConstantAggregateZero(init))
		strbuf_adds(out, "x");
	if (!LLVMIsAConstantDataArray(init) || !LLVMIsConstantString(init))
		return;
	strbuf_adds(out, "x");
	text = LLVMGetAsString(init, &n);
	for (size_t k = 0; k < n && k < TEXT; k++)
		strbuf_addf(out, "%02x", (unsigned char)text[k]);
}

static void record_global(struct work *w, LLVMValueRef g)
{
	struct strbuf text = { 0 }, name = { 0 };
	uint64_t size;

	if (LLVMIsDeclaration(g) || has_prefix(name_of(g), "llvm.") || LLVMIsThreadLocal(g))
		return;
	size = LLVMABISizeOfType(w->sizes, LLVMGlobalGetValueType(g));
	text_of(g, &text);
	keyed_name(w, g, &name);
	if (can_move(g))
		g = with_room(w, g);
	vec_push(&w->global_rows, row(w, name.s, text.s, g, size));
	strbuf_release(&text);
	strbuf_release(&name);
}

static LLVMValueRef allocator(struct work *w, LLVMValueRef f)
{
	static const char *const known[] = { "malloc", "calloc", "realloc", "reallocarray", "free", "strdup", "strndup",
		"aligned_alloc", "posix_memalign", "memalign" };
	struct strbuf s = { 0 };
	LLVMValueRef own = f;

	for (uint32_t k = 0; k < sizeof known / sizeof *known; k++)
		if (strcmp(name_of(f), known[k]) == 0) {
			strbuf_addf(&s, "rec_%s", known[k]);
			own = LLVMAddFunction(w->m, s.s, LLVMGlobalGetValueType(f));
			LLVMReplaceAllUsesWith(f, own);
		}
	strbuf_release(&s);
	return own;
}

static void table(struct work *w, value_vec *rows, LLVMValueRef *fields)
{
	LLVMTypeRef types[] = { w->ptr, w->ptr, w->ptr, w->i64 }, type = LLVMStructTypeInContext(w->ctx, types, 4, false);
	LLVMValueRef all = LLVMConstArray2(type, rows->data, rows->len), g = LLVMAddGlobal(w->m, LLVMTypeOf(all), "rec.table");

	LLVMSetInitializer(g, all);
	LLVMSetLinkage(g, LLVMPrivateLinkage);
	fields[0] = g;
	fields[1] = number64(w, rows->len);
}

/* A pointer in the section that the recorder walks when the program starts. */
static void write_tables(struct work *w)
{
	LLVMValueRef fields[7], all, g;

	fields[0] = number64(w, w->number);
	table(w, &w->global_rows, fields + 1);
	table(w, &w->function_rows, fields + 3);
	table(w, &w->local_rows, fields + 5);
	all = LLVMConstStructInContext(w->ctx, fields, 7, false);
	g = LLVMAddGlobal(w->m, LLVMTypeOf(all), "rec.module");
	LLVMSetInitializer(g, all);
	LLVMSetLinkage(g, LLVMInternalLinkage);
	LLVMSetSection(g, "rec_modules");
	LLVMSetAlignment(g, 8);
}

static void record_functions(struct work *w)
{
	value_vec all = { 0 };

	for (LLVMValueRef f = LLVMGetFirstFunction(w->m); f; f = LLVMGetNextFunction(f))
		if (!has_prefix(name_of(f), "llvm."))
			vec_push(&all, f);
	for (uint32_t k = 0; k < all.len; k++) {
		LLVMValueRef f = all.data[k];

		vec_push(&w->function_rows, row(w, name_of(f), "", LLVMIsDeclaration(f) ? allocator(w, f) : f, 0));
		if (!LLVMIsDeclaration(f))
			record_function(w, f, k);
	}
	vec_release(&all);
}

static void write_recorded(struct work *w, const char *path)
{
	value_vec all = { 0 };
	char *error = NULL;

	for (LLVMValueRef g = LLVMGetFirstGlobal(w->m); g; g = LLVMGetNextGlobal(g))
		vec_push(&all, g);
	record_functions(w);
	for (uint32_t k = 0; k < all.len; k++)
		record_global(w, all.data[k]);
	write_tables(w);
	LLVMStripModuleDebugInfo(w->m);
	if (LLVMPrintModuleToFile(w->m, path, &error))
		die(path, error);
	vec_release(&all);
}

static LLVMModuleRef read_module(LLVMContextRef ctx, const char *path)
{
	LLVMMemoryBufferRef bytes;
	LLVMModuleRef m;
	char *error = NULL;

	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &bytes, &error) || LLVMParseIRInContext(ctx, bytes, &m, &error))
		die(path, error);
#if LLVM_VERSION_MAJOR >= 19
	LLVMSetIsNewDbgInfoFormat(m, false);
#endif
	return m;
}

static void open_work(struct work *w, const char *number, const char *path)
{
	memset(w, 0, sizeof *w);
	w->number = (uint32_t)strtoul(number, NULL, 10);
	if (w->number < 1 || w->number > 127)
		die("the module's number is not in 1..127", number);
	w->ctx = LLVMContextCreate();
	w->m = read_module(w->ctx, path);
	w->sizes = LLVMGetModuleDataLayout(w->m);
	w->b = LLVMCreateBuilderInContext(w->ctx);
	w->ptr = LLVMPointerTypeInContext(w->ctx, 0);
	w->i8 = LLVMInt8TypeInContext(w->ctx);
	w->i32 = LLVMInt32TypeInContext(w->ctx);
	w->i64 = LLVMInt64TypeInContext(w->ctx);
	w->nothing = LLVMVoidTypeInContext(w->ctx);
}

static void close_work(struct work *w)
{
	vec_release(&w->local_rows);
	vec_release(&w->global_rows);
	vec_release(&w->function_rows);
	LLVMDisposeBuilder(w->b);
	LLVMDisposeModule(w->m);
	LLVMContextDispose(w->ctx);
}

int main(int argc, char **argv)
{
	struct work w;

	if (argc != 5 && argc != 6)
		die("usage: cinstrument NUMBER MODULE KEYED.ll RECORDED.ll [LINES]", NULL);
	open_work(&w, argv[1], argv[2]);
	if (argc == 6 && !(w.lines = fopen(argv[5], "w")))
		die("cannot write", argv[5]);
	write_keys(&w, argv[3]);
	write_recorded(&w, argv[4]);
	if (w.lines)
		fclose(w.lines);
	close_work(&w);
	return 0;
}
#endif
