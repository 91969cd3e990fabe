/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy.h - subtyping, and the JVM's rules for finding methods (JVMS 5.4.3 to 5.4.6).
 *
 * Answers are computed on demand and remembered. One class loader is assumed: classes with the same
 * package name are in the same run-time package. */
#ifndef ANALYSIS_HIERARCHY_H
#define ANALYSIS_HIERARCHY_H

#include "ir/program.h"

struct hierarchy {
	struct program *p;
	struct arena mem;
	struct supertypes *supers;         /* by class id; n = 0: not asked yet */
	uint32_t nsupers;
	uint32_t *marks;                   /* by class id: the last walk that came by */
	uint32_t nmarks, walk;
	struct declarers *declarers;       /* of methods, by selector: resolve.c */
};

struct supertypes {
	const class_id *classes;           /* the class itself, its superclasses in order, then all interfaces */
	uint32_t n;
	uint32_t nclasses;                 /* how many of them are the class and its superclasses */
	bool misses_some;                  /* some of them are not there */
};

void hierarchy_init(struct hierarchy *h, struct program *p);
void hierarchy_release(struct hierarchy *h);

/* Every supertype of a class, itself first. Loads it. Arrays: Object, Cloneable and Serializable (not the
 * covariant array types). */
struct supertypes hierarchy_supertypes(struct hierarchy *h, class_id c);
/* Also for arrays (JVMS 4.10.1.2) and primitives (only equal to themselves). */
bool hierarchy_is_subtype(struct hierarchy *h, class_id sub, class_id super);
bool same_package(const struct program *p, class_id a, class_id b);
/* Is an ancestor of the class a phantom, so that its members and supertypes are not all known? */
bool hierarchy_misses_ancestor(struct hierarchy *h, class_id c);
/* Is `super` the class itself or one of its superclasses? Object is the superclass of interfaces. */
bool hierarchy_is_subclass(struct hierarchy *h, class_id sub, class_id super);

enum resolution {
	RESOLVE_UNTRIED,
	RESOLVE_OK,
	RESOLVE_NO_CLASS,        /* the class named by the reference is missing */
	RESOLVE_NO_MEMBER,       /* nowhere in a complete hierarchy: NoSuchMethodError */
	RESOLVE_INCOMPLETE,      /* not found, but an ancestor is missing and may have it */
	RESOLVE_WRONG_KIND,      /* a class where an interface is named, or the reverse */
	RESOLVE_POLYMORPHIC,     /* a signature-polymorphic method of MethodHandle or VarHandle */
};

/* Resolves a symbolic reference (JVMS 5.4.3.2 to 5.4.3.4), without access control. The answer is kept in
 * the reference's row: `target` is set for RESOLVE_OK and RESOLVE_POLYMORPHIC. */
enum resolution resolve_method(struct hierarchy *h, mref_id m);
enum resolution resolve_field(struct hierarchy *h, fref_id f);

/* Access control, JVMS 5.4.4: may code of class `from` use the class or the member? Modules are not
 * considered. An array is as accessible as its element. `via` is the class named by the reference: protected
 * instance members of another package are for subclasses, by way of classes related to them. */
bool access_class(struct program *p, class_id from, class_id to);
bool access_member(struct hierarchy *h, class_id from, class_id via, class_id owner, uint16_t flags);
/* The same for a resolved reference (RESOLVE_OK). Arrays have a public clone. */
bool access_method(struct hierarchy *h, class_id from, mref_id m);

/* Selection, JVMS 5.4.6: the method that runs when `resolved` is called on an object of class `c` by
 * invokevirtual. None when the JVM would throw (AbstractMethodError, IncompatibleClassChangeError). */
method_id select_method(struct hierarchy *h, class_id c, method_id resolved);
/* The same by invokeinterface, which refuses methods that are neither public nor private (JVMS 6.5). */
method_id select_interface(struct hierarchy *h, class_id c, method_id resolved);
/* The target of invokespecial in class `from` (JVMS 6.5; ACC_SUPER counts as set, as it does for the JVM since
 * Java 8); none when the JVM would throw. Requires a resolved reference. */
method_id select_special(struct hierarchy *h, class_id from, mref_id m);

/* Class initialisation, JVMS 5.5: calls fn for every initialiser that runs when class c is initialised: of the class, its
 * superclasses, and the superinterfaces with default methods. The caller remembers what is initialised already. */
void hierarchy_initialisers(struct hierarchy *h, class_id c, void (*fn)(void *ctx, class_id of, method_id clinit), void *ctx);

/* The only implementation among maximally-specific superinterface methods of `c` (JVMS 5.4.3.3), or none. */
method_id default_method(struct hierarchy *h, class_id c, sel_id sel);

#endif
