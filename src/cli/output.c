/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700      /* realpath */
#include "cli/output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "cli/options.h"

/* What to remove when the process ends early. Signal handlers read it, hence a global. */
static char *volatile pending;
static volatile sig_atomic_t memory_budget;

static void remove_pending(void)
{
	char *path = pending;

	pending = NULL;
	if (path)
		unlink(path);
}

/* Called from signal handlers: only async-signal-safe functions. */
static void end_early(const char *sentence, int status)
{
	remove_pending();
	if (write(STDERR_FILENO, sentence, strlen(sentence)) < 0)
		_exit(status);
	_exit(status);
}

static void on_alarm(int sig)
{
	(void)sig;
	end_early("sherd: error: stopped by --timeout; nothing was written\n", EXIT_BUDGET);
}

static void on_interrupt(int sig)
{
	remove_pending();
	raise(sig);          /* SA_RESETHAND restored the default action */
}

static void on_exhausted(size_t size)
{
	(void)size;
	if (memory_budget)
		end_early("sherd: error: stopped by --memory; nothing was written\n", EXIT_BUDGET);
	end_early("sherd: error: out of memory\n", EXIT_UNSERVED);
}

static void handle(int sig, void (*handler)(int))
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = (int)SA_RESETHAND };
	struct sigaction old;

	sigemptyset(&a.sa_mask);
	if (sigaction(sig, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(sig, &a, NULL);
}

/* RLIMIT_DATA counts private writable memory only: mapped inputs are free. */
static void limit_memory(int megabytes)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_DATA, &r) != 0)
		return;
	r.rlim_cur = (rlim_t)megabytes << 20;
	if (r.rlim_max != RLIM_INFINITY && r.rlim_cur > r.rlim_max)
		r.rlim_cur = r.rlim_max;
	memory_budget = setrlimit(RLIMIT_DATA, &r) == 0;
}

void budget_start(int seconds, int megabytes)
{
	handle(SIGINT, on_interrupt);
	handle(SIGTERM, on_interrupt);
	handle(SIGHUP, on_interrupt);
	mem_on_exhausted(on_exhausted);
	if (megabytes > 0)
		limit_memory(megabytes);
	if (seconds > 0) {
		handle(SIGALRM, on_alarm);
		alarm((unsigned)seconds);
	}
}

/* Devices and pipes are written directly; a link is followed, so that it survives the move. */
static char *place_of(const char *path, bool *direct)
{
	struct stat st;

	*direct = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
	char *real = *direct ? NULL : realpath(path, NULL);

	if (real)
		return real;
	size_t n = strlen(path) + 1;

	return memcpy(mem_alloc(n), path, n);
}

/* A new empty file beside `path`, with the permissions that creating `path` would have given. */
static char *make_temporary(const char *path)
{
	struct strbuf name = { 0 };
	mode_t mask = umask(0);

	umask(mask);
	strbuf_addf(&name, "%s.XXXXXX", path);
	int fd = mkstemp(name.s);

	if (fd < 0 || fchmod(fd, 0666 & ~mask) != 0) {
		int e = errno;

		if (fd >= 0)
			close(fd);
		strbuf_release(&name);
		errno = e;
		return NULL;
	}
	close(fd);
	return name.s;
}

static void forget(struct output *o)
{
	pending = NULL;
	free(o->temporary);
	free(o->path);
	*o = (struct output){ 0 };
}

bool output_reserve(struct output *o, const char *path)
{
	bool direct;

	*o = (struct output){ .path = place_of(path, &direct) };
	if (direct)
		return true;
	o->temporary = make_temporary(o->path);
	pending = o->temporary;
	if (o->temporary)
		return true;
	int e = errno;

	forget(o);
	errno = e;
	return false;
}

bool output_open(struct output *o, const char *path)
{
	if (!path || strcmp(path, "-") == 0) {
		*o = (struct output){ .file = stdout };
		return true;
	}
	if (!output_reserve(o, path))
		return false;
	o->file = fopen(o->temporary ? o->temporary : o->path, "w");
	if (o->file)
		return true;
	int e = errno;

	output_abort(o);
	errno = e;
	return false;
}

/* Everything is on its way to the disk: only then may the old file be replaced. */
static bool finish(struct output *o)
{
	if (!o->file)
		return true;
	bool good = !ferror(o->file) && fflush(o->file) == 0;

	if (o->file != stdout && fclose(o->file) != 0)
		good = false;
	o->file = NULL;
	return good;
}

/* A file that is replaced keeps its permissions. */
static void keep_mode(const struct output *o)
{
	struct stat st;

	if (o->temporary && stat(o->path, &st) == 0)
		(void)!chmod(o->temporary, st.st_mode & 07777);
}

bool output_commit(struct output *o)
{
	keep_mode(o);
	errno = EIO;
	bool good = finish(o) && (!o->temporary || rename(o->temporary, o->path) == 0);
	int e = errno;

	if (good)
		forget(o);
	else
		output_abort(o);
	errno = good ? 0 : e;
	return good;
}

void output_abort(struct output *o)
{
	if (o->file && o->file != stdout)
		fclose(o->file);
	if (o->temporary)
		unlink(o->temporary);
	forget(o);
}
