/* SPDX-License-Identifier: Apache-2.0 */
/* cache_seal.h - for tests: makes the checksums of a cache file right, so that what lies behind them is met. */
#ifndef TESTS_CACHE_SEAL_H
#define TESTS_CACHE_SEAL_H

#include "load/cache_p.h"

static inline size_t seal_start(const struct cache_header *h, int part)
{
	size_t at = sizeof(*h);

	for (int i = 0; i < part; i++)
		at += (h->sizes[i] + 7) & ~(size_t)7;
	return at;
}

/* The sizes in the header must be those of the file; `len` is a multiple of 8. */
static inline void seal_cache(uint8_t *file, size_t len)
{
	struct cache_header *h = (struct cache_header *)(void *)file;
	uint8_t *records = file + seal_start(h, PART_RECORDS);
	size_t from = seal_start(h, PART_INDEX);
	const uint32_t *index = (const uint32_t *)(const void *)(file + from);

	for (size_t e = 0; e < h->sizes[PART_INDEX] / 4; e++) {
		uint64_t at = index[e] ? (index[e] - 1ull) * 8 : h->sizes[PART_RECORDS];
		if (at + sizeof(struct cache_record) > h->sizes[PART_RECORDS])
			continue;
		struct cache_record *r = (struct cache_record *)(void *)(records + at);
		if (r->size >= sizeof(r->check) && r->size <= h->sizes[PART_RECORDS] - at)
			r->check = cache_hash(&r->size, r->size - sizeof(r->check));
	}
	h->check = cache_hash(file + from, len - from);
	h->self_check = cache_hash(h, offsetof(struct cache_header, self_check));
}

#endif
