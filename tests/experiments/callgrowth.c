/* SPDX-License-Identifier: Apache-2.0 */
// links: base algo solve formats/archive formats/classfile ir load analysis session report formats/facts formats/properties
/* callgrowth -cp PATH [--jdk DIR] --main CLASS [--application PATTERNS] [--algorithm NAME] [--step N] [--seed N] -
 * how long looking at library calls takes, as their number grows: one analysis of the program, then subsets of the library calls of
 * its application, drawn at random, each with all of the one before it and N more.
 *
 * Prints a line for all, then one for each: `calls answers callbacks seconds`, CPU seconds of looking at them alone. Exit status 1 when
 * the last subset, which has all, is not what the first line says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/callgraph/booted.h"
#include "analysis/pta/reach/reach.h"
#include "session/component/component.h"
#include "session/session.h"

struct place { method_id caller; uint32_t pc; };

struct test {
	struct inquiry inquiry;
	struct session s;
	struct session_opt open;
	struct cg_entries entries;
	const char *main_class, *patterns, *algorithm, *step, *seed;
	struct component application;
	struct booted *booted;
	VEC(struct place) calls;         /* in the order in which they are drawn */
	struct map rank;                 /* caller, pc -> 1 + index of calls */
	uint32_t n;                      /* those before it are looked at */
};

static bool is_of_application(const struct test *t, class_id c)
{
	return t->patterns ? component_has(&t->application, c) : session_is_application(&t->s, c);
}

static bool is_library(const void *ctx, method_id m)
{
	const struct test *t = ctx;

	return !is_of_application(t, method_row(&t->s.program, m)->owner);
}

static bool is_initialised(const void *ctx, class_id c)
{
	const struct test *t = ctx;

	return booted_has(t->booted, c);
}

static bool is_drawn(const void *ctx, method_id caller, uint32_t pc)
{
	const struct test *t = ctx;
	uint32_t rank = map_get(&t->rank, map_key(caller.i, pc));

	return rank && rank <= t->n;
}

static bool is_of_jdk(const void *ctx, class_id c)
{
	return !session_is_application(ctx, c);
}

/* The same on every machine. */
static uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

static void draw_all(struct test *t, const struct reach_result *r)
{
	uint64_t state = t->seed ? (uint64_t)atoi(t->seed) : 16;

	for (uint32_t i = 0; i < r->calls.len; i++)
		vec_push(&t->calls, ((struct place){ r->calls.data[i].caller, r->calls.data[i].pc }));
	for (uint32_t i = t->calls.len; i > 1; i--) {
		uint32_t k = next_random(&state) % i;
		struct place x = t->calls.data[k];
		t->calls.data[k] = t->calls.data[i - 1];
		t->calls.data[i - 1] = x;
	}
	for (uint32_t i = 0; i < t->calls.len; i++)
		*map_at(&t->rank, map_key(t->calls.data[i].caller.i, t->calls.data[i].pc)) = 1 + i;
}

struct size { uint32_t calls, callbacks; uint64_t answers; };

static struct size measure(struct test *t, struct pta *a, const struct reach_opt *opt)
{
	struct reach_result r;
	clock_t start = clock();

	reach_compute(a, opt, &r);
	double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
	struct size found = { r.calls.len, r.edges.len, r.answers };
	printf("%u %llu %u %.3f\n", (unsigned)found.calls, (unsigned long long)found.answers, (unsigned)found.callbacks, seconds);
	fflush(stdout);
	if (!t->calls.len)
		draw_all(t, &r);
	reach_release(&r);
	return found;
}

/* The first line also warms what the machine keeps. */
static bool grow(struct test *t, struct pta *a)
{
	struct reach_opt opt = { .precision = REACH_LIBRARY, .is_library = is_library, .is_initialised = is_initialised, .ctx = t };
	uint32_t step = t->step ? (uint32_t)atoi(t->step) : 0;

	struct size all = measure(t, a, &opt), last = { 0 };
	opt.has_call = is_drawn;
	step = step ? step : 1 + t->calls.len / 10;
	for (t->n = step; t->n < t->calls.len + step; t->n += step)
		last = measure(t, a, &opt);
	return last.calls == all.calls && last.answers == all.answers && last.callbacks == all.callbacks;
}

static bool run(struct test *t)
{
	struct dynamic_opt dynamic = { .level = DYNAMIC_LISTED, .is_library = is_of_jdk, .ctx = &t->s };
	struct hierarchy h;
	struct linker linker;
	struct algorithm x;

	if (!algorithm_find(t->algorithm ? t->algorithm : "containers", &x) || !algorithm_follows_calls(&x) ||
	    !entries_main(&t->s, t->main_class, &t->entries) ||
	    (t->patterns && !component_classes(&t->s, t->patterns, NULL, &t->application)))
		return false;
	hierarchy_init(&h, &t->s.program);
	linker_init(&linker, &h);
	t->booted = booted_compute(&linker);
	struct pta_opt opt = { .policy = x.policy, .heap = pta_default_heap, .jvm = true, .dynamic = &dynamic };
	struct pta *a = pta_compute(&t->s.program, &t->entries, &opt);
	bool ok = grow(t, a);
	pta_free(a);
	booted_free(t->booted);
	linker_release(&linker);
	hierarchy_release(&h);
	return ok;
}

static bool read_option(struct test *t, const char *name, const char *value)
{
	const struct { const char *name; const char **text; } options[] = {
		{ "-cp", &t->open.class_path }, { "--jdk", &t->open.jdk }, { "--main", &t->main_class }, { "--application", &t->patterns },
		{ "--algorithm", &t->algorithm }, { "--step", &t->step }, { "--seed", &t->seed },
	};

	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (strcmp(options[i].name, name) == 0) {
			*options[i].text = value;
			return true;
		}
	return false;
}

int main(int argc, char **argv)
{
	struct test t = { .open = { .use_cache = true } };
	bool is_usable = argc > 1 && argc % 2 == 1;

	for (int i = 1; is_usable && i + 1 < argc; i += 2)
		is_usable = read_option(&t, argv[i], argv[i + 1]);
	if (!is_usable || !t.main_class) {
		fprintf(stderr, "usage: callgrowth -cp PATH [--jdk DIR] --main CLASS [--application PATTERNS] [--algorithm NAME] [--step N] "
				"[--seed N]\n");
		return 2;
	}
	inquiry_init(&t.inquiry, PHASES_JAVA);
	bool ok = session_open(&t.s, &t.inquiry, &t.open) && run(&t);
	vec_release(&t.calls);
	map_release(&t.rank);
	component_release(&t.application);
	entries_release(&t.entries);
	session_close(&t.s);
	inquiry_release(&t.inquiry);
	return ok ? 0 : 1;
}
