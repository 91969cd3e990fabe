/* SPDX-License-Identifier: Apache-2.0 */
/* A binder is called beside the library's method and keeps its operands, each in a static field. */
#include "analysis/dynamic/handles/handle.h"
#include "ir/access.h"
#include "ir/builder.h"

static sel_id field_sel(struct program *p, uint32_t operand, struct str desc)
{
	struct strbuf name = { 0 };

	strbuf_addf(&name, "bound%u", operand);
	sel_id sel = program_sel(p, strbuf_str(&name), desc);
	strbuf_release(&name);
	return sel;
}

/* Behind each other the descriptors of the operands, in `out`. */
static sel_id binder_sel(struct program *p, const struct handle_site *s)
{
	struct str desc = sel_desc(p, mref_row(p, s->ref)->sel);
	struct strbuf text = { 0 };

	strbuf_addf(&text, s->has_receiver ? "(Ljava/lang/Object;%.*s" : "(%.*s", (int)desc.len - 1, desc.p + 1);
	sel_id sel = program_sel(p, STR("bind"), strbuf_str(&text));
	strbuf_release(&text);
	return sel;
}

static struct str desc_of(struct program *p, class_id type)
{
	struct str name = class_name(p, type);
	struct strbuf text = { 0 };

	if (name.p[0] == '[')
		return name;
	strbuf_addf(&text, "L%.*s;", (int)name.len, name.p);
	str_id id = intern(&p->strings, strbuf_str(&text));
	strbuf_release(&text);
	return interned(&p->strings, id);
}

static bool is_object(struct program *p, class_id type)
{
	return class_row(p, type)->kind != CLASS_PRIMITIVE;
}

static void add_fields(struct program *p, class_id c, sel_id sel)
{
	uint32_t at = 0;
	class_id type;

	for (uint32_t k = 0; sel_next_param(p, sel, &at, &type); k++)
		if (is_object(p, type))
			program_add_field(p, c, field_sel(p, k, desc_of(p, type)), ACCESS_PRIVATE | ACCESS_STATIC | ACCESS_FINAL);
}

static enum ir_kind kind_of(struct program *p, class_id type)
{
	struct str name = class_name(p, type);

	if (is_object(p, type))
		return IR_KIND_OBJECT;
	if (str_is(name, "long"))
		return IR_KIND_LONG;
	if (str_is(name, "float"))
		return IR_KIND_FLOAT;
	return str_is(name, "double") ? IR_KIND_DOUBLE : IR_KIND_INT;
}

/* It gives back nothing: the library's method does. */
static void define(struct program *p, method_id m)
{
	struct ir_body *body = arena_new(&p->mem, struct ir_body);
	sel_id sel = method_row(p, m)->sel;
	class_id owner = method_row(p, m)->owner, type;
	struct body_builder b = { 0 };
	uint32_t at = 0;

	for (uint32_t k = 0; sel_next_param(p, sel, &at, &type); k++) {
		ir_value v = builder_stmt(&b, IR_PARAM, 0, k, kind_of(p, type), NULL, 0);
		if (is_object(p, type))
			builder_stmt(&b, IR_PUTSTATIC, 0, program_fref(p, owner, field_sel(p, k, desc_of(p, type))).i, IR_KIND_NONE, &v, 1);
	}
	ir_value null = builder_stmt(&b, IR_CONST_NULL, 0, 0, IR_KIND_OBJECT, NULL, 0);
	builder_stmt(&b, IR_RETURN, 0, 0, IR_KIND_NONE, &null, 1);
	*body = builder_finish(&b, &p->mem);
	builder_release(&b);
	program_define(p, m, body);
}

method_id handle_binder(struct handles *t, struct program *p, uint32_t site)
{
	struct handle_site s = t->sites.data[site];
	struct strbuf name = { 0 };

	if (s.binder.i)
		return s.binder;
	strbuf_addf(&name, "sherd/Bound$%u", p->classes.len);
	class_id c = program_make_class(p, strbuf_str(&name));
	strbuf_release(&name);
	sel_id sel = binder_sel(p, &s);
	add_fields(p, c, sel);
	program_add_method(p, c, sel, ACCESS_PUBLIC | ACCESS_STATIC, 0);
	s.binder = program_declared(p, c, sel);
	define(p, s.binder);
	program_load(p, c);
	t->sites.data[site].binder = s.binder;
	return s.binder;
}

fref_id handle_bound(struct handles *t, struct program *p, uint32_t site, uint32_t operand)
{
	method_id m = handle_binder(t, p, site);
	sel_id sel = method_row(p, m)->sel;
	uint32_t at = 0;
	class_id type;

	for (uint32_t k = 0; sel_next_param(p, sel, &at, &type); k++)
		if (k == operand && is_object(p, type))
			return program_fref(p, method_row(p, m)->owner, field_sel(p, k, desc_of(p, type)));
	return (fref_id){ 0 };
}
