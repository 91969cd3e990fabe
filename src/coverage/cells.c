/* SPDX-License-Identifier: Apache-2.0 */
/* cells.c - what runs saw, counted for what is required. */
#include <stdlib.h>

#include "coverage/coverage_p.h"

/* Classes */

/* Sites that are watched by one load of their class are watched. Returns how many this one watches. */
static uint32_t watch_sites(struct join *j, const struct plan_class *p, const struct run *r, const struct run_class *c)
{
	uint32_t at = 0, n = 0;

	for (uint32_t i = 0; i < p->nsites && c->state != RUN_OTHER; i++) {
		while (at < c->missed && r->unwatched.data[c->first_unwatched + at] < i)
			at++;
		if (at < c->missed && r->unwatched.data[c->first_unwatched + at] == i)
			continue;
		j->c->sites.data[p->first_site + i].is_watched = true;
		n++;
	}
	return n;
}

static void see_load(struct join *j, uint32_t class, const struct run *r, const struct run_class *c)
{
	const struct plan_class *p = &j->p->classes.data[class];
	struct class_seen *s = &j->seen[class];
	uint32_t missed = p->nsites - watch_sites(j, p, r, c);

	if (c->state == RUN_OTHER || (c->state == RUN_MATCHED && missed && missed == p->nsites)) {
		s->other++;
	} else if (missed == 0 && c->state != RUN_FAILED) {
		*(c->state == RUN_WATCHED ? &s->watched : &s->matched) += 1;
	} else {
		if (s->partly++ == 0 || missed < s->missed) {
			s->missed = missed;
			s->text = c->text;
		}
	}
}

/* By class of the run: the plan's, or NONE when its data means nothing here. */
static uint32_t *join_classes(struct join *j, const struct run *r)
{
	uint32_t *classes = mem_alloc(r->classes.len * sizeof(*classes));

	for (uint32_t i = 0; i < r->classes.len; i++) {
		const struct run_class *c = &r->classes.data[i];
		classes[i] = plan_find_class(j->p, c->name);
		if (classes[i] == NONE) {
			intern(&j->aliens, c->name);
		} else if (j->p->classes.data[classes[i]].key != c->key) {
			j->seen[classes[i]].stale++;
			classes[i] = NONE;
		} else {
			see_load(j, classes[i], r, c);
		}
	}
	return classes;
}

static uint32_t *join_types(struct join *j, const struct run *r)
{
	uint32_t *types = mem_alloc(r->types.len * sizeof(*types));

	for (uint32_t i = 0; i < r->types.len; i++)
		types[i] = joined_type(&j->types, r, &r->types.data[i], &j->c->mem);
	return types;
}

/* Slots */

/* The place of a type in a list that is sorted by name; NONE: it is not there. */
static uint32_t find_in(const struct join *j, struct plan_range list, uint32_t type)
{
	const uint32_t *ids = list.n ? &j->p->ids.data[list.first] : NULL;
	uint32_t lo = 0, hi = list.n, rank = j->ranks[type];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (ids[mid] == type)
			return mid;
		bool is_before = j->ranks[ids[mid]] < rank;
		*(is_before ? &lo : &hi) = is_before ? mid + 1 : mid;
	}
	return NONE;
}

static uint32_t unexpected_slot(struct join *j, uint32_t site, uint8_t criterion, uint32_t joined)
{
	uint32_t *row = map_at(&j->unexpected_at, map_key(site * CRITERIA + criterion, joined));
	const struct joined_type *t = &j->types.rows.data[joined];

	if (!*row) {
		vec_push(&j->unexpected, ((struct unexpected){ site, criterion, t->name, t->origin, j->counts.len }));
		vec_push(&j->counts, 0);
		*row = j->unexpected.len;
	}
	return j->unexpected.data[*row - 1].slot;
}

static void count_slot(struct join *j, uint32_t slot, uint64_t count)
{
	j->counts.data[slot] = add_counts(j->counts.data[slot], count);
	vec_push(&j->refs, slot);
}

void seen_requirement(struct seen_cell *cell, uint32_t nth)
{
	count_slot(cell->j, *slot_at(cell->j, cell->row, cell->criterion) + nth, cell->count);
}

void seen_type(struct seen_cell *cell, struct plan_range list, uint32_t joined)
{
	struct join *j = cell->j;
	struct joined_type t = j->types.rows.data[joined];
	uint32_t before = j->refs.len;

	for (uint32_t i = 0; i < t.n; i++) {
		uint32_t at = find_in(j, list, j->types.candidates.data[t.first + i]);
		if (at != NONE)
			seen_requirement(cell, at);
	}
	if (j->refs.len == before)
		count_slot(j, unexpected_slot(j, cell->row, cell->criterion, joined), cell->count);
}

