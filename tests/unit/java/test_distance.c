// SPDX-License-Identifier: Apache-2.0
// links: base algo ir analysis/hierarchy analysis/strings analysis/dynamic analysis/dynamic/text analysis/callgraph analysis/template
/* How far methods are from an entry, in a program that is made up; answers that are spoiled must not pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/template/distance.h"
#include "java_case.h"

/* Two ways to `far`, one of them longer; `loop` goes back; a Dog's and a Cat's name are called at one site. */
static const char bodies[] =
	"method a/Zoo.main:()V {\n"
	"  v1 = new a/Dog @1\n"
	"  v2 = new a/Cat @2\n"
	"  call.static a/Zoo.near:(La/Dog;)V (v1) @3\n"
	"  call.static a/Zoo.loop:()V @4\n"
	"  return @5\n"
	"}\n"
	"method a/Zoo.near:(La/Dog;)V {\n"
	"  v1 = param 0\n"
	"  call.virtual a/Dog.name:()V (v1) @1\n"
	"  return @2\n"
	"}\n"
	"method a/Dog.name:()V {\n"
	"  call.static a/Zoo.far:()V @1\n"
	"  return @2\n"
	"}\n"
	"method a/Cat.name:()V {\n"
	"  call.static a/Zoo.farther:()V @1\n"
	"  return @2\n"
	"}\n"
	"method a/Zoo.loop:()V {\n"
	"  call.static a/Zoo.far:()V @1\n"
	"  call.static a/Zoo.loop:()V @2\n"
	"  call.static a/Zoo.main:()V @3\n"
	"  return @4\n"
	"}\n";

struct fixture {
	struct diag diag;
	struct program p;
	struct java_case java;
	struct callgraph *g;
	struct distance *d;
	method_id main, near, loop, far, farther, never, dog, cat;
};

static void add_classes(struct fixture *f)
{
	class_id zoo = java_class(&f->java, "a/Zoo", "java/lang/Object");

	f->main = java_method(&f->java, zoo, "main", "()V", ACCESS_STATIC);
	f->near = java_method(&f->java, zoo, "near", "(La/Dog;)V", ACCESS_STATIC);
	f->loop = java_method(&f->java, zoo, "loop", "()V", ACCESS_STATIC);
	f->far = java_method(&f->java, zoo, "far", "()V", ACCESS_STATIC);
	f->farther = java_method(&f->java, zoo, "farther", "()V", ACCESS_STATIC);
	f->never = java_method(&f->java, zoo, "never", "()V", ACCESS_STATIC);
	f->dog = java_method(&f->java, java_class(&f->java, "a/Dog", "java/lang/Object"), "name", "()V", 0);
	f->cat = java_method(&f->java, java_class(&f->java, "a/Cat", "a/Dog"), "name", "()V", 0);
}

static int set_up(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));
	struct cg_opt opt = { .algorithm = CG_RTA };
	struct cg_entries entries = { 0 };

	program_init(&f->p, &f->diag);
	java_case_init(&f->java, &f->p);
	add_classes(f);
	assert_true(java_bodies(&f->java, bodies, &f->diag));
	vec_push(&entries.methods, f->main);
	f->g = callgraph_compute(&f->p, &entries, &opt);
	f->d = distance_compute(f->g);
	vec_release(&entries.methods);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	distance_free(f->d);
	callgraph_free(f->g);
	java_case_release(&f->java);
	program_release(&f->p);
	diag_release(&f->diag);
	free(f);
	return 0;
}

static void the_shortest_chain_counts(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(f->d->calls[f->main.i], 0);
	assert_int_equal(f->d->calls[f->near.i], 1);
	assert_int_equal(f->d->calls[f->loop.i], 1);
	assert_int_equal(f->d->calls[f->dog.i], 2);
	assert_int_equal(f->d->calls[f->cat.i], 2);
	assert_int_equal(f->d->calls[f->far.i], 2);
	assert_int_equal(f->d->calls[f->farther.i], 3);
	assert_int_equal(f->d->most, 3);
}

static void what_is_not_reachable_has_none(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(f->d->calls[f->never.i], DISTANCE_NONE);
}

static void the_answer_passes(void **state)
{
	struct fixture *f = *state;
	const char *reason = "";

	assert_true(distance_check(f->d, &reason));
	assert_null(reason);
}

static void expect_fault(struct fixture *f, method_id m, uint32_t calls, const char *wanted)
{
	size_t size = f->p.methods.len * sizeof(uint32_t);
	uint32_t *spoiled = memcpy(mem_alloc(size), f->d->calls, size);
	struct distance d = *f->d;
	const char *reason = "";

	spoiled[m.i] = calls;
	d.calls = spoiled;
	assert_false(distance_check(&d, &reason));
	assert_string_equal(reason, wanted);
	free(spoiled);
}

static void a_spoiled_answer_does_not_pass(void **state)
{
	struct fixture *f = *state;
	struct distance d = *f->d;
	const char *reason = "";

	expect_fault(f, f->far, 3, "there is a shorter chain");
	expect_fault(f, f->farther, DISTANCE_NONE, "there is a shorter chain");
	expect_fault(f, f->farther, 1, "no chain is that short");
	expect_fault(f, f->farther, 0, "entries, and only they, are no call away");
	d.most = 4;
	assert_false(distance_check(&d, &reason));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_shortest_chain_counts), CASE(what_is_not_reachable_has_none), CASE(the_answer_passes),
		CASE(a_spoiled_answer_does_not_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
