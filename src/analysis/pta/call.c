/* SPDX-License-Identifier: Apache-2.0 */
/* Calls: which methods a site calls, as its receivers become known, and what flows along. Dispatch is by the kinds of a
 * receiver's set, a word at a time; by object only where the receiver is the context of its callee. */
#include "analysis/pta/pta_p.h"

#include "ir/access.h"

/* Targets */

#define INCOMPLETE 0x80000000u     /* in `selected`: a missing ancestor of the class may have the method */

static method_id select_target(struct pta *a, uint32_t site, class_id c)
{
	mref_id m = a->sites.data[site].link.site.mref;
	uint64_t key = map_key(m.i, c.i);
	uint32_t found = map_get(&a->selected, key);
	bool is_incomplete = false;

	if (!found) {
		method_id target = dispatch_select(&a->h, m, c, &is_incomplete);
		found = (1 + target.i) | (is_incomplete ? INCOMPLETE : 0);
		*map_at(&a->selected, key) = found;
	}
	if ((found & INCOMPLETE) && a->sites.data[site].link.site.cause == CG_RESOLVED)
		a->sites.data[site].link.site.cause = CG_MISSING;
	return (method_id){ (found & ~INCOMPLETE) - 1 };
}

/* Is the edge there, as far as a look at the last few of them tells? */
static bool is_late_target(const struct site *s, method_id target)
{
	uint32_t low = s->targets.len > 8 ? s->targets.len - 8 : 0;

	for (uint32_t i = s->targets.len; i > low; i--)
		if (s->targets.data[i - 1].i == target.i)
			return true;
	return false;
}

bool add_edge(struct pta *a, uint32_t site, method_id target)
{
	if (is_late_target(&a->sites.data[site], target))
		return false;
	uint32_t *at = map_at(&a->edges, map_key(site, target.i));
	if (*at)
		return false;
	*at = 1;
	struct template *callee = template_of(a, target), *caller = a->templates.data[a->sites.data[site].method.i];
	struct site *row = &a->sites.data[site];
	vec_push(&row->targets, target);
	vec_push(&a->callers, ((struct called_by){ site, callee->caller }));
	callee->caller = a->callers.len - 1;
	callee->is_entry |= row->is_outside;
	if (!row->scope && caller)
		solver_copy(a->s, callee->thrown, caller->thrown, transfer_mask(a, a->p->throwable));
	return true;
}

method_id only_target(struct pta *a, const struct link *l)
{
	class_id c = l->sort == LINK_DISPATCHED ? mref_row(a->p, l->site.mref)->owner : (class_id){ 0 };
	bool is_final = c.i && class_row(a->p, c)->kind == CLASS_FILE && (class_row(a->p, c)->flags & ACCESS_FINAL);
	bool is_asked = a->opt.dynamic && !a->opt.dynamic->no_callbacks, is_incomplete = false;

	if (l->sort == LINK_ONE)
		return l->target;
	return is_final && is_asked ? dispatch_select(&a->h, l->site.mref, c, &is_incomplete) : (method_id){ 0 };
}

static method_id unknown_arrival(struct pta *a, uint32_t site, bool *is_new)
{
	struct link *link = &a->sites.data[site].link;
	method_id m = only_target(a, link);

	if (!m.i) {
		link->site.open = 1;
		return m;
	}
	if (link->sort == LINK_DISPATCHED)
		vec_push(&a->sites.data[site].receivers, mref_row(a->p, link->site.mref)->owner);
	*is_new = add_edge(a, site, m);
	return m;
}

static method_id first_arrival(struct pta *a, uint32_t site, uint32_t kind, bool *is_new)
{
	class_id c = a->kinds.classes.data[kind];
	struct link *link = &a->sites.data[site].link;
	method_id m = link->target;

	if (is_unknown_kind(a, kind))
		return unknown_arrival(a, site, is_new);
	if (link->sort == LINK_ONE) {
		*is_new = add_edge(a, site, m);
		return m;
	}
	m = select_target(a, site, c);
	if (!m.i)
		return m;
	bool is_array = class_row(a->p, c)->kind == CLASS_ARRAY;
	vec_push(&a->sites.data[site].receivers, is_array ? a->object_array : c);
	*is_new = add_edge(a, site, m);
	return m;
}

