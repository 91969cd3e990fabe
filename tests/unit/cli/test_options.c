/* SPDX-License-Identifier: Apache-2.0 */
// links: base cli session formats/facts formats/properties
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/options.h"

struct args {
	struct shared_options shared;
	const char *main;
	int algorithm;
	const char *policy;
	bool raw;
	option_list only;
	const char *first;
};

static const char *const formats[] = { "text", "json", "dot", NULL };
static const char *const algorithms[] = { "cha", "rta", NULL };
static const char *policies[4];         /* filled in when the test starts */
static const struct option_row rows[] = {
	OPT_NAME(struct args, policy, "policy", "p", "NAME", policies, "Analysis", "what is kept apart"),
	OPT_STRING(struct args, main, "main", NULL, "CLASS", "Entry", "start at CLASS"),
	OPT_CHOICE(struct args, algorithm, "algorithm", "a", "NAME", algorithms, "Analysis", "which one"),
	OPT_FLAG(struct args, raw, "raw", "r", "Analysis", "raw"),
	OPT_FIRST(struct args, first, "first", NULL, "OLD", "Entry", "the first of two"),
	OPT_LIST(struct args, only, "only", NULL, "NAME", "Analysis", "these alone"),
	SHARED_INPUT(struct args),
	SHARED_OUTPUT(struct args, formats),
	SHARED_RUN(struct args),
};
static const struct args initial = { .algorithm = 1, .policy = "vta" };
static const struct command_spec spec = {
	.synopsis = { "--main CLASS", NULL },
	.description = "Does it.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct args),
	.initial = &initial,
	.examples = { { "sherd try --main A", "tries" }, { NULL, NULL } },
};

static struct args values;
static struct strbuf err;
static char *words[32];

/* Parses the words of a line; splits at spaces. */
static int parse_as(const struct command_spec *s, const char *line)
{
	static char text[512];
	int n = 0;

	snprintf(text, sizeof(text), "%s", line);
	for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
		words[n++] = w;
	options_release(s, &values);
	values = initial;
	strbuf_clear(&err);
	return options_parse(s, n, words, &values, &err);
}

static int parse(const char *line)
{
	return parse_as(&spec, line);
}

static void forms_of_values(void **state)
{
	(void)state;
	assert_int_equal(parse("--main=A -cp a.jar:b --format json -j4 -o x"), 0);
	assert_string_equal(values.main, "A");
	assert_string_equal(values.shared.class_path, "a.jar:b");
	assert_int_equal(values.shared.format, 1);
	assert_int_equal(values.shared.jobs, 4);
	assert_string_equal(values.shared.output, "x");
	assert_int_equal(parse("--class-path a --main A=B -cp=c -j 12"), 0);
	assert_string_equal(values.shared.class_path, "c");
	assert_string_equal(values.main, "A=B");
	assert_int_equal(values.shared.jobs, 12);
	assert_int_equal(parse("--main= -ox"), 0);
	assert_string_equal(values.main, "");
	assert_string_equal(values.shared.output, "x");
}

static void defaults_and_flags(void **state)
{
	(void)state;
	assert_int_equal(parse(""), 0);
	assert_int_equal(values.algorithm, 1);
	assert_false(values.raw);
	assert_int_equal(parse("-qvr -a cha"), 0);
	assert_true(values.raw && values.shared.quiet && values.shared.verbose);
	assert_int_equal(values.algorithm, 0);
	assert_int_equal(parse("-qacha"), 0);
	assert_int_equal(values.algorithm, 0);
}

static void optional_values(void **state)
{
	(void)state;
	assert_int_equal(parse("--stats x"), 1);
	assert_int_equal(values.shared.stats, STATS_TEXT);
	assert_string_equal(words[0], "x");
	assert_int_equal(parse("--stats=json --color --progress=never"), 0);
	assert_int_equal(values.shared.stats, STATS_JSON);
	assert_int_equal(values.shared.color, WHEN_ALWAYS);
	assert_int_equal(values.shared.progress, WHEN_NEVER);
}

