/* SPDX-License-Identifier: Apache-2.0 */
/* page.h - what HTML reports are made of: a page with its data in it, one file that needs nothing else.
 *
 * The scripts and colours that pages share stand beside this file; each page adds its own, and the build turns all into bytes of
 * the program. Data is one JSON object. What is large in it is packed: numbers as digits to the base of 45, lowest first, a
 * character each; all digits but the last have 45 added. It is text for the browser until somebody looks at it (unpack() of
 * common.js). */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "base/strbuf.h"
#include "report/write/sink.h"

/* What stands in the place of {{name}}. */
struct page_part {
	const char *name;                /* with its braces */
	void (*write)(void *ctx);
};

/* Writes the page with each part in its place. A name that is no part's is a bug. */
void page_write(struct sink *out, struct str page, const struct page_part *parts, uint32_t n, void *ctx);

/* Adds text from outside as part of a JSON string that stands in HTML: no '<' is in it, and what is invisible or turns the reading
 * direction is shown by its number, as everywhere. */
void page_add_text(struct strbuf *out, struct str s);

void page_pack(struct strbuf *out, uint64_t n);

#endif
