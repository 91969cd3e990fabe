// SPDX-License-Identifier: Apache-2.0
// links: solve algo base
/* test_solve.c - every sort of constraint alone, and random systems against reference_solver.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reference_solver.h"
#include "solve/solve_p.h"

#define NO_MASK ((mask_id){ 0 })

struct test {
	struct solver *s;
	node_id n[8];
	kind_id plain, pair;               /* without slots, with two */
	mask_id only_pair;
	object_id a, b, p, q;              /* two of each kind */
	void (*react)(struct test *t, uint32_t tag, struct set_view v);
	uint32_t told, calls;
};

static void on_watch(void *ctx, uint32_t tag, struct set_view v)
{
	struct test *t = ctx;

	t->calls++;
	t->told += (uint32_t)set_count(v);
	if (t->react)
		t->react(t, tag, v);
}

static void open_test(struct test *t, uint32_t unify_after)
{
	struct solver_opt opt = { .ctx = t, .watch = on_watch, .keeps_copies = true, .unify_after = unify_after };

	*t = (struct test){ .s = solver_new(&opt) };
	t->only_pair = solver_mask(t->s);
	t->plain = solver_kind(t->s, 0, NO_MASK);
	t->pair = solver_kind(t->s, 2, t->only_pair);
	solver_mask_add(t->s, t->only_pair, t->pair);
	t->a = solver_object(t->s, t->plain);
	t->b = solver_kind_object(t->s, t->plain);
	t->p = solver_object(t->s, t->pair);
	t->q = solver_kind_object(t->s, t->pair);
	for (size_t i = 0; i < 8; i++)
		t->n[i] = solver_nodes(t->s, 1);
}

static int start(void **state)
{
	*state = calloc(1, sizeof(struct test));
	open_test(*state, 0);
	return 0;
}

static int stop(void **state)
{
	struct test *t = *state;

	solver_free(t->s);
	free(t);
	return 0;
}

static void run(struct test *t)
{
	const char *reason = "";

	assert_true(solver_run(t->s));
	if (!solve_check(t->s, &reason))
		fail_msg("%s", reason);
}

static uint64_t size(struct test *t, node_id n)
{
	return set_count(solver_set(t->s, n));
}

static void add_all(struct test *t, node_id n)
{
	solver_add(t->s, n, t->a);
	solver_add(t->s, n, t->b);
	solver_add(t->s, n, t->p);
	solver_add(t->s, n, t->q);
}

static void test_ids(void **state)
{
	struct test *t = *state;

	assert_int_equal(t->b.i, t->plain.i);
	assert_int_equal(solver_kind_object(t->s, t->plain).i, t->b.i);
	assert_int_equal(solver_kind_of(t->s, t->a).i, t->plain.i);
	assert_int_equal(solver_kind_of(t->s, t->q).i, t->pair.i);
	assert_false(is_kind_block(t->p.i / 64));
	assert_int_equal(solver_slot(t->s, t->p, 1).i, solver_slot(t->s, t->p, 0).i + 1);
	assert_int_not_equal(solver_slot(t->s, t->p, 0).i, solver_slot(t->s, t->q, 0).i);
	for (uint32_t i = 1; i < 1000; i++) {
		object_id o = solver_object(t->s, i % 3 ? t->pair : t->plain);

		assert_int_equal(solver_kind_of(t->s, o).i, (i % 3 ? t->pair : t->plain).i);
	}
	assert_int_equal(solver_stats(t->s).objects, 4 + 999);
	assert_int_equal(solver_stats(t->s).kinds, 2);
}

static uint32_t count_of_one_kind(struct solver *s, uint32_t block, uint64_t word)
{
	kind_id k = solver_kind_of(s, (object_id){ block * 64 + first_bit(word) });
	uint32_t n = 0;

	for (; word; word &= word - 1, n++)
		assert_int_equal(solver_kind_of(s, (object_id){ block * 64 + first_bit(word) }).i, k.i);
	return n;
}

