/* SPDX-License-Identifier: Apache-2.0 */
/* Each meta is a block of the dispatcher's own, one of which runs. Access is not checked: it is the business of whoever
 * decides what is handed to a dispatcher. */
#include "analysis/dynamic/dispatcher_p.h"

#include "analysis/dynamic/made/serial.h"

#include "ir/access.h"

/* Values */

ir_value dispatcher_cast(struct dispatcher_maker *k, ir_value v, class_id type)
{
	if (type.i == k->p->object.i)
		return v;
	return builder_stmt(&k->b, IR_CAST, IR_CAST_ANY, type.i, IR_KIND_OBJECT, &v, 1);
}

bool dispatcher_is_primitive(const struct dispatcher_maker *k, class_id type)
{
	return class_row(k->p, type)->kind == CLASS_PRIMITIVE;
}

enum ir_kind dispatcher_kind(struct dispatcher_maker *k, class_id type)
{
	struct str name = class_name(k->p, type);

	if (!dispatcher_is_primitive(k, type))
		return IR_KIND_OBJECT;
	if (str_is(name, "void"))
		return IR_KIND_NONE;
	if (str_is(name, "long"))
		return IR_KIND_LONG;
	if (str_is(name, "float"))
		return IR_KIND_FLOAT;
	return str_is(name, "double") ? IR_KIND_DOUBLE : IR_KIND_INT;
}

static const char *const boxes[][2] = {
	{ "int", "java/lang/Integer" }, { "long", "java/lang/Long" }, { "boolean", "java/lang/Boolean" },
	{ "char", "java/lang/Character" }, { "byte", "java/lang/Byte" }, { "short", "java/lang/Short" },
	{ "float", "java/lang/Float" }, { "double", "java/lang/Double" },
};

bool dispatcher_is_box(const struct dispatcher_maker *k, class_id c)
{
	for (size_t i = 0; i < ARRAY_LEN(boxes); i++)
		if (str_is(class_name(k->p, c), boxes[i][1]))
			return true;
	return false;
}

/* Primitives come back in an object. */
ir_value dispatcher_box(struct dispatcher_maker *k, class_id type)
{
	for (size_t i = 0; i < ARRAY_LEN(boxes); i++)
		if (str_is(class_name(k->p, type), boxes[i][0]))
			return builder_stmt(&k->b, IR_NEW, 0, program_class(k->p, str_of(boxes[i][1])).i, IR_KIND_OBJECT, NULL, 0);
	return k->zero[IR_KIND_OBJECT];
}

static ir_value operand(const struct dispatcher_maker *k, uint32_t i)
{
	return i < k->noperands && k->operands[i] ? k->operands[i] : k->zero[IR_KIND_OBJECT];
}

/* Any element of the arguments; there are none where that operand does not exist. */
static ir_value argument(struct dispatcher_maker *k, uint32_t array, class_id type)
{
	ir_value args[2] = { operand(k, array), k->zero[IR_KIND_INT] };

	if (dispatcher_is_primitive(k, type))
		return k->zero[dispatcher_kind(k, type)];
	return dispatcher_cast(k, builder_stmt(&k->b, IR_ALOAD, IR_KIND_OBJECT, 0, IR_KIND_OBJECT, args, 2), type);
}

/* getInt() and its like give back no object. */
static void give_back(struct dispatcher_maker *k, ir_value v)
{
	enum ir_kind kind = dispatcher_kind(k, k->result);
	ir_value is = kind == IR_KIND_OBJECT ? v : k->zero[kind];

	builder_stmt(&k->b, IR_RETURN, 0, 0, IR_KIND_NONE, &is, kind != IR_KIND_NONE);
}

/* What is done */

ir_value dispatcher_call(struct dispatcher_maker *k, enum ir_op op, mref_id ref, const ir_value *args, uint32_t n)
{
	k->b.pc++;
	return builder_stmt(&k->b, op, 0, ref.i, dispatcher_kind(k, sel_result(k->p, mref_row(k->p, ref)->sel)), args, n);
}

/* Calls the method with elements of operand `array`. */
static ir_value call(struct dispatcher_maker *k, enum ir_op op, method_id m, ir_value receiver, uint32_t array)
{
	struct ir_method row = *method_row(k->p, m);
	bool is_interface = class_row(k->p, row.owner)->flags & ACCESS_INTERFACE;
	VEC(ir_value) args = { 0 };
	class_id type;

	if (receiver)
		vec_push(&args, receiver);
	for (uint32_t at = 0; sel_next_param(k->p, row.sel, &at, &type);)
		vec_push(&args, argument(k, array, type));
	ir_value v = dispatcher_call(k, op, program_mref(k->p, row.owner, row.sel, is_interface), args.data, args.len);
	vec_release(&args);
	return v;
}

