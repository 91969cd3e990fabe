/* SPDX-License-Identifier: Apache-2.0 */
/* The placeholders as a class of the program. Its method `main` does all of them over and over, in any order as far as the
 * engines care, within one handler. Placeholder variables are static fields, read once and written at every statement:
 * one variable each for analyses that ignore the order of statements, and the class's methods share them. */
#include "analysis/fragment/fragment_p.h"

#include <stdlib.h>

#include "ir/access.h"

/* Bodies */

void ph_body_start(struct ph_body *x, struct program *p, const struct placeholders *ph)
{
	*x = (struct ph_body){ .p = p, .ph = ph, .loaded = mem_zalloc((ph->types.len + 1) * sizeof(ir_value)) };
}

void ph_body_define(struct ph_body *x, method_id m)
{
	struct ir_body *b = arena_new(&x->p->mem, struct ir_body);

	*b = builder_finish(&x->b, &x->p->mem);
	builder_release(&x->b);
	free(x->loaded);
#ifdef SHERD_CHECK
	const char *reason;
	if (!body_check(b, &x->p->mem, &reason))
		BUG("placeholders: %s", reason);
#endif
	program_define(x->p, m, b);
}

static fref_id field_of(const struct ph_body *x, uint32_t variable)
{
	field_id f = { class_row(x->p, x->ph->cls)->first_field + variable - 1 };

	return program_fref(x->p, x->ph->cls, field_row(x->p, f)->sel);
}

ir_value ph_read(struct ph_body *x, uint32_t variable)
{
	if (!x->loaded[variable])
		x->loaded[variable] = builder_stmt(&x->b, IR_GETSTATIC, 0, field_of(x, variable).i, IR_KIND_OBJECT, NULL, 0);
	return x->loaded[variable];
}

void ph_write(struct ph_body *x, uint32_t variable, ir_value v)
{
	if (variable && v)
		builder_stmt(&x->b, IR_PUTSTATIC, 0, field_of(x, variable).i, IR_KIND_NONE, &v, 1);
}

void ph_receive(struct ph_body *x, uint32_t variable, ir_value v)
{
	class_id type = x->ph->types.data[variable];

	if (variable && type.i != x->p->object.i)
		v = builder_stmt(&x->b, IR_CAST, IR_CAST_ANY, type.i, IR_KIND_OBJECT, &v, 1);
	ph_write(x, variable, v);
}

static ir_value zero(struct ph_body *x, enum ir_kind kind)
{
	static const enum ir_op ops[] = { [IR_KIND_INT] = IR_CONST_INT, [IR_KIND_LONG] = IR_CONST_LONG,
					  [IR_KIND_FLOAT] = IR_CONST_FLOAT, [IR_KIND_DOUBLE] = IR_CONST_DOUBLE,
					  [IR_KIND_OBJECT] = IR_CONST_NULL };
	bool is_long = kind == IR_KIND_LONG || kind == IR_KIND_DOUBLE;

	if (kind != IR_KIND_NONE && !x->zero[kind])
		x->zero[kind] = builder_stmt(&x->b, ops[kind], 0, is_long ? builder_long(&x->b, 0) : 0, kind, NULL, 0);
	return x->zero[kind];
}

static enum ir_kind kind_of_type(const struct program *p, class_id type)
{
	struct str name = class_name(p, type);

	if (class_row(p, type)->kind != CLASS_PRIMITIVE)
		return IR_KIND_OBJECT;
	if (str_is(name, "void"))
		return IR_KIND_NONE;
	if (str_is(name, "long"))
		return IR_KIND_LONG;
	if (str_is(name, "float"))
		return IR_KIND_FLOAT;
	return str_is(name, "double") ? IR_KIND_DOUBLE : IR_KIND_INT;
}

/* Of a type without a variable it is whatever a client has of that type. */
ir_value ph_value(struct ph_body *x, class_id type)
{
	uint32_t variable = map_get(&x->ph->variable_of, type.i), object = map_get(&x->ph->variable_of, x->p->object.i);

	if (variable)
		return ph_read(x, variable);
	if (!object || !is_pure_reference(x->p, type))
		return zero(x, kind_of_type(x->p, type));
	ir_value v = ph_read(x, object);
	return builder_stmt(&x->b, IR_CAST, IR_CAST_KNOWN, type.i, IR_KIND_OBJECT, &v, 1);
}

