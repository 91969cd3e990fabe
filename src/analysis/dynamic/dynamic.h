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
	DYNAMIC_PROXY,           /* makes a proxy */
	DYNAMIC_ANNOTATION,      /* makes an annotation, which is a proxy */
	DYNAMIC_ALLOCATE,        /* makes an object without a constructor */
	DYNAMIC_INITIALISE,      /* initialises a class */
	DYNAMIC_BEAN,            /* makes an object of a class that is found by name */
	DYNAMIC_BUNDLE,          /* the same, of classes whose names begin with that name: bundles of resources */
	DYNAMIC_SERVICE,         /* makes a loader of services */
	DYNAMIC_ENGINE,          /* has a security engine made: made/engines.h */
	DYNAMIC_READ,            /* reads an object from a stream */
	DYNAMIC_ENUM,            /* asks a class for the constants of an enum */
	DYNAMIC_SAID,            /* what its callers were said to do: machinery.def */
	DYNAMIC_HANDLE,          /* invokes a method handle */
	DYNAMIC_BIND,            /* makes one that keeps values */
	DYNAMIC_WRAP,            /* makes an object that calls one */
	/* not followed */
	DYNAMIC_NATIVE,          /* a native method without a model calls back */
	DYNAMIC_OTHER,
	DYNAMIC_CALLBACK,        /* nothing that the call does: unknown code calls back (analysis/pta/features/callbacks.c) */
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
bool dynamic_level_find(const char *name, enum dynamic_level *out);      /* false: there is none of that name */

/* Why it is not known what a call does, and where that began. */
enum dynamic_reason {
	REASON_NONE,
#define REASON(id, name, help) REASON_##id,
#include "analysis/dynamic/reasons.def"
#undef REASON
	REASONS
};
const char *dynamic_reason_name(enum dynamic_reason r);          /* "parameter", "field", ... */
const char *dynamic_reason_help(enum dynamic_reason r);
struct dynamic_why {
	enum dynamic_reason reason;
	method_id method;        /* where; none: it is about a field */
	uint32_t pc;
	field_id field;
	str_id name;             /* that no class has */
};

/* A set of methods, a bit each. */
struct method_bits {
	VEC(uint64_t) words;
};
static inline bool method_bit(const struct method_bits *b, method_id m)
{
	return m.i / 64 < b->words.len && b->words.data[m.i / 64] >> (m.i % 64) & 1;
}

/* Who wants to know targets. */
struct dynamic_targets {
	void *x;
	void (*one)(void *x, method_id target);
	void (*set)(void *x, uint32_t set);      /* all members of a set that other calls have, too; NULL: one by one */
};

/* The call graph so far, of whoever builds it. */
struct dynamic_graph {
	void *ctx;
	/* Calls fn for each call of the method by a reachable one; with `is_again`, those that were there in the last round may be left
	 * out. */
	void (*callers)(void *ctx, method_id target, bool is_again,
			void (*fn)(void *x, method_id caller, uint32_t pc, mref_id ref), void *x);
	/* The targets of the call at `pc` of a reachable method that names `ref`. */
	void (*targets)(void *ctx, method_id caller, uint32_t pc, mref_id ref, const struct dynamic_targets *to);
	/* Calls fn for the members of a set, from number `from` on, and returns how many there are: sets grow at their ends. NULL: there
	 * are no sets. */
	uint32_t (*members)(void *ctx, uint32_t set, uint32_t from, void (*fn)(void *x, method_id member), void *x);
	bool (*is_reached)(void *ctx, method_id m);
	bool (*is_entry)(void *ctx, method_id m);        /* called by the user or the JVM, with who knows what */
	bool (*is_client_entry)(void *ctx, method_id m);         /* called by the user, or said to be by a fact; not only by the JVM */
};

/* What the call at `pc` of a method that names `ref` also does. */
struct dynamic_call {
	uint32_t site;           /* as dynamic_note() numbered it; 0: an entry, whoever calls it */
	method_id dispatcher;    /* of entries: the method; none: only the class matters */
	class_id made;           /* of entries: this class is instantiated; none: no class */
};

struct outside;                  /* outside/outside.h */
struct settings;                 /* outside/settings.h */

/* A string that somebody asks for: an operand of a call, and what it can be. Each round answers, as of its end. */
struct dynamic_string {
	method_id method;
	uint32_t pc;
	mref_id ref;
	uint32_t operand;                /* from 0; the receiver is the first */
	/* The answer: owned by who asks (dynamic_string_release) */
	uint32_t node;                   /* of the values of the analysis that answers */
	bool is_reached, is_any, is_finite, is_widened, has_example;
	struct strbuf expression, example;       /* for people, as language_print() has it; a shortest string */
	struct strbuf known;             /* is_any: what it can be besides, if that is something */
	struct strbuf strings;           /* of a finite language the first ones, a NUL behind each */
	uint32_t nstrings;
	bool has_more;
	enum dynamic_reason reason;      /* is_any: why nothing is known */
};
void dynamic_string_release(struct dynamic_string *s);

struct dynamic_opt {
	enum dynamic_level level;
	/* Is the class of a library, whose public methods are called from everywhere? Names are not traced through these. */
	bool (*is_library)(const void *ctx, class_id c);
	const void *ctx;
	const struct map *own;           /* class -> not 0: those of the component; NULL: of the program, all that are no library's */
	const struct settings *settings; /* properties and variables of the environment, at level env; NULL: they are not known */
	struct dynamic_string *strings;  /* to be answered */
	uint32_t nstrings;
	struct outside *outside;         /* facts from outside; NULL: none. Those that are applied are marked */
	/* Unknown code calls nothing back, and calls on unknown objects have no targets: for the order of algorithms, in which both have
	 * no place, as cha and rta know no such objects. */
	bool no_callbacks;
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
struct dynamic_why dynamic_why(const struct dynamic *d, uint32_t site);          /* of one that is not resolved */
/* The type that what the call makes is always cast to; none: that is not known. */
class_id dynamic_cast(struct dynamic *d, uint32_t site);
enum dynamic_sort dynamic_sort_of(const struct dynamic *d, uint32_t site);
/* What it was found to do, or said to: classes, methods, fields, handles as values.h has them. Until the next round. */
const uint64_t *dynamic_found(const struct dynamic *d, uint32_t site, uint32_t *n);
/* Calls fn for the methods and fields that a handle is made of. */
void dynamic_handle_members(const struct dynamic *d, uint32_t handle, void (*fn)(void *ctx, uint64_t member), void *ctx);
enum dynamic_level dynamic_level(const struct dynamic *d);
/* For explanations (why/explain.h): the values, and the node of what a site is about; 0: that cannot be said. */
struct values *dynamic_values(struct dynamic *d);
uint32_t dynamic_node(const struct dynamic *d, uint32_t site);
/* The site that a dispatcher stands for; 0: it is no dispatcher. */
uint32_t dynamic_site_of(const struct dynamic *d, method_id m);
/* The file of facts that a dispatcher is from; 0: from none. */
uint32_t dynamic_source_of(const struct dynamic *d, method_id m);
static inline bool dynamic_is_dispatcher(const struct dynamic *d, method_id m)
{
	return dynamic_site_of(d, m) != 0;
}

#endif
