/* SPDX-License-Identifier: Apache-2.0 */
/* body.c - the statements of a row's effects. */
#include "cmodel/cmodel_p.h"

#define MAX_NAMES 32     /* parameters and variables of a row */
#define MAX_ARGS 8       /* of a call */
#define MAX_DEPTH 8      /* of `*`, of parentheses and of `use` */
#define MAX_USES 64      /* in one body */

/* `<`, `>"`, ... */
struct access {
	enum model_token sign;       /* TOKEN_END: none */
	uint8_t flags;               /* of statements: CSTMT_ELEMENTS for what stays in an array or a scalar */
};

struct body {
	struct models *m;
	struct cprogram *p;
	struct model_lexer x;
	cfn_id f, caller;
	cloc_id loc;                 /* of the call that this body is a copy for */
	uint8_t flags;               /* of all statements */
	uint32_t depth, uses, nnames, nparams;
	struct { struct str name; cvar_id var; bool passed; } names[MAX_NAMES];
	struct { struct access access; bool rest; } params[MAX_NAMES];
	bool variadic, allocates;
	uint16_t realloc;
	struct model_flow flow;
};

/* A value, and whether it is one of this call alone: a pointer that the caller passed, or fresh memory. What is done with those
 * is the reason for private copies. */
struct value {
	cvar_id var;
	bool passed;
};

static const struct value nothing = { { 0 }, false };

static void fail(struct body *b, const char *reason)
{
	if (!b->m->error.reason)
		b->m->error = (struct model_error){ reason, b->x.line };
	b->x.at = b->x.text.len;               /* the rest of the row is not looked at */
	model_lexer_next(&b->x);
}

static bool at(const struct body *b, const char *word)
{
	return str_is(b->x.word, word);
}

static bool take(struct body *b, const char *word)
{
	if (!at(b, word))
		return false;
	model_lexer_next(&b->x);
	return true;
}

static void expect(struct body *b, const char *word, const char *reason)
{
	if (!take(b, word))
		fail(b, reason);
}

/* Statements */

static void emit(struct body *b, enum cop op, uint32_t dst, uint32_t src, int32_t off, uint8_t flags)
{
	cir_stmt(b->p, (struct cstmt){ .op = (uint8_t)op, .flags = (uint8_t)(flags | b->flags), .dst = dst, .src = src, .off = off });
}

/* *dst = src, dst = *src: one pointer. */
static void emit_pointer(struct body *b, enum cop op, uint32_t dst, uint32_t src)
{
	cir_stmt(b->p, (struct cstmt){ .op = (uint8_t)op, .flags = b->flags, .dst = dst, .src = src, .width = b->p->pointer_size });
}

static cvar_id temp(struct body *b)
{
	return cir_var(b->p, CVAR_TEMP, (str_id){ 0 }, b->f);
}

static struct value address(struct body *b, cobj_id o)
{
	cvar_id t = temp(b);

	emit(b, C_ADDR, t.i, o.i, 0, 0);
	return (struct value){ t, false };
}

static struct value load(struct body *b, struct value v)
{
	cvar_id t = temp(b);

	if (v.var.i == 0)
		return nothing;
	b->flow.memory |= v.passed;
	emit_pointer(b, C_LOAD, t.i, v.var.i);
	return (struct value){ t, v.passed };
}

static struct value shift(struct body *b, struct value v, struct cstmt how)
{
	cvar_id t = temp(b);

	if (v.var.i == 0)
		return nothing;
	how.op = C_SHIFT;
	how.flags |= b->flags;
	how.dst = t.i;
	how.src = v.var.i;
	cir_stmt(b->p, how);
	return (struct value){ t, v.passed };
}

static void apply(struct body *b, const struct model_row *r, const struct value *args, uint32_t n);

