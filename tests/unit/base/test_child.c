// SPDX-License-Identifier: Apache-2.0
// links: base
/* test_child.c - whatever a job does to its process, the parent goes on, knows what came of it, and has what was written. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/sys/child.h"
#include "base/mem.h"

static char text[1 << 20];            /* what the last child wrote */
static size_t length;
static int shared;                    /* which children change, in vain */

static enum child_end run(void (*job)(void *ctx, FILE *out), void *ctx)
{
	struct child c;

	assert_true(child_start(&c, job, ctx));
	length = child_read(&c, text, sizeof(text) - 1);
	text[length] = 0;
	return child_wait(&c);
}

static void writes(void *ctx, FILE *out)
{
	shared = 1;
	fputs(ctx, out);
}

static void test_done(void **state)
{
	char hello[] = "hello";

	(void)state;
	assert_int_equal(run(writes, hello), CHILD_DONE);
	assert_string_equal(text, "hello");
	assert_int_equal(shared, 0);
}

static void writes_much(void *ctx, FILE *out)
{
	(void)ctx;
	for (int i = 0; i < 100000; i++)
		fputs("12345678", out);
}

static void test_much(void **state)
{
	(void)state;
	assert_int_equal(run(writes_much, NULL), CHILD_DONE);
	assert_int_equal(length, 800000);
}

static void gives_up(void *ctx, FILE *out)
{
	fputs(ctx, out);
	child_give_up(out);
}

static void test_gave_up(void **state)
{
	char reason[] = "no";

	(void)state;
	assert_int_equal(run(gives_up, reason), CHILD_GAVE_UP);
	assert_string_equal(text, "no");
}

static void crashes(void *ctx, FILE *out)
{
	fputs("before", out);
	fflush(out);
	raise(*(int *)ctx);
}

static volatile uintptr_t nowhere = 16;

static void writes_to_nowhere(void *ctx, FILE *out)
{
	(void)ctx;
	(void)out;
	*(volatile int *)nowhere = 1;
}

static int deeper(unsigned levels)
{
	volatile char here[1000];

	here[0] = (char)levels;
	return levels ? deeper(levels - 1) + here[0] : 0;
}

static void recurses(void *ctx, FILE *out)
{
	(void)ctx;
	fputc(deeper(1u << 30), out);
}

/* What mem.h and the C library find out about broken heaps, they tell by abort. */
static void breaks_its_heap(void *ctx, FILE *out)
{
	char *volatile p = malloc(24);

	(void)ctx;
	(void)out;
	if (!SANITIZED)
		memset(p - 16, 0x41, 64);
	free(p);
	abort();
}

static void leaves_early(void *ctx, FILE *out)
{
	(void)ctx;
	(void)out;
	_exit(3);
}

static void test_crashed(void **state)
{
	int signals[] = { SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTERM, SIGPIPE }, killed = SIGKILL;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		assert_int_equal(run(crashes, &signals[i]), CHILD_CRASHED);
		assert_string_equal(text, "before");
	}
	assert_int_equal(run(crashes, &killed), CHILD_KILLED);
	assert_int_equal(run(writes_to_nowhere, NULL), CHILD_CRASHED);
	assert_int_equal(run(recurses, NULL), CHILD_CRASHED);
	assert_int_equal(run(breaks_its_heap, NULL), CHILD_CRASHED);
	if (!SANITIZED)
		assert_int_equal(run(leaves_early, NULL), CHILD_CRASHED);
}

static void loops(void *ctx, FILE *out)
{
	(void)ctx;
	(void)out;
	child_limit(1, UINT64_C(1) << 30);
	for (volatile unsigned i = 0;; i++)
		;
}

static void test_slow(void **state)
{
	(void)state;
	assert_int_equal(run(loops, NULL), CHILD_SLOW);
}

/* Limits are for what comes: each one takes the place of the one before. */
static void works_in_steps(void *ctx, FILE *out)
{
	(void)ctx;
	for (int i = 0; i < 3; i++) {
		clock_t start = clock();

		child_limit(1, UINT64_C(1) << 30);
		while (clock() - start < CLOCKS_PER_SEC / 2)
			;
	}
	fputs("done", out);
}

static void test_steps(void **state)
{
	(void)state;
	assert_int_equal(run(works_in_steps, NULL), CHILD_DONE);
	assert_string_equal(text, "done");
}

