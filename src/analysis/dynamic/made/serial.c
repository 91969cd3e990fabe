/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/made/serial.h"

#include "analysis/callgraph/hooks.h"
#include "ir/access.h"

/* Which classes */

struct reading {
	struct hierarchy *h;
	struct program *p;
	const struct dynamic_opt *opt;
	meta_list *out;
	VEC(class_id) work;      /* types of what is read; they grow while they are walked */
	struct map seen;
};

static bool is_application(const struct reading *r, class_id c)
{
	return !(r->opt->is_library && r->opt->is_library(r->opt->ctx, c));
}

static class_id innermost(const struct program *p, class_id type)
{
	while (class_row(p, type)->kind == CLASS_ARRAY)
		type = class_row(p, type)->element;
	return type;
}

static void add_type(struct reading *r, class_id type)
{
	if (class_row(r->p, type)->kind == CLASS_ARRAY && !map_get(&r->seen, type.i)) {
		*map_at(&r->seen, type.i) = 1;
		vec_push(r->out, meta_of(META_CLASS, type.i));
	}
	type = innermost(r->p, type);
	uint32_t *at = map_at(&r->seen, type.i);
	if (!*at && class_row(r->p, type)->kind != CLASS_PRIMITIVE)
		vec_push(&r->work, type);
	*at = 1;
}

static void add_fields(struct reading *r, class_id c)
{
	for (; c.i && hierarchy_is_subtype(r->h, c, r->p->serializable); c = class_row(r->p, c)->super) {
		struct ir_class row = *class_row(r->p, c);
		for (uint32_t i = 0; i < row.nfields; i++) {
			field_id f = { row.first_field + i };
			if (hook_stores_field(r->h, f))
				add_type(r, program_class_of_desc(r->p, sel_desc(r->p, field_row(r->p, f)->sel)));
		}
	}
}

/* Calls fn for the types that a method casts to; each as often as it does. */
static void casts_of(struct program *p, method_id m, void (*fn)(void *ctx, class_id type), void *ctx)
{
	struct arena mem;

	arena_init(&mem);
	const struct ir_body *b = p->source.body(p->source.ctx, p, m, &mem);
	for (uint32_t i = 0; b && i < b->nstmts; i++)
		if (b->stmts[i].op == IR_CAST)
			fn(ctx, (class_id){ b->stmts[i].ref });
	arena_release(&mem);
}

static void add_captured(void *ctx, class_id type)
{
	add_type(ctx, type);
}

/* A serializable lambda is made again by a method of the class that it is written in; what it captured is read before. */
static void add_lambdas(struct reading *r, class_id c)
{
	sel_id sel = program_sel(r->p, STR("$deserializeLambda$"), STR("(Ljava/lang/invoke/SerializedLambda;)Ljava/lang/Object;"));
	method_id m = program_declared(r->p, c, sel);

	if (!m.i)
		return;
	vec_push(r->out, meta_of(META_METHOD, m.i));
	casts_of(r->p, m, add_captured, r);
}

static void add_class(struct reading *r, class_id c, class_id type)
{
	bool is_concrete = !(class_row(r->p, c)->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE));

	if (class_row(r->p, type)->flags & ACCESS_INTERFACE)
		add_lambdas(r, c);
	if (!is_concrete || !hierarchy_is_subtype(r->h, c, type) || !hierarchy_is_subtype(r->h, c, r->p->serializable))
		return;
	vec_push(r->out, meta_of(META_CLASS, c.i));
	add_fields(r, c);
}

/* Of what a field of a library's type holds, nothing is said. */
static void add_below(struct reading *r, class_id type)
{
	program_load(r->p, type);
	if (!is_application(r, type))
		return;
	for (uint32_t i = 1; i < r->p->classes.len; i++) {
		const struct ir_class *row = class_row(r->p, (class_id){ i });
		if (row->kind == CLASS_FILE && row->state == LOAD_DONE && is_application(r, (class_id){ i }))
			add_class(r, (class_id){ i }, type);
	}
}

/* Does the application read a type of the application? */
static bool serial_is_known(struct program *p, const struct dynamic_opt *opt, class_id from, class_id type)
{
	const struct reading r = { .p = p, .opt = opt };

	if (!type.i || !is_application(&r, from))
		return false;
	class_id of = innermost(p, type);
	program_load(p, of);
	return class_row(p, of)->kind == CLASS_FILE && is_application(&r, of);
}

void serial_list(struct hierarchy *h, const struct dynamic_opt *opt, class_id from, class_id type, meta_list *out)
{
	struct reading r = { .h = h, .p = h->p, .opt = opt, .out = out };

	if (!serial_is_known(h->p, opt, from, type))
		return;
	add_type(&r, type);
	program_load_all(h->p);
	for (uint32_t i = 0; i < r.work.len; i++)
		add_below(&r, r.work.data[i]);
	vec_release(&r.work);
	map_release(&r.seen);
}

/* What reading runs */

