// SPDX-License-Identifier: Apache-2.0
// links: solve algo base
/* test_set.c - the sets of the solver against plain tables of bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "solve/set.h"

#define BLOCKS 400u
#define FIRST (KIND_BLOCKS - 150u)        /* blocks of kinds as well as blocks of objects */

struct table {
	uint64_t words[BLOCKS];
};

static uint32_t any(uint64_t *random, uint32_t below)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*random >> 33) % below);
}

/* Words at about one in `gap` blocks, of few or many bits. */
static void fill(struct table *t, uint64_t *random, uint32_t gap)
{
	memset(t, 0, sizeof(*t));
	for (uint32_t b = any(random, gap); b < BLOCKS; b += 1 + any(random, 2 * gap)) {
		uint64_t more = any(random, 4) ? 0 : (uint64_t)any(random, 1u << 30) << 20;

		t->words[b] = (uint64_t)1 << any(random, 64) | more;
	}
}

static struct set_view view_of(const struct table *t, uint64_t *words, uint32_t *blocks)
{
	struct set_view v = { words, blocks, 0 };

	for (uint32_t b = 0; b < BLOCKS; b++) {
		if (!t->words[b])
			continue;
		words[v.n] = t->words[b];
		blocks[v.n++] = FIRST + b;
	}
	return v;
}

static void expect(struct set_view v, const struct table *t)
{
	struct table found = { { 0 } };

	for (uint32_t i = 0; i < v.n; i++) {
		assert_in_range(v.blocks[i], FIRST, FIRST + BLOCKS - 1);
		assert_true(!i || v.blocks[i - 1] < v.blocks[i]);
		found.words[v.blocks[i] - FIRST] = v.words[i];
	}
	assert_memory_equal(&found, t, sizeof(found));
}

static uint64_t count(const struct table *t)
{
	uint64_t n = 0;

	for (uint32_t b = 0; b < BLOCKS; b++)
		for (uint32_t bit = 0; bit < 64; bit++)
			n += t->words[b] >> bit & 1;
	return n;
}

struct both {
	struct set set;
	struct table table;
};

/* One union, with everything that can be asked before and after. */
static void unite(struct both *x, struct table more, uint64_t *random, struct pool *pool, struct set_buf *news)
{
	struct table expected_news;
	uint64_t words[BLOCKS];
	uint32_t blocks[BLOCKS];
	struct set_view v = view_of(&more, words, blocks);
	bool adds = false;

	for (uint32_t b = 0; b < BLOCKS; b++) {
		expected_news.words[b] = more.words[b] & ~x->table.words[b];
		adds = adds || expected_news.words[b];
	}
	assert_int_equal(set_covers(set_view(&x->set), v), !adds);
	set_missing(set_view(&x->set), v, news);
	expect(set_buf_view(news), &expected_news);
	assert_int_equal(set_union(&x->set, v, pool, news), adds);
	expect(set_buf_view(news), &expected_news);
	for (uint32_t b = 0; b < BLOCKS; b++)
		x->table.words[b] |= more.words[b];
	expect(set_view(&x->set), &x->table);
	assert_true(set_is_sound(&x->set));
	assert_true(set_covers(set_view(&x->set), v));
	assert_int_equal(set_count(set_view(&x->set)), count(&x->table));
	uint32_t b = any(random, BLOCKS);
	assert_true(set_word_at(set_view(&x->set), FIRST + b) == x->table.words[b]);
}

/* With something of a random density. */
static void step(struct both *x, uint64_t *random, struct pool *pool, struct set_buf *news)
{
	struct table more;

	fill(&more, random, 1 + any(random, any(random, 2) ? 5 : 300));
	unite(x, more, random, pool, news);
}

/* Another set becomes the same; what either is given later, the other is not. */
static void share(struct both *to, const struct both *x, struct pool *pool)
{
	if (x->set.n <= 1 || to == x)
		return;
	set_share(&to->set, &x->set, pool);
	to->table = x->table;
	assert_int_equal(set_size(&to->set), count(&x->table));
}

