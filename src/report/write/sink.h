/* SPDX-License-Identifier: Apache-2.0 */
/* sink.h - the stream that results are written to. */
#ifndef REPORT_WRITE_SINK_H
#define REPORT_WRITE_SINK_H

#include <stdio.h>

#include "base/compiler.h"
#include "base/span.h"

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

#endif
