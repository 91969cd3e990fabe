/* SPDX-License-Identifier: Apache-2.0 */
#include "coverage/coverage.h"

#include <stdlib.h>

#include "coverage/coverage_p.h"

/* Types by name */

struct named {
	struct str name;
	uint32_t row;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = str_cmp(x->name, y->name);

	return order ? order : (x->row > y->row) - (x->row < y->row);
}

static uint32_t *rank_types(const struct plan *p)
{
	uint32_t n = p->types.len, *ranks = mem_zalloc(n * sizeof(*ranks));
	struct named *all = mem_alloc(n * sizeof(*all));

	for (uint32_t i = 0; i < n; i++)
		all[i] = (struct named){ p->types.data[i].name, i };
	if (n)
		qsort(all, n, sizeof(*all), by_name);
	for (uint32_t i = 0; i < n; i++)
		ranks[all[i].row] = i;
	free(all);
	return ranks;
}

static bool *own_types(const struct plan *p)
{
	bool *owns = mem_zalloc(p->types.len * sizeof(*owns));

	for (uint32_t i = 1; i < p->types.len; i++) {
		const struct plan_type *t = &p->types.data[i];
		owns[i] = t->sort == PLAN_METHOD || plan_find_class(p, t->sort == PLAN_LAMBDA ? t->host : t->name) != NONE;
	}
	return owns;
}

/* The join */

static uint32_t count_required(const struct join *j, uint32_t site, uint32_t k)
{
	const struct criterion *row = &cov_criteria[k];

	return row->required && criterion_in(j->p, k) ? row->required(j->p, &j->p->sites.data[site], 0, NULL) : 0;
}

static void lay_out_slots(struct join *j)
{
	uint32_t n = j->p->sites.len, slots = 0;

	j->slots = mem_alloc((size_t)n * CRITERIA * sizeof(*j->slots));
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < CRITERIA; k++) {
			*slot_at(j, i, k) = slots;
			slots += count_required(j, i, k);
		}
		vec_push(&j->c->sites, (struct cov_site){ .site = i });
	}
	j->nrequired = slots;
	vec_reserve(&j->counts, slots + 1u);
	memset(j->counts.data, 0, slots * sizeof(*j->counts.data));
	j->counts.len = slots;
}

static void join_init(struct join *j, struct coverage *c)
{
	*j = (struct join){ .c = c, .p = c->plan };
	joined_types_init(&j->types, c->plan);
	interner_init(&j->aliens);
	interner_init(&j->callees);
	j->ranks = rank_types(c->plan);
	j->owns = own_types(c->plan);
	j->seen = mem_zalloc(c->plan->classes.len * sizeof(*j->seen));
	lay_out_slots(j);
}

static void join_release(struct join *j)
{
	joined_types_release(&j->types);
	interner_release(&j->aliens);
	interner_release(&j->callees);
	map_release(&j->unexpected_at);
	vec_release(&j->counts);
	vec_release(&j->unexpected);
	vec_release(&j->runs);
	vec_release(&j->ref_starts);
	vec_release(&j->refs);
	free(j->ranks);
	free(j->owns);
	free(j->slots);
	free(j->items);
	free(j->seen);
}

/* Items */

static int by_site(const void *a, const void *b)
{
	const struct unexpected *x = a, *y = b;

	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	if (x->criterion != y->criterion)
		return x->criterion - y->criterion;
	int order = str_cmp(x->name, y->name);
	if (order)
		return order;
	return x->origin != y->origin ? x->origin - y->origin : (x->slot > y->slot) - (x->slot < y->slot);
}

static void add_item(struct join *j, struct cov_item item, uint32_t slot)
{
	item.count = j->counts.data[slot];
	j->items[slot] = j->c->items.len;
	vec_push(&j->c->items, item);
}

