/* SPDX-License-Identifier: Apache-2.0 */
#include "session/lookup/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool lines_open(struct lines *l, const char *path, const char *what, struct diag *d)
{
	*l = (struct lines){ .diag = d, .path = path, .file = fopen(path, "r") };
	if (!l->file)
		diag_add(d, DIAG_E001, path, STR(""), DIAG_NO_OFFSET, "%s cannot be read: %s", what, strerror(errno));
	return l->file != NULL;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct str str_trim(struct str t)
{
	while (t.len && is_space(t.p[t.len - 1]))
		t.len--;
	while (t.len && is_space(t.p[0]))
		t = str_sub(t, 1, t.len);
	return t;
}

bool lines_next(struct lines *l, struct str *item)
{
	ssize_t n;

	while ((n = getline(&l->text, &l->cap, l->file)) >= 0) {
		l->n++;
		const char *comment = memchr(l->text, '#', (size_t)n);
		size_t end = comment ? (size_t)(comment - l->text) : (size_t)n;
		*item = str_trim((struct str){ l->text, end < UINT32_MAX ? (uint32_t)end : UINT32_MAX });
		if (item->len)
			return true;
	}
	return false;
}

bool lines_close(struct lines *l)
{
	bool ok = !ferror(l->file);

	if (!ok)
		diag_add(l->diag, DIAG_E001, l->path, STR(""), DIAG_NO_OFFSET, "reading failed after line %llu: %s",
			 (unsigned long long)l->n, strerror(errno));
	fclose(l->file);
	free(l->text);
	return ok;
}
