/* SPDX-License-Identifier: Apache-2.0 */
/* forest.h - call chains of a component: a tree of calls for each entry, as in figure 3 of the paper, in the space of a graph.
 *
 * A node of a tree is a chain: the calls from the entry to it. Two nodes have the same subtree when they are in the same
 * method, know the same of `this` and of parameters, have passed the same filters, and (with back edges) lie below the same methods of a
 * cycle; then they are one *state*. So trees of astronomical size are counted in states times length, and written in the
 * size of what is written.
 *
 * Granularity: an edge of a tree is labelled (call site, receiver class), or by the site alone, or not at all, and siblings
 * with the same label and method are one. The trees of the two coarser ones are exactly the projections of the finest. */
#ifndef ANALYSIS_CHAINS_FOREST_H
#define ANALYSIS_CHAINS_FOREST_H

#include "analysis/callgraph/sets.h"
#include "analysis/chains/levels.h"
#include "analysis/chains/prune.h"

enum chain_granularity { CHAIN_METHOD, CHAIN_SITE, CHAIN_RECEIVER };

#define CHAIN_MOST_FILTERS 16         /* that a chain has to pass, each its own bit */
#define CHAIN_UNBOUNDED UINT32_MAX

/* Which chains are wanted. All may be NULL: none are left out. */
struct chain_filter {
	const bool *stops_node;       /* by node, edge: no chain goes there */
	const bool *stops_edge;
	const uint16_t *passes_node;  /* by node, edge: bits that a chain through it has passed; all of `all` are wanted */
	const uint16_t *passes_edge;
	const bool *is_root;          /* by node: entries whose trees are wanted */
	uint16_t all;
};

/* Somebody says that no chain begins with these methods. */
struct chain_assertion {
	const bool *const *nodes;     /* [n][node]: the entry, and what is called, call by call */
	uint32_t n;                   /* at least 2 */
};

struct chain_opt {
	enum chain_granularity granularity;
	bool backedges;               /* a call of a method that the chain is in is a back edge: no chain goes on there */
	bool from_main;               /* lengths are counted from the clients, whose call of the entry is the first */
	uint32_t k;                   /* calls of a chain; CHAIN_UNBOUNDED only with back edges */
	uint32_t most_states;         /* 0: any number */
	struct chain_filter filter;
	struct chain_prune *prune;    /* borrowed, as long as the forest; NULL: conditions do not count */
	const struct chain_assertion *assertions;
	uint32_t nassertions;
};

/* A level that chains are wanted at. */
struct chain_level {
	uint32_t level;               /* of struct chain_levels */
	bool or_more;
};

struct forest_state {
	uint32_t node;
	uint32_t contexts;            /* set of what may be known there (prune.h); 0: nothing */
	uint32_t asserted;            /* set of how far assertions fit the way to it */
	uint32_t below;               /* with back edges: set of nodes of its cycle that it lies below, itself included */
	uint32_t first, n;            /* children */
	uint32_t first_dead, ndead;   /* calls that conditions rule out there, however it was reached */
	uint32_t nearest;             /* calls to the nearest node that has passed all filters; CHAIN_NEVER: there is none */
	uint16_t passed;
};
struct forest_child {
	uint32_t edge;                /* of the graph; the first of those that the label stands for */
	uint32_t state;               /* 0: a back edge */
};
struct forest_dead {
	uint32_t edge;                /* the first of those that the label stands for */
	uint32_t context;             /* one in which it is ruled out */
};
/* Trees of an entry at a level. */
struct forest_tree {
	uint32_t state;
	uint32_t level;               /* row of the levels that were asked for */
	uint32_t start;               /* calls before its first: 0, or the distance of the entry from the clients */
};

struct forest {
	const struct chain_graph *x;
	struct chain_opt opt;
	VEC(struct chain_level) levels;
	VEC(struct forest_tree) trees;        /* by entry, then level */
	VEC(struct forest_state) states;      /* [0] unused */
	VEC(struct forest_child) children;
	VEC(struct forest_dead) dead;
	VEC(uint32_t) cuts;                   /* by assertion: states where it ends chains */
	struct id_sets contexts, below, asserted;
	/* counts.data[d * states + state]: nodes d calls below it that have passed all filters; saturated. */
	VEC(uint64_t) counts;
	uint32_t depth;               /* of the deepest tree; rows of counts are 0 .. depth */
	bool is_cut;                  /* there were too many states, or states times lengths: nothing else may be asked */
	uint64_t backedges;           /* of states, not of trees */
};

