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
	uint64_t most;                   /* words that are walked, about time; then the rest is not looked at. 0: as many as it takes */
	method_id caller;                /* only its calls are looked at; none: all */
	bool witnesses;                  /* edges have steps */
	bool (*is_initialised)(const void *ctx, class_id c);     /* before the program starts; may be NULL */
	bool (*has_call)(const void *ctx, method_id caller, uint32_t pc);        /* only calls that it has are looked at; may be NULL */
	const void *ctx;
	bool effects;            /* what calls read and write, too; of an analysis with pta_opt.keeps_accesses */
	/* Now and then, with the number of calls that are done; false: the rest is not. May be NULL. */
	bool (*progress)(void *ctx, uint64_t calls, uint64_t of);
	void *progress_ctx;
};

struct reach_edge {
	method_id target;        /* of the application */
	bool is_later;           /* only a thread that the call starts runs it */
	method_id by;            /* the method of the library that calls it, the first that was found; none: unknown code */
	uint32_t by_pc;
	/* With opt.witnesses: the methods of the library on the way, each with the call that leads on; the last is `by`. */
	uint32_t first_step, nsteps;
	uint32_t place;          /* of pta_place(): an object that the last call is on; NO_PLACE: it depends on none, or none is known */
};

struct reach_step {
	method_id method;
	uint32_t pc;             /* PC_NONE: the next one initialises a class */
};

/* A field of objects that the application can get at: those that it could before the call, or can when it is over. */
struct reach_access {
	uint32_t place;          /* of pta_place(); NO_PLACE: the field is static */
	field_id field;          /* none: elements of an array */
	uint32_t is_new;         /* bool: only of objects that were not there, or not constructed, before the call */
};
#define NO_PLACE UINT32_MAX

/* Accesses of one field, by place: rows of reach_result.accesses. Effects share them. */
struct reach_set { uint32_t first, n; };

/* What a call may read and write: numbers of reach_result.sets, by field, in reach_result.lists; and methods that it reaches of which
 * nobody knows what they read and write, of reach_result.unknown, sorted. */
struct reach_effect {
	uint32_t first_read, nreads, first_write, nwrites, first_unknown, nunknown;
};

struct reach_call {
	method_id caller;        /* of the application */
	uint32_t pc;
	mref_id mref;            /* what it names; none: code that initialises a class */
	uint32_t first, n;       /* its edges, sorted by target */
	bool is_done;
	uint32_t effect;         /* row of reach_result.effects; 0: not known, or not asked for */
};

struct reach_result {
	VEC(struct reach_call) calls;        /* by caller and pc */
	VEC(struct reach_edge) edges;
	VEC(struct reach_step) steps;            /* of edges */
	VEC(struct reach_effect) effects;        /* [0] unused; calls that have the same share it */
	VEC(uint32_t) lists;
	VEC(struct reach_set) sets;
	VEC(struct reach_access) accesses;
	VEC(method_id) unknown;
	uint64_t questions;      /* calls in contexts */
	uint64_t answers;        /* of these, how many are different */
	uint64_t beginnings;     /* solutions that answers share */
	uint64_t work;           /* words walked */
};

/* Sets that were found are part of a finished analysis; that is not changed. */
void reach_compute(struct pta *a, const struct reach_opt *opt, struct reach_result *out);
void reach_release(struct reach_result *r);

/* Methods of the JDK that are not entered: they are known to call nothing back (quiet.def). Adds method -> 1. */
void reach_quiet(struct pta *a, const struct reach_opt *opt, struct map *out);

#endif
