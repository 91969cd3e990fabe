/* SPDX-License-Identifier: Apache-2.0 */
/* hash.h - in-memory hashing; never written to files (see load/cache for content hashes). */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	return x ^ (x >> 32);
}

static inline uint64_t hash_bytes_seeded(const void *p, size_t n, uint64_t seed)
{
	const unsigned char *s = p;
	uint64_t h = 0x9e3779b97f4a7c15u ^ n ^ seed, w;

	for (; n >= 8; s += 8, n -= 8) {
		memcpy(&w, s, 8);
		h = (h ^ w) * 0x9fb21c651e98df25u;
		h ^= h >> 35;
	}
	w = 0;
	if (n)
		memcpy(&w, s, n);
	h = (h ^ w) * 0x9fb21c651e98df25u;
	return h ^ (h >> 32);
}

static inline uint64_t hash_bytes(const void *p, size_t n)
{
	return hash_bytes_seeded(p, n, 0);
}

#endif
