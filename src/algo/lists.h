/* SPDX-License-Identifier: Apache-2.0 */
/* lists.h - numbers by key, in the order in which they were added; keys and numbers may come at any time. What was added since a mark
 * can be asked for alone. Zeroed, it is empty. Where all numbers are known before anybody asks, groups.h has them side by side.
 *
 *	for (uint32_t r = lists_first(l, key, false); r; r = lists_next(l, r))
 *		lists_number(l, r) ... */
#ifndef ALGO_LISTS_H
#define ALGO_LISTS_H

#include <stdbool.h>

#include "base/vec.h"

struct list_row {
	uint32_t number;
	uint32_t next;                /* 1 + row; 0: none */
};

struct list_head {
	uint32_t first, last;         /* 1 + row; 0: none */
	uint32_t fresh;               /* the same: the first that was new when it was added, of the last mark that saw any */
};

struct lists {
	VEC(struct list_row) rows;
	VEC(struct list_head) heads;  /* by key */
	uint32_t marked;              /* rows before it were there at the last mark */
};

void lists_release(struct lists *l);
void lists_add(struct lists *l, uint32_t key, uint32_t number);

/* What is added from now on is new. */
static inline void lists_mark(struct lists *l)
{
	l->marked = l->rows.len;
}

static inline bool lists_is_new(const struct lists *l, uint32_t row)
{
	return row > l->marked;
}

/* The first row of a key, or the first new one; 0: there is none. */
static inline uint32_t lists_first(const struct lists *l, uint32_t key, bool is_new)
{
	if (key >= l->heads.len)
		return 0;
	if (!is_new)
		return l->heads.data[key].first;
	return lists_is_new(l, l->heads.data[key].fresh) ? l->heads.data[key].fresh : 0;
}

static inline uint32_t lists_next(const struct lists *l, uint32_t row)
{
	return l->rows.data[row - 1].next;
}

static inline uint32_t lists_number(const struct lists *l, uint32_t row)
{
	return l->rows.data[row - 1].number;
}

#endif