/* Without contexts a kind arrives at a site once, or seldom more often; there is nothing to remember. */
static method_id arrive(struct pta *a, uint32_t site, uint32_t kind, bool *is_new)
{
	uint64_t key = map_key(site, kind);
	uint32_t found = a->policy->callee ? map_get(&a->seen, key) : 0;

	if (found)
		return (method_id){ found - 1 };
	method_id m = first_arrival(a, site, kind, is_new);
	if (a->policy->callee)
		*map_at(&a->seen, key) = 1 + m.i;
	return m;
}

method_id target_of(struct pta *a, uint32_t site, uint32_t kind)
{
	bool is_new;

	return arrive(a, site, kind, &is_new);
}

/* Flow between a call and its callee */

/* Exceptions meet each other in few places, all of them at once: as contexts, those of a class are one. */
static bool is_exception(struct pta *a, uint32_t kind)
{
	return is_throwable(a, a->kinds.classes.data[kind]);
}

/* What a superclass's constructor does with its arguments is done for each class below it apart. */
static bool is_cloned(const struct pta *a, uint32_t site, const struct template *callee)
{
	return callee->is_cloned || (a->sites.data[site].delegates && callee->nstmts);
}

static bool is_context(struct pta *a, uint32_t kind)
{
	return !a->policy->is_context || a->policy->is_context(a, a->kinds.classes.data[kind]);
}

context_id context_of(struct pta *a, uint32_t in, uint32_t site, object_id receiver, method_id m)
{
	context_id caller = a->instances.data[in].context;
	const struct template *t = template_of(a, m);

	if (t->is_pooled && template_at(a, in)->is_shared)
		return (context_id){ 0 };
	if (is_cloned(a, site, t))
		return context_clone(a, site, caller);
	if (t->is_shared || (receiver.i && !is_context(a, solver_kind_of(a->s, receiver).i)))
		return (context_id){ 0 };
	return a->policy->callee ? a->policy->callee(a, context_plain(a, caller), site, receiver) : (context_id){ 0 };
}

static void pass_argument(struct pta *a, uint32_t in, uint32_t arg, uint32_t callee, uint32_t param)
{
	mask_id mask = transfer_mask(a, template_at(a, callee)->types[param]);

	solver_copy(a->s, variable_node(a, in, arg), variable_node(a, callee, param), mask);
}

/* A call that the JVM implies has no operands: any object of the declared type may be passed. Where that is Object or
 * Object[], these are what models say the JVM passes, and the one that is unknown: calls on it are open. */
static void pass_anything(struct pta *a, uint32_t callee, uint32_t param)
{
	class_id type = template_at(a, callee)->types[param];
	node_id to = variable_node(a, callee, param);

	if (!type.i || type.i == a->p->object.i || type.i == a->object_array.i) {
		if (!template_at(a, callee)->is_shared)
			solver_add(a->s, to, unknown_object(a, (class_id){ 0 }, FOREIGN));
		solver_copy(a->s, static_node(a, jvm_field(a->argument_field)), to,
			    type.i == a->object_array.i ? mask_of_class(a, type) : (mask_id){ 0 });
	} else {
		solver_copy(a->s, a->everything, to, mask_of_class(a, type));
	}
}

/* The machinery of the JVM casts what handles give it, which is not followed there: it may be whatever anybody casts. */
static void fill_pool(struct pta *a, uint32_t in, const struct t_stmt *s, uint32_t callee)
{
	const struct template *from = template_at(a, in), *to = template_at(a, callee);
	const uint32_t *args = from->args + s->from + 1;
	uint32_t pool = instance_of(a, a->instances.data[callee].method, (context_id){ 0 });

	for (uint32_t i = to->has_receiver; pool != callee && i < to->nparams && i < from->args[s->from]; i++)
		if (to->params[i] && args[i])
			pass_argument(a, in, args[i], pool, to->params[i]);
}

