/* SPDX-License-Identifier: Apache-2.0 */
/* pta.h - points-to and class analyses of Java programs: constraints from statements, by a policy that says what is one
 * variable, one object, one field and one context (policies/).
 *
 * The call graph is built on the fly. What a program does through reflection, method handles and natives without a model
 * is not followed: what comes out of it is one *unknown* object, and calls on it are marked open. */
#ifndef ANALYSIS_PTA_H
#define ANALYSIS_PTA_H

#include "analysis/callgraph/callgraph.h"
#include "solve/solve.h"

/* Which objects are told apart, where the policy tells objects apart by where they are created. */
enum heap_sort {
	HEAP_STRINGS,           /* java.lang.String, constants included */
	HEAP_BUILDERS,          /* StringBuilder, StringBuffer */
	HEAP_EXCEPTIONS,        /* Throwable and below, unless: */
	HEAP_PAYLOADS,          /* exceptions that refer to more than any Throwable does */
	HEAP_CLASSES,           /* Class constants */
	HEAP_LEAVES,            /* objects that refer to nothing but strings and arrays of primitives; such arrays */
	HEAP_SORTS
};
const char *heap_sort_name(enum heap_sort s);        /* "strings", ... */

struct pta_heap {
	bool by_site[HEAP_SORTS];        /* false: one object a class */
};
extern const struct pta_heap pta_default_heap;       /* coarse where no receiver class is lost without contexts */

struct policy;
/* The policies by their number, in the order of policies.def: from cheap to precise. NULL past the end. */
const struct policy *pta_policy(uint32_t k);
const struct policy *pta_find_policy(const char *name);
const char *policy_name(const struct policy *p);           /* "andersen" */
const char *policy_help(const struct policy *p);           /* one line */
const char *policy_cheaper(const struct policy *p);        /* the analysis to try when this one takes too long */

struct pta_opt {
	const struct policy *policy;
	struct pta_heap heap;
	bool jvm;                        /* as in cg_opt */
	bool explains;                   /* for pta_explain */
	bool keeps_this;                 /* for pta_this */
	bool keeps_accesses;             /* for reach_opt.effects */
	bool keeps_bases;                /* for pta_value of what fields of primitive types are accessed of */
	const struct dynamic_opt *dynamic;       /* how reflection is followed (analysis/dynamic); NULL: it is not */
	bool merges_slots;               /* a coarser, naive treatment of locals; only in tests */
	/* Now and then, with the number of reachable methods; false stops the analysis. May be NULL. */
	bool (*progress)(void *ctx, uint64_t methods);
	void *progress_ctx;
};

struct pta;
/* Never NULL. */
struct pta *pta_compute(struct program *p, const struct cg_entries *entries, const struct pta_opt *opt);
void pta_free(struct pta *a);
bool pta_is_finished(const struct pta *a);          /* false: stopped by progress; nothing else may be asked */
bool pta_check(const struct pta *a, const char **reason);

struct callgraph *pta_callgraph(struct pta *a);     /* the caller frees it; lives longer than `a` if need be */

struct pta_stats {
	struct solver_stats solver;
	uint64_t instances, contexts;    /* methods times contexts; distinct contexts */
};
struct pta_stats pta_stats(const struct pta *a);

/* Facts. Objects are shown as *places*: where they are created, whatever the context. */
enum place_sort { PLACE_NEW, PLACE_CLASS, PLACE_UNKNOWN, PLACE_OUTSIDE };
struct pta_place {
	enum place_sort sort;
	class_id cls;                    /* of the object; none: unknown */
	method_id method;                /* PLACE_NEW: created there, at pc; else none. PLACE_CLASS: all objects of cls;
	                                    PLACE_OUTSIDE: made by the user's or the JVM's side */
	uint32_t pc;
};
struct pta_place pta_place(const struct pta *a, uint32_t place);
uint32_t pta_nplaces(const struct pta *a);          /* places are 0 .. n - 1 */

struct pta_set {
	const uint32_t *places;          /* sorted; valid until the next question */
	uint32_t n;
};
/* The set of SSA value `v` (as `sherd dump` numbers it) of a reachable method, over all contexts; empty also for values that
 * hold no reference or do not matter. The number of values is pta_nvalues. */
uint32_t pta_nvalues(struct pta *a, method_id m);
struct pta_set pta_value(struct pta *a, method_id m, ir_value v);
/* What a method returns; empty also where that does not matter. */
struct pta_set pta_returned(struct pta *a, method_id m);
/* The objects that an instance method is called on: needs opt.keeps_this. */
struct pta_set pta_this(struct pta *a, method_id m);
struct pta_set pta_static_field(struct pta *a, field_id f);
/* Instance fields (and the elements of arrays: field none) of the objects created at a place. */
struct pta_set pta_field(struct pta *a, uint32_t place, field_id f);

