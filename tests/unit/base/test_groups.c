// SPDX-License-Identifier: Apache-2.0
// links: base algo
/* test_groups.c - numbers by key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "algo/groups.h"
#include "algo/lists.h"

static void numbers_stand_by_key_in_their_order(void **state)
{
	struct groups g = { 0 };

	(void)state;
	groups_add(&g, 2, 7);
	groups_add(&g, 0, 5);
	groups_add(&g, 2, UINT32_MAX);
	groups_add(&g, 2, 7);
	groups_close(&g, 4);
	assert_int_equal(groups_of(&g, 0).n, 1);
	assert_int_equal(groups_of(&g, 0).data[0], 5);
	assert_int_equal(groups_of(&g, 1).n, 0);
	assert_int_equal(groups_of(&g, 2).n, 3);
	assert_memory_equal(groups_of(&g, 2).data, ((uint32_t[]){ 7, UINT32_MAX, 7 }), 3 * sizeof(uint32_t));
	assert_int_equal(groups_of(&g, 3).n, 0);
	assert_int_equal(groups_of(&g, 4).n, 0);
	assert_int_equal(groups_of(&g, UINT32_MAX - 1).n, 0);
	groups_release(&g);
}

static void cleared_ones_begin_afresh(void **state)
{
	struct groups g = { 0 };

	(void)state;
	assert_int_equal(groups_of(&g, 0).n, 0);
	groups_close(&g, 0);
	assert_int_equal(groups_of(&g, 0).n, 0);
	groups_add(&g, 1, 1);
	groups_close(&g, 2);
	groups_clear(&g);
	assert_int_equal(groups_of(&g, 1).n, 0);
	groups_add(&g, 0, 3);
	groups_close(&g, 1);
	assert_int_equal(groups_of(&g, 0).n, 1);
	assert_int_equal(groups_of(&g, 0).data[0], 3);
	groups_release(&g);
}

static void is(const struct lists *l, uint32_t key, bool is_new, const uint32_t *numbers, uint32_t n)
{
	uint32_t r = lists_first(l, key, is_new);

	for (uint32_t i = 0; i < n; i++, r = lists_next(l, r)) {
		assert_true(r);
		assert_int_equal(lists_number(l, r), numbers[i]);
	}
	assert_false(r);
}

static void lists_grow_and_know_what_is_new(void **state)
{
	struct lists l = { 0 };

	(void)state;
	is(&l, 0, false, NULL, 0);
	is(&l, 7, true, NULL, 0);
	lists_add(&l, 2, 5);
	lists_add(&l, 0, UINT32_MAX);
	lists_add(&l, 2, 3);
	is(&l, 2, true, (uint32_t[]){ 5, 3 }, 2);
	lists_mark(&l);
	is(&l, 2, true, NULL, 0);
	lists_add(&l, 2, 9);
	lists_add(&l, 1, 4);
	lists_add(&l, 2, 9);
	is(&l, 2, false, (uint32_t[]){ 5, 3, 9, 9 }, 4);
	is(&l, 2, true, (uint32_t[]){ 9, 9 }, 2);
	is(&l, 1, true, (uint32_t[]){ 4 }, 1);
	is(&l, 0, true, NULL, 0);
	assert_false(lists_is_new(&l, lists_first(&l, 2, false)));
	assert_true(lists_is_new(&l, lists_first(&l, 2, true)));
	lists_mark(&l);
	lists_mark(&l);
	lists_add(&l, 0, 1);
	is(&l, 2, true, NULL, 0);
	is(&l, 0, true, (uint32_t[]){ 1 }, 1);
	is(&l, 0, false, (uint32_t[]){ UINT32_MAX, 1 }, 2);
	lists_release(&l);
	is(&l, 0, false, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_stand_by_key_in_their_order),
		cmocka_unit_test(cleared_ones_begin_afresh),
		cmocka_unit_test(lists_grow_and_know_what_is_new),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
