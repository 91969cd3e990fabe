/* SPDX-License-Identifier: Apache-2.0 */
/* on_string.c - operations of Java on one string. */
#include "analysis/strings/operation_p.h"

/* --- results --- */

/* Room for a result of `len` bytes; NULL when there are too many. */
static char *room(struct results *to, uint64_t len)
{
	to->bytes += len;
	to->too_many |= !fits(to->ls, to->list.len + 1u, to->bytes) || !take_steps(to->ls, len + 8);
	return to->too_many ? NULL : arena_alloc(&to->ls->arena, len + 1);
}

/* A result that is part of an operand, which lives as long. */
static void add(struct results *to, struct str s)
{
	to->bytes += s.len;
	to->too_many |= !fits(to->ls, to->list.len + 1u, to->bytes) || !take_steps(to->ls, 8);
	if (!to->too_many)
		vec_push(&to->list, s);
}

static void add_joined(struct results *to, struct str a, struct str b, struct str c)
{
	char *s = room(to, (uint64_t)a.len + b.len + c.len);

	if (!s)
		return;
	memcpy(s, a.p, a.len);
	memcpy(s + a.len, b.p, b.len);
	memcpy(s + a.len + b.len, c.p, c.len);
	vec_push(&to->list, ((struct str){ s, a.len + b.len + c.len }));
}

static void add_buffer(struct results *to, struct strbuf *b)
{
	char *s = room(to, b->len);

	if (s) {
		memcpy(s, strbuf_str(b).p, b->len);
		vec_push(&to->list, ((struct str){ s, (uint32_t)b->len }));
	}
	strbuf_release(b);
}

/* --- positions --- */

static struct str head(struct str s, uint32_t end)
{
	return str_sub(s, 0, end);
}

static struct str tail(struct str s, uint32_t from)
{
	return str_sub(s, from, s.len);
}

static uint32_t next(struct str s, uint32_t i)
{
	return i < s.len ? char_end(s, i) : s.len + 1;
}

/* From every place that `from` can be to every one that `to` can be. */
static void substring_from(struct str s, uint32_t from, uint32_t to_char, uint32_t from_char, struct results *to)
{
	if (to_char == POSITION_END) {
		add(to, tail(s, from));
	} else if (to_char == POSITION_UNKNOWN) {
		for (uint32_t end = from; end <= s.len && !to->too_many; end = next(s, end))
			add(to, str_sub(s, from, end));
	} else {
		uint32_t end = char_start(s, to_char);

		if (from_char <= to_char && end != UINT32_MAX && from <= end)
			add(to, str_sub(s, from, end));
	}
}

static void substring(const struct operation *op, struct str s, struct results *to)
{
	if (op->from == POSITION_UNKNOWN) {
		uint32_t k = 0;

		for (uint32_t i = 0; i <= s.len && !to->too_many; i = next(s, i), k++)
			substring_from(s, i, op->to, k, to);
		return;
	}
	uint32_t from = char_start(s, op->from);

	if (from != UINT32_MAX)
		substring_from(s, from, op->to, op->from, to);
}

/* For every place that `from` can be, with that char where `on_char`; with the place behind it otherwise. */
typedef void visitor(const struct operation *op, struct str s, uint32_t at, struct str b, struct results *to);

static void at_positions(const struct operation *op, struct str s, struct str b, bool on_char, visitor *visit, struct results *to)
{
	if (op->from == POSITION_UNKNOWN) {
		for (uint32_t i = 0; (on_char ? i < s.len : i <= s.len) && !to->too_many; i = next(s, i))
			visit(op, s, i, b, to);
		return;
	}
	uint32_t at = char_start(s, op->from);

	if (at != UINT32_MAX && (!on_char || at < s.len))
		visit(op, s, at, b, to);
}

static void char_at(const struct operation *op, struct str s, uint32_t at, struct str b, struct results *to)
{
	(void)op;
	(void)b;
	add(to, str_sub(s, at, char_end(s, at)));
}

