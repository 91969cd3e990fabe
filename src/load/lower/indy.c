/* SPDX-License-Identifier: Apache-2.0 */
#include "load/lower/indy.h"

#include "formats/classfile/descriptor.h"
#include "ir/access.h"
#include "load/lower/lower_p.h"
#include "load/lower/synth.h"

/* Bootstraps may have many static arguments, and many sites may share one. Those with more than FEW_ARGS draw on a
 * common budget; afterwards they are unknown. Real switches have some tens of labels. */
#define FEW_ARGS 64u
#define MAX_STATIC_ARGS 4000000u
#define MAX_NESTED 50u          /* dynamic constants as arguments of one another; the JVM's stack ends as well */

/* One question: which bootstrap, with which static arguments, at which site. */
struct ask {
	struct program *p;
	struct unit *u;
	struct cf_bootstrap boot;
	struct cf_handle handle;
	struct str owner, name;         /* of the bootstrap method */
	struct cf_ref site;             /* name and descriptor at the site */
	uint16_t cp;
	uint32_t depth;                 /* dynamic constants that wait for this one */
	method_id in;                   /* 0: a dynamic constant */
	uint32_t pc;
};

static uint16_t boot_arg(const struct ask *q, uint32_t k)
{
	return k < q->boot.nargs ? cf_u2(&q->u->cf, q->boot.args + 2 * k) : 0;
}

static unsigned boot_tag(const struct ask *q, uint32_t k)
{
	return k < q->boot.nargs ? cf_tag(&q->u->cf, boot_arg(q, k)) : 0;
}

static method_id add_static(struct program *p, class_id c, struct str name, struct str desc)
{
	sel_id sel = program_sel(p, name, desc);

	program_add_method(p, c, sel, ACCESS_PUBLIC | ACCESS_STATIC, 0);
	program_load(p, c);
	return program_declared(p, c, sel);
}

/* The class for what the JDK spins at a site, or for a dynamic constant. */
static class_id site_class(const struct ask *q, const char *tag)
{
	const struct ir_method *m = method_row(q->p, q->in);
	struct strbuf place = { 0 };

	strbuf_addstr(&place, q->in.i ? sel_name(q->p, m->sel) : q->site.name);
	if (q->in.i)
		strbuf_addf(&place, "#%u@%u", m->index, (unsigned)q->pc);
	else
		strbuf_addf(&place, "#%u", q->cp);
	class_id c = synth_class(q->p, q->u->self, tag, strbuf_str(&place));
	strbuf_release(&place);
	return c;
}

/* One that only holds a method: it has no objects. */
static class_id helper_class(const struct ask *q, const char *tag)
{
	class_id c = site_class(q, tag);

	class_row(q->p, c)->flags |= ACCESS_ABSTRACT;
	return c;
}

static mref_id ref_to(struct program *p, method_id m)
{
	return program_mref(p, method_row(p, m)->owner, method_row(p, m)->sel, false);
}

/* Lambdas and method references: java.lang.invoke.LambdaMetafactory */

enum { ALT_SERIALIZABLE = 1, ALT_MARKERS = 2, ALT_BRIDGES = 4 };

struct lambda {
	const struct ask *q;
	class_id cls;
	struct cf_handle impl;
	struct str sam;                 /* descriptor of the interface's method */
	struct str instantiated;        /* the same, specialised */
	bool is_serializable;
	VEC(class_id) interfaces;
	VEC(struct str) bridges;
	VEC(fref_id) captures;
};

static int32_t int_arg(const struct ask *q, uint32_t k)
{
	return boot_tag(q, k) == CP_INTEGER ? cf_int(&q->u->cf, boot_arg(q, k)) : 0;
}

/* altMetafactory: flags, then [n, markers], then [n, bridges]. */
static void read_alternatives(struct lambda *l)
{
	const struct ask *q = l->q;
	int32_t flags = int_arg(q, 3);
	uint32_t k = 4;

	l->is_serializable = flags & ALT_SERIALIZABLE;
	if (l->is_serializable)
		vec_push(&l->interfaces, q->p->serializable);
	if (flags & ALT_MARKERS)
		for (int32_t n = int_arg(q, k++); n > 0 && k < q->boot.nargs; n--, k++)
			if (boot_tag(q, k) == CP_CLASS)
				vec_push(&l->interfaces, unit_class(q->p, q->u, boot_arg(q, k)));
	if (flags & ALT_BRIDGES)
		for (int32_t n = int_arg(q, k++); n > 0 && k < q->boot.nargs; n--, k++)
			if (boot_tag(q, k) == CP_METHODTYPE)
				vec_push(&l->bridges, cf_name(&q->u->cf, boot_arg(q, k)));
}

