/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/made/proxies.h"

#include "analysis/dynamic/made/proxy.h"
#include "ir/access.h"

static void push_class(meta_list *out, class_id c)
{
	if (c.i)
		vec_push(out, meta_of(META_CLASS, c.i));
}

static bool is_interface(struct program *p, meta x)
{
	if (meta_sort(x) != META_CLASS)
		return false;
	program_load(p, meta_class(x));
	return class_row(p, meta_class(x))->flags & ACCESS_INTERFACE;
}

static void push_handlers(struct program *p, meta_list *out)
{
	class_id c = program_class(p, STR("java/lang/reflect/InvocationHandler"));
	sel_id invoke = program_sel(p, STR("invoke"), STR("(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;"));

	program_load(p, c);
	method_id m = program_declared(p, c, invoke);
	if (m.i)
		vec_push(out, meta_of(META_METHOD, m.i));
}

void proxies_list(struct hierarchy *h, struct metas interfaces, bool is_one, meta_list *out)
{
	VEC(class_id) all = { 0 };

	for (uint32_t i = 0; i < interfaces.n; i++)
		if (is_interface(h->p, interfaces.data[i]))
			vec_push(&all, meta_class(interfaces.data[i]));
	print_order_classes(h->p, all.data, all.len);      /* one class for one set */
	for (uint32_t i = 0; is_one && i < all.len; i++)
		push_class(out, proxy_class(h, &all.data[i], 1));
	if (!is_one && all.len)
		push_class(out, proxy_class(h, all.data, all.len));
	if (interfaces.is_open)
		push_handlers(h->p, out);
	vec_release(&all);
}

/* Each class that a reference to a method names which code has, once. */
static void each_called(struct program *p, uint16_t flags, void (*fn)(void *ctx, class_id c), void *ctx)
{
	struct map seen = { 0 };

	for (uint32_t i = 1; i < p->mrefs.len; i++) {
		struct ir_mref ref = p->mrefs.data[i];
		if (!ref.resolution || (class_row(p, ref.owner)->flags & flags) != flags)
			continue;
		uint32_t *at = map_at(&seen, ref.owner.i);
		bool is_new = !*at;
		*at = 1;
		if (is_new)
			fn(ctx, ref.owner);
	}
	map_release(&seen);
}

struct listing {
	struct hierarchy *h;
	enum dynamic_level level;
	class_id from, cast;
	meta_list *out;
};

static bool may_be_named(const struct program *p, class_id from, class_id c)
{
	return (class_row(p, c)->flags & ACCESS_PUBLIC) || str_eq(package_of(class_name(p, from)), package_of(class_name(p, c)));
}

static void push_assumed(void *ctx, class_id c)
{
	struct listing *x = ctx;
	bool is_cast = x->level <= DYNAMIC_CAST && x->cast.i;

	if (class_row(x->h->p, c)->kind != CLASS_FILE || (x->level <= DYNAMIC_ENCAP && !may_be_named(x->h->p, x->from, c)))
		return;
	if (!is_cast || hierarchy_is_subtype(x->h, c, x->cast))
		push_class(x->out, proxy_class_assumed(x->h, c));
}

void proxies_assumed(struct hierarchy *h, enum dynamic_level level, class_id from, class_id cast, meta_list *out)
{
	struct listing x = { h, level, from, cast, out };

	each_called(h->p, ACCESS_INTERFACE, push_assumed, &x);
}

static void push_annotation(void *ctx, class_id c)
{
	struct listing *x = ctx;

	push_class(x->out, annotation_class(x->h, c));
}

/* Of others it does not matter what they are: what is called is a method of Annotation. */
void annotations_list(struct hierarchy *h, meta_list *out)
{
	struct listing x = { .h = h, .out = out };
	class_id any = program_class(h->p, STR("java/lang/annotation/Annotation"));

	program_load(h->p, any);
	if (class_row(h->p, any)->kind == CLASS_FILE)
		push_annotation(&x, any);
	each_called(h->p, ACCESS_ANNOTATION, push_annotation, &x);
}
