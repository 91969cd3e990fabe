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

#define PLAN_VERSION 1
#define PLAN_ITEMS (1u << 26)         /* receivers and targets of all sites at most, so that reports fit into memory */

/* A class that may be that of a receiver, or that declares a target. Row 0 is none. */
enum plan_type_sort { PLAN_CLASS, PLAN_LAMBDA, PLAN_ARRAY };
struct plan_type {
	struct str name;              /* p.Circle; p.L$$Lambda$run#2@12; java.lang.Object[] for all arrays */
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
	bool is_jdk;                  /* from the JDK's own modules: may be loaded before the agent can see it */
};
struct plan_method {              /* a method with at least one site */
	uint32_t class;
	struct str name, desc;
	uint64_t code;                /* digest of its bytecode, see plan_code_digest() */
	uint32_t first_site, nsites;
};
enum plan_site_flags {
	PLAN_REACHED = 1,             /* by the analysis */
	PLAN_OPEN = 2,                /* objects that the analysis does not know may be receivers */
	PLAN_CLIENT = 4,              /* classes of clients may be receivers */
	PLAN_INTERFACE = 8,           /* invokeinterface, else invokevirtual */
};
struct plan_range { uint32_t first, n; };      /* of `ids`, which are rows of `types` */
struct plan_site {                /* a call that is watched: one whose receiver can have several classes */
	uint32_t method;
	uint32_t pc;
	uint32_t line;                /* 0: unknown */
	uint32_t flags;
	struct str owner, name, desc; /* as the call instruction names it */
	uint32_t nth, of;             /* it is the nth (from 0) of `of` calls in its method that look the same */
	struct plan_range rc;         /* possible classes of the receiver, by name */
	struct plan_range tm;         /* classes that declare a possible target; by name. The target is TYPE.name desc */
};

/* What is required at sites: bits of `criteria`. A reader keeps bits that it does not know. */
enum plan_criteria {
	PLAN_RC = 1,                  /* receiver classes */
	PLAN_TM = 2,                  /* target methods */
	PLAN_SENDERS = 4, PLAN_ARGS = 8,      /* kept for the lists of sherd requirements that have these names */
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

/* Receivers and targets of all sites: more than PLAN_ITEMS are refused by plan_read. */
uint64_t plan_items(const struct plan *p);

/* The row of a class, or UINT32_MAX. O(log n). */
uint32_t plan_find_class(const struct plan *p, struct str dotted);
/* The row of its method, or UINT32_MAX. */
uint32_t plan_find_method(const struct plan *p, uint32_t class, struct str name, struct str desc);

/* Of the bytecode of a method, as the class file has it. */
uint64_t plan_code_digest(struct span code);

#endif