/* Many sets at once, so that pieces of the pool change hands, and are shared. */
static void test_random(void **state)
{
	static struct both sets[20];
	struct pool pool = { 0 };
	struct set_buf news = { 0 };
	uint64_t random = 7;
	(void)state;

	for (uint32_t i = 0; i < 6000; i++) {
		struct both *x = &sets[any(&random, 20)];

		if (any(&random, 12) == 0) {
			set_release(&x->set, &pool);
			memset(x, 0, sizeof(*x));
			assert_int_equal(set_bytes(&x->set), 0);
		}
		if (any(&random, 6) == 0)
			share(&sets[any(&random, 20)], x, &pool);
		step(x, &random, &pool, &news);
	}
	for (uint32_t i = 0; i < 20; i++)
		expect(set_view(&sets[i].set), &sets[i].table);
	set_buf_release(&news);
	pool_release(&pool);
}

/* A set that becomes full and grows word by word: of kinds, and at both ends of its objects. */
static void test_grow(void **state)
{
	struct pool pool = { 0 };
	struct set_buf news = { 0 };
	uint64_t random = 11;
	(void)state;

	for (uint32_t run = 0; run < 20; run++) {
		struct both x = { 0 };
		uint32_t low = 280, high = 280;
		for (uint32_t i = 0; i < 300; i++) {
			struct table more = { { 0 } };
			for (uint32_t k = any(&random, 3); k < 3; k++)
				more.words[low + any(&random, high - low + 1)] |= (uint64_t)1 << any(&random, 64);
			if (any(&random, 4) == 0)
				more.words[any(&random, 150)] = 1 + any(&random, 7);
			unite(&x, more, &random, &pool, &news);
			low -= low > 151 && any(&random, 3) == 0;
			high += high < BLOCKS - 1 && any(&random, 2) == 0;
		}
		set_release(&x.set, &pool);
	}
	set_buf_release(&news);
	pool_release(&pool);
}

static void test_assign(void **state)
{
	struct pool pool = { 0 };
	uint64_t random = 3;
	(void)state;

	for (uint32_t i = 0; i < 300; i++) {
		struct table t;
		struct set s = { 0 };
		uint64_t words[BLOCKS];
		uint32_t blocks[BLOCKS];

		fill(&t, &random, 1 + any(&random, 400));
		set_assign(&s, view_of(&t, words, blocks), &pool);
		expect(set_view(&s), &t);
		assert_int_equal(set_bytes(&s) > 0, s.n > 1);
		set_release(&s, &pool);
		assert_int_equal(s.n, 0);
	}
	pool_release(&pool);
}

static void test_soundness(void **state)
{
	struct {
		struct set_head head;
		uint64_t words[2];
		uint32_t blocks[2];
	} piece = { { 1, 2 }, { 1, 2 }, { 4, 9 } };
	uint32_t *blocks = piece.blocks;
	struct set s = { .words = piece.words, .n = 2, .cap = 2 };
	(void)state;

	blocks[0] = 4;
	blocks[1] = 9;
	assert_true(set_is_sound(&s));
	blocks[1] = 4;
	assert_false(set_is_sound(&s));
	blocks[1] = 9;
	piece.head.size = 3;
	assert_false(set_is_sound(&s));
	piece.head.size = 2;
	s.cap = 1;
	assert_false(set_is_sound(&s));
}

/* Pieces are given again only when they were freed, and are as large as they say. */
static void test_pool(void **state)
{
	struct pool pool = { 0 };
	void *pieces[60];
	size_t sizes[60];
	(void)state;

	for (size_t i = 0; i < 60; i++) {
		sizes[i] = 1 + i * i * 11;
		pieces[i] = pool_alloc(&pool, &sizes[i]);
		assert_true(sizes[i] >= 1 + i * i * 11 && sizes[i] <= 16 + 2 * i * i * 11);
		memset(pieces[i], (int)i, sizes[i]);
	}
	for (size_t i = 0; i < 60; i++)
		assert_int_equal(((unsigned char *)pieces[i])[sizes[i] - 1], i);
	size_t used = pool.mem.used, size = sizes[30];

	pool_free(&pool, pieces[30], sizes[30]);
	assert_ptr_equal(pool_alloc(&pool, &size), pieces[30]);
	assert_int_equal(pool.mem.used, used);
	pool_release(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random), cmocka_unit_test(test_grow), cmocka_unit_test(test_assign),
		cmocka_unit_test(test_soundness), cmocka_unit_test(test_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
