/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/term.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/text/utf8.h"

enum { SHOWN_OF_A_CODE = 10, REDRAW_NS = 100 * 1000 * 1000 };

#define BOLD_RED "\033[1;31m"
#define BOLD_YELLOW "\033[1;33m"
#define PLAIN "\033[0m"

bool term_color(int when, int fd)
{
	const char *no = getenv("NO_COLOR"), *kind = getenv("TERM");

	if (when != WHEN_AUTO)
		return when == WHEN_ALWAYS;
	return isatty(fd) && !(no && no[0]) && kind && strcmp(kind, "dumb") != 0;
}

int term_width(int fd)
{
	struct winsize w;
	const char *columns = getenv("COLUMNS");
	int n = columns ? atoi(columns) : 0;

	if (n <= 0 && ioctl(fd, TIOCGWINSZ, &w) == 0)
		n = w.ws_col;
	return n > 0 ? n : 80;
}

void term_init(struct term *t, const struct shared_options *o)
{
	*t = (struct term){ .quiet = o->quiet, .verbose = o->verbose };
	t->color_out = term_color(o->color, STDOUT_FILENO);
	t->color_err = term_color(o->color, STDERR_FILENO);
	t->width = term_width(isatty(STDOUT_FILENO) ? STDOUT_FILENO : STDERR_FILENO);
	t->progress = isatty(STDERR_FILENO) && o->progress != WHEN_NEVER &&
		      (o->progress == WHEN_ALWAYS || !o->quiet);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void term_progress(struct term *t, const char *fmt, ...)
{
	char line[256];
	va_list ap;

	if (!t->progress || now_ns() < t->next_ns)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	line[utf8_tame(line, strlen(line))] = 0;
	fprintf(stderr, "\r%.*s\033[K", t->width - 1, line);
	fflush(stderr);
	t->line_shown = true;
	t->next_ns = now_ns() + REDRAW_NS;
}

void term_progress_end(struct term *t)
{
	if (t->line_shown)
		fputs("\r\033[K", stderr);
	t->line_shown = false;
}

/* `kind` is coloured; NULL: nothing before the sentence. Lines are ours; what is in them need not be. */
static void say(const char *kind, const char *color, const char *fmt, va_list ap)
{
	fputs("sherd: ", stderr);
	if (kind)
		fprintf(stderr, "%s%s%s: ", color, kind, color[0] ? PLAIN : "");
	struct strbuf text = { 0 };
	strbuf_vaddf(&text, fmt, ap);
	for (char *line = text.s, *end; line; line = *end ? end + 1 : NULL) {
		end = line + strcspn(line, "\n");
		fwrite(line, 1, utf8_tame(line, (size_t)(end - line)), stderr);
		fputc('\n', stderr);
	}
	strbuf_release(&text);
}

void term_error(struct term *t, const char *fmt, ...)
{
	va_list ap;

	term_progress_end(t);
	va_start(ap, fmt);
	say("error", t->color_err ? BOLD_RED : "", fmt, ap);
	va_end(ap);
}

void term_warning(struct term *t, const char *fmt, ...)
{
	va_list ap;

	if (t->quiet)
		return;
	term_progress_end(t);
	va_start(ap, fmt);
	say("warning", t->color_err ? BOLD_YELLOW : "", fmt, ap);
	va_end(ap);
}

void term_note(struct term *t, const char *fmt, ...)
{
	va_list ap;

	if (t->quiet)
		return;
	term_progress_end(t);
	va_start(ap, fmt);
	say(NULL, "", fmt, ap);
	va_end(ap);
}

int usage_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("error", term_color(WHEN_AUTO, STDERR_FILENO) ? BOLD_RED : "", fmt, ap);
	va_end(ap);
	return EXIT_UNSERVED;
}

static void add_kind(const struct term *t, enum diag_code code, struct strbuf *out)
{
	bool error = diag_severity(code) == DIAG_ERROR;

	if (t->color_err)
		strbuf_adds(out, error ? BOLD_RED : BOLD_YELLOW);
	strbuf_addf(out, "%s[%s]", error ? "error" : "warning", diag_name(code));
	if (t->color_err)
		strbuf_adds(out, PLAIN);
	strbuf_adds(out, ": ");
}

/* The rendered line with its `error[E011]: ` in colour. */
static void add_entry(const struct term *t, const struct diag_entry *e, struct strbuf *out)
{
	struct strbuf line = { 0 };

	diag_render(e, &line);
	size_t place = line.len - strlen(e->text) - strlen(diag_name(e->code)) -
		       (diag_severity(e->code) == DIAG_ERROR ? strlen("error[]: ") : strlen("warning[]: "));

	strbuf_add(out, line.s, place);
	add_kind(t, e->code, out);
	strbuf_addf(out, "%s\n", e->text);
	strbuf_release(&line);
}

static void add_code(const struct term *t, const struct diag *d, enum diag_code code, struct strbuf *out)
{
	uint32_t n = 0, shown = t->verbose ? UINT32_MAX : SHOWN_OF_A_CODE;

	for (uint32_t i = 0; i < d->entries.len; i++)
		if (d->entries.data[i].code == code && n++ < shown)
			add_entry(t, &d->entries.data[i], out);
	if (n > shown) {
		add_kind(t, code, out);
		strbuf_addf(out, "%s: %u more (-v shows all)\n", diag_title(code), n - shown);
	}
}

static uint32_t count_code(const struct diag *d, enum diag_code code)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->entries.len; i++)
		n += d->entries.data[i].code == code;
	return n;
}

/* One warning for all missing classes: a library left off the class path loses hundreds at once. */
static void add_missing(const struct term *t, const struct diag *d, struct strbuf *out)
{
	uint32_t total = count_code(d, DIAG_W040), n = 0, shown = t->verbose ? UINT32_MAX : SHOWN_OF_A_CODE;

	if (!total)
		return;
	add_kind(t, DIAG_W040, out);
	strbuf_addf(out, "%u class%s not found; is a jar missing from --class-path?\n", total, total == 1 ? "" : "es");
	for (uint32_t i = 0; i < d->entries.len; i++) {
		const struct diag_entry *e = &d->entries.data[i];

		if (e->code == DIAG_W040 && n++ < shown)
			strbuf_addf(out, "    %s\n", e->item[0] ? e->item : e->text);
	}
	if (n > shown)
		strbuf_addf(out, "    and %u more (-v shows all)\n", n - shown);
}

static void add_severity(const struct term *t, const struct diag *d, enum diag_severity severity, struct strbuf *out)
{
	for (int code = 0; code < DIAG_CODES; code++)
		if (code != DIAG_W040 && diag_severity((enum diag_code)code) == severity)
			add_code(t, d, (enum diag_code)code, out);
}

void term_render_diagnostics(const struct term *t, const struct diag *d, struct strbuf *out)
{
	add_severity(t, d, DIAG_ERROR, out);
	if (!t->quiet) {
		add_severity(t, d, DIAG_WARNING, out);
		add_missing(t, d, out);
	}
	if (d->dropped)
		strbuf_addf(out, "%u more diagnostics were not kept\n", d->dropped);
}

void term_diagnostics(struct term *t, const struct diag *d)
{
	struct strbuf out = { 0 };

	term_progress_end(t);
	term_render_diagnostics(t, d, &out);
	if (out.len)
		fwrite(out.s, 1, out.len, stderr);
	strbuf_release(&out);
}
