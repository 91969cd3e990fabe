/* SPDX-License-Identifier: Apache-2.0 */
#include "session/next/reasons.h"

#include <stdlib.h>

#include "analysis/callgraph/link.h"
#include "base/sys/usage.h"
#include "coverage/next.h"
#include "report/objects/steps.h"
#include "session/next/java.h"
#include "session/next/recipe.h"

#define WAYS_SHARE 0.6        /* of the time: to find ways, before they are put into words */

struct explainer {
	const struct reason_source *from;
	struct reasons *out;
	struct arena *mem;
	struct rows rows;
	uint32_t nmethods, nmrefs, nclasses;  /* of the program, when `rows` were begun */
	struct recipe recipe;
	struct java java;
	struct pta_ways ways;         /* by missed receiver */
	struct map type_of;           /* class -> row of the plan's types */
	struct map call_of;           /* (method, class that it is called on) -> number */
	uint32_t ncalls;
	struct map idea_of;           /* (call, class) -> row of ideas + 1 */
	VEC(struct best_way) best;    /* by idea */
	double until;                 /* CPU seconds */
	struct strbuf text;           /* scratch */
};
enum { IDEAS = 60 };                   /* of which code is written */
/* As ways are counted; of objects that stay within the component; of ways that no single run goes. */
enum { COST_OF_ACT = 8, COST_OF_INNER = 96, COST_OF_CROSSED = 256 };

/* The cheapest way of an idea. */
struct best_way { uint32_t missed, cost; };
/* A receiver that is missed. */
struct missed {
	uint32_t site, type, nth;     /* of its call, in the order of coverage_rank() */
	uint8_t rank;
	bool is_called, is_own;
};

static struct str keep(struct explainer *x, struct str t)
{
	return (struct str){ arena_copy(x->mem, t.p, t.len), t.len };
}

static void add_step(void *ctx, struct str place, struct str phrase)
{
	struct explainer *x = ctx;

	vec_push(&x->out->steps, ((struct reason_step){ keep(x, place), keep(x, phrase) }));
}

/* Names are kept for what was in the program when the first was asked for: looking at bodies may add to it. */
static void start_rows(struct explainer *x)
{
	struct report_head head = { 0 };
	const struct program *p = callgraph_program(x->from->graph);

	if (x->rows.p && p->methods.len == x->nmethods && p->mrefs.len == x->nmrefs && p->classes.len == x->nclasses)
		return;
	if (x->rows.p)
		rows_release(&x->rows);
	x->nmethods = p->methods.len, x->nmrefs = p->mrefs.len, x->nclasses = p->classes.len;
	rows_init(&x->rows, NULL, x->from->graph, x->from->facts, &head);
	x->rows.clients = x->from->clients;
	x->rows.each = add_step;
	x->rows.ctx = x;
}

/* What the client makes itself needs no calls to be made. */
static void add_creation(struct explainer *x, const struct pta_witness *w)
{
	const struct pta_step *first = w->steps;
	method_id main = x->from->clients->main;
	struct call_path path = { 0 };

	if (first->sort == STEP_NEW && first->by.i != main.i && call_tree_path(&x->recipe.paths, first->by, &path))
		rows_show_path(&x->rows, &path);
	call_path_release(&path);
}

static void add_steps(struct explainer *x, const struct pta_witness *w)
{
	start_rows(x);
	add_creation(x, w);
	rows_show_steps(&x->rows, w);
}

static void add_recipe(struct explainer *x, const struct pta_witness *w, bool is_library)
{
	recipe_make(&x->recipe, w, is_library);
	for (uint32_t i = 0; i < x->recipe.acts.len; i++) {
		strbuf_clear(&x->text);
		recipe_add_text(&x->recipe, &x->recipe.acts.data[i], w->receiver, &x->text);
		vec_push(&x->out->acts, keep(x, strbuf_str(&x->text)));
	}
}

/* The row of the plan for the class that declares what the call runs on such an object. */
static uint32_t target_of(struct explainer *x, const struct req_site *s, class_id receiver)
{
	bool is_incomplete = false;
	method_id m = dispatch_select(x->from->hierarchy, s->declared, receiver, &is_incomplete);

	return m.i ? map_get(&x->type_of, method_row(callgraph_program(x->from->graph), m)->owner.i) : 0;
}

