/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth first from all entries at once. Many sites share a target set: each is walked once, by the first method that has it,
 * which is also the nearest. */
#include "analysis/template/distance.h"

/* What is only needed while it is computed has an arena of its own, which is gone at the end. */
struct walk {
	const struct callgraph *g;
	uint32_t *calls;
	bool *seen_sets;
	method_id *queue;
	uint32_t len;
	struct arena mem;
};

static void reach(struct walk *w, method_id m, uint32_t calls)
{
	if (w->calls[m.i] != DISTANCE_NONE)
		return;
	w->calls[m.i] = calls;
	w->queue[w->len++] = m;
}

static void reach_targets(struct walk *w, method_id caller, const struct cg_site *s)
{
	if (w->seen_sets[s->set])
		return;
	w->seen_sets[s->set] = true;
	struct cg_targets t = callgraph_targets(w->g, s);
	for (uint32_t i = 0; i < t.n; i++)
		reach(w, t.methods[i], w->calls[caller.i] + 1);
}

static void walk_from_entries(struct walk *w)
{
	for (uint32_t k = 0; k < callgraph_nmethods(w->g); k++)
		if (callgraph_is_entry(w->g, callgraph_method(w->g, k)))
			reach(w, callgraph_method(w->g, k), 0);
	for (uint32_t at = 0; at < w->len; at++) {
		uint32_t n;
		const struct cg_site *sites = callgraph_sites(w->g, w->queue[at], &n);
		for (uint32_t i = 0; i < n; i++)
			reach_targets(w, w->queue[at], &sites[i]);
	}
}

struct distance *distance_compute(const struct callgraph *g)
{
	struct walk w = { .g = g };
	uint32_t nmethods = callgraph_program(g)->methods.len;
	struct arena mem;

	arena_init(&mem);
	arena_init(&w.mem);
	w.calls = arena_array(&mem, uint32_t, nmethods);
	w.seen_sets = arena_zarray(&w.mem, bool, callgraph_nsets(g) + 1);
	w.queue = arena_array(&w.mem, method_id, nmethods);
	for (uint32_t i = 0; i < nmethods; i++)
		w.calls[i] = DISTANCE_NONE;
	walk_from_entries(&w);
	struct distance *d = arena_new(&mem, struct distance);
	*d = (struct distance){ g, w.calls, w.len ? w.calls[w.queue[w.len - 1].i] : 0, mem };
	arena_release(&w.mem);
#ifdef SHERD_CHECK
	const char *reason;
	if (!distance_check(d, &reason))
		BUG("distance: %s", reason);
#endif
	return d;
}

void distance_free(struct distance *d)
{
	if (!d)
		return;
	struct arena mem = d->mem;       /* the struct is in it */
	arena_release(&mem);
}

/* What was asked for, restated: no edge is a shortcut, and every method has a caller that is one call nearer. */

/* Notes those that the method is such a caller of. False: one of its edges is a shortcut. */
static bool check_edges(const struct distance *d, method_id m, bool *has_nearer)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(d->graph, m, &n);

	for (uint32_t i = 0; i < n; i++) {
		struct cg_targets t = callgraph_targets(d->graph, &sites[i]);
		for (uint32_t k = 0; k < t.n; k++) {
			uint32_t callee = d->calls[t.methods[k].i];
			if (callee > d->calls[m.i] + 1)
				return false;
			if (callee == d->calls[m.i] + 1)
				has_nearer[t.methods[k].i] = true;
		}
	}
	return true;
}

static const char *find_fault(const struct distance *d, bool *has_nearer)
{
	uint32_t n = callgraph_nmethods(d->graph), most = 0;

	for (uint32_t k = 0; k < n; k++)
		if (!check_edges(d, callgraph_method(d->graph, k), has_nearer))
			return "there is a shorter chain";
	for (uint32_t k = 0; k < n; k++) {
		method_id m = callgraph_method(d->graph, k);
		if (callgraph_is_entry(d->graph, m) != (d->calls[m.i] == 0))
			return "entries, and only they, are no call away";
		if (d->calls[m.i] != 0 && !has_nearer[m.i])
			return "no chain is that short";
		most = d->calls[m.i] > most ? d->calls[m.i] : most;
	}
	return most == d->most ? NULL : "another one is the most";
}

bool distance_check(const struct distance *d, const char **reason)
{
	struct arena scratch;

	arena_init(&scratch);
	*reason = find_fault(d, arena_zarray(&scratch, bool, callgraph_program(d->graph)->methods.len));
	arena_release(&scratch);
	return !*reason;
}
