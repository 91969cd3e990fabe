/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing, each number in the first free slot from its own on. Numbers go in the reverse order in which they came, also after
 * the table has grown: so whatever stands behind a slot because of the one that goes is gone already. */
#include "algo/seen.h"

static uint32_t slot_of(const struct seen *s, uint64_t key)
{
	return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & s->mask;
}

static void put(struct seen *s, uint32_t k)
{
	uint32_t at = slot_of(s, s->keys.data[k]);

	while (s->slots[at])
		at = (at + 1) & s->mask;
	s->slots[at] = k + 1;
}

static void grow(struct seen *s)
{
	uint32_t n = s->mask ? 2 * (s->mask + 1) : 2 * VEC_FIRST;
	uint32_t *slots = mem_zalloc(n * sizeof(*slots));

	free(s->slots);
	s->slots = slots;
	s->mask = n - 1;
	for (uint32_t i = 0; i < s->keys.len; i++)
		put(s, i);
}

bool seen_has(const struct seen *s, uint64_t key)
{
	if (!s->mask)
		return false;
	for (uint32_t at = slot_of(s, key); s->slots[at]; at = (at + 1) & s->mask)
		if (s->keys.data[s->slots[at] - 1] == key)
			return true;
	return false;
}

bool seen_add(struct seen *s, uint64_t key)
{
	if (seen_has(s, key))
		return false;
	if (2 * (uint64_t)s->keys.len >= s->mask)
		grow(s);
	vec_push(&s->keys, key);
	put(s, s->keys.len - 1);
	return true;
}

static void take_last(struct seen *s)
{
	uint32_t at = slot_of(s, s->keys.data[s->keys.len - 1]);

	while (s->slots[at] != s->keys.len)
		at = (at + 1) & s->mask;
	s->slots[at] = 0;
	s->keys.len--;
}

void seen_cut(struct seen *s, uint32_t n)
{
	while (s->keys.len > n)
		take_last(s);
}

void seen_release(struct seen *s)
{
	vec_release(&s->keys);
	free(s->slots);
	*s = (struct seen){ 0 };
}
