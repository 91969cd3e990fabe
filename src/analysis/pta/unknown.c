/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of unknown class: what comes out of code that is not there or not modelled. Where the type of such an object is
 * declared, or it is always cast, it is one of that type: it does not pass for objects of others. What methods of libraries return
 * that are called on such objects has no type: call.c says why. */
#include "analysis/pta/pta_p.h"

#include "ir/access.h"

static bool is_final(const struct pta *a, class_id c)
{
	return class_row(a->p, c)->flags & ACCESS_FINAL;
}

static bool is_interface(const struct pta *a, class_id c)
{
	return class_row(a->p, c)->flags & ACCESS_INTERFACE;
}

static bool is_array(const struct pta *a, class_id c)
{
	return class_row(a->p, c)->kind == CLASS_ARRAY;
}

static bool is_one_the_other(struct pta *a, class_id x, class_id y)
{
	return hierarchy_is_subtype(&a->h, x, y) || hierarchy_is_subtype(&a->h, y, x);
}

static bool may_be_both(struct pta *a, class_id x, class_id y);

/* Of arrays, those with elements that may be of both types. Arrays are of no classes and interfaces but those that all of them are of. */
static bool may_be_arrays(struct pta *a, class_id x, class_id y)
{
	if (!is_array(a, x) || !is_array(a, y))
		return false;
	class_id of_x = class_row(a->p, x)->element, of_y = class_row(a->p, y)->element;
	bool are_primitive = class_row(a->p, of_x)->kind == CLASS_PRIMITIVE || class_row(a->p, of_y)->kind == CLASS_PRIMITIVE;

	return !are_primitive && may_be_both(a, of_x, of_y);
}

/* Can there be an object of both types? A class that nobody knows may extend the one and implement the other: what takes no search is
 * asked first. */
static bool may_be_both(struct pta *a, class_id x, class_id y)
{
	if (!x.i || !y.i)
		return true;
	program_load(a->p, x);
	program_load(a->p, y);
	if (is_array(a, x) || is_array(a, y))
		return is_one_the_other(a, x, y) || may_be_arrays(a, x, y);
	if ((is_interface(a, x) && !is_final(a, y)) || (is_interface(a, y) && !is_final(a, x)))
		return true;
	if (class_row(a->p, x)->kind != CLASS_FILE || class_row(a->p, y)->kind != CLASS_FILE)
		return true;
	return is_one_the_other(a, x, y) || hierarchy_misses_ancestor(&a->h, x) || hierarchy_misses_ancestor(&a->h, y);
}

void unknowns_meet(struct pta *a, uint32_t mask)
{
	struct mask_row row = a->kinds.masks.data[mask];

	for (uint32_t i = 0; i < a->kinds.unknowns.len; i++)
		if (may_be_both(a, row.of, a->kinds.unknowns.data[i].below))
			solver_mask_add(a->s, row.mask, a->kinds.unknowns.data[i].kind);
}

/* It has every field, and in them whatever there is: nobody knows what is stored. All of these are the same set, and one node. */
static void add_unknown(struct pta *a, class_id below)
{
	kind_id k = kind_add(a, (struct pta_place){ .sort = PLACE_UNKNOWN }, SLOTS_ARE_ONE, solver_mask(a->s));
	object_id o = solver_kind_object(a->s, k), any = a->places.data[UNKNOWN_PLACE].object;

	solver_add(a->s, solver_slot(a->s, o, 0), any);
	solver_join(a->s, solver_slot(a->s, o, 0), solver_slot(a->s, any, 0));
	vec_push(&a->kinds.unknowns, ((struct unknown_row){ below, k }));
	for (uint32_t i = 1; i < a->kinds.masks.len; i++)
		if (mask_has_unknown(a, i) && may_be_both(a, a->kinds.masks.data[i].of, below))
			solver_mask_add(a->s, a->kinds.masks.data[i].mask, k);
	if (a->kinds.only_unknown.i)
		solver_mask_add(a->s, a->kinds.only_unknown, k);
}

void unknowns_init(struct pta *a)
{
	add_unknown(a, (class_id){ 0 });
	a->kinds.unknown = a->kinds.unknowns.data[0].kind;
	a->kinds.only_unknown = solver_mask(a->s);
	solver_mask_add(a->s, a->kinds.only_unknown, a->kinds.unknown);
}

uint32_t place_of_unknown(struct pta *a, class_id type)
{
	if (!type.i || type.i == a->p->object.i)
		return UNKNOWN_PLACE;
	program_load(a->p, type);
	uint32_t row = map_get(&a->kinds.unknown_of, type.i);
	if (!row) {
		add_unknown(a, type);
		row = a->kinds.unknowns.len;
		*map_at(&a->kinds.unknown_of, type.i) = row;
	}
	return a->class_place.data[a->kinds.unknowns.data[row - 1].kind.i];
}

object_id unknown_object(struct pta *a, class_id type)
{
	uint32_t place = place_of_unknown(a, type);

	return a->places.data[place].object;
}

bool is_application(const struct pta *a, class_id c)
{
	const struct ir_class *row = class_row(a->p, c);
	const struct dynamic_opt *opt = a->opt.dynamic;

	if (row->kind == CLASS_SYNTHETIC && row->outer.i)
		c = row->outer;
	return !(opt && opt->is_library && opt->is_library(opt->ctx, c));
}
