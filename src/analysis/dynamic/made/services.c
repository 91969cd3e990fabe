/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/made/services.h"

#include "ir/access.h"
#include "ir/builder.h"

#define PROVIDER "java/util/ServiceLoader$Provider"

/* A way to get a provider. */
struct way {
	class_id provider;
	method_id method;                /* its constructor, or provider() */
};

struct service_maker {
	struct hierarchy *h;
	struct program *p;
	class_id service, c;
	VEC(struct way) ways;
	struct body_builder b;
};

/* Ways */

static method_id public_method(struct program *p, class_id c, const char *name, const char *desc)
{
	method_id m = program_declared(p, c, program_sel(p, str_of(name), str_of(desc)));

	return m.i && (method_row(p, m)->flags & ACCESS_PUBLIC) ? m : (method_id){ 0 };
}

/* public static T provider(), whatever T is: the JVM looks for it in modules only. */
static method_id provider_method(struct program *p, class_id c)
{
	struct ir_class row = *class_row(p, c);

	for (uint32_t i = 0; i < row.nmethods; i++) {
		struct ir_method m = *method_row(p, (method_id){ row.first_method + i });
		bool is_one = (m.flags & ACCESS_STATIC) && (m.flags & ACCESS_PUBLIC) && str_is(sel_name(p, m.sel), "provider");
		if (is_one && sel_row(p, m.sel)->nargs == 0 && sel_row(p, m.sel)->returns == IR_KIND_OBJECT)
			return (method_id){ row.first_method + i };
	}
	return (method_id){ 0 };
}

static bool is_listed(const struct service_maker *k, class_id provider)
{
	for (uint32_t i = 0; i < k->ways.len; i++)
		if (k->ways.data[i].provider.i == provider.i)
			return true;
	return false;
}

static void add_way(void *ctx, class_id provider, bool is_module)
{
	struct service_maker *k = ctx;

	class_row(k->p, provider)->is_referred = 1;
	program_load(k->p, provider);
	struct ir_class row = *class_row(k->p, provider);
	if (row.kind != CLASS_FILE || is_listed(k, provider))
		return;
	method_id m = is_module ? provider_method(k->p, provider) : (method_id){ 0 };
	bool is_made = !m.i && !(row.flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE)) && hierarchy_is_subtype(k->h, provider, k->service);
	if (is_made)
		m = public_method(k->p, provider, "<init>", "()V");
	if (m.i)
		vec_push(&k->ways, ((struct way){ provider, m }));
}

/* Methods */

static ir_value object(struct service_maker *k, enum ir_op op, uint32_t ref)
{
	return builder_stmt(&k->b, op, 0, ref, IR_KIND_OBJECT, NULL, 0);
}

static ir_value call(struct service_maker *k, enum ir_op op, mref_id m, const ir_value *args, uint32_t n)
{
	k->b.pc++;
	return builder_stmt(&k->b, op, 0, m.i, sel_row(k->p, mref_row(k->p, m)->sel)->returns, args, n);
}

static void give_back(struct service_maker *k, ir_value v)
{
	builder_stmt(&k->b, IR_RETURN, 0, 0, IR_KIND_NONE, &v, 1);
}

static void define(struct service_maker *k, const char *name, const char *desc)
{
	struct ir_body *body = arena_new(&k->p->mem, struct ir_body);

	*body = builder_finish(&k->b, &k->p->mem);
	builder_release(&k->b);
	k->b = (struct body_builder){ 0 };
#ifdef SHERD_CHECK
	const char *reason;
	if (!body_check(body, &k->p->mem, &reason))
		BUG("services: %s", reason);
#endif
	program_define(k->p, program_declared(k->p, k->c, program_sel(k->p, str_of(name), str_of(desc))), body);
}

static ir_value provide(struct service_maker *k, struct way w)
{
	struct ir_method row = *method_row(k->p, w.method);
	mref_id ref = program_mref(k->p, w.provider, row.sel, class_row(k->p, w.provider)->flags & ACCESS_INTERFACE);

	if (row.flags & ACCESS_STATIC)
		return call(k, IR_CALL_STATIC, ref, NULL, 0);
	ir_value v = object(k, IR_NEW, w.provider.i);
	call(k, IR_CALL_SPECIAL, ref, &v, 1);
	return v;
}

/* One block for each way, which are as many as there are. */
static void define_choice(struct service_maker *k, const char *name, const char *desc, bool is_type)
{
	uint32_t keys = 0;

	if (is_type)
		object(k, IR_PARAM, 0);
	ir_value some = builder_stmt(&k->b, IR_CONST_INT, 0, 0, IR_KIND_INT, NULL, 0);
	for (uint32_t i = 1; i < k->ways.len; i++) {
		uint32_t row = builder_long(&k->b, i);
		keys = i == 1 ? row : keys;
	}
	if (k->ways.len == 1)
		builder_stmt(&k->b, IR_GOTO, 0, 0, IR_KIND_NONE, NULL, 0);
	else
		builder_stmt(&k->b, IR_SWITCH, 0, keys, IR_KIND_NONE, &some, 1);
	for (uint32_t i = 0; i < k->ways.len; i++)
		builder_succ(&k->b, 1 + i);
	for (uint32_t i = 0; i < k->ways.len; i++) {
		builder_block(&k->b);
		give_back(k, is_type ? object(k, IR_CONST_CLASS, k->ways.data[i].provider.i) : provide(k, k->ways.data[i]));
	}
	define(k, name, desc);
}

static mref_id method_of(struct service_maker *k, const char *class, const char *name, const char *desc, bool is_interface)
{
	return program_mref(k->p, program_class(k->p, str_of(class)), program_sel(k->p, str_of(name), str_of(desc)), is_interface);
}

