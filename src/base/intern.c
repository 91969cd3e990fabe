/* SPDX-License-Identifier: Apache-2.0 */
#include "base/intern.h"

#include <time.h>

#include "base/hash.h"

#ifdef SHERD_TORTURE
#define FIRST_SLOTS 2
#else
#define FIRST_SLOTS 65536
#endif

/* For one string more. It may jump away, and nothing has changed then. */
static void make_room(struct interner *in)
{
	vec_reserve(&in->strings, (uint64_t)in->strings.len + 1);
	if (in->hashes_cap < in->strings.cap) {
		in->hashes = mem_realloc(in->hashes, in->strings.cap * sizeof(*in->hashes));
		in->hashes_cap = in->strings.cap;
	}
}

static void remember(struct interner *in, struct str s, uint32_t hash)
{
	make_room(in);
	in->hashes[in->strings.len] = hash;
	vec_push(&in->strings, s);
}

/* Addresses and the clock: good enough against inputs that were made before the process started. */
static uint64_t fresh_seed(const void *p)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return hash_mix((uint64_t)(uintptr_t)p ^ (uint64_t)t.tv_nsec << 20 ^ (uint64_t)t.tv_sec);
}

static uint32_t hash_of(const struct interner *in, struct str s)
{
	return (uint32_t)hash_mix(hash_bytes_seeded(s.p, s.len, in->seed));
}

void interner_init(struct interner *in)
{
	*in = (struct interner){ .mask = FIRST_SLOTS - 1 };
	arena_init(&in->text);
	in->slots = mem_zalloc(FIRST_SLOTS * sizeof(*in->slots));
	in->seed = fresh_seed(in->slots);
	remember(in, STR(""), 0);
}

void interner_release(struct interner *in)
{
	arena_release(&in->text);
	vec_release(&in->strings);
	free(in->hashes);
	free(in->slots);
	*in = (struct interner){ 0 };
}

static void grow(struct interner *in)
{
	uint32_t mask = in->mask * 2 + 1;
	uint32_t *slots = mem_zalloc(((size_t)mask + 1) * sizeof(*slots));

	for (uint32_t id = 1; id < in->strings.len; id++) {
		uint32_t at = in->hashes[id] & mask;
		while (slots[at])
			at = (at + 1) & mask;
		slots[at] = id;
	}
	free(in->slots);
	in->slots = slots;
	in->mask = mask;
}

/* The slot that holds `s`, or the free one where it belongs. */
static uint32_t probe(const struct interner *in, struct str s, uint32_t hash)
{
	uint32_t at = hash & in->mask;

	for (uint32_t id; (id = in->slots[at]) != 0; at = (at + 1) & in->mask)
		if (in->hashes[id] == hash && str_eq(in->strings.data[id], s))
			break;
	return at;
}

bool interner_find(const struct interner *in, struct str s, str_id *id)
{
	if (s.len == 0) {
		*id = (str_id){ 0 };
		return true;
	}
	id->i = in->slots[probe(in, s, hash_of(in, s))];
	return id->i != 0;
}

str_id intern(struct interner *in, struct str s)
{
	if (s.len == 0)
		return (str_id){ 0 };
	uint32_t hash = hash_of(in, s);
	uint32_t at = probe(in, s, hash);
	if (in->slots[at])
		return (str_id){ in->slots[at] };
	if ((in->strings.len + 1) * 4ull > ((uint64_t)in->mask + 1) * 3) {
		grow(in);                     /* before anything is added: it may jump away */
		at = probe(in, s, hash);
	}
	uint32_t id = in->strings.len;
	char *copy = arena_alloc(&in->text, (size_t)s.len + 1);
	memcpy(copy, s.p, s.len);
	copy[s.len] = 0;
	remember(in, (struct str){ copy, s.len }, hash);
	in->slots[at] = id;
	return (str_id){ id };
}
