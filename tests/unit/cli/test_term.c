/* SPDX-License-Identifier: Apache-2.0 */
// links: base cli
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/term.h"

static char *rendered(const struct term *t, const struct diag *d)
{
	struct strbuf out = { 0 };

	term_render_diagnostics(t, d, &out);
	return out.s ? out.s : calloc(1, 1);
}

static void expect(const struct term *t, const struct diag *d, const char *text)
{
	char *s = rendered(t, d);

	assert_string_equal(s, text);
	free(s);
}

static uint32_t lines(const char *s)
{
	uint32_t n = 0;

	for (; *s; s++)
		n += *s == '\n';
	return n;
}

static void errors_before_warnings(void **state)
{
	struct term t = { 0 };
	struct diag d;

	(void)state;
	diag_init(&d);
	expect(&t, &d, "");
	diag_add(&d, DIAG_W007, "a.jar", STR("x"), DIAG_NO_OFFSET, "seen before");
	diag_add(&d, DIAG_E011, "a.jar", STR("A"), 12, "ends early");
	expect(&t, &d, "a.jar!A: 12: error[E011]: ends early\na.jar!x: warning[W007]: seen before\n");
	t.quiet = true;
	expect(&t, &d, "a.jar!A: 12: error[E011]: ends early\n");
	t.color_err = true;
	expect(&t, &d, "a.jar!A: 12: \033[1;31merror[E011]\033[0m: ends early\n");
	diag_release(&d);
}

static void many_of_a_code_are_counted(void **state)
{
	struct term t = { 0 };
	struct diag d;

	(void)state;
	diag_init(&d);
	for (unsigned i = 0; i < 25; i++)
		diag_add(&d, DIAG_E010, "a.jar", STR("A"), i, "wrong magic");
	char *s = rendered(&t, &d);

	assert_int_equal(lines(s), 11);
	assert_non_null(strstr(s, "error[E010]: not a class file: 15 more (-v shows all)\n"));
	free(s);
	t.verbose = true;
	s = rendered(&t, &d);
	assert_int_equal(lines(s), 25);
	free(s);
	diag_release(&d);
}

static void missing_classes_are_one_warning(void **state)
{
	struct term t = { 0 };
	struct diag d;

	(void)state;
	diag_init(&d);
	diag_add(&d, DIAG_W040, NULL, STR("a.B"), DIAG_NO_OFFSET, "class not found");
	expect(&t, &d, "warning[W040]: 1 class not found; is a jar missing from --class-path?\n    a.B\n");
	for (unsigned i = 0; i < 12; i++)
		diag_add(&d, DIAG_W040, NULL, STR("c.D"), DIAG_NO_OFFSET, "class not found");
	char *s = rendered(&t, &d);

	assert_non_null(strstr(s, "13 classes not found"));
	assert_non_null(strstr(s, "    and 3 more (-v shows all)\n"));
	free(s);
	t.quiet = true;
	expect(&t, &d, "");
	diag_release(&d);
}

static void beyond_the_limit(void **state)
{
	struct term t = { 0 };
	struct diag d;

	(void)state;
	diag_init(&d);
	for (unsigned i = 0; i < DIAG_LIMIT + 5; i++)
		diag_add(&d, DIAG_E010, "a", STR("A"), i, "x");
	char *s = rendered(&t, &d);

	assert_non_null(strstr(s, "5 more diagnostics were not kept\n"));
	free(s);
	diag_release(&d);
}

static void colours(void **state)
{
	(void)state;
	assert_true(term_color(WHEN_ALWAYS, 1));
	assert_false(term_color(WHEN_NEVER, 1));
	setenv("COLUMNS", "123", 1);
	assert_int_equal(term_width(1), 123);
	setenv("COLUMNS", "junk", 1);
	assert_true(term_width(1) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_before_warnings),
		cmocka_unit_test(many_of_a_code_are_counted),
		cmocka_unit_test(missing_classes_are_one_warning),
		cmocka_unit_test(beyond_the_limit),
		cmocka_unit_test(colours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
