/* SPDX-License-Identifier: Apache-2.0 */
/* family.h - many sets of small numbers that have much in common, such as what each function of a program modifies.
 *
 * A set is a tree: leaves are words of 32 numbers, without those that are empty, and inner nodes are where the numbers
 * part. Equal trees are one tree, so that a set costs what it has and no other set has, and equal sets have equal ids.
 * Sets do not change; they are made in drafts, which are as large as the largest number. */
#ifndef ALGO_FAMILY_H
#define ALGO_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

typedef struct { uint32_t i; } fset_id;          /* 0 is the empty set */

struct family_node {
	uint32_t left, right;        /* smaller and larger numbers; a leaf: 0, and a bit for each number that is there */
	uint32_t block;              /* a leaf: its first number / 32; others: that of the first leaf of `right` */
};

struct family {
	VEC(struct family_node) nodes;
	struct map leaves, inner;    /* by block and bits; by left and right: the node */
	VEC(uint32_t) joined;        /* by node: the last turn of a draft that it was joined to */
	uint32_t turn;
	VEC(uint32_t) draft;         /* while one is closed: its leaves */
};

void family_init(struct family *f);
void family_release(struct family *f);

bool fset_has(const struct family *f, fset_id s, uint32_t member);       /* O(log of the largest number) */
/* Calls each(ctx, member) in increasing order. */
void fset_each(const struct family *f, fset_id s, void (*each)(void *ctx, uint32_t member), void *ctx);

/* A set in the making. It may live as long as its family, for one set after another. */
struct draft {
	struct family *family;
	uint32_t *words;             /* by block */
	uint64_t *busy;              /* bits: blocks that are not empty */
	uint32_t nbusy;              /* words of `busy` */
	uint32_t turn;               /* of the family: nodes with it are in the draft */
};

void draft_init(struct draft *d, struct family *f, uint32_t members);    /* empty, for members below this number */
void draft_release(struct draft *d);
void draft_clear(struct draft *d);
bool draft_add(struct draft *d, uint32_t member);                /* false: it was there */
static inline bool draft_has(const struct draft *d, uint32_t member)
{
	return d->words[member / 32] >> member % 32 & 1;
}
/* Adds a set. What it has in common with sets that were joined since the draft was cleared costs nothing. */
void draft_join(struct draft *d, fset_id s);
bool draft_covers(const struct draft *d, fset_id s);             /* is every member of the set in the draft? */
/* Calls keep(ctx, member) in increasing order, and takes members out for which it is false. */
void draft_filter(struct draft *d, bool (*keep)(void *ctx, uint32_t member), void *ctx);
fset_id draft_close(struct draft *d);                            /* the set that the draft is; the draft is empty then */
/* Calls each(ctx, member) in increasing order; the draft is empty then. */
void draft_drain(struct draft *d, void (*each)(void *ctx, uint32_t member), void *ctx);

#endif