static void do_invoke(struct dispatcher_maker *k, method_id m)
{
	struct ir_method row = *method_row(k->p, m);
	bool is_static = row.flags & ACCESS_STATIC, is_interface = class_row(k->p, row.owner)->flags & ACCESS_INTERFACE;
	enum ir_op op = is_static ? IR_CALL_STATIC : k->is_exact ? IR_CALL_SPECIAL : is_interface ? IR_CALL_INTERFACE : IR_CALL_VIRTUAL;
	ir_value v = call(k, op, m, is_static ? 0 : dispatcher_cast(k, operand(k, 1), row.owner), 2);
	class_id type = sel_result(k->p, row.sel);

	give_back(k, dispatcher_is_primitive(k, type) ? dispatcher_box(k, type) : v);
}

static void do_construct(struct dispatcher_maker *k, method_id m)
{
	ir_value v = builder_stmt(&k->b, IR_NEW, 0, method_row(k->p, m)->owner.i, IR_KIND_OBJECT, NULL, 0);

	call(k, IR_CALL_SPECIAL, m, v, 1);
	give_back(k, v);
}

/* Initialisers run as calls. */
static void call_initialiser(void *ctx, class_id of, method_id clinit)
{
	struct dispatcher_maker *k = ctx;
	bool is_interface = class_row(k->p, of)->flags & ACCESS_INTERFACE;
	mref_id ref = program_mref(k->p, of, method_row(k->p, clinit)->sel, is_interface);

	dispatcher_call(k, IR_CALL_STATIC, ref, NULL, 0);
}

static void do_load(struct dispatcher_maker *k, class_id c)
{
	if (k->sort != DYNAMIC_FIND)
		hierarchy_initialisers(k->h, c, call_initialiser, k);
	give_back(k, builder_stmt(&k->b, IR_CONST_CLASS, 0, c.i, IR_KIND_OBJECT, NULL, 0));
}

static void do_get(struct dispatcher_maker *k, field_id f)
{
	struct ir_field row = *field_row(k->p, f);
	class_id type = program_class_of_desc(k->p, sel_desc(k->p, row.sel));
	bool is_static = row.flags & ACCESS_STATIC;
	ir_value object = is_static ? 0 : dispatcher_cast(k, operand(k, 1), row.owner);
	ir_value v = builder_stmt(&k->b, is_static ? IR_GETSTATIC : IR_GETFIELD, 0, program_fref(k->p, row.owner, row.sel).i,
				  dispatcher_kind(k, type), &object, is_static ? 0 : 1);

	give_back(k, dispatcher_is_primitive(k, type) ? dispatcher_box(k, type) : v);
}

static void do_set(struct dispatcher_maker *k, field_id f)
{
	struct ir_field row = *field_row(k->p, f);
	class_id type = program_class_of_desc(k->p, sel_desc(k->p, row.sel));
	bool is_static = row.flags & ACCESS_STATIC;
	bool is_object = !dispatcher_is_primitive(k, type) && !dispatcher_is_primitive(k, k->last);
	ir_value value = is_object ? dispatcher_cast(k, operand(k, 2), type) : k->zero[dispatcher_kind(k, type)];
	ir_value args[2] = { is_static ? value : dispatcher_cast(k, operand(k, 1), row.owner), value };

	builder_stmt(&k->b, is_static ? IR_PUTSTATIC : IR_PUTFIELD, 0, program_fref(k->p, row.owner, row.sel).i, IR_KIND_NONE, args,
		     is_static ? 1 : 2);
	builder_stmt(&k->b, IR_RETURN, 0, 0, IR_KIND_NONE, NULL, 0);
}

/* A proxy of class `c`, whose handler is the last operand. */
static void do_proxy(struct dispatcher_maker *k, class_id c)
{
	mref_id init = program_mref(k->p, c, program_sel(k->p, STR("<init>"), STR("(Ljava/lang/reflect/InvocationHandler;)V")), false);
	ir_value v = builder_stmt(&k->b, IR_NEW, 0, c.i, IR_KIND_OBJECT, NULL, 0);

	builder_stmt(&k->b, IR_CALL_SPECIAL, 0, init.i, IR_KIND_NONE, (ir_value[]){ v, operand(k, k->noperands - 1) }, 2);
	give_back(k, v);
}

