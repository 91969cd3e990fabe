/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - who may call whom, and which locals are alive meanwhile.
 *
 * A function calls another one, possibly by way of others, if it can call a member of the other one's component. So facts that go
 * along calls are found once for a component, in one walk from callers to callees: numbers of components fall along calls. */
#include "analysis/modref/modref_p.h"

#include "algo/scc.h"

/* Each callee of a function once. */
struct lister {
	const struct modref *m;
	VEC(uint32_t) first, to;
	uint32_t *last;              /* by function: the last one that it was listed for */
	cfn_vec targets;
};

static void list_callees(struct lister *l, uint32_t f)
{
	const struct cfn *fn = &l->m->p->fns.data[f];

	vec_clear(&l->targets);
	for (uint32_t i = 0; i < fn->ncalls; i++)
		cpta_targets(l->m->a, (ccall_id){ fn->calls + i }, &l->targets);
	for (uint32_t i = 0; i < l->targets.len; i++) {
		uint32_t to = l->targets.data[i].i;

		if (l->last[to] == f)
			continue;
		l->last[to] = f;
		vec_push(&l->to, to);
	}
}

static void list_calls(struct modref *m)
{
	uint32_t n = m->p->fns.len;
	struct lister l = { .m = m, .last = mem_zalloc(n * sizeof(*l.last)) };

	vec_push(&l.first, 0);
	for (uint32_t f = 0; f < n; f++) {
		if (f)
			list_callees(&l, f);
		vec_push(&l.first, l.to.len);
	}
	m->calls.callees = (struct digraph){ n, l.first.data, l.to.data };
	free(l.last);
	vec_release(&l.targets);
}

static uint32_t callees_of(const struct modref_calls *g, uint32_t f, const uint32_t **to)
{
	*to = g->callees.to + g->callees.first[f];
	return g->callees.first[f + 1] - g->callees.first[f];
}

/* What is called runs, too, if nothing is known of it. */
static void find_members(struct modref *m)
{
	struct modref_calls *g = &m->calls;
	struct bits runs;

	bits_init(&runs, m->p->fns.len);
	for (uint32_t i = 0; i < g->callees.first[g->callees.n]; i++)
		bits_add(&runs, g->callees.to[i]);
	for (uint32_t f = 1; f < m->p->fns.len; f++)
		if (bits_has(&runs, f) || cpta_reached(m->a, (cfn_id){ f }))
			groups_add(&g->members, g->component[f], f);
	groups_close(&g->members, g->ncomponents);
	bits_release(&runs);
}

/* What starts beside main, such as destructors, runs apart, and what a call only sets up. */
static void start_apart(struct modref *m, uint32_t f, cfn_vec *targets)
{
	const struct cfn *fn = &m->p->fns.data[f];

	if (fn->flags & CFN_STARTS && !str_is(interned(&m->p->names, fn->name), "main"))
		bits_add(&m->calls.apart, m->calls.component[f]);
	for (uint32_t i = 0; i < fn->ncalls; i++) {
		if (!(m->p->calls.data[fn->calls + i].flags & CCALL_LATER))
			continue;
		vec_clear(targets);
		cpta_targets(m->a, (ccall_id){ fn->calls + i }, targets);
		for (uint32_t k = 0; k < targets->len; k++)
			bits_add(&m->calls.apart, m->calls.component[targets->data[k].i]);
	}
}

/* So does all that is called from there. */
static void spread_apart(struct modref_calls *g, uint32_t at)
{
	struct group_view members = groups_of(&g->members, at);
	const uint32_t *to;

	for (uint32_t i = 0; i < members.n; i++)
		for (uint32_t n = callees_of(g, members.data[i], &to); n; n--)
			bits_add(&g->apart, g->component[to[n - 1]]);
}

static void find_apart(struct modref *m)
{
	struct modref_calls *g = &m->calls;
	cfn_vec targets = { 0 };

	bits_init(&g->apart, g->ncomponents);
	for (uint32_t at = 0; at < g->ncomponents; at++) {
		struct group_view members = groups_of(&g->members, at);
		for (uint32_t i = 0; i < members.n; i++)
			start_apart(m, members.data[i], &targets);
	}
	for (uint32_t at = g->ncomponents; at-- > 0;)
		if (bits_has(&g->apart, at))
			spread_apart(g, at);
	vec_release(&targets);
}

/* Other components that call this one. */
static void list_callers(const struct modref_calls *g, struct groups *callers)
{
	const uint32_t *to;

	for (uint32_t f = 1; f < g->callees.n; f++)
		for (uint32_t n = callees_of(g, f, &to); n; n--)
			if (g->component[to[n - 1]] != g->component[f])
				groups_add(callers, g->component[to[n - 1]], g->component[f]);
	groups_close(callers, g->ncomponents);
}

static void list_locals(const struct modref *m, struct groups *locals)
{
	for (uint32_t c = 1; c < m->ncells; c++)
		if (m->local_to[c])
			groups_add(locals, m->calls.component[m->local_to[c]], c);
	groups_close(locals, m->calls.ncomponents);
}

static fset_id active_in(struct modref *m, struct group_view locals, struct group_view callers)
{
	struct draft *d = &m->drafts[0];

	for (uint32_t i = 0; i < locals.n; i++)
		draft_add(d, locals.data[i]);
	for (uint32_t i = 0; i < callers.n; i++)
		draft_join(d, m->calls.active[callers.data[i]]);
	return draft_close(d);
}

static void find_active(struct modref *m)
{
	struct modref_calls *g = &m->calls;
	struct groups callers = { 0 }, locals = { 0 };

	list_callers(g, &callers);
	list_locals(m, &locals);
	g->active = mem_zalloc(g->ncomponents * sizeof(*g->active));
	for (uint32_t at = g->ncomponents; at-- > 0;)
		if (!bits_has(&g->apart, at))
			g->active[at] = active_in(m, groups_of(&locals, at), groups_of(&callers, at));
	groups_release(&callers);
	groups_release(&locals);
}

void modref_calls_compute(struct modref *m)
{
	struct modref_calls *g = &m->calls;
	struct arena scratch;

	arena_init(&scratch);
	list_calls(m);
	g->component = mem_zalloc(g->callees.n * sizeof(*g->component));
	g->ncomponents = scc_compute(&g->callees, g->component, &scratch);
	arena_release(&scratch);
	find_members(m);
	find_apart(m);
	find_active(m);
}

void modref_calls_release(struct modref_calls *g)
{
	free((uint32_t *)g->callees.first);
	free((uint32_t *)g->callees.to);
	free(g->component);
	groups_release(&g->members);
	bits_release(&g->apart);
	free(g->active);
}