static void insert(const struct operation *op, struct str s, uint32_t at, struct str b, struct results *to)
{
	(void)op;
	add_joined(to, head(s, at), b, tail(s, at));
}

static void delete_char(const struct operation *op, struct str s, uint32_t at, struct str b, struct results *to)
{
	(void)op;
	(void)b;
	add_joined(to, head(s, at), tail(s, char_end(s, at)), STR(""));
}

static void set_char(const struct operation *op, struct str s, uint32_t at, struct str b, struct results *to)
{
	(void)op;
	add_joined(to, head(s, at), b, tail(s, char_end(s, at)));
}

static void delete_from(const struct operation *op, struct str s, uint32_t at, struct str b, struct results *to)
{
	(void)b;
	if (op->to == POSITION_END) {
		add(to, head(s, at));
	} else if (op->to == POSITION_UNKNOWN) {
		for (uint32_t end = at; end <= s.len && !to->too_many; end = next(s, end))
			add_joined(to, head(s, at), tail(s, end), STR(""));
	} else if (chars_count(head(s, at)) <= op->to) {
		uint32_t end = char_start(s, op->to);

		add_joined(to, head(s, at), tail(s, end == UINT32_MAX ? s.len : end), STR(""));
	}
}

static bool set_length(const struct operation *op, struct str s, struct results *to)
{
	uint32_t count = chars_count(s);
	struct strbuf b = { 0 };

	if (op->to == POSITION_UNKNOWN)
		return false;
	if (op->to <= count) {
		add(to, head(s, char_start(s, op->to)));
		return true;
	}
	to->too_many |= op->to - count > to->ls->budget.bytes;
	strbuf_add(&b, s.p, s.len);
	for (; !to->too_many && count < op->to; count++)
		strbuf_adds(&b, "\xc0\x80");
	add_buffer(to, &b);
	return true;
}

/* --- replacement --- */

static uint32_t find(struct str s, struct str what, uint32_t from)
{
	for (uint32_t i = from; i + what.len <= s.len; i++)
		if (memcmp(s.p + i, what.p, what.len) == 0)
			return i;
	return UINT32_MAX;
}

/* An empty string is found before every char and at the end. */
static void replace_nothing(struct str s, struct str with, bool all, struct strbuf *b)
{
	strbuf_addstr(b, with);
	for (uint32_t i = 0, end; i < s.len; i = end) {
		end = char_end(s, i);
		strbuf_addstr(b, str_sub(s, i, end));
		if (all)
			strbuf_addstr(b, with);
	}
}

static void replace(const struct operation *op, struct str s, struct results *to)
{
	uint32_t at, from = 0;
	bool all = op->kind != OP_REPLACE_FIRST;
	struct strbuf b = { 0 };

	if (!op->what.len) {
		replace_nothing(s, op->with, all, &b);
		from = s.len;
	}
	while (op->what.len && (at = find(s, op->what, from)) != UINT32_MAX && b.len <= to->ls->budget.bytes) {
		strbuf_addstr(&b, str_sub(s, from, at));
		strbuf_addstr(&b, op->with);
		from = at + op->what.len;
		if (!all)
			break;
	}
	strbuf_addstr(&b, tail(s, from));
	add_buffer(to, &b);
}

/* --- case, order, white space --- */

static bool is_ascii(struct str s)
{
	struct byteset bytes = { { 0 } };

	byteset_add_str(&bytes, s);
	return byteset_is_ascii(&bytes);
}

static bool change_case(struct str s, char from, char to_first, struct results *to)
{
	struct strbuf b = { 0 };

	if (!is_ascii(s))
		return false;
	for (uint32_t i = 0; i < s.len; i++) {
		bool mapped = s.p[i] >= from && s.p[i] < from + 26;

		strbuf_addch(&b, mapped ? (char)(s.p[i] - from + to_first) : s.p[i]);
	}
	add_buffer(to, &b);
	return true;
}

