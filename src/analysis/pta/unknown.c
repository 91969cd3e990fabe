/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of unknown class: what comes out of code that is not there or not modelled. Where the type of such an object is
 * declared, or it is always cast, it is one of that type: it does not pass for objects of others. One that code of a library found, or
 * that stands for what the JVM passes, is none of the program's types, or of the component's: those who know these find their objects
 * themselves, and their own code is where that shows. */
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

/* Of two classes: is one above the other, or is not known what is above them? */
static bool may_be_related(struct pta *a, class_id x, class_id y)
{
	struct supertypes of_x = hierarchy_supertypes(&a->h, x), of_y = hierarchy_supertypes(&a->h, y);

	if (of_x.misses_some || of_y.misses_some)
		return true;
	if (of_x.nclasses < of_y.nclasses)
		return of_y.classes[of_y.nclasses - of_x.nclasses].i == x.i;
	return of_x.classes[of_x.nclasses - of_y.nclasses].i == y.i;
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
	if (!is_interface(a, x) && !is_interface(a, y))
		return may_be_related(a, x, y);
	return is_one_the_other(a, x, y) || hierarchy_misses_ancestor(&a->h, x) || hierarchy_misses_ancestor(&a->h, y);
}

static class_id element_of(const struct pta *a, class_id c)
{
	while (c.i && is_array(a, c))
		c = class_row(a->p, c)->element;
	return c;
}

/* Is the type for others? A library's own code makes objects of the rest, and says so. */
static bool is_open_type(struct pta *a, class_id of)
{
	class_id c = element_of(a, of);

	program_load(a->p, c);
	const struct ir_class *row = class_row(a->p, c);
	bool is_for_others = (row->flags & ACCESS_PUBLIC) && !row->is_sealed;
	return is_for_others || row->kind != CLASS_FILE || is_application(a, c);
}

static void find_known(struct pta *a, struct unknown_row *u)
{
	for (uint32_t i = 1; !u->has_known && i < a->p->classes.len; i++)
		if (class_row(a->p, (class_id){ i })->kind == CLASS_FILE && hierarchy_is_subtype(&a->h, (class_id){ i }, u->below))
			vec_push(&u->known, ((class_id){ i }));
	u->has_known = true;
}

/* Where there is a component, all classes are known: an object that its code found by name is of one of these, or of a client's class.
 * Is any of them of both types? */
static bool is_known_as(struct pta *a, class_id of, struct unknown_row *u)
{
	if (is_array(a, of) || is_array(a, u->below))
		return may_be_both(a, of, u->below);
	find_known(a, u);
	for (uint32_t i = 0; i < u->known.len; i++)
		if (hierarchy_is_subtype(&a->h, u->known.data[i], of))
			return true;
	return false;
}

static bool may_have(struct pta *a, class_id of, struct unknown_row *u)
{
	bool is_sure = u->below.i && hierarchy_is_subtype(&a->h, u->below, of);

	if (!of.i || is_sure)
		return true;
	if (!is_open_type(a, of) || (u->origin == FOREIGN && is_own(a, of)))
		return false;
	if (u->origin == OWN && u->below.i && are_classes_known(a))
		return is_known_as(a, of, u);
	return may_be_both(a, of, u->below);
}

void unknowns_meet(struct pta *a, uint32_t mask)
{
	struct mask_row row = a->kinds.masks.data[mask];

	for (uint32_t i = 0; i < a->kinds.unknowns.len; i++)
		if (may_have(a, row.of, &a->kinds.unknowns.data[i]))
			solver_mask_add(a->s, row.mask, a->kinds.unknowns.data[i].kind);
}

/* It has every field. In those of libraries' classes is whatever there is, nobody knows what is stored; for others see returned.c. All
 * of these are the same set, and one node. Arrays that own code got have elements of their own. */
