/* SPDX-License-Identifier: Apache-2.0 */
#include "report/java/sources.h"

void sources_show(const struct report_sources *s, void (*fact)(void *ctx, const char *label, struct str text), void *ctx)
{
	struct strbuf text = { 0 };

	for (uint32_t i = 0; i < s->n; i++) {
		const struct report_source *f = &s->data[i];
		strbuf_clear(&text);
		strbuf_addf(&text, "%u of %u of %s, %s", (unsigned)f->applied, (unsigned)f->facts, f->path, f->form);
		fact(ctx, i ? "" : "Facts", strbuf_str(&text));
	}
	strbuf_release(&text);
}

void sources_json(struct json *j, const struct report_sources *s)
{
	if (!s->n)
		return;
	json_key(j, "facts"), json_array(j);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct report_source *f = &s->data[i];
		json_object(j);
		json_key(j, "file"), json_str(j, str_of(f->path));
		json_key(j, "form"), json_str(j, str_of(f->form));
		json_key(j, "facts"), json_uint(j, f->facts);
		json_key(j, "applied"), json_uint(j, f->applied);
		json_key(j, "missing"), json_uint(j, f->missing);
		json_key(j, "not_followed"), json_uint(j, f->unfollowed);
		json_end_object(j);
	}
	json_end_array(j);
}

enum { SHOWN = 10 };

void settings_show(const struct report_settings *s, void (*fact)(void *ctx, const char *label, struct str text), void *ctx)
{
	struct strbuf text = { 0 };

	for (uint32_t i = 0; i < s->n && i < SHOWN; i++) {
		const struct report_setting *x = &s->data[i];
		strbuf_clear(&text);
		strbuf_addf(&text, "%s %.*s", x->kind, (int)x->name.len, x->name.p);
		if (x->source)
			strbuf_addf(&text, " = %.*s, by %s", (int)x->value.len, x->value.p, x->source);
		else
			strbuf_adds(&text, " is not set");
		fact(ctx, i ? "" : "Depends on", strbuf_str(&text));
	}
	if (s->n > SHOWN) {
		strbuf_clear(&text);
		strbuf_addf(&text, "and %u more", (unsigned)(s->n - SHOWN));
		fact(ctx, "", strbuf_str(&text));
	}
	strbuf_release(&text);
}

void settings_json(struct json *j, const struct report_settings *s)
{
	if (!s->n)
		return;
	json_key(j, "environment"), json_array(j);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct report_setting *x = &s->data[i];
		json_object(j);
		json_key(j, "kind"), json_str(j, str_of(x->kind));
		json_key(j, "name"), json_str(j, x->name);
		if (x->source) {
			json_key(j, "value"), json_str(j, x->value);
			json_key(j, "source"), json_str(j, str_of(x->source));
		}
		json_end_object(j);
	}
	json_end_array(j);
}
