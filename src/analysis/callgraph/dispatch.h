/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch.h - keys and receivers, while a call graph is built.
 *
 * A *key* is a dispatched call, shared by all sites that mean the same. It meets every instantiated class below the
 * class it names, in either order of arrival; what the class selects becomes a target of the key's set. */
#ifndef ANALYSIS_CALLGRAPH_DISPATCH_H
#define ANALYSIS_CALLGRAPH_DISPATCH_H

#include "analysis/callgraph/callgraph_p.h"

enum key_rule {
	KEY_VIRTUAL, KEY_INTERFACE,          /* JVMS selection of `resolved` */
	KEY_SELECTOR,                        /* the class named is missing: whatever its known subclasses have of that selector */
	KEY_DECLARED, KEY_INHERITED, KEY_BASE,      /* see hooks.def */
};

struct key {
	class_id owner;           /* receivers are instances of it */
	method_id resolved;       /* KEY_VIRTUAL, KEY_INTERFACE */
	sel_id sel;
	uint32_t set;
	uint32_t next;            /* the next key with this selector */
	uint8_t rule;
	uint8_t entry;            /* called from outside: targets are entries */
	uint8_t indexed;          /* the members of its set are in `members` */
	uint8_t incomplete;       /* a receiver has no such method, but a missing ancestor that may */
};

struct receivers {                /* by class */
	VEC(uint32_t) keys;       /* with this owner */
	VEC(class_id) classes;    /* instantiated, below it */
	bool instantiated;
};

struct open_method {              /* of an instantiated class with a missing ancestor */
	method_id m;
	uint32_t next;            /* the next one with this selector */
};

struct dispatcher {
	struct callgraph *g;
	struct hierarchy *h;
	void (*reach)(void *ctx, method_id m, bool entry);      /* called for every new target */
	void *ctx;
	class_id externalizable;
	VEC(struct key) keys;             /* [0] unused */
	VEC(uint32_t) key_of_mref;        /* by mref: its key, or 0 */
	VEC(struct receivers) receivers;
	VEC(struct open_method) open;     /* [0] unused */
	struct map keys_of_sel, open_of_sel;      /* selector -> first in the lists of both */
	struct map members;               /* (set, method) of large sets -> 1 */
	VEC(uint32_t) stamp;              /* by method: the set it was last put into in bulk */
	uint32_t bulk;                    /* the set that is being filled in bulk, or 0 */
};

void dispatcher_init(struct dispatcher *d, struct callgraph *g, struct hierarchy *h);
void dispatcher_release(struct dispatcher *d);

/* Objects of class `c` exist from now on. Arrays and phantoms do not count. */
void dispatch_instantiate(struct dispatcher *d, class_id c);

/* The key of a reference that was resolved, or whose class is missing. */
uint32_t dispatch_key(struct dispatcher *d, mref_id m);
uint32_t dispatch_hook_key(struct dispatcher *d, sel_id hook, enum key_rule rule);
/* The key is called from outside, too: by the user or the JVM. */
void dispatch_from_outside(struct dispatcher *d, uint32_t key);

#endif
