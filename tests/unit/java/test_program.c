// SPDX-License-Identifier: Apache-2.0
// links: base algo ir
/* test_program.c - the program model over a source that makes classes up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "ir/access.h"
#include "ir/program.h"

#define CHAIN 100000      /* superclasses: a hostile jar may have them, and the C stack must not */

/* `chain/N` extends `chain/N-1`; `cycle/N` extends `cycle/(N+1) % 3`; `lonely` is missing; `bad` implements Object. */
static void load(void *ctx, struct program *p, class_id c)
{
	struct str name = class_name(p, c);
	char super[64] = "java/lang/Object";
	unsigned n;
	(void)ctx;

	if (str_eq(name, STR("lonely"))) {
		program_make_phantom(p, c);
		return;
	}
	if (sscanf(name.p, "chain/%u", &n) == 1 && n > 0)
		snprintf(super, sizeof(super), "chain/%u", n - 1);
	if (sscanf(name.p, "cycle/%u", &n) == 1)
		snprintf(super, sizeof(super), "cycle/%u", (n + 1) % 3);
	class_id s = program_class(p, str_of(super));
	class_id *interfaces = arena_array(&p->mem, class_id, 1);
	interfaces[0] = p->object;
	struct ir_class *row = class_row(p, c);
	row->flags = ACCESS_PUBLIC;
	if (c.i != p->object.i)
		row->super = s;
	if (str_eq(name, STR("bad"))) {
		row->interfaces = interfaces;
		row->ninterfaces = 1;
	}
}

static int start(void **state)
{
	struct program *p = mem_zalloc(sizeof(*p));
	struct diag *d = mem_zalloc(sizeof(*d));

	diag_init(d);
	program_init(p, d);
	p->source.load = load;
	*state = p;
	return 0;
}

static int stop(void **state)
{
	struct program *p = *state;
	struct diag *d = p->diag;

	program_release(p);
	diag_release(d);
	free(d);
	free(p);
	return 0;
}

static void long_chains_load(void **state)
{
	struct program *p = *state;
	char name[32];

	snprintf(name, sizeof(name), "chain/%d", CHAIN);
	class_id c = program_class(p, str_of(name));
	program_load(p, c);
	assert_int_equal(class_row(p, c)->state, LOAD_DONE);
	assert_true(class_row(p, c)->depth <= MAX_SUPERCLASSES);
	assert_int_equal(p->diag->entries.data[0].code, DIAG_E018);
	c = program_class(p, STR("chain/900"));
	assert_int_equal(class_row(p, c)->depth, 901);      /* chain/0 has depth 1 */
}

static void cycles_are_cut(void **state)
{
	struct program *p = *state;
	class_id c = program_class(p, STR("cycle/0"));
	unsigned depth = 0, cut = 0;

	program_load(p, c);
	for (class_id k = c; k.i && depth < 10; k = class_row(p, k)->super, depth++)
		cut += class_row(p, k)->link_error == LINK_CYCLE;
	assert_true(depth < 10);
	assert_int_equal(cut, 1);
	assert_int_equal(p->diag->errors, 1);
	assert_int_equal(p->diag->entries.data[0].code, DIAG_E015);
}

static void wrong_interfaces_are_dropped(void **state)
{
	struct program *p = *state;
	class_id c = program_class(p, STR("bad"));

	program_load(p, c);
	assert_int_equal(class_row(p, c)->ninterfaces, 0);
	assert_int_equal(class_row(p, c)->link_error, LINK_NOT_INTERFACE);
}

static void missing_classes_become_phantoms(void **state)
{
	struct program *p = *state;
	class_id c = program_class(p, STR("lonely"));

	class_row(p, c)->is_referred = 1;
	program_load(p, c);
	assert_int_equal(class_row(p, c)->kind, CLASS_PHANTOM);
	assert_int_equal(class_row(p, c)->super.i, p->object.i);
	program_prune_phantoms(p);
	assert_int_equal(p->phantoms.len, 1);
	class_row(p, c)->is_referred = 0;
	program_prune_phantoms(p);
	assert_int_equal(p->phantoms.len, 0);
}

static void arrays_and_primitives_are_classes(void **state)
{
	struct program *p = *state;
	struct strbuf text = { 0 };
	class_id matrix = program_class(p, STR("[[I"));
	class_id row = class_row(p, matrix)->element;

	assert_int_equal(class_row(p, matrix)->kind, CLASS_ARRAY);
	assert_int_equal(program_array_of(p, row).i, matrix.i);
	assert_int_equal(class_row(p, row)->element.i, program_class_of_desc(p, STR("I")).i);
	assert_int_not_equal(program_class(p, STR("int")).i, program_class_of_desc(p, STR("I")).i);
	print_class(p, matrix, &text);
	assert_string_equal(text.s, "int[][]");
	strbuf_release(&text);
	char deep[400];
	memset(deep, '[', sizeof(deep));
	class_id no_array = program_class(p, (struct str){ deep, sizeof(deep) });      /* more than 255 dimensions */
	assert_int_not_equal(class_row(p, no_array)->kind, CLASS_ARRAY);
}

static void selectors_know_their_shape(void **state)
{
	struct program *p = *state;
	sel_id s = program_sel(p, STR("f"), STR("(I[[JLa/B;[Lc/D;D)[Ljava/lang/String;"));

	assert_int_equal(sel_row(p, s)->nargs, 5);
	assert_int_equal(sel_row(p, s)->returns, IR_KIND_OBJECT);
	assert_int_equal(program_sel(p, STR("f"), STR("(I[[JLa/B;[Lc/D;D)[Ljava/lang/String;")).i, s.i);
	assert_int_equal(sel_row(p, program_sel(p, STR("x"), STR("J")))->nargs, 0);
	assert_int_equal(sel_row(p, program_sel(p, STR("g"), STR("()V")))->returns, IR_KIND_NONE);
}

static void references_are_shared(void **state)
{
	struct program *p = *state;
	sel_id s = program_sel(p, STR("f"), STR("()V"));
	mref_id a = program_mref(p, p->object, s, false), b = program_mref(p, p->object, s, true);

	assert_int_not_equal(a.i, b.i);
	assert_int_equal(program_mref(p, p->object, s, false).i, a.i);
	assert_int_equal(program_fref(p, p->object, s).i, program_fref(p, p->object, s).i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(long_chains_load, start, stop),
		cmocka_unit_test_setup_teardown(cycles_are_cut, start, stop),
		cmocka_unit_test_setup_teardown(wrong_interfaces_are_dropped, start, stop),
		cmocka_unit_test_setup_teardown(missing_classes_become_phantoms, start, stop),
		cmocka_unit_test_setup_teardown(arrays_and_primitives_are_classes, start, stop),
		cmocka_unit_test_setup_teardown(selectors_know_their_shape, start, stop),
		cmocka_unit_test_setup_teardown(references_are_shared, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
