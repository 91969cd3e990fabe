/* SPDX-License-Identifier: Apache-2.0 */
// links: base algo analysis/strings
/* Grammars of strings: every operation by example; laws over random grammars, whose strings are derived here by other means; sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "analysis/strings/grammar.h"
#include "base/vec.h"

static const string_node NONE = { 0 };

struct fixture {
	struct languages *ls;
	struct grammar *g;
};

static int start(void **state)
{
	struct fixture *f = mem_zalloc(sizeof *f);

	f->ls = languages_new(NULL);
	f->g = grammar_new(f->ls);
	*state = f;
	return 0;
}

static int finish(void **state)
{
	struct fixture *f = *state;

	grammar_free(f->g);
	languages_free(f->ls);
	free(f);
	return 0;
}

/* Sanitizers watch every allocation. */
static const double SLOWER = SANITIZED ? 20 : 1;

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* --- building --- */

static string_node lit(struct fixture *f, const char *s)
{
	string_node n = grammar_node(f->g);

	grammar_add_literal(f->g, n, str_of(s));
	return n;
}

static string_node lang(struct fixture *f, const char *expression)
{
	string_node n = grammar_node(f->g);

	grammar_add_language(f->g, n, language_of_expression(f->ls, expression));
	return n;
}

static string_node cat(struct fixture *f, string_node a, string_node b)
{
	string_node n = grammar_node(f->g);

	grammar_add_concat(f->g, n, a, b);
	return n;
}

static string_node either(struct fixture *f, string_node a, string_node b)
{
	string_node n = grammar_node(f->g);

	grammar_add_node(f->g, n, a);
	grammar_add_node(f->g, n, b);
	return n;
}

static string_node op2(struct fixture *f, struct operation op, string_node a, string_node b)
{
	string_node n = grammar_node(f->g);

	grammar_add_operation(f->g, n, &op, a, b);
	return n;
}

static string_node op(struct fixture *f, struct operation o, string_node a)
{
	return op2(f, o, a, NONE);
}

static void is(struct fixture *f, string_node n, const char *expected)
{
	struct strbuf b = { 0 };

	language_print(f->ls, grammar_language(f->g, n), 50, &b);
	assert_string_equal(strbuf_str(&b).p, expected);
	strbuf_release(&b);
}

static void like(struct fixture *f, string_node n, const char *expression)
{
	assert_true(language_equals(f->ls, grammar_language(f->g, n), language_of_expression(f->ls, expression)));
}

static bool can_be(struct fixture *f, string_node n, const char *s)
{
	return language_contains(grammar_language(f->g, n), str_of(s));
}

/* --- examples --- */

static void test_plain(void **state)
{
	struct fixture *f = *state;
	string_node a = either(f, lit(f, "a"), lit(f, "b")), s = cat(f, a, cat(f, lit(f, "-"), a));

	is(f, s, "a-a|a-b|b-a|b-b");
	is(f, grammar_node(f->g), "[]");
	is(f, cat(f, a, grammar_node(f->g)), "[]");
	grammar_add_literal(f->g, a, STR("c"));
	assert_int_equal(language_list(f->ls, grammar_language(f->g, s), 50).n, 9);
}

/* s = "x"; while (...) s = s + "ab"; and the other way round: exact. */
static void test_loops(void **state)
{
	struct fixture *f = *state;
	string_node s = lit(f, "x"), t = lit(f, "x"), u = lit(f, "u"), v = grammar_node(f->g);

	grammar_add_concat(f->g, s, s, lit(f, "ab"));
	is(f, s, "x(ab)*");
	grammar_add_concat(f->g, t, lit(f, "ab"), t);
	is(f, t, "(ab)*x");
	grammar_add_node(f->g, v, u);
	grammar_add_node(f->g, u, v);
	grammar_add_literal(f->g, v, STR("v"));
	is(f, u, "u|v");
	is(f, v, "u|v");
}

/* "(" s ")" is not regular: some parentheses, and some of the others. */
static void test_nesting(void **state)
{
	struct fixture *f = *state;
	string_node s = lit(f, "x"), open = cat(f, lit(f, "("), s);

	grammar_add_concat(f->g, s, open, lit(f, ")"));
	is(f, s, "\\(*x\\)*");
	is(f, open, "\\(+x\\)*");
	assert_false(language_is_widened(grammar_language(f->g, s)));
	string_node t = lit(f, "y");

	grammar_add_concat(f->g, t, t, t);
	is(f, t, "y+");
}