/* All handlers are called that there are, with who knows what. */
static void do_handlers(struct dispatcher_maker *k, method_id m)
{
	struct ir_method row = *method_row(k->p, m);
	mref_id ref = program_mref(k->p, row.owner, row.sel, true);

	builder_stmt(&k->b, IR_CONST_HANDLE, IR_HANDLE_INTERFACE, ref.i, IR_KIND_OBJECT, NULL, 0);
	give_back(k, k->zero[IR_KIND_OBJECT]);
}

static method_id default_constructor(struct dispatcher_maker *k, class_id c)
{
	program_load(k->p, c);
	return program_declared(k->p, c, program_sel(k->p, STR("<init>"), STR("()V")));
}

static bool is_concrete(const struct dispatcher_maker *k, class_id c)
{
	const struct ir_class *row = class_row(k->p, c);

	return row->kind == CLASS_FILE && !(row->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE));
}

/* The method that gives the constants of an enum; none: it is none. */
static method_id values_of_enum(struct dispatcher_maker *k, class_id c)
{
	struct strbuf desc = { 0 };

	program_load(k->p, c);
	strbuf_addf(&desc, "()[L%.*s;", (int)class_name(k->p, c).len, class_name(k->p, c).p);
	method_id m = program_declared(k->p, c, program_sel(k->p, STR("values"), strbuf_str(&desc)));
	strbuf_release(&desc);
	bool is_enum = class_row(k->p, c)->flags & ACCESS_ENUM;
	return is_enum && m.i && (method_row(k->p, m)->flags & ACCESS_STATIC) ? m : (method_id){ 0 };
}

/* Is it something that the call can do? */
static bool fits(struct dispatcher_maker *k, meta x)
{
	switch (k->sort) {
	case DYNAMIC_LOAD:
	case DYNAMIC_FIND:
	case DYNAMIC_INITIALISE:
		return meta_sort(x) == META_CLASS;
	case DYNAMIC_ALLOCATE:
		return meta_sort(x) == META_CLASS && is_concrete(k, meta_class(x));
	case DYNAMIC_ENUM:
		return meta_sort(x) == META_CLASS && values_of_enum(k, meta_class(x)).i;
	case DYNAMIC_NEW:
	case DYNAMIC_BEAN:
	case DYNAMIC_BUNDLE:
		return meta_sort(x) == META_CLASS && default_constructor(k, meta_class(x)).i && is_concrete(k, meta_class(x));
	case DYNAMIC_CONSTRUCT:
		return meta_sort(x) == META_METHOD && str_is(sel_name(k->p, method_row(k->p, meta_method(x))->sel), "<init>") &&
		       is_concrete(k, method_row(k->p, meta_method(x))->owner);
	case DYNAMIC_INVOKE:
		return meta_sort(x) == META_METHOD && !str_is(sel_name(k->p, method_row(k->p, meta_method(x))->sel), "<init>");
	case DYNAMIC_GET:
	case DYNAMIC_SET:
		return meta_sort(x) == META_FIELD;
	case DYNAMIC_HANDLE:
	case DYNAMIC_WRAP:
		return meta_sort(x) == META_HANDLE;
	case DYNAMIC_PROXY:
	case DYNAMIC_ANNOTATION:
	case DYNAMIC_SERVICE:
	case DYNAMIC_READ:
		return true;
	default:
		return false;
	}
}

static void do_meta(struct dispatcher_maker *k, meta x)
{
	switch (k->sort) {
	case DYNAMIC_LOAD:
	case DYNAMIC_FIND:
	case DYNAMIC_INITIALISE:
		do_load(k, meta_class(x));
		break;
	case DYNAMIC_NEW:
	case DYNAMIC_BEAN:
	case DYNAMIC_BUNDLE:
		do_construct(k, default_constructor(k, meta_class(x)));
		break;
	case DYNAMIC_CONSTRUCT:
		do_construct(k, meta_method(x));
		break;
	case DYNAMIC_INVOKE:
		do_invoke(k, meta_method(x));
		break;
	case DYNAMIC_GET:
		do_get(k, meta_field(x));
		break;
	case DYNAMIC_HANDLE:
		dispatcher_invoke(k, meta_id(x));
		break;
	case DYNAMIC_WRAP:
		dispatcher_wrap(k, meta_id(x));
		break;
	case DYNAMIC_PROXY:
	case DYNAMIC_ANNOTATION:
		if (meta_sort(x) == META_CLASS)
			do_proxy(k, meta_class(x));
		else
			do_handlers(k, meta_method(x));
		break;
	case DYNAMIC_SERVICE:
	case DYNAMIC_ALLOCATE:
		give_back(k, builder_stmt(&k->b, IR_NEW, 0, meta_id(x), IR_KIND_OBJECT, NULL, 0));
		break;
	case DYNAMIC_READ:
		give_back(k, serial_read(k, x));
		break;
	case DYNAMIC_ENUM:
		give_back(k, call(k, IR_CALL_STATIC, values_of_enum(k, meta_class(x)), 0, 0));
		break;
	default:
		do_set(k, meta_field(x));
		break;
	}
}

