/* SPDX-License-Identifier: Apache-2.0 */
// links: base cli session formats/facts formats/properties
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/argfile.h"

struct args {
	const char *main;
	bool raw;
	int stats;
};

static const struct option_row rows[] = {
	OPT_STRING(struct args, main, "main", "m", "CLASS", "Entry", "start at CLASS"),
	OPT_FLAG(struct args, raw, "raw", "r", "Analysis", "raw"),
	OPT_OPTIONAL(struct args, stats, "stats", NULL, "FORM", stats_names, "Output", "figures"),
};
static const struct command_spec plain = { .rows = rows, .nrows = ARRAY_LEN(rows), .size = sizeof(struct args) };
static const struct command_spec runs = { .rows = rows, .nrows = ARRAY_LEN(rows), .size = sizeof(struct args), .runs_command = true };
static char path[] = "/tmp/test_argfile_XXXXXX";
static struct strbuf out;            /* the words, each in brackets; or the error without the name of the file */

static void write_file(const char *text, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	fclose(f);
}

/* `line` has words with blanks between them; FILE is the file. */
static const char *expand(const struct command_spec *spec, const char *line)
{
	static char copy[400], *words[40];
	struct strbuf err = { 0 };
	struct argfiles a;
	int n = 0;

	strbuf_clear(&out);
	snprintf(copy, sizeof(copy), "%s", line);
	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
		words[n++] = strcmp(w, "@FILE") == 0 ? strcat(strcpy(malloc(sizeof(path) + 1), "@"), path) : strdup(w);
	if (argfiles_expand(&a, spec, n, words, &err))
		for (int i = 0; i < a.n; i++)
			strbuf_addf(&out, "[%s]", a.words.data[i]);
	else
		strbuf_adds(&out, strncmp(err.s, path, strlen(path)) == 0 ? err.s + strlen(path) : err.s);
	argfiles_release(&a);
	strbuf_release(&err);
	while (n)
		free(words[--n]);
	return out.s ? out.s : "";
}

static void in_file(const char *text, const char *expected)
{
	write_file(text, strlen(text));
	assert_string_equal(expand(&plain, "a @FILE b"), expected);
}

static void words_of_a_file(void **state)
{
	(void)state;
	in_file("", "[a][b]");
	in_file("x y\tz\n\nw\r\nv", "[a][x][y][z][w][v][b]");
	in_file("# comment 'x\nx # \"y\n#z", "[a][x][b]");
	in_file("a#b 'c#d'", "[a][a#b][c#d][b]");
	in_file("'x y' \"it's\" p'q r's \"\"", "[a][x y][it's][pq rs][][b]");
	in_file("\"a\\\\b\\n\\t\\\"\" c:\\dir\\x", "[a][a\\b\n\t\"][c:\\dir\\x][b]");
	in_file("\"lib.jar:\\\n   more.jar:\\\r\n\tlast.jar\" x", "[a][lib.jar:more.jar:last.jar][x][b]");
	in_file("@@x y@z", "[a][@x][y@z][b]");
}

static void where_files_are_named(void **state)
{
	(void)state;
	write_file("x y", 3);
	expand(&plain, "--main @FILE @FILE");
	assert_int_equal(strncmp(out.s, "[--main][@/tmp", 14), 0);
	assert_non_null(strstr(out.s, "][x][y]"));
	assert_non_null(strstr(expand(&plain, "-rm @FILE --main=@FILE"), "[-rm][@/tmp"));
	assert_string_equal(expand(&plain, "--stats @FILE --raw @FILE"), "[--stats][x][y][--raw][x][y]");
	assert_string_equal(expand(&plain, "@ @@f"), "[@][@f]");
	assert_non_null(strstr(expand(&plain, "-- @FILE"), "[--][@/tmp"));
	assert_non_null(strstr(expand(&runs, "--raw @FILE @FILE"), "[--raw][x][y][@/tmp"));
	assert_non_null(strstr(expand(&runs, "java @FILE"), "[java][@/tmp"));
	write_file("--main @list -- java @args", 26);
	assert_string_equal(expand(&runs, "@FILE x"), "[--main][@list][--][java][@args][x]");
}

static void errors_name_file_and_line(void **state)
{
	(void)state;
	in_file("x\ny 'z\nw'", ":2: a word that begins with ' does not end on its line; \\ at the end of the line continues it");
	in_file("x\n\n\"y", ":3: a word that begins with \" does not end on its line; \\ at the end of the line continues it");
	in_file("\"x\\\n y\"\n@more", ":3: a file of arguments cannot name another one; the word @x is written @@x");
	write_file("x\ny\0z", 5);
	assert_string_equal(expand(&plain, "@FILE"), ":2: there is a NUL byte: this is no text");
	assert_string_equal(expand(&plain, "@/no/such/file"),
			    "the file of arguments /no/such/file cannot be read: No such file or directory; a word that begins with @ is written @@");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_a_file),
		cmocka_unit_test(where_files_are_named),
		cmocka_unit_test(errors_name_file_and_line),
	};
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	strbuf_release(&out);
	return failed;
}
