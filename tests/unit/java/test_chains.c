// SPDX-License-Identifier: Apache-2.0
// links: base base/text algo solve ir analysis/hierarchy analysis/strings analysis/dynamic analysis/dynamic/text analysis/callgraph analysis/pta analysis/pta/features analysis/pta/policies analysis/pta/ways analysis/conditions analysis/chains
/* Call chains in a program that is made up: the calls within a component, levels of entry, counts and enumeration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/chains/forest.h"
#include "java_case.h"

/* The component is package a. `top` calls a step of its own class, and itself; a Sub's step calls that of Base, and leaf; that
 * of Base leaves the component, which comes back to leaf. */
static const char bodies[] =
	"method b/Main.main:()V {\n"
	"  v1 = new a/Base @1\n"
	"  v2 = new a/Sub @2\n"
	"  call.virtual a/Base.top:()V (v1) @3\n"
	"  call.virtual a/Base.top:()V (v2) @4\n"
	"  return @5\n"
	"}\n"
	"method a/Base.top:()V {\n"
	"  v1 = param 0\n"
	"  call.virtual a/Base.step:()V (v1) @1\n"
	"  call.virtual a/Base.top:()V (v1) @2\n"
	"  return @3\n"
	"}\n"
	"method a/Base.step:()V {\n"
	"  v1 = param 0\n"
	"  call.static b/Main.back:(La/Base;)V (v1) @1\n"
	"  return @2\n"
	"}\n"
	"method a/Sub.step:()V {\n"
	"  v1 = param 0\n"
	"  call.special a/Base.step:()V (v1) @1\n"
	"  call.virtual a/Base.leaf:()V (v1) @2\n"
	"  return @3\n"
	"}\n"
	"method b/Main.back:(La/Base;)V {\n"
	"  v1 = param 0\n"
	"  call.virtual a/Base.leaf:()V (v1) @1\n"
	"  return @2\n"
	"}\n";

struct fixture {
	struct diag diag;
	struct program p;
	struct java_case java;
	struct hierarchy h;
	struct callgraph *g;
	struct map component;
	struct chain_graph *x;
	method_id main, top, leaf, step, sub_step;
};

static uint32_t no_line(void *ctx ATTR_UNUSED, struct program *p ATTR_UNUSED, method_id m ATTR_UNUSED, uint32_t pc ATTR_UNUSED)
{
	return 0;
}

static void add_classes(struct fixture *f)
{
	class_id main = java_class(&f->java, "b/Main", "java/lang/Object");
	f->main = java_method(&f->java, main, "main", "()V", ACCESS_STATIC);
	java_method(&f->java, main, "back", "(La/Base;)V", ACCESS_STATIC);
	class_id base = java_class(&f->java, "a/Base", "java/lang/Object");
	f->top = java_method(&f->java, base, "top", "()V", 0);
	f->step = java_method(&f->java, base, "step", "()V", 0);
	f->leaf = java_method(&f->java, base, "leaf", "()V", 0);
	class_id sub = java_class(&f->java, "a/Sub", "a/Base");
	f->sub_step = java_method(&f->java, sub, "step", "()V", 0);
	*map_at(&f->component, base.i) = 1;
	*map_at(&f->component, sub.i) = 1;
}

static int set_up(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));
	struct cg_opt opt = { .algorithm = CG_RTA };
	struct cg_entries entries = { 0 };

	program_init(&f->p, &f->diag);
	java_case_init(&f->java, &f->p);
	f->p.source.line = no_line;
	add_classes(f);
	assert_true(java_bodies(&f->java, bodies, &f->diag));
	vec_push(&entries.methods, f->main);
	f->g = callgraph_compute(&f->p, &entries, &opt);
	hierarchy_init(&f->h, &f->p);
	f->x = chain_graph_make(f->g, &f->h, &(struct chain_graph_opt){ .component = &f->component, .main = f->main });
	vec_release(&entries.methods);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	chain_graph_free(f->x);
	hierarchy_release(&f->h);
	callgraph_free(f->g);
	map_release(&f->component);
	java_case_release(&f->java);
	program_release(&f->p);
	diag_release(&f->diag);
	free(f);
	return 0;
}

static struct forest *make(const struct fixture *f, const struct chain_opt *opt, struct chain_level level)
{
	struct chain_levels levels;

	chain_levels_compute(f->x, level.level + 1, level.or_more, UINT32_MAX, &levels);
	struct forest *forest = forest_make(f->x, &levels, &level, 1, opt);
	chain_levels_release(&levels);
	return forest;
}

static const struct chain_level at_0 = { 0, false };

static void calls_within_the_component_are_edges(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(chain_nnodes(f->x), 4);
	assert_int_equal(f->x->edges.len, 7);
	assert_int_equal(chain_node(f->x, f->main), 0);
	for (uint32_t i = 0; i < f->x->edges.len; i++) {
		const struct chain_edge *e = &f->x->edges.data[i];
		assert_true(f->x->sites.data[e->site].by_this);
		assert_int_equal(e->keeps_self, e->to == chain_node(f->x, f->step) && e->from == chain_node(f->x, f->sub_step));
	}
}

