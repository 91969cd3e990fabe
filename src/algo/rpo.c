/* SPDX-License-Identifier: Apache-2.0 */
/* rpo.c - depth-first search with an explicit stack. */
#include "algo/rpo.h"

/* Stores the nodes in postorder from the end of `order` downwards; returns the index of the first one. */
static uint32_t search(const struct digraph *g, uint32_t root, uint32_t *order, uint32_t *number,
		       struct arena *scratch)
{
	uint32_t *stack = arena_array(scratch, uint32_t, g->n);      /* the path from the root */
	uint32_t *next = arena_array(scratch, uint32_t, g->n);       /* by depth: edge to follow */
	uint32_t depth = 1, at = g->n;

	stack[0] = root;
	next[0] = g->first[root];
	number[root] = 0;
	while (depth > 0) {
		uint32_t node = stack[depth - 1];

		if (next[depth - 1] == g->first[node + 1]) {
			order[--at] = node;
			depth--;
			continue;
		}
		uint32_t to = g->to[next[depth - 1]++];

		if (number[to] != RPO_NONE)
			continue;
		number[to] = 0;
		next[depth] = g->first[to];
		stack[depth++] = to;
	}
	return at;
}

uint32_t rpo_compute(const struct digraph *g, uint32_t root, uint32_t *order, uint32_t *number,
		     struct arena *scratch)
{
	for (uint32_t i = 0; i < g->n; i++)
		number[i] = RPO_NONE;
	uint32_t at = search(g, root, order, number, scratch), count = g->n - at;

	for (uint32_t k = 0; k < count; k++) {
		order[k] = order[at + k];
		number[order[k]] = k;
	}
	return count;
}