static void test_substrings(void **state)
{
	struct fixture *f = *state;
	string_node s = either(f, lit(f, "abc"), lit(f, "\xc3\xa4x")), i = lang(f, "ab*c");
	uint32_t any = POSITION_UNKNOWN, end = POSITION_END;

	is(f, op(f, (struct operation){ .kind = OP_SUBSTRING, .from = 1, .to = 2 }, s), "b|x");
	is(f, op(f, (struct operation){ .kind = OP_SUBSTRING, .from = 1, .to = end }, s), "bc|x");
	is(f, op(f, (struct operation){ .kind = OP_SUBSTRING, .from = 3, .to = end }, s), "()");
	is(f, op(f, (struct operation){ .kind = OP_SUBSTRING, .from = 4, .to = end }, s), "[]");
	is(f, op(f, (struct operation){ .kind = OP_SUBSTRING, .from = 0, .to = any }, s), "()|a|ab|abc|ä|äx");
	is(f, op(f, (struct operation){ .kind = OP_SUBSTRING, .from = any, .to = end }, s), "()|abc|bc|c|x|äx");
	is(f, op(f, (struct operation){ .kind = OP_SUBSTRING, .from = any, .to = 1 }, s), "()|a|ä");
	is(f, op(f, (struct operation){ .kind = OP_SUBSTRING, .from = 1, .to = end }, i), "b*c");
	is(f, op(f, (struct operation){ .kind = OP_SUBSTRING, .from = 0, .to = 2 }, i), "ab|ac");
	like(f, op(f, (struct operation){ .kind = OP_SUBSTRING, .from = any, .to = any }, i), "(ab*|b*)c?");
	is(f, op(f, (struct operation){ .kind = OP_CHAR_AT, .from = 0 }, s), "a|ä");
	is(f, op(f, (struct operation){ .kind = OP_CHAR_AT, .from = any }, i), "a|b|c");
	is(f, op(f, (struct operation){ .kind = OP_SPLIT, .what = STR("\\.") }, lit(f, "java.lang..Object")), "()|Object|java|lang");
	is(f, op(f, (struct operation){ .kind = OP_SPLIT, .what = STR("b") }, i), "()|a|ac|c");
}

static void test_replacements(void **state)
{
	struct fixture *f = *state;
	string_node s = lit(f, "a.b.c"), i = lang(f, "(ab)+"), r;

	is(f, op(f, (struct operation){ .kind = OP_REPLACE, .what = STR("."), .with = STR("/") }, s), "a/b/c");
	is(f, op(f, (struct operation){ .kind = OP_REPLACE, .what = STR(".b"), .with = STR("") }, s), "a\\.c");
	is(f, op(f, (struct operation){ .kind = OP_REPLACE, .what = STR(""), .with = STR("-") }, lit(f, "xy")), "-x-y-");
	is(f, op(f, (struct operation){ .kind = OP_REPLACE, .what = STR("a"), .with = STR("xy") }, i), "(xyb)+");
	is(f, op(f, (struct operation){ .kind = OP_REPLACE, .what = STR("b"), .with = STR("") }, i), "a+");
	is(f, op(f, (struct operation){ .kind = OP_REPLACE, .what = STR("zz"), .with = STR("y") }, i), "(ab)+");
	r = op(f, (struct operation){ .kind = OP_REPLACE, .what = STR("ba"), .with = STR("-") }, i);
	assert_true(can_be(f, r, "ab") && can_be(f, r, "a-b") && can_be(f, r, "a--b") && !can_be(f, r, "axb"));
	is(f, op(f, (struct operation){ .kind = OP_REPLACE_ALL, .what = STR("\\."), .with = STR("/") }, s), "a/b/c");
	is(f, op(f, (struct operation){ .kind = OP_REPLACE_FIRST, .what = STR("\\."), .with = STR("\\$") }, s), "a\\$b\\.c");
	is(f, op(f, (struct operation){ .kind = OP_REPLACE_ALL, .what = STR("[.]b"), .with = STR("$0+") }, s), "[$+.0a-c]*");
}

static void test_case_and_blanks(void **state)
{
	struct fixture *f = *state;
	string_node i = lang(f, " *[A-C]x* *\n");

	is(f, op(f, (struct operation){ .kind = OP_LOWER }, lit(f, "AbC9")), "abc9");
	is(f, op(f, (struct operation){ .kind = OP_UPPER }, lit(f, "AbC9")), "ABC9");
	is(f, op(f, (struct operation){ .kind = OP_LOWER }, lit(f, "\xc3\x84")), ".*");
	like(f, op(f, (struct operation){ .kind = OP_LOWER }, i), " *[a-c]x* *\n");
	is(f, op(f, (struct operation){ .kind = OP_TRIM }, lit(f, " \x01 a b\n")), "a b");
	is(f, op(f, (struct operation){ .kind = OP_STRIP }, lit(f, " \x01 a b\n")), "\\x01 a b");
	is(f, op(f, (struct operation){ .kind = OP_STRIP_LEADING }, lit(f, " a ")), "a ");
	is(f, op(f, (struct operation){ .kind = OP_STRIP_TRAILING }, lit(f, " a ")), " a");
	is(f, op(f, (struct operation){ .kind = OP_TRIM }, i), "[A-C]x*");
	like(f, op(f, (struct operation){ .kind = OP_STRIP_LEADING }, i), "[A-C]x* *\n");
	is(f, op(f, (struct operation){ .kind = OP_STRIP_TRAILING }, i), " *[A-C]x*");
	assert_false(can_be(f, op(f, (struct operation){ .kind = OP_TRIM }, lang(f, "[^x]*")), " a"));
}

