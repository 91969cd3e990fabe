/* SPDX-License-Identifier: Apache-2.0 */
/* Clients with classes of their own. For each class that they may extend there is a synthetic *own* class that implements
 * every interface it may and overrides everything it can, and there are *heirs* that inherit what they can: one without
 * interfaces, and one for each group of interfaces whose default methods do not hide each other. Together they stand for
 * all classes of clients: what an overriding method is given becomes the client's, and it returns and throws whatever the
 * client has.
 *
 * The methods of interfaces are overridden once, by default methods of one interface that extends them all.
 *
 * Where the tests are known, and have classes in the package of what they extend, a client's class is there, too: it overrides methods
 * and calls constructors that only that package can. */
#include "analysis/fragment/fragment_p.h"
#include "analysis/fragment/members.h"

typedef VEC(method_id) method_list;
typedef VEC(class_id) class_list;

/* What can be extended */

static bool is_extended(const struct ph_maker *k, class_id c)
{
	return map_get(&k->is_extended, c.i) != 0;
}

static bool is_extensible(const struct ph_maker *k, class_id c)
{
	const struct ir_class *row = class_row(k->p, c);
	bool can_be = row->kind == CLASS_FILE && !row->is_sealed && !row->is_record &&
		      !(row->flags & (ACCESS_FINAL | ACCESS_ENUM | ACCESS_ANNOTATION));

	return can_be && (is_extended(k, c) || (k->clients == CLIENTS_OPEN && (row->flags & ACCESS_PUBLIC)));
}

/* A class of the tests in the package of `c`, or of the nearest class above that has one there; none: there is none. */
static class_id neighbour_of(struct ph_maker *k, class_id c)
{
	for (; c.i; c = class_row(k->p, c)->super)
		for (uint32_t i = 0; i < k->i->neighbours.len; i++)
			if (same_package(k->p, c, k->i->neighbours.data[i]))
				return k->i->neighbours.data[i];
	return (class_id){ 0 };
}

/* May a subclass name it that is in the package of this class? */
static bool is_for_subclass(const struct ph_maker *k, const struct ir_method *m, class_id in)
{
	if (m->flags & (ACCESS_PUBLIC | ACCESS_PROTECTED))
		return true;
	return !(m->flags & ACCESS_PRIVATE) && in.i && same_package(k->p, m->owner, in);
}

static bool is_overridable(const struct ph_maker *k, method_id m, class_id in)
{
	const struct ir_method *row = method_row(k->p, m);

	return is_for_subclass(k, row, in) && !(row->flags & (ACCESS_STATIC | ACCESS_FINAL | ACCESS_PRIVATE)) &&
	       sel_name(k->p, row->sel).p[0] != '<';
}

static void find_constructors(struct ph_maker *k, class_id c, method_list *out)
{
	const struct ir_class *row = class_row(k->p, c);
	class_id in = neighbour_of(k, c);

	for (uint32_t i = 0; i < row->nmethods; i++) {
		method_id m = { row->first_method + i };
		if (is_for_subclass(k, method_row(k->p, m), in) && str_is(sel_name(k->p, method_row(k->p, m)->sel), "<init>"))
			vec_push(out, m);
	}
}

/* The methods of `c` and its ancestors that a class below may override, each selector once: the nearest one. A final one
 * hides those above it. */
static void find_overridable(struct ph_maker *k, class_id c, struct map *seen, method_list *out)
{
	class_id in = neighbour_of(k, c);
	struct supertypes s = hierarchy_supertypes(k->h, c);

	for (uint32_t i = 0; i < s.n; i++) {
		struct ir_class row = *class_row(k->p, s.classes[i]);
		if (is_interface(k->p, c) && s.classes[i].i == k->p->object.i)
			continue;
		for (uint32_t j = 0; j < row.nmethods; j++) {
			method_id m = { row.first_method + j };
			uint32_t *at = map_at(seen, method_row(k->p, m)->sel.i);
			if (!*at && is_overridable(k, m, in))
				vec_push(out, m);
			*at = 1;
		}
	}
}

