/* SPDX-License-Identifier: Apache-2.0 */
/* solve_p.h - the inside of a solver.
 *
 * Difference propagation: what arrives at a node goes into its set and its delta; a visit takes the delta away and
 * hands it to the node's rules and along its edges. So, with done = set - delta,
 *   - a node is queued or put off exactly when its delta is not empty,
 *   - every rule of a node has been given its done elements, unless the rule waits in `late`,
 *   - every edge has carried at least the done elements of its source,
 *   - a node that is not marked as visited has no done elements.
 * Nodes live in one array that grows: hold ids, not pointers, across anything that may add nodes (watches do). Nodes
 * become one only between visits. */
#ifndef SOLVE_SOLVE_P_H
#define SOLVE_SOLVE_P_H

#include "base/vec.h"
#include "solve/set.h"

struct edge {
	uint32_t to, mask;
};

struct edges {
	union {
		struct edge one;           /* cap == 0 */
		struct edge *many;
	};
	uint32_t n, cap;
};

#define NODE_VISITED 0x80000000u
#define NODE_VISITS 0x7fffffffu

/* A cache line. A node that another stands for owns nothing. */
struct node {
	struct set set, delta;
	struct edges edges;
	uint32_t parent;                   /* the node, or one nearer to the node, that stands for it; 0: itself */
	uint32_t rules;                    /* the last one; they form a ring */
	uint32_t rank;
	uint32_t visits;                   /* how many, and NODE_VISITED */
};

enum rule_type { RULE_LOAD, RULE_STORE, RULE_WATCH };

struct rule {
	uint32_t next;
	uint32_t type;
	uint32_t guard;
	uint32_t slot;                     /* or the tag of a watch */
	uint32_t node;                     /* the target of a load, the source of a store */
	uint32_t mask;
};

struct kind {
	uint32_t nslots, admits;
	bool slots_are_one;                /* any number means the one slot */
	uint32_t slots;                    /* first slot of the object that stands for it */
	bool has_object;
	uint32_t group;                    /* the group that its objects fill, and how many it has; 0: none yet */
	uint32_t used;
	uint32_t member;                   /* the last of its rows in members */
};

/* A kind is in a mask. */
struct member {
	uint32_t next, mask;
};

#define GROUP 8u                           /* objects: a byte of a word */

struct group {
	uint32_t kind;
	uint32_t slots;                    /* in first_slots, for each object; unless its kind has no slots */
	uint32_t before;                   /* the group that its kind filled before; 0: none */
};

struct mask {
	VEC(uint64_t) kinds;               /* as bits, hence also the objects that stand for them */
	VEC(uint64_t) objects;             /* of groups, by block from KIND_BLOCKS on */
	VEC(uint32_t) blocks;              /* of which it lets something pass, sorted */
};

/* Rules that are owed what their node had done before they came to it: `given`, or all when `node` is not 0. */
struct late {
	uint32_t node, first, last;
	struct set given;
};

struct pair {
	uint32_t a, b;
};

/* The queued nodes, as bits in the order of ranks; a bit of `summary` stands for a word of `bits` that is not 0. */
struct queue {
	VEC(uint64_t) bits;
	VEC(uint64_t) summary;
	VEC(uint32_t) nodes;               /* by rank */
	uint32_t at;                       /* the rank from which the sweep goes on */
	uint32_t len;
};

struct solver {
	struct solver_opt opt;
	struct pool pool;
	VEC(struct node) nodes;
	VEC(struct rule) rules;
	VEC(struct kind) kinds;
	VEC(struct group) groups;          /* [0] unused: group g has the objects from KINDS_MAX + g * GROUP on */
	VEC(uint32_t) first_slots;
	VEC(struct mask) masks;
	VEC(struct member) members;
	VEC(struct solver_copy) copies;
	VEC(struct late) late;             /* before the next visit */
	VEC(struct pair) joins;            /* of nodes, to be done after the visit */
	VEC(uint32_t) firsts;              /* of join_contents: by category, the slot that stands for its objects; 0: none yet */
	struct queue queue;
	struct set_buf filtered, news, spare;      /* of flow */
	struct set_buf guarded, done;              /* of rules while they are applied, and of joins */
	bool visiting;
	bool visits_large;                 /* in this sweep */
	VEC(uint32_t) put_off;             /* nodes with large sets that are to be visited */
	uint64_t objects, joined, edges, visits, searches;
	uint64_t work, search_at;          /* words and edges walked; at how much to search for cycles again */
	uint64_t new_edges, many_edges;    /* since the last search; how many do not wait for the end of a sweep */
	uint64_t ask_at;                   /* at how much work to ask go_on */
};

/* mask.c */
void masks_add_group(struct solver *s, uint32_t kind, uint32_t group);    /* a new group of a kind */
void masks_release(struct solver *s);
/* What passes; in `out`, whose words it replaces. */
struct set_view filter(const struct solver *s, struct set_view v, uint32_t mask, struct set_buf *out);

/* solve.c */
uint32_t slot_node(struct solver *s, object_id o, uint32_t slot);

/* edges.c */
void edges_push(struct edges *l, struct edge e, struct pool *p);
void edges_release(struct edges *l, struct pool *p);
void edges_shrink(struct edges *l, uint32_t n, struct pool *p);           /* keeps the first n */
static inline struct edge *edges_data(struct edges *l)
{
	return l->cap ? l->many : &l->one;
}

/* queue.c */
void queue_add_rank(struct queue *q, uint32_t node);       /* the node comes after all others */
void queue_put(struct queue *q, uint32_t rank);            /* not queued before */
void queue_drop(struct queue *q, uint32_t rank);           /* if it is queued */
uint32_t queue_take(struct queue *q);                      /* the next node; 0: none is left in this sweep */
void queue_clear(struct queue *q);                         /* forgets nodes and ranks */
void queue_release(struct queue *q);

/* run.c */
void add_to_delta(struct solver *s, struct node *n, struct set_view v);  /* leaves the queue alone */
void flow(struct solver *s, uint32_t to, struct set_view v, uint32_t mask);
void add_copy(struct solver *s, uint32_t from, uint32_t to, uint32_t mask);
void unify(struct solver *s, uint32_t a, uint32_t b);      /* at once, or after the visit */

/* cycles.c */
void join(struct solver *s, uint32_t a, uint32_t b);       /* two nodes that stand for themselves */
void search_cycles(struct solver *s);

static inline uint32_t find(const struct solver *s, uint32_t n)
{
	while (s->nodes.data[n].parent)
		n = s->nodes.data[n].parent;
	return n;
}

/* Also shortens the way for the next time. */
static inline uint32_t find_halving(struct solver *s, uint32_t n)
{
	struct node *nodes = s->nodes.data;

	while (nodes[n].parent) {
		uint32_t parent = nodes[n].parent;

		if (nodes[parent].parent)
			nodes[n].parent = nodes[parent].parent;
		n = parent;
	}
	return n;
}

#endif
