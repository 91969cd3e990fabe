/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks: objects that are handed to code that nobody knows *escape* to it: as arguments of calls on objects of unknown class,
 * and of methods that are missing. On each of them that code may call whatever the object implements or overrides of a library, and
 * whatever it is declared to have where it is handed over; with other objects that escaped, or unknown ones, as arguments. What
 * these calls return escapes, too.
 *
 * An analysis first comes to its end without them: that is what levels of assumptions are about. Then it goes on with them, and
 * what is new from there on is only there by callbacks: graph.c marks it. */
#include "analysis/pta/feature.h"

#include "ir/access.h"

/* Which methods can be called back */

/* What it may be known by: the type that it is handed over as, and those of libraries. Where an ancestor is missing, any of its
 * methods may be one of that ancestor's. */
static bool is_known_by(struct pta *a, class_id super, class_id as, bool misses_ancestor)
{
	return misses_ancestor || !is_application(a, super) || (as.i && hierarchy_is_subtype(&a->h, as, super));
}

static bool can_be_called(const struct pta *a, struct ir_method m)
{
	return !(m.flags & ACCESS_STATIC) && (m.flags & (ACCESS_PUBLIC | ACCESS_PROTECTED)) && sel_name(a->p, m.sel).p[0] != '<';
}

/* What a call of `m`, a method of `super`, runs on an object of class c, if that is the application's; none: it is not. */
static method_id application_target(struct pta *a, class_id c, class_id super, method_id m)
{
	bool is_interface = class_row(a->p, super)->flags & ACCESS_INTERFACE;
	method_id target = is_interface ? select_interface(&a->h, c, m) : select_method(&a->h, c, m);
	struct ir_method row = target.i ? *method_row(a->p, target) : (struct ir_method){ 0 };

	return target.i && is_application(a, row.owner) && !(row.flags & ACCESS_ABSTRACT) ? target : (method_id){ 0 };
}

/* Marks what classes of the application declare, of those. */
static void mark_declared(struct pta *a, struct supertypes above, struct map *declared)
{
	for (uint32_t i = 0; i < above.n; i++) {
		struct ir_class row = *class_row(a->p, above.classes[i]);
		for (uint32_t k = 0; k < row.nmethods && is_application(a, above.classes[i]); k++)
			*map_at(declared, method_row(a->p, (method_id){ row.first_method + k })->sel.i) = 1;
	}
}

/* Classes of clients have thousands of types: what the application does not declare is not looked for. */
static void find_targets(struct pta *a, callable_list *out, class_id c)
{
	struct supertypes above = hierarchy_supertypes(&a->h, c);
	struct map declared = { 0 };

	mark_declared(a, above, &declared);
	for (uint32_t i = 0; i < above.n; i++) {
		struct ir_class row = *class_row(a->p, above.classes[i]);
		for (uint32_t k = 0; k < row.nmethods; k++) {
			method_id m = { row.first_method + k }, target = { 0 };
			if (map_get(&declared, method_row(a->p, m)->sel.i) && can_be_called(a, *method_row(a->p, m)))
				target = application_target(a, c, above.classes[i], m);
			if (target.i)
				vec_push(out, ((struct callable){ above.classes[i], target }));
		}
	}
	map_release(&declared);
}

/* All that can be called on objects of class c, by whichever of its types: that is asked once, for how many types ever they are
 * handed over as. */
static const callable_list *targets_of(struct pta *a, class_id c)
{
	uint32_t *at = map_at(&a->callbacks.targets_of, c.i);

	if (!*at) {
		callable_list list = { 0 };
		vec_push(&a->callbacks.targets, list);
		*at = a->callbacks.targets.len;
		find_targets(a, vec_last(&a->callbacks.targets), c);
	}
	return &a->callbacks.targets.data[map_get(&a->callbacks.targets_of, c.i) - 1];
}

static void add_callback(id_list *out, method_id target)
{
	for (uint32_t i = 0; i < out->len; i++)
		if (out->data[i] == target.i)
			return;
	vec_push(out, target.i);
}

