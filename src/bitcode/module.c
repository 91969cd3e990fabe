/* SPDX-License-Identifier: Apache-2.0 */
/* module.c - a module's symbols, initial values and bodies; what runs before and after main.
 *
 * All symbols come first, since initial values and bodies name any of them. Constructors, destructors and resolvers of
 * ifuncs are called by the loader, with no call in the program: they are marked as starting by themselves
 * (CFN_STARTS), or what only they reach would be missed. */
#include "bitcode/lower_p.h"

#include <llvm-c/Target.h>

#include "base/compiler.h"

enum { MAX_CONSTRUCTORS = 1 << 20 };

/* What is defined here and taken. */
struct definition {
	LLVMValueRef value;
	uint32_t symbol;
};
typedef VEC(struct definition) definitions;

/* Intrinsics and LLVM's own tables have names that C cannot have. */
static bool is_own(LLVMValueRef g)
{
	size_t len;
	const char *name = LLVMGetValueName2(g, &len);

	return !str_starts((struct str){ name, (uint32_t)len }, "llvm.");
}

static void add(struct module *m, LLVMValueRef g, definitions *out)
{
	bool is_taken = false;
	uint32_t s;

	if (!is_own(g))
		return;
	s = symbols_add(m, g, &is_taken);
	*valtable_at(&m->globals, (uint64_t)(uintptr_t)g, 0) = s;
	if (is_taken)
		vec_push(out, ((struct definition){ g, s }));
}

static void add_symbols(struct module *m, definitions *functions, definitions *data, definitions *aliases)
{
	for (LLVMValueRef g = LLVMGetFirstFunction(m->m); g; g = LLVMGetNextFunction(g))
		add(m, g, functions);
	for (LLVMValueRef g = LLVMGetFirstGlobalIFunc(m->m); g; g = LLVMGetNextGlobalIFunc(g))
		add(m, g, functions);
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->m); g; g = LLVMGetNextGlobal(g))
		add(m, g, data);
	for (LLVMValueRef g = LLVMGetFirstGlobalAlias(m->m); g; g = LLVMGetNextGlobalAlias(g))
		add(m, g, aliases);
}

static void starts(struct module *m, LLVMValueRef v, struct lowering *x)
{
	struct val f = low_constant(x, v, 0);

	if (f.kind == VAL_OBJ && m->p->objs.data[f.id].kind == COBJ_FUNCTION)
		m->p->fns.data[m->p->objs.data[f.id].fn.i].flags |= CFN_STARTS;
}

/* An array of { priority, function, data }. */
static void add_constructors(struct module *m, const char *name, struct lowering *x)
{
	LLVMValueRef list = LLVMGetNamedGlobal(m->m, name), rows = list ? LLVMGetInitializer(list) : NULL;
	int n = rows && LLVMIsAConstantArray(rows) ? LLVMGetNumOperands(rows) : 0;

	for (int i = 0; i < n && i < MAX_CONSTRUCTORS; i++) {
		LLVMValueRef row = LLVMGetOperand(rows, (unsigned)i);

		if (LLVMIsAConstantStruct(row) && LLVMGetNumOperands(row) >= 2)
			starts(m, LLVMGetOperand(row, 1), x);
	}
}

/* Functions also start, and end, a program when their addresses are where the loader looks. */
static void add_from_section(struct module *m, LLVMValueRef g, struct lowering *x)
{
	static const char *const names[] = { ".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors" };
	struct str section = str_of(LLVMGetSection(g) ? LLVMGetSection(g) : "");
	LLVMValueRef v = LLVMGetInitializer(g);

	for (uint32_t i = 0; section.len && i < ARRAY_LEN(names); i++) {
		if (!str_starts(section, names[i]))
			continue;
		starts(m, v, x);
		for (int k = 0; LLVMIsAConstantArray(v) && k < LLVMGetNumOperands(v); k++)
			starts(m, LLVMGetOperand(v, (unsigned)k), x);
	}
}

static void initialise_data(struct module *m, const definitions *data, const definitions *aliases, struct lowering *x)
{
	for (uint32_t i = 0; i < data->len; i++) {
		cobj_id o = m->l->rows.data[data->data[i].symbol].obj;

		x->symbol = data->data[i].symbol;
		add_from_section(m, data->data[i].value, x);
		if (m->p->objs.data[o.i].kind != COBJ_STRING)
			low_initialise(x, o, LLVMGetInitializer(data->data[i].value));
	}
	for (uint32_t i = 0; i < aliases->len; i++) {
		struct val to = low_constant(x, LLVMAliasGetAliasee(aliases->data[i].value), 0);

		if (to.kind == VAL_OBJ && to.off >= 0)
			symbols_alias(m->l, aliases->data[i].symbol, (cobj_id){ to.id }, to.off);
	}
}

/* An ifunc is a function whose address a resolver returns when the program is loaded, to fit the processor, say. Here
 * it is one that calls what its resolver returns; the resolver runs before the program does, too. */

