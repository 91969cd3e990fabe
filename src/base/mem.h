/* SPDX-License-Identifier: Apache-2.0 */
/* mem.h - memory: checked heap allocation and arenas.
 *
 * An arena hands out memory that is freed all at once. Objects in an arena own
 * no heap memory. When memory runs out, the handler set with mem_on_exhausted()
 * is called; it must not return (the default one aborts). It may jump away: arenas and the containers of
 * this folder are then as they were before, so they change only after the memory is there. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

void *mem_alloc(size_t size);              /* uninitialised; free with free() */
void *mem_zalloc(size_t size);             /* zeroed; free with free() */
void *mem_realloc(void *p, size_t size);   /* p may be NULL */
void mem_on_exhausted(void (*handler)(size_t size));
void mem_exhausted(size_t size) ATTR_NORETURN;     /* what an allocation does that fails */

struct arena_chunk;
struct arena {
	char *at, *end;
	struct arena_chunk *chunks;        /* newest first */
	size_t used;                       /* bytes handed out since the last clear */
};

void arena_init(struct arena *a);
void arena_release(struct arena *a);       /* frees everything */
void arena_clear(struct arena *a);         /* forgets everything, keeps one chunk for reuse */
void *arena_more(struct arena *a, size_t size);

/* 8-byte aligned, uninitialised. */
static inline void *arena_alloc(struct arena *a, size_t size)
{
	size = (size + 7) & ~(size_t)7;
	if (size >= (size_t)(a->end - a->at))     /* also for 0 bytes of an empty arena: never NULL */
		return arena_more(a, size);
	void *p = a->at;
	a->at += size;
	a->used += size;
	return p;
}
void *arena_zalloc(struct arena *a, size_t size);
void *arena_copy(struct arena *a, const void *p, size_t size);
char *arena_strdup(struct arena *a, const char *s);

#define arena_array(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))
#define arena_zarray(a, T, n) ((T *)arena_zalloc((a), sizeof(T) * (size_t)(n)))
#define arena_new(a, T) ((T *)arena_zalloc((a), sizeof(T)))

#endif
