/* SPDX-License-Identifier: Apache-2.0 */
// links: base algo solve ir analysis/hierarchy analysis/strings analysis/dynamic analysis/dynamic/text analysis/callgraph analysis/pta analysis/pta/features analysis/pta/policies analysis/pta/ways
/* test_witness.c - how objects get to calls, in a program that is made up; witnesses that are spoiled must not pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "analysis/callgraph/path.h"
#include "analysis/pta/pta.h"
#include "java_case.h"

/* A dog goes through a box to its call, a cat through a static field, a fox through an array and a recursive method; an
 * Oops is thrown through two methods, one of which catches something else. A bear is made by an initialiser. */
static const char bodies[] =
	"method a/Zoo.main:()V {\n"
	"b0: handlers b1\n"
	"  v1 = new a/Box @1\n"
	"  v2 = new a/Dog @2\n"
	"  call.virtual a/Box.put:(La/Animal;)V (v1, v2) @3\n"
	"  v3 = call.virtual a/Box.take:()La/Animal; (v1) @4\n"
	"  call.static a/Zoo.call:(La/Animal;)V (v3) @5\n"
	"  v4 = new a/Cat @6\n"
	"  putstatic a/Zoo.star:La/Animal; (v4) @7\n"
	"  call.static a/Zoo.applaud:()V @8\n"
	"  call.static a/Zoo.row:()V @9\n"
	"  call.static a/Zoo.careless:()V @10\n"
	"  v5 = getstatic a/Den.bear:La/Animal; @11\n"
	"  call.virtual a/Animal.name:()V (v5) @12\n"
	"  return @13\n"
	"b1: preds b0\n"
	"  v6 = catch a/Oops @14\n"
	"  call.virtual a/Oops.why:()V (v6) @15\n"
	"  return @16\n"
	"}\n"
	"method a/Zoo.call:(La/Animal;)V {\n"
	"  v1 = param 0\n"
	"  call.virtual a/Animal.name:()V (v1) @1\n"
	"  return @2\n"
	"}\n"
	"method a/Zoo.applaud:()V {\n"
	"  v1 = getstatic a/Zoo.star:La/Animal; @0\n"
	"  call.virtual a/Animal.name:()V (v1) @1\n"
	"  return @2\n"
	"}\n"
	"method a/Zoo.row:()V {\n"
	"  v1 = const.int 1\n"
	"  v2 = newarray [La/Animal; (v1) @1\n"
	"  v3 = new a/Fox @2\n"
	"  astore.object (v2, v1, v3) @3\n"
	"  v4 = aload.object (v2, v1) @4\n"
	"  v5 = call.static a/Zoo.again:(La/Animal;I)La/Animal; (v4, v1) @5\n"
	"  call.virtual a/Animal.name:()V (v5) @6\n"
	"  return @7\n"
	"}\n"
	"method a/Zoo.again:(La/Animal;I)La/Animal; {\n"
	"b0:\n"
	"  v1 = param 0\n"
	"  int v2 = param 1\n"
	"  if.ifeq (v2) b2, b1 @1\n"
	"b1: preds b0\n"
	"  v3 = call.static a/Zoo.again:(La/Animal;I)La/Animal; (v1, v2) @2\n"
	"  return (v3) @3\n"
	"b2: preds b0\n"
	"  return (v1) @4\n"
	"}\n"
	"method a/Zoo.careless:()V {\n"
	"b0: handlers b1\n"
	"  call.static a/Zoo.fail:()V @1\n"
	"  return @2\n"
	"b1: preds b0\n"
	"  v1 = catch a/Other @3\n"
	"  return @4\n"
	"}\n"
	"method a/Zoo.fail:()V {\n"
	"  v1 = new a/Oops @1\n"
	"  throw (v1) @2\n"
	"}\n"
	"method a/Box.put:(La/Animal;)V {\n"
	"  v1 = param 0\n"
	"  v2 = param 1\n"
	"  putfield a/Box.kept:La/Animal; (v1, v2) @1\n"
	"  return @2\n"
	"}\n"
	"method a/Box.take:()La/Animal; {\n"
	"  v1 = param 0\n"
	"  v2 = getfield a/Box.kept:La/Animal; (v1) @1\n"
	"  return (v2) @2\n"
	"}\n"
	"method a/Den.<clinit>:()V {\n"
	"  v1 = new a/Bear @1\n"
	"  putstatic a/Den.bear:La/Animal; (v1) @2\n"
	"  call.static a/Den.sleep:()V @3\n"
	"  return @4\n"
	"}\n";

