// SPDX-License-Identifier: Apache-2.0
/* debug.c - names, types and places of the source, by debug information.
 *
 * LLVM's own values have names such as %12, and its type of a union is that of one member: what users read, and which
 * bytes are fields, is in debug information. It is optional, and incomplete after optimisation: a layout is taken only
 * where it has the size of the memory that it is of, and a program without it is analysed with LLVM's types (and
 * noted). */
#include "bitcode/debug/debug_p.h"

enum { MAX_SCOPES = 1000, ASSIGN_OPERANDS = 6 };

/* Nodes. */

bool di_is(LLVMMetadataRef node, LLVMMetadataKind kind)
{
	return node && LLVMGetMetadataKind(node) == kind;
}

static bool has_operands(LLVMMetadataRef node)
{
	if (!node)
		return false;
	switch (LLVMGetMetadataKind(node)) {
	case LLVMMDStringMetadataKind:
	case LLVMConstantAsMetadataMetadataKind:
	case LLVMLocalAsMetadataMetadataKind:
	case LLVMDIArgListMetadataKind:
		return false;
	default:
		return true;
	}
}

uint32_t di_open(struct debug *d, LLVMMetadataRef node, uint32_t *n)
{
	uint32_t start = d->operands.len;
	LLVMValueRef v;

	*n = 0;
	if (!has_operands(node))
		return start;
	v = LLVMMetadataAsValue(d->context, node);
	*n = LLVMGetMDNodeNumOperands(v);
	vec_reserve(&d->operands, (uint64_t)start + *n + 1);
	LLVMGetMDNodeOperands(v, &d->operands.data[start]);
	d->operands.len += *n;
	return start;
}

LLVMMetadataRef di_opened(const struct debug *d, uint32_t at)
{
	LLVMValueRef v = d->operands.data[at];

	return v ? LLVMValueAsMetadata(v) : NULL;
}

void di_close(struct debug *d, uint32_t start)
{
	d->operands.len = start;
}

LLVMMetadataRef di_operand(struct debug *d, LLVMMetadataRef node, uint32_t k)
{
	uint32_t n, start = di_open(d, node, &n);
	LLVMMetadataRef found = k < n ? di_opened(d, start + k) : NULL;

	di_close(d, start);
	return found;
}

static str_id string_of(struct debug *d, LLVMValueRef v)
{
	uint32_t len = 0;
	const char *s = v && LLVMIsAMDString(v) ? LLVMGetMDString(v, &len) : NULL;

	return s ? intern(&d->p->names, (struct str){ s, len }) : (str_id){ 0 };
}

/* Places. */

/* Names are relative to where the compiler ran. Of files with the same name, the first counts. */
static void keep_folder(struct debug *d, str_id name, LLVMMetadataRef file)
{
	uint32_t len = 0, *known;
	const char *s = LLVMDIFileGetDirectory(file, &len);

	if (!name.i || !len || interned(&d->p->names, name).p[0] == '/')
		return;
	known = map_at(&d->p->folders, name.i);
	if (!*known)
		*known = intern(&d->p->names, (struct str){ s, len }).i;
}

static str_id file_name(struct debug *d, LLVMMetadataRef file)
{
	uint32_t *known, len = 0;
	const char *s;

	if (file == d->last_file)
		return d->last_name;
	known = map_at(&d->files, (uint64_t)(uintptr_t)file);
	if (!*known) {
		s = LLVMDIFileGetFilename(file, &len);
		*known = 1 + (len ? intern(&d->p->names, (struct str){ s, len }).i : 0);
		keep_folder(d, (str_id){ *known - 1 }, file);
	}
	d->last_file = file;
	d->last_name = (str_id){ *known - 1 };
	return d->last_name;
}

static cloc_id place(struct debug *d, LLVMMetadataRef file, uint32_t line, uint32_t column)
{
	return di_is(file, LLVMDIFileMetadataKind) && line ? cir_loc(d->p, file_name(d, file), line, column) : (cloc_id){ 0 };
}

