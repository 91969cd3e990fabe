/* SPDX-License-Identifier: Apache-2.0 */
/* lines.c - text line by line and field by field. */
#include "formats/facts/facts_p.h"

struct factlines factlines_of(struct span bytes)
{
	const char *p = bytes.p ? (const char *)bytes.p : "";

	return (struct factlines){ p, p + bytes.len, 0 };
}

bool factlines_next(struct factlines *l, struct str *line)
{
	if (l->at == l->end)
		return false;
	const char *stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
	const char *to = stop ? stop : l->end;

	*line = (struct str){ l->at, (uint32_t)(to - l->at) };
	if (line->len && line->p[line->len - 1] == '\r')
		line->len--;
	l->at = stop ? stop + 1 : l->end;
	l->line++;
	return true;
}

bool fact_field(struct str *rest, char c, struct str *field)
{
	if (!rest->p)
		return false;
	const char *stop = rest->len ? memchr(rest->p, c, rest->len) : NULL;
	uint32_t n = stop ? (uint32_t)(stop - rest->p) : rest->len;

	*field = (struct str){ rest->p, n };
	*rest = stop ? str_sub(*rest, n + 1, rest->len) : (struct str){ NULL, 0 };
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct str fact_trim(struct str s)
{
	while (s.len && is_blank(s.p[0])) {
		s.p++;
		s.len--;
	}
	while (s.len && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

bool fact_number(struct str s, uint64_t most, uint64_t *out)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < s.len; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || n > most / 10)
			return false;
		n = n * 10 + (uint64_t)(s.p[i] - '0');
	}
	if (!s.len || n > most)
		return false;
	*out = n;
	return true;
}
