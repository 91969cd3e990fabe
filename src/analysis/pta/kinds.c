/* SPDX-License-Identifier: Apache-2.0 */
/* Classes as kinds of the solver: their fields as slots, their subtypes as masks. */
#include "analysis/pta/pta_p.h"

#include "ir/access.h"

/* Layout: the slots of the superclass, then one for each field of its own that holds a reference. */

static bool holds_reference(const struct program *p, field_id f)
{
	struct str desc = sel_desc(p, field_row(p, f)->sel);

	return desc.len && (desc.p[0] == 'L' || desc.p[0] == '[');
}

static bool is_reference_array(const struct program *p, class_id c)
{
	return class_row(p, c)->kind == CLASS_ARRAY && class_row(p, class_row(p, c)->element)->kind != CLASS_PRIMITIVE;
}

static uint32_t lay_out(struct pta *a, class_id c, uint32_t first)
{
	struct ir_class row = *class_row(a->p, c);
	uint32_t n = first;

	while (a->kinds.slot_of.len < a->p->fields.len)
		vec_push(&a->kinds.slot_of, 0);
	for (uint32_t i = 0; i < row.nfields; i++) {
		field_id f = { row.first_field + i };
		if ((field_row(a->p, f)->flags & ACCESS_STATIC) || !holds_reference(a->p, f))
			continue;
		a->kinds.slot_of.data[f.i] = 1 + (n < MAX_SLOTS ? n : MAX_SLOTS - 1);
		n += n < MAX_SLOTS;
	}
	return n;
}

static uint32_t *nslots_at(struct pta *a, class_id c)
{
	while (a->kinds.nslots.len <= c.i)
		vec_push(&a->kinds.nslots, 0);
	return &a->kinds.nslots.data[c.i];
}

uint32_t class_slots(struct pta *a, class_id c)
{
	program_load(a->p, c);
	if (class_row(a->p, c)->kind == CLASS_ARRAY)
		return is_reference_array(a->p, c);
	class_id above[MAX_SUPERCLASSES + 1];
	uint32_t depth = 0, n = 0;
	for (class_id k = c; k.i && depth <= MAX_SUPERCLASSES; k = class_row(a->p, k)->super) {
		if (*nslots_at(a, k)) {
			n = *nslots_at(a, k) - 1;
			break;
		}
		above[depth++] = k;
	}
	while (depth-- > 0) {
		n = lay_out(a, above[depth], n);
		*nslots_at(a, above[depth]) = 1 + n;
	}
	return n;
}

uint32_t slot_of_field(struct pta *a, field_id f)
{
	class_slots(a, field_row(a->p, f)->owner);
	return f.i < a->kinds.slot_of.len && a->kinds.slot_of.data[f.i] ? a->kinds.slot_of.data[f.i] - 1 : MAX_SLOTS - 1;
}

field_id slot_field(struct pta *a, class_id c, uint32_t slot)
{
	if (slot == MAX_SLOTS - 1)
		return (field_id){ 0 };
	for (; c.i; c = class_row(a->p, c)->super) {
		struct ir_class row = *class_row(a->p, c);
		if (row.super.i && class_slots(a, row.super) > slot)
			continue;
		for (uint32_t i = 0; i < row.nfields; i++)
			if (a->kinds.slot_of.data[row.first_field + i] == slot + 1)
				return (field_id){ row.first_field + i };
	}
	return (field_id){ 0 };
}

class_id slot_type(struct pta *a, class_id c, uint32_t slot)
{
	if (class_row(a->p, c)->kind == CLASS_ARRAY)
		return class_row(a->p, c)->element;
	field_id f = slot_field(a, c, slot);
	return f.i ? program_class_of_desc(a->p, sel_desc(a->p, field_row(a->p, f)->sel)) : (class_id){ 0 };
}

/* Sorts of objects that may be kept apart or not */

static bool is_leaf_type(struct pta *a, class_id c)
{
	if (!c.i)
		return false;
	return c.i == a->p->string.i || (class_row(a->p, c)->kind == CLASS_ARRAY && !is_reference_array(a->p, c));
}

