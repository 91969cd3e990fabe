/* SPDX-License-Identifier: Apache-2.0 */
/* prune.h - what a chain knows in each of its methods, and which calls that rules out.
 *
 * A chain knows the class of `this`, as without pruning (graph.h), and what its calls pass: constants, null, objects of a known
 * class; at an entry, which objects code outside passes. That is a *context*, a number. In each method the conditions are evaluated
 * with it (analysis/conditions): a call that cannot run ends the chain. Answers depend on the method and the context alone, so that
 * chains with the same calls have the same fate. */
#ifndef ANALYSIS_CHAINS_PRUNE_H
#define ANALYSIS_CHAINS_PRUNE_H

#include "analysis/chains/graph.h"

struct chain_prune;

/* `x` is borrowed. */
struct chain_prune *chain_prune_new(const struct chain_graph *x);
void chain_prune_free(struct chain_prune *u);           /* may be NULL */

#define CONTEXT_NONE 0        /* nothing is known */
/* What is, at an entry: one of several contexts, by the objects that calls from outside pass (graph.h). Returns how many, at least one. */
#define CHAIN_MOST_ENTERED 16
uint32_t chain_prune_entry(struct chain_prune *u, const struct chain_graph *x, uint32_t node, uint32_t out[CHAIN_MOST_ENTERED]);

enum chain_fate {
	CHAIN_GOES_ON,
	CHAIN_OTHER_THIS,         /* `this` is of another class: no chain without pruning, either */
	CHAIN_RULED_OUT,          /* by a condition */
};

/* What becomes of a chain at a call, where this is known in its caller. *out is then what is known in the callee. Without `u`, contexts
 * are classes of `this`, as chain_follows() has them, and conditions do not count. */
enum chain_fate chain_prune_follow(struct chain_prune *u, const struct chain_graph *x, uint32_t edge, uint32_t context, uint32_t *out);

/* What rules the call out, for people: "parameter 1 is false". */
struct chain_reason {
	method_id method;
	uint32_t pc, line;            /* 0: unknown */
	const char *text;             /* as long as `u` */
};
struct chain_reason chain_prune_why(struct chain_prune *u, uint32_t edge, uint32_t context);

/* Contexts of which less is kept than is known, since their methods had too many. */
uint32_t chain_prune_forgotten(const struct chain_prune *u);

#endif
