/* SPDX-License-Identifier: Apache-2.0 */
// links: base cli
/* test_lost_input.c - a mapped file becomes shorter while it is read: a sentence and a status, no crash, nothing half-written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/sys/mapfile.h"
#include "cli/lost_input.h"
#include "cli/options.h"
#include "cli/output.h"

enum { PAGES = 64 * 1024, SIZE = 3 * PAGES };

static char folder[] = "/tmp/sherd-lost-XXXXXX";

static int enter(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	unlink("in\033put");
	unlink("said");
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;     /* fails when anything was left behind */
}

static void read_shortened(void)
{
	struct mapfile m;
	struct output o;
	unsigned sum = 0;

	if (!output_open(&o, "result") || !mapfile_open(&m, "in\033put") || m.bytes.len != SIZE || truncate("in\033put", PAGES) != 0)
		_exit(97);
	for (size_t i = 0; i < m.bytes.len; i++)
		sum += ((const volatile uint8_t *)m.bytes.p)[i];
	_exit(sum ? 95 : 96);
}

static void our_own_bug(void)
{
	raise(SIGBUS);
}

/* Runs `body` in a child; gives its exit status, or minus the signal. */
static int in_child(void (*body)(void))
{
	int status;
	FILE *f = fopen("in\033put", "w");

	assert_non_null(f);
	for (int i = 0; i < SIZE; i++)
		fputc(0, f);
	fclose(f);
	pid_t child = fork();
	if (child == 0) {
		lost_input_watch();
		if (!freopen("said", "w", stderr))
			_exit(99);
		body();
		_exit(98);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void shortened_files_are_named(void **state)
{
	char said[400] = "", wanted[400];

	(void)state;
	assert_int_equal(in_child(read_shortened), EXIT_UNSERVED);
	FILE *f = fopen("said", "r");
	assert_non_null(f);
	said[fread(said, 1, sizeof(said) - 1, f)] = 0;
	fclose(f);
	snprintf(wanted, sizeof(wanted), "sherd: error: %s/in?put: became shorter while it was read; run again when nothing writes to it\n",
		 folder);
	assert_string_equal(said, wanted);
}

static void other_bus_errors_stay(void **state)
{
	(void)state;
	assert_int_equal(in_child(our_own_bug), -SIGBUS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shortened_files_are_named),
		cmocka_unit_test(other_bus_errors_stay),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
