// SPDX-License-Identifier: Apache-2.0
// links: base base/text algo ir analysis/hierarchy analysis/strings analysis/dynamic analysis/dynamic/text analysis/callgraph
/* Classes that are initialised before a program starts, in libraries that are made up. A case is the bodies of some methods: of the
 * classes that they name, p/Yes1 to p/Yes3 must be initialised, and p/No1 to p/No3 must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/callgraph/booted.h"
#include "java_case.h"

struct fixture {
	struct diag diag;
	struct program p;
	struct java_case java;
	struct hierarchy h;
	struct linker l;
};

static const char *const expected[] = { "p/Yes1", "p/Yes2", "p/Yes3", "p/No1", "p/No2", "p/No3" };

static void add_code(struct java_case *j)
{
	class_id c = java_class(j, "sherd/JVM", "java/lang/Object");
	java_method(j, c, "startup", "()V", ACCESS_STATIC);
	c = java_class(j, "p/Code", "java/lang/Object");
	java_method(j, c, "a", "()V", ACCESS_STATIC);
	java_method(j, c, "b", "()V", ACCESS_STATIC);
	java_method(j, c, "c", "()V", ACCESS_STATIC);
	java_method(j, c, "status", "()I", ACCESS_STATIC);
	java_method(j, c, "take", "(Lp/Base;)V", ACCESS_STATIC);
	c = java_class(j, "p/Natives", "java/lang/Object");
	java_method(j, c, "modelled", "()V", ACCESS_STATIC | ACCESS_NATIVE);
}

static void add_objects(struct java_case *j)
{
	class_id c = java_class(j, "p/Base", "java/lang/Object");
	program_add_field(j->p, c, program_sel(j->p, STR("field"), STR("I")), ACCESS_PUBLIC);
	java_method(j, c, "<clinit>", "()V", ACCESS_STATIC);
	java_method(j, c, "<init>", "()V", 0);
	java_method(j, c, "step", "()V", 0);
	java_method(j, c, "last", "()V", ACCESS_FINAL);
	c = java_class(j, "p/Derived", "p/Base");
	java_method(j, c, "<init>", "()V", 0);
	java_method(j, c, "step", "()V", 0);
	c = java_class(j, "p/Final", "p/Base");
	class_row(j->p, c)->flags |= ACCESS_FINAL;
	java_method(j, c, "step", "()V", 0);
}

static class_id add_interface(struct java_case *j, const char *name, unsigned flags)
{
	class_id c = java_class(j, name, NULL);

	class_row(j->p, c)->flags |= ACCESS_INTERFACE | ACCESS_ABSTRACT;
	java_method(j, c, "<clinit>", "()V", ACCESS_STATIC);
	java_method(j, c, "m", "()V", flags);
	return c;
}

static void add_supertypes(struct java_case *j)
{
	class_id *both = arena_array(&j->p->mem, class_id, 2);

	both[0] = add_interface(j, "p/WithDefault", 0);
	both[1] = add_interface(j, "p/Without", ACCESS_ABSTRACT);
	class_id c = java_class(j, "p/Super", "java/lang/Object");
	java_method(j, c, "<clinit>", "()V", ACCESS_STATIC);
	c = java_class(j, "p/Sub", "p/Super");
	class_row(j->p, c)->interfaces = both;
	class_row(j->p, c)->ninterfaces = 2;
	for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
		c = java_class(j, expected[i], "java/lang/Object");
		program_add_field(j->p, c, program_sel(j->p, STR("f"), STR("I")), ACCESS_PUBLIC | ACCESS_STATIC);
	}
}

static void set_up(struct fixture *f, const char *bodies)
{
	*f = (struct fixture){ 0 };
	program_init(&f->p, &f->diag);
	java_case_init(&f->java, &f->p);
	add_code(&f->java);
	add_objects(&f->java);
	add_supertypes(&f->java);
	assert_true(java_bodies(&f->java, bodies, &f->diag));
	hierarchy_init(&f->h, &f->p);
	linker_init(&f->l, &f->h);
}

static void tear_down(struct fixture *f)
{
	linker_release(&f->l);
	hierarchy_release(&f->h);
	java_case_release(&f->java);
	program_release(&f->p);
	diag_release(&f->diag);
}

static bool is_booted(const struct fixture *f, const struct booted *b, const char *name)
{
	return booted_has(b, program_find_class(&f->p, str_of(name)));
}

static void check(const char *bodies)
{
	struct fixture f;

	set_up(&f, bodies);
	struct booted *b = booted_compute(&f.l);
	for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
		bool is_wanted = strncmp(expected[i], "p/Yes", 5) == 0;
		if (strstr(bodies, expected[i]) && is_booted(&f, b, expected[i]) != is_wanted)
			fail_msg("%s is%s initialised by\n%s", expected[i], is_wanted ? " not" : "", bodies);
	}
	booted_free(b);
	tear_down(&f);
}

#define STARTUP "method sherd/JVM.startup:()V {\n"
#define CALLS_A STARTUP "  call.static p/Code.a:()V\n  return\n}\n"
#define A "method p/Code.a:()V {\n"
#define B "method p/Code.b:()V {\n"
#define C "method p/Code.c:()V {\n"

static void statements_initialise(void **state ATTR_UNUSED)
{
	check(STARTUP "  v1 = new p/Yes1\n  v2 = getstatic p/Yes2.f:I\n  putstatic p/Yes3.f:I (v2)\n  return\n}\n");
	check(STARTUP "  v1 = const.class p/No1\n  v2 = const.int 0\n  v3 = newarray [Lp/No2; (v2)\n"
		      "  v4 = const.handle getStatic p/No3.f:I\n  return\n}\n");
}

static void initialisers_run(void **state ATTR_UNUSED)
{
	check(STARTUP "  v1 = new p/Sub\n  return\n}\n"
	      "method p/Super.<clinit>:()V {\n  v1 = new p/Yes1\n  return\n}\n"
	      "method p/WithDefault.<clinit>:()V {\n  v1 = new p/Yes2\n  return\n}\n"
	      "method p/Without.<clinit>:()V {\n  v1 = new p/No1\n  return\n}\n");
}

static void superclasses_count(void **state ATTR_UNUSED)
{
	struct fixture f;

	set_up(&f, STARTUP "  v1 = new p/Sub\n  v2 = new p/Missing\n  return\n}\n");
	struct booted *b = booted_compute(&f.l);
	assert_true(is_booted(&f, b, "p/Sub"));
	assert_true(is_booted(&f, b, "p/Super"));
	assert_true(is_booted(&f, b, "java/lang/Object"));
	assert_true(is_booted(&f, b, "p/WithDefault"));
	assert_false(is_booted(&f, b, "p/Without"));
	assert_false(is_booted(&f, b, "p/Missing"));
	assert_false(is_booted(&f, b, "p/Base"));
	booted_free(b);
	tear_down(&f);
}

static void calls_are_followed(void **state ATTR_UNUSED)
{
	check(CALLS_A
	      A "  call.static p/Code.b:()V\n  return\n}\n"
	      B "  v1 = new p/Yes1\n  call.static p/Code.a:()V\n  return\n}\n"        /* without end, but for us */
	      C "  v1 = new p/No1\n  return\n}\n");
}

