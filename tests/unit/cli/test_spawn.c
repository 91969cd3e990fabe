/* SPDX-License-Identifier: Apache-2.0 */
// links: base cli
/* Commands and the option that they pass to JVMs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/spawn.h"

/* Quoting: what a JVM makes of JAVA_TOOL_OPTIONS. Words are separated by white space; ' and " quote up to the next one of
 * the same, wherever they are; nothing escapes. */

static bool is_space(char c)
{
	return strchr(" \t\n\v\f\r", c) != NULL;
}

/* The only word of `text`, or NULL when there are more, or none, or a quote is open. */
static const char *only_word(const char *text, char *out)
{
	const char *s = text;
	char *w = out;

	if (!*s || is_space(*s))
		return NULL;
	while (*s && !is_space(*s)) {
		if (*s != '\'' && *s != '"') {
			*w++ = *s++;
			continue;
		}
		char quote = *s++;
		while (*s && *s != quote)
			*w++ = *s++;
		if (!*s++)
			return NULL;
	}
	*w = 0;
	return *s ? NULL : out;
}

static void expect_quoted(const char *option)
{
	struct strbuf out = { 0 };
	char word[256];

	java_option_quote(option, &out);
	const char *read = only_word(out.s, word);
	if (!read || strcmp(read, option) != 0)
		fail_msg("%s became %s", option, out.s);
	strbuf_release(&out);
}

static void quotes_come_back(void **state)
{
	static const char letters[] = "a'\" \t\n%,=\\";
	uint32_t seed = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[24];
		uint32_t n = 1 + (seed >> 8) % (sizeof(text) - 1);
		for (uint32_t k = 0; k < n; k++) {
			seed = seed * 1664525u + 1013904223u;
			text[k] = letters[(seed >> 16) % (sizeof(letters) - 1)];
		}
		text[n] = 0;
		expect_quoted(text);
	}
}

static void plain_text_stays(void **state)
{
	struct strbuf out = { 0 };

	(void)state;
	java_option_quote("-agentpath:/a/b.so=plan=/c%25d", &out);
	assert_string_equal(out.s, "-agentpath:/a/b.so=plan=/c%25d");
	strbuf_release(&out);
}

/* Commands */

static int run(const char *script, bool stdout_to_stderr, struct strbuf *err)
{
	char *command[] = { "sh", "-c", (char *)script, NULL };
	struct spawn s = { command, "SHERD_TEST", "a 'b' c", stdout_to_stderr };

	return spawn_wait(&s, err);
}

static void statuses(void **state)
{
	struct strbuf err = { 0 };

	(void)state;
	assert_int_equal(run("exit 0", false, &err), 0);
	assert_int_equal(run("exit 7", false, &err), 7);
	assert_int_equal(run("kill -9 $$", false, &err), 128 + 9);
	assert_int_equal(run("kill -INT $$", false, &err), 128 + 2);       /* it is not ignored there */
	assert_int_equal(run("test \"$SHERD_TEST\" = \"a 'b' c\"", false, &err), 0);
	assert_int_equal(err.len, 0);
}

static void not_found(void **state)
{
	char *absent[] = { "sherd-has-no-such-command", NULL }, *path[] = { "/sherd/no/such/file", NULL };
	char *folder[] = { "/", NULL };
	struct strbuf err = { 0 };

	(void)state;
	assert_int_equal(spawn_wait(&(struct spawn){ .command = absent }, &err), SPAWN_NOT_FOUND);
	assert_string_equal(err.s, "sherd-has-no-such-command: command not found");
	strbuf_clear(&err);
	assert_int_equal(spawn_wait(&(struct spawn){ .command = path }, &err), SPAWN_NOT_FOUND);
	assert_string_equal(err.s, "/sherd/no/such/file: No such file or directory");
	strbuf_clear(&err);
	assert_int_equal(spawn_wait(&(struct spawn){ .command = folder }, &err), SPAWN_CANNOT_RUN);
	assert_true(err.len > 0);
	strbuf_release(&err);
}

