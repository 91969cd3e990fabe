/* SPDX-License-Identifier: Apache-2.0 */
/* clients.c - what a library in C and its unknown clients can do to each other.
 *
 * First what points-to facts say of each object, statement and call; then what models do is done by who calls them, since
 * people know memcpy and qsort as a part of the call; last whoever calls a function that interacts does so, too. */
#include "analysis/clients/clients.h"

#include "analysis/cgraph/cgraph.h"

struct scan {
	struct clients *x;
	const struct cpta *facts;
	const struct cprogram *p;
	cobj_id data;
	cfn_id code;
	/* Sets are shared by many variables: what is in them is looked up once */
	uint8_t *known;               /* by set: 0 not yet, 1 no, 2 clients' data is in it */
	ccell_vec cells;              /* scratch */
	cfn_vec targets;
};

static const struct cfn *fn_row(const struct scan *s, cfn_id f)
{
	return &s->p->fns.data[f.i];
}

static bool is_own(const struct scan *s, cfn_id f)
{
	return cfn_is_own(s->facts, f);
}

/* Objects */

static bool is_library_object(const struct scan *s, const struct cobj *o)
{
	/* An allocator's own object, which stands for calls through pointers, and the ... of printf are no variables of the library */
	if (o->fn.i && fn_row(s, o->fn)->flags & CFN_MODEL)
		return false;
	return o->kind != COBJ_FUNCTION && o->kind != COBJ_STRING && !(o->flags & (COBJ_MODEL | COBJ_PLACEHOLDER | COBJ_IMPORTED));
}

/* What a function that allocates for its callers allocates has their names. Its own name says something only where clients get
 * memory under it: unreached, it would be called out of reach although clients may reach what callers have of it. */
static bool has_other_names(const struct scan *s, const struct cobj *o, bool reached)
{
	return o->kind == COBJ_HEAP && o->fn.i && fn_row(s, o->fn)->flags & CFN_ALLOCATES && !reached;
}

/* The objects that a cell of the clients' data may point to; `known` gets those that have a cell. */
static void mark_reached(struct scan *s, bool *known)
{
	vec_clear(&s->cells);
	for (uint32_t c = 1; c <= cpta_ncells(s->facts); c++) {
		cobj_id o = cpta_cell(s->facts, (ccell_id){ c }).obj;
		known[o.i] = true;
		if (o.i == s->data.i)
			cpta_content(s->facts, (ccell_id){ c }, &s->cells);
	}
	for (uint32_t i = 0; i < s->cells.len; i++)
		s->x->reached[cpta_cell(s->facts, s->cells.data[i]).obj.i] = true;
}

/* Objects that no pointer points to have no cells: of these, what clients can name is reached. */
static void scan_objects(struct scan *s)
{
	struct clients *x = s->x;
	bool *known = mem_zalloc(s->p->objs.len + 1);

	mark_reached(s, known);
	for (uint32_t o = 1; o < s->p->objs.len; o++) {
		const struct cobj *row = &s->p->objs.data[o];
		if (row->flags & COBJ_EXPORTED)
			x->reached[o] = true;
		x->counted[o] = is_library_object(s, row) && (row->kind == COBJ_GLOBAL || known[o]) &&
				!has_other_names(s, row, x->reached[o]);
		x->stats.variables += x->counted[o];
		x->stats.reachable += x->counted[o] && x->reached[o];
	}
	free(known);
}

/* Statements and calls, by themselves */

static bool may_be_clients(struct scan *s, uint32_t v)
{
	uint32_t set = cpta_set_of_var(s->facts, (cvar_id){ v });

	if (!v)
		return false;
	if (!s->known[set]) {
		s->known[set] = 1;
		vec_clear(&s->cells);
		cpta_set(s->facts, set, &s->cells);
		for (uint32_t i = 0; i < s->cells.len; i++)
			if (cpta_cell(s->facts, s->cells.data[i]).obj.i == s->data.i)
				s->known[set] = 2;
	}
	return s->known[set] == 2;
}

static bool is_through_pointer(const struct cstmt *st)
{
	return (st->op == C_LOAD || st->op == C_STORE || st->op == C_MOVE) && !(st->flags & CSTMT_HIDDEN);
}