static void add_captures(struct lambda *l)
{
	struct program *p = l->q->p;
	struct desc_iter it = desc_params(l->q->site.desc);
	struct strbuf name = { 0 };
	struct str d;

	while (desc_next(&it, &d)) {
		strbuf_clear(&name);
		strbuf_addf(&name, "arg$%u", l->captures.len + 1);
		sel_id sel = program_sel(p, strbuf_str(&name), d);
		program_add_field(p, l->cls, sel, ACCESS_PRIVATE | ACCESS_FINAL);
		vec_push(&l->captures, program_fref(p, l->cls, sel));
	}
	strbuf_release(&name);
}

struct typed {
	ir_value v;
	struct str desc;
};
typedef VEC(struct typed) typed_list;

/* The captured values, then the parameters as the specialised type has them. */
static void load_inputs(struct synth *s, const struct lambda *l, struct str method_desc, typed_list *in)
{
	ir_value self = builder_stmt(&s->b, IR_PARAM, 0, 0, IR_KIND_OBJECT, NULL, 0);
	struct desc_iter params = desc_params(method_desc), special = desc_params(l->instantiated);
	struct str d, to;

	for (uint32_t i = 0; i < l->captures.len; i++) {
		d = sel_desc(s->p, fref_row(s->p, l->captures.data[i])->sel);
		ir_value v = builder_stmt(&s->b, IR_GETFIELD, 0, l->captures.data[i].i, ir_kind_of_desc(d), &self, 1);
		vec_push(in, ((struct typed){ v, d }));
	}
	for (uint32_t k = 1; desc_next(&params, &d); k++) {
		ir_value v = synth_param(s, k, d);
		if (desc_next(&special, &to))
			v = synth_convert(s, v, d, to);
		else
			to = d;
		vec_push(in, ((struct typed){ v, to }));
	}
}

static enum ir_op call_op(uint8_t handle_kind)
{
	switch (handle_kind) {
	case IR_HANDLE_STATIC:
		return IR_CALL_STATIC;
	case IR_HANDLE_SPECIAL:
	case IR_HANDLE_NEW:
		return IR_CALL_SPECIAL;
	case IR_HANDLE_INTERFACE:
		return IR_CALL_INTERFACE;
	default:
		return IR_CALL_VIRTUAL;
	}
}

static struct str desc_of_class(struct program *p, struct str name, struct strbuf *out)
{
	strbuf_clear(out);
	if (name.len && name.p[0] == '[')
		strbuf_addstr(out, name);
	else
		strbuf_addf(out, "L%.*s;", (int)name.len, name.p);
	return interned(&p->strings, intern(&p->strings, strbuf_str(out)));
}

/* Calls the implementation with the inputs, converted to its own types; *returns is what it gives. */
static ir_value call_implementation(struct synth *s, const struct lambda *l, const typed_list *in, struct str *returns)
{
	struct unit *u = l->q->u;
	mref_id impl = unit_mref(s->p, u, l->impl.ref);
	struct str owner = class_name(s->p, mref_row(s->p, impl)->owner);
	struct str desc = sel_desc(s->p, mref_row(s->p, impl)->sel), d;
	struct desc_iter it = desc_params(desc);
	struct strbuf tmp = { 0 };
	struct str owner_desc = desc_of_class(s->p, owner, &tmp);
	VEC(ir_value) args = { 0 };
	uint32_t k = 0;

	if (l->impl.kind == IR_HANDLE_NEW)
		vec_push(&args, synth_new(s, mref_row(s->p, impl)->owner));
	else if (l->impl.kind != IR_HANDLE_STATIC && in->len > 0) {
		vec_push(&args, synth_convert(s, in->data[0].v, in->data[0].desc, owner_desc));
		k = 1;
	}
	for (; desc_next(&it, &d); k++)
		vec_push(&args, k < in->len ? synth_convert(s, in->data[k].v, in->data[k].desc, d) : synth_default(s, d));
	ir_value v = synth_call_ref(s, call_op(l->impl.kind), impl, args.data, args.len);
	*returns = desc_return(desc);
	if (l->impl.kind == IR_HANDLE_NEW) {
		v = args.data[0];
		*returns = owner_desc;
	}
	vec_release(&args);
	strbuf_release(&tmp);
	return v;
}

