// SPDX-License-Identifier: Apache-2.0
// links: base algo report/write session formats/facts formats/properties
/* What every inquiry has: phases that add up, news for whoever listens, and figures for people and for scripts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "session/inquiry.h"

static char *written(const struct stats *st, const char *verb)
{
	char *text;
	size_t n;
	struct sink out = { .file = open_memstream(&text, &n) };

	assert_true(verb ? stats_write_json(&out, st, verb) : stats_write_text(&out, st));
	fclose(out.file);
	return text;
}

static void expect(struct stats *st, const char *verb, const char *wanted)
{
	char *text = written(st, verb);

	assert_string_equal(text, wanted);
	free(text);
}

static void figures_are_for_both(void **state ATTR_UNUSED)
{
	struct stats st = { 0 };

	stats_text(&st, "algorithm", "rta");
	stats_count(&st, "methods", 12);
	stats_show(&st, "methods", 12);
	stats_show(&st, "classes", 3);
	stats_object(&st, "solver");
	stats_count(&st, "nodes", 4);
	stats_bool(&st, "joined", true);
	stats_end_object(&st);
	stats_break(&st);
	stats_break(&st);             /* no empty line */
	stats_real(&st, "n_rc", 1.5, 4);
	stats_show_real(&st, "total", 0.25, 3, "s");
	expect(&st, "callgraph",
	       "{\"schema\":\"sherd/stats/1\",\"verb\":\"callgraph\",\"algorithm\":\"rta\",\"methods\":12,"
	       "\"solver\":{\"nodes\":4,\"joined\":true},\"n_rc\":1.5000}\n");
	expect(&st, NULL, "methods 12  classes 3\ntotal 0.250 s\n");
	stats_release(&st);
}

static void nothing_is_an_object(void **state ATTR_UNUSED)
{
	struct stats st = { 0 };

	expect(&st, "merge", "{\"schema\":\"sherd/stats/1\",\"verb\":\"merge\"}\n");
	expect(&st, NULL, "");
	stats_object(&st, "seconds");
	stats_end_object(&st);
	stats_count(&st, "files", 0);
	expect(&st, "merge", "{\"schema\":\"sherd/stats/1\",\"verb\":\"merge\",\"seconds\":{},\"files\":0}\n");
	stats_release(&st);
}

static void only_its_phases_are_listed(void **state ATTR_UNUSED)
{
	struct inquiry q;
	struct stats st = { 0 }, brief = { 0 };

	inquiry_init(&q, PHASES_C);
	q.seconds[PHASE_READ] = 0.5;
	q.seconds[PHASE_MODREF] = 0.25;
	inquiry_stats(&q, true, &st);
	inquiry_stats(&q, false, &brief);
	char *all = written(&st, "modref"), *few = written(&brief, "dump"), *text = written(&st, NULL);
	assert_non_null(strstr(all, "\"seconds\":{\"read\":0.5000,\"models\":0.0000,\"solve\":0.0000,\"modref\":0.2500,"
				    "\"write\":0.0000,\"total\":0.7500},\"peak_rss_mb\":"));
	assert_non_null(strstr(few, "\"seconds\":{\"total\":0.7500},\"peak_rss_mb\":"));
	assert_true(strncmp(text, "read 0.500 s  models 0.000 s  ", 30) == 0);
	free(all);
	free(few);
	free(text);
	stats_release(&st);
	stats_release(&brief);
	inquiry_release(&q);
}

static void phases_add_up(void **state ATTR_UNUSED)
{
	struct inquiry q;
	volatile unsigned work = 0;

	inquiry_init(&q, PHASES_JAVA);
	inquiry_phase(&q, PHASE_OPEN);
	for (unsigned i = 0; i < 3000000; i++)
		work += i;
	inquiry_phase(&q, PHASE_SOLVE);
	double solved = q.seconds[PHASE_SOLVE];
	assert_true(solved > 0);
	inquiry_phase(&q, PHASE_SOLVE);       /* again: more of the same */
	assert_true(q.seconds[PHASE_SOLVE] >= solved);
	assert_true(inquiry_total(&q) >= q.seconds[PHASE_OPEN] + q.seconds[PHASE_SOLVE]);
	inquiry_release(&q);
}

static void hear(void *ctx, const struct inquiry_news *n)
{
	snprintf(ctx, 64, "%s|%s|%s", n->now ? n->now : "-", n->how_far ? n->how_far : "-", n->to_try ? n->to_try : "-");
}

static void whoever_listens_is_told(void **state ATTR_UNUSED)
{
	struct inquiry q;
	char heard[64] = "";

	inquiry_init(&q, PHASES_JAVA);
	inquiry_tell_now(&q, "into the air");
	q.news = hear;
	q.news_ctx = heard;
	inquiry_tell_now(&q, "reading");
	assert_string_equal(heard, "reading|-|-");
	inquiry_tell(&q, &(struct inquiry_news){ NULL, "half", "less" });
	assert_string_equal(heard, "-|half|less");
	inquiry_release(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_for_both), cmocka_unit_test(nothing_is_an_object),
		cmocka_unit_test(only_its_phases_are_listed), cmocka_unit_test(phases_add_up),
		cmocka_unit_test(whoever_listens_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