/* same_kind takes a word apart into objects of one kind each. */
static void test_same_kind(void **state)
{
	struct test *t = *state;

	add_all(t, t->n[0]);
	for (uint32_t i = 0; i < 50; i++)
		solver_add(t->s, t->n[0], solver_object(t->s, i % 5 ? t->pair : t->plain));
	struct set_view v = solver_set(t->s, t->n[0]);
	uint32_t seen = 0;

	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t w = v.words[i], some; w; w &= ~some) {
			some = same_kind(v.blocks[i], w);
			assert_true(some & w);
			seen += count_of_one_kind(t->s, v.blocks[i], some);
		}
	assert_int_equal(seen, 54);
}

static void test_masks(void **state)
{
	struct test *t = *state;
	mask_id m = solver_mask(t->s);

	assert_true(solver_mask_has(t->s, NO_MASK, t->plain));
	assert_false(solver_mask_has(t->s, m, t->plain));
	assert_true(solver_mask_has(t->s, t->only_pair, t->pair));
	assert_false(solver_mask_has(t->s, t->only_pair, t->plain));
	for (uint32_t i = 0; i < 200; i++)
		solver_kind(t->s, 0, NO_MASK);
	solver_mask_add(t->s, m, (kind_id){ 190 });
	assert_true(solver_mask_has(t->s, m, (kind_id){ 190 }));
	assert_false(solver_mask_has(t->s, m, (kind_id){ 62 }));
	assert_false(solver_mask_has(t->s, m, (kind_id){ 191 }));
}

/* A narrow mask and a wide one over many blocks, their kinds put there when the objects exist already. */
static void test_mask_of_blocks(void **state)
{
	struct test *t = *state;
	mask_id narrow = solver_mask(t->s), wide = solver_mask(t->s);
	kind_id kinds[100];

	for (size_t i = 0; i < 100; i++) {
		kinds[i] = solver_kind(t->s, 0, NO_MASK);
		for (size_t j = 0; j < 65; j++)
			solver_add(t->s, t->n[0], solver_object(t->s, kinds[i]));
		solver_add(t->s, t->n[0], solver_kind_object(t->s, kinds[i]));
	}
	for (size_t i = 100; i-- > 0;)
		solver_mask_add(t->s, i % 50 == 7 ? narrow : wide, kinds[i]);
	solver_copy(t->s, t->n[0], t->n[1], narrow);
	solver_copy(t->s, t->n[0], t->n[2], wide);
	run(t);
	assert_int_equal(size(t, t->n[1]), 2 * 66);
	assert_int_equal(size(t, t->n[2]), 98 * 66);
	assert_true(solver_has(t->s, t->n[1], solver_kind_object(t->s, kinds[57])));
}

static void test_copy(void **state)
{
	struct test *t = *state;

	solver_copy(t->s, t->n[0], t->n[1], NO_MASK);
	solver_copy(t->s, t->n[0], t->n[2], t->only_pair);
	add_all(t, t->n[0]);
	run(t);
	assert_int_equal(size(t, t->n[1]), 4);
	assert_int_equal(size(t, t->n[2]), 2);
	assert_true(solver_has(t->s, t->n[2], t->p));
	assert_true(solver_has(t->s, t->n[2], t->q));
	/* stated when the source was propagated already */
	solver_copy(t->s, t->n[1], t->n[3], NO_MASK);
	run(t);
	assert_int_equal(size(t, t->n[3]), 4);
}

static void test_empty_mask(void **state)
{
	struct test *t = *state;

	solver_copy(t->s, t->n[0], t->n[1], solver_mask(t->s));
	add_all(t, t->n[0]);
	run(t);
	assert_int_equal(size(t, t->n[1]), 0);
}

