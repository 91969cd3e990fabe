/* SPDX-License-Identifier: Apache-2.0 */
/* digest.h - a checksum of bytes that is the same on every machine, for files: FNV-1a, 64 bits. It finds accidents, not
 * forgeries. For tables in memory see hash.h. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include "base/span.h"

#define DIGEST_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t digest_add(uint64_t d, const void *p, size_t n)
{
	const uint8_t *b = p;

	for (size_t i = 0; i < n; i++)
		d = (d ^ b[i]) * UINT64_C(0x100000001b3);
	return d;
}

/* Text with its length, so that "a" "bc" and "ab" "c" differ. */
static inline uint64_t digest_str(uint64_t d, struct str s)
{
	uint8_t len[4] = { (uint8_t)s.len, (uint8_t)(s.len >> 8), (uint8_t)(s.len >> 16), (uint8_t)(s.len >> 24) };

	return digest_add(digest_add(d, len, sizeof(len)), s.p, s.len);
}

static inline uint64_t digest_u32(uint64_t d, uint32_t x)
{
	uint8_t b[4] = { (uint8_t)x, (uint8_t)(x >> 8), (uint8_t)(x >> 16), (uint8_t)(x >> 24) };

	return digest_add(d, b, sizeof(b));
}

#endif
