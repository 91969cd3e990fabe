/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of unknown class: what comes out of code that is not there or not modelled. Where the type of such an object is
 * declared, or it is always cast, it is one of that type: it does not pass for objects of others. */
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

/* Can there be an object of both types? A class that nobody knows may extend the one and implement the other. */
static bool may_be_both(struct pta *a, class_id x, class_id y)
{
	if (!x.i || !y.i || hierarchy_is_subtype(&a->h, x, y) || hierarchy_is_subtype(&a->h, y, x))
		return true;
	if (class_row(a->p, x)->kind != CLASS_FILE || class_row(a->p, y)->kind != CLASS_FILE)
		return true;
	if (hierarchy_misses_ancestor(&a->h, x) || hierarchy_misses_ancestor(&a->h, y))
		return true;
	return (is_interface(a, x) && !is_final(a, y)) || (is_interface(a, y) && !is_final(a, x));
}

void unknowns_meet(struct pta *a, uint32_t mask)
{
	struct mask_row row = a->kinds.masks.data[mask];

	for (uint32_t i = 0; i < a->kinds.unknowns.len; i++)
		if (may_be_both(a, row.of, a->kinds.unknowns.data[i].below))
			solver_mask_add(a->s, row.mask, a->kinds.unknowns.data[i].kind);
}

/* It has every field, and in them whatever there is. */
static void add_unknown(struct pta *a, class_id below)
{
	kind_id k = kind_add(a, (struct pta_place){ .sort = PLACE_UNKNOWN }, MAX_SLOTS, solver_mask(a->s));
	object_id o = solver_kind_object(a->s, k), any = a->places.data[UNKNOWN_PLACE].object;

	for (uint32_t i = 0; i < MAX_SLOTS; i++)
		solver_add(a->s, solver_slot(a->s, o, i), any);
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