static void test_builders(void **state)
{
	struct fixture *f = *state;
	string_node s = lit(f, "abc"), t = either(f, lit(f, "x"), lit(f, "yz")), i = lang(f, "ab*");
	uint32_t any = POSITION_UNKNOWN;

	is(f, op(f, (struct operation){ .kind = OP_REVERSE }, s), "cba");
	is(f, op(f, (struct operation){ .kind = OP_REVERSE }, i), "b*a");
	is(f, op(f, (struct operation){ .kind = OP_REVERSE }, lit(f, "\xc3\xa4\xed\xa0\xbd\xed\xb8\x80z")), "z😀ä");
	is(f, op2(f, (struct operation){ .kind = OP_INSERT, .from = 1 }, s, t), "axbc|ayzbc");
	is(f, op2(f, (struct operation){ .kind = OP_INSERT, .from = 4 }, s, t), "[]");
	is(f, op2(f, (struct operation){ .kind = OP_INSERT, .from = any }, lit(f, "ab"), lit(f, "-")), "-ab|a-b|ab-");
	is(f, op2(f, (struct operation){ .kind = OP_INSERT, .from = 1 }, i, t), "a(x|yz)b*");
	is(f, op(f, (struct operation){ .kind = OP_DELETE, .from = 1, .to = 9 }, s), "a");
	is(f, op(f, (struct operation){ .kind = OP_DELETE, .from = 0, .to = 1 }, s), "bc");
	is(f, op(f, (struct operation){ .kind = OP_DELETE, .from = 1, .to = POSITION_END }, i), "a");
	is(f, op(f, (struct operation){ .kind = OP_DELETE_CHAR, .from = any }, s), "ab|ac|bc");
	is(f, op(f, (struct operation){ .kind = OP_DELETE_CHAR, .from = 0 }, i), "b*");
	is(f, op2(f, (struct operation){ .kind = OP_SET_CHAR, .from = 1 }, s, lit(f, "-")), "a-c");
	is(f, op2(f, (struct operation){ .kind = OP_SET_CHAR, .from = 0 }, i, lit(f, "-")), "-b*");
	is(f, op(f, (struct operation){ .kind = OP_SET_LENGTH, .to = 2 }, s), "ab");
	is(f, op(f, (struct operation){ .kind = OP_SET_LENGTH, .to = 4 }, s), "abc\\xc0\\x80");
	is(f, op(f, (struct operation){ .kind = OP_SET_LENGTH, .to = 0 }, i), "()");
	is(f, op(f, (struct operation){ .kind = OP_REPEAT, .from = 2 }, t), "xx|yzyz");
	is(f, op(f, (struct operation){ .kind = OP_REPEAT, .from = any }, s), "(abc)*");
	is(f, op2(f, (struct operation){ .kind = OP_MIX }, s, t), "[a-cx-z]*");
}

static void test_filters(void **state)
{
	struct fixture *f = *state;
	string_node s = either(f, lit(f, "ab"), either(f, lit(f, "cd"), lang(f, "x*")));
	const struct language *c = language_starting(f->ls, STR("c"));

	is(f, op(f, (struct operation){ .kind = OP_FILTER, .filter = c }, s), "cd");
	is(f, op(f, (struct operation){ .kind = OP_FILTER, .filter = language_of(f->ls, STR("xx")) }, s), "xx");
	like(f, op(f, (struct operation){ .kind = OP_FILTER, .filter = language_complement(f->ls, c) }, s), "ab|x*");
	like(f, op(f, (struct operation){ .kind = OP_EXCEPT, .filter = c }, s), "ab|x*");
	is(f, op(f, (struct operation){ .kind = OP_EXCEPT, .filter = c }, either(f, lit(f, "ab"), lit(f, "cd"))), "ab");
	string_node any = grammar_node(f->g);
	grammar_add_language(f->g, any, language_any(f->ls));
	assert_true(language_is_any(grammar_language(f->g, op(f, (struct operation){ .kind = OP_EXCEPT, .filter = c }, any))));
	/* In a loop a filter lets everything pass. */
	string_node t = lit(f, "a"), u = grammar_node(f->g);
	struct operation no_b = { .kind = OP_FILTER, .filter = language_complement(f->ls, language_containing(f->ls, STR("b"))) };

	grammar_add_operation(f->g, u, &no_b, t, NONE);
	is(f, u, "a");
	grammar_add_concat(f->g, t, u, lit(f, "b"));
	is(f, t, "ab*");
}

/* s = s.substring(...) + "x": characters are all that is known. */
static void test_operations_in_loops(void **state)
{
	struct fixture *f = *state;
	string_node s = lit(f, "ab"), t = lit(f, "q"), c = grammar_node(f->g);
	string_node cut = op(f, (struct operation){ .kind = OP_SUBSTRING, .from = 1, .to = POSITION_END }, s);

	grammar_add_concat(f->g, s, cut, lit(f, "x"));
	like(f, s, "[abx]*x|ab");
	struct operation first = { .kind = OP_CHAR_AT, .from = 0 };

	grammar_add_operation(f->g, c, &first, t, NONE);
	grammar_add_concat(f->g, t, lit(f, "yz"), c);
	is(f, t, "q|yzq|yzy|yzz");
}

