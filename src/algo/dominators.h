/* SPDX-License-Identifier: Apache-2.0 */
/* dominators.h - immediate dominators of a graph whose nodes are numbered in reverse postorder. */
#ifndef ALGO_DOMINATORS_H
#define ALGO_DOMINATORS_H

#include <stdbool.h>

#include "algo/digraph.h"

/* `preds` holds the predecessors; node 0 is the root and all nodes are reachable from it. Fills
 * idom[node] (idom[0] = 0). Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm". */
void dominators_compute(const struct digraph *preds, uint32_t *idom);

/* Whether a dominates b (or is b). O(depth of the tree): idom[x] < x for x > 0. */
static inline bool dominates(const uint32_t *idom, uint32_t a, uint32_t b)
{
	while (b > a)
		b = idom[b];
	return a == b;
}

#endif