static void levels_count_how_often_the_component_was_left(void **state)
{
	struct fixture *f = *state;
	struct chain_levels l;
	uint32_t top = chain_node(f->x, f->top), leaf = chain_node(f->x, f->leaf);

	chain_levels_compute(f->x, 2, false, UINT32_MAX, &l);
	assert_int_equal(chain_distance(&l, 0, top), 1);
	assert_int_equal(chain_distance(&l, 0, leaf), CHAIN_NEVER);
	assert_int_equal(chain_distance(&l, 1, leaf), 4);
	assert_int_equal(chain_distance(&l, 1, top), CHAIN_NEVER);
	chain_levels_release(&l);
	chain_levels_compute(f->x, 2, false, 3, &l);
	assert_int_equal(chain_distance(&l, 1, leaf), CHAIN_NEVER);
	chain_levels_release(&l);
}

static void expect_counts(const struct fixture *f, struct chain_opt opt, uint64_t one, uint64_t two)
{
	struct forest *forest = make(f, &opt, at_0);
	const char *reason = NULL;

	assert_int_equal(forest_count(forest, 1), one);
	assert_int_equal(forest_count(forest, 2), two);
	assert_true(forest_check(forest, 1000, &reason));
	forest_free(forest);
}

/* A Sub calls a Sub's step: `this` keeps its class. */
static void chains_are_counted(void **state)
{
	struct fixture *f = *state;

	expect_counts(f, (struct chain_opt){ .granularity = CHAIN_RECEIVER, .k = 2 }, 4, 6);
	expect_counts(f, (struct chain_opt){ .granularity = CHAIN_SITE, .k = 2 }, 3, 5);
	expect_counts(f, (struct chain_opt){ .granularity = CHAIN_METHOD, .k = 2 }, 3, 5);
	expect_counts(f, (struct chain_opt){ .granularity = CHAIN_RECEIVER, .k = CHAIN_UNBOUNDED, .backedges = true }, 2, 2);
}

static void many_are_counted_without_being_made(void **state)
{
	struct fixture *f = *state;
	struct chain_opt opt = { .granularity = CHAIN_RECEIVER, .k = 5000 };
	struct forest *forest = make(f, &opt, at_0);

	assert_int_equal(forest_count(forest, 4999), forest_count(forest, 5000));
	assert_true(forest->states.len < 20);
	assert_int_equal(forest_longest(forest), 5000);
	forest_free(forest);
}

static void a_chain_has_a_number(void **state)
{
	struct fixture *f = *state;
	struct chain_opt opt = { .granularity = CHAIN_RECEIVER, .k = 3, .from_main = true };
	struct forest *forest = make(f, &opt, (struct chain_level){ 0, true });
	struct chain_walk w = { .forest = forest }, one = { .forest = forest };
	uint64_t n = 0;

	while (chain_next(&w)) {
		assert_true(chain_at(&one, n++));
		assert_int_equal(one.tree, w.tree);
		assert_int_equal(one.edges.len, w.edges.len);
		for (uint32_t i = 0; i < w.edges.len; i++)
			assert_int_equal(one.edges.data[i], w.edges.data[i]);
	}
	assert_int_equal(n, forest_total(forest));
	assert_false(chain_at(&one, n));
	chain_walk_release(&w);
	chain_walk_release(&one);
	forest_free(forest);
}

static void filters_stop_and_select(void **state)
{
	struct fixture *f = *state;
	bool stops[8] = { 0 };
	uint16_t passes[8] = { 0 };
	struct chain_opt opt = { .granularity = CHAIN_METHOD, .k = 2 };

	stops[chain_node(f->x, f->top)] = true;
	opt.filter.stops_node = stops;
	expect_counts(f, opt, 0, 0);
	stops[chain_node(f->x, f->top)] = false;
	stops[chain_node(f->x, f->sub_step)] = true;
	expect_counts(f, opt, 2, 2);
	passes[chain_node(f->x, f->leaf)] = 1;
	opt.filter = (struct chain_filter){ .passes_node = passes, .all = 1 };
	expect_counts(f, opt, 0, 1);
}

static void the_busiest_method_is_named(void **state)
{
	struct fixture *f = *state;
	struct chain_opt opt = { .granularity = CHAIN_RECEIVER, .k = 6 };
	struct forest *forest = make(f, &opt, at_0);
	double share;

	assert_int_equal(forest_busiest(forest, &share), chain_node(f->x, f->top));
	assert_true(share > 0.5 && share <= 1);
	forest_free(forest);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(calls_within_the_component_are_edges), CASE(levels_count_how_often_the_component_was_left), CASE(chains_are_counted),
		CASE(many_are_counted_without_being_made), CASE(a_chain_has_a_number), CASE(filters_stop_and_select),
		CASE(the_busiest_method_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