static fref_id pseudo_field(struct program *p)
{
	return program_fref(p, program_class(p, STR("sherd/JVM")), program_sel(p, STR("deserialized"), STR("Ljava/lang/Object;")));
}

/* Of what was read elsewhere, something of this type. */
static ir_value read_value(struct dispatcher_maker *k, class_id type)
{
	if (dispatcher_is_primitive(k, type))
		return k->zero[dispatcher_kind(k, type)];
	ir_value v = builder_stmt(&k->b, IR_GETSTATIC, 0, pseudo_field(k->p).i, IR_KIND_OBJECT, NULL, 0);
	return dispatcher_cast(k, v, type);
}

static void keep(struct dispatcher_maker *k, ir_value v)
{
	builder_stmt(&k->b, IR_PUTSTATIC, 0, pseudo_field(k->p).i, IR_KIND_NONE, &v, 1);
}

static ir_value call_hook(struct dispatcher_maker *k, class_id c, const char *name, const char *desc, ir_value *args, uint32_t n)
{
	sel_id sel = program_sel(k->p, str_of(name), str_of(desc));
	method_id m = program_declared(k->p, c, sel);

	if (!m.i || (method_row(k->p, m)->flags & (ACCESS_STATIC | ACCESS_ABSTRACT)))
		return 0;
	return dispatcher_call(k, IR_CALL_SPECIAL, program_mref(k->p, c, sel, false), args, n);
}

static bool is_serializable(struct dispatcher_maker *k, class_id c)
{
	return hierarchy_is_subtype(k->h, c, k->p->serializable);
}

static bool is_externalizable(struct dispatcher_maker *k, class_id c)
{
	return hierarchy_is_subtype(k->h, c, program_class(k->p, STR("java/io/Externalizable")));
}

/* The constructor of the first superclass that is not serializable; of externalizable classes, their own. */
static void construct(struct dispatcher_maker *k, class_id c, ir_value v)
{
	if (!is_externalizable(k, c))
		while (c.i && is_serializable(k, c))
			c = class_row(k->p, c)->super;
	if (c.i)
		call_hook(k, c, "<init>", "()V", &v, 1);
}

static void fill(struct dispatcher_maker *k, class_id c, ir_value v)
{
	struct ir_class row = *class_row(k->p, c);

	for (uint32_t i = 0; i < row.nfields; i++) {
		struct ir_field f = *field_row(k->p, (field_id){ row.first_field + i });
		class_id type = program_class_of_desc(k->p, sel_desc(k->p, f.sel));
		if (!hook_stores_field(k->h, (field_id){ row.first_field + i }) || dispatcher_is_primitive(k, type))
			continue;
		ir_value args[2] = { v, read_value(k, type) };
		builder_stmt(&k->b, IR_PUTFIELD, 0, program_fref(k->p, c, f.sel).i, IR_KIND_NONE, args, 2);
	}
}

/* Superclasses first. */
static void fill_all(struct dispatcher_maker *k, class_id c, ir_value v)
{
	ir_value args[2] = { v, k->operands[0] };

	if (!c.i || !is_serializable(k, c))
		return;
	fill_all(k, class_row(k->p, c)->super, v);
	fill(k, c, v);
	args[1] = dispatcher_cast(k, args[1], program_class(k->p, STR("java/io/ObjectInputStream")));
	call_hook(k, c, "readObject", "(Ljava/io/ObjectInputStream;)V", args, 2);
	call_hook(k, c, "readObjectNoData", "()V", args, 1);
}

static void read_external(struct dispatcher_maker *k, class_id c, ir_value v)
{
	sel_id sel = program_sel(k->p, STR("readExternal"), STR("(Ljava/io/ObjectInput;)V"));
	ir_value args[2] = { v, dispatcher_cast(k, k->operands[0], program_class(k->p, STR("java/io/ObjectInput"))) };

	dispatcher_call(k, IR_CALL_VIRTUAL, program_mref(k->p, c, sel, false), args, 2);
}

static ir_value resolve(struct dispatcher_maker *k, class_id c, ir_value v)
{
	ir_value now = 0;

	for (; c.i && !now; c = class_row(k->p, c)->super)
		now = call_hook(k, c, "readResolve", "()Ljava/lang/Object;", &v, 1);
	return now ? now : v;
}

/* Components are passed to the constructor that has them all. */
static void construct_record(struct dispatcher_maker *k, class_id c, ir_value v)
{
	struct ir_class row = *class_row(k->p, c);
	struct strbuf desc = { 0 };
	VEC(ir_value) args = { 0 };

	vec_push(&args, v);
	strbuf_addch(&desc, '(');
	for (uint32_t i = 0; i < row.nfields; i++) {
		struct ir_field f = *field_row(k->p, (field_id){ row.first_field + i });
		if (f.flags & ACCESS_STATIC)
			continue;
		strbuf_addstr(&desc, sel_desc(k->p, f.sel));
		vec_push(&args, read_value(k, program_class_of_desc(k->p, sel_desc(k->p, f.sel))));
	}
	strbuf_adds(&desc, ")V");
	call_hook(k, c, "<init>", desc.s, args.data, args.len);
	strbuf_release(&desc);
	vec_release(&args);
}

