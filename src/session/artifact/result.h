/* SPDX-License-Identifier: Apache-2.0 */
/* result.h - the folder that `sherd cover` leaves, read again: a plan, data of runs, reasons. Needs no program. */
#ifndef SESSION_ARTIFACT_RESULT_H
#define SESSION_ARTIFACT_RESULT_H

#include "base/diag.h"
#include "base/sys/mapfile.h"
#include "coverage/coverage.h"
#include "session/artifact/accept.h"

#define RESULT_PLAN "plan.sherd"
#define RESULT_REASONS "why.sherd"
#define RESULT_PAGE "index.html"
#define RESULT_DYNAMIC "dynamic.txt"

struct result {
	struct arena mem;
	VEC(struct mapfile) files;    /* whose bytes the tables borrow */
	struct plan plan;
	struct runs runs;
	struct reasons reasons;       /* no rows: none */
	struct cov_accepted accepted; /* no path: none */
	struct coverage coverage;
	bool is_joined;
};

/* Reads what `paths` name: folders with their data, and files with data. The plan is `plan`, or if that is NULL
 * plan.sherd in the first folder, or beside the first file. False, with a diagnostic that says what to do, when there is no
 * plan, or a named file cannot be read; data in a folder that cannot be read is a warning. Data may be of no run at all.
 * `accept`: a list of requirements that are none (accept.h), or NULL. Always end with result_close. */
bool result_open(struct result *r, const char *const *paths, uint32_t n, const char *plan, const char *accept, struct diag *d);
/* The same with the bytes of another plan, which stay in place and watch what the plan `id` did; there are no reasons. */
bool result_open_planned(struct result *r, const char *const *paths, uint32_t n, struct span plan, uint64_t id, const char *accept,
			 struct diag *d);
void result_join(struct result *r);   /* again, after its reasons have changed */
void result_close(struct result *r);
/* The plan alone; its text stays in place until the result is closed. */
bool result_open_plan(struct result *r, const char *const *paths, uint32_t n, const char *plan, struct diag *d);

/* Data files in a folder, by name, as paths in `mem`. False, with errno set, when it cannot be read. */
typedef VEC(const char *) path_list;
bool result_list(const char *folder, struct arena *mem, path_list *out);
/* Files whose names begin and end like this, likewise. */
bool result_list_named(const char *folder, const char *begin, const char *end, struct arena *mem, path_list *out);
/* Is this a file of data of runs, or an empty one, which a JVM that was killed at once may leave? */
bool result_is_data(const char *path);

#endif
