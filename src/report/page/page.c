/* SPDX-License-Identifier: Apache-2.0 */
/* page.c - what HTML reports are made of. */
#include "report/page/page.h"

#include "report/write/escape.h"

/* Its length. */
static uint32_t write_part(struct str at, const struct page_part *parts, uint32_t n, void *ctx)
{
	for (uint32_t i = 0; i < n; i++) {
		if (!str_starts(at, parts[i].name))
			continue;
		parts[i].write(ctx);
		return (uint32_t)strlen(parts[i].name);
	}
	BUG("the page names an unknown part");
}

void page_write(struct sink *out, struct str page, const struct page_part *parts, uint32_t n, void *ctx)
{
	for (const char *mark; (mark = strstr(page.p, "{{")) != NULL;) {
		uint32_t before = (uint32_t)(mark - page.p);
		sink_str(out, str_sub(page, 0, before));
		page = str_sub(page, before, page.len);
		page = str_sub(page, write_part(page, parts, n, ctx), page.len);
	}
	sink_str(out, page);
}

/* `<` could end the script that the text is in. */
void page_add_text(struct strbuf *out, struct str s)
{
	struct strbuf plain = { 0 }, quoted = { 0 };

	escape_add(&plain, ESCAPE_PLAIN, s);
	escape_add(&quoted, ESCAPE_JSON, strbuf_str(&plain));
	for (size_t i = 0; i < quoted.len; i++) {
		if (quoted.s[i] == '<')
			strbuf_adds(out, "\\u003c");
		else
			strbuf_addch(out, quoted.s[i]);
	}
	strbuf_release(&plain);
	strbuf_release(&quoted);
}

/* A digit is one of the 90 characters from # to ~ that mean nothing in JSON and HTML: all but the backslash and <. */
#define BASE 45

static char digit(uint32_t value)
{
	uint32_t c = '#' + value;

	c += c >= '<';
	c += c >= '\\';
	return (char)c;
}

void page_pack(struct strbuf *out, uint64_t n)
{
	for (; n >= BASE; n /= BASE)
		strbuf_addch(out, digit((uint32_t)(n % BASE) + BASE));
	strbuf_addch(out, digit((uint32_t)n));
}