/* Do its objects refer, from that slot on, to nothing but strings and arrays of primitives? */
static bool is_leaf(struct pta *a, class_id c, uint32_t from)
{
	uint32_t n = class_slots(a, c);

	if (class_row(a->p, c)->kind == CLASS_ARRAY)
		return n == 0;
	if (hierarchy_misses_ancestor(&a->h, c))
		return false;
	for (uint32_t i = from; i < n; i++)
		if (!is_leaf_type(a, slot_type(a, c, i)))
			return false;
	return true;
}

static enum heap_sort find_heap_sort(struct pta *a, class_id c)
{
	struct str name = class_name(a->p, c);

	if (c.i == a->p->string.i)
		return HEAP_STRINGS;
	if (c.i == a->p->class_.i)
		return HEAP_CLASSES;
	if (str_is(name, "java/lang/StringBuilder") || str_is(name, "java/lang/StringBuffer"))
		return HEAP_BUILDERS;
	if (hierarchy_is_subtype(&a->h, c, a->p->throwable))
		return is_leaf(a, c, class_slots(a, a->p->throwable)) ? HEAP_EXCEPTIONS : HEAP_PAYLOADS;
	return is_leaf(a, c, 0) ? HEAP_LEAVES : HEAP_SORTS;
}

enum heap_sort heap_sort_of_class(struct pta *a, class_id c)
{
	while (a->kinds.heap.len <= c.i)
		vec_push(&a->kinds.heap, 0);
	if (!a->kinds.heap.data[c.i]) {
		uint8_t sort = (uint8_t)(1 + find_heap_sort(a, c));
		while (a->kinds.heap.len <= c.i)
			vec_push(&a->kinds.heap, 0);
		a->kinds.heap.data[c.i] = sort;
	}
	return (enum heap_sort)(a->kinds.heap.data[c.i] - 1);
}

/* Strings and arrays of primitives have no subtypes and, as one object each, nothing to tell apart. */
bool is_constant_type(struct pta *a, class_id c)
{
	if (!c.i)
		return false;
	bool is_merged = a->policy->objects == OBJECT_OF_CLASS;
	if (c.i == a->p->string.i)
		return is_merged || !a->opt.heap.by_site[HEAP_STRINGS];
	return class_row(a->p, c)->kind == CLASS_ARRAY && !is_reference_array(a->p, c) &&
	       (is_merged || !a->opt.heap.by_site[HEAP_LEAVES]);
}

/* Masks: a kind meets the masks of its supertypes, in either order of arrival. */

static id_list *list_at(list_table *v, uint32_t i)
{
	while (v->len <= i)
		vec_push(v, (id_list){ 0 });
	return &v->data[i];
}

static bool is_excepted(struct pta *a, class_id c, uint32_t except)
{
	for (; except; except = a->kinds.cells.data[except].rest)
		if (hierarchy_is_subtype(&a->h, c, a->kinds.cells.data[except].c))
			return true;
	return false;
}

static void meet(struct pta *a, uint32_t mask, uint32_t kind)
{
	struct mask_row row = a->kinds.masks.data[mask];

	if (!is_excepted(a, a->kinds.classes.data[kind], row.except))
		solver_mask_add(a->s, row.mask, (kind_id){ kind });
}

static bool is_open_to(const struct pta *a, class_id of)
{
	return !(class_row(a->p, of)->flags & ACCESS_FINAL) && class_row(a->p, of)->kind != CLASS_ARRAY;
}

/* Is an array class below another, or may it be, since nobody knows all supertypes of its elements? */
static bool may_be_array(struct pta *a, class_id c, class_id super)
{
	if (hierarchy_is_subtype(&a->h, c, super))
		return true;
	while (class_row(a->p, c)->kind == CLASS_ARRAY && class_row(a->p, super)->kind == CLASS_ARRAY) {
		c = class_row(a->p, c)->element;
		super = class_row(a->p, super)->element;
	}
	enum class_kind kind = class_row(a->p, c)->kind;
	if (kind != CLASS_FILE && kind != CLASS_PHANTOM)
		return false;
	program_load(a->p, c);
	bool is_open = class_row(a->p, c)->kind == CLASS_PHANTOM || hierarchy_misses_ancestor(&a->h, c);
	return is_open && is_open_to(a, super) && class_row(a->p, super)->kind != CLASS_PRIMITIVE;
}