/* Types that clients handle because they must implement a method. */
static void find_abstract(struct ph_maker *k, class_id c)
{
	struct map seen = { 0 };
	method_list methods = { 0 };

	find_overridable(k, c, &seen, &methods);
	for (uint32_t i = 0; i < methods.len; i++)
		if (method_row(k->p, methods.data[i])->flags & ACCESS_ABSTRACT)
			ph_signature(k, method_row(k->p, methods.data[i])->sel);
	map_release(&seen);
	vec_release(&methods);
}

/* Classes */

static void add_package(struct ph_maker *k, class_id of, struct strbuf *name)
{
	class_id in = neighbour_of(k, of);
	struct str neighbour = in.i ? class_name(k->p, in) : STR("");
	int64_t end = in.i ? str_rfind(neighbour, '/') : -1;

	strbuf_addstr(name, str_sub(neighbour, 0, (uint32_t)(end + 1)));
	strbuf_adds(name, in.i ? "sherd$" : "sherd/");
}

static class_id make_class(struct ph_maker *k, const char *prefix, class_id of)
{
	struct strbuf name = { 0 };
	struct str base = of.i ? class_name(k->p, of) : STR("");

	add_package(k, of, &name);
	strbuf_addf(&name, "%s%s", prefix, of.i ? "$" : "");
	for (uint32_t i = 0; i < base.len; i++)
		strbuf_addch(&name, base.p[i] == '/' ? '_' : base.p[i]);
	class_id c = program_make_class(k->p, strbuf_str(&name));
	strbuf_release(&name);
	class_row(k->p, c)->is_unseen = 1;
	vec_push(&k->out->clients, c);
	*map_at(&k->out->is_client, c.i) = 1;
	return c;
}

static void set_interfaces(struct ph_maker *k, class_id c, const class_id *interfaces, uint32_t n)
{
	struct ir_class *row = class_row(k->p, c);

	row->interfaces = arena_array(&k->p->mem, class_id, n + 1);
	row->ninterfaces = n;
	for (uint32_t i = 0; i < n; i++)
		row->interfaces[i] = interfaces[i];
}

static void add_overrides(struct ph_maker *k, class_id c, const method_list *methods)
{
	for (uint32_t i = 0; i < methods->len; i++)
		program_add_method(k->p, c, method_row(k->p, methods->data[i])->sel, ACCESS_PUBLIC, (uint16_t)i);
}

/* Objects of the class, made with each constructor of its superclass. */
static void add_objects(struct ph_maker *k, class_id c, class_id super)
{
	method_list constructors = { 0 };

	find_constructors(k, super, &constructors);
	for (uint32_t i = 0; i < constructors.len; i++) {
		ph_signature(k, method_row(k->p, constructors.data[i])->sel);
		vec_push(&k->out->stmts, ((struct placeholder){ .sort = PH_CLIENT, .to = placeholder_variable(k, super), .via = c,
								.method = constructors.data[i] }));
	}
	vec_release(&constructors);
}

static class_id make_callbacks(struct ph_maker *k, const class_id *interfaces, uint32_t n)
{
	class_id c = make_class(k, "Callbacks", (class_id){ 0 });
	struct map seen = { 0 };
	method_list methods = { 0 };

	class_row(k->p, c)->flags = ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT;
	set_interfaces(k, c, interfaces, n);
	for (uint32_t i = 0; i < n; i++)
		find_overridable(k, interfaces[i], &seen, &methods);
	add_overrides(k, c, &methods);
	program_load(k->p, c);
	map_release(&seen);
	vec_release(&methods);
	return c;
}

