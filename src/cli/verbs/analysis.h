/* SPDX-License-Identifier: Apache-2.0 */
/* analysis.h - what verbs share that compute a call graph: where it starts, the algorithm, the run, its figures. */
#ifndef CLI_VERBS_ANALYSIS_H
#define CLI_VERBS_ANALYSIS_H

#include "cli/run.h"

/* The member `analysis` of a verb's struct; .initial names its algorithm. */
struct analysis_options {
	const char *main, *entry;     /* one of them */
	const char *algorithm;
	const char *heap;             /* NULL: as is best for call graphs */
};

extern const char *algorithm_names[];          /* NULL-terminated */
void algorithm_names_init(void);               /* once, before options are parsed */
int algorithm_list(void);                      /* what --algorithm help prints; EXIT_DONE */

#define ANALYSIS_OPTIONS(T)                                                                                           \
	OPT_STRING(T, analysis.main, "main", NULL, "CLASS", "Where the program starts", "the main method of CLASS"),  \
	OPT_STRING(T, analysis.entry, "entry", NULL, "WHAT", "Where the program starts",                              \
		   "'public': every public method on the class path; else a file that lists methods or classes"),     \
	OPT_NAME(T, analysis.algorithm, "algorithm", NULL, "NAME", algorithm_names, "Analysis",                       \
		 "how targets of calls are found ('help' explains the names)"),                                       \
	OPT_STRING(T, analysis.heap, "heap", NULL, "LIST", "Analysis",                                                \
		   "which objects are told apart by where they are created: 'strings=site,exceptions=merge', "        \
		   "'all=site'; not with cha and rta")

struct analysis {
	struct algorithm algorithm;
	struct pta_heap heap;
	bool explains, keeps_this;    /* set by the verb: for pta_explain, pta_this */
	struct strbuf entry;          /* "main app.Main" */
	struct callgraph *graph;
	struct pta *facts;            /* NULL for cha and rta */
	struct pta_stats stats;       /* of facts */
	struct cli_run *run;
};

/* Reads the algorithm and --heap (which may be NULL) into a zeroed `x`. False when they make no sense: `err` says what to
 * write instead. */
bool analysis_choose(struct analysis *x, const char *algorithm, const char *heap, struct strbuf *err);
/* The same for all options. False when they make no sense: `err` says what to write instead. */
bool analysis_prepare(struct analysis *x, const struct analysis_options *o, struct strbuf *err);
/* Can the algorithm do what is asked for? If not, `err` says which can: "--heap needs an algorithm that ...". */
bool analysis_follows_objects(const struct analysis *x, const char *what, struct strbuf *err);
bool analysis_follows_variables(const struct analysis *x, const char *what, struct strbuf *err);
/* Finds the entries and computes the graph. False, with a diagnostic, when there are none. */
bool analysis_compute(struct analysis *x, const struct analysis_options *o, struct cli_run *r);
/* Computes the graph from entries that are known. */
void analysis_run(struct analysis *x, const struct cg_entries *entries, struct cli_run *r);
void analysis_free_facts(struct analysis *x);        /* when only the graph is wanted from now on */
void analysis_release(struct analysis *x);

/* The head of a result. */
struct report_head analysis_head(const struct analysis *x);
/* What --stats asks for. */
void analysis_print_stats(const struct analysis *x, const char *verb);

#endif