static void what_one_branch_does_is_not_sure(void **state ATTR_UNUSED)
{
	check(CALLS_A
	      A "b0:\n  v1 = getstatic p/Yes1.f:I\n  if.ifeq (v1) b2, b1\n"
		"b1: preds b0\n  v2 = new p/No1\n  call.static p/Code.b:()V\n  goto b2\n"
		"b2: preds b0 b1\n  v3 = new p/Yes2\n  return\n}\n"
	      B "  v1 = new p/No2\n  return\n}\n");
}

#define TWO_WAYS(one, other) \
	"b0:\n  v1 = const.int 0\n  if.ifeq (v1) b2, b1\n" \
	"b1: preds b0\n" one "  goto b3\n" \
	"b2: preds b0\n" other "  goto b3\n" \
	"b3: preds b1 b2\n  return\n}\n"

static void what_both_branches_do_is_sure(void **state ATTR_UNUSED)
{
	check(CALLS_A A TWO_WAYS("  v2 = new p/Yes1\n  v3 = new p/No1\n", "  v4 = new p/No2\n  v5 = new p/Yes1\n"));
	check(CALLS_A A TWO_WAYS("  call.static p/Code.b:()V\n", "  call.static p/Code.c:()V\n")
	      B "  v1 = new p/Yes1\n  v2 = new p/No1\n  return\n}\n"
	      C "  v1 = new p/No2\n  call.static p/Code.take:(Lp/Base;)V (v1)\n  return\n}\n"
	      "method p/Code.take:(Lp/Base;)V {\n  v1 = param 0\n  v2 = new p/Yes1\n  return\n}\n");
	check(CALLS_A A TWO_WAYS("  v2 = new p/Sub\n", "  v3 = new p/Yes1\n  v4 = new p/No1\n")
	      "method p/Super.<clinit>:()V {\n  v1 = new p/Yes1\n  return\n}\n");
}

