/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/made/proxy.h"

#include <stdio.h>

#include "base/compiler.h"
#include "ir/access.h"
#include "ir/builder.h"

#define HANDLER "Ljava/lang/reflect/InvocationHandler;"
#define METHOD "Ljava/lang/reflect/Method;"
#define MAX_METHODS 60000        /* as many as a class file can have, about */
#define MAX_DEPTH 20             /* of annotations within annotations */

struct proxied {
	class_id owner;
	sel_id sel;
};

/* A class that is made. */
struct proxy_maker {
	struct hierarchy *h;
	struct program *p;
	class_id c;
	class_id annotation;             /* its type; none: it is no annotation */
	bool is_assumed;
	uint32_t depth;                  /* of annotations within annotations */
	VEC(struct proxied) methods;
	struct map seen;                 /* selector -> 1 */
	struct body_builder b;           /* of the method that is made */
};

static const struct box {
	const char *code, *class, *value_of, *name, *desc;
} boxes[] = {
	{ "I", "java/lang/Integer", "(I)Ljava/lang/Integer;", "intValue", "()I" },
	{ "J", "java/lang/Long", "(J)Ljava/lang/Long;", "longValue", "()J" },
	{ "Z", "java/lang/Boolean", "(Z)Ljava/lang/Boolean;", "booleanValue", "()Z" },
	{ "C", "java/lang/Character", "(C)Ljava/lang/Character;", "charValue", "()C" },
	{ "B", "java/lang/Byte", "(B)Ljava/lang/Byte;", "byteValue", "()B" },
	{ "S", "java/lang/Short", "(S)Ljava/lang/Short;", "shortValue", "()S" },
	{ "F", "java/lang/Float", "(F)Ljava/lang/Float;", "floatValue", "()F" },
	{ "D", "java/lang/Double", "(D)Ljava/lang/Double;", "doubleValue", "()D" },
};

/* Which methods */

static void add_method(struct proxy_maker *k, class_id owner, sel_id sel)
{
	uint32_t *at = map_at(&k->seen, sel.i);

	if (!*at)
		vec_push(&k->methods, ((struct proxied){ owner, sel }));
	*at = 1;
}

static void add_methods_of(struct proxy_maker *k, class_id c)
{
	struct ir_class row = *class_row(k->p, c);

	for (uint32_t i = 0; i < row.nmethods; i++) {
		struct ir_method m = *method_row(k->p, (method_id){ row.first_method + i });
		if (!(m.flags & (ACCESS_STATIC | ACCESS_PRIVATE)))
			add_method(k, c, m.sel);
	}
}

static void find_methods(struct proxy_maker *k, const class_id *interfaces, uint32_t n)
{
	add_method(k, k->p->object, program_sel(k->p, STR("hashCode"), STR("()I")));
	add_method(k, k->p->object, program_sel(k->p, STR("equals"), STR("(Ljava/lang/Object;)Z")));
	add_method(k, k->p->object, program_sel(k->p, STR("toString"), STR("()Ljava/lang/String;")));
	for (uint32_t i = 0; i < n; i++) {
		struct supertypes above = hierarchy_supertypes(k->h, interfaces[i]);
		for (uint32_t j = 0; j < above.n; j++)
			if (above.classes[j].i != k->p->object.i)
				add_methods_of(k, above.classes[j]);
	}
}

/* Statements */

static mref_id method_of(struct proxy_maker *k, const char *class, const char *name, const char *desc, bool is_interface)
{
	return program_mref(k->p, program_class(k->p, str_of(class)), program_sel(k->p, str_of(name), str_of(desc)), is_interface);
}

static fref_id field_of(struct proxy_maker *k, class_id owner, const char *name, const char *desc)
{
	return program_fref(k->p, owner, program_sel(k->p, str_of(name), str_of(desc)));
}

/* At a place of its own: calls are told apart by these. */
static ir_value call(struct proxy_maker *k, enum ir_op op, mref_id m, const ir_value *args, uint32_t n)
{
	k->b.pc++;
	return builder_stmt(&k->b, op, 0, m.i, sel_row(k->p, mref_row(k->p, m)->sel)->returns, args, n);
}

