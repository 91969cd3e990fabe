/* SPDX-License-Identifier: Apache-2.0 */
/* modref.c - effects of procedures, from callees to callers, component by component; answers.
 *
 * The algorithm is that of figure 3.3 of the thesis. Points-to sets know neither order nor contexts, so that a pointer
 * seems to be to locals of functions that are not running. Two filters leave such effects out: a local is *active*
 * only in functions that its own may call (modref_is_active), and a call has only effects on what it can get at, by names or
 * through pointers (access.c). What the thesis does not have: threads, handlers and destructors run while any other
 * function is, so that everything is active for them (`calls.apart`). */
#include "analysis/modref/modref_p.h"
#include "base/strbuf.h"

bool modref_is_active(const struct modref *m, cfn_id fn, uint32_t cell)
{
	const struct modref_calls *g = &m->calls;
	uint32_t owner = m->local_to[cell], at = g->component[fn.i];

	return !owner || bits_has(&g->apart, at) || bits_has(&g->apart, g->component[owner]) || fset_has(&m->sets, g->active[at], cell);
}

/* Effects of procedures: what their own statements do. */
struct own {
	struct modref *m;
	cfn_id fn;
	struct draft *shared, *passed;
};

/* Lines 6 to 13 of the figure. A local that its own function names is another one in each activation, and ends with
 * it: callers do not see that it was modified. Through a pointer it may be that of an earlier activation. */
static void own_cell(void *ctx, uint32_t cell)
{
	struct own *o = ctx;

	if (!o->m->local_to[cell])
		draft_add(modref_is_shared(o->m, cell) ? o->shared : o->passed, cell);
}

static void own_cells(void *ctx, struct parts p)
{
	struct own *o = ctx;

	draft_join(o->shared, p.shared);
	draft_join(o->passed, p.passed);
}

static void own_var(void *ctx, cvar_id v)
{
	(void)ctx;
	(void)v;
}

struct filter {
	const struct modref *m;
	cfn_id fn;
};

static bool keep_cell(void *ctx, uint32_t cell)
{
	const struct filter *x = ctx;

	return modref_is_active(x->m, x->fn, cell);
}

/* Takes out what is not active in the function. */
static void keep_active(const struct modref *m, cfn_id fn, struct draft *d)
{
	struct filter x = { m, fn };

	if (!bits_has(&m->calls.apart, m->calls.component[fn.i]))
		draft_filter(d, keep_cell, &x);
}

/* What is shared is added to drafts[0], active or not. */
static void own_effects(struct modref *m, uint32_t f, enum effect e)
{
	struct own o = { m, { f }, &m->drafts[0], &m->drafts[1] };
	struct effect_sink sink = { own_cell, own_cells, own_var, &o };
	const struct cfn *fn = &m->p->fns.data[f];

	for (uint32_t i = 0; i < fn->nstmts; i++)
		stmt_effects(m, &m->p->stmts.data[fn->stmts + i], e, &sink);
	keep_active(m, o.fn, o.passed);
	m->passed[e][f] = draft_close(o.passed);
}

/* A component's effects on what is shared: its statements', and those of the components that it calls. */
static void join_callees(struct modref *m, uint32_t f, enum effect e)
{
	const struct modref_calls *g = &m->calls;

	for (uint32_t i = g->callees.first[f]; i < g->callees.first[f + 1]; i++)
		draft_join(&m->drafts[0], m->shared[e][g->component[g->callees.to[i]]]);
}

static void shared_effects(struct modref *m, uint32_t at, enum effect e)
{
	struct group_view members = groups_of(&m->calls.members, at);

	for (uint32_t i = 0; i < members.n; i++) {
		join_callees(m, members.data[i], e);
		own_effects(m, members.data[i], e);
	}
	keep_active(m, (cfn_id){ members.data[0] }, &m->drafts[0]);
	m->shared[e][at] = draft_close(&m->drafts[0]);
}

/* Line 17, for what is not shared: what of the callee's effects is one of the call's. */
struct pass {
	struct modref *m;
	cfn_id caller;
	struct draft *into;
};

static void pass_cell(void *ctx, uint32_t cell)
{
	struct pass *x = ctx;

	if (access_has(&x->m->access, x->m->obj_of[cell]) && modref_is_active(x->m, x->caller, cell))
		draft_add(x->into, cell);
}

