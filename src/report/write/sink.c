/* SPDX-License-Identifier: Apache-2.0 */
/* sink.c - the buffered stream that every writer writes to. */
#include "report/write/sink.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"

#ifdef SHERD_TORTURE
#define SINK_BUFFER 16
#else
#define SINK_BUFFER (512u * 1024)
#endif

static void pass_on(struct sink *s, const void *p, size_t n)
{
	if (n && !s->failed && fwrite(p, 1, n, s->file) != n)
		s->failed = true;
}

static void drain(struct sink *s)
{
	pass_on(s, s->buf, s->len);
	s->len = 0;
}

static void write_slow(struct sink *s, const void *p, size_t n)
{
	drain(s);
	if (n >= SINK_BUFFER) {
		pass_on(s, p, n);
		return;
	}
	if (!s->buf)
		s->buf = mem_alloc(SINK_BUFFER);
	memcpy(s->buf, p, n);
	s->len = n;
}

void sink_write(struct sink *s, const void *p, size_t n)
{
	if (n == 0 || s->failed)
		return;
	if (UNLIKELY(!s->buf || n > SINK_BUFFER - s->len)) {
		write_slow(s, p, n);
		return;
	}
	memcpy(s->buf + s->len, p, n);
	s->len += n;
}

void sink_putc(struct sink *s, char c)
{
	sink_write(s, &c, 1);
}

void sink_str(struct sink *s, struct str t)
{
	sink_write(s, t.p, t.len);
}

void sink_puts(struct sink *s, const char *t)
{
	sink_write(s, t, strlen(t));
}

void sink_uint(struct sink *s, uint64_t n)
{
	char digits[20];
	size_t at = sizeof digits;

	do
		digits[--at] = (char)('0' + n % 10);
	while (n /= 10);
	sink_write(s, digits + at, sizeof digits - at);
}

void sink_printf(struct sink *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	int n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (n < 0) {
		s->failed = true;
		return;
	}
	char *text = mem_alloc((size_t)n + 1);
	va_start(args, fmt);
	vsnprintf(text, (size_t)n + 1, fmt, args);
	va_end(args);
	sink_write(s, text, (size_t)n);
	free(text);
}

bool sink_finish(struct sink *s)
{
	drain(s);
	free(s->buf);
	s->buf = NULL;
	if (!s->failed && fflush(s->file) != 0)
		s->failed = true;
	return !s->failed;
}
