/* SPDX-License-Identifier: Apache-2.0 */
/* callbacks.h - the call graph of an application: who calls whom among its own methods, directly or through a library.
 *
 * A call of a library's method is a *library call*. What the application's methods are that it may run, with nothing but methods of
 * the library in between, are its *callbacks*. They are found by walking the whole call graph (`simple`), or by looking at each call
 * by itself (analysis/pta/reach/reach.h). Immutable once computed. */
#ifndef ANALYSIS_CALLBACKS_H
#define ANALYSIS_CALLBACKS_H

#include "analysis/pta/reach/reach.h"

enum call_sort {
	CALL_DIRECT,
	CALL_BACK,               /* through the library, before the library call returns */
	CALL_LATER,              /* by a thread that the library call starts */
	CALL_SORTS
};
const char *call_sort_name(enum call_sort s);            /* "direct", "callback", "later" */

struct app_edge {
	method_id caller;
	uint32_t pc;
	mref_id mref;            /* what the call names; none: nothing does */
	enum call_sort sort;
	method_id callee;
	method_id by;            /* the library's method that calls back, where one is known; else none */
	uint32_t by_pc;
	bool is_open;            /* unknown code calls back */
};

struct callbacks_opt {
	bool is_simple;                  /* walk the graph; else: */
	enum reach_precision precision;
	bool (*is_application)(const void *ctx, class_id c);
	const void *ctx;
	bool (*progress)(void *ctx, uint64_t calls, uint64_t of);       /* as in reach_opt */
	void *progress_ctx;
};

struct callbacks {
	VEC(struct app_edge) edges;      /* by caller, pc, sort, callee; in the order of method ids */
	uint64_t counts[CALL_SORTS];
	uint64_t methods;                /* of the application, that are reached */
	uint64_t library_calls;
	uint64_t unfinished;             /* of these, those whose callbacks are as `simple` has them, since there was no time */
	uint64_t answers, beginnings, work;      /* see reach_result */
};

/* `facts` are those that the graph is from; NULL: of class hierarchies, which only know `simple`. O(edges) for that. */
struct callbacks *callbacks_compute(const struct callgraph *g, struct pta *facts, const struct callbacks_opt *opt);
void callbacks_free(struct callbacks *c);                /* may be NULL */

#endif
