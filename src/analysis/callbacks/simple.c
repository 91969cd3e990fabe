/* SPDX-License-Identifier: Apache-2.0 */
/* Ways through the library, in the graph of the whole program: methods of the library that call each other in a circle reach the same,
 * and each circle what those reach that it calls. Twice: with all calls, and without those that start threads. */
#include "analysis/callbacks/callbacks_p.h"

#include <string.h>

#include "algo/scc.h"

struct reachable {
	uint32_t *component;             /* by method */
	uint64_t *bits;                  /* by component: rows of `targets` */
};

struct ways {
	VEC(method_id) targets;          /* methods of the application that the library calls */
	struct map number;               /* method -> 1 + its place there */
	uint32_t words;
	struct reachable always, at_once;
	struct arena mem;
};

typedef void visit_fn(void *ctx, method_id callee);

/* What a method of the library runs: callees, and initialisers of classes that it is the first to need. */
static void visit_callees(struct whole *w, method_id m, visit_fn *fn, void *ctx)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(w->g, m, &n);
	struct initialisers init = triggers_of(w->triggers, m);

	for (uint32_t i = 0; i < n; i++) {
		struct cg_targets t = callgraph_targets(w->g, &sites[i]);
		for (uint32_t k = 0; k < t.n; k++)
			fn(ctx, t.methods[k]);
	}
	for (uint32_t i = 0; i < init.n; i++)
		if (!booted_has(w->booted, method_row(w->p, init.methods[i])->owner))
			fn(ctx, init.methods[i]);
}

static bool is_through(const struct whole *w, method_id m)
{
	return w->sort.data[m.i] >= METHOD_MADE;
}

struct edges {
	struct whole *w;
	VEC(uint32_t) to;
};

static void add_edge(void *ctx, method_id callee)
{
	struct edges *e = ctx;

	if (is_through(e->w, callee))
		vec_push(&e->to, callee.i);
}

static void number_target(void *ctx, method_id callee)
{
	struct edges *e = ctx;
	struct ways *x = e->w->ways;

	if (e->w->sort.data[callee.i] != METHOD_OWN)
		return;
	uint32_t *at = map_at(&x->number, callee.i);
	if (*at)
		return;
	vec_push(&x->targets, callee);
	*at = x->targets.len;
}

struct marking {
	struct whole *w;
	uint64_t *row;
	const struct reachable *r;
	uint32_t own;                    /* component */
};

static void mark_callee(void *ctx, method_id callee)
{
	struct marking *k = ctx;
	struct ways *x = k->w->ways;
	uint32_t number = map_get(&x->number, callee.i);

	if (number && k->w->sort.data[callee.i] == METHOD_OWN)
		k->row[(number - 1) / 64] |= (uint64_t)1 << (number - 1) % 64;
	if (!is_through(k->w, callee) || k->r->component[callee.i] == k->own)
		return;
	const uint64_t *of = k->r->bits + (size_t)k->r->component[callee.i] * x->words;
	for (uint32_t i = 0; i < x->words; i++)
		k->row[i] |= of[i];
}

/* Components in their order: those that one leads to come before it. */
static void mark_components(struct whole *w, struct reachable *r, uint32_t ncomponents, bool is_at_once, struct arena *scratch)
{
	struct ways *x = w->ways;
	uint32_t n = w->sort.len;
	uint32_t *first = arena_zarray(scratch, uint32_t, ncomponents + 1), *members = arena_array(scratch, uint32_t, n + 1);

	r->bits = arena_zarray(&x->mem, uint64_t, (size_t)ncomponents * x->words + 1);
	for (uint32_t m = 0; m < n; m++)
		first[r->component[m] + 1]++;
	for (uint32_t c = 0; c < ncomponents; c++)
		first[c + 1] += first[c];
	uint32_t *at = arena_copy(scratch, first, (ncomponents + 1) * sizeof(*first));
	for (uint32_t m = 0; m < n; m++)
		members[at[r->component[m]]++] = m;
	for (uint32_t i = 0; i < n; i++) {
		method_id m = { members[i] };
		struct marking k = { w, r->bits + (size_t)r->component[m.i] * x->words, r, r->component[m.i] };
		if (is_through(w, m) && !(is_at_once && m.i == w->start.i))
			visit_callees(w, m, mark_callee, &k);
	}
}

static void find_reachable(struct whole *w, struct reachable *r, bool is_at_once)
{
	struct edges e = { .w = w };
	struct arena scratch;
	uint32_t n = w->sort.len;

	arena_init(&scratch);
	uint32_t *first = arena_array(&scratch, uint32_t, n + 1);
	for (uint32_t m = 0; m < n; m++) {
		first[m] = e.to.len;
		if (is_through(w, (method_id){ m }) && !(is_at_once && m == w->start.i))
			visit_callees(w, (method_id){ m }, add_edge, &e);
	}
	first[n] = e.to.len;
	r->component = arena_array(&w->ways->mem, uint32_t, n);
	uint32_t ncomponents = scc_compute(&(struct digraph){ n, first, e.to.data }, r->component, &scratch);
	mark_components(w, r, ncomponents, is_at_once, &scratch);
	vec_release(&e.to);
	arena_release(&scratch);
}

static void make_ways(struct whole *w)
{
	struct edges e = { .w = w };

	w->ways = mem_zalloc(sizeof(*w->ways));
	arena_init(&w->ways->mem);
	for (uint32_t m = 0; m < w->sort.len; m++)
		if (is_through(w, (method_id){ m }))
			visit_callees(w, (method_id){ m }, number_target, &e);
	w->ways->words = w->ways->targets.len / 64 + 1;
	find_reachable(w, &w->ways->always, false);
	find_reachable(w, &w->ways->at_once, true);
}

void ways_from(struct whole *w, method_id m, void (*fn)(void *ctx, method_id target, bool is_later), void *ctx)
{
	if (!w->ways)
		make_ways(w);
	const struct ways *x = w->ways;
	const uint64_t *always = x->always.bits + (size_t)x->always.component[m.i] * x->words;
	const uint64_t *at_once = x->at_once.bits + (size_t)x->at_once.component[m.i] * x->words;

	for (uint32_t i = 0; i < x->words; i++)
		for (uint64_t bits = always[i]; bits; bits &= bits - 1) {
			unsigned k = (unsigned)__builtin_ctzll(bits);
			fn(ctx, x->targets.data[i * 64 + k], !(at_once[i] >> k & 1));
		}
}

void ways_free(struct ways *x)
{
	if (!x)
		return;
	vec_release(&x->targets);
	map_release(&x->number);
	arena_release(&x->mem);
	free(x);
}