/* The idea is the object, and the last thing that the client does with it; on and with objects of which classes, too. */
static uint32_t idea_of(struct explainer *x, const struct pta_witness *w, uint32_t missed, uint32_t cost)
{
	const struct recipe_act *last = x->recipe.acts.len ? vec_last(&x->recipe.acts) : NULL;
	uint32_t type = map_get(&x->type_of, w->receiver.i);

	if (!last || !type)
		return 0;
	uint32_t *call = map_at(&x->call_of, map_key(last->callee.i ? last->callee.i : UINT32_MAX - last->stmt, last->base.i));
	if (!*call)
		*call = ++x->ncalls;
	uint32_t *with = map_at(&x->call_of, map_key(*call, last->arg.i) | (uint64_t)1 << 63);
	if (!*with)
		*with = ++x->ncalls;
	uint32_t *row = map_at(&x->idea_of, map_key(*with, w->receiver.i));
	if (!*row) {
		strbuf_clear(&x->text);
		recipe_add_text(&x->recipe, last, w->receiver, &x->text);
		vec_push(&x->out->ideas, ((struct reason_idea){ .type = type, .call = keep(x, strbuf_str(&x->text)) }));
		vec_push(&x->best, ((struct best_way){ missed, UINT32_MAX }));
		*row = x->out->ideas.len;
	}
	if (cost < x->best.data[*row - 1].cost)
		x->best.data[*row - 1] = (struct best_way){ missed, cost };
	return *row;
}

/* Does the client ever have the object in its hands? */
static bool has_object(const struct explainer *x)
{
	for (uint32_t i = 0; i < x->recipe.acts.len; i++)
		if (x->recipe.acts.data[i].gives || x->recipe.acts.data[i].param)
			return true;
	return false;
}

/* NULL steps: it cannot be shown. */
static struct pta_witness witness_of(struct explainer *x, uint32_t k)
{
	struct pta_witness w = pta_way_witness(x->from->facts, &x->ways, k);
	const char *reason;

	if (!w.found || w.nsteps < 2 || !pta_check_witness(x->from->facts, x->from->graph, &w, &reason))
		return (struct pta_witness){ 0 };
	pta_contract(x->from->facts, &w);
	return w;
}

/* A way that cannot be shown is none: the report then names the command that says so. */
static void explain(struct explainer *x, const struct missed *of, uint32_t k)
{
	const struct req_site *s = &x->from->found->sites.data[x->from->plan->sites.data[of->site]];
	struct pta_witness w = witness_of(x, k);
	struct reason row = { .site = of->site, .type = of->type, .first_step = x->out->steps.len,
			      .first_act = x->out->acts.len, .cost = x->ways.rows.data[k].cost };

	if (!w.steps)
		return;
	add_steps(x, &w);
	add_recipe(x, &w, !of->is_own);
	row.nsteps = x->out->steps.len - row.first_step;
	row.nacts = x->out->acts.len - row.first_act;
	row.target = target_of(x, s, x->from->plan->types.data[of->type]);
	row.cost += row.nacts * COST_OF_ACT + (has_object(x) ? 0 : COST_OF_INNER) + (x->recipe.is_crossed ? COST_OF_CROSSED : 0);
	row.idea = idea_of(x, &w, k, row.cost);
	if (row.nsteps)
		vec_push(&x->out->rows, row);
}

static int compare_rows(const void *x, const void *y)
{
	const struct reason *a = x, *b = y;
	int c = (a->site > b->site) - (a->site < b->site);

	return c ? c : (a->type > b->type) - (a->type < b->type);
}

/* What is missed, in the order in which it is explained: first one receiver of each call that was made, then the next of
 * each; calls that were never made come last. Within a call the order is that of reports. */
typedef VEC(struct missed) missed_list;

static int compare_ranks(const void *x, const void *y)
{
	const struct missed *a = x, *b = y;
	int c = (int)a->rank - (int)b->rank;

	return c ? c : (a->nth > b->nth) - (a->nth < b->nth);
}

static int compare_missed(const void *x, const void *y)
{
	const struct missed *a = x, *b = y;
	int c = (int)b->is_own - (int)a->is_own;

	c = c ? c : (int)b->is_called - (int)a->is_called;
	c = c ? c : (a->nth > b->nth) - (a->nth < b->nth);
	return c ? c : (a->site > b->site) - (a->site < b->site);
}

