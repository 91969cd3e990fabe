/* SPDX-License-Identifier: Apache-2.0 */
/* distance.h - how many calls each method is away from an entry. A small analysis that is whole: to copy.
 *
 * The first comment of a header says what is computed, what it is computed from, and what is left out: here, a method is as far
 * away as the shortest chain of calls in the graph says. What the graph does not know, this does not know: calls that are not
 * resolved count as if they were never made.
 *
 * A copy has its own folder below src/analysis, its own noun for `distance`, and a row in src/session/analyses.def;
 * docs/adding-an-analysis.md goes on from there. What to change is marked by "In a copy". */
#ifndef ANALYSIS_TEMPLATE_DISTANCE_H
#define ANALYSIS_TEMPLATE_DISTANCE_H

#include "analysis/callgraph/callgraph.h"

enum { DISTANCE_NONE = 0xffffff };       /* of methods that are not reachable; no chain is that long */

/* In a copy: the answer. One struct, whose tables are indexed by ids of the program, in an arena of its own; others only read it.
 * Where readers should not see the tables, it is defined in distance_p.h, and has a function for each question. */
struct distance {
	const struct callgraph *graph;       /* borrowed: must outlive it */
	const uint32_t *calls;               /* by method, how many; 0: an entry */
	uint32_t most;
	struct arena mem;                    /* of all this, the struct included */
};

/* In a copy: what the row requires are the parameters. Never NULL. O(sites + target sets). An analysis that may take long has a
 * parameter like modref_compute()'s go_on; one that can fail takes a struct diag, and says why. */
struct distance *distance_compute(const struct callgraph *g);
void distance_free(struct distance *d);      /* may be NULL */

/* Is it right? Decided from the graph and the answer alone, not by computing it again. False: *reason says what is wrong. Debug
 * builds and tests ask. */
bool distance_check(const struct distance *d, const char **reason);

#endif
