/* SPDX-License-Identifier: Apache-2.0 */
/* next_data.c - what to test next, for the page: what clients can do that brings the component's own classes where tests never brought
 * them, each thing once, in the order of what it covers. */
#include <stdlib.h>

#include "report/coverage/html/html_p.h"

#define MOST 10                        /* ideas on the page */
#define MOST_RUNGS 4

/* A missed receiver that a recipe brings: rows of recipes and reasons. */
struct wish { uint32_t recipe, row; };
struct idea {
	const struct reason *first;        /* of those that a recipe brings, by site */
	uint32_t first_row, n;             /* of `wishes` */
	uint32_t gain[MOST_RUNGS];
};
struct search {
	struct html_data *d;
	struct map group_of;               /* (rung, item): the group that it is a member of, plus 1 */
	VEC(struct wish) wishes;           /* by recipe */
	VEC(struct idea) ideas;
	VEC(bool) has_group;               /* by group: an idea that was taken brings it */
	VEC(bool) has_item;                /* by item, likewise */
	VEC(uint32_t) touched;             /* of groups: counted for the idea at hand */
	struct map acts;                   /* first and last acts of ideas that were taken */
};

static uint32_t rung(uint32_t n)
{
	uint32_t k = 0;

	for (; k < CRITERIA; k++)
		if (criterion_is_rung(k) && n-- == 0)
			break;
	return k;
}

/* The item of a site that a type names; NULL: none that is missed. */
static const struct cov_item *missed_item(const struct coverage *c, struct cov_list list, uint32_t type)
{
	for (uint32_t i = list.first; i < list.first + list.required; i++)
		if (c->items.data[i].type == type)
			return c->items.data[i].count ? NULL : &c->items.data[i];
	return NULL;
}

static bool is_wanted(const struct coverage *c, const struct reason *r)
{
	const struct plan_site *s = &c->plan->sites.data[r->site];
	const struct cov_item *item = missed_item(c, c->sites.data[r->site].of[COV_RC], r->type);

	return r->nacts && item && (cov_has_ladder(&c->sums) ? plan_range_has(c->plan, s->own, r->type) : item->is_own);
}

