/* SPDX-License-Identifier: Apache-2.0 */
/* cgraph.h - who may call whom in a C program, from points-to facts.
 *
 * Functions are those that people know: a model that was copied for single calls is one function, and its calls have the
 * targets of all copies. Everything is in the order of names; numbers of nodes stand for functions. */
#ifndef ANALYSIS_CGRAPH_H
#define ANALYSIS_CGRAPH_H

#include "analysis/cpta/cpta.h"

/* The functions of a program with their names. */
struct cfunctions {
	const struct cpta *facts;     /* borrowed */
	struct arena mem;
	struct str *names;            /* by function, as cname_fn has them */
	uint32_t *rank;               /* by function: from 1, in the order of their names */
	cfn_id *order;                /* those that are reached, by name; a model's copies for single calls are it */
	uint32_t n;
	uint32_t *next_copy;          /* by function: the next copy of the same model; 0: no more */
	cfn_vec targets, found;       /* scratch */
};
void cfunctions_init(struct cfunctions *x, const struct cpta *facts);
void cfunctions_release(struct cfunctions *x);
/* The targets of a call in the order of their names; valid until the next call. Of a model's call: those in all its copies. */
const cfn_vec *cfunctions_targets(struct cfunctions *x, ccall_id c);

/* Is the function the user's, not a model or placeholder, and may it run? */
bool cfn_is_own(const struct cpta *facts, cfn_id f);
static inline bool ccall_is_indirect(const struct ccall *c)
{
	return !c->callee.i && !(c->flags & CCALL_ASM);
}

enum cgraph_kind { CGRAPH_DIRECT, CGRAPH_POINTER, CGRAPH_ASSEMBLY };
const char *cgraph_kind_name(enum cgraph_kind k);     /* "direct", "pointer", "assembly" */

/* What a site could not be resolved to, and why. */
enum cgraph_cause {
	CGRAPH_RESOLVED,
	CGRAPH_UNKNOWN_CODE,          /* it may call code that is not there */
	CGRAPH_IN_ASSEMBLY,           /* what assembly calls is not read */
	CGRAPH_NO_TARGET,             /* nothing is known to get into the pointer */
};
const char *cgraph_cause_name(enum cgraph_cause c);   /* "unknown-code", "assembly", "no-target"; NULL: resolved */

struct cgraph_site {
	ccall_id call;
	uint32_t number;              /* within the function, from 0 */
	uint8_t kind;                 /* enum cgraph_kind */
	uint8_t cause;                /* enum cgraph_cause */
	uint32_t first, ntargets;     /* rows of `targets` */
};

struct cgraph_node {
	cfn_id fn;
	bool is_entry, is_library;    /* runs without being called; a model, or unknown code */
	uint32_t first, nsites;       /* rows of `sites` */
};

struct cgraph {
	struct cfunctions *functions;         /* borrowed */
	VEC(struct cgraph_node) nodes;        /* by name */
	VEC(struct cgraph_site) sites;        /* node by node, in the order of the code */
	VEC(uint32_t) targets;                /* rows of nodes, in order */
};
/* `unknown` is the function that stands for code that is not there; none: all is there. */
void cgraph_compute(struct cgraph *g, struct cfunctions *functions, cfn_id unknown);
void cgraph_release(struct cgraph *g);

struct cgraph_stats {
	uint64_t functions, sites, edges;
	uint64_t function_edges;      /* pairs of functions */
	uint64_t indirect, poly;      /* sites: through pointers, with several targets */
	uint64_t unresolved;
};
struct cgraph_stats cgraph_stats(const struct cgraph *g);

#endif
