/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - the invariants of C programs: tables first, so that bodies cannot leave them. Analyses index tables by ids
 * without asking: that is asked here, once, when a program is complete. */
#include "cir/cir.h"

#define MAX_DEPTH 64                     /* of layouts within layouts */

struct checker {
	const struct cprogram *p;
	const char *reason;
	VEC(uint8_t) depths;           /* by layout */
};

static bool bad(struct checker *c, const char *reason)
{
	c->reason = reason;
	return false;
}

static bool in_range(uint32_t first, uint32_t n, uint32_t limit)
{
	return first <= limit && n <= limit - first;
}

static bool is_name(const struct checker *c, str_id s)
{
	return s.i < c->p->names.strings.len;
}

static bool is_loc(const struct checker *c, cloc_id l)
{
	return l.i < c->p->locs.len;
}

static bool is_fn(const struct checker *c, cfn_id f)
{
	return f.i < c->p->fns.len;
}

static bool is_layout(const struct checker *c, clayout_id l)
{
	return l.i < c->p->layouts.len;
}

static bool check_locs(struct checker *c)
{
	for (uint32_t i = 0; i < c->p->locs.len; i++)
		if (!is_name(c, c->p->locs.data[i].file))
			return bad(c, "a location without its file");
	return true;
}

/* Layouts come after those that they contain: there are no cycles, and depths are known. */

static bool check_field(struct checker *c, uint32_t id, uint32_t row, uint64_t end)
{
	const struct cfield *f = &c->p->fields.data[row];
	const struct clayout *l = &c->p->layouts.data[id];

	if (f->layout.i == 0 || f->layout.i >= id)
		return bad(c, "a field's layout does not come before the struct's");
	if (row > l->first && f->offset <= f[-1].offset)
		return bad(c, "fields are not in the order of offsets");
	if (f->offset < end || f->offset > l->size || c->p->layouts.data[f->layout.i].size > l->size - f->offset)
		return bad(c, "fields overlap or leave their struct");
	if (c->depths.data[id] <= c->depths.data[f->layout.i])
		c->depths.data[id] = (uint8_t)(c->depths.data[f->layout.i] + 1);
	return is_name(c, f->name) || bad(c, "a field without its name");
}

static bool check_struct(struct checker *c, uint32_t id)
{
	const struct clayout *l = &c->p->layouts.data[id];
	uint64_t end = 0;

	if (!in_range(l->first, l->nfields, c->p->fields.len))
		return bad(c, "fields out of range");
	for (uint32_t i = 0; i < l->nfields; i++) {
		const struct cfield *f = &c->p->fields.data[l->first + i];

		if (!check_field(c, id, l->first + i, end))
			return false;
		end = f->offset + c->p->layouts.data[f->layout.i].size;
	}
	return true;
}

static bool check_array(struct checker *c, uint32_t id)
{
	const struct clayout *l = &c->p->layouts.data[id], *e = &c->p->layouts.data[l->elem.i < id ? l->elem.i : 0];

	if (l->elem.i == 0 || l->elem.i >= id)
		return bad(c, "elements' layout does not come before the array's");
	if (e->size == 0)
		return bad(c, "an array of elements without size");
	if (l->count > UINT64_MAX / e->size || (l->count > 0 && l->count * e->size != l->size))
		return bad(c, "an array's size is not that of its elements");
	c->depths.data[id] = (uint8_t)(c->depths.data[l->elem.i] + 1);
	return true;
}

static bool check_layouts(struct checker *c)
{
	vec_push(&c->depths, 0);
	for (uint32_t i = 1; i < c->p->layouts.len; i++) {
		const struct clayout *l = &c->p->layouts.data[i];

		vec_push(&c->depths, 1);
		if (l->kind > CLAYOUT_ARRAY || !is_name(c, l->name))
			return bad(c, "a layout of no kind or without its name");
		if ((l->kind == CLAYOUT_STRUCT && !check_struct(c, i)) || (l->kind == CLAYOUT_ARRAY && !check_array(c, i)))
			return false;
		if (c->depths.data[i] > MAX_DEPTH)
			return bad(c, "layouts are nested too deep");
	}
	return true;
}