struct fixture {
	struct diag diag;
	struct program p;
	struct java_case java;
	struct pta *facts;
	struct callgraph *g;
	class_id animal, dog, cat, fox, bear, oops, zoo;
	method_id main, call, applaud, row, clinit, sleep, never;
	VEC(struct pta_step) steps;          /* of a witness that is to be spoiled */
};

static void field(struct fixture *f, class_id c, const char *name, unsigned flags)
{
	program_add_field(&f->p, c, program_sel(&f->p, str_of(name), STR("La/Animal;")), (uint16_t)(ACCESS_PUBLIC | flags));
}

static void add_animals(struct fixture *f)
{
	f->animal = java_class(&f->java, "a/Animal", "java/lang/Object");
	field(f, f->animal, "friend", 0);      /* objects without any are not told apart */
	java_method(&f->java, f->animal, "name", "()V", 0);
	f->dog = java_class(&f->java, "a/Dog", "a/Animal");
	java_method(&f->java, f->dog, "name", "()V", 0);
	f->cat = java_class(&f->java, "a/Cat", "a/Animal");
	java_method(&f->java, f->cat, "name", "()V", 0);
	f->fox = java_class(&f->java, "a/Fox", "a/Animal");
	f->bear = java_class(&f->java, "a/Bear", "a/Animal");
	f->oops = java_class(&f->java, "a/Oops", "java/lang/Throwable");
	java_method(&f->java, f->oops, "why", "()V", 0);
	java_class(&f->java, "a/Other", "java/lang/Throwable");
}

static void add_code(struct fixture *f)
{
	class_id box = java_class(&f->java, "a/Box", "java/lang/Object"), den = java_class(&f->java, "a/Den", "java/lang/Object");

	field(f, box, "kept", 0);
	java_method(&f->java, box, "put", "(La/Animal;)V", 0);
	java_method(&f->java, box, "take", "()La/Animal;", 0);
	field(f, den, "bear", ACCESS_STATIC);
	f->clinit = java_method(&f->java, den, "<clinit>", "()V", ACCESS_STATIC);
	f->sleep = java_method(&f->java, den, "sleep", "()V", ACCESS_STATIC);
	f->zoo = java_class(&f->java, "a/Zoo", "java/lang/Object");
	field(f, f->zoo, "star", ACCESS_STATIC);
	f->main = java_method(&f->java, f->zoo, "main", "()V", ACCESS_STATIC);
	f->call = java_method(&f->java, f->zoo, "call", "(La/Animal;)V", ACCESS_STATIC);
	f->applaud = java_method(&f->java, f->zoo, "applaud", "()V", ACCESS_STATIC);
	f->row = java_method(&f->java, f->zoo, "row", "()V", ACCESS_STATIC);
	java_method(&f->java, f->zoo, "again", "(La/Animal;I)La/Animal;", ACCESS_STATIC);
	java_method(&f->java, f->zoo, "careless", "()V", ACCESS_STATIC);
	java_method(&f->java, f->zoo, "fail", "()V", ACCESS_STATIC);
	f->never = java_method(&f->java, f->zoo, "never", "()V", ACCESS_STATIC);
}

static void analyse(struct fixture *f, const char *policy)
{
	struct pta_opt opt = { .policy = pta_find_policy(policy), .heap = pta_default_heap, .explains = true };
	struct cg_entries entries = { 0 };

	callgraph_free(f->g);
	pta_free(f->facts);
	vec_push(&entries.methods, f->main);
	f->facts = pta_compute(&f->p, &entries, &opt);
	f->g = pta_callgraph(f->facts);
	vec_release(&entries.methods);
}

static int set_up(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));

	program_init(&f->p, &f->diag);
	java_case_init(&f->java, &f->p);
	add_animals(f);
	add_code(f);
	assert_true(java_bodies(&f->java, bodies, &f->diag));
	analyse(f, "andersen");
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	callgraph_free(f->g);
	pta_free(f->facts);
	java_case_release(&f->java);
	vec_release(&f->steps);
	program_release(&f->p);
	diag_release(&f->diag);
	free(f);
	return 0;
}

static void must_pass(struct fixture *f, const struct pta_witness *w)
{
	const char *reason = NULL;

	assert_true(w->found && w->has_receiver && w->nsteps > 1);
	if (!pta_check_witness(f->facts, f->g, w, &reason))
		fail_msg("%s", reason);
	assert_true(pta_check_witness(f->facts, NULL, w, &reason));
}

