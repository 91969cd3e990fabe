/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

struct map_slot {
	uint64_t key;
	uint32_t value;            /* 0: free */
};

#ifdef SHERD_TORTURE
#define FIRST_SLOTS 2
#else
#define FIRST_SLOTS 64
#endif

void map_release(struct map *m)
{
	free(m->slots);
	*m = (struct map){ 0 };
}

static struct map_slot *probe(const struct map *m, uint64_t key)
{
	uint32_t at = (uint32_t)hash_mix(key ^ m->seed) & m->mask;

	while (m->slots[at].value && m->slots[at].key != key)
		at = (at + 1) & m->mask;
	return &m->slots[at];
}

static void grow(struct map *m)
{
	struct map old = *m;
	uint32_t mask = old.slots ? old.mask * 2 + 1 : FIRST_SLOTS - 1;

	m->slots = mem_zalloc(((size_t)mask + 1) * sizeof(*m->slots));      /* may jump away */
	m->mask = mask;
	m->seed = hash_mix((uint64_t)(uintptr_t)m->slots);
	for (uint32_t i = 0; old.slots && i <= old.mask; i++)
		if (old.slots[i].value)
			*probe(m, old.slots[i].key) = old.slots[i];
	free(old.slots);
}

uint32_t map_get(const struct map *m, uint64_t key)
{
	return m->slots ? probe(m, key)->value : 0;
}

uint32_t *map_at(struct map *m, uint64_t key)
{
	if (!m->slots || (m->len + 1) * 4ull > ((uint64_t)m->mask + 1) * 3)
		grow(m);
	struct map_slot *s = probe(m, key);
	if (!s->value) {
		s->key = key;
		m->len++;
	}
	return &s->value;
}
