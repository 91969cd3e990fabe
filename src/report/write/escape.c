/* SPDX-License-Identifier: Apache-2.0 */
/* escape.c - modified UTF-8 to the text of each format. */
#include "report/write/escape.h"

#define REPLACEMENT 0xfffdu

static bool is_tail(const uint8_t *p, const uint8_t *end, size_t n)
{
	if ((size_t)(end - p) < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return false;
	return true;
}

/* The value of a 3-byte sequence at p, or 0 when there is none. */
static uint32_t three_bytes(const uint8_t *p, const uint8_t *end)
{
	if (p == end || (*p & 0xf0) != 0xe0 || !is_tail(p + 1, end, 2))
		return 0;
	return (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
}

static uint32_t next_three(const uint8_t **at, const uint8_t *end)
{
	uint32_t c = three_bytes(*at, end);

	if (c < 0x800) {
		*at += 1;
		return REPLACEMENT;
	}
	*at += 3;
	if (c < 0xd800 || c > 0xdfff)
		return c;
	uint32_t low = three_bytes(*at, end);
	if (c > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return REPLACEMENT;
	*at += 3;
	return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

/* Not in class files, but paths and the command line hold real UTF-8. */
static uint32_t next_four(const uint8_t **at, const uint8_t *end)
{
	const uint8_t *p = *at;
	uint32_t c = 0;

	if (is_tail(p + 1, end, 3))
		c = (p[0] & 0x07u) << 18 | (p[1] & 0x3fu) << 12 | (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
	bool ok = c >= 0x10000 && c <= 0x10ffff;
	*at += ok ? 4 : 1;
	return ok ? c : REPLACEMENT;
}

static uint32_t next_two(const uint8_t **at, const uint8_t *end)
{
	const uint8_t *p = *at;
	uint32_t c = is_tail(p + 1, end, 1) ? (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu) : 1;

	/* C0 80 is how class files write NUL; other overlong forms are wrong */
	bool ok = c == 0 || c >= 0x80;
	*at += ok ? 2 : 1;
	return ok ? c : REPLACEMENT;
}

/* The next character; always moves on. */
static uint32_t next_char(const uint8_t **at, const uint8_t *end)
{
	uint8_t b = **at;

	if (b >= 0xf0 && b <= 0xf4)
		return next_four(at, end);
	if (b >= 0xe0 && b < 0xf0)
		return next_three(at, end);
	if (b >= 0xc0 && b < 0xe0)
		return next_two(at, end);
	*at += 1;
	return b < 0x80 ? b : REPLACEMENT;
}

static void add_utf8(struct strbuf *out, uint32_t c)
{
	char b[4];
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const uint8_t lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (size_t i = n - 1; i > 0; i--, c >>= 6)
		b[i] = (char)(0x80 | (c & 0x3f));
	b[0] = (char)(lead[n] | c);
	strbuf_add(out, b, n);
}

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

static bool is_hidden(uint32_t c)
{
	return is_control(c) || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x2069) || c == 0xfeff || c == 0xfffe || c == 0xffff;
}

static void add_json(struct strbuf *out, uint32_t c)
{
	if (is_control(c)) {
		strbuf_addf(out, "\\u%04x", (unsigned)c);
		return;
	}
	if (c == '"' || c == '\\')
		strbuf_addch(out, '\\');
	add_utf8(out, c);
}

static void add_xml(struct strbuf *out, uint32_t c)
{
	switch (c) {
	case '&': strbuf_adds(out, "&amp;"); break;
	case '<': strbuf_adds(out, "&lt;"); break;
	case '>': strbuf_adds(out, "&gt;"); break;
	case '"': strbuf_adds(out, "&quot;"); break;
	case '\'': strbuf_adds(out, "&apos;"); break;
	default: add_utf8(out, c);
	}
}

static void add_char(struct strbuf *out, enum escape form, uint32_t c)
{
	if (form == ESCAPE_JSON) {
		add_json(out, c);
	} else if (is_hidden(c)) {
		strbuf_addf(out, form == ESCAPE_DOT ? "\\\\u%04x" : "\\u%04x", (unsigned)c);
	} else if (form == ESCAPE_XML) {
		add_xml(out, c);
	} else {
		if (form == ESCAPE_DOT && (c == '"' || c == '\\'))
			strbuf_addch(out, '\\');
		if (form == ESCAPE_CSV && c == '"')
			strbuf_addch(out, '"');
		add_utf8(out, c);
	}
}

/* Means itself in every format: most of most names. */
static bool is_plain(uint8_t b)
{
	return (b >= '(' && b <= '~' && b != ',' && b != '<' && b != '>' && b != '\\') || b == '$' || b == ' ';
}

static const uint8_t *add_plain(struct strbuf *out, const uint8_t *p, const uint8_t *end)
{
	const uint8_t *start = p;

	while (p < end && is_plain(*p))
		p++;
	if (p > start)
		strbuf_add(out, start, (size_t)(p - start));
	return p;
}

static bool needs_quotes(struct str s)
{
	return s.len && (memchr(s.p, ',', s.len) || memchr(s.p, '"', s.len) || s.p[0] == ' ' || s.p[s.len - 1] == ' ');
}

void escape_add(struct strbuf *out, enum escape form, struct str s)
{
	const uint8_t *p = (const uint8_t *)s.p, *end = p + s.len;
	bool quoted = form == ESCAPE_CSV && needs_quotes(s);

	if (form == ESCAPE_NONE) {
		strbuf_addstr(out, s);
		return;
	}
	if (quoted)
		strbuf_addch(out, '"');
	while ((p = add_plain(out, p, end)) < end)
		add_char(out, form, next_char(&p, end));
	if (quoted)
		strbuf_addch(out, '"');
}
