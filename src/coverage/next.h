/* SPDX-License-Identifier: Apache-2.0 */
/* next.h - what to test next: acts of clients, in the order of what each would newly cover.
 *
 * An act is an idea of the reasons (struct reason_idea): an object, and the call that takes it into the component. It covers what is
 * missed of requirements whose reasons name it. What that is worth is said by a function of the caller's: a missed receiver stands
 * for several requirements, that the method runs at all, say, or at this call, and each counts once, whichever act covers it first.
 * Acts are taken greedily. Those that have their object or their call in common with one that is taken are the same idea with
 * something else, and are listed with it. */
#ifndef COVERAGE_NEXT_H
#define COVERAGE_NEXT_H

#include "coverage/coverage.h"

#define NEXT_ELEMENTS 4
/* A requirement that a missed receiver would cover; equal ones have equal names. */
struct next_element { struct str name; uint32_t weight; };
/* Puts those of a missed receiver into `out`, at most NEXT_ELEMENTS; their text is valid until the next call. Returns how many. */
typedef uint32_t next_weigh(void *ctx, const struct coverage *c, const struct reason *r, struct next_element *out);

struct next_act {
	uint32_t idea;                /* row of c->reasons->ideas */
	uint64_t gain;                /* in 1024ths of a weight, less what is far from what a client does */
	uint32_t first, n;            /* of `rows`: missed receivers that it covers, by site */
	uint32_t targets;             /* methods that then run at a call where they never did */
	uint32_t first_like, nlike;   /* of `like`: ideas that have its object or its call */
};
struct next {
	VEC(struct next_act) acts;    /* best first */
	VEC(uint32_t) rows;           /* of c->reasons->rows */
	VEC(uint32_t) like;
};
/* The best acts, `most` at most; none without c->reasons. `by` NULL: next_weigh_usual(), see next_weights.h. Fills a zeroed `out`. */
void next_compute(const struct coverage *c, next_weigh *by, void *ctx, uint32_t most, struct next *out);
void next_release(struct next *n);

#endif
