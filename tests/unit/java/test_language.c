/* SPDX-License-Identifier: Apache-2.0 */
// links: base algo analysis/strings
/* Regular languages, by example and by law: what libfa is given and gives back, bytes that mean something to it, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "analysis/strings/language.h"
#include "base/vec.h"

static int start(void **state)
{
	*state = languages_new(NULL);
	return 0;
}

static int finish(void **state)
{
	languages_free(*state);
	return 0;
}

static const struct language *of(struct languages *ls, const char *s)
{
	return language_of(ls, str_of(s));
}

static const struct language *expr(struct languages *ls, const char *s)
{
	return language_of_expression(ls, s);
}

static bool has(const struct language *l, const char *s)
{
	return language_contains(l, str_of(s));
}

static void prints(struct languages *ls, const struct language *l, const char *expected)
{
	struct strbuf b = { 0 };

	language_print(ls, l, 10, &b);
	assert_string_equal(strbuf_str(&b).p, expected);
	strbuf_release(&b);
}

/* Sanitizers watch every allocation. */
static const double SLOWER = SANITIZED ? 20 : 1;

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void test_constants(void **state)
{
	struct languages *ls = *state;

	assert_true(language_is_empty(language_empty(ls)));
	assert_false(has(language_empty(ls), ""));
	assert_true(has(language_any(ls), "x\ny"));
	assert_true(language_is_any(language_any(ls)));
	assert_false(language_is_finite(language_any(ls)));
	assert_false(language_is_widened(language_any(ls)));
	assert_true(language_is_widened(language_widened(ls)));
	assert_true(has(of(ls, "abc"), "abc"));
	assert_false(has(of(ls, "abc"), "ab"));
	assert_true(language_is_empty(language_complement(ls, language_any(ls))));
	assert_true(language_is_any(language_complement(ls, language_empty(ls))));
}

/* Every byte is itself, whatever it means in an expression, in lists, in automata, and within sets. */
static void test_bytes(void **state)
{
	struct languages *ls = *state;
	const struct language *tail = language_iterate(ls, of(ls, "yz"), 1, LANGUAGE_UNBOUNDED);

	for (unsigned b = 0; b < 256; b++) {
		char text[] = { 'p', (char)b, 'q', 'y', 'z', 'y', 'z' }, other[] = { 'p', (char)(b ^ 1), 'q', 'y', 'z' };
		const struct language *l = language_concat(ls, language_of(ls, (struct str){ text, 3 }), tail);

		languages_ask(ls);
		assert_false(language_is_widened(l));
		assert_false(language_is_finite(l));
		assert_true(language_contains(l, (struct str){ text, 5 }));
		assert_true(language_contains(l, (struct str){ text, 7 }));
		assert_false(language_contains(l, (struct str){ text, 3 }));
		assert_false(language_contains(l, (struct str){ other, 5 }));
	}
}

static void test_sets_of_bytes(void **state)
{
	struct languages *ls = *state;

	srand(3);
	for (int round = 0; round < 60; round++) {
		struct byteset set = { { 0 } }, back = { { 0 } };
		const char *special = "]-^[\\";

		for (int i = 0; i < round; i++)
			byteset_add(&set, i % 3 ? (unsigned)rand() % 256 : (unsigned char)special[rand() % 5]);
		languages_ask(ls);
		const struct language *one = language_of_bytes(ls, &set);
		const struct language *l = language_concat(ls, one, language_iterate(ls, of(ls, "ab"), 0, LANGUAGE_UNBOUNDED));

		assert_false(language_is_widened(l));
		for (unsigned b = 0; b < 256; b++) {
			char text[] = { (char)b, 'a', 'b' };

			assert_int_equal(language_contains(l, (struct str){ text, 3 }), byteset_has(&set, b));
			assert_int_equal(language_contains(one, (struct str){ text, 1 }), byteset_has(&set, b));
		}
		language_bytes(one, &back);
		assert_memory_equal(&back, &set, sizeof set);
	}
}