/* Makes the trees of every entry that `levels` has at one of `wanted`, n of them. Never NULL. `x` is borrowed. */
struct forest *forest_make(const struct chain_graph *x, const struct chain_levels *levels, const struct chain_level *wanted,
			   uint32_t n, const struct chain_opt *opt);
void forest_free(struct forest *f);                     /* may be NULL */

/* Sums that stay at CHAINS_MANY when they get there. */
#define CHAINS_MANY UINT64_MAX
static inline uint64_t chains_plus(uint64_t a, uint64_t b)
{
	return a + b < a ? CHAINS_MANY : a + b;
}
/* Chains of this length, of one tree or all. Where lengths start at the entry, that alone is no chain. */
uint64_t forest_tree_count(const struct forest *f, const struct forest_tree *t, uint32_t length);
uint64_t forest_tree_total(const struct forest *f, const struct forest_tree *t);
uint64_t forest_count(const struct forest *f, uint32_t length);
uint64_t forest_total(const struct forest *f);
/* Chains of the length that `from` has more than `f`; CHAINS_MANY: too many to tell. */
static inline uint64_t chains_fewer(const struct forest *from, const struct forest *f, uint32_t length)
{
	uint64_t all = forest_count(from, length), n = forest_count(f, length);

	return all == CHAINS_MANY && n != all ? CHAINS_MANY : all - n;
}
uint32_t forest_longest(const struct forest *f);        /* the length of the longest chains */
uint32_t forest_entries(const struct forest *f);        /* that have trees */
/* Chains that begin with the way to a state below a tree, when `used` calls led there from its root. */
uint64_t forest_below(const struct forest *f, uint32_t state, uint32_t used, const struct forest_tree *t);
/* May chains of the tree be `used` calls long, counted from the entry? */
uint32_t forest_room(const struct forest *f, const struct forest_tree *t);

/* The method that is on most chains, entries of their trees aside; 0: no chain has a call. What to leave out when there are too
 * many; `share` is about how many of all go through it, from 0 to 1. */
uint32_t forest_busiest(const struct forest *f, double *share);

/* Enumeration, tree by tree, each chain before those that go on from it:
 *
 *	struct chain_walk w = { .forest = f };
 *	while (chain_next(&w))
 *		... w.tree, w.edges ...
 *	chain_walk_release(&w);
 *
 * All of it takes time linear in the chains times k. */
struct chain_walk {
	const struct forest *forest;
	uint32_t tree;                /* of the chain */
	VEC(uint32_t) edges;          /* of the graph, from the entry on */
	/* its own */
	VEC(uint32_t) states, at;     /* on the way, the root first; the child that is next */
	bool is_started;
};
bool chain_next(struct chain_walk *w);
void chain_walk_release(struct chain_walk *w);
/* The chain with this number, from 0 on, as if chain_next() had been called so often; O(k * children). False: there are fewer. */
bool chain_at(struct chain_walk *w, uint64_t number);

/* Enumeration of the calls that conditions rule out, each after a chain that goes on up to there:
 *
 *	struct dead_walk w = { .forest = f };
 *	while (dead_next(&w))
 *		... w.tree, w.edges, w.dead ...
 *	dead_walk_release(&w);
 */
struct dead_walk {
	const struct forest *forest;
	uint32_t tree;
	VEC(uint32_t) edges;          /* from the entry to the caller */
	const struct forest_dead *dead;
	/* its own */
	VEC(uint32_t) states, at;     /* on the way; dead calls and then children, that were seen */
	bool is_started;
};
bool dead_next(struct dead_walk *w);
void dead_walk_release(struct dead_walk *w);

/* Are counts what enumeration finds, at most `most` of them, and is every chain one of the graph? */
bool forest_check(const struct forest *f, uint64_t most, const char **reason);

#endif
