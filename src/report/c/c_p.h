/* SPDX-License-Identifier: Apache-2.0 */
/* c_p.h - what reports about C share besides names.h: JSON, who is unknown code, screens. */
#ifndef REPORT_C_C_P_H
#define REPORT_C_C_P_H

#include "report/c/names.h"
#include "report/write/json.h"
#include "report/write/screen.h"

/* JSON. */
void c_json_head(struct json *j, const struct c_head *head, const char *schema);
void c_json_fn(struct json *j, struct c_names *n, cfn_id f);           /* "function": ..., nothing for none */
void c_json_place(struct json *j, const struct c_result *r, cloc_id l);
void c_json_called(struct json *j, struct c_names *n);
void c_json_notes(struct json *j, struct c_names *n);                  /* unknown_functions, assumptions */
void c_json_sets(struct json *j, const struct c_sets *s, const struct c_names *n);      /* sets, and the places in them */

void c_json_library(struct json *j, struct c_names *n);         /* what it and its clients can do to each other */

/* Screens. */
struct c_screen {
	struct screen_out out;
	uint32_t width;
	const struct c_result *r;
	const struct c_head *head;
	struct c_names names;
	struct str prefix;            /* of every file of the program: not shown */
	struct str locals;            /* "function::": not shown in sets; may be empty */
	struct strbuf text;           /* scratch */
};
void c_screen_init(struct c_screen *s, struct sink *out, const struct c_result *r, const struct c_head *head);
void c_screen_release(struct c_screen *s);
void c_screen_head(struct c_screen *s, const char *title);      /* what was analysed, and how */
void c_screen_figures(struct c_screen *s);
void c_screen_title(struct c_screen *s, const char *text, uint64_t count);
void c_screen_more(struct c_screen *s, uint64_t hidden, const char *how);     /* "… 12 more (--all lists them)" */
/* Without the folders that all files are in: x.c:12, or x.c:12:7. */
void c_add_place(const struct c_screen *s, cloc_id l, bool column, struct strbuf *out);
/* The set, in at most `lines` lines (0: any number) from the column where the cursor is; continued at `indent`. Ends the line. */
void c_screen_set(struct c_screen *s, struct c_set set, uint32_t at, uint32_t indent, uint32_t lines);
/* The text in at most `width` columns, the end of it, or its start; returns the columns. */
uint32_t c_screen_fitted(struct c_screen *s, struct str t, uint32_t width);
uint32_t c_screen_start(struct c_screen *s, struct str t, uint32_t width);
/* A name in at most `width` columns: its start and its end. Whole where the user asks for all, or by a pattern. */
uint32_t c_screen_name(struct c_screen *s, struct str t, uint32_t width);
uint32_t c_name_columns(const struct c_screen *s, struct str t, uint32_t width);       /* that it will take */
void c_screen_notes(struct c_screen *s);                        /* unknown functions, other assumptions */
void c_screen_pad(struct c_screen *s, uint32_t n);
void c_text_library(struct c_screen *s);                        /* what it and its clients can do to each other */

#endif