/* Its constants, which its initialiser makes; which of them does not matter. */
static ir_value read_enum(struct dispatcher_maker *k, class_id c)
{
	struct ir_class row = *class_row(k->p, c);

	for (uint32_t i = 0; i < row.nfields; i++) {
		struct ir_field f = *field_row(k->p, (field_id){ row.first_field + i });
		if ((f.flags & ACCESS_ENUM) == 0)
			continue;
		keep(k, builder_stmt(&k->b, IR_GETSTATIC, 0, program_fref(k->p, c, f.sel).i, IR_KIND_OBJECT, NULL, 0));
	}
	return read_value(k, c);
}

static ir_value read_array(struct dispatcher_maker *k, class_id c)
{
	ir_value one = builder_stmt(&k->b, IR_CONST_INT, 0, 1, IR_KIND_INT, NULL, 0);
	ir_value v = builder_stmt(&k->b, IR_NEWARRAY, 0, c.i, IR_KIND_OBJECT, &one, 1);
	class_id element = class_row(k->p, c)->element;

	if (!dispatcher_is_primitive(k, element)) {
		ir_value args[3] = { v, k->zero[IR_KIND_INT], read_value(k, element) };
		builder_stmt(&k->b, IR_ASTORE, IR_KIND_OBJECT, 0, IR_KIND_NONE, args, 3);
	}
	keep(k, v);
	return v;
}

/* Captured values, as they are read. */
struct capturing {
	struct dispatcher_maker *k;
	ir_value array;
	struct map boxes;        /* class -> 1: it was made */
};

static void store_captured(const struct capturing *x, ir_value v)
{
	ir_value args[3] = { x->array, x->k->zero[IR_KIND_INT], v };

	builder_stmt(&x->k->b, IR_ASTORE, IR_KIND_OBJECT, 0, IR_KIND_NONE, args, 3);
}

/* Boxes and strings have no hooks, and nothing in them. */
static void read_box(void *ctx, class_id type)
{
	struct capturing *x = ctx;
	bool is_box = dispatcher_is_box(x->k, type) || type.i == x->k->p->string.i;
	uint32_t *at = map_at(&x->boxes, type.i);

	if (is_box && !*at)
		store_captured(x, builder_stmt(&x->k->b, IR_NEW, 0, type.i, IR_KIND_OBJECT, NULL, 0));
	*at = 1;
}

static ir_value read_captured(struct dispatcher_maker *k, method_id m)
{
	class_id type = program_class(k->p, STR("[Ljava/lang/Object;"));
	ir_value length = builder_stmt(&k->b, IR_CONST_INT, 0, 1, IR_KIND_INT, NULL, 0);
	struct capturing x = { .k = k, .array = builder_stmt(&k->b, IR_NEWARRAY, 0, type.i, IR_KIND_OBJECT, &length, 1) };

	store_captured(&x, read_value(k, k->p->object));
	casts_of(k->p, m, read_box, &x);
	map_release(&x.boxes);
	return x.array;
}

/* What is read says how to make it. */
static ir_value read_lambda(struct dispatcher_maker *k, method_id m)
{
	struct ir_method row = *method_row(k->p, m);
	bool is_interface = class_row(k->p, row.owner)->flags & ACCESS_INTERFACE;
	class_id c = program_class(k->p, STR("java/lang/invoke/SerializedLambda"));
	ir_value form = builder_stmt(&k->b, IR_NEW, 0, c.i, IR_KIND_OBJECT, NULL, 0);
	ir_value args[2] = { form, read_captured(k, m) };

	builder_stmt(&k->b, IR_PUTFIELD, 0, program_fref(k->p, c, program_sel(k->p, STR("capturedArgs"), STR("[Ljava/lang/Object;"))).i,
		     IR_KIND_NONE, args, 2);
	return dispatcher_call(k, IR_CALL_STATIC, program_mref(k->p, row.owner, row.sel, is_interface), &form, 1);
}

ir_value serial_read(struct dispatcher_maker *k, meta x)
{
	class_id c = meta_class(x);

	if (meta_sort(x) == META_METHOD)
		return read_lambda(k, meta_method(x));
	if (class_row(k->p, c)->kind == CLASS_ARRAY)
		return read_array(k, c);
	if (class_row(k->p, c)->flags & ACCESS_ENUM)
		return read_enum(k, c);
	ir_value v = builder_stmt(&k->b, IR_NEW, 0, c.i, IR_KIND_OBJECT, NULL, 0);
	if (class_row(k->p, c)->is_record)
		construct_record(k, c, v);
	else
		construct(k, c, v);
	if (is_externalizable(k, c))
		read_external(k, c, v);
	else if (!class_row(k->p, c)->is_record)
		fill_all(k, c, v);
	v = resolve(k, c, v);
	keep(k, v);
	return v;
}
