/* SPDX-License-Identifier: Apache-2.0 */
/* measurement.h - a component, a command that exercises it, and what came of it, in a folder of their own:
 *
 *	measurement_take(&m, ...)               the folder is made, and locked
 *	measurement_plan(&m, ...)               the component is analysed, the plan written
 *	...                                     JVMs run with the agent, and leave their data in m.folder
 *	measurement_read(&m, ...)               what they left, beside the plan
 *	measurement_explain(&m, ...)            how what was missed can be reached
 *	measurement_release(&m)
 *
 * Or what earlier runs left is measured by other requirements, and nothing is written:
 *
 *	measurement_again(&m, ...)              the component is analysed anew, and joined with their data
 *	measurement_explain(&m, ...), measurement_release(&m) */
#ifndef SESSION_ARTIFACT_MEASUREMENT_H
#define SESSION_ARTIFACT_MEASUREMENT_H

#include "session/artifact/changes.h"
#include "session/artifact/plan.h"
#include "session/artifact/result.h"
#include "session/component/study.h"

#define MEASUREMENT_DATA "run-"       /* how the names of data files begin that JVMs leave in the folder */
#define MEASUREMENT_DYNAMIC "dynamic-"        /* and of records of what dynamic features did: dynamic-PID.txt */

struct measurement {
	/* Set before all else */
	struct study *study;          /* prepared; borrowed */
	const char *asked;            /* the folder as the user names it */
	bool append;                  /* keep the data of earlier runs */
	const char *accept;           /* a list of requirements that are none, or NULL */
	const struct chains_request *chains;          /* NULL: chains are not measured */
	bool has_callbacks;           /* they are */
	bool has_pairs;               /* def-use pairs are */
	/* Puts bytes into a file, whole or not at all; false when it cannot, having said why. NULL: nothing is written. */
	bool (*write)(void *ctx, const char *path, struct str bytes);
	void *ctx;
	/* Found */
	struct strbuf folder;         /* absolute */
	struct made_plan plan;
	struct result result;
	uint64_t unexplained;         /* receivers that there was no time for */
	bool has_changed;             /* class files of the component are others now than those that were analysed */
	/* Its own */
	struct class_files before;
	struct strbuf bytes;          /* of a plan that is in no file */
	int lock;                     /* of the folder; -1: none */
	size_t made;                  /* the length of the path of the first folder that was not there; 0: all were */
	bool is_read;
};

/* False when the folder cannot be had: `err` says what to do. Folders that were made and stay empty go at the end. */
bool measurement_take(struct measurement *m, struct strbuf *err);
/* Analyses the component and writes the plan. `class_path` is what the user gave, may be NULL. False, with a diagnostic or
 * a sentence in `err`, when there is none. */
bool measurement_plan(struct measurement *m, struct session *s, const char *class_path, struct strbuf *err);
/* Reads the data back, and looks whether the component is still what it was (W055). False, with a diagnostic or a sentence in
 * `err`, when there is no data. `path`: as the session was opened. */
bool measurement_read(struct measurement *m, const struct session_opt *path, struct strbuf *err);
/* Makes dynamic.txt of the records that JVMs left; those that are none are told (W056). Before measurement_read. */
bool measurement_merge_dynamic(struct measurement *m);
/* Whether results with these criteria can be measured again: chains, callbacks and def-use pairs watch other code. */
#define AGAIN_CRITERIA(all) ((all) & ~(unsigned)(PLAN_CHAINS | PLAN_CALLBACKS | PLAN_DU))
/* Data in `paths` is of the plan `was`. The component must be the one that it was of, class by class: else false, with a sentence in
 * `err`, which says which classes are others. */
bool measurement_again(struct measurement *m, struct session *s, const struct plan *was, const char *const *paths, uint32_t n,
		       const char *class_path, struct strbuf *err);
/* Can what was missed be explained? Not after a change, nor by an algorithm that does not follow variables. */
bool measurement_explains(const struct measurement *m);
/* Looks for ways to what was missed, for so many seconds of CPU time, and writes them. */
bool measurement_explain(struct measurement *m, double seconds);
const char *measurement_file(const struct measurement *m, const char *name, struct strbuf *out);     /* its path; in `out` */
void measurement_release(struct measurement *m);

#endif
