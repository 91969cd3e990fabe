// SPDX-License-Identifier: Apache-2.0
// links: base formats/coverage coverage
/* test_chains_report.c - what to test next of call chains: laws on the data of tests/data/coverage-chains, and by example. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "coverage/coverage.h"

#define DATA "tests/data/coverage-chains/"
static const char *const folders[] = { DATA "half/", DATA "full/", DATA "shapes/", DATA "ledger/" };

struct world {
	struct strbuf plan_bytes, run_bytes;
	struct plan plan;
	struct runs runs;
	struct coverage c;
	struct arena mem;
};

static struct span contents(const char *folder, const char *file, struct strbuf *out)
{
	char path[256], buf[4096];
	size_t n;

	snprintf(path, sizeof path, "%s%s", folder, file);
	FILE *f = fopen(path, "rb");
	if (!f)
		fail_msg("%s: run this from the top of the tree", path);
	while ((n = fread(buf, 1, sizeof buf, f)) > 0)
		strbuf_add(out, buf, n);
	fclose(f);
	return (struct span){ (const uint8_t *)out->s, out->len };
}

static void open_world(struct world *w, const char *folder)
{
	struct strbuf err = { 0 };

	*w = (struct world){ 0 };
	arena_init(&w->mem);
	assert_true(plan_read(&w->plan, contents(folder, "plan.sherd", &w->plan_bytes), &w->mem, &err));
	assert_true(runs_read(&w->runs, contents(folder, "run-1.cov", &w->run_bytes), &err));
	coverage_join(&w->c, &w->plan, &w->runs, NULL, NULL);
	strbuf_release(&err);
}

static void close_world(struct world *w)
{
	coverage_release(&w->c);
	runs_release(&w->runs);
	plan_release(&w->plan);
	arena_release(&w->mem);
	strbuf_release(&w->plan_bytes);
	strbuf_release(&w->run_bytes);
}

/* Every missed chain begins with exactly one of the calls; each of these is in exactly one row. */
static void check_sums(const struct cov_chains *c)
{
	struct cov_missed m = { .chains = c };
	struct cov_nexts all;
	uint64_t below = 0, rest = 0, missed = 0, ways = 0;

	while (cov_missed_next(&m))
		missed++, below += m.below;
	assert_int_equal(below, c->sum.required - c->sum.covered);
	cov_chains_next(c, &all);
	for (uint32_t i = 0; i < all.rows.len; i++)
		ways += all.rows.data[i].ways, rest += all.rows.data[i].below;
	assert_int_equal(rest, below);
	assert_int_equal(ways, missed);
	vec_release(&all.rows);
}

/* Calls before entries; in turns; and in each turn no method has two calls, and none is run by two. */
static void check_order(const struct cov_chains *c)
{
	struct cov_nexts all;

	cov_chains_next(c, &all);
	for (uint32_t i = 0; i < all.rows.len; i++) {
		const struct cov_next *x = &all.rows.data[i];
		assert_int_equal(x->call == UINT32_MAX, i >= all.ncalls);
		assert_int_equal(x->row == UINT32_MAX, i >= all.ncalls);
		assert_true(i == 0 || i == all.ncalls || x[-1].turn <= x->turn);
		for (uint32_t k = 0; k < i && i < all.ncalls; k++) {
			const struct cov_next *y = &all.rows.data[k];
			bool is_alike = c->plan->chains.calls.data[x->call].method == c->plan->chains.calls.data[y->call].method ||
					x->body == y->body;
			assert_false(is_alike && x->turn == y->turn);
		}
	}
	vec_release(&all.rows);
}

static void keeps_the_laws(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		struct world w;
		open_world(&w, folders[i]);
		check_sums(&w.c.chains);
		check_order(&w.c.chains);
		close_world(&w);
	}
}

static bool runs(const struct world *w, const struct cov_next *n, const char *method)
{
	return str_is(w->plan.chains.bodies.data[n->body].name, method);
}