/* What the access does to what v points to itself, and to what that holds a pointer to. */
static void touch(struct body *b, struct value v, struct access access)
{
	static const struct { bool read, write, read_deep, write_deep; } does[] = {
		[TOKEN_READ] = { true, false, false, false },     [TOKEN_WRITE] = { false, true, false, false },
		[TOKEN_BOTH] = { true, true, false, false },      [TOKEN_READ_DEEP] = { true, false, true, false },
		[TOKEN_WRITE_DEEP] = { true, false, false, true }, [TOKEN_STREAM] = { true, true, true, true },
	};

	if (v.var.i == 0)
		return;
	b->flow.memory |= v.passed;
	if (does[access.sign].read)
		emit(b, C_LOAD, 0, v.var.i, 0, access.flags);
	if (does[access.sign].write)
		emit(b, C_STORE, v.var.i, 0, 0, access.flags);
	if (!does[access.sign].read_deep && !does[access.sign].write_deep)
		return;
	struct value inner = load(b, v);
	if (does[access.sign].read_deep)
		emit(b, C_LOAD, 0, inner.var.i, 0, access.flags);
	if (does[access.sign].write_deep)
		emit(b, C_STORE, inner.var.i, 0, 0, access.flags);
	if (access.sign == TOKEN_STREAM && b->m->stream_row)
		apply(b, &b->m->table->rows.data[b->m->stream_row], &v, 1);
}

/* Memory of its own of this call. A copy of a model is for one call of the program, whose heap it is. */
static struct value fresh(struct body *b)
{
	cobj_id o = cir_object(b->p, (struct cobj){ .kind = COBJ_HEAP, .fn = b->caller.i ? b->caller : b->f, .loc = b->loc });
	struct value v = address(b, o);

	v.passed = true;
	return v;
}

/* Arguments beyond the parameters. */
static struct value rest_of_call(struct body *b)
{
	cvar_id t = temp(b);
	cobj_id rest = cir_rest(b->p, b->f);

	emit(b, C_GET, t.i, rest.i, 0, CSTMT_HIDDEN);
	return (struct value){ t, true };
}

/* Those that a va_list stands for: its pointers to them are its first, second or third word, as the ABI wants it. Taking them
 * changes the list. */
static struct value rest_of_list(struct body *b, struct value list)
{
	cvar_id t = temp(b);

	if (list.var.i == 0)
		return nothing;
	emit(b, C_STORE, list.var.i, 0, 0, 0);
	for (int32_t i = 0; i < 3; i++) {
		struct value area = load(b, shift(b, list, (struct cstmt){ .off = i * (int32_t)b->p->pointer_size }));
		emit(b, C_LOAD, t.i, area.var.i, 0, CSTMT_HIDDEN);
	}
	return (struct value){ t, true };
}

/* Terms */

static struct value value(struct body *b);
static struct value call(struct body *b, uint8_t flags);

static uint32_t find_name(const struct body *b, struct str name)
{
	uint32_t i = 0;

	while (i < b->nnames && !str_eq(b->names[i].name, name))
		i++;
	return i;
}

static void add_name(struct body *b, struct str name, cvar_id var, bool passed)
{
	if (b->nnames == MAX_NAMES) {
		fail(b, "too many names in a row");
		return;
	}
	b->names[b->nnames].name = name;
	b->names[b->nnames].var = var;
	b->names[b->nnames++].passed = passed;
}

static struct value unknown(struct body *b)
{
	struct models *m = b->m;

	if (!m->loads_unknown) {
		if (b->caller.i)
			cir_note(b->p, CNOTE_LOADS, b->caller, b->loc, b->p->fns.data[b->f.i].name);
		return nothing;
	}
	cvar_id t = temp(b);
	if (m->unknown.i == 0)
		m->unknown = cir_object(b->p, (struct cobj){ .kind = COBJ_GLOBAL, .flags = COBJ_IMPORTED | COBJ_MODEL | COBJ_REPEATS,
							     .layout = m->cell,
							     .name = intern(&b->p->names, STR("unknown")) });
	emit(b, C_GET, t.i, m->unknown.i, 0, 0);
	return (struct value){ t, false };
}

static struct value named(struct body *b)
{
	struct str name = b->x.word;
	uint32_t i = find_name(b, name);

	model_lexer_next(&b->x);
	if (i < b->nnames)
		return (struct value){ b->names[i].var, b->names[i].passed };
	if (str_is(name, "new"))
		return fresh(b);
	if (str_is(name, "ret"))
		return (struct value){ b->p->fns.data[b->f.i].result, b->flow.result };
	if (str_is(name, "unknown"))
		return unknown(b);
	cobj_id o = models_object(b->m, name);
	if (o.i == 0) {
		fail(b, "neither a parameter nor an object");
		return nothing;
	}
	cvar_id t = temp(b);
	emit(b, C_GET, t.i, o.i, 0, 0);
	return (struct value){ t, false };
}

