/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/callbacks/callbacks_p.h"

#include <string.h>

const char *call_sort_name(enum call_sort s)
{
	static const char *const names[] = { [CALL_DIRECT] = "direct", [CALL_BACK] = "callback", [CALL_LATER] = "later" };

	return names[s];
}

/* Who is who */

/* Classes that stand for unknown clients are made, too, but by nobody's code. */
static enum method_sort sort_of(const struct whole *w, method_id m)
{
	class_id c = method_row(w->p, m)->owner;
	const struct ir_class *row = class_row(w->p, c);

	if (row->kind == CLASS_SYNTHETIC)
		return row->outer.i ? METHOD_MADE : METHOD_LIBRARY;
	return w->opt->is_application(w->opt->ctx, c) ? METHOD_OWN : METHOD_LIBRARY;
}

/* What the code of lambdas needs, it needs itself. */
static bool is_passed(const void *ctx ATTR_UNUSED, method_id m ATTR_UNUSED)
{
	return false;
}

static void open_whole(struct whole *w, struct callbacks *out)
{
	struct program *p = (struct program *)w->p;
	class_id thread = program_find_class(p, STR("java/lang/Thread"));

	vec_reserve(&w->sort, p->methods.len);
	w->sort.len = p->methods.len;
	memset(w->sort.data, 0, w->sort.len);
	for (uint32_t k = 0; k < callgraph_nmethods(w->g); k++) {
		method_id m = callgraph_method(w->g, k);
		w->sort.data[m.i] = (uint8_t)sort_of(w, m);
		out->methods += w->sort.data[m.i] == METHOD_OWN;
	}
	if (thread.i && class_row(p, thread)->state == LOAD_DONE)
		w->start = program_declared(p, thread, program_sel(p, STR("start0"), STR("()V")));
	hierarchy_init(&w->h, p);
	linker_init(&w->linker, &w->h);
	w->booted = booted_compute(&w->linker);
	w->triggers = triggers_make(w->g, &w->h, is_passed, NULL);
}

static void close_whole(struct whole *w)
{
	ways_free(w->ways);
	triggers_free(w->triggers);
	booted_free(w->booted);
	linker_release(&w->linker);
	hierarchy_release(&w->h);
	vec_release(&w->sort);
}

/* Edges */

struct calling {
	struct whole *w;
	struct callbacks *out;
	struct app_edge at;              /* caller, pc, mref */
	bool is_walked;                  /* what the library calls back is found in the graph */
	bool is_unfinished;              /* ... since there was no time */
	bool is_library_call;
};

static void add_edge(struct calling *k, enum call_sort sort, method_id callee)
{
	struct app_edge e = k->at;

	e.sort = sort;
	e.callee = callee;
	e.is_walked = k->is_unfinished && sort != CALL_DIRECT;
	e.place = NO_PLACE;
	vec_push(&k->out->edges, e);
}

static void add_way(void *ctx, method_id target, bool is_later)
{
	add_edge(ctx, is_later ? CALL_LATER : CALL_BACK, target);
}

/* The library's method, and initialisers of its class: the JVM runs them where it is called. */
static void walk_library(struct calling *k, method_id m)
{
	struct initialisers init = triggers_of_class(k->w->triggers, method_row(k->w->p, m)->owner);

	ways_from(k->w, m, add_way, k);
	for (uint32_t i = 0; i < init.n; i++) {
		method_id clinit = init.methods[i];
		if (booted_has(k->w->booted, method_row(k->w->p, clinit)->owner))
			continue;
		if (k->w->sort.data[clinit.i] == METHOD_OWN)
			add_edge(k, CALL_BACK, clinit);
		else
			ways_from(k->w, clinit, add_way, k);
	}
}

#define MAX_MADE 8               /* lambdas that call each other */

/* What a method of a lambda calls is called by whoever calls the lambda. */
static void add_target(struct calling *k, method_id m, bool is_implied, uint32_t depth)
{
	struct whole *w = k->w;
	uint32_t n = 0;

	if (w->sort.data[m.i] == METHOD_OWN && (!is_implied || k->is_walked))
		add_edge(k, is_implied ? CALL_BACK : CALL_DIRECT, m);
	if (w->sort.data[m.i] == METHOD_LIBRARY) {
		k->is_library_call = true;
		if (k->is_walked)
			walk_library(k, m);
	}
	if (w->sort.data[m.i] != METHOD_MADE || depth == MAX_MADE)
		return;
	const struct cg_site *sites = callgraph_sites(w->g, m, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct cg_targets t = callgraph_targets(w->g, &sites[i]);
		for (uint32_t j = 0; j < t.n; j++)
			add_target(k, t.methods[j], is_implied, depth + 1);
	}
}

