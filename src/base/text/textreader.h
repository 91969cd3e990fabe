/* SPDX-License-Identifier: Apache-2.0 */
/* textreader.h - a text form that is read line by line, in place: words, signs and quoted strings.
 *
 * Blanks and comments never cross the end of a line. The first error is told, with its line, as E030; readers return
 * false then and later ones keep quiet, so that a grammar can be written as one condition: a && b && c. */
#ifndef BASE_TEXT_TEXTREADER_H
#define BASE_TEXT_TEXTREADER_H

#include "base/diag.h"

struct textreader {
	const char *at, *end;
	uint32_t line;
	char comment;                  /* begins one */
	bool has_tab;                  /* `\t` in strings; else tabs are written `\x09` */
	bool failed;
	const char *artifact;          /* for messages, as diag_add takes them */
	struct str item;
	struct diag *d;
};

bool text_fail(struct textreader *r, const char *what);       /* always false */

void text_skip_blanks(struct textreader *r);
bool text_at_line_end(struct textreader *r);
bool text_next_line(struct textreader *r);                    /* skips empty lines; false at the end of the text */
bool text_accept(struct textreader *r, char c);
bool text_expect(struct textreader *r, char c, const char *what);

/* The word at this place, without taking it; empty when there is none. */
struct str text_peek_word(struct textreader *r, bool (*is_word_char)(char c));
/* Decimal digits. */
bool text_u64(struct textreader *r, uint64_t *v);
bool text_u32(struct textreader *r, uint32_t *v);
/* What the string at this place stands for is added to `out`. */
bool text_quoted(struct textreader *r, struct strbuf *out);
/* Adds `s` as text_quoted reads it. */
void text_quote(struct strbuf *out, struct str s, bool has_tab);

#endif
