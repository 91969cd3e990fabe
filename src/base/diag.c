/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diag.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text/utf8.h"

#define WARNING DIAG_WARNING
#define ERROR DIAG_ERROR
static const struct {
	const char *name, *title;
	enum diag_severity severity;
} kinds[] = {
#define DIAG(code, severity, title) { #code, title, severity },
#include "base/diag.def"
#undef DIAG
};

void diag_init(struct diag *d)
{
	*d = (struct diag){ 0 };
}

void diag_release(struct diag *d)
{
	arena_release(&d->text);
	vec_release(&d->entries);
}

static const char *copy_printable(struct arena *a, const char *s, size_t n)
{
	char *t = arena_alloc(a, n + 1);

	memcpy(t, s, n);
	t[utf8_tame(t, n)] = 0;
	return t;
}

void diag_add(struct diag *d, enum diag_code code, const char *artifact, struct str item, uint64_t offset,
	      const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!d)
		return;
	if (kinds[code].severity == DIAG_ERROR)
		d->errors++;
	else
		d->warnings++;
	if (d->entries.len >= DIAG_LIMIT) {
		d->dropped++;
		return;
	}
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	struct diag_entry e = {
		.code = code,
		.artifact = artifact ? copy_printable(&d->text, artifact, strlen(artifact)) : "",
		.item = item.p ? copy_printable(&d->text, item.p, item.len < 400 ? item.len : 400) : "",
		.offset = offset,
		.text = copy_printable(&d->text, text, strlen(text)),
	};
	vec_push(&d->entries, e);
}

enum diag_severity diag_severity(enum diag_code code)
{
	return kinds[code].severity;
}

const char *diag_name(enum diag_code code)
{
	return kinds[code].name;
}

const char *diag_title(enum diag_code code)
{
	return kinds[code].title;
}

void diag_render(const struct diag_entry *e, struct strbuf *out)
{
	strbuf_adds(out, e->artifact);
	if (e->item[0])
		strbuf_addf(out, "%s%s", e->artifact[0] ? "!" : "", e->item);
	if (e->offset != DIAG_NO_OFFSET)
		strbuf_addf(out, ": %" PRIu64, e->offset);
	if (out->len)
		strbuf_adds(out, ": ");
	strbuf_addf(out, "%s[%s]: %s", kinds[e->code].severity == DIAG_ERROR ? "error" : "warning",
		    kinds[e->code].name, e->text);
}

void diag_cut(struct diag *d, uint32_t n)
{
	while (d->entries.len > n) {
		enum diag_severity s = diag_severity(vec_pop(&d->entries).code);
		d->errors -= s == DIAG_ERROR;
		d->warnings -= s == DIAG_WARNING;
	}
}
