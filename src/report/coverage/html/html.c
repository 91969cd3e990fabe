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

static void write_title(void *ctx)
{
	struct page *p = ctx;

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
static void write_summary(void *ctx)
{
	struct page *p = ctx;

	for (uint32_t k = 0; k < CRITERIA; k++)
		if (cov_is_counted(p->c, k))
			write_counts(p, cov_criteria[k].title, p->c->sums.of[k]);
}

static void write_css(void *ctx)
{
	struct page *p = ctx;

	sink_write(p->out, report_css, sizeof(report_css) - 1);
}

static void write_js(void *ctx)
{
	struct page *p = ctx;

	sink_write(p->out, report_js, sizeof(report_js) - 1);
}

static void write_data(void *ctx)
{
	struct page *p = ctx;

	html_write_data(&p->data);
}

static void write_sources(void *ctx)
{
	struct page *p = ctx;

	html_write_sources(&p->data);
}

static const struct page_part parts[] = {
	{ "{{title}}", write_title }, { "{{summary}}", write_summary }, { "{{css}}", write_css }, { "{{js}}", write_js },
	{ "{{data}}", write_data },   { "{{sources}}", write_sources },
};

bool report_coverage_html(struct sink *out, const struct coverage *c, const struct coverage_head *head)
{
	struct page p = { .out = out, .c = c };

	html_data_init(&p.data, out, c, head);
	page_write(out, (struct str){ report_html, sizeof(report_html) - 1 }, parts, ARRAY_LEN(parts), &p);
	html_data_release(&p.data);
	strbuf_release(&p.text);
	return sink_finish(out);
}
