/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that call a handle: of LambdaMetafactory, when it is called by hand, and of MethodHandleProxies. Their class has a field for
 * each value that they capture; its methods invoke the handle with these and their own parameters. */
#include "analysis/dynamic/handles/invoke_p.h"

#include "ir/access.h"

typedef struct dispatcher_maker maker;

static sel_id capture_sel(struct program *p, uint32_t i, class_id type)
{
	struct strbuf name = { 0 }, desc = { 0 };
	struct str text = class_name(p, type);

	strbuf_addf(&name, "arg$%u", i + 1);
	strbuf_addf(&desc, text.p[0] == '[' ? "%.*s" : "L%.*s;", (int)text.len, text.p);
	sel_id sel = program_sel(p, strbuf_str(&name), strbuf_str(&desc));
	strbuf_release(&name);
	strbuf_release(&desc);
	return sel;
}

/* The parameters of the method that makes the object, as a selector without a name; those that are primitives are not kept. */
static sel_id factory_sel(struct program *p, const struct handle_lambda *l)
{
	return program_sel_id(p, intern(&p->strings, STR("make")), l->factory);
}

static void add_fields(struct program *p, class_id c, const struct handle_lambda *l)
{
	uint32_t at = 0;
	class_id type;

	for (uint32_t i = 0; l->factory.i && sel_next_param(p, factory_sel(p, l), &at, &type); i++)
		if (class_row(p, type)->kind != CLASS_PRIMITIVE)
			program_add_field(p, c, capture_sel(p, i, type), ACCESS_PRIVATE | ACCESS_FINAL);
}

static void add_method(struct program *p, class_id c, sel_id sel)
{
	if (!program_declared(p, c, sel).i)
		program_add_method(p, c, sel, ACCESS_PUBLIC, (uint16_t)class_row(p, c)->nmethods);
}

static bool is_of_object(const struct program *p, sel_id sel)
{
	return program_declared(p, p->object, sel).i != 0;
}

/* What is abstract in the interface, of that name if one is given. */
static void add_methods(maker *k, class_id c, const struct handle_lambda *l)
{
	struct supertypes above = hierarchy_supertypes(k->h, l->interface);

	for (uint32_t i = 0; i < above.n; i++) {
		struct ir_class row = *class_row(k->p, above.classes[i]);
		for (uint32_t j = 0; j < row.nmethods; j++) {
			struct ir_method m = *method_row(k->p, (method_id){ row.first_method + j });
			bool is_named = !l->name.i || sel_row(k->p, m.sel)->name.i == l->name.i;
			if ((m.flags & ACCESS_ABSTRACT) && is_named && !is_of_object(k->p, m.sel))
				add_method(k->p, c, m.sel);
		}
	}
	if (l->sam.i)
		add_method(k->p, c, program_sel_id(k->p, l->name, l->sam));
}

/* By the place where it is made: the same in every analysis. */
static class_id declare(struct program *p, const struct handle_site *s)
{
	struct ir_method m = *method_row(p, s->method);
	struct str owner = class_name(p, m.owner), in = sel_name(p, m.sel);
	struct strbuf name = { 0 };

	strbuf_addf(&name, "%.*s$Handle$%.*s#%u@%u", (int)owner.len, owner.p, (int)in.len, in.p, (unsigned)m.index, (unsigned)s->pc);
	class_id c = program_make_class(p, strbuf_str(&name));
	strbuf_release(&name);
	class_row(p, c)->outer = m.owner;
	return c;
}

static class_id make_class(maker *k, uint32_t row)
{
	const struct handle h = k->handles->rows.data[row];
	const struct handle_lambda l = k->handles->lambdas.data[h.of];
	class_id c = declare(k->p, &k->handles->sites.data[h.site]);

	class_row(k->p, c)->interfaces = arena_copy(&k->p->mem, &l.interface, sizeof(class_id));
	class_row(k->p, c)->ninterfaces = 1;
	add_fields(k->p, c, &l);
	add_methods(k, c, &l);
	*map_at(&k->handles->made, row) = c.i;
	struct ir_class is = *class_row(k->p, c);
	for (uint32_t i = 0; i < is.nmethods; i++) {
		maker body = { .h = k->h, .p = k->p, .handles = k->handles, .sort = DYNAMIC_HANDLE, .lambda = row };
		meta what = meta_of(META_HANDLE, h.parts[0]);
		dispatcher_write(&body, (method_id){ is.first_method + i }, &what, 1);
	}
	program_load(k->p, c);
	return c;
}

struct typed lambda_make(maker *k, uint32_t row, const struct arguments *a)
{
	class_id c = { map_get(&k->handles->made, row) };
	uint32_t at = 0;
	class_id type;

	if (!c.i)
		c = make_class(k, row);
	const struct handle_lambda l = k->handles->lambdas.data[k->handles->rows.data[row].of];
	ir_value v = builder_stmt(&k->b, IR_NEW, 0, c.i, IR_KIND_OBJECT, NULL, 0);
	for (uint32_t i = 0; l.factory.i && sel_next_param(k->p, factory_sel(k->p, &l), &at, &type); i++) {
		if (dispatcher_is_primitive(k, type))
			continue;
		ir_value args[2] = { v, typed_convert(k, typed_argument(k, a, i), type) };
		builder_stmt(&k->b, IR_PUTFIELD, 0, program_fref(k->p, c, capture_sel(k->p, i, type)).i, IR_KIND_NONE, args, 2);
	}
	return (struct typed){ v, l.interface };
}

void lambda_captured(maker *k, struct arguments *a)
{
	const struct handle_lambda l = k->handles->lambdas.data[k->handles->rows.data[k->lambda].of];
	class_id c = { map_get(&k->handles->made, k->lambda) }, type;
	uint32_t at = 0;

	for (uint32_t i = 0; l.factory.i && sel_next_param(k->p, factory_sel(k->p, &l), &at, &type); i++) {
		ir_value v = k->zero[dispatcher_kind(k, type)];
		if (!dispatcher_is_primitive(k, type)) {
			fref_id f = program_fref(k->p, c, capture_sel(k->p, i, type));
			v = builder_stmt(&k->b, IR_GETFIELD, 0, f.i, IR_KIND_OBJECT, k->operands, 1);
		}
		vec_push(&a->list, ((struct typed){ v, type }));
	}
}

void dispatcher_wrap(maker *k, uint32_t handle)
{
	struct typed x = lambda_make(k, handle, &(struct arguments){ 0 });

	builder_stmt(&k->b, IR_RETURN, 0, 0, IR_KIND_NONE, &x.v, 1);
}
