/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/text/utf8.h"

enum { LINES = 10, LONGEST = 1000 };

static void write_line(const char *fmt, va_list ap)
{
	char line[LONGEST];
	int head = snprintf(line, sizeof(line), "sherd agent: ");
	int text = vsnprintf(line + head, sizeof(line) - (size_t)head - 1, fmt, ap);
	size_t len = (size_t)head + (size_t)(text > 0 ? text : 0);

	if (len > sizeof(line) - 2)
		len = sizeof(line) - 2;
	len = utf8_tame(line, len);
	line[len++] = '\n';
	while (write(STDERR_FILENO, line, len) < 0 && errno == EINTR)
		continue;
}

void say(const char *fmt, ...)
{
	static int said;
	va_list ap;

	if (__atomic_fetch_add(&said, 1, __ATOMIC_RELAXED) >= LINES)
		return;
	va_start(ap, fmt);
	write_line(fmt, ap);
	va_end(ap);
}

void say_more(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_line(fmt, ap);
	va_end(ap);
}