/* Is it known that no run can meet it? */
static bool is_refuted(const struct coverage *c, uint32_t site, uint32_t k, uint32_t type)
{
	if (!c->reasons || !type)
		return false;
	if (cov_criteria[k].items == ITEM_RECEIVERS)
		return reasons_refuted(c->reasons, site, type);
	return cov_criteria[k].items == ITEM_TARGETS && reasons_refuted_target(c->reasons, site, type);
}

/* What was refuted, and seen all the same, is an alarm. */
static void note_wrongly_refuted(struct join *j, uint32_t site, uint32_t k)
{
	uint32_t n = j->c->reasons ? count_required(j, site, k) : 0, slot = *slot_at(j, site, k);

	for (uint32_t i = 0; i < n; i++, slot++) {
		struct requirement r = { 0 };
		cov_criteria[k].required(j->p, &j->p->sites.data[site], i, &r);
		if (j->counts.data[slot] && is_refuted(j->c, site, k, r.type))
			vec_push(&j->unexpected, ((struct unexpected){ site, (uint8_t)k, r.name, COV_COMPONENT, slot }));
	}
}

/* 1 + the first entry that names a requirement; 0: none does. */
static uint32_t acceptance_of(const struct join *j, uint32_t site, uint32_t type)
{
	const struct cov_accepted *a = j->c->accepted;

	for (uint32_t i = 0; a && type && i < a->entries.len; i++)
		if (a->entries.data[i].sites[site] && a->entries.data[i].types[type])
			return i + 1;
	return 0;
}

static void count_acceptance(struct join *j, uint32_t acceptance, bool is_seen)
{
	struct cov_acceptance *e = acceptance ? &j->c->accepted->entries.data[acceptance - 1] : NULL;

	if (e) {
		e->named++;
		e->seen += is_seen;
	}
}

/* Requirements of a call, those that are accepted or all others; how many they are. What was refuted is neither. */
static uint32_t add_required(struct join *j, uint32_t site, uint32_t k, bool is_accepted, uint32_t *covered)
{
	uint32_t n = count_required(j, site, k), slot = *slot_at(j, site, k), added = 0;

	for (uint32_t i = 0; i < n; i++, slot++) {
		struct requirement r = { 0 };
		cov_criteria[k].required(j->p, &j->p->sites.data[site], i, &r);
		uint32_t acceptance = acceptance_of(j, site, r.type);
		if ((acceptance > 0) != is_accepted)
			continue;
		count_acceptance(j, acceptance, j->counts.data[slot] > 0);
		if (is_refuted(j->c, site, k, r.type))
			continue;
		added++;
		*covered += j->counts.data[slot] > 0;
		add_item(j, (struct cov_item){ .name = r.name, .type = r.type, .by = r.by, .is_required = !acceptance,
					       .acceptance = acceptance, .is_own = r.type == 0 || j->owns[r.type] }, slot);
	}
	return added;
}

static struct cov_list add_list(struct join *j, uint32_t site, uint32_t k, uint32_t *next)
{
	struct cov_list list = { .first = j->c->items.len };
	uint32_t all_the_same = 0;

	list.required = add_required(j, site, k, false, &list.covered);
	for (; *next < j->unexpected.len; ++*next) {
		const struct unexpected *u = &j->unexpected.data[*next];
		if (u->site != site || u->criterion != k)
			break;
		bool is_own = u->origin == COV_COMPONENT || criterion_is_of_methods(k);
		add_item(j, (struct cov_item){ .name = u->name, .origin = u->origin, .is_own = is_own }, u->slot);
	}
	list.n = j->c->items.len - list.first;
	list.accepted = j->c->accepted ? add_required(j, site, k, true, &all_the_same) : 0;
	return list;
}

/* Of a part whose requirements are items. */
static struct cov_list count_part(const struct coverage *c, const struct cov_site *s, const struct criterion *row)
{
	struct cov_list whole = s->of[row->whole], part = { 0 };

