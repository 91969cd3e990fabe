/* SPDX-License-Identifier: Apache-2.0 */
// links: base cli
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "cli/options.h"
#include "cli/output.h"

static char folder[] = "/tmp/sherd-output-XXXXXX";

static int enter(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	unlink("r");
	unlink("link");
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;     /* fails when anything was left behind */
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void holds(const char *path, const char *text)
{
	char buf[64] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	buf[fread(buf, 1, sizeof(buf) - 1, f)] = 0;
	fclose(f);
	assert_string_equal(buf, text);
}

static void appears_at_commit(void **state)
{
	struct output o;
	struct stat st;

	(void)state;
	umask(022);
	assert_true(output_open(&o, "r"));
	fputs("new", o.file);
	assert_int_not_equal(access("r", F_OK), 0);
	assert_true(output_commit(&o));
	holds("r", "new");
	assert_int_equal(stat("r", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
}

static void abort_keeps_the_old_file(void **state)
{
	struct output o;

	(void)state;
	put("r", "old");
	assert_true(output_open(&o, "r"));
	fputs("new", o.file);
	output_abort(&o);
	holds("r", "old");
}

static void links_are_followed(void **state)
{
	struct output o;
	struct stat st;

	(void)state;
	put("r", "old");
	assert_int_equal(symlink("r", "link"), 0);
	assert_true(output_open(&o, "link"));
	fputs("new", o.file);
	assert_true(output_commit(&o));
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	holds("r", "new");
}

static void devices_are_written_directly(void **state)
{
	struct output o;

	(void)state;
	assert_true(output_open(&o, "/dev/null"));
	assert_null(o.temporary);
	assert_true(output_commit(&o));
	assert_true(output_open(&o, "/dev/full"));
	fputs("x", o.file);
	assert_false(output_commit(&o));
	assert_false(output_open(&o, "no/such/folder/r"));
	assert_true(output_open(&o, "-"));
	assert_ptr_equal(o.file, stdout);
	output_abort(&o);
}

static void reserve_gives_a_name(void **state)
{
	struct output o;

	(void)state;
	assert_true(output_reserve(&o, "r"));
	put(o.temporary, "database");
	assert_true(output_commit(&o));
	holds("r", "database");
}

/* Somebody who may write to the folder exchanges the file under its name: what then has the name is not moved into place. */
static void others_do_not_get_in_between(void **state)
{
	struct output o;
	struct stat st;

	(void)state;
	for (int reserved = 0; reserved < 2; reserved++) {
		put("r", "old");
		put("victim", "theirs");
		assert_true(reserved ? output_reserve(&o, "r") : output_open(&o, "r"));
		assert_int_equal(unlink(o.temporary), 0);
		assert_int_equal(symlink("victim", o.temporary), 0);
		if (!reserved)
			fputs("new", o.file);
		assert_false(output_commit(&o));
		assert_int_equal(lstat("r", &st), 0);
		assert_true(S_ISREG(st.st_mode));
		holds("r", "old");
		holds("victim", "theirs");
		unlink("victim");
	}
}

static void replaced_files_keep_their_mode(void **state)
{
	struct output o;
	struct stat st;

	(void)state;
	put("r", "old");
	assert_int_equal(chmod("r", 0600), 0);
	assert_true(output_open(&o, "r"));
	fputs("new", o.file);
	assert_true(output_commit(&o));
	assert_int_equal(stat("r", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	holds("r", "new");
}

/* Killed, it leaves a temporary, but the result is the old one. */
static void killed_runs_leave_the_old_file(void **state)
{
	struct output o;
	char *left;
	pid_t child;
	int ends[2], status;

	(void)state;
	put("r", "old");
	assert_int_equal(pipe(ends), 0);
	if ((child = fork()) == 0) {
		if (!output_open(&o, "r") || fputs("half", o.file) < 0 || fflush(o.file) || write(ends[1], o.temporary, strlen(o.temporary)) < 0)
			_exit(99);
		raise(SIGKILL);
	}
	close(ends[1]);
	left = calloc(1, 256);
	assert_true(read(ends[0], left, 255) > 0);
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	holds("r", "old");
	assert_int_equal(unlink(left), 0);
	free(left);
}

/* Runs `body` in a child that has an output open; gives its exit status, or minus the signal. */
static int in_child(void (*body)(void))
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		struct output o;

		if (!freopen("/dev/null", "w", stderr) || !output_open(&o, "r"))
			_exit(99);
		body();
		_exit(98);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void exhaust_time(void)
{
	budget_start(1, 0);
	for (;;)
		pause();
}

static void interrupted(void)
{
	budget_start(0, 0);
	kill(getpid(), SIGTERM);
}

static void out_of_memory(void)
{
	budget_start(0, 0);
	mem_alloc((size_t)1 << 62);
}

static void early_ends_leave_nothing(void **state)
{
	(void)state;
	put("r", "old");
	assert_int_equal(in_child(exhaust_time), EXIT_BUDGET);
	assert_int_equal(in_child(interrupted), -SIGTERM);
#ifndef __SANITIZE_ADDRESS__
	assert_int_equal(in_child(out_of_memory), EXIT_UNSERVED);
#else
	(void)out_of_memory;      /* the sanitizer reports it first */
#endif
	holds("r", "old");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appears_at_commit),
		cmocka_unit_test(abort_keeps_the_old_file),
		cmocka_unit_test(links_are_followed),
		cmocka_unit_test(devices_are_written_directly),
		cmocka_unit_test(reserve_gives_a_name),
		cmocka_unit_test(others_do_not_get_in_between),
		cmocka_unit_test(replaced_files_keep_their_mode),
		cmocka_unit_test(killed_runs_leave_the_old_file),
		cmocka_unit_test(early_ends_leave_nothing),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