static bool touches(struct scan *s, const struct cstmt *st)
{
	return (st->op != C_LOAD && may_be_clients(s, st->dst)) || (st->op != C_STORE && may_be_clients(s, st->src));
}

static const cfn_vec *targets_of(struct scan *s, uint32_t call)
{
	vec_clear(&s->targets);
	cpta_targets(s->facts, (ccall_id){ call }, &s->targets);
	return &s->targets;
}

static bool may_call(struct scan *s, uint32_t call, cfn_id f)
{
	const cfn_vec *t = targets_of(s, call);

	for (uint32_t i = 0; i < t->len; i++)
		if (t->data[i].i == f.i)
			return true;
	return false;
}

static void scan_function(struct scan *s, cfn_id f)
{
	struct clients *x = s->x;
	const struct cfn *row = fn_row(s, f);
	bool own = is_own(s, f);

	for (uint32_t i = row->stmts; i < row->stmts + row->nstmts; i++) {
		if (!is_through_pointer(&s->p->stmts.data[i]))
			continue;
		x->touches[i] = touches(s, &s->p->stmts.data[i]);
		x->fn_touches[f.i] |= x->touches[i];
		x->stats.accesses += own;
	}
	for (uint32_t c = row->calls; c < row->calls + row->ncalls; c++) {
		x->calls_back[c] = may_call(s, c, s->code);
		x->fn_interacts[f.i] |= x->calls_back[c];
		x->stats.calls += own;
		x->stats.calling += own && x->calls_back[c];
	}
}

static void scan_functions(struct scan *s)
{
	if (s->code.i)
		s->x->fn_interacts[s->code.i] = true;
	for (uint32_t f = 1; f < s->p->fns.len; f++)
		if (cpta_reached(s->facts, (cfn_id){ f }) && f != s->code.i)
			scan_function(s, (cfn_id){ f });
}

/* What models do */

/* May the call run a model, and one that touches clients' data? */
static bool calls_model(struct scan *s, uint32_t call, bool *touching)
{
	const cfn_vec *t = targets_of(s, call);
	bool is_models = false;

	for (uint32_t i = 0; i < t->len; i++) {
		bool is_model = fn_row(s, t->data[i])->flags & CFN_MODEL;
		is_models |= is_model;
		*touching |= is_model && s->x->fn_touches[t->data[i].i];
	}
	return is_models;
}

/* What a model does is done by the statement that calls it: memcpy is an access of its caller's. */
static void scan_model_calls(struct scan *s, cfn_id f)
{
	struct clients *x = s->x;
	const struct cfn *row = fn_row(s, f);
	bool own = is_own(s, f);

	for (uint32_t i = row->stmts; i < row->stmts + row->nstmts; i++) {
		if (s->p->stmts.data[i].op == C_CALL)
			x->stats.accesses += calls_model(s, s->p->stmts.data[i].dst, &x->touches[i]) && own;
		x->fn_touches[f.i] |= x->touches[i];
		x->stats.touching += own && x->touches[i];
	}
	x->fn_interacts[f.i] |= x->fn_touches[f.i];
}

/* Of the library's own functions, or of models, which may call each other. True: something is new. */
static bool scan_accesses_in_models(struct scan *s, bool own)
{
	bool changed = false;

	for (uint32_t f = 1; f < s->p->fns.len; f++) {
		bool before = s->x->fn_touches[f];
		if (!cpta_reached(s->facts, (cfn_id){ f }) || f == s->code.i || is_own(s, (cfn_id){ f }) != own)
			continue;
		scan_model_calls(s, (cfn_id){ f });
		changed |= s->x->fn_touches[f] != before;
	}
	return changed;
}

/* Is anything passed that may be, or hold, a function of clients'? Texts and numbers do not. */
static bool passes_memory(struct scan *s, const struct ccall *c)
{
	for (uint32_t a = c->args; a < c->args + c->nargs; a++) {
		vec_clear(&s->cells);
		if (s->p->args.data[a].i)
			cpta_set(s->facts, cpta_set_of_var(s->facts, s->p->args.data[a]), &s->cells);
		for (uint32_t i = 0; i < s->cells.len; i++)
			if (s->p->objs.data[cpta_cell(s->facts, s->cells.data[i]).obj.i].kind != COBJ_STRING)
				return true;
	}
	return false;
}