static void make_own(struct ph_maker *k, class_id super, class_id callbacks)
{
	class_id c = make_class(k, "Client", super);
	struct map seen = { 0 };
	method_list methods = { 0 };

	class_row(k->p, c)->super = super;
	set_interfaces(k, c, &callbacks, 1);
	find_overridable(k, super, &seen, &methods);
	add_overrides(k, c, &methods);
	program_load(k->p, c);
	add_objects(k, c, super);
	map_release(&seen);
	vec_release(&methods);
}

static void make_heir(struct ph_maker *k, class_id super, const class_id *interfaces, uint32_t n)
{
	class_id c = make_class(k, "Heir", super);

	class_row(k->p, c)->super = super;
	set_interfaces(k, c, interfaces, n);
	program_load(k->p, c);
	add_objects(k, c, super);
}

static bool has_constructor(struct ph_maker *k, class_id c)
{
	method_list constructors = { 0 };

	find_constructors(k, c, &constructors);
	bool found = constructors.len > 0;
	vec_release(&constructors);
	return found;
}

/* Groups of interfaces */

struct group {
	class_list interfaces;
	struct map method_of;          /* selector -> what an heir has of it: 1 + method */
};
typedef VEC(struct group) group_list;

static bool is_default(const struct program *p, uint32_t method)
{
	return !(method_row(p, (method_id){ method })->flags & ACCESS_ABSTRACT);
}

/* Does one of the methods hide another of the group from an heir, or the reverse? */
static bool fits(const struct program *p, const struct group *g, const method_list *methods)
{
	for (uint32_t i = 0; i < methods->len; i++) {
		uint32_t m = methods->data[i].i, other = map_get(&g->method_of, method_row(p, methods->data[i])->sel.i);
		if (other && other - 1 != m && (is_default(p, m) || is_default(p, other - 1)))
			return false;
	}
	return true;
}

static void put_into_group(struct ph_maker *k, class_id interface, group_list *groups)
{
	struct map seen = { 0 };
	method_list methods = { 0 };
	uint32_t at = 0;

	find_overridable(k, interface, &seen, &methods);
	while (at < groups->len && !fits(k->p, &groups->data[at], &methods))
		at++;
	if (at == groups->len)
		vec_push(groups, (struct group){ 0 });
	struct group *g = &groups->data[at];
	vec_push(&g->interfaces, interface);
	for (uint32_t i = 0; i < methods.len; i++)
		*map_at(&g->method_of, method_row(k->p, methods.data[i])->sel.i) = methods.data[i].i + 1;
	map_release(&seen);
	vec_release(&methods);
}

static void make_classes(struct ph_maker *k, const class_list *classes, const class_list *interfaces)
{
	class_id callbacks = make_callbacks(k, interfaces->data, interfaces->len);
	group_list groups = { 0 };

	for (uint32_t i = 0; i < interfaces->len; i++)
		put_into_group(k, interfaces->data[i], &groups);
	for (uint32_t i = 0; i < classes->len; i++) {
		make_own(k, classes->data[i], callbacks);
		make_heir(k, classes->data[i], NULL, 0);
		for (uint32_t j = 0; j < groups.len; j++)
			make_heir(k, classes->data[i], groups.data[j].interfaces.data, groups.data[j].interfaces.len);
	}
	for (uint32_t j = 0; j < groups.len; j++) {
		vec_release(&groups.data[j].interfaces);
		map_release(&groups.data[j].method_of);
	}
	vec_release(&groups);
}

void ph_clients(struct ph_maker *k)
{
	class_list interfaces = { 0 }, classes = { 0 };
	bool has_object = false;

	for (uint32_t i = 0; i < k->i->extended.len; i++)
		*map_at(&k->is_extended, k->i->extended.data[i].i) = 1;
	placeholder_variable(k, k->p->object);
	for (uint32_t v = 1; v < k->out->types.len; v++) {      /* grows meanwhile */
		class_id c = k->out->types.data[v];
		if (!is_extensible(k, c))
			continue;
		vec_push(&k->out->opened, c);
		find_abstract(k, c);
		if (is_interface(k->p, c))
			vec_push(&interfaces, c);
		else if (has_constructor(k, c))
			vec_push(&classes, c);
		has_object |= c.i == k->p->object.i;
	}
	if (interfaces.len && !has_object)       /* what implements them need not extend anything else */
		vec_push(&classes, k->p->object);
	if (classes.len)
		make_classes(k, &classes, &interfaces);
	vec_release(&interfaces);
	vec_release(&classes);
}