static ir_value integer(struct proxy_maker *k, uint32_t i)
{
	return builder_stmt(&k->b, IR_CONST_INT, 0, i, IR_KIND_INT, NULL, 0);
}

static ir_value object(struct proxy_maker *k, enum ir_op op, uint32_t ref)
{
	return builder_stmt(&k->b, op, 0, ref, IR_KIND_OBJECT, NULL, 0);
}

static ir_value array(struct proxy_maker *k, class_id type, uint32_t length)
{
	ir_value n = integer(k, length);

	return builder_stmt(&k->b, IR_NEWARRAY, 0, type.i, IR_KIND_OBJECT, &n, 1);
}

static void put(struct proxy_maker *k, ir_value array, uint32_t i, ir_value v)
{
	ir_value args[] = { array, integer(k, i), v };

	builder_stmt(&k->b, IR_ASTORE, IR_KIND_OBJECT, 0, IR_KIND_NONE, args, 3);
}

static ir_value cast(struct proxy_maker *k, ir_value v, class_id type)
{
	return type.i == k->p->object.i ? v : builder_stmt(&k->b, IR_CAST, IR_CAST_ANY, type.i, IR_KIND_OBJECT, &v, 1);
}

static void give_back(struct proxy_maker *k, ir_value v)
{
	builder_stmt(&k->b, IR_RETURN, 0, 0, IR_KIND_NONE, &v, v ? 1 : 0);
}

static const struct box *box_of(const struct proxy_maker *k, class_id type)
{
	static const char *const names[] = { "int", "long", "boolean", "char", "byte", "short", "float", "double" };

	for (size_t i = 0; i < ARRAY_LEN(boxes) && class_row(k->p, type)->kind == CLASS_PRIMITIVE; i++)
		if (str_is(class_name(k->p, type), names[i]))
			return &boxes[i];
	return NULL;
}

static ir_value zero(struct proxy_maker *k, enum ir_kind kind)
{
	static const enum ir_op ops[] = { [IR_KIND_INT] = IR_CONST_INT, [IR_KIND_LONG] = IR_CONST_LONG,
					  [IR_KIND_FLOAT] = IR_CONST_FLOAT, [IR_KIND_DOUBLE] = IR_CONST_DOUBLE };
	bool is_long = kind == IR_KIND_LONG || kind == IR_KIND_DOUBLE;

	return builder_stmt(&k->b, ops[kind], 0, is_long ? builder_long(&k->b, 0) : 0, kind, NULL, 0);
}

static void define(struct proxy_maker *k, sel_id sel)
{
	struct ir_body *body = arena_new(&k->p->mem, struct ir_body);

	*body = builder_finish(&k->b, &k->p->mem);
	builder_release(&k->b);
	k->b = (struct body_builder){ 0 };
#ifdef SHERD_CHECK
	const char *reason;
	if (!body_check(body, &k->p->mem, &reason))
		BUG("proxy: %s", reason);
#endif
	program_define(k->p, program_declared(k->p, k->c, sel), body);
}

/* What annotations have */

static ir_value constant_of(struct proxy_maker *k, class_id type, ir_value handler);
static class_id annotation_at(struct hierarchy *h, class_id type, uint32_t depth);

static ir_value new_annotation(struct proxy_maker *k, class_id type, ir_value handler)
{
	class_id c = annotation_at(k->h, type, k->depth + 1);
	sel_id init = program_sel(k->p, STR("<init>"), STR("(" HANDLER ")V"));
	ir_value made = object(k, IR_NEW, c.i);

	call(k, IR_CALL_SPECIAL, program_mref(k->p, c, init, false), (ir_value[]){ made, handler }, 2);
	return made;
}