/* A call is looked at when one of its targets may have something new. */
static bool is_worth(const struct modref *m, const cfn_vec *targets)
{
	for (uint32_t i = 0; i < targets->len; i++)
		for (enum effect e = EFFECT_MOD; e <= EFFECT_USE; e++)
			if (!draft_covers(&m->drafts[e], m->passed[e][targets->data[i].i]))
				return true;
	return false;
}

static void pass_call(struct modref *m, const struct ccall *c, const cfn_vec *targets)
{
	access_begin(&m->access, c);
	for (uint32_t i = 0; i < targets->len; i++)
		for (enum effect e = EFFECT_MOD; e <= EFFECT_USE; e++) {
			struct pass x = { m, c->caller, &m->drafts[e] };

			fset_each(&m->sets, m->passed[e][targets->data[i].i], pass_cell, &x);
		}
	access_end(&m->access);
}

static bool close_passed(struct modref *m, uint32_t f)
{
	bool changed = false;

	for (enum effect e = EFFECT_MOD; e <= EFFECT_USE; e++) {
		fset_id before = m->passed[e][f];

		m->passed[e][f] = draft_close(&m->drafts[e]);
		changed |= m->passed[e][f].i != before.i;
	}
	return changed;
}

static bool pass_calls(struct modref *m, uint32_t f, cfn_vec *targets)
{
	const struct cfn *fn = &m->p->fns.data[f];

	for (enum effect e = EFFECT_MOD; e <= EFFECT_USE; e++)
		draft_join(&m->drafts[e], m->passed[e][f]);
	for (uint32_t i = 0; i < fn->ncalls; i++) {
		vec_clear(targets);
		cpta_targets(m->a, (ccall_id){ fn->calls + i }, targets);
		if (is_worth(m, targets))
			pass_call(m, &m->p->calls.data[fn->calls + i], targets);
	}
	return close_passed(m, f);
}

static bool may_go_on(const struct modref *m)
{
	return !m->go_on || m->go_on(m->ctx);
}

/* A function that calls itself passes on nothing that it does not have: only among several it takes more than one round. */
static bool passed_effects(struct modref *m, uint32_t at, cfn_vec *targets)
{
	struct group_view members = groups_of(&m->calls.members, at);

	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = 0; i < members.n; i++) {
			if (!may_go_on(m))
				return false;
			changed |= pass_calls(m, members.data[i], targets);
		}
		changed &= members.n > 1;
	}
	return true;
}

static bool solve(struct modref *m)
{
	cfn_vec targets = { 0 };
	bool ok = true;

	for (uint32_t at = 0; ok && at < m->calls.ncomponents; at++) {
		if (!groups_of(&m->calls.members, at).n)
			continue;
		for (enum effect e = EFFECT_MOD; e <= EFFECT_USE; e++)
			shared_effects(m, at, e);
		ok = passed_effects(m, at, &targets);
	}
	vec_release(&targets);
	return ok;
}

static void note_cells(struct modref *m)
{
	m->obj_of = mem_zalloc(m->ncells * sizeof(*m->obj_of));
	m->local_to = mem_zalloc(m->ncells * sizeof(*m->local_to));
	for (uint32_t c = 1; c < m->ncells; c++) {
		cobj_id obj = cpta_cell(m->a, (ccell_id){ c }).obj;
		const struct cobj *o = &m->p->objs.data[obj.i];

		m->obj_of[c] = obj.i;
		m->local_to[c] = o->kind == COBJ_LOCAL && !(o->flags & COBJ_STATIC) ? o->fn.i : 0;
	}
}

struct modref *modref_compute(const struct cpta *a, bool (*go_on)(void *ctx), void *ctx)
{
	struct modref *m = mem_zalloc(sizeof(*m));

	m->a = a;
	m->p = cpta_program(a);
	m->go_on = go_on;
	m->ctx = ctx;
	m->ncells = cpta_ncells(a) + 1;
	access_init(&m->access, a);
	note_cells(m);
	family_init(&m->sets);
	for (enum effect e = EFFECT_MOD; e <= EFFECT_USE; e++)
		draft_init(&m->drafts[e], &m->sets, m->ncells);
	behind_init(m);
	modref_calls_compute(m);
	for (enum effect e = EFFECT_MOD; e <= EFFECT_USE; e++) {
		m->shared[e] = mem_zalloc(m->calls.ncomponents * sizeof(fset_id));
		m->passed[e] = mem_zalloc(m->p->fns.len * sizeof(fset_id));
	}
	if (solve(m))
		return m;
	modref_free(m);
	return NULL;
}

