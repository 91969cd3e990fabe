// SPDX-License-Identifier: Apache-2.0
// links: base
/* test_jsonreader.c - JSON value by value: structure, lines, escapes, errors that are told once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "base/text/jsonreader.h"

static struct jsonreader on(const char *text, struct strbuf *err)
{
	return jsonread_of((struct span){ (const uint8_t *)text, strlen(text) }, err);
}

static void values_and_lines(void **state)
{
	struct strbuf err = { 0 };
	struct jsonreader j = on("{\"a\":\n[\"x\", \"y\\u00e4\"],\n\"b\": {}, \"c\": [1,{\"d\":[null]}]} ", &err);
	uint32_t strings = 0;

	(void)state;
	assert_true(jsonread_begin(&j, '{'));
	assert_true(jsonread_key(&j));
	assert_string_equal(j.text.s, "a");
	assert_true(jsonread_begin(&j, '['));
	assert_int_equal(jsonread_line(&j), 2);
	do
		strings += jsonread_string(&j);
	while (jsonread_more(&j, ']'));
	assert_int_equal(strings, 2);
	assert_string_equal(j.text.s, "y\xc3\xa4");
	assert_true(jsonread_more(&j, '}'));
	assert_true(jsonread_key(&j));
	assert_int_equal(jsonread_line(&j), 3);
	assert_false(jsonread_begin(&j, '{'));
	assert_true(jsonread_more(&j, '}'));
	assert_true(jsonread_key(&j));
	assert_true(jsonread_skip(&j));
	assert_false(jsonread_more(&j, '}'));
	assert_true(jsonread_end(&j));
	assert_int_equal(err.len, 0);
	jsonread_release(&j);
}

static void first_error_counts(void **state)
{
	struct strbuf err = { 0 };
	struct jsonreader j = on("[\n1 2]", &err);

	(void)state;
	assert_true(jsonread_begin(&j, '['));
	assert_true(jsonread_skip(&j));
	assert_false(jsonread_more(&j, ']'));
	assert_false(jsonread_string(&j));
	assert_false(jsonread_skip(&j));
	assert_int_equal(jsonread_peek(&j), 0);
	assert_false(jsonread_end(&j));
	assert_string_equal(err.s, "line 2: ']' expected");
	jsonread_release(&j);
	strbuf_release(&err);
}

static void unescaped(void **state)
{
	static const struct {
		const char *escaped, *text;       /* NULL: refused */
	} cases[] = {
		{ "", "" },
		{ "a\\tb\\\"\\\\", "a\tb\"\\" },
		{ "\\u0000\\ud83d\\ude00\\ud800", "\xc0\x80\xed\xa0\xbd\xed\xb8\x80\xed\xa0\x80" },
		{ "\xf0\x9f\x98\x80\xc3\xa4\xf0", "\xed\xa0\xbd\xed\xb8\x80\xc3\xa4\xf0" },
		{ "\"", "\"" },
		{ "\\", NULL },
		{ "\\u12", NULL },
		{ "\\q", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct strbuf out = { 0 }, err = { 0 };
		bool ok = jsonread_unescape(str_of(cases[i].escaped), &out, &err);
		assert_int_equal(ok, cases[i].text != NULL);
		assert_int_equal(ok, err.len == 0);
		if (ok)
			assert_true(str_is(strbuf_str(&out), cases[i].text));
		strbuf_release(&out);
		strbuf_release(&err);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_and_lines),
		cmocka_unit_test(first_error_counts),
		cmocka_unit_test(unescaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
