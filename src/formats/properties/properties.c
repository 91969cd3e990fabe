/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/properties/properties.h"

#include "base/text/utf8.h"

struct reader_state {
	const char *at, *end;
	uint32_t line;
	struct strbuf logical;           /* a line with those that continue it, escapes as they are */
	struct strbuf key, value;
	const char *file;
	struct diag *d;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\f';
}

/* Is the end of the text a backslash that is not itself escaped? */
static bool goes_on(struct str s)
{
	uint32_t n = 0;

	while (n < s.len && s.p[s.len - 1 - n] == '\\')
		n++;
	return n % 2 == 1;
}

/* The next line without its end, which may be \n, \r or \r\n, and without blanks before it. */
static bool next_natural(struct reader_state *r, struct str *out)
{
	if (r->at == r->end)
		return false;
	while (r->at < r->end && is_blank(*r->at))
		r->at++;
	const char *start = r->at;
	while (r->at < r->end && *r->at != '\n' && *r->at != '\r')
		r->at++;
	*out = (struct str){ start, (uint32_t)(r->at - start) };
	if (r->at < r->end && *r->at++ == '\r' && r->at < r->end && *r->at == '\n')
		r->at++;
	r->line++;
	return true;
}

/* Comments and empty lines are none; they do not continue. */
static bool next_logical(struct reader_state *r, uint32_t *line)
{
	struct str s;

	strbuf_clear(&r->logical);
	do {
		if (!next_natural(r, &s))
			return false;
	} while (!s.len || s.p[0] == '#' || s.p[0] == '!');
	*line = r->line;
	while (goes_on(s)) {
		strbuf_add(&r->logical, s.p, s.len - 1);
		if (!next_natural(r, &s))
			s.len = 0;
	}
	strbuf_add(&r->logical, s.len ? s.p : "", s.len);
	return true;
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* XXXX, as modified UTF-8: halves of pairs stay by themselves. */
static bool add_unicode(struct strbuf *out, struct str s)
{
	unsigned c = 0;

	for (uint32_t i = 0; i < 4; i++) {
		if (i >= s.len || hex(s.p[i]) < 0)
			return false;
		c = c * 16 + (unsigned)hex(s.p[i]);
	}
	if (c && c < 0x80) {
		strbuf_addch(out, (char)c);
	} else if (c < 0x800) {
		strbuf_addch(out, (char)(0xc0 | c >> 6));
		strbuf_addch(out, (char)(0x80 | (c & 0x3f)));
	} else {
		strbuf_addch(out, (char)(0xe0 | c >> 12));
		strbuf_addch(out, (char)(0x80 | (c >> 6 & 0x3f)));
		strbuf_addch(out, (char)(0x80 | (c & 0x3f)));
	}
	return true;
}

static void add_latin1(struct strbuf *out, char c)
{
	unsigned u = (unsigned char)c;

	strbuf_addch(out, (char)(0xc0 | u >> 6));
	strbuf_addch(out, (char)(0x80 | (u & 0x3f)));
}

/* Takes the escape behind a backslash; 0: it is malformed. */
static uint32_t add_escape(struct strbuf *out, struct str rest)
{
	static const char from[] = "tnrf", to[] = "\t\n\r\f";

	if (!rest.len)
		return 1;
	const char *known = strchr(from, rest.p[0]);
	if (rest.p[0] == 'u')
		return add_unicode(out, str_sub(rest, 1, rest.len)) ? 5 : 0;
	strbuf_addch(out, known && rest.p[0] ? to[known - from] : rest.p[0]);
	return 1;
}

/* Up to `stop`, with escapes resolved; false: one is malformed. */
static bool unescape(struct str s, bool is_text, struct strbuf *out)
{
	for (uint32_t i = 0; i < s.len; i++) {
		if (s.p[i] == '\\') {
			uint32_t n = add_escape(out, str_sub(s, i + 1, s.len));
			if (!n)
				return false;
			i += n;
		} else if ((unsigned char)s.p[i] >= 0x80 && !is_text) {
			add_latin1(out, s.p[i]);
		} else {
			strbuf_addch(out, s.p[i]);
		}
	}
	return true;
}

static uint32_t end_of_key(struct str s)
{
	uint32_t i = 0;

	while (i < s.len && !is_blank(s.p[i]) && s.p[i] != '=' && s.p[i] != ':')
		i += s.p[i] == '\\' ? 2 : 1;
	return i < s.len ? i : s.len;
}

static uint32_t start_of_value(struct str s, uint32_t i)
{
	while (i < s.len && is_blank(s.p[i]))
		i++;
	if (i < s.len && (s.p[i] == '=' || s.p[i] == ':'))
		i++;
	while (i < s.len && is_blank(s.p[i]))
		i++;
	return i;
}

static bool is_utf8(struct str s)
{
	const char *at = s.p, *end = s.p + s.len;

	while (at < end)
		if (utf8_next(&at, end) == UTF8_BAD)
			return false;
	return true;
}

static bool split(struct reader_state *r)
{
	struct str s = strbuf_str(&r->logical);
	uint32_t end = end_of_key(s), start = start_of_value(s, end);
	bool is_text = is_utf8(s);

	strbuf_clear(&r->key);
	strbuf_clear(&r->value);
	return unescape(str_sub(s, 0, end), is_text, &r->key) && unescape(str_sub(s, start, s.len), is_text, &r->value);
}

void properties_read(const char *file, struct span bytes, struct diag *d,
		     void (*fn)(void *ctx, struct str key, struct str value, uint32_t line), void *ctx)
{
	const char *p = bytes.p ? (const char *)bytes.p : "";
	struct reader_state r = { .at = p, .end = p + bytes.len, .file = file, .d = d };
	uint32_t line;

	while (next_logical(&r, &line)) {
		if (split(&r))
			fn(ctx, strbuf_str(&r.key), strbuf_str(&r.value), line);
		else
			diag_add(d, DIAG_E075, file, (struct str){ 0 }, line, "a \\u needs four hexadecimal digits; the property is left out");
	}
	strbuf_release(&r.logical);
	strbuf_release(&r.key);
	strbuf_release(&r.value);
}