static void test_load_store(void **state)
{
	struct test *t = *state;

	add_all(t, t->n[0]);
	add_all(t, t->n[1]);
	solver_store(t->s, t->n[1], t->n[0], t->only_pair, 1);
	solver_load(t->s, t->n[0], t->only_pair, 1, t->n[2], NO_MASK);
	solver_load(t->s, t->n[0], t->only_pair, 0, t->n[3], NO_MASK);
	run(t);
	assert_int_equal(size(t, solver_slot(t->s, t->p, 1)), 2);          /* the kind admits only its like */
	assert_int_equal(size(t, solver_slot(t->s, t->q, 1)), 2);
	assert_int_equal(size(t, solver_slot(t->s, t->q, 0)), 0);
	assert_int_equal(size(t, t->n[2]), 2);
	assert_int_equal(size(t, t->n[3]), 0);
}

/* Rules stated after their node was propagated hold too; slots are told apart by object. */
static void test_late_rules(void **state)
{
	struct test *t = *state;

	solver_add(t->s, t->n[0], t->p);
	solver_add(t->s, t->n[1], t->q);
	solver_add(t->s, t->n[4], t->q);
	run(t);
	solver_store(t->s, t->n[4], t->n[0], t->only_pair, 0);
	solver_load(t->s, t->n[0], t->only_pair, 0, t->n[2], NO_MASK);
	solver_load(t->s, t->n[1], t->only_pair, 0, t->n[3], NO_MASK);
	solver_watch(t->s, t->n[0], (mask_id){ 0 }, 1);
	assert_int_equal(t->calls, 0);
	run(t);
	assert_true(solver_has(t->s, t->n[2], t->q));
	assert_int_equal(size(t, t->n[3]), 0);
	assert_int_equal(t->told, 1);
	solver_add(t->s, t->n[0], t->a);
	run(t);
	assert_int_equal(t->told, 2);
}

/* A word may name the object of a kind before anyone asked for it. */
static void test_kind_word(void **state)
{
	struct test *t = *state;
	kind_id k = solver_kind(t->s, 1, NO_MASK);

	solver_add_word(t->s, t->n[0], 0, (uint64_t)1 << k.i);
	solver_store(t->s, t->n[0], t->n[0], NO_MASK, 0);
	solver_load(t->s, t->n[0], NO_MASK, 0, t->n[1], NO_MASK);
	run(t);
	assert_true(solver_has(t->s, t->n[1], (object_id){ k.i }));
	assert_int_equal(size(t, t->n[1]), 1);
}

static void test_cycle(void **state)
{
	struct test *t = *state;

	for (size_t i = 0; i < 5; i++)
		solver_copy(t->s, t->n[i], t->n[(i + 1) % 5], NO_MASK);
	solver_copy(t->s, t->n[3], t->n[5], NO_MASK);
	solver_copy(t->s, t->n[5], t->n[3], t->only_pair);
	add_all(t, t->n[2]);
	run(t);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(size(t, t->n[i]), 4);
	assert_int_equal(solver_find(t->s, t->n[0]).i, solver_find(t->s, t->n[4]).i);
	assert_int_not_equal(solver_find(t->s, t->n[0]).i, solver_find(t->s, t->n[5]).i);
	assert_int_equal(solver_stats(t->s).joined, 4);
	assert_int_equal(solver_stats(t->s).facts, 6 * 4);
	/* constraints on any of the joined ones still count */
	solver_copy(t->s, t->n[1], t->n[6], NO_MASK);
	run(t);
	assert_int_equal(size(t, t->n[6]), 4);
}

/* A call: each object that arrives brings nodes, copies and another watch. */
static void call(struct test *t, uint32_t tag, struct set_view v)
{
	node_id entry = solver_nodes(t->s, 100);
	(void)v;

	solver_copy(t->s, t->n[0], entry, NO_MASK);
	solver_copy(t->s, entry, t->n[1], NO_MASK);
	if (tag < 20)
		solver_watch(t->s, entry, (mask_id){ 0 }, tag + 1);
	else
		solver_add(t->s, t->n[0], solver_object(t->s, solver_kind(t->s, 3, NO_MASK)));
	if (t->calls > 60)
		t->react = NULL;
}

