/* SPDX-License-Identifier: Apache-2.0 */
/* A criterion is a row of criteria.def and two functions: in this program there is one more (cs: every call is made), and joining,
 * tests, differences, gates, options and every report have it. The data is that of tests/data/coverage-0.5/shapes: three calls,
 * one of which is made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/verbs/component.h"
#include "cli/verbs/gate.h"
#include "report/coverage/coverage.h"

#define SHAPES "tests/data/coverage-0.5/shapes/"

struct world {
	struct strbuf plan_bytes, run_bytes;
	struct plan plan;
	struct runs runs;
	struct coverage c;
	struct arena mem;
};

static struct span contents(const char *path, struct strbuf *out)
{
	FILE *f = fopen(path, "rb");
	char buf[4096];
	size_t n;

	if (!f)
		fail_msg("%s: run this from the top of the tree", path);
	while ((n = fread(buf, 1, sizeof buf, f)) > 0)
		strbuf_add(out, buf, n);
	fclose(f);
	return (struct span){ (const uint8_t *)out->s, out->len };
}

/* The plan of the file, with other criteria: written and read again. */
static void open_world(struct world *w, uint32_t criteria)
{
	struct strbuf old = { 0 }, err = { 0 };

	*w = (struct world){ 0 };
	arena_init(&w->mem);
	assert_true(plan_read(&w->plan, contents(SHAPES "plan.sherd", &old), &w->mem, &err));
	assert_int_equal(w->plan.criteria, PLAN_RC | PLAN_TM);
	w->plan.criteria = criteria;
	plan_write(&w->plan, &w->plan_bytes);
	plan_release(&w->plan);
	assert_true(plan_read(&w->plan, (struct span){ (const uint8_t *)w->plan_bytes.s, w->plan_bytes.len }, &w->mem, &err));
	assert_int_equal(w->plan.criteria, criteria);
	assert_true(runs_read(&w->runs, contents(SHAPES "run-1.cov", &w->run_bytes), &err));
	coverage_join(&w->c, &w->plan, &w->runs, NULL, NULL);
	strbuf_release(&old);
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

static uint32_t bit(void)
{
	return cov_criteria[COV_CS].bit;
}

static void joins(void **state)
{
	struct world with, without;

	(void)state;
	open_world(&with, PLAN_RC | PLAN_TM | bit());
	open_world(&without, PLAN_RC | PLAN_TM);
	assert_true(with.c.sums.of[COV_CS].required == 3 && with.c.sums.of[COV_CS].covered == 1);
	assert_true(without.c.sums.of[COV_CS].required == 0 && without.c.sums.of[COV_CS].covered == 0);
	for (uint32_t k = 0; k < COV_CS; k++)
		assert_memory_equal(&with.c.sums.of[k], &without.c.sums.of[k], sizeof with.c.sums.of[k]);
	assert_true(with.c.sums.unexpected == without.c.sums.unexpected && with.c.tests.len == 3);
	for (uint32_t i = 0; i < with.c.tests.len; i++)
		assert_int_equal(with.c.tests.data[i].of[COV_CS], 1);
	assert_int_equal(with.c.sites.data[0].of[COV_CS].required, 1);
	assert_true(str_is(with.c.items.data[with.c.sites.data[0].of[COV_CS].first].name, "area"));
	close_world(&with);
	close_world(&without);
}

/* New requirements of the same calls: one covered, two missed. */
static void differs(void **state)
{
	struct world old, new;
	struct cov_diff d;

	(void)state;
	open_world(&old, PLAN_RC | PLAN_TM);
	open_world(&new, PLAN_RC | PLAN_TM | bit());
	coverage_diff(&d, &old.c, &new.c);
	assert_true(d.rows.len == 3 && d.counts[COV_NEW_COVERED] == 1 && d.counts[COV_NEW_MISSED] == 2);
	for (uint32_t i = 0; i < d.rows.len; i++)
		assert_int_equal(d.rows.data[i].criterion, COV_CS);
	coverage_diff_release(&d);
	close_world(&old);
	close_world(&new);
}

static void is_reported(void **state)
{
	static const struct { coverage_writer *write; const char *part; } reports[] = {
		{ report_coverage_text, "Calling sites     33.3 %" },
		{ report_coverage_json, "\"cs\":{\"required\":3,\"covered\":1,\"percent\":33.3}" },
		{ report_coverage_cobertura, "type=\"site\"" },
		{ report_coverage_cobertura, "branches-covered=\"5\" branches-valid=\"19\"" },
		{ report_coverage_jacoco, "<counter type=\"BRANCH\" missed=\"14\" covered=\"5\"/>" },
		{ report_coverage_lcov, "BRF:19\nBRH:5\n" },
		{ report_coverage_sarif, "\"ruleId\":\"CS-missed\"" },
		{ report_coverage_badge, "RC 25% / TM 25% / CS 33%" },
		{ report_coverage_html, "Calling sites: 33.3 %, 1 of 3" },
		{ report_coverage_html, "\"title\":\"Calling sites\"" },
	};
	struct coverage_head head = { .result = "out" };
	struct world w;

	(void)state;
	open_world(&w, PLAN_RC | PLAN_TM | bit());
	for (size_t i = 0; i < ARRAY_LEN(reports); i++) {
		char *text = NULL;
		size_t len = 0;
		FILE *f = open_memstream(&text, &len);
		struct sink s = { .file = f };
		assert_true(reports[i].write(&s, &w.c, &head));
		fclose(f);
		if (!strstr(text, reports[i].part))
			fail_msg("no `%s` in\n%s", reports[i].part, text);
		free(text);
	}
	close_world(&w);
}

static void is_asked_for(void **state)
{
	struct strbuf err = { 0 }, help = { 0 };
	struct gates g = { 0 };
	unsigned criteria = 0, usual = 0;

	(void)state;
	assert_true(criteria_read("cs,tm", criteria_bits(), &criteria, &err));
	assert_int_equal(criteria, PLAN_TM | bit());
	assert_true(criteria_read(NULL, criteria_bits(), &usual, &err));
	assert_int_equal(usual, PLAN_RC | PLAN_TM);
	assert_false(criteria_read("xy", criteria_bits(), &criteria, &err));
	assert_string_equal(err.s, "--criteria cannot have 'xy': use rc, tm, cs, chains, callbacks, du");
	strbuf_clear(&err);
	assert_true(gates_read("cs=33.4", &g, &err));
	assert_true(g.is_set[COV_CS] && g.permille[COV_CS] == 334);
	assert_false(gates_fit(&g, PLAN_RC | PLAN_TM, &err));
	assert_non_null(strstr(err.s, "--criteria cs"));
	criteria_tell(&help);
	assert_non_null(strstr(help.s, "cs calling sites (default: rc,tm)"));
	strbuf_clear(&help);
	gates_tell(&help);
	assert_non_null(strstr(help.s, "'implementations=95,callers=80,targets=70,receivers=60', percents of implementations, "));
	assert_non_null(strstr(help.s, "def-use pairs, and calling sites"));
	strbuf_release(&err);
	strbuf_release(&help);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(joins), cmocka_unit_test(differs), cmocka_unit_test(is_reported),
					    cmocka_unit_test(is_asked_for) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