static void test_numbers(void **state)
{
	struct languages *ls = *state;
	const struct language *i = language_of_format(ls, FORMAT_INT), *f = language_of_format(ls, FORMAT_FLOAT);

	assert_true(has(i, "0") && has(i, "-2147483648") && has(i, "17"));
	assert_false(has(i, "-0") || has(i, "") || has(i, "007") || has(i, "1a"));
	assert_true(language_is_finite(i));
	assert_true(language_includes(ls, language_of_format(ls, FORMAT_LONG), i));
	assert_false(language_includes(ls, i, language_of_format(ls, FORMAT_LONG)));
	assert_true(has(f, "1.0E-5") && has(f, "NaN") && has(f, "-0.0") && !has(f, "1"));
	assert_true(has(language_of_format(ls, FORMAT_HEX), "ff"));
	assert_false(has(language_of_format(ls, FORMAT_HEX), "FF"));
	assert_true(has(language_of_format(ls, FORMAT_CHAR), "\xe2\x82\xac"));
	assert_false(has(language_of_format(ls, FORMAT_CHAR), "ab"));
	prints(ls, language_of_format(ls, FORMAT_BOOLEAN), "false|true");
}

static void test_computing(void **state)
{
	struct languages *ls = *state;
	const struct language *digits = expr(ls, "[0-9]+"), *l = language_concat(ls, of(ls, "x"), digits);

	assert_true(has(l, "x12") && !has(l, "x"));
	prints(ls, l, "x[0-9][0-9]*");
	l = language_union(ls, l, of(ls, "x7"));
	prints(ls, l, "x[0-9][0-9]*");
	l = language_union(ls, l, of(ls, "y"));
	assert_true(has(l, "y") && has(l, "x3"));
	l = language_intersect(ls, l, language_starting(ls, STR("y")));
	assert_true(language_is_finite(l));
	prints(ls, l, "y");
	l = language_minus(ls, digits, of(ls, "5"));
	assert_true(has(l, "55") && !has(l, "5") && has(l, "4"));
	l = language_minus(ls, language_of_bytes(ls, &(struct byteset){ { UINT64_C(0x3ff) << 48 } }), expr(ls, "[0-7]*"));
	prints(ls, l, "8|9");
	l = language_iterate(ls, language_union(ls, of(ls, "a"), of(ls, "b")), 2, 3);
	assert_int_equal(language_list(ls, l, 100).n, 12);
	assert_true(has(language_complement(ls, of(ls, "a")), "aa"));
	assert_false(has(language_complement(ls, of(ls, "a")), "a"));
	assert_true(has(language_containing(ls, STR(".*")), "a.*b"));
	assert_false(has(language_containing(ls, STR(".*")), "axb"));
	assert_true(has(language_ending(ls, STR("\n")), "a\n"));
	assert_false(language_is_widened(l));
}

/* libfa 1.14 takes [\x80-\xff] for a part of [\x80-\x90]: inclusion is not asked there. */
static void test_inclusion(void **state)
{
	struct languages *ls = *state;
	const struct language *high = expr(ls, "[\x80-\xff]+"), *part = expr(ls, "[\x80-\x90]+");

	assert_true(language_includes(ls, high, part));
	assert_false(language_includes(ls, part, high));
	assert_true(language_includes(ls, language_any(ls), high));
	assert_false(language_includes(ls, high, language_any(ls)));
	assert_true(language_equals(ls, expr(ls, "(a|b)*"), expr(ls, "(a*b*)*")));
	assert_false(language_includes(ls, of(ls, "a"), expr(ls, "a*")));
	assert_true(language_includes(ls, expr(ls, "a*"), of(ls, "aaa")));
}

static void test_answers(void **state)
{
	struct languages *ls = *state;
	struct str s;
	struct language_list list = language_list(ls, language_union(ls, of(ls, "b"), of(ls, "a")), 1);

	assert_true(list.n == 1 && list.more && str_is(list.s[0], "a"));
	list = language_list(ls, language_of_format(ls, FORMAT_INT), 3);
	assert_true(list.n == 3 && list.more && str_is(list.s[1], "-10"));
	list = language_list(ls, language_any(ls), 3);
	assert_true(list.n == 0 && list.more);
	assert_false(language_example(ls, language_empty(ls), &s));
	assert_true(language_example(ls, language_containing(ls, STR("ab")), &s));
	assert_true(str_is(s, "ab"));
	assert_true(language_example(ls, language_minus(ls, expr(ls, "(ab|c)*"), of(ls, "")), &s));
	assert_true(str_is(s, "c"));
}

