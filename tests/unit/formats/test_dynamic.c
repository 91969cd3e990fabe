// SPDX-License-Identifier: Apache-2.0
// links: base formats/dynamic
/* test_dynamic.c - records of dynamic features: what is written is sorted and comes back, counts add up, damage is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#include "formats/dynamic/dynamic.h"

static void add(struct dynamic_facts *f, const char *kind, const char *target, uint64_t count)
{
	dynamic_add(f, kind, str_of(target), STR("p.A.m()V@3"), 7, count);
}

static void assert_file(const struct dynamic_facts *f, const char *want)
{
	struct strbuf out = { 0 };

	dynamic_write(f, &out);
	assert_string_equal(out.s, want);
	strbuf_release(&out);
}

static bool read_text(struct dynamic_facts *f, const char *text, struct strbuf *err)
{
	return dynamic_read(f, (struct span){ (const uint8_t *)text, strlen(text) }, err);
}

static void test_none(void **state)
{
	struct dynamic_facts f = { 0 };
	struct strbuf err = { 0 };

	(void)state;
	assert_int_equal(dynamic_len(&f), 0);
	assert_file(&f, "sherd-dynamic 1\n");
	assert_true(read_text(&f, "sherd-dynamic 1\n", &err));
	dynamic_release(&f);
}

static void test_sorted_sums(void **state)
{
	static const char want[] = "sherd-dynamic 1\nload\tp.B\tp.A.m()V@3\t7\t3\nnew\tp.A\tp.A.m()V@3\t7\t1\n";
	struct dynamic_facts f = { 0 };
	struct strbuf err = { 0 };

	(void)state;
	add(&f, "new", "p.A", 1);
	add(&f, "load", "p.B", 1);
	add(&f, "load", "p.B", 2);
	assert_int_equal(dynamic_len(&f), 2);
	assert_file(&f, want);
	assert_true(read_text(&f, want, &err));
	assert_file(&f, "sherd-dynamic 1\nload\tp.B\tp.A.m()V@3\t7\t6\nnew\tp.A\tp.A.m()V@3\t7\t2\n");
	assert_true(read_text(&f, "sherd-dynamic 1\nload\tp.B\tp.A.m()V@3\t7\t18446744073709551615\n", &err));
	assert_file(&f, "sherd-dynamic 1\nload\tp.B\tp.A.m()V@3\t7\t18446744073709551615\nnew\tp.A\tp.A.m()V@3\t7\t2\n");
	dynamic_release(&f);
}

static void test_damage(void **state)
{
	static const struct { const char *text, *said; } cases[] = {
		{ "", "its first line is not 'sherd-dynamic 1'" },
		{ "sherd-dynamic 1", "its first line is not 'sherd-dynamic 1'" },
		{ "sherd-dynamic 2\n", "its first line is not 'sherd-dynamic 1'" },
		{ "sherd-dynamic 1\nload\ta\tb\t1\t2", "line 2: it is cut off" },
		{ "sherd-dynamic 1\nload\ta\tb\t1\t2\n\n", "line 3: it has not five fields" },
		{ "sherd-dynamic 1\nload\ta\tb\t1\t2\t3\n", "line 2: it has not five fields" },
		{ "sherd-dynamic 1\nLoad\ta\tb\t1\t2\n", "line 2: its kind is no word" },
		{ "sherd-dynamic 1\n\ta\tb\t1\t2\n", "line 2: its kind is no word" },
		{ "sherd-dynamic 1\nload\ta\tb\t\t2\n", "line 2: line or count is no number" },
		{ "sherd-dynamic 1\nload\ta\tb\t4294967296\t2\n", "line 2: line or count is no number" },
		{ "sherd-dynamic 1\nload\ta\tb\t1\t0\n", "line 2: line or count is no number" },
		{ "sherd-dynamic 1\nload\ta\tb\t1\t01\n", "line 2: line or count is no number" },
		{ "sherd-dynamic 1\nload\ta\tb\t1\t18446744073709551616\n", "line 2: line or count is no number" },
		{ "sherd-dynamic 1\nload\ta\tb\t1\t-2\n", "line 2: line or count is no number" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct dynamic_facts f = { 0 };
		struct strbuf err = { 0 };

		assert_false(read_text(&f, cases[i].text, &err));
		assert_string_equal(err.s, cases[i].said);
		dynamic_release(&f);
		strbuf_release(&err);
	}
}

static void test_escapes(void **state)
{
	struct strbuf out = { 0 };

	(void)state;
	dynamic_escape(&out, STR("a\tb\n\"\\\x01\x7f\xc0\x80 \xc3\xa4\xe2\x80\xae\xed\xa0\xbd\xed\xb8\x80"));
	assert_string_equal(out.s, "a\\tb\\n\\\"\\\\\\u0001\\u007f\\u0000 \xc3\xa4\\u202e\xf0\x9f\x98\x80");
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none), cmocka_unit_test(test_sorted_sums), cmocka_unit_test(test_damage),
		cmocka_unit_test(test_escapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