void modref_free(struct modref *m)
{
	if (!m)
		return;
	for (enum effect e = EFFECT_MOD; e <= EFFECT_USE; e++) {
		draft_release(&m->drafts[e]);
		free(m->shared[e]);
		free(m->passed[e]);
	}
	behind_release(&m->behind);
	family_release(&m->sets);
	modref_calls_release(&m->calls);
	free(m->obj_of);
	free(m->local_to);
	access_release(&m->access);
	free(m);
}

/* Answers. Cells come through drafts[0], in order. */
struct answer {
	struct modref *m;
	cfn_id fn;
	affected_vec *out;
};

static void answer_cell(void *ctx, uint32_t cell)
{
	struct answer *x = ctx;

	draft_add(&x->m->drafts[0], cell);
}

/* Statements with a pointer name no cells themselves. */
static void answer_cells(void *ctx, struct parts p)
{
	struct answer *x = ctx;

	draft_join(&x->m->drafts[0], p.shared);
	draft_join(&x->m->drafts[0], p.passed);
	keep_active(x->m, x->fn, &x->m->drafts[0]);
}

static void answer_var(void *ctx, cvar_id v)
{
	struct answer *x = ctx;

	vec_push(x->out, ((struct affected){ .var = v }));
}

/* Several targets have much in common: their effects are put together first. */
static void answer_call(struct answer *x, uint32_t call, enum effect e)
{
	struct modref *m = x->m;
	struct draft *d = &m->drafts[0];
	struct pass pass = { m, x->fn, d };
	cfn_vec targets = { 0 };

	cpta_targets(m->a, (ccall_id){ call }, &targets);
	for (uint32_t i = 0; i < targets.len; i++)
		draft_join(d, m->shared[e][m->calls.component[targets.data[i].i]]);
	keep_active(m, x->fn, d);
	access_begin(&m->access, &m->p->calls.data[call]);
	for (uint32_t i = 0; i < targets.len; i++)
		fset_each(&m->sets, m->passed[e][targets.data[i].i], pass_cell, &pass);
	access_end(&m->access);
	vec_release(&targets);
}

static int by_number(const void *x, const void *y)
{
	uint32_t a = ((const struct affected *)x)->var.i, b = ((const struct affected *)y)->var.i;

	return (a > b) - (a < b);
}

static void sort_vars(affected_vec *v)
{
	uint32_t kept = 0;

	if (v->len < 2)
		return;
	qsort(v->data, v->len, sizeof(*v->data), by_number);
	for (uint32_t i = 0; i < v->len; i++)
		if (!kept || by_number(&v->data[kept - 1], &v->data[i]))
			v->data[kept++] = v->data[i];
	v->len = kept;
}

static void push_cell(void *ctx, uint32_t cell)
{
	affected_vec *out = ctx;

	vec_push(out, ((struct affected){ .cell = { cell } }));
}

void modref_stmt(struct modref *m, cfn_id f, uint32_t stmt, enum effect e, affected_vec *out)
{
	affected_vec vars = { 0 };
	struct answer x = { m, f, &vars };
	struct effect_sink sink = { answer_cell, answer_cells, answer_var, &x };
	const struct cstmt *s = &m->p->stmts.data[stmt];

	vec_clear(out);
	if (!cpta_reached(m->a, f))
		return;
	stmt_effects(m, s, e, &sink);
	if (s->op == C_CALL)
		answer_call(&x, s->dst, e);
	draft_drain(&m->drafts[0], push_cell, out);
	sort_vars(&vars);
	for (uint32_t i = 0; i < vars.len; i++)
		vec_push(out, vars.data[i]);
	vec_release(&vars);
}

void modref_fn(struct modref *m, cfn_id f, enum effect e, affected_vec *out)
{
	struct draft *d = &m->drafts[0];

	vec_clear(out);
	draft_join(d, m->shared[e][m->calls.component[f.i]]);
	draft_join(d, m->passed[e][f.i]);
	draft_drain(d, push_cell, out);
}

void modref_name(const struct modref *m, struct affected x, struct strbuf *out)
{
	if (!x.cell.i) {
		cname_var(m->p, x.var, out);
		return;
	}
	struct ccell c = cpta_cell(m->a, x.cell);

	if (c.whole)
		cname_object(m->p, c.obj, out);
	else
		cname_cell(m->p, c.obj, c.off, out);
}