cloc_id debug_loc(struct debug *d, LLVMValueRef instruction)
{
	LLVMMetadataRef at = d->there ? LLVMInstructionGetDebugLoc(instruction) : NULL;
	LLVMMetadataRef scope = at ? LLVMDILocationGetScope(at) : NULL;

	if (!scope)
		return (cloc_id){ 0 };
	return place(d, LLVMDIScopeGetFile(scope), LLVMDILocationGetLine(at), LLVMDILocationGetColumn(at));
}

cloc_id debug_function_loc(struct debug *d, LLVMValueRef function)
{
	LLVMMetadataRef s = d->there ? LLVMGetSubprogram(function) : NULL;

	return s ? place(d, LLVMDIScopeGetFile(s), LLVMDISubprogramGetLine(s), 0) : (cloc_id){ 0 };
}

/* Variables. */

LLVMMetadataRef di_variable_type(struct debug *d, LLVMMetadataRef var)
{
	return di_operand(d, var, DI_VAR_TYPE);
}

/* dbg.declare says where a variable is, for all its life; dbg.value what it is, from there on, and is all that
 * optimisers leave of variables that have no memory any more. */

/* `var` is a DILocalVariable or DIGlobalVariable; name, place and pointee. */
static struct source_var describe(struct debug *d, LLVMMetadataRef var, LLVMMetadataRef *type)
{
	uint32_t n, start = di_open(d, var, &n);
	struct source_var v = { 0 };

	if (n > DI_VAR_TYPE) {
		v.name = string_of(d, d->operands.data[start + DI_VAR_NAME]);
		v.loc = place(d, di_opened(d, start + DI_VAR_FILE), LLVMDIVariableGetLine(var), 0);
		*type = di_opened(d, start + DI_VAR_TYPE);
	}
	di_close(d, start);
	return v;
}

LLVMMetadataRef di_global_variable(LLVMValueRef global)
{
	size_t n = 0;
	LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
	LLVMMetadataRef found = NULL;

	for (size_t i = 0; i < n && !found; i++) {
		LLVMMetadataRef md = LLVMValueMetadataEntriesGetMetadata(all, (unsigned)i);

		if (di_is(md, LLVMDIGlobalVariableExpressionMetadataKind))
			found = LLVMDIGlobalVariableExpressionGetVariable(md);
	}
	LLVMDisposeValueMetadataEntries(all);
	return found;
}

/* The functions of the module by their subprograms, once. */
static void find_functions(struct debug *d)
{
	if (d->functions.len)
		return;
	vec_push(&d->functions, NULL);
	for (LLVMValueRef f = LLVMGetFirstFunction(d->module); f; f = LLVMGetNextFunction(f)) {
		LLVMMetadataRef s = LLVMGetSubprogram(f);

		if (!s)
			continue;
		vec_push(&d->functions, f);
		*map_at(&d->function_rows, (uint64_t)(uintptr_t)s) = d->functions.len - 1;
	}
}

/* The function that a scope is in; NULL: none. */
static LLVMValueRef function_around(struct debug *d, LLVMMetadataRef scope)
{
	uint32_t known;

	for (int i = 0; i < MAX_SCOPES && scope && !di_is(scope, LLVMDISubprogramMetadataKind); i++) {
		if (!di_is(scope, LLVMDILexicalBlockMetadataKind) && !di_is(scope, LLVMDILexicalBlockFileMetadataKind))
			return NULL;
		scope = di_operand(d, scope, DI_SCOPE);
	}
	if (!di_is(scope, LLVMDISubprogramMetadataKind))
		return NULL;
	find_functions(d);
	known = map_get(&d->function_rows, (uint64_t)(uintptr_t)scope);
	return known ? d->functions.data[known] : NULL;
}