static string_node format(struct fixture *f, const char *text, string_node a, string_node b)
{
	string_node n = grammar_node(f->g), args[] = { a, b };

	grammar_add_format(f->g, n, str_of(text), args, b.i ? 2 : a.i ? 1 : 0);
	return n;
}

static void test_formats(void **state)
{
	struct fixture *f = *state;
	string_node s = either(f, lit(f, "ab"), lit(f, "c")), i = lit(f, "17"), n;

	is(f, format(f, "x%s-%d", s, i), "xab-17|xc-17");
	is(f, format(f, "100%%", NONE, NONE), "100%");
	is(f, format(f, "%n", NONE, NONE), "\\n|\\r\\n");
	is(f, format(f, "%2$s%1$s%<s", s, i), "17abab|17abc|17cab|17cc");
	is(f, format(f, "%S", s, NONE), "AB|C");
	is(f, format(f, "%.1s", s, NONE), "()|a|ab|c");
	is(f, format(f, "%c", lit(f, "q"), NONE), "q");
	like(f, format(f, "%d", NONE, NONE), "-?[0-9]+|null");
	is(f, format(f, "%b!", s, NONE), "false!|true!");
	n = format(f, "<%-5s>%05d", s, i);
	assert_true(can_be(f, n, "<ab   >00017") && !can_be(f, n, "ab>17"));
	n = format(f, "%c", i, NONE);
	assert_true(can_be(f, n, "\xc2\x80") && !can_be(f, n, "abc"));
	n = format(f, "%08x %tY", i, i);
	assert_true(can_be(f, n, "00000011 2024") && can_be(f, n, "ff ") && !can_be(f, n, "zz "));
	n = format(f, "%,.2f%e", NONE, NONE);
	assert_true(can_be(f, n, "1.234,501.0e+10"));
	is(f, format(f, "%", s, NONE), ".*");
	is(f, format(f, "%q", s, NONE), ".*");
	is(f, format(f, "%s%s", s, NONE), "(c|ab).*");
}

/* --- laws: random grammars, and strings that are derived from them --- */

enum { NODES = 12, CHARS = 40 };

struct text {
	uint16_t c[CHARS];
	uint32_t n;
	bool failed;                  /* too long, or Java would throw */
};

struct rule {
	string_node at, a, b;
	char kind;                    /* l literal, n node, c concat, o operation */
	const char *literal;
	struct operation op;
};

struct law {
	struct fixture f;
	string_node nodes[NODES];
	VEC(struct rule) rules;
};

static const char *const WORDS[] = { "", "a", "b", "Ab", " a ", "bba", "\xc3\xa4", "a\xe2\x82\xac" "b", "ab" };
static const char *const PLAIN[] = { "", "a", "b", "ab", "bb" };

static struct text decode(const char *s)
{
	struct text t = { .n = 0 };

	while (*s) {
		unsigned char b = (unsigned char)*s++;
		uint16_t c = b;

		if (b >= 0xe0) {
			c = (uint16_t)((b & 15) << 12 | (s[0] & 63) << 6 | (s[1] & 63));
			s += 2;
		} else if (b >= 0xc0) {
			c = (uint16_t)((b & 31) << 6 | (s[0] & 63));
			s++;
		}
		t.c[t.n++] = c;
	}
	return t;
}

static struct str encode(const struct text *t, char *to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		uint16_t c = t->c[i];

		if (c && c < 0x80) {
			to[n++] = (char)c;
		} else if (c < 0x800) {
			to[n++] = (char)(0xc0 | c >> 6);
			to[n++] = (char)(0x80 | (c & 63));
		} else {
			to[n++] = (char)(0xe0 | c >> 12);
			to[n++] = (char)(0x80 | (c >> 6 & 63));
			to[n++] = (char)(0x80 | (c & 63));
		}
	}
	return (struct str){ to, n };
}

