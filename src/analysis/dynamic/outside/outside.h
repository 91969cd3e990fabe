/* SPDX-License-Identifier: Apache-2.0 */
/* outside.h - facts from outside: what users say that dynamic calls do, as assumptions that results name. A fact about a place adds to
 * what the call there does; one without a place, to what calls of its sort do that are not resolved, or only because something is
 * assumed. None of them says that this is all: what was not resolved stays so. */
#ifndef ANALYSIS_DYNAMIC_OUTSIDE_H
#define ANALYSIS_DYNAMIC_OUTSIDE_H

#include "analysis/dynamic/values.h"

#define OUTSIDE_ANY_PC UINT32_MAX
#define OUTSIDE_MOST_FILES 127

struct outside_fact {
	enum dynamic_sort sort;          /* of calls: LOAD a class, NEW or CONSTRUCT, INVOKE, GET, SET; NONE: of no call */
	meta what;                       /* class, constructor, method or field */
	method_id caller;                /* the place: who does it; none: anybody */
	uint32_t pc;                     /* and where; OUTSIDE_ANY_PC: anywhere in the method, */
	uint32_t line;                   /* or in this line of it; 0: any */
	class_id condition;              /* it holds if methods of this class, or of one below it, are reached; none: always */
	bool is_exact;                   /* of INVOKE: this method ran, not one that overrides it */
	bool is_entry;                   /* who knows who calls the method, makes objects of the class, or initialises it */
	uint8_t file;                    /* the source, from 1; facts are in the order of files */
	bool is_used;                    /* set when it has been applied */
};

struct outside {
	VEC(struct outside_fact) facts;
};

/* Which facts apply to which calls. */
struct outside_index;
struct outside_index *outside_index_new(struct hierarchy *h, struct outside *o);      /* NULL: there are no facts */
void outside_index_free(struct outside_index *x);

/* Looks at conditions again. Calls fn for each fact about an entry that holds now, once. */
void outside_hold(struct outside_index *x, const struct dynamic_graph *g, void (*fn)(void *ctx, const struct outside_fact *f), void *ctx);

/* Calls fn for each fact that is new about a site, in the order of their files, with what it means to calls of this sort. */
struct outside_site {
	uint32_t number;                 /* of dynamic_note() */
	struct dynamic_place at;
	enum dynamic_sort sort;
	bool is_resolved;                /* whatever is assumed */
};
void outside_apply(struct outside_index *x, const struct outside_site *s,
		   void (*fn)(void *ctx, const struct outside_fact *f, meta what), void *ctx);

#endif