	for (uint32_t i = 0; i < whole.required; i++) {
		struct item_at at = { c->plan, &c->plan->sites.data[s->site], &c->items.data[whole.first + i] };
		bool counts = row->is_part(at);
		part.required += counts;
		part.covered += counts && at.item->count > 0;
	}
	return part;
}

static void make_items(struct join *j)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < j->c->sites.len; i++)
		for (uint32_t k = 0; k < CRITERIA; k++)
			note_wrongly_refuted(j, i, k);
	if (j->unexpected.len)
		qsort(j->unexpected.data, j->unexpected.len, sizeof(*j->unexpected.data), by_site);
	j->items = mem_zalloc(j->counts.len * sizeof(*j->items) + 1);
	vec_reserve(&j->c->items, j->counts.len);
	for (uint32_t i = 0; i < j->c->sites.len; i++) {
		struct cov_site *s = &j->c->sites.data[i];
		for (uint32_t k = 0; k < CRITERIA; k++)
			if (!criterion_is_part(k))
				s->of[k] = add_list(j, i, k, &next);
		for (uint32_t k = 0; k < CRITERIA; k++)
			if (criterion_is_part(k) && !criterion_has_groups(k) && criterion_in(j->p, k))
				s->of[k] = count_part(j->c, s, &cov_criteria[k]);
	}
}

/* Classes and sums */

static enum cov_state state_of(const struct class_seen *s, uint32_t nsites)
{
	if (s->watched || (nsites == 0 && !s->stale))         /* agents do not mention what has nothing to watch */
		return COV_WATCHED;
	if (s->matched)
		return COV_MATCHED;
	if (s->partly)
		return COV_PARTLY;
	if (s->other)
		return COV_OTHER;
	return s->stale ? COV_STALE : COV_NOT_LOADED;
}

static void add_sums(struct cov_sums *to, const struct cov_sums *from)
{
	for (uint32_t k = 0; k < CRITERIA; k++) {
		to->of[k].required = add_counts(to->of[k].required, from->of[k].required);
		to->of[k].covered += from->of[k].covered;
		to->of[k].alarms += from->of[k].alarms;
	}
	to->sites += from->sites;
	to->called_sites += from->called_sites;
	to->unexpected += from->unexpected;
	to->client += from->client;
	to->accepted += from->accepted;
}

static struct cov_sums sums_of(const struct coverage *c, const struct cov_site *s)
{
	struct cov_sums n = { .sites = 1, .called_sites = s->count > 0 };
	uint32_t receivers = criteria_receivers(c->plan);         /* their targets are no alarm of their own */

	for (uint32_t k = 0; k < CRITERIA; k++) {
		struct cov_list list = s->of[k];
		n.of[k].required = list.required;
		n.of[k].covered = list.covered;
		n.accepted += list.accepted;
		for (uint32_t i = list.required; i < list.n && (k == receivers || criterion_is_of_methods(k)); i++)
			*(coverage_is_excused(c, s, &c->items.data[list.first + i]) ? &n.client : &n.unexpected) += 1;
	}
	for (uint32_t k = 0; k < CRITERIA; k++)
		n.of[k].alarms = n.unexpected;
	return n;
}

static void add_groups(struct coverage *c)
{
	for (uint32_t i = 0; i < c->groups.len; i++) {
		const struct cov_group *g = &c->groups.data[i];
		struct cov_counts *of_class = &c->classes.data[g->class].sums.of[g->criterion], *of_all = &c->sums.of[g->criterion];
		of_class->required++, of_all->required++;
		of_class->covered += g->count > 0, of_all->covered += g->count > 0;
	}
}

