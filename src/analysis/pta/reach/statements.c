/* SPDX-License-Identifier: Apache-2.0 */
/* Methods that a call may run: their statements as constraints of a part, as instance.c states them to the solver. */
#include "analysis/pta/reach/reach_p.h"

#include "ir/access.h"

/* Initialisers */

struct initialising {
	struct reach *r;
	uint32_t in;             /* whose code needs the class */
	class_id running;        /* while code of a class runs, its initialisation has begun, and that of those above it */
};

static void run_initialiser(struct reach *r, uint32_t in, method_id clinit)
{
	const struct template *t = clinit.i < r->a->templates.len ? r->a->templates.data[clinit.i] : NULL;

	if (!t || !t->plain)
		return;
	if (!is_library(r, clinit))
		reach_back(r, in, 0, clinit);
	if (r->opt.effects && is_quiet(r, clinit))
		vec_push(&r->skipped, clinit);
	if (!is_entered(r, clinit))
		return;
	reach_instance(r, t->plain);
	reach_link(r, in, t->plain, 0);
}

static void initialise_one(void *ctx, class_id of, method_id clinit)
{
	struct initialising *x = ctx;
	struct reach *r = x->r;
	bool is_done = r->opt.is_initialised && r->opt.is_initialised(r->opt.ctx, of);

	if (clinit.i && !is_done && !(x->running.i && hierarchy_is_subclass(&r->a->h, x->running, of)))
		run_initialiser(r, x->in, clinit);
}

static void initialise(struct reach *r, uint32_t in, class_id c, class_id running)
{
	hierarchy_initialisers(&r->a->h, c, initialise_one, &(struct initialising){ r, in, running });
}

/* A lambda is part of the class that it was written in. */
static class_id running_in(const struct pta *a, uint32_t in)
{
	class_id c = method_row(a->p, a->instances.data[in].method)->owner;
	const struct ir_class *row = class_row(a->p, c);

	return row->kind == CLASS_SYNTHETIC && row->outer.i ? row->outer : c;
}

void reach_first(struct reach *r, uint32_t in)
{
	struct ir_method m = *method_row(r->a->p, r->a->instances.data[in].method);
	bool is_constructor = str_is(sel_name(r->a->p, m.sel), "<init>");

	if (is_entered(r, r->a->instances.data[in].method))
		reach_instance(r, in);
	if (is_constructor || (m.flags & ACCESS_STATIC))
		initialise(r, in, m.owner, (class_id){ 0 });
}

/* Exceptions */

static void move(struct reach *r, node_id from, node_id to, mask_id mask, bool is_whole)
{
	(is_whole ? part_take : part_copy)(r->part, from, to, mask);
}

static void throw_to_handlers(struct reach *r, uint32_t in, const struct scope *s, node_id from, bool is_whole)
{
	const struct template *t = template_at(r->a, in);

	for (uint32_t i = 0; i < s->n; i++) {
		const struct handler *h = &t->handlers[s->first + i];
		if (h->var)
			move(r, from, variable_node(r->a, in, h->var), h->mask, is_whole);
	}
}

void reach_throw(struct reach *r, uint32_t in, uint32_t scope, node_id from, bool is_whole)
{
	const struct template *t = template_at(r->a, in);
	const struct scope *s = &t->scopes[scope];

	throw_to_handlers(r, in, s, from, is_whole);
	if (!s->catches_all && from.i != t->thrown.i)
		move(r, from, t->thrown, s->n ? s->escapes : (mask_id){ 0 }, is_whole);
}

/* Statements */

static void apply_static(struct reach *r, uint32_t in, const struct t_stmt *s)
{
	if (s->op == T_PUT_STATIC) {
		part_share(r->part, variable_node(r->a, in, s->from));
		return;
	}
	node_id f = static_node(r->a, s->ref);

	part_take(r->part, f, variable_node(r->a, in, s->to), (mask_id){ 0 });
	part_share_set(r->part, solver_set(r->a->s, f));
}

static void apply_copy(struct reach *r, uint32_t in, const struct t_stmt *s)
{
	class_id c = { s->ref };
	mask_id mask = !c.i ? (mask_id){ 0 } : s->more ? mask_of_known(r->a, c) : mask_of_class(r->a, c);

	part_copy(r->part, variable_node(r->a, in, s->from), variable_node(r->a, in, s->to), mask);
}

static void apply_access(struct reach *r, uint32_t in, const struct t_stmt *s)
{
	struct pta *a = r->a;
	bool is_element = s->op == T_GET_ELEMENT || s->op == T_PUT_ELEMENT;
	class_id of = is_element ? a->object_array : field_row(a->p, (field_id){ s->ref })->owner;
	uint32_t slot = is_element ? 0 : slot_of_field(a, (field_id){ s->ref });
	node_id from = variable_node(a, in, s->from), to = variable_node(a, in, s->to);

	bool is_typed = s->op == T_GET_ELEMENT && s->ref && s->ref != a->p->object.i;

	if (s->op == T_LOAD || s->op == T_GET_ELEMENT)
		part_load(r->part, from, mask_of_class(a, of), slot, to,
			  is_typed ? mask_of_class(a, (class_id){ s->ref }) : (mask_id){ 0 });
	else
		part_store(r->part, from, to, mask_of_class(a, of), slot);
}

