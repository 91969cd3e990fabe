/* SPDX-License-Identifier: Apache-2.0 */
/* dominators.c - see dominators.h. */
#include "algo/dominators.h"

#define UNKNOWN UINT32_MAX

static uint32_t common(const uint32_t *idom, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (a > b)
			a = idom[a];
		while (b > a)
			b = idom[b];
	}
	return a;
}

static uint32_t idom_of(const struct digraph *preds, const uint32_t *idom, uint32_t node)
{
	uint32_t best = UNKNOWN;

	for (uint32_t i = preds->first[node]; i < preds->first[node + 1]; i++) {
		uint32_t p = preds->to[i];

		if (idom[p] != UNKNOWN)
			best = best == UNKNOWN ? p : common(idom, best, p);
	}
	return best;
}

void dominators_compute(const struct digraph *preds, uint32_t *idom)
{
	bool changed = true;

	for (uint32_t i = 0; i < preds->n; i++)
		idom[i] = UNKNOWN;
	idom[0] = 0;
	while (changed) {
		changed = false;
		for (uint32_t i = 1; i < preds->n; i++) {
			uint32_t best = idom_of(preds, idom, i);

			changed = changed || best != idom[i];
			idom[i] = best;
		}
	}
}
