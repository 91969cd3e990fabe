/* SPDX-License-Identifier: Apache-2.0 */
/* allocation.c - allocation sites, and functions that hand out what allocators return.
 *
 * Memory is named by the call that allocates it. Most programs allocate in one function of their own, which calls
 * malloc(): by that call alone, nearly all of their memory would have one name, and every pointer to it would be to
 * all of it. So calls of such a function, a *wrapper*, are allocation sites instead, and wrappers of wrappers are
 * found until there are no more.
 *
 * A wrapper's memory has two names: the inner object, for the wrapper's body, and one for each call of the wrapper,
 * for all others. That is sound when nobody else ever sees the inner name - the pointer is not stored, and passed to
 * nobody who keeps it - and when the body stores no pointers into the memory but those that it moves there from a
 * parameter's memory, which calls then do as well (cfn.realloc). Where the body may also return a parameter, so do
 * calls. All else that it may return is kept apart from the fresh memory, in a variable of its own (cfn.other), which
 * calls get as well. */
#include "analysis/allocation/allocation.h"

#include <stdlib.h>

#include "base/map.h"

#define MAX_DEPTH 12                     /* of calls that a pointer is followed through */

/* What a variable holds: the pointer, or one beside it. */
enum { SET_EXACT = 1, SET_SHIFTED = 2 };

/* What a function does with a pointer that it is given, and with the memory behind it. */
struct use {
	bool escapes;                  /* stored, or passed to who knows whom */
	bool written;                  /* something that may carry pointers is stored behind it */
	uint8_t returned;              /* SET_EXACT, SET_SHIFTED; 0: not */
	uint16_t moves;                /* 1 + the parameter whose contents are moved behind it */
};

enum { STATE_BUSY = 1, STATE_ROWS };     /* of memos: row number + STATE_ROWS */

struct heap {
	struct cprogram *p;
	struct map memo;               /* by parameter: of `uses` */
	VEC(struct use) uses;
	VEC(struct other) others;
	VEC(struct cuse) settled;
};

/* A wrapper may return what the variable holds. */
struct other {
	cfn_id fn;
	uint32_t var;
};

/* One function, and the variables that hold what is followed. */
struct flow {
	struct heap *h;
	cfn_id fn;
	const struct cfn *f;
	unsigned depth;
	struct map held;               /* by variable: SET_EXACT or SET_SHIFTED */
	bool changed;
	struct use use;
};

static const struct cfn *fn_row(const struct heap *h, cfn_id f)
{
	return &h->p->fns.data[f.i];
}

static uint32_t actual(const struct heap *h, const struct ccall *c, uint32_t i)
{
	return i < c->nargs ? h->p->args.data[c->args + i].i : 0;
}

/* 1 + the number of the parameter that `v` is; 0: none. */
static uint32_t param_of(const struct cfn *f, uint32_t v)
{
	return v >= f->params && v - f->params < f->nparams ? v - f->params + 1 : 0;
}

static void hold(struct flow *w, uint32_t v, uint32_t how)
{
	if (v == 0)
		return;
	uint32_t *at = map_at(&w->held, v);

	if (*at < how) {
		*at = how;
		w->changed = true;
	}
}

/* Where a value comes from: by copies, from one parameter and from what is followed, nothing else. Only then can a
 * call of the wrapper say the same with its own argument. */

struct origin {
	struct map set;
	uint32_t param;                /* 1 + its number */
	bool failed, changed;
};

static void add_origin(const struct flow *w, struct origin *o, uint32_t v)
{
	uint32_t param = param_of(w->f, v);
	uint32_t *at = v ? map_at(&o->set, v) : NULL;

	if (!at || *at)
		return;
	*at = 1;
	o->changed = true;
	if (param && o->param && o->param != param)
		o->failed = true;
	if (param)
		o->param = param;
}

static uint32_t returns_param(const struct flow *w, cfn_id callee);