static void make_lambda_body(const struct lambda *l, method_id m)
{
	struct synth s = { .p = l->q->p };
	struct str desc = sel_desc(s.p, method_row(s.p, m)->sel), returns;
	typed_list in = { 0 };

	load_inputs(&s, l, desc, &in);
	ir_value v = call_implementation(&s, l, &in, &returns);
	synth_return(&s, synth_convert(&s, v, returns, desc_return(desc)));
	synth_finish(&s, m);
	vec_release(&in);
}

/* Serialization: what is written instead of the object, a java.lang.invoke.SerializedLambda, says how to make it again. */

static ir_value text(struct synth *s, struct str what)
{
	return builder_stmt(&s->b, IR_CONST_STRING, 0, intern(&s->p->strings, what).i, IR_KIND_OBJECT, NULL, 0);
}

static ir_value integer(struct synth *s, uint32_t value)
{
	return builder_stmt(&s->b, IR_CONST_INT, 0, value, IR_KIND_INT, NULL, 0);
}

/* In an array, boxed where they have to be. */
static ir_value captured(struct synth *s, const struct lambda *l)
{
	ir_value self = builder_stmt(&s->b, IR_PARAM, 0, 0, IR_KIND_OBJECT, NULL, 0), length = integer(s, l->captures.len);
	class_id type = program_class(s->p, STR("[Ljava/lang/Object;"));
	ir_value array = builder_stmt(&s->b, IR_NEWARRAY, 0, type.i, IR_KIND_OBJECT, &length, 1);

	for (uint32_t i = 0; i < l->captures.len; i++) {
		struct str d = sel_desc(s->p, fref_row(s->p, l->captures.data[i])->sel);
		ir_value v = builder_stmt(&s->b, IR_GETFIELD, 0, l->captures.data[i].i, ir_kind_of_desc(d), &self, 1);
		ir_value args[3] = { array, integer(s, i), synth_convert(s, v, d, STR("Ljava/lang/Object;")) };
		builder_stmt(&s->b, IR_ASTORE, IR_KIND_OBJECT, 0, IR_KIND_NONE, args, 3);
	}
	return array;
}

static void make_write_replace(const struct lambda *l, method_id m)
{
	struct synth s = { .p = l->q->p };
	struct ir_mref impl = *mref_row(s.p, unit_mref(s.p, l->q->u, l->impl.ref));
	ir_value array = captured(&s, l), made = synth_new(&s, program_class(s.p, STR("java/lang/invoke/SerializedLambda")));
	ir_value of = builder_stmt(&s.b, IR_CONST_CLASS, 0, l->q->u->self.i, IR_KIND_OBJECT, NULL, 0);
	ir_value args[] = {
		made, of, text(&s, class_name(s.p, l->interfaces.data[0])), text(&s, l->q->site.name), text(&s, l->sam),
		integer(&s, l->impl.kind), text(&s, class_name(s.p, impl.owner)), text(&s, sel_name(s.p, impl.sel)),
		text(&s, sel_desc(s.p, impl.sel)), text(&s, l->instantiated), array,
	};

	synth_call(&s, IR_CALL_SPECIAL, "java/lang/invoke/SerializedLambda", "<init>",
		   "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;ILjava/lang/String;Ljava/lang/String;"
		   "Ljava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)V",
		   args, ARRAY_LEN(args));
	synth_return(&s, made);
	synth_finish(&s, m);
}

static sel_id write_replace(struct program *p)
{
	return program_sel(p, STR("writeReplace"), STR("()Ljava/lang/Object;"));
}

static void add_lambda_method(struct lambda *l, struct str desc)
{
	struct program *p = l->q->p;
	sel_id sel = program_sel(p, l->q->site.name, desc);

	if (!program_declared(p, l->cls, sel).i)
		program_add_method(p, l->cls, sel, ACCESS_PUBLIC, (uint16_t)class_row(p, l->cls)->nmethods);
}

