/* SPDX-License-Identifier: Apache-2.0 */
/* What an invocation of a handle does, as statements of a dispatcher. Arguments are kept apart by position as long as that is
 * known; then they go into an array, from which each parameter takes what its type lets through. Which part of a handle runs
 * first, or how often, does not matter to whoever reads these statements. */
#include "analysis/dynamic/handles/invoke_p.h"

#include "ir/access.h"

typedef struct dispatcher_maker maker;

/* Values */

struct typed typed_object(maker *k, ir_value v)
{
	return (struct typed){ v, k->p->object };
}

static struct typed nothing(maker *k)
{
	return (struct typed){ k->zero[IR_KIND_OBJECT], k->p->object };
}

ir_value typed_convert(maker *k, struct typed x, class_id to)
{
	if (dispatcher_is_primitive(k, to))
		return k->zero[dispatcher_kind(k, to)];
	if (!x.v || x.type.i == to.i)
		return x.v ? x.v : k->zero[IR_KIND_OBJECT];
	return dispatcher_is_primitive(k, x.type) ? dispatcher_box(k, x.type) : dispatcher_cast(k, x.v, to);
}

void typed_store(maker *k, ir_value array, struct typed x)
{
	ir_value args[3] = { array, k->zero[IR_KIND_INT], typed_convert(k, x, k->p->object) };

	if (x.v)
		builder_stmt(&k->b, IR_ASTORE, IR_KIND_OBJECT, 0, IR_KIND_NONE, args, 3);
}

struct typed typed_load(maker *k, ir_value array)
{
	ir_value args[2] = { array, k->zero[IR_KIND_INT] };

	return typed_object(k, builder_stmt(&k->b, IR_ALOAD, IR_KIND_OBJECT, 0, IR_KIND_OBJECT, args, 2));
}

ir_value typed_array(maker *k, class_id type)
{
	return builder_stmt(&k->b, IR_NEWARRAY, 0, type.i, IR_KIND_OBJECT, &k->zero[IR_KIND_INT], 1);
}

ir_value typed_objects(maker *k)
{
	return typed_array(k, program_array_of(k->p, k->p->object));
}

struct typed typed_either(maker *k, struct typed x, struct typed y)
{
	ir_value both = typed_objects(k);

	typed_store(k, both, x);
	typed_store(k, both, y);
	return typed_load(k, both);
}

struct typed typed_bound(maker *k, uint32_t site, uint32_t operand)
{
	fref_id f = handle_bound(k->handles, k->p, site, operand);

	if (!f.i)
		return nothing(k);
	class_id type = program_class_of_desc(k->p, sel_desc(k->p, fref_row(k->p, f)->sel));
	return (struct typed){ builder_stmt(&k->b, IR_GETSTATIC, 0, f.i, IR_KIND_OBJECT, NULL, 0), type };
}

/* Arguments */

struct typed typed_argument(maker *k, const struct arguments *a, uint32_t i)
{
	if (a->is_vague)
		return typed_load(k, k->any);
	return i < a->list.len ? a->list.data[i] : nothing(k);
}

/* Members */

/* The rest of the arguments, in an array. */
static struct typed collect(maker *k, const struct arguments *a, uint32_t first, class_id type)
{
	class_id element = class_row(k->p, type)->element;
	ir_value array = typed_array(k, type);

	for (uint32_t i = first; i < (a->is_vague ? first + 1 : a->list.len); i++)
		if (!dispatcher_is_primitive(k, element))
			typed_store(k, array, (struct typed){ typed_convert(k, typed_argument(k, a, i), element), element });
	return (struct typed){ array, type };
}

/* A last parameter that is an array takes what is too much, or the array: handles of such methods are called with either. */
static ir_value last_argument(maker *k, const struct arguments *a, uint32_t i, class_id type)
{
	struct typed one = typed_argument(k, a, i);
	bool is_array = !a->is_vague && i + 1 == a->list.len && class_row(k->p, one.type)->kind == CLASS_ARRAY;
	bool is_collected = !a->is_vague && i >= a->list.len;

	if (class_row(k->p, type)->kind != CLASS_ARRAY || is_array)
		return typed_convert(k, one, type);
	if (is_collected)
		return collect(k, a, i, type).v;
	return typed_convert(k, typed_either(k, (struct typed){ typed_convert(k, one, type), type }, collect(k, a, i, type)), type);
}

