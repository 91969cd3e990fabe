/* SPDX-License-Identifier: Apache-2.0 */
/* sets.h - the sets of a call graph: sorted ids of methods or of classes, by number; 0 is the empty set. */
#ifndef ANALYSIS_CALLGRAPH_SETS_H
#define ANALYSIS_CALLGRAPH_SETS_H

#include "base/map.h"
#include "base/vec.h"

struct id_set {
	void *ids;                /* method_id or class_id; on the heap */
	uint32_t n;
	uint32_t next;            /* the next set with the same hash */
};

struct id_sets {
	VEC(struct id_set) rows;  /* [0] is the empty set */
	struct map by_hash;       /* of interned sets -> the first of them */
	uint64_t seed;
};

void id_sets_init(struct id_sets *s);
void id_sets_release(struct id_sets *s);        /* also of zeroed ones */

/* The number of the set with these ids, which is added when no equal one was interned before. O(n). */
uint32_t id_sets_intern(struct id_sets *s, const void *ids, uint32_t n);
/* Adds a set without looking for an equal one; takes over `ids`, which is on the heap. */
uint32_t id_sets_take(struct id_sets *s, void *ids, uint32_t n);

#endif