static void make_lambda_class(struct lambda *l)
{
	struct program *p = l->q->p;

	l->cls = site_class(l->q, "Lambda");
	class_row(p, l->cls)->interfaces = arena_copy(&p->mem, l->interfaces.data, l->interfaces.len * sizeof(class_id));
	class_row(p, l->cls)->ninterfaces = l->interfaces.len;
	add_captures(l);
	add_lambda_method(l, l->sam);
	for (uint32_t i = 0; i < l->bridges.len; i++)
		add_lambda_method(l, l->bridges.data[i]);
	uint32_t n = class_row(p, l->cls)->nmethods;
	bool is_replaced = l->is_serializable && !program_declared(p, l->cls, write_replace(p)).i;
	if (is_replaced)
		program_add_method(p, l->cls, write_replace(p), ACCESS_PRIVATE | ACCESS_FINAL, (uint16_t)n);
	program_load(p, l->cls);
	uint32_t first = class_row(p, l->cls)->first_method;
	for (uint32_t i = 0; i < n; i++)
		make_lambda_body(l, (method_id){ first + i });
	if (is_replaced)
		make_write_replace(l, (method_id){ first + n });
}

static struct indy answer_lambda(const struct ask *q)
{
	struct indy a = { .kind = INDY_UNKNOWN };
	struct str type = desc_return(q->site.desc);

	if (boot_tag(q, 0) != CP_METHODTYPE || boot_tag(q, 1) != CP_HANDLE || boot_tag(q, 2) != CP_METHODTYPE ||
	    ir_kind_of_desc(type) != IR_KIND_OBJECT)
		return a;
	struct lambda l = { .q = q, .impl = cf_handle(&q->u->cf, boot_arg(q, 1)),
			    .sam = cf_name(&q->u->cf, boot_arg(q, 0)),
			    .instantiated = cf_name(&q->u->cf, boot_arg(q, 2)) };
	if (!ir_is_field_handle(l.impl.kind)) {
		vec_push(&l.interfaces, program_class_of_desc(q->p, type));
		if (str_is(q->name, "altMetafactory"))
			read_alternatives(&l);
		make_lambda_class(&l);
		a.kind = INDY_LAMBDA;
		a.cls = l.cls;
		a.helper = unit_mref(q->p, q->u, l.impl.ref);
		a.helper_kind = l.impl.kind;
		a.ncaptures = l.captures.len;
		a.captures = arena_copy(&q->p->mem, l.captures.data, l.captures.len * sizeof(fref_id));
	}
	vec_release(&l.interfaces);
	vec_release(&l.bridges);
	vec_release(&l.captures);
	return a;
}

/* Strings: java.lang.invoke.StringConcatFactory */

static struct indy answer_concat(const struct ask *q)
{
	return (struct indy){ .kind = INDY_CONCAT, .unit = q->u, .args = q->boot.args, .nargs = q->boot.nargs };
}

/* Static arguments */

static struct indy constant_at(struct program *p, struct unit *u, uint16_t cp, uint32_t depth);

static struct str argument_type(const struct ask *q, uint16_t cp)
{
	static const char *const types[] = {
		[CP_INTEGER] = "I", [CP_FLOAT] = "F", [CP_LONG] = "J", [CP_DOUBLE] = "D",
		[CP_CLASS] = "Ljava/lang/Class;", [CP_STRING] = "Ljava/lang/String;",
		[CP_HANDLE] = "Ljava/lang/invoke/MethodHandle;", [CP_METHODTYPE] = "Ljava/lang/invoke/MethodType;",
	};
	unsigned tag = cf_tag(&q->u->cf, cp);

	return tag == CP_DYNAMIC ? cf_ref(&q->u->cf, cp).desc : str_of(types[tag]);
}

/* A static argument; a dynamic one is made by its own bootstrap. */
static struct typed argument(struct synth *s, const struct ask *q, uint16_t cp)
{
	struct str type = argument_type(q, cp);

	if (cf_tag(&q->u->cf, cp) != CP_DYNAMIC)
		return (struct typed){ emit_constant(s->p, q->u, &s->b, cp), type };
	struct indy a = constant_at(s->p, q->u, cp, q->depth + 1);
	if (!a.sel.i)
		return (struct typed){ synth_default(s, type), type };
	return (struct typed){ emit_dynamic_constant(s->p, &s->b, &a), type };
}

/* Records: java.lang.runtime.ObjectMethods. Arguments: the class, the names, a getter for each component. */