/* The command ends us by a signal: it is passed back, and the command decides. */
static void signals_are_passed_on(void **state)
{
	struct strbuf err = { 0 };

	(void)state;
	assert_int_equal(run("trap 'exit 42' TERM; kill -TERM $PPID; while :; do sleep 0.01; done", false, &err), 42);
	assert_int_equal(run("trap 'exit 43' HUP; kill -HUP $PPID; while :; do sleep 0.01; done", false, &err), 43);
	assert_int_equal(run("kill -INT $PPID; kill -QUIT $PPID; exit 5", false, &err), 5);
	assert_int_equal(err.len, 0);
}

static void signals_are_restored(void **state)
{
	struct sigaction before, after;
	struct strbuf err = { 0 };

	(void)state;
	sigaction(SIGTERM, NULL, &before);
	run("exit 0", false, &err);
	sigaction(SIGTERM, NULL, &after);
	assert_true(before.sa_handler == after.sa_handler);
	signal(SIGINT, SIG_IGN);
	assert_int_equal(run("kill -INT $$; exit 6", false, &err), 6);      /* nohup */
	signal(SIGINT, SIG_DFL);
}

static void output_can_be_moved(void **state)
{
	int fds[2], keep = dup(STDOUT_FILENO);
	struct strbuf err = { 0 };
	char text[8] = "";

	(void)state;
	assert_int_equal(pipe(fds), 0);
	dup2(fds[1], STDOUT_FILENO);
	close(fds[1]);
	int moved = run("echo this line is moved to standard error", true, &err);
	int kept = run("echo kept", false, &err);
	fflush(stdout);
	dup2(keep, STDOUT_FILENO);
	close(keep);
	ssize_t n = read(fds[0], text, sizeof(text) - 1);
	close(fds[0]);
	assert_int_equal(moved + kept, 0);
	assert_int_equal(n, 5);
	assert_memory_equal(text, "kept\n", 5);
}

static void many_commands(void **state)
{
	char *commands[][4] = { { "sh", "-c", "exit 3", NULL }, { "sh", "-c", "kill -9 $$", NULL },
				{ "sherd-has-no-such-command", NULL }, { "sh", "-c", "test $(pwd) = /", NULL } };
	struct spawn_job jobs[40];
	FILE *said = tmpfile();

	(void)state;
	for (unsigned at_once = 1; at_once <= 64; at_once *= 8) {
		for (size_t i = 0; i < 40; i++)
			jobs[i] = (struct spawn_job){ commands[i % 4], "/", fileno(said), -1 };
		spawn_all(jobs, 40, at_once);
		for (size_t i = 0; i < 40; i += 4) {
			assert_int_equal(jobs[i].status, 3);
			assert_int_equal(jobs[i + 1].status, SPAWN_SIGNAL + 9);
			assert_int_equal(jobs[i + 2].status, SPAWN_NOT_FOUND);
			assert_int_equal(jobs[i + 3].status, 0);
		}
	}
	char *speaks[] = { "sh", "-c", "echo out; echo err >&2", NULL };
	struct spawn_job job = { speaks, NULL, fileno(said), -1 };
	char text[20] = "";
	spawn_all(&job, 1, 4);
	rewind(said);
	assert_int_equal(fread(text, 1, sizeof(text) - 1, said), 8);
	assert_string_equal(text, "out\nerr\n");
	fclose(said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quotes_come_back),      cmocka_unit_test(plain_text_stays),
		cmocka_unit_test(statuses),              cmocka_unit_test(not_found),
		cmocka_unit_test(signals_are_passed_on), cmocka_unit_test(signals_are_restored),
		cmocka_unit_test(output_can_be_moved),   cmocka_unit_test(many_commands),
	};

	/* Shells cannot trap what was ignored when they started, as nohup and jobs in the background have it. */
	const int usual[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		signal(usual[i], SIG_DFL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
