/* SPDX-License-Identifier: Apache-2.0 */
/* reflected.c - what tests use of a component by reflection: members that they look up in T.class, by their name where it is a constant.
 * Where the class is not known, it is one of those that the test's class names. What nobody but the class itself can name is no
 * part of an interface, though reflection can get at it. */
#include "session/component/interface_tests_p.h"

static enum looked_up sort_of(struct str method)
{
	static const struct {
		const char *name;
		enum looked_up sort;
	} rows[] = {
		{ "getMethod", LOOKED_UP_METHODS },           { "getMethods", LOOKED_UP_METHODS },
		{ "getDeclaredMethod", LOOKED_UP_METHODS },   { "getDeclaredMethods", LOOKED_UP_METHODS },
		{ "getField", LOOKED_UP_FIELDS },             { "getFields", LOOKED_UP_FIELDS },
		{ "getDeclaredField", LOOKED_UP_FIELDS },     { "getDeclaredFields", LOOKED_UP_FIELDS },
		{ "getConstructor", LOOKED_UP_CONSTRUCTORS }, { "getConstructors", LOOKED_UP_CONSTRUCTORS },
		{ "getDeclaredConstructor", LOOKED_UP_CONSTRUCTORS },
		{ "getDeclaredConstructors", LOOKED_UP_CONSTRUCTORS },
		{ "newInstance", LOOKED_UP_CONSTRUCTORS },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (str_is(method, rows[i].name))
			return rows[i].sort;
	return LOOKED_UP_NOTHING;
}

static const struct ir_stmt *argument(const struct test_reader *r, const struct ir_stmt *call, uint32_t k)
{
	return k < call->nargs ? r->definition[r->body->args[call->args + k]] : NULL;
}

static struct str text_of(const struct test_reader *r, const struct ir_stmt *s)
{
	return s && s->op == IR_CONST_STRING ? interned(&r->p->strings, (str_id){ s->ref }) : (struct str){ 0 };
}

/* Adding */

static void add_methods(struct test_reader *r, class_id c, const struct members *members, const struct lookup *l)
{
	for (uint32_t i = 0; i < members->methods.len; i++) {
		struct ir_method row = *method_row(r->p, members->methods.data[i]);
		struct str name = sel_name(r->p, row.sel);
		bool is_new = str_is(name, "<init>");
		bool can_be_made = !(class_row(r->p, c)->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE | ACCESS_ENUM));
		if (row.owner.i == r->p->object.i || is_new != (l->sort == LOOKED_UP_CONSTRUCTORS) || (is_new && !can_be_made))
			continue;
		if (is_new || !l->name.len || str_eq(name, l->name))
			interface_add_method(r->b->out, c, members->methods.data[i]);
	}
}

static void add_fields(struct test_reader *r, class_id c, const struct members *members, const struct lookup *l)
{
	for (uint32_t i = 0; i < members->fields.len; i++)
		if (!l->name.len || str_eq(sel_name(r->p, field_row(r->p, members->fields.data[i])->sel), l->name))
			interface_add_field(r->b->out, c, members->fields.data[i]);
}

static void add_looked_up(struct test_reader *r, class_id c, const struct lookup *l)
{
	struct members members = { 0 };

	if (!component_has(r->b->component, c))
		return;
	members_of(&r->b->h, c, &members);
	if (l->sort == LOOKED_UP_FIELDS)
		add_fields(r, c, &members, l);
	else
		add_methods(r, c, &members, l);
	members_release(&members);
}

/* Reading */

static bool is_named(const struct test_reader *r, mref_id ref, const char *class)
{
	return str_is(class_name(r->p, mref_row(r->p, ref)->owner), class);
}

static struct str name_of(const struct test_reader *r, mref_id ref)
{
	return sel_name(r->p, mref_row(r->p, ref)->sel);
}

/* T.class, or Class.forName("T"); none: it is not known here. */
static class_id class_of(struct test_reader *r, const struct ir_stmt *s)
{
	struct strbuf name = { 0 };
	class_id c = { 0 };

	if (s && s->op == IR_CONST_CLASS)
		return (class_id){ s->ref };
	if (!s || s->op != IR_CALL_STATIC || !is_named(r, (mref_id){ s->ref }, "java/lang/Class") ||
	    !str_is(name_of(r, (mref_id){ s->ref }), "forName"))
		return c;
	struct str text = text_of(r, argument(r, s, 0));
	for (uint32_t i = 0; i < text.len; i++)
		strbuf_addch(&name, text.p[i] == '.' ? '/' : text.p[i]);
	if (name.len)
		c = program_find_class(r->p, strbuf_str(&name));
	strbuf_release(&name);
	return c;
}

void tests_look_up(struct test_reader *r, const struct ir_stmt *call)
{
	mref_id ref = { call->ref };
	struct lookup l = { 0 };

	if (call->op == IR_CALL_VIRTUAL && is_named(r, ref, "java/lang/Class"))
		l.sort = sort_of(name_of(r, ref));
	if (l.sort == LOOKED_UP_NOTHING)
		return;
	l.name = text_of(r, argument(r, call, 1));
	class_id c = class_of(r, argument(r, call, 0));
	if (c.i)
		add_looked_up(r, c, &l);
	else
		vec_push(&r->lookups, l);
}

void tests_end_lookups(struct test_reader *r)
{
	for (uint32_t i = 0; i < r->lookups.len; i++)
		for (uint32_t k = 0; k < r->constants.len; k++)
			add_looked_up(r, r->constants.data[k], &r->lookups.data[i]);
	vec_clear(&r->lookups);
	vec_clear(&r->constants);
}
