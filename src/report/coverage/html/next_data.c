/* SPDX-License-Identifier: Apache-2.0 */
/* next_data.c - what to test next, for the page: acts of clients (coverage/next.h), with what each covers of each rung that those before it
 * do not. */
#include "coverage/next.h"

#include "report/coverage/html/html_p.h"

#define MOST 20                        /* acts on the page */
#define MOST_LIKES 6                   /* of an act */
enum { IMPLEMENTATIONS, CALLERS, TARGETS, RECEIVERS, RUNGS };
static const uint8_t rungs[RUNGS] = { COV_IMPLEMENTATIONS, COV_CALLERS, COV_TARGETS, COV_RECEIVERS };

struct covering {
	struct html_data *d;
	struct map group_of;           /* (rung, item): the group that it is a member of, plus 1 */
	VEC(bool) has_group, has_item; /* of groups and items: an act before it, or the one at hand, covers it */
};

/* The missed item of a list that a type names; UINT32_MAX: there is none. */
static uint32_t missed_item(const struct coverage *c, struct cov_list list, uint32_t type)
{
	for (uint32_t i = list.first; i < list.first + list.required; i++)
		if (type && c->items.data[i].type == type)
			return c->items.data[i].count ? UINT32_MAX : i;
	return UINT32_MAX;
}

static void number_groups(struct covering *s)
{
	const struct coverage *c = s->d->c;

	for (uint32_t k = 0; k < c->groups.len; k++) {
		const struct cov_group *g = &c->groups.data[k];
		for (uint32_t i = g->first; i < g->first + g->n; i++)
			*map_at(&s->group_of, map_key(g->criterion, c->members.data[i].item)) = k + 1;
	}
}

static bool is_new_item(struct covering *s, uint32_t item)
{
	bool is_new = item != UINT32_MAX && !s->has_item.data[item];

	if (is_new)
		s->has_item.data[item] = true;
	return is_new;
}

static bool is_new_group(struct covering *s, uint32_t rung, uint32_t item)
{
	uint32_t group = map_get(&s->group_of, map_key(rungs[rung], item));
	bool is_new = group && !s->d->c->groups.data[group - 1].count && !s->has_group.data[group - 1];

	if (is_new)
		s->has_group.data[group - 1] = true;
	return is_new;
}

/* Without the ladder all receivers count. */
static void count_reason(struct covering *s, const struct reason *r, uint32_t *gain)
{
	const struct coverage *c = s->d->c;
	const struct plan_site *site = &c->plan->sites.data[r->site];
	uint32_t receiver = missed_item(c, c->sites.data[r->site].of[COV_RC], r->type);
	uint32_t target = missed_item(c, c->sites.data[r->site].of[COV_TM], r->target);

	if (!cov_has_ladder(&c->sums) || plan_range_has(c->plan, site->own, r->type))
		gain[RECEIVERS] += is_new_item(s, receiver);
	if (target == UINT32_MAX || !plan_range_has(c->plan, site->own_targets, r->target))
		return;
	gain[IMPLEMENTATIONS] += is_new_group(s, IMPLEMENTATIONS, target);
	gain[CALLERS] += is_new_group(s, CALLERS, target);
	gain[TARGETS] += is_new_item(s, target);
}

static void write_covers(struct covering *s, const struct next *next, const struct next_act *a)
{
	uint32_t gain[RUNGS] = { 0 };

	for (uint32_t i = a->first; i < a->first + a->n; i++)
		count_reason(s, &s->d->c->reasons->rows.data[next->rows.data[i]], gain);
	json_key(&s->d->j, "covers"), json_array(&s->d->j);
	for (uint32_t i = cov_has_ladder(&s->d->c->sums) ? 0 : RECEIVERS; i < RUNGS; i++)
		json_uint(&s->d->j, gain[i]);
	json_end_array(&s->d->j);
}

/* Each line ends in a new line. */
static void write_lines(struct html_data *d, struct str text)
{
	json_array(&d->j);
	for (uint32_t from = 0, i = 0; i < text.len; i++)
		if (text.p[i] == '\n') {
			html_write_text(d, str_sub(text, from, i));
			from = i + 1;
		}
	json_end_array(&d->j);
}

/* What has its object, or its call, in common with the act. */
static void write_likes(struct html_data *d, const struct next *next, const struct next_act *a)
{
	const struct reasons *why = d->c->reasons;

	json_key(&d->j, "likes"), json_uint(&d->j, a->nlike);
	json_key(&d->j, "like"), json_array(&d->j);
	for (uint32_t i = 0; i < a->nlike && i < MOST_LIKES; i++) {
		const struct reason_idea *of = &why->ideas.data[next->like.data[a->first_like + i]];
		json_object(&d->j);
		json_key(&d->j, "object"), html_write_text(d, d->c->plan->types.data[of->type].name);
		json_key(&d->j, "call"), html_write_text(d, of->call);
		json_end_object(&d->j);
	}
	json_end_array(&d->j);
}

static void write_act(struct covering *s, const struct next *next, const struct next_act *a)
{
	struct html_data *d = s->d;
	const struct reasons *why = d->c->reasons;
	const struct reason_idea *of = &why->ideas.data[a->idea];
	const struct reason *r = &why->rows.data[next->rows.data[a->first]];
	struct strbuf site = { 0 };

	json_break(&d->j);
	json_object(&d->j);
	json_key(&d->j, "code"), write_lines(d, of->code);
	json_key(&d->j, "whole"), json_bool(&d->j, of->is_whole);
	json_key(&d->j, "call"), html_write_text(d, of->call);
	json_key(&d->j, "acts"), json_array(&d->j);
	for (uint32_t i = 0; i < r->nacts; i++)
		html_write_text(d, why->acts.data[r->first_act + i]);
	json_end_array(&d->j);
	write_covers(s, next, a);
	cov_add_site(d->c, &d->c->sites.data[r->site], &site);
	json_key(&d->j, "site"), html_write_text(d, strbuf_str(&site));
	json_key(&d->j, "object"), html_write_text(d, d->c->plan->types.data[of->type].name);
	write_likes(d, next, a);
	json_end_object(&d->j);
	strbuf_release(&site);
}

void html_write_next(struct html_data *d)
{
	struct covering s = { .d = d };
	struct next next = { 0 };

	json_break(&d->j);
	json_key(&d->j, "next"), json_array(&d->j);
	next_compute(d->c, NULL, NULL, MOST, &next);
	for (uint32_t i = 0; i < d->c->groups.len; i++)
		vec_push(&s.has_group, false);
	for (uint32_t i = 0; i < d->c->items.len; i++)
		vec_push(&s.has_item, false);
	number_groups(&s);
	for (uint32_t i = 0; i < next.acts.len; i++)
		write_act(&s, &next, &next.acts.data[i]);
	json_end_array(&d->j);
	next_release(&next);
	map_release(&s.group_of);
	vec_release(&s.has_group);
	vec_release(&s.has_item);
}