/* Arguments but the receiver, and the result. */
static void connect(struct pta *a, uint32_t in, const struct t_stmt *s, uint32_t callee)
{
	const struct template *from = template_at(a, in), *to = template_at(a, callee);

	if (!to->nstmts && !to->returns && !to->naccesses && !a->opt.keeps_bases)
		return;
	const uint32_t *args = from->args + s->from + 1;
	uint32_t n = from->args[s->from];

	for (uint32_t i = to->has_receiver; i < to->nparams; i++) {
		if (!to->params[i] || is_constant_type(a, to->types[to->params[i]]))
			continue;
		if (!n)
			pass_anything(a, callee, to->params[i]);
		else if (i < n && args[i])
			pass_argument(a, in, args[i], callee, to->params[i]);
	}
	if (to->is_pooled)
		fill_pool(a, in, s, callee);
	if (s->to && to->returns)
		solver_copy(a->s, variable_node(a, callee, to->returns), variable_node(a, in, s->to),
			    transfer_mask(a, from->types[s->to]));
}

static void catch_from(struct pta *a, uint32_t in, const struct t_stmt *s, method_id target)
{
	if (s->more)
		throw_to_scope(a, in, s->more, a->templates.data[target.i]->thrown);
}

/* Notes that the call is linked with the callee; true: for the first time. Where it has one instance, and a target has
 * one for it, that is when the edge is new, and there is nothing to be noted. */
static bool note_link(struct pta *a, uint32_t watch, uint32_t callee, bool is_new_edge)
{
	uint32_t in = a->watches.data[watch].instance;
	const struct template *t = template_at(a, in);

	if (!a->policy->callee && !a->instances.data[in].context.i && !t->is_constructor && !t->is_cloned)
		return is_new_edge;
	if (a->watches.data[watch].last == callee)
		return false;
	a->watches.data[watch].last = callee;
	uint32_t *at = map_at(&a->linked, map_key(watch, callee));
	bool is_new = !*at;

	*at = 1;
	return is_new;
}

static void count_context(struct pta *a, uint32_t watch, uint32_t site)
{
	struct watch *w = &a->watches.data[watch];

	if (a->policy->most_contexts && ++w->contexts == a->policy->most_contexts)
		*map_at(&a->mixed, map_key(w->instance, site)) = 1;
}

static bool has_most_contexts(const struct pta *a, uint32_t watch)
{
	return a->policy->most_contexts && a->watches.data[watch].contexts >= a->policy->most_contexts;
}

static void call_object(struct pta *a, uint32_t watch, object_id o, method_id target)
{
	struct watch w = a->watches.data[watch];
	const struct t_stmt *s = &template_at(a, w.instance)->stmts[w.stmt];
	uint32_t callee = instance_of(a, target, context_of(a, w.instance, s->ref, o, target));
	uint32_t self = template_at(a, callee)->params[0];

	if (a->policy->one_receiver || note_link(a, watch, callee, false)) {
		connect(a, w.instance, s, callee);
		count_context(a, watch, s->ref);
	}
	if (self)
		solver_add(a->s, variable_node(a, callee, self), o);
}

/* All receivers of a word at once, in one context. */
static void call_word(struct pta *a, uint32_t watch, context_id c, uint32_t block, uint64_t bits, method_id target,
		      bool is_new_edge)
{
	struct watch w = a->watches.data[watch];
	const struct t_stmt *s = &template_at(a, w.instance)->stmts[w.stmt];
	uint32_t callee = instance_of(a, target, c);
	uint32_t self = template_at(a, callee)->params[0];

	if (note_link(a, watch, callee, is_new_edge)) {
		connect(a, w.instance, s, callee);
		catch_from(a, w.instance, s, target);
	}
	if (self)
		solver_add_word(a->s, variable_node(a, callee, self), block, bits);
}

/* Nobody knows what an unknown object does, nor a method of a missing class. */
static bool calls_unknown(const struct pta *a, uint32_t site, uint32_t kind)
{
	return is_unknown_kind(a, kind) || a->sites.data[site].link.site.cause == CG_MISSING;
}

/* Code of clients is made up: they have what they have without asking objects that the component found by name, and do themselves
 * what such an object may do with what it is given. */
static bool is_client_code(const struct pta *a, uint32_t in)
{
	return are_classes_known(a) && template_at(a, in)->is_client_entry;
}

static void call_unknown(struct pta *a, uint32_t watch, uint32_t kind)
{
	struct watch w = a->watches.data[watch];
	const struct t_stmt *s = &template_at(a, w.instance)->stmts[w.stmt];

	if (is_client_code(a, w.instance))
		return;
	if (s->to)
		unknown_result(a, w.instance, s, kind);
	if (w.escapes)
		return;
	a->watches.data[watch].escapes = true;
	callbacks_escape(a, w.instance, w.stmt);
}