static void hash_component(struct synth *s, ir_value v, struct str d)
{
	v = synth_convert(s, v, d, STR("Ljava/lang/Object;"));
	synth_call(s, IR_CALL_STATIC, "java/util/Objects", "hashCode", "(Ljava/lang/Object;)I", &v, 1);
}

static void print_component(struct synth *s, ir_value v, struct str d)
{
	v = synth_convert(s, v, d, STR("Ljava/lang/Object;"));
	synth_call(s, IR_CALL_STATIC, "java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;", &v, 1);
}

static void compare_component(struct synth *s, ir_value v, ir_value w, struct str d)
{
	ir_value both[2] = { synth_convert(s, v, d, STR("Ljava/lang/Object;")),
			     synth_convert(s, w, d, STR("Ljava/lang/Object;")) };

	synth_call(s, IR_CALL_STATIC, "java/util/Objects", "equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z", both, 2);
}

/* The JDK's methods that work on components see those that are objects. */
static void leave_component(struct synth *s, ir_value v, struct str d)
{
	if (ir_kind_of_desc(d) != IR_KIND_OBJECT)
		return;
	synth_leave(s->p, &s->b, "component", v);
	synth_leave(s->p, &s->b, "concatenated", v);
}

static void visit_component(struct synth *s, const struct ask *q, uint16_t getter, ir_value self, ir_value other)
{
	fref_id f = unit_fref(s->p, q->u, cf_handle(&q->u->cf, getter).ref);
	struct str d = sel_desc(s->p, fref_row(s->p, f)->sel);
	ir_value v = builder_stmt(&s->b, IR_GETFIELD, 0, f.i, ir_kind_of_desc(d), &self, 1);

	leave_component(s, v, d);
	if (str_is(q->site.name, "equals")) {
		ir_value w = builder_stmt(&s->b, IR_GETFIELD, 0, f.i, ir_kind_of_desc(d), &other, 1);
		compare_component(s, v, w, d);
	} else if (str_is(q->site.name, "hashCode")) {
		hash_component(s, v, d);
	} else {
		print_component(s, v, d);
	}
}

static struct indy answer_record(const struct ask *q)
{
	struct synth s = { .p = q->p };
	struct str returns = desc_return(q->site.desc);
	bool is_text = ir_kind_of_desc(returns) == IR_KIND_OBJECT;
	ir_value other = 0;

	if (boot_tag(q, 0) != CP_CLASS || !str_starts(q->site.desc, "(L"))
		return (struct indy){ .kind = INDY_UNKNOWN };
	class_id c = helper_class(q, "Record");
	method_id m = add_static(q->p, c, q->site.name, q->site.desc);
	ir_value self = synth_param(&s, 0, STR("L"));
	if (str_is(q->site.name, "equals") && sel_row(q->p, method_row(q->p, m)->sel)->nargs == 2) {
		other = synth_param(&s, 1, STR("L"));
		other = builder_stmt(&s.b, IR_CAST, 0, q->u->self.i, IR_KIND_OBJECT, &other, 1);
	}
	for (uint32_t k = 2; k < q->boot.nargs; k++)
		if (boot_tag(q, k) == CP_HANDLE && cf_handle(&q->u->cf, boot_arg(q, k)).kind == IR_HANDLE_GETFIELD)
			visit_component(&s, q, boot_arg(q, k), self, other ? other : self);
		else
			argument(&s, q, boot_arg(q, k));
	synth_return(&s, is_text ? synth_new(&s, q->p->string) : synth_default(&s, returns));
	synth_finish(&s, m);
	return (struct indy){ .kind = INDY_RECORD, .helper = ref_to(q->p, m) };
}

/* Pattern switches: java.lang.runtime.SwitchBootstraps. Strings and numbers are compared by equals; other labels are
 * classes, names of enum constants, and dynamic constants that describe those of other enums. */

static void compare_label(struct synth *s, const struct ask *q, uint16_t cp, ir_value target)
{
	static const char *const classes[CP_PACKAGE + 1] = {
		[CP_INTEGER] = "java/lang/Integer", [CP_FLOAT] = "java/lang/Float", [CP_LONG] = "java/lang/Long",
		[CP_DOUBLE] = "java/lang/Double", [CP_STRING] = "java/lang/String",
	};
	const char *cls = classes[cf_tag(&q->u->cf, cp)];
	struct typed label = argument(s, q, cp);

	if (!cls) {
		synth_leave(s->p, &s->b, "label", label.v);
		return;
	}
	ir_value both[2] = { synth_convert(s, label.v, label.desc, STR("Ljava/lang/Object;")), target };
	synth_call(s, IR_CALL_VIRTUAL, cls, "equals", "(Ljava/lang/Object;)Z", both, 2);
}

