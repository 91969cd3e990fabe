/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"

#if SANITIZED
/* Memory that is not to be had is none for sanitized builds, too: limits and hostile counts are met by what calls malloc(). */
const char *__asan_default_options(void);
ATTR_DEFAULT const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}
#endif

/* The hostile build starts every container at one element and every arena at one page. */
#ifdef SHERD_TORTURE
#define FIRST_CHUNK 256
#else
#define FIRST_CHUNK (64 * 1024)
#endif
#define LARGEST_CHUNK (4 * 1024 * 1024)

struct arena_chunk {
	struct arena_chunk *next;
	size_t size;               /* of the payload */
};

static void abort_when_exhausted(size_t size)
{
	BUG("out of memory (%zu bytes wanted)", size);
}

static void (*exhausted)(size_t) = abort_when_exhausted;

void mem_on_exhausted(void (*handler)(size_t size))
{
	exhausted = handler ? handler : abort_when_exhausted;
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "sherd: bug at %s:%d: ", file, line); /* layers: allow, we abort */
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);                            /* layers: allow */
	va_end(ap);
	fputc('\n', stderr);                                  /* layers: allow */
	abort();
}

void mem_exhausted(size_t size)
{
	exhausted(size);
	abort();
}

void *mem_realloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (UNLIKELY(!p))
		mem_exhausted(size);
	return p;
}

void *mem_alloc(size_t size)
{
	return mem_realloc(NULL, size);
}

void *mem_zalloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (UNLIKELY(!p))
		mem_exhausted(size);
	return p;
}

void arena_init(struct arena *a)
{
	*a = (struct arena){ 0 };
}

void arena_release(struct arena *a)
{
	struct arena_chunk *next;

	for (struct arena_chunk *c = a->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	arena_init(a);
}

void arena_clear(struct arena *a)
{
	struct arena_chunk *keep = a->chunks;

	if (!keep)
		return;
	a->chunks = keep->next;
	keep->next = NULL;
	arena_release(a);
	a->chunks = keep;
	a->at = (char *)(keep + 1);
	a->end = a->at + keep->size;
}

void *arena_more(struct arena *a, size_t size)
{
	size_t want = a->chunks ? a->chunks->size * 2 : FIRST_CHUNK;

	if (want > LARGEST_CHUNK)
		want = LARGEST_CHUNK;
	if (want < size)
		want = size;
	struct arena_chunk *c = mem_alloc(sizeof(*c) + want);
	c->size = want;
	c->next = a->chunks;
	a->chunks = c;
	a->at = (char *)(c + 1) + size;
	a->end = (char *)(c + 1) + want;
	a->used += size;
	return c + 1;
}

void *arena_zalloc(struct arena *a, size_t size)
{
	return memset(arena_alloc(a, size), 0, size);
}

void *arena_copy(struct arena *a, const void *p, size_t size)
{
	void *q = arena_alloc(a, size);

	if (size)
		memcpy(q, p, size);
	return q;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_copy(a, s, strlen(s) + 1);
}
