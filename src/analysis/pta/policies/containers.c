/* SPDX-License-Identifier: Apache-2.0 */
/* Andersen's analysis with contexts for containers alone: most of what object sensitivity tells apart is what different
 * collections hold. The context of a method is the container that it is called on, and the one that created that; what it creates
 * remembers the container. Parts of a container (object_is_part) have its context, and none of their own.
 *
 * Containers have the names of the places where they are created, but those that a library creates for itself: there is much of it, and
 * the class whose code it is tells nearly as much. Static methods that return a container (Arrays.asList, Collections.unmodifiableList)
 * have a context for each call, other static methods that of their caller.
 *
 * A call that is made on many containers passes its arguments to all of them, and has what any of them holds: from some number on,
 * contexts cost much and tell nothing apart. */
#include "analysis/pta/policy.h"

#define DEPTH 2
#define IS_CLASS 0x20000000u             /* the names of a context are places, */
#define IS_SITE 0x40000000u              /* classes and call sites */

static uint32_t name_of(struct pta *a, uint32_t place)
{
	return place_is_own(a, place) ? place : IS_CLASS | place_class(a, place);
}

static context_id of_container(struct pta *a, context_id caller, uint32_t site, object_id receiver)
{
	if (!receiver.i)
		return !caller.i && site_gives_container(a, site) ? context_push(a, IS_SITE | site, caller, DEPTH) : caller;
	context_id creator = object_context(a, receiver);
	if (creator.i && object_is_part(a, receiver))
		return context_cut(a, creator, DEPTH);
	return context_push(a, name_of(a, object_place(a, receiver)), creator, DEPTH);
}

static context_id newest(struct pta *a, context_id of)
{
	return context_cut(a, of, DEPTH - 1);
}

const struct policy policy_containers = {
	.name = "containers",
	.help = "andersen for each collection, map or other container that a method is called on",
	.cheaper = "andersen",
	.variables = ONE_A_VARIABLE,
	.fields = FIELD_OF_OBJECT,
	.objects = OBJECT_OF_SITE,
	.by_receiver = true,
	.callee = of_container,
	.heap = newest,
	.is_context = class_is_container,
	.most_contexts = 16,
};