static void must_fail(struct fixture *f, const struct pta_witness *w)
{
	const char *reason = NULL;

	assert_false(pta_check_witness(f->facts, f->g, w, &reason));
	assert_non_null(reason);
}

struct expected { enum step_sort sort; uint32_t pc; };

static void must_be(const struct pta_witness *w, const struct expected *e, uint32_t n)
{
	assert_int_equal(w->nsteps, n);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(w->steps[i].sort, e[i].sort);
		if (w->steps[i].by_pc != e[i].pc)
			fail_msg("step %u is at %u, not %u", (unsigned)i, (unsigned)w->steps[i].by_pc, (unsigned)e[i].pc);
	}
}

/* Witnesses */

static void a_field_is_on_the_way(void **state)
{
	static const struct expected way[] = { { STEP_NEW, 2 }, { STEP_ARGUMENT, 3 }, { STEP_FIELD, 1 }, { STEP_ASSIGN, 1 },
					       { STEP_RESULT, 4 }, { STEP_ARGUMENT, 5 }, { STEP_CALL, 1 } };
	struct fixture *f = *state;
	struct pta_witness w = pta_explain_receiver(f->facts, f->call, 1, f->dog);

	must_pass(f, &w);
	must_be(&w, way, ARRAY_LEN(way));
	assert_int_equal(w.receiver.i, f->dog.i);
	assert_int_equal(w.caller.i, f->call.i);
	assert_int_equal(w.steps[0].by.i, f->main.i);
	assert_int_equal(w.steps[5].by.i, f->main.i);
	assert_int_equal(w.steps[5].method.i, f->call.i);
	assert_int_equal(pta_place(f->facts, w.place).pc, 2);
}

static void a_static_field_is_on_the_way(void **state)
{
	static const struct expected way[] = { { STEP_NEW, 6 }, { STEP_STATIC, 7 }, { STEP_ASSIGN, 0 }, { STEP_CALL, 1 } };
	struct fixture *f = *state;
	struct pta_witness w = pta_explain_receiver(f->facts, f->applaud, 1, f->cat);

	must_pass(f, &w);
	must_be(&w, way, ARRAY_LEN(way));
}

/* Recursion does not make the way longer. */
static void an_array_is_on_the_way(void **state)
{
	struct fixture *f = *state;
	struct pta_witness w = pta_explain_receiver(f->facts, f->row, 6, f->fox);

	must_pass(f, &w);
	assert_int_equal(w.steps[1].sort, STEP_ELEMENT);
	assert_int_equal(w.steps[1].by_pc, 3);
	assert_int_equal(w.steps[2].by_pc, 4);
	assert_int_equal(w.steps[3].sort, STEP_ARGUMENT);
	assert_int_equal(w.steps[3].by.i, f->row.i);
	assert_int_equal(w.steps[w.nsteps - 2].sort, STEP_RESULT);
	assert_int_equal(w.steps[w.nsteps - 2].by_pc, 5);
}

static void exceptions_are_on_the_way(void **state)
{
	static const struct expected way[] = { { STEP_NEW, 1 }, { STEP_THROWN, 2 }, { STEP_THROWN, 1 }, { STEP_ASSIGN, 14 },
					       { STEP_CALL, 15 } };
	struct fixture *f = *state;
	struct pta_witness w = pta_explain_receiver(f->facts, f->main, 15, f->oops);

	must_pass(f, &w);
	must_be(&w, way, ARRAY_LEN(way));
}

static void others_do_not_get_there(void **state)
{
	struct fixture *f = *state;

	assert_false(pta_explain_receiver(f->facts, f->call, 1, f->cat).found);
	assert_false(pta_explain_receiver(f->facts, f->call, 1, f->animal).found);
	assert_false(pta_explain_receiver(f->facts, f->call, 2, f->dog).found);
	assert_false(pta_explain_receiver(f->facts, f->call, 1, (class_id){ 0 }).found);
	assert_false(pta_explain_receiver(f->facts, (method_id){ 0 }, 1, f->dog).found);
	assert_false(pta_explain_receiver(f->facts, (method_id){ 1u << 30 }, 1, f->dog).found);
}

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