static void several_returns_are_several_ways(void **state ATTR_UNUSED)
{
	check(CALLS_A
	      A "b0:\n  v1 = new p/Yes1\n  v2 = const.int 0\n  if.ifeq (v2) b2, b1\n"
		"b1: preds b0\n  v3 = new p/No1\n  return\n"
		"b2: preds b0\n  v4 = new p/No2\n  return\n}\n");
}

/* The JVM would not have come up. */
static void ways_that_throw_do_not_count(void **state ATTR_UNUSED)
{
	check(CALLS_A
	      A "b0:\n  v1 = const.null\n  if.ifnull (v1) b2, b1\n"
		"b1: preds b0\n  v2 = new p/No1\n  throw (v2)\n"
		"b2: preds b0\n  v3 = new p/Yes1\n  return\n}\n");
	check(CALLS_A A "  v1 = new p/No1\n  throw (v1)\n}\n");
}

static void caught_exceptions_leave_a_block_anywhere(void **state ATTR_UNUSED)
{
	check(CALLS_A
	      A "b0:\n  v1 = new p/Yes1\n  goto b1\n"
		"b1: preds b0 handlers b2\n  v2 = new p/No1\n  call.static p/Code.b:()V\n  goto b3\n"
		"b2: preds b1\n  v3 = catch java/lang/Throwable\n  v4 = new p/No2\n  goto b3\n"
		"b3: preds b1 b2\n  v5 = new p/Yes2\n  return\n}\n"
	      B "  v1 = new p/No3\n  return\n}\n");
}

static void what_is_thrown_again_is_not_caught(void **state ATTR_UNUSED)
{
	check(CALLS_A
	      A "b0:\n  goto b1\n"
		"b1: preds b0 handlers b2\n  v1 = new p/Yes1\n  goto b3\n"
		"b2: preds b1\n  v2 = catch java/lang/Throwable\n  v3 = new p/No1\n  throw (v2)\n"
		"b3: preds b1\n  return\n}\n");
}

/* What is tried again may have failed the first time, and not the last time. */
static void handlers_may_come_back(void **state ATTR_UNUSED)
{
	check(CALLS_A
	      A "b0:\n  goto b1\n"
		"b1: preds b0 b2 handlers b2\n  v1 = new p/Yes1\n  goto b3\n"
		"b2: preds b1\n  v2 = catch java/lang/Throwable\n  v3 = new p/No1\n  goto b1\n"
		"b3: preds b1\n  return\n}\n");
}

