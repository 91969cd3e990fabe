/* SPDX-License-Identifier: Apache-2.0 */
/* valtable.c - see valtable_p.h. To empty a table is to count up its generation: slots of others are free. */
#include "bitcode/valtable_p.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

struct valtable_slot {
	uint64_t a, b;
	uint32_t value, generation;
};

#ifdef SHERD_TORTURE
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 256 };
#endif

void valtable_release(struct valtable *t)
{
	free(t->slots);
	*t = (struct valtable){ 0 };
}

void valtable_clear(struct valtable *t)
{
	t->len = 0;
	if (++t->generation)
		return;
	valtable_release(t);                /* after 2^32 times the oldest would come back */
}

static struct valtable_slot *probe(const struct valtable *t, uint64_t a, uint64_t b)
{
	uint32_t at = (uint32_t)hash_mix((a * 0x9fb21c651e98df25u) ^ b ^ t->seed) & t->mask;

	while (t->slots[at].value && t->slots[at].generation == t->generation &&
	       (t->slots[at].a != a || t->slots[at].b != b))
		at = (at + 1) & t->mask;
	return &t->slots[at];
}

static void grow(struct valtable *t)
{
	struct valtable old = *t;
	uint32_t mask = old.slots ? old.mask * 2 + 1 : FIRST_SLOTS - 1;

	t->slots = mem_zalloc(((size_t)mask + 1) * sizeof(*t->slots));      /* may jump away */
	t->mask = mask;
	t->seed = hash_mix((uint64_t)(uintptr_t)t->slots);
	for (uint32_t i = 0; old.slots && i <= old.mask; i++)
		if (old.slots[i].value && old.slots[i].generation == t->generation)
			*probe(t, old.slots[i].a, old.slots[i].b) = old.slots[i];
	free(old.slots);
}

uint32_t valtable_get(const struct valtable *t, uint64_t a, uint64_t b)
{
	const struct valtable_slot *s;

	if (!t->slots)
		return 0;
	s = probe(t, a, b);
	return s->generation == t->generation ? s->value : 0;
}

uint32_t *valtable_at(struct valtable *t, uint64_t a, uint64_t b)
{
	struct valtable_slot *s;

	if (!t->slots || (t->len + 1) * 4ull > ((uint64_t)t->mask + 1) * 3)
		grow(t);
	s = probe(t, a, b);
	if (!s->value || s->generation != t->generation) {
		*s = (struct valtable_slot){ .a = a, .b = b, .generation = t->generation };
		t->len++;
	}
	return &s->value;
}
