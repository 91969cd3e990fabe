/* SPDX-License-Identifier: Apache-2.0 */
#include "session/artifact/reasons.h"

#include <stdlib.h>

#include "base/sys/usage.h"
#include "report/objects/steps.h"
#include "session/artifact/recipe.h"

struct explainer {
	const struct reason_source *from;
	struct reasons *out;
	struct arena *mem;
	struct rows rows;
	uint32_t nmethods, nmrefs, nclasses;  /* of the program, when `rows` were begun */
	struct recipe recipe;
	struct pta_ways ways;         /* by missed receiver */
	double until;                 /* CPU seconds */
	struct strbuf text;           /* scratch */
};
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

/* A way that cannot be shown is none: the report then names the command that says so. */
static void explain(struct explainer *x, const struct missed *of, uint32_t k)
{
	struct pta_witness w = pta_way_witness(x->from->facts, &x->ways, k);
	struct reason row = { .site = of->site, .type = of->type, .first_step = x->out->steps.len,
			      .first_act = x->out->acts.len };
	const char *reason;

	if (!w.found || w.nsteps < 2 || !pta_check_witness(x->from->facts, x->from->graph, &w, &reason))
		return;
	pta_contract(x->from->facts, &w);
	add_steps(x, &w);
	add_recipe(x, &w, !of->is_own);
	row.nsteps = x->out->steps.len - row.first_step;
	row.nacts = x->out->acts.len - row.first_act;
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

uint64_t reasons_make(const struct reason_source *from, const struct coverage *c, double seconds, struct arena *mem,
		      struct reasons *out)
{
	struct explainer x = { .from = from, .out = out, .mem = mem };
	missed_list missed = { 0 };
	uint32_t i = 0;

	out->plan = from->plan->plan.id;
	recipe_init(&x.recipe, from->graph, from->clients);
	find_missed(c, &missed);
	double start = cpu_seconds();
	x.until = start + seconds * 0.6;
	find_ways(&x, &missed);
	x.until = start + seconds;
	for (; i < missed.len && has_time(&x); i++)
		explain(&x, &missed.data[i], i);
	pta_ways_release(&x.ways);
	if (out->rows.len)
		qsort(out->rows.data, out->rows.len, sizeof(*out->rows.data), compare_rows);
	uint64_t left = missed.len - i;
	vec_release(&missed);
	if (x.rows.p)
		rows_release(&x.rows);
	recipe_release(&x.recipe);
	strbuf_release(&x.text);
	return left;
}
