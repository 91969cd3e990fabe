/* SPDX-License-Identifier: Apache-2.0 */
/* explain_p.h - a search for the way of an object: explain.c finds a path of nodes, steps.c says what its edges are. */
#ifndef ANALYSIS_PTA_EXPLAIN_P_H
#define ANALYSIS_PTA_EXPLAIN_P_H

#include "analysis/pta/pta_p.h"

struct caller_row { uint32_t watch, next; };          /* a call, or a hook, that reaches a method */
struct creation { uint32_t place, instance, stmt; };
#define ANY_PLACE UINT32_MAX     /* of reads by offset: fields of constant types hold the object of their class */
struct path { VEC(uint32_t) nodes; object_id object; };

struct explainer {
	uint32_t nnodes;
	const struct solver_copy *copies;
	/* The copies into node n: into[first[n] .. first[n + 1]); with unification also those that leave it. */
	uint32_t *first, *into;
	VEC(struct caller_row) callers;  /* [0] unused */
	struct map first_caller;         /* method -> row */
	VEC(struct creation) creations;  /* by place */
	/* one search */
	object_id o;
	uint32_t *next;                  /* by node: the one after it on the way; itself at the call; 0: not seen */
	uint8_t *creates;                /* by node: the object is created into it */
	VEC(uint32_t) queue, created;
};

/* explain.c */
/* What the node stands for; NULL: the user's side, or every object. */
const struct name *name_of(struct pta *a, uint32_t node);
/* The statement after `c` (NULL: the first) that creates the object; NULL: no more. */
const struct creation *next_creation(struct pta *a, object_id o, const struct creation *c);

/* steps.c */
void add_steps(struct pta *a, const struct path *path);         /* to a->steps */

static inline bool site_calls(const struct site *site, method_id callee)
{
	for (uint32_t i = 0; i < site->targets.len; i++)
		if (site->targets.data[i].i == callee.i)
			return true;
	return false;
}

/* Unification does not look at masks. */
static inline bool passes_mask(const struct pta *a, mask_id m, object_id o)
{
	return a->policy->unify_after || solver_mask_has(a->s, m, solver_kind_of(a->s, o));
}

#endif
