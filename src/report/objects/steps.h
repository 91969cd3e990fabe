/* SPDX-License-Identifier: Apache-2.0 */
/* steps.h - the way of an object to a call, and paths of calls, as rows of a screen: a number, a place, what happens
 * there. Shared by why-call and why. */
#ifndef REPORT_OBJECTS_STEPS_H
#define REPORT_OBJECTS_STEPS_H

#include "analysis/callgraph/path.h"
#include "analysis/fragment/fragment.h"
#include "analysis/pta/pta.h"
#include "report/java/head.h"
#include "report/java/names.h"
#include "report/write/screen.h"

struct rows {
	struct screen_out s;
	const struct program *p;
	const struct pta *facts;
	const struct placeholders *clients;    /* NULL: a whole program */
	struct names source, brief;
	uint32_t width;
	uint32_t column;              /* width of the places; 0: they have lines of their own */
	uint32_t number;              /* of the last row */
	struct strbuf place, phrase;  /* scratch */
	/* Not NULL: rows go there instead of the screen, without the numbers of variables. */
	void (*each)(void *ctx, struct str place, struct str phrase);
	void *ctx;
};
void rows_init(struct rows *x, struct sink *out, const struct callgraph *g, const struct pta *facts,
	       const struct report_head *head);
void rows_release(struct rows *x);

/* Rows that are to line up are measured before any is shown. */
void rows_measure_steps(struct rows *x, const struct pta_witness *w);
void rows_measure_path(struct rows *x, const struct call_path *c);
void rows_measured(struct rows *x);
void rows_show_steps(struct rows *x, const struct pta_witness *w);
void rows_show_no_way(struct rows *x, const char *level);        /* there is none; `level`: of assumptions, NULL: listed */
/* Who calls the start, and every call. */
void rows_show_path(struct rows *x, const struct call_path *c);

/* Is it code that stands for clients? */
bool rows_is_client(const struct rows *x, method_id m);
/* shapes.Circle, created at shapes.Main.main:12 */
void rows_add_object(struct rows *x, uint32_t place, struct strbuf *out);
/* Ends the row of a label: the text, broken between words where it is too long. Releases it. */
void rows_end_label(struct rows *x, struct strbuf *text);
/* The same for a whole line; where it is broken, it goes on at `indent`. */
void rows_end_line(struct rows *x, struct strbuf *text, uint32_t indent);

const char *step_name(const struct program *p, const struct pta_step *s);      /* "new", "static-field", ... */

#endif
