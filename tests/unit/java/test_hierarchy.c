/* SPDX-License-Identifier: Apache-2.0 */
// links: base ir algo analysis/hierarchy
/* Hierarchy questions that tests/oracle/resolution.sh cannot ask a JVM: arrays, missing classes, hostile shapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "analysis/hierarchy/hierarchy.h"
#include "ir/access.h"

/* What the test has described is there; anything else is missing. */
static void load(void *ctx, struct program *p, class_id c)
{
	(void)ctx;
	if (!class_row(p, c)->flags)
		program_make_phantom(p, c);
}

struct fixture {
	struct diag diag;
	struct program p;
	struct hierarchy h;
};

static class_id add(struct fixture *f, const char *name, const char *super, unsigned flags)
{
	class_id c = program_class(&f->p, str_of(name)), s = { 0 };

	if (super)
		s = program_class(&f->p, str_of(super));
	class_row(&f->p, c)->super = s;
	class_row(&f->p, c)->flags = (uint16_t)flags;
	return c;
}

static void implement(struct fixture *f, class_id c, class_id a, class_id b)
{
	class_id *both = arena_array(&f->p.mem, class_id, 2);

	both[0] = a;
	both[1] = b;
	class_row(&f->p, c)->interfaces = both;
	class_row(&f->p, c)->ninterfaces = 2;
}

static int start(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));

	diag_init(&f->diag);
	program_init(&f->p, &f->diag);
	f->p.source.load = load;
	add(f, "java/lang/Object", NULL, ACCESS_PUBLIC);
	add(f, "java/lang/Cloneable", "java/lang/Object", ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT);
	add(f, "java/io/Serializable", "java/lang/Object", ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT);
	hierarchy_init(&f->h, &f->p);
	*state = f;
	return 0;
}

static int finish(void **state)
{
	struct fixture *f = *state;

	hierarchy_release(&f->h);
	program_release(&f->p);
	diag_release(&f->diag);
	free(f);
	return 0;
}

static bool subtype(struct fixture *f, const char *sub, const char *super)
{
	class_id a = program_class_of_desc(&f->p, str_of(sub)), b = program_class_of_desc(&f->p, str_of(super));

	return hierarchy_is_subtype(&f->h, a, b);
}

static void test_arrays(void **state)
{
	struct fixture *f = *state;

	add(f, "p/A", "java/lang/Object", ACCESS_PUBLIC);
	add(f, "p/B", "p/A", ACCESS_PUBLIC);
	assert_true(subtype(f, "[Lp/B;", "[Lp/A;"));
	assert_false(subtype(f, "[Lp/A;", "[Lp/B;"));
	assert_true(subtype(f, "[[Lp/B;", "[Ljava/lang/Object;"));
	assert_true(subtype(f, "[[Lp/B;", "[Ljava/lang/Cloneable;"));
	assert_false(subtype(f, "[Lp/B;", "[[Lp/B;"));
	assert_true(subtype(f, "[I", "Ljava/lang/Object;"));
	assert_true(subtype(f, "[I", "Ljava/io/Serializable;"));
	assert_true(subtype(f, "[[I", "[Ljava/lang/Object;"));
	assert_false(subtype(f, "[I", "[J"));
	assert_false(subtype(f, "[I", "[Ljava/lang/Object;"));
	assert_false(subtype(f, "I", "Ljava/lang/Object;"));
	assert_true(subtype(f, "I", "I"));
}

static void test_missing(void **state)
{
	struct fixture *f = *state;
	class_id c = add(f, "p/C", "p/Gone", ACCESS_PUBLIC), d = add(f, "p/D", "java/lang/Object", ACCESS_PUBLIC);
	class_id gone = program_class(&f->p, STR("p/Gone"));
	sel_id sel = program_sel(&f->p, STR("m"), STR("()V"));

	assert_int_equal(resolve_method(&f->h, program_mref(&f->p, gone, sel, false)), RESOLVE_NO_CLASS);
	assert_int_equal(resolve_method(&f->h, program_mref(&f->p, c, sel, false)), RESOLVE_INCOMPLETE);
	assert_int_equal(resolve_method(&f->h, program_mref(&f->p, d, sel, false)), RESOLVE_NO_MEMBER);
	assert_int_equal(resolve_method(&f->h, program_mref(&f->p, d, sel, true)), RESOLVE_WRONG_KIND);
	assert_int_equal(resolve_field(&f->h, program_fref(&f->p, c, sel)), RESOLVE_INCOMPLETE);
	assert_int_equal(f->p.phantoms.len, 1);
}

static void test_polymorphic(void **state)
{
	struct fixture *f = *state;
	class_id c = add(f, "java/lang/invoke/MethodHandle", "java/lang/Object", ACCESS_PUBLIC | ACCESS_ABSTRACT);
	sel_id declared = program_sel(&f->p, STR("invoke"), STR("([Ljava/lang/Object;)Ljava/lang/Object;"));
	sel_id used = program_sel(&f->p, STR("invoke"), STR("(I)V"));

	program_add_method(&f->p, c, declared, ACCESS_PUBLIC | ACCESS_NATIVE | ACCESS_VARARGS, 0);
	mref_id m = program_mref(&f->p, c, used, false);
	assert_int_equal(resolve_method(&f->h, m), RESOLVE_POLYMORPHIC);
	assert_int_equal(mref_row(&f->p, m)->target.i, program_declared(&f->p, c, declared).i);
}