static void test_watch_adds(void **state)
{
	struct test *t = *state;

	t->react = call;
	solver_watch(t->s, t->n[0], (mask_id){ 0 }, 0);
	solver_add(t->s, t->n[0], t->a);
	run(t);
	assert_true(t->calls > 60);
	assert_true(solver_stats(t->s).nodes > 6000);
	assert_true(size(t, t->n[1]) > 2);
	assert_int_equal(size(t, t->n[1]), size(t, t->n[0]));
}

#define LONG 150000u

/* A ring with an exit at every node, all of it stated during one visit. */
static void call_ring(struct test *t, uint32_t tag, struct set_view v)
{
	node_id ring = solver_nodes(t->s, LONG);
	(void)tag, (void)v;

	for (uint32_t i = 0; i < LONG; i++) {
		node_id n = { ring.i + i };

		solver_copy(t->s, n, (node_id){ ring.i + (i + 1) % LONG }, NO_MASK);
		if (i % 64 == 0)
			solver_copy(t->s, n, t->n[2 + i % 3], i % 128 ? NO_MASK : t->only_pair);
	}
	solver_copy(t->s, t->n[0], ring, NO_MASK);
	t->n[1] = (node_id){ ring.i + LONG / 2 };
}

/* So many new edges interrupt a sweep, and a path of that length must not need the C stack. */
static void test_long_ring(void **state)
{
	struct test *t = *state;

	t->react = call_ring;
	solver_watch(t->s, t->n[0], NO_MASK, 0);
	add_all(t, t->n[0]);
	run(t);
	assert_int_equal(size(t, t->n[1]), 4);
	assert_int_equal(size(t, t->n[2]), 4);
	assert_int_equal(solver_stats(t->s).joined, LONG - 1);
	assert_true(solver_stats(t->s).visits < 20);
}

static void test_watch_once(void **state)
{
	struct test *t = *state;

	solver_watch(t->s, t->n[1], (mask_id){ 0 }, 0);
	solver_copy(t->s, t->n[0], t->n[1], NO_MASK);
	solver_copy(t->s, t->n[2], t->n[1], NO_MASK);
	add_all(t, t->n[0]);
	add_all(t, t->n[2]);
	run(t);
	run(t);
	assert_int_equal(t->told, 4);
}

static void test_watch_guard(void **state)
{
	struct test *t = *state;

	solver_watch(t->s, t->n[0], t->only_pair, 0);
	solver_add(t->s, t->n[0], t->a);
	run(t);
	assert_int_equal(t->calls, 0);
	add_all(t, t->n[0]);
	run(t);
	assert_int_equal(t->told, 2);
}

static void test_copies(void **state)
{
	struct test *t = *state;
	size_t n;

	add_all(t, t->n[0]);
	solver_copy(t->s, t->n[3], t->n[3], NO_MASK);
	solver_load(t->s, t->n[0], t->only_pair, 1, t->n[2], t->only_pair);
	run(t);
	const struct solver_copy *c = solver_copies(t->s, &n);
	assert_int_equal(n, 3);
	assert_int_equal(c[0].from.i, t->n[3].i);
	assert_int_equal(c[1].from.i, solver_slot(t->s, t->q, 1).i);
	assert_int_equal(c[2].from.i, solver_slot(t->s, t->p, 1).i);
	assert_int_equal(c[2].to.i, t->n[2].i);
	assert_int_equal(c[2].mask.i, t->only_pair.i);
}

