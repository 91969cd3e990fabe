/* SPDX-License-Identifier: Apache-2.0 */
/* text_p.h - the parts of the screen about coverage. */
#ifndef REPORT_COVERAGE_TEXT_P_H
#define REPORT_COVERAGE_TEXT_P_H

#include "report/coverage/screen.h"

#define MAX_CLASSES 20        /* in the table */
#define MAX_CALLS 16          /* with what they miss, in all and ... */
#define MAX_CLASS_CALLS 4     /* ... of one class */

struct cov_text {
	struct cov_screen x;
	const struct coverage *c;
	uint32_t receivers;           /* the criterion: criteria_receivers() */
	VEC(uint32_t) classes;        /* rows of those that are listed, in their order */
	VEC(const struct cov_item *) missed;   /* scratch */
	uint32_t missing;             /* classes that miss something, of those that may be listed */
	bool has_limits;
	bool is_empty;                /* nothing was measured: the first note says why */
};

static inline uint64_t cov_missed_of(const struct cov_sums *s)
{
	struct cov_counts n = cov_total(s);

	return n.required - n.covered;
}

/* The calls of the listed classes that miss something, with the ways that are known. */
void cov_show_calls(struct cov_text *t);
/* Receivers that are not among the requirements and not excused. */
void cov_show_unexpected(struct cov_text *t);

/* Call chains, if the plan has some; and those that were seen and are not among the requirements. */
void cov_show_chains(struct cov_text *t);
void cov_show_strange(struct cov_text *t);

/* Names in a sentence without packages, in t->x.text. */
struct str cov_without_packages(struct cov_text *t, struct str text);

#endif