static struct indy answer_switch(const struct ask *q)
{
	struct synth s = { .p = q->p };
	struct desc_iter it = desc_params(q->site.desc);
	struct str d, target_desc = STR("Ljava/lang/Object;");

	class_id c = helper_class(q, "Switch");
	method_id m = add_static(q->p, c, q->site.name, q->site.desc);
	if (desc_next(&it, &d))
		target_desc = d;
	ir_value target = synth_convert(&s, synth_param(&s, 0, target_desc), target_desc, STR("Ljava/lang/Object;"));
	synth_leave(q->p, &s.b, "switched", target);
	for (uint32_t k = 0; k < q->boot.nargs; k++)
		compare_label(&s, q, boot_arg(q, k), target);
	synth_return(&s, synth_default(&s, desc_return(q->site.desc)));
	synth_finish(&s, m);
	return (struct indy){ .kind = INDY_SWITCH, .helper = ref_to(q->p, m) };
}

/* Dynamic constants: the value is what the bootstrap method returns, so the lowering calls it. */

/* The type of a constant, or of a call. */
static struct typed site_type(struct synth *s, const struct ask *q)
{
	if (q->in.i) {
		str_id desc = intern(&s->p->strings, q->site.desc);
		return (struct typed){ builder_stmt(&s->b, IR_CONST_MTYPE, 0, desc.i, IR_KIND_OBJECT, NULL, 0),
				       STR("Ljava/lang/invoke/MethodType;") };
	}
	class_id type = program_class_of_desc(s->p, q->site.desc);
	return (struct typed){ builder_stmt(&s->b, IR_CONST_CLASS, 0, type.i, IR_KIND_OBJECT, NULL, 0), STR("Ljava/lang/Class;") };
}

/* The JVM makes one for the class, by methods of its own. */
static ir_value make_lookup(struct synth *s, const struct ask *q)
{
	class_id lookup = program_class(s->p, STR("java/lang/invoke/MethodHandles$Lookup"));
	fref_id of = program_fref(s->p, lookup, program_sel(s->p, STR("lookupClass"), STR("Ljava/lang/Class;")));
	ir_value made = synth_new(s, lookup), self = builder_stmt(&s->b, IR_CONST_CLASS, 0, q->u->self.i, IR_KIND_OBJECT, NULL, 0);

	builder_stmt(&s->b, IR_PUTFIELD, 0, of.i, IR_KIND_NONE, (ir_value[]){ made, self }, 2);
	return made;
}

/* What the JVM passes to the bootstrap method: lookup, name, type, then the static arguments. */
static void push_bootstrap_args(struct synth *s, const struct ask *q, typed_list *in)
{
	str_id name = intern(&s->p->strings, q->site.name);

	vec_push(in, ((struct typed){ make_lookup(s, q), STR("Ljava/lang/invoke/MethodHandles$Lookup;") }));
	vec_push(in, ((struct typed){ builder_stmt(&s->b, IR_CONST_STRING, 0, name.i, IR_KIND_OBJECT, NULL, 0),
				      STR("Ljava/lang/String;") }));
	vec_push(in, site_type(s, q));
	for (uint32_t k = 0; k < q->boot.nargs; k++) {
		struct typed v = argument(s, q, boot_arg(q, k));
		vec_push(in, v);
	}
}

static enum ir_kind element_kind(struct str desc)
{
	switch (desc.p[0]) {
	case 'B': case 'Z':
		return IR_KIND_BYTE;
	case 'C':
		return IR_KIND_CHAR;
	case 'S':
		return IR_KIND_SHORT;
	default:
		return ir_kind_of_desc(desc);
	}
}

static ir_value int_value(struct synth *s, uint32_t n)
{
	return builder_stmt(&s->b, IR_CONST_INT, 0, n, IR_KIND_INT, NULL, 0);
}