/* Fresh memory that is followed, or one of the arguments. */
static void origin_call(const struct flow *w, struct origin *o, const struct ccall *c)
{
	const struct cfn *callee = fn_row(w->h, c->callee);
	bool is_fresh = c->callee.i && (callee->flags & CFN_ALLOCATES || c->callee.i == w->fn.i);
	uint32_t through;

	if (c->result.i == 0 || !map_get(&o->set, c->result.i))
		return;
	if (is_fresh && !callee->other.i && map_get(&w->held, c->result.i) == SET_EXACT) {
		if (callee->returns)
			add_origin(w, o, actual(w->h, c, callee->returns - 1u));
	} else if ((through = returns_param(w, c->callee)) != 0) {
		add_origin(w, o, actual(w->h, c, through - 1));
	} else {
		o->failed = true;
	}
}

static void origin_stmt(const struct flow *w, struct origin *o, const struct cstmt *s)
{
	if (s->op == C_CALL) {
		origin_call(w, o, &w->h->p->calls.data[s->dst]);
	} else if (s->op != C_PUT && s->op != C_STORE && s->op != C_MOVE && s->dst && map_get(&o->set, s->dst)) {
		if (cir_is_copy(s))
			add_origin(w, o, s->src);
		else
			o->failed = true;
	}
}

/* False: from elsewhere. */
static bool find_origin(const struct flow *w, uint32_t v, uint32_t *param)
{
	struct origin o = { 0 };

	add_origin(w, &o, v);
	while (o.changed && !o.failed) {
		o.changed = false;
		for (uint32_t i = w->f->nstmts; i > 0 && !o.failed; i--)
			origin_stmt(w, &o, &w->h->p->stmts.data[w->f->stmts + i - 1]);
	}
	map_release(&o.set);
	*param = o.param;
	return !o.failed;
}

/* What is known of parameters of a settled function; NULL: nothing. */
static const struct cuse *settled_use(const struct cprogram *p, uint32_t param)
{
	uint32_t from = 0, to = p->uses.len;

	while (from < to) {
		uint32_t mid = from + (to - from) / 2;
		if (p->uses.data[mid].param.i < param)
			from = mid + 1;
		else
			to = mid;
	}
	return from < p->uses.len && p->uses.data[from].param.i == param ? &p->uses.data[from] : NULL;
}

static uint32_t settled_return(const struct cprogram *p, const struct cfn *f)
{
	for (uint32_t i = 0; i < f->nparams; i++) {
		const struct cuse *u = settled_use(p, f->params + i);
		if (u && u->flags & CUSE_ONLY)
			return i + 1;
	}
	return 0;
}

/* Does the callee return nothing but one of its parameters, as memset does? 1 + its number. Not through further calls. */
static uint32_t returns_param(const struct flow *w, cfn_id callee)
{
	struct flow inner = { .h = w->h, .fn = callee, .f = fn_row(w->h, callee), .depth = MAX_DEPTH + 1 };
	uint32_t param = 0;

	if (callee.i == 0 || !(inner.f->flags & CFN_DEFINED) || w->depth > MAX_DEPTH)
		return 0;
	if (inner.f->flags & CFN_SETTLED)
		return settled_return(w->h->p, inner.f);
	return find_origin(&inner, inner.f->result.i, &param) ? param : 0;
}

/* The contents of what `from` points to are moved behind what is followed. */
static void move_from(struct flow *w, uint32_t from)
{
	uint32_t param;

	if (from == 0)
		return;
	if (!find_origin(w, from, &param) || (param && w->use.moves && w->use.moves != param))
		w->use.written = true;
	else if (param)
		w->use.moves = (uint16_t)param;
}

static struct use use_of_param(struct heap *h, cfn_id f, uint32_t i, unsigned depth);