static struct value address_of(struct body *b)
{
	bool is_name = b->x.token == TOKEN_NAME;
	cobj_id o = is_name ? models_object(b->m, b->x.word) : (cobj_id){ 0 };
	cfn_id f = is_name && o.i == 0 ? models_function(b->m, b->x.word) : (cfn_id){ 0 };

	if (f.i)
		o = b->p->fns.data[f.i].obj;
	if (o.i == 0) {
		fail(b, "no such object or function");
		return nothing;
	}
	model_lexer_next(&b->x);
	return address(b, o);
}

static struct value rest(struct body *b)
{
	if (b->x.token != TOKEN_NAME)
		return rest_of_call(b);
	return rest_of_list(b, named(b));
}

static struct value unary(struct body *b)
{
	struct value v = nothing;

	if (b->depth++ > MAX_DEPTH) {
		fail(b, "nested too deeply");
	} else if (take(b, "*")) {
		v = load(b, unary(b));
	} else if (take(b, "&")) {
		v = address_of(b);
	} else if (take(b, "...")) {
		v = rest(b);
	} else if (take(b, "call")) {
		v = call(b, 0);
	} else if (take(b, "later")) {
		v = call(b, CCALL_LATER);
	} else if (take(b, "(")) {
		v = value(b);
		expect(b, ")", "')' is missing");
	} else if (b->x.token == TOKEN_NUMBER) {
		model_lexer_next(&b->x);
	} else if (b->x.token == TOKEN_NAME) {
		v = named(b);
	} else {
		fail(b, "a value is missing");
	}
	b->depth--;
	return v;
}

static int32_t number(struct str s)
{
	int32_t n = 0;

	for (uint32_t i = 0; i < s.len && n < 100000; i++)
		n = n * 10 + (s.p[i] >= '0' && s.p[i] <= '9' ? s.p[i] - '0' : 0);
	return n;
}

/* `+ any`: another element of the same array. `+ bytes`: another byte. `+ 8`: a field. */
static struct value plus(struct body *b, struct value v)
{
	if (!take(b, "+"))
		return v;
	if (b->x.token == TOKEN_NUMBER)
		v = shift(b, v, (struct cstmt){ .off = number(b->x.word) });
	else if (at(b, "any"))
		v = shift(b, v, (struct cstmt){ .flags = CSTMT_ELEMENTS });
	else if (at(b, "bytes"))
		v = shift(b, v, (struct cstmt){ .width = 1 });
	else
		fail(b, "'any', 'bytes' or a number expected");
	model_lexer_next(&b->x);
	return v;
}

static struct value value(struct body *b)
{
	return plus(b, unary(b));
}

/* (a, b) */
static uint32_t arguments(struct body *b, struct value out[MAX_ARGS])
{
	uint32_t n = 0;

	expect(b, "(", "'(' is missing");
	while (b->x.token != TOKEN_END && !at(b, ")")) {
		struct value v = value(b);
		if (n == MAX_ARGS) {
			fail(b, "too many arguments");
			break;
		}
		out[n++] = v;
		if (!take(b, ","))
			break;
	}
	expect(b, ")", "')' is missing");
	return n;
}

/* f(a, b) */
static struct value call(struct body *b, uint8_t flags)
{
	struct value f = unary(b);
	struct ccall c = { .pointer = f.var, .result = temp(b), .flags = (uint8_t)(CCALL_UNTYPED | flags), .loc = b->loc };
	struct value values[MAX_ARGS];
	cvar_id args[MAX_ARGS];
	bool passed = f.passed;

	c.nargs = arguments(b, values);
	for (uint32_t i = 0; i < c.nargs; i++) {
		passed |= values[i].passed;
		args[i] = values[i].var;
	}
	b->flow.memory |= passed;
	if (c.pointer.i)
		cir_call(b->p, c, args);
	return (struct value){ c.result, f.passed };
}

/* Effects */

/* `*d = *s` copies all that is there. */
static void assign_memory(struct body *b, struct value to)
{
	struct value v;

	if (take(b, "*")) {
		v = unary(b);
		if (!at(b, "+")) {
			if (to.var.i && v.var.i)
				emit(b, C_MOVE, to.var.i, v.var.i, 0, 0);
			b->flow.memory |= v.passed || to.passed;
			return;
		}
		v = plus(b, load(b, v));
	} else {
		v = value(b);
	}
	if (to.var.i)
		emit_pointer(b, C_STORE, to.var.i, v.var.i);
	b->flow.memory |= to.passed;
}