static void find_callbacks(struct pta *a, id_list *out, class_id c, class_id as)
{
	const callable_list *targets = targets_of(a, c);
	bool misses_ancestor = hierarchy_misses_ancestor(&a->h, c), is_known = false;
	class_id last = { 0 };

	for (uint32_t i = 0; i < targets->len; i++) {
		struct callable x = targets->data[i];
		if (x.super.i != last.i)
			is_known = is_known_by(a, x.super, as, misses_ancestor);
		last = x.super;
		if (is_known)
			add_callback(out, x.target);
	}
}

/* What JDK's classes hold that get there is taken out: sherd/Unknown.take() in jdk.model does that to objects of these types. */
static bool is_holder(struct pta *a, class_id c)
{
	static const char *const types[] = { "java/util/Iterator", "java/util/Enumeration", "java/lang/Iterable", "java/util/Map",
					     "java/util/Map$Entry" };

	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		class_id type = program_find_class(a->p, str_of(types[i]));
		if (type.i && hierarchy_is_subtype(&a->h, c, type))
			return true;
	}
	return false;
}

/* In a whole program nearly everything would escape by these. */
static void find_taking(struct pta *a, id_list *out, class_id c)
{
	class_id unknown = program_find_class(a->p, STR("sherd/Unknown"));
	sel_id take = program_sel(a->p, STR("take"), STR("(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"));
	method_id m = unknown.i ? program_declared(a->p, unknown, take) : (method_id){ 0 };

	if (are_classes_known(a) && m.i && is_holder(a, c))
		vec_push(out, m.i);
}

/* The row of `callbacks.lists` for objects of class c that are handed over as `as`. */
static uint32_t callbacks_of(struct pta *a, class_id c, class_id as)
{
	if (as.i && !is_application(a, as))
		as.i = 0;
	uint32_t *at = map_at(&a->callbacks.list_of, map_key(c.i, as.i));
	if (!*at) {
		id_list list = { 0 };
		uint32_t row = a->callbacks.lists.len;
		*at = 1 + row;
		find_callbacks(a, &list, c, as);
		find_taking(a, &list, c);
		vec_push(&a->callbacks.lists, list);
		return row;
	}
	return *at - 1;
}

/* Escapes */

static bool is_reference(struct pta *a, class_id type)
{
	return type.i && class_row(a->p, type)->kind != CLASS_PRIMITIVE && !is_constant_type(a, type);
}

static mask_id mask_of_type(struct pta *a, class_id type)
{
	return type.i && type.i != a->p->object.i ? mask_of_class(a, type) : (mask_id){ 0 };
}

/* Where unknown code is called. */
struct escape {
	uint32_t site;           /* of callbacks */
	uint32_t instance;       /* of the caller */
};

static uint32_t number_of(struct map *numbers, uint64_t key)
{
	uint32_t *at = map_at(numbers, key);

	if (!*at)
		*at = numbers->len;
	return *at;
}

/* What is in the node gets to unknown code, as objects of this type. What callbacks return, and arrays hold, gets there once as each
 * type, wherever that is: `key` is 0. */
static void let_go(struct pta *a, struct escape e, node_id n, class_id as, uint32_t key)
{
	uint32_t what = number_of(&a->callbacks.handed_over, map_key(n.i, as.i)), *at = map_at(&a->callbacks.let_go, map_key(key, what));

	if (*at)
		return;
	*at = 1;
	solver_copy(a->s, n, a->callbacks.escaped, mask_of_type(a, as));
	vec_push(&a->watches, ((struct watch){ .sort = WATCH_ESCAPE, .instance = e.site, .stmt = as.i, .node = n, .last = e.instance }));
	solver_watch(a->s, n, mask_of_type(a, as), a->watches.len - 1);
}

/* In every context the same: nobody knows what unknown code does before. Objects of a component's types come from the component: it has
 * those that it was given. */