static void test_unify(void **state)
{
	struct test t;
	(void)state;

	for (uint32_t k = 1; k <= 3; k++) {
		open_test(&t, k);
		solver_copy(t.s, t.n[0], t.n[1], t.only_pair);
		solver_copy(t.s, t.n[1], t.n[2], NO_MASK);
		for (uint32_t i = 0; i < 3; i++) {
			solver_add(t.s, t.n[0], solver_object(t.s, t.pair));
			solver_add(t.s, t.n[0], solver_object(t.s, t.plain));
			run(&t);
			assert_int_equal(solver_find(t.s, t.n[0]).i == solver_find(t.s, t.n[2]).i, i + 1 >= k);
			assert_int_equal(size(&t, t.n[2]), i + 1 >= k ? 2 * (i + 1) : i + 1);
		}
		solver_free(t.s);
	}
}

static void test_join(void **state)
{
	struct test *t = *state;

	solver_add(t->s, t->n[0], t->a);
	solver_add(t->s, t->n[1], t->b);
	solver_copy(t->s, t->n[1], t->n[2], NO_MASK);
	solver_watch(t->s, t->n[1], NO_MASK, 7);
	run(t);
	assert_int_equal(t->told, 1);
	solver_join(t->s, t->n[0], t->n[1]);
	solver_join(t->s, t->n[1], t->n[0]);
	run(t);
	assert_int_equal(solver_find(t->s, t->n[0]).i, solver_find(t->s, t->n[1]).i);
	assert_int_equal(size(t, t->n[0]), 2);
	assert_int_equal(size(t, t->n[2]), 2);
	assert_true(t->told >= 2);
}

static void join_slots(struct test *t, uint32_t tag, struct set_view v)
{
	(void)v;
	if (tag == 1)
		solver_join(t->s, solver_slot(t->s, t->p, 0), solver_slot(t->s, t->q, 0));
}

/* Nodes may be joined by a watch: what is loaded afterwards is of both. */
static void test_join_in_watch(void **state)
{
	struct test *t = *state;

	t->react = join_slots;
	solver_add(t->s, t->n[0], t->p);
	solver_add(t->s, t->n[1], t->q);
	solver_add(t->s, t->n[2], t->p);
	solver_store(t->s, t->n[2], t->n[0], NO_MASK, 0);
	solver_load(t->s, t->n[1], NO_MASK, 0, t->n[3], NO_MASK);
	run(t);
	assert_int_equal(size(t, t->n[3]), 0);
	solver_watch(t->s, t->n[0], NO_MASK, 1);
	run(t);
	assert_true(solver_has(t->s, t->n[3], t->p));
}

/* A chain whose nodes are visited from its end on, so that every sweep brings one object to a large set: that is visited when all
 * have arrived. */
static void test_large_sets_come_last(void **state)
{
	enum { LENGTH = 20, MANY = 5000 };
	struct test *t = *state;
	node_id chain = solver_nodes(t->s, LENGTH), large = solver_nodes(t->s, 2), next = { large.i + 1 };

	solver_copy(t->s, large, next, NO_MASK);
	for (uint32_t i = 0; i < MANY; i++)
		solver_add(t->s, large, solver_object(t->s, t->plain));
	run(t);
	for (uint32_t i = 0; i < LENGTH; i++)
		solver_copy(t->s, (node_id){ chain.i + i }, i + 1 < LENGTH ? (node_id){ chain.i + i + 1 } : large, NO_MASK);
	for (uint32_t i = 0; i < LENGTH; i++)
		solver_add(t->s, (node_id){ chain.i + i }, solver_object(t->s, t->plain));
	uint64_t before = solver_stats(t->s).visits;
	run(t);
	assert_int_equal(size(t, next), MANY + LENGTH);
	assert_true(solver_stats(t->s).visits - before <= LENGTH * (LENGTH + 1) / 2 + 4);
}

/* A random system of pointers: nodes that are variables, objects of one slot; the same statements whatever the options. */
#define POINTER_NODES 24
#define POINTER_OBJECTS 12

static uint32_t category_of(void *ctx, object_id o)
{
	(void)ctx;
	return o.i % 3;
}