static ir_value provided(struct service_maker *k)
{
	mref_id m = program_mref(k->p, k->c, program_sel(k->p, STR("provide"), STR("()Ljava/lang/Object;")), false);

	return call(k, IR_CALL_STATIC, m, NULL, 0);
}

static void define_iteration(struct service_maker *k)
{
	object(k, IR_PARAM, 0);
	give_back(k, builder_stmt(&k->b, IR_CONST_INT, 0, 0, IR_KIND_INT, NULL, 0));
	define(k, "hasNext", "()Z");
	object(k, IR_PARAM, 0);
	give_back(k, provided(k));
	define(k, "next", "()Ljava/lang/Object;");
	object(k, IR_PARAM, 0);
	give_back(k, provided(k));
	define(k, "get", "()Ljava/lang/Object;");
	give_back(k, object(k, IR_PARAM, 0));
	define(k, "iterator", "()Ljava/util/Iterator;");
}

static void define_streams(struct service_maker *k)
{
	ir_value self = object(k, IR_PARAM, 0), one = builder_stmt(&k->b, IR_CONST_INT, 0, 1, IR_KIND_INT, NULL, 0);
	class_id type = program_array_of(k->p, program_class(k->p, STR(PROVIDER)));
	ir_value array = builder_stmt(&k->b, IR_NEWARRAY, 0, type.i, IR_KIND_OBJECT, &one, 1);

	builder_stmt(&k->b, IR_ASTORE, IR_KIND_OBJECT, 0, IR_KIND_NONE, (ir_value[]){ array, one, self }, 3);
	give_back(k, call(k, IR_CALL_STATIC, method_of(k, "java/util/stream/Stream", "of", "([Ljava/lang/Object;)Ljava/util/stream/Stream;", true),
			  &array, 1));
	define(k, "stream", "()Ljava/util/stream/Stream;");
	object(k, IR_PARAM, 0);
	ir_value found = provided(k);
	give_back(k, call(k, IR_CALL_STATIC, method_of(k, "java/util/Optional", "ofNullable", "(Ljava/lang/Object;)Ljava/util/Optional;", false),
			  &found, 1));
	define(k, "findFirst", "()Ljava/util/Optional;");
}

/* The class */

static bool is_there(struct program *p, const char *name)
{
	class_id c = program_class(p, str_of(name));

	program_load(p, c);
	return class_row(p, c)->kind == CLASS_FILE;
}

/* Until Java 9 there were neither streams of providers nor Provider. */
static void declare(struct service_maker *k, struct str name)
{
	static const char *const methods[][2] = {
		{ "iterator", "()Ljava/util/Iterator;" }, { "stream", "()Ljava/util/stream/Stream;" }, { "findFirst", "()Ljava/util/Optional;" },
		{ "hasNext", "()Z" }, { "next", "()Ljava/lang/Object;" }, { "get", "()Ljava/lang/Object;" }, { "type", "()Ljava/lang/Class;" },
	};
	class_id *interfaces = arena_array(&k->p->mem, class_id, 2);
	uint32_t n = 1;

	interfaces[0] = program_class(k->p, STR("java/util/Iterator"));
	if (is_there(k->p, PROVIDER))
		interfaces[n++] = program_class(k->p, STR(PROVIDER));
	k->c = program_make_class(k->p, name);
	class_id super = program_class(k->p, STR("java/util/ServiceLoader"));
	class_row(k->p, k->c)->super = super;
	class_row(k->p, k->c)->interfaces = interfaces;
	class_row(k->p, k->c)->ninterfaces = n;
	program_add_method(k->p, k->c, program_sel(k->p, STR("provide"), STR("()Ljava/lang/Object;")), ACCESS_PUBLIC | ACCESS_STATIC, 0);
	for (uint32_t i = 0; i < ARRAY_LEN(methods); i++) {
		sel_id sel = program_sel(k->p, str_of(methods[i][0]), str_of(methods[i][1]));
		program_add_method(k->p, k->c, sel, ACCESS_PUBLIC, (uint16_t)(1 + i));
	}
}

static void make(struct service_maker *k, struct str name)
{
	k->p->source.providers(k->p->source.ctx, k->p, k->service, add_way, k);
	if (k->ways.len) {
		declare(k, name);
		define_choice(k, "provide", "()Ljava/lang/Object;", false);
		define_choice(k, "type", "()Ljava/lang/Class;", true);
		define_iteration(k);
		define_streams(k);
		program_load(k->p, k->c);
	}
	vec_release(&k->ways);
}

static class_id loader_class(struct hierarchy *h, class_id service)
{
	struct service_maker k = { .h = h, .p = h->p, .service = service };
	struct strbuf name = { 0 };
	struct str of = class_name(h->p, service);

	strbuf_adds(&name, "sherd/Services$");
	for (uint32_t i = 0; i < of.len; i++)
		strbuf_addch(&name, of.p[i] == '/' ? '_' : of.p[i]);
	k.c = program_find_class(h->p, strbuf_str(&name));
	if (!k.c.i)
		make(&k, strbuf_str(&name));
	strbuf_release(&name);
	return k.c;
}

void services_list_of(struct hierarchy *h, struct metas services, meta_list *out)
{
	VEC(class_id) all = { 0 };

	for (uint32_t i = 0; h->p->source.providers && i < services.n; i++)
		if (meta_sort(services.data[i]) == META_CLASS)
			vec_push(&all, meta_class(services.data[i]));
	for (uint32_t i = 0; i < all.len; i++) {
		class_id c = loader_class(h, all.data[i]);
		if (c.i)
			vec_push(out, meta_of(META_CLASS, c.i));
	}
	vec_release(&all);
}
