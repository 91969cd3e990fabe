/* SPDX-License-Identifier: Apache-2.0 */
/* symbols.c - symbols over modules.
 *
 * Modules are linked here and not by LLVM, so that only one is in memory. Bodies name objects before their definitions
 * are read, which may be in a later module, and weak ones may be replaced: so a symbol has one object from its first
 * mention on, and definitions fill it in. What turns out to stand for another object (an alias, a function that was
 * declared as data) is forwarded to it when all modules are read. */
#include "bitcode/lower_p.h"

enum {
	MAX_TEXT = 40,
	MAX_FORWARDS = 64,           /* aliases of aliases: damaged files have circles of them */
	MAX_SLOTS = 1 << 14          /* of a vtable: larger ones are one array */
};

void symbols_release(struct symbols *l)
{
	vec_release(&l->rows);
	vec_release(&l->initials);
	vec_release(&l->targets);
	vec_release(&l->gathered);
	map_release(&l->by_name);
	map_release(&l->forwards);
	valtable_release(&l->numbers);
	valtable_release(&l->strings);
}

static bool is_internal(LLVMValueRef g)
{
	LLVMLinkage k = LLVMGetLinkage(g);

	return k == LLVMInternalLinkage || k == LLVMPrivateLinkage || k == LLVMLinkerPrivateLinkage || k == LLVMAppendingLinkage;
}

static enum strength strength_of(LLVMValueRef g)
{
	if (LLVMIsDeclaration(g))
		return UNDEFINED;
	switch (LLVMGetLinkage(g)) {
	case LLVMAvailableExternallyLinkage:     /* a copy of another module's definition, for inlining */
		return AVAILABLE;
	case LLVMLinkOnceAnyLinkage:
	case LLVMLinkOnceODRLinkage:
	case LLVMWeakAnyLinkage:
	case LLVMWeakODRLinkage:
	case LLVMExternalWeakLinkage:
		return WEAK;
	case LLVMCommonLinkage:
		return COMMON;
	default:
		return STRONG;
	}
}

static bool all_digits(struct str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.len > 0;
}

/* As in the source: \1 keeps assemblers from adding to a name; linking modules adds .N to internal ones that are not unique. */
static struct str name_of(LLVMValueRef g)
{
	size_t len;
	const char *p = LLVMGetValueName2(g, &len);
	struct str s = { p, (uint32_t)(len > 1 << 16 ? 1 << 16 : len) };
	int64_t dot = is_internal(g) ? str_rfind(s, '.') : -1;

	if (s.len > 0 && s.p[0] == '\1')
		return str_sub(s, 1, s.len);
	return dot > 0 && all_digits(str_sub(s, (uint32_t)dot + 1, s.len)) ? str_sub(s, 0, (uint32_t)dot) : s;
}

static bool is_function(LLVMValueRef g)
{
	return LLVMIsAFunction(g) || LLVMGetTypeKind(LLVMGlobalGetValueType(g)) == LLVMFunctionTypeKind;
}

/* String literals: those with the same text are one object, as linkers make them. Of a long text, the first MAX_TEXT
 * characters and the length count: there are no pointers in it that could be mixed up. */

static bool is_string(LLVMValueRef g)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(g);
	LLVMValueRef text;

	if (!LLVMIsAGlobalVariable(g) || LLVMGetLinkage(g) != LLVMPrivateLinkage || !LLVMIsGlobalConstant(g) ||
	    LLVMIsDeclaration(g))
		return false;
	text = LLVMGetInitializer(g);
	if (LLVMGetTypeKind(type) != LLVMArrayTypeKind || !(LLVMIsAConstantDataArray(text) || LLVMIsAConstantAggregateZero(text)))
		return false;
	type = LLVMGetElementType(type);         /* wide ones by their name only: there are tables of numbers, too */
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && (LLVMGetIntTypeWidth(type) == 8 || str_starts(name_of(g), ".str"));
}

static str_id text_of(struct cprogram *p, LLVMValueRef initialiser)
{
	size_t len = 0;
	const char *s = LLVMIsAConstantDataArray(initialiser) && LLVMIsConstantString(initialiser) ?
				LLVMGetAsString(initialiser, &len) : "";

	if (len > 0 && s[len - 1] == 0)
		len--;
	return intern(&p->names, (struct str){ s, (uint32_t)(len > MAX_TEXT ? MAX_TEXT : len) });
}

static cobj_id string_object(struct module *m, LLVMValueRef g)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(g);
	uint64_t size = types_size(m->t, type);
	str_id text = text_of(m->p, LLVMGetInitializer(g));
	uint32_t *known = valtable_at(&m->l->strings, text.i, size);

	if (!*known)
		*known = cir_object(m->p, (struct cobj){ .kind = COBJ_STRING, .flags = COBJ_STATIC, .name = text, .size = size,
							 .layout = types_layout(m->t, type) }).i;
	return (cobj_id){ *known };
}

