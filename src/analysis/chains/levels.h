/* SPDX-License-Identifier: Apache-2.0 */
/* levels.h - how methods of a component are entered from outside: at which depth of reentrance, and after how many calls.
 *
 * A run's stack, from its start, goes in and out of the component. The entry *level* of a method of the component is how
 * often the stack was within the component before it was entered, and left again: 0 for what clients call, 1 for what is
 * called back while such a call runs (sections 4.3 and 5 of the paper). The *distance* is the number of calls of the
 * shortest such stack. Code outside counts whatever `this` is there; within the component `this` keeps its class. */
#ifndef ANALYSIS_CHAINS_LEVELS_H
#define ANALYSIS_CHAINS_LEVELS_H

#include "analysis/chains/graph.h"

#define CHAIN_NEVER UINT32_MAX

struct chain_levels {
	uint32_t n;                   /* levels 0 .. n - 1 */
	bool or_more;                 /* the last one stands for all above it, too */
	uint32_t *distance;           /* [level * nodes + node]; CHAIN_NEVER: it is not entered at that level */
	uint32_t stride;
	struct chain_entered entered; /* at any of these levels, by such stacks */
};

/* For n levels, at least one; stacks of more than `most` calls do not count. O(n * (graph + states of `this`)). */
void chain_levels_compute(const struct chain_graph *x, uint32_t n, bool or_more, uint32_t most, struct chain_levels *out);
void chain_levels_release(struct chain_levels *l);

static inline uint32_t chain_distance(const struct chain_levels *l, uint32_t level, uint32_t node)
{
	return l->distance[(size_t)level * l->stride + node];
}

#endif
