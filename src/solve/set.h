/* SPDX-License-Identifier: Apache-2.0 */
/* set.h - sets of objects as sorted words of 64 bits, and the operations that propagation consists of.
 *
 * A set of at most one word needs no memory besides the struct. All others have one piece of a pool: the words, then
 * their blocks. Sets that are equal may share it, until one of them grows. Sets only grow, hence never fall back to one word. */
#ifndef SOLVE_SET_H
#define SOLVE_SET_H

#include "solve/pool_p.h"
#include "solve/solve.h"

/* Zeroed is empty and valid. */
struct set {
	union {
		uint64_t word;             /* n == 1 */
		uint64_t *words;           /* n > 1 */
	};
	uint32_t n;
	union {
		uint32_t block;            /* n == 1 */
		uint32_t cap;              /* n > 1 */
	};
};

/* What stands before the words, where n > 1. */
struct set_head {
	uint32_t sets;                     /* that share them */
	uint32_t size;                     /* elements */
};

/* Words outside any set, for results that are used at once; on the heap. Zeroed is empty and valid. */
struct set_buf {
	uint64_t *words;
	uint32_t *blocks;
	uint32_t *at;                      /* where in the other set the block is or belongs */
	uint32_t n, cap;
};

void set_buf_grow(struct set_buf *b, uint32_t n);                /* room for n words; forgets what is there */
void set_buf_release(struct set_buf *b);

void set_release(struct set *s, struct pool *p);                 /* makes it empty */
void set_assign(struct set *s, struct set_view v, struct pool *p);       /* s was empty; v is not in s */

/* s, which has n > 1 words, and `to` become the same set of one piece; to has at most what s has. */
void set_share(struct set *to, const struct set *s, struct pool *p);
uint64_t set_size(const struct set *s);                          /* how many elements. O(1) */

/* What of `src` is not in `dst`, into `out`; returns how many of its blocks dst lacks. O(src * log(gaps)) */
uint32_t set_missing(struct set_view dst, struct set_view src, struct set_buf *out);

/* Adds what set_missing found, with `absent` blocks. */
void set_insert(struct set *dst, const struct set_buf *news, uint32_t absent, struct pool *p);
/* Adds src to dst; `news` receives what was not there. False: nothing was added, nor dst written. src is not in dst. */
bool set_union(struct set *dst, struct set_view src, struct pool *p, struct set_buf *news);

/* The first place from `j` on, where the block is below `block`, whose block is not. O(log of the distance) */
uint32_t seek_far(const uint32_t *blocks, uint32_t j, uint32_t n, uint32_t block);
uint64_t set_word_at(struct set_view v, uint32_t block);         /* 0: absent. O(log n) */
bool set_covers(struct set_view v, struct set_view part);        /* every element of part is in v */
uint64_t set_count(struct set_view v);
bool set_is_sound(const struct set *s);                          /* sorted blocks, room for them */
size_t set_bytes(const struct set *s);                           /* outside the struct; of a shared piece, a part */

static inline void set_buf_reserve(struct set_buf *b, uint32_t n)          /* forgets what is there */
{
	if (n > b->cap || !b->cap)
		set_buf_grow(b, n);
	b->n = 0;
}
/* The first place from `j` on whose block is not below `block`. */
static inline uint32_t seek(const uint32_t *blocks, uint32_t j, uint32_t n, uint32_t block)
{
	return j < n && blocks[j] < block ? seek_far(blocks, j, n, block) : j;
}
static inline struct set_view set_view(const struct set *s)
{
	if (s->n <= 1)
		return (struct set_view){ &s->word, &s->block, s->n };
	return (struct set_view){ s->words, (const uint32_t *)(s->words + s->cap), s->n };
}
static inline struct set_view set_buf_view(const struct set_buf *b)
{
	return (struct set_view){ b->words, b->blocks, b->n };
}
static inline struct set_view set_view_word(const uint64_t *word, const uint32_t *block)
{
	return (struct set_view){ word, block, *word != 0 };
}

#endif
