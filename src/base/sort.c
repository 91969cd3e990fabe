/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - see sort.h. */
#include "base/sort.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

uint32_t sort_ids(void *ids, uint32_t n)
{
	uint32_t *v = ids, kept = 1;

	while (kept < n && v[kept - 1] < v[kept])
		kept++;
	if (kept >= n)
		return n;
	qsort(v, n, sizeof(*v), by_number);
	kept = 1;
	for (uint32_t i = 1; i < n; i++)
		if (v[kept - 1] != v[i])
			v[kept++] = v[i];
	return kept;
}