static void assign_name(struct body *b, struct str name)
{
	uint32_t i = find_name(b, name);
	cobj_id o = i < b->nnames ? (cobj_id){ 0 } : models_object(b->m, name);
	struct value v = value(b);

	if (str_is(name, "ret")) {
		emit(b, C_COPY, b->p->fns.data[b->f.i].result.i, v.var.i, 0, 0);
		b->flow.result |= v.passed;
	} else if (o.i) {
		emit(b, C_PUT, o.i, v.var.i, 0, 0);
	} else if (i < b->nnames) {
		emit(b, C_COPY, b->names[i].var.i, v.var.i, 0, 0);
		b->names[i].passed |= v.passed;
	} else {
		add_name(b, name, v.var, v.passed);
	}
}

/* new, new from p: what is returned. Direct calls, also those that have copies, get memory of their own later
 * (allocation_rewrite). */
static void allocation(struct body *b)
{
	struct value v = b->caller.i ? nothing : fresh(b);

	b->allocates = true;
	if (v.var.i)
		emit(b, C_COPY, b->p->fns.data[b->f.i].result.i, v.var.i, 0, 0);
	if (!take(b, "from"))
		return;
	uint32_t i = find_name(b, b->x.word);
	if (i >= b->nparams) {
		fail(b, "not a parameter");
		return;
	}
	if (b->names[i].var.i)
		b->realloc = (uint16_t)(i + 1);
	if (v.var.i && b->names[i].var.i)
		emit(b, C_MOVE, v.var.i, b->names[i].var.i, 0, 0);
	model_lexer_next(&b->x);
}

static void effects(struct body *b);
static void params(struct body *b);
static void touch_params(struct body *b);

/* The effects of another row, here. */
static void apply(struct body *b, const struct model_row *r, const struct value *args, uint32_t n)
{
	struct body outer = *b;

	b->depth++;
	b->x = model_lexer_start(r->rest, r->line);
	b->nnames = b->nparams = 0;
	b->variadic = false;
	params(b);
	for (uint32_t i = 0; i < b->nparams; i++) {
		b->names[i].var = i < n ? args[i].var : (cvar_id){ 0 };
		b->names[i].passed = i < n && args[i].passed;
	}
	touch_params(b);
	effects(b);
	outer.flow = b->flow;
	outer.uses = b->uses;
	if (b->m->error.reason)
		fail(&outer, b->m->error.reason);
	*b = outer;
}

/* use f(a, b) */
static void use(struct body *b)
{
	uint32_t row = b->x.token == TOKEN_NAME ? model_table_row(b->m->table, b->x.word) : 0;
	const struct model_row *r = &b->m->table->rows.data[row];
	struct value args[MAX_ARGS];

	model_lexer_next(&b->x);
	uint32_t n = arguments(b, args);
	if (row == 0 || r->kind != MODEL_FUNCTION)
		fail(b, "no such function");
	else if (b->depth > MAX_DEPTH || b->uses++ > MAX_USES)
		fail(b, "used too often or too deeply");
	else
		apply(b, r, args, n);
}

/* The sign that the lexer is at, if there is one. */
static struct access access(struct body *b)
{
	struct access a = { TOKEN_END, 0 };

	if (b->x.token >= TOKEN_READ && b->x.token <= TOKEN_STREAM) {
		a.sign = b->x.token;
		model_lexer_next(&b->x);
		a.flags = take(b, "\"") ? CSTMT_ELEMENTS : 0;
	}
	return a;
}

static void effect(struct body *b)
{
	struct access a = access(b);
	struct str name = b->x.word;

	if (a.sign != TOKEN_END) {
		touch(b, value(b), a);
	} else if (take(b, "*")) {
		struct value to = unary(b);
		to = plus(b, to);
		expect(b, "=", "'=' is missing");
		assign_memory(b, to);
	} else if (take(b, "new")) {
		allocation(b);
	} else if (take(b, "call")) {
		call(b, 0);
	} else if (take(b, "later")) {
		call(b, CCALL_LATER);
	} else if (take(b, "use")) {
		use(b);
	} else if (b->x.token == TOKEN_NAME) {
		model_lexer_next(&b->x);
		expect(b, "=", "no such effect");
		assign_name(b, name);
	} else {
		fail(b, "an effect is missing");
	}
}

