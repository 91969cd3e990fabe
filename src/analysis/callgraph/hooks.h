/* SPDX-License-Identifier: Apache-2.0 */
/* hooks.h - methods of serializable classes that java.io.ObjectStreamClass calls by reflection (hooks.def). */
#ifndef ANALYSIS_CALLGRAPH_HOOKS_H
#define ANALYSIS_CALLGRAPH_HOOKS_H

#include "analysis/hierarchy/hierarchy.h"

enum hook_rule { HOOK_DECLARED, HOOK_INHERITED, HOOK_BASE };      /* see hooks.def */

struct hook {
	enum hook_rule rule;
	sel_id sel;
	const char *result;              /* a field of sherd/JVM; NULL: none */
};

/* The hooks that method `via` of ObjectStreamClass calls: the k-th, false past the end. */
bool hook_at(struct program *p, method_id via, uint32_t k, struct hook *out);

/* Calls fn for every method that the hook is for an object of class `receiver`, an instance of Serializable. */
void hook_targets(struct hierarchy *h, struct hook hook, class_id receiver, void (*fn)(void *ctx, method_id m), void *ctx);

/* Is the field one that serialization itself reads and writes: of a serializable class, not static, and not transient? A class
 * that lists its fields in serialPersistentFields may list those that are. */
bool hook_stores_field(struct hierarchy *h, field_id f);

#endif