static void test_text(void **state)
{
	struct languages *ls = *state;

	prints(ls, language_any(ls), ".*");
	prints(ls, language_empty(ls), "[]");
	prints(ls, of(ls, ""), "()");
	prints(ls, of(ls, "a.b\n\x1b\xc3\xa4\xff"), "a\\.b\\n\\x1bä\\xff");
	prints(ls, language_starting(ls, STR("java.")), "java\\..*");
	prints(ls, language_containing(ls, STR("a")), "[^a]*a.*");
	struct strbuf b = { 0 };

	language_print(ls, language_of_strings(ls, (struct str[]){ STR("b"), STR("a"), STR("c") }, 3), 2, &b);
	assert_string_equal(b.s, "a|b|…");
	strbuf_release(&b);
}

/* --- sizes --- */

static void test_many_literals(void **state)
{
	struct languages *ls = *state;
	VEC(const struct language *) all = { 0 };
	char text[40];
	double begin = seconds();

	srand(1);
	for (int i = 0; i < 10000; i++) {
		for (size_t k = 0; k < sizeof text; k++)
			text[k] = (char)('a' + rand() % 26);
		vec_push(&all, language_of(ls, (struct str){ text, sizeof text }));
	}
	const struct language *l = language_union_all(ls, all.data, all.len);

	assert_int_equal(language_list(ls, l, 20000).n, 10000);
	assert_true(language_contains(l, (struct str){ text, sizeof text }));
	assert_false(language_is_widened(l));
	assert_true(seconds() - begin < 1 * SLOWER);
	vec_release(&all);
}

static void test_long_literal(void **state)
{
	struct languages *ls = *state;
	char *text = mem_alloc(60000);
	double begin = seconds();

	memset(text, 'x', 60000);
	const struct language *l = language_of(ls, (struct str){ text, 60000 });

	assert_true(language_contains(l, (struct str){ text, 60000 }));
	l = language_union(ls, l, of(ls, "y"));
	assert_false(language_is_widened(l));
	/* As an automaton it is too much. */
	l = language_concat(ls, l, expr(ls, "[0-9]+"));
	assert_true(language_is_any(l) && language_is_widened(l));
	assert_true(seconds() - begin < 1 * SLOWER);
	free(text);
}

/* (a|b)*a(a|b){n}: deterministic, it has two to the n-th states. */
static void test_explosion(void **state)
{
	struct languages *ls = *state;
	const struct language *ab = expr(ls, "a|b"), *l = expr(ls, "(a|b)*a");
	double begin = seconds();
	uint64_t before = languages_given_up(ls);

	l = language_concat(ls, l, language_iterate(ls, ab, 40, 40));
	assert_true(language_is_any(l) && language_is_widened(l));
	assert_true(languages_given_up(ls) > before);
	/* What is made of it says so, too. */
	l = language_intersect(ls, l, expr(ls, "c*"));
	assert_true(language_is_widened(l) || !language_is_any(l));
	assert_true(seconds() - begin < 1 * SLOWER);
}

/* When nothing is left, everything that needs work is any string; a new question has a new allowance, until all is used up. */
static void test_budget(void **state)
{
	(void)state;
	struct language_budget b = language_budget_default;

	b.steps = 40000;
	b.all_steps = 60000;
	struct languages *ls = languages_new(&b);
	const struct language *l = language_empty(ls);

	for (int i = 0; i < 1000; i++)
		l = language_iterate(ls, of(ls, "abc"), 0, LANGUAGE_UNBOUNDED);
	assert_true(language_is_widened(l));
	languages_ask(ls);
	l = language_iterate(ls, of(ls, "abc"), 0, LANGUAGE_UNBOUNDED);
	assert_false(language_is_widened(l));
	for (int i = 0; i < 1000; i++)
		l = (languages_ask(ls), language_iterate(ls, of(ls, "abc"), 0, LANGUAGE_UNBOUNDED));
	assert_true(language_is_widened(l));
	languages_free(ls);
}

/* --- laws, over random languages --- */

static const struct language *random_language(struct languages *ls, int depth)
{
	static const char *const words[] = { "", "a", "b", "ab", "ba", "\xc3\xa4", "aab" };
	int kind = depth ? rand() % 6 : 0;

	if (kind == 0)
		return of(ls, words[rand() % 7]);
	const struct language *x = random_language(ls, depth - 1);

	if (kind == 1)
		return language_iterate(ls, x, (uint32_t)rand() % 2, rand() % 2 ? LANGUAGE_UNBOUNDED : 3);
	const struct language *y = random_language(ls, depth - 1);

	return kind == 2 ? language_concat(ls, x, y) : kind == 3 ? language_minus(ls, x, y) : language_union(ls, x, y);
}

