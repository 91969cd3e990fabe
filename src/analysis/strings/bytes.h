/* SPDX-License-Identifier: Apache-2.0 */
/* bytes.h - sets of bytes, and characters of Java in modified UTF-8 (JVMS §4.4.7): a char is one to three bytes, of which all
 * but the first are 0x80 to 0xbf; NUL is two bytes, and a supplementary character two chars of three bytes each. */
#ifndef ANALYSIS_STRINGS_BYTES_H
#define ANALYSIS_STRINGS_BYTES_H

#include "base/span.h"

struct byteset {
	uint64_t w[4];
};

static inline bool byteset_has(const struct byteset *s, unsigned b)
{
	return s->w[b >> 6] >> (b & 63) & 1;
}

static inline void byteset_add(struct byteset *s, unsigned b)
{
	s->w[b >> 6] |= UINT64_C(1) << (b & 63);
}

static inline void byteset_add_range(struct byteset *s, unsigned lo, unsigned hi)
{
	for (unsigned b = lo; b <= hi; b++)
		byteset_add(s, b);
}

static inline void byteset_add_str(struct byteset *s, struct str text)
{
	for (uint32_t i = 0; i < text.len; i++)
		byteset_add(s, (unsigned char)text.p[i]);
}

/* Whether the set grew. */
static inline bool byteset_merge(struct byteset *s, const struct byteset *more)
{
	bool grew = false;

	for (int i = 0; i < 4; i++) {
		grew |= (more->w[i] & ~s->w[i]) != 0;
		s->w[i] |= more->w[i];
	}
	return grew;
}

static inline bool byteset_is_ascii(const struct byteset *s)
{
	return !s->w[2] && !s->w[3];
}

static inline bool byteset_is_empty(const struct byteset *s)
{
	return !s->w[0] && !s->w[1] && byteset_is_ascii(s);
}

static inline bool byteset_is_full(const struct byteset *s)
{
	return !(~s->w[0] | ~s->w[1] | ~s->w[2] | ~s->w[3]);
}

/* Whether the byte continues a char. */
static inline bool byte_continues(char b)
{
	return ((unsigned char)b & 0xc0) == 0x80;
}

/* Where the char after the one at `i` begins; i < s.len. */
static inline uint32_t char_end(struct str s, uint32_t i)
{
	do
		i++;
	while (i < s.len && byte_continues(s.p[i]));
	return i;
}

static inline uint32_t chars_count(struct str s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s.len; i = char_end(s, i))
		n++;
	return n;
}

/* Where char number `k` begins, s.len when there are exactly k, UINT32_MAX when there are fewer. */
static inline uint32_t char_start(struct str s, uint32_t k)
{
	uint32_t i = 0;

	for (; k > 0; k--) {
		if (i >= s.len)
			return UINT32_MAX;
		i = char_end(s, i);
	}
	return i;
}

#endif
