/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic.h - what dynamic features do: loading by name, reflection, under stated assumptions.
 *
 * Whoever builds a call graph notes the calls of library methods that features.def lists, and asks for a *round* when it has
 * come to an end: values (values.h) are traced back from the operands of these calls through the graph as it is, and what
 * they come to is handed out as *dispatchers*. A dispatcher is an ordinary static method, with the operands of the call that
 * it stands for, whose statements do what the call does: call the methods, make the objects, run the initialisers. It is
 * called beside the library method, and its own calls are shown as calls of the site: callers of dispatchers contract them.
 * Then the graph has grown, and there may be another round. Everything only ever grows. */
#ifndef ANALYSIS_DYNAMIC_H
#define ANALYSIS_DYNAMIC_H

#include "analysis/hierarchy/hierarchy.h"

/* What a call does. */
enum dynamic_sort {
	DYNAMIC_NONE,
	DYNAMIC_LOAD,            /* finds a class by name and initialises it */
	DYNAMIC_FIND,            /* the same without initialising it */
	DYNAMIC_NEW,             /* makes an object by the default constructor of a class */
	DYNAMIC_CONSTRUCT,       /* by a constructor */
	DYNAMIC_INVOKE,          /* calls a method */
	DYNAMIC_GET, DYNAMIC_SET,        /* a field */
	DYNAMIC_HANDLE,          /* invokes a method handle: not followed */
	DYNAMIC_NATIVE,          /* a native method without a model calls back */
	DYNAMIC_OTHER,           /* not followed */
	DYNAMIC_SORTS
};
const char *dynamic_sort_name(enum dynamic_sort s);      /* "load", "construct", ... */

/* What is assumed, from most to least. */
enum dynamic_level {
#define LEVEL(id, name, help) DYNAMIC_##id,
#include "analysis/dynamic/levels.def"
#undef LEVEL
	DYNAMIC_LEVELS
};
const char *dynamic_level_name(enum dynamic_level l);
const char *dynamic_level_help(enum dynamic_level l);

/* A set of methods, a bit each. */
struct method_bits {
	VEC(uint64_t) words;
};
static inline bool method_bit(const struct method_bits *b, method_id m)
{
	return m.i / 64 < b->words.len && b->words.data[m.i / 64] >> (m.i % 64) & 1;
}

/* The call graph so far, of whoever builds it. */
struct dynamic_graph {
	void *ctx;
	/* Calls fn for each call, by a reachable method, of a method that is wanted. */
	void (*callers)(void *ctx, const struct method_bits *wanted,
			void (*fn)(void *x, method_id caller, uint32_t pc, mref_id ref, method_id target), void *x);
	/* Calls fn for each target of the call at `pc` of a reachable method that names `ref`. */
	void (*targets)(void *ctx, method_id caller, uint32_t pc, mref_id ref, void (*fn)(void *x, method_id target), void *x);
	bool (*is_reached)(void *ctx, method_id m);
	bool (*is_entry)(void *ctx, method_id m);        /* called by the user or the JVM, with who knows what */
};

/* What the call at `pc` of a method that names `ref` also does. */
struct dynamic_call {
	uint32_t site;           /* as dynamic_note() numbered it */
	method_id dispatcher;
};

struct dynamic_opt {
	enum dynamic_level level;
	/* Is the class of a library, whose public methods are called from everywhere? Names are not traced through these. */
	bool (*is_library)(const void *ctx, class_id c);
	const void *ctx;
};

struct dynamic;
struct dynamic *dynamic_new(struct hierarchy *h, const struct dynamic_opt *opt);
void dynamic_free(struct dynamic *d);

/* A reachable method calls a method of features.def. Returns the number of the site, from 1; each is noted once. */
uint32_t dynamic_note(struct dynamic *d, method_id caller, uint32_t pc, mref_id ref, enum dynamic_sort sort);
/* Calls fn for each call that came to light; false: there was none. */
bool dynamic_round(struct dynamic *d, const struct dynamic_graph *g, void (*fn)(void *ctx, const struct dynamic_call *c), void *ctx);
uint32_t dynamic_nsites(const struct dynamic *d);
/* Where a site is. */
struct dynamic_place {
	method_id caller;
	uint32_t pc;
	mref_id ref;
};
struct dynamic_place dynamic_place(const struct dynamic *d, uint32_t site);
uint32_t dynamic_find(const struct dynamic *d, method_id caller, uint32_t pc);      /* the site there; 0: none was noted */
/* Was everything found that the call does, as of the last round? */
bool dynamic_is_resolved(const struct dynamic *d, uint32_t site);
/* The type that what the call makes is always cast to; none: that is not known. */
class_id dynamic_cast(struct dynamic *d, uint32_t site);
enum dynamic_sort dynamic_sort_of(const struct dynamic *d, uint32_t site);
/* The site that a dispatcher stands for; 0: it is no dispatcher. */
uint32_t dynamic_site_of(const struct dynamic *d, method_id m);
static inline bool dynamic_is_dispatcher(const struct dynamic *d, method_id m)
{
	return dynamic_site_of(d, m) != 0;
}

#endif