static void pointer_statements(struct solver *s, uint64_t seed, node_id first, const object_id *objects)
{
	uint64_t r = seed * 0x9e3779b97f4a7c15u;

	for (int i = 0; i < 40; i++) {
		r = r * 6364136223846793005u + 1442695040888963407u;
		node_id x = { first.i + (uint32_t)(r >> 33) % POINTER_NODES }, y = { first.i + (uint32_t)(r >> 40) % POINTER_NODES };

		switch ((r >> 50) % 5) {
		case 0: case 1: solver_add(s, x, objects[(r >> 56) % POINTER_OBJECTS]); break;
		case 2: solver_copy(s, x, y, NO_MASK); break;
		case 3: solver_load(s, x, NO_MASK, 0, y, NO_MASK); break;
		default: solver_store(s, x, y, NO_MASK, 0); break;
		}
	}
}

static struct solver *solve_pointers(uint64_t seed, uint32_t categories, uint32_t unify_after, node_id *first)
{
	struct solver_opt opt = { .categories = categories, .unify_after = unify_after,
				  .category = categories > 1 ? category_of : NULL };
	struct solver *s = solver_new(&opt);
	kind_id cell = solver_kind(s, 1, NO_MASK);
	object_id objects[POINTER_OBJECTS];
	const char *reason = "";

	*first = solver_nodes(s, POINTER_NODES);
	for (int i = 0; i < POINTER_OBJECTS; i++)
		objects[i] = solver_object(s, cell);
	pointer_statements(s, seed, *first, objects);
	assert_true(solver_run(s));
	if (!solve_check(s, &reason))
		fail_msg("seed %u, %u categories: %s", (unsigned)seed, (unsigned)categories, reason);
	return s;
}

/* Inclusion is within three categories, within one, within unification. */
static void test_categories(void **state)
{
	static const uint32_t options[4][2] = { { 0, 0 }, { 3, 0 }, { 1, 0 }, { 1, 1 } };
	bool differ[3] = { false };
	(void)state;

	for (uint64_t seed = 1; seed <= 3000; seed++) {
		struct solver *s[4];
		node_id first[4];

		for (int i = 0; i < 4; i++)
			s[i] = solve_pointers(seed, options[i][0], options[i][1], &first[i]);
		for (int i = 0; i < 3; i++)
			for (uint32_t n = 0; n < POINTER_NODES; n++) {
				struct set_view less = solver_set(s[i], (node_id){ first[i].i + n });
				struct set_view more = solver_set(s[i + 1], (node_id){ first[i + 1].i + n });

				if (!set_covers(more, less))
					fail_msg("seed %u: %d", (unsigned)seed, i);
				differ[i] |= !set_covers(less, more);
			}
		for (int i = 0; i < 4; i++)
			solver_free(s[i]);
	}
	assert_true(differ[0] && differ[1] && differ[2]);
}

static bool stop_at_once(void *ctx)
{
	(void)ctx;
	return false;
}

static void test_stop(void **state)
{
	struct solver *s = solver_new(&(struct solver_opt){ .go_on = stop_at_once });
	node_id n = solver_nodes(s, 1);
	(void)state;

	solver_add(s, n, solver_kind_object(s, solver_kind(s, 0, NO_MASK)));
	assert_false(solver_run(s));
	solver_free(s);
}

static void expect_refusal(struct test *t, const char *expected)
{
	const char *reason = NULL;

	assert_false(solve_check(t->s, &reason));
	assert_string_equal(reason, expected);
}

static void tamper(struct test *t, node_id n, struct set with, const char *expected)
{
	struct set *set = &t->s->nodes.data[find(t->s, n.i)].set, before = *set;

	*set = with;
	expect_refusal(t, expected);
	*set = before;
}

static void forget_copies(struct test *t)
{
	for (uint32_t i = 1; i < t->s->nodes.len; i++)
		t->s->nodes.data[i].edges.n = 0;
	t->s->copies.len = 0;
}

