/* SPDX-License-Identifier: Apache-2.0 */
/* accepted.h - requirements that people declare to be none: because they are impossible, or because a test of them is not worth its price.
 * What a list says of a plan, and what becomes of it when runs are joined. */
#ifndef COVERAGE_ACCEPTED_H
#define COVERAGE_ACCEPTED_H

#include "base/span.h"
#include "base/vec.h"

struct cov_acceptance {               /* an entry: all receivers and targets of these classes at these calls */
	uint32_t line;                /* of the list */
	bool is_impossible;           /* no run may show it */
	struct str text, because;     /* as it is written; the reason */
	const bool *types, *sites;    /* by type and by site of the plan */
	/* Found by joining; an item that several entries name counts for the first */
	uint64_t named, seen;         /* requirements; of these, those that runs exercised */
};
struct cov_accepted {
	const char *path;             /* of the list */
	VEC(struct cov_acceptance) entries;
};

#endif