ir_value ph_call(struct ph_body *x, enum ir_op op, class_id via, method_id m, ir_value receiver)
{
	sel_id sel = method_row(x->p, m)->sel;
	bool is_interface = class_row(x->p, via)->flags & ACCESS_INTERFACE;
	VEC(ir_value) args = { 0 };
	class_id type;

	if (receiver)
		vec_push(&args, receiver);
	for (uint32_t at = 0; sel_next_param(x->p, sel, &at, &type);)
		vec_push(&args, ph_value(x, type));
	ir_value v = builder_stmt(&x->b, op, 0, program_mref(x->p, via, sel, is_interface).i,
				  kind_of_type(x->p, sel_result(x->p, sel)), args.data, args.len);
	vec_release(&args);
	return v;
}

ir_value ph_zero(struct ph_body *x)
{
	return zero(x, IR_KIND_INT);
}

/* Statements */

static void do_new(struct ph_body *x, const struct placeholder *s)
{
	ir_value v = builder_stmt(&x->b, IR_NEW, 0, s->via.i, IR_KIND_OBJECT, NULL, 0);
	class_id makes = method_row(x->p, s->method)->owner;

	ph_call(x, IR_CALL_SPECIAL, makes, s->method, v);
	ph_write(x, s->to, v);
}

static void do_call(struct ph_body *x, const struct placeholder *s)
{
	bool is_interface = class_row(x->p, s->via)->flags & ACCESS_INTERFACE;
	enum ir_op op = !s->from ? IR_CALL_STATIC : is_interface ? IR_CALL_INTERFACE : IR_CALL_VIRTUAL;

	ph_receive(x, s->to, ph_call(x, op, s->via, s->method, s->from ? ph_read(x, s->from) : 0));
}

static void do_field(struct ph_body *x, const struct placeholder *s)
{
	fref_id f = program_fref(x->p, s->via, field_row(x->p, s->field)->sel);
	ir_value args[2] = { s->from ? ph_read(x, s->from) : 0, 0 };

	if (s->sort == PH_GET) {
		ph_receive(x, s->to, builder_stmt(&x->b, s->from ? IR_GETFIELD : IR_GETSTATIC, 0, f.i, IR_KIND_OBJECT, args,
						  s->from ? 1 : 0));
		return;
	}
	args[s->from ? 1 : 0] = ph_read(x, s->to);
	builder_stmt(&x->b, s->from ? IR_PUTFIELD : IR_PUTSTATIC, 0, f.i, IR_KIND_NONE, args, s->from ? 2 : 1);
}

static void do_array(struct ph_body *x, const struct placeholder *s)
{
	ir_value args[3] = { zero(x, IR_KIND_INT) };

	if (s->sort == PH_ARRAY) {
		args[0] = builder_stmt(&x->b, IR_CONST_INT, 0, 1, IR_KIND_INT, NULL, 0);
		ph_write(x, s->to, builder_stmt(&x->b, IR_NEWARRAY, 0, x->ph->types.data[s->to].i, IR_KIND_OBJECT, args, 1));
		return;
	}
	args[1] = args[0];
	args[0] = ph_read(x, s->from);
	if (s->sort == PH_LOAD) {
		ph_receive(x, s->to, builder_stmt(&x->b, IR_ALOAD, IR_KIND_OBJECT, 0, IR_KIND_OBJECT, args, 2));
		return;
	}
	args[2] = ph_read(x, s->to);
	builder_stmt(&x->b, IR_ASTORE, IR_KIND_OBJECT, 0, IR_KIND_NONE, args, 3);
}

static void do_cast(struct ph_body *x, const struct placeholder *s)
{
	ir_value v = ph_read(x, s->from);

	ph_write(x, s->to, builder_stmt(&x->b, IR_CAST, IR_CAST_KNOWN, x->ph->types.data[s->to].i, IR_KIND_OBJECT, &v, 1));
}