static void watch_any(struct reach *r, uint32_t in, uint32_t i)
{
	const struct t_stmt *s = &template_at(r->a, in)->stmts[i];
	bool is_get = s->op == T_GET_ANY;

	vec_push(&r->watches, ((struct reach_watch){ is_get ? WATCH_GET_ANY : WATCH_PUT_ANY, in, i, 0 }));
	part_watch(r->part, variable_node(r->a, in, is_get ? s->from : s->to), (mask_id){ 0 }, r->watches.len - 1);
}

static void apply_stmt(struct reach *r, uint32_t in, uint32_t i)
{
	struct pta *a = r->a;
	const struct t_stmt *s = &template_at(a, in)->stmts[i];

	switch ((enum t_op)s->op) {
	case T_OBJECT:
		if (s->to)
			part_add(r->part, variable_node(a, in, s->to), object_at(a, s->ref, a->instances.data[in].context));
		break;
	case T_COPY:
		apply_copy(r, in, s);
		break;
	case T_LOAD:
	case T_STORE:
	case T_GET_ELEMENT:
	case T_PUT_ELEMENT:
		apply_access(r, in, s);
		break;
	case T_GET_STATIC:
	case T_PUT_STATIC:
		apply_static(r, in, s);
		break;
	case T_GET_ANY:
	case T_PUT_ANY:
		watch_any(r, in, i);
		break;
	case T_RAISE:
		throw_to_handlers(r, in, &template_at(a, in)->scopes[s->more], static_node(a, jvm_field(a->raised_field)), true);
		break;
	case T_THROW:
		reach_throw(r, in, s->more, variable_node(a, in, s->from), false);
		break;
	case T_CALL:
		reach_call(r, in, i);
		break;
	}
}

/* Memory by offset: some slot of the object, as in features/memory.c. */

static void any_slot(struct reach *r, const struct reach_watch *w, object_id o, uint32_t slot, class_id type)
{
	struct pta *a = r->a;
	const struct t_stmt *s = &template_at(a, w->instance)->stmts[w->stmt];

	if (w->sort == WATCH_PUT_ANY)
		part_put_slot(r->part, variable_node(a, w->instance, s->from), o, slot);
	else if (is_constant_type(a, type))
		part_add(r->part, variable_node(a, w->instance, s->to), solver_kind_object(a->s, kind_of_class(a, type)));
	else
		part_get_slot(r->part, o, slot, variable_node(a, w->instance, s->to));
}

static void any_object(struct reach *r, const struct reach_watch *w, object_id o)
{
	struct pta *a = r->a;
	kind_id k = solver_kind_of(a->s, o);
	class_id c = a->kinds.classes.data[k.i];

	if (is_unknown_kind(a, k.i) || is_world_kind(a, k.i) || k.i == map_get(&a->kinds.empty_of, c.i))
		return;
	struct any_field any = any_field_in(a, w->instance);
	for (uint32_t i = 0, n = class_slots(a, c); i < n; i++)
		if (any_field_has(a, any, c, i))
			any_slot(r, w, o, i, k.i == a->kinds.any_array.i ? (class_id){ 0 } : slot_type(a, c, i));
}

void reach_any(struct reach *r, const struct reach_watch *w, struct set_view news)
{
	for (uint32_t i = 0; i < news.n; i++)
		for (uint64_t bits = news.words[i]; bits; bits &= bits - 1)
			any_object(r, w, (object_id){ news.blocks[i] * 64 + first_bit(bits) });
}

/* Methods */

/* What is not known may come from anywhere: objects of unknown class are wherever they ever are. */
static void take_unknown(struct reach *r, uint32_t in)
{
	struct pta *a = r->a;

	for (uint32_t v = 1; v <= template_at(a, in)->nvars; v++) {
		node_id n = variable_node(a, in, v);
		part_take(r->part, n, n, a->kinds.only_unknown);
		if (a->assumed.both.i)
			part_take(r->part, n, n, a->assumed.both);
	}
}

/* Both ways: what the call, or the method, has in one of them it has in all, as far as they ever hold it. */
static void join_variables(struct reach *r, uint32_t in)
{
	const struct template *t = template_at(r->a, in);
	uint32_t of = r->opt.precision == REACH_METHODS ? r->a->instances.data[in].method.i : 0;
	node_id all = part_extra(r->part, of);

	for (uint32_t v = 1; v <= t->nvars; v++) {
		part_copy(r->part, variable_node(r->a, in, v), all, (mask_id){ 0 });
		part_copy(r->part, all, variable_node(r->a, in, v), (mask_id){ 0 });
	}
	part_copy(r->part, t->thrown, all, (mask_id){ 0 });
	part_copy(r->part, all, t->thrown, (mask_id){ 0 });
}

void reach_apply_one(struct reach *r, uint32_t in)
{
	const struct template *t = template_at(r->a, in);

	take_unknown(r, in);
	if (r->opt.precision < REACH_ESCAPES)
		join_variables(r, in);
	for (uint32_t i = 0; i < t->nstmts; i++)
		apply_stmt(r, in, i);
	for (uint32_t i = 0; i < t->ninitialised; i++)
		initialise(r, in, t->initialises[i], running_in(r->a, in));
	for (uint32_t i = t->first_site; i < t->first_site + t->nsites; i++)
		if (!r->has_stmt.data[i])        /* a feature's, or the JVM's: nobody says on what */
			reach_open_site(r, in, i);
}

void reach_apply(struct reach *r)
{
	while (r->applied < r->instances.len)
		reach_apply_one(r, r->instances.data[r->applied++]);
}