static void pass_params(struct module *m, cfn_id f, struct lowering *x)
{
	struct cfn row = m->p->fns.data[f.i];

	vec_clear(&x->args);
	for (uint32_t k = 0; k < row.nparams; k++)
		vec_push(&x->args, ((cvar_id){ row.params + k }));
	if (row.flags & CFN_VARIADIC) {
		cvar_id more = cir_var(m->p, CVAR_TEMP, (str_id){ 0 }, f);

		cir_stmt(m->p, (struct cstmt){ .op = C_GET, .flags = CSTMT_HIDDEN, .dst = more.i, .src = cir_rest(m->p, f).i });
		vec_push(&x->args, more);
	}
}

static void ifunc_lower(struct module *m, const struct definition *d, struct lowering *x)
{
	struct val r = low_constant(x, LLVMGetGlobalIFuncResolver(d->value), 0);
	cfn_id f = m->l->rows.data[d->symbol].fn;
	struct ccall resolve = { .result = cir_var(m->p, CVAR_TEMP, (str_id){ 0 }, f) };
	struct ccall call = { .pointer = resolve.result, .result = m->p->fns.data[f.i].result };

	if (r.kind != VAL_OBJ || m->p->objs.data[r.id].kind != COBJ_FUNCTION)
		return;
	resolve.callee = m->p->objs.data[r.id].fn;
	m->p->fns.data[resolve.callee.i].flags |= CFN_STARTS;
	cir_begin(m->p, f);
	cir_call(m->p, resolve, NULL);
	pass_params(m, f, x);
	call.nargs = x->args.len;
	cir_call(m->p, call, x->args.data);
	cir_end(m->p, f);
}

static void lower_bodies(struct module *m, const definitions *functions, struct lowering *x)
{
	for (uint32_t i = 0; i < functions->len; i++) {
		const struct definition *d = &functions->data[i];

		if (LLVMIsAFunction(d->value))
			low_function(x, d->value, m->l->rows.data[d->symbol].fn);
		else
			ifunc_lower(m, d, x);
	}
}

/* Calling conventions: the System V ABI for x86-64, and AAPCS64, have structs with two or three pointers; others one pointer. */
static void find_va_list(struct module *m)
{
	struct str t = str_of(LLVMGetTarget(m->m));
	bool is_windows = strstr(LLVMGetTarget(m->m), "windows") != NULL;

	if (str_starts(t, "x86_64") && !is_windows) {
		m->va_list_holds[0] = 8;
		m->va_list_holds[1] = 16;
		m->nva_list = 2;
		m->va_list_size = 24;
	} else {
		m->va_list_holds[1] = 8;
		m->va_list_holds[2] = 16;
		m->nva_list = str_starts(t, "aarch64") && !is_windows ? 3 : 1;
		m->va_list_size = m->nva_list == 3 ? 32 : m->p->pointer_size;
	}
}

static str_id path_of(struct module *m)
{
	return intern(&m->p->names, str_of(m->l->paths[m->l->file]));
}

/* Assembly outside of functions defines symbols and code that nobody sees here: it is noted. */
static void note_assembly(struct module *m)
{
	size_t len;

	LLVMGetModuleInlineAsm(m->m, &len);
	if (len)
		cir_note(m->p, CNOTE_ASM, (cfn_id){ 0 }, (cloc_id){ 0 }, path_of(m));
}

static void note_missing_debug(struct module *m, const definitions *functions, const definitions *data)
{
	if (!debug_is_there(m->g) && functions->len + data->len > 0)
		cir_note(m->p, CNOTE_NO_DEBUG, (cfn_id){ 0 }, (cloc_id){ 0 }, path_of(m));
}

static void release(struct lowering *x)
{
	valtable_release(&x->values);
	valtable_release(&x->numbers);
	vec_release(&x->rows);
	vec_release(&x->args);
}

static void lower_all(struct module *m)
{
	struct lowering init = { .m = m, .p = m->p, .fn = m->p->initialisers, .is_initial = true, .numbers = m->l->numbers };
	struct lowering body = { .m = m, .p = m->p };
	definitions functions = { 0 }, data = { 0 }, aliases = { 0 };

	m->l->numbers = (struct valtable){ 0 };
	add_symbols(m, &functions, &data, &aliases);
	note_missing_debug(m, &functions, &data);
	initialise_data(m, &data, &aliases, &init);
	add_constructors(m, "llvm.global_ctors", &init);
	add_constructors(m, "llvm.global_dtors", &init);
	lower_bodies(m, &functions, &body);
	m->l->numbers = init.numbers;
	init.numbers = (struct valtable){ 0 };
	release(&init);
	release(&body);
	vec_release(&functions);
	vec_release(&data);
	vec_release(&aliases);
}

void low_module(struct symbols *l, LLVMModuleRef llvm)
{
	struct module m = { .l = l, .p = l->p, .m = llvm };

#if LLVM_VERSION_MAJOR >= 19
	LLVMSetIsNewDbgInfoFormat(llvm, 0);      /* places of variables as calls, as all versions know them */
#endif
	if (l->file == 0)
		l->p->pointer_size = LLVMPointerSize(LLVMGetModuleDataLayout(llvm));
	m.t = types_new(l->p, llvm);
	m.g = debug_new(l->p, m.t, llvm);
	find_va_list(&m);
	note_assembly(&m);
	lower_all(&m);
	valtable_release(&m.globals);
	valtable_release(&m.intrinsics);
	debug_free(m.g);
	types_free(m.t);
}