/* How objects get to calls: needs opt.explains, and a policy that keeps variables apart. */
enum step_sort {
	STEP_NEW,                        /* is created; with no variable if only the JVM gets hold of it */
	STEP_TYPE,                       /* is in every variable of its class: such objects are not told apart */
	STEP_CLIENT,                     /* is in the hands of the user's side (first: made there) */
	STEP_JVM,                        /* is passed by the JVM, which has every object there is */
	STEP_UNKNOWN,                    /* is in the hands of unknown code, which may call back */
	STEP_ASSIGN,                     /* is assigned, cast, read from a field or an array, or caught */
	STEP_ARGUMENT, STEP_RESULT,      /* is passed to a method (also as its receiver), or returned by one */
	STEP_FIELD, STEP_STATIC, STEP_ELEMENT,     /* is stored there (STATIC also: fields whatever the object) */
	STEP_THROWN,                     /* leaves a method by exception */
	STEP_CALL,                       /* is the receiver of the call */
};
#define PC_NONE UINT32_MAX
struct pta_step {
	enum step_sort sort;
	method_id method;                /* where the object is now; none for fields */
	ir_value value;                  /* the variable that holds the object now; 0: the field, or what is thrown */
	uint32_t pc;                     /* where that variable is defined; of STEP_CALL, the call */
	uint32_t place;                  /* STEP_FIELD, STEP_ELEMENT: of which object */
	field_id field;
	uint32_t param;                  /* STEP_ARGUMENT: as which parameter; the receiver counts */
	/* The statement that moves it there. Of arguments it is the call, so `by` is the caller. None: no statement does; no
	 * pc: it is one of a model. */
	method_id by;
	uint32_t by_pc;
	bool is_hidden;                  /* within a model: not for people */
	bool is_joined;                  /* the analysis makes both sides of the assignment one; it runs against it */
	uint32_t of, index;              /* for the checker: instance, variable; object, slot; static field; thrower */
};
struct pta_witness {
	bool found;
	struct cg_site site;             /* of the caller, that calls the callee */
	method_id caller;
	bool has_receiver;               /* else the call is not dispatched: the reference alone decides */
	uint32_t place;                  /* the receiver object: where it is created, ... */
	class_id receiver;               /* its class, ... */
	object_id object;                /* and itself, in its context */
	/* From its creation to the call; the cheapest way; owned by `a` until the next explanation. Only STEP_CALL: how it gets there
	 * cannot be shown. */
	const struct pta_step *steps;
	uint32_t nsteps;
};
struct dynamic *pta_features(struct pta *a);          /* for explanations; NULL: none are followed */
/* Calls of a method, by pc; none: all that it has. */
struct pta_calls { const uint32_t *pcs; uint32_t n; };
static inline bool pta_calls_have(struct pta_calls c, uint32_t pc)
{
	uint32_t i = 0;

	while (i < c.n && c.pcs[i] != pc)
		i++;
	return !c.n || i < c.n;
}
/* Why `caller` may call `callee`: the first of these sites that does, and an object that makes it. */
struct pta_witness pta_explain(struct pta *a, method_id caller, method_id callee, struct pta_calls at);
/* How an object of class `receiver` becomes the receiver of the dispatched call at `pc` of `m`, in any context: of all
 * such objects and ways one that costs least. Steps in own code cost little, in other code more, and by reflection and
 * deserialisation most. Not found: no such object does. Arrays are one class, Object[]. */
struct pta_witness pta_explain_receiver(struct pta *a, method_id m, uint32_t pc, class_id receiver);
/* Many at once: one search finds the ways of an object to all calls. Classes are taken in the order of their first targets, as long
 * as go_on says so (NULL: to the end). The ways are those of the targets, by number; not found: no such object does, or there
 * was no time. Fills a zeroed `out`. */
struct pta_target { method_id method; uint32_t pc; class_id receiver; };
struct pta_way {
	bool found;
	uint32_t cost, site;
	object_id object;
	uint32_t first_node, nnodes;     /* none: it cannot be shown */
};
struct pta_ways {
	VEC(struct pta_way) rows;
	VEC(uint32_t) nodes;
};
void pta_ways_find(struct pta *a, const struct pta_target *t, uint32_t n, bool (*go_on)(void *ctx), void *ctx, struct pta_ways *out);
void pta_ways_release(struct pta_ways *w);
struct pta_witness pta_way_witness(struct pta *a, const struct pta_ways *w, uint32_t k);      /* of target k */
/* For showing, after it was checked: steps within dispatchers (analysis/dynamic) become steps of the calls that these stand for. */
void pta_contract(struct pta *a, struct pta_witness *w);
/* Is every step what a statement does in a reachable method, with an object that the sets on the way hold, and is the
 * last one a call that dispatches to a target in the graph? Looks at the statements, not at how the witness was
 * found. `g` is made from `a`; NULL: the calls of `a` itself. False: *reason, a static string, says what is wrong. */
bool pta_check_witness(struct pta *a, const struct callgraph *g, const struct pta_witness *w, const char **reason);

#endif