static void takes_memory(void *ctx, FILE *out)
{
	bool is_ours = child_limit(60, UINT64_C(64) << 20);

	(void)ctx;
	fputs(is_ours ? "ours" : "theirs", out);
	fflush(out);
	for (;;)
		memset(mem_alloc(1 << 20), 1, 1 << 20);
}

static void stays_within(void *ctx, FILE *out)
{
	(void)ctx;
	for (int i = 0; i < 8; i++) {            /* 8 times what one of them gives */
		child_limit(60, UINT64_C(16) << 20);
		memset(mem_alloc(12 << 20), 1, 12 << 20);
	}
	fputs("done", out);
}

static void test_exhausted(void **state)
{
	struct rusage r;

	(void)state;
	assert_int_equal(run(takes_memory, NULL), CHILD_EXHAUSTED);
	assert_string_equal(text, "ours");
	assert_int_equal(getrusage(RUSAGE_CHILDREN, &r), 0);
	if (!SANITIZED)
		assert_true(r.ru_maxrss < 160 << 10);
	assert_int_equal(run(stays_within, NULL), CHILD_DONE);
}

/* Limits that the process has are not widened. */
static void expect_budget(int which, uint64_t bytes)
{
	struct rlimit before, now;

	assert_int_equal(getrlimit(which, &before), 0);
	now = before;
	now.rlim_cur = bytes;
	assert_int_equal(setrlimit(which, &now), 0);
	enum child_end end = run(takes_memory, NULL);
	assert_int_equal(setrlimit(which, &before), 0);
	assert_int_equal(end, CHILD_EXHAUSTED);
	assert_string_equal(text, "theirs");
}

static void test_budget(void **state)
{
	(void)state;
	if (SANITIZED) {
		print_message("# optional: the sanitizers' own memory is beyond any budget\n");
		skip();
	}
	expect_budget(RLIMIT_DATA, 32 << 20);
	expect_budget(RLIMIT_AS, 64 << 20);
}

/* Its handlers are not those of the parent; what is ignored stays so. */
static volatile sig_atomic_t handled;
static void handle(int sig)
{
	handled = sig;
}

static void is_terminated(void *ctx, FILE *out)
{
	(void)ctx;
	raise(SIGHUP);
	fputs("no hangup", out);
	fflush(out);
	raise(SIGTERM);
	fputs(", but handled", out);
}

static void test_signals(void **state)
{
	struct sigaction a = { .sa_handler = handle }, term, hup;

	(void)state;
	sigaction(SIGTERM, &a, &term);
	a.sa_handler = SIG_IGN;
	sigaction(SIGHUP, &a, &hup);
	assert_int_equal(run(is_terminated, NULL), CHILD_CRASHED);
	assert_string_equal(text, "no hangup");
	assert_int_equal(handled, 0);
	sigaction(SIGTERM, &term, NULL);
	sigaction(SIGHUP, &hup, NULL);
}

static void writes_for_ever(void *ctx, FILE *out)
{
	(void)ctx;
	for (;;)
		fputs("more and more", out);
}

/* A parent that has read enough is not kept waiting. */
static void test_not_read(void **state)
{
	struct child c;

	(void)state;
	assert_true(child_start(&c, writes_for_ever, NULL));
	assert_int_equal(child_read(&c, text, 10), 10);
	assert_int_equal(child_wait(&c), CHILD_CRASHED);
}

/* A process that starts a child, says which, and is killed: the pipe tells when both are gone. */
static void sleeps(void *ctx, FILE *out)
{
	(void)out;
	for (;;)
		sleep(((unsigned *)ctx)[0]);
}

static void test_orphan(void **state)
{
	int fds[2];
	char byte;
	unsigned seconds = 60;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct child c;

		close(fds[0]);
		if (child_start(&c, sleeps, &seconds) && write(fds[1], "s", 1) == 1)
			raise(SIGKILL);
		_exit(1);
	}
	close(fds[1]);
	time_t start = time(NULL);
	assert_int_equal(read(fds[0], &byte, 1), 1);
	assert_int_equal(read(fds[0], &byte, 1), 0);     /* when nobody has the other end any more */
	assert_true(time(NULL) - start < 10);
	close(fds[0]);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_done),
		cmocka_unit_test(test_much),
		cmocka_unit_test(test_gave_up),
		cmocka_unit_test(test_crashed),
		cmocka_unit_test(test_slow),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_exhausted),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_not_read),
		cmocka_unit_test(test_orphan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
