/* SPDX-License-Identifier: Apache-2.0 */
/* application.h - writers of the call graph of an application: direct calls, and callbacks through libraries. */
#ifndef REPORT_GRAPH_APPLICATION_H
#define REPORT_GRAPH_APPLICATION_H

#include "analysis/callbacks/callbacks.h"
#include "report/graph/writers.h"
#include "report/java/head.h"
#include "report/java/names.h"
#include "report/write/sink.h"

struct application_head {
	const struct report_head *head;
	const char *application;         /* the patterns; NULL: whatever is no part of the JDK */
	const char *precision;           /* "va-datareach-ft" */
	const char *only, *from;         /* what was selected; NULL: all */
	uint32_t depth;
	/* Which methods a view has besides those of its edges; NULL: none */
	bool (*has_method)(const void *ctx, method_id m);
	const void *ctx;
};

/* The edges in the order of every output: printed name of the caller, pc, sort, printed name of the callee. On the heap. */
uint32_t *application_order(const struct callbacks *c, const struct callgraph *g);

/* A view for the writers of every graph, whose calls are of three kinds. `render` names methods. All of them stay in place as long as the
 * view; free it with graph_view_free. */
struct graph_view *application_view_new(const struct callbacks *c, struct callgraph *g, const struct application_head *head,
					name_render *render);

/* They finish the sink and return whether everything was written. */
typedef bool application_writer(struct sink *out, const struct callbacks *c, const struct callgraph *g,
				const struct application_head *head);
struct screen_out;
/* The first lines of a screen. */
void report_application_head(const struct screen_out *s, const struct application_head *h, const struct callbacks *c);
application_writer report_application_text, report_application_json, report_application_csv;
application_writer report_application_html;      /* html/html.c */

#endif
