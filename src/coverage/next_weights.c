/* SPDX-License-Identifier: Apache-2.0 */
#include "coverage/next_weights.h"

#include <stdlib.h>

enum { IMPLEMENTATION = 64, CALLER = 32, TARGET = 16, RECEIVER = 4 };          /* rungs */
enum { NEVER_RUN = 32, NEVER_RUN_THERE = 8, NEVER_SUCH = 2, OF_OTHERS = 1, AT_CALL_MADE = 4 };

/* What is looked up */

static void add_method(const struct plan *p, const struct plan_site *s, uint32_t target, struct strbuf *out)
{
	strbuf_addstr(out, p->types.data[target].name);
	strbuf_addch(out, '.');
	strbuf_addstr(out, s->name);
	strbuf_addstr(out, s->desc);
}

static void note_run(struct next_weights *u)
{
	const struct coverage *c = u->c;

	for (uint32_t i = 0; i < c->sites.len && criterion_in(c->plan, COV_TM); i++) {
		struct cov_list l = c->sites.data[i].of[COV_TM];
		for (uint32_t k = 0; k < l.required; k++) {
			const struct cov_item *item = &c->items.data[l.first + k];
			if (!item->count || !item->type)
				continue;
			strbuf_clear(&u->name[0]);
			add_method(c->plan, &c->plan->sites.data[c->sites.data[i].site], item->type, &u->name[0]);
			intern(&u->run, strbuf_str(&u->name[0]));
		}
	}
}

static void note_groups(struct next_weights *u)
{
	const struct coverage *c = u->c;

	for (uint32_t i = 0; i < c->groups.len; i++) {
		const struct cov_group *g = &c->groups.data[i];
		if (!u->group_of[g->criterion])
			u->group_of[g->criterion] = mem_zalloc((c->items.len + 1) * sizeof(**u->group_of));
		for (uint32_t k = 0; k < g->n; k++)
			u->group_of[g->criterion][c->members.data[g->first + k].item] = i + 1;
	}
}

static bool has_ladder(const struct coverage *c)
{
	return criterion_in(c->plan, COV_TARGETS);
}

void next_weights_init(struct next_weights *w, const struct coverage *c)
{
	*w = (struct next_weights){ .c = c };
	interner_init(&w->run);
	if (has_ladder(c))
		note_groups(w);
	else
		note_run(w);
}

void next_weights_release(struct next_weights *w)
{
	for (uint32_t i = 0; i < NEXT_ELEMENTS; i++)
		strbuf_release(&w->name[i]);
	for (uint32_t i = 0; i < CRITERIA; i++)
		free(w->group_of[i]);
	interner_release(&w->run);
}

/* Weights */

struct weighing {
	struct next_weights *of;
	const struct reason *r;
	const struct cov_site *at;
	const struct cov_item *target;        /* NULL: not known */
	struct next_element *out;
	uint32_t n, times;
};

static void weigh(struct weighing *w, const struct strbuf *name, uint32_t weight)
{
	w->out[w->n++] = (struct next_element){ strbuf_str(name), weight * w->times };
}

static bool is_part(const struct weighing *w, uint32_t criterion, const struct cov_item *item)
{
	const struct plan *p = w->of->c->plan;

	return item && cov_criteria[criterion].is_part((struct item_at){ p, &p->sites.data[w->r->site], item });
}

static void weigh_group(struct weighing *w, uint32_t criterion, uint32_t weight)
{
	const struct coverage *c = w->of->c;
	const uint32_t *of = w->of->group_of[criterion];
	uint32_t group = of && w->target ? of[w->target - c->items.data] : 0;
	struct strbuf *name = &w->of->name[w->n];

	if (!group || c->groups.data[group - 1].count)
		return;
	strbuf_addf(name, "group %u", (unsigned)group);
	weigh(w, name, weight);
}

static void weigh_target(struct weighing *w, uint32_t weight)
{
	struct strbuf *name = &w->of->name[w->n];

	strbuf_addf(name, "%u %u", (unsigned)w->r->site, (unsigned)w->r->target);
	if (w->target && !w->target->count)
		weigh(w, name, weight);
	else
		strbuf_clear(name);
}

static void weigh_receiver(struct weighing *w, uint32_t weight)
{
	struct strbuf *name = &w->of->name[w->n];

	strbuf_addf(name, "%u of %u", (unsigned)w->r->type, (unsigned)w->r->site);
	weigh(w, name, weight);
}

static void weigh_by_ladder(struct weighing *w)
{
	const struct cov_item *receiver = coverage_item(w->of->c, w->r->site, criteria_receivers(w->of->c->plan), w->r->type);
	bool is_own = is_part(w, COV_RECEIVERS, receiver), is_target = is_part(w, COV_TARGETS, w->target);

	if (is_target) {
		weigh_group(w, COV_IMPLEMENTATIONS, IMPLEMENTATION);
		weigh_group(w, COV_CALLERS, CALLER);
		weigh_target(w, TARGET);
	}
	weigh_receiver(w, is_own ? RECEIVER : OF_OTHERS);
}

static bool is_own_class(const struct plan *p, uint32_t type)
{
	const struct plan_type *t = &p->types.data[type];

	return plan_find_class(p, t->sort == PLAN_LAMBDA ? t->host : t->name) != UINT32_MAX;
}

static void weigh_without(struct weighing *w)
{
	const struct plan *p = w->of->c->plan;
	bool is_choice = w->at->of[COV_TM].required > 1 || !criterion_in(p, COV_TM), is_own = is_own_class(p, w->r->type);
	bool is_of_own = w->r->target && is_own_class(p, w->r->target);
	str_id id;

	if (w->r->target)
		add_method(p, &p->sites.data[w->r->site], w->r->target, &w->of->name[0]);
	if (is_of_own && !interner_find(&w->of->run, strbuf_str(&w->of->name[0]), &id))
		weigh(w, &w->of->name[0], NEVER_RUN);
	else
		strbuf_clear(&w->of->name[0]);
	weigh_target(w, is_of_own ? NEVER_RUN_THERE : OF_OTHERS);
	if (is_own || is_choice)
		weigh_receiver(w, is_own && is_choice ? NEVER_SUCH : OF_OTHERS);
}

uint32_t next_weigh_usual(void *ctx, const struct coverage *c, const struct reason *r, struct next_element *out)
{
	struct next_weights *u = ctx;
	const struct cov_site *at = &c->sites.data[r->site];
	struct weighing w = { .of = u, .r = r, .at = at, .out = out, .times = at->count ? AT_CALL_MADE : 1,
			      .target = coverage_item(c, r->site, COV_TM, r->target) };

	for (uint32_t i = 0; i < NEXT_ELEMENTS; i++)
		strbuf_clear(&u->name[i]);
	if (has_ladder(c))
		weigh_by_ladder(&w);
	else
		weigh_without(&w);
	return w.n;
}
