/* SPDX-License-Identifier: Apache-2.0 */
/* A method in a context: its nodes, and the constraints of its statements. Here the policy decides what is one node. */
#include "analysis/pta/pta_p.h"

/* Nodes */

static node_id node_in(struct pta *a, struct map *nodes, uint64_t key)
{
	uint32_t *at = map_at(nodes, key);

	if (!*at)
		*at = solver_nodes(a->s, 1).i;
	return (node_id){ *at };
}

enum node_space { SPACE_TYPE, SPACE_CLASS, SPACE_METHOD };

static node_id type_node(struct pta *a, class_id c)
{
	return node_in(a, &a->node_of_type, map_key(SPACE_TYPE, c.i ? c.i : a->p->object.i));
}

static node_id class_node(struct pta *a, class_id c)
{
	return node_in(a, &a->node_of_type, map_key(SPACE_CLASS, c.i));
}

node_id variable_node(struct pta *a, uint32_t instance, uint32_t var)
{
	node_id base = a->instances.data[instance].base;

	switch (a->policy->variables) {
	case ONE_A_VARIABLE:
		return (node_id){ base.i + var - 1 };
	case ONE_A_TYPE:
		return type_node(a, template_at(a, instance)->types[var]);
	default:
		return base;
	}
}

class_id field_type(struct pta *a, field_id f)
{
	return program_class_of_desc(a->p, sel_desc(a->p, field_row(a->p, f)->sel));
}

static node_id lone_field(struct pta *a, uint32_t field)
{
	bool is_new = !map_get(&a->node_of_field, field);
	node_id n = node_in(a, &a->node_of_field, field);

	if (is_new) {
		name_nodes(a, n, NAME_FIELD, field);
		world_static(a, field, n);
	}
	return n;
}

node_id field_node(struct pta *a, field_id f)
{
	switch (a->policy->fields) {
	case FIELD_OF_TYPE:
		return type_node(a, field_type(a, f));
	case FIELD_OF_CLASS:
		return class_node(a, field_row(a->p, f)->owner);
	case FIELD_OF_ALL:
		return a->all;
	default:
		return lone_field(a, f.i);
	}
}

node_id static_node(struct pta *a, uint32_t field)
{
	if (is_jvm_field(field))
		return a->policy->fields == FIELD_OF_ALL ? a->all : lone_field(a, field);
	return field_node(a, (field_id){ field });
}

mask_id transfer_mask(struct pta *a, class_id to)
{
	if (a->policy->variables == ONE_A_VARIABLE || !to.i || to.i == a->p->object.i)
		return (mask_id){ 0 };
	return mask_of_class(a, to);
}

/* Objects */

static void keep_object(struct pta *a, object_id o, uint32_t place, context_id c)
{
	while (a->objects.len <= o.i - KINDS_MAX)
		vec_push(&a->objects, (struct object_row){ 0 });
	a->objects.data[o.i - KINDS_MAX] = (struct object_row){ place, c };
	solver_add(a->s, a->everything, o);
}

static object_id new_object(struct pta *a, uint32_t place, context_id c)
{
	const struct place *row = &a->places.data[place];
	object_id o = solver_object(a->s, row->is_any_array ? a->kinds.any_array : kind_of_class(a, row->is.cls));

	keep_object(a, o, place, c);
	if (class_slots(a, a->places.data[place].is.cls))
		name_nodes(a, solver_slot(a->s, o, 0), NAME_SLOTS, o.i);
	return o;
}

object_id object_at(struct pta *a, uint32_t place, context_id c)
{
	struct place *row = &a->places.data[place];
	context_id heap = { 0 };

	if (!row->by_site) {
		if (row->is.sort != PLACE_UNKNOWN)
			solver_add(a->s, a->everything, row->object);
		return row->object;
	}
	if (context_plain(a, c).i != c.i)
		heap = c;
	else if (a->policy->heap && row->is.sort == PLACE_NEW && !is_throwable(a, row->is.cls))
		heap = a->policy->heap(a, context_plain(a, c));
	if (heap.i) {
		uint32_t *at = map_at(&a->object_by_key, map_key(place, heap.i));
		if (!*at)
			*at = new_object(a, place, heap).i;
		return (object_id){ *at };
	}
	if (!row->object.i) {
		object_id o = new_object(a, place, heap);
		a->places.data[place].object = o;
	}
	return a->places.data[place].object;
}

/* Instances */