/* Rows. */

static cfn_id new_function(struct module *m, str_id name, LLVMValueRef g)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(g);
	bool is_fn = LLVMGetTypeKind(type) == LLVMFunctionTypeKind;
	uint16_t flags = (uint16_t)((is_internal(g) ? CFN_STATIC : 0) | (is_fn && LLVMIsFunctionVarArg(type) ? CFN_VARIADIC : 0));

	return cir_function(m->p, name, is_fn ? LLVMCountParamTypes(type) : 0, flags, (cloc_id){ 0 });
}

static void add_flag(struct cprogram *p, cobj_id o, enum cobj_flag flag)
{
	p->objs.data[o.i].flags |= (uint8_t)flag;
}

static bool is_vtable(struct module *m, LLVMValueRef g, uint64_t size)
{
	struct str name = name_of(g);
	bool is_one = str_starts(name, "_ZTV") || str_starts(name, "_ZTC") || str_starts(name, "_ZTT");

	return is_one && size && size % m->p->pointer_size == 0 && size / m->p->pointer_size <= MAX_SLOTS;
}

/* The entries of a vtable are functions of different names: not elements of an array. */
static clayout_id slots_layout(struct module *m, uint64_t size)
{
	uint64_t word = m->p->pointer_size;
	struct clayout l = { .kind = CLAYOUT_STRUCT, .size = size, .nfields = (uint32_t)(size / word) };
	clayout_id slot = types_scalar(m->t, word);

	l.first = m->p->fields.len;
	for (uint64_t at = 0; at < size; at += word)
		vec_push(&m->p->fields, ((struct cfield){ .offset = at, .layout = slot }));
	return cir_layout(m->p, l);
}

static void describe_data(struct module *m, struct symbol *s, LLVMValueRef g)
{
	struct source_var v = LLVMIsAGlobalVariable(g) ? debug_global(m->g, g) : (struct source_var){ 0 };
	LLVMTypeRef type = LLVMGlobalGetValueType(g);
	uint32_t fn = v.function ? valtable_get(&m->globals, (uint64_t)(uintptr_t)v.function, 0) : 0;
	uint64_t size = types_size(m->t, type);
	clayout_id l = v.layout.i ? v.layout : is_vtable(m, g, size) ? slots_layout(m, size) : types_layout(m->t, type);
	struct cobj *o = &m->p->objs.data[s->obj.i];

	o->layout = l;
	o->size = size;
	o->loc = v.loc.i ? v.loc : o->loc;
	if (v.name.i && is_internal(g))
		o->name = v.name;
	if (fn)
		o->fn = m->l->rows.data[fn].fn;
}

static void describe_function(struct module *m, struct symbol *s, LLVMValueRef g)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(g);
	uint32_t n = LLVMGetTypeKind(type) == LLVMFunctionTypeKind ? LLVMCountParamTypes(type) : 0;
	struct cfn *f = &m->p->fns.data[s->fn.i];
	cloc_id loc = LLVMIsAFunction(g) ? debug_function_loc(m->g, g) : (cloc_id){ 0 };

	f->flags = (uint16_t)((f->flags & ~(CFN_VARIADIC | CFN_WEAK)) | (n && LLVMIsFunctionVarArg(type) ? CFN_VARIADIC : 0) |
			      (s->strength == WEAK ? CFN_WEAK : 0));
	if (LLVMGetTypeKind(type) == LLVMFunctionTypeKind && LLVMIsFunctionVarArg(type))
		f->flags |= CFN_VARIADIC;
	if (f->nparams != n) {           /* it was declared otherwise */
		f->params = m->p->vars.len;
		f->nparams = n;
		for (uint32_t i = 0; i < n; i++)
			cir_var(m->p, CVAR_PARAM, (str_id){ 0 }, s->fn);
	}
	f->loc = loc;
	m->p->objs.data[s->obj.i].loc = loc;
}

static void forward(struct symbols *l, cobj_id from, cobj_id to, int32_t off)
{
	if (from.i == to.i && off == 0)
		return;
	vec_push(&l->targets, ((struct target){ to, off }));
	*map_at(&l->forwards, from.i) = l->targets.len;
}

