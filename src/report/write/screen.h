/* SPDX-License-Identifier: Apache-2.0 */
/* screen.h - what screens for people share: colours, labels, numbers. */
#ifndef REPORT_WRITE_SCREEN_H
#define REPORT_WRITE_SCREEN_H

#include "base/strbuf.h"
#include "report/write/sink.h"

enum style { STYLE_BOLD, STYLE_DIM, STYLE_RED, STYLE_GREEN };

/* A sink with the colours that its head asks for. */
struct screen_out {
	struct sink *out;
	bool color;
};
void screen_style(const struct screen_out *s, enum style st);
void screen_plain(const struct screen_out *s);
void screen_puts(const struct screen_out *s, enum style st, const char *text);       /* styled */
/* The label of a row of facts: indented, 12 columns wide. */
void screen_label(const struct screen_out *s, const char *label);

static inline bool text_is_tail(char c)                  /* a byte of a character behind its first, in UTF-8 */
{
	return ((unsigned char)c & 0xc0) == 0x80;
}
/* Columns that the text takes: one a character. */
static inline uint32_t text_columns(struct str t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t.len; i++)
		n += !text_is_tail(t.p[i]);
	return n;
}
struct str text_skip(struct str t, uint32_t n);          /* without the first n characters */
static inline struct str screen_text(const char *s)      /* NULL is empty */
{
	return s ? str_of(s) : STR("");
}
/* A row of facts: a label, and the end of the value where it is too long. Nothing for an empty value. */
void screen_fact(const struct screen_out *s, uint32_t width, const char *label, struct str value);

void screen_title(const struct screen_out *s, const char *text, uint64_t count);     /* of a list, behind an empty line */
void screen_figure(const struct screen_out *s, const char *label, uint64_t n);       /* one of two on a row; does not end it */

const char *grouped(uint64_t n, char buf[32]);        /* 1,234,567; in buf */
void screen_share(struct sink *out, uint64_t part, uint64_t whole);   /* ends a row: 66.7 %, rounded; 0.0 % of nothing */

#endif