struct source_var debug_global(struct debug *d, LLVMValueRef global)
{
	LLVMMetadataRef var = d->there ? di_global_variable(global) : NULL, type = NULL;
	const struct di_type *t;
	struct source_var v;

	if (!di_is(var, LLVMDIGlobalVariableMetadataKind))
		return (struct source_var){ 0 };
	v = describe(d, var, &type);
	t = di_type(d, type);
	if (t->layout.i && t->size == types_size(d->t, LLVMGlobalGetValueType(global)))
		v.layout = t->layout;
	v.pointee = di_pointee(d, type);
	v.function = function_around(d, LLVMDIVariableGetScope(var));
	return v;
}

/* Has the memory of an alloca the size of this type? An array of variable length has none. */
static bool fits(struct debug *d, LLVMValueRef alloca, const struct di_type *t)
{
	LLVMValueRef n = LLVMGetOperand(alloca, 0);
	uint64_t each = types_size(d->t, LLVMGetAllocatedType(alloca));

	if (LLVMIsAConstantInt(n))
		return each && t->size == each * LLVMConstIntGetZExtValue(n);
	return t->size == 0;
}

const struct di_local *di_local(const struct debug *d, LLVMValueRef v)
{
	uint32_t known = map_get(&d->local_rows, (uint64_t)(uintptr_t)v);

	return known ? &d->locals.data[known] : NULL;
}

struct source_var debug_local(struct debug *d, LLVMValueRef alloca_or_value)
{
	const struct di_local *l = di_local(d, alloca_or_value);
	LLVMMetadataRef type = NULL;
	const struct di_type *t;
	struct source_var v;

	if (!l)
		return (struct source_var){ 0 };
	v = describe(d, l->var, &type);
	if (!l->exact)
		return v;
	t = di_type(d, type);
	if (l->declared && t->layout.i && (!LLVMIsAAllocaInst(alloca_or_value) || fits(d, alloca_or_value, t)))
		v.layout = t->layout;
	v.pointee = di_pointee(d, type);
	return v;
}

void debug_enter(struct debug *d, LLVMValueRef function)
{
	d->function = function;
}

/* The alloca that a parameter is stored to, also when in parts; *whole: not in parts. NULL: none. Small structs are
 * passed in registers: the source's one parameter is two here, each stored to a part of it. */
static LLVMValueRef home_of(LLVMValueRef param, bool *whole)
{
	for (LLVMUseRef u = LLVMGetFirstUse(param); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u), at;

		if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != param)
			continue;
		at = LLVMGetOperand(user, 1);
		*whole = LLVMIsAAllocaInst(at) != NULL;
		for (int i = 0; i < 3 && (LLVMIsAGetElementPtrInst(at) || LLVMIsABitCastInst(at)); i++)
			at = LLVMGetOperand(at, 0);
		if (LLVMIsAAllocaInst(at))
			return at;
	}
	return NULL;
}

struct source_var debug_param(struct debug *d, uint32_t k)
{
	LLVMValueRef param, home;
	struct source_var v = { 0 };
	const struct di_local *l;
	bool whole = false;

	if (!d->there || !d->function || k >= LLVMCountParams(d->function))
		return v;
	param = LLVMGetParam(d->function, k);
	l = di_local(d, param);
	if (l) {
		v = debug_local(d, param);
		if (l->declared)                 /* passed by its address */
			v.pointee = v.layout;
		v.layout = (clayout_id){ 0 };
		return v;
	}
	home = home_of(param, &whole);
	if (home)
		v = debug_local(d, home);
	if (!whole)
		v.layout = v.pointee = (clayout_id){ 0 };
	return v;
}

/* Is a variable what an address leads to, not the address or what is computed from it? The C API has no other way to ask. */
static bool is_dereferenced(LLVMValueRef expression)
{
	char *text = LLVMPrintValueToString(expression);
	bool is = strstr(text, "DIExpression(DW_OP_deref") != NULL;

	LLVMDisposeMessage(text);
	return is;
}