/* describe() never asks for the sign of a group, at either level; describeHere() does. Nobody calls getGroup() from outside. */
static void joins_what_looks_the_same(void **state)
{
	struct world w;
	struct cov_nexts all;

	(void)state;
	open_world(&w, DATA "ledger/");
	cov_chains_next(&w.c.chains, &all);
	assert_true(all.rows.len == 2 && all.ncalls == 1);
	assert_true(runs(&w, &all.rows.data[0], "getGroup") && runs(&w, &all.rows.data[1], "getGroup"));
	assert_true(all.rows.data[0].ways == 2 && all.rows.data[0].below == 4 && all.rows.data[0].depth == 2);
	assert_true(all.rows.data[0].is_made && all.rows.data[0].is_own);
	assert_true(all.rows.data[1].below == 1 && !all.rows.data[1].is_made);
	vec_release(&all.rows);
	close_world(&w);
}

/* There is no site: what is watched are methods. */
static void knows_that_something_ran(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, DATA "ledger/");
	assert_int_equal(w.c.sums.sites, 0);
	assert_true(coverage_has_watchable(&w.c) && coverage_has_loaded(&w.c));
	assert_int_equal(w.c.notes.len, 0);
	close_world(&w);
}

static uint64_t changed(const struct cov_diff *d, enum cov_change change)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < d->nlengths; i++)
		n += d->chain_counts[(size_t)change * d->nlengths + i];
	return n;
}

static uint64_t listed(const struct cov_diff *d, enum cov_change change)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < d->chains.len; i++)
		n += d->chains.data[i].change == change ? d->chains.data[i].chains : 0;
	return n;
}

/* What is required now is what was, without what is gone, and what is new; likewise what is covered. */
static void check_diff(const struct coverage *old, const struct coverage *new)
{
	struct cov_diff d;

	coverage_diff(&d, old, new);
	assert_true(d.has_chains);
	assert_int_equal(new->chains.sum.required, old->chains.sum.required - changed(&d, COV_GONE) + changed(&d, COV_NEW_MISSED) +
						   changed(&d, COV_NEW_COVERED));
	assert_int_equal(new->chains.sum.covered, old->chains.sum.covered - listed(&d, COV_GONE) - changed(&d, COV_LOST) +
						  changed(&d, COV_GAINED) + changed(&d, COV_NEW_COVERED));
	assert_int_equal(changed(&d, COV_LOST), listed(&d, COV_LOST));
	assert_int_equal(changed(&d, COV_GAINED), listed(&d, COV_GAINED));
	assert_int_equal(changed(&d, COV_NEW_MISSED), listed(&d, COV_NEW_MISSED));
	if (old == new)
		assert_int_equal(d.chains.len, 0);
	coverage_diff_release(&d);
}

static void differences_add_up(void **state)
{
	size_t n = sizeof folders / sizeof *folders;

	(void)state;
	for (size_t i = 0; i < n * n; i++) {
		struct world old, new;
		open_world(&old, folders[i / n]);
		open_world(&new, folders[i % n]);
		check_diff(&old.c, i / n == i % n ? &old.c : &new.c);
		close_world(&old);
		close_world(&new);
	}
}

/* A plan for chains of one call against one of three: what is longer is new. */
static void longer_chains_are_new(void **state)
{
	struct world old, new;
	struct cov_diff d;

	(void)state;
	open_world(&old, DATA "ledger/");
	open_world(&new, DATA "ledger/");
	coverage_release(&old.c);
	old.plan.chains.k = 1;
	coverage_join(&old.c, &old.plan, &old.runs, NULL, NULL);
	coverage_diff(&d, &old.c, &new.c);
	assert_true(d.chain_counts[(size_t)COV_NEW_MISSED * d.nlengths + 1] == 0 && changed(&d, COV_GONE) == 0);
	for (uint32_t l = 2; l <= 3; l++)
		assert_int_equal(d.chain_counts[(size_t)COV_NEW_MISSED * d.nlengths + l] +
				 d.chain_counts[(size_t)COV_NEW_COVERED * d.nlengths + l],
				 new.c.chains.of[l].required + new.c.chains.of[new.c.chains.nlengths + l].required);
	coverage_diff_release(&d);
	close_world(&old);
	close_world(&new);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_laws),
		cmocka_unit_test(joins_what_looks_the_same),
		cmocka_unit_test(knows_that_something_ran),
		cmocka_unit_test(differences_add_up),
		cmocka_unit_test(longer_chains_are_new),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
