/* SPDX-License-Identifier: Apache-2.0 */
/* The world around a program, as far as it is assumed: code that is not there calls whatever it may, on whatever it has got hold of.
 *
 * All that it has is one object, and one array of such, whatever their classes: sets stay small. What the program hands to
 * it *escapes*: from then on its class is one of those that the object may have, and its fields hold the object, too. A
 * call on the object may reach what any of these classes selects (as in rapid type analysis), and hands over all that it is given;
 * so does a store into it. Methods that are called this way have no context. */
#include "analysis/pta/pta_p.h"

#include "ir/access.h"

static object_id world_object(const struct pta *a)
{
	return solver_kind_object(a->s, a->assumed.object);
}

static object_id world_array(const struct pta *a)
{
	return solver_kind_object(a->s, a->assumed.array);
}

uint32_t world_field(struct pta *a, bool is_escape)
{
	struct str name = is_escape ? STR("escaped") : STR("anything");

	return jvm_field(program_fref(a->p, a->linker.jvm, program_sel(a->p, name, STR("Ljava/lang/Object;"))));
}

static void fill_both(struct pta *a, node_id n)
{
	solver_add(a->s, n, world_object(a));
	solver_add(a->s, n, world_array(a));
}

static kind_id add_kind(struct pta *a, class_id c, uint32_t nslots)
{
	return kind_add(a, (struct pta_place){ .sort = PLACE_UNKNOWN, .cls = c }, nslots, a->assumed.both);
}

void world_init(struct pta *a)
{
	struct assumptions *x = &a->assumed;

	if (!has_assumptions(a))
		return;
	vec_push(&x->refs, (struct assumed_ref){ 0 });
	x->both = solver_mask(a->s);
	x->object = add_kind(a, a->p->object, MAX_SLOTS);
	x->array = add_kind(a, a->object_array, 1);
	solver_mask_add(a->s, x->both, x->object);
	solver_mask_add(a->s, x->both, x->array);
	for (uint32_t i = 0; i < MAX_SLOTS; i++)
		fill_both(a, solver_slot(a->s, world_object(a), i));
	fill_both(a, solver_slot(a->s, world_array(a), 0));
	fill_both(a, a->everything);
	fill_both(a, static_node(a, world_field(a, false)));
	solver_add(a->s, static_node(a, jvm_field(a->finalizable_field)), world_object(a));
	x->thrown = solver_nodes(a->s, 1);
	solver_add(a->s, x->thrown, world_object(a));
	vec_push(&a->watches, ((struct watch){ .sort = WATCH_WORLD }));
	solver_watch(a->s, static_node(a, world_field(a, true)), (mask_id){ 0 }, a->watches.len - 1);
}

uint32_t world_place(struct pta *a, method_id by, class_id c)
{
	const struct ir_class *row = class_row(a->p, c);
	bool is_array = row->kind == CLASS_ARRAY;

	if (!a->assumed.object.i || method_bit(&a->assumed.near, by) || dynamic_is_dispatcher(a->dynamic, by))
		return 0;
	if (is_array && class_row(a->p, row->element)->kind == CLASS_PRIMITIVE)
		return 0;
	if (!is_array)
		vec_push(&a->assumed.coming, c);
	return a->class_place.data[is_array ? a->assumed.array.i : a->assumed.object.i];
}

/* Can a variable of this type hold the object; an array of such? None: it is not declared. */
static bool holds_object(const struct pta *a, class_id type)
{
	enum class_kind kind = type.i ? class_row(a->p, type)->kind : CLASS_FILE;

	return kind != CLASS_ARRAY && kind != CLASS_PRIMITIVE;
}

static bool holds_array(const struct pta *a, class_id type)
{
	if (!type.i || type.i == a->p->object.i || type.i == a->p->cloneable.i || type.i == a->p->serializable.i)
		return true;
	const struct ir_class *row = class_row(a->p, type);
	return row->kind == CLASS_ARRAY && class_row(a->p, row->element)->kind != CLASS_PRIMITIVE;
}