/* Their methods */

static uint32_t variable_for(const struct ph_maker *k, class_id type)
{
	uint32_t v = map_get(&k->out->variable_of, type.i);

	return v || !is_pure_reference(k->p, type) ? v : map_get(&k->out->variable_of, k->p->object.i);
}

/* What is passed becomes the client's. */
static void keep_arguments(struct ph_maker *k, struct ph_body *x, sel_id sel)
{
	class_id type;
	uint32_t index = 1;

	for (uint32_t at = 0; sel_next_param(k->p, sel, &at, &type); index++) {
		uint32_t to = variable_for(k, type);
		if (to)
			ph_receive(x, to, builder_stmt(&x->b, IR_PARAM, 0, index, IR_KIND_OBJECT, NULL, 0));
	}
}

/* The methods that are overridden and have code: the nearest one above a class; of interfaces, which clients implement one without the
 * other, all of them. */
static void find_above(struct ph_maker *k, method_id m, method_list *out)
{
	struct ir_method row = *method_row(k->p, m);
	struct supertypes s = hierarchy_supertypes(k->h, row.owner);

	for (uint32_t i = 1; i < s.n; i++) {
		method_id found = program_declared(k->p, s.classes[i], row.sel);
		if (!found.i || !is_for_subclass(k, method_row(k->p, found), row.owner))
			continue;
		if (!(method_row(k->p, found)->flags & ACCESS_ABSTRACT))
			vec_push(out, found);
		if (!is_interface(k->p, row.owner))
			return;
	}
}

static void define_method(struct ph_maker *k, method_id m)
{
	enum { START, RETURNS, THROWS, IFEQ = 0x99 };
	sel_id sel = method_row(k->p, m)->sel;
	class_id result = sel_result(k->p, sel);
	method_list supers = { 0 };
	struct ph_body x;

	find_above(k, m, &supers);
	ph_body_start(&x, k->p, k->out);
	ir_value self = builder_stmt(&x.b, IR_PARAM, 0, 0, IR_KIND_OBJECT, NULL, 0);
	keep_arguments(k, &x, sel);
	for (uint32_t i = 0; i < supers.len; i++) {
		ir_value v = ph_call(&x, IR_CALL_SPECIAL, method_row(k->p, supers.data[i])->owner, supers.data[i], self);
		ph_receive(&x, variable_for(k, result), v);
	}
	vec_release(&supers);
	ir_value thrown = ph_read(&x, map_get(&k->out->variable_of, k->p->throwable.i)), any = ph_zero(&x);
	builder_stmt(&x.b, IR_IF, IFEQ, 0, IR_KIND_NONE, &any, 1);
	builder_succ(&x.b, RETURNS);
	builder_succ(&x.b, THROWS);
	builder_block(&x.b);
	ir_value returned = ph_value(&x, result);
	builder_stmt(&x.b, IR_RETURN, 0, 0, IR_KIND_NONE, &returned, returned ? 1 : 0);
	builder_block(&x.b);
	builder_stmt(&x.b, IR_THROW, 0, 0, IR_KIND_NONE, &thrown, 1);
	ph_body_define(&x, m);
}

void clients_define(struct ph_maker *k)
{
	for (uint32_t i = 0; i < k->out->clients.len; i++) {
		struct ir_class row = *class_row(k->p, k->out->clients.data[i]);
		for (uint32_t j = 0; j < row.nmethods; j++)
			define_method(k, (method_id){ row.first_method + j });
	}
}
