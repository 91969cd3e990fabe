/* SPDX-License-Identifier: Apache-2.0 */
/* html.c - the call graph of an application as one HTML file that needs nothing else: to look at, to search, to follow. */
#include "report/graph/html/html_p.h"

#include "calls_css.h"
#include "calls_html.h"
#include "calls_js.h"
#include "calls_library.h"

static void write_css(void *ctx)
{
	struct calls_data *d = ctx;

	sink_write(d->j.out, calls_css, sizeof(calls_css) - 1);
}

static void write_js(void *ctx)
{
	struct calls_data *d = ctx;

	sink_write(d->j.out, calls_js, sizeof(calls_js) - 1);
}

static void write_library(void *ctx)
{
	struct calls_data *d = ctx;

	sink_write(d->j.out, calls_library, sizeof(calls_library) - 1);
}

/* What is left of the page where scripts are off. */
static void write_summary(void *ctx)
{
	struct calls_data *d = ctx;
	const struct callbacks *c = d->c;

	sink_printf(d->j.out, "<p>%llu methods of the application, %llu library calls.</p>", (unsigned long long)c->methods,
		    (unsigned long long)c->library_calls);
	sink_printf(d->j.out, "<p>%llu direct calls, %llu callbacks, %llu calls by threads.</p>",
		    (unsigned long long)c->counts[CALL_DIRECT], (unsigned long long)c->counts[CALL_BACK],
		    (unsigned long long)c->counts[CALL_LATER]);
}

static void write_data(void *ctx)
{
	calls_write_data(ctx);
}

static const struct page_part parts[] = {
	{ "{{summary}}", write_summary }, { "{{css}}", write_css },   { "{{js}}", write_js },
	{ "{{library}}", write_library }, { "{{data}}", write_data },
};

bool report_application_html(struct sink *out, const struct callbacks *c, const struct callgraph *g, const struct application_head *head)
{
	struct calls_data d;

	calls_data_init(&d, out, c, g, head);
	page_write(out, (struct str){ calls_html, sizeof(calls_html) - 1 }, parts, ARRAY_LEN(parts), &d);
	calls_data_release(&d);
	return sink_finish(out);
}
