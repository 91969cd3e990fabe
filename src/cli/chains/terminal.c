/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/chains/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include "base/compiler.h"
#include "cli/chains/browse.h"
#include "cli/output.h"

/* Another screen, no cursor, long lines are cut; and back. */
#define ENTER "\033[?1049h\033[?25l\033[?7l\033[2J"
#define LEAVE "\033[0m\033[?7h\033[?25h\033[?1049l"

#define ESCAPE_NS (50 * 1000 * 1000)      /* what comes later than this after an Escape is no part of a key's sequence */

/* What signal handlers need. */
static struct termios before, raw;
static volatile sig_atomic_t is_entered, is_resized;

/* After these nothing of ours runs: the terminal is restored, then happens what would have. */
static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
static struct sigaction old_actions[ARRAY_LEN(deadly)];
static struct sigaction old_stop, old_resize;
static sigset_t old_mask;

const char *terminal_fault(void)
{
	const char *kind = getenv("TERM");

	if (!isatty(STDIN_FILENO))
		return "standard input is no terminal";
	if (!isatty(STDOUT_FILENO))
		return "standard output is no terminal";
	return kind && strcmp(kind, "dumb") == 0 ? "TERM=dumb is a terminal without a screen" : NULL;
}

/* Only async-signal-safe functions, up to `continue_again`. */

static void put(const char *text)
{
	for (size_t n = strlen(text); n > 0;) {
		ssize_t done = write(STDOUT_FILENO, text, n);
		if (done < 0 && errno != EINTR)
			return;
		text += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
}

static void restore(void)
{
	if (!is_entered)
		return;
	is_entered = 0;
	put(LEAVE);
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

static void on_deadly(int sig)
{
	restore();
	for (size_t i = 0; i < ARRAY_LEN(deadly); i++)
		if (deadly[i] == sig)
			sigaction(sig, &old_actions[i], NULL);
	raise(sig);
}

static void on_resize(int sig)
{
	(void)sig;
	is_resized = 1;
}

/* Ctrl-Z: the shell gets its terminal back, and we get ours when it lets us go on. */
static void on_stop(int sig)
{
	int e = errno;

	(void)sig;
	restore();
	raise(SIGSTOP);
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	put(ENTER);
	is_entered = 1;
	is_resized = 1;
	errno = e;
}

static void handle(int sig, void (*handler)(int), struct sigaction *old)
{
	struct sigaction a = { .sa_handler = handler };

	sigemptyset(&a.sa_mask);
	sigaction(sig, &a, old);
}

/* A resize is noticed only while we wait, so that none is missed between a look and the wait. */
static void handle_all(void)
{
	sigset_t resize;

	for (size_t i = 0; i < ARRAY_LEN(deadly); i++)
		handle(deadly[i], on_deadly, &old_actions[i]);
	handle(SIGTSTP, on_stop, &old_stop);
	handle(SIGWINCH, on_resize, &old_resize);
	sigemptyset(&resize);
	sigaddset(&resize, SIGWINCH);
	sigprocmask(SIG_BLOCK, &resize, &old_mask);
}

static void handle_no_more(void)
{
	sigprocmask(SIG_SETMASK, &old_mask, NULL);
	for (size_t i = 0; i < ARRAY_LEN(deadly); i++)
		sigaction(deadly[i], &old_actions[i], NULL);
	sigaction(SIGTSTP, &old_stop, NULL);
	sigaction(SIGWINCH, &old_resize, NULL);
}

bool terminal_enter(void)
{
	if (tcgetattr(STDIN_FILENO, &before) != 0)
		return false;
	raw = before;
	raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | ISTRIP);
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	handle_all();
	before_early_end(restore);
	if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) != 0) {
		int e = errno;
		handle_no_more();
		errno = e;
		return false;
	}
	is_entered = 1;
	put(ENTER);
	return true;
}

void terminal_leave(void)
{
	if (!is_entered)
		return;
	restore();
	before_early_end(NULL);
	handle_no_more();
}

void terminal_size(uint32_t *width, uint32_t *height)
{
	struct winsize w = { 0 };
	bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col && w.ws_row;

	*width = known ? w.ws_col : 80;
	*height = known ? w.ws_row : 24;
}

bool terminal_show(const struct strbuf *lines)
{
	struct strbuf out = { 0 };

	strbuf_adds(&out, "\033[H\033[2K");
	for (size_t i = 0; i < lines->len; i++)
		if (lines->s[i] == '\n')
			strbuf_adds(&out, "\r\n\033[2K");     /* before the line: behind a full one, its last character would go */
		else
			strbuf_addch(&out, lines->s[i]);
	put(out.s);
	strbuf_release(&out);
	return is_entered != 0;
}

/* Keys */

/* A byte; TERMINAL_RESIZED or TERMINAL_GONE; or 0 when none came in time. `most` NULL: waits. */
static int next_byte(const struct timespec *most)
{
	unsigned char c;
	fd_set in;

	for (;;) {
		if (is_resized && !most) {
			is_resized = 0;
			return TERMINAL_RESIZED;
		}
		FD_ZERO(&in);
		FD_SET(STDIN_FILENO, &in);
		int n = pselect(STDIN_FILENO + 1, &in, NULL, NULL, most, &old_mask);
		if (n == 0)
			return 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return TERMINAL_GONE;
		ssize_t got = read(STDIN_FILENO, &c, 1);
		if (got == 1)
			return c;
		if (got == 0 || errno != EINTR)
			return TERMINAL_GONE;
	}
}

static int key_of(int number, int last)
{
	switch (last) {
	case 'A': return KEY_UP;
	case 'B': return KEY_DOWN;
	case 'C': return KEY_RIGHT;
	case 'D': return KEY_LEFT;
	case 'H': return KEY_HOME;
	case 'F': return KEY_END;
	case '~': break;
	default: return KEY_OTHER;
	}
	switch (number) {
	case 1: case 7: return KEY_HOME;
	case 4: case 8: return KEY_END;
	case 5: return KEY_PAGE_UP;
	case 6: return KEY_PAGE_DOWN;
	default: return KEY_OTHER;
	}
}

/* ESC [ numbers letter, or ESC O letter (ECMA-48, and what terminals made of it). */
static int read_sequence(void)
{
	static const struct timespec soon = { 0, ESCAPE_NS };
	int c = next_byte(&soon), number = 0;

	if (c <= 0)
		return c == TERMINAL_GONE ? c : KEY_ESCAPE;
	if (c != '[' && c != 'O')
		return KEY_OTHER;
	for (;;) {
		c = next_byte(&soon);
		if (c <= 0)
			return c == TERMINAL_GONE ? c : KEY_OTHER;
		if (c >= '@')
			return key_of(number, c);
		number = c >= '0' && c <= '9' && number < 1000 ? number * 10 + c - '0' : number;
	}
}

int terminal_key(void)
{
	int c = next_byte(NULL);

	return c == KEY_ESCAPE ? read_sequence() : c == 0 ? KEY_OTHER : c;
}
