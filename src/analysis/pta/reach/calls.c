/* SPDX-License-Identifier: Apache-2.0 */
/* Calls within a call: what arrives at a receiver becomes targets and links, as in call.c; here they are all there already. */
#include "analysis/pta/reach/reach_p.h"

#include "ir/access.h"

/* Links */

/* Arguments but the receiver, and the result. */
static void connect(struct reach *r, uint32_t in, const struct t_stmt *s, uint32_t callee)
{
	struct pta *a = r->a;
	const struct template *to = template_at(a, callee);
	uint32_t n;
	const uint32_t *args = operands(template_at(a, in), s, &n);

	if (!to->nstmts && !to->returns && !to->naccesses)
		return;
	for (uint32_t i = to->has_receiver; i < to->nparams && i < n; i++)
		if (to->params[i] && args[i] && !is_constant_type(a, to->types[to->params[i]]))
			part_copy(r->part, variable_node(a, in, args[i]), variable_node(a, callee, to->params[i]), (mask_id){ 0 });
	if (s->to && to->returns)
		part_copy(r->part, variable_node(a, callee, to->returns), variable_node(a, in, s->to), (mask_id){ 0 });
}

/* All that a node ever holds: others have it, too. */
static void take_shared(struct reach *r, node_id from, node_id to)
{
	part_take(r->part, from, to, (mask_id){ 0 });
	part_share_set(r->part, solver_set(r->a->s, from));
}

void reach_give(struct reach *r, uint32_t in, const uint32_t *vars, uint32_t n, uint32_t callee)
{
	const struct template *to = template_at(r->a, callee);

	for (uint32_t i = 0; r->opt.effects && i < n; i++) {
		bool is_param = i < to->nparams && to->params[i];
		bool is_string = is_param && to->types[to->params[i]].i == r->a->p->string.i;
		if (vars[i])
			vec_push(&r->given, ((struct reach_given){ variable_node(r->a, in, vars[i]), is_string }));
	}
}

/* A method that is not entered may do anything with what it is given, and gives back what it ever does. */
static void leave(struct reach *r, uint32_t in, const struct t_stmt *s, uint32_t callee)
{
	struct pta *a = r->a;
	const struct template *to = template_at(a, callee);
	uint32_t n;
	const uint32_t *args = operands(template_at(a, in), s, &n);

	for (uint32_t i = 0; i < n; i++)
		if (args[i])
			part_share(r->part, variable_node(a, in, args[i]));
	if (is_quiet(r, a->instances.data[callee].method))
		reach_give(r, in, args, n, callee);
	if (s->to && to->returns)
		take_shared(r, variable_node(a, callee, to->returns), variable_node(a, in, s->to));
	reach_throw(r, in, s->more, to->thrown, true);
	part_share_set(r->part, solver_set(a->s, to->thrown));
}

/* One after the other, receivers of a call have the same callee more often than not. */
static bool is_new_link(struct reach *r, uint32_t tag, uint32_t callee)
{
	uint64_t key = map_key(tag, callee);
	uint32_t *last = &r->watches.data[tag].linked;

	if (*last < r->linked.keys.len && r->linked.keys.data[*last] == key)
		return false;
	if (!seen_add(&r->linked, key))
		return false;
	*last = r->linked.keys.len - 1;
	return true;
}

static void enter(struct reach *r, uint32_t tag, uint32_t in, const struct t_stmt *s, uint32_t callee)
{
	method_id target = r->a->instances.data[callee].method;

	if (!is_new_link(r, tag, callee))
		return;
	if (!is_library(r, target))
		reach_back(r, in, s->ref, target);
	if (!is_entered(r, target)) {
		leave(r, in, s, callee);
		return;
	}
	reach_instance(r, callee);
	reach_link(r, in, callee, s->ref);
	connect(r, in, s, callee);
	reach_throw(r, in, s->more, template_at(r->a, callee)->thrown, false);
}

struct entering {
	struct reach *r;
	uint32_t tag;
};

