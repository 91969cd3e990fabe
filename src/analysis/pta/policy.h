/* SPDX-License-Identifier: Apache-2.0 */
/* policy.h - what makes one analysis different from another: what is one variable, one object, one field, one context.
 * A policy is a row of policies.def and a constant in a file of policies/. docs/adding-an-analysis.md shows how. */
#ifndef ANALYSIS_PTA_POLICY_H
#define ANALYSIS_PTA_POLICY_H

#include "ir/ids.h"
#include "solve/solve.h"

struct pta;

/* A context is a list of numbers (call sites, places, classes), newest first, kept once. 0 is the empty one. */
typedef struct { uint32_t i; } context_id;

enum variable_rule {
	ONE_A_VARIABLE, ONE_A_TYPE, ONE_A_METHOD, ONE_A_CLASS, ONE_FOR_ALL,
};
enum field_rule {
	FIELD_OF_OBJECT,         /* one node for each object and field */
	FIELD_ALONE,             /* one for each field, whatever the object */
	FIELD_OF_TYPE,           /* that of its declared type */
	FIELD_OF_CLASS,          /* one for all fields that a class declares */
	FIELD_OF_ALL,            /* the one of all variables */
};
enum object_rule { OBJECT_OF_CLASS, OBJECT_OF_SITE };

struct policy {
	const char *name, *help;
	const char *cheaper;     /* the name of the analysis to try when this one takes too long */
	enum variable_rule variables;
	enum field_rule fields;
	enum object_rule objects;
	uint32_t unify_after;    /* see solve.h */

	/* Contexts; both may be NULL: one context. The context of a callee, given that of the caller, the call
	 * site and, where by_receiver is set, the receiver (none for static calls); and the context that becomes part of
	 * an object created in `of`. */
	bool by_receiver;
	context_id (*callee)(struct pta *a, context_id caller, uint32_t site, object_id receiver);
	context_id (*heap)(struct pta *a, context_id of);
	/* Which classes' objects are contexts of the methods that are called on them; NULL: all. On others, methods have none. */
	bool (*is_context)(struct pta *a, class_id c);
	/* A call that has so many contexts calls what else comes without one; 0: there is no limit. */
	uint16_t most_contexts;
	/* No two receivers give a callee the same context. */
	bool one_receiver;
};

/* For policies. The list with `first` before `rest`, of which only the newest `limit` numbers are kept. */
context_id context_push(struct pta *a, uint32_t first, context_id rest, uint32_t limit);
context_id context_cut(struct pta *a, context_id c, uint32_t limit);
context_id context_append(struct pta *a, context_id c, uint32_t last, uint32_t limit);   /* and `last` behind the newest of c */
uint32_t object_place(const struct pta *a, object_id o);         /* where it is created */
context_id object_context(const struct pta *a, object_id o);     /* what policy.heap gave it */
/* Does code of another class within the same outermost one create it? */
bool object_is_part(const struct pta *a, object_id o);
uint32_t place_class(const struct pta *a, uint32_t place);       /* the class whose code creates it */
bool place_is_own(const struct pta *a, uint32_t place);          /* is that code of the program, or of the component? */
/* Does it hold objects for others? See containers.def. */
bool class_is_container(struct pta *a, class_id c);
/* Is the static method that is called there declared to return one? */
bool site_gives_container(struct pta *a, uint32_t site);

#define POLICY(id) extern const struct policy policy_##id;
#include "analysis/pta/policies.def"
#undef POLICY

#endif
