/* SPDX-License-Identifier: Apache-2.0 */
#include "session/api/api_p.h"

#include <stdarg.h>
#include <stdio.h>

const char **api_text_at(struct api_texts *t, uint32_t number)
{
	while (t->at.len <= number)
		vec_push(&t->at, NULL);
	return &t->at.data[number];
}

const char *api_keep(struct arena *mem, struct strbuf *b)
{
	const char *copy = api_str(mem, strbuf_str(b));

	strbuf_release(b);
	return copy;
}

const char *api_str(struct arena *mem, struct str s)
{
	char *copy = arena_alloc(mem, (size_t)s.len + 1);

	if (s.len)
		memcpy(copy, s.p, s.len);
	copy[s.len] = 0;
	return copy;
}

void api_texts_release(struct api_texts *t)
{
	arena_release(&t->mem);
	vec_release(&t->at);
}

const char *api_diagnostic(const struct diag *d, struct api_texts *t, size_t k)
{
	struct strbuf b = { 0 };

	if (k >= d->entries.len)
		return NULL;
	const char **at = api_text_at(t, (uint32_t)k);
	if (!*at) {
		diag_render(&d->entries.data[k], &b);
		*at = api_keep(&t->mem, &b);
	}
	return *at;
}

void api_refuse(struct diag *d, const char *what, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag_add(d, DIAG_E069, NULL, str_of(what ? what : ""), DIAG_NO_OFFSET, "%s", text);
}
