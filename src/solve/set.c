/* SPDX-License-Identifier: Apache-2.0 */
/* set.c - see set.h. */
#include "solve/set.h"

#include <stdlib.h>
#include <string.h>

#define BYTES_PER_WORD (sizeof(uint64_t) + sizeof(uint32_t))

#ifdef SHERD_TORTURE
#define FIRST_BUF 1
#else
#define FIRST_BUF 64
#endif

void set_buf_grow(struct set_buf *b, uint32_t n)
{
	uint32_t cap = b->cap ? b->cap * 2 : FIRST_BUF;

	set_buf_release(b);
	b->cap = cap < n ? n : cap;
	b->words = mem_alloc(b->cap * sizeof(*b->words));
	b->blocks = mem_alloc(b->cap * sizeof(*b->blocks));
	b->at = mem_alloc(b->cap * sizeof(*b->at));
}

void set_buf_release(struct set_buf *b)
{
	free(b->words);
	free(b->blocks);
	free(b->at);
	*b = (struct set_buf){ 0 };
}

static struct set_head *head_of(const struct set *s)
{
	return (struct set_head *)s->words - 1;
}

/* A set of n > 1 words with the room the pool gives for them, its words yet to be written; of so many elements. */
static struct set allocate(uint32_t n, uint64_t members, struct pool *p)
{
	size_t size = sizeof(struct set_head) + n * BYTES_PER_WORD;
	struct set s = { .n = n };
	struct set_head *h = pool_alloc(p, &size);

	*h = (struct set_head){ 1, (uint32_t)members };
	s.words = (uint64_t *)(h + 1);
	s.cap = (uint32_t)((size - sizeof(*h)) / BYTES_PER_WORD);
	return s;
}

static bool is_shared(const struct set *s)
{
	return s->n > 1 && head_of(s)->sets > 1;
}

static uint32_t *blocks_of(struct set *s)
{
	return (uint32_t *)(s->words + s->cap);
}

void set_release(struct set *s, struct pool *p)
{
	if (s->n > 1 && --head_of(s)->sets == 0)
		pool_free(p, head_of(s), sizeof(struct set_head) + s->cap * BYTES_PER_WORD);
	*s = (struct set){ 0 };
}

void set_share(struct set *to, const struct set *s, struct pool *p)
{
	head_of(s)->sets++;
	set_release(to, p);
	*to = *s;
}

uint64_t set_size(const struct set *s)
{
	return s->n > 1 ? head_of(s)->size : set_count(set_view(s));
}

void set_assign(struct set *s, struct set_view v, struct pool *p)
{
	if (v.n <= 1) {
		*s = (struct set){ .n = v.n };
		s->word = v.n ? v.words[0] : 0;
		s->block = v.n ? v.blocks[0] : 0;
		return;
	}
	*s = allocate(v.n, set_count(v), p);
	memcpy(s->words, v.words, v.n * sizeof(*v.words));
	memcpy(blocks_of(s), v.blocks, v.n * sizeof(*v.blocks));
}

/* Blocks rise by one at least. That bounds the place from both sides, and where blocks are successive it is the place; between the
 * bounds, steps that double, then halve. */
uint32_t seek_far(const uint32_t *blocks, uint32_t j, uint32_t n, uint32_t block)
{
	uint32_t last = n - 1, high = last, step = 1;

	if (blocks[last] < block)
		return n;
	uint32_t ahead = block - blocks[j], back = blocks[last] - block;
	if (ahead < last - j)
		high = j + ahead;
	if (back < last - j)
		j = last - back;
	if (blocks[high] == block)
		return high;
	if (blocks[j] == block)
		return j;
	/* blocks[j] is below, blocks[high] is not */
	while (step < high - j && blocks[j + step] < block) {
		j += step;
		step *= 2;
	}
	high = step < high - j ? j + step : high;
	while (high - j > 1) {
		uint32_t middle = j + (high - j) / 2;

		if (blocks[middle] < block)
			j = middle;
		else
			high = middle;
	}
	return high;
}

/* Full sets: a set of many words that are close together has, behind its words of kinds, every block from the first to the
 * last, with zero words where it has nothing. Two such are compared without a look at blocks. */

#define FULL_FROM 32
#define RUN 8

struct tail {
	uint32_t at, n, block;     /* n words from `at` on, of successive blocks; n is 0 when there is no such tail */
};

