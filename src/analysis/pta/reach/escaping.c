/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that may leave the method that makes them, whatever call it is part of: it returns or throws them; or they get into a static
 * field, into an object that leaves its own method, or into one that another method makes. Of objects that stand for all of their
 * class nobody knows who makes them, and threads have a life of their own. The rest are in variables of their method, of those that it
 * calls, and in objects of the same sort: who looks at one call of that method has them to himself. */
#include "analysis/pta/reach/reach_p.h"

struct escaping {
	struct reach *r;
	class_id thread;
	VEC(uint64_t) bits;              /* by object */
	VEC(object_id) todo;             /* that leave, whose fields were not looked at */
};

static method_id maker_of(const struct pta *a, object_id o)
{
	const struct pta_place *is = &a->places.data[object_place(a, o)].is;

	return is->sort == PLACE_NEW ? is->method : (method_id){ 0 };
}

static void leave(struct escaping *e, object_id o)
{
	uint64_t bit = (uint64_t)1 << o.i % 64;

	while (e->bits.len <= o.i / 64)
		vec_push(&e->bits, 0);
	if (e->bits.data[o.i / 64] & bit)
		return;
	e->bits.data[o.i / 64] |= bit;
	vec_push(&e->todo, o);
}

/* Those of a set that `by` does not keep to itself (none: all). */
static void leave_set(struct escaping *e, struct set_view v, method_id by, bool is_result)
{
	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t bits = v.words[i]; bits; bits &= bits - 1) {
			object_id o = { v.blocks[i] * 64 + first_bit(bits) };
			if (!by.i || (maker_of(e->r->a, o).i == by.i) == is_result)
				leave(e, o);
		}
}

static uint32_t slots_of(struct pta *a, object_id o)
{
	kind_id k = solver_kind_of(a->s, o);
	class_id c = a->kinds.classes.data[k.i];

	return is_unknown_kind(a, k.i) || k.i == map_get(&a->kinds.empty_of, c.i) ? 0 : class_slots(a, c);
}

static void leave_fields(struct escaping *e, object_id o, method_id by)
{
	struct pta *a = e->r->a;

	for (uint32_t i = 0, n = slots_of(a, o); i < n; i++)
		leave_set(e, solver_set(a->s, solver_slot(a->s, o, i)), by, false);
}

static void look_at_object(struct escaping *e, object_id o)
{
	struct pta *a = e->r->a;
	class_id c = a->places.data[object_place(a, o)].is.cls;

	if (!maker_of(a, o).i || (c.i && e->thread.i && hierarchy_is_subtype(&a->h, c, e->thread)))
		leave(e, o);
	else
		leave_fields(e, o, maker_of(a, o));
}

static void look_at_methods(struct escaping *e)
{
	struct pta *a = e->r->a;

	for (uint32_t in = 1; in < a->instances.len; in++) {
		const struct template *t = template_at(a, in);
		method_id m = a->instances.data[in].method;
		if (t->returns)
			leave_set(e, solver_set(a->s, variable_node(a, in, t->returns)), m, true);
		leave_set(e, solver_set(a->s, t->thrown), m, true);
		for (uint32_t i = 0; i < t->nstmts; i++)
			if (t->stmts[i].op == T_GET_STATIC || t->stmts[i].op == T_PUT_STATIC)
				leave_set(e, solver_set(a->s, static_node(a, t->stmts[i].ref)), (method_id){ 0 }, false);
	}
}

void escaping_share(struct reach *r)
{
	struct escaping e = { .r = r, .thread = program_find_class(r->a->p, STR("java/lang/Thread")) };
	struct set_view all = solver_set(r->a->s, r->a->everything);

	for (uint32_t i = 0; i < all.n; i++)
		for (uint64_t bits = all.words[i]; bits; bits &= bits - 1)
			look_at_object(&e, (object_id){ all.blocks[i] * 64 + first_bit(bits) });
	look_at_methods(&e);
	while (e.todo.len)
		leave_fields(&e, vec_pop(&e.todo), (method_id){ 0 });
	for (uint32_t i = 0; i < e.bits.len; i++)
		if (e.bits.data[i])
			part_share_set(r->part, (struct set_view){ &e.bits.data[i], &i, 1 });
	vec_release(&e.bits);
	vec_release(&e.todo);
}
