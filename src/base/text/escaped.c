/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/escaped.h"

#include <string.h>

#include "base/text/utf8.h"

static void add_bytes(struct strbuf *out, struct str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		strbuf_addf(out, "\\x%02x", (unsigned)(unsigned char)s.p[i]);
}

void escaped_add(struct strbuf *out, struct str s, const char *signs)
{
	for (const char *at = s.p, *end = s.p + s.len; at < end;) {
		const char *from = at;
		utf8_next(&at, end);
		struct str one = { from, (uint32_t)(at - from) };
		bool is_edge = *from == ' ' && (from == s.p || at == end);
		if (is_edge || *from == '\\' || !*from || strchr(signs, *from) || !utf8_is_shown(one))
			add_bytes(out, one);
		else
			strbuf_addstr(out, one);
	}
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool escaped_read(struct str s, struct strbuf *out)
{
	for (uint32_t i = 0; i < s.len; i++) {
		if (s.p[i] != '\\') {
			strbuf_addch(out, s.p[i]);
			continue;
		}
		bool is_byte = s.len - i >= 4 && s.p[i + 1] == 'x' && digit(s.p[i + 2]) >= 0 && digit(s.p[i + 3]) >= 0;
		if (!is_byte)
			return false;
		strbuf_addch(out, (char)(digit(s.p[i + 2]) * 16 + digit(s.p[i + 3])));
		i += 3;
	}
	return true;
}
