/* SPDX-License-Identifier: Apache-2.0 */
/* Which variables and statements stand for the code of all clients: one variable for each type that matters to the
 * interface, and one statement for each thing that a client may do with it. */
#include "analysis/fragment/fragment_p.h"
#include "analysis/fragment/members.h"

/* Types */

bool is_pure_reference(const struct program *p, class_id t)
{
	while (t.i && class_row(p, t)->kind == CLASS_ARRAY)
		t = class_row(p, t)->element;
	return t.i && class_row(p, t)->kind != CLASS_PRIMITIVE;
}

uint32_t placeholder_variable(struct ph_maker *k, class_id t)
{
	struct placeholders *ph = k->out;
	uint32_t *at;

	if (!t.i)
		return 0;
	program_load(k->p, t);
	if (!is_pure_reference(k->p, t))
		return 0;
	at = map_at(&ph->variable_of, t.i);
	if (!*at) {
		*at = ph->types.len;
		vec_push(&ph->types, t);
	}
	return *at;
}

static bool is_static(const struct program *p, method_id m)
{
	return method_row(p, m)->flags & ACCESS_STATIC;
}

void ph_signature(struct ph_maker *k, sel_id sel)
{
	class_id type;

	for (uint32_t at = 0; sel_next_param(k->p, sel, &at, &type);)
		placeholder_variable(k, type);
	placeholder_variable(k, sel_result(k->p, sel));
}

static class_id type_of_field(struct ph_maker *k, field_id f)
{
	return program_class_of_desc(k->p, sel_desc(k->p, field_row(k->p, f)->sel));
}

static void find_types(struct ph_maker *k, const struct java_interface *i)
{
	for (uint32_t j = 0; j < i->classes.len; j++)
		placeholder_variable(k, i->classes.data[j]);
	for (uint32_t j = 0; j < i->methods.len; j++)
		ph_signature(k, method_row(k->p, i->methods.data[j].m)->sel);
	for (uint32_t j = 0; j < i->fields.len; j++)
		placeholder_variable(k, type_of_field(k, i->fields.data[j].f));
	for (uint32_t j = 0; j < i->made_arrays.len; j++)
		placeholder_variable(k, i->made_arrays.data[j]);
	for (uint32_t j = 0; j < i->used_arrays.len; j++) {
		placeholder_variable(k, i->used_arrays.data[j]);
		placeholder_variable(k, class_row(k->p, i->used_arrays.data[j])->element);
	}
	placeholder_variable(k, k->p->string);
	placeholder_variable(k, k->p->throwable);
}

/* Statements */

static void add(struct ph_maker *k, struct placeholder s)
{
	vec_push(&k->out->stmts, s);
}

static void add_method(struct ph_maker *k, struct interface_method im)
{
	struct ir_method row = *method_row(k->p, im.m);
	struct placeholder s = { .via = im.via, .method = im.m };

	if (str_is(sel_name(k->p, row.sel), "<init>")) {
		s.sort = PH_NEW;
		s.to = placeholder_variable(k, im.via);
		if (class_row(k->p, im.via)->flags & ACCESS_ABSTRACT)
			return;
	} else {
		s.sort = PH_CALL;
		s.to = placeholder_variable(k, sel_result(k->p, row.sel));
		s.from = is_static(k->p, im.m) ? 0 : placeholder_variable(k, im.via);
	}
	add(k, s);
}

static void add_field(struct ph_maker *k, struct interface_field f)
{
	struct ir_field row = *field_row(k->p, f.f);
	uint32_t value = placeholder_variable(k, type_of_field(k, f.f));
	uint32_t object = row.flags & ACCESS_STATIC ? 0 : placeholder_variable(k, f.via);

	if (!value)
		return;
	add(k, (struct placeholder){ .sort = PH_GET, .to = value, .from = object, .via = f.via, .field = f.f });
	if (!(row.flags & ACCESS_FINAL))
		add(k, (struct placeholder){ .sort = PH_PUT, .to = value, .from = object, .via = f.via, .field = f.f });
}

static void add_arrays(struct ph_maker *k, const struct java_interface *i)
{
	for (uint32_t j = 0; j < i->made_arrays.len; j++) {
		uint32_t array = placeholder_variable(k, i->made_arrays.data[j]);
		if (array)
			add(k, (struct placeholder){ .sort = PH_ARRAY, .to = array });
	}
	for (uint32_t j = 0; j < i->used_arrays.len; j++) {
		class_id t = i->used_arrays.data[j];
		uint32_t array = placeholder_variable(k, t), element = placeholder_variable(k, class_row(k->p, t)->element);
		if (!array)
			continue;
		add(k, (struct placeholder){ .sort = PH_LOAD, .to = element, .from = array });
		add(k, (struct placeholder){ .sort = PH_STORE, .to = element, .from = array });
	}
}

