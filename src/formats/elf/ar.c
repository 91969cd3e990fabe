/* SPDX-License-Identifier: Apache-2.0 */
/* ar.c - archives as GNU, LLVM and BSD write them. */
#include "formats/elf/ar.h"

enum { MAGIC = 8, NAME = 16, REST = 32, SIZE = 10 };

bool ar_open(struct ar *a, struct span file)
{
	*a = (struct ar){ .r = reader_of(file) };
	const uint8_t *magic = reader_take(&a->r, MAGIC);

	a->is_thin = magic && memcmp(magic, "!<thin>\n", MAGIC) == 0;
	return magic && (a->is_thin || memcmp(magic, "!<arch>\n", MAGIC) == 0);
}

/* A decimal number with blanks behind it, of at most 10 digits; false when it is none. */
static bool read_number(struct str s, uint64_t *out)
{
	uint32_t i = 0;

	*out = 0;
	while (i < s.len && i < SIZE && s.p[i] >= '0' && s.p[i] <= '9')
		*out = *out * 10 + (uint64_t)(s.p[i++] - '0');
	return i > 0 && (i == s.len || s.p[i] == ' ');
}

static struct str trim_end(struct str s, char c)
{
	while (s.len && s.p[s.len - 1] == c)
		s.len--;
	return s;
}

/* "/123": at 123 in the table of names, up to "/" and a line end. */
static bool long_name(const struct ar *a, struct str field, struct str *out)
{
	uint64_t at;

	if (!read_number(str_sub(field, 1, field.len), &at) || at >= a->names.len)
		return false;
	struct str rest = str_sub(a->names, (uint32_t)at, a->names.len);
	const char *end = memchr(rest.p, '\n', rest.len);
	*out = end ? (struct str){ rest.p, (uint32_t)(end - rest.p) } : rest;
	if (str_ends(*out, "/"))
		out->len--;
	return true;
}

/* "#1/20" of BSD: the name is the first 20 bytes of the member. */
static bool name_inside(struct str field, struct ar_member *m)
{
	uint64_t len;

	if (!read_number(str_sub(field, 3, field.len), &len) || len > m->bytes.len || len > UINT32_MAX)
		return false;
	m->name = trim_end((struct str){ (const char *)m->bytes.p, (uint32_t)len }, 0);
	m->bytes = (struct span){ m->bytes.p + len, m->bytes.len - (size_t)len };
	return true;
}

enum sort { SORT_MEMBER, SORT_INDEX, SORT_NAMES };

static enum sort sort_of(struct str field)
{
	if (str_is(field, "//"))
		return SORT_NAMES;
	return str_is(field, "/") || str_is(field, "/SYM64/") || str_starts(field, "__.SYMDEF") ? SORT_INDEX : SORT_MEMBER;
}

static bool name_member(const struct ar *a, struct str field, struct ar_member *m)
{
	if (str_starts(field, "#1/"))
		return name_inside(field, m);
	if (str_starts(field, "/"))
		return long_name(a, field, &m->name);
	m->name = str_ends(field, "/") ? str_sub(field, 0, field.len - 1) : field;
	return true;
}

/* Members of thin archives have a size, but no bytes here. They start at even offsets. */
static bool take_bytes(struct ar *a, enum sort sort, uint64_t size, struct ar_member *m)
{
	if (a->is_thin && sort == SORT_MEMBER)
		size = 0;
	if (size > reader_left(&a->r))
		return false;
	m->bytes = reader_span(&a->r, (size_t)size);
	if (reader_offset(&a->r) % 2 && reader_left(&a->r))
		reader_take(&a->r, 1);
	return true;
}

static bool damaged(struct ar *a, struct strbuf *err)
{
	strbuf_addf(err, "damaged archive, at byte %zu", reader_offset(&a->r));
	a->r.p = a->r.end;
	return false;
}

bool ar_next(struct ar *a, struct ar_member *out, struct strbuf *err)
{
	while (reader_left(&a->r)) {
		const char *h = (const char *)reader_take(&a->r, NAME + REST + SIZE + 2);
		uint64_t size;

		*out = (struct ar_member){ 0 };
		if (!h || memcmp(h + NAME + REST + SIZE, "`\n", 2) != 0 ||
		    !read_number((struct str){ h + NAME + REST, SIZE }, &size))
			return damaged(a, err);
		struct str field = trim_end((struct str){ h, NAME }, ' ');
		enum sort sort = sort_of(field);
		if (!take_bytes(a, sort, size, out))
			return damaged(a, err);
		if (sort == SORT_NAMES)
			a->names = (struct str){ (const char *)out->bytes.p,
						 out->bytes.len < UINT32_MAX ? (uint32_t)out->bytes.len : UINT32_MAX };
		else if (sort == SORT_MEMBER && !name_member(a, field, out))
			return damaged(a, err);
		else if (sort == SORT_MEMBER && !str_starts(out->name, "__.SYMDEF"))
			return true;
	}
	return false;
}