/* Mentioned for the first time. */
static uint32_t new_symbol(struct module *m, str_id name, LLVMValueRef g)
{
	struct symbol s = { .name = name };

	if (is_string(g)) {
		s.obj = string_object(m, g);
	} else if (is_function(g)) {
		s.fn = new_function(m, name, g);
		s.obj = m->p->fns.data[s.fn.i].obj;
	} else {
		uint8_t flags = is_internal(g) ? COBJ_STATIC : 0;

		s.obj = cir_object(m->p, (struct cobj){ .kind = COBJ_GLOBAL, .name = name, .flags = flags });
		describe_data(m, &s, g);
	}
	vec_push(&m->l->rows, s);
	return m->l->rows.len - 1;
}

/* A module may know a symbol as data that another one defines as a function, and the other way round: C does not
 * compare declarations of two files. References made before are forwarded. */
static void use_as_function(struct module *m, struct symbol *s, LLVMValueRef g)
{
	cobj_id before = s->obj;

	if (s->fn.i)
		return;
	s->fn = new_function(m, s->name, g);
	s->obj = m->p->fns.data[s->fn.i].obj;
	m->p->objs.data[s->obj.i].flags |= m->p->objs.data[before.i].flags;
	forward(m->l, before, s->obj, 0);
}

static void use_as_data(struct module *m, struct symbol *s)
{
	cobj_id before = s->obj;

	if (!s->fn.i)
		return;
	s->obj = cir_object(m->p, (struct cobj){ .kind = COBJ_GLOBAL, .name = s->name, .flags = m->p->objs.data[before.i].flags });
	s->fn = (cfn_id){ 0 };
	forward(m->l, before, s->obj, 0);
}

static uint32_t find_symbol(struct module *m, LLVMValueRef g)
{
	str_id name = intern(&m->p->names, name_of(g));
	uint32_t *known;

	if (is_internal(g) || name.i == 0)
		return new_symbol(m, name, g);
	known = map_at(&m->l->by_name, name.i);
	if (!*known) {
		uint32_t i = new_symbol(m, name, g);

		*map_at(&m->l->by_name, name.i) = i;
		return i;
	}
	return *known;
}

static void note_section(struct module *m, const struct symbol *s, LLVMValueRef g)
{
	const char *section = LLVMIsAGlobalVariable(g) ? LLVMGetSection(g) : NULL;
	uint32_t row = (uint32_t)(s - m->l->rows.data);

	if (section && *section)
		vec_push(&m->l->gathered, ((struct gathered){ intern(&m->p->names, str_of(section)), row }));
}

/* A definition that is stronger than what there was. */
static void take(struct module *m, struct symbol *s, LLVMValueRef g, enum strength strength)
{
	s->strength = (uint8_t)strength;
	s->file = m->l->file;
	s->definition++;
	s->is_alias = false;
	if (is_function(g))
		use_as_function(m, s, g);
	else
		use_as_data(m, s);
	note_section(m, s, g);
	if (m->p->objs.data[s->obj.i].kind == COBJ_STRING)
		return;
	if (s->fn.i)
		describe_function(m, s, g);
	else
		describe_data(m, s, g);
}

/* `int a[];` here and `int a[10];` there, both common: linkers take the largest. */
static void grow_common(struct module *m, struct symbol *s, LLVMValueRef g)
{
	if (s->strength == COMMON && !s->fn.i && types_size(m->t, LLVMGlobalGetValueType(g)) > m->p->objs.data[s->obj.i].size)
		describe_data(m, s, g);
}

static void complain(struct symbols *l, const struct symbol *s)
{
	struct str name = interned(&l->p->names, s->name);

	l->failed = true;
	diag_add(l->d, DIAG_E063, l->paths[l->file], (struct str){ 0 }, DIAG_NO_OFFSET,
		 "%.*s is also defined in %s; leave one of them out", (int)name.len, name.p, l->paths[s->file]);
}

uint32_t symbols_add(struct module *m, LLVMValueRef g, bool *is_taken)
{
	uint32_t i = find_symbol(m, g);
	struct symbol *s = &m->l->rows.data[i];
	enum strength strength = strength_of(g);

	*is_taken = strength > s->strength;
	if (*is_taken)
		take(m, s, g, strength);
	else if (strength == STRONG)
		complain(m->l, s);
	else if (strength == COMMON)
		grow_common(m, s, g);
	else if (strength == UNDEFINED && s->strength == UNDEFINED && is_function(g))
		use_as_function(m, s, g);
	if (LLVMGetVisibility(g) == LLVMHiddenVisibility)
		add_flag(m->p, s->obj, COBJ_HIDDEN);
	if (*is_taken && LLVMIsAGlobalVariable(g) && LLVMIsGlobalConstant(g))
		add_flag(m->p, s->obj, COBJ_CONSTANT);
	return i;
}

void symbols_alias(struct symbols *l, uint32_t symbol, cobj_id target, int32_t off)
{
	struct symbol *s = &l->rows.data[symbol];

	s->is_alias = true;
	s->target = target;
	s->off = off;
}

