/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { LINES = 10, LONGEST = 1000 };

void say(const char *fmt, ...)
{
	static int said;
	char line[LONGEST];
	va_list ap;

	if (__atomic_fetch_add(&said, 1, __ATOMIC_RELAXED) >= LINES)
		return;
	int head = snprintf(line, sizeof(line), "sherd agent: ");
	va_start(ap, fmt);
	int text = vsnprintf(line + head, sizeof(line) - (size_t)head - 1, fmt, ap);
	va_end(ap);
	size_t len = (size_t)head + (size_t)(text > 0 ? text : 0);
	if (len > sizeof(line) - 2)
		len = sizeof(line) - 2;
	line[len++] = '\n';
	if (write(STDERR_FILENO, line, len) < 0)
		said = LINES;
}