/* An array with all that there can be. */
static ir_value constants_of(struct proxy_maker *k, class_id type, ir_value handler)
{
	ir_value all = array(k, program_array_of(k->p, type), 0);

	program_load(k->p, type);
	struct ir_class row = *class_row(k->p, type);
	if (row.kind == CLASS_PRIMITIVE)
		return all;
	if (!(row.flags & ACCESS_ENUM)) {
		put(k, all, 0, constant_of(k, type, handler));
		return all;
	}
	for (uint32_t i = 0; i < row.nfields; i++) {
		struct ir_field f = *field_row(k->p, (field_id){ row.first_field + i });
		if ((f.flags & ACCESS_STATIC) && (f.flags & ACCESS_ENUM))
			put(k, all, 0, object(k, IR_GETSTATIC, program_fref(k->p, type, f.sel).i));
	}
	return all;
}

/* Some string, some class; null of what annotations cannot have. */
static ir_value constant_of(struct proxy_maker *k, class_id type, ir_value handler)
{
	program_load(k->p, type);
	struct ir_class row = *class_row(k->p, type);
	if (row.kind == CLASS_PRIMITIVE)
		return box_of(k, type) ? zero(k, ir_kind_of_desc(str_of(box_of(k, type)->code))) : 0;
	if (row.kind == CLASS_ARRAY)
		return constants_of(k, row.element, handler);
	if (row.flags & ACCESS_ENUM) {
		ir_value from[] = { constants_of(k, type, handler), integer(k, 0) };
		return cast(k, builder_stmt(&k->b, IR_ALOAD, IR_KIND_OBJECT, 0, IR_KIND_OBJECT, from, 2), type);
	}
	if ((row.flags & ACCESS_ANNOTATION) && k->depth < MAX_DEPTH)
		return new_annotation(k, type, handler);
	bool is_known = type.i == k->p->string.i || type.i == k->p->class_.i;
	return is_known ? object(k, IR_NEW, type.i) : object(k, IR_CONST_NULL, 0);
}

/* Methods */

static void field_name(char out[static 16], uint32_t i)
{
	snprintf(out, 16, "m%u", i);
}

static ir_value box(struct proxy_maker *k, ir_value v, class_id type)
{
	const struct box *is = box_of(k, type);

	return is ? call(k, IR_CALL_STATIC, method_of(k, is->class, "valueOf", is->value_of, false), &v, 1) : v;
}

static ir_value unbox(struct proxy_maker *k, ir_value v, class_id type)
{
	const struct box *is = box_of(k, type);

	if (!is)
		return class_row(k->p, type)->kind == CLASS_PRIMITIVE ? 0 : cast(k, v, type);      /* void */
	v = cast(k, v, program_class(k->p, str_of(is->class)));
	return call(k, IR_CALL_VIRTUAL, method_of(k, is->class, is->name, is->desc, false), &v, 1);
}

/* The handler is asked with the proxy, the method and its arguments. */
static ir_value ask_handler(struct proxy_maker *k, uint32_t i, const ir_value *args, uint32_t n, ir_value *handler)
{
	class_id proxy = program_class(k->p, STR("java/lang/reflect/Proxy"));
	bool is_ours = k->annotation.i;
	mref_id invoke = method_of(k, is_ours ? "sun/reflect/annotation/AnnotationInvocationHandler" : "java/lang/reflect/InvocationHandler",
				   "invoke", "(Ljava/lang/Object;" METHOD "[Ljava/lang/Object;)Ljava/lang/Object;", !is_ours);
	ir_value all = n > 1 ? array(k, program_class(k->p, STR("[Ljava/lang/Object;")), n - 1) : object(k, IR_CONST_NULL, 0);
	uint32_t at = 0;
	class_id type;
	char name[16];

	for (uint32_t j = 1; j < n && sel_next_param(k->p, k->methods.data[i].sel, &at, &type); j++)
		put(k, all, j - 1, box(k, args[j], type));
	field_name(name, i);
	*handler = builder_stmt(&k->b, IR_GETFIELD, 0, field_of(k, proxy, "h", HANDLER).i, IR_KIND_OBJECT, args, 1);
	ir_value method = k->is_assumed ? object(k, IR_NEW, program_class(k->p, STR("java/lang/reflect/Method")).i) :
			  object(k, IR_GETSTATIC, field_of(k, k->c, name, METHOD).i);
	ir_value by = is_ours ? cast(k, *handler, mref_row(k->p, invoke)->owner) : *handler;
	return call(k, is_ours ? IR_CALL_VIRTUAL : IR_CALL_INTERFACE, invoke, (ir_value[]){ by, args[0], method, all }, 4);
}