static uint32_t kind_words(struct set_view v)
{
	return !v.n || v.blocks[0] >= KIND_BLOCKS ? 0 : seek(v.blocks, 0, v.n, KIND_BLOCKS);
}

static struct tail full_tail(struct set_view v)
{
	uint32_t at = v.n < FULL_FROM ? 0 : kind_words(v), n = v.n - at;

	if (n < FULL_FROM || v.blocks[v.n - 1] - v.blocks[at] != n - 1)
		return (struct tail){ 0 };
	return (struct tail){ at, n, v.blocks[at] };
}

static void put_missing(struct set_buf *out, uint64_t word, uint32_t block, uint32_t at)
{
	out->words[out->n] = word;
	out->blocks[out->n] = block;
	out->at[out->n++] = at;
}

/* Of the first n words of src. */
static uint32_t missing_words(struct set_view dst, struct set_view src, uint32_t n, struct set_buf *out)
{
	uint32_t absent = 0, j = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t block = src.blocks[i];
		uint64_t word = src.words[i];

		j = seek(dst.blocks, j, dst.n, block);
		bool there = j < dst.n && dst.blocks[j] == block;
		uint32_t at = j;
		if (there)
			word &= ~dst.words[j++];         /* most often nothing is left */
		if (!word)
			continue;
		absent += !there;
		put_missing(out, word, block, at);
	}
	return absent;
}

static uint32_t missing_outside(struct set_view src, uint32_t from, uint32_t to, uint32_t at, struct set_buf *out)
{
	uint32_t before = out->n;

	for (uint32_t i = from; i < to; i++)
		if (src.words[i])
			put_missing(out, src.words[i], src.blocks[i], at);
	return out->n - before;
}

static bool covers_run(const uint64_t *dst, const uint64_t *src)
{
	uint64_t missing = 0;

	for (uint32_t k = 0; k < RUN; k++)
		missing |= src[k] & ~dst[k];
	return !missing;
}

static void missing_inside(struct set_view dst, uint32_t j, struct set_view src, uint32_t from, uint32_t to, struct set_buf *out)
{
	for (uint32_t i = from; i < to; i++, j++) {
		while (i + RUN <= to && covers_run(dst.words + j, src.words + i)) {
			i += RUN;
			j += RUN;
		}
		if (i < to && (src.words[i] & ~dst.words[j]))
			put_missing(out, src.words[i] & ~dst.words[j], src.blocks[i], j);
	}
}

static uint32_t missing_tail(struct set_view dst, struct tail d, struct set_view src, struct tail s, struct set_buf *out)
{
	uint32_t end = s.at + s.n;
	uint32_t from = d.block > s.block ? s.at + (d.block - s.block < s.n ? d.block - s.block : s.n) : s.at;
	uint32_t to = d.block + d.n > s.block ? s.at + (d.block + d.n - s.block < s.n ? d.block + d.n - s.block : s.n) : s.at;
	uint32_t absent = missing_outside(src, s.at, from, d.at, out);

	if (from < to)
		missing_inside(dst, d.at + (src.blocks[from] - d.block), src, from, to, out);
	return absent + missing_outside(src, to > from ? to : from, end, dst.n, out);
}

/* The words of src from `from` on, where dst has a full tail: no search. */
static uint32_t missing_from(struct set_view dst, struct tail d, struct set_view src, uint32_t from, struct set_buf *out)
{
	uint32_t absent = 0;

	for (uint32_t i = from; i < src.n; i++) {
		uint32_t k = src.blocks[i] - d.block;      /* wraps round below the tail */
		if (k < d.n) {
			uint64_t word = src.words[i] & ~dst.words[d.at + k];
			if (word)
				put_missing(out, word, src.blocks[i], d.at + k);
		} else if (src.words[i]) {
			put_missing(out, src.words[i], src.blocks[i], src.blocks[i] < d.block ? d.at : dst.n);
			absent++;
		}
	}
	return absent;
}

uint32_t set_missing(struct set_view dst, struct set_view src, struct set_buf *out)
{
	struct tail d = src.n < RUN ? (struct tail){ 0 } : full_tail(dst), s = d.n ? full_tail(src) : d;

	set_buf_reserve(out, src.n);
	if (!d.n)
		return missing_words(dst, src, src.n, out);
	uint32_t kinds = kind_words(src), absent = missing_words(dst, src, kinds, out);
	return absent + (s.n ? missing_tail(dst, d, src, s, out) : missing_from(dst, d, src, kinds, out));
}

