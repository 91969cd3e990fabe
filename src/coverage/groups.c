/* SPDX-License-Identifier: Apache-2.0 */
/* groups.c - items of several calls that are one requirement. */
#include <stdlib.h>

#include "coverage/coverage_p.h"

struct grouping {
	struct coverage *c;
	const struct criterion *row;
	uint8_t criterion;
	struct interner keys;
	VEC(uint32_t) class_of;       /* by id of keys */
	VEC(struct grouped { uint32_t group; struct cov_member member; }) found;
	struct strbuf key;            /* scratch */
};

static void find_at_site(struct grouping *g, uint32_t site)
{
	struct cov_list whole = g->c->sites.data[site].of[g->row->whole];

	for (uint32_t i = whole.first; i < whole.first + whole.required; i++) {
		struct item_at at = { g->c->plan, &g->c->plan->sites.data[site], &g->c->items.data[i] };
		if (!g->row->is_part(at))
			continue;
		strbuf_clear(&g->key);
		uint32_t class = g->row->group(at, &g->key), id = intern(&g->keys, strbuf_str(&g->key)).i;
		while (g->class_of.len <= id)
			vec_push(&g->class_of, class);
		vec_push(&g->found, ((struct grouped){ id, { site, i } }));
	}
}

/* Keys are numbered in the order of their first members, and members were found in the order of sites. */
static int compare_grouped(const void *a, const void *b)
{
	const struct grouped *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return (x->member.item > y->member.item) - (x->member.item < y->member.item);
}

static void make_groups(struct grouping *g)
{
	if (g->found.len)
		qsort(g->found.data, g->found.len, sizeof(*g->found.data), compare_grouped);
	for (uint32_t i = 0; i < g->found.len; i++) {
		const struct grouped *f = &g->found.data[i];
		if (i == 0 || f->group != f[-1].group)
			vec_push(&g->c->groups, ((struct cov_group){ .criterion = g->criterion, .class = g->class_of.data[f->group],
								     .first = g->c->members.len }));
		struct cov_group *to = vec_last(&g->c->groups);
		to->n++;
		to->count = add_counts(to->count, g->c->items.data[f->member.item].count);
		vec_push(&g->c->members, f->member);
	}
}

void coverage_group(struct coverage *c)
{
	for (uint8_t k = 0; k < CRITERIA; k++) {
		struct grouping g = { .c = c, .row = &cov_criteria[k], .criterion = k };
		if (!criterion_has_groups(k) || !criterion_in(c->plan, k))
			continue;
		interner_init(&g.keys);
		for (uint32_t i = 0; i < c->sites.len; i++)
			find_at_site(&g, i);
		make_groups(&g);
		interner_release(&g.keys);
		vec_release(&g.class_of);
		vec_release(&g.found);
		strbuf_release(&g.key);
	}
}
