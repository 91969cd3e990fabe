/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h - the calls within a component, out of it and back into it: what call chains are made of.
 *
 * Made from a call graph of any algorithm. A node is a method of the component that the graph reaches. An edge is a call
 * instruction of one that may run another, labelled with the call site and the class of the receiver. All other code is
 * outside, and two things stand for it, as in the paper on call chains (section 3.1): the external caller, which calls
 * *entries*, and the external callee, which calls at *exits* go to. What the callee does may come back: callbacks.
 *
 * Code that nobody wrote counts as follows. The class of a lambda is passed through: who calls it calls its body. What the
 * JVM, a native method, reflection or a library calls on behalf of an instruction of the component is outside: such calls
 * are exits, and what they lead to is entered anew. Class initialisers are called by the JVM, on top of the code that
 * needs the class (triggers.h). */
#ifndef ANALYSIS_CHAINS_GRAPH_H
#define ANALYSIS_CHAINS_GRAPH_H

#include "analysis/callgraph/callgraph.h"
#include "analysis/chains/passed.h"
#include "analysis/chains/triggers.h"
#include "analysis/hierarchy/hierarchy.h"

struct chain_site {
	uint32_t node;                /* whose call it is */
	uint32_t pc;
	uint32_t line;                /* 0: unknown */
	uint8_t op;                   /* IR_CALL_* */
	bool by_this;                 /* the receiver is `this` of the caller */
	bool is_exit;                 /* it may run code outside */
	bool is_open;                 /* it may be on objects that nobody knows, or was not resolved */
	mref_id declared;
	class_id made;                /* the receiver is a new object of this class; else none */
};

struct chain_edge {
	uint32_t from, to;            /* nodes */
	uint32_t site;
	class_id receiver;            /* the label: none unless the call is dispatched, or on a new object; nor for those of clients */
	bool is_client;               /* the receiver is of a class that clients write, all of which are one label */
	class_id self;                /* of `this` in the callee, where the edge decides that; none: it does not */
	bool keeps_self;              /* `this` of the callee is that of the caller */
	bool is_passed;               /* through a lambda: parameters of the callee are not those of the call */
};

/* With what nodes are entered: the classes of receivers at calls of code outside, and the objects that these pass. */
struct chain_entered {
	uint8_t *is_any;                      /* by node: also with others */
	struct map has;                       /* (node, class) -> 1 */
	uint32_t *params;                     /* [node * PASSED_MOST + parameter]: a set (passed.h) */
	uint8_t *is_passed;                   /* by node: `params` says what */
};

struct chain_graph {
	const struct program *p;
	const struct callgraph *calls;        /* borrowed */
	struct hierarchy *h;                  /* borrowed */
	const struct map *component;          /* class -> not 0; borrowed */
	const struct map *clients;            /* class -> not 0: stands for those that clients write; borrowed, may be NULL */
	method_id main;                       /* the clients; none: the graph's entries are the only ones */
	VEC(method_id) methods;               /* by node; [0] unused; sorted by printed name */
	VEC(struct chain_site) sites;         /* by node; [0] unused */
	VEC(struct chain_edge) edges;         /* by node; then by pc, callee and receiver, the last two by printed name; those with
					       * a label in common follow each other, and differ in `self` */
	VEC(uint32_t) first_edge;             /* by node, and one more */
	VEC(method_id) outside;               /* what exits run, of all nodes */
	VEC(uint32_t) first_outside;          /* by node, and one more: rows of `outside` */
	VEC(uint32_t) back;                   /* nodes that are entered on behalf of an instruction, without code between */
	VEC(uint32_t) first_back;             /* by node, and one more: rows of `back` */
	struct map node_of;                   /* method -> node */
	struct triggers *triggers;
	struct passed *passed;                /* NULL: the analysis has no facts about objects */
	const struct chain_entered *entered;  /* what chains know of entries (levels.h); NULL: nothing; borrowed */
};

struct chain_graph_opt {
	const struct map *component;
	method_id main;
	const struct map *clients;            /* class -> not 0: stands for those that clients write; may be NULL */
	struct pta *facts;                    /* what the graph was made from; borrowed as long as the graph; may be NULL */
};

/* The hierarchy is that of the graph's program. O(sites * targets of the component). */
struct chain_graph *chain_graph_make(const struct callgraph *g, struct hierarchy *h, const struct chain_graph_opt *opt);
void chain_graph_free(struct chain_graph *x);           /* may be NULL */

static inline uint32_t chain_nnodes(const struct chain_graph *x)     /* nodes are 1 .. n */
{
	return x->methods.len - 1;
}
static inline uint32_t chain_node(const struct chain_graph *x, method_id m)      /* 0: it is none */
{
	return map_get(&x->node_of, m.i);
}

/* What a chain knows of `this`: nothing (none); its class; with the first bit, a class that it is an instance of; with the second, a
 * node that code outside entered with it. */
#define SELF_BELOW 0x80000000u
#define SELF_ENTERED 0x40000000u
/* What is known at an entry. Code outside selects a method by the class of the object, or calls it from a subclass that is outside,
 * too: an object whose class has an own method instead does not get there. */
class_id chain_entry_self(const struct chain_graph *x, uint32_t node);
/* The class that `this` is known to be an instance of: none, or a class. `*is_exact`: of no subclass. */
class_id chain_self_class(const struct chain_graph *x, class_id self, bool *is_exact);

/* Can `this`, as far as it is known, be an object of the class? */
bool chain_self_may_be(const struct chain_graph *x, class_id self, class_id c);

/* May the edge follow where that is known of `this` in its caller? A call on `this` is on an object of its class. *out is then
 * what is known of `this` in the callee. */
static inline bool chain_follows(const struct chain_graph *x, const struct chain_edge *e, class_id self, class_id *out)
{
	*out = e->self;
	if (e->keeps_self && !self.i)
		out->i = method_row(x->p, x->methods.data[e->from])->owner.i | SELF_BELOW;
	else if (e->keeps_self)
		*out = self;
	return !x->sites.data[e->site].by_this || !self.i || !e->self.i || e->self.i == self.i ||
	       chain_self_may_be(x, self, e->self);
}

/* The class of a lambda of the component: no code of its own. */
bool chain_is_passed(const struct chain_graph *x, method_id m);
/* Adds what a method's calls may run to `out`, with lambdas passed through; each method once, in no order. */
typedef VEC(method_id) chain_methods;
void chain_pass(const struct chain_graph *x, method_id m, chain_methods *out);

#endif
