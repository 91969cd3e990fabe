/* SPDX-License-Identifier: Apache-2.0 */
/* placeholders.c - unknown code as one variable and one procedure: figure 3.4 and section 3.4.2 of the thesis. */
#include "cmodel/cmodel.h"

struct unknowns {
	struct cprogram *p;
	bool library;
	bool starts;                 /* unknown code runs also when nobody calls it: it is a client, or gives its globals values */
	bool *used;                  /* by function: it is called, or its address is taken */
	cobj_id var;
	cfn_id proc;
	VEC(cobj_id) seen;           /* what unknown code can name */
	uint32_t formals, actuals;   /* n and m of the figure */
};

static bool is_unknown(const struct cfn *f)
{
	return !(f->flags & CFN_DEFINED);
}

static bool is_unknown_global(const struct cobj *o)
{
	return o->kind == COBJ_GLOBAL && o->flags & COBJ_IMPORTED;
}

/* The function whose address the statement takes; none. */
static cfn_id address_taken(const struct cprogram *p, const struct cstmt *s)
{
	if (s->op != C_ADDR || p->objs.data[s->src].kind != COBJ_FUNCTION)
		return (cfn_id){ 0 };
	return p->objs.data[s->src].fn;
}

static void find_used(struct unknowns *u)
{
	const struct cprogram *p = u->p;

	for (uint32_t i = 1; i < p->calls.len; i++)
		u->used[p->calls.data[i].callee.i] = true;
	for (uint32_t i = 0; i < p->stmts.len; i++)
		u->used[address_taken(p, &p->stmts.data[i]).i] = true;
	u->used[0] = false;
}

static bool any_unknown_function(const struct unknowns *u)
{
	for (uint32_t i = 1; i < u->p->fns.len; i++)
		if (u->used[i] && is_unknown(&u->p->fns.data[i]))
			return true;
	return false;
}

static bool any_unknown_global(const struct cprogram *p)
{
	for (uint32_t i = 1; i < p->objs.len; i++)
		if (is_unknown_global(&p->objs.data[i]))
			return true;
	return false;
}

/* Clients and unknown libraries share the C library with the program: what it keeps they may have put there, and can get. */
static bool can_name(const struct unknowns *u, const struct cobj *o)
{
	if (is_unknown_global(o) || (o->kind == COBJ_GLOBAL && o->flags & COBJ_MODEL))
		return true;
	return u->library && o->flags & COBJ_EXPORTED;
}

static void find_seen(struct unknowns *u)
{
	for (uint32_t i = 1; i < u->p->objs.len; i++)
		if (can_name(u, &u->p->objs.data[i]))
			vec_push(&u->seen, (cobj_id){ i });
}

/* n: the most actuals of calls that may end in ph_proc. */
static uint32_t most_actuals(const struct unknowns *u)
{
	const struct cprogram *p = u->p;
	uint32_t n = 0;

	for (uint32_t i = 1; i < p->calls.len; i++) {
		const struct ccall *c = &p->calls.data[i];
		if ((c->callee.i == 0 || is_unknown(&p->fns.data[c->callee.i])) && c->nargs > n)
			n = c->nargs;
	}
	return n;
}

/* One more than there are parameters reaches the other arguments of a variadic function. */
static uint32_t wanted(const struct cprogram *p, cfn_id f)
{
	return f.i ? p->fns.data[f.i].nparams + (p->fns.data[f.i].flags & CFN_VARIADIC ? 1 : 0) : 0;
}

/* m: the most formals of functions that unknown code may call. */
static uint32_t most_formals(const struct unknowns *u)
{
	const struct cprogram *p = u->p;
	uint32_t m = u->formals;

	for (uint32_t i = 0; i < p->stmts.len; i++) {
		uint32_t n = wanted(p, address_taken(p, &p->stmts.data[i]));
		m = n > m ? n : m;
	}
	for (uint32_t i = 0; i < u->seen.len; i++) {
		const struct cobj *o = &p->objs.data[u->seen.data[i].i];
		uint32_t n = o->kind == COBJ_FUNCTION ? wanted(p, o->fn) : 0;
		m = n > m ? n : m;
	}
	return m;
}

static void emit(struct unknowns *u, enum cop op, uint32_t dst, uint32_t src, uint32_t width)
{
	cir_stmt(u->p, (struct cstmt){ .op = (uint8_t)op, .dst = dst, .src = src, .width = width });
}

static cvar_id temp(struct unknowns *u)
{
	return cir_var(u->p, CVAR_TEMP, (str_id){ 0 }, u->proc);
}

/* ph_var = v */
static void put(struct unknowns *u, cvar_id v)
{
	emit(u, C_PUT, u->var.i, v.i, u->p->pointer_size);
}