static void push(struct text *t, const uint16_t *c, uint32_t n)
{
	if (t->n + n > CHARS) {
		t->failed = true;
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		t->c[t->n++] = c[i];
}

static struct text part(struct text s, uint32_t from, uint32_t to)
{
	struct text t = { .failed = from > to || to > s.n };

	if (!t.failed)
		push(&t, s.c + from, to - from);
	return t;
}

static struct text joined(struct text a, struct text b)
{
	a.failed |= b.failed;
	push(&a, b.c, b.n);
	return a;
}

static uint32_t chosen(uint32_t position, uint32_t most)
{
	return position == POSITION_UNKNOWN ? (uint32_t)rand() % (most + 1) : position == POSITION_END ? most : position;
}

static struct text replaced(struct text s, const char *what, const char *with, bool all)
{
	struct text w = decode(what), by = decode(with), t = { .n = 0 };
	bool done = false;

	for (uint32_t i = 0; i <= s.n;) {
		bool here = !done && i + w.n <= s.n && !memcmp(s.c + i, w.c, w.n * sizeof *w.c);

		if (here) {
			push(&t, by.c, by.n);
			done = !all;
		}
		if (here && w.n) {
			i += w.n;
			continue;
		}
		if (i < s.n)
			push(&t, s.c + i, 1);
		i++;
	}
	return t;
}

static struct text stripped(struct text s, bool left, bool right)
{
	uint32_t from = 0, to = s.n;

	while (left && from < to && s.c[from] == ' ')
		from++;
	while (right && to > from && s.c[to - 1] == ' ')
		to--;
	return part(s, from, to);
}

static struct text piece(struct text s, const char *by)
{
	struct text w = decode(by);
	uint32_t from = (uint32_t)rand() % (s.n + 1), to;

	while (from > 0 && !(from >= w.n && !memcmp(s.c + from - w.n, w.c, w.n * sizeof *w.c)))
		from--;
	for (to = from; to < s.n && !(to + w.n <= s.n && !memcmp(s.c + to, w.c, w.n * sizeof *w.c)); to++)
		;
	return part(s, from, to);
}

static uint16_t other_case(uint16_t c, bool lower)
{
	if (c == 0xe4)
		return lower ? 0xe4 : 0xc4;
	return lower && c >= 'A' && c <= 'Z' ? c + 32 : !lower && c >= 'a' && c <= 'z' ? c - 32 : c;
}

static struct text operated(const struct operation *o, struct text s, struct text b)
{
	uint32_t from = chosen(o->from, s.n), to = chosen(o->to, s.n);
	struct text t = { .n = 0 };

	switch (o->kind) {
	case OP_SUBSTRING: return part(s, from, to);
	case OP_CHAR_AT: return part(s, from, from + 1);
	case OP_REPLACE: return replaced(s, o->what.p, o->with.p, true);
	case OP_REPLACE_ALL: return replaced(s, o->what.p, o->with.p, true);
	case OP_REPLACE_FIRST: return replaced(s, o->what.p, o->with.p, false);
	case OP_TRIM: case OP_STRIP: return stripped(s, true, true);
	case OP_STRIP_LEADING: return stripped(s, true, false);
	case OP_STRIP_TRAILING: return stripped(s, false, true);
	case OP_LOWER: case OP_UPPER:
		for (uint32_t i = 0; i < s.n; i++)
			s.c[i] = other_case(s.c[i], o->kind == OP_LOWER);
		return s;
	case OP_REVERSE:
		for (uint32_t i = s.n; i-- > 0;)
			push(&t, s.c + i, 1);
		return t;
	case OP_INSERT: return from > s.n ? part(s, 1, 0) : joined(joined(part(s, 0, from), b), part(s, from, s.n));
	case OP_DELETE: return from > s.n || from > to ? part(s, 1, 0) : joined(part(s, 0, from), part(s, to < s.n ? to : s.n, s.n));
	case OP_DELETE_CHAR: return from >= s.n ? part(s, 1, 0) : joined(part(s, 0, from), part(s, from + 1, s.n));
	case OP_SET_CHAR: return from >= s.n ? part(s, 1, 0) : joined(joined(part(s, 0, from), b), part(s, from + 1, s.n));
	case OP_SET_LENGTH:
		for (t = part(s, 0, to < s.n ? to : s.n); t.n < to && !t.failed;)
			push(&t, (uint16_t[]){ 0 }, 1);
		return t;
	case OP_REPEAT:
		for (uint32_t i = 0; i < chosen(o->from, 3); i++)
			push(&t, s.c, s.n);
		return t;
	case OP_SPLIT: return piece(s, o->what.p);
	case OP_FILTER:
	case OP_EXCEPT: {
		char bytes[3 * CHARS];

		s.failed |= language_contains(o->filter, encode(&s, bytes)) != (o->kind == OP_FILTER);
		return s;
	}
	case OP_MIX: return rand() % 2 ? joined(s, b) : joined(b, s);
	}
	return part(s, 1, 0);
}

static struct text derive(const struct law *l, string_node n, int fuel)
{
	struct text failed = { .failed = true }, a, b = { .n = 0 };
	uint32_t from = (uint32_t)rand() % l->rules.len;

	for (uint32_t k = 0; k < l->rules.len && fuel > 0; k++) {
		const struct rule *r = &l->rules.data[(from + k) % l->rules.len];

		if (r->at.i != n.i || (rand() % 4 == 0 && fuel > 1))
			continue;
		if (r->kind == 'l')
			return decode(r->literal);
		a = derive(l, r->a, fuel - 1);
		if (r->b.i)
			b = derive(l, r->b, fuel - 1);
		if (a.failed || b.failed)
			return failed;
		return r->kind == 'n' ? a : r->kind == 'c' ? joined(a, b) : operated(&r->op, a, b);
	}
	return failed;
}

static struct operation random_operation(struct languages *ls)
{
	struct operation o = { .kind = (enum operation_kind)(rand() % (OP_MIX + 1)) };

	o.from = rand() % 3 ? (uint32_t)rand() % 4 : POSITION_UNKNOWN;
	o.to = rand() % 3 ? (uint32_t)rand() % 5 : rand() % 2 ? POSITION_UNKNOWN : POSITION_END;
	o.what = str_of(PLAIN[rand() % 5]);
	o.with = str_of(PLAIN[rand() % 5]);
	if (o.kind == OP_SPLIT)
		o.what = str_of(PLAIN[1 + rand() % 4]);
	if (o.kind == OP_SET_LENGTH && o.to == POSITION_END)
		o.to = POSITION_UNKNOWN;
	o.filter = rand() % 2 ? language_containing(ls, STR("a")) : language_complement(ls, language_starting(ls, STR("b")));
	return o;
}

/* `lossless`: literals, nodes and concatenations of nodes before; otherwise anything of anything. */
static void add_rule(struct law *l, bool lossless)
{
	uint32_t at = (uint32_t)rand() % NODES, below = lossless ? at : NODES;
	struct rule r = { .at = l->nodes[at], .kind = below ? "llncoon"[rand() % (lossless ? 4 : 7)] : 'l' };

	r.literal = WORDS[rand() % (int)ARRAY_LEN(WORDS)];
	if (r.kind != 'l')
		r.a = l->nodes[(uint32_t)rand() % below];
	if (r.kind == 'c')
		r.b = l->nodes[(uint32_t)rand() % below];
	if (r.kind == 'o') {
		r.op = random_operation(l->f.ls);
		if (operation_is_binary(r.op.kind))
			r.b = l->nodes[(uint32_t)rand() % below];
		grammar_add_operation(l->f.g, r.at, &r.op, r.a, r.b);
	} else if (r.kind == 'l') {
		grammar_add_literal(l->f.g, r.at, str_of(r.literal));
	} else if (r.kind == 'n') {
		grammar_add_node(l->f.g, r.at, r.a);
	} else {
		grammar_add_concat(l->f.g, r.at, r.a, r.b);
	}
	vec_push(&l->rules, r);
}

static void law_init(struct law *l, const struct language_budget *b)
{
	*l = (struct law){ .f.ls = languages_new(b) };
	l->f.g = grammar_new(l->f.ls);
	for (int i = 0; i < NODES; i++)
		l->nodes[i] = grammar_node(l->f.g);
}

static void law_release(struct law *l)
{
	grammar_free(l->f.g);
	languages_free(l->f.ls);
	vec_release(&l->rules);
}

static void check_derived(struct law *l, int tries, unsigned seed)
{
	char bytes[3 * CHARS];

	for (int i = 0; i < tries; i++) {
		string_node n = l->nodes[rand() % NODES];
		struct text t = derive(l, n, 8);

		if (t.failed)
			continue;
		if (!language_contains(grammar_language(l->f.g, n), encode(&t, bytes))) {
			struct strbuf b = { 0 };

			language_print(l->f.ls, grammar_language(l->f.g, n), 50, &b);
			fail_msg("seed %u: node %u is %s, not %.*s", seed, n.i, b.s, (int)encode(&t, bytes).len, bytes);
		}
	}
}

static void test_derived(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 150; seed++) {
		struct law l;

		srand(seed);
		law_init(&l, NULL);
		for (int i = 0; i < 8 + (int)(seed % 20); i++)
			add_rule(&l, false);
		check_derived(&l, 300, seed);
		law_release(&l);
	}
}

