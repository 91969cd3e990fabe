// SPDX-License-Identifier: Apache-2.0
// links: base algo
/* test_groups.c - numbers by key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "algo/groups.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_stand_by_key_in_their_order),
		cmocka_unit_test(cleared_ones_begin_afresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
