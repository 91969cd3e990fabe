/* SPDX-License-Identifier: Apache-2.0 */
/* Object sensitivity (Milanova, Rountev and Ryder): the context of a method is its receiver, named by where it was
 * created, and the receiver of that, k in all; objects remember k - 1 of them. Type sensitivity (Smaragdakis, Bravenboer
 * and Lhotak) replaces each place by the class whose code it is in. Static methods have the context of their caller.
 *
 * Parts of an object (object_is_part: nodes of a map, its iterators) have the context of that object, where objects have one;
 * what they create in turn is to have it, too: a node that the tree of a map makes is the map's. So the creator comes first
 * in the context of a part's methods, since the first is what objects remember. */
#include "analysis/pta/policy.h"

/* `name` stands for the receiver. */
static context_id of_receiver(struct pta *a, object_id receiver, uint32_t name, uint32_t k)
{
	context_id creator = object_context(a, receiver);

	return object_is_part(a, receiver) ? context_append(a, creator, name, k) : context_push(a, name, creator, k);
}

static context_id of_object(struct pta *a, context_id caller, object_id receiver, uint32_t k)
{
	return receiver.i ? of_receiver(a, receiver, object_place(a, receiver), k) : context_cut(a, caller, k);
}

static context_id of_type(struct pta *a, context_id caller, object_id receiver, uint32_t k)
{
	return receiver.i ? of_receiver(a, receiver, place_class(a, object_place(a, receiver)), k) : context_cut(a, caller, k);
}

static context_id one_object(struct pta *a, context_id caller, uint32_t site, object_id receiver)
{
	(void)site;
	return of_object(a, caller, receiver, 1);
}

static context_id two_objects(struct pta *a, context_id caller, uint32_t site, object_id receiver)
{
	(void)site;
	return of_object(a, caller, receiver, 2);
}

static context_id one_type(struct pta *a, context_id caller, uint32_t site, object_id receiver)
{
	(void)site;
	return of_type(a, caller, receiver, 1);
}

static context_id two_types(struct pta *a, context_id caller, uint32_t site, object_id receiver)
{
	(void)site;
	return of_type(a, caller, receiver, 2);
}

static context_id newest(struct pta *a, context_id of)
{
	return context_cut(a, of, 1);
}

#define OBJECT .variables = ONE_A_VARIABLE, .fields = FIELD_OF_OBJECT, .objects = OBJECT_OF_SITE, .by_receiver = true

const struct policy policy_1obj = {
	.name = "1obj",
	.help = "andersen for each receiver object of a method",
	.cheaper = "andersen",
	OBJECT,
	.callee = one_object,
	.one_receiver = true,
};

const struct policy policy_2obj = {
	.name = "2obj",
	.help = "andersen for each receiver and its creator's receiver; objects have a context, too",
	.cheaper = "2type",
	OBJECT,
	.callee = two_objects,
	.heap = newest,
	.one_receiver = true,
};

const struct policy policy_1type = {
	.name = "1type",
	.help = "andersen for each class that creates receivers of a method",
	.cheaper = "andersen",
	OBJECT,
	.callee = one_type,
};

const struct policy policy_2type = {
	.name = "2type",
	.help = "as 2obj, by the classes that create receivers",
	.cheaper = "1type",
	OBJECT,
	.callee = two_types,
	.heap = newest,
};
