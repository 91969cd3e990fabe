// SPDX-License-Identifier: Apache-2.0
// links: base formats/classfile
/* test_bytecode.c - instructions and descriptors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "formats/classfile/bytecode.h"
#include "formats/classfile/descriptor.h"

static void test_descriptors(void **state)
{
	static const char *const fields[] = { "I", "[J", "La/b;", "[[La;" };
	static const char *const bad[] = { "",   "V",    "[",  "L;",  "La",	"La//b;", "La.b;",  "II",
					   "[V", "L[a;", "LI", "Ia;", "La;b;", "()",	  "(I", "(II)",
					   "(",  ")V",   "()VV", "(V)V", "(La)V" };
	char dims[300];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		assert_true(desc_is_field(str_of(fields[i])));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_false(desc_is_field(str_of(bad[i])));
		assert_false(desc_is_method(str_of(bad[i])));
	}
	memset(dims, '[', sizeof(dims));
	dims[255] = 'I';
	assert_true(desc_is_field((struct str){ dims, 256 }));
	dims[255] = '[';
	dims[256] = 'I';
	assert_false(desc_is_field((struct str){ dims, 257 }));
}

static void test_descriptor_iteration(void **state)
{
	static const char *const params[] = { "I", "[[J", "La/b;", "D", "[Lc;" };
	struct str desc = STR("(I[[JLa/b;D[Lc;)[La;"), p;
	struct desc_iter it = desc_params(desc);

	(void)state;
	assert_true(desc_is_method(desc));
	for (size_t i = 0; i < ARRAY_LEN(params); i++) {
		assert_true(desc_next(&it, &p));
		assert_true(str_is(p, params[i]));
	}
	assert_false(desc_next(&it, &p));
	assert_int_equal(desc_param_count(desc), 5);
	assert_int_equal(desc_param_words(desc), 6);
	assert_true(str_is(desc_return(desc), "[La;"));
	assert_int_equal(desc_words(STR("V")), 0);
	assert_int_equal(desc_words(STR("J")), 2);
	assert_int_equal(desc_words(STR("[J")), 1);
	assert_int_equal(desc_dims(STR("[[J")), 2);
}

static void test_parameter_limit(void **state)
{
	char desc[300];

	(void)state;
	desc[0] = '(';
	memset(desc + 1, 'I', 256);
	memcpy(desc + 256, ")V", 3);
	assert_true(desc_is_method((struct str){ desc, 258 }));         /* 255 words */
	desc[1] = 'J';
	assert_false(desc_is_method((struct str){ desc, 258 }));
}

/* Instructions. */

static void u1(struct strbuf *b, unsigned v)
{
	strbuf_addch(b, (char)(v & 0xff));
}

static void u4(struct strbuf *b, uint32_t v)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		u1(b, v >> shift);
}

static bool decode(const char *bytes, size_t n, uint32_t pc, struct insn *in)
{
	uint8_t *copy = mem_alloc(n);

	memcpy(copy, bytes, n);
	bool ok = bytecode_decode((struct span){ copy, n }, pc, in);

	free(copy);
	return ok;
}
#define DECODE(bytes, pc, in) decode(bytes, sizeof(bytes) - 1, pc, in)

static void test_opcodes(void **state)
{
	(void)state;
	for (unsigned op = 0; op < 256; op++) {
		assert_int_equal(bytecode_name(op) != NULL, op <= 201);
		assert_int_equal(bytecode_format[op] == BCF_BAD, op > 201);
		assert_true(bytecode_pops[op] >= -1 && bytecode_pushes[op] >= -1);
	}
	assert_null(bytecode_name(256));
	assert_string_equal(bytecode_name(BC_return), "return");
	assert_int_equal(BC_jsr_w, 201);
	assert_int_equal(BC_invokedynamic, 186);
	assert_int_equal(bytecode_pops[BC_dup2_x2], 4);
	assert_int_equal(bytecode_pushes[BC_dup2_x2], 6);
	assert_int_equal(bytecode_pops[BC_lastore], 4);
	assert_int_equal(bytecode_pops[BC_lshl], 3);
	assert_int_equal(bytecode_pushes[BC_d2l], 2);
	assert_int_equal(bytecode_pops[BC_invokevirtual], -1);
}

static void test_operands(void **state)
{
	struct insn in;

	(void)state;
	assert_true(DECODE("\x10\xff", 0, &in) && in.a == -1 && in.len == 2);
	assert_true(DECODE("\x11\x80\0", 0, &in) && in.a == -32768 && in.len == 3);
	assert_true(DECODE("\x12\xff", 0, &in) && in.a == 255);
	assert_true(DECODE("\xb8\xff\xff", 0, &in) && in.a == 65535 && in.format == BCF_CP);
	assert_true(DECODE("\x84\xff\x80", 0, &in) && in.a == 255 && in.b == -128);
	assert_true(DECODE("\xc5\1\2\3", 0, &in) && in.a == 0x102 && in.b == 3 && in.len == 4);
	assert_true(DECODE("\xb9\1\2\3\0", 0, &in) && in.a == 0x102 && in.len == 5);
	assert_true(DECODE("\xbc\x0b", 0, &in) && in.a == 11);
	assert_false(DECODE("\xbc\3", 0, &in));
	assert_false(DECODE("\xc5\1\2\0", 0, &in));
	assert_false(DECODE("\x10", 0, &in));
	assert_false(DECODE("\xb9\1\2\3", 0, &in));
	assert_false(DECODE("\xca", 0, &in));
	assert_false(DECODE("\xff", 0, &in));
}