static void fill_fields(struct pta *a, const struct unknown_row *u)
{
	object_id o = solver_kind_object(a->s, u->kind), any = solver_kind_object(a->s, a->kinds.unknowns.data[u->origin].kind);

	if (u->origin == OWN && u->below.i && is_array(a, u->below)) {
		solver_add(a->s, solver_slot(a->s, o, 0), unknown_object(a, class_row(a->p, u->below)->element, OWN));
		return;
	}
	solver_add(a->s, solver_slot(a->s, o, 0), a->places.data[UNKNOWN_PLACE].object);
	if (o.i != any.i)
		solver_join(a->s, solver_slot(a->s, o, 0), solver_slot(a->s, any, 0));
}

static void add_unknown(struct pta *a, class_id below, enum unknown_origin origin)
{
	kind_id k = kind_add(a, (struct pta_place){ .sort = PLACE_UNKNOWN }, SLOTS_ARE_ONE, solver_mask(a->s));
	struct unknown_row row = { .below = below, .kind = k, .origin = origin };

	uint32_t n = a->kinds.unknowns.len;
	vec_push(&a->kinds.unknowns, row);
	fill_fields(a, &row);            /* may add that of elements */
	for (uint32_t i = 1; i < a->kinds.masks.len; i++)
		if (mask_has_unknown(a, i) && may_have(a, a->kinds.masks.data[i].of, &a->kinds.unknowns.data[n]))
			solver_mask_add(a->s, a->kinds.masks.data[i].mask, k);
	solver_mask_add(a->s, a->kinds.only_unknown, k);
	solver_mask_add(a->s, a->kinds.only[origin], k);
}

void unknowns_init(struct pta *a)
{
	a->kinds.only_unknown = solver_mask(a->s);
	for (int i = 0; i < ORIGINS; i++)
		a->kinds.only[i] = solver_mask(a->s);
	for (int i = 0; i < ORIGINS; i++)
		add_unknown(a, (class_id){ 0 }, (enum unknown_origin)i);
}

void unknowns_release(struct kinds *k)
{
	for (uint32_t i = 0; i < k->unknowns.len; i++)
		vec_release(&k->unknowns.data[i].known);
	vec_release(&k->unknowns);
	map_release(&k->unknown_of);
}

uint32_t place_of_unknown(struct pta *a, class_id type, enum unknown_origin origin)
{
	if (!type.i || type.i == a->p->object.i)
		return a->class_place.data[a->kinds.unknowns.data[origin].kind.i];
	program_load(a->p, type);
	if (is_own(a, type))
		origin = OWN;
	uint32_t row = map_get(&a->kinds.unknown_of, map_key(type.i, origin));
	if (!row) {
		row = a->kinds.unknowns.len + 1;
		add_unknown(a, type, origin);
		*map_at(&a->kinds.unknown_of, map_key(type.i, origin)) = row;
	}
	return a->class_place.data[a->kinds.unknowns.data[row - 1].kind.i];
}

object_id unknown_object(struct pta *a, class_id type, enum unknown_origin origin)
{
	uint32_t place = place_of_unknown(a, type, origin);

	return a->places.data[place].object;
}

enum unknown_origin unknown_origin(const struct pta *a, uint32_t kind)
{
	return solver_mask_has(a->s, a->kinds.only[OWN], (kind_id){ kind }) ? OWN : FOREIGN;
}

enum unknown_origin origin_in(const struct pta *a, method_id m)
{
	return is_own(a, method_row(a->p, m)->owner) ? OWN : FOREIGN;
}

class_id written_in(const struct pta *a, class_id c)
{
	const struct ir_class *row = class_row(a->p, c);

	return row->kind == CLASS_SYNTHETIC && row->outer.i ? row->outer : c;
}

bool is_application(const struct pta *a, class_id c)
{
	const struct dynamic_opt *opt = a->opt.dynamic;

	return !(opt && opt->is_library && opt->is_library(opt->ctx, written_in(a, c)));
}

bool are_classes_known(const struct pta *a)
{
	return a->opt.dynamic && a->opt.dynamic->own;
}

bool is_own(const struct pta *a, class_id of)
{
	class_id c = element_of(a, of);

	if (!c.i || class_row(a->p, c)->kind == CLASS_PRIMITIVE)
		return false;
	return are_classes_known(a) ? map_get(a->opt.dynamic->own, written_in(a, c).i) : is_application(a, c);
}