/* Lists of methods are in the order of their names. */
static uint32_t find_name(const struct plan *p, struct plan_range list, struct str name)
{
	const uint32_t *ids = list.n ? &p->ids.data[list.first] : NULL;
	uint32_t lo = 0, hi = list.n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int order = str_cmp(p->types.data[ids[mid]].name, name);
		if (order == 0)
			return mid;
		*(order < 0 ? &lo : &hi) = order < 0 ? mid + 1 : mid;
	}
	return NONE;
}

bool seen_method(struct seen_cell *cell, struct plan_range list, struct str name)
{
	uint32_t at = find_name(cell->j->p, list, name);

	if (at != NONE)
		seen_requirement(cell, at);
	return at != NONE;
}

bool seen_is_in(const struct seen_cell *cell, struct plan_range list, struct str name)
{
	return find_name(cell->j->p, list, name) != NONE;
}

void seen_unexpected(struct seen_cell *cell)
{
	struct join *j = cell->j;
	struct strbuf key = { 0 };

	strbuf_addf(&key, "%u ", cell->origin);
	strbuf_addstr(&key, cell->callee);
	uint32_t id = intern(&j->callees, strbuf_str(&key)).i;
	uint32_t *row = map_at(&j->unexpected_at, map_key(cell->row * CRITERIA + cell->criterion, id));
	if (!*row) {
		vec_push(&j->unexpected, ((struct unexpected){ cell->row, cell->criterion, cell->callee, cell->origin, j->counts.len }));
		vec_push(&j->counts, 0);
		*row = j->unexpected.len;
	}
	count_slot(j, j->unexpected.data[*row - 1].slot, cell->count);
	strbuf_release(&key);
}

static void join_cell(struct join *j, const struct run *r, const struct run_cell *cell, uint32_t class, const uint32_t *types)
{
	if (class == NONE)
		return;
	if (cell->site >= j->p->classes.data[class].nsites) {
		j->wrong_cells++;
		return;
	}
	uint32_t site = j->p->classes.data[class].first_site + cell->site;
	struct cov_site *s = &j->c->sites.data[site];
	uint32_t type = cell->type == NONE ? NONE : types[cell->type];
	struct seen_cell seen = { .site = &j->p->sites.data[site], .receiver = NONE, .count = cell->count, .j = j, .row = site,
				  .target = cell->target == NONE ? NONE : types[cell->target] };
	if (seen.site->flags & PLAN_FIELD || cell->callee == NONE)
		s->count = add_counts(s->count, cell->count);
	if (cell->callee != NONE) {
		seen.callee = r->callees.data[cell->callee];
		seen.origin = type == NONE ? COV_COMPONENT : j->types.rows.data[type].origin;
	} else {
		seen.receiver = type;
	}
	for (uint8_t k = 0; k < CRITERIA; k++) {
		seen.criterion = k;
		if (cov_criteria[k].covered_by && criterion_in(j->p, k))
			cov_criteria[k].covered_by(&seen);
	}
}

static void join_run(struct join *j, struct joined_run *row)
{
	const struct run *r = row->run;
	uint32_t *classes = join_classes(j, r), *types = join_types(j, r);

	row->first_ref = j->ref_starts.len;
	for (uint32_t i = 0; i < r->cells.len; i++) {
		vec_push(&j->ref_starts, j->refs.len);
		join_cell(j, r, &r->cells.data[i], classes[r->cells.data[i].class], types);
	}
	vec_push(&j->ref_starts, j->refs.len);
	free(classes);
	free(types);
}

static int by_time(const void *a, const void *b)
{
	const struct run *x = ((const struct joined_run *)a)->run, *y = ((const struct joined_run *)b)->run;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return memcmp(x->id, y->id, RUN_ID_LEN);
}

void join_runs(struct join *j)
{
	const struct runs *r = j->c->runs;

	for (uint32_t i = 0; i < r->runs.len; i++)
		vec_push(&j->runs, (struct joined_run){ .run = &r->runs.data[i] });
	if (j->runs.len)
		qsort(j->runs.data, j->runs.len, sizeof(*j->runs.data), by_time);
	for (uint32_t i = 0; i < j->runs.len; i++)
		join_run(j, &j->runs.data[i]);
}