static void find_missed(const struct coverage *c, missed_list *out)
{
	uint32_t receivers = criteria_receivers(c->plan);

	for (uint32_t i = 0; i < c->sites.len; i++) {
		const struct cov_site *s = &c->sites.data[i];
		struct cov_list of = receivers < CRITERIA ? s->of[receivers] : (struct cov_list){ 0 };
		uint32_t first = out->len;
		for (uint32_t k = 0; k < of.required; k++) {
			const struct cov_item *item = &c->items.data[of.first + k];
			if (!item->count)
				vec_push(out, ((struct missed){ s->site, item->type, k, (uint8_t)coverage_rank(item),
								s->count > 0, item->is_own }));
		}
		if (out->len > first)
			qsort(out->data + first, out->len - first, sizeof(*out->data), compare_ranks);
		for (uint32_t k = first; k < out->len; k++)
			out->data[k].nth = k - first;
	}
	if (out->len)
		qsort(out->data, out->len, sizeof(*out->data), compare_missed);
}

static bool has_time(void *ctx)
{
	const struct explainer *x = ctx;

	return cpu_seconds() < x->until;
}

/* Ways of all, in their order, as far as there is time. */
static void find_ways(struct explainer *x, const missed_list *missed)
{
	VEC(struct pta_target) targets = { 0 };

	for (uint32_t i = 0; i < missed->len; i++) {
		const struct missed *of = &missed->data[i];
		const struct req_site *s = &x->from->found->sites.data[x->from->plan->sites.data[of->site]];
		vec_push(&targets, ((struct pta_target){ s->method, s->pc, x->from->plan->types.data[of->type] }));
	}
	pta_ways_find(x->from->facts, targets.data, targets.len, has_time, x, &x->ways);
	vec_release(&targets);
}

/* As Java. */
static void write_idea(struct explainer *x, const missed_list *missed, uint32_t idea)
{
	struct reason_idea *row = &x->out->ideas.data[idea];
	uint32_t k = x->best.data[idea].missed;
	struct pta_witness w = witness_of(x, k);

	if (!w.steps)
		return;
	recipe_make(&x->recipe, &w, !missed->data[k].is_own);
	java_write(&x->java, w.receiver);
	row->code = keep(x, strbuf_str(&x->java.text));
	row->is_whole = x->java.is_whole;
	strbuf_clear(&x->text);
	for (uint32_t i = 0; i < x->java.imports.len; i++) {
		strbuf_adds(&x->text, i ? "," : "");
		print_class(callgraph_program(x->from->graph), x->java.imports.data[i], &x->text);
	}
	row->imports = keep(x, strbuf_str(&x->text));
}

/* Those that come first. */
static void write_ideas(struct explainer *x, struct coverage *c, const missed_list *missed)
{
	const struct reasons *before = c->reasons;
	struct next next = { 0 };

	c->reasons = x->out;
	next_compute(c, NULL, NULL, IDEAS, &next);
	c->reasons = before;
	for (uint32_t i = 0; i < next.acts.len; i++)
		write_idea(x, missed, next.acts.data[i].idea);
	next_release(&next);
}

static void start(struct explainer *x)
{
	const struct made_plan *plan = x->from->plan;

	recipe_init(&x->recipe, x->from->graph, x->from->hierarchy, x->from->clients);
	java_init(&x->java, &x->recipe, x->from->facts, x->from->hierarchy);
	for (uint32_t i = 1; i < plan->types.len; i++)
		if (plan->types.data[i].i)
			*map_at(&x->type_of, plan->types.data[i].i) = i;
}

static void end(struct explainer *x)
{
	if (x->rows.p)
		rows_release(&x->rows);
	java_release(&x->java);
	recipe_release(&x->recipe);
	pta_ways_release(&x->ways);
	map_release(&x->type_of);
	map_release(&x->call_of);
	map_release(&x->idea_of);
	vec_release(&x->best);
	strbuf_release(&x->text);
}

uint64_t reasons_make(const struct reason_source *from, struct coverage *c, double seconds, struct arena *mem, struct reasons *out)
{
	struct explainer x = { .from = from, .out = out, .mem = mem };
	missed_list missed = { 0 };
	double begin = cpu_seconds();
	uint32_t i = 0;

	out->plan = from->plan->plan.id;
	start(&x);
	find_missed(c, &missed);
	x.until = begin + seconds * WAYS_SHARE;
	find_ways(&x, &missed);
	x.until = begin + seconds;
	for (; i < missed.len && has_time(&x); i++)
		explain(&x, &missed.data[i], i);
	if (out->rows.len)
		qsort(out->rows.data, out->rows.len, sizeof(*out->rows.data), compare_rows);
	write_ideas(&x, c, &missed);
	uint64_t left = missed.len - i;
	vec_release(&missed);
	end(&x);
	return left;
}