/* The first of two surrogates: 0xd800 to 0xdbff, or the second: 0xdc00 to 0xdfff. */
static bool is_surrogate(struct str s, uint32_t at, bool second)
{
	return at + 2 < s.len && (unsigned char)s.p[at] == 0xed && ((unsigned char)s.p[at + 1] & 0xf0) == (second ? 0xb0 : 0xa0);
}

/* Pairs of surrogates stay in order. */
static void reverse(struct str s, struct results *to)
{
	char *out = room(to, s.len);
	uint32_t left = s.len;

	for (uint32_t i = 0, end; out && i < s.len; i = end) {
		end = char_end(s, i);
		if (is_surrogate(s, i, false) && is_surrogate(s, end, true))
			end = char_end(s, end);
		left -= end - i;
		memcpy(out + left, s.p + i, end - i);
	}
	if (out)
		vec_push(&to->list, ((struct str){ out, s.len }));
}

static bool is_blank(char c, bool trim)
{
	return trim ? (unsigned char)c <= ' ' : (c >= 9 && c <= 13) || (c >= 28 && c <= ' ');
}

static bool strip(const struct operation *op, struct str s, struct results *to)
{
	uint32_t from = 0, end = s.len;
	bool trim = op->kind == OP_TRIM;

	if (!trim && !is_ascii(s))
		return false;
	while (op->kind != OP_STRIP_TRAILING && from < end && is_blank(s.p[from], trim))
		from++;
	while (op->kind != OP_STRIP_LEADING && end > from && is_blank(s.p[end - 1], trim))
		end--;
	add(to, str_sub(s, from, end));
	return true;
}

static bool repeat(const struct operation *op, struct str s, struct results *to)
{
	if (op->from == POSITION_UNKNOWN)
		return false;
	uint64_t len = (uint64_t)op->from * s.len;
	char *out = len <= to->ls->budget.bytes ? room(to, len) : NULL;

	to->too_many |= !out;
	for (uint32_t i = 0; out && s.len && i < op->from; i++)
		memcpy(out + (size_t)i * s.len, s.p, s.len);
	if (out)
		vec_push(&to->list, ((struct str){ out, (uint32_t)len }));
	return true;
}

static bool split(const struct operation *op, struct str s, struct results *to)
{
	struct strbuf by = { 0 };
	bool known = op->what.p && literal_of_regex(op->what, &by) && by.len;
	uint32_t at, from = 0;

	while (known && (at = find(s, strbuf_str(&by), from)) != UINT32_MAX) {
		add(to, str_sub(s, from, at));
		from = at + (uint32_t)by.len;
	}
	add(to, tail(s, from));
	strbuf_release(&by);
	return known;
}

bool operation_on_string(const struct operation *op, struct str a, struct str b, struct results *to)
{
	switch (op->kind) {
	case OP_SUBSTRING: substring(op, a, to); break;
	case OP_CHAR_AT: at_positions(op, a, b, true, char_at, to); break;
	case OP_INSERT: at_positions(op, a, b, false, insert, to); break;
	case OP_DELETE: at_positions(op, a, b, false, delete_from, to); break;
	case OP_DELETE_CHAR: at_positions(op, a, b, true, delete_char, to); break;
	case OP_SET_CHAR: at_positions(op, a, b, true, set_char, to); break;
	case OP_SET_LENGTH: return set_length(op, a, to);
	case OP_REPLACE: case OP_REPLACE_FIRST: case OP_REPLACE_ALL: replace(op, a, to); break;
	case OP_TRIM: case OP_STRIP: case OP_STRIP_LEADING: case OP_STRIP_TRAILING: return strip(op, a, to);
	case OP_LOWER: return change_case(a, 'A', 'a', to);
	case OP_UPPER: return change_case(a, 'a', 'A', to);
	case OP_REVERSE: reverse(a, to); break;
	case OP_REPEAT: return repeat(op, a, to);
	case OP_SPLIT: return split(op, a, to);
	case OP_FILTER: case OP_EXCEPT: case OP_MIX: return false;
	}
	return true;
}
