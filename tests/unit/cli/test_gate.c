/* SPDX-License-Identifier: Apache-2.0 */
// links: base formats/coverage coverage cli
/* --fail-under: what can be written, and when it fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/verbs/gate.h"

static void read_gates(void **state)
{
	static const struct { const char *text; int rc, tm, own; } good[] = {
		{ "rc=80", 800, -1, -1 },	{ "tm=0", -1, 0, -1 },	   { "rc=80,tm=72.5", 800, 725, -1 },
		{ "tm=100.0,rc=1", 10, 1000, -1 }, { "rc=5,rc=6", 60, -1, -1 }, { "own=12.5,tm=3", -1, 30, 125 },
	};
	struct strbuf err = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		struct gates g = { 0 };
		assert_true(gates_read(good[i].text, &g, &err));
		assert_int_equal(g.is_set[COV_RC] ? (int)g.permille[COV_RC] : -1, good[i].rc);
		assert_int_equal(g.is_set[COV_TM] ? (int)g.permille[COV_TM] : -1, good[i].tm);
		assert_int_equal(g.is_set[COV_OWN] ? (int)g.permille[COV_OWN] : -1, good[i].own);
	}
	struct gates none = { 0 };
	assert_true(gates_read(NULL, &none, &err));
	assert_false(none.is_set[COV_RC] || none.is_set[COV_TM]);
	assert_int_equal(err.len, 0);
}

static void refuse_gates(void **state)
{
	static const char *const bad[] = { "", "rc", "rc=", "rc=x", "rc=101", "rc=100.1", "rc=80.55", "rc=80.", "rc=.5", "rc=-1",
					   "rc=80,", ",rc=80", "cc=50", "rc=80;tm=80", "rc=99999999999999999999", "rc=1e1" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct strbuf err = { 0 };
		struct gates g = { 0 };
		if (gates_read(bad[i], &g, &err) || !err.len)
			fail_msg("'%s' was taken", bad[i]);
		strbuf_release(&err);
	}
}

static void need_their_criteria(void **state)
{
	struct gates g = { .is_set = { [COV_TM] = true } }, own = { .is_set = { [COV_OWN] = true } };
	struct strbuf err = { 0 };

	(void)state;
	assert_true(gates_fit(&g, PLAN_TM, &err));
	assert_int_equal(err.len, 0);
	assert_false(gates_fit(&g, PLAN_RC, &err));
	assert_non_null(strstr(err.s, "--criteria tm"));
	strbuf_clear(&err);
	assert_false(gates_fit(&own, PLAN_TM, &err));
	assert_non_null(strstr(err.s, "--criteria rc"));
	strbuf_release(&err);
}

/* A gate passes if and only if the share is at least what is asked, in exact arithmetic with percents rounded down. */
static void compare_exactly(void **state)
{
	int null = dup(STDERR_FILENO);
	struct term t = { .quiet = true };

	(void)state;
	assert_non_null(freopen("/dev/null", "w", stderr));
	for (uint32_t required = 1; required <= 40; required++)
		for (uint32_t covered = 0; covered <= required; covered++)
			for (uint32_t asked = 0; asked <= 1000; asked += 25) {
				struct gates g = { .is_set = { [COV_RC] = true }, .permille = { [COV_RC] = asked } };
				struct cov_class loaded = { .state = COV_WATCHED, .sums = { .sites = 1 } };
				struct plan_class one = { .nsites = 1 };
				struct plan plan = { .classes = { &one, 1, 1 } };
				struct coverage c = { .plan = &plan, .sums.of[COV_RC] = { required, covered },
						      .classes = { &loaded, 1, 1 } };
				bool is_enough = covered * 1000 / required >= asked;
				assert_int_equal(gates_check(&g, &c, &t), is_enough ? GATES_PASS : GATES_FAIL);
			}
	fflush(stderr);
	dup2(null, STDERR_FILENO);
	close(null);
}

/* Nothing is not enough of nothing: neither when it is required nor when it was never there. */
static void refuse_nothing(void **state)
{
	struct cov_class classes[] = { { .state = COV_WATCHED },
				       { .class = 1, .state = COV_NOT_LOADED, .sums = { .sites = 3 } } };
	struct plan_class rows[] = { { .nsites = 0 }, { .nsites = 3 } };
	struct plan plan = { .classes = { rows, 2, 2 } };
	struct coverage c = { .plan = &plan, .sums.of[COV_RC] = { 3, 0 }, .classes = { classes, 2, 2 } };
	struct gates all = { .is_set = { [COV_RC] = true, [COV_OWN] = true } }, rc = { .is_set = { [COV_RC] = true } }, none = { 0 };
	int null = dup(STDERR_FILENO);
	struct term t = { .quiet = true };

	(void)state;
	assert_non_null(freopen("/dev/null", "w", stderr));
	assert_int_equal(gates_check(&rc, &c, &t), GATES_EMPTY);
	assert_int_equal(gates_check(&none, &c, &t), GATES_PASS);
	classes[1].state = COV_PARTLY;
	assert_int_equal(gates_check(&rc, &c, &t), GATES_PASS);
	assert_int_equal(gates_check(&all, &c, &t), GATES_EMPTY);
	c.sums.of[COV_OWN] = (struct cov_counts){ .required = 1, .covered = 0 };
	assert_int_equal(gates_check(&all, &c, &t), GATES_PASS);
	all.permille[COV_OWN] = 1;
	assert_int_equal(gates_check(&all, &c, &t), GATES_FAIL);
	c.sums.of[COV_RC] = (struct cov_counts){ .required = 0, .covered = 0 };
	assert_int_equal(gates_check(&all, &c, &t), GATES_EMPTY);
	c.sums.of[COV_RC] = (struct cov_counts){ .required = 3, .covered = 0 };
	classes[1].state = COV_NOT_LOADED;
	assert_int_equal(gates_check(&rc, &c, &t), GATES_EMPTY);
	rows[0].nbodies = 1;          /* a method that chains go through is something to watch, too */
	assert_int_equal(gates_check(&rc, &c, &t), GATES_PASS);
	fflush(stderr);
	dup2(null, STDERR_FILENO);
	close(null);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(read_gates), cmocka_unit_test(refuse_gates),
					    cmocka_unit_test(need_their_criteria), cmocka_unit_test(compare_exactly),
					    cmocka_unit_test(refuse_nothing) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