/* What the call does with argument `i`, which is followed. */
static void flow_arg(struct flow *w, const struct ccall *c, uint32_t i)
{
	const struct cfn *callee = fn_row(w->h, c->callee);
	uint32_t how = map_get(&w->held, actual(w->h, c, i));

	if (c->callee.i == 0 || !(callee->flags & CFN_DEFINED) || (i >= callee->nparams && callee->rest.i)) {
		w->use.escapes = true;
		return;
	}
	if (i >= callee->nparams)
		return;
	struct use u = use_of_param(w->h, c->callee, i, w->depth + 1);
	w->use.escapes |= u.escapes;
	w->use.written |= u.written || (u.moves && how == SET_SHIFTED);
	if (u.moves)
		move_from(w, actual(w->h, c, u.moves - 1u));
	if (u.returned)
		hold(w, c->result.i, how > u.returned ? how : u.returned);
}

static void flow_call(struct flow *w, const struct ccall *c)
{
	for (uint32_t i = 0; i < c->nargs && !w->use.escapes; i++)
		if (map_get(&w->held, actual(w->h, c, i)))
			flow_arg(w, c, i);
}

static void flow_stmt(struct flow *w, const struct cstmt *s)
{
	uint32_t src = s->op == C_ADDR || s->op == C_GET || s->op == C_CALL ? 0 : map_get(&w->held, s->src);

	if (s->op == C_CALL)
		flow_call(w, &w->h->p->calls.data[s->dst]);
	else if ((s->op == C_COPY || s->op == C_SHIFT) && src)
		hold(w, s->dst, cir_is_copy(s) ? src : SET_SHIFTED);
	else if ((s->op == C_PUT || s->op == C_STORE) && src)
		w->use.escapes = true;
	else if (s->op == C_STORE && s->src && map_get(&w->held, s->dst))
		w->use.written = true;
	else if (s->op == C_MOVE && map_get(&w->held, s->dst) == SET_SHIFTED)
		w->use.written = true;
	else if (s->op == C_MOVE && map_get(&w->held, s->dst))
		move_from(w, s->src);
}

static void follow(struct flow *w)
{
	do {
		w->changed = false;
		for (uint32_t i = 0; i < w->f->nstmts && !w->use.escapes; i++)
			flow_stmt(w, &w->h->p->stmts.data[w->f->stmts + i]);
	} while (w->changed && !w->use.escapes);
	w->use.returned = (uint8_t)map_get(&w->held, w->f->result.i);
}

static struct use use_of_settled(const struct cprogram *p, uint32_t param)
{
	const struct cuse *u = settled_use(p, param);

	if (!u)
		return (struct use){ .escapes = true };
	return (struct use){ .escapes = u->flags & CUSE_ESCAPES, .written = u->flags & CUSE_WRITTEN, .moves = u->moves,
			     .returned = u->flags & CUSE_SHIFTED ? SET_SHIFTED : u->flags & CUSE_RETURNED ? SET_EXACT : 0 };
}

/* Recursion is met with the worst answer. */
static struct use use_of_param(struct heap *h, cfn_id f, uint32_t i, unsigned depth)
{
	struct flow w = { .h = h, .fn = f, .f = fn_row(h, f), .depth = depth };
	uint32_t v = w.f->params + i, *memo = map_at(&h->memo, v);

	if (w.f->flags & CFN_SETTLED)
		return use_of_settled(h->p, v);
	if (*memo >= STATE_ROWS)
		return h->uses.data[*memo - STATE_ROWS];
	if (*memo == STATE_BUSY || depth > MAX_DEPTH) {
		if (*memo == 0)
			*memo = STATE_BUSY;
		return (struct use){ .escapes = true };
	}
	*memo = STATE_BUSY;
	hold(&w, v, SET_EXACT);
	follow(&w);
	map_release(&w.held);
	*map_at(&h->memo, v) = h->uses.len + STATE_ROWS;
	vec_push(&h->uses, w.use);
	return w.use;
}

/* Wrappers. `sources` are the variables that may be returned: copies of what fresh calls return, perhaps one parameter, and
 * `others`, which get something else. */

