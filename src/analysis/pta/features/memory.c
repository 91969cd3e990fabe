/* SPDX-License-Identifier: Apache-2.0 */
/* Memory by offset: what Unsafe and VarHandles read and write is some field of the object that they are given. On behalf of
 * ObjectStreamClass that is one which serialization stores. */
#include "analysis/callgraph/hooks.h"
#include "analysis/pta/feature.h"

#include "ir/access.h"

struct access {
	node_id node;            /* to or from */
	bool is_get;
	struct any_field any;
};

struct any_field any_field_in(struct pta *a, uint32_t in)
{
	return (struct any_field){ context_is_within(a, a->instances.data[in].context, a->field_reflector) };
}

bool any_field_is(struct pta *a, struct any_field any, field_id f)
{
	return !any.is_serial || hook_stores_field(&a->h, f) || hierarchy_misses_ancestor(&a->h, field_row(a->p, f)->owner);
}

bool any_field_has(struct pta *a, struct any_field any, class_id c, uint32_t slot)
{
	if (!any.is_serial)
		return true;
	if (class_row(a->p, c)->kind == CLASS_ARRAY)
		return false;
	field_id f = slot_field(a, c, slot);
	return !f.i || any_field_is(a, any, f);
}

static void join(struct pta *a, const struct access *x, node_id slot, class_id type)
{
	mask_id mask = type.i && type.i != a->p->object.i ? mask_of_class(a, type) : (mask_id){ 0 };

	if (x->is_get && is_constant_type(a, type))
		solver_add(a->s, x->node, solver_kind_object(a->s, kind_of_class(a, type)));
	else if (x->is_get)
		solver_copy(a->s, slot, x->node, (mask_id){ 0 });
	else
		solver_copy(a->s, x->node, slot, mask);
}

/* Where fields are not part of objects. */
static void join_fields(struct pta *a, const struct access *x, class_id c)
{
	for (; c.i; c = class_row(a->p, c)->super) {
		struct ir_class row = *class_row(a->p, c);
		for (uint32_t i = 0; i < row.nfields; i++) {
			field_id f = { row.first_field + i };
			struct str desc = sel_desc(a->p, field_row(a->p, f)->sel);
			if ((field_row(a->p, f)->flags & ACCESS_STATIC) || (desc.p[0] != 'L' && desc.p[0] != '['))
				continue;
			if (!any_field_is(a, x->any, f))
				continue;
			join(a, x, field_node(a, f), program_class_of_desc(a->p, desc));
		}
	}
}

static void join_object(struct pta *a, const struct access *x, object_id o)
{
	kind_id k = solver_kind_of(a->s, o);
	class_id c = a->kinds.classes.data[k.i];

	if (is_world_kind(a, k.i)) {
		if (x->is_get)
			world_give(a, x->node, a->p->object);
		else
			world_escape(a, x->node);
		return;
	}
	if (is_unknown_kind(a, k.i)) {
		if (x->is_get)
			solver_add(a->s, x->node, unknown_object(a, (class_id){ 0 }, FOREIGN));
		return;
	}
	if (a->policy->fields != FIELD_OF_OBJECT && class_row(a->p, c)->kind != CLASS_ARRAY) {
		join_fields(a, x, c);
		return;
	}
	uint32_t n = k.i == map_get(&a->kinds.empty_of, c.i) ? 0 : class_slots(a, c);
	for (uint32_t i = 0; i < n; i++)
		if (any_field_has(a, x->any, c, i))
			join(a, x, solver_slot(a->s, o, i), k.i == a->kinds.any_array.i ? (class_id){ 0 } : slot_type(a, c, i));
}

void any_watch(struct pta *a, uint32_t watch, struct set_view news)
{
	const struct watch *w = &a->watches.data[watch];
	struct access x = { w->node, w->sort == WATCH_GET_ANY, { w->stmt } };

	for (uint32_t i = 0; i < news.n; i++)
		for (uint64_t bits = news.words[i]; bits; bits &= bits - 1)
			join_object(a, &x, (object_id){ news.blocks[i] * 64 + first_bit(bits) });
}

/* Natives that read and write memory by offset: (object, offset, [expected,] new value). */
static bool unsafe_native(struct maker *k)
{
	struct program *p = k->a->p;
	struct ir_method row = *method_row(p, k->caller.m);
	struct str name = sel_name(p, row.sel);
	uint32_t base, last = k->nparams - 1;

	if (!str_ends(name, "Reference") && !str_ends(name, "Object") && !str_ends(name, "Volatile"))
		return false;
	if (k->nparams < 3 || !k->param_types[1].i)
		return false;
	k->params[1] = base = maker_var(k, k->param_types[1]);
	for (uint32_t i = 3; i <= last; i++)
		if (k->param_types[i].i) {
			k->params[i] = maker_var(k, k->param_types[i]);
			maker_emit(k, (struct t_stmt){ .op = T_PUT_ANY, .to = base, .from = k->params[i] });
		}
	if (maker_result(k, row.sel).i) {
		uint32_t v = maker_var(k, maker_result(k, row.sel));
		maker_emit(k, (struct t_stmt){ .op = T_GET_ANY, .to = v, .from = base });
		vec_push(&k->returned, v);
	}
	return true;
}

const struct feature feature_unsafe = { .native = unsafe_native };