/* A site that no instruction makes is a matter of the library's: reflection, or unknown code that calls back. */
static void add_site(struct calling *k, method_id caller, const struct cg_site *s)
{
	struct cg_targets t = callgraph_targets(k->w->g, s);

	k->at = (struct app_edge){ .caller = caller, .pc = s->pc, .mref = s->mref, .by_pc = PC_NONE,
				   .is_open = s->implied == 1 + DYNAMIC_CALLBACK };
	k->is_library_call = false;
	for (uint32_t i = 0; i < t.n; i++)
		add_target(k, t.methods[i], s->implied, 0);
	k->out->library_calls += k->is_library_call && !s->implied;
}

static void add_graph(struct calling *k)
{
	const struct callgraph *g = k->w->g;

	for (uint32_t i = 0; i < callgraph_nmethods(g); i++) {
		method_id m = callgraph_method(g, i);
		uint32_t n;
		if (k->w->sort.data[m.i] != METHOD_OWN)
			continue;
		const struct cg_site *sites = callgraph_sites(g, m, &n);
		for (uint32_t s = 0; s < n; s++)
			add_site(k, m, &sites[s]);
	}
}

/* Of a call that was not looked at by itself. */
static void walk_call(struct calling *k, const struct reach_call *c)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(k->w->g, c->caller, &n);

	k->is_walked = k->is_unfinished = true;
	for (uint32_t i = 0; i < n; i++)
		if (sites[i].pc == c->pc)
			add_site(k, c->caller, &sites[i]);
	k->is_walked = k->is_unfinished = false;
	k->out->unfinished++;
}

static void add_reached(struct calling *k, const struct reach_result *r)
{
	for (uint32_t i = 0; i < r->calls.len; i++) {
		const struct reach_call *c = &r->calls.data[i];
		uint64_t calls = k->out->library_calls;
		if (!c->is_done)
			walk_call(k, c);
		k->out->library_calls = calls;
		for (uint32_t e = c->first; c->is_done && e < c->first + c->n; e++) {
			const struct reach_edge *to = &r->edges.data[e];
			struct app_edge edge = { c->caller, c->pc, c->mref, to->is_later ? CALL_LATER : CALL_BACK, to->target, to->by,
						 to->by_pc, !to->by.i, false, to->first_step, to->nsteps, to->place };
			vec_push(&k->out->edges, edge);
		}
	}
}

/* Order */