struct wrapper {
	struct heap *h;
	cfn_id fn;
	const struct cfn *f;
	struct map sources;
	VEC(uint32_t) others;
	uint32_t returns;              /* 1 + a parameter */
	bool allocates, changed;
};

static void add_source(struct wrapper *x, uint32_t v)
{
	uint32_t *at = v ? map_at(&x->sources, v) : NULL;
	uint32_t param = param_of(x->f, v);

	if (!at || *at)
		return;
	*at = 1;
	x->changed = true;
	if (param && x->returns && x->returns != param)
		vec_push(&x->others, v);
	else if (param)
		x->returns = param;
}

static void add_other(struct wrapper *x, uint32_t v)
{
	for (uint32_t i = 0; i < x->others.len; i++)
		if (x->others.data[i] == v)
			return;
	vec_push(&x->others, v);
}

static bool is_fresh(const struct wrapper *x, const struct ccall *c)
{
	return c->callee.i && (c->callee.i == x->fn.i || (fn_row(x->h, c->callee)->flags & CFN_ALLOCATES));
}

static void source_call(struct wrapper *x, const struct ccall *c)
{
	uint32_t through;

	if (c->result.i == 0 || !map_get(&x->sources, c->result.i))
		return;
	if (is_fresh(x, c)) {
		const struct cfn *callee = fn_row(x->h, c->callee);

		x->allocates |= c->callee.i != x->fn.i;
		if (callee->returns)
			add_source(x, actual(x->h, c, callee->returns - 1u));
		if (callee->other.i)
			add_other(x, callee->other.i);
	} else if ((through = returns_param(&(struct flow){ .h = x->h }, c->callee)) != 0) {
		add_source(x, actual(x->h, c, through - 1));
	} else {
		add_other(x, c->result.i);
	}
}

static void source_stmt(struct wrapper *x, const struct cstmt *s)
{
	if (s->op == C_CALL)
		source_call(x, &x->h->p->calls.data[s->dst]);
	else if (s->op == C_PUT || s->op == C_STORE || s->op == C_MOVE || s->dst == 0 || !map_get(&x->sources, s->dst))
		return;
	else if (cir_is_copy(s))
		add_source(x, s->src);
	else
		add_other(x, s->dst);
}

static void find_sources(struct wrapper *x)
{
	add_source(x, x->f->result.i);
	while (x->changed) {
		x->changed = false;
		for (uint32_t i = x->f->nstmts; i > 0; i--)
			source_stmt(x, &x->h->p->stmts.data[x->f->stmts + i - 1]);
	}
}

/* The calls whose memory is returned. */
static bool is_inner(const struct wrapper *x, const struct ccall *c)
{
	return c->result.i && is_fresh(x, c) && map_get(&x->sources, c->result.i);
}

/* The body's memory, from the calls that allocate it to wherever the body takes it. */
static void follow_inner(const struct wrapper *x, struct flow *w)
{
	const struct cprogram *p = x->h->p;

	for (uint32_t i = 0; i < x->f->ncalls; i++)
		if (is_inner(x, &p->calls.data[x->f->calls + i]))
			hold(w, p->calls.data[x->f->calls + i].result.i, SET_EXACT);
	follow(w);
	for (uint32_t i = 0; i < x->f->ncalls; i++) {
		const struct ccall *c = &p->calls.data[x->f->calls + i];

		if (is_inner(x, c) && fn_row(x->h, c->callee)->realloc)
			move_from(w, actual(x->h, c, fn_row(x->h, c->callee)->realloc - 1u));
	}
}

/* Calls of itself must pass on the parameters that matter. */
static bool recursion_fits(const struct wrapper *x, const struct flow *w)
{
	for (uint32_t i = 0; i < x->f->ncalls; i++) {
		const struct ccall *c = &x->h->p->calls.data[x->f->calls + i];
		uint32_t moved = 0, returned = 0;

		if (c->callee.i != x->fn.i)
			continue;
		if (w->use.moves && (!find_origin(w, actual(x->h, c, w->use.moves - 1u), &moved) || (moved && moved != w->use.moves)))
			return false;
		if (x->returns && (!find_origin(w, actual(x->h, c, x->returns - 1), &returned) || (returned && returned != x->returns)))
			return false;
	}
	return true;
}

