/* SPDX-License-Identifier: Apache-2.0 */
/* jsonreader.c - words, strings and structure of JSON (RFC 8259). */
#include "base/text/jsonreader.h"

#include "base/text/utf8.h"

struct jsonreader jsonread_of(struct span bytes, struct strbuf *err)
{
	return (struct jsonreader){ .r = reader_of(bytes), .err = err, .counted = bytes.p, .line = 1 };
}

void jsonread_release(struct jsonreader *j)
{
	strbuf_release(&j->text);
}

uint32_t jsonread_line(struct jsonreader *j)
{
	for (; j->counted < j->r.p; j->counted++)
		j->line += *j->counted == '\n';
	return j->line;
}

bool jsonread_fail(struct jsonreader *j, const char *what)
{
	if (!j->failed)
		strbuf_addf(j->err, "line %u: %s", (unsigned)jsonread_line(j), what);
	j->failed = true;
	return false;
}

char jsonread_peek(struct jsonreader *j)
{
	if (j->failed)
		return 0;
	while (reader_left(&j->r) && strchr(" \t\r\n", (char)*j->r.p) && *j->r.p)
		j->r.p++;
	return reader_left(&j->r) ? (char)*j->r.p : 0;
}

bool jsonread_accept(struct jsonreader *j, char c)
{
	if (jsonread_peek(j) != c)
		return false;
	j->r.p++;
	return true;
}

bool jsonread_expect(struct jsonreader *j, char c)
{
	char sentence[] = "'?' expected";

	sentence[1] = c;
	return jsonread_accept(j, c) || jsonread_fail(j, sentence);
}

/* Strings */

/* Three bytes, also for half a surrogate pair, which is how class files write both halves. */
static void add_unit(struct strbuf *b, uint32_t c)
{
	strbuf_addch(b, (char)(0xe0 | c >> 12));
	strbuf_addch(b, (char)(0x80 | (c >> 6 & 0x3f)));
	strbuf_addch(b, (char)(0x80 | (c & 0x3f)));
}

static bool read_hex4(struct jsonreader *j, uint32_t *out)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";

	*out = 0;
	for (int i = 0; i < 4; i++) {
		uint8_t c = reader_u1(&j->r);
		const char *d = c ? strchr(digits, (char)c) : NULL;
		if (!d)
			return jsonread_fail(j, "\\u needs four hexadecimal digits");
		*out = *out << 4 | (uint32_t)((d - digits) & 15);
	}
	return true;
}

/* Behind the first half of a surrogate pair. */
static bool read_low_half(struct jsonreader *j, uint32_t *c)
{
	uint32_t low = 0;

	if (reader_u1(&j->r) != '\\' || reader_u1(&j->r) != 'u' || !read_hex4(j, &low) || low < 0xdc00 || low > 0xdfff)
		return jsonread_fail(j, "half a character in a string");
	*c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
	return true;
}

/* Behind "\u". Two halves of a surrogate pair are one character, but in modified UTF-8 they stay two. */
static bool read_unicode(struct jsonreader *j)
{
	char bytes[UTF8_MOST];
	uint32_t c;

	if (!read_hex4(j, &c))
		return false;
	if (c == 0 && j->is_modified) {
		strbuf_add(&j->text, "\xc0\x80", 2);
		return true;
	}
	if (c >= 0xd800 && c < 0xe000 && j->is_modified) {
		add_unit(&j->text, c);
		return true;
	}
	if (c == 0)
		return jsonread_fail(j, "a zero byte in a string");
	if (c >= 0xdc00 && c < 0xe000)
		return jsonread_fail(j, "half a character in a string");
	if (c >= 0xd800 && c < 0xdc00 && !read_low_half(j, &c))
		return false;
	strbuf_add(&j->text, bytes, utf8_put(bytes, c));
	return true;
}