/* The arguments from `k` on, in an array with this descriptor. */
static ir_value collect(struct synth *s, const typed_list *in, uint32_t k, struct str desc)
{
	struct str element = str_sub(desc, 1, desc.len);
	ir_value length = int_value(s, in->len > k ? in->len - k : 0);
	ir_value array = builder_stmt(&s->b, IR_NEWARRAY, 0, program_class_of_desc(s->p, desc).i, IR_KIND_OBJECT, &length, 1);

	for (uint32_t i = k; i < in->len; i++) {
		ir_value v = synth_convert(s, in->data[i].v, in->data[i].desc, element);
		ir_value operands[3] = { array, int_value(s, i - k), v };
		builder_stmt(&s->b, IR_ASTORE, element_kind(element), 0, IR_KIND_NONE, operands, 3);
	}
	return array;
}

typedef VEC(ir_value) value_list;

/* Fits the arguments to the parameters of the bootstrap method: a last one that is an array takes all the rest,
 * unless that is one array. */
static void fit_args(struct synth *s, const typed_list *in, struct str desc, value_list *args)
{
	struct desc_iter it = desc_params(desc);
	uint32_t n = desc_param_count(desc);
	struct str d;

	for (uint32_t k = 0; desc_next(&it, &d); k++) {
		bool is_array = k + 1 == in->len && in->data[k].desc.p[0] == '[';
		if (k + 1 == n && d.p[0] == '[' && !is_array)
			vec_push(args, collect(s, in, k, d));
		else if (k < in->len)
			vec_push(args, synth_convert(s, in->data[k].v, in->data[k].desc, d));
		else
			vec_push(args, synth_default(s, d));
	}
}

/* Calls the bootstrap method, or constructor; its result, as this type. */
static ir_value call_bootstrap(struct synth *s, const struct ask *q, struct str type)
{
	mref_id boot = unit_mref(q->p, q->u, q->handle.ref);
	class_id owner = mref_row(q->p, boot)->owner;
	struct str desc = sel_desc(q->p, mref_row(q->p, boot)->sel), returns = desc_return(desc);
	bool is_new = q->handle.kind == IR_HANDLE_NEW;
	typed_list in = { 0 };
	value_list args = { 0 };

	push_bootstrap_args(s, q, &in);
	if (is_new)
		vec_push(&args, synth_new(s, owner));
	fit_args(s, &in, desc, &args);
	ir_value v = synth_call_ref(s, is_new ? IR_CALL_SPECIAL : IR_CALL_STATIC, boot, args.data, args.len);
	if (is_new) {
		v = args.data[0];
		returns = STR("Ljava/lang/Object;");
	}
	vec_release(&in);
	vec_release(&args);
	return synth_convert(s, v, returns, type);
}

static struct indy answer_constant(const struct ask *q)
{
	struct synth s = { .p = q->p };
	struct strbuf desc = { 0 };

	if (q->handle.kind != IR_HANDLE_STATIC && q->handle.kind != IR_HANDLE_NEW)
		return (struct indy){ .kind = INDY_UNKNOWN };
	class_id c = helper_class(q, "Constant");
	strbuf_addf(&desc, "()%.*s", (int)q->site.desc.len, q->site.desc.p);
	method_id m = add_static(q->p, c, q->site.name, strbuf_str(&desc));
	synth_return(&s, call_bootstrap(&s, q, q->site.desc));
	synth_finish(&s, m);
	strbuf_release(&desc);
	return (struct indy){ .kind = INDY_CONSTANT, .helper = ref_to(q->p, m) };
}

/* Bootstrap methods of programs: they are called as they are, and make call sites. */
static struct indy answer_linked(const struct ask *q)
{
	struct synth s = { .p = q->p };

	if (q->handle.kind != IR_HANDLE_STATIC && q->handle.kind != IR_HANDLE_NEW)
		return (struct indy){ .kind = INDY_UNKNOWN };
	class_id c = helper_class(q, "Link");
	method_id m = add_static(q->p, c, q->site.name, STR("()Ljava/lang/invoke/CallSite;"));
	synth_return(&s, call_bootstrap(&s, q, STR("Ljava/lang/invoke/CallSite;")));
	synth_finish(&s, m);
	return (struct indy){ .kind = INDY_LINKED, .helper = ref_to(q->p, m) };
}

static const struct {
	const char *owner;
	struct indy (*answer)(const struct ask *q);
} known[] = {
	{ "java/lang/invoke/LambdaMetafactory", answer_lambda },
	{ "java/lang/invoke/StringConcatFactory", answer_concat },
	{ "java/lang/runtime/ObjectMethods", answer_record },
	{ "java/lang/runtime/SwitchBootstraps", answer_switch },
};

