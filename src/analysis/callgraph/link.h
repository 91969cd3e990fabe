/* SPDX-License-Identifier: Apache-2.0 */
/* link.h - what a statement means to a call graph before any receiver is known: how the JVM links its call, which class
 * it initialises. Shared by every analysis that builds a call graph. */
#ifndef ANALYSIS_CALLGRAPH_LINK_H
#define ANALYSIS_CALLGRAPH_LINK_H

#include "analysis/callgraph/callgraph.h"
#include "analysis/dynamic/loaders.h"
#include "analysis/hierarchy/hierarchy.h"

struct linker {
	struct program *p;
	struct hierarchy *h;
	struct map dynamic;               /* (class, name) -> sort and cause, from dynamic/features.def */
	struct loaders loaders;           /* overrides of these are features, too */
	class_id jvm;                     /* sherd/JVM: what the JVM itself does; loaded by linker_init */
	class_id method_type, method_handle;
	sel_id clinit;
};

void linker_init(struct linker *l, struct hierarchy *h);
void linker_release(struct linker *l);

/* Who makes a call. */
struct caller {
	method_id m;
	class_id cls;
	bool is_outside;          /* the user or the JVM (class sherd/JVM): no sites, its targets are entries */
	bool is_model;            /* a native method: it does not itself depend on names or handles */
	bool is_unseen;           /* of a class that stands for clients that nobody has seen */
	bool is_made;             /* that, or a synthetic method: free of access control, links may fail */
};
struct caller link_caller(const struct linker *l, method_id m);

enum link_sort {
	LINK_NOTHING,             /* no target: site.cause says why, or the call is to be ignored */
	LINK_ONE,                 /* always `target` */
	LINK_DISPATCHED,          /* what the receiver's class selects: dispatch_select */
	LINK_INLINED,             /* `target` is a method of sherd/JVM: its statements stand for the call; no site */
	LINK_REFLECTED,           /* what a dynamic call does beside `target`: dispatchers, as they come; points-to analyses only */
};

struct link {
	enum link_sort sort;
	struct cg_site site;      /* `set` and `receivers` are not filled in */
	bool is_listed;           /* the site belongs into the graph (failed links of made code do not) */
	method_id target;         /* LINK_ONE, LINK_INLINED */
	class_id initialises;     /* initialised when the call runs; none: nothing */
	enum dynamic_sort dynamic;        /* what it does by reflection; `site.cause` says why that may not be known */
};

/* A call statement (IR_CALL_STATIC to IR_CALL_INTERFACE). */
struct link link_call(struct linker *l, const struct caller *from, const struct ir_stmt *s);

/* A constant method handle as the call that it makes when it is invoked: fills *call (an implied call statement without
 * operands) and is true, unless it is a handle of a field. */
bool link_handle(const struct ir_stmt *handle, struct ir_stmt *call);

/* Classes that the statement (new, static field, handle) initialises and instantiates; none for others. */
class_id link_initialises(struct linker *l, const struct ir_stmt *s);
class_id link_instantiates(struct linker *l, const struct ir_stmt *s);      /* also of constants; arrays as themselves */

/* What an object of class `receiver` selects at a dispatched call of `m` (LINK_DISPATCHED); none: nothing. Also where
 * the class named is missing, and for receivers with a missing ancestor, which may have types that nobody knows.
 * *is_incomplete becomes true when the receiver, or an ancestor, is missing and may have the method; else it stays as
 * it is. */
method_id dispatch_select(struct hierarchy *h, mref_id m, class_id receiver, bool *is_incomplete);

#endif