/* What the handler throws goes on as it is, or, if the method does not declare it, in an UndeclaredThrowableException. */
static void pass_on(struct proxy_maker *k)
{
	class_id throwable = program_class(k->p, STR("java/lang/Throwable"));
	class_id wrapper = program_class(k->p, STR("java/lang/reflect/UndeclaredThrowableException"));
	sel_id init = program_sel(k->p, STR("<init>"), STR("(Ljava/lang/Throwable;)V"));

	builder_block(&k->b);
	ir_value thrown = object(k, IR_CATCH, throwable.i);
	ir_value some = integer(k, 0);
	builder_stmt(&k->b, IR_SWITCH, 0, builder_long(&k->b, 1), IR_KIND_NONE, &some, 1);
	builder_succ(&k->b, 2);
	builder_succ(&k->b, 3);
	builder_block(&k->b);
	builder_stmt(&k->b, IR_THROW, 0, 0, IR_KIND_NONE, &thrown, 1);
	builder_block(&k->b);
	ir_value made = object(k, IR_NEW, wrapper.i);
	call(k, IR_CALL_SPECIAL, program_mref(k->p, wrapper, init, false), (ir_value[]){ made, thrown }, 2);
	builder_stmt(&k->b, IR_THROW, 0, 0, IR_KIND_NONE, &made, 1);
}

static void define_method(struct proxy_maker *k, uint32_t i)
{
	struct proxied m = k->methods.data[i];
	class_id type, result = sel_result(k->p, m.sel);
	VEC(ir_value) args = { 0 };
	ir_value handler;

	ir_value self = object(k, IR_PARAM, 0);
	vec_push(&args, self);
	for (uint32_t at = 0; sel_next_param(k->p, m.sel, &at, &type);) {
		enum ir_kind kind = box_of(k, type) ? ir_kind_of_desc(str_of(box_of(k, type)->code)) : IR_KIND_OBJECT;
		ir_value param = builder_stmt(&k->b, IR_PARAM, 0, args.len, kind, NULL, 0);
		vec_push(&args, param);
	}
	ir_value v = ask_handler(k, i, args.data, args.len, &handler);
	builder_handler(&k->b, 1);
	if (k->annotation.i && m.owner.i == k->annotation.i)
		v = constant_of(k, result, handler);
	else if (k->annotation.i && str_is(sel_name(k->p, m.sel), "annotationType"))
		v = object(k, IR_CONST_CLASS, k->annotation.i);
	else
		v = unbox(k, v, result);
	give_back(k, v);
	pass_on(k);
	define(k, m.sel);
	vec_release(&args);
}

static void define_constructor(struct proxy_maker *k, sel_id init)
{
	mref_id super = program_mref(k->p, program_class(k->p, STR("java/lang/reflect/Proxy")), init, false);
	ir_value args[] = { object(k, IR_PARAM, 0), object(k, IR_PARAM, 1) };

	call(k, IR_CALL_SPECIAL, super, args, 2);
	give_back(k, 0);
	define(k, init);
}

static ir_value find_method(struct proxy_maker *k, struct proxied m)
{
	mref_id find = method_of(k, "java/lang/Class", "getMethod", "(Ljava/lang/String;[Ljava/lang/Class;)" METHOD, false);
	ir_value args[3] = { object(k, IR_CONST_CLASS, m.owner.i), object(k, IR_CONST_STRING, sel_row(k->p, m.sel)->name.i) };
	uint32_t n = 0, at = 0;
	class_id type;

	args[2] = array(k, program_class(k->p, STR("[Ljava/lang/Class;")), sel_row(k->p, m.sel)->nargs);
	while (sel_next_param(k->p, m.sel, &at, &type))
		put(k, args[2], n++, object(k, IR_CONST_CLASS, type.i));
	return call(k, IR_CALL_VIRTUAL, find, args, 3);
}

