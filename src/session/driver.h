/* SPDX-License-Identifier: Apache-2.0 */
/* driver.h - computes what is asked for and what that requires: each once, in the order of analyses.def. */
#ifndef SESSION_DRIVER_H
#define SESSION_DRIVER_H

#include "session/analyses.h"

/* Computes one row into its subject. False, with a diagnostic, when that is not possible. Called again after driver_forget(): it
 * releases what it made before. */
typedef bool driver_step(void *subject);

struct driver {
	struct inquiry *inquiry;      /* borrowed; its phases end with the rows */
	void *subject;                /* what the steps get */
	driver_step *const *steps;    /* by enum analysis_id. NULL: the row is of another subject, or made by whoever asks for it,
				       * who has more to say than options: a question, a folder */
	uint64_t done;
};

static inline void driver_init(struct driver *d, struct inquiry *r, void *subject, driver_step *const *steps)
{
	*d = (struct driver){ r, subject, steps, 0 };
}

/* Computes all that `wanted` requires, and `wanted` itself where it has a step. False, with a diagnostic, when one of them cannot
 * be had. */
bool driver_need(struct driver *d, enum analysis_id wanted);
/* With these options nothing has a use for it: it counts as done, until it is forgotten. */
void driver_skip(struct driver *d, enum analysis_id row);
/* It is to be computed anew, and with it all that was made from it. */
void driver_forget(struct driver *d, enum analysis_id row);

#endif
