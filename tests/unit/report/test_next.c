// SPDX-License-Identifier: Apache-2.0
// links: base algo formats/coverage coverage
/* test_next.c - acts in the order of what each newly covers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "coverage/coverage_p.h"
#include "coverage/next.h"

/* Site i misses receivers of types 1 to 4; reasons are added by the tests. */
#define SITES 6
struct fixture {
	struct plan plan;
	struct coverage c;
	struct reasons why;
	struct next next;
};

static int setup(void **state)
{
	static const char *const types[] = { "p.A", "p.B", "p.C", "p.D" };
	struct fixture *f = *state = calloc(1, sizeof *f);

	f->plan.criteria = PLAN_RC | PLAN_TM;
	vec_push(&f->plan.types, ((struct plan_type){ 0 }));
	for (uint32_t i = 0; i < 4; i++) {
		vec_push(&f->plan.types, ((struct plan_type){ .name = str_of(types[i]) }));
		vec_push(&f->plan.classes, ((struct plan_class){ .name = str_of(types[i]) }));
	}
	for (uint32_t i = 0; i < SITES; i++) {
		vec_push(&f->plan.methods, ((struct plan_method){ .first_site = i, .nsites = 1 }));
		vec_push(&f->plan.sites, ((struct plan_site){ .method = i, .name = STR("m"), .desc = STR("()V") }));
		vec_push(&f->c.sites, ((struct cov_site){ .site = i, .of[COV_RC] = { f->c.items.len, 4, 4, 0 },
							  .of[COV_TM] = { f->c.items.len, 4, 4, 0 } }));
		for (uint32_t k = 0; k < 4; k++)
			vec_push(&f->c.items, ((struct cov_item){ .name = str_of(types[k]), .type = k + 1, .is_required = true }));
	}
	f->c.plan = &f->plan;
	f->c.reasons = &f->why;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	next_release(&f->next);
	reasons_release(&f->why);
	vec_release(&f->plan.types), vec_release(&f->plan.classes), vec_release(&f->plan.methods), vec_release(&f->plan.sites);
	vec_release(&f->plan.ids);
	vec_release(&f->c.sites), vec_release(&f->c.items), vec_release(&f->c.groups), vec_release(&f->c.members);
	free(f);
	return 0;
}

static void idea(struct fixture *f, uint32_t type, const char *call)
{
	vec_push(&f->why.ideas, ((struct reason_idea){ .type = type, .call = str_of(call) }));
}

/* Rows are by site and type. */
static void covers(struct fixture *f, uint32_t site, uint32_t type, uint32_t of_idea, uint32_t cost)
{
	vec_push(&f->why.rows, ((struct reason){ .site = site, .type = type, .target = type, .cost = cost, .idea = of_idea }));
}

static void compute(struct fixture *f, uint32_t most)
{
	next_compute(&f->c, NULL, NULL, most, &f->next);
}

static void what_covers_more_is_first(void **state)
{
	struct fixture *f = *state;

	idea(f, 1, "p.X.a()");
	idea(f, 2, "p.X.b()");
	covers(f, 0, 1, 1, 0);
	covers(f, 0, 2, 2, 0);
	covers(f, 1, 2, 2, 0);
	compute(f, 10);
	assert_int_equal(f->next.acts.len, 2);
	assert_int_equal(f->next.acts.data[0].idea, 1);
	assert_int_equal(f->next.acts.data[0].n, 2);
	assert_int_equal(f->next.acts.data[0].targets, 2);
	assert_true(f->next.acts.data[0].gain > f->next.acts.data[1].gain);
}

static void what_is_near_is_first(void **state)
{
	struct fixture *f = *state;

	idea(f, 1, "p.X.a()");
	idea(f, 2, "p.X.b()");
	covers(f, 0, 1, 1, 100);
	covers(f, 1, 2, 2, 10);
	compute(f, 1);
	assert_int_equal(f->next.acts.len, 1);
	assert_int_equal(f->next.acts.data[0].idea, 1);
}

/* The same object, or the same call, is the same idea once more. */
static void likes_are_listed_together(void **state)
{
	struct fixture *f = *state;

	idea(f, 1, "p.X.a()");
	idea(f, 1, "p.X.b()");
	idea(f, 2, "p.X.a()");
	idea(f, 3, "p.X.c()");
	covers(f, 0, 1, 1, 0);
	covers(f, 0, 2, 3, 0);
	covers(f, 1, 1, 2, 0);
	covers(f, 2, 1, 1, 0);
	covers(f, 3, 3, 4, 0);
	compute(f, 10);
	assert_int_equal(f->next.acts.len, 2);
	assert_int_equal(f->next.acts.data[0].idea, 0);
	assert_int_equal(f->next.acts.data[0].nlike, 2);
	assert_int_equal(f->next.like.data[0], 1);
	assert_int_equal(f->next.like.data[1], 2);
	assert_int_equal(f->next.acts.data[1].idea, 3);
}