/* Conversions */

static bool is_final(const struct program *p, class_id c)
{
	return class_row(p, c)->flags & ACCESS_FINAL;
}

static bool is_array(const struct program *p, class_id c)
{
	return class_row(p, c)->kind == CLASS_ARRAY;
}

/* May an expression of type `from` be cast to `to`, neither of which is a subtype of the other? (JLS 5.5: unless the
 * compiler can prove that no object is of both. Sealed hierarchies are not looked at: such a cast passes nothing.) */
static bool may_cast_across(const struct program *p, class_id from, class_id to)
{
	if (is_array(p, from) && is_array(p, to)) {
		class_id a = class_row(p, from)->element, b = class_row(p, to)->element;
		bool has_primitives = class_row(p, a)->kind == CLASS_PRIMITIVE || class_row(p, b)->kind == CLASS_PRIMITIVE;
		return !has_primitives && may_cast_across(p, a, b);
	}
	if (is_array(p, from) || is_array(p, to))
		return false;
	if (is_interface(p, from))
		return is_interface(p, to) || !is_final(p, to);
	return is_interface(p, to) && !is_final(p, from);
}

static void add_conversion(struct ph_maker *k, uint32_t from, uint32_t to)
{
	class_id a = k->out->types.data[from], b = k->out->types.data[to];
	struct placeholder s = { .to = to, .from = from };

	if (hierarchy_is_subtype(k->h, a, b))
		s.sort = PH_ASSIGN;
	else if (hierarchy_is_subtype(k->h, b, a) || may_cast_across(k->p, a, b))
		s.sort = PH_CAST;
	else
		return;
	add(k, s);
}

/* Is the conversion one to Object and a cast from there, as far as objects are concerned? Objects of a class that the
 * analysis does not know do not pass a cast: assignments count. */
static bool is_by_object(struct ph_maker *k, uint32_t from, uint32_t to)
{
	class_id a = k->out->types.data[from], b = k->out->types.data[to];

	return a.i != k->p->object.i && b.i != k->p->object.i && !hierarchy_is_subtype(k->h, a, b);
}

/* Every type with every other; where clients may have variables of type Object, two statements a type do instead of one
 * a pair. */
static void add_conversions(struct ph_maker *k)
{
	bool has_object = map_get(&k->out->variable_of, k->p->object.i);

	for (uint32_t from = 1; from < k->out->types.len; from++)
		for (uint32_t to = 1; to < k->out->types.len; to++)
			if (from != to && !(has_object && is_by_object(k, from, to)))
				add_conversion(k, from, to);
}

void placeholders_make(struct hierarchy *h, const struct java_interface *i, enum clients clients, struct placeholders *out)
{
	struct ph_maker k = { .h = h, .p = h->p, .i = i, .out = out, .clients = clients };

	*out = (struct placeholders){ 0 };
	vec_push(&out->types, (class_id){ 0 });
	find_types(&k, i);
	if (clients != CLIENTS_CLOSED)
		ph_clients(&k);
	for (uint32_t j = 0; j < i->methods.len; j++)
		add_method(&k, i->methods.data[j]);
	for (uint32_t j = 0; j < i->fields.len; j++)
		add_field(&k, i->fields.data[j]);
	add_arrays(&k, i);
	add(&k, (struct placeholder){ .sort = PH_STRING, .to = placeholder_variable(&k, h->p->string) });
	add_conversions(&k);
	add(&k, (struct placeholder){ .sort = PH_CATCH, .to = placeholder_variable(&k, h->p->throwable) });
	placeholders_define(&k);
	map_release(&k.is_extended);
}

void placeholders_release(struct placeholders *ph)
{
	vec_release(&ph->types);
	vec_release(&ph->stmts);
	vec_release(&ph->clients);
	vec_release(&ph->opened);
	map_release(&ph->variable_of);
	map_release(&ph->is_client);
}

bool placeholders_is_client(const struct placeholders *ph, class_id c)
{
	return map_get(&ph->is_client, c.i) != 0;
}

bool placeholders_is_code(const struct program *p, const struct placeholders *ph, method_id m)
{
	class_id c = ph && m.i ? method_row(p, m)->owner : (class_id){ 0 };

	return c.i && (c.i == ph->cls.i || placeholders_is_client(ph, c));
}