/* Budgets, from none to all, take away precision and nothing else. */
static struct language_budget small_budget(unsigned seed)
{
	struct language_budget b = language_budget_default;

	if (seed % 2) {
		b.states = 4 + (uint32_t)rand() % 30;
		b.strings = 1 + (uint32_t)rand() % 20;
		b.bytes = 10 + (uint32_t)rand() % 100;
	}
	if (seed % 3)
		b.steps = (uint64_t)rand() % 20000;
	if (seed % 5 == 0)
		b.all_steps = (uint64_t)rand() % 100000;
	return b;
}

static void check_growth(struct law *l, const struct language **before, unsigned seed)
{
	for (int i = 0; i < NODES; i++) {
		if (rand() % 3)
			continue;
		const struct language *now = grammar_language(l->f.g, l->nodes[i]);

		if (before[i] && !language_includes(l->f.ls, now, before[i])) {
			struct strbuf b = { 0 };

			language_print(l->f.ls, before[i], 50, &b);
			strbuf_adds(&b, "   became   ");
			language_print(l->f.ls, now, 50, &b);
			fail_msg("seed %u: node %u was %s", seed, i + 1, b.s);
		}
		before[i] = now;
	}
}

static void test_monotone(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 200; seed++) {
		struct law l;
		const struct language *before[NODES] = { 0 };

		srand(seed);
		struct language_budget b = small_budget(seed);

		law_init(&l, &b);
		for (int i = 0; i < 30; i++) {
			add_rule(&l, false);
			check_growth(&l, before, seed);
		}
		check_derived(&l, 50, seed);
		law_release(&l);
	}
}