/* Many at once are what one by one is, in the order of what is asked; without time there is none. */
static void many_are_found_at_once(void **state)
{
	struct fixture *f = *state;
	const struct pta_target t[] = { { f->row, 6, f->fox }, { f->call, 1, f->dog }, { f->call, 1, f->cat }, { f->applaud, 1, f->cat } };
	struct pta_ways ways = { 0 }, none = { 0 };

	pta_ways_find(f->facts, t, ARRAY_LEN(t), NULL, NULL, &ways);
	pta_ways_find(f->facts, t, ARRAY_LEN(t), never, NULL, &none);
	assert_int_equal(ways.rows.len, ARRAY_LEN(t));
	for (uint32_t i = 0; i < ARRAY_LEN(t); i++) {
		struct pta_witness w = pta_way_witness(f->facts, &ways, i);
		assert_int_equal(w.found, i != 2);
		if (w.found)
			must_pass(f, &w);
		uint32_t nsteps = w.nsteps;
		assert_int_equal(nsteps, pta_explain_receiver(f->facts, t[i].method, t[i].pc, t[i].receiver).nsteps);
		assert_false(pta_way_witness(f->facts, &none, i).found);
	}
	pta_ways_release(&ways);
	pta_ways_release(&none);
}

/* The same calls, whatever the policy. */
static void every_policy_explains(void **state)
{
	static const char *const names[] = { "vta", "steens", "p-bounded", "0cfa", "1cfa", "2cfa", "1type", "1obj", "2obj" };
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		analyse(f, names[i]);
		struct pta_witness w = pta_explain_receiver(f->facts, f->call, 1, f->dog);
		must_pass(f, &w);
		w = pta_explain_receiver(f->facts, f->main, 15, f->oops);
		must_pass(f, &w);
		w = pta_explain_receiver(f->facts, f->row, 6, f->fox);
		must_pass(f, &w);
	}
}

/* Spoiling */

static struct pta_witness copy(struct fixture *f, const struct pta_witness *w)
{
	struct pta_witness c = *w;

	vec_clear(&f->steps);
	for (uint32_t i = 0; i < w->nsteps; i++)
		vec_push(&f->steps, w->steps[i]);
	c.steps = f->steps.data;
	return c;
}

static void dropped_steps_are_missed(void **state)
{
	struct fixture *f = *state;
	struct pta_witness w = pta_explain_receiver(f->facts, f->call, 1, f->dog);

	for (uint32_t i = 0; i < w.nsteps; i++) {
		struct pta_witness c = copy(f, &w);
		for (uint32_t k = i; k + 1 < w.nsteps; k++)
			f->steps.data[k] = w.steps[k + 1];
		c.nsteps--;
		must_fail(f, &c);
	}
}

static void swapped_steps_are_noticed(void **state)
{
	struct fixture *f = *state;
	struct pta_witness w = pta_explain_receiver(f->facts, f->call, 1, f->dog);

	for (uint32_t i = 0; i < w.nsteps; i++)
		for (uint32_t k = i + 1; k < w.nsteps; k++) {
			struct pta_witness c = copy(f, &w);
			f->steps.data[i] = w.steps[k];
			f->steps.data[k] = w.steps[i];
			must_fail(f, &c);
		}
}

static void repeated_steps_are_noticed(void **state)
{
	struct fixture *f = *state;
	struct pta_witness w = pta_explain_receiver(f->facts, f->call, 1, f->dog);

	for (uint32_t i = 0; i < w.nsteps; i++) {
		struct pta_witness c = copy(f, &w);
		vec_push(&f->steps, w.steps[w.nsteps - 1]);
		for (uint32_t k = w.nsteps; k > i; k--)
			f->steps.data[k] = w.steps[k - 1];
		c.steps = f->steps.data;
		c.nsteps++;
		must_fail(f, &c);
	}
}

static void other_claims_are_wrong(void **state)
{
	struct fixture *f = *state;
	struct pta_witness cat = pta_explain_receiver(f->facts, f->applaud, 1, f->cat), c = copy(f, &cat);
	uint32_t cat_place = cat.place;
	object_id cat_object = cat.object;

	c.receiver = f->dog;
	must_fail(f, &c);
	c = cat;
	c.receiver = f->animal;
	must_fail(f, &c);
	c = cat;
	c.caller = f->call;
	must_fail(f, &c);
	c = cat;
	c.site.pc = 2;
	must_fail(f, &c);
	c = cat;
	c.place = 0;
	must_fail(f, &c);
	c = cat;
	c.found = false;
	must_fail(f, &c);
	c = pta_explain_receiver(f->facts, f->call, 1, f->dog);      /* the way of a dog is not that of a cat */
	c.receiver = f->cat;
	c.place = cat_place;
	c.object = cat_object;
	must_fail(f, &c);
}

