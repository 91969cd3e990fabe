/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/dynamic/dynamic.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text/utf8.h"

enum { FIELDS = 5 };

void dynamic_release(struct dynamic_facts *f)
{
	if (f->counts.len)
		interner_release(&f->keys);
	vec_release(&f->counts);
}

uint32_t dynamic_len(const struct dynamic_facts *f)
{
	return f->counts.len ? f->counts.len - 1 : 0;
}

static void add_key(struct dynamic_facts *f, struct str key, uint64_t count)
{
	if (!f->counts.len) {
		interner_init(&f->keys);
		vec_push(&f->counts, 0);
	}
	uint32_t id = intern(&f->keys, key).i;

	while (f->counts.len <= id)
		vec_push(&f->counts, 0);
	uint64_t *sum = &f->counts.data[id];
	*sum = *sum > UINT64_MAX - count ? UINT64_MAX : *sum + count;
}

void dynamic_add(struct dynamic_facts *f, const char *kind, struct str target, struct str caller, uint32_t line, uint64_t count)
{
	struct strbuf key = { 0 };

	strbuf_addf(&key, "%s\t", kind);
	strbuf_addstr(&key, target);
	strbuf_addch(&key, '\t');
	strbuf_addstr(&key, caller);
	strbuf_addf(&key, "\t%" PRIu32, line);
	add_key(f, strbuf_str(&key), count);
	strbuf_release(&key);
}

/* Reading */

/* The line at *at, which moves behind it; false: it has no end. */
static bool next_line(struct span bytes, size_t *at, struct str *line)
{
	const char *from = (const char *)bytes.p + *at;
	const char *end = memchr(from, '\n', bytes.len - *at);

	if (!end || end - from > UINT32_MAX / 2)
		return false;
	*line = (struct str){ from, (uint32_t)(end - from) };
	*at += (size_t)(end - from) + 1;
	return true;
}

/* Where each field begins; false: there are not five. */
static bool split(struct str line, struct str fields[static FIELDS])
{
	uint32_t n = 0, from = 0;

	for (uint32_t i = 0; i <= line.len; i++) {
		if (i < line.len && line.p[i] != '\t')
			continue;
		if (n == FIELDS)
			return false;
		fields[n++] = str_sub(line, from, i);
		from = i + 1;
	}
	return n == FIELDS;
}

static bool is_word(struct str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (s.p[i] < 'a' || s.p[i] > 'z')
			return false;
	return s.len > 0;
}

/* Decimal digits without a zero before them, at most `most`. */
static bool read_number(struct str s, uint64_t most, uint64_t *out)
{
	*out = 0;
	for (uint32_t i = 0; i < s.len; i++) {
		uint64_t digit = (uint64_t)(s.p[i] - '0');
		if (s.p[i] < '0' || s.p[i] > '9' || *out > (most - digit) / 10)
			return false;
		*out = *out * 10 + digit;
	}
	return s.len == 1 || (s.len > 1 && s.p[0] != '0');
}

static const char *read_fact(struct dynamic_facts *f, struct str line)
{
	struct str fields[FIELDS];
	uint64_t at, count;

	if (memchr(line.p, 0, line.len))
		return "it has a byte 0";
	if (!split(line, fields))
		return "it has not five fields";
	if (!is_word(fields[0]))
		return "its kind is no word";
	if (!read_number(fields[3], UINT32_MAX, &at) || !read_number(fields[4], UINT64_MAX, &count) || !count)
		return "line or count is no number";
	add_key(f, str_sub(line, 0, line.len - fields[4].len - 1), count);
	return NULL;
}

bool dynamic_read(struct dynamic_facts *f, struct span bytes, struct strbuf *err)
{
	struct str line;
	size_t at = 0;

	if (!bytes.len || !next_line(bytes, &at, &line) || !str_is(line, DYNAMIC_HEAD)) {
		strbuf_adds(err, "its first line is not '" DYNAMIC_HEAD "'");
		return false;
	}
	for (uint64_t number = 2; at < bytes.len; number++) {
		const char *wrong = next_line(bytes, &at, &line) ? read_fact(f, line) : "it is cut off";
		if (wrong) {
			strbuf_addf(err, "line %" PRIu64 ": %s", number, wrong);
			return false;
		}
	}
	return true;
}

/* Writing */

struct row {
	struct str key;
	uint64_t count;
};

static int by_key(const void *a, const void *b)
{
	return str_cmp(((const struct row *)a)->key, ((const struct row *)b)->key);
}

void dynamic_write(const struct dynamic_facts *f, struct strbuf *out)
{
	VEC(struct row) rows = { 0 };

	for (uint32_t i = 1; i < f->counts.len; i++)
		vec_push(&rows, ((struct row){ interned(&f->keys, (str_id){ i }), f->counts.data[i] }));
	if (rows.len)
		qsort(rows.data, rows.len, sizeof(*rows.data), by_key);
	strbuf_adds(out, DYNAMIC_HEAD "\n");
	for (uint32_t i = 0; i < rows.len; i++) {
		strbuf_addstr(out, rows.data[i].key);
		strbuf_addf(out, "\t%" PRIu64 "\n", rows.data[i].count);
	}
	vec_release(&rows);
}

static void escape_char(struct strbuf *out, uint32_t c)
{
	static const char named[] = "\bb\tt\nn\ff\rr\"\"\\\\";
	char bytes[UTF8_MOST];

	for (const char *n = named; *n; n += 2)
		if (c == (uint32_t)*n) {
			strbuf_addf(out, "\\%c", n[1]);
			return;
		}
	if (!utf8_is_hidden(c))
		strbuf_add(out, bytes, utf8_put(bytes, c));
	else if (c < 0x10000)
		strbuf_addf(out, "\\u%04x", (unsigned)c);
	else
		strbuf_addf(out, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((c - 0x10000) >> 10)), (unsigned)(0xdc00 + (c & 0x3ff)));
}

void dynamic_escape(struct strbuf *out, struct str s)
{
	const char *end = s.p + s.len;

	for (const char *at = s.p; at < end;)
		escape_char(out, utf8_next(&at, end));
}
