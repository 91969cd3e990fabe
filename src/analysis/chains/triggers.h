/* SPDX-License-Identifier: Apache-2.0 */
/* triggers.h - which class initialisers the JVM may run on top of a method: those of classes that its own code initialises.
 *
 * JVMS 5.5: new, a static field, a static method, or reflection needs the class; with it its superclasses, and superinterfaces with
 * default methods. Any code that needs a class may be the first that does. While code of a class runs, its own initialisation and that
 * of its superclasses have begun: these do not start there. */
#ifndef ANALYSIS_CHAINS_TRIGGERS_H
#define ANALYSIS_CHAINS_TRIGGERS_H

#include "analysis/callgraph/callgraph.h"
#include "analysis/hierarchy/hierarchy.h"

struct initialisers {
	const method_id *methods;     /* that the call graph reaches; each once, in no order */
	uint32_t n;
};

struct triggers;

/* Reads the code of all methods that the graph reaches: O(code). `is_passed` are methods whose calls count as those of who calls them,
 * and so do their classes: see chain_pass(). */
struct triggers *triggers_make(const struct callgraph *g, struct hierarchy *h, bool (*is_passed)(const void *ctx, method_id m),
			       const void *ctx);
void triggers_free(struct triggers *t);                /* may be NULL */

/* Of the code of a method; none: of what the JVM does itself. */
struct initialisers triggers_of(const struct triggers *t, method_id m);
/* Whatever runs first in the class, or makes an object of it. */
struct initialisers triggers_of_class(struct triggers *t, class_id c);
/* Does a call that no instruction makes need the class of this target? The JVM calls a method of it, or makes an object. */
bool triggers_by_call(const struct triggers *t, const struct cg_site *s, method_id target);
/* Initialisers of which no cause is known. */
struct initialisers triggers_unknown(const struct triggers *t);
/* May the initialiser start while code of the class runs? */
bool triggers_may_start(const struct triggers *t, class_id running, method_id initialiser);

#endif