/* The method */

static method_id declare(struct dispatcher_maker *k, mref_id ref, bool has_receiver)
{
	struct ir_mref row = *mref_row(k->p, ref);
	struct strbuf text = { 0 };

	strbuf_addf(&text, "sherd/Dynamic$%u", k->p->classes.len);
	class_id c = program_make_class(k->p, strbuf_str(&text));
	struct str desc = sel_desc(k->p, row.sel);
	strbuf_clear(&text);
	strbuf_addf(&text, has_receiver ? "(Ljava/lang/Object;%.*s" : "(%.*s", (int)desc.len - 1, desc.p + 1);
	sel_id sel = program_sel(k->p, str_of(dynamic_sort_name(k->sort)), strbuf_str(&text));
	strbuf_release(&text);
	program_add_method(k->p, c, sel, ACCESS_PUBLIC | ACCESS_STATIC, 0);
	return program_declared(k->p, c, sel);
}

static void start(struct dispatcher_maker *k, method_id m)
{
	static const enum ir_op ops[] = { [IR_KIND_INT] = IR_CONST_INT, [IR_KIND_LONG] = IR_CONST_LONG, [IR_KIND_FLOAT] = IR_CONST_FLOAT,
					  [IR_KIND_DOUBLE] = IR_CONST_DOUBLE, [IR_KIND_OBJECT] = IR_CONST_NULL };
	sel_id sel = method_row(k->p, m)->sel;
	uint32_t at = 0;
	class_id type;

	k->operands = mem_zalloc(((size_t)sel_row(k->p, sel)->nargs + 2) * sizeof(*k->operands));
	k->types = mem_zalloc(((size_t)sel_row(k->p, sel)->nargs + 2) * sizeof(*k->types));
	k->result = sel_result(k->p, sel);
	if (!(method_row(k->p, m)->flags & ACCESS_STATIC)) {
		k->types[0] = method_row(k->p, m)->owner;
		k->operands[k->noperands++] = builder_stmt(&k->b, IR_PARAM, 0, 0, IR_KIND_OBJECT, NULL, 0);
	}
	for (; sel_next_param(k->p, sel, &at, &type); k->noperands++, k->last = type) {
		k->types[k->noperands] = type;
		k->operands[k->noperands] = builder_stmt(&k->b, IR_PARAM, 0, k->noperands, dispatcher_kind(k, type), NULL, 0);
	}
	for (enum ir_kind kind = IR_KIND_INT; kind <= IR_KIND_OBJECT; kind++) {
		bool is_long = kind == IR_KIND_LONG || kind == IR_KIND_DOUBLE;
		k->zero[kind] = builder_stmt(&k->b, ops[kind], 0, is_long ? builder_long(&k->b, 0) : 0, kind, NULL, 0);
	}
}

static void make_any(struct dispatcher_maker *k)
{
	k->any = builder_stmt(&k->b, IR_NEWARRAY, 0, program_array_of(k->p, k->p->object).i, IR_KIND_OBJECT, &k->zero[IR_KIND_INT], 1);
}

/* switch (unknown) { one block each } */
static void branch(struct dispatcher_maker *k, uint32_t nblocks)
{
	uint32_t keys = 0;

	for (uint32_t i = 1; i < nblocks; i++) {
		uint32_t row = builder_long(&k->b, i);
		keys = i == 1 ? row : keys;
	}
	if (nblocks == 1)
		builder_stmt(&k->b, IR_GOTO, 0, 0, IR_KIND_NONE, NULL, 0);
	else
		builder_stmt(&k->b, IR_SWITCH, 0, keys, IR_KIND_NONE, &k->zero[IR_KIND_INT], 1);
	for (uint32_t i = 0; i < nblocks; i++)
		builder_succ(&k->b, 1 + i);
}

static void define(struct dispatcher_maker *k, method_id m)
{
	struct ir_body *body = arena_new(&k->p->mem, struct ir_body);

	*body = builder_finish(&k->b, &k->p->mem);
#ifdef SHERD_CHECK
	const char *reason;
	if (!body_check(body, &k->p->mem, &reason))
		BUG("dispatcher: %s", reason);
#endif
	program_define(k->p, m, body);
}

