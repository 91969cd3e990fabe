/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - results as text, streamed into a sink. One file a format. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdio.h>

#include "analysis/callgraph/callgraph.h"

/* A buffered byte stream. After the first failed write nothing more is written and `failed` is set. */
struct sink {
	FILE *file;
	bool failed;
};
void sink_write(struct sink *s, const void *p, size_t n);
void sink_str(struct sink *s, struct str t);
void sink_puts(struct sink *s, const char *t);
void sink_printf(struct sink *s, const char *fmt, ...) ATTR_PRINTF(2, 3);

/* What the head of a result says about the request. */
struct report_head {
	const char *algorithm;        /* "rta" */
	const char *entry;            /* "main antlr.Tool", "public", "file x" */
	const char *class_path, *jdk;
	bool color;                   /* text: ANSI colours */
	uint32_t width;               /* text: columns */
};

/* One row of callgraph.def a format: id, writer, what it is for. SQLite needs a path, not a stream. */
typedef bool callgraph_writer(struct sink *out, struct callgraph *g, const struct report_head *head);
callgraph_writer report_callgraph_text, report_callgraph_json, report_callgraph_jcg, report_callgraph_dot,
	report_callgraph_graphml, report_callgraph_csv;
/* False with a sentence in `err` when the database cannot be written. Nothing is left behind then. */
bool report_callgraph_sqlite(const char *path, struct callgraph *g, const struct report_head *head, struct strbuf *err);

#endif