/* All languages, as text; `waste` puts everything elsewhere in memory. */
static void describe(unsigned seed, uint32_t waste, struct strbuf *to)
{
	struct law l;
	VEC(void *) wasted = { 0 };

	for (uint32_t i = 0; i < waste; i++)
		vec_push(&wasted, mem_alloc(16 + i * 7 % 200));
	for (uint32_t i = 0; i < waste; i += 3) {
		free(wasted.data[i]);
		wasted.data[i] = NULL;
	}
	srand(seed);
	struct language_budget b = small_budget(seed);

	law_init(&l, &b);
	for (int i = 0; i < 30; i++)
		add_rule(&l, false);
	for (int i = 0; i < NODES; i++) {
		language_print(l.f.ls, grammar_language(l.f.g, l.nodes[i]), 50, to);
		strbuf_addch(to, '\n');
	}
	law_release(&l);
	for (uint32_t i = 0; i < waste; i++)
		free(wasted.data[i]);
	vec_release(&wasted);
}

/* libfa orders by addresses; nothing may depend on them, not even what a budget is used for. */
static void test_repeatable(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 100; seed++) {
		struct strbuf a = { 0 }, b = { 0 };

		describe(seed, 0, &a);
		describe(seed, 5000, &b);
		assert_string_equal(a.s, b.s);
		strbuf_release(&a);
		strbuf_release(&b);
	}
}

/* --- exactness --- */

struct brute {
	VEC(struct str) strings;
	bool large;                   /* too many to list */
};

static void brute_add(struct brute *b, struct str s, struct arena *a)
{
	for (uint32_t i = 0; i < b->strings.len; i++)
		if (str_eq(b->strings.data[i], s))
			return;
	vec_push(&b->strings, ((struct str){ arena_copy(a, s.p, s.len), s.len }));
}

static void brute_rule(struct brute *all, const struct rule *r, struct arena *a)
{
	struct brute *to = &all[r->at.i], *x = &all[r->a.i], *y = &all[r->b.i];

	to->large |= x->large || y->large || (uint64_t)x->strings.len * y->strings.len > 2000;
	if (to->large)
		return;

	if (r->kind == 'l')
		brute_add(to, str_of(r->literal), a);
	for (uint32_t i = 0; r->kind == 'n' && i < x->strings.len; i++)
		brute_add(to, x->strings.data[i], a);
	for (uint32_t i = 0; r->kind == 'c' && i < x->strings.len; i++) {
		for (uint32_t k = 0; k < y->strings.len; k++) {
			struct strbuf b = { 0 };

			strbuf_addstr(&b, x->strings.data[i]);
			strbuf_addstr(&b, y->strings.data[k]);
			brute_add(to, strbuf_str(&b), a);
			strbuf_release(&b);
		}
	}
}

static void test_exact(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 150; seed++) {
		struct law l;
		struct brute all[NODES + 1] = { 0 };
		struct arena a;

		srand(seed);
		arena_init(&a);
		law_init(&l, NULL);
		for (int i = 0; i < 20; i++)
			add_rule(&l, true);
		for (uint32_t n = 1; n <= NODES; n++)
			for (uint32_t k = 0; k < l.rules.len; k++)
				if (l.rules.data[k].at.i == n)
					brute_rule(all, &l.rules.data[k], &a);
		for (uint32_t n = 1; n <= NODES; n++) {
			const struct language *is_now = grammar_language(l.f.g, (string_node){ n });

			assert_true(all[n].large || (language_is_finite(is_now) && !language_is_widened(is_now)));
			if (!all[n].large)
				assert_int_equal(language_list(l.f.ls, is_now, UINT32_MAX).n, all[n].strings.len);
			for (uint32_t i = 0; i < all[n].strings.len; i++)
				assert_true(language_contains(is_now, all[n].strings.data[i]));
			vec_release(&all[n].strings);
		}
		law_release(&l);
		arena_release(&a);
	}
}

/* --- sizes --- */

static void test_deep_chains(void **state)
{
	struct fixture *f = *state;
	string_node copy = lit(f, "x"), first = copy, sum = lit(f, "x"), turned = lit(f, "ab"), tail = lang(f, "a*");
	double begin = seconds();

	for (int i = 0; i < 15000; i++) {
		string_node next = grammar_node(f->g);

		grammar_add_node(f->g, next, copy);
		copy = next;
		sum = cat(f, sum, lit(f, "y"));
		turned = op(f, (struct operation){ .kind = OP_REVERSE }, turned);
		tail = cat(f, tail, lit(f, "bc"));
	}
	is(f, copy, "x");
	is(f, turned, "ab");
	assert_true(language_is_any(grammar_language(f->g, sum)));
	assert_true(language_is_widened(grammar_language(f->g, tail)));
	/* all of them are one loop */
	grammar_add_node(f->g, first, copy);
	is(f, copy, "x");
	assert_true(seconds() - begin < 5 * SLOWER);
}

/* What is made of more nodes than anybody has use for is any string. It says nothing about the nodes. */
static void test_large_question(void **state)
{
	struct fixture *f = *state;
	string_node last = lit(f, "x"), near = { 0 };
	double begin = seconds();

	for (int i = 0; i < 100000; i++) {
		string_node next = grammar_node(f->g);

		grammar_add_node(f->g, next, last);
		last = next;
		near = i == 1000 ? next : near;
	}
	assert_true(language_is_widened(grammar_language(f->g, last)));
	is(f, near, "x");
	grammar_add_literal(f->g, near, STR("y"));
	assert_true(language_is_widened(grammar_language(f->g, last)));
	assert_true(seconds() - begin < 1 * SLOWER);
}

