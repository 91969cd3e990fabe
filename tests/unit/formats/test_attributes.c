// SPDX-License-Identifier: Apache-2.0
// links: base formats/classfile
/* test_attributes.c - real class files (tests/data/classfile), whole, cut off and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/sys/mapfile.h"
#include "classfile_outcome.h"

static const char *const real[] = { "Shapes", "Shapes$Circle", "Shapes$Square", "Shapes$1Local", "module-info" };

static void load(struct mapfile *m, const char *name)
{
	char path[200];

	snprintf(path, sizeof(path), "tests/data/classfile/%s.class", name);
	assert_true(mapfile_open(m, path));
}

static void parse_real(struct outcome *o, const char *name)
{
	struct mapfile m;

	load(&m, name);
	parse(o, m.bytes.p, m.bytes.len);
	mapfile_close(&m);
	assert_true(o->ok);
}

static const struct cf_member *method(const struct classfile *cf, const char *name)
{
	for (uint16_t i = 0; i < cf->nmethods; i++)
		if (str_is(cf_utf8(cf, cf->methods[i].name), name))
			return &cf->methods[i];
	fail_msg("no method %s", name);
	return NULL;
}

static const struct cf_member *field(const struct classfile *cf, const char *name)
{
	for (uint16_t i = 0; i < cf->nfields; i++)
		if (str_is(cf_utf8(cf, cf->fields[i].name), name))
			return &cf->fields[i];
	fail_msg("no field %s", name);
	return NULL;
}

static void expect_names(const struct classfile *cf, struct cf_rows it, const char *const *names, size_t n)
{
	uint16_t i;

	assert_int_equal(it.left, n);
	for (size_t k = 0; k < n; k++) {
		assert_true(cf_index_next(cf, &it, &i));
		assert_true(str_is(cf_name(cf, i), names[k]));
	}
	assert_false(cf_index_next(cf, &it, &i));
}

static void test_constants(void **state)
{
	struct outcome o;

	(void)state;
	parse_real(&o, "Shapes");
	const struct classfile *cf = &o.cf;

	assert_int_equal(cf_long(cf, cf_constant_value(cf, field(cf, "BIG"))), 5000000000);
	assert_int_equal(cf_int(cf, cf_constant_value(cf, field(cf, "SEVEN"))), 7);
	assert_true(cf_float(cf, cf_constant_value(cf, field(cf, "HALF"))) == 0.5f);
	assert_true(cf_double(cf, cf_constant_value(cf, field(cf, "TENTH"))) == 0.1);
	assert_true(str_is(cf_name(cf, cf_constant_value(cf, field(cf, "TEXT"))),
			   "a\xc0\x80\xc3\xa9\xed\xa0\xbd\xed\xb8\x80"));
	release(&o);
}

static void test_class_facts(void **state)
{
	static const char *const shapes[] = { "shapes/Shapes$Circle", "shapes/Shapes$Square" };
	static const char *const members[] = { "shapes/Shapes$Square", "shapes/Shapes$Circle", "shapes/Shapes$1Local" };
	static const char *const thrown[] = { "java/io/IOException", "java/lang/IllegalStateException" };
	struct outcome o;

	(void)state;
	parse_real(&o, "Shapes");
	const struct classfile *cf = &o.cf;

	assert_true(cf_is_sealed(cf) && !cf_is_record(cf));
	expect_names(cf, cf_permitted(cf), shapes, 2);
	expect_names(cf, cf_nest_members(cf), members, 3);
	expect_names(cf, cf_exceptions(cf, method(cf, "area")), thrown, 2);
	expect_names(cf, cf_exceptions(cf, method(cf, "dense")), NULL, 0);
	assert_true(str_is(cf_utf8(cf, cf_source_file(cf)), "Shapes.java"));
	assert_true(str_is(cf_utf8(cf, cf_signature(cf, cf->attrs)),
			   "<T::Ljava/lang/Comparable<TT;>;>Ljava/lang/Object;"));
	assert_int_equal(cf_nest_host(cf), 0);
	assert_int_equal(cf->nbootstrap, 2);
	release(&o);
}

static void test_inner_classes(void **state)
{
	struct outcome o;
	struct cf_inner row;

	(void)state;
	parse_real(&o, "Shapes$1Local");
	const struct classfile *cf = &o.cf;
	struct cf_enclosing e = cf_enclosing(cf);
	struct cf_rows it = cf_inner_classes(cf);

	assert_true(str_is(cf_name(cf, cf_nest_host(cf)), "shapes/Shapes"));
	assert_true(str_is(cf_name(cf, e.owner), "shapes/Shapes"));
	assert_true(str_is(cf_utf8(cf, cf_u2(cf, cf->cp[e.method] + 1)), "local"));
	assert_true(cf_inner_next(cf, &it, &row));
	assert_true(str_is(cf_name(cf, row.inner), "shapes/Shapes$1Local"));
	assert_true(str_is(cf_utf8(cf, row.name), "Local"));
	assert_int_equal(row.outer, 0);
	assert_false(cf_inner_next(cf, &it, &row));
	release(&o);
}

static void test_record(void **state)
{
	struct outcome o;
	struct cf_component c;

	(void)state;
	parse_real(&o, "Shapes$Circle");
	const struct classfile *cf = &o.cf;
	struct cf_rows it = cf_record(cf);

	assert_true(cf_is_record(cf));
	assert_true(cf_component_next(cf, &it, &c));
	assert_true(str_is(cf_utf8(cf, c.name), "radius"));
	assert_true(str_is(cf_utf8(cf, c.desc), "D"));
	assert_int_equal(cf_signature(cf, c.attrs), 0);
	assert_true(cf_component_next(cf, &it, &c));
	assert_true(str_is(cf_utf8(cf, c.desc), "Ljava/util/List;"));
	assert_true(str_is(cf_utf8(cf, cf_signature(cf, c.attrs)), "Ljava/util/List<-TT;>;"));
	assert_false(cf_component_next(cf, &it, &c));
	release(&o);
}

static void test_bootstrap_rows(void **state)
{
	struct outcome o;

	(void)state;
	parse_real(&o, "Shapes");
	const struct classfile *cf = &o.cf;
	struct cf_bootstrap b = cf_bootstrap(cf, 0);
	struct cf_handle h = cf_handle(cf, b.handle), impl = cf_handle(cf, cf_u2(cf, b.args + 2));

	assert_int_equal(h.kind, 6);
	assert_true(str_is(cf_ref(cf, h.ref).name, "metafactory"));
	assert_int_equal(b.nargs, 3);
	assert_true(str_is(cf_ref(cf, impl.ref).name, "lambda$lambda$0"));
	h = cf_handle(cf, cf_bootstrap(cf, 1).handle);
	assert_true(str_is(cf_ref(cf, h.ref).name, "makeConcatWithConstants"));
	release(&o);
}

static void test_method_body(void **state)
{
	struct outcome o;
	struct insn in;

	(void)state;
	parse_real(&o, "Shapes");
	const struct classfile *cf = &o.cf;
	const struct cf_member *m = method(cf, "dense");
	struct cf_code c = cf_code(cf, m);

	assert_int_equal(c.max_locals, 1);
	assert_true(bytecode_decode(c.code, 1, &in));
	assert_int_equal(bytecode_switch_count(c.code, &in), 4);
	assert_int_equal(bytecode_switch_target(c.code, &in, 2), 41);
	assert_int_equal(cf_line(cf, m, 0), 43);
	assert_int_equal(cf_line(cf, m, 34), 44);
	assert_int_equal(cf_line(cf, m, 42), 47);
	assert_int_equal(cf_line(cf, method(cf, "area"), 0), 0);
	release(&o);
}

static void test_handlers_and_frames(void **state)
{
	struct outcome o;
	struct cf_frame f;
	struct cf_vtype v;

	(void)state;
	parse_real(&o, "Shapes$Square");
	const struct classfile *cf = &o.cf;
	const struct cf_member *m = method(cf, "area");
	struct cf_code c = cf_code(cf, m);
	struct cf_handler h = cf_handler_at(cf, &c, 0);
	struct cf_frames it = cf_frames(cf, m);

	assert_true(c.nhandlers >= 2);
	assert_true(str_is(cf_name(cf, h.type), "java/lang/ArithmeticException"));
	assert_true(cf_frames_next(cf, &it, &f));
	assert_int_equal(f.pc, h.target);
	assert_int_equal(f.kind, FRAME_SAME_STACK1);
	assert_true(cf_vtypes_next(cf, &f.stack, &v));
	assert_int_equal(v.tag, VT_OBJECT);
	assert_true(str_is(cf_name(cf, v.data), "java/lang/ArithmeticException"));
	assert_false(cf_vtypes_next(cf, &f.stack, &v));
	release(&o);
}

static void test_locals(void **state)
{
	struct outcome o;
	struct cf_local_row row;

	(void)state;
	parse_real(&o, "Shapes$Square");
	const struct classfile *cf = &o.cf;
	const struct cf_member *m = method(cf, "<init>");
	struct cf_table it = cf_locals(cf, m);

	assert_true(cf_locals_next(cf, &it, &row));
	assert_true(str_is(cf_utf8(cf, row.name), "this"));
	assert_true(cf_locals_next(cf, &it, &row));
	assert_true(str_is(cf_utf8(cf, row.name), "side"));
	assert_true(str_is(cf_utf8(cf, row.desc), "D"));
	assert_int_equal(row.slot, 1);
	assert_false(cf_locals_next(cf, &it, &row));
	it = cf_locals(cf, m);
	assert_true(cf_local_types_next(cf, &it, &row));
	assert_true(str_is(cf_utf8(cf, row.desc), "Lshapes/Shapes$Square<TT;>;"));
	assert_false(cf_local_types_next(cf, &it, &row));
	release(&o);
}

static void test_module(void **state)
{
	static const char *const to[] = { "java.sql", "java.logging" };
	static const char *const uses[] = { "java/util/spi/ToolProvider" }, *const with[] = { "shapes/api/Task" };
	struct outcome o;
	struct cf_requires req;
	struct cf_exports ex;
	struct cf_provides prov;

	(void)state;
	parse_real(&o, "module-info");
	const struct classfile *cf = &o.cf;
	struct cf_module m = cf_module(cf);

	assert_true(str_is(cf_name(cf, m.name), "shapes.module"));
	assert_int_equal(m.flags, 0x20);
	assert_int_equal(m.version, 0);
	assert_int_equal(m.requires.left, 3);
	assert_true(cf_requires_next(cf, &m.requires, &req));
	assert_true(str_is(cf_name(cf, req.module), "java.base"));
	assert_true(cf_exports_next(cf, &m.exports, &ex));
	assert_true(str_is(cf_name(cf, ex.package), "shapes/api"));
	expect_names(cf, ex.to, to, 2);
	assert_int_equal(m.opens.left, 0);
	expect_names(cf, m.uses, uses, 1);
	assert_true(cf_provides_next(cf, &m.provides, &prov));
	assert_true(str_is(cf_name(cf, prov.service), "java/lang/Runnable"));
	expect_names(cf, prov.with, with, 1);
	release(&o);
}

/* Damage. */

