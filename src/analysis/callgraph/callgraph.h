/* SPDX-License-Identifier: Apache-2.0 */
/* callgraph.h - who may call whom, for every call site of a program.
 *
 * A site is one call statement of a reachable method. Sites that mean the same (the same reference, called
 * the same way) share one target set, so a graph of millions of edges is small; edges are counted by
 * arithmetic and written by walking. Immutable once computed. */
#ifndef ANALYSIS_CALLGRAPH_H
#define ANALYSIS_CALLGRAPH_H

#include "analysis/dynamic/dynamic.h"
#include "ir/program.h"

enum cg_algorithm { CG_CHA, CG_RTA };

/* What a site could not be resolved to, and why. */
enum cg_cause {
	CG_RESOLVED,
	CG_REFLECTION,        /* Method.invoke, Constructor.newInstance, Class.forName, ... */
	CG_METHOD_HANDLE,     /* signature-polymorphic calls */
	CG_BOOTSTRAP,         /* invokedynamic or dynamic constant with an unknown bootstrap */
	CG_NATIVE,            /* a native method without a model */
	CG_MISSING,           /* the class or method is not on the class path */
	CG_LINK_ERROR,        /* the JVM would throw: wrong kind, no access, abstract */
	CG_SERIAL,            /* deserialisation of classes that the program does not name */
	CG_CAUSES
};
const char *cg_cause_name(enum cg_cause c);       /* "reflection", "method-handle", ... */

struct cg_site {
	uint32_t pc;
	uint8_t op;                  /* IR_CALL_*; IR_CALL_DYNAMIC has no mref, or invokes a handle */
	uint8_t cause;               /* enum cg_cause: CG_RESOLVED or why targets may be missing */
	uint8_t implied;             /* not 0: by a model, the JVM or a lowering, not by an instruction; 1 + enum dynamic_sort */
	uint8_t open : 1;            /* receivers may also be objects of unknown class: from reflection, natives, ... */
	uint8_t fact : 7;            /* the file of facts that says so (analysis/dynamic/outside/outside.h), from 1; 0: found */
	mref_id mref;                /* the declared target */
	uint32_t set;                /* its target set, a number below callgraph_nsets(); 0: empty */
	uint32_t receivers;          /* its set of receiver classes; for callgraph_receivers */
};

struct cg_targets {
	const method_id *methods;    /* sorted by id */
	uint32_t n;
};
bool targets_have(struct cg_targets t, method_id m);

struct cg_classes {
	const class_id *classes;     /* sorted by id */
	uint32_t n;
};

struct cg_stats {
	uint64_t methods, edges, method_edges, sites, poly_sites, classes, unresolved;
	uint64_t open_sites;         /* dispatched calls that may see objects of unknown class */
	uint64_t callback_methods, callback_edges;      /* of `methods` and `edges`, those only there by callbacks of unknown code */
	uint64_t by_cause[CG_CAUSES];
};

/* What is known about a call that a dynamic feature is about (analysis/dynamic), and what is not. */
struct cg_dynamic {
	method_id caller;
	uint32_t pc;
	mref_id mref;
	enum dynamic_sort sort;
	bool is_resolved;            /* by values: everything was found that it does */
	class_id cast;               /* what it makes is always cast to this; none: it is not */
	struct dynamic_why why;      /* it is not resolved */
	uint32_t first_found, nfound;        /* what it does: callgraph_found() */
};

struct callgraph;                    /* owns its memory: callgraph_free */

struct cg_entries {
	VEC(method_id) methods;      /* what the user names: main, every public method, a list */
	VEC(mref_id) calls;          /* what a client may call on objects that it gets hold of, whatever their class */
	VEC(class_id) receivers;     /* classes that a client may instantiate: RTA starts with them */
	VEC(class_id) initialised;   /* classes that are initialised, whatever is called */
};

struct cg_opt {
	enum cg_algorithm algorithm;
	bool jvm;                    /* add what the JVM itself calls (default); false only in tests */
	bool explains;               /* for callgraph_features */
	const struct dynamic_opt *dynamic;   /* how reflection is followed (analysis/dynamic); NULL: it is not */
	void (*progress)(void *ctx, uint64_t methods);     /* may be NULL */
	void *progress_ctx;
};

/* Computes the graph reachable from `entries`. CHA considers the classes that are loaded: program_load_all(). */
struct callgraph *callgraph_compute(struct program *p, const struct cg_entries *entries, const struct cg_opt *opt);
void callgraph_free(struct callgraph *g);
bool callgraph_check(const struct callgraph *g, const char **reason);

const struct program *callgraph_program(const struct callgraph *g);
/* Reachable methods, sorted by printed name: the order of every output. (Sorted when first asked for: not by two
 * threads at a time.) */
uint32_t callgraph_nmethods(const struct callgraph *g);
method_id callgraph_method(const struct callgraph *g, uint32_t k);
bool callgraph_reaches(const struct callgraph *g, method_id m);
bool callgraph_is_entry(const struct callgraph *g, method_id m);   /* called by the user or the JVM */
bool callgraph_is_client_entry(const struct callgraph *g, method_id m);   /* by the user, or by whom nobody knows */
/* Do only callbacks of unknown code lead to it, and so to all that its sites call? Of other methods, edges that are only there by
 * callbacks are those of sites of their own: `implied` is 1 + DYNAMIC_CALLBACK, `open` is set, and `mref` is that of the call that has
 * more receivers by them, or none for what unknown code itself calls back. */
bool callgraph_is_by_callback(const struct callgraph *g, method_id m);
/* The sites of a reachable method, in the order of its code; what the JVM adds comes last. */
const struct cg_site *callgraph_sites(const struct callgraph *g, method_id m, uint32_t *n);
/* The call instruction at `pc` of a method that names `mref`; NULL: there is none, or the method is not reached. */
const struct cg_site *callgraph_find_site(const struct callgraph *g, method_id m, uint32_t pc, mref_id mref);
/* The site with what that call has only by callbacks; NULL: it has nothing of that kind. */
const struct cg_site *callgraph_find_callbacks(const struct callgraph *g, method_id m, uint32_t pc, mref_id mref);
uint32_t callgraph_nsets(const struct callgraph *g);
struct cg_targets callgraph_targets(const struct callgraph *g, const struct cg_site *s);
/* The classes that receivers of a dispatched call may have, as far as they select a target. Arrays as one class. Empty
 * for calls that are not dispatched. (Looked up when first asked for: not by two threads at a time.) */
struct cg_classes callgraph_receivers(const struct callgraph *g, const struct cg_site *s);
struct cg_stats callgraph_stats(const struct callgraph *g);
/* What was found out about dynamic features, for explanations; NULL: it was not kept. */
struct dynamic *callgraph_features(struct callgraph *g);
uint32_t callgraph_ndynamic(const struct callgraph *g);
const struct cg_dynamic *callgraph_dynamic(const struct callgraph *g, uint32_t k);
const struct cg_dynamic *callgraph_dynamic_at(const struct callgraph *g, method_id caller, uint32_t pc);      /* NULL: none is there */
/* What it was found to do, or facts say: `d->nfound` classes, methods and fields, of handles those that they are made of, as
 * analysis/dynamic/values.h has them. */
const uint64_t *callgraph_found(const struct callgraph *g, const struct cg_dynamic *d);
/* Is it bounded, by values or a cast, under what the level assumes? */
bool cg_dynamic_is_resolved(const struct cg_dynamic *d, enum dynamic_level level);

#endif
