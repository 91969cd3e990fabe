/* SPDX-License-Identifier: Apache-2.0 */
/* writers.h - a graph of calls in the formats for programs, streamed into a sink. One file a format. */
#ifndef REPORT_GRAPH_WRITERS_H
#define REPORT_GRAPH_WRITERS_H

#include "report/graph/view.h"

/* A writer names the nodes of the view, finishes the sink and returns whether everything was written. A view is for one
 * writer. SQLite needs a path, not a stream. */
typedef bool graph_writer(struct sink *out, struct graph_view *v);
graph_writer report_graph_json, report_graph_dot, report_graph_graphml, report_graph_csv;
/* Writes over the file `path`. False with a sentence in `err` when the database cannot be written: the file is removed
 * then. (The caller gives a temporary name, and moves the file when all is well.) */
bool report_graph_sqlite(const char *path, struct graph_view *v, struct strbuf *err);

#endif
