/* SPDX-License-Identifier: Apache-2.0 */
/* measured.h - what the verbs about coverage share: options, the head of reports, figures. */
#ifndef CLI_VERBS_MEASURED_H
#define CLI_VERBS_MEASURED_H

#include "cli/verbs/gate.h"
#include "cli/run.h"
#include "report/coverage/coverage.h"
#include "session/artifact/accept.h"

/* The member `measured` of a verb's struct. */
struct measured_options {
	const char *source, *fail_under, *accept;
	bool all;
};
#define MEASURED_OPTIONS(T)                                                                                           \
	OPT_STRING(T, measured.source, "source", NULL, "PATH", "Report",                                              \
		   "folders with the sources, separated by ':', for reports that show or name them"),                 \
	OPT_STRING(T, measured.accept, "accept", NULL, "FILE", "Report",                                              \
		   "requirements that are none, with reasons; 'none' for none (default: " ACCEPT_FILE ", if there is one)"),        \
	OPT_TOLD(T, measured.fail_under, "fail-under", NULL, "LIST", "Report", gates_tell),                           \
	OPT_FLAG(T, measured.all, "all", NULL, "Report", "text: every class and call, not only what misses most")

/* The file that --accept names, or that is found; NULL: none. */
const char *measured_accept(const struct measured_options *o);

/* Warns of folders of --source that are not there. */
void measured_check_source(struct cli_run *r, const struct measured_options *o);

/* `result`: the folder, as the user wrote it. */
struct coverage_head measured_head(const struct cli_run *r, const struct measured_options *o, const struct coverage *c,
				   const char *result);
/* Streams one report; for run_write() and run_write_to(). */
struct measured_report {
	coverage_writer *writer;
	const struct coverage *coverage;
	struct coverage_head head;
};
bool measured_write(struct sink *out, void *report);
/* Warns of what is left out of a format that was written. */
void measured_say_left_out(struct cli_run *r, const struct measured_report *m);
/* To the place of the result. What does not fit into a format is said. Where that place cannot be written, the report is printed on
 * standard output instead, as a screen, unless --stats=json has it; false all the same. */
bool measured_write_result(struct cli_run *r, struct measured_report *m);

/* What --stats asks for. `command`: seconds that the command took, below 0: none was run. */
void measured_print_stats(struct cli_run *r, const char *verb, const struct coverage *c, double command);
/* Warns when runs loaded other class files than those that were analysed, and not all their calls were found. */
void measured_check_classes(struct cli_run *r, const struct coverage *c);
/* Checks the list of accepted requirements and the gates, says what is wrong, and returns the exit status. */
int measured_check_gates(struct cli_run *r, const struct gates *g, const struct coverage *c);
/* Notes about the data as warnings, for formats that have no place for them. */
void measured_say_notes(struct cli_run *r, const struct coverage *c);

#endif
