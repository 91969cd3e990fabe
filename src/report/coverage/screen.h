/* SPDX-License-Identifier: Apache-2.0 */
/* screen.h - what the screens about coverage share: words with lines broken between them, short names, bars. */
#ifndef REPORT_COVERAGE_SCREEN_H
#define REPORT_COVERAGE_SCREEN_H

#include "base/intern.h"
#include "report/coverage/coverage_p.h"
#include "report/write/screen.h"

#define STYLE_NONE (-1)

struct cov_screen {
	struct screen_out s;
	const struct coverage_head *head;
	uint32_t width;
	uint32_t indent, at;          /* of the words that are being written: where lines start, the next column */
	struct strbuf text, shown;    /* scratch: of names, of words */
	struct interner simple;       /* class names without packages */
	VEC(struct str) full;         /* the name of each; empty: several share it */
	uint32_t nown;                /* the first ones, which are classes of the component */
	struct interner lambdas;      /* class names of lambdas */
	VEC(struct str) lambda_names; /* how each is shown */
	struct arena mem;
};
void cov_screen_init(struct cov_screen *x, struct sink *out, const struct coverage_head *head);
void cov_screen_release(struct cov_screen *x);

/* Words */

static inline void cov_start(struct cov_screen *x, uint32_t indent)
{
	x->indent = indent, x->at = 0;
}
void cov_word(struct cov_screen *x, int style, struct str text, char end);     /* not broken; `end` behind it, or 0 */
void cov_words(struct cov_screen *x, int style, struct str sentence);
void cov_unit(struct cov_screen *x, int style, struct str text);               /* broken only if no line has room for it */
void cov_wordsf(struct cov_screen *x, int style, const char *fmt, ...) ATTR_PRINTF(3, 4);
void cov_break(struct cov_screen *x);
/* A title, bold, and behind it what it counts: NULL for nothing. */
void cov_title(struct cov_screen *x, int style, const char *title, const char *more);
/* A row of the head; cut at its start when it is too wide. Nothing for an empty value. */
void cov_fact(struct cov_screen *x, const char *label, struct str value);
/* post(String), on a line of its own. */
void cov_method_name(struct cov_screen *x, const struct plan_method *m);
/* A bullet of the notes. */
void cov_note(struct cov_screen *x, struct str sentence);

/* Names: without their package, unless another class on the screen would have the same; lambdas as "lambda in Rules.none" or
 * "String::length in Rules.none" */

/* Before any of them is asked for. Of two results, the first one's component wins. */
void cov_know_all(struct cov_screen *x, const struct coverage *c);
struct str cov_short(const struct cov_screen *x, struct str class);
/* The target of a call in a class: UrgentLink.carry; of a lambda, its name alone. */
void cov_add_run(struct cov_screen *x, struct str class, const struct plan_site *p, struct strbuf *out);
/* Link.carry of p.Link.carry(Ljava/lang/String;)V. */
void cov_add_method_shown(struct cov_screen *x, struct str method, struct strbuf *out);
/* A requirement of a criterion at a call: the class of a receiver, or as one of the two above. */
void cov_add_shown(struct cov_screen *x, uint32_t criterion, struct str name, const struct plan_site *p, struct strbuf *out);
/* Link.carry(String), in x->text */
struct str cov_call(struct cov_screen *x, const struct plan_site *p);
/* "     41  " in 10 columns, or @12 where no line is known */
void cov_line_number(struct cov_screen *x, const struct plan_site *p);

/* As one word for a shell. */
void cov_add_quoted(struct strbuf *out, struct str word);
/* "sherd report DIR --all", broken between words: the command that shows more. */
void cov_more_command(struct cov_screen *x, const char *option);

/* Shares */

void cov_percent(struct cov_screen *x, struct cov_counts n);      /* " 66.6 %", in 7 columns */
void cov_bar(struct cov_screen *x, struct cov_counts n, uint32_t columns);     /* empty where nothing is required */

/* How many of n rows to list when `most` fit: one more is shown rather than counted. */
static inline uint32_t cov_fitting(uint32_t n, uint32_t most)
{
	return n <= most + 1 ? n : most;
}
static inline const char *cov_s(uint64_t n)
{
	return n == 1 ? "" : "s";
}

#endif
