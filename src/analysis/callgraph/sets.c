/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/callgraph/sets.h"

#include <string.h>

#include "base/hash.h"

#define ID_SIZE sizeof(uint32_t)

void id_sets_init(struct id_sets *s)
{
	*s = (struct id_sets){ 0 };
	vec_push(&s->rows, (struct id_set){ 0 });
	s->seed = hash_mix((uint64_t)(uintptr_t)s->rows.data);
}

void id_sets_release(struct id_sets *s)
{
	for (uint32_t i = 0; i < s->rows.len; i++)
		free(s->rows.data[i].ids);
	vec_release(&s->rows);
	map_release(&s->by_hash);
}

uint32_t id_sets_take(struct id_sets *s, void *ids, uint32_t n)
{
	vec_push(&s->rows, ((struct id_set){ .ids = ids, .n = n }));
	return s->rows.len - 1;
}

static void *copy(const void *ids, uint32_t n)
{
	void *own = mem_alloc(n * ID_SIZE);

	return memcpy(own, ids, n * ID_SIZE);
}

uint32_t id_sets_intern(struct id_sets *s, const void *ids, uint32_t n)
{
	if (n == 0)
		return 0;
	uint32_t *first = map_at(&s->by_hash, hash_bytes_seeded(ids, n * ID_SIZE, s->seed));
	for (uint32_t i = *first; i; i = s->rows.data[i].next)
		if (s->rows.data[i].n == n && memcmp(s->rows.data[i].ids, ids, n * ID_SIZE) == 0)
			return i;
	uint32_t added = id_sets_take(s, copy(ids, n), n);
	s->rows.data[added].next = *first;
	*first = added;
	return added;
}
