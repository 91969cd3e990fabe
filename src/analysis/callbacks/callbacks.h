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
	bool is_walked;                  /* as `simple` has it, since there was no time to look at the call */
	/* With opt.witnesses: the library's methods on the way, rows of callbacks.steps; and the object that the last call is on. */
	uint32_t first_step, nsteps;
	uint32_t place;                  /* row of callbacks.places; NO_PLACE: it depends on none, or none is known */
};

struct callbacks_opt {
	bool is_simple;                  /* walk the graph; else: */
	enum reach_precision precision;
	/* Of CPU for looking at calls; the rest is walked. 0: an amount of work that is the same everywhere, about a minute. */
	double seconds;
	method_id caller;                /* only what its calls call back is found; none: all. Not for is_simple */
	bool witnesses;
	bool (*is_application)(const void *ctx, class_id c);
	const void *ctx;
	bool effects;                    /* struct callbacks.calls, too; not with is_simple */
	bool (*progress)(void *ctx, uint64_t calls, uint64_t of);       /* as in reach_opt */
	void *progress_ctx;
};

/* A library call, and what it reads and writes: with opt.effects. */
struct library_call {
	method_id caller;
	uint32_t pc;
	mref_id mref;
	uint32_t effect;         /* row of callbacks.effects; 0: not known */
	uint32_t first, n;       /* edges of its place, direct ones included */
	uint32_t ncallbacks;     /* of these */
	bool is_free;            /* of side effects: it changes nothing that was there before it, and calls nothing back */
};

struct callbacks {
	VEC(struct app_edge) edges;      /* by caller, pc, sort, callee; in the order of method ids */
	VEC(struct reach_step) steps;
	uint64_t witnesses, refused;     /* edges with steps that hold; those that had some that did not, and have none */
	uint64_t counts[CALL_SORTS];
	uint64_t methods;                /* of the application, that are reached */
	uint64_t library_calls;
	uint64_t free_calls;             /* of `calls`: is_free */
	uint64_t unfinished;             /* of these, those whose callbacks are as `simple` has them, since there was no time */
	VEC(struct library_call) calls;          /* by caller and pc; in the order of method ids */
	VEC(struct reach_effect) effects;        /* of `lists` and `unknown_methods`, as in reach_result */
	VEC(uint32_t) lists;
	VEC(struct reach_set) sets;
	VEC(struct reach_access) accesses;
	VEC(method_id) unknown_methods;
	VEC(struct pta_place) places;            /* by number, as accesses have them */
	uint64_t answers, beginnings, work;      /* see reach_result */
};

/* `facts` are those that the graph is from; NULL: of class hierarchies, which only know `simple`. O(edges) for that. */
struct callbacks *callbacks_compute(const struct callgraph *g, struct pta *facts, const struct callbacks_opt *opt);
/* Of an edge with steps: is each of them a call in the graph, through methods of the library alone, and does the last one call the callee,
 * on an object of the witness's class if it has one? False: *reason, a static string, says what is wrong. */
bool callbacks_check_witness(const struct callgraph *g, const struct callbacks *c, const struct app_edge *e, const char **reason);
void callbacks_free(struct callbacks *c);                /* may be NULL */

#endif
