/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - see sort.h. */
#include "base/sort.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Most lists are short: Shell's sort does without a call for each comparison. */
#define SHORT 1000u

static void sort_short(uint32_t *v, uint32_t n)
{
	static const uint32_t gaps[] = { 301, 132, 57, 23, 10, 4, 1 };

	for (size_t k = 0; k < sizeof(gaps) / sizeof(gaps[0]); k++) {
		for (uint32_t i = gaps[k]; i < n; i++) {
			uint32_t x = v[i], j = i;
			for (; j >= gaps[k] && v[j - gaps[k]] > x; j -= gaps[k])
				v[j] = v[j - gaps[k]];
			v[j] = x;
		}
	}
}

uint32_t sort_ids(void *ids, uint32_t n)
{
	uint32_t *v = ids, kept = 1;

	while (kept < n && v[kept - 1] < v[kept])
		kept++;
	if (kept >= n)
		return n;
	if (n <= SHORT)
		sort_short(v, n);
	else
		qsort(v, n, sizeof(*v), by_number);
	kept = 1;
	for (uint32_t i = 1; i < n; i++)
		if (v[kept - 1] != v[i])
			v[kept++] = v[i];
	return kept;
}
