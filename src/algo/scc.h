/* SPDX-License-Identifier: Apache-2.0 */
/* scc.h - strongly connected components of a directed graph. */
#ifndef ALGO_SCC_H
#define ALGO_SCC_H

#include "algo/digraph.h"
#include "base/mem.h"

/* Numbers components so that edges lead to the same number or a lower one: component[node] for every node, g->n elements.
 * Returns how many there are. Tarjan's algorithm, O(nodes + edges), without recursion. */
uint32_t scc_compute(const struct digraph *g, uint32_t *component, struct arena *scratch);

#endif