static void test_branches(void **state)
{
	struct insn in;

	(void)state;
	assert_true(DECODE("\0\0\0\xa7\xff\xfd", 3, &in) && in.a == 0);
	assert_true(DECODE("\xa7\0\2", 0, &in) && in.a == 2);
	assert_false(DECODE("\xa7\0\3", 0, &in));
	assert_false(DECODE("\0\xa7\xff\xfe", 1, &in));
	assert_true(DECODE("\0\xc8\xff\xff\xff\xff", 1, &in) && in.a == 0 && in.len == 5);
	assert_false(DECODE("\0\xc8\x80\0\0\0", 1, &in));
	assert_false(DECODE("\0\xc9\x7f\xff\xff\xff", 1, &in));
	assert_false(DECODE("\xc8\0\0\0", 0, &in));
}

static void test_wide(void **state)
{
	struct insn in;

	(void)state;
	assert_true(DECODE("\xc4\x15\1\2", 0, &in) && in.op == BC_iload && in.a == 0x102 && in.len == 4);
	assert_true(DECODE("\xc4\xa9\1\2", 0, &in) && in.op == BC_ret && in.format == BCF_LOCAL);
	assert_true(DECODE("\xc4\x84\1\2\xff\xfe", 0, &in) && in.op == BC_iinc && in.b == -2 && in.len == 6);
	assert_false(DECODE("\xc4\x84\1\2\xff", 0, &in));
	assert_false(DECODE("\xc4\x15\1", 0, &in));
	assert_false(DECODE("\xc4\0\1\2", 0, &in));
	assert_false(DECODE("\xc4\xc4\x15\1\2", 0, &in));
}

/* A switch with two rows, at each of the four alignments, then cut off at every length. */
static void check_switch_at(uint32_t pc, bool table)
{
	struct strbuf b = { 0 };
	struct insn in;

	for (uint32_t i = 0; i < pc; i++)
		u1(&b, BC_nop);
	u1(&b, table ? BC_tableswitch : BC_lookupswitch);
	while (b.len % 4)
		u1(&b, 0);
	u4(&b, 0);
	u4(&b, table ? (uint32_t)-5 : 2);
	u4(&b, table ? (uint32_t)-4 : (uint32_t)-5);
	u4(&b, 1);
	if (!table)
		u4(&b, 70000);
	u4(&b, (uint32_t)-(int32_t)pc);

	struct span code = { (const uint8_t *)b.s, b.len };

	assert_true(bytecode_decode(code, pc, &in));
	assert_int_equal(in.len, b.len - pc);
	assert_int_equal(bytecode_switch_count(code, &in), 2);
	assert_int_equal(bytecode_switch_key(code, &in, 0), -5);
	assert_int_equal(bytecode_switch_key(code, &in, 1), table ? -4 : 70000);
	assert_int_equal(bytecode_switch_target(code, &in, 0), pc + 1);
	assert_int_equal(bytecode_switch_target(code, &in, 1), 0);
	assert_int_equal(bytecode_switch_target(code, &in, -1), pc);
	for (size_t n = pc + 1; n < b.len; n++)
		assert_false(decode(b.s, n, pc, &in));
	strbuf_release(&b);
}

static void test_switches(void **state)
{
	struct insn in;

	(void)state;
	for (uint32_t pc = 0; pc < 8; pc++) {
		check_switch_at(pc, true);
		check_switch_at(pc, false);
	}
	/* high < low; a count that overflows; a negative count; a target outside */
	assert_false(DECODE("\xaa\0\0\0\0\0\0\0\0\0\0\2\0\0\0\1\0\0\0\0", 0, &in));
	assert_false(DECODE("\xaa\0\0\0\0\0\0\0\x80\0\0\0\x7f\xff\xff\xff\0\0\0\0", 0, &in));
	assert_false(DECODE("\xab\0\0\0\0\0\0\0\xff\xff\xff\xff\0\0\0\0\0\0\0\0", 0, &in));
	assert_false(DECODE("\xab\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\x14", 0, &in));
	assert_true(DECODE("\xab\0\0\0\0\0\0\0\0\0\0\0", 0, &in));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_descriptors),
		cmocka_unit_test(test_descriptor_iteration),
		cmocka_unit_test(test_parameter_limit),
		cmocka_unit_test(test_opcodes),
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_switches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