/* Options may stand between such an option and its value, which is then the first operand. */
static void first_of_the_operands(void **state)
{
	static const struct {
		const char *line;
		int operands;
	} lines[] = { { "--first a b", 1 }, { "b --first a", 1 }, { "--first=a b", 1 }, { "--first -q a b", 2 }, { "a b --first", 2 },
		      { "--first -q", 0 }, { "a b", 2 } };
	static const char *const firsts[] = { "a", "a", "a", "a", "a", NULL, NULL };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		char **operands = words;
		int n = parse(lines[i].line);
		assert_int_equal(n, lines[i].operands);
		const char *first = option_first(values.first, &n, &operands);
		if (!firsts[i])
			assert_null(first);
		else
			assert_string_equal(first, firsts[i]);
		if (firsts[i])
			assert_string_equal(operands[0], "b");
	}
}

static void lists_add_up(void **state)
{
	(void)state;
	assert_int_equal(parse("--only a x --only=b --only a"), 1);
	assert_int_equal(values.only.len, 3);
	assert_string_equal(values.only.data[0], "a");
	assert_string_equal(values.only.data[1], "b");
	assert_string_equal(values.only.data[2], "a");
	assert_int_equal(parse(""), 0);
	assert_int_equal(values.only.len, 0);
}

/* Of verbs that ask for it, options with a value come once; lists, flags and what has a value of its own may come again. */
static void given_twice(void **state)
{
	static const char *const twice[][2] = {
		{ "--format text --format json", "--format is given twice" }, { "-j1 --main M -j 2", "--jobs is given twice" },
		{ "-o x --output=x", "--output is given twice" }, { "-p vta --policy vta", "--policy is given twice" },
	};
	struct command_spec s = spec;

	(void)state;
	s.once = true;
	for (size_t i = 0; i < ARRAY_LEN(twice); i++) {
		assert_int_equal(parse_as(&s, twice[i][0]), OPTIONS_BAD);
		assert_string_equal(err.s, twice[i][1]);
		assert_int_equal(parse(twice[i][0]), 0);
	}
	assert_int_equal(parse_as(&s, "-q -q --only a --only b --stats --stats=json"), 0);
}

static void names(void **state)
{
	(void)state;
	assert_int_equal(parse(""), 0);
	assert_string_equal(values.policy, "vta");
	assert_int_equal(parse("--policy 1obj"), 0);
	assert_string_equal(values.policy, "1obj");
	assert_int_equal(parse("-p help"), 0);
	assert_string_equal(values.policy, "help");
}

static void operands_move_to_the_front(void **state)
{
	(void)state;
	assert_int_equal(parse("a -q b --main M - -- --raw c"), 5);
	assert_string_equal(words[0], "a");
	assert_string_equal(words[1], "b");
	assert_string_equal(words[2], "-");
	assert_string_equal(words[3], "--raw");
	assert_string_equal(words[4], "c");
	assert_false(values.raw);
}

/* What follows the first operand is the command's, whatever it looks like; '--' before it is ours, behind it the command's. */
static void commands_keep_their_words(void **state)
{
	static const struct { const char *line, *words[6]; bool raw; } cases[] = {
		{ "java -cp x -q", { "java", "-cp", "x", "-q" }, false },
		{ "-r java -r -- --main=M", { "java", "-r", "--", "--main=M" }, true },
		{ "-r -- -cp --raw java", { "-cp", "--raw", "java" }, true },
		{ "-- -- x", { "--", "x" }, false },
		{ "-cp app.jar sh --help", { "sh", "--help" }, false },
		{ "- --help", { "-", "--help" }, false },
		{ "-r", { NULL }, true },
	};
	struct command_spec s = spec;

	(void)state;
	s.runs_command = true;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		int n = 0;
		while (cases[i].words[n])
			n++;
		assert_int_equal(parse_as(&s, cases[i].line), n);
		for (int k = 0; k < n; k++)
			assert_string_equal(words[k], cases[i].words[k]);
		assert_int_equal(values.raw, cases[i].raw);
		assert_false(values.shared.quiet);
	}
}

static void bad(const char *line, const char *sentence)
{
	assert_int_equal(parse(line), OPTIONS_BAD);
	assert_string_equal(err.s, sentence);
}