static node_id base_node(struct pta *a, method_id m, const struct template *t)
{
	switch (a->policy->variables) {
	case ONE_A_VARIABLE:
		return t->nvars ? solver_nodes(a->s, t->nvars) : (node_id){ 0 };
	case ONE_A_METHOD:
		return node_in(a, &a->node_of_type, map_key(SPACE_METHOD, m.i));
	case ONE_A_CLASS:
		return class_node(a, method_row(a->p, m)->owner);
	default:
		return a->all;
	}
}

uint32_t instance_of(struct pta *a, method_id m, context_id c)
{
	struct template *t = template_of(a, m);
	uint32_t *at = c.i ? map_at(&a->instance_by_key, map_key(m.i, c.i)) : &t->plain;

	if (*at)
		return *at;
	struct instance row = { m, c, base_node(a, m, t) };
	*at = a->instances.len;
	name_nodes(a, row.base, NAME_VARIABLES, *at);
	vec_push(&a->instances, row);
	return a->instances.len - 1;
}

static void initialise_one(void *ctx, class_id of, method_id clinit)
{
	struct pta *a = ctx;

	while (a->initialised.len <= of.i)
		vec_push(&a->initialised, false);
	if (a->initialised.data[of.i])
		return;
	a->initialised.data[of.i] = true;
	if (clinit.i)
		vec_push(&a->initialisers, clinit);
}

void initialise_class(struct pta *a, class_id c)
{
	if (c.i < a->initialised.len && a->initialised.data[c.i])
		return;
	hierarchy_initialisers(&a->h, c, initialise_one, a);
	initialise_one(a, c, (method_id){ 0 });
}

/* Statements */

/* An object that no variable of interest holds still exists for analyses with one set for many variables. */
static void apply_object(struct pta *a, uint32_t in, const struct t_stmt *s)
{
	object_id o = object_at(a, s->ref, a->instances.data[in].context);

	if (s->to)
		solver_add(a->s, variable_node(a, in, s->to), o);
	else if (a->policy->variables == ONE_A_TYPE)
		solver_add(a->s, type_node(a, a->places.data[s->ref].is.cls), o);
	else if (!has_own_variables(a))
		solver_add(a->s, a->instances.data[in].base, o);
}

static mask_id declared_mask(struct pta *a, uint32_t in, uint32_t var)
{
	return transfer_mask(a, template_at(a, in)->types[var]);
}

static void apply_copy(struct pta *a, uint32_t in, const struct t_stmt *s)
{
	class_id c = { s->ref };
	mask_id mask = !c.i ? declared_mask(a, in, s->to) : s->more ? mask_of_known(a, c) : mask_of_class(a, c);

	solver_copy(a->s, variable_node(a, in, s->from), variable_node(a, in, s->to), mask);
}

static void apply_load(struct pta *a, uint32_t in, const struct t_stmt *s)
{
	field_id f = { s->ref };
	node_id from = variable_node(a, in, s->from), to = variable_node(a, in, s->to);

	if (a->policy->fields == FIELD_OF_OBJECT)
		solver_load(a->s, from, mask_of_class(a, field_row(a->p, f)->owner), slot_of_field(a, f), to, (mask_id){ 0 });
	else
		solver_copy(a->s, field_node(a, f), to, transfer_mask(a, field_type(a, f)));
	if (a->policy->fields != FIELD_OF_OBJECT)      /* fields of an unknown object are unknown */
		solver_load(a->s, from, a->kinds.only_unknown, slot_of_field(a, f), to, (mask_id){ 0 });
	load_of_unknown(a, from, to, f);
}

static void apply_store(struct pta *a, uint32_t in, const struct t_stmt *s)
{
	field_id f = { s->ref };
	node_id from = variable_node(a, in, s->from), to = variable_node(a, in, s->to);

	if (a->policy->fields == FIELD_OF_OBJECT) {
		solver_store(a->s, from, to, mask_of_class(a, field_row(a->p, f)->owner), slot_of_field(a, f));
		world_store(a, from, to);
	} else
		solver_copy(a->s, from, field_node(a, f), transfer_mask(a, field_type(a, f)));
}

static mask_id arrays(struct pta *a)
{
	return mask_of_class(a, a->object_array);
}

