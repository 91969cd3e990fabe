/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - see pool_p.h. Classes are 16, 24, 32, 48, 64, 96, ... bytes. */
#include "solve/pool_p.h"

#include <stdbool.h>
#include <string.h>

#define SMALLEST 16u

static unsigned class_of(size_t size)
{
	if (size <= SMALLEST)
		return 0;
	unsigned high = 63u - (unsigned)__builtin_clzll(size - 1);         /* 2^high < size <= 2^(high+1) */
	bool half = size <= (size_t)3 << (high - 1);

	return (high - 4) * 2 + (half ? 1 : 2);
}

static size_t size_of(unsigned class)
{
	return (size_t)(class % 2 ? SMALLEST + SMALLEST / 2 : SMALLEST) << class / 2;
}

void pool_release(struct pool *p)
{
	arena_release(&p->mem);
	memset(p->spare, 0, sizeof(p->spare));
}

void *pool_alloc(struct pool *p, size_t *size)
{
	unsigned class = class_of(*size);
	void *piece = p->spare[class];

	*size = size_of(class);
	if (!piece)
		return arena_alloc(&p->mem, *size);
	memcpy(&p->spare[class], piece, sizeof(void *));
	return piece;
}

void pool_free(struct pool *p, void *piece, size_t size)
{
	unsigned class = class_of(size);

#ifdef SHERD_TORTURE
	memset(piece, 0xa5, size_of(class));
#endif
	memcpy(piece, &p->spare[class], sizeof(void *));
	p->spare[class] = piece;
}