/* May the call run a model that calls clients, as qsort does? */
static bool calls_through_model(struct scan *s, uint32_t call)
{
	const cfn_vec *t = targets_of(s, call);

	for (uint32_t i = 0; i < t->len; i++) {
		const struct cfn *row = fn_row(s, t->data[i]);
		for (uint32_t c = row->calls; row->flags & CFN_MODEL && c < row->calls + row->ncalls; c++)
			if (s->x->calls_back[c])
				return passes_memory(s, &s->p->calls.data[call]);
	}
	return false;
}

/* A model's calls are those of the statement that calls it: qsort(v, n, size, compare) calls compare. Not what runs because of
 * earlier calls, when a program exits or gets a signal: each assert would be a call of clients. True: something is new. */
static bool scan_calls_in_models(struct scan *s, bool own)
{
	struct clients *x = s->x;
	bool changed = false;

	for (uint32_t c = 1; c < s->p->calls.len; c++) {
		cfn_id f = s->p->calls.data[c].caller;
		if (x->calls_back[c] || !cpta_reached(s->facts, f) || f.i == s->code.i || is_own(s, f) != own || !calls_through_model(s, c))
			continue;
		x->calls_back[c] = x->fn_interacts[f.i] = changed = true;
		x->stats.calling += own;
	}
	return changed;
}

/* Callers */

/* Does a function that f calls interact? */
static bool calls_interacting(struct scan *s, cfn_id f)
{
	const struct cfn *row = fn_row(s, f);

	for (uint32_t c = row->calls; c < row->calls + row->ncalls; c++) {
		const cfn_vec *t = targets_of(s, c);
		for (uint32_t i = 0; i < t->len; i++)
			if (s->x->fn_interacts[t->data[i].i])
				return true;
	}
	return false;
}

/* Upwards along calls until nothing changes: as many rounds as the longest chain of calls, of which there are few. */
static void close_upwards(struct scan *s)
{
	struct clients *x = s->x;

	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t f = 1; f < s->p->fns.len; f++) {
			if (x->fn_interacts[f] || !cpta_reached(s->facts, (cfn_id){ f }) || !calls_interacting(s, (cfn_id){ f }))
				continue;
			x->fn_interacts[f] = changed = true;
		}
	}
	for (uint32_t f = 1; f < s->p->fns.len; f++) {
		bool own = is_own(s, (cfn_id){ f });
		x->stats.functions += own;
		x->stats.interacting += own && x->fn_interacts[f];
	}
}

void clients_compute(struct clients *x, const struct cpta *facts, cobj_id data, cfn_id code)
{
	const struct cprogram *p = cpta_program(facts);
	struct scan s = { .x = x, .facts = facts, .p = p, .data = data, .code = code };

	*x = (struct clients){ .reached = mem_zalloc(p->objs.len + 1), .counted = mem_zalloc(p->objs.len + 1),
			       .touches = mem_zalloc(p->stmts.len + 1), .calls_back = mem_zalloc(p->calls.len + 1),
			       .fn_touches = mem_zalloc(p->fns.len + 1), .fn_interacts = mem_zalloc(p->fns.len + 1) };
	s.known = mem_zalloc((size_t)cpta_nsets(facts) + 1);
	scan_objects(&s);
	scan_functions(&s);
	while (scan_accesses_in_models(&s, false))
		continue;
	scan_accesses_in_models(&s, true);
	while (scan_calls_in_models(&s, false))
		continue;
	scan_calls_in_models(&s, true);
	close_upwards(&s);
	free(s.known);
	vec_release(&s.cells);
	vec_release(&s.targets);
}

void clients_release(struct clients *x)
{
	free(x->reached);
	free(x->counted);
	free(x->touches);
	free(x->calls_back);
	free(x->fn_touches);
	free(x->fn_interacts);
}
