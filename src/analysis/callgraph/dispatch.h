/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch.h - keys and receivers, while a call graph is built.
 *
 * A *key* is a dispatched call, shared by all sites that mean the same. It meets every instantiated class below the
 * class it names, in either order of arrival; what the class selects becomes a target of the key's set. Where there may be
 * objects that nobody saw being made (`has_unknown`), one that names a final class meets that class in any case. */
#ifndef ANALYSIS_CALLGRAPH_DISPATCH_H
#define ANALYSIS_CALLGRAPH_DISPATCH_H

#include "analysis/callgraph/callgraph_p.h"
#include "analysis/callgraph/hooks.h"

enum key_rule {
	KEY_VIRTUAL, KEY_INTERFACE,          /* JVMS selection of `resolved` */
	KEY_SELECTOR,                        /* the class named is missing: what its subclasses have of that selector */
	KEY_HOOK,                            /* see hooks.h */
};

struct key {
	class_id owner;           /* receivers are instances of it */
	method_id resolved;       /* KEY_VIRTUAL, KEY_INTERFACE */
	sel_id sel;
	uint32_t set;
	uint32_t next;            /* the next key with this selector */
	uint32_t receivers;       /* its set of classes, once `has_receivers` */
	uint8_t rule;
	uint8_t hook;             /* KEY_HOOK: enum hook_rule */
	uint8_t entry;            /* called from outside: targets are entries; enum entry_by */
	uint8_t indexed;          /* the members of its set are in `members` */
	uint8_t incomplete;       /* a receiver has no such method, but a missing ancestor that may */
	uint8_t has_receivers;
};

/* rules.c: what a receiver selects, by the rules for calls. */
struct key key_for(const struct program *p, mref_id m);      /* after resolution, be it in vain */
/* For an instance of the key's owner; none: nothing, or nothing that can run. */
method_id key_select(struct hierarchy *h, const struct key *k, class_id receiver);
/* Open receivers: a class with a missing ancestor may be an instance of types that only the ancestor names. Its methods
 * are targets of every key with their selector whose owner the ancestor could have: whose owner is open. */
bool key_is_open(const struct program *p, const struct key *k);
method_id open_select(const struct program *p, class_id receiver, sel_id sel);

struct receivers {                /* by class */
	VEC(uint32_t) keys;       /* with this owner */
	class_list classes;       /* instantiated, below it */
	bool instantiated;
};

struct open_method {              /* of an open receiver */
	method_id m;
	uint32_t next;            /* the next one with this selector */
};

struct dispatcher {
	struct callgraph *g;
	struct hierarchy *h;
	void (*reach)(void *ctx, method_id m, unsigned entry);  /* called for every new target; enum entry_by */
	void *ctx;
	VEC(struct key) keys;             /* [0] unused */
	VEC(uint32_t) key_of_mref;        /* by mref: its key, or 0 */
	method_sets sets;                 /* [0] is empty */
	VEC(struct receivers) receivers;
	class_list open_classes;
	VEC(struct open_method) open;     /* [0] unused */
	struct map keys_of_sel, open_of_sel;      /* selector -> first in the lists of both */
	struct map members;               /* (set, method) of large sets -> 1 */
	VEC(uint32_t) stamp;              /* by method: the set it was last put into in bulk */
	uint32_t bulk;                    /* the set that is being filled in bulk, or 0 */
	bool has_unknown;
};

struct dispatcher *dispatcher_new(struct callgraph *g, struct hierarchy *h);
void dispatcher_free(struct dispatcher *d);
/* There are no more keys and classes: gives the sets, sorted, to the graph, and frees all but what dispatch_receivers
 * needs. */
void dispatcher_finish(struct dispatcher *d);

/* Objects of class `c` exist from now on. Phantoms do not count. */
void dispatch_instantiate(struct dispatcher *d, class_id c);

/* The key of a reference that was resolved, or whose class is missing. */
uint32_t dispatch_key(struct dispatcher *d, mref_id m);
uint32_t dispatch_hook_key(struct dispatcher *d, struct hook hook);
/* The key is called from outside, too. */
void dispatch_from_outside(struct dispatcher *d, uint32_t key, enum entry_by by);

/* The instantiated classes that select a target of the call: a set of g->receivers. Computed once for a key. */
uint32_t dispatch_receivers(struct dispatcher *d, uint32_t key);

#endif
