/* SPDX-License-Identifier: Apache-2.0 */
/* rpo.h - reverse postorder of a directed graph. */
#ifndef ALGO_RPO_H
#define ALGO_RPO_H

#include "algo/digraph.h"
#include "base/mem.h"

#define RPO_NONE UINT32_MAX

/* Numbers the nodes that `root` reaches: order[k] is the k-th node, number[node] its k or RPO_NONE; both hold
 * g->n elements. The last edge of a node is followed last and so comes first after it. Returns how many
 * nodes were reached. O(nodes + edges), without recursion. */
uint32_t rpo_compute(const struct digraph *g, uint32_t root, uint32_t *order, uint32_t *number,
		     struct arena *scratch);

#endif