static void test_check_refuses(void **state)
{
	struct test *t = *state;

	add_all(t, t->n[0]);
	solver_copy(t->s, t->n[0], t->n[1], t->only_pair);
	solver_store(t->s, t->n[1], t->n[0], t->only_pair, 0);
	solver_load(t->s, t->n[0], t->only_pair, 0, t->n[2], NO_MASK);
	run(t);
	tamper(t, t->n[1], (struct set){ 0 }, "a copy does not hold");
	t->s->nodes.data[t->n[0].i].edges.n = 0;
	tamper(t, t->n[1], (struct set){ 0 }, "a stated copy does not hold");
	forget_copies(t);
	tamper(t, t->n[2], (struct set){ 0 }, "a load does not hold");
	tamper(t, solver_slot(t->s, t->p, 0), (struct set){ 0 }, "a store does not hold");
	run(t);
}

static void test_check_structure(void **state)
{
	struct test *t = *state;
	uint64_t words[3] = { 1, 2, 0 };
	struct set equal_blocks = { .words = words, .n = 2, .cap = 2 };

	run(t);
	tamper(t, t->n[5], equal_blocks, "a set is out of order");
	t->s->nodes.data[t->n[6].i].delta = (struct set){ .word = 1, .n = 1 };
	expect_refusal(t, "a node was not propagated");
	t->s->nodes.data[t->n[6].i].parent = t->n[7].i;
	expect_refusal(t, "a joined node owns something");
	t->s->nodes.data[t->n[7].i].parent = t->n[6].i;
	expect_refusal(t, "a node has none that stands for it");
}

static void compare(uint64_t seed, const struct sizes *sizes, uint32_t unify_after)
{
	struct choices c = { .random = seed };
	struct system *y = system_new(&c, sizes);
	const char *wrong = system_compare(y, 1 + (uint32_t)(seed % 3), seed % 2, unify_after);

	if (wrong)
		fail_msg("seed %u, unify after %u: %s", (unsigned)seed, (unsigned)unify_after, wrong);
	system_free(y);
}

static const struct sizes tiny = { 3, 4, 6, 16, 4 };
static const struct sizes small = { 8, 40, 30, 120, 20 };
static const struct sizes middle = { 190, 300, 300, 900, 200 };
static const struct sizes narrow = { 2, 300, 12, 400, 30 };      /* large sets at few nodes */

static void test_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 4000; seed++)
		compare(seed, &tiny, 0);
	for (uint64_t seed = 1; seed <= 2000; seed++)
		compare(seed, &small, 0);
	for (uint64_t seed = 1; seed <= 40; seed++)
		compare(seed, &middle, 0);
	for (uint64_t seed = 1; seed <= 100; seed++)
		compare(seed, &narrow, 0);
}

static void test_random_unify(void **state)
{
	(void)state;
	for (uint32_t k = 1; k <= 4; k++)
		for (uint64_t seed = 1; seed <= 500; seed++)
			compare(seed, seed % 2 ? &tiny : &small, k);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, start, stop)
	const struct CMUnitTest tests[] = {
		CASE(test_ids), CASE(test_same_kind), CASE(test_masks), CASE(test_mask_of_blocks),
		CASE(test_copy), CASE(test_empty_mask), CASE(test_load_store), CASE(test_late_rules),
		CASE(test_kind_word), CASE(test_cycle), CASE(test_watch_adds), CASE(test_long_ring), CASE(test_watch_once),
		CASE(test_watch_guard), CASE(test_copies), cmocka_unit_test(test_unify), CASE(test_join),
		CASE(test_join_in_watch), cmocka_unit_test(test_categories), CASE(test_large_sets_come_last),
		cmocka_unit_test(test_stop), CASE(test_check_refuses), CASE(test_check_structure),
		cmocka_unit_test(test_random), cmocka_unit_test(test_random_unify),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
