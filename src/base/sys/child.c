/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700               /* setitimer */
#include "base/sys/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/mem.h"

/* How children end by themselves; a sanitizer has other numbers. */
enum { STATUS_DONE = 0, STATUS_GAVE_UP = 101, STATUS_EXHAUSTED = 102 };

static void leave(int status) ATTR_NORETURN;
static void leave(int status)
{
	_exit(status);                           /* layers: allow, in the child only: nothing of the parent's is to be flushed or freed */
}

void child_give_up(FILE *out)
{
	fflush(out);
	leave(STATUS_GAVE_UP);
}

void child_exhausted(void)
{
	leave(STATUS_EXHAUSTED);
}

static void on_exhausted(size_t size)
{
	(void)size;
	child_exhausted();
}

/* Handlers are the parent's: they would remove its files, or say that it ends. */
static void default_signals(void)
{
	struct sigaction a, none = { .sa_handler = SIG_DFL };
	sigset_t mask;

	sigemptyset(&none.sa_mask);
	for (int sig = 1; sig < 32; sig++)
		if (sigaction(sig, NULL, &a) == 0 && a.sa_handler != SIG_IGN && a.sa_handler != SIG_DFL)
			sigaction(sig, &none, NULL);
	sigaction(SIGPIPE, &none, NULL);         /* a parent that reads no more is no reason to go on */
	sigaction(SIGPROF, &none, NULL);
	sigemptyset(&mask);
	sigaddset(&mask, SIGPIPE);
	sigaddset(&mask, SIGPROF);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
}

/* Where there is no such call, the next write fails. */
static void end_with_parent(pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)                 /* it ended before */
		leave(STATUS_GAVE_UP);
}

/* No core file; the limit of the parent's memory is one that is never left. */
static void set_limits(void)
{
	struct rlimit none = { 0, 0 }, memory;

	setrlimit(RLIMIT_CORE, &none);
	if (getrlimit(RLIMIT_DATA, &memory) == 0) {
		memory.rlim_max = memory.rlim_cur;
		setrlimit(RLIMIT_DATA, &memory);
	}
}

static void run(void (*job)(void *ctx, FILE *out), void *ctx, int fd, pid_t parent) ATTR_NORETURN;
static void run(void (*job)(void *ctx, FILE *out), void *ctx, int fd, pid_t parent)
{
	FILE *out;

	default_signals();
	end_with_parent(parent);
	set_limits();
	mem_on_exhausted(on_exhausted);
	out = fdopen(fd, "w");
	if (!out)
		child_exhausted();
	job(ctx, out);
	if (fflush(out) != 0)
		abort();
	leave(STATUS_DONE);
}

bool child_start(struct child *c, void (*job)(void *ctx, FILE *out), void *ctx)
{
	pid_t parent = getpid();
	int fds[2], e;

	if (pipe(fds) != 0)
		return false;
	fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	*c = (struct child){ (long)fork(), fds[0] };
	if (c->pid == 0) {
		close(fds[0]);                   /* or it would not see that nobody reads */
		run(job, ctx, fds[1], parent);
	}
	e = errno;
	close(fds[1]);
	if (c->pid < 0)
		close(fds[0]);
	errno = e;
	return c->pid > 0;
}

size_t child_read(struct child *c, void *buf, size_t n)
{
	size_t have = 0;
	ssize_t k;

	while (have < n && ((k = read(c->from, (char *)buf + have, n - have)) > 0 || (k < 0 && errno == EINTR)))
		have += k > 0 ? (size_t)k : 0;
	return have;
}

enum child_end child_wait(struct child *c)
{
	int status;

	close(c->from);
	while (waitpid((pid_t)c->pid, &status, 0) < 0)
		if (errno != EINTR)
			return CHILD_CRASHED;
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGPROF ? CHILD_SLOW : WTERMSIG(status) == SIGKILL ? CHILD_KILLED : CHILD_CRASHED;
	switch (WEXITSTATUS(status)) {
	case STATUS_DONE:
		return CHILD_DONE;
	case STATUS_GAVE_UP:
		return CHILD_GAVE_UP;
	case STATUS_EXHAUSTED:
		return CHILD_EXHAUSTED;
	default:
		if (SANITIZED)                   /* it has found something and said it: that must not pass for the input's fault */
			BUG("a child ended with status %d", WEXITSTATUS(status));
		return CHILD_CRASHED;
	}
}

/* Bytes that count for RLIMIT_DATA, private memory that can be written, and for RLIMIT_AS; 0: not known. */
static void count_bytes(uint64_t *data, uint64_t *all)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long data_pages = 0, all_pages = 0;

	if (f && fscanf(f, "%lu %*u %*u %*u %*u %lu", &all_pages, &data_pages) != 2)
		data_pages = all_pages = 0;
	if (f)
		fclose(f);
	*data = (uint64_t)data_pages * (uint64_t)sysconf(_SC_PAGESIZE);
	*all = (uint64_t)all_pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

bool child_limit(uint32_t seconds, uint64_t bytes)
{
	struct itimerval t = { .it_value.tv_sec = (time_t)seconds };
	struct rlimit data, all;
	uint64_t used_data, used;

	setitimer(ITIMER_PROF, &t, NULL);
	count_bytes(&used_data, &used);
	if (!used_data || getrlimit(RLIMIT_DATA, &data) != 0 || getrlimit(RLIMIT_AS, &all) != 0)
		return false;
	bool is_ours = used_data + bytes < data.rlim_max && used + bytes < all.rlim_cur;
	data.rlim_cur = used_data + bytes < data.rlim_max ? used_data + bytes : data.rlim_max;
	return setrlimit(RLIMIT_DATA, &data) == 0 && is_ours;
}