static void do_placeholder(struct ph_body *x, const struct placeholder *s)
{
	switch (s->sort) {
	case PH_NEW:
	case PH_CLIENT:
		do_new(x, s);
		break;
	case PH_CALL:
		do_call(x, s);
		break;
	case PH_GET:
	case PH_PUT:
		do_field(x, s);
		break;
	case PH_ARRAY:
	case PH_LOAD:
	case PH_STORE:
		do_array(x, s);
		break;
	case PH_STRING:
		ph_write(x, s->to, builder_stmt(&x->b, IR_CONST_STRING, 0, intern(&x->p->strings, STR("client")).i,
						IR_KIND_OBJECT, NULL, 0));
		break;
	case PH_ASSIGN:
		ph_write(x, s->to, ph_read(x, s->from));
		break;
	case PH_CAST:
		do_cast(x, s);
		break;
	case PH_CATCH:
		break;
	}
}

/* while (true) try { everything } catch (Throwable e) { ph_Throwable = e; }. The pc of a statement is its number, from 1. */
static void define_main(struct ph_maker *k)
{
	enum { START, LOOP, HANDLER, END, IFEQ = 0x99 };
	struct ph_body x;

	ph_body_start(&x, k->p, k->out);
	builder_stmt(&x.b, IR_GOTO, 0, 0, IR_KIND_NONE, NULL, 0);
	builder_succ(&x.b, LOOP);
	builder_block(&x.b);
	builder_handler(&x.b, HANDLER);
	for (uint32_t i = 0; i < k->out->stmts.len; i++) {
		x.b.pc = i + 1;
		do_placeholder(&x, &k->out->stmts.data[i]);
	}
	ir_value any = zero(&x, IR_KIND_INT);
	builder_stmt(&x.b, IR_IF, IFEQ, 0, IR_KIND_NONE, &any, 1);
	builder_succ(&x.b, LOOP);
	builder_succ(&x.b, END);
	builder_block(&x.b);
	ir_value e = builder_stmt(&x.b, IR_CATCH, 0, k->p->throwable.i, IR_KIND_OBJECT, NULL, 0);
	ph_write(&x, map_get(&k->out->variable_of, k->p->throwable.i), e);
	builder_stmt(&x.b, IR_GOTO, 0, 0, IR_KIND_NONE, NULL, 0);
	builder_succ(&x.b, LOOP);
	builder_block(&x.b);
	builder_stmt(&x.b, IR_RETURN, 0, 0, IR_KIND_NONE, NULL, 0);
	ph_body_define(&x, k->out->main);
}

/* Everything that the members refer to is named before the first is added: members of a class are in a row. */
static void add_variables(struct ph_maker *k)
{
	struct placeholders *ph = k->out;
	VEC(sel_id) sels = { 0 };
	struct strbuf name = { 0 }, desc = { 0 };

	for (uint32_t v = 1; v < ph->types.len; v++) {
		struct str type = class_name(k->p, ph->types.data[v]);
		strbuf_clear(&name);
		strbuf_clear(&desc);
		strbuf_addf(&name, "ph_%u", v);
		strbuf_addf(&desc, type.p[0] == '[' ? "%.*s" : "L%.*s;", (int)type.len, type.p);
		vec_push(&sels, program_sel(k->p, strbuf_str(&name), strbuf_str(&desc)));
	}
	for (uint32_t i = 0; i < sels.len; i++)
		program_add_field(k->p, ph->cls, sels.data[i], ACCESS_STATIC);
	strbuf_release(&name);
	strbuf_release(&desc);
	vec_release(&sels);
}

void placeholders_define(struct ph_maker *k)
{
	struct placeholders *ph = k->out;
	sel_id main = program_sel(k->p, STR("main"), STR("()V"));

	ph->cls = program_make_class(k->p, STR("sherd/Clients"));
	class_row(k->p, ph->cls)->is_unseen = 1;
	add_variables(k);
	program_add_method(k->p, ph->cls, main, ACCESS_PUBLIC | ACCESS_STATIC, 0);
	ph->main = program_declared(k->p, ph->cls, main);
	program_load(k->p, ph->cls);
	define_main(k);
	clients_define(k);
}