static struct str random_word(char *to)
{
	uint32_t n = (uint32_t)rand() % 6;

	for (uint32_t i = 0; i < n; i++)
		to[i] = "ab\xc3\xa4"[rand() % 4];
	return (struct str){ to, n };
}

static void test_laws(void **state)
{
	struct languages *ls = *state;
	char text[8], halves[8];
	int tried = 0;

	srand(7);
	for (int round = 0; round < 200; round++) {
		uint64_t before = languages_given_up(ls);
		const struct language *x = random_language(ls, 4), *y = random_language(ls, 4);
		const struct language *u = language_union(ls, x, y), *n = language_intersect(ls, x, y), *m = language_minus(ls, x, y);
		const struct language *c = language_concat(ls, x, y);

		languages_ask(ls);
		if (languages_given_up(ls) > before)
			continue;
		tried++;
		assert_true(language_includes(ls, u, x) && language_includes(ls, u, y));
		assert_true(language_includes(ls, x, n) && language_includes(ls, y, n));
		assert_true(language_equals(ls, language_union(ls, n, m), x));
		assert_int_equal(language_includes(ls, y, x), language_is_empty(m));
		for (int i = 0; i < 20; i++) {
			struct str w = random_word(text), v = random_word(halves);
			bool in_x = language_contains(x, w), in_y = language_contains(y, w);
			char both[16];

			assert_int_equal(language_contains(u, w), in_x || in_y);
			assert_int_equal(language_contains(n, w), in_x && in_y);
			assert_int_equal(language_contains(m, w), in_x && !in_y);
			memcpy(both, w.p, w.len);
			memcpy(both + w.len, v.p, v.len);
			if (in_x && language_contains(y, v))
				assert_true(language_contains(c, (struct str){ both, w.len + v.len }));
		}
	}
	assert_true(tried > 180);
}

struct matched {
	uint32_t n, most;
	struct str s[8];
};

static bool note(void *ctx, struct str s)
{
	struct matched *m = ctx;

	m->s[m->n++] = s;
	return m->n < m->most;
}

/* In any order, and whatever the one before came to. */
static void test_each_of(void **state)
{
	struct languages *ls = *state;
	const struct str list[] = { STR("a.b.C"), STR("a.b.D"), STR("a.bc"), STR("x"), STR("a.b.C"), STR("a.b"), STR("a.b.Cx"), STR("") };
	const uint32_t shared[] = { 0, 4, 3, 0, 0, 3, 3, 0 };
	const struct language *all[] = { expr(ls, "a\\.b\\..*"), expr(ls, ".*C"), expr(ls, "(ab)*"), language_any(ls),
					 of(ls, "x"), language_empty(ls), expr(ls, "a\\.b[^.]*|.*x") };

	for (uint32_t k = 0; k < ARRAY_LEN(all); k++) {
		struct matched m = { .most = ARRAY_LEN(list) };
		uint32_t n = 0;

		language_each_of(all[k], list, shared, ARRAY_LEN(list), note, &m);
		for (uint32_t i = 0; i < ARRAY_LEN(list); i++)
			if (language_contains(all[k], list[i]))
				assert_true(n < m.n && str_eq(m.s[n++], list[i]));
		assert_int_equal(n, m.n);
	}
	struct matched two = { .most = 2 };

	language_each_of(all[0], list, shared, ARRAY_LEN(list), note, &two);
	assert_int_equal(two.n, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_constants, start, finish),
		cmocka_unit_test_setup_teardown(test_bytes, start, finish),
		cmocka_unit_test_setup_teardown(test_sets_of_bytes, start, finish),
		cmocka_unit_test_setup_teardown(test_numbers, start, finish),
		cmocka_unit_test_setup_teardown(test_computing, start, finish),
		cmocka_unit_test_setup_teardown(test_inclusion, start, finish),
		cmocka_unit_test_setup_teardown(test_answers, start, finish),
		cmocka_unit_test_setup_teardown(test_each_of, start, finish),
		cmocka_unit_test_setup_teardown(test_text, start, finish),
		cmocka_unit_test_setup_teardown(test_many_literals, start, finish),
		cmocka_unit_test_setup_teardown(test_long_literal, start, finish),
		cmocka_unit_test_setup_teardown(test_explosion, start, finish),
		cmocka_unit_test(test_budget),
		cmocka_unit_test_setup_teardown(test_laws, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