static void call_back(struct pta *a, struct escape e, method_id m, uint32_t block, uint64_t bits)
{
	bool is_new = add_edge(a, e.site, m);
	uint32_t in = instance_of(a, m, (context_id){ 0 });
	const struct template *t = template_of(a, m);

	if (t->params[0])
		solver_add_word(a->s, variable_node(a, in, t->params[0]), block, bits);
	for (uint32_t i = 1; is_new && i < t->nparams; i++) {
		class_id type = t->types[t->params[i]];
		if (!t->params[i] || is_constant_type(a, type))
			continue;
		if (!are_classes_known(a) || !is_own(a, type))
			solver_add(a->s, variable_node(a, in, t->params[i]), unknown_object(a, type, FOREIGN));
		solver_copy(a->s, a->callbacks.escaped, variable_node(a, in, t->params[i]), mask_of_type(a, type));
	}
	if (is_new && a->sites.data[e.site].scope)
		throw_to_scope(a, e.instance, a->sites.data[e.site].scope, t->thrown);
	if (is_new && t->returns)
		let_go(a, e, variable_node(a, in, t->returns), sel_result(a->p, method_row(a->p, m)->sel), 0);
}

static void escape_array(struct pta *a, const struct watch *w, object_id o)
{
	class_id c = a->kinds.classes.data[solver_kind_of(a->s, o).i], as = { w->stmt };

	if (!class_slots(a, c))
		return;
	if (as.i && class_row(a->p, as)->kind == CLASS_ARRAY)
		as = class_row(a->p, as)->element;
	let_go(a, (struct escape){ w->instance, w->last }, solver_slot(a->s, o, 0), is_reference(a, as) ? as : a->p->object, 0);
}

static void escape_kind(struct pta *a, uint32_t watch, uint32_t block, uint64_t bits)
{
	struct watch w = a->watches.data[watch];
	object_id o = { block * 64 + first_bit(bits) };
	class_id c = a->kinds.classes.data[solver_kind_of(a->s, o).i];

	if (!c.i)
		return;
	if (class_row(a->p, c)->kind == CLASS_ARRAY) {
		for (; bits; bits &= bits - 1)
			escape_array(a, &w, (object_id){ block * 64 + first_bit(bits) });
		return;
	}
	uint32_t row = callbacks_of(a, c, (class_id){ w.stmt });
	for (uint32_t i = 0; i < a->callbacks.lists.data[row].len; i++)
		call_back(a, (struct escape){ w.instance, w.last }, (method_id){ a->callbacks.lists.data[row].data[i] }, block, bits);
}

void escape_watch(struct pta *a, uint32_t watch, struct set_view news)
{
	for (uint32_t i = 0; i < news.n; i++)
		for (uint64_t bits = news.words[i], some; bits; bits &= ~some) {
			some = same_kind(news.blocks[i], bits);
			escape_kind(a, watch, news.blocks[i], some);
		}
}

/* Where they escape */

/* What unknown code calls back that is called at `site`: a site of its own, which graph.c puts beside it. */
static uint32_t callback_site(struct pta *a, uint32_t site)
{
	struct site row = a->sites.data[site];

	if (row.callbacks)
		return row.callbacks;
	struct link l = { .site = { .pc = row.link.site.pc, .op = IR_CALL_DYNAMIC, .implied = 1 + DYNAMIC_CALLBACK, .open = 1 },
			  .is_listed = true };
	vec_push(&a->sites, ((struct site){ .link = l, .method = row.method, .scope = row.scope }));
	a->sites.data[site].callbacks = a->sites.len - 1;
	return a->sites.len - 1;
}

/* Objects found by name */

static method_id plain_constructor(struct pta *a, class_id c)
{
	struct ir_class row = *class_row(a->p, c);
	bool can_be_made = row.kind == CLASS_FILE && !(row.flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE));

	return can_be_made ? program_declared(a->p, c, program_sel(a->p, STR("<init>"), STR("()V"))) : (method_id){ 0 };
}

/* A component calls an object of a type of its own that it found: if it is of one of the component's classes, code that nobody knows
 * made it by the constructor that needs nothing. */
static void find_by_name(struct pta *a, struct escape e, node_id receiver, class_id as)
{
	if (!are_classes_known(a) || !is_own(a, as))
		return;
	for (uint32_t i = 1; i < a->p->classes.len; i++) {
		class_id c = { i };
		if (class_row(a->p, c)->state != LOAD_DONE || !is_own(a, c) || !hierarchy_is_subtype(&a->h, c, as))
			continue;
		method_id m = plain_constructor(a, c);
		if (!m.i)
			continue;
		object_id o = solver_kind_object(a->s, kind_of_class(a, c));
		solver_add(a->s, a->everything, o);
		solver_add(a->s, receiver, o);
		initialise_class(a, c);
		call_back(a, e, m, o.i / 64, (uint64_t)1 << (o.i % 64));
	}
}

