/* SPDX-License-Identifier: Apache-2.0 */
/* analysis.h - one analysis of a Java program: which, from where, and what it found; the rows of analyses.def about Java. */
#ifndef SESSION_ANALYSIS_H
#define SESSION_ANALYSIS_H

#include "analysis/callbacks/callbacks.h"
#include "analysis/callbacks/select.h"
#include "analysis/defuse/defuse.h"
#include "analysis/template/distance.h"
#include "session/driver.h"
#include "session/session.h"

struct analysis {
	/* Chosen before it runs */
	struct algorithm algorithm;
	struct pta_heap heap;
	enum dynamic_level level;     /* what is assumed about dynamic features */
	bool explains, keeps_this, keeps_accesses, keeps_bases;        /* as in pta_opt */
	struct dynamic_string *strings;       /* that are asked for; borrowed */
	uint32_t nstrings;
	bool no_callbacks;            /* as in struct dynamic_opt */
	const struct map *own;        /* likewise; borrowed */
	double callbacks_began;               /* in seconds of CPU */
	struct callbacks_opt callbacks_opt;   /* JAVA_CALLBACKS; analysis_need() adds who is told of progress */
	/* Found */
	struct callgraph *graph;
	struct pta *facts;            /* NULL for cha and rta */
	struct pta_stats stats;       /* of facts; analysis_run() counts them */
	struct distance *distance;    /* JAVA_DISTANCE; NULL: nobody asked */
	struct callbacks *callbacks;  /* JAVA_CALLBACKS; likewise */
	struct defuse *defuse;        /* JAVA_DEFUSE; likewise */
	/* Its own */
	struct session *session;      /* borrowed, from analysis_start() on */
	const struct cg_entries *entries;
	struct driver driver;
};

/* Sets algorithm and heap by what users write: "andersen"; "strings=site,exceptions=merge", or NULL for what is best for call
 * graphs. False when that makes no sense: `err` says what to write instead. */
bool analysis_choose(struct analysis *x, const char *algorithm, const char *heap, struct strbuf *err);
/* Sets the level by its name: "encap"; NULL: "listed". False when there is none. */
bool analysis_assume(struct analysis *x, const char *level, struct strbuf *err);
/* Its name, where it is another than most results have; NULL: "listed". */
const char *analysis_assumes(const struct analysis *x);
/* Can the algorithm do what is asked for? If not, `err` says which can: "--heap needs an algorithm that ...". */
bool analysis_follows_objects(const struct analysis *x, const char *what, struct strbuf *err);
bool analysis_follows_variables(const struct analysis *x, const char *what, struct strbuf *err);
bool analysis_follows_calls(const struct analysis *x, const char *what, struct strbuf *err);

/* What an earlier one found is freed; `x` keeps its place in memory. The entries are borrowed until there is a graph. */
void analysis_start(struct analysis *x, struct session *s, const struct cg_entries *entries);
/* Computes a row of analyses.def about Java, with all that it requires. */
bool analysis_need(struct analysis *x, enum analysis_id wanted);

/* Both, for graph and facts. Classes that are missing become diagnostics. */
void analysis_run(struct analysis *x, struct session *s, const struct cg_entries *entries);
/* The same from an entry as sherd.h and the heads of results have it: "main pkg.Cls", "public", "file PATH". False, with a
 * diagnostic, when there is none. */
bool analysis_run_from(struct analysis *x, struct session *s, const char *entry);

void analysis_forget_facts(struct analysis *x);      /* when only the graph is wanted from now on */
void analysis_forget(struct analysis *x);            /* all that was found; what was chosen stays */

/* The figures of the graph, with those of the run. */
void analysis_stats(const struct analysis *x, const struct session *s, struct stats *out);

#endif
