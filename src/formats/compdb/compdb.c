/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/compdb/compdb.h"

#include "base/reader.h"

enum { MAX_DEPTH = 64 };

struct reading {
	struct reader r;
	struct arena *mem;
	struct strbuf text;           /* of the string that was read last */
	struct strbuf *err;
	bool failed;
};

/* Words */

static unsigned line_of(const struct reader *r)
{
	unsigned line = 1;

	for (const uint8_t *p = r->start; p < r->p; p++)
		line += *p == '\n';
	return line;
}

static bool fail(struct reading *j, const char *what)
{
	if (!j->failed)
		strbuf_addf(j->err, "line %u: %s", line_of(&j->r), what);
	j->failed = true;
	return false;
}

/* The next character behind white space, 0 at the end. */
static char peek(struct reading *j)
{
	while (reader_left(&j->r) && strchr(" \t\r\n", (char)*j->r.p) && *j->r.p)
		j->r.p++;
	return reader_left(&j->r) ? (char)*j->r.p : 0;
}

static bool accept(struct reading *j, char c)
{
	if (peek(j) != c)
		return false;
	j->r.p++;
	return true;
}

static bool expect(struct reading *j, char c)
{
	char sentence[] = "'?' expected";

	sentence[1] = c;
	return accept(j, c) || fail(j, sentence);
}

/* Strings */