static void enter_on(void *ctx, const struct reach_callee *c)
{
	struct entering *e = ctx;
	struct pta *a = e->r->a;
	const struct template *t = template_at(a, c->callee);
	uint32_t self = t->has_receiver ? t->params[0] : 0;

	enter(e->r, e->tag, c->in, c->s, c->callee);
	if (self && c->bits && is_entered(e->r, a->instances.data[c->callee].method))
		part_add_word(e->r->part, variable_node(a, c->callee, self), c->block, c->bits);
}

/* Targets */

static uint32_t callee_of(struct pta *a, uint32_t in, uint32_t site, object_id o, method_id target)
{
	return instance_of(a, target, context_of(a, in, site, o, target));
}

/* The instance that there is; 0: none. */
static uint32_t find_callee(struct pta *a, method_id target, context_id c)
{
	return c.i ? map_get(&a->instance_by_key, map_key(target.i, c.i)) : a->templates.data[target.i]->plain;
}

static void tell_callee(struct reach_callee c, uint32_t callee, callee_fn *fn, void *ctx)
{
	c.callee = callee;
	if (callee)
		fn(ctx, &c);
}

/* Each receiver for itself. Where a call has too many contexts, some receivers have none: which, is not known any more. */
static void callees_of_objects(struct reach *r, struct reach_callee c, method_id target, callee_fn *fn, void *ctx)
{
	struct pta *a = r->a;

	if (is_mixed_call(a, c.in, c.s->ref))
		tell_callee(c, find_callee(a, target, (context_id){ 0 }), fn, ctx);
	for (uint64_t bits = c.bits; bits; bits &= bits - 1) {
		object_id o = { c.block * 64 + first_bit(bits) };
		c.bits = bits & -bits;
		tell_callee(c, find_callee(a, target, context_of(a, c.in, c.s->ref, o, target)), fn, ctx);
	}
}

static struct reach_target find_target(struct pta *a, uint32_t site, uint32_t kind)
{
	struct reach_target t = { .site = site, .kind = kind };

	if (is_world_kind(a, kind))
		return t;
	t.target = a->sites.data[site].link.sort == LINK_ONE ? a->sites.data[site].link.target : target_of(a, site, kind);
	if (t.target.i && !a->templates.data[t.target.i])
		t.target.i = 0;
	t.has_one_context = t.target.i && has_one_context(a, site, kind, t.target);
	return t;
}

/* The analysis knows, but in a map of all calls and classes; what was asked last is kept at hand. */
static const struct reach_target *target_at(struct reach *r, uint32_t site, uint32_t kind)
{
	struct reach_target *t = &r->targets[(site * 0x9e3779b9u + kind) % REACH_TARGETS];

	if (t->site != site || t->kind != kind)
		*t = find_target(r->a, site, kind);
	return t;
}

static void callees_of_kind(struct reach *r, struct reach_callee c, callee_fn *fn, void *ctx)
{
	struct pta *a = r->a;
	uint32_t kind = solver_kind_of(a->s, (object_id){ c.block * 64 + first_bit(c.bits) }).i;
	const struct reach_target *to = target_at(r, c.s->ref, kind);
	method_id target = to->target;

	if (!target.i)
		return;
	if (to->has_one_context) {
		c.callee = callee_of(a, c.in, c.s->ref, (object_id){ kind }, target);
		fn(ctx, &c);
		return;
	}
	callees_of_objects(r, c, target, fn, ctx);
}

static void callees_of_set(struct reach *r, uint32_t in, const struct t_stmt *s, struct set_view v, callee_fn *fn, void *ctx)
{
	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t bits = v.words[i], some; bits; bits &= ~some) {
			some = same_kind(v.blocks[i], bits);
			callees_of_kind(r, (struct reach_callee){ .in = in, .s = s, .block = v.blocks[i], .bits = some }, fn, ctx);
		}
}

/* Calls that no receiver decides. */
static bool is_fixed(const struct pta *a, const struct site *s)
{
	if (s->link.sort == LINK_REFLECTED)
		return true;
	return s->link.sort == LINK_ONE && (method_row(a->p, s->link.target)->flags & ACCESS_STATIC);
}

static void callees_of_fixed(struct reach *r, uint32_t in, const struct t_stmt *s, callee_fn *fn, void *ctx)
{
	const struct site *site = &r->a->sites.data[s->ref];

	for (uint32_t i = 0; i < site->targets.len; i++)
		fn(ctx, &(struct reach_callee){ .in = in, .s = s,
						.callee = callee_of(r->a, in, s->ref, (object_id){ 0 }, site->targets.data[i]) });
}