/* Nobody looks at what else there is where any string is taken over. */
static void test_any_among_others(void **state)
{
	struct fixture *f = *state;
	string_node any = grammar_node(f->g), taken = grammar_node(f->g), user = grammar_node(f->g);
	string_node much = either(f, lit(f, "a"), lit(f, "b"));
	string_node later = grammar_node(f->g), on = cat(f, lit(f, "-"), later), loop = grammar_node(f->g);

	grammar_add_language(f->g, any, language_any(f->ls));
	for (int i = 0; i < 40; i++)
		much = cat(f, much, much);
	grammar_add_node(f->g, taken, much);
	grammar_add_node(f->g, taken, loop);
	grammar_add_node(f->g, loop, taken);
	grammar_add_node(f->g, taken, any);
	grammar_add_node(f->g, user, taken);
	assert_true(language_is_any(grammar_language(f->g, user)) && language_is_any(grammar_language(f->g, loop)));
	assert_true(language_equals(f->ls, grammar_language(f->g, cat(f, lit(f, "x"), user)), language_starting(f->ls, STR("x"))));
	assert_int_equal(languages_given_up(f->ls), 0);
	/* What was asked for before it became any string is asked again. */
	grammar_add_literal(f->g, later, STR("z"));
	is(f, on, "-z");
	grammar_add_node(f->g, later, user);
	assert_true(language_is_any(grammar_language(f->g, later)));
	assert_true(language_equals(f->ls, grammar_language(f->g, on), language_starting(f->ls, STR("-"))));
	grammar_add_literal(f->g, later, STR("y"));
	grammar_add_literal(f->g, grammar_node(f->g), STR("y"));
	assert_true(language_equals(f->ls, grammar_language(f->g, on), language_starting(f->ls, STR("-"))));
	assert_int_equal(languages_given_up(f->ls), 0);
}

static void test_wide_union(void **state)
{
	struct fixture *f = *state;
	string_node n = grammar_node(f->g);
	char text[40];
	double begin = seconds();

	srand(1);
	for (int i = 0; i < 10000; i++) {
		for (size_t k = 0; k < sizeof text; k++)
			text[k] = (char)('a' + rand() % 26);
		grammar_add_literal(f->g, n, (struct str){ text, sizeof text });
	}
	assert_int_equal(language_list(f->ls, grammar_language(f->g, n), 20000).n, 10000);
	assert_int_equal(language_list(f->ls, grammar_language(f->g, op(f, (struct operation){ .kind = OP_UPPER }, n)), 20000).n, 10000);
	assert_true(seconds() - begin < 1 * SLOWER);
}

/* Everything is made of everything: many nodes, all recursive on both sides. */
static void test_large_loop(void **state)
{
	struct fixture *f = *state;
	string_node nodes[1000];
	double begin = seconds();

	for (int i = 0; i < 1000; i++)
		nodes[i] = lit(f, i % 2 ? "a" : "b");
	for (int i = 0; i < 1000; i++)
		grammar_add_concat(f->g, nodes[i], nodes[(i * 7 + 1) % 1000], nodes[(i * 3 + 2) % 1000]);
	for (int i = 0; i < 1000; i++)
		assert_true(can_be(f, nodes[i], i % 2 ? "a" : "b"));
	assert_true(seconds() - begin < 2 * SLOWER);
}

/* Sizes that multiply: strings of two to the i-th characters, and as many strings. */
static void test_doubling(void **state)
{
	struct fixture *f = *state;
	string_node s = either(f, lit(f, "a"), lit(f, "b"));
	double begin = seconds();

	for (int i = 0; i < 40; i++)
		s = cat(f, s, s);
	assert_true(can_be(f, s, "ab"));
	assert_true(seconds() - begin < 1 * SLOWER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_plain, start, finish),
		cmocka_unit_test_setup_teardown(test_loops, start, finish),
		cmocka_unit_test_setup_teardown(test_nesting, start, finish),
		cmocka_unit_test_setup_teardown(test_substrings, start, finish),
		cmocka_unit_test_setup_teardown(test_replacements, start, finish),
		cmocka_unit_test_setup_teardown(test_case_and_blanks, start, finish),
		cmocka_unit_test_setup_teardown(test_builders, start, finish),
		cmocka_unit_test_setup_teardown(test_filters, start, finish),
		cmocka_unit_test_setup_teardown(test_operations_in_loops, start, finish),
		cmocka_unit_test_setup_teardown(test_formats, start, finish),
		cmocka_unit_test(test_derived),
		cmocka_unit_test(test_monotone),
		cmocka_unit_test(test_repeatable),
		cmocka_unit_test(test_exact),
		cmocka_unit_test_setup_teardown(test_deep_chains, start, finish),
		cmocka_unit_test_setup_teardown(test_large_question, start, finish),
		cmocka_unit_test_setup_teardown(test_any_among_others, start, finish),
		cmocka_unit_test_setup_teardown(test_wide_union, start, finish),
		cmocka_unit_test_setup_teardown(test_large_loop, start, finish),
		cmocka_unit_test_setup_teardown(test_doubling, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
