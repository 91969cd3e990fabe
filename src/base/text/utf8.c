/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/utf8.h"

static bool is_tail(const char *p, const char *end, size_t n)
{
	if ((size_t)(end - p) < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (((uint8_t)p[i] & 0xc0) != 0x80)
			return false;
	return true;
}

static uint32_t low_bits(char c, unsigned mask)
{
	return (uint8_t)c & mask;
}

/* The value of a 3-byte sequence at p, or 0 when there is none. */
static uint32_t three_bytes(const char *p, const char *end)
{
	if (p == end || low_bits(*p, 0xf0) != 0xe0 || !is_tail(p + 1, end, 2))
		return 0;
	return low_bits(p[0], 0x0f) << 12 | low_bits(p[1], 0x3f) << 6 | low_bits(p[2], 0x3f);
}

static uint32_t next_three(const char **at, const char *end)
{
	uint32_t c = three_bytes(*at, end);

	if (c < 0x800) {
		*at += 1;
		return UTF8_BAD;
	}
	*at += 3;
	if (c < 0xd800 || c > 0xdfff)
		return c;
	uint32_t low = three_bytes(*at, end);
	if (c > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return UTF8_BAD;
	*at += 3;
	return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

/* Not in class files, but paths and the command line hold real UTF-8. */
static uint32_t next_four(const char **at, const char *end)
{
	const char *p = *at;
	uint32_t c = 0;

	if (is_tail(p + 1, end, 3))
		c = low_bits(p[0], 0x07) << 18 | low_bits(p[1], 0x3f) << 12 | low_bits(p[2], 0x3f) << 6 | low_bits(p[3], 0x3f);
	bool ok = c >= 0x10000 && c <= 0x10ffff;
	*at += ok ? 4 : 1;
	return ok ? c : UTF8_BAD;
}

static uint32_t next_two(const char **at, const char *end)
{
	const char *p = *at;
	uint32_t c = is_tail(p + 1, end, 1) ? low_bits(p[0], 0x1f) << 6 | low_bits(p[1], 0x3f) : 1;

	/* C0 80 is how class files write NUL; other overlong forms are wrong */
	bool ok = c == 0 || c >= 0x80;
	*at += ok ? 2 : 1;
	return ok ? c : UTF8_BAD;
}

uint32_t utf8_next(const char **at, const char *end)
{
	uint8_t b = (uint8_t)**at;

	if (b >= 0xf0 && b <= 0xf4)
		return next_four(at, end);
	if (b >= 0xe0 && b < 0xf0)
		return next_three(at, end);
	if (b >= 0xc0 && b < 0xe0)
		return next_two(at, end);
	*at += 1;
	return b < 0x80 ? b : UTF8_BAD;
}

size_t utf8_put(char out[static UTF8_MOST], uint32_t c)
{
	static const uint8_t lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n - 1; i > 0; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(lead[n] | c);
	return n;
}

bool utf8_is_hidden(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x2069) || c == 0xfeff || c == 0xfffe || c == 0xffff;
}

bool utf8_is_shown(struct str s)
{
	const char *end = s.p + s.len;

	for (const char *p = s.p; p < end;) {
		uint32_t c = utf8_next(&p, end);

		if (c == UTF8_BAD || utf8_is_hidden(c))
			return false;
	}
	return true;
}

/* What is written is never ahead of what is read: a pair of surrogates has six bytes, its character four. */
size_t utf8_tame(char *s, size_t n)
{
	const char *p = s, *end = s + n;
	char *to = s;

	while (p < end) {
		uint32_t c = utf8_next(&p, end);
		char bytes[UTF8_MOST];
		size_t size = utf8_put(bytes, c == UTF8_BAD || utf8_is_hidden(c) ? '?' : c);

		for (size_t i = 0; i < size; i++)
			*to++ = bytes[i];
	}
	return (size_t)(to - s);
}
