// SPDX-License-Identifier: Apache-2.0
// links: base algo
/* test_family.c - sets that share what they have in common, beside plain arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "algo/family.h"

enum { MEMBERS = 5000, SETS = 200 };

struct expected {
	const uint8_t *members;
	uint32_t next;
};

static void take(void *ctx, uint32_t member)
{
	struct expected *x = ctx;

	while (x->next < member)
		assert_false(x->members[x->next++]);
	assert_int_equal(x->next, member);
	assert_true(x->members[x->next++]);
}

static void is_all(const struct expected *x)
{
	for (uint32_t i = x->next; i < MEMBERS; i++)
		assert_false(x->members[i]);
}

static void is(const struct family *f, fset_id s, const uint8_t *members)
{
	struct expected x = { members, 0 };

	for (uint32_t i = 0; i < MEMBERS; i++)
		assert_int_equal(fset_has(f, s, i), members[i]);
	fset_each(f, s, take, &x);
	is_all(&x);
}

static void the_empty_set_is_0(void **state)
{
	struct family f;
	struct draft d;

	(void)state;
	family_init(&f);
	draft_init(&d, &f, 0);
	assert_int_equal(draft_close(&d).i, 0);
	draft_join(&d, (fset_id){ 0 });
	assert_true(draft_covers(&d, (fset_id){ 0 }));
	assert_false(fset_has(&f, (fset_id){ 0 }, 0));
	assert_false(fset_has(&f, (fset_id){ 0 }, 77));
	fset_each(&f, (fset_id){ 0 }, NULL, NULL);
	draft_drain(&d, NULL, NULL);
	assert_int_equal(draft_close(&d).i, 0);
	draft_release(&d);
	family_release(&f);
}

static void equal_sets_are_one(void **state)
{
	struct family f;
	struct draft d, other;

	(void)state;
	family_init(&f);
	draft_init(&d, &f, MEMBERS);
	draft_init(&other, &f, MEMBERS);
	assert_true(draft_add(&d, 4999));
	assert_true(draft_add(&d, 0));
	assert_false(draft_add(&d, 0));
	fset_id both = draft_close(&d), one, two;
	draft_add(&d, 0);
	draft_add(&other, 4999);        /* two drafts at a time */
	one = draft_close(&d);
	two = draft_close(&other);
	assert_int_not_equal(one.i, two.i);
	draft_join(&d, two);
	assert_false(draft_covers(&d, both));
	draft_join(&other, one);
	draft_join(&d, one);
	draft_join(&other, two);
	assert_true(draft_covers(&d, both));
	assert_int_equal(draft_close(&d).i, both.i);
	assert_int_equal(draft_close(&other).i, both.i);
	draft_join(&d, both);
	draft_clear(&d);
	assert_int_equal(draft_close(&d).i, 0);
	draft_release(&d);
	draft_release(&other);
	family_release(&f);
}

/* A chain of functions, each of which adds a little: quadratically many members, but not nodes. */
static void common_parts_are_kept_once(void **state)
{
	struct family f;
	struct draft d;
	fset_id s = { 0 };

	(void)state;
	family_init(&f);
	draft_init(&d, &f, 32 * MEMBERS);
	for (uint32_t i = 0; i < MEMBERS; i++) {
		draft_join(&d, s);
		draft_add(&d, 32 * (i * 7 % MEMBERS));
		s = draft_close(&d);
	}
	assert_true(f.nodes.len < MEMBERS * 16);
	draft_release(&d);
	family_release(&f);
}

static bool is_odd(void *ctx, uint32_t member)
{
	(void)ctx;
	return member % 2;
}

static uint32_t any(uint32_t n)
{
	return (uint32_t)rand() % n;
}

struct sets {
	struct family f;
	struct draft d;
	fset_id ids[SETS];
	uint8_t members[SETS][MEMBERS];
};

/* Of earlier sets and some numbers, near each other or not; now and then without what is even. */
static void make_set(struct sets *s, uint32_t n)
{
	uint8_t *m = s->members[n];
	uint32_t base = any(MEMBERS), range = 1 + any(any(2) ? 40 : MEMBERS);

	for (uint32_t k = any(4); n && k; k--) {
		uint32_t from = any(n);
		draft_join(&s->d, s->ids[from]);
		for (uint32_t i = 0; i < MEMBERS; i++)
			m[i] |= s->members[from][i];
	}
	if (any(3) == 0) {
		draft_filter(&s->d, is_odd, NULL);
		for (uint32_t i = 0; i < MEMBERS; i += 2)
			m[i] = 0;
	}
	for (uint32_t k = any(60); k; k--) {
		uint32_t member = (base + any(range)) % MEMBERS;
		assert_int_equal(draft_add(&s->d, member), !m[member]);
		m[member] = 1;
	}
}

static bool covers(const uint8_t *all, const uint8_t *part)
{
	for (uint32_t i = 0; i < MEMBERS; i++)
		if (part[i] && !all[i])
			return false;
	return true;
}

static void check_draft(struct sets *s, uint32_t n)
{
	for (uint32_t i = 0; i < MEMBERS; i++)
		assert_int_equal(draft_has(&s->d, i), s->members[n][i]);
	for (uint32_t k = 0; k < n; k++)
		assert_int_equal(draft_covers(&s->d, s->ids[k]), covers(s->members[n], s->members[k]));
}

static void random_sets_are_right(void **state)
{
	struct sets *s = mem_zalloc(sizeof *s);

	(void)state;
	srand(4);
	family_init(&s->f);
	draft_init(&s->d, &s->f, MEMBERS);
	for (uint32_t n = 0; n < SETS; n++) {
		make_set(s, n);
		check_draft(s, n);
		s->ids[n] = draft_close(&s->d);
		is(&s->f, s->ids[n], s->members[n]);
		draft_join(&s->d, s->ids[n]);
		struct expected x = { s->members[n], 0 };
		draft_drain(&s->d, take, &x);
		is_all(&x);
		for (uint32_t k = 0; k < n; k++)
			assert_int_equal(s->ids[k].i == s->ids[n].i, memcmp(s->members[k], s->members[n], MEMBERS) == 0);
	}
	draft_release(&s->d);
	family_release(&s->f);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_empty_set_is_0), cmocka_unit_test(equal_sets_are_one),
		cmocka_unit_test(common_parts_are_kept_once), cmocka_unit_test(random_sets_are_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