static bool affords(struct loader *l, uint32_t nargs)
{
	if (nargs <= FEW_ARGS)
		return true;
	if (nargs > MAX_STATIC_ARGS - l->static_args)
		return false;
	l->static_args += nargs;
	return true;
}

/* The question about entry `cp`; false: its bootstrap is no method. */
static bool question(struct ask *q, struct program *p, struct unit *u, uint16_t cp)
{
	*q = (struct ask){ .p = p, .u = u, .cp = cp, .site = cf_ref(&u->cf, cp) };
	q->boot = cf_bootstrap(&u->cf, q->site.bootstrap);
	q->handle = cf_handle(&u->cf, q->boot.handle);
	if (ir_is_field_handle(q->handle.kind))
		return false;
	mref_id boot = unit_mref(p, u, q->handle.ref);
	q->owner = class_name(p, mref_row(p, boot)->owner);
	q->name = sel_name(p, mref_row(p, boot)->sel);
	return true;
}

/* Adds what all answers have. */
static struct indy complete(const struct ask *q, struct indy a)
{
	a.bootstrap = unit_mref(q->p, q->u, q->handle.ref);
	a.sel = program_sel(q->p, q->site.name, q->site.desc);
	return a;
}

/* At an unknown site the arguments are all that is known. */
static struct indy answer_unknown(const struct ask *q)
{
	return (struct indy){ .kind = INDY_UNKNOWN, .unit = q->u, .args = q->boot.args,
			      .nargs = q->boot.nargs < FEW_ARGS ? q->boot.nargs : FEW_ARGS };
}

static struct indy answer_site(const struct ask *q)
{
	struct indy (*answer)(const struct ask *q) = answer_linked, a = { .kind = INDY_UNKNOWN };

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (str_is(q->owner, known[i].owner))
			answer = known[i].answer;
	if (affords(loader_of(q->p), q->boot.nargs))
		a = answer(q);
	return complete(q, a.kind == INDY_UNKNOWN ? answer_unknown(q) : a);
}

struct indy indy_of(struct program *p, struct unit *u, uint16_t cp, uint16_t index, uint32_t pc)
{
	struct loader *l = loader_of(p);
	uint64_t key = map_key(u->self.i, (uint32_t)index << 16 | pc);
	uint32_t row = map_get(&l->indy_at, key);
	struct indy a = { .kind = INDY_UNKNOWN };
	struct ask q;

	if (row)
		return l->indys.data[row - 1];
	if (question(&q, p, u, cp)) {
		q.in = (method_id){ class_row(p, u->self)->first_method + index };
		q.pc = pc;
		a = answer_site(&q);
	}
	vec_push(&l->indys, a);
	*map_at(&l->indy_at, key) = l->indys.len;
	if (a.kind == INDY_LAMBDA)
		*map_at(&l->lambda_of, a.cls.i) = l->indys.len;
	return a;
}

/* Constants share the map with sites: no method has this index. */
static uint64_t constant_key(const struct unit *u, uint16_t cp)
{
	return map_key(u->self.i, (uint32_t)UINT16_MAX << 16 | cp);
}

/* A constant that needs itself, or too many others, is unknown to the one that needs it. */
static struct indy constant_at(struct program *p, struct unit *u, uint16_t cp, uint32_t depth)
{
	struct loader *l = loader_of(p);
	uint32_t row = map_get(&l->indy_at, constant_key(u, cp));
	struct ask q;

	if (row)
		return l->indys.data[row - 1];
	if (!question(&q, p, u, cp))
		return (struct indy){ .kind = INDY_UNKNOWN };
	struct indy a = complete(&q, (struct indy){ .kind = INDY_UNKNOWN });
	if (depth > MAX_NESTED || !affords(l, q.boot.nargs))
		return a;
	q.depth = depth;
	vec_push(&l->indys, a);
	row = *map_at(&l->indy_at, constant_key(u, cp)) = l->indys.len;
	a = complete(&q, answer_constant(&q));
	l->indys.data[row - 1] = a;
	return a;
}

struct indy indy_constant(struct program *p, struct unit *u, uint16_t cp)
{
	return constant_at(p, u, cp, 0);
}