/* What else is returned must not be fresh, also when it comes from the function itself. */
static bool others_fit(const struct wrapper *x, const struct flow *w)
{
	for (uint32_t i = 0; i < x->others.len; i++)
		if (map_get(&w->held, x->others.data[i]))
			return false;
	for (uint32_t i = 0; i < x->f->ncalls && x->others.len; i++)
		if (x->h->p->calls.data[x->f->calls + i].callee.i == x->fn.i)
			return false;
	return true;
}

/* What a wrapper returns that is not fresh, as what a user's hook returns, goes by a variable of its own to its
 * callers. */
static void keep_others(struct heap *h, const struct wrapper *x)
{
	if (x->others.len)
		h->p->fns.data[x->fn.i].other = cir_var(h->p, CVAR_TEMP, (str_id){ 0 }, x->fn);
	for (uint32_t i = 0; i < x->others.len; i++)
		vec_push(&h->others, ((struct other){ x->fn, x->others.data[i] }));
}

static bool try_wrapper(struct heap *h, cfn_id f)
{
	struct wrapper x = { .h = h, .fn = f, .f = fn_row(h, f) };
	struct flow w = { .h = h, .fn = f, .f = x.f };
	bool ok;

	find_sources(&x);
	ok = x.allocates;
	if (ok) {
		follow_inner(&x, &w);
		ok = !w.use.escapes && !w.use.written && recursion_fits(&x, &w) && others_fit(&x, &w);
	}
	if (ok) {
		keep_others(h, &x);
		h->p->fns.data[f.i].flags |= CFN_ALLOCATES;
		h->p->fns.data[f.i].realloc = w.use.moves;
		h->p->fns.data[f.i].returns = (uint16_t)x.returns;
	}
	map_release(&x.sources);
	map_release(&w.held);
	vec_release(&x.others);
	return ok;
}

static bool calls_allocator(const struct heap *h, const struct cfn *f)
{
	for (uint32_t i = 0; i < f->ncalls; i++) {
		const struct ccall *c = &h->p->calls.data[f->calls + i];

		if (c->callee.i && c->result.i && (fn_row(h, c->callee)->flags & CFN_ALLOCATES))
			return true;
	}
	return false;
}

/* A weak definition may be replaced by one that does something else. */
static bool may_wrap(const struct heap *h, const struct cfn *f)
{
	const uint32_t never = CFN_MODEL | CFN_STARTS | CFN_ALLOCATES | CFN_UNKNOWN | CFN_PLACEHOLDER | CFN_WEAK | CFN_SETTLED;

	return (f->flags & CFN_DEFINED) && !(f->flags & never) && f->nparams < UINT16_MAX && calls_allocator(h, f);
}

/* Until there are no more: a function may wrap one that was found in the last round. */
static uint32_t find_wrappers(struct heap *h)
{
	uint32_t found = 0, before;

	do {
		before = found;
		for (uint32_t i = 1; i < h->p->fns.len; i++)
			if (may_wrap(h, &h->p->fns.data[i]))
				found += try_wrapper(h, (cfn_id){ i });
	} while (found > before);
	return found;
}

/* Sites */

/* What a wrapper is asked for may be a number of elements: only allocators are asked for bytes. */
static uint64_t site_size(const struct cprogram *p, const struct ccall *c)
{
	return c->callee.i && (p->fns.data[c->callee.i].flags & CFN_MODEL) ? c->size : 0;
}

/* Does it end in an array without a size, or of one element: one that goes on behind it? */
static bool goes_on(const struct cprogram *p, clayout_id id)
{
	const struct clayout *l = &p->layouts.data[id.i];

	while (l->kind == CLAYOUT_STRUCT && l->nfields)
		l = &p->layouts.data[p->fields.data[l->first + l->nfields - 1].layout.i];
	return l->kind == CLAYOUT_ARRAY && l->count < 2;
}

