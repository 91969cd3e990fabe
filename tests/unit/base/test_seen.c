// SPDX-License-Identifier: Apache-2.0
// links: base algo
/* test_seen.c - numbers that were seen, the newest of which can be taken out again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "algo/seen.h"

static void each_is_new_once(void **state)
{
	struct seen s = { 0 };

	(void)state;
	assert_false(seen_has(&s, 0));
	assert_true(seen_add(&s, 0));
	assert_true(seen_add(&s, UINT64_MAX));
	assert_false(seen_add(&s, 0));
	assert_int_equal(s.keys.len, 2);
	seen_cut(&s, 1);
	assert_true(seen_has(&s, 0));
	assert_false(seen_has(&s, UINT64_MAX));
	assert_true(seen_add(&s, UINT64_MAX));
	seen_release(&s);
}

static uint64_t next(uint64_t *x)
{
	*x = *x * 6364136223846793005u + 1442695040888963407u;
	return *x >> 54;                     /* few enough to come again, many enough to share slots */
}

static bool is_among(const uint64_t *keys, uint32_t n, uint64_t key)
{
	for (uint32_t i = 0; i < n; i++)
		if (keys[i] == key)
			return true;
	return false;
}

/* Against a list, over growth and cuts at random. */
static void what_is_left_is_what_came_first(void **state)
{
	struct seen s = { 0 };
	uint64_t list[1 << 10], x = 7;
	uint32_t n = 0;

	(void)state;
	for (int step = 0; step < 20000; step++) {
		uint64_t key = next(&x);
		assert_int_equal(seen_has(&s, key), is_among(list, n, key));
		if (seen_add(&s, key))
			list[n++] = key;
		assert_int_equal(s.keys.len, n);
		if (next(&x) % 97 == 0) {
			n = (uint32_t)(next(&x) % (n + 1));
			seen_cut(&s, n);
		}
	}
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(s.keys.data[i], list[i]);
	seen_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_new_once),
		cmocka_unit_test(what_is_left_is_what_came_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