static int by_recipe(const void *a, const void *b)
{
	const struct wish *x = a, *y = b;

	if (x->recipe != y->recipe)
		return x->recipe < y->recipe ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

static void find_wishes(struct search *s)
{
	const struct coverage *c = s->d->c;

	for (uint32_t i = 0; i < c->reasons->rows.len; i++)
		if (is_wanted(c, &c->reasons->rows.data[i]))
			vec_push(&s->wishes, ((struct wish){ html_recipe_id(s->d, &c->reasons->rows.data[i]), i }));
	if (s->wishes.len)
		qsort(s->wishes.data, s->wishes.len, sizeof(*s->wishes.data), by_recipe);
	for (uint32_t i = 0; i < s->wishes.len; i++) {
		const struct wish *w = &s->wishes.data[i];
		if (i == 0 || w->recipe != w[-1].recipe)
			vec_push(&s->ideas, ((struct idea){ .first = &c->reasons->rows.data[w->row], .first_row = i }));
		vec_last(&s->ideas)->n++;
	}
}

static void number_groups(struct search *s)
{
	const struct coverage *c = s->d->c;

	for (uint32_t k = 0; k < c->groups.len; k++) {
		const struct cov_group *g = &c->groups.data[k];
		for (uint32_t i = g->first; i < g->first + g->n; i++)
			*map_at(&s->group_of, map_key(g->criterion, c->members.data[i].item)) = k + 1;
	}
}

/* Does something count for the idea that is in no other one, nor counted for this one? */
static bool is_new(struct search *s, uint32_t group)
{
	if (s->d->c->groups.data[group].count || s->has_group.data[group])
		return false;
	for (uint32_t i = 0; i < s->touched.len; i++)
		if (s->touched.data[i] == group)
			return false;
	vec_push(&s->touched, group);
	return true;
}

/* A class that has the method itself runs it; of one that inherits it the plan does not say what it runs, and nothing is promised. */
static void weigh_wish(struct search *s, struct idea *idea, const struct reason *r)
{
	const struct coverage *c = s->d->c;
	const struct cov_site *site = &c->sites.data[r->site];
	const struct cov_item *receiver = missed_item(c, site->of[COV_RC], r->type),
			      *target = missed_item(c, site->of[COV_TM], r->type);

	idea->gain[3] += !s->has_item.data[receiver - c->items.data];
	if (!target)
		return;
	idea->gain[2] += !s->has_item.data[target - c->items.data];
	for (uint32_t n = 0; n < 2; n++) {
		uint32_t group = map_get(&s->group_of, map_key(rung(n), (uint32_t)(target - c->items.data)));
		idea->gain[n] += group && is_new(s, group - 1);
	}
}

static const struct reason *reason_of(const struct search *s, uint32_t wish)
{
	return &s->d->c->reasons->rows.data[s->wishes.data[wish].row];
}

static void weigh(struct search *s, struct idea *idea)
{
	memset(idea->gain, 0, sizeof(idea->gain));
	vec_clear(&s->touched);
	for (uint32_t i = 0; i < idea->n; i++)
		weigh_wish(s, idea, reason_of(s, idea->first_row + i));
}

static bool is_better(const struct idea *a, const struct idea *b)
{
	for (uint32_t i = 0; i < MOST_RUNGS; i++)
		if (a->gain[i] != b->gain[i])
			return a->gain[i] > b->gain[i];
	return a->first->nacts < b->first->nacts;
}

static uint64_t act_key(const struct search *s, const struct reason *r, uint32_t nth)
{
	return html_string(s->d, s->d->c->reasons->acts.data[r->first_act + nth]);
}

/* Is it, in what is done first or last, the same idea as one that was taken? */
static bool is_taken(const struct search *s, const struct reason *r)
{
	return map_get(&s->acts, act_key(s, r, 0)) || map_get(&s->acts, act_key(s, r, r->nacts - 1));
}

static void take(struct search *s, const struct idea *idea)
{
	const struct coverage *c = s->d->c;

	*map_at(&s->acts, act_key(s, idea->first, 0)) = 1;
	*map_at(&s->acts, act_key(s, idea->first, idea->first->nacts - 1)) = 1;
	for (uint32_t i = 0; i < s->touched.len; i++)
		s->has_group.data[s->touched.data[i]] = true;
	for (uint32_t i = 0; i < idea->n; i++) {
		const struct reason *r = reason_of(s, idea->first_row + i);
		const struct cov_item *receiver = missed_item(c, c->sites.data[r->site].of[COV_RC], r->type),
				      *target = missed_item(c, c->sites.data[r->site].of[COV_TM], r->type);
		s->has_item.data[receiver - c->items.data] = true;
		if (target)
			s->has_item.data[target - c->items.data] = true;
	}
}

/* The best that is left; NULL: nothing is. */
static struct idea *best_idea(struct search *s)
{
	struct idea *best = NULL;

	for (uint32_t i = 0; i < s->ideas.len; i++) {
		struct idea *idea = &s->ideas.data[i];
		if (is_taken(s, idea->first))
			continue;
		weigh(s, idea);
		if (idea->gain[3] && (!best || is_better(idea, best)))
			best = idea;
	}
	return best;
}

static void write_idea(struct html_data *d, const struct idea *idea)
{
	const struct reason *r = idea->first;
	const struct cov_site *s = &d->c->sites.data[r->site];
	struct strbuf site = { 0 };

	json_break(&d->j);
	json_object(&d->j);
	json_key(&d->j, "acts"), json_array(&d->j);
	for (uint32_t i = 0; i < r->nacts; i++)
		html_write_text(d, d->c->reasons->acts.data[r->first_act + i]);
	json_end_array(&d->j);
	json_key(&d->j, "covers"), json_array(&d->j);
	for (uint32_t i = cov_has_ladder(&d->c->sums) ? 0 : MOST_RUNGS - 1; i < MOST_RUNGS; i++)
		json_uint(&d->j, idea->gain[i]);
	json_end_array(&d->j);
	cov_add_site(d->c, s, &site);
	json_key(&d->j, "site"), html_write_text(d, strbuf_str(&site));
	json_key(&d->j, "receiver"), html_write_text(d, d->c->plan->types.data[r->type].name);
	json_end_object(&d->j);
	strbuf_release(&site);
}

static void search_init(struct search *s, struct html_data *d)
{
	*s = (struct search){ .d = d };
	for (uint32_t i = 0; i < d->c->groups.len; i++)
		vec_push(&s->has_group, false);
	for (uint32_t i = 0; i < d->c->items.len; i++)
		vec_push(&s->has_item, false);
	number_groups(s);
	find_wishes(s);
}

static void search_release(struct search *s)
{
	map_release(&s->group_of);
	map_release(&s->acts);
	vec_release(&s->wishes);
	vec_release(&s->ideas);
	vec_release(&s->has_group);
	vec_release(&s->has_item);
	vec_release(&s->touched);
}

void html_write_next(struct html_data *d)
{
	struct search s;

	json_break(&d->j);
	json_key(&d->j, "next"), json_array(&d->j);
	if (d->c->reasons && d->receivers == COV_RC) {
		search_init(&s, d);
		for (uint32_t n = 0; n < MOST; n++) {
			struct idea *idea = best_idea(&s);
			if (!idea)
				break;
			weigh(&s, idea);
			write_idea(d, idea);
			take(&s, idea);
		}
		search_release(&s);
	}
	json_end_array(&d->j);
}