static void register_array(struct pta *a, uint32_t kind)
{
	vec_push(&a->kinds.arrays, kind);
	for (uint32_t i = 0; i < a->kinds.array_masks.len; i++) {
		uint32_t mask = a->kinds.array_masks.data[i];
		if (may_be_array(a, a->kinds.classes.data[kind], a->kinds.masks.data[mask].of))
			meet(a, mask, kind);
	}
}

static void register_kind(struct pta *a, uint32_t kind)
{
	class_id c = a->kinds.classes.data[kind];
	struct supertypes s = hierarchy_supertypes(&a->h, c);
	bool is_array = class_row(a->p, c)->kind == CLASS_ARRAY;

	for (uint32_t i = 0; i < s.n; i++) {
		if (is_array && s.classes[i].i == c.i)
			continue;
		vec_push(list_at(&a->kinds.below, s.classes[i].i), kind);
		id_list masks = *list_at(&a->kinds.masks_of, s.classes[i].i);
		for (uint32_t k = 0; k < masks.len; k++)
			meet(a, masks.data[k], kind);
	}
	if (is_array)
		register_array(a, kind);
	if (!hierarchy_misses_ancestor(&a->h, c))
		return;
	vec_push(&a->kinds.open, kind);
	for (uint32_t i = 1; i < a->kinds.masks.len; i++)
		if (is_open_to(a, a->kinds.masks.data[i].of))
			meet(a, i, kind);
}

kind_id kind_add(struct pta *a, struct pta_place is, uint32_t nslots, mask_id admits)
{
	kind_id k = solver_kind(a->s, nslots, admits);
	struct place place = { .is = is, .object = solver_kind_object(a->s, k) };

	while (a->kinds.classes.len <= k.i)
		vec_push(&a->kinds.classes, (class_id){ 0 });
	a->kinds.classes.data[k.i] = is.cls;
	if (nslots)
		name_nodes(a, solver_slot(a->s, place.object, 0), NAME_SLOTS, place.object.i);
	while (a->class_place.len <= k.i)
		vec_push(&a->class_place, 0);
	a->class_place.data[k.i] = a->places.len;
	vec_push(&a->places, place);
	return k;
}

static kind_id add_kind(struct pta *a, class_id c, uint32_t nslots, mask_id admits)
{
	return kind_add(a, (struct pta_place){ .sort = PLACE_CLASS, .cls = c }, nslots, admits);
}

kind_id kind_of_class(struct pta *a, class_id c)
{
	uint32_t k = map_get(&a->kinds.of_class, c.i);
	mask_id admits = { 0 };

	if (k)
		return (kind_id){ k };
	uint32_t n = class_slots(a, c);
	if (hierarchy_misses_ancestor(&a->h, c))
		n = MAX_SLOTS;
	if (is_reference_array(a->p, c) && class_row(a->p, c)->element.i != a->p->object.i)
		admits = mask_of_class(a, class_row(a->p, c)->element);
	kind_id made = add_kind(a, c, n, admits);
	*map_at(&a->kinds.of_class, c.i) = made.i;
	register_kind(a, made.i);
	return made;
}

uint32_t place_of_empty(struct pta *a, class_id c)
{
	uint32_t *at = map_at(&a->kinds.empty_of, c.i);

	if (!*at) {
		kind_id k = add_kind(a, c, class_slots(a, c), a->kinds.nothing);
		*at = k.i;
		register_kind(a, k.i);
	}
	return a->class_place.data[map_get(&a->kinds.empty_of, c.i)];
}

/* The class of the JVM, of which there are no objects, stands for what is unknown in such a list. */
static bool excepts_unknown(const struct pta *a, uint32_t except)
{
	return except && a->kinds.cells.data[except].c.i == a->linker.jvm.i;
}