static bool check_object(struct checker *c, uint32_t id)
{
	const struct cobj *o = &c->p->objs.data[id];

	if (o->kind > COBJ_STRING || !is_name(c, o->name) || !is_fn(c, o->fn) || !is_layout(c, o->layout) || !is_loc(c, o->loc))
		return bad(c, "an object with parts out of range");
	if (o->kind == COBJ_FUNCTION && (o->fn.i == 0 || c->p->fns.data[o->fn.i].obj.i != id))
		return bad(c, "a function's object without its function");
	if (o->kind == COBJ_LOCAL && o->fn.i == 0)
		return bad(c, "a local object without its function");
	if ((o->flags & COBJ_REPEATS) && c->p->layouts.data[o->layout.i].size == 0)
		return bad(c, "an object repeats nothing");
	return true;
}

static bool check_objects(struct checker *c)
{
	for (uint32_t i = 1; i < c->p->objs.len; i++)
		if (!check_object(c, i))
			return false;
	return true;
}

static bool check_vars(struct checker *c)
{
	for (uint32_t i = 1; i < c->p->vars.len; i++) {
		const struct cvar *v = &c->p->vars.data[i];

		if (v->kind > CVAR_LOCAL || !is_name(c, v->name) || !is_fn(c, v->fn) || !is_loc(c, v->loc))
			return bad(c, "a variable with parts out of range");
	}
	return true;
}

/* Functions */

static bool is_var_of(const struct checker *c, uint32_t v, enum cvar_kind kind, uint32_t f)
{
	return v > 0 && v < c->p->vars.len && c->p->vars.data[v].kind == kind && c->p->vars.data[v].fn.i == f;
}

static bool check_head(struct checker *c, uint32_t id)
{
	const struct cfn *f = &c->p->fns.data[id];

	if (!is_name(c, f->name) || !is_loc(c, f->loc) || !is_fn(c, f->of) || !in_range(f->params, f->nparams, c->p->vars.len))
		return bad(c, "a function with parts out of range");
	if (f->obj.i >= c->p->objs.len || c->p->objs.data[f->obj.i].kind != COBJ_FUNCTION || c->p->objs.data[f->obj.i].fn.i != id)
		return bad(c, "a function without its object");
	for (uint32_t i = 0; i < f->nparams; i++)
		if (!is_var_of(c, f->params + i, CVAR_PARAM, id))
			return bad(c, "a parameter that is not its function's");
	if (!is_var_of(c, f->result.i, CVAR_RESULT, id))
		return bad(c, "a function without its result");
	if (f->rest.i >= c->p->objs.len || (f->rest.i && c->p->objs.data[f->rest.i].fn.i != id))
		return bad(c, "other arguments that are not their function's");
	if (f->realloc > f->nparams || f->returns > f->nparams)
		return bad(c, "the parameter whose contents move, or that is returned, does not exist");
	if (f->other.i && !is_var_of(c, f->other.i, CVAR_TEMP, id))
		return bad(c, "what is also returned is not its function's");
	return true;
}

/* Models and placeholders also set variables of others: the parameters of main. What else wrappers return is their callers', too. */
static bool may_name(const struct checker *c, uint32_t f, uint32_t v)
{
	if (v == 0)
		return true;
	if (v >= c->p->vars.len)
		return false;
	cfn_id owner = c->p->vars.data[v].fn;
	return owner.i == f || owner.i == 0 || (c->p->fns.data[f].flags & (CFN_MODEL | CFN_PLACEHOLDER)) ||
	       c->p->fns.data[owner.i].other.i == v;
}

static bool is_object(const struct checker *c, uint32_t o)
{
	return o > 0 && o < c->p->objs.len;
}

static bool check_call(struct checker *c, uint32_t f, const struct ccall *k)
{
	if (k->caller.i != f || !is_fn(c, k->callee) || !is_layout(c, k->hint) || !is_loc(c, k->loc) ||
	    k->memory.i >= c->p->objs.len)
		return bad(c, "a call with parts out of range");
	if (k->callee.i && k->pointer.i)
		return bad(c, "a call that is both direct and through a pointer");
	if (!may_name(c, f, k->pointer.i) || !may_name(c, f, k->result.i) || !in_range(k->args, k->nargs, c->p->args.len))
		return bad(c, "a call with a variable of another function, or arguments out of range");
	for (uint32_t i = 0; i < k->nargs; i++)
		if (!may_name(c, f, c->p->args.data[k->args + i].i))
			return bad(c, "an argument that is another function's variable");
	return true;
}

