/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700      /* sigaction flags */
#include "cli/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"

/* Signal handlers read it, hence a global. 0: none runs. */
static volatile sig_atomic_t child;

static void pass_on(int sig)
{
	int e = errno;

	if (child > 0)
		kill((pid_t)child, sig);
	errno = e;
}

/* How signals are treated while the command runs. */
static const struct {
	int sig;
	bool is_passed_on;
} treated[] = { { SIGINT, false }, { SIGQUIT, false }, { SIGTERM, true }, { SIGHUP, true } };
enum { TREATED = ARRAY_LEN(treated) };

struct signals {
	struct sigaction before[TREATED];
	sigset_t mask;
};

/* Signals that were ignored before stay so, for the command too (nohup). They are blocked until the command is
 * known. */
static void treat_signals(struct signals *s)
{
	sigset_t block;

	sigemptyset(&block);
	for (size_t i = 0; i < TREATED; i++)
		sigaddset(&block, treated[i].sig);
	sigprocmask(SIG_BLOCK, &block, &s->mask);
	for (size_t i = 0; i < TREATED; i++) {
		struct sigaction a = { .sa_flags = SA_RESTART };
		sigaction(treated[i].sig, NULL, &s->before[i]);
		if (s->before[i].sa_handler == SIG_IGN)
			continue;
		a.sa_handler = treated[i].is_passed_on ? pass_on : SIG_IGN;
		sigemptyset(&a.sa_mask);
		sigaction(treated[i].sig, &a, NULL);
	}
}

static void restore_signals(const struct signals *s)
{
	for (size_t i = 0; i < TREATED; i++)
		sigaction(treated[i].sig, &s->before[i], NULL);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

/* In the child: what was ignored only for us is not. Handlers end with exec anyway. */
static void default_signals(const struct signals *s)
{
	for (size_t i = 0; i < TREATED; i++)
		if (s->before[i].sa_handler != SIG_IGN)
			signal(treated[i].sig, SIG_DFL);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

/* Tells the parent by the pipe, which closes by itself when the command starts, why it does not. */
static void become(const struct spawn *s, const struct signals *signals, int report)
{
	default_signals(signals);
	bool is_ready = (!s->name || setenv(s->name, s->value, 1) == 0) &&
			(!s->stdout_to_stderr || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0);

	if (is_ready)
		execvp(s->command[0], s->command);
	int e = errno;
	if (write(report, &e, sizeof(e)) < 0)
		_exit(SPAWN_NOT_FOUND);
	_exit(SPAWN_NOT_FOUND);
}

static int cannot_run(const char *command, int e, struct strbuf *err)
{
	if (e == ENOENT && !strchr(command, '/')) {
		strbuf_addf(err, "%s: command not found", command);
		return SPAWN_NOT_FOUND;
	}
	strbuf_addf(err, "%s: %s", command, strerror(e));
	return e == ENOENT ? SPAWN_NOT_FOUND : SPAWN_CANNOT_RUN;
}

static int shell_status(int status)
{
	return WIFSIGNALED(status) ? SPAWN_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return SPAWN_CANNOT_RUN;
	return shell_status(status);
}

static int run_child(const struct spawn *s, const struct signals *signals, int report[2], struct strbuf *err)
{
	int e = 0;
	pid_t pid = fork();

	if (pid == 0)
		become(s, signals, report[1]);
	int failed = pid < 0 ? errno : 0;
	close(report[1]);
	child = (sig_atomic_t)(pid > 0 ? pid : 0);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
	ssize_t n;
	do
		n = pid > 0 ? read(report[0], &e, sizeof(e)) : 0;
	while (n < 0 && errno == EINTR);
	close(report[0]);
	int status = pid > 0 ? wait_for(pid) : 0;
	child = 0;
	return failed || n == (ssize_t)sizeof(e) ? cannot_run(s->command[0], failed ? failed : e, err) : status;
}

int spawn_wait(const struct spawn *s, struct strbuf *err)
{
	struct signals signals;
	int report[2];

	if (pipe(report) != 0 || fcntl(report[1], F_SETFD, FD_CLOEXEC) != 0 || fcntl(report[0], F_SETFD, FD_CLOEXEC) != 0)
		return cannot_run(s->command[0], errno, err);
	treat_signals(&signals);
	int status = run_child(s, &signals, report, err);
	restore_signals(&signals);
	return status;
}

/* Many */

struct running {
	pid_t pid;                    /* 0: a free place */
	struct spawn_job *job;
};

static void start(struct running *r, struct spawn_job *job)
{
	job->status = SPAWN_CANNOT_RUN;
	*r = (struct running){ fork(), job };
	if (r->pid < 0)
		r->pid = 0;
	else if (r->pid == 0) {
		if (dup2(job->output, STDOUT_FILENO) >= 0 && dup2(job->output, STDERR_FILENO) >= 0 &&
		    (!job->directory || chdir(job->directory) == 0))
			execvp(job->command[0], job->command);
		_exit(errno == ENOENT ? SPAWN_NOT_FOUND : SPAWN_CANNOT_RUN);
	}
}

/* Waits for one of those that run; its place is free then. */
static void reap(struct running *r, unsigned n)
{
	int status;
	pid_t pid = waitpid(-1, &status, 0);

	if (pid < 0 && errno == EINTR)
		return;
	for (unsigned i = 0; i < n; i++)
		if (r[i].pid && (r[i].pid == pid || pid < 0)) {
			r[i].pid = 0;
			r[i].job->status = pid < 0 ? SPAWN_CANNOT_RUN : shell_status(status);
		}
}

static struct running *free_place(struct running *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!r[i].pid)
			return &r[i];
	return NULL;
}

static bool any_runs(const struct running *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (r[i].pid)
			return true;
	return false;
}

void spawn_all(struct spawn_job *jobs, uint32_t n, unsigned at_once)
{
	struct running *r = mem_zalloc(at_once * sizeof(*r));

	for (uint32_t i = 0; i < n; i++) {
		while (!free_place(r, at_once))
			reap(r, at_once);
		start(free_place(r, at_once), &jobs[i]);
	}
	while (any_runs(r, at_once))
		reap(r, at_once);
	free(r);
}

/* Options of JVMs */

static bool is_plain(char c)
{
	return !strchr(" \t\n\v\f\r'\"", c);
}

/* Runs of letters of one sort each: plain, quoted by ', or by " where a ' is among them. */
void java_option_quote(const char *option, struct strbuf *out)
{
	for (const char *at = option; *at;) {
		const char *end = at;
		char quote = *at == '\'' ? '"' : '\'';
		while (*end && is_plain(*end))
			end++;
		if (end > at) {
			strbuf_add(out, at, (size_t)(end - at));
			at = end;
			continue;
		}
		while (*end && !is_plain(*end) && *end != quote)
			end++;
		strbuf_addch(out, quote);
		strbuf_add(out, at, (size_t)(end - at));
		strbuf_addch(out, quote);
		at = end;
	}
}
