/* SPDX-License-Identifier: Apache-2.0 */
/* escape.c - names to the text of each format. */
#include "report/write/escape.h"

#include "base/text/utf8.h"

static void add_utf8(struct strbuf *out, uint32_t c)
{
	char b[UTF8_MOST];

	strbuf_add(out, b, utf8_put(b, c));
}

static void add_json(struct strbuf *out, uint32_t c)
{
	if (utf8_is_hidden(c)) {           /* the same data, and harmless on a terminal */
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
	} else if (utf8_is_hidden(c)) {
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
static bool is_plain(char b)
{
	return (b >= '(' && b <= '~' && b != ',' && b != '<' && b != '>' && b != '\\') || b == '$' || b == ' ';
}

static const char *add_plain(struct strbuf *out, const char *p, const char *end)
{
	const char *start = p;

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
	const char *p = s.p, *end = p + s.len;
	bool quoted = form == ESCAPE_CSV && needs_quotes(s);

	if (form == ESCAPE_NONE) {
		strbuf_addstr(out, s);
		return;
	}
	if (quoted)
		strbuf_addch(out, '"');
	while ((p = add_plain(out, p, end)) < end)
		add_char(out, form, utf8_next(&p, end));
	if (quoted)
		strbuf_addch(out, '"');
}
