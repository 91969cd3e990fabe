/* SPDX-License-Identifier: Apache-2.0 */
#include "report/java/additions.h"

enum { SHOWN = 10 };

static uint32_t next_addition(const struct program *p, uint32_t after)
{
	for (uint32_t i = after + 1; i < p->asked_by.len; i++)
		if (p->asked_by.data[i])
			return i;
	return 0;
}

static const char *asker(const struct program *p, uint32_t addition)
{
	return p->artifacts.data[p->asked_by.data[addition]];
}

/* Lines are cut at their left: the file of the jar is enough there, and the path comes last. */
static const char *file_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void additions_show(const struct program *p, void (*fact)(void *ctx, const char *label, struct str text), void *ctx)
{
	struct strbuf text = { 0 };
	uint32_t n = 0;

	for (uint32_t i = next_addition(p, 0); i; i = next_addition(p, i), n++) {
		if (n >= SHOWN)
			continue;
		strbuf_clear(&text);
		strbuf_addf(&text, "by %s: %s", file_of(asker(p, i)), p->artifacts.data[i]);
		fact(ctx, n ? "" : "Added", strbuf_str(&text));
	}
	if (n > SHOWN) {
		strbuf_clear(&text);
		strbuf_addf(&text, "and %u more", (unsigned)(n - SHOWN));
		fact(ctx, "", strbuf_str(&text));
	}
	strbuf_release(&text);
}

void additions_json(struct json *j, const struct program *p)
{
	if (!next_addition(p, 0))
		return;
	json_key(j, "manifest_class_path"), json_array(j);
	for (uint32_t i = next_addition(p, 0); i; i = next_addition(p, i)) {
		json_object(j);
		json_key(j, "path"), json_str(j, str_of(p->artifacts.data[i]));
		json_key(j, "named_by"), json_str(j, str_of(asker(p, i)));
		json_end_object(j);
	}
	json_end_array(j);
}