static void add_class(struct join *j, uint32_t row)
{
	const struct plan_class *p = &j->p->classes.data[row];
	const struct class_seen *seen = &j->seen[row];
	struct cov_class k = { .class = row, .state = (uint8_t)state_of(seen, p->nsites) };

	for (uint32_t i = 0; i < p->nsites; i++) {
		struct cov_site *s = &j->c->sites.data[p->first_site + i];
		struct cov_sums n = sums_of(j->c, s);
		s->is_watched |= s->count > 0;
		k.unwatched += !s->is_watched;
		add_sums(&k.sums, &n);
	}
	if (j->p->criteria & PLAN_CHAINS) {
		struct cov_chain_count n = j->c->chains.by_class[row];
		k.sums.of[COV_CHAINS].required = n.required;
		k.sums.of[COV_CHAINS].covered = n.covered;
	}
	if (k.state == COV_PARTLY && k.unwatched == 0)        /* what one load missed, another one watched */
		k.state = COV_MATCHED;
	if (k.state == COV_PARTLY)
		k.text = seen->text;
	add_sums(&j->c->sums, &k.sums);
	vec_push(&j->c->classes, k);
}

void coverage_join(struct coverage *c, const struct plan *p, const struct runs *r, const struct reasons *why, struct cov_accepted *accepted)
{
	struct join j;

	*c = (struct coverage){ .plan = p, .runs = r, .reasons = why, .accepted = accepted };
	arena_init(&c->mem);
	join_init(&j, c);
	for (uint32_t i = 0; accepted && i < accepted->entries.len; i++)
		accepted->entries.data[i].named = accepted->entries.data[i].seen = 0;
	join_runs(&j);
	make_items(&j);
	uint32_t *tests;
	join_tests(&j, &tests);
	join_chains(&j, tests);
	finish_tests(c);
	free(tests);
	for (uint32_t i = 0; i < p->classes.len; i++)
		add_class(&j, i);
	coverage_group(c);
	add_groups(c);
	join_notes(&j);
	join_release(&j);
}

void coverage_release(struct coverage *c)
{
	vec_release(&c->items);
	vec_release(&c->sites);
	vec_release(&c->classes);
	vec_release(&c->tests);
	vec_release(&c->item_tests);
	vec_release(&c->groups);
	vec_release(&c->members);
	vec_release(&c->notes);
	cov_chains_release(&c->chains);
	arena_release(&c->mem);
}

/* Questions */

const struct cov_item *coverage_item(const struct coverage *c, uint32_t site, uint32_t criterion, uint32_t type)
{
	if (criterion >= CRITERIA || site >= c->sites.len || !type)
		return NULL;
	struct cov_list l = c->sites.data[site].of[criterion];
	for (uint32_t k = 0; k < l.required; k++)
		if (c->items.data[l.first + k].type == type)
			return &c->items.data[l.first + k];
	return NULL;
}

uint32_t coverage_permille(struct cov_counts n)
{
	if (n.required == 0)
		return 1000;
	if (n.covered >= n.required)
		return n.alarms ? 999 : 1000;
	return n.covered <= UINT64_MAX / 1000 ? (uint32_t)(n.covered * 1000 / n.required)
					      : (uint32_t)(n.covered / (n.required / 1000));
}

bool coverage_is_excused(const struct coverage *c, const struct cov_site *s, const struct cov_item *i)
{
	uint32_t flags = c->plan->sites.data[s->site].flags;

	if (i->is_required)
		return false;
	return (flags & PLAN_OPEN) || i->origin == COV_CLIENT || i->origin == COV_GENERATED;
}

uint32_t coverage_rank(const struct cov_item *i)
{
	return (i->is_own ? 0u : 2u) + (str_rfind(i->name, '$') >= 0 ? 1u : 0u);
}

bool coverage_has_watchable(const struct coverage *c)
{
	for (uint32_t i = 0; i < c->plan->classes.len; i++)
		if (coverage_is_watchable(c, i))
			return true;
	return false;
}

bool coverage_has_loaded(const struct coverage *c)
{
	for (uint32_t i = 0; i < c->classes.len; i++)
		if (coverage_is_watchable(c, c->classes.data[i].class) && c->classes.data[i].state != COV_NOT_LOADED)
			return true;
	return false;
}