static void let_arguments_go(struct pta *a, struct instance_stmt at)
{
	const struct template *t = template_at(a, at.instance);
	const struct t_stmt *s = &t->stmts[at.stmt];
	struct cg_site called = a->sites.data[s->ref].link.site;
	struct ir_mref ref = *mref_row(a->p, called.mref);
	struct escape e = { callback_site(a, s->ref), at.instance };
	uint32_t n = t->args[s->from], param = 0, k = 0;
	const uint32_t *args = t->args + s->from + 1;
	class_id type;

	if (called.op != IR_CALL_STATIC && k++ < n && called.op == IR_CALL_SPECIAL && args[0])
		let_go(a, e, variable_node(a, at.instance, args[0]), ref.owner, e.site);
	if ((called.op == IR_CALL_VIRTUAL || called.op == IR_CALL_INTERFACE) && n && args[0])
		find_by_name(a, e, variable_node(a, at.instance, args[0]), ref.owner);
	for (; k < n && sel_next_param(a->p, ref.sel, &param, &type); k++)
		if (args[k] && is_reference(a, type))
			let_go(a, e, variable_node(a, at.instance, args[k]), type, e.site);
}

/* Without a JDK, every class lacks an ancestor, and most methods are missing that are called: that says nothing. */
static bool may_escape(const struct pta *a, const struct site *s)
{
	bool has_jdk = class_row(a->p, a->p->object)->kind != CLASS_PHANTOM, are_asked = a->opt.dynamic && !a->opt.dynamic->no_callbacks;

	return are_asked && has_jdk && !s->is_outside && s->link.site.mref.i && is_application(a, method_row(a->p, s->method)->owner);
}

/* Method handles are objects of the JDK's, and mostly unknown; what is called through them is known all the same. */
static bool is_said(const struct pta *a, const struct site *s)
{
	return s->link.dynamic == DYNAMIC_HANDLE && s->dynamic && dynamic_is_resolved(a->dynamic, s->dynamic);
}

void callbacks_escape(struct pta *a, uint32_t instance, uint32_t stmt)
{
	const struct site *s = &a->sites.data[template_at(a, instance)->stmts[stmt].ref];

	if (!may_escape(a, s))
		return;
	if (has_assumptions(a))      /* what they are about goes further */
		world_pass(a, instance, &template_at(a, instance)->stmts[stmt]);
	else if (a->callbacks.are_made && !is_said(a, s))
		let_arguments_go(a, (struct instance_stmt){ instance, stmt });
	else
		vec_push(&a->callbacks.pending, ((struct instance_stmt){ instance, stmt }));
}

void callbacks_pending(struct pta *a)
{
	for (uint32_t i = 0; a->callbacks.are_made && i < a->callbacks.pending.len; i++) {
		struct instance_stmt at = a->callbacks.pending.data[i];
		if (!is_said(a, &a->sites.data[template_at(a, at.instance)->stmts[at.stmt].ref]))
			let_arguments_go(a, at);
	}
}

void callbacks_mark(struct pta *a)
{
	a->callbacks.nreached = a->reached.len;
	for (uint32_t i = 1; i < a->sites.len; i++) {
		struct site *s = &a->sites.data[i];
		s->ntargets = s->targets.len;
		s->nreceivers = s->receivers.len;
	}
}

bool callbacks_start(struct pta *a)
{
	if (a->callbacks.are_made || !a->callbacks.pending.len)
		return false;
	callbacks_mark(a);
	a->callbacks.are_made = true;
	a->callbacks.escaped = solver_nodes(a->s, 1);
	callbacks_pending(a);
	instances_apply(a);
	return true;
}

void callbacks_release(struct callbacks *c)
{
	for (uint32_t i = 0; i < c->lists.len; i++)
		vec_release(&c->lists.data[i]);
	vec_release(&c->lists);
	for (uint32_t i = 0; i < c->targets.len; i++)
		vec_release(&c->targets.data[i]);
	vec_release(&c->targets);
	map_release(&c->targets_of);
	vec_release(&c->pending);
	map_release(&c->list_of);
	map_release(&c->let_go);
	map_release(&c->handed_over);
}
