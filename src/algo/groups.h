/* SPDX-License-Identifier: Apache-2.0 */
/* groups.h - numbers by key: those of one key stand together, in the order in which they were added. Zeroed, it is empty. Add all,
 * close, ask; then clear, and add again. Linear in keys and numbers. */
#ifndef ALGO_GROUPS_H
#define ALGO_GROUPS_H

#include <stdbool.h>

#include "base/vec.h"

struct groups {
	VEC(uint64_t) added;          /* key and number */
	VEC(uint32_t) first;          /* by key: where its numbers begin */
	VEC(uint32_t) numbers;
};

void groups_clear(struct groups *g);
void groups_release(struct groups *g);

static inline void groups_add(struct groups *g, uint32_t key, uint32_t number)
{
	vec_push(&g->added, (uint64_t)key << 32 | number);
}

void groups_close(struct groups *g, uint32_t keys);       /* all keys are below `keys` */

struct group_view {
	const uint32_t *data;
	uint32_t n;
};
/* Of a key beyond those: none. */
static inline struct group_view groups_of(const struct groups *g, uint32_t key)
{
	bool is_there = (uint64_t)key + 1 < g->first.len;
	uint32_t first = is_there ? g->first.data[key] : 0, end = is_there ? g->first.data[key + 1] : 0;

	return (struct group_view){ end > first ? g->numbers.data + first : NULL, end - first };
}

#endif
