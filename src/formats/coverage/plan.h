/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - what is to be watched in a run, and what is required of it: the file that an analysis leaves for the agent and for
 * reports. Format: docs/formats/coverage.md.
 *
 * Names of classes are dotted binary names (p.Outer$Inner), descriptors are the JVM's. A plan that was read borrows its text
 * from the bytes; its tables are its own, until plan_release(). */
#ifndef FORMATS_PLAN_H
#define FORMATS_PLAN_H

#include "base/mem.h"
#include "base/span.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "formats/coverage/plan_chains.h"
#include "formats/coverage/plan_fields.h"

#define PLAN_VERSION 1
#define PLAN_ITEMS (1u << 26)         /* receivers and targets of all sites at most, so that reports fit into memory */

/* A class that may be that of a receiver, or that declares a target; or a method that is called back, or a
 * statement that writes a field (cf_store_name()). Row 0 is none. */
enum plan_type_sort { PLAN_CLASS, PLAN_LAMBDA, PLAN_ARRAY, PLAN_METHOD };
#define PLAN_LATER " (later)"         /* how the name of a method ends that a thread runs which the call starts */
struct plan_type {
	struct str name;              /* p.Circle; p.L$$Lambda$run#2@12; java.lang.Object[] for all arrays; p.C.m(I)V */
	uint8_t sort;
	/* PLAN_LAMBDA: what tells which one an object of a hidden class is */
	struct str host;              /* the class whose code makes it */
	struct str interface;         /* the functional interface */
	struct str body;              /* owner.name(desc)ret of what it runs */
};

struct plan_class {               /* of the component, whether it has sites or not */
	struct str name;
	struct str source;            /* "Shapes.java"; empty: not known */
	uint64_t key;                 /* of its name, its methods' code and its sites: same key, same sites */
	uint32_t first_method, nmethods;
	uint32_t first_site, nsites;  /* of all its methods */
	/* With chains */
	uint64_t chain_key;           /* of its name, all its methods' code and the calls among them that chains may have */
	uint32_t first_body, nbodies; /* of plan_chains */
	uint32_t first_call, ncalls;
	bool is_jdk;                  /* from the JDK's own modules: may be loaded before the agent can see it */
};
/* What is required at sites: bits of `criteria`. A reader keeps bits that it does not know. */
enum plan_criteria {
	PLAN_RC = 1,                  /* receiver classes */
	PLAN_TM = 2,                  /* target methods */
	PLAN_SENDERS = 4, PLAN_ARGS = 8,      /* kept for the lists of sherd requirements that have these names */
	PLAN_CHAINS = 32,             /* call chains: `chains` */
	PLAN_CALLBACKS = 64,          /* what library calls call back */
	PLAN_DU = 128,                /* def-use pairs of fields: `fields`. Not with chains */
	PLAN_LADDER = 256,            /* with both of the first two: what of them is about the component's own methods */
};
struct plan {
	/* What was asked. */
	struct str component, interface, clients, algorithm, class_path, jdk, version;
	struct str assume;            /* the level of assumptions about dynamic features; empty: listed */
	uint32_t criteria;            /* enum plan_criteria */
	VEC(struct plan_type) types;  /* row 0: none */
	VEC(struct plan_class) classes;    /* by name */
	VEC(struct plan_method) methods;   /* by class, name, desc */
	VEC(struct plan_site) sites;       /* by method, pc */
	VEC(uint32_t) ids;
	VEC(struct str) bys;          /* methods of libraries, "java.util.TimSort.sort([Ljava/lang/Object;)V"; empty: unknown code */
	struct plan_chains chains;    /* empty unless they are asked for */
	struct plan_fields fields;    /* empty without def-use pairs */
	VEC(struct str) others;       /* classes of the class path that are neither the component's nor the JDK's, by name */
	uint64_t id;                  /* of the file; set by plan_write and plan_read */
};
void plan_release(struct plan *p);

/* Computes the keys of classes and the id, appends the file to `out`. Lists must be in the order given above, which is that
 * of str_cmp(); ranges of methods and sites without gaps. */
void plan_write(struct plan *p, struct strbuf *out);
/* False, with a sentence in `err` that says what is wrong and what to do, when it is no plan, of another version, or damaged.
 * Everything is checked: indices are in range, lists sorted. `mem` is scratch. Linear. */
bool plan_read(struct plan *p, struct span bytes, struct arena *mem, struct strbuf *err);

/* Receivers, targets, callbacks and definitions of all sites: more than PLAN_ITEMS are refused by plan_read. */
uint64_t plan_items(const struct plan *p);

/* The row of a class, or UINT32_MAX. O(log n). */
uint32_t plan_find_class(const struct plan *p, struct str dotted);
/* The row of its method, or UINT32_MAX. */
uint32_t plan_find_method(const struct plan *p, uint32_t class, struct str name, struct str desc);

/* The row of a body that chains may go through, or UINT32_MAX. */
uint32_t plan_find_body(const struct plan *p, uint32_t class, struct str name, struct str desc);

/* Is the type in the list? O(log n) */
bool plan_range_has(const struct plan *p, struct plan_range list, uint32_t type);

/* Of the bytecode of a method, as the class file has it. */
uint64_t plan_code_digest(struct span code);

#endif
