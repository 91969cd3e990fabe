/* SPDX-License-Identifier: Apache-2.0 */
/* tests.c - which tests exercised an item. Lists are made in two walks over what tests exercised: one counts, one fills. */
#include <stdlib.h>

#include "base/sort.h"
#include "coverage/coverage_p.h"

struct tests_join {
	struct join *j;
	struct interner names;
	VEC(uint32_t) row_of;         /* by id of names: row + 1; 0: none yet */
	VEC(uint32_t) rows;           /* of all tests of all runs, in order: the row */
	uint32_t *latest;             /* by item: the last test that was counted for it, plus 1 */
	uint32_t *ends;               /* by item: where its list ends so far; NULL: still counting */
};

/* A test that runs in several JVMs is one. */
static uint32_t row_of(struct tests_join *t, struct str name)
{
	uint32_t id = intern(&t->names, name).i;

	while (t->row_of.len <= id)
		vec_push(&t->row_of, 0);
	if (t->row_of.data[id] == 0) {
		vec_push(&t->j->c->tests, ((struct cov_test){ .name = name, .backups = NONE }));
		t->row_of.data[id] = t->j->c->tests.len;
	}
	return t->row_of.data[id] - 1;
}

static void number_tests(struct tests_join *t)
{
	for (uint32_t i = 0; i < t->j->runs.len; i++) {
		const struct run *r = t->j->runs.data[i].run;
		for (uint32_t k = 0; k < r->tests.len; k++)
			vec_push(&t->rows, row_of(t, r->tests.data[k].name));
	}
}

/* Tests reach an item by several cells: counted once for each time that a run has the test. */
static void visit_item(struct tests_join *t, uint32_t item, uint32_t test)
{
	if (t->latest[item] == test + 1)
		return;
	t->latest[item] = test + 1;
	if (t->ends)
		t->j->c->item_tests.data[t->ends[item]++] = test;
	else
		t->j->c->items.data[item].ntests++;
}

static void visit_test(struct tests_join *t, const struct joined_run *row, const struct run_test *x, uint32_t test)
{
	const struct join *j = t->j;
	const uint32_t *starts = j->ref_starts.data + row->first_ref;

	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t cell = row->run->test_cells.data[x->first + i];
		for (uint32_t k = starts[cell]; k < starts[cell + 1]; k++)
			visit_item(t, j->items[j->refs.data[k]], test);
	}
}

static void walk(struct tests_join *t)
{
	const uint32_t *row = t->rows.data;

	memset(t->latest, 0, t->j->c->items.len * sizeof(*t->latest));
	for (uint32_t i = 0; i < t->j->runs.len; i++) {
		const struct joined_run *r = &t->j->runs.data[i];
		for (uint32_t k = 0; k < r->run->tests.len; k++)
			visit_test(t, r, &r->run->tests.data[k], *row++);
	}
}

static void lay_out_lists(struct tests_join *t)
{
	struct coverage *c = t->j->c;
	uint64_t total = 0;

	t->ends = mem_alloc(c->items.len * sizeof(*t->ends));
	for (uint32_t i = 0; i < c->items.len; i++) {
		c->items.data[i].first_test = t->ends[i] = (uint32_t)total;
		total += c->items.data[i].ntests;
	}
	vec_reserve(&c->item_tests, total + 1);
	c->item_tests.len = (uint32_t)total;
}

static void score(struct coverage *c, uint32_t k, struct cov_list of)
{
	for (uint32_t i = 0; i < of.required; i++) {
		const struct cov_item *item = &c->items.data[of.first + i];
		const uint32_t *list = c->item_tests.data + item->first_test;
		for (uint32_t t = 0; t < item->ntests; t++) {
			c->tests.data[list[t]].of[k]++;
			note_backups(&c->tests.data[list[t]], item->ntests);
		}
		if (item->ntests > 0)
			c->tests.data[list[0]].fresh++;
		if (item->ntests == 1)
			c->tests.data[list[0]].alone++;
	}
}

static void make_lists(struct tests_join *t)
{
	struct coverage *c = t->j->c;

	walk(t);
	lay_out_lists(t);
	walk(t);
	for (uint32_t i = 0; i < c->items.len; i++) {
		struct cov_item *item = &c->items.data[i];

		/* Rows ascend within a run, but a later run may have tests of an earlier one. */
		item->ntests = sort_ids(c->item_tests.data + item->first_test, item->ntests);
	}
	for (uint32_t i = 0; i < c->sites.len; i++)
		for (uint32_t k = 0; k < CRITERIA; k++)
			if (!criterion_is_part(k))
				score(c, k, c->sites.data[i].of[k]);
}

void finish_tests(struct coverage *c)
{
	for (uint32_t i = 0; i < c->tests.len; i++)
		if (c->tests.data[i].backups == NONE)
			c->tests.data[i].backups = 0;
}

void join_tests(struct join *j, uint32_t **rows)
{
	struct tests_join t = { .j = j };

	interner_init(&t.names);
	number_tests(&t);
	if (j->c->tests.len) {
		t.latest = mem_alloc(j->c->items.len * sizeof(*t.latest));
		make_lists(&t);
	}
	interner_release(&t.names);
	vec_release(&t.row_of);
	*rows = t.rows.data;
	free(t.latest);
	free(t.ends);
}
