/* SPDX-License-Identifier: Apache-2.0 */
/* html.c - coverage as one HTML file that needs nothing else: the page of html/, with its data in it. */
#include "report/coverage/html/html_p.h"
#include "report/write/escape.h"

#include "report_css.h"
#include "report_html.h"
#include "report_js.h"

struct page {
	struct html_data data;
	struct sink *out;
	const struct coverage *c;
	struct strbuf text;
};

static void write_escaped(struct page *p, struct str s)
{
	strbuf_clear(&p->text);
	escape_add(&p->text, ESCAPE_XML, s);
	sink_str(p->out, strbuf_str(&p->text));
}

static void write_title(struct page *p)
{
	sink_puts(p->out, "Coverage of ");
	write_escaped(p, p->c->plan->component);
}

static void write_counts(struct page *p, const char *what, struct cov_counts n)
{
	uint32_t permille = coverage_permille(n);

	sink_printf(p->out, "<p>%s: %u.%u %%, %llu of %llu</p>", what, (unsigned)permille / 10, (unsigned)permille % 10,
		    (unsigned long long)n.covered, (unsigned long long)n.required);
}

/* What is left of the report where scripts are off. */
static void write_summary(struct page *p)
{
	for (uint32_t k = 0; k < CRITERIA; k++)
		if (cov_is_counted(p->c, k))
			write_counts(p, cov_criteria[k].title, p->c->sums.of[k]);
}

static void write_css(struct page *p)
{
	sink_write(p->out, report_css, sizeof(report_css) - 1);
}

static void write_js(struct page *p)
{
	sink_write(p->out, report_js, sizeof(report_js) - 1);
}

static void write_data(struct page *p)
{
	html_write_data(&p->data);
}

static void write_sources(struct page *p)
{
	html_write_sources(&p->data);
}

static const struct {
	const char *name;
	void (*write)(struct page *p);
} parts[] = {
	{ "{{title}}", write_title }, { "{{summary}}", write_summary }, { "{{css}}", write_css }, { "{{js}}", write_js },
	{ "{{data}}", write_data },   { "{{sources}}", write_sources },
};

static void write_part(struct page *p, struct str at, uint32_t *len)
{
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (!str_starts(at, parts[i].name))
			continue;
		parts[i].write(p);
		*len = (uint32_t)strlen(parts[i].name);
		return;
	}
	BUG("the page names an unknown part");
}

/* The page, with each {{part}} in its place. */
static void write_page(struct page *p)
{
	struct str rest = { report_html, sizeof(report_html) - 1 };

	for (const char *mark; (mark = strstr(rest.p, "{{")) != NULL;) {
		uint32_t before = (uint32_t)(mark - rest.p), len = 0;
		sink_str(p->out, str_sub(rest, 0, before));
		rest = str_sub(rest, before, rest.len);
		write_part(p, rest, &len);
		rest = str_sub(rest, len, rest.len);
	}
	sink_str(p->out, rest);
}

bool report_coverage_html(struct sink *out, const struct coverage *c, const struct coverage_head *head)
{
	struct page p = { .out = out, .c = c };

	html_data_init(&p.data, out, c, head);
	write_page(&p);
	html_data_release(&p.data);
	strbuf_release(&p.text);
	return sink_finish(out);
}