void world_meet(struct pta *a, uint32_t mask)
{
	struct mask_row row = a->kinds.masks.data[mask];

	if (!a->assumed.object.i)
		return;
	if (holds_object(a, row.of))
		solver_mask_add(a->s, row.mask, a->assumed.object);
	if (holds_array(a, row.of))
		solver_mask_add(a->s, row.mask, a->assumed.array);
}

void world_give(struct pta *a, node_id to, class_id type)
{
	if (is_constant_type(a, type))
		return;
	if (holds_object(a, type))
		solver_add(a->s, to, world_object(a));
	if (holds_array(a, type))
		solver_add(a->s, to, world_array(a));
}

void world_escape(struct pta *a, node_id from)
{
	solver_copy(a->s, from, static_node(a, world_field(a, true)), (mask_id){ 0 });
}

/* What escapes */

static void escape_slots(struct pta *a, object_id o, class_id c)
{
	uint32_t n = class_slots(a, c);

	for (uint32_t i = 0; i < n; i++) {
		node_id slot = solver_slot(a->s, o, i);
		world_escape(a, slot);
		world_give(a, slot, slot_type(a, c, i));
	}
}

static void escape_object(struct pta *a, object_id o)
{
	uint32_t kind = solver_kind_of(a->s, o).i;
	class_id c = a->kinds.classes.data[kind];

	if (is_world_kind(a, kind) || is_unknown_kind(a, kind))
		return;
	bool is_array = class_row(a->p, c)->kind == CLASS_ARRAY;
	if (!is_array)
		world_add_class(a, c);
	bool is_empty = kind == map_get(&a->kinds.empty_of, c.i);
	if (!is_empty && (is_array || a->policy->fields == FIELD_OF_OBJECT))
		escape_slots(a, o, c);
}

void world_watch(struct pta *a, uint32_t watch, struct set_view news)
{
	(void)watch;
	for (uint32_t i = 0; i < news.n; i++)
		for (uint64_t bits = news.words[i]; bits; bits &= bits - 1)
			escape_object(a, (object_id){ news.blocks[i] * 64 + first_bit(bits) });
}

void world_store(struct pta *a, node_id from, node_id base)
{
	if (!a->assumed.object.i)
		return;
	vec_push(&a->watches, ((struct watch){ .sort = WATCH_STORE, .node = from }));
	solver_watch(a->s, base, a->assumed.both, a->watches.len - 1);
}

void store_watch(struct pta *a, uint32_t watch, struct set_view news)
{
	(void)news;
	world_escape(a, a->watches.data[watch].node);
}

/* Static fields */

void world_static(struct pta *a, uint32_t field, node_id n)
{
	if (!a->assumed.touches_statics || is_jvm_field(field))
		return;
	struct ir_field row = *field_row(a->p, (field_id){ field });
	world_escape(a, n);
	if (!(row.flags & ACCESS_FINAL))
		world_give(a, n, program_class_of_desc(a->p, sel_desc(a->p, row.sel)));
}

void world_touch_statics(struct pta *a)
{
	if (a->assumed.touches_statics)
		return;
	a->assumed.touches_statics = true;
	for (uint32_t i = 1; i < a->p->fields.len; i++) {
		uint32_t n = map_get(&a->node_of_field, i);
		if (n)
			world_static(a, i, (node_id){ n });
	}
}

/* Where objects have no fields of their own. */
static void open_fields(struct pta *a, class_id c)
{
	for (; c.i; c = class_row(a->p, c)->super) {
		uint32_t *at = map_at(&a->assumed.has_fields, c.i);
		struct ir_class row = *class_row(a->p, c);
		if (*at)
			return;
		*at = 1;
		for (uint32_t i = 0; i < row.nfields; i++) {
			field_id f = { row.first_field + i };
			struct ir_field field = *field_row(a->p, f);
			class_id type = program_class_of_desc(a->p, sel_desc(a->p, field.sel));
			if ((field.flags & ACCESS_STATIC) || class_row(a->p, type)->kind == CLASS_PRIMITIVE)
				continue;
			world_escape(a, field_node(a, f));
			world_give(a, field_node(a, f), type);
		}
	}
}