bool has_one_context(struct pta *a, uint32_t site, uint32_t kind, method_id target)
{
	const struct template *t = a->templates.data[target.i];
	bool is_one = is_unknown_kind(a, kind) || is_cloned(a, site, t) || t->is_shared || is_exception(a, kind);

	return !a->policy->by_receiver || is_one || !is_context(a, kind);
}

static void deliver(struct pta *a, uint32_t watch, uint32_t kind, uint32_t block, uint64_t bits)
{
	struct watch w = a->watches.data[watch];
	const struct t_stmt *s = &template_at(a, w.instance)->stmts[w.stmt];
	bool is_new = false;

	if (kind == a->assumed.object.i && a->sites.data[s->ref].link.sort == LINK_DISPATCHED) {
		world_call(a, w.instance, s);
		return;
	}
	method_id target = arrive(a, s->ref, kind, &is_new);
	if (!target.i) {
		if (calls_unknown(a, s->ref, kind))
			call_unknown(a, watch, kind);
		return;
	}
	if (has_one_context(a, s->ref, kind, target)) {
		call_word(a, watch, context_of(a, w.instance, s->ref, (object_id){ kind }, target), block, bits, target, is_new);
		return;
	}
	if (has_most_contexts(a, watch)) {
		call_word(a, watch, (context_id){ 0 }, block, bits, target, is_new);
		return;
	}
	catch_from(a, w.instance, s, target);
	for (; bits; bits &= bits - 1)
		call_object(a, watch, (object_id){ block * 64 + first_bit(bits) }, target);
}

void call_watch(struct pta *a, uint32_t watch, struct set_view news)
{
	for (uint32_t i = 0; i < news.n; i++) {
		uint32_t block = news.blocks[i];
		for (uint64_t bits = news.words[i], some; bits; bits &= ~some) {
			some = same_kind(block, bits);
			deliver(a, watch, solver_kind_of(a->s, (object_id){ block * 64 + first_bit(bits) }).i, block, some);
		}
	}
}

/* The statement in an instance */

static void call_static(struct pta *a, uint32_t in, const struct t_stmt *s, method_id target)
{
	uint32_t callee;

	add_edge(a, s->ref, target);
	callee = instance_of(a, target, context_of(a, in, s->ref, (object_id){ 0 }, target));
	connect(a, in, s, callee);
	catch_from(a, in, s, target);
}

void call_reflected(struct pta *a, uint32_t in, const struct t_stmt *s, method_id dispatcher)
{
	call_static(a, in, s, dispatcher);
}

/* What can be a receiver of the call at all. */
mask_id receiver_mask(struct pta *a, const struct link *l)
{
	class_id c = mref_row(a->p, l->site.mref)->owner;
	bool is_any = l->sort != LINK_DISPATCHED || c.i == a->p->object.i || class_row(a->p, c)->kind == CLASS_ARRAY;

	return is_any && has_own_variables(a) ? (mask_id){ 0 } : mask_of_class(a, c);
}

void call_apply(struct pta *a, uint32_t in, uint32_t stmt)
{
	const struct template *t = template_at(a, in);
	const struct t_stmt *s = &t->stmts[stmt];
	struct link link = a->sites.data[s->ref].link;
	bool has_operands = t->args[s->from] > 0;
	uint32_t receiver = has_operands ? t->args[s->from + 1] : 0;

	if (link.sort == LINK_REFLECTED) {
		reflection_apply(a, in, stmt);
		return;
	}
	if (link.sort == LINK_NOTHING) {
		callbacks_escape(a, in, stmt);
		return;
	}
	watch_result(a, in, s);
	if (link.sort == LINK_ONE && (method_row(a->p, link.target)->flags & ACCESS_STATIC)) {
		call_static(a, in, s, link.target);
		return;
	}
	if (has_operands && !receiver)      /* always null */
		return;
	vec_push(&a->watches, ((struct watch){ .sort = WATCH_CALL, .instance = in, .stmt = stmt }));
	solver_watch(a->s, has_operands ? variable_node(a, in, receiver) : a->everything, receiver_mask(a, &link), a->watches.len - 1);
}
