/* SPDX-License-Identifier: Apache-2.0 */
#include "report/coverage/sources.h"

/* Is every part of the path a plain name? */
static bool is_inside(struct str path)
{
	uint32_t from = 0;

	for (uint32_t i = 0; i <= path.len; i++) {
		if (i < path.len && path.p[i] != '/') {
			if ((unsigned char)path.p[i] < ' ' || path.p[i] == '\\')
				return false;
			continue;
		}
		struct str part = str_sub(path, from, i);
		if (part.len == 0 || str_is(part, ".") || str_is(part, ".."))
			return false;
		from = i + 1;
	}
	return true;
}

bool source_open(const char *folders, struct str path, struct source_file *out)
{
	struct strbuf full = { 0 };
	bool is_found = false;

	*out = (struct source_file){ 0 };
	if (!folders || !is_inside(path))
		return false;
	for (const char *at = folders; !is_found; at++) {
		size_t n = strcspn(at, ":");
		out->folder = (struct str){ at, (uint32_t)n };
		strbuf_clear(&full);
		strbuf_addstr(&full, n ? out->folder : STR("."));
		strbuf_addch(&full, '/');
		strbuf_addstr(&full, path);
		is_found = mapfile_open(&out->file, full.s);
		at += n;
		if (!*at)
			break;
	}
	strbuf_release(&full);
	return is_found;
}

void source_close(struct source_file *f)
{
	mapfile_close(&f->file);
}

static uint32_t outermost_end(struct str class, uint32_t from)
{
	uint32_t end = from + 1;        /* a name may begin with $ */

	while (end < class.len && class.p[end] != '$')
		end++;
	return end < class.len ? end : class.len;
}

/* A source that is no plain name of a file says nothing. */
static bool is_file_name(struct str source)
{
	return source.len && is_inside(source) && str_rfind(source, '/') < 0;
}

void source_path(struct str class, struct str source, struct strbuf *out)
{
	uint32_t package = (uint32_t)(str_rfind(class, '.') + 1);

	for (uint32_t i = 0; i < package; i++)
		strbuf_addch(out, class.p[i] == '.' ? '/' : class.p[i]);
	if (is_file_name(source)) {
		strbuf_addstr(out, source);
		return;
	}
	strbuf_addstr(out, str_sub(class, package, outermost_end(class, package)));
	strbuf_adds(out, ".java");
}