static void add_utf8(struct strbuf *b, uint32_t c)
{
	if (c < 0x80) {
		strbuf_addch(b, (char)c);
	} else if (c < 0x800) {
		strbuf_addch(b, (char)(0xc0 | c >> 6));
		strbuf_addch(b, (char)(0x80 | (c & 0x3f)));
	} else {
		if (c < 0x10000) {
			strbuf_addch(b, (char)(0xe0 | c >> 12));
		} else {
			strbuf_addch(b, (char)(0xf0 | c >> 18));
			strbuf_addch(b, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		strbuf_addch(b, (char)(0x80 | (c >> 6 & 0x3f)));
		strbuf_addch(b, (char)(0x80 | (c & 0x3f)));
	}
}

static bool read_hex4(struct reading *j, uint32_t *out)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";

	*out = 0;
	for (int i = 0; i < 4; i++) {
		uint8_t c = reader_u1(&j->r);
		const char *d = c ? strchr(digits, (char)c) : NULL;
		if (!d)
			return fail(j, "\\u needs four hexadecimal digits");
		*out = *out << 4 | (uint32_t)((d - digits) & 15);
	}
	return true;
}

/* Behind "\u". Two halves of a surrogate pair are one character. */
static bool read_unicode(struct reading *j)
{
	uint32_t c, low = 0;

	if (!read_hex4(j, &c))
		return false;
	if (c >= 0xd800 && c < 0xdc00) {
		if (reader_u1(&j->r) != '\\' || reader_u1(&j->r) != 'u' || !read_hex4(j, &low) || low < 0xdc00 ||
		    low > 0xdfff)
			return fail(j, "half a character in a string");
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	} else if (c >= 0xdc00 && c < 0xe000) {
		return fail(j, "half a character in a string");
	}
	if (c == 0)
		return fail(j, "a zero byte in a string");
	add_utf8(&j->text, c);
	return true;
}

static bool read_escape(struct reading *j)
{
	static const char letters[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	uint8_t c = reader_u1(&j->r);

	if (c == 'u')
		return read_unicode(j);
	const char *at = c ? strchr(letters, (char)c) : NULL;
	if (!at)
		return fail(j, "unknown escape in a string");
	strbuf_addch(&j->text, means[at - letters]);
	return true;
}

/* Leaves it in j->text. */
static bool read_string(struct reading *j)
{
	strbuf_clear(&j->text);
	if (!expect(j, '"'))
		return false;
	for (;;) {
		uint8_t c = reader_u1(&j->r);
		if (c < 0x20)
			return fail(j, j->r.failed ? "a string has no end" : "a control character in a string");
		if (c == '"')
			return true;
		if (c != '\\')
			strbuf_addch(&j->text, (char)c);
		else if (!read_escape(j))
			return false;
	}
}

static const char *copy_text(struct reading *j)
{
	return arena_strdup(j->mem, j->text.s ? j->text.s : "");
}

static bool read_text(struct reading *j, const char **out)
{
	if (!read_string(j))
		return false;
	*out = copy_text(j);
	return true;
}

/* Values of any kind, to be skipped */

/* Numbers, true, false and null; what is odd about a number does not matter to anybody. */
static bool skip_word(struct reading *j)
{
	const uint8_t *start = j->r.p;

	while (reader_left(&j->r) && *j->r.p && strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", (char)*j->r.p))
		j->r.p++;
	return j->r.p > start || fail(j, "a value expected");
}

static bool skip_value(struct reading *j)
{
	char open[MAX_DEPTH];         /* '[' or '{' */
	int depth = 0;

	do {
		if (depth && open[depth - 1] == '{' && (!read_string(j) || !expect(j, ':')))
			return false;
		char c = peek(j);
		if (c == '[' || c == '{') {
			if (depth == MAX_DEPTH)
				return fail(j, "values are nested too deeply");
			j->r.p++;
			if (!accept(j, c == '[' ? ']' : '}')) {
				open[depth++] = c;
				continue;
			}
		} else if (!(c == '"' ? read_string(j) : skip_word(j))) {
			return false;
		}
		while (depth && !accept(j, ',')) {
			if (!expect(j, open[depth - 1] == '[' ? ']' : '}'))
				return false;
			depth--;
		}
	} while (depth);
	return true;
}

/* Entries */

static bool read_arguments(struct reading *j, const char ***out)
{
	VEC(const char *) words = { 0 };
	bool ok = expect(j, '[');

	if (ok && !accept(j, ']')) {
		do {
			ok = read_string(j);
			vec_push(&words, ok ? copy_text(j) : NULL);
		} while (ok && accept(j, ','));
		ok = ok && expect(j, ']');
	}
	vec_push(&words, NULL);
	*out = arena_copy(j->mem, words.data, words.len * sizeof(*words.data));
	vec_release(&words);
	return ok;
}

static bool read_member(struct reading *j, struct compdb_entry *e)
{
	if (!read_string(j))
		return false;
	struct str name = strbuf_str(&j->text);
	const char **to = str_is(name, "directory") ? &e->directory :
			  str_is(name, "file")	    ? &e->file :
			  str_is(name, "output")    ? &e->output :
			  str_is(name, "command")   ? &e->command :
						      NULL;
	bool is_arguments = str_is(name, "arguments");

	if (!expect(j, ':'))
		return false;
	return to ? read_text(j, to) : is_arguments ? read_arguments(j, &e->arguments) : skip_value(j);
}

static bool read_entry(struct reading *j, compdb *out)
{
	struct compdb_entry e = { 0 };
	bool ok = expect(j, '{');

	if (ok && !accept(j, '}')) {
		do
			ok = read_member(j, &e);
		while (ok && accept(j, ','));
		ok = ok && expect(j, '}');
	}
	if (!ok)
		return false;
	if (!e.directory || !e.file || (!e.command && (!e.arguments || !e.arguments[0])))
		return fail(j, "an entry without directory, file, or command");
	if (e.arguments && e.arguments[0])
		e.command = NULL;
	else
		e.arguments = NULL;
	vec_push(out, e);
	return true;
}

bool compdb_read(struct span text, struct arena *mem, compdb *out, struct strbuf *err)
{
	struct reading j = { .r = reader_of(text), .mem = mem, .err = err };
	bool ok = expect(&j, '[');

	if (ok && !accept(&j, ']')) {
		do
			ok = read_entry(&j, out);
		while (ok && accept(&j, ','));
		ok = ok && expect(&j, ']');
	}
	if (ok && (peek(&j) || reader_left(&j.r)))
		ok = fail(&j, "text behind the end");
	strbuf_release(&j.text);
	return ok;
}