static ir_value call(maker *k, enum ir_op op, mref_id ref, ir_value receiver, const struct arguments *a, uint32_t i)
{
	sel_id sel = mref_row(k->p, ref)->sel;
	uint32_t at = 0, n = sel_row(k->p, sel)->nargs;
	VEC(ir_value) args = { 0 };
	class_id type;

	if (receiver)
		vec_push(&args, receiver);
	for (uint32_t j = 1; sel_next_param(k->p, sel, &at, &type); j++, i++)
		vec_push(&args, j == n || a->is_vague ? last_argument(k, a, i, type) : typed_convert(k, typed_argument(k, a, i), type));
	ir_value v = dispatcher_call(k, op, ref, args.data, args.len);
	vec_release(&args);
	return v;
}

static struct typed invoke_method(maker *k, const struct handle *h, const struct arguments *a)
{
	struct ir_method m = *method_row(k->p, (method_id){ h->of });
	class_id owner = h->op == HANDLE_VIRTUAL ? h->type : m.owner;
	bool is_interface = class_row(k->p, owner)->flags & ACCESS_INTERFACE, is_static = h->op == HANDLE_STATIC;
	mref_id ref = program_mref(k->p, owner, m.sel, is_interface);
	ir_value receiver = is_static ? 0 : typed_convert(k, typed_argument(k, a, 0), owner);
	enum ir_op op = is_static ? IR_CALL_STATIC : h->op == HANDLE_SPECIAL ? IR_CALL_SPECIAL :
			is_interface ? IR_CALL_INTERFACE : IR_CALL_VIRTUAL;

	ir_value v = call(k, op, ref, receiver, a, !is_static);
	return (struct typed){ v, sel_result(k->p, m.sel) };
}

static struct typed invoke_new(maker *k, const struct handle *h, const struct arguments *a)
{
	struct ir_method m = *method_row(k->p, (method_id){ h->of });
	ir_value v = builder_stmt(&k->b, IR_NEW, 0, m.owner.i, IR_KIND_OBJECT, NULL, 0);

	call(k, IR_CALL_SPECIAL, program_mref(k->p, m.owner, m.sel, false), v, a, 0);
	return (struct typed){ v, m.owner };
}

static struct typed invoke_field(maker *k, const struct handle *h, const struct arguments *a)
{
	struct ir_field f = *field_row(k->p, (field_id){ h->of });
	class_id type = program_class_of_desc(k->p, sel_desc(k->p, f.sel));
	bool is_static = h->op == HANDLE_GETSTATIC || h->op == HANDLE_PUTSTATIC;
	fref_id ref = program_fref(k->p, f.owner, f.sel);
	ir_value args[2] = { is_static ? 0 : typed_convert(k, typed_argument(k, a, 0), f.owner) };

	if (h->op == HANDLE_GETFIELD || h->op == HANDLE_GETSTATIC) {
		enum ir_op op = is_static ? IR_GETSTATIC : IR_GETFIELD;
		return (struct typed){ builder_stmt(&k->b, op, 0, ref.i, dispatcher_kind(k, type), args, !is_static), type };
	}
	args[!is_static] = typed_convert(k, typed_argument(k, a, !is_static), type);
	builder_stmt(&k->b, is_static ? IR_PUTSTATIC : IR_PUTFIELD, 0, ref.i, IR_KIND_NONE, args, is_static ? 1 : 2);
	return (struct typed){ 0 };
}

static struct typed invoke_array(maker *k, const struct handle *h, const struct arguments *a)
{
	class_id element = class_row(k->p, h->type)->element;
	ir_value args[3] = { 0, k->zero[IR_KIND_INT] };

	if (h->op == HANDLE_NEW_ARRAY)
		return (struct typed){ typed_array(k, h->type), h->type };
	args[0] = typed_convert(k, typed_argument(k, a, 0), h->type);
	if (dispatcher_is_primitive(k, element))
		return h->op == HANDLE_SET_ELEMENT ? (struct typed){ 0 } : (struct typed){ k->zero[dispatcher_kind(k, element)], element };
	if (h->op == HANDLE_SET_ELEMENT) {
		args[2] = typed_convert(k, typed_argument(k, a, 2), element);
		builder_stmt(&k->b, IR_ASTORE, IR_KIND_OBJECT, 0, IR_KIND_NONE, args, 3);
		return (struct typed){ 0 };
	}
	return (struct typed){ builder_stmt(&k->b, IR_ALOAD, IR_KIND_OBJECT, 0, IR_KIND_OBJECT, args, 2), element };
}

