/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/callgraph/assumed.h"

#include "ir/access.h"
#include "ir/builder.h"

struct adding {
	struct assumed *a;
	method_sets *sets;
	uint32_t site;
	struct dynamic_place at;
	enum dynamic_sort sort;
	class_id from;
};

static void add_member(void *ctx, method_id m)
{
	struct adding *x = ctx;

	vec_push(vec_last(x->sets), m);
	vec_push(&x->a->methods, m);
}

static void add_call(struct adding *x, uint32_t set)
{
	uint32_t *last = map_at(&x->a->last_call, x->at.caller.i);

	vec_push(&x->a->calls, ((struct assumed_call){ x->site, x->at.pc, set, x->sort, *last }));
	*last = x->a->calls.len;
}

static uint32_t new_set(struct adding *x, unsigned what)
{
	vec_push(x->sets, (method_list){ 0 });
	while (x->a->what.len < x->sets->len)
		vec_push(&x->a->what, what);
	return x->sets->len - 1;
}

static void add_part(void *ctx, unsigned what, enum assume_part part, uint32_t key)
{
	struct adding *x = ctx;
	uint32_t *set = map_at(&x->a->set_by_key, map_key(what | (unsigned)part << 8, key));

	if (!*set) {
		*set = new_set(x, what);
		assume_methods(&x->a->allows, what, part, x->from, add_member, x);
	}
	add_call(x, *set);
}

/* What is always cast has few classes, and seldom the same set twice. */
static void add_below(struct adding *x, class_id type)
{
	uint32_t set = new_set(x, assume_what(x->sort));

	assume_below(&x->a->allows, assume_what(x->sort), type, x->from, add_member, x);
	add_call(x, set);
}

/* Natives are outside of every class. */
static void add_site(struct assumed *a, method_sets *sets, struct dynamic *dynamic, enum dynamic_level level, uint32_t site)
{
	struct adding x = { .a = a, .sets = sets, .site = site, .at = dynamic_place(dynamic, site),
			    .sort = dynamic_sort_of(dynamic, site) };

	if (x.sort != DYNAMIC_NATIVE)
		x.from = method_row(a->allows.p, x.at.caller)->owner;
	class_id type = level <= DYNAMIC_CAST ? dynamic_cast(dynamic, site) : (class_id){ 0 };
	if (type.i)
		add_below(&x, type);
	else
		assume_parts(&a->allows, level, assume_what(x.sort), x.from, add_part, &x);
}

void assumed_sites(struct assumed *a, struct hierarchy *h, method_sets *sets, struct dynamic *dynamic, enum dynamic_level level)
{
	if (!a->allows.h)
		assume_init(&a->allows, h);
	for (uint32_t i = 1; i <= dynamic_nsites(dynamic); i++) {
		while (a->done.len <= i)
			vec_push(&a->done, false);
		if (a->done.data[i] || (level <= DYNAMIC_STRING && dynamic_is_resolved(dynamic, i)))
			continue;
		a->done.data[i] = true;
		if (assume_what(dynamic_sort_of(dynamic, i)))
			add_site(a, sets, dynamic, level, i);
	}
}

uint32_t assumed_first(const struct assumed *a, method_id m)
{
	return map_get(&a->last_call, m.i);
}

method_id assumed_native_method(struct program *p, struct dynamic *dynamic)
{
	class_id c = program_make_class(p, STR("sherd/NativeMethod"));
	sel_id sel = program_sel(p, STR("call"), STR("()V"));
	struct body_builder b = { 0 };
	struct ir_body *body = arena_new(&p->mem, struct ir_body);

	program_add_method(p, c, sel, ACCESS_PUBLIC | ACCESS_STATIC, 0);
	method_id m = program_declared(p, c, sel);
	builder_stmt(&b, IR_RETURN, 0, 0, IR_KIND_NONE, NULL, 0);
	*body = builder_finish(&b, &p->mem);
	builder_release(&b);
	program_define(p, m, body);
	program_load(p, c);
	dynamic_note(dynamic, m, 0, (mref_id){ 0 }, DYNAMIC_NATIVE);
	return m;
}

void assumed_release(struct assumed *a)
{
	assume_release(&a->allows);
	map_release(&a->set_by_key);
	map_release(&a->last_call);
	map_release(&a->called);
	vec_release(&a->what);
	vec_release(&a->calls);
	vec_release(&a->methods);
	vec_release(&a->done);
}
