/* SPDX-License-Identifier: Apache-2.0 */
/* xml.h - XML, streamed: each element on a line of its own, attributes escaped.
 *
 *	struct xml x = { .out = sink };
 *	xml_start(&x, "line"), xml_uint(&x, "number", 3);
 *	xml_end(&x, "line"); */
#ifndef REPORT_WRITE_XML_H
#define REPORT_WRITE_XML_H

#include "base/strbuf.h"
#include "report/write/sink.h"

struct xml {
	struct sink *out;
	struct strbuf text;           /* scratch; xml_release frees it */
	uint32_t depth;
	bool is_open;                 /* a start tag waits for its end */
	bool has_text;                /* the element's end follows text */
};
void xml_release(struct xml *x);

void xml_start(struct xml *x, const char *tag);
void xml_end(struct xml *x, const char *tag);
/* Attributes of the element that was started last. */
void xml_attr(struct xml *x, const char *key, struct str value);          /* modified UTF-8, see escape.h */
void xml_uint(struct xml *x, const char *key, uint64_t value);
void xml_attrf(struct xml *x, const char *key, const char *fmt, ...) ATTR_PRINTF(3, 4);        /* nothing to escape */
void xml_text(struct xml *x, struct str text);

#endif