static bool keeps_exceptions(const struct dispatcher_maker *k, meta x)
{
	return k->sort == DYNAMIC_HANDLE && handle_has(k->handles, meta_id(x), HANDLE_CATCH);
}

/* What is thrown may be an argument of a part of a handle. It is thrown on, too: there may be others that do not catch it. */
static void keep_exception(struct dispatcher_maker *k)
{
	class_id throwable = program_class(k->p, STR("java/lang/Throwable"));

	builder_block(&k->b);
	ir_value thrown = builder_stmt(&k->b, IR_CATCH, 0, throwable.i, IR_KIND_OBJECT, NULL, 0);
	builder_stmt(&k->b, IR_ASTORE, IR_KIND_OBJECT, 0, IR_KIND_NONE, (ir_value[]){ k->any, k->zero[IR_KIND_INT], thrown }, 3);
	builder_stmt(&k->b, IR_THROW, 0, 0, IR_KIND_NONE, &thrown, 1);
}

/* What a method or constructor throws comes in an InvocationTargetException, here without a call of its constructor. */
static bool wraps_exceptions(const struct dispatcher_maker *k)
{
	return k->sort == DYNAMIC_INVOKE || k->sort == DYNAMIC_CONSTRUCT;
}

static void wrap_exception(struct dispatcher_maker *k)
{
	class_id throwable = program_class(k->p, STR("java/lang/Throwable"));
	class_id wrapper = program_class(k->p, STR("java/lang/reflect/InvocationTargetException"));
	fref_id target = program_fref(k->p, wrapper, program_sel(k->p, STR("target"), STR("Ljava/lang/Throwable;")));

	builder_block(&k->b);
	ir_value thrown = builder_stmt(&k->b, IR_CATCH, 0, throwable.i, IR_KIND_OBJECT, NULL, 0);
	ir_value object = builder_stmt(&k->b, IR_NEW, 0, wrapper.i, IR_KIND_OBJECT, NULL, 0);
	builder_stmt(&k->b, IR_PUTFIELD, 0, target.i, IR_KIND_NONE, (ir_value[]){ object, thrown }, 2);
	builder_stmt(&k->b, IR_THROW, 0, 0, IR_KIND_NONE, &object, 1);
}

static uint32_t count_fit(struct dispatcher_maker *k, const meta *what, uint32_t n)
{
	uint32_t nfit = 0;

	for (uint32_t i = 0; i < n; i++)
		nfit += fits(k, what[i]);
	return nfit;
}

void dispatcher_write(struct dispatcher_maker *k, method_id m, const meta *what, uint32_t n)
{
	uint32_t nfit = count_fit(k, what, n);
	bool is_kept = false;

	start(k, m);
	if (dispatcher_needs_any(k, what, n))
		make_any(k);
	branch(k, nfit);
	for (uint32_t i = 0; i < n; i++) {
		if (!fits(k, what[i]))
			continue;
		builder_block(&k->b);
		if (wraps_exceptions(k) || keeps_exceptions(k, what[i]))
			builder_handler(&k->b, 1 + nfit);
		is_kept |= keeps_exceptions(k, what[i]);
		do_meta(k, what[i]);
	}
	if (wraps_exceptions(k))
		wrap_exception(k);
	if (is_kept)
		keep_exception(k);
	define(k, m);
	builder_release(&k->b);
	free(k->operands);
	free(k->types);
}

static method_id make(struct dispatcher_maker *k, bool has_receiver, const meta *what, uint32_t n)
{
	if (!count_fit(k, what, n))
		return (method_id){ 0 };
	method_id m = declare(k, k->ref, has_receiver);
	dispatcher_write(k, m, what, n);
	program_load(k->p, method_row(k->p, m)->owner);
	return m;
}

method_id dispatcher_make(struct hierarchy *h, struct handles *handles, enum dynamic_sort sort, mref_id ref, bool has_receiver,
			  const meta *what, uint32_t n)
{
	struct dispatcher_maker k = { .h = h, .p = h->p, .handles = handles, .sort = sort, .ref = ref };

	return make(&k, has_receiver, what, n);
}

method_id dispatcher_make_exact(struct hierarchy *h, mref_id ref, meta method)
{
	struct dispatcher_maker k = { .h = h, .p = h->p, .sort = DYNAMIC_INVOKE, .is_exact = true, .ref = ref };

	return make(&k, true, &method, 1);
}