/* A size that is no multiple of the layout's says that the memory is something else, unless a wrapper is asked for so little that
 * it is no size. What goes on does not repeat. */
static clayout_id site_layout(const struct cprogram *p, const struct ccall *c)
{
	uint64_t size = p->layouts.data[c->hint.i].size, bytes = site_size(p, c);
	bool is_it = size && (c->size % size == 0 || (!bytes && c->size < size));
	bool fits = c->hint.i && is_it && (bytes == size || !goes_on(p, c->hint));

	return fits ? c->hint : (clayout_id){ 0 };
}

static cobj_id site_object(struct cprogram *p, const struct ccall *c)
{
	clayout_id l = site_layout(p, c);
	uint8_t model = p->fns.data[c->caller.i].flags & CFN_MODEL ? COBJ_MODEL : 0;

	return cir_object(p, (struct cobj){ .kind = COBJ_HEAP, .flags = (uint8_t)(model | (l.i ? COBJ_REPEATS : 0)), .fn = c->caller,
					    .layout = l, .size = site_size(p, c), .loc = c->loc });
}

typedef VEC(struct cstmt) stmt_rows;

/* The call's statement is followed by what its result is. */
static void add_site(struct heap *h, struct ccall *c, stmt_rows *out)
{
	const struct cfn *callee = fn_row(h, c->callee);
	uint32_t moved = callee->realloc ? actual(h, c, callee->realloc - 1u) : 0;
	uint32_t returned = callee->returns ? actual(h, c, callee->returns - 1u) : 0;
	uint32_t r = c->result.i;

	c->flags |= CCALL_FRESH;
	if (r == 0)
		return;
	cobj_id o = site_object(h->p, c);
	/* Only the fresh memory is moved to, not whatever else the result may be. */
	uint32_t fresh = moved ? cir_var(h->p, CVAR_TEMP, (str_id){ 0 }, c->caller).i : r;
	vec_push(out, ((struct cstmt){ .op = C_ADDR, .flags = CSTMT_HIDDEN, .dst = fresh, .src = o.i, .loc = c->loc }));
	if (moved)
		vec_push(out, ((struct cstmt){ .op = C_MOVE, .dst = fresh, .src = moved, .loc = c->loc }));
	if (fresh != r)
		vec_push(out, ((struct cstmt){ .op = C_COPY, .flags = CSTMT_HIDDEN, .dst = r, .src = fresh, .loc = c->loc }));
	if (returned)
		vec_push(out, ((struct cstmt){ .op = C_COPY, .flags = CSTMT_HIDDEN, .dst = r, .src = returned, .loc = c->loc }));
	if (callee->other.i)
		vec_push(out, ((struct cstmt){ .op = C_COPY, .flags = CSTMT_HIDDEN, .dst = r, .src = callee->other.i, .loc = c->loc }));
}

static void add_others(const struct heap *h, cfn_id f, stmt_rows *out)
{
	for (uint32_t i = 0; i < h->others.len; i++)
		if (h->others.data[i].fn.i == f.i)
			vec_push(out, ((struct cstmt){ .op = C_COPY, .flags = CSTMT_HIDDEN, .dst = fn_row(h, f)->other.i,
						       .src = h->others.data[i].var }));
}

static void add_sites(struct heap *h, cfn_id id, stmt_rows *out)
{
	struct cfn *f = &h->p->fns.data[id.i];
	uint32_t first = out->len;

	for (uint32_t i = 0; i < f->nstmts; i++) {
		const struct cstmt *s = &h->p->stmts.data[f->stmts + i];
		struct ccall *c = s->op == C_CALL ? &h->p->calls.data[s->dst] : NULL;

		vec_push(out, *s);
		if (c && c->callee.i && !(c->flags & CCALL_FRESH) && (fn_row(h, c->callee)->flags & CFN_ALLOCATES))
			add_site(h, c, out);
		else if (c && c->pointer.i && c->result.i && !c->memory.i)
			c->memory = site_object(h->p, c);
	}
	if (f->other.i)
		add_others(h, id, out);
	f->stmts = first;
	f->nstmts = out->len - first;
}

