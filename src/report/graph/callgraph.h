/* SPDX-License-Identifier: Apache-2.0 */
/* callgraph.h - call graphs as text and as data, streamed into a sink. One file a format. */
#ifndef REPORT_GRAPH_CALLGRAPH_H
#define REPORT_GRAPH_CALLGRAPH_H

#include "analysis/callgraph/callgraph.h"
#include "report/java/head.h"
#include "report/write/sink.h"

/* A writer finishes the sink and returns whether everything was written. SQLite needs a path, not a stream. */
typedef bool callgraph_writer(struct sink *out, struct callgraph *g, const struct report_head *head);
callgraph_writer report_callgraph_text, report_callgraph_json, report_callgraph_jcg, report_callgraph_dot,
	report_callgraph_graphml, report_callgraph_csv;
/* Writes over the file `path`. False with a sentence in `err` when the database cannot be written: the file is removed
 * then. (The caller gives a temporary name, and moves the file when all is well.) */
bool report_callgraph_sqlite(const char *path, struct callgraph *g, const struct report_head *head, struct strbuf *err);

#endif
