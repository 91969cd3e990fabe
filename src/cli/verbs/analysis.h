/* SPDX-License-Identifier: Apache-2.0 */
/* analysis.h - what verbs share that compute a call graph: the options for where it starts and how. */
#ifndef CLI_VERBS_ANALYSIS_H
#define CLI_VERBS_ANALYSIS_H

#include "cli/run.h"
#include "session/analysis.h"

/* The member `analysis` of a verb's struct; .initial names its algorithm. */
struct analysis_options {
	const char *main, *entry;     /* one of them */
	const char *algorithm;
	const char *heap;             /* NULL: as is best for call graphs */
	const char *assume;           /* "listed" */
};

extern const char *assume_names[];             /* NULL-terminated */
extern const char *algorithm_names[];          /* NULL-terminated */
void algorithm_names_init(void);               /* once, before options are parsed */
/* `member` is the one of T that is a level's name. */
#define ASSUME_OPTION(T, member)                                                                                      \
	OPT_NAME(T, member, "assume", NULL, "LEVEL", assume_names, "Analysis",                                        \
		 "what is assumed about reflection, class loading and natives ('help' explains the names)")
/* Prints the names, if one of the two is "help": then true, and the verb is done. */
bool list_names(const char *algorithm, const char *assume);

#define ANALYSIS_OPTIONS(T)                                                                                           \
	OPT_STRING(T, analysis.main, "main", NULL, "CLASS", "Where the program starts", "the main method of CLASS; by default, of the one that the manifest of the first jar of -cp names"),  \
	OPT_STRING(T, analysis.entry, "entry", NULL, "WHAT", "Where the program starts",                              \
		   "'public': every public method on the class path; else a file that lists methods or classes"),     \
	OPT_NAME(T, analysis.algorithm, "algorithm", NULL, "NAME", algorithm_names, "Analysis",                       \
		 "how targets of calls are found ('help' explains the names)"),                                       \
	ASSUME_OPTION(T, analysis.assume),                                                                            \
	SHARED_FACTS(T),                                                                                              \
	OPT_STRING(T, analysis.heap, "heap", NULL, "LIST", "Analysis",                                                \
		   "which objects are told apart by where they are created: 'strings=site,exceptions=merge', "        \
		   "'all=site'; not with cha and rta")

/* Reads the options into a zeroed `x`, and what to start from into `entry`. False when they make no sense: `err` says what to
 * write instead. Where the start is not said, the class path may say it: analysis_begin() looks. */
bool analysis_prepare(struct analysis *x, const struct analysis_options *o, const struct shared_options *shared, struct strbuf *entry,
		      struct strbuf *err);
/* Runs the analysis from there. False, with a diagnostic, when it cannot. */
bool analysis_begin(struct analysis *x, struct cli_run *r, struct strbuf *entry);

/* The head of a result; `entry` NULL: of a component. */
struct report_head analysis_head(struct cli_run *r, const struct analysis *x, const char *entry);
/* What --stats asks for. */
void analysis_print_stats(struct cli_run *r, const struct analysis *x, const char *verb);

#endif
