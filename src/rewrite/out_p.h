/* SPDX-License-Identifier: Apache-2.0 */
/* out_p.h - bytes under construction, big-endian, in an arena; private to this folder. */
#ifndef REWRITE_OUT_P_H
#define REWRITE_OUT_P_H

#include "base/compiler.h"
#include "base/mem.h"
#include "base/span.h"

struct out {
	uint8_t *p;
	size_t len, cap;
	struct arena *mem;
};

void out_grow(struct out *o, size_t more);

/* Room for n more bytes, which the caller fills. */
static inline uint8_t *out_take(struct out *o, size_t n)
{
	if (UNLIKELY(n > o->cap - o->len))
		out_grow(o, n);
	o->len += n;
	return o->p + o->len - n;
}

static inline void out_bytes(struct out *o, const void *p, size_t n)
{
	if (n)
		memcpy(out_take(o, n), p, n);
}

static inline void store2(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline void store4(uint8_t *p, uint32_t v)
{
	store2(p, v >> 16);
	store2(p + 2, v);
}

static inline void out_u1(struct out *o, uint32_t v)
{
	*out_take(o, 1) = (uint8_t)v;
}

static inline void out_u2(struct out *o, uint32_t v)
{
	store2(out_take(o, 2), v);
}

static inline void out_u4(struct out *o, uint32_t v)
{
	store4(out_take(o, 4), v);
}

#endif