static bool has_no_expression(const struct debug *d, LLVMValueRef call, uint32_t k)
{
	return LLVMValueAsMetadata(LLVMGetOperand(call, k)) == d->no_expression;
}

/* Where a variable is says more than what it once was, and all of it more than a part. */
static bool is_better(const struct di_local *l, const struct di_local *known)
{
	return l->declared != known->declared ? l->declared : l->exact && !known->exact;
}

/* What dbg.declare(address, variable, expression), dbg.value(value, ...) and dbg.assign(value, variable, expression, id, address,
 * expression) say; of two that say as much of one value, the first read. */
static void read_local(struct debug *d, LLVMValueRef call, bool declared)
{
	bool assigned = LLVMGetNumArgOperands(call) == ASSIGN_OPERANDS;
	LLVMValueRef wrapped = LLVMGetOperand(call, assigned ? 4 : 0), value = NULL;
	LLVMMetadataRef of = LLVMValueAsMetadata(wrapped), var = LLVMValueAsMetadata(LLVMGetOperand(call, 1));
	struct di_local l = { var, declared, has_no_expression(d, call, 2) && (!assigned || has_no_expression(d, call, 5)) };
	uint32_t *known;

	if (!di_is(of, LLVMLocalAsMetadataMetadataKind) || !di_is(var, LLVMDILocalVariableMetadataKind))
		return;
	LLVMGetMDNodeOperands(wrapped, &value);
	if (!declared && LLVMIsAAllocaInst(value) && !is_dereferenced(LLVMGetOperand(call, 2)))
		return;
	known = map_at(&d->local_rows, (uint64_t)(uintptr_t)value);
	if (*known && !is_better(&l, &d->locals.data[*known]))
		return;
	vec_push(&d->locals, l);
	*known = d->locals.len - 1;
}

static void read_locals(struct debug *d, const char *intrinsic, bool declared)
{
	uint32_t n = strcmp(intrinsic, "llvm.dbg.assign") == 0 ? ASSIGN_OPERANDS : 3;
	LLVMValueRef f = LLVMGetNamedFunction(d->module, intrinsic);

	for (LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL; u; u = LLVMGetNextUse(u)) {
		LLVMValueRef call = LLVMGetUser(u);

		if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f && LLVMGetNumArgOperands(call) == n)
			read_local(d, call, declared);
	}
}

struct debug *debug_new(struct cprogram *p, struct types *t, LLVMModuleRef m)
{
	struct debug *d = mem_zalloc(sizeof(*d));
	LLVMDIBuilderRef b;

	d->p = p;
	d->t = t;
	d->module = m;
	d->context = LLVMGetModuleContext(m);
	d->there = LLVMGetNamedMetadataNumOperands(m, "llvm.dbg.cu") > 0;
	vec_push(&d->types, (struct di_type){ 0 });
	vec_push(&d->locals, (struct di_local){ 0 });
	if (!d->there)
		return d;
	b = LLVMCreateDIBuilderDisallowUnresolved(m);
	d->no_expression = LLVMDIBuilderCreateExpression(b, NULL, 0);
	LLVMDisposeDIBuilder(b);
	read_locals(d, "llvm.dbg.declare", true);
	read_locals(d, "llvm.dbg.assign", true);
	read_locals(d, "llvm.dbg.value", false);
	return d;
}

void debug_free(struct debug *d)
{
	if (!d)
		return;
	map_release(&d->files);
	map_release(&d->type_rows);
	map_release(&d->structs);
	map_release(&d->local_rows);
	map_release(&d->function_rows);
	vec_release(&d->types);
	vec_release(&d->operands);
	vec_release(&d->locals);
	vec_release(&d->functions);
	free(d);
}

bool debug_is_there(const struct debug *d)
{
	return d->there;
}