void reach_callees(struct reach *r, uint32_t in, const struct t_stmt *s, callee_fn *fn, void *ctx)
{
	struct pta *a = r->a;
	uint32_t n;
	const uint32_t *args = operands(template_at(a, in), s, &n);
	const struct site *site = &a->sites.data[s->ref];

	if (is_fixed(a, site))
		callees_of_fixed(r, in, s, fn, ctx);
	else if (site->link.sort != LINK_NOTHING && n && args[0])
		callees_of_set(r, in, s, solver_set(a->s, variable_node(a, in, args[0])), fn, ctx);
}

void reach_deliver(struct reach *r, uint32_t tag, struct set_view news)
{
	struct reach_watch w = r->watches.data[tag];

	callees_of_set(r, w.instance, &template_at(r->a, w.instance)->stmts[w.stmt], news, enter_on, &(struct entering){ r, tag });
}

/* Nobody knows on what, and with what, they are called: on all, and with all, that they ever are. */

static void reach_open(struct reach *r, uint32_t in, uint32_t site, method_id target)
{
	struct pta *a = r->a;
	uint32_t callee = a->templates.data[target.i] ? a->templates.data[target.i]->plain : 0;

	if (!is_library(r, target))
		reach_back(r, in, site, target);
	if (!callee || !is_entered(r, target))
		return;
	const struct template *t = template_at(a, callee);
	reach_instance(r, callee);
	reach_link(r, in, callee, site);
	for (uint32_t i = 0; i < t->nparams; i++)
		if (t->params[i])
			take_shared(r, variable_node(a, callee, t->params[i]), variable_node(a, callee, t->params[i]));
}

void reach_open_site(struct reach *r, uint32_t in, uint32_t site)
{
	for (uint32_t i = 0; i < r->a->sites.data[site].targets.len; i++)
		reach_open(r, in, site, r->a->sites.data[site].targets.data[i]);
}

/* What is assumed: of receivers that are assumed to be there, and of dynamic calls that are not resolved. */
static void reach_assumed(struct reach *r, uint32_t in, uint32_t site)
{
	struct pta *a = r->a;
	const struct site *s = &a->sites.data[site];
	const method_list *of_receivers = s->assumed ? &a->assumed.refs.data[s->assumed].targets : NULL;

	for (uint32_t i = 0; of_receivers && i < of_receivers->len; i++)
		reach_open(r, in, site, of_receivers->data[i]);
	if (s->link.sort != LINK_REFLECTED || s->dynamic >= a->reflected.len)
		return;
	const id_list *sets = &a->reflected.data[s->dynamic].sets;
	for (uint32_t i = 0; i < sets->len; i++) {
		const method_list *members = &a->assumed.sets.data[sets->data[i]];
		for (uint32_t k = 0; k < members->len; k++)
			reach_open(r, in, site, members->data[k]);
	}
}

/* The statement in an instance */

void reach_call(struct reach *r, uint32_t in, uint32_t stmt)
{
	struct pta *a = r->a;
	const struct template *t = template_at(a, in);
	const struct t_stmt *s = &t->stmts[stmt];
	const struct site *site = &a->sites.data[s->ref];
	uint32_t n;
	const uint32_t *args = operands(t, s, &n);

	if (has_assumptions(a))
		reach_assumed(r, in, s->ref);
	if (site->callbacks)             /* in a method of the application: unknown code calls back what it was given */
		reach_open_site(r, in, site->callbacks);
	if (site->link.sort == LINK_NOTHING)
		return;
	vec_push(&r->watches, ((struct reach_watch){ WATCH_CALL, in, stmt, 0 }));
	if (is_fixed(a, site))
		callees_of_fixed(r, in, s, enter_on, &(struct entering){ r, r->watches.len - 1 });
	else if (!n)
		reach_open_site(r, in, s->ref);
	else if (args[0])
		part_watch(r->part, variable_node(a, in, args[0]), receiver_mask(a, &site->link), r->watches.len - 1);
}
