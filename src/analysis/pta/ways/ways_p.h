/* SPDX-License-Identifier: Apache-2.0 */
/* ways_p.h - the ways of objects to calls: explain.c says which objects and calls are asked for, search.c finds paths of nodes,
 * costs.c says which are liked, steps.c says what their edges are. */
#ifndef ANALYSIS_PTA_WAYS_P_H
#define ANALYSIS_PTA_WAYS_P_H

#include "analysis/pta/pta_p.h"

struct call_row { uint32_t watch, next; };            /* a call whose receiver is in a node */
struct object_link { object_id o; uint32_t next; };   /* objects of a class, those that stand for all of it first */
struct creation { uint32_t place, instance, stmt; };
#define ANY_PLACE UINT32_MAX     /* of reads by offset: fields of constant types hold the object of their class */
struct path { VEC(uint32_t) nodes; object_id object; };

#define COSTS 256                /* more than any node costs */

struct explainer {
	uint32_t nnodes;
	const struct solver_copy *copies;
	/* The copies out of node n: out[first[n] .. first[n + 1]); with unification also those that come into it. */
	uint32_t *first, *out;
	VEC(struct call_row) calls;      /* [0] unused */
	struct map first_call;           /* node -> row */
	VEC(struct call_row) watches;    /* the same by site; [0] unused */
	struct map first_watch;          /* site -> row */
	VEC(struct object_link) objects; /* [0] unused */
	struct map first_object;         /* class -> row: of unknown class 0, of arrays Object[] */
	VEC(uint32_t) outside;           /* watches: hooks and escapes, whose receivers are everything there is, or what escaped */
	VEC(struct creation) creations;  /* by place */
	uint8_t *cost;                   /* by node */
	/* one search */
	object_id o;
	uint32_t *before;                /* by node: the one before it on the way; itself where the object is created; 0: not seen */
	uint32_t *dist;                  /* by node: what the way costs */
	uint8_t *is_done;                /* by node */
	uint8_t *is_wanted;              /* by node; set and cleared by who asks */
	VEC(uint32_t) seen;
	id_list buckets[COSTS];          /* nodes by cost, in a ring */
	uint32_t nwaiting;
};

/* explain.c */
/* What the node stands for; NULL: the user's side, or every object. */
const struct name *name_of(struct pta *a, uint32_t node);
uint32_t name_length(struct pta *a, const struct name *n);      /* of how many nodes */

/* search.c */
struct explainer *explainer_of(struct pta *a);           /* with its indexes */
node_id receiver_of(struct pta *a, const struct watch *w);      /* of a call */
uint32_t site_of_watch(const struct pta *a, const struct watch *w);
/* The statement after `c` (NULL: the first) that creates the object; NULL: no more. */
const struct creation *next_creation(struct pta *a, object_id o, const struct creation *c);
/* The cheapest ways of an object from its creation to `nwanted` nodes that are marked in is_wanted, or to those within the limit:
 * is_done says to which. To be ended before the next. */
void search_run(struct pta *a, object_id o, uint32_t nwanted, uint32_t limit);
void search_path(const struct pta *a, uint32_t node, struct path *out);
void search_end(struct pta *a);

/* costs.c: what a way through each node costs: more outside the code that is of interest, most by reflection. On the heap. */
uint8_t *ways_costs(struct pta *a, uint32_t nnodes);

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