/* ph_var = &o */
static void put_address(struct unknowns *u, cobj_id o)
{
	cvar_id t = temp(u);

	emit(u, C_ADDR, t.i, o.i, 0);
	put(u, t);
}

/* ph_var = (*ph_var)(ph_var, ..., ph_var), by any thread */
static void put_call(struct unknowns *u, cvar_id v)
{
	struct ccall c = { .pointer = v, .result = temp(u), .nargs = u->actuals, .flags = CCALL_UNTYPED | CCALL_LATER };
	cvar_id *args = mem_alloc((c.nargs + 1) * sizeof(*args));

	for (uint32_t i = 0; i < c.nargs; i++)
		args[i] = v;
	cir_call(u->p, c, args);
	free(args);
	put(u, c.result);
}

/* In the order of the figure. Unknown code also computes with pointers: it reaches all of what it has a pointer into. */
static void write_body(struct unknowns *u)
{
	struct cprogram *p = u->p;
	struct cfn f = p->fns.data[u->proc.i];
	cvar_id v = temp(u), loaded = temp(u), moved = temp(u);

	cir_begin(p, u->proc);
	emit(u, C_GET, v.i, u->var.i, p->pointer_size);
	for (uint32_t i = 0; i < f.nparams; i++)
		put(u, (cvar_id){ f.params + i });
	for (uint32_t i = 0; i < u->seen.len; i++)
		put_address(u, u->seen.data[i]);
	put_address(u, u->var);
	emit(u, C_LOAD, loaded.i, v.i, 0);
	put(u, loaded);
	emit(u, C_STORE, v.i, v.i, 0);
	put_address(u, f.obj);
	cir_stmt(p, (struct cstmt){ .op = C_SHIFT, .flags = CSTMT_BYTES, .dst = moved.i, .src = v.i, .width = 1 });
	put(u, moved);
	put_call(u, v);
	emit(u, C_COPY, f.result.i, v.i, 0);
	cir_end(p, u->proc);
}

static void make(struct unknowns *u)
{
	struct cprogram *p = u->p;
	clayout_id cell = cir_layout(p, (struct clayout){ .kind = CLAYOUT_SCALAR, .size = p->pointer_size });
	uint16_t flags = (uint16_t)(CFN_PLACEHOLDER | (u->starts ? CFN_STARTS : 0));

	u->var = cir_object(p, (struct cobj){ .kind = COBJ_GLOBAL, .flags = COBJ_PLACEHOLDER, .name = intern(&p->names, STR("ph_var")),
					      .layout = cell, .size = p->pointer_size });
	u->proc = cir_function(p, intern(&p->names, STR("ph_proc")), u->formals, flags, (cloc_id){ 0 });
	p->objs.data[p->fns.data[u->proc.i].obj.i].flags |= COBJ_PLACEHOLDER;
}

/* Functions that nobody knows: calls of them and their addresses are ph_proc's. */
static void replace_unknown(struct unknowns *u, uint32_t nfns)
{
	struct cprogram *p = u->p;
	cobj_id proc = p->fns.data[u->proc.i].obj;

	for (uint32_t i = 1; i < nfns; i++)
		if (u->used[i] && is_unknown(&p->fns.data[i])) {
			p->fns.data[i].flags |= CFN_UNKNOWN;
			cir_note(p, CNOTE_UNKNOWN, (cfn_id){ i }, p->fns.data[i].loc, p->fns.data[i].name);
		}
	for (uint32_t i = 1; i < p->calls.len; i++)
		if (p->calls.data[i].callee.i && is_unknown(&p->fns.data[p->calls.data[i].callee.i]))
			p->calls.data[i].callee = u->proc;
	for (uint32_t i = 0; i < p->stmts.len; i++) {
		cfn_id f = address_taken(p, &p->stmts.data[i]);
		if (f.i && is_unknown(&p->fns.data[f.i]))
			p->stmts.data[i].src = proc.i;
	}
}

struct cplaceholders cmodel_placeholders(struct cprogram *p, bool library)
{
	struct unknowns u = { .p = p, .library = library, .used = mem_zalloc(p->fns.len * sizeof(bool)) };
	uint32_t nfns = p->fns.len;

	find_used(&u);
	u.starts = library || any_unknown_global(p);
	if (u.starts || any_unknown_function(&u)) {
		find_seen(&u);
		u.formals = most_actuals(&u);
		make(&u);
		u.actuals = most_formals(&u);
		write_body(&u);
		replace_unknown(&u, nfns);
	}
	free(u.used);
	vec_release(&u.seen);
	return (struct cplaceholders){ u.var, u.proc };
}
