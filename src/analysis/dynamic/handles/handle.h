/* SPDX-License-Identifier: Apache-2.0 */
/* handle.h - what method handles are: members and elements of arrays, and handles that are made of others.
 *
 * A handle is a row that never changes, and is the same wherever it is made of the same: so sets of handles are sets of
 * metas as others are. Values that a handle is bound to are not part of it: the call that binds them keeps them in static
 * fields of a class of its own (struct handle_site), from where an invocation takes them. Handles of handles of handles end at
 * MAX_DEPTH: a loop could make them without end. */
#ifndef ANALYSIS_DYNAMIC_HANDLES_HANDLE_H
#define ANALYSIS_DYNAMIC_HANDLES_HANDLE_H

#include "analysis/hierarchy/hierarchy.h"

#define MAX_HANDLE_DEPTH 8

enum handle_op {
	HANDLE_NONE,
	HANDLE_VIRTUAL, HANDLE_STATIC, HANDLE_SPECIAL, HANDLE_NEW,                       /* of: a method */
	HANDLE_GETFIELD, HANDLE_GETSTATIC, HANDLE_PUTFIELD, HANDLE_PUTSTATIC,            /* of: a field */
	HANDLE_GET_ELEMENT, HANDLE_SET_ELEMENT, HANDLE_NEW_ARRAY, HANDLE_LENGTH,         /* type: an array */
	HANDLE_IDENTITY, HANDLE_ZERO, HANDLE_THROW,
	HANDLE_CONSTANT,         /* what its site has bound */
	HANDLE_INVOKER,          /* invokes its first argument */
	/* Made of others */
	HANDLE_BIND,             /* (x...) -> part(bound, x...) */
	HANDLE_INSERT, HANDLE_DROP,      /* values at a position of the site */
	HANDLE_SPREAD, HANDLE_COLLECT,   /* from and into an array */
	HANDLE_FILTER_RESULT,    /* part 1 of part 0 */
	HANDLE_FOLD,             /* part 0 with the result of part 1 before its arguments */
	HANDLE_GUARD,            /* part 0, then part 1 or part 2 */
	HANDLE_MIX,              /* any of its parts with any arguments and results */
	HANDLE_CATCH,            /* the same, also with what they throw */
	HANDLE_LAMBDA,           /* makes an object that calls its part; of: a row of handles.lambdas */
};

struct handle {
	enum handle_op op;
	uint32_t of;
	class_id type;           /* of members: the class that was asked for it */
	uint32_t site;           /* where it was made of others, or bound */
	const uint32_t *parts;   /* handles */
	uint32_t nparts;
	uint32_t depth;
};

#define NO_POSITION UINT32_MAX

/* A call that makes handles of others. */
struct handle_site {
	method_id method;
	uint32_t pc;
	mref_id ref;
	bool has_receiver, has_position;
	uint32_t at, count;      /* position and number of values; NO_POSITION: not known */
	class_id type;           /* of the array that collects; none: not known */
	method_id binder;        /* a static method with the operands of the call, which keeps them; none: not asked for yet */
};

/* An object that calls a handle: by the method with this name, or each that its interface has. */
struct handle_lambda {
	str_id name, factory, sam;       /* descriptors of the method that makes it, and of its own; 0: none is given */
	class_id interface;
};

struct handles {
	VEC(struct handle) rows;         /* [0] unused */
	VEC(struct handle_site) sites;   /* [0] unused */
	struct map site_by_key;          /* (method, pc) -> site */
	VEC(struct handle_lambda) lambdas;       /* [0] unused */
	struct map made;                 /* row of such a handle -> class of its objects */
	struct interner keys;            /* rows as bytes, ... */
	struct map row_by_key;           /* and their numbers */
	struct arena mem;
};
void handles_init(struct handles *t);
void handles_release(struct handles *t);

/* The handle that is so, whose parts are copied; 0: it would be too deep. */
uint32_t handle_row(struct handles *t, struct handle is);
uint32_t handle_lambda(struct handles *t, struct handle_lambda is);
uint32_t handle_site(struct handles *t, struct handle_site is);          /* of its method and pc: the first one */
/* Is a handle with this operation among it and what it is made of? */
bool handle_has(const struct handles *t, uint32_t row, enum handle_op op);
bool handle_writes(const struct handles *t, uint32_t row);               /* may it write fields? */

/* binder.c: the fields of the site's operands; none: it is a primitive. Each makes the binder, with the fields, if there is none yet. */
method_id handle_binder(struct handles *t, struct program *p, uint32_t site);
fref_id handle_bound(struct handles *t, struct program *p, uint32_t site, uint32_t operand);

#endif
