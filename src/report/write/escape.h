/* SPDX-License-Identifier: Apache-2.0 */
/* escape.h - names from class files as text of each format.
 *
 * Names are modified UTF-8 (JVMS 4.4.7) and may hold anything: NUL, half a surrogate pair, terminal escapes.
 * What comes out is always valid UTF-8: malformed bytes and lone surrogates become U+FFFD.
 * Characters that control a terminal, the reading direction, or cannot stand in XML are shown as \u001b, which
 * is the character itself in JSON and six plain ones elsewhere. */
#ifndef REPORT_WRITE_ESCAPE_H
#define REPORT_WRITE_ESCAPE_H

#include "base/strbuf.h"

enum escape {
	ESCAPE_NONE,     /* as it is: already in its final form */
	ESCAPE_PLAIN,    /* only what is said above */
	ESCAPE_JSON,     /* inside a JSON string */
	ESCAPE_XML,      /* XML text or a quoted attribute */
	ESCAPE_DOT,      /* inside a quoted DOT label */
	ESCAPE_CSV,      /* a whole CSV field, in quotes where RFC 4180 wants them */
};

void escape_add(struct strbuf *out, enum escape form, struct str s);

#endif