static bool check_stmt(struct checker *c, uint32_t f, const struct cstmt *s)
{
	if (s->op >= C_CALL || !is_loc(c, s->loc))
		return bad(c, "a statement of no kind or nowhere");
	if (s->op == C_ADDR || s->op == C_GET)
		return (is_object(c, s->src) && may_name(c, f, s->dst) && (s->op == C_ADDR || s->off >= 0)) ||
		       bad(c, "an object or variable out of range, or a negative offset");
	if (s->op == C_PUT)
		return (is_object(c, s->dst) && may_name(c, f, s->src) && s->off >= 0) ||
		       bad(c, "an object or variable out of range, or a negative offset");
	return (may_name(c, f, s->dst) && may_name(c, f, s->src)) || bad(c, "a statement with a variable of another function");
}

/* Calls have their rows in the order of statements. */
static bool check_body(struct checker *c, uint32_t id)
{
	const struct cfn *f = &c->p->fns.data[id];
	uint32_t calls = f->calls;

	if (!in_range(f->stmts, f->nstmts, c->p->stmts.len) || !in_range(f->calls, f->ncalls, c->p->calls.len))
		return bad(c, "a body out of range");
	if ((f->nstmts || f->ncalls) && !(f->flags & CFN_DEFINED))
		return bad(c, "a body of a function that is not defined");
	for (uint32_t i = 0; i < f->nstmts; i++) {
		const struct cstmt *s = &c->p->stmts.data[f->stmts + i];

		if (s->op != C_CALL) {
			if (!check_stmt(c, id, s))
				return false;
			continue;
		}
		if (s->dst != calls || calls >= f->calls + f->ncalls || !is_loc(c, s->loc))
			return bad(c, "a call out of order, or nowhere");
		if (!check_call(c, id, &c->p->calls.data[calls++]))
			return false;
	}
	return calls == f->calls + f->ncalls || bad(c, "a call without its statement");
}

static bool check_functions(struct checker *c)
{
	for (uint32_t i = 1; i < c->p->fns.len; i++)
		if (!check_head(c, i) || !check_body(c, i))
			return false;
	return true;
}

static bool check_notes(struct checker *c)
{
	for (uint32_t i = 1; i < c->p->notes.len; i++) {
		const struct cnote *n = &c->p->notes.data[i];

		if (n->kind >= CNOTES || !is_fn(c, n->fn) || !is_loc(c, n->loc) || !is_name(c, n->text))
			return bad(c, "a note with parts out of range");
	}
	return true;
}

/* In the order of parameters, which are found by it. */
static bool check_uses(struct checker *c)
{
	for (uint32_t i = 0; i < c->p->uses.len; i++) {
		const struct cuse *u = &c->p->uses.data[i];

		if (u->param.i == 0 || u->param.i >= c->p->vars.len || (i && u->param.i <= u[-1].param.i))
			return bad(c, "uses of parameters out of order or range");
		const struct cvar *v = &c->p->vars.data[u->param.i];
		if (v->kind != CVAR_PARAM || u->moves > c->p->fns.data[v->fn.i].nparams)
			return bad(c, "a use of what is no parameter");
	}
	return true;
}

static bool check_rest(struct checker *c)
{
	for (uint32_t i = 0; i < c->p->aliases.len; i++)
		if (!is_name(c, c->p->aliases.data[i].name) || !is_object(c, c->p->aliases.data[i].obj.i))
			return bad(c, "another name of nothing");
	if (c->p->pointer_size == 0 || c->p->pointer_size > 16)
		return bad(c, "pointers of an impossible size");
	return is_fn(c, c->p->initialisers) || bad(c, "initialisers that do not exist");
}

bool cir_check(const struct cprogram *p, const char **reason)
{
	struct checker c = { .p = p };
	bool ok = check_locs(&c) && check_layouts(&c) && check_objects(&c) && check_vars(&c) && check_functions(&c) &&
		  check_notes(&c) && check_uses(&c) && check_rest(&c);

	vec_release(&c.depths);
	if (!ok)
		*reason = c.reason;
	return ok;
}
