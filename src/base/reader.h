/* SPDX-License-Identifier: Apache-2.0 */
/* reader.h - checked reading of untrusted bytes. Every read past the end returns 0 and sets the
 * sticky `failed`; parsers test it once per structure. */
#ifndef BASE_READER_H
#define BASE_READER_H

#include "base/compiler.h"
#include "base/span.h"

struct reader {
	const uint8_t *start, *p, *end;
	bool failed;
};

static inline struct reader reader_of(struct span s)
{
	return (struct reader){ s.p, s.p, s.p + s.len, false };
}

static inline size_t reader_left(const struct reader *r)
{
	return (size_t)(r->end - r->p);
}

static inline size_t reader_offset(const struct reader *r)
{
	return (size_t)(r->p - r->start);
}

/* The next n bytes, or NULL (and failed) when fewer remain. */
static inline const uint8_t *reader_take(struct reader *r, size_t n)
{
	if (UNLIKELY(n > reader_left(r))) {
		r->failed = true;
		r->p = r->end;
		return NULL;
	}
	const uint8_t *at = r->p;
	r->p += n;
	return at;
}

static inline struct span reader_span(struct reader *r, size_t n)
{
	const uint8_t *at = reader_take(r, n);

	return at ? (struct span){ at, n } : (struct span){ r->end, 0 };
}

/* Moves to an absolute offset; fails when it lies outside. */
static inline void reader_seek(struct reader *r, size_t offset)
{
	if (offset > (size_t)(r->end - r->start)) {
		r->failed = true;
		r->p = r->end;
	} else {
		r->p = r->start + offset;
	}
}

static inline uint8_t reader_u1(struct reader *r)
{
	const uint8_t *b = reader_take(r, 1);

	return b ? b[0] : 0;
}

/* Big-endian: class files. */
static inline uint16_t reader_u2(struct reader *r)
{
	const uint8_t *b = reader_take(r, 2);

	return (uint16_t)(b ? b[0] << 8 | b[1] : 0);
}

static inline uint32_t reader_u4(struct reader *r)
{
	const uint8_t *b = reader_take(r, 4);

	return b ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3] : 0;
}

/* A u2 count of elements of at least `size` bytes each: fails, and is 0, when fewer bytes remain. */
static inline uint32_t reader_count(struct reader *r, size_t size)
{
	uint32_t n = reader_u2(r);

	if ((size_t)n * size > reader_left(r)) {
		r->failed = true;
		return 0;
	}
	return n;
}

/* Little-endian: zip and most jimages. */
static inline uint16_t reader_le2(struct reader *r)
{
	const uint8_t *b = reader_take(r, 2);

	return (uint16_t)(b ? b[1] << 8 | b[0] : 0);
}

static inline uint32_t reader_le4(struct reader *r)
{
	const uint8_t *b = reader_take(r, 4);

	return b ? (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0] : 0;
}

static inline uint64_t reader_le8(struct reader *r)
{
	uint64_t lo = reader_le4(r);

	return (uint64_t)reader_le4(r) << 32 | lo;
}

#endif
