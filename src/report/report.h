/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - results as text, streamed into a sink. One file a format. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdio.h>

#include "analysis/callgraph/callgraph.h"

/* A buffered byte stream: struct sink s = { .file = f }. After the first failed write nothing more is
 * written and `failed` is set. The buffer is made on first use; sink_finish() passes it on and frees it. */
struct sink {
	FILE *file;
	bool failed;
	size_t len;
	char *buf;
};
void sink_write(struct sink *s, const void *p, size_t n);
void sink_putc(struct sink *s, char c);
void sink_str(struct sink *s, struct str t);
void sink_puts(struct sink *s, const char *t);
void sink_uint(struct sink *s, uint64_t n);
void sink_printf(struct sink *s, const char *fmt, ...) ATTR_PRINTF(2, 3);
bool sink_finish(struct sink *s);     /* false when any write failed; the sink can be used again */

/* What the head of a result says about the request. */
struct report_head {
	const char *algorithm;        /* "rta" */
	const char *entry;            /* "main antlr.Tool", "public", "file x" */
	const char *class_path, *jdk; /* may be NULL */
	bool color;                   /* text: ANSI colours */
	uint32_t width;               /* text: columns; 0: 100 */
	bool clusters;                /* dot: one box a package */
	bool receivers;               /* json: the classes of receivers, at every dispatched call */
	/* text: is the class the user's own, not the JDK's? NULL: not known, nothing is listed */
	bool (*is_application)(const struct program *p, class_id c);
};

/* One row of callgraph.def a format: id, writer, what it is for. SQLite needs a path, not a stream. A writer
 * finishes the sink and returns whether everything was written. */
typedef bool callgraph_writer(struct sink *out, struct callgraph *g, const struct report_head *head);
callgraph_writer report_callgraph_text, report_callgraph_json, report_callgraph_jcg, report_callgraph_dot,
	report_callgraph_graphml, report_callgraph_csv;
/* Writes over the file `path`. False with a sentence in `err` when the database cannot be written: the file is removed
 * then. (The caller gives a temporary name, and moves the file when all is well.) */
bool report_callgraph_sqlite(const char *path, struct callgraph *g, const struct report_head *head, struct strbuf *err);

#endif
