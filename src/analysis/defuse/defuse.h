/* SPDX-License-Identifier: Apache-2.0 */
/* defuse.h - def-use pairs of an application: which statements may read what which others wrote.
 *
 * A *definition* is a statement of the application that writes a field, of an object or static; a *use* one that reads it. They are a
 * pair where both may mean the same field of the same object, and a path through the application leads from the definition to the use on
 * which no other definition surely overwrites it: through calls, returns, exceptions, callbacks and class initialisers. Calls of libraries
 * run their callbacks in any order, any number of times. Elements of arrays are left out. docs/analyses/defuse.md.
 *
 * Each pair that a run exercises is there: a use, and the last definition of the same field of the same object before it, both by
 * statements of the application. */
#ifndef ANALYSIS_DEFUSE_H
#define ANALYSIS_DEFUSE_H

#include "analysis/callbacks/callbacks.h"

enum pair_sort {
	PAIR_INTRA,              /* a path within one call of a method, past what that calls */
	PAIR_INTER,              /* only a path through other calls */
	PAIR_THREAD,             /* no path but that threads run beside each other */
	PAIR_LIBRARY,            /* one of both is a library call */
	PAIR_SORTS
};
const char *pair_sort_name(enum pair_sort s);            /* "intra", "inter", "thread", "library" */

/* A definition or use. Several statements of one instruction that access the same field are one. */
struct field_access {
	method_id method;
	uint32_t pc;             /* putfield, putstatic, getfield, getstatic; or invokedynamic, by what that comes down to */
	field_id field;
	bool is_library;         /* a library call accesses it */
};

struct du_pair {
	uint32_t def, use;       /* rows */
	enum pair_sort sort;
	uint32_t place;          /* an object that both may mean, the first of pta_place(); PLACE_NONE: static, or none that is known */
};
#define PLACE_NONE UINT32_MAX

struct defuse {
	VEC(struct field_access) defs, uses;     /* by method, pc, field: in the order of ids; libraries' among them */
	VEC(struct du_pair) pairs;               /* by definition, then by use */
	uint64_t counts[PAIR_SORTS];
	uint64_t definitions, reads;             /* statements of the application that write, and that read: rows but libraries' */
	uint64_t fields;                         /* that have a pair */
	uint64_t threaded;                       /* methods of the application that may run beside others */
};

/* What a library call does to fields: rows of (field, object). */
struct library_access {
	field_id field;
	uint32_t place;          /* of pta_place(); PLACE_NONE: the field is static */
	bool is_write;           /* which may happen, or not */
};
typedef void library_visit(void *to, const struct library_access *access);

struct defuse_opt {
	const struct callbacks *calls;           /* of the same graph; not of CALL_LATER alone */
	bool (*is_application)(const void *ctx, class_id c);     /* the same as for these */
	const void *ctx;
	/* Calls visit(to, access) for each access of the library call at `pc` of `caller`, on objects that the application has. NULL: what
	 * libraries access is not known. */
	void (*library)(const void *library_ctx, method_id caller, uint32_t pc, library_visit *visit, void *to);
	const void *library_ctx;
};

/* `facts` of a policy that keeps variables apart, computed with keeps_bases; those that the graph is from. */
struct defuse *defuse_compute(const struct callgraph *g, struct pta *facts, const struct defuse_opt *opt);
void defuse_free(struct defuse *d);                      /* may be NULL */

#endif