static void sets_errno(struct body *b)
{
	cobj_id o = models_object(b->m, STR("errno"));

	if (o.i)
		emit(b, C_PUT, o.i, 0, 0, 0);
}

/* `: effect; effect` */
static void effects(struct body *b)
{
	if (take(b, "!"))
		sets_errno(b);
	if (b->x.token == TOKEN_END)
		return;
	expect(b, ":", "':' is missing");
	do
		effect(b);
	while (take(b, ";") && b->x.token != TOKEN_END);
	if (b->x.token != TOKEN_END)
		fail(b, "';' is missing");
}

/* Parameters */

static void param(struct body *b)
{
	struct access a = access(b);
	uint32_t i = b->nnames;
	bool rest = take(b, "...");
	if (rest && b->x.token != TOKEN_NAME) {
		b->variadic = true;
		b->params[b->nparams].access = a;
		return;
	}
	if (b->x.token != TOKEN_NAME || i == MAX_NAMES - 1) {
		fail(b, "the name of a parameter is missing");
		return;
	}
	add_name(b, b->x.word, (cvar_id){ 0 }, true);
	b->params[i].access = a;
	b->params[i].rest = rest;
	b->nparams = b->nnames;
	model_lexer_next(&b->x);
}

/* `(<a, b, <...)` */
static void params(struct body *b)
{
	expect(b, "(", "'(' is missing");
	while (b->x.token != TOKEN_END && !at(b, ")")) {
		param(b);
		if (b->variadic || !take(b, ","))
			break;
	}
	expect(b, ")", "')' is missing");
}

/* A declaration without a prototype gets the row's parameters. Rows may have more than a prototype: these have no value. */
static void bind_params(struct body *b, cfn_id of)
{
	struct cfn *f = &b->p->fns.data[of.i];

	if (f->nparams == 0 && f->flags & CFN_VARIADIC) {
		f->params = b->p->vars.len;
		f->nparams = b->nparams;
		for (uint32_t i = 0; i < b->nparams; i++)
			cir_var(b->p, CVAR_PARAM, (str_id){ 0 }, of);
	}
	for (uint32_t i = 0; i < b->nparams && i < f->nparams; i++) {
		struct cvar *v = &b->p->vars.data[f->params + i];
		if (v->name.i == 0)
			v->name = intern(&b->p->names, b->names[i].name);
		b->names[i].var = (cvar_id){ f->params + i };
	}
	f->flags = (uint16_t)(b->variadic ? f->flags | CFN_VARIADIC : f->flags & ~CFN_VARIADIC);
}

static void touch_params(struct body *b)
{
	for (uint32_t i = 0; i < b->nparams; i++) {
		struct value v = { b->names[i].var, b->names[i].passed };
		if (b->params[i].access.sign != TOKEN_END)
			touch(b, b->params[i].rest ? rest_of_list(b, v) : v, b->params[i].access);
	}
	if (b->variadic && b->params[b->nparams].access.sign != TOKEN_END)
		touch(b, rest_of_call(b), b->params[b->nparams].access);
}

struct model_flow model_body(struct models *m, const struct model_row *row, cfn_id f, cfn_id caller, cloc_id loc)
{
	struct body b = { .m = m, .p = m->p, .f = f, .caller = caller, .loc = loc };

	cir_begin(m->p, f);
	if (row->kind == MODEL_PURE) {
		if (row->sets_errno)
			sets_errno(&b);
	} else {
		b.x = model_lexer_start(row->rest, row->line);
		params(&b);
		bind_params(&b, f);
		touch_params(&b);
		effects(&b);
	}
	cir_end(m->p, f);
	m->p->fns.data[f.i].flags |= (uint16_t)(CFN_MODEL | (b.allocates ? CFN_ALLOCATES : 0));
	m->p->fns.data[f.i].realloc = b.realloc;
	return b.flow;
}

void model_start(struct models *m, const struct model_row *row, cfn_id of, cfn_id f)
{
	struct body b = { .m = m, .p = m->p, .f = f, .flags = CSTMT_HIDDEN };
	const struct cfn *started = &m->p->fns.data[of.i];

	b.x = model_lexer_start(row->rest, row->line);
	params(&b);
	for (uint32_t i = 0; i < b.nparams; i++)
		if (i < started->nparams)
			b.names[i].var = (cvar_id){ started->params + i };
	effects(&b);
}