/* Settling: a function of which all callees are there, and theirs, does the same in every program. */

/* Who calls the function, and those that call these, may do something else: it is not there, or may be replaced. */
static void open_callers(const struct cprogram *p, bool *open)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = 1; i < p->calls.len; i++) {
			const struct ccall *c = &p->calls.data[i];
			if (!c->callee.i || !open[c->callee.i] || open[c->caller.i])
				continue;
			open[c->caller.i] = changed = true;
		}
	}
}

static bool *open_functions(const struct cprogram *p)
{
	bool *open = mem_zalloc(p->fns.len * sizeof(bool));

	for (uint32_t i = 1; i < p->fns.len; i++) {
		const struct cfn *f = &p->fns.data[i];
		open[i] = !(f->flags & CFN_DEFINED) || ((f->flags & CFN_WEAK) && !(f->flags & CFN_STATIC));
	}
	open_callers(p, open);
	return open;
}

static void settle_param(struct heap *h, cfn_id f, uint32_t i, uint32_t only)
{
	struct use u = use_of_param(h, f, i, 0);
	struct cuse row = { .param = { fn_row(h, f)->params + i }, .moves = u.moves };

	row.flags = (uint8_t)((u.escapes ? CUSE_ESCAPES : 0) | (u.written ? CUSE_WRITTEN : 0) | (only == i + 1 ? CUSE_ONLY : 0) |
			      (u.returned == SET_SHIFTED ? CUSE_SHIFTED : u.returned ? CUSE_RETURNED : 0));
	if (row.flags != CUSE_ESCAPES || row.moves)
		vec_push(&h->settled, row);
}

static int compare_uses(const void *x, const void *y)
{
	uint32_t a = ((const struct cuse *)x)->param.i, b = ((const struct cuse *)y)->param.i;

	return (a > b) - (a < b);
}

/* Uses are added when all are found: what is settled is read from them. */
static void settle(struct heap *h)
{
	struct cprogram *p = h->p;
	bool *open = open_functions(p);

	for (uint32_t i = 1; i < p->fns.len; i++) {
		const struct cfn *f = &p->fns.data[i];
		if (open[i] || f->flags & (CFN_MODEL | CFN_SETTLED))
			continue;
		uint32_t only = returns_param(&(struct flow){ .h = h }, (cfn_id){ i });
		for (uint32_t k = 0; k < f->nparams; k++)
			settle_param(h, (cfn_id){ i }, k, only);
	}
	for (uint32_t i = 1; i < p->fns.len; i++)
		if (!open[i] && !(p->fns.data[i].flags & CFN_MODEL))
			p->fns.data[i].flags |= CFN_SETTLED;
	for (uint32_t i = 0; i < h->settled.len; i++)
		vec_push(&p->uses, h->settled.data[i]);
	if (p->uses.len)
		qsort(p->uses.data, p->uses.len, sizeof(*p->uses.data), compare_uses);
	vec_release(&h->settled);
	free(open);
}

uint32_t allocation_rewrite(struct cprogram *p, bool settles)
{
	struct heap h = { .p = p };
	stmt_rows rows = { 0 };
	uint32_t found = find_wrappers(&h);

	if (settles)
		settle(&h);
	vec_reserve(&rows, p->stmts.len + p->calls.len);
	for (uint32_t i = 1; i < p->fns.len; i++)
		add_sites(&h, (cfn_id){ i }, &rows);
	vec_release(&p->stmts);
	p->stmts.data = rows.data;
	p->stmts.len = rows.len;
	p->stmts.cap = rows.cap;
	map_release(&h.memo);
	vec_release(&h.uses);
	vec_release(&h.others);
	cir_index_names(p);
	return found;
}