/* The end. */

static struct val follow(struct symbols *l, uint32_t obj)
{
	struct val v = { .kind = VAL_OBJ, .id = obj };
	int64_t off = 0;

	for (uint32_t n = 0; n < MAX_FORWARDS; n++) {
		uint32_t k = map_get(&l->forwards, v.id);

		if (!k)
			break;
		v.id = l->targets.data[k - 1].obj.i;
		off += l->targets.data[k - 1].off;
	}
	v.off = (int32_t)(off < INT32_MAX ? off : INT32_MAX);
	return v;
}

/* Nothing refers to what was forwarded: it is left as an empty function or as private data. */
static void retire(struct cprogram *p, cobj_id o)
{
	struct cobj *row = &p->objs.data[o.i];
	struct cfn *f = &p->fns.data[row->fn.i];

	row->flags = COBJ_STATIC;
	if (row->kind != COBJ_FUNCTION)
		return;
	f->flags = CFN_STATIC | CFN_DEFINED;
	f->stmts = p->stmts.len;
	f->nstmts = f->ncalls = 0;
}

/* A visible alias makes what it stands for visible, by its name. */
static void publish(struct symbols *l, const struct symbol *s, struct val to)
{
	struct cobj *from = &l->p->objs.data[s->obj.i], *o = &l->p->objs.data[to.id];
	uint8_t closed = COBJ_STATIC | COBJ_HIDDEN;

	if (from->flags & closed)
		return;
	vec_push(&l->p->aliases, ((struct calias){ s->name, { to.id } }));
	if (!(o->flags & closed))
		return;
	o->flags &= (uint8_t)~closed;
	if (to.off == 0)
		o->name = s->name;
	if (o->kind != COBJ_FUNCTION)
		return;
	l->p->fns.data[o->fn.i].flags &= (uint16_t)~CFN_STATIC;
	cir_rename_function(l->p, o->fn, s->name);
}

static void forward_aliases(struct symbols *l)
{
	for (uint32_t i = 1; i < l->rows.len; i++) {
		const struct symbol *s = &l->rows.data[i];

		if (s->is_alias)
			forward(l, s->obj, s->target, s->off);
	}
	for (uint32_t i = 1; i < l->rows.len; i++)
		if (l->rows.data[i].is_alias)
			publish(l, &l->rows.data[i], follow(l, l->rows.data[i].obj.i));
	for (uint32_t i = 1, n = l->p->objs.len; i < n; i++)
		if (map_get(&l->forwards, i))
			retire(l->p, (cobj_id){ i });
}

static void redirect(struct symbols *l, struct cstmt *s)
{
	uint32_t *obj = s->op == C_PUT ? &s->dst : s->op == C_ADDR || s->op == C_GET ? &s->src : NULL;
	struct val v;

	if (!obj)
		return;
	v = follow(l, *obj);
	*obj = v.id;
	s->off = s->off > INT32_MAX - v.off ? INT32_MAX : s->off + v.off;
}

/* A direct call of an alias is one of what it stands for. */
static void redirect_calls(struct symbols *l)
{
	struct cprogram *p = l->p;

	for (uint32_t i = 1; i < p->calls.len; i++) {
		struct ccall *c = &p->calls.data[i];
		struct val v;

		if (!c->callee.i)
			continue;
		v = follow(l, p->fns.data[c->callee.i].obj.i);
		if (p->objs.data[v.id].kind == COBJ_FUNCTION)
			c->callee = p->objs.data[v.id].fn;
	}
}

static void redirect_all(struct symbols *l)
{
	for (uint32_t i = 0; i < l->p->stmts.len; i++)
		redirect(l, &l->p->stmts.data[i]);
	for (uint32_t i = 0; i < l->initials.len; i++)
		redirect(l, &l->initials.data[i].stmt);
	redirect_calls(l);
}

static void write_initialisers(struct symbols *l)
{
	cir_begin(l->p, l->p->initialisers);
	for (uint32_t i = 0; i < l->initials.len; i++) {
		const struct initial *x = &l->initials.data[i];

		if (!x->symbol || l->rows.data[x->symbol].definition == x->definition)
			cir_stmt(l->p, x->stmt);
	}
	cir_end(l->p, l->p->initialisers);
	vec_release(&l->initials);
}

void symbols_finish(struct symbols *l)
{
	for (uint32_t i = 1; i < l->rows.len; i++) {
		const struct symbol *s = &l->rows.data[i];

		if (s->strength == UNDEFINED && !s->fn.i)
			add_flag(l->p, s->obj, COBJ_IMPORTED);
	}
	forward_aliases(l);
	if (l->targets.len)
		redirect_all(l);
	symbols_gather(l);
	write_initialisers(l);
}