static bool read_escape(struct jsonreader *j)
{
	static const char letters[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	uint8_t c = reader_u1(&j->r);

	if (c == 'u')
		return read_unicode(j);
	const char *at = c ? strchr(letters, (char)c) : NULL;
	if (!at)
		return jsonread_fail(j, "unknown escape in a string");
	strbuf_addch(&j->text, means[at - letters]);
	return true;
}

/* Class files have characters of four bytes as surrogate pairs; `c` is the first byte of one, if it is right. */
static void add_modified(struct jsonreader *j, uint8_t c)
{
	const char *at = (const char *)j->r.p - 1;
	uint32_t whole = utf8_next(&at, (const char *)j->r.end);

	if (whole < 0x10000) {
		strbuf_addch(&j->text, (char)c);
		return;
	}
	add_unit(&j->text, 0xd800 + ((whole - 0x10000) >> 10));
	add_unit(&j->text, 0xdc00 + ((whole - 0x10000) & 0x3ff));
	j->r.p = (const uint8_t *)at;
}

static void add_byte(struct jsonreader *j, uint8_t c)
{
	if (c >= 0xf0 && j->is_modified)
		add_modified(j, c);
	else
		strbuf_addch(&j->text, (char)c);
}

bool jsonread_string(struct jsonreader *j)
{
	strbuf_clear(&j->text);
	if (!jsonread_expect(j, '"'))
		return false;
	for (;;) {
		uint8_t c = reader_u1(&j->r);
		if (c < 0x20)
			return jsonread_fail(j, j->r.failed ? "a string has no end" : "a control character in a string");
		if (c == '"')
			return true;
		if (c != '\\')
			add_byte(j, c);
		else if (!read_escape(j))
			return false;
	}
}

bool jsonread_unescape(struct str escaped, struct strbuf *out, struct strbuf *err)
{
	struct jsonreader j = jsonread_of((struct span){ (const uint8_t *)escaped.p, escaped.len }, err);

	j.is_modified = true;
	while (!j.failed && reader_left(&j.r)) {
		uint8_t c = reader_u1(&j.r);
		if (c == '\\')
			read_escape(&j);
		else
			add_byte(&j, c);
	}
	if (!j.failed)
		strbuf_add(out, j.text.s, j.text.len);
	jsonread_release(&j);
	return !j.failed;
}

/* Structure */

bool jsonread_key(struct jsonreader *j)
{
	return jsonread_string(j) && jsonread_expect(j, ':');
}

bool jsonread_begin(struct jsonreader *j, char open)
{
	return jsonread_expect(j, open) && !jsonread_accept(j, open == '[' ? ']' : '}');
}

bool jsonread_more(struct jsonreader *j, char close)
{
	if (j->failed)
		return false;
	if (jsonread_accept(j, ','))
		return true;
	jsonread_expect(j, close);
	return false;
}

bool jsonread_end(struct jsonreader *j)
{
	if (!j->failed && (jsonread_peek(j) || reader_left(&j->r)))
		jsonread_fail(j, "text behind the end");
	return !j->failed;
}

/* Values of any kind, to be skipped */

/* Numbers, true, false and null; what is odd about a number does not matter to anybody. */
static bool skip_word(struct jsonreader *j)
{
	const uint8_t *start = j->r.p;

	while (reader_left(&j->r) && *j->r.p && strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", (char)*j->r.p))
		j->r.p++;
	return j->r.p > start || jsonread_fail(j, "a value expected");
}

bool jsonread_skip(struct jsonreader *j)
{
	char open[JSON_DEPTH];        /* '[' or '{' */
	int depth = 0;

	if (j->failed)
		return false;
	do {
		if (depth && open[depth - 1] == '{' && !jsonread_key(j))
			return false;
		char c = jsonread_peek(j);
		if (c == '[' || c == '{') {
			if (depth == JSON_DEPTH)
				return jsonread_fail(j, "values are nested too deeply");
			j->r.p++;
			if (!jsonread_accept(j, c == '[' ? ']' : '}')) {
				open[depth++] = c;
				continue;
			}
		} else if (!(c == '"' ? jsonread_string(j) : skip_word(j))) {
			return false;
		}
		while (depth && !jsonread_accept(j, ',')) {
			if (!jsonread_expect(j, open[depth - 1] == '[' ? ']' : '}'))
				return false;
			depth--;
		}
	} while (depth);
	return true;
}