/* Diamonds upon diamonds: 2^n ways lead from the bottom to the top. */
static void test_diamonds(void **state)
{
	struct fixture *f = *state;
	unsigned flags = ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT;
	class_id left = add(f, "i/L", "java/lang/Object", flags), right = add(f, "i/R", "java/lang/Object", flags);
	sel_id sel = program_sel(&f->p, STR("m"), STR("()V")), field = program_sel(&f->p, STR("f"), STR("I"));
	class_id top = right;
	char name[32];

	program_add_method(&f->p, top, sel, ACCESS_PUBLIC, 0);
	program_add_field(&f->p, top, field, ACCESS_PUBLIC | ACCESS_STATIC);
	for (unsigned i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "i/L%u", i);
		class_id l = add(f, name, "java/lang/Object", flags);
		snprintf(name, sizeof(name), "i/R%u", i);
		class_id r = add(f, name, "java/lang/Object", flags);
		implement(f, l, left, right);
		implement(f, r, left, right);
		left = l;
		right = r;
	}
	class_id c = add(f, "i/C", "java/lang/Object", ACCESS_PUBLIC);
	implement(f, c, left, right);
	fref_id ref = program_fref(&f->p, c, field);
	assert_int_equal(resolve_field(&f->h, ref), RESOLVE_OK);
	assert_int_equal(field_row(&f->p, fref_row(&f->p, ref)->target)->owner.i, top.i);
	assert_int_equal(default_method(&f->h, c, sel).i, program_declared(&f->p, top, sel).i);
	assert_int_equal(hierarchy_supertypes(&f->h, c).n, 404);
	assert_true(hierarchy_is_subtype(&f->h, c, top));
	assert_false(hierarchy_is_subclass(&f->h, c, top));
}

static class_id add_interface(struct fixture *f, const char *prefix, unsigned number)
{
	char name[32];

	snprintf(name, sizeof(name), "%s%u", prefix, number);
	return add(f, name, "java/lang/Object", ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT);
}

static method_id declare(struct fixture *f, class_id c, sel_id sel, unsigned flags)
{
	program_add_method(&f->p, c, sel, (uint16_t)flags, 0);
	return program_declared(&f->p, c, sel);
}

/* A class with so many interfaces that those are looked for which declare the method; they do so one after the other. */
static void test_many_interfaces(void **state)
{
	enum { MANY = 40 };
	struct fixture *f = *state;
	class_id i[MANY], c = add(f, "n/C", "java/lang/Object", ACCESS_PUBLIC), other = add(f, "n/D", "java/lang/Object", ACCESS_PUBLIC);
	sel_id sel = program_sel(&f->p, STR("m"), STR("()V"));

	for (unsigned k = 0; k < MANY; k++)
		i[k] = add_interface(f, "n/I", k);
	class_row(&f->p, c)->interfaces = i;
	class_row(&f->p, c)->ninterfaces = MANY;
	class_row(&f->p, other)->interfaces = i;
	class_row(&f->p, other)->ninterfaces = MANY / 2;
	implement(f, i[9], i[3], i[30]);
	assert_int_equal(default_method(&f->h, c, sel).i, 0);
	declare(f, add_interface(f, "n/K", 0), sel, ACCESS_PUBLIC);             /* of neither class */
	declare(f, i[7], sel, ACCESS_PUBLIC | ACCESS_ABSTRACT);
	declare(f, i[8], sel, ACCESS_PUBLIC | ACCESS_STATIC);
	assert_int_equal(default_method(&f->h, c, sel).i, 0);
	method_id first = declare(f, i[3], sel, ACCESS_PUBLIC);
	assert_int_equal(default_method(&f->h, c, sel).i, first.i);
	method_id last = declare(f, i[39], sel, ACCESS_PUBLIC);
	assert_int_equal(default_method(&f->h, c, sel).i, 0);
	assert_int_equal(default_method(&f->h, other, sel).i, first.i);
	implement(f, i[39], i[3], i[7]);
	hierarchy_release(&f->h);                                               /* forgets what it was asked */
	hierarchy_init(&f->h, &f->p);
	assert_int_equal(default_method(&f->h, c, sel).i, last.i);
	assert_int_equal(default_method(&f->h, other, sel).i, first.i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_arrays, start, finish),
		cmocka_unit_test_setup_teardown(test_missing, start, finish),
		cmocka_unit_test_setup_teardown(test_polymorphic, start, finish),
		cmocka_unit_test_setup_teardown(test_diamonds, start, finish),
		cmocka_unit_test_setup_teardown(test_many_interfaces, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