/* What is covered, or refuted, is no gain. */
static void only_what_is_missed_counts(void **state)
{
	struct fixture *f = *state;

	idea(f, 1, "p.X.a()");
	idea(f, 2, "p.X.b()");
	idea(f, 3, "p.X.c()");
	covers(f, 0, 1, 1, 0);
	covers(f, 1, 2, 2, 0);
	covers(f, 2, 3, 3, 0);
	f->c.items.data[0].count = 1;
	vec_push(&f->why.refuted, ((struct reason_refuted){ 2, 3, REFUTED_BY_CONTEXTS }));
	compute(f, 10);
	assert_int_equal(f->next.acts.len, 1);
	assert_int_equal(f->next.acts.data[0].idea, 1);
}

/* Whoever asks says what counts. */
static uint32_t weigh_last_site(void *ctx, const struct coverage *c, const struct reason *r, struct next_element *out)
{
	(void)ctx, (void)c;
	*out = (struct next_element){ STR("it"), 1 };
	return r->site == SITES - 1;
}

static void weights_are_the_callers(void **state)
{
	struct fixture *f = *state;

	idea(f, 1, "p.X.a()");
	idea(f, 2, "p.X.b()");
	covers(f, 0, 1, 1, 0);
	covers(f, SITES - 1, 2, 2, 0);
	next_compute(&f->c, weigh_last_site, NULL, 10, &f->next);
	assert_int_equal(f->next.acts.len, 1);
	assert_int_equal(f->next.acts.data[0].idea, 1);
}

/* One act stands or falls with the calls it makes: 55 at one of them are surer than six times 10. */
static uint32_t weigh_by_type(void *ctx, const struct coverage *c, const struct reason *r, struct next_element *out)
{
	static const char *const names[] = { "0", "1", "2", "3", "4", "5" };

	(void)ctx, (void)c;
	*out = (struct next_element){ r->type == 2 ? STR("other") : str_of(names[r->site]), r->type == 2 ? 55 : 10 };
	return 1;
}

static void many_are_less_sure(void **state)
{
	struct fixture *f = *state;

	idea(f, 1, "p.X.a()");
	idea(f, 2, "p.X.b()");
	for (uint32_t i = 0; i < SITES; i++)
		covers(f, i, 1, 1, 0);
	covers(f, SITES - 1, 2, 2, 0);
	next_compute(&f->c, weigh_by_type, NULL, 10, &f->next);
	assert_int_equal(f->next.acts.len, 2);
	assert_int_equal(f->next.acts.data[0].idea, 1);
}

static void add_ladder(struct fixture *f)
{
	f->plan.criteria |= PLAN_LADDER;
	for (uint32_t type = 1; type < f->plan.types.len; type++)
		vec_push(&f->plan.ids, type);
	for (uint32_t i = 0; i < f->plan.sites.len; i++)
		if (f->plan.sites.data[i].flags & PLAN_CHOICE)
			f->plan.sites.data[i].own_targets = (struct plan_range){ 0, f->plan.ids.len };
	for (uint32_t i = 0; i < f->c.items.len; i++)
		f->c.items.data[i].is_own = true;
	coverage_group(&f->c);
}

/* Where there is no choice, nothing of the ladder is covered. */
static void the_ladder_says_what_counts(void **state)
{
	struct fixture *f = *state;

	idea(f, 1, "p.X.a()");
	idea(f, 2, "p.X.b()");
	covers(f, 0, 1, 1, 0);
	covers(f, 1, 1, 1, 0);
	covers(f, 2, 2, 2, 0);
	f->plan.sites.data[2].flags |= PLAN_CHOICE;
	compute(f, 1);
	assert_int_equal(f->next.acts.data[0].idea, 0);
	next_release(&f->next);
	f->next = (struct next){ 0 };
	add_ladder(f);
	compute(f, 10);
	assert_int_equal(f->next.acts.len, 2);
	assert_int_equal(f->next.acts.data[0].idea, 1);
}

/* An implementation that never ran counts more than one that ran from another caller. */
static void lower_rungs_count_more(void **state)
{
	struct fixture *f = *state;

	idea(f, 1, "p.X.a()");
	idea(f, 2, "p.X.b()");
	covers(f, 0, 1, 1, 0);
	covers(f, 1, 2, 2, 0);
	for (uint32_t i = 0; i < SITES; i++)
		f->plan.sites.data[i].flags |= PLAN_CHOICE;
	f->c.items.data[(size_t)(SITES - 1) * 4].count = 1;     /* p.A.m */
	add_ladder(f);
	compute(f, 10);
	assert_int_equal(f->next.acts.len, 2);
	assert_int_equal(f->next.acts.data[0].idea, 1);
	assert_true(f->next.acts.data[0].gain > f->next.acts.data[1].gain * 3 / 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_covers_more_is_first), TEST(what_is_near_is_first), TEST(likes_are_listed_together),
		TEST(only_what_is_missed_counts), TEST(weights_are_the_callers),
		TEST(many_are_less_sure), TEST(the_ladder_says_what_counts), TEST(lower_rungs_count_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
