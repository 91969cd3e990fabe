/* SPDX-License-Identifier: Apache-2.0 */
/* span.h - borrowed bytes (struct span) and borrowed text (struct str); neither is terminated or owned. */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
	const uint8_t *p;
	size_t len;
};

struct str {
	const char *p;
	uint32_t len;
};

#define STR(lit) ((struct str){ (lit), (uint32_t)(sizeof(lit) - 1) })   /* of a literal */

static inline struct str str_of(const char *s)
{
	return (struct str){ s, (uint32_t)strlen(s) };
}

static inline bool str_eq(struct str a, struct str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

static inline bool str_is(struct str a, const char *s)
{
	return str_eq(a, str_of(s));
}

static inline bool str_starts(struct str a, const char *prefix)
{
	size_t n = strlen(prefix);

	return a.len >= n && memcmp(a.p, prefix, n) == 0;
}

static inline bool str_ends(struct str a, const char *suffix)
{
	size_t n = strlen(suffix);

	return a.len >= n && memcmp(a.p + a.len - n, suffix, n) == 0;
}

static inline int str_cmp(struct str a, struct str b)
{
	uint32_t n = a.len < b.len ? a.len : b.len;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.len > b.len) - (a.len < b.len);
}

static inline struct str str_sub(struct str a, uint32_t from, uint32_t to)
{
	return (struct str){ a.p + from, to - from };
}

/* The index of the last `c`, or -1. */
static inline int64_t str_rfind(struct str a, char c)
{
	for (uint32_t i = a.len; i > 0; i--)
		if (a.p[i - 1] == c)
			return i - 1;
	return -1;
}

#endif
