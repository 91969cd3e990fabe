// SPDX-License-Identifier: Apache-2.0
// links: base
/* test_exhausted.c - memory ends while a container grows and the handler jumps away, as the agent's does: the container is as
 * it was before, and goes on once there is memory again. Linked with wrappers around malloc and its kin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/diag.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"

static bool refuses, refuses_zeroed;     /* all memory; memory full of zeroes, as tables of slots are */
static jmp_buf back;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);

void *__wrap_malloc(size_t size)
{
	return refuses ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return refuses || refuses_zeroed ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return refuses ? NULL : __real_realloc(p, size);
}

static void leave(size_t size)
{
	(void)size;
	longjmp(back, 1);
}

/* Was there enough for step(container, i)? */
static bool suffices(void (*step)(void *container, uint32_t i), void *container, uint32_t i)
{
	volatile bool is_done = false;

	refuses = true;
	if (!setjmp(back)) {
		step(container, i);
		is_done = true;
	}
	refuses = false;
	return is_done;
}

#define STEPS 100000             /* enough for every container to grow */

/* Every step is tried without memory first, and several times, as other threads would. Gives how often that failed. */
static uint32_t take_steps(void (*step)(void *container, uint32_t i), void *container)
{
	uint32_t failed = 0;

	for (uint32_t i = 1; i <= STEPS; i++) {
		int tries = 0;

		while (tries < 3 && !suffices(step, container, i))
			tries++;
		if (tries == 3)
			step(container, i);
		failed += (uint32_t)tries;
	}
	return failed;
}

typedef VEC(uint32_t) numbers;

static void push(void *container, uint32_t i)
{
	vec_push((numbers *)container, i);
}

static void vectors_stay_whole(void **state)
{
	numbers v = { 0 };
	(void)state;

	assert_true(take_steps(push, &v) > 10);
	assert_int_equal(v.len, STEPS);
	for (uint32_t i = 0; i < v.len; i++)
		assert_int_equal(v.data[i], i + 1);
	vec_release(&v);
}

static void add_letter(void *container, uint32_t i)
{
	strbuf_addch(container, (char)('a' + i % 26));
}

static void texts_stay_whole(void **state)
{
	struct strbuf b = { 0 };
	(void)state;

	assert_true(take_steps(add_letter, &b) > 10);
	assert_int_equal(b.len, STEPS);
	for (uint32_t i = 0; i < STEPS; i++)
		assert_int_equal(b.s[i], 'a' + (int)((i + 1) % 26));
	strbuf_release(&b);
}

static void put(void *container, uint32_t i)
{
	*map_at(container, map_key(i % 7, i)) = i;
}

static void maps_stay_whole(void **state)
{
	struct map m = { 0 };
	(void)state;

	assert_true(take_steps(put, &m) > 10);
	assert_int_equal(m.len, STEPS);
	for (uint32_t i = 1; i <= STEPS; i++)
		assert_int_equal(map_get(&m, map_key(i % 7, i)), i);
	map_release(&m);
}

static void intern_name(void *container, uint32_t i)
{
	char text[32];

	snprintf(text, sizeof(text), "name/%u", (unsigned)i);
	assert_int_equal(intern(container, str_of(text)).i, i);
}

static void interners_stay_whole(void **state)
{
	struct interner in;
	(void)state;

	interner_init(&in);
	assert_true(take_steps(intern_name, &in) > 10);
	assert_int_equal(in.strings.len, STEPS + 1);
	for (uint32_t i = 1; i <= STEPS; i++)
		intern_name(&in, i);
	interner_release(&in);
}

/* Where there is no free slot left, a search would not end. */
static void interners_never_fill_up(void **state)
{
	struct interner in;
	str_id id;
	(void)state;

	interner_init(&in);
	refuses_zeroed = true;
	for (uint32_t i = 1; i <= STEPS; i++)
		if (!setjmp(back))
			intern_name(&in, in.strings.len);
	refuses_zeroed = false;
	assert_true(in.strings.len <= in.mask);
	assert_false(interner_find(&in, STR("absent"), &id));
	interner_release(&in);
}

static void take_bytes(void *container, uint32_t i)
{
	memset(arena_alloc(container, i % 100), 1, i % 100);
}

static void arenas_stay_whole(void **state)
{
	struct arena a;
	size_t all = 0;
	(void)state;

	arena_init(&a);
	assert_true(take_steps(take_bytes, &a) > 5);
	for (uint32_t i = 1; i <= STEPS; i++)
		all += (i % 100 + 7) / 8 * 8;
	assert_int_equal(a.used, all);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors_stay_whole),   cmocka_unit_test(texts_stay_whole),
		cmocka_unit_test(maps_stay_whole),      cmocka_unit_test(interners_stay_whole),
		cmocka_unit_test(interners_never_fill_up), cmocka_unit_test(arenas_stay_whole),
	};

	mem_on_exhausted(leave);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