/* Calls: references and classes meet, in either order of arrival. */

static id_list *list_at(list_table *v, uint32_t i)
{
	while (v->len <= i)
		vec_push(v, (id_list){ 0 });
	return &v->data[i];
}

static void meet(struct pta *a, uint32_t row, class_id c)
{
	struct assumed_ref *r = &a->assumed.refs.data[row];
	bool is_incomplete = false;
	method_id m = dispatch_select(&a->h, r->mref, c, &is_incomplete);

	if (!m.i)
		return;
	vec_push(&r->receivers, c);
	vec_push(&r->targets, m);
	assume_call(a, m);
}

uint32_t world_ref(struct pta *a, mref_id m)
{
	struct assumptions *x = &a->assumed;
	class_id owner = mref_row(a->p, m)->owner;
	uint32_t *at = map_at(&x->ref_of, m.i), row = *at;

	if (row)
		return row;
	*at = row = x->refs.len;
	vec_push(&x->refs, (struct assumed_ref){ .mref = m });
	vec_push(list_at(&x->refs_of, owner.i), row);
	for (uint32_t i = 0; i < list_at(&x->below, owner.i)->len; i++)
		meet(a, row, (class_id){ x->below.data[owner.i].data[i] });
	return row;
}

/* Objects of the class are among those that the JVM has, too. */
void world_add_class(struct pta *a, class_id c)
{
	struct assumptions *x = &a->assumed;

	while (x->is_there.len <= c.i)
		vec_push(&x->is_there, false);
	if (x->is_there.data[c.i])
		return;
	x->is_there.data[c.i] = true;
	object_id o = solver_kind_object(a->s, kind_of_class(a, c));
	solver_add(a->s, a->everything, o);
	if (a->policy->fields == FIELD_OF_OBJECT)
		escape_slots(a, o, c);
	else
		open_fields(a, c);
	struct supertypes above = hierarchy_supertypes(&a->h, c);
	for (uint32_t i = 0; i < above.n; i++) {
		class_id super = above.classes[i];
		vec_push(list_at(&x->below, super.i), c.i);
		for (uint32_t k = 0; k < list_at(&x->refs_of, super.i)->len; k++)
			meet(a, x->refs_of.data[super.i].data[k], c);
	}
}

void world_add_coming(struct pta *a)
{
	while (a->assumed.coming.len)
		world_add_class(a, vec_pop(&a->assumed.coming));
}

void world_pass(struct pta *a, uint32_t in, const struct t_stmt *s)
{
	const struct template *t = template_at(a, in);
	const uint32_t *args = t->args + s->from + 1;
	uint32_t n = t->args[s->from];

	for (uint32_t i = 0; i < n; i++)
		if (args[i])
			world_escape(a, variable_node(a, in, args[i]));
	if (s->more)
		throw_to_scope(a, in, s->more, a->assumed.thrown);
	else
		solver_copy(a->s, a->assumed.thrown, t->thrown, transfer_mask(a, a->p->throwable));
}

void world_call(struct pta *a, uint32_t in, const struct t_stmt *s)
{
	mref_id m = a->sites.data[s->ref].link.site.mref;
	uint32_t row = world_ref(a, m);

	a->sites.data[s->ref].assumed = row;
	world_pass(a, in, s);
	if (s->to)
		world_give(a, variable_node(a, in, s->to), sel_result(a->p, mref_row(a->p, m)->sel));
}

void assume_call(struct pta *a, method_id m)
{
	struct template *t = template_of(a, m);

	if (t->is_opened)
		return;
	t->is_opened = true;
	uint32_t in = instance_of(a, m, (context_id){ 0 });
	if (method_row(a->p, m)->flags & ACCESS_STATIC)
		initialise_class(a, method_row(a->p, m)->owner);
	for (uint32_t i = 0; i < t->nparams; i++)
		if (t->params[i])
			world_give(a, variable_node(a, in, t->params[i]), t->types[t->params[i]]);
	if (t->returns)
		world_escape(a, variable_node(a, in, t->returns));
	world_escape(a, t->thrown);
}