/* Moves words [first, first + n) of `from` to `place` of `to`; the two may be one set. */
static void move(struct set *to, uint32_t place, struct set_view from, uint32_t first, uint32_t n)
{
	if (!n || to->words + place == from.words + first)
		return;
	memmove(to->words + place, from.words + first, n * sizeof(*from.words));
	memmove(blocks_of(to) + place, from.blocks + first, n * sizeof(*from.blocks));
}

/* Fills `to`, which has room for `absent` more words than `old`, from the end: what is moved within one set goes up
 * into room that is already free. */
static void merge(struct set *to, struct set_view old, const struct set_buf *news, uint32_t absent)
{
	uint32_t end = old.n, shift = absent;

	for (uint32_t k = news->n; k-- > 0;) {
		uint32_t at = news->at[k];
		bool there = at < old.n && old.blocks[at] == news->blocks[k];

		if (shift || to->words != old.words) {
			move(to, at + shift, old, at, end - at);
			end = at;
		}
		if (there) {
			to->words[at + shift] |= news->words[k];
			continue;
		}
		shift--;
		to->words[at + shift] = news->words[k];
		blocks_of(to)[at + shift] = news->blocks[k];
	}
	move(to, 0, old, 0, end);
}

/* The blocks of objects that the union of the two has: the first and how many up to the last; none: 0. */
static uint32_t span_of(struct set_view old, const struct set_buf *news, uint32_t *first)
{
	struct set_view more = set_buf_view(news);
	uint32_t a = kind_words(old), b = kind_words(more), last = 0;

	*first = UINT32_MAX;
	if (a < old.n) {
		*first = old.blocks[a];
		last = old.blocks[old.n - 1];
	}
	if (b < more.n) {
		*first = *first < more.blocks[b] ? *first : more.blocks[b];
		last = last > more.blocks[more.n - 1] ? last : more.blocks[more.n - 1];
	}
	return *first == UINT32_MAX ? 0 : last - *first + 1;
}

/* Copies the words of kinds of `from` into `to`, where they find room behind each other. */
static uint32_t merge_kinds(struct set *to, struct set_view a, struct set_view b)
{
	uint32_t na = kind_words(a), nb = kind_words(b), i = 0, j = 0, n = 0;

	while (i < na || j < nb) {
		uint32_t block = j == nb || (i < na && a.blocks[i] <= b.blocks[j]) ? a.blocks[i] : b.blocks[j];
		uint64_t word = i < na && a.blocks[i] == block ? a.words[i++] : 0;
		if (j < nb && b.blocks[j] == block)
			word |= b.words[j++];
		to->words[n] = word;
		blocks_of(to)[n++] = block;
	}
	return n;
}

static void place_words(struct set *to, uint32_t at, uint32_t first, struct set_view v)
{
	for (uint32_t i = kind_words(v); i < v.n; i++)
		to->words[at + v.blocks[i] - first] |= v.words[i];
}

static void set_blocks(struct set *to, uint32_t at, uint32_t n, uint32_t first)
{
	memset(to->words + at, 0, n * sizeof(*to->words));
	for (uint32_t i = 0; i < n; i++)
		blocks_of(to)[at + i] = first + i;
}

/* dst becomes full: from `first` on with `span` blocks of objects. */
static void fill(struct set *dst, const struct set_buf *news, uint32_t absent, uint32_t first, uint32_t span, struct pool *p)
{
	struct set_view old = set_view(dst), more = set_buf_view(news);
	struct set to = allocate(kind_words(old) + absent + span, set_size(dst) + set_count(more), p);
	uint32_t n = merge_kinds(&to, old, more);

	set_blocks(&to, n, span, first);
	place_words(&to, n, first, old);
	place_words(&to, n, first, more);
	to.n = n + span;
	set_release(dst, p);
	*dst = to;
}

static uint32_t count_absent(struct set_view old, const struct set_buf *news, uint32_t n)
{
	uint32_t absent = 0;

	for (uint32_t k = 0; k < n; k++)
		absent += news->at[k] == old.n || old.blocks[news->at[k]] != news->blocks[k];
	return absent;
}

