/* SPDX-License-Identifier: Apache-2.0 */
/* Points-to facts, over all contexts, with objects as places. */
#include "analysis/pta/pta_p.h"

#include "base/sort.h"

struct pta_place pta_place(const struct pta *a, uint32_t place)
{
	struct pta_place is = a->places.data[place].is;

	contract_place(a, &is.method, &is.pc);
	return is;
}

uint32_t pta_nplaces(const struct pta *a)
{
	return a->places.len;
}

static void collect(struct pta *a, node_id n)
{
	struct set_view v = solver_set(a->s, n);

	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t bits = v.words[i]; bits; bits &= bits - 1)
			vec_push(&a->answer, object_place(a, (object_id){ v.blocks[i] * 64 + first_bit(bits) }));
}

static struct pta_set answer(struct pta *a)
{
	a->answer.len = sort_ids(a->answer.data, a->answer.len);
	return (struct pta_set){ a->answer.data, a->answer.len };
}

uint32_t pta_nvalues(struct pta *a, method_id m)
{
	const struct template *t = m.i < a->templates.len ? a->templates.data[m.i] : NULL;

	return t ? t->nvalues : 0;
}

/* Instances of a method, found by walking them all once. */
void index_instances(struct pta *a)
{
	if (a->instances_of.len)
		return;
	for (uint32_t i = 0; i < a->templates.len; i++)
		vec_push(&a->instances_of, 0);
	for (uint32_t i = 0; i < a->instances.len; i++)
		vec_push(&a->next_instance, 0);
	for (uint32_t i = 1; i < a->instances.len; i++) {
		uint32_t *first = &a->instances_of.data[a->instances.data[i].method.i];
		a->next_instance.data[i] = *first;
		*first = i;
	}
}

static struct pta_set variable(struct pta *a, method_id m, uint32_t var)
{
	vec_clear(&a->answer);
	index_instances(a);
	for (uint32_t i = var ? a->instances_of.data[m.i] : 0; i; i = a->next_instance.data[i])
		collect(a, variable_node(a, i, var));
	return answer(a);
}

struct pta_set pta_value(struct pta *a, method_id m, ir_value v)
{
	bool is_value = v && v <= pta_nvalues(a, m);

	return variable(a, m, is_value ? a->templates.data[m.i]->var_of_value[v] : 0);
}

struct pta_set pta_returned(struct pta *a, method_id m)
{
	const struct template *t = m.i < a->templates.len ? a->templates.data[m.i] : NULL;

	return variable(a, m, t ? t->returns : 0);
}

struct pta_set pta_this(struct pta *a, method_id m)
{
	const struct template *t = m.i < a->templates.len ? a->templates.data[m.i] : NULL;

	return variable(a, m, t && t->has_receiver ? t->params[0] : 0);
}

/* Fields of constant types are not tracked: they hold the object of their class. */
static bool collect_constant(struct pta *a, field_id f)
{
	class_id type = f.i ? program_class_of_desc(a->p, sel_desc(a->p, field_row(a->p, f)->sel)) : (class_id){ 0 };

	if (!is_constant_type(a, type))
		return false;
	vec_push(&a->answer, object_place(a, (object_id){ kind_of_class(a, type).i }));
	return true;
}

struct pta_set pta_static_field(struct pta *a, field_id f)
{
	vec_clear(&a->answer);
	if (collect_constant(a, f))
		return answer(a);
	collect(a, static_node(a, f.i));
	return answer(a);
}

/* Objects of a place, found by walking them all once. */
static void index_objects(struct pta *a)
{
	if (a->objects_of.len)
		return;
	for (uint32_t i = 0; i < a->places.len; i++)
		vec_push(&a->objects_of, 0);
	for (uint32_t i = 0; i < a->objects.len; i++) {
		uint32_t *first = &a->objects_of.data[a->objects.data[i].place];
		vec_push(&a->next_object, a->objects.data[i].place ? *first : 0);
		if (a->objects.data[i].place)
			*first = i + KINDS_MAX;
	}
}

struct pta_set pta_field(struct pta *a, uint32_t place, field_id f)
{
	struct place row = a->places.data[place];

	vec_clear(&a->answer);
	if (a->policy->fields != FIELD_OF_OBJECT && f.i)
		return pta_static_field(a, f);
	if (collect_constant(a, f))
		return answer(a);
	if (row.is.sort == PLACE_UNKNOWN || (!f.i && !class_slots(a, row.is.cls)))
		return answer(a);
	index_objects(a);
	uint32_t slot = f.i ? slot_of_field(a, f) : 0;
	if (!row.by_site)
		collect(a, solver_slot(a->s, row.object, slot));
	for (uint32_t o = row.by_site ? a->objects_of.data[place] : 0; o; o = a->next_object.data[o - KINDS_MAX])
		collect(a, solver_slot(a->s, (object_id){ o }, slot));
	return answer(a);
}
