/* SPDX-License-Identifier: Apache-2.0 */
/* plan_chains.h - methods and calls of a plan, and the call chains that are required: a forest in the space of a graph.
 *
 * Every method of the component that has code, or is native, is a *body*; every call in one that may run a body is a *call*. A
 * state stands for all nodes of trees that have the same below them (analysis/chains/forest.h). Chains are labelled as their
 * granularity says: of a child the call counts from `site` on, the receiver for `receiver` alone. */
#ifndef FORMATS_PLAN_CHAINS_H
#define FORMATS_PLAN_CHAINS_H

#include "base/span.h"
#include "base/vec.h"

struct plan_method {              /* a method with at least one site; a body, with any number of calls */
	uint32_t class;
	struct str name, desc;
	uint64_t code;                /* digest of its bytecode, see plan_code_digest(); of a body 0: it is native */
	uint32_t first_site, nsites;
};
enum plan_site_flags {
	PLAN_REACHED = 1,             /* by the analysis */
	PLAN_OPEN = 2,                /* objects that the analysis does not know may be receivers */
	PLAN_CLIENT = 4,              /* classes of clients may be receivers */
	PLAN_INTERFACE = 8,           /* invokeinterface; without this and the next two invokevirtual */
	PLAN_SPECIAL = 16, PLAN_STATIC = 32,  /* of calls: invokespecial, invokestatic */
	PLAN_EXIT = 64,               /* of calls: it may run other code than bodies; of sites: it is watched for callbacks */
	PLAN_NEW = 128,               /* of calls: a constructor, of a new object */
	PLAN_DYNAMIC = 256,           /* invokedynamic: the owner is the class of its bootstrap method */
	PLAN_NO_RECEIVERS = 512,      /* of sites: it is watched for callbacks, or definitions, alone */
	PLAN_FIELD = 1024,            /* of sites: no call, but getfield, or with PLAN_STATIC getstatic */
	PLAN_CHOICE = 2048,           /* of sites: it may run more than one method. With PLAN_LADDER */
};
struct plan_range { uint32_t first, n; };      /* of `ids`, which are rows of `types` */
struct plan_site {                /* a call that is watched: one whose receiver can have several classes, or that chains may have */
	uint32_t method;              /* row of methods; of a call that of bodies */
	uint32_t pc;
	uint32_t line;                /* 0: unknown */
	uint32_t flags;
	struct str owner, name, desc; /* as the call instruction names it */
	uint32_t nth, of;             /* it is the nth (from 0) of `of` calls in its method that look the same */
	struct plan_range rc;         /* possible classes of the receiver, by name. Of calls: none */
	struct plan_range tm;         /* classes that declare a possible target; by name. The target is TYPE.name desc */
	/* With the ladder */
	struct plan_range own;        /* of `rc`, where there is a choice: classes of the component that select methods of it */
	struct plan_range own_targets;        /* of `tm`, likewise: those of the component that count */
	struct str declares;          /* the class whose method the instruction means: it has it, or inherits it from there */
	/* With callbacks: methods of the component, by name */
	struct plan_range callbacks;  /* that the library may call back before the call is over, or later; of a use of a field: its
				       * definitions */
	struct plan_range direct;     /* that it calls itself: what the library calls back is no requirement then */
	uint32_t first_by;            /* of `bys`: who calls back, for each of `callbacks` */
};

enum plan_granularity { PLAN_BY_METHOD, PLAN_BY_SITE, PLAN_BY_RECEIVER };
struct plan_level { uint32_t level; bool or_more; };
struct plan_tree {
	uint32_t state;
	uint32_t level;               /* row of levels */
	uint32_t start;               /* calls before its first: 0, or the distance of the entry from the clients */
};
struct plan_state {
	uint32_t body;
	uint32_t first, n;            /* children, by call, callee, receiver */
	bool is_wanted;               /* the way here is a chain that is required */
};
enum { PLAN_TO_CLIENT = 1 };          /* of a child: the receiver is of a class that clients write */
struct plan_child {
	uint32_t call;                /* the first of those that the label stands for */
	uint32_t receiver;            /* row of types; 0: none, or any */
	uint32_t flags;
	uint32_t callee;              /* body */
	uint32_t state;               /* 0: a back edge */
};
struct plan_chains {
	uint32_t k;                   /* 0: no bound */
	uint8_t granularity;          /* enum plan_granularity */
	bool from_main, backedges;
	struct str filters;           /* what was asked besides, as options; may be empty */
	struct str prune;             /* "conditions"; empty: none */
	VEC(struct plan_method) bodies;       /* by class, name, desc */
	VEC(struct plan_site) calls;          /* by body, pc */
	VEC(uint32_t) callees;        /* by call: 1 + the body that it runs whatever its receiver; 0: that depends on its class */
	VEC(struct plan_level) levels;
	VEC(struct plan_tree) trees;  /* by entry, then level */
	VEC(struct plan_state) states;        /* [0] unused */
	VEC(struct plan_child) children;
	uint64_t pruned;              /* chains that conditions and assertions rule out; UINT64_MAX: more than that */
};

#endif
