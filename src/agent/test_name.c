/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/test_name.h"

void test_name_4(struct str d, struct strbuf *out)
{
	uint32_t open = d.len;

	if (d.len && d.p[d.len - 1] == ')')
		for (open = d.len - 1; open > 0 && d.p[open] != '(';)
			open--;
	if (open == 0 || open + 2 >= d.len) {
		strbuf_addstr(out, d);
		return;
	}
	strbuf_addstr(out, str_sub(d, open + 1, d.len - 1));
	strbuf_addch(out, '.');
	strbuf_addstr(out, str_sub(d, 0, open));
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Text of a segment: special characters are written %5B */
static void decode(struct str s, struct strbuf *out)
{
	for (uint32_t i = 0; i < s.len; i++) {
		int hi = s.p[i] == '%' && i + 2 < s.len ? hex(s.p[i + 1]) : -1;
		int lo = hi >= 0 ? hex(s.p[i + 2]) : -1;
		if (lo >= 0)
			i += 2;
		strbuf_addch(out, lo >= 0 ? (char)(hi * 16 + lo) : s.p[i]);
	}
}

struct segment {
	struct str type, value;
};

/* The next [type:value]; false at the end. */
static bool next_segment(struct str id, uint32_t *at, struct segment *out)
{
	uint32_t from = *at, colon, to;

	if (from < id.len && id.p[from] == '/')
		from++;
	if (from >= id.len || id.p[from] != '[')
		return false;
	for (colon = ++from; colon < id.len && id.p[colon] != ':';)
		colon++;
	for (to = colon; to < id.len && id.p[to] != ']';)
		to++;
	if (to >= id.len)
		return false;
	*out = (struct segment){ str_sub(id, from, colon), str_sub(id, colon + 1, to) };
	*at = to + 1;
	return true;
}

/* Adds [3], $Nested, .method or .method(int) */
static void add_segment(const struct segment *s, bool is_first, struct strbuf *out)
{
	struct str v = s->value;

	if (v.len && v.p[0] == '#') {
		strbuf_addch(out, '[');
		decode(str_sub(v, 1, v.len), out);
		strbuf_addch(out, ']');
		return;
	}
	if (!is_first)
		strbuf_addch(out, str_is(s->type, "nested-class") || str_is(s->type, "nested-class-template") ? '$' : '.');
	decode(str_ends(v, "()") ? str_sub(v, 0, v.len - 2) : v, out);
}

bool test_name_5(struct str id, struct strbuf *out)
{
	struct segment s;
	size_t start = out->len;
	uint32_t at = 0;

	while (next_segment(id, &at, &s)) {
		if (str_is(s.type, "engine") || str_is(s.type, "suite")) {    /* suites have engines of their own inside */
			if (str_is(s.value, "junit-vintage"))
				return false;
			out->len = start;
		} else {
			add_segment(&s, out->len == start, out);
		}
	}
	if (out->len == start)
		strbuf_addstr(out, id);
	return true;
}
