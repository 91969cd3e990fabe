/* SPDX-License-Identifier: Apache-2.0 */
/* chain.h - shortest chains of calls in a call graph: how a method is reached. */
#ifndef ANALYSIS_CALLGRAPH_CHAIN_H
#define ANALYSIS_CALLGRAPH_CHAIN_H

#include "analysis/callgraph/callgraph.h"

struct chain_call {
	method_id caller;
	uint32_t pc;                     /* of the call; of several, the first in the code */
	method_id callee;
};
struct call_chain {
	method_id start;                 /* an entry: the user, the JVM, or the initialisation of its class calls it */
	VEC(struct chain_call) calls;    /* empty: the start is the method itself */
};

/* A chain with the fewest calls from `from` to `to`; where there is none (class initialisers and what the JVM calls
 * have no callers), from whichever entry is nearest. False: `to` is not reachable. *out is empty before; release it in
 * any case. O(edges). */
bool call_chain_find(const struct callgraph *g, method_id from, method_id to, struct call_chain *out);
void call_chain_release(struct call_chain *c);

/* Does the chain lead from an entry, or from `from`, to `to`, by edges of the graph? False: *reason says why not. */
bool call_chain_check(const struct callgraph *g, method_id from, method_id to, const struct call_chain *c,
		      const char **reason);

#endif
