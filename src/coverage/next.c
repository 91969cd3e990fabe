/* SPDX-License-Identifier: Apache-2.0 */
/* next.c - weighted set cover, greedily: there are few rounds, so that each looks at all acts that are left. */
#include "coverage/next.h"

#include <stdlib.h>

#include "base/intern.h"
#include "coverage/next_weights.h"

enum { NEAR = 32, OF_WHOLE = 4, SEEN_BEFORE = 4, SURE = 16 };

/* Acts */

struct element { uint32_t id, weight; };
struct row {                          /* a missed receiver, by its idea */
	uint32_t reason, first, n;    /* of `elements` */
	bool is_target;               /* its method never ran there */
};
struct idea {
	uint32_t first, n;            /* of `order`: rows */
	bool is_done;
};
struct maker {
	const struct coverage *c;
	struct next *out;
	struct interner names;
	VEC(struct element) elements;
	VEC(struct row) rows;
	VEC(uint32_t) order;          /* rows by idea, then by site */
	VEC(struct idea) ideas;
	bool *is_covered;             /* by element */
	bool *is_told;                /* by method of the plan: an act is about its calls, and another one is less news */
	uint32_t *seen;               /* by element: the sum that counted it last, by its number */
	uint32_t nsums;
};

static void add_row(struct maker *k, uint32_t reason, next_weigh *by, void *ctx)
{
	const struct reason *r = &k->c->reasons->rows.data[reason];
	struct next_element found[NEXT_ELEMENTS];
	struct row row = { .reason = reason, .first = k->elements.len };
	const struct cov_item *target = coverage_item(k->c, r->site, COV_TM, r->target);

	row.n = by(ctx, k->c, r, found);
	for (uint32_t i = 0; i < row.n; i++)
		vec_push(&k->elements, ((struct element){ intern(&k->names, found[i].name).i, found[i].weight }));
	row.is_target = target && !target->count;
	vec_push(&k->rows, row);
}

static void find_rows(struct maker *k, next_weigh *by, void *ctx)
{
	const struct reasons *why = k->c->reasons;
	uint32_t receivers = criteria_receivers(k->c->plan);

	for (uint32_t i = 0; i < why->rows.len; i++) {
		const struct reason *r = &why->rows.data[i];
		const struct cov_item *item = coverage_item(k->c, r->site, receivers, r->type);
		if (r->idea && item && !item->count && !reasons_refuted(why, r->site, r->type))
			add_row(k, i, by, ctx);
	}
}

static void group(struct maker *k)
{
	const struct reasons *why = k->c->reasons;

	for (uint32_t i = 0; i < why->ideas.len; i++)
		vec_push(&k->ideas, (struct idea){ 0 });
	for (uint32_t i = 0; i < k->rows.len; i++)
		k->ideas.data[why->rows.data[k->rows.data[i].reason].idea - 1].n++;
	for (uint32_t i = 0, at = 0; i < k->ideas.len; i++) {
		k->ideas.data[i].first = at;
		at += k->ideas.data[i].n;
		k->ideas.data[i].n = 0;
	}
	vec_reserve(&k->order, k->rows.len);
	k->order.len = k->rows.len;
	for (uint32_t i = 0; i < k->rows.len; i++) {
		struct idea *of = &k->ideas.data[why->rows.data[k->rows.data[i].reason].idea - 1];
		k->order.data[of->first + of->n++] = i;
	}
}

/* What is not covered of a row, each element once a sum. */
static uint64_t gain_of_row(struct maker *k, const struct row *r)
{
	uint64_t weight = 0;

	for (uint32_t i = 0; i < r->n; i++) {
		const struct element *e = &k->elements.data[r->first + i];
		if (!k->is_covered[e->id] && k->seen[e->id] != k->nsums)
			weight += e->weight;
		k->seen[e->id] = k->nsums;
	}
	uint64_t far = NEAR + (uint64_t)k->c->reasons->rows.data[r->reason].cost;
	weight = weight * 1024 * NEAR * NEAR / (far * far);
	return k->is_told[k->c->plan->sites.data[k->c->reasons->rows.data[r->reason].site].method] ? weight / SEEN_BEFORE : weight;
}

