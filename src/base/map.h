/* SPDX-License-Identifier: Apache-2.0 */
/* map.h - hash map from 64-bit keys to non-zero 32-bit values. It has no iteration: order would
 * depend on hashing; keep rows in a table and map keys to row numbers. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdint.h>

struct map {
	struct map_slot *slots;
	uint32_t mask, len;
	uint64_t seed;          /* differs from process to process: no input can be made to collide */
};

void map_release(struct map *m);           /* a zeroed map is empty and valid */
uint32_t map_get(const struct map *m, uint64_t key);             /* 0: absent */
/* The place of the value of `key`, added as 0 when absent; valid until the next map_at. The caller
 * must store a non-zero value there before the next call when it was 0. */
uint32_t *map_at(struct map *m, uint64_t key);

static inline uint64_t map_key(uint32_t hi, uint32_t lo)
{
	return (uint64_t)hi << 32 | lo;
}

#endif