static void define_initialiser(struct proxy_maker *k, sel_id clinit)
{
	char name[16];

	for (uint32_t i = 0; i < k->methods.len; i++) {
		ir_value m = find_method(k, k->methods.data[i]);
		field_name(name, i);
		builder_stmt(&k->b, IR_PUTSTATIC, 0, field_of(k, k->c, name, METHOD).i, IR_KIND_NONE, &m, 1);
	}
	give_back(k, 0);
	define(k, clinit);
}

/* Classes */

static void declare(struct proxy_maker *k, struct str name, const class_id *interfaces, uint32_t n, sel_id init, sel_id clinit)
{
	char field[16];

	k->c = program_make_class(k->p, name);
	class_id *copy = arena_copy(&k->p->mem, interfaces, n * sizeof(*copy));
	struct ir_class *row = class_row(k->p, k->c);
	row->super = program_class(k->p, STR("java/lang/reflect/Proxy"));
	row = class_row(k->p, k->c);
	row->flags |= ACCESS_FINAL;
	row->interfaces = copy;
	row->ninterfaces = n;
	if (!k->is_assumed)
		program_add_method(k->p, k->c, clinit, ACCESS_STATIC, 0);
	program_add_method(k->p, k->c, init, ACCESS_PUBLIC, 1);
	for (uint32_t i = 0; i < k->methods.len; i++)
		program_add_method(k->p, k->c, k->methods.data[i].sel, ACCESS_PUBLIC | ACCESS_FINAL, (uint16_t)(2 + i));
	for (uint32_t i = 0; !k->is_assumed && i < k->methods.len; i++) {
		field_name(field, i);
		program_add_field(k->p, k->c, program_sel(k->p, str_of(field), STR(METHOD)), ACCESS_PRIVATE | ACCESS_STATIC);
	}
}

static void make(struct proxy_maker *k, struct str name, const class_id *interfaces, uint32_t n)
{
	sel_id init = program_sel(k->p, STR("<init>"), STR("(" HANDLER ")V")), clinit = program_sel(k->p, STR("<clinit>"), STR("()V"));

	find_methods(k, interfaces, n);
	if (k->methods.len < MAX_METHODS) {
		declare(k, name, interfaces, n, init, clinit);
		if (!k->is_assumed)
			define_initialiser(k, clinit);
		define_constructor(k, init);
		for (uint32_t i = 0; i < k->methods.len; i++)
			define_method(k, i);
		program_load(k->p, k->c);
	}
	vec_release(&k->methods);
	map_release(&k->seen);
}

static void add_name(const struct program *p, class_id c, struct strbuf *out)
{
	struct str name = class_name(p, c);

	strbuf_addch(out, '$');
	for (uint32_t i = 0; i < name.len; i++)
		strbuf_addch(out, name.p[i] == '/' ? '_' : name.p[i]);
}

/* By its name the class is found again. */
static class_id find_or_make(struct proxy_maker *k, const char *prefix, const class_id *interfaces, uint32_t n)
{
	struct strbuf name = { 0 };

	strbuf_adds(&name, prefix);
	for (uint32_t i = 0; i < n; i++)
		add_name(k->p, interfaces[i], &name);
	k->c = program_find_class(k->p, strbuf_str(&name));
	if (!k->c.i)
		make(k, strbuf_str(&name), interfaces, n);
	strbuf_release(&name);
	return k->c;
}

class_id proxy_class(struct hierarchy *h, const class_id *interfaces, uint32_t n)
{
	struct proxy_maker k = { .h = h, .p = h->p };

	return find_or_make(&k, "sherd/Proxy", interfaces, n);
}

class_id proxy_class_assumed(struct hierarchy *h, class_id interface)
{
	struct proxy_maker k = { .h = h, .p = h->p, .is_assumed = true };

	return find_or_make(&k, "sherd/Assumed", &interface, 1);
}

static class_id annotation_at(struct hierarchy *h, class_id type, uint32_t depth)
{
	struct proxy_maker k = { .h = h, .p = h->p, .annotation = type, .depth = depth };

	return find_or_make(&k, "sherd/Annotation", &type, 1);
}

class_id annotation_class(struct hierarchy *h, class_id type)
{
	return annotation_at(h, type, 0);
}
