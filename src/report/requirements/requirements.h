/* SPDX-License-Identifier: Apache-2.0 */
/* requirements.h - what tests of a component should exercise, as a screen, JSON and CSV; and what several analyses
 * require of one component or many, side by side. Formats: docs/formats/requirements.md. */
#ifndef REPORT_REQUIREMENTS_REQUIREMENTS_H
#define REPORT_REQUIREMENTS_REQUIREMENTS_H

#include "analysis/compare/compare.h"
#include "report/java/head.h"
#include "report/write/sink.h"

/* What was asked. Each string may be NULL: not said. */
struct requirements_head {
	struct report_head head;      /* its algorithm and entry are not looked at */
	const char *component;        /* "java.text.*" */
	const char *interface;        /* "public", "file x" */
	const char *clients;          /* see report/java/clients.h */
	bool all_sites;               /* text, csv: sites with a single receiver class, too; json has them always */
};

/* A writer finishes the sink and returns whether everything was written. */
typedef bool requirements_writer(struct sink *out, const struct requirements *r, const struct requirements_head *head);
requirements_writer report_requirements_text, report_requirements_json, report_requirements_csv;

/* Comparison */

/* Adds what report_compare_csv wrote, under another name for its component unless `name` is NULL: the runs of an
 * experiment become one comparison. Texts are kept in `mem`. False with the line and what is wrong there in `err`; rows
 * before it are added. */
bool comparison_read_csv(struct comparison *c, struct str text, const char *name, struct arena *mem,
			 struct strbuf *err);

/* With one component: its figures, a row an analysis. With more: sizes, differences from the last analysis with their
 * statistics (these from 5 components on), and costs. At least one component. head->component is not looked at. */
typedef bool comparison_writer(struct sink *out, const struct comparison *c, const struct requirements_head *head);
comparison_writer report_compare_text, report_compare_json, report_compare_csv, report_compare_markdown;

#endif