static void loops_may_not_be_entered(void **state ATTR_UNUSED)
{
	check(CALLS_A
	      A "b0:\n  v1 = const.int 0\n  goto b1\n"
		"b1: preds b0 b2\n  v2 = new p/Yes1\n  if.ifeq (v1) b3, b2\n"
		"b2: preds b1\n  v3 = new p/No1\n  goto b1\n"
		"b3: preds b1\n  v4 = new p/Yes2\n  return\n}\n");
}

/* b2 and b3 are a loop that is entered at both: b3 may come before b2, past b1. */
static void loops_may_have_two_entries(void **state ATTR_UNUSED)
{
	check(CALLS_A
	      A "b0:\n  v1 = const.int 0\n  if.ifeq (v1) b3, b1\n"
		"b1: preds b0\n  v2 = new p/No1\n  goto b2\n"
		"b2: preds b1 b3\n  v3 = new p/Yes1\n  if.ifeq (v1) b4, b3\n"
		"b3: preds b0 b2\n  goto b2\n"
		"b4: preds b2\n  return\n}\n");
}

static void the_class_of_a_new_object_is_known(void **state ATTR_UNUSED)
{
	check(STARTUP "  v1 = new p/Derived\n  call.virtual p/Base.step:()V (v1)\n  return\n}\n"
	      "method p/Derived.step:()V {\n  v1 = param 0\n  v2 = new p/Yes1\n  return\n}\n"
	      "method p/Base.step:()V {\n  v1 = param 0\n  v2 = new p/No1\n  return\n}\n");
}

static void so_it_is_in_its_methods(void **state ATTR_UNUSED)
{
	check(STARTUP "  v1 = new p/Derived\n  call.special p/Derived.<init>:()V (v1)\n  return\n}\n"
	      "method p/Derived.<init>:()V {\n  v1 = param 0\n  call.special p/Base.<init>:()V (v1)\n  return\n}\n"
	      "method p/Base.<init>:()V {\n  v1 = param 0\n  call.virtual p/Base.step:()V (v1)\n  return\n}\n"
	      "method p/Derived.step:()V {\n  v1 = param 0\n  v2 = new p/Yes1\n  return\n}\n"
	      "method p/Base.step:()V {\n  v1 = param 0\n  v2 = new p/No1\n  return\n}\n");
}

#define CALLS_TAKE STARTUP "  v1 = new p/Derived\n  call.static p/Code.take:(Lp/Base;)V (v1)\n  return\n}\n"

static void other_receivers_are_not_known(void **state ATTR_UNUSED)
{
	check(CALLS_TAKE
	      "method p/Code.take:(Lp/Base;)V {\n  v1 = param 0\n  call.virtual p/Base.step:()V (v1)\n  return\n}\n"
	      "method p/Derived.step:()V {\n  v1 = param 0\n  v2 = new p/No1\n  return\n}\n"
	      "method p/Base.step:()V {\n  v1 = param 0\n  v2 = new p/No2\n  return\n}\n");
}

static void final_methods_and_classes_are(void **state ATTR_UNUSED)
{
	check(CALLS_TAKE
	      "method p/Code.take:(Lp/Base;)V {\n  v1 = param 0\n  call.virtual p/Base.last:()V (v1)\n  v2 = cast p/Final (v1)\n"
	      "  call.virtual p/Final.step:()V (v2)\n  return\n}\n"
	      "method p/Base.last:()V {\n  v1 = param 0\n  v2 = new p/Yes1\n  return\n}\n"
	      "method p/Final.step:()V {\n  v1 = param 0\n  v2 = new p/Yes2\n  return\n}\n"
	      "method p/Base.step:()V {\n  v1 = param 0\n  v2 = new p/No1\n  return\n}\n");
}

