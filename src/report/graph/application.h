/* SPDX-License-Identifier: Apache-2.0 */
/* application.h - writers of the call graph of an application: direct calls, and callbacks through libraries. */
#ifndef REPORT_GRAPH_APPLICATION_H
#define REPORT_GRAPH_APPLICATION_H

#include "analysis/callbacks/callbacks.h"
#include "report/java/head.h"
#include "report/write/sink.h"

struct application_head {
	const struct report_head *head;
	const char *application;         /* the patterns; NULL: whatever is no part of the JDK */
	const char *precision;           /* "va-datareach-ft" */
};

/* They finish the sink and return whether everything was written. */
typedef bool application_writer(struct sink *out, const struct callbacks *c, const struct callgraph *g,
				const struct application_head *head);
application_writer report_application_text, report_application_json, report_application_csv;

#endif