bool mask_has_unknown(const struct pta *a, uint32_t row)
{
	return !excepts_unknown(a, a->kinds.masks.data[row].except);
}

mask_id mask_of_known(struct pta *a, class_id c)
{
	return mask_of_rest(a, c, cell_push(a, a->linker.jvm, 0));
}

static void fill_mask(struct pta *a, uint32_t row)
{
	class_id of = a->kinds.masks.data[row].of;
	bool is_array = class_row(a->p, of)->kind == CLASS_ARRAY;

	id_list below = *list_at(&a->kinds.below, of.i);
	for (uint32_t i = 0; i < below.len; i++)
		meet(a, row, below.data[i]);
	for (uint32_t i = 0; is_array && i < a->kinds.arrays.len; i++)
		if (may_be_array(a, a->kinds.classes.data[a->kinds.arrays.data[i]], of))
			meet(a, row, a->kinds.arrays.data[i]);
	for (uint32_t i = 0; i < a->kinds.open.len; i++)
		if (is_open_to(a, of))
			meet(a, row, a->kinds.open.data[i]);
	world_meet(a, row);
	if (excepts_unknown(a, a->kinds.masks.data[row].except))
		return;
	unknowns_meet(a, row);
	if (is_reference_array(a->p, of) || of.i == a->p->object.i || of.i == a->p->cloneable.i || of.i == a->p->serializable.i)
		solver_mask_add(a->s, a->kinds.masks.data[row].mask, a->kinds.any_array);
}

mask_id mask_of_rest(struct pta *a, class_id c, uint32_t except)
{
	if (!c.i)
		c = a->p->throwable;      /* a handler without a class */
	program_load(a->p, c);
	uint32_t row = map_get(&a->kinds.mask_by_key, map_key(c.i, except));
	if (row)
		return a->kinds.masks.data[row].mask;
	row = a->kinds.masks.len;
	*map_at(&a->kinds.mask_by_key, map_key(c.i, except)) = row;
	vec_push(&a->kinds.masks, ((struct mask_row){ solver_mask(a->s), c, except }));
	if (class_row(a->p, c)->kind == CLASS_ARRAY)
		vec_push(&a->kinds.array_masks, row);
	else
		vec_push(list_at(&a->kinds.masks_of, c.i), row);
	fill_mask(a, row);
	return a->kinds.masks.data[row].mask;
}

mask_id mask_of_class(struct pta *a, class_id c)
{
	return mask_of_rest(a, c, 0);
}

uint32_t cell_push(struct pta *a, class_id c, uint32_t rest)
{
	if (!c.i)
		c = a->p->throwable;
	uint32_t *at = map_at(&a->kinds.cell_by_key, map_key(c.i, rest));
	if (!*at) {
		*at = a->kinds.cells.len;
		vec_push(&a->kinds.cells, ((struct class_cell){ c, rest }));
	}
	return *at;
}

/* Start and end */

void kinds_init(struct pta *a)
{
	vec_push(&a->kinds.masks, (struct mask_row){ 0 });
	vec_push(&a->kinds.cells, (struct class_cell){ 0 });
	unknowns_init(a);
	a->kinds.nothing = solver_mask(a->s);
	a->kinds.any_array = add_kind(a, a->object_array, 1, (mask_id){ 0 });
	world_init(a);
}

static void release_lists(list_table *v)
{
	for (uint32_t i = 0; i < v->len; i++)
		vec_release(&v->data[i]);
	vec_release(v);
}

void kinds_release(struct kinds *k)
{
	release_lists(&k->below);
	release_lists(&k->masks_of);
	vec_release(&k->classes);
	vec_release(&k->masks);
	vec_release(&k->cells);
	vec_release(&k->arrays);
	vec_release(&k->array_masks);
	vec_release(&k->open);
	vec_release(&k->nslots);
	vec_release(&k->slot_of);
	vec_release(&k->heap);
	unknowns_release(k);
	map_release(&k->of_class);
	map_release(&k->empty_of);
	map_release(&k->mask_by_key);
	map_release(&k->cell_by_key);
}