/* Whatever numbers there are in a witness, the checker says no and nothing else happens. */
static void numbers_out_of_range_are_noticed(void **state)
{
	static const uint32_t odd[] = { 0, 1, 77, 1000000, KINDS_MAX - 1, KINDS_MAX + 5000, 0x80000001u, UINT32_MAX };
	struct fixture *f = *state;
	struct pta_witness w = pta_explain_receiver(f->facts, f->call, 1, f->dog);

	for (uint32_t i = 0; i + 1 < w.nsteps; i++)
		for (size_t k = 0; k < ARRAY_LEN(odd); k++) {
			struct pta_witness c = copy(f, &w);
			const char *reason;
			f->steps.data[i].of = odd[k];
			if (odd[k] != w.steps[i].of)
				must_fail(f, &c);
			c = copy(f, &w);
			f->steps.data[i].index = odd[k];
			if (odd[k] != w.steps[i].index)
				must_fail(f, &c);
			c = copy(f, &w);
			f->steps.data[i].method.i = odd[k];
			pta_check_witness(f->facts, f->g, &c, &reason);
			c = copy(f, &w);
			f->steps.data[i].by.i = odd[k];
			if (odd[k] != w.steps[i].by.i)
				must_fail(f, &c);
			c = w;
			c.object.i = odd[k];
			must_fail(f, &c);
		}
}

static void steps_are_where_they_are_written(void **state)
{
	struct fixture *f = *state;
	struct pta_witness w = pta_explain_receiver(f->facts, f->call, 1, f->dog);

	for (uint32_t i = 0; i < w.nsteps; i++) {
		struct pta_witness c = copy(f, &w);
		f->steps.data[i].by_pc += 40;
		must_fail(f, &c);
	}
}

/* Paths */

static void paths_are_shortest(void **state)
{
	struct fixture *f = *state;
	struct call_path c = { 0 };
	const char *reason;

	assert_true(call_path_find(f->g, f->main, f->call, &c));
	assert_int_equal(c.calls.len, 1);
	assert_int_equal(c.calls.data[0].pc, 5);
	assert_true(call_path_check(f->g, f->main, f->call, &c, &reason));
	assert_false(call_path_check(f->g, f->main, f->row, &c, &reason));
	assert_non_null(reason);
	c.calls.data[0].pc = 6;
	assert_false(call_path_check(f->g, f->main, f->call, &c, &reason));
	c.calls.data[0].pc = 5;
	c.calls.data[0].callee = f->row;
	assert_false(call_path_check(f->g, f->main, f->row, &c, &reason));
	c.start = f->row;
	assert_false(call_path_check(f->g, f->main, f->call, &c, &reason));
	call_path_release(&c);
}

static void initialisers_start_paths(void **state)
{
	struct fixture *f = *state;
	struct call_path c = { 0 };
	const char *reason;

	assert_true(call_path_find(f->g, f->main, f->sleep, &c));
	assert_int_equal(c.start.i, f->clinit.i);
	assert_int_equal(c.calls.len, 1);
	assert_true(call_path_check(f->g, f->main, f->sleep, &c, &reason));
	call_path_release(&c);
	assert_true(call_path_find(f->g, f->main, f->clinit, &c));
	assert_int_equal(c.calls.len, 0);
	call_path_release(&c);
}

static void unreachable_methods_have_no_path(void **state)
{
	struct fixture *f = *state;
	struct call_path c = { 0 };

	assert_false(call_path_find(f->g, f->main, f->never, &c));
	assert_false(call_path_find(f->g, f->main, (method_id){ 0 }, &c));
	call_path_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
		TEST(a_field_is_on_the_way),
		TEST(a_static_field_is_on_the_way),
		TEST(an_array_is_on_the_way),
		TEST(exceptions_are_on_the_way),
		TEST(others_do_not_get_there),
		TEST(many_are_found_at_once),
		TEST(every_policy_explains),
		TEST(dropped_steps_are_missed),
		TEST(swapped_steps_are_noticed),
		TEST(repeated_steps_are_noticed),
		TEST(other_claims_are_wrong),
		TEST(numbers_out_of_range_are_noticed),
		TEST(steps_are_where_they_are_written),
		TEST(paths_are_shortest),
		TEST(initialisers_start_paths),
		TEST(unreachable_methods_have_no_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
