/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700      /* realpath */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
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
static struct rlimit memory_before;     /* where there is a budget: to be restored */
static volatile sig_atomic_t on_terminal;      /* where a progress line may be in the way of a sentence */

static void remove_pending(void)
{
	char *path = pending;

	pending = NULL;
	if (path)
		unlink(path);
}

static void (*volatile clean_up)(void);

void before_early_end(void (*f)(void))
{
	clean_up = f;
}

/* Only async-signal-safe functions. */
void end_early(const char *sentence, int status)
{
	remove_pending();
	if (clean_up)
		clean_up();
	if (write(STDERR_FILENO, sentence, strlen(sentence)) < 0)
		_exit(status);
	_exit(status);
}

/* Two, of which one is complete whenever a signal comes. */
static struct {
	char how_far[80], to_try[80];
} notes[2];
static volatile sig_atomic_t noted;

static void copy_text(char *to, size_t size, const char *text)
{
	size_t n = strnlen(text, size - 1);

	memcpy(to, text, n);
	to[n] = 0;
}

void budget_note(const char *how_far, const char *to_try)
{
	int next = !noted;

	copy_text(notes[next].how_far, sizeof(notes[next].how_far), how_far);
	copy_text(notes[next].to_try, sizeof(notes[next].to_try), to_try);
	atomic_signal_fence(memory_order_release);
	noted = next;
}

/* Called from signal handlers, too. `which` is the option, `what` one asks for more of. */
static void end_budget(const char *which, const char *what)
{
	const char *far = notes[noted].how_far, *try = notes[noted].to_try;
	const char *parts[] = { on_terminal ? "\r\033[K" : "", "sherd: error: stopped by ", which, far[0] ? " " : "", far,
				"; nothing was written; try ", try, try[0] ? ", or more " : "more ", what, "\n" };
	char sentence[400] = "";
	size_t at = 0;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		copy_text(sentence + at, sizeof(sentence) - at, parts[i]);
		at += strlen(sentence + at);
	}
	end_early(sentence, EXIT_BUDGET);
}

static void on_alarm(int sig)
{
	(void)sig;
	end_budget("--timeout", "time");
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
		end_budget("--memory", "memory");
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
	memory_before = r;
	r.rlim_cur = (rlim_t)megabytes << 20;
	if (r.rlim_max != RLIM_INFINITY && r.rlim_cur > r.rlim_max)
		r.rlim_cur = r.rlim_max;
	memory_budget = setrlimit(RLIMIT_DATA, &r) == 0;
}

void budget_start(int seconds, int megabytes)
{
	on_terminal = isatty(STDERR_FILENO);
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

void budget_end(void)
{
	alarm(0);
	if (memory_budget)
		setrlimit(RLIMIT_DATA, &memory_before);
	memory_budget = 0;
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

/* mkstemp makes the name, and never opens what is there, be it a link. */
int temporary_open(const char *path, const char *mark, struct strbuf *name)
{
	mode_t mask = umask(0);

	umask(mask);
	strbuf_clear(name);
	strbuf_addf(name, "%s.%sXXXXXX", path, mark);
	int fd = mkstemp(name->s);

	if (fd < 0)
		return -1;
	if (fchmod(fd, 0666 & ~mask) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0)
		return fd;
	int e = errno;

	close(fd);
	unlink(name->s);
	errno = e;
	return -1;
}

static void forget(struct output *o)
{
	pending = NULL;
	free(o->temporary);
	free(o->path);
	*o = (struct output){ .fd = -1 };
}

bool output_reserve(struct output *o, const char *path)
{
	struct strbuf name = { 0 };
	bool direct;

	*o = (struct output){ .path = place_of(path, &direct), .fd = -1 };
	if (direct)
		return true;
	o->fd = temporary_open(o->path, "", &name);
	if (o->fd >= 0) {
		o->temporary = name.s;
		pending = o->temporary;
		return true;
	}
	int e = errno;

	strbuf_release(&name);
	forget(o);
	errno = e;
	return false;
}

/* Neither made nor emptied: should it have become a file meanwhile, that is not ours to overwrite. */
static int open_device(const char *path)
{
	struct stat st;
	int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	errno = EEXIST;
	return -1;
}

bool output_open(struct output *o, const char *path)
{
	if (!path || strcmp(path, "-") == 0) {
		*o = (struct output){ .file = stdout, .fd = -1 };
		return true;
	}
	if (!output_reserve(o, path))
		return false;
	if (!o->temporary)
		o->fd = open_device(o->path);
	o->file = o->fd >= 0 ? fdopen(o->fd, "w") : NULL;
	if (o->file)
		return true;
	int e = errno;

	output_abort(o);
	errno = e;
	return false;
}

/* Has the temporary's name still the file that was made for it? Who may write to the folder could have put another there. */
static bool is_ours(const struct output *o)
{
	struct stat made, named;

	if (fstat(o->fd, &made) == 0 && lstat(o->temporary, &named) == 0 && made.st_dev == named.st_dev && made.st_ino == named.st_ino)
		return true;
	errno = ESTALE;
	return false;
}

/* A file that is replaced keeps its permissions. */
static void keep_mode(const struct output *o)
{
	struct stat st;

	if (stat(o->path, &st) == 0)
		(void)!fchmod(o->fd, st.st_mode & 07777);
}

static bool close_file(struct output *o)
{
	int failed = o->file == stdout ? 0 : o->file ? fclose(o->file) : o->fd >= 0 ? close(o->fd) : 0;

	o->file = NULL;
	o->fd = -1;
	return failed == 0;
}

/* Everything is on its way to the disk: only then may the old file be replaced. */
static bool finish(struct output *o)
{
	bool good = !o->file || (!ferror(o->file) && fflush(o->file) == 0);

	if (good && o->temporary) {
		good = is_ours(o);
		keep_mode(o);
	}
	int e = errno;
	bool closed = close_file(o);

	if (!good)
		errno = e;
	return good && closed;
}

bool output_commit(struct output *o)
{
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
	close_file(o);
	if (o->temporary)
		unlink(o->temporary);
	forget(o);
}