/* An invoker invokes its first argument with the others: a dynamic call of its own. */
static struct typed invoke_invoker(maker *k, const struct arguments *a)
{
	class_id handle = program_class(k->p, STR("java/lang/invoke/MethodHandle"));
	sel_id sel = program_sel(k->p, STR("invokeWithArguments"), STR("([Ljava/lang/Object;)Ljava/lang/Object;"));
	ir_value args[2] = { typed_convert(k, typed_argument(k, a, 0), handle), a->is_vague ? k->any : typed_objects(k) };

	for (uint32_t i = 1; i < a->list.len; i++) {
		bool is_array = class_row(k->p, a->list.data[i].type)->kind == CLASS_ARRAY;
		typed_store(k, args[1], a->list.data[i]);
		if (is_array && !dispatcher_is_primitive(k, class_row(k->p, a->list.data[i].type)->element))      /* it may be spread */
			typed_store(k, args[1], typed_load(k, a->list.data[i].v));
	}
	return typed_object(k, dispatcher_call(k, IR_CALL_VIRTUAL, program_mref(k->p, handle, sel, false), args, 2));
}

/* All handles */

struct typed invoke_handle(maker *k, uint32_t row, const struct arguments *a)
{
	const struct handle h = k->handles->rows.data[row];

	switch (h.op) {
	case HANDLE_VIRTUAL:
	case HANDLE_STATIC:
	case HANDLE_SPECIAL:
		return invoke_method(k, &h, a);
	case HANDLE_NEW:
		return invoke_new(k, &h, a);
	case HANDLE_GETFIELD:
	case HANDLE_GETSTATIC:
	case HANDLE_PUTFIELD:
	case HANDLE_PUTSTATIC:
		return invoke_field(k, &h, a);
	case HANDLE_GET_ELEMENT:
	case HANDLE_SET_ELEMENT:
	case HANDLE_NEW_ARRAY:
		return invoke_array(k, &h, a);
	case HANDLE_LENGTH: {
		class_id type = program_class_of_desc(k->p, STR("I"));
		return (struct typed){ k->zero[IR_KIND_INT], type };
	}
	case HANDLE_IDENTITY:
		return typed_argument(k, a, 0);
	case HANDLE_CONSTANT:
		return typed_bound(k, h.site, 1);
	case HANDLE_LAMBDA:
		return lambda_make(k, row, a);
	case HANDLE_INVOKER:
		return invoke_invoker(k, a);
	case HANDLE_NONE:
	case HANDLE_ZERO:
		return nothing(k);
	default:
		return invoke_adapted(k, &h, a);
	}
}

/* invokeWithArguments() takes arguments in an array, or in a list of them. */
static bool takes_array(const maker *k)
{
	return k->ref.i && k->noperands == 2 && str_is(sel_name(k->p, mref_row(k->p, k->ref)->sel), "invokeWithArguments");
}

static void add_operands(maker *k, struct arguments *a)
{
	if (k->lambda)
		lambda_captured(k, a);
	if (!takes_array(k)) {
		for (uint32_t i = 1; i < k->noperands; i++)
			vec_push(&a->list, ((struct typed){ k->operands[i], k->types[i] }));
		return;
	}
	ir_value all = k->operands[1];
	if (class_row(k->p, k->types[1])->kind != CLASS_ARRAY) {
		sel_id sel = program_sel(k->p, STR("toArray"), STR("()[Ljava/lang/Object;"));
		all = dispatcher_call(k, IR_CALL_INTERFACE, program_mref(k->p, k->types[1], sel, true), &all, 1);
	}
	typed_store(k, k->any, typed_load(k, all));
	a->is_vague = true;
}

bool dispatcher_needs_any(const maker *k, const meta *what, uint32_t n)
{
	bool needs = takes_array(k);

	for (uint32_t i = 0; i < n; i++)
		needs |= meta_sort(what[i]) == META_HANDLE && k->handles->rows.data[meta_id(what[i])].nparts;
	return k->sort == DYNAMIC_HANDLE && needs;
}

void dispatcher_invoke(maker *k, uint32_t handle)
{
	struct arguments a = { 0 };

	add_operands(k, &a);
	struct typed x = invoke_handle(k, handle, &a);
	ir_value v = typed_convert(k, x, k->result);
	builder_stmt(&k->b, IR_RETURN, 0, 0, IR_KIND_NONE, &v, v ? 1 : 0);
	vec_release(&a.list);
}
