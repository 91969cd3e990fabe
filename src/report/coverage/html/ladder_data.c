/* SPDX-License-Identifier: Apache-2.0 */
/* ladder_data.c - what the page says of the ladder: requirements of several calls at once, by class, and what RC and TM are where only
 * some calls or classes are looked at. */
#include <stdlib.h>

#include "report/coverage/html/html_p.h"

/* Figures of a whole: of all calls and of those that have a choice, of all classes and of the component's own */

struct view { uint8_t whole; bool own, choice; };
static const struct view views[] = { { COV_TM, true, false }, { COV_RC, false, true }, { COV_TM, false, true } };

static void count_site(const struct coverage *c, const struct cov_site *s, struct view v, struct cov_counts *n)
{
	struct cov_list list = s->of[v.whole];

	if (v.choice && !(cov_plan_site(c, s)->flags & PLAN_CHOICE))
		return;
	for (uint32_t i = list.first; i < list.first + list.required; i++) {
		const struct cov_item *item = &c->items.data[i];
		bool counts = !v.own || item->is_own;
		n->required += counts;
		n->covered += counts && item->count;
	}
}

void html_put_views(struct html_data *d, uint32_t first_site, uint32_t nsites)
{
	for (uint32_t k = 0; cov_has_ladder(&d->c->sums) && k < ARRAY_LEN(views); k++) {
		struct cov_counts n = { 0 };
		for (uint32_t i = 0; i < nsites; i++)
			count_site(d->c, &d->c->sites.data[first_site + i], views[k], &n);
		json_uint(&d->j, n.required), json_uint(&d->j, n.covered);
	}
}

/* Requirements of several calls */

static int by_class(const void *a, const void *b)
{
	const struct cov_group *x = *(const struct cov_group *const *)a, *y = *(const struct cov_group *const *)b;

	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* What the page calls a criterion: the number of those before it that the plan has. */
static uint32_t number_of(const struct coverage *c, uint32_t criterion)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < criterion; k++)
		n += criterion_in(c->plan, k);
	return n;
}

/* The calls where it is missed, as differences. */
static void pack_members(struct html_data *d, const struct cov_group *g)
{
	uint32_t last = 0;

	html_pack(d, g->n);
	for (uint32_t i = g->first; i < g->first + g->n; i++) {
		uint32_t site = d->c->members.data[i].site;
		html_pack(d, site - last);
		last = site;
	}
}

static void pack_group(struct html_data *d, const struct cov_group *g)
{
	struct cov_member m = d->c->members.data[g->first];
	const struct plan_site *s = &d->c->plan->sites.data[m.site];

	html_pack(d, number_of(d->c, g->criterion));
	html_pack_string(d, d->c->items.data[m.item].name);
	html_pack(d, html_call_id(d, s->declares, s->name, s->desc));
	html_pack(d, g->count);
	if (!g->count)
		pack_members(d, g);
}

static const struct cov_group **groups_by_class(const struct coverage *c)
{
	const struct cov_group **rows = mem_alloc((c->groups.len + 1u) * sizeof(*rows));

	for (uint32_t i = 0; i < c->groups.len; i++)
		rows[i] = &c->groups.data[i];
	if (c->groups.len)
		qsort(rows, c->groups.len, sizeof(*rows), by_class);
	return rows;
}

void html_write_groups(struct html_data *d)
{
	const struct cov_group **rows = groups_by_class(d->c);
	uint32_t at = 0, n = d->c->groups.len;

	json_break(&d->j);
	json_key(&d->j, "groups");
	json_array(&d->j);
	for (uint32_t i = 0; i < d->c->classes.len; i++) {
		if (!html_is_listed(d, i))
			continue;
		for (; at < n && rows[at]->class == i; at++)
			pack_group(d, rows[at]);
		html_write_packed(d);
	}
	json_end_array(&d->j);
	free(rows);
}
