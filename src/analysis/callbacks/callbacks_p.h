/* SPDX-License-Identifier: Apache-2.0 */
/* callbacks_p.h - the graph of the whole program, as an application sees it. */
#ifndef ANALYSIS_CALLBACKS_P_H
#define ANALYSIS_CALLBACKS_P_H

#include "analysis/callbacks/callbacks.h"
#include "analysis/callgraph/booted.h"
#include "analysis/chains/triggers.h"

struct ways;                     /* what methods of the library reach through the library alone */
struct whole {
	const struct callgraph *g;
	const struct program *p;
	const struct callbacks_opt *opt;
	struct hierarchy h;
	struct linker linker;
	struct triggers *triggers;
	struct booted *booted;
	method_id start;                 /* java.lang.Thread.start0 */
	VEC(uint8_t) sort;               /* by method: enum method_sort */
	struct ways *ways;               /* made when first asked for */
};

enum method_sort {
	METHOD_UNREACHED,
	METHOD_OWN,              /* of the application */
	METHOD_MADE,             /* of a lambda: the call of it is the call of what it calls */
	METHOD_LIBRARY,
};

/* simple.c */
/* Calls fn for each method of the application that the library's method `m` leads to. `is_later`: only by a thread. */
void ways_from(struct whole *w, method_id m, void (*fn)(void *ctx, method_id target, bool is_later), void *ctx);
void ways_free(struct ways *x);

#endif
