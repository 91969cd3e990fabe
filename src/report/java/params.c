/* SPDX-License-Identifier: Apache-2.0 */
#include "report/java/params.h"

#include <string.h>

/* The type at the start of a descriptor as in source code, without packages; returns what it took. */
static uint32_t add_type(struct str desc, struct strbuf *out)
{
	static const char codes[] = "BCDFIJSZV";
	static const char *const words[] = { "byte", "char", "double", "float", "int",
					     "long", "short", "boolean", "void" };
	uint32_t dims = 0, end;

	while (dims < desc.len && desc.p[dims] == '[')
		dims++;
	const char *code = dims < desc.len && desc.p[dims] ? strchr(codes, desc.p[dims]) : NULL;
	for (end = dims; !code && end < desc.len && desc.p[end] != ';';)
		end++;
	if (code) {
		strbuf_adds(out, words[code - codes]);
	} else {
		struct str name = str_sub(desc, dims < end ? dims + 1 : dims, end);
		strbuf_addstr(out, str_sub(name, (uint32_t)(str_rfind(name, '/') + 1), name.len));
	}
	for (uint32_t i = 0; i < dims; i++)
		strbuf_adds(out, "[]");
	return end < desc.len ? end + 1 : desc.len;
}

void add_params(struct str desc, struct strbuf *out)
{
	int64_t close = str_rfind(desc, ')');

	if (close < 0)                /* a field */
		return;
	strbuf_addch(out, '(');
	for (uint32_t at = 1; at < close;) {
		if (at > 1)
			strbuf_adds(out, ", ");
		at += add_type(str_sub(desc, at, (uint32_t)close), out);
	}
	strbuf_addch(out, ')');
}
