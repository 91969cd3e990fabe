/* SPDX-License-Identifier: Apache-2.0 */
/* path.h - shortest paths of calls in a call graph: how a method is reached. */
#ifndef ANALYSIS_CALLGRAPH_PATH_H
#define ANALYSIS_CALLGRAPH_PATH_H

#include "analysis/callgraph/callgraph.h"

struct path_call {
	method_id caller;
	uint32_t pc;                     /* of the call; of several, the first in the code */
	method_id callee;
};
struct call_path {
	method_id start;                 /* an entry: the user, the JVM, or the initialisation of its class calls it */
	VEC(struct path_call) calls;     /* empty: the start is the method itself */
};

/* Code that calls and writes by name, or as a stream says: reflection, deserialization. Nobody looks there for the way to something if
 * there is another one. */
bool is_detour(const struct program *p, class_id c);

/* A path with the fewest detours, and of those with the fewest calls, from `from` to `to`; where there is none (class initialisers and
 * what the JVM calls have no callers), from whichever entry is nearest. False: `to` is not reachable. *out is empty before; release it
 * in any case. O(edges). */
bool call_path_find(const struct callgraph *g, method_id from, method_id to, struct call_path *out);
void call_path_release(struct call_path *c);

/* The same for many methods: the paths of all, found at once. The graph must outlive it. */
struct call_tree {
	const struct callgraph *g;
	struct path_call *by;            /* by method: the call that reaches it; none: there is no path */
	uint32_t nmethods;               /* of the program, when it was made */
};
void call_tree_init(struct call_tree *t, const struct callgraph *g, method_id from);
bool call_tree_path(const struct call_tree *t, method_id to, struct call_path *out);     /* replaces *out */
void call_tree_release(struct call_tree *t);

/* Does the path lead from an entry, or from `from`, to `to`, by edges of the graph? False: *reason says why not. */
bool call_path_check(const struct callgraph *g, method_id from, method_id to, const struct call_path *c,
		      const char **reason);

#endif
