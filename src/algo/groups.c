/* SPDX-License-Identifier: Apache-2.0 */
#include "algo/groups.h"

void groups_clear(struct groups *g)
{
	vec_clear(&g->added);
	vec_clear(&g->first);
	vec_clear(&g->numbers);
}

void groups_release(struct groups *g)
{
	vec_release(&g->added);
	vec_release(&g->first);
	vec_release(&g->numbers);
}

static uint32_t key_of(uint64_t added)
{
	return (uint32_t)(added >> 32);
}

/* Counts, then places: while numbers are placed, first[k + 1] is where the next one of key k goes. */
void groups_close(struct groups *g, uint32_t keys)
{
	vec_clear(&g->first);
	for (uint64_t i = 0; i < (uint64_t)keys + 2; i++)
		vec_push(&g->first, 0);
	for (uint32_t i = 0; i < g->added.len; i++)
		g->first.data[key_of(g->added.data[i]) + 2]++;
	for (uint32_t k = 2; k < g->first.len; k++)
		g->first.data[k] += g->first.data[k - 1];
	vec_reserve(&g->numbers, g->added.len);
	g->numbers.len = g->added.len;
	for (uint32_t i = 0; i < g->added.len; i++)
		g->numbers.data[g->first.data[key_of(g->added.data[i]) + 1]++] = (uint32_t)g->added.data[i];
	g->first.len--;
	vec_clear(&g->added);
}
