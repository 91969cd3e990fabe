/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

static void make_room(struct strbuf *b, size_t more)
{
	size_t need = b->len + more + 1;

	if (need <= b->cap)
		return;
	size_t cap = need < 2 * b->cap ? 2 * b->cap : need < 64 ? 64 : need;
	b->s = mem_realloc(b->s, cap);                    /* may jump away */
	b->cap = cap;
}

void strbuf_release(struct strbuf *b)
{
	free(b->s);
	*b = (struct strbuf){ 0 };
}

void strbuf_add(struct strbuf *b, const void *p, size_t n)
{
	make_room(b, n);
	if (n)
		memcpy(b->s + b->len, p, n);
	b->len += n;
	b->s[b->len] = 0;
}

void strbuf_addch(struct strbuf *b, char c)
{
	strbuf_add(b, &c, 1);
}

void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		BUG("bad format %s", fmt);
	make_room(b, (size_t)n);
	vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
}

void strbuf_addf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(b, fmt, ap);
	va_end(ap);
}
