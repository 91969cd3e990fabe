/* SPDX-License-Identifier: Apache-2.0 */
/* strbuf.h - text under construction. `s` is always terminated once anything was added. */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>

#include "base/compiler.h"
#include "base/span.h"

struct strbuf {
	char *s;
	size_t len, cap;
};

void strbuf_release(struct strbuf *b);
static inline void strbuf_clear(struct strbuf *b)
{
	b->len = 0;
	if (b->s)
		b->s[0] = 0;
}
void strbuf_add(struct strbuf *b, const void *p, size_t n);
void strbuf_addch(struct strbuf *b, char c);
void strbuf_addf(struct strbuf *b, const char *fmt, ...) ATTR_PRINTF(2, 3);
void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap) ATTR_PRINTF(2, 0);
static inline void strbuf_adds(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s));
}
static inline void strbuf_addstr(struct strbuf *b, struct str s)
{
	strbuf_add(b, s.p, s.len);
}
static inline struct str strbuf_str(const struct strbuf *b)
{
	return (struct str){ b->s ? b->s : "", (uint32_t)b->len };
}

#endif