/* What an act covers stands and falls together: of many, each is less sure than the one before it. */
static uint64_t gain_of(struct maker *k, uint32_t idea)
{
	const struct idea *of = &k->ideas.data[idea];
	uint64_t gain = 0;

	k->nsums++;
	for (uint32_t i = 0, n = 0; i < of->n; i++) {
		uint64_t more = gain_of_row(k, &k->rows.data[k->order.data[of->first + i]]) * SURE / (SURE + n);
		gain += more;
		n += more > 0;
	}
	return k->c->reasons->ideas.data[idea].is_whole ? gain * OF_WHOLE : gain;
}

static uint32_t find_best(struct maker *k, uint64_t *gain)
{
	uint32_t best = UINT32_MAX;

	*gain = 0;
	for (uint32_t i = 0; i < k->ideas.len; i++) {
		if (k->ideas.data[i].is_done || !k->ideas.data[i].n)
			continue;
		uint64_t of = gain_of(k, i);
		if (of > *gain)
			best = i, *gain = of;
	}
	return best;
}

static void cover(struct maker *k, uint32_t idea)
{
	const struct idea *of = &k->ideas.data[idea];

	for (uint32_t i = 0; i < of->n; i++) {
		const struct row *r = &k->rows.data[k->order.data[of->first + i]];
		for (uint32_t e = 0; e < r->n; e++)
			k->is_covered[k->elements.data[r->first + e].id] = true;
		k->is_told[k->c->plan->sites.data[k->c->reasons->rows.data[r->reason].site].method] = true;
	}
}

static void list_rows(struct maker *k, uint32_t idea, struct next_act *a)
{
	const struct idea *of = &k->ideas.data[idea];

	a->first = k->out->rows.len;
	for (uint32_t i = 0; i < of->n; i++) {
		const struct row *r = &k->rows.data[k->order.data[of->first + i]];
		bool is_new = false;
		for (uint32_t e = 0; e < r->n; e++)
			is_new |= !k->is_covered[k->elements.data[r->first + e].id];
		if (is_new)
			vec_push(&k->out->rows, r->reason);
		a->targets += is_new && r->is_target;
	}
	a->n = k->out->rows.len - a->first;
}

static void list_like(struct maker *k, uint32_t idea, struct next_act *a)
{
	const struct reason_idea *ideas = k->c->reasons->ideas.data, *of = &ideas[idea];

	a->first_like = k->out->like.len;
	for (uint32_t i = 0; i < k->ideas.len; i++) {
		bool is_like = ideas[i].type == of->type || str_eq(ideas[i].call, of->call);
		if (!is_like || k->ideas.data[i].is_done || !k->ideas.data[i].n)
			continue;
		vec_push(&k->out->like, i);
		k->ideas.data[i].is_done = true;
	}
	a->nlike = k->out->like.len - a->first_like;
}

static void take(struct maker *k, uint32_t idea, uint64_t gain)
{
	struct next_act a = { .idea = idea, .gain = gain };

	k->ideas.data[idea].is_done = true;
	list_rows(k, idea, &a);
	cover(k, idea);
	list_like(k, idea, &a);
	vec_push(&k->out->acts, a);
}

static void choose(struct maker *k, uint32_t most)
{
	uint64_t gain;

	k->is_covered = mem_zalloc(k->names.strings.len + 1);
	k->is_told = mem_zalloc(k->c->plan->methods.len + 1);
	k->seen = mem_zalloc((k->names.strings.len + 1) * sizeof(*k->seen));
	for (uint32_t best; k->out->acts.len < most && (best = find_best(k, &gain)) != UINT32_MAX;)
		take(k, best, gain);
	free(k->is_covered);
	free(k->is_told);
	free(k->seen);
}

void next_compute(const struct coverage *c, next_weigh *by, void *ctx, uint32_t most, struct next *out)
{
	struct maker k = { .c = c, .out = out };
	struct next_weights usual;

	if (!c->reasons || criteria_receivers(c->plan) == CRITERIA)
		return;
	interner_init(&k.names);
	next_weights_init(&usual, c);
	find_rows(&k, by ? by : next_weigh_usual, by ? ctx : &usual);
	group(&k);
	choose(&k, most);
	next_weights_release(&usual);
	interner_release(&k.names);
	vec_release(&k.elements);
	vec_release(&k.rows);
	vec_release(&k.order);
	vec_release(&k.ideas);
}

void next_release(struct next *n)
{
	vec_release(&n->acts);
	vec_release(&n->rows);
	vec_release(&n->like);
}
