/* SPDX-License-Identifier: Apache-2.0 */
/* graph_p.h - states and arrows of an automaton, as arrays. The library libfa computes with automata; it can be asked for states and
 * transitions, but its order of them is that of addresses. A graph is what it says, in an order of its own: all questions
 * that only read are asked here, and results do not depend on where memory is. */
#ifndef ANALYSIS_STRINGS_GRAPH_P_H
#define ANALYSIS_STRINGS_GRAPH_P_H

#include "analysis/strings/bytes.h"
#include "base/mem.h"
#include "base/vec.h"

struct fa;

struct arrow {
	uint32_t to;
	uint8_t lo, hi;               /* the bytes lo to hi */
};

/* State 0 is the initial one. The arrows of state i are arrows[first[i]] up to, not including, arrows[first[i + 1]]. */
struct graph {
	uint32_t n, arrow_count;
	uint32_t *first;              /* n + 1 */
	struct arrow *arrows;
	bool *accepts;
};

/* The automaton as it is, states in the order of libfa. */
void graph_read(struct graph *g, struct fa *fa, struct arena *a);

/* The same of a deterministic automaton, with states in breadth-first order and arrows by bytes: of minimal automata, equal
 * languages have equal graphs. */
void graph_read_ordered(struct graph *g, struct fa *fa, struct arena *a);

/* With all arrows turned round; nothing accepts. */
struct graph graph_turn(const struct graph *g, struct arena *a);

/* How many sets of states the subset construction makes from the set `starts`, or 0 when they are more than `states`, or it takes
 * more than `*steps` steps, or millions; what it used is taken from `*steps`. `classes` is how many classes of bytes the arrows
 * tell apart. libfa bounds nothing of this, so it is computed before an automaton is made deterministic. */
uint32_t graph_subsets(const struct graph *g, const bool *starts, uint32_t states, uint64_t *steps, uint32_t *classes);

/* Whether the product of two graphs has at most `pairs` reachable states. */
bool graph_product_fits(const struct graph *g, const struct graph *h, uint32_t pairs);

/* The rest is about ordered graphs of minimal automata, whose states all are on a way to an accepting one. */

/* What a finite language holds, counting up to limits. */
struct graph_size {
	bool finite;
	uint64_t strings, bytes;      /* UINT32_MAX: that many, or more */
};
struct graph_size graph_size(const struct graph *g);

bool graph_contains(const struct graph *g, struct str s);
/* The same of one string after the other, which may be many: `shared` is how many bytes of the one before it begins with. */
struct graph_walk {
	const struct graph *g;
	uint32_t *next;               /* by state and byte; NULL: there are many states */
	VEC(uint32_t) states;         /* behind each byte of the last string, as far as there are any */
};
void graph_walk_init(struct graph_walk *w, const struct graph *g);
void graph_walk_release(struct graph_walk *w);
/* Did the last string come to an end within what this one shares with it? So does this one, then. */
static inline bool graph_walk_ended(const struct graph_walk *w, uint32_t shared)
{
	return shared > w->states.len;
}
bool graph_walk(struct graph_walk *w, struct str s, uint32_t shared);
bool graph_includes(const struct graph *g, const struct graph *in);       /* every string of `in` is one of `g` */
void graph_bytes(const struct graph *g, struct byteset *bytes);           /* all that arrows carry */

#endif
