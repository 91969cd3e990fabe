/* SPDX-License-Identifier: Apache-2.0 */
/* reach.h - what library calls of a program may call back.
 *
 * After an analysis of the whole program, each call that the application makes of a library is looked at by itself: which methods can
 * run before it is over, on which objects. That is data reachability (Zhang and Ryder, "Constructing Accurate Application Call Graphs
 * For Java To Model Library Callbacks", 2006): the constraints of the methods that the call reaches are solved again, beginning with
 * its arguments alone. Objects that only the call can get at hold what it puts there; others hold what they ever do.
 * docs/analyses/callbacks.md says what is beyond the paper.
 *
 * For policies that keep variables apart and have fields of objects. */
#ifndef ANALYSIS_PTA_REACH_H
#define ANALYSIS_PTA_REACH_H

#include "analysis/pta/pta.h"

/* From coarse to precise: what each finds is also found by those before it. */
enum reach_precision {
	REACH_CALL,              /* DataReach: one set of objects for the call */
	REACH_METHODS,           /* M-DataReach: one for each method */
	REACH_ESCAPES,           /* V-DataReach: for each variable; what escapes its method can be got at by others */
	REACH_ACCESSIBLE,        /* Va-DataReach: what others can get at is found on the way */
	REACH_LIBRARY,           /* Va-DataReach-ft: methods of the application are not entered */
	REACH_PRECISIONS
};

struct reach_opt {
	enum reach_precision precision;
	bool (*is_library)(const void *ctx, method_id m);
	bool (*is_initialised)(const void *ctx, class_id c);     /* before the program starts; may be NULL */
	const void *ctx;
	/* Now and then, with the number of calls that are done; false: the rest is not. May be NULL. */
	bool (*progress)(void *ctx, uint64_t calls, uint64_t of);
	void *progress_ctx;
};

struct reach_edge {
	method_id target;        /* of the application */
	bool is_later;           /* only a thread that the call starts runs it */
	method_id by;            /* the method of the library that calls it, the first that was found; none: unknown code */
	uint32_t by_pc;
};

struct reach_call {
	method_id caller;        /* of the application */
	uint32_t pc;
	mref_id mref;            /* what it names; none: code that initialises a class */
	uint32_t first, n;       /* its edges, sorted by target */
	bool is_done;
};

struct reach_result {
	VEC(struct reach_call) calls;        /* by caller and pc */
	VEC(struct reach_edge) edges;
	uint64_t questions;      /* calls in contexts */
	uint64_t answers;        /* of these, how many are different */
	uint64_t beginnings;     /* solutions that answers share */
	uint64_t work;           /* words walked */
};

/* Sets that were found are part of a finished analysis; that is not changed. */
void reach_compute(struct pta *a, const struct reach_opt *opt, struct reach_result *out);
void reach_release(struct reach_result *r);

#endif