/* Somebody made the object, wherever it comes from. */
static void an_object_has_an_initialised_class(void **state ATTR_UNUSED)
{
	check(STARTUP "  v1 = const.null\n  v2 = getfield p/Base.field:I (v1)\n  return\n}\n"
	      "method p/Base.<clinit>:()V {\n  v1 = new p/Yes1\n  return\n}\n");
	check(STARTUP "  v1 = const.null\n  call.virtual p/Base.step:()V (v1)\n  return\n}\n"
	      "method p/Base.<clinit>:()V {\n  v1 = new p/Yes1\n  return\n}\n");
	check(STARTUP "  v1 = const.null\n  call.interface interface p/WithDefault.m:()V (v1)\n  return\n}\n"
	      "method p/WithDefault.<clinit>:()V {\n  v1 = new p/No1\n  return\n}\n");
}

static void models_say_what_may_happen(void **state ATTR_UNUSED)
{
	struct fixture f;

	check(STARTUP "  call.static p/Natives.modelled:()V\n  return\n}\n"
	      "method p/Natives.modelled:()V {\n  v1 = new p/No1\n  return\n}\n");
	set_up(&f, STARTUP "  call.static p/Natives.modelled:()V\n  return\n}\n");
	struct booted *b = booted_compute(&f.l);
	assert_true(is_booted(&f, b, "p/Natives"));
	booted_free(b);
	tear_down(&f);
}

static void linking_may_be_done_otherwise(void **state ATTR_UNUSED)
{
	check(STARTUP "  call.static link p/Code.a:()V\n  call.static lowered p/Code.b:()V\n  call.static p/Code.c:()V\n  return\n}\n"
	      A "  v1 = new p/No1\n  return\n}\n"
	      B "  v1 = new p/No2\n  return\n}\n"
	      C "  v1 = new p/Yes1\n  return\n}\n");
}

#define STATUS(sort) \
	"method p/Code.status:()I {\n" \
	"b0:\n  goto b1\n" \
	"b1: preds b0 handlers b2\n  v1 = new p/" sort "1\n  v2 = const.int 0\n  return (v2)\n" \
	"b2: preds b1\n  v3 = catch java/lang/Throwable\n  v4 = const.int -1\n  return (v4)\n}\n"

/* What it gives to others does not matter. */
static void the_jvm_gives_up_on_errors(void **state ATTR_UNUSED)
{
	check(STARTUP "  v1 = call.static p/Code.status:()I\n  return\n}\n" STATUS("Yes"));
	check(CALLS_A A "  v1 = call.static p/Code.status:()I\n  return\n}\n" STATUS("No"));
}

static void nothing_starts_by_itself(void **state ATTR_UNUSED)
{
	check(A "  v1 = new p/No1\n  return\n}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statements_initialise),
		cmocka_unit_test(initialisers_run),
		cmocka_unit_test(superclasses_count),
		cmocka_unit_test(calls_are_followed),
		cmocka_unit_test(what_one_branch_does_is_not_sure),
		cmocka_unit_test(what_both_branches_do_is_sure),
		cmocka_unit_test(several_returns_are_several_ways),
		cmocka_unit_test(ways_that_throw_do_not_count),
		cmocka_unit_test(caught_exceptions_leave_a_block_anywhere),
		cmocka_unit_test(what_is_thrown_again_is_not_caught),
		cmocka_unit_test(handlers_may_come_back),
		cmocka_unit_test(loops_may_not_be_entered),
		cmocka_unit_test(loops_may_have_two_entries),
		cmocka_unit_test(the_class_of_a_new_object_is_known),
		cmocka_unit_test(so_it_is_in_its_methods),
		cmocka_unit_test(other_receivers_are_not_known),
		cmocka_unit_test(final_methods_and_classes_are),
		cmocka_unit_test(an_object_has_an_initialised_class),
		cmocka_unit_test(models_say_what_may_happen),
		cmocka_unit_test(linking_may_be_done_otherwise),
		cmocka_unit_test(the_jvm_gives_up_on_errors),
		cmocka_unit_test(nothing_starts_by_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
