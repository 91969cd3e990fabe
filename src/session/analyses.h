/* SPDX-License-Identifier: Apache-2.0 */
/* analyses.h - what can be computed of which subject, what that requires and which verbs show it: the rows of analyses.def. */
#ifndef SESSION_ANALYSES_H
#define SESSION_ANALYSES_H

#include "session/inquiry.h"

enum subject { SUBJECT_JAVA, SUBJECT_COMPONENT, SUBJECT_C, SUBJECTS };
const char *subject_name(enum subject s);      /* "Java program", ... */

enum analysis_id {
#define ANALYSIS(subject, id, name, requires, phase, verbs, help) subject##_##id,
#include "session/analyses.def"
#undef ANALYSIS
	ANALYSES
};
#define NEEDS(id) (UINT64_C(1) << (id))        /* sets of analyses are bits */

struct analysis_row {
	enum subject subject;
	const char *name;             /* a word of docs/glossary.md; with its subject, there is only one */
	uint64_t requires;            /* rows before it, as bits; also of other subjects */
	enum phase phase;             /* that its time counts as */
	const char *verbs;            /* that show it, separated by spaces; "": none does */
	const char *help;             /* what it is, in one line */
};
extern const struct analysis_row analyses[ANALYSES];

#endif