static void errors_help(void **state)
{
	(void)state;
	bad("--algoritm=cha", "unknown option '--algoritm=cha'; did you mean '--algorithm'?");
	bad("--classpath x", "unknown option '--classpath'; did you mean '--class-path'?");
	bad("-classpath x", "unknown option '-classpath'; did you mean '--class-path'?");
	bad("--algo", "unknown option '--algo'; did you mean '--algorithm'?");
	bad("--hepl", "unknown option '--hepl'; did you mean '--help'?");
	bad("--xyzzy", "unknown option '--xyzzy'");
	bad("--main", "--main needs a value: --main CLASS");
	bad("-cp", "--class-path needs a value: --class-path PATH");
	bad("--raw=1", "--raw takes no value");
	bad("-j x", "--jobs needs a number, not 'x'");
	bad("-j -1", "--jobs needs a number, not '-1'");
	bad("-j99999999999999999999", "--jobs can be at most 2147483647, not 99999999999999999999");
	bad("--timeout 999999999999999", "--timeout can be at most 2147483647, not 999999999999999");
	bad("--format jsn", "--format cannot be 'jsn'; did you mean 'json'? (one of: text, json, dot)");
	bad("--format zzzz", "--format cannot be 'zzzz' (one of: text, json, dot)");
	bad("--policy 1ojb", "--policy cannot be '1ojb'; did you mean '1obj'? (--policy help lists them)");
	bad("--policy", "--policy needs a value: --policy NAME");
	bad("--stats=yes", "--stats cannot be 'yes' (one of: none, text, json)");
}

static void long_unknown_option(void **state)
{
	char line[400] = "--";

	(void)state;
	memset(line + 2, 'x', 300);
	line[302] = 0;
	assert_int_equal(parse(line), OPTIONS_BAD);
	assert_null(strstr(err.s, "did you mean"));
}

static void help_and_version(void **state)
{
	(void)state;
	assert_int_equal(parse("--main A --help --nonsense"), OPTIONS_HELP);
	assert_int_equal(parse("-h"), OPTIONS_HELP);
	assert_int_equal(parse("--version"), OPTIONS_VERSION);
	assert_int_equal(parse("-- --help"), 1);
}

static void missing_operands(void **state)
{
	struct command_spec s = spec;
	char *none[1] = { NULL };

	(void)state;
	s.needs_operands = "name a class";
	strbuf_clear(&err);
	assert_int_equal(options_parse(&s, 0, none, &values, &err), OPTIONS_BAD);
	assert_string_equal(err.s, "nothing to work on: name a class");
}

/* Every line fits the width, every option has its line, defaults come from the initial values. */
static void help_screen(void **state)
{
	const struct command c = { "try", "Group", "tries", &spec };
	struct strbuf out = { 0 };

	(void)state;
	for (int width = 30; width < 130; width += 20) {
		strbuf_clear(&out);
		options_help(&c, false, width, &out);
		for (char *line = out.s; line[0]; line += strcspn(line, "\n") + 1)
			assert_true(strcspn(line, "\n") <= 100);
	}
	for (size_t i = 0; i < spec.nrows; i++)
		assert_non_null(strstr(out.s, spec.rows[i].name));
	assert_non_null(strstr(out.s, "one of cha, rta (default: rta)"));
	assert_non_null(strstr(out.s, "one of 1obj, vta (default: vta)"));
	assert_non_null(strstr(out.s, "Usage: sherd try --main CLASS\n"));
	assert_null(strchr(out.s, '\033'));
	strbuf_release(&out);
}

static int release(void **state)
{
	(void)state;
	options_release(&spec, &values);
	strbuf_release(&err);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms_of_values),
		cmocka_unit_test(defaults_and_flags),
		cmocka_unit_test(optional_values),
		cmocka_unit_test(lists_add_up),
		cmocka_unit_test(first_of_the_operands),
		cmocka_unit_test(given_twice),
		cmocka_unit_test(names),
		cmocka_unit_test(operands_move_to_the_front),
		cmocka_unit_test(commands_keep_their_words),
		cmocka_unit_test(errors_help),
		cmocka_unit_test(long_unknown_option),
		cmocka_unit_test(help_and_version),
		cmocka_unit_test(missing_operands),
		cmocka_unit_test(help_screen),
	};

	policies[0] = "1obj";
	policies[1] = "vta";
	return cmocka_run_group_tests(tests, NULL, release);
}