static int compare(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

/* What is one edge stands together: a direct call goes first, then one before the library call is over, then one that known code makes. */
static int compare_edges(const void *x, const void *y)
{
	const struct app_edge *a = x, *b = y;
	int c = compare(map_key(a->caller.i, a->pc), map_key(b->caller.i, b->pc));

	c = c ? c : compare(a->callee.i, b->callee.i);
	c = c ? c : compare(a->sort, b->sort);
	c = c ? c : compare(a->is_open, b->is_open);
	return c ? c : compare(map_key(!a->by.i, a->by.i), map_key(!b->by.i, b->by.i));
}

static void finish(struct callbacks *c)
{
	uint32_t n = 0;

	if (c->edges.len)
		qsort(c->edges.data, c->edges.len, sizeof(*c->edges.data), compare_edges);
	for (uint32_t i = 0; i < c->edges.len; i++) {
		const struct app_edge *e = &c->edges.data[i], *last = n ? &c->edges.data[n - 1] : NULL;
		if (last && last->caller.i == e->caller.i && last->pc == e->pc && last->callee.i == e->callee.i)
			continue;
		c->counts[e->sort]++;
		c->edges.data[n++] = *e;
	}
	c->edges.len = n;
}

static bool is_new_set(const struct callbacks *c, struct reach_set s)
{
	for (uint32_t i = 0; i < s.n; i++)
		if (!c->accesses.data[s.first + i].is_new)
			return false;
	return true;
}

/* What it writes is new, and nothing is unknown. */
static bool changes_nothing(const struct callbacks *c, const struct reach_effect *e)
{
	for (uint32_t i = 0; i < e->nwrites; i++)
		if (!is_new_set(c, c->sets.data[c->lists.data[e->first_write + i]]))
			return false;
	return !e->nunknown;
}

static int compare_place(const struct app_edge *e, const struct library_call *c)
{
	return compare(map_key(e->caller.i, e->pc), map_key(c->caller.i, c->pc));
}

/* Calls with their edges; both by caller and pc. */
static void finish_calls(struct callbacks *c)
{
	bool *is_pure = mem_zalloc(c->effects.len + 1);
	uint32_t at = 0;

	for (uint32_t i = 1; i < c->effects.len; i++)
		is_pure[i] = changes_nothing(c, &c->effects.data[i]);
	for (uint32_t i = 0; i < c->calls.len; i++) {
		struct library_call *x = &c->calls.data[i];
		while (at < c->edges.len && compare_place(&c->edges.data[at], x) < 0)
			at++;
		for (x->first = at; at < c->edges.len && !compare_place(&c->edges.data[at], x); at++)
			x->ncallbacks += c->edges.data[at].sort != CALL_DIRECT;
		x->n = at - x->first;
		x->is_free = x->effect && is_pure[x->effect] && !x->ncallbacks;
		c->free_calls += x->is_free;
	}
	free(is_pure);
}

/* What is shown was checked. */
static void check_witnesses(const struct callgraph *g, struct callbacks *c)
{
	const char *reason;

	for (uint32_t i = 0; i < c->edges.len; i++) {
		struct app_edge *e = &c->edges.data[i];
		bool has_steps = e->nsteps, holds = has_steps && callbacks_check_witness(g, c, e, &reason);
		c->witnesses += holds;
		c->refused += has_steps && !holds;
		e->nsteps = holds ? e->nsteps : 0;
	}
}

/* Computing */

#define MOST_WORK ((uint64_t)1 << 30)    /* words: about a minute */

static bool is_library(const void *ctx, method_id m)
{
	const struct whole *w = ctx;

	return !w->opt->is_application(w->opt->ctx, method_row(w->p, m)->owner);
}

static bool is_initialised(const void *ctx, class_id c)
{
	const struct whole *w = ctx;

	return booted_has(w->booted, c);
}

#define take(to, from) (memcpy((to), (from), sizeof(*(to))), memset((from), 0, sizeof(*(from))))        /* a VEC */

static int compare_calls(const void *x, const void *y)
{
	const struct library_call *a = x, *b = y;

	return compare(map_key(a->caller.i, a->pc), map_key(b->caller.i, b->pc));
}

static void keep_effects(struct callbacks *out, struct reach_result *r)
{
	for (uint32_t i = 0; i < r->calls.len; i++) {
		const struct reach_call *c = &r->calls.data[i];
		if (c->effect || c->n || !c->is_done)    /* else it calls no library, as far as one knows */
			vec_push(&out->calls, ((struct library_call){ .caller = c->caller, .pc = c->pc, .mref = c->mref,
								      .effect = c->effect }));
	}
	if (out->calls.len)
		qsort(out->calls.data, out->calls.len, sizeof(*out->calls.data), compare_calls);
	take(&out->effects, &r->effects);
	take(&out->lists, &r->lists);
	take(&out->sets, &r->sets);
	take(&out->accesses, &r->accesses);
	take(&out->unknown_methods, &r->unknown);
}

static void look_at_calls(struct calling *k, struct pta *facts)
{
	const struct callbacks_opt *opt = k->w->opt;
	struct reach_opt ro = { .precision = opt->precision, .is_library = is_library, .is_initialised = is_initialised, .ctx = k->w,
				.most = opt->seconds > 0 ? 0 : MOST_WORK, .caller = opt->caller, .witnesses = opt->witnesses,
				.effects = opt->effects, .progress = opt->progress, .progress_ctx = opt->progress_ctx };
	struct reach_result r;

	reach_compute(facts, &ro, &r);
	add_reached(k, &r);
	if (opt->effects)
		keep_effects(k->out, &r);
	take(&k->out->steps, &r.steps);
	for (uint32_t i = 0; (opt->effects || opt->witnesses) && i < pta_nplaces(facts); i++)
		vec_push(&k->out->places, pta_place(facts, i));
	k->out->answers = r.answers;
	k->out->beginnings = r.beginnings;
	k->out->work = r.work;
	reach_release(&r);
}

struct callbacks *callbacks_compute(const struct callgraph *g, struct pta *facts, const struct callbacks_opt *opt)
{
	struct callbacks *out = mem_zalloc(sizeof(*out));
	struct whole w = { .g = g, .p = callgraph_program(g), .opt = opt };
	struct calling k = { .w = &w, .out = out, .is_walked = opt->is_simple || !facts };

	open_whole(&w, out);
	add_graph(&k);
	if (!k.is_walked)
		look_at_calls(&k, facts);
	close_whole(&w);
	finish(out);
	if (opt->witnesses)
		check_witnesses(g, out);
	finish_calls(out);
	return out;
}

void callbacks_free(struct callbacks *c)
{
	if (!c)
		return;
	vec_release(&c->edges);
	vec_release(&c->steps);
	vec_release(&c->calls);
	vec_release(&c->effects);
	vec_release(&c->lists);
	vec_release(&c->sets);
	vec_release(&c->accesses);
	vec_release(&c->unknown_methods);
	vec_release(&c->places);
	free(c);
}
