// SPDX-License-Identifier: Apache-2.0
// links: base formats/compdb
/* test_compdb.c - compile_commands.json, as build systems write it and as nobody should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "formats/compdb/compdb.h"

struct read {
	struct arena mem;
	compdb db;
	struct strbuf err;
};

static bool read_text(struct read *r, const char *text)
{
	*r = (struct read){ 0 };
	arena_init(&r->mem);
	return compdb_read((struct span){ (const uint8_t *)text, strlen(text) }, &r->mem, &r->db, &r->err);
}

static void release(struct read *r)
{
	vec_release(&r->db);
	strbuf_release(&r->err);
	arena_release(&r->mem);
}

static void entries(void **state)
{
	struct read r;

	(void)state;
	assert_true(read_text(&r, " [\n{\"directory\": \"/b\", \"command\":\"cc -c a.c\",\"file\":\"a.c\", \"output\":\"a.o\"},\n"
				  "{ \"x\" : [ {\"y\": [[], {}, -1.5e+3, true, null, \"]\"]} ], \"file\":\"/s/b.c\",\"directory\":\"/b\","
				  "\"arguments\" : [\"cc\", \"-DX=\\\"\\u00e4\\uD83D\\uDE00\\\\\", \"\"] } ] \n"));
	assert_int_equal(r.db.len, 2);
	assert_string_equal(r.db.data[0].directory, "/b");
	assert_string_equal(r.db.data[0].file, "a.c");
	assert_string_equal(r.db.data[0].output, "a.o");
	assert_string_equal(r.db.data[0].command, "cc -c a.c");
	assert_null(r.db.data[0].arguments);
	assert_null(r.db.data[1].command);
	assert_null(r.db.data[1].output);
	assert_string_equal(r.db.data[1].arguments[0], "cc");
	assert_string_equal(r.db.data[1].arguments[1], "-DX=\"\xc3\xa4\xf0\x9f\x98\x80\\");
	assert_string_equal(r.db.data[1].arguments[2], "");
	assert_null(r.db.data[1].arguments[3]);
	release(&r);
	assert_true(read_text(&r, "[]"));
	assert_int_equal(r.db.len, 0);
	release(&r);
}

static void arguments_count_more(void **state)
{
	struct read r;

	(void)state;
	assert_true(read_text(&r, "[{\"directory\":\"/\",\"file\":\"a\",\"command\":\"x\",\"arguments\":[\"y\"]}]"));
	assert_null(r.db.data[0].command);
	assert_string_equal(r.db.data[0].arguments[0], "y");
	release(&r);
	assert_true(read_text(&r, "[{\"directory\":\"/\",\"file\":\"a\",\"command\":\"x\",\"arguments\":[]}]"));
	assert_string_equal(r.db.data[0].command, "x");
	release(&r);
}

#define ENTRY "{\"directory\":\"/\",\"file\":\"a\",\"command\":\"x\"}"

static void refused(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "", "line 1: '[' expected" },
		{ "{}", "line 1: '[' expected" },
		{ "[", "line 1: '{' expected" },
		{ "[" ENTRY, "line 1: ']' expected" },
		{ "[" ENTRY ",]", "line 1: '{' expected" },
		{ "[" ENTRY "] x", "line 1: text behind the end" },
		{ "[\n{\"file\":\"a\",\"command\":\"x\"}]", "line 2: an entry without directory, file, or command" },
		{ "[{}]", "line 1: an entry without directory, file, or command" },
		{ "[{\"a\":\"\\ud800x\"}]", "line 1: half a character in a string" },
		{ "[{\"a\":\"\\udc00\"}]", "line 1: half a character in a string" },
		{ "[{\"a\":\"\\u0000\"}]", "line 1: a zero byte in a string" },
		{ "[{\"a\":\"\\u12g4\"}]", "line 1: \\u needs four hexadecimal digits" },
		{ "[{\"a\":\"\\x\"}]", "line 1: unknown escape in a string" },
		{ "[{\"a\":\"\n\"}]", "line 2: a control character in a string" },
		{ "[{\"a\":\"b", "line 1: a string has no end" },
		{ "[{\"file\":1}]", "line 1: '\"' expected" },
		{ "[{\"a\":}]", "line 1: a value expected" },
		{ "[{\"a\":[1,}]", "line 1: a value expected" },
		{ "[{\"a\":{\"b\":1]}]", "line 1: '}' expected" },
		{ "[{\"arguments\":[\"a\",1]}]", "line 1: '\"' expected" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct read r;
		assert_false(read_text(&r, cases[i].text));
		assert_string_equal(r.err.s, cases[i].why);
		release(&r);
	}
}

static void depth_is_bounded(void **state)
{
	for (int depth = 1; depth < 200000; depth *= 3) {
		struct strbuf text = { 0 };
		struct read r;
		strbuf_adds(&text, "[{\"directory\":\"/\",\"file\":\"a\",\"command\":\"x\",\"z\":");
		for (int i = 0; i < depth; i++)
			strbuf_addch(&text, '[');
		for (int i = 0; i < depth; i++)
			strbuf_addch(&text, ']');
		strbuf_adds(&text, "}]");
		assert_int_equal(read_text(&r, text.s), depth <= 65);
		release(&r);
		strbuf_release(&text);
	}
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries),
		cmocka_unit_test(arguments_count_more),
		cmocka_unit_test(refused),
		cmocka_unit_test(depth_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
