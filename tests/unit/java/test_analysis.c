// SPDX-License-Identifier: Apache-2.0
// links: base algo solve formats/archive formats/classfile ir load analysis report session formats/facts formats/properties
/* The rows of analyses.def about Java, asked for on a program that is made up: what an algorithm has no use for is not computed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "java_case.h"
#include "session/analysis.h"

static const char bodies[] =
	"method a/Zoo.main:()V {\n"
	"  v1 = new a/Dog @1\n"
	"  call.virtual a/Animal.name:()V (v1) @2\n"
	"  return @3\n"
	"}\n";

struct fixture {
	struct inquiry inquiry;
	struct session s;
	struct java_case java;
	struct cg_entries entries;
	struct analysis x;
	method_id dog, cat;
};

static void add_classes(struct fixture *f)
{
	class_id zoo = java_class(&f->java, "a/Zoo", "java/lang/Object");

	vec_push(&f->entries.methods, java_method(&f->java, zoo, "main", "()V", ACCESS_STATIC));
	java_method(&f->java, java_class(&f->java, "a/Animal", "java/lang/Object"), "name", "()V", 0);
	f->dog = java_method(&f->java, java_class(&f->java, "a/Dog", "a/Animal"), "name", "()V", 0);
	f->cat = java_method(&f->java, java_class(&f->java, "a/Cat", "a/Animal"), "name", "()V", 0);
}

static int set_up(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));

	inquiry_init(&f->inquiry, PHASES_JAVA);
	f->s.inquiry = &f->inquiry;
	program_init(&f->s.program, &f->inquiry.diag);
	java_case_init(&f->java, &f->s.program);
	add_classes(f);
	assert_true(java_bodies(&f->java, bodies, &f->inquiry.diag));
	f->x.heap = pta_default_heap;
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	analysis_forget(&f->x);
	vec_release(&f->entries.methods);
	java_case_release(&f->java);
	program_release(&f->s.program);
	inquiry_release(&f->inquiry);
	free(f);
	return 0;
}

static void start(struct fixture *f, const char *algorithm)
{
	assert_true(algorithm_find(algorithm, &f->x.algorithm));
	analysis_start(&f->x, &f->s, &f->entries);
}

static void cha_has_every_class(void **state)
{
	struct fixture *f = *state;

	start(f, "cha");
	assert_true(analysis_need(&f->x, JAVA_GRAPH));
	assert_int_equal(f->java.named_all, 1);
	assert_null(f->x.facts);
	assert_true(callgraph_reaches(f->x.graph, f->cat));
}

static void rta_has_neither_hierarchy_nor_facts(void **state)
{
	struct fixture *f = *state;

	start(f, "rta");
	assert_true(analysis_need(&f->x, JAVA_GRAPH));
	assert_int_equal(f->java.named_all, 0);
	assert_null(f->x.facts);
	assert_true(callgraph_reaches(f->x.graph, f->dog));
	assert_false(callgraph_reaches(f->x.graph, f->cat));
}

static void policies_have_facts(void **state)
{
	struct fixture *f = *state;

	start(f, "andersen");
	assert_true(analysis_need(&f->x, JAVA_POINTSTO));
	assert_non_null(f->x.facts);
	assert_null(f->x.graph);
	assert_true(analysis_need(&f->x, JAVA_WITNESS));
	assert_true(callgraph_reaches(f->x.graph, f->dog));
	assert_int_equal(f->java.named_all, 0);
}

static void what_is_there_stays(void **state)
{
	struct fixture *f = *state;

	start(f, "rta");
	assert_true(analysis_need(&f->x, JAVA_GRAPH));
	const struct callgraph *g = f->x.graph;
	assert_true(analysis_need(&f->x, JAVA_DISTANCE));
	assert_ptr_equal(f->x.graph, g);
	assert_ptr_equal(f->x.distance->graph, g);
	assert_int_equal(f->x.distance->calls[f->dog.i], 1);
	assert_int_equal(f->x.distance->calls[f->cat.i], DISTANCE_NONE);
}

static void another_start_begins_anew(void **state)
{
	struct fixture *f = *state;

	start(f, "rta");
	assert_true(analysis_need(&f->x, JAVA_DISTANCE));
	start(f, "cha");
	assert_null(f->x.graph);
	assert_null(f->x.distance);
	assert_true(analysis_need(&f->x, JAVA_DISTANCE));
	assert_int_equal(f->x.distance->calls[f->cat.i], 1);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(cha_has_every_class), CASE(rta_has_neither_hierarchy_nor_facts), CASE(policies_have_facts),
		CASE(what_is_there_stays), CASE(another_start_begins_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
