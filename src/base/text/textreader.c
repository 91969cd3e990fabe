/* SPDX-License-Identifier: Apache-2.0 */
/* textreader.c - the lexical level of text forms. */
#include "base/text/textreader.h"

#include "base/text/utf8.h"

bool text_fail(struct textreader *r, const char *what)
{
	if (!r->failed)
		diag_add(r->d, DIAG_E030, r->artifact, r->item, DIAG_NO_OFFSET, "line %u: %s", (unsigned)r->line, what);
	r->failed = true;
	return false;
}

void text_skip_blanks(struct textreader *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
		r->at++;
	if (r->at < r->end && *r->at == r->comment)
		while (r->at < r->end && *r->at != '\n')
			r->at++;
}

bool text_at_line_end(struct textreader *r)
{
	text_skip_blanks(r);
	return r->at == r->end || *r->at == '\n';
}

bool text_next_line(struct textreader *r)
{
	while (text_at_line_end(r)) {
		if (r->at == r->end)
			return false;
		r->at++;
		r->line++;
	}
	return true;
}

bool text_accept(struct textreader *r, char c)
{
	text_skip_blanks(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

bool text_expect(struct textreader *r, char c, const char *what)
{
	return text_accept(r, c) || text_fail(r, what);
}

struct str text_peek_word(struct textreader *r, bool (*is_word_char)(char c))
{
	text_skip_blanks(r);
	const char *from = r->at, *to = from;

	while (to < r->end && is_word_char(*to))
		to++;
	return (struct str){ from, (uint32_t)(to - from) };
}

bool text_u64(struct textreader *r, uint64_t *v)
{
	text_skip_blanks(r);
	const char *from = r->at;

	*v = 0;
	while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
		uint64_t digit = (uint64_t)(*r->at++ - '0');

		if (*v > (UINT64_MAX - digit) / 10)
			return text_fail(r, "number is too large");
		*v = *v * 10 + digit;
	}
	return r->at > from || text_fail(r, "number expected");
}

bool text_u32(struct textreader *r, uint32_t *v)
{
	uint64_t n;

	if (!text_u64(r, &n))
		return false;
	*v = (uint32_t)n;
	return n <= UINT32_MAX || text_fail(r, "number is too large");
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character after a backslash. */
static bool parse_escape(struct textreader *r, struct strbuf *out)
{
	char c = r->at < r->end ? *r->at++ : 0;

	if (c == 'n') {
		strbuf_addch(out, '\n');
	} else if (c == 't' && r->has_tab) {
		strbuf_addch(out, '\t');
	} else if (c == '"' || c == '\\') {
		strbuf_addch(out, c);
	} else if (c == 'x' && r->end - r->at >= 2 && hex_digit(r->at[0]) >= 0 && hex_digit(r->at[1]) >= 0) {
		strbuf_addch(out, (char)(hex_digit(r->at[0]) * 16 + hex_digit(r->at[1])));
		r->at += 2;
	} else {
		return text_fail(r, "unknown escape in a string");
	}
	return true;
}

bool text_quoted(struct textreader *r, struct strbuf *out)
{
	bool ok = text_expect(r, '"', "string expected");

	while (ok && r->at < r->end && *r->at != '"' && *r->at != '\n') {
		char c = *r->at++;

		if (c == '\\')
			ok = parse_escape(r, out);
		else
			strbuf_addch(out, c);
	}
	return ok && text_expect(r, '"', "string does not end");
}

static void add_bytes(struct strbuf *out, const char *from, const char *to)
{
	for (; from < to; from++)
		strbuf_addf(out, "\\x%02x", (unsigned char)*from);
}

void text_quote(struct strbuf *out, struct str s, bool has_tab)
{
	const char *p = s.p, *end = p + s.len;

	strbuf_addch(out, '"');
	while (p < end) {
		const char *from = p;
		uint32_t c = utf8_next(&p, end);

		if (c == '"' || c == '\\')
			strbuf_addf(out, "\\%c", (int)c);
		else if (c == '\n')
			strbuf_adds(out, "\\n");
		else if (c == '\t' && has_tab)
			strbuf_adds(out, "\\t");
		else if (utf8_is_hidden(c) || (c == UTF8_BAD && p == from + 1))
			add_bytes(out, from, p);
		else
			strbuf_add(out, from, (size_t)(p - from));
	}
	strbuf_addch(out, '"');
}
