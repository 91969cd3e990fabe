/* SPDX-License-Identifier: Apache-2.0 */
/* digraph.h - a directed graph of nodes 0 .. n-1 as arrays: the edges of node i are to[first[i]] up to, not
 * including, to[first[i + 1]]. */
#ifndef ALGO_DIGRAPH_H
#define ALGO_DIGRAPH_H

#include <stdint.h>

struct digraph {
	uint32_t n;
	const uint32_t *first;     /* n + 1 */
	const uint32_t *to;
};

#endif