static void test_every_truncation(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(real); i++) {
		struct mapfile m;
		struct outcome o;

		load(&m, real[i]);
		for (size_t n = 0; n < m.bytes.len; n++) {
			parse(&o, m.bytes.p, n);
			assert_false(o.ok);
			assert_int_equal(o.d.errors, 1);
			assert_true(o.d.entries.data[0].offset <= n || n < 10);
			release(&o);
		}
		mapfile_close(&m);
	}
}

static void flip_every_byte(const char *name)
{
	static const uint8_t masks[] = { 0x01, 0x80, 0xff, 0x10 };
	struct mapfile m;
	struct outcome o;

	load(&m, name);
	uint8_t *copy = mem_alloc(m.bytes.len);

	memcpy(copy, m.bytes.p, m.bytes.len);
	for (size_t at = 0; at < m.bytes.len; at++)
		for (size_t k = 0; k < ARRAY_LEN(masks); k++) {
			copy[at] ^= masks[k];
			parse(&o, copy, m.bytes.len);
			if (o.ok)
				classfile_walk(&o.cf);
			else
				assert_int_equal(o.d.errors, 1);
			release(&o);
			copy[at] ^= masks[k];
		}
	free(copy);
	mapfile_close(&m);
}

static void test_bit_flips(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(real); i++)
		flip_every_byte(real[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_constants),
		cmocka_unit_test(test_class_facts),
		cmocka_unit_test(test_inner_classes),
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_bootstrap_rows),
		cmocka_unit_test(test_method_body),
		cmocka_unit_test(test_handlers_and_frames),
		cmocka_unit_test(test_locals),
		cmocka_unit_test(test_module),
		cmocka_unit_test(test_every_truncation),
		cmocka_unit_test(test_bit_flips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
