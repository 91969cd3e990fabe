/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.h - what tests exercised of what is required: a screen, and the formats of other tools. Formats:
 * docs/formats/report.md.
 *
 * Every format counts the same: what the rows of coverage/criteria.def require of a call, as far as the plan has the criterion.
 * These requirements are the branches of its line. */
#ifndef REPORT_COVERAGE_COVERAGE_H
#define REPORT_COVERAGE_COVERAGE_H

#include "coverage/coverage.h"
#include "report/write/sink.h"

/* Figures of a result of before. */
struct coverage_past {
	struct str name;              /* as the user wrote it */
	uint64_t start;               /* of its last run, in seconds since 1970; 0: not known */
	uint32_t criteria;            /* enum plan_criteria */
	struct cov_counts of[CRITERIA];
};

/* Of a result. `name` is borrowed. */
struct coverage_past coverage_past(const struct coverage *c, struct str name);

/* What was asked of the report; what was asked of the analysis is in the plan. Zeroed it is good. */
struct coverage_head {
	const char *tool, *version;   /* "sherd", "0.4.0"; NULL: "sherd", none */
	const char *result;           /* the folder or file that is reported, as the user wrote it; for commands to go on with */
	const char *source;           /* folders with sources, separated by ':', see sources.h; NULL: not known */
	/* text, sarif: which classes to list; NULL: all. Sums are always of everything. */
	bool (*is_shown)(const void *context, struct str class);
	const void *context;
	bool has_other_jdk;           /* text: the plan's JDK is not the one that verbs take when none is named */
	const struct coverage_past *past;     /* html: results of before, in any order */
	uint32_t npast;
	bool no_why;                  /* text, html: sherd why has no answers about this analysis, do not name it */
	/* text */
	bool color;                   /* ANSI colours */
	uint32_t width;               /* columns; 0: 100 */
	bool all;                     /* every class and call, not only the first ones that miss something */
};

/* A writer finishes the sink and returns whether everything was written. Output depends on its arguments alone, and for
 * lcov, sarif and html on the files in head->source. */
typedef bool coverage_writer(struct sink *out, const struct coverage *c, const struct coverage_head *head);
coverage_writer report_coverage_text, report_coverage_json, report_coverage_cobertura, report_coverage_jacoco,
	report_coverage_lcov, report_coverage_sarif, report_coverage_badge, report_coverage_html;

/* How many results report_coverage_sarif() leaves out, which writes 25,000 at most. */
uint64_t coverage_sarif_left_out(const struct coverage *c, const struct coverage_head *head);

/* Two results, the old one and the new one. */
typedef bool coverage_diff_writer(struct sink *out, const struct cov_diff *d, const struct coverage_head *head);
coverage_diff_writer report_coverage_diff_text, report_coverage_diff_json;

#endif
