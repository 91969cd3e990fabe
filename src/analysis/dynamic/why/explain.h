/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h - what a call by a dynamic feature rests on: which queries found what is called, and where the names and classes are
 * written down that these were asked with; or the level of assumptions that allows it. */
#ifndef ANALYSIS_DYNAMIC_WHY_EXPLAIN_H
#define ANALYSIS_DYNAMIC_WHY_EXPLAIN_H

#include "analysis/dynamic/values.h"

enum basis_sort {
	BASIS_ANSWER,            /* the library method `by` answers with it, there */
	BASIS_WRITTEN,           /* it is written down, or made, there */
	BASIS_CAST,              /* what the call makes is always cast to the class */
	BASIS_LEVEL,             /* it is not known what the call does; the level allows it */
};
const char *basis_name(enum basis_sort s);       /* "answer", "written", "cast", "level" */

struct dynamic_basis {
	enum basis_sort sort;
	meta what;               /* a class, member or name; BASIS_LEVEL: none */
	method_id method;        /* where; none: that cannot be said */
	uint32_t pc;
	mref_id by;
	struct dynamic_why why;  /* BASIS_LEVEL */
};

#define MAX_BASIS 16

/* Why the site calls `target`, beginning at the call; returns how many there are. 0: it does not, or nothing can be said. */
uint32_t dynamic_explain(struct dynamic *d, uint32_t site, method_id target, struct dynamic_basis out[MAX_BASIS]);

#endif
