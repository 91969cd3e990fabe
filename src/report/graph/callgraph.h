/* SPDX-License-Identifier: Apache-2.0 */
/* callgraph.h - the call graph of a Java program: a view for the writers of every language, and what is only for Java. */
#ifndef REPORT_GRAPH_CALLGRAPH_H
#define REPORT_GRAPH_CALLGRAPH_H

#include "analysis/callgraph/callgraph.h"
#include "report/graph/writers.h"
#include "report/java/head.h"
#include "report/java/names.h"

/* The graph and the head stay in place as long as the view; free it with graph_view_free. */
struct graph_view *java_view_new(struct callgraph *g, const struct report_head *head);
/* With other names for methods. */
struct graph_view *java_view_named(struct callgraph *g, const struct report_head *head, name_render *render);

/* A screen for people, and the format of a benchmark for Java: they finish the sink and return whether everything was written. */
typedef bool callgraph_writer(struct sink *out, struct callgraph *g, const struct report_head *head);
callgraph_writer report_callgraph_text, report_callgraph_jcg;

#endif