/* dst is full, with tail t, and stays so: its tail moves on behind new words of kinds and grows at both ends, where it is if there is
 * room. */
static void extend(struct set *dst, struct tail t, const struct set_buf *news, uint32_t first, uint32_t span, struct pool *p)
{
	struct set_view old = set_view(dst), kinds = { old.words, old.blocks, t.at };
	struct set_buf some = *news;
	some.n = kind_words(set_buf_view(news));
	uint32_t absent = count_absent(old, news, some.n), at = t.at + absent, place = at + t.block - first, n = at + span;
	uint64_t size = set_size(dst) + set_count(set_buf_view(news));
	struct set to = dst->cap < n || is_shared(dst) ? allocate(n, size, p) : *dst;

	head_of(&to)->size = (uint32_t)size;
	move(&to, place, old, t.at, t.n);
	set_blocks(&to, place + t.n, n - place - t.n, t.block + t.n);
	set_blocks(&to, at, place - at, first);
	if (some.n || to.words != old.words)
		merge(&to, kinds, &some, absent);
	for (uint32_t k = some.n; k < news->n; k++)
		to.words[at + news->blocks[k] - first] |= news->words[k];
	to.n = n;
	if (to.words != dst->words)
		set_release(dst, p);
	*dst = to;
}

void set_insert(struct set *dst, const struct set_buf *news, uint32_t absent, struct pool *p)
{
	struct set_view old = set_view(dst);
	uint32_t n = old.n + absent, first, span;

	if (n == 1 && old.n == 1) {
		dst->word |= news->words[0];
		return;
	}
	if (absent && n >= FULL_FROM && (span = span_of(old, news, &first)) >= FULL_FROM && span / 4 < n) {
		struct tail t = full_tail(old);
		if (t.n)
			extend(dst, t, news, first, span, p);
		else
			fill(dst, news, absent, first, span, p);
		return;
	}
	if (n == 1 || !old.n) {
		set_assign(dst, set_buf_view(news), p);
		return;
	}
	struct set to = *dst;
	uint64_t size = set_size(dst) + set_count(set_buf_view(news));
	if (old.n == 1 || dst->cap < n || is_shared(dst))
		to = allocate(n, size, p);
	head_of(&to)->size = (uint32_t)size;
	merge(&to, old, news, absent);
	if (old.n > 1 && to.words != dst->words)
		set_release(dst, p);
	to.n = n;
	*dst = to;
}

bool set_union(struct set *dst, struct set_view src, struct pool *p, struct set_buf *news)
{
	uint32_t absent = set_missing(set_view(dst), src, news);

	if (!news->n)
		return false;
	set_insert(dst, news, absent, p);
	return true;
}

uint64_t set_word_at(struct set_view v, uint32_t block)
{
	uint32_t j = seek(v.blocks, 0, v.n, block);

	return j < v.n && v.blocks[j] == block ? v.words[j] : 0;
}

bool set_covers(struct set_view v, struct set_view part)
{
	uint32_t j = 0;

	for (uint32_t i = 0; i < part.n; i++) {
		if (!part.words[i])
			continue;
		j = seek(v.blocks, j, v.n, part.blocks[i]);
		if (j == v.n || v.blocks[j] != part.blocks[i] || (part.words[i] & ~v.words[j]))
			return false;
	}
	return true;
}

/* How many: by adding up pairs of bits, then these. The compiler's own way is a call, unless the machine is known to have better. */
static uint64_t bits_of(uint64_t w)
{
	w -= w >> 1 & 0x5555555555555555u;
	w = (w & 0x3333333333333333u) + (w >> 2 & 0x3333333333333333u);
	w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return w * 0x0101010101010101u >> 56;
}

uint64_t set_count(struct set_view v)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < v.n; i++)
		if (v.words[i])
			count += bits_of(v.words[i]);
	return count;
}

bool set_is_sound(const struct set *s)
{
	struct set_view v = set_view(s);

	if (v.n > 1 && (s->cap < v.n || set_size(s) != set_count(v)))
		return false;
	for (uint32_t i = 0; i < v.n; i++)
		if (i && v.blocks[i - 1] >= v.blocks[i])
			return false;
	return true;
}

size_t set_bytes(const struct set *s)
{
	return s->n > 1 ? (sizeof(struct set_head) + s->cap * BYTES_PER_WORD) / head_of(s)->sets : 0;
}