static void apply_get_element(struct pta *a, uint32_t in, const struct t_stmt *s)
{
	mask_id mask = { 0 };

	if (s->ref && s->ref != a->p->object.i)
		mask = mask_of_class(a, (class_id){ s->ref });
	solver_load(a->s, variable_node(a, in, s->from), arrays(a), 0, variable_node(a, in, s->to), mask);
	element_of_unknown(a, in, s);
}

static void apply_static(struct pta *a, uint32_t in, const struct t_stmt *s)
{
	node_id field = static_node(a, s->ref);
	mask_id mask = is_jvm_field(s->ref) ? (mask_id){ 0 } : transfer_mask(a, field_type(a, (field_id){ s->ref }));

	if (s->op == T_GET_STATIC)
		solver_copy(a->s, field, variable_node(a, in, s->to), mask);
	else
		solver_copy(a->s, variable_node(a, in, s->from), field, mask);
}

static void apply_any(struct pta *a, uint32_t in, const struct t_stmt *s)
{
	bool is_get = s->op == T_GET_ANY;
	node_id to = variable_node(a, in, s->to), from = variable_node(a, in, s->from);
	struct watch w = { .sort = is_get ? WATCH_GET_ANY : WATCH_PUT_ANY, .node = is_get ? to : from,
			   .stmt = any_field_in(a, in).is_serial };

	vec_push(&a->watches, w);
	solver_watch(a->s, is_get ? from : to, (mask_id){ 0 }, a->watches.len - 1);
}

static void throw_to_handlers(struct pta *a, uint32_t in, const struct scope *s, node_id from)
{
	const struct template *t = template_at(a, in);

	for (uint32_t i = 0; i < s->n; i++) {
		const struct handler *h = &t->handlers[s->first + i];
		if (h->var)
			solver_copy(a->s, from, variable_node(a, in, h->var), h->mask);
	}
}

void throw_to_scope(struct pta *a, uint32_t in, uint32_t scope, node_id from)
{
	const struct template *t = template_at(a, in);
	const struct scope *s = &t->scopes[scope];

	throw_to_handlers(a, in, s, from);
	if (!s->catches_all)
		solver_copy(a->s, from, t->thrown, s->n ? s->escapes : transfer_mask(a, a->p->throwable));
}

static void apply_stmt(struct pta *a, uint32_t in, uint32_t i)
{
	const struct t_stmt *s = &template_at(a, in)->stmts[i];

	switch ((enum t_op)s->op) {
	case T_OBJECT:
		apply_object(a, in, s);
		break;
	case T_COPY:
		apply_copy(a, in, s);
		break;
	case T_LOAD:
		apply_load(a, in, s);
		break;
	case T_STORE:
		apply_store(a, in, s);
		break;
	case T_GET_ELEMENT:
		apply_get_element(a, in, s);
		break;
	case T_PUT_ELEMENT:
		solver_store(a->s, variable_node(a, in, s->from), variable_node(a, in, s->to), arrays(a), 0);
		world_store(a, variable_node(a, in, s->from), variable_node(a, in, s->to));
		break;
	case T_GET_STATIC:
	case T_PUT_STATIC:
		apply_static(a, in, s);
		break;
	case T_GET_ANY:
	case T_PUT_ANY:
		apply_any(a, in, s);
		break;
	case T_RAISE:      /* whatever is not caught here is raised in every other scope, too */
		throw_to_handlers(a, in, &template_at(a, in)->scopes[s->more], static_node(a, jvm_field(a->raised_field)));
		break;
	case T_THROW:
		throw_to_scope(a, in, s->more, variable_node(a, in, s->from));
		break;
	case T_CALL:
		call_apply(a, in, i);
		break;
	}
}

static void reach_initialisers(struct pta *a)
{
	while (a->initialisers.len) {
		method_id m = vec_pop(&a->initialisers);
		struct template *t = template_of(a, m);
		t->is_entry = true;
		instance_of(a, m, (context_id){ 0 });
		/* an Error goes on as it is to whoever uses the class first; JVMS 5.5 */
		solver_copy(a->s, t->thrown, static_node(a, jvm_field(a->raised_field)), mask_of_class(a, a->error));
	}
}

void instances_apply(struct pta *a)
{
	reach_initialisers(a);
	world_add_coming(a);
	while (a->applied < a->instances.len) {
		uint32_t in = a->applied++, n = template_at(a, in)->nstmts;
		for (uint32_t i = 0; i < n; i++)
			apply_stmt(a, in, i);
		reach_initialisers(a);
		world_add_coming(a);
	}
}
