/* SPDX-License-Identifier: Apache-2.0 */
/* assumed.h - calls that are not resolved: sets of targets by what the level of assumptions allows, one for all calls that may do the
 * same. */
#ifndef ANALYSIS_CALLGRAPH_ASSUMED_H
#define ANALYSIS_CALLGRAPH_ASSUMED_H

#include "analysis/callgraph/dispatch.h"
#include "analysis/dynamic/assume.h"

struct assumed_call {
	uint32_t site;            /* of analysis/dynamic */
	uint32_t pc, set;
	enum dynamic_sort sort;
	uint32_t before;          /* 1 + the row of another call of the same method */
};

struct assumed {
	struct assume allows;     /* made with the first call */
	struct map set_by_key;    /* (what and part, key of the part) -> set */
	VEC(unsigned) what;       /* by set: what it is for */
	VEC(struct assumed_call) calls;
	struct map last_call;     /* method -> 1 + row of `calls` */
	method_list methods;      /* of all sets: to be reached */
	struct map called;        /* method -> 1: those that were */
	uint32_t reached;         /* how many of these are */
	VEC(bool) done;           /* by site of analysis/dynamic */
};

/* Adds the calls, among those that were noted, which the level does not resolve and that were not added before; what they may do
 * goes into `sets`, of which [0] is empty. */
void assumed_sites(struct assumed *a, struct hierarchy *h, method_sets *sets, struct dynamic *dynamic, enum dynamic_level level);
uint32_t assumed_first(const struct assumed *a, method_id m);      /* 1 + row of `calls`; 0: none */
/* The method that calls back for all natives. It is noted in `dynamic`. */
method_id assumed_native_method(struct program *p, struct dynamic *dynamic);
void assumed_release(struct assumed *a);

#endif
