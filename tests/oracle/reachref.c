// SPDX-License-Identifier: Apache-2.0
// links: base algo solve formats/archive formats/classfile ir load analysis session report formats/facts formats/properties
/* reachref -cp PATH [--jdk DIR|none] --main CLASS (--application PATTERNS | --splits N) [--only LIST] [--precision LIST] [--most N]
 * [--every N] -
 * a slow solver for library calls, straight from the constraints of Zhang and Ryder (docs/analyses/callbacks.md), against
 * analysis/pta/reach: what each library call calls back is the same, to the edge, by every algorithm and precision.
 *
 * It applies all statements of all methods that a call reaches, again and again, until nothing changes; it shares nothing between
 * calls, takes nothing back, and knows no order. What a statement is, and Pt, the solution for the whole program, are the analysis's.
 * Numbers behind comments are those of the paper's constraints.
 *
 * --splits: classes of the program are the application's, or a library's, as their names fall; N ways. --most: a call that reaches more
 * methods in contexts is left out. --every: so is all but each N-th call in a context. The last line says how many were checked:
 * `N calls, N callbacks, N wrong, N left out`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algo/seen.h"
#include "analysis/callgraph/booted.h"
#include "analysis/pta/pta_p.h"
#include "analysis/pta/reach/reach.h"
#include "ir/access.h"
#include "session/component/component.h"
#include "session/session.h"

#define SHOWN 8

struct set { struct seen has; };          /* of numbers, in the order in which they came */

struct edge { uint32_t from, to; };       /* instances */
struct back { uint32_t by; method_id target; };

struct call {                             /* what one library call does, so far */
	VEC(struct set) u;                /* by row: U of a node */
	VEC(uint32_t) node_of;            /* by row; [0] unused */
	struct map row_of;                /* node -> row */
	struct set accessible;
	struct set reached;               /* R: instances */
	struct set edges;                 /* map_key(from, to) */
	struct set backs;                 /* map_key(by, target) */
	bool changed;
};

struct test {
	struct inquiry inquiry;
	struct session s;
	struct session_opt open;
	struct cg_entries entries;
	const char *main_class, *patterns, *only, *precisions;
	uint32_t splits, most, every, turn;
	struct component application;
	uint32_t split;
	enum reach_precision precision;
	struct pta *a;
	struct booted *booted;
	struct linker linker;
	method_id start;
	struct map quiet;                 /* method -> 1: not entered */
	VEC(bool) has_stmt;               /* by site */
	VEC(uint32_t) escaping;           /* objects, for V-DataReach */
	struct call c;
	struct set found;                 /* of a call by its caller and pc: target * 2 + is_later */
	struct strbuf text;
	uint64_t calls, callbacks, wrong, left_out, largest;
};

/* Sets */

static uint32_t set_len(const struct set *s)
{
	return s->has.keys.len;
}

static uint64_t set_at(const struct set *s, uint32_t i)
{
	return s->has.keys.data[i];
}

static bool put_in(struct set *s, uint64_t x)
{
	return seen_add(&s->has, x);
}

static struct set *u_of(struct call *c, node_id n)
{
	uint32_t *at = map_at(&c->row_of, n.i);

	if (!*at) {
		*at = c->u.len;
		vec_push(&c->u, (struct set){ 0 });
		vec_push(&c->node_of, n.i);
	}
	return &c->u.data[*at];
}

static void begin(struct call *c)
{
	for (uint32_t i = 0; i < c->u.len; i++)
		seen_release(&c->u.data[i].has);
	vec_clear(&c->u);
	vec_clear(&c->node_of);
	map_release(&c->row_of);
	c->row_of = (struct map){ 0 };
	vec_push(&c->u, (struct set){ 0 });
	vec_push(&c->node_of, 0);
	struct set *sets[] = { &c->accessible, &c->reached, &c->edges, &c->backs };
	for (size_t i = 0; i < ARRAY_LEN(sets); i++)
		seen_cut(&sets[i]->has, 0);
}

/* Nothing holds what it does not hold in the whole program. */
static void put(struct test *t, node_id n, object_id o)
{
	if (n.i && solver_has(t->a->s, n, o))
		t->c.changed |= put_in(u_of(&t->c, n), o.i);
}

static void share(struct test *t, object_id o)
{
	t->c.changed |= put_in(&t->c.accessible, o.i);
}

static bool is_shared(const struct test *t, object_id o)
{
	return seen_has(&t->c.accessible.has, o.i);
}

static bool passes(const struct test *t, mask_id m, object_id o)
{
	return solver_mask_has(t->a->s, m, solver_kind_of(t->a->s, o));
}

/* Objects of U, and those that come meanwhile: *at is 0 first. */
static bool next_u(struct test *t, node_id n, uint32_t *at, object_id *o)
{
	const struct set *u = u_of(&t->c, n);

	if (*at >= set_len(u))
		return false;
	*o = (object_id){ (uint32_t)set_at(u, (*at)++) };
	return true;
}

typedef void object_fn(struct test *t, void *ctx, object_id o);

static void each_pt(struct test *t, node_id n, object_fn *fn, void *ctx)
{
	struct set_view v = solver_set(t->a->s, n);

	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t bits = v.words[i]; bits; bits &= bits - 1)
			fn(t, ctx, (object_id){ v.blocks[i] * 64 + first_bit(bits) });
}

struct moving { node_id to; mask_id mask; };

static void take_one(struct test *t, void *ctx, object_id o)
{
	const struct moving *m = ctx;

	if (passes(t, m->mask, o))
		put(t, m->to, o);
}

static void share_one(struct test *t, void *ctx ATTR_UNUSED, object_id o)
{
	share(t, o);
}

static void take_pt(struct test *t, node_id from, node_id to, mask_id mask)
{
	each_pt(t, from, take_one, &(struct moving){ to, mask });
}

static void share_pt(struct test *t, node_id n)
{
	each_pt(t, n, share_one, NULL);
}

static void copy(struct test *t, node_id from, node_id to, mask_id mask)
{
	object_id o;

	if (from.i != to.i)
		for (uint32_t at = 0; next_u(t, from, &at, &o);)
			if (passes(t, mask, o))
				put(t, to, o);
}

static void share_u(struct test *t, node_id n)
{
	object_id o;

	for (uint32_t at = 0; next_u(t, n, &at, &o);)
		share(t, o);
}

/* Fields of objects */

static bool has_slot(struct test *t, object_id o, uint32_t slot)
{
	kind_id k = solver_kind_of(t->a->s, o);
	class_id c = t->a->kinds.classes.data[k.i];

	return !is_unknown_kind(t->a, k.i) && !is_world_kind(t->a, k.i) && k.i != map_get(&t->a->kinds.empty_of, c.i) &&
	       slot < class_slots(t->a, c);
}

/* 4 */
static void load(struct test *t, object_id o, uint32_t slot, node_id to, mask_id mask)
{
	if (!has_slot(t, o, slot))
		return;
	node_id f = solver_slot(t->a->s, o, slot);
	if (is_shared(t, o)) {
		take_pt(t, f, to, mask);
		share_pt(t, f);
	} else {
		copy(t, f, to, mask);
	}
}

/* 3: what is in a field that others can get at is theirs. */
static void store(struct test *t, node_id from, object_id o, uint32_t slot)
{
	if (!has_slot(t, o, slot))
		return;
	node_id f = solver_slot(t->a->s, o, slot);
	copy(t, from, f, (mask_id){ 0 });
	if (is_shared(t, o))
		share_u(t, f);
}

/* Classes of methods */

static bool is_own_class(const struct test *t, class_id c)
{
	if (!t->splits)
		return component_has(&t->application, c);
	if (!session_is_application(&t->s, c))
		return false;
	struct str name = class_name(&t->s.program, c);
	uint32_t h = t->split * 2654435761u;
	for (uint32_t i = 0; i < name.len; i++)
		h = (h ^ (uint8_t)name.p[i]) * 16777619u;
	return (h >> 13) % 3 != 0;
}

static bool is_library_method(const void *ctx, method_id m)
{
	const struct test *t = ctx;

	return !is_own_class(t, method_row(&t->s.program, m)->owner);
}

/* Lambdas' classes, and code that stands for reflection, are passed through. */
static bool is_library(const struct test *t, method_id m)
{
	const struct program *p = &t->s.program;

	if (t->a->dynamic && dynamic_is_dispatcher(t->a->dynamic, m))
		return true;
	return class_row(p, method_row(p, m)->owner)->kind == CLASS_SYNTHETIC || is_library_method(t, m);
}

/* Which methods of the JDK's call nothing back is the analysis's: it is runs that show whether they do. */
static bool is_entered(const struct test *t, method_id m)
{
	if (map_get(&t->quiet, m.i))
		return false;
	return t->precision != REACH_LIBRARY || is_library(t, m);
}

static bool is_initialised(const void *ctx, class_id c)
{
	return booted_has(((const struct test *)ctx)->booted, c);
}

/* Reaching methods */

static method_id method_of(const struct test *t, uint32_t in)
{
	return t->a->instances.data[in].method;
}

static void reach(struct test *t, uint32_t in)
{
	if (!map_get(&t->quiet, method_of(t, in).i))
		t->c.changed |= put_in(&t->c.reached, in);
}

static void call_back(struct test *t, uint32_t by, method_id target)
{
	if (is_library(t, method_of(t, by)))
		t->c.changed |= put_in(&t->c.backs, map_key(by, target.i));
}

static void add_edge_to(struct test *t, uint32_t from, uint32_t to)
{
	if (!is_library(t, method_of(t, to)))
		call_back(t, from, method_of(t, to));
	if (!is_entered(t, method_of(t, to)))
		return;
	reach(t, to);
	t->c.changed |= put_in(&t->c.edges, map_key(from, to));
}

/* Initialisers */

struct needing { struct test *t; uint32_t in; class_id running; };

static void initialise_one(void *ctx, class_id of, method_id clinit)
{
	struct needing *n = ctx;
	struct pta *a = n->t->a;

	if (!clinit.i || clinit.i >= a->templates.len || !a->templates.data[clinit.i] || !a->templates.data[clinit.i]->plain)
		return;
	if (is_initialised(n->t, of) || (n->running.i && hierarchy_is_subclass(&a->h, n->running, of)))
		return;
	add_edge_to(n->t, n->in, a->templates.data[clinit.i]->plain);
}

static void initialise(struct test *t, uint32_t in, class_id c, class_id running)
{
	hierarchy_initialisers(&t->a->h, c, initialise_one, &(struct needing){ t, in, running });
}

static class_id running_class(const struct test *t, uint32_t in)
{
	class_id c = method_row(&t->s.program, method_of(t, in))->owner;
	const struct ir_class *row = class_row(&t->s.program, c);

	return row->kind == CLASS_SYNTHETIC && row->outer.i ? row->outer : c;
}

/* Exceptions */

static void throw(struct test *t, uint32_t in, uint32_t scope, node_id from, bool is_whole)
{
	const struct template *x = template_at(t->a, in);
	const struct scope *s = &x->scopes[scope];

	for (uint32_t i = 0; i < s->n; i++) {
		const struct handler *h = &x->handlers[s->first + i];
		if (h->var)
			(is_whole ? take_pt : copy)(t, from, variable_node(t->a, in, h->var), h->mask);
	}
	if (!s->catches_all && from.i != x->thrown.i)
		(is_whole ? take_pt : copy)(t, from, x->thrown, s->n ? s->escapes : (mask_id){ 0 });
}

/* Calls */

typedef void callee_fn(struct test *t, uint32_t in, const struct t_stmt *s, uint32_t callee, object_id receiver);

static void in_context(struct test *t, uint32_t in, const struct t_stmt *s, method_id target, context_id c, object_id o, callee_fn *fn)
{
	struct pta *a = t->a;
	uint32_t callee = c.i ? map_get(&a->instance_by_key, map_key(target.i, c.i)) : a->templates.data[target.i]->plain;

	if (callee)
		fn(t, in, s, callee, o);
}

/* StaticLookup, in the contexts that the policy says. */
static void look_up(struct test *t, uint32_t in, const struct t_stmt *s, object_id o, callee_fn *fn)
{
	struct pta *a = t->a;
	const struct link *l = &a->sites.data[s->ref].link;
	kind_id k = solver_kind_of(a->s, o);
	bool is_incomplete = false;
	method_id target;

	if (is_world_kind(a, k.i))
		return;
	if (l->sort == LINK_ONE || is_unknown_kind(a, k.i))
		target = only_target(a, l);
	else
		target = dispatch_select(&a->h, l->site.mref, a->kinds.classes.data[k.i], &is_incomplete);
	if (!target.i || target.i >= a->templates.len || !a->templates.data[target.i])
		return;
	if (has_one_context(a, s->ref, k.i, target)) {
		in_context(t, in, s, target, context_of(a, in, s->ref, (object_id){ k.i }, target), o, fn);
		return;
	}
	if (is_mixed_call(a, in, s->ref))
		in_context(t, in, s, target, (context_id){ 0 }, o, fn);
	in_context(t, in, s, target, context_of(a, in, s->ref, o, target), o, fn);
}

static bool is_fixed(const struct test *t, const struct site *s)
{
	return s->link.sort == LINK_REFLECTED ||
	       (s->link.sort == LINK_ONE && (method_row(&t->s.program, s->link.target)->flags & ACCESS_STATIC));
}

static void fixed_callees(struct test *t, uint32_t in, const struct t_stmt *s, callee_fn *fn)
{
	struct pta *a = t->a;
	const struct site *site = &a->sites.data[s->ref];

	for (uint32_t i = 0; i < site->targets.len; i++) {
		method_id m = site->targets.data[i];
		in_context(t, in, s, m, context_of(a, in, s->ref, (object_id){ 0 }, m), (object_id){ 0 }, fn);
	}
}

static const uint32_t *operands(const struct test *t, uint32_t in, const struct t_stmt *s, uint32_t *n)
{
	const struct template *x = template_at(t->a, in);

	*n = x->args[s->from];
	return x->args + s->from + 1;
}

static node_id var(struct test *t, uint32_t in, uint32_t v)
{
	return v ? variable_node(t->a, in, v) : (node_id){ 0 };
}

/* 5' for methods of the application: they may do anything with what they get, and give back what they ever do. */
static void leave(struct test *t, uint32_t in, const struct t_stmt *s, uint32_t callee, object_id receiver)
{
	const struct template *to = template_at(t->a, callee);
	uint32_t n;
	const uint32_t *args = operands(t, in, s, &n);

	if (receiver.i)
		share(t, receiver);
	for (uint32_t i = to->has_receiver; i < n; i++)
		if (args[i])
			share_u(t, var(t, in, args[i]));
	if (s->to && to->returns) {
		take_pt(t, var(t, callee, to->returns), var(t, in, s->to), (mask_id){ 0 });
		share_pt(t, var(t, callee, to->returns));
	}
	throw(t, in, s->more, to->thrown, true);
	share_pt(t, to->thrown);
}

/* 5 and 8, 5' and its counterpart for static calls */
static void call(struct test *t, uint32_t in, const struct t_stmt *s, uint32_t callee, object_id receiver)
{
	const struct template *to = template_at(t->a, callee);
	uint32_t n;
	const uint32_t *args = operands(t, in, s, &n);

	add_edge_to(t, in, callee);
	if (!is_entered(t, method_of(t, callee))) {
		leave(t, in, s, callee, receiver);
		return;
	}
	if (receiver.i && to->has_receiver && to->params[0])
		put(t, var(t, callee, to->params[0]), receiver);
	for (uint32_t i = to->has_receiver; i < n && i < to->nparams; i++)
		if (args[i] && to->params[i])
			copy(t, var(t, in, args[i]), var(t, callee, to->params[i]), (mask_id){ 0 });
	if (s->to && to->returns)
		copy(t, var(t, callee, to->returns), var(t, in, s->to), (mask_id){ 0 });
	throw(t, in, s->more, to->thrown, false);
}

/* Called on, and with, who knows what. */
static void call_open(struct test *t, uint32_t in, method_id m)
{
	const struct template *x = m.i < t->a->templates.len ? t->a->templates.data[m.i] : NULL;

	if (!is_library(t, m))
		call_back(t, in, m);
	if (!x || !x->plain || !is_entered(t, m))
		return;
	add_edge_to(t, in, x->plain);
	for (uint32_t i = 0; i < x->nparams; i++)
		if (x->params[i]) {
			take_pt(t, var(t, x->plain, x->params[i]), var(t, x->plain, x->params[i]), (mask_id){ 0 });
			share_pt(t, var(t, x->plain, x->params[i]));
		}
}

static void call_open_site(struct test *t, uint32_t in, uint32_t site)
{
	for (uint32_t i = 0; i < t->a->sites.data[site].targets.len; i++)
		call_open(t, in, t->a->sites.data[site].targets.data[i]);
}

static void apply_call(struct test *t, uint32_t in, const struct t_stmt *s)
{
	const struct site *site = &t->a->sites.data[s->ref];
	uint32_t n;
	const uint32_t *args = operands(t, in, s, &n);
	object_id o;

	if (site->callbacks)
		call_open_site(t, in, site->callbacks);
	if (site->link.sort == LINK_NOTHING)
		return;
	if (is_fixed(t, site))
		fixed_callees(t, in, s, call);
	else if (!n)
		call_open_site(t, in, s->ref);
	else if (args[0])
		for (uint32_t at = 0; next_u(t, var(t, in, args[0]), &at, &o);)
			if (passes(t, receiver_mask(t->a, &site->link), o))
				look_up(t, in, s, o, call);
}

/* Statements */

static void apply_access(struct test *t, uint32_t in, const struct t_stmt *s)
{
	struct pta *a = t->a;
	bool is_element = s->op == T_GET_ELEMENT || s->op == T_PUT_ELEMENT, is_get = s->op == T_LOAD || s->op == T_GET_ELEMENT;
	class_id of = is_element ? a->object_array : field_row(a->p, (field_id){ s->ref })->owner;
	uint32_t slot = is_element ? 0 : slot_of_field(a, (field_id){ s->ref });
	bool is_typed = s->op == T_GET_ELEMENT && s->ref && s->ref != a->p->object.i;
	mask_id guard = mask_of_class(a, of), mask = is_typed ? mask_of_class(a, (class_id){ s->ref }) : (mask_id){ 0 };
	node_id from = var(t, in, s->from), to = var(t, in, s->to), base = is_get ? from : to;
	object_id o;

	for (uint32_t at = 0; next_u(t, base, &at, &o);) {
		if (!passes(t, guard, o))
			continue;
		if (is_get)
			load(t, o, slot, to, mask);
		else
			store(t, from, o, slot);
	}
}

/* Memory by offset */
static void apply_any(struct test *t, uint32_t in, const struct t_stmt *s)
{
	struct pta *a = t->a;
	bool is_get = s->op == T_GET_ANY;
	node_id from = var(t, in, s->from), to = var(t, in, s->to);
	object_id o;

	for (uint32_t at = 0; next_u(t, is_get ? from : to, &at, &o);) {
		kind_id k = solver_kind_of(a->s, o);
		class_id c = a->kinds.classes.data[k.i];
		for (uint32_t i = 0; has_slot(t, o, i); i++) {
			class_id type = k.i == a->kinds.any_array.i ? (class_id){ 0 } : slot_type(a, c, i);
			if (!is_get)
				store(t, from, o, i);
			else if (is_constant_type(a, type))
				put(t, to, solver_kind_object(a->s, kind_of_class(a, type)));
			else
				load(t, o, i, to, (mask_id){ 0 });
		}
	}
}

static void apply(struct test *t, uint32_t in, const struct t_stmt *s)
{
	struct pta *a = t->a;
	class_id c = { s->ref };

	switch ((enum t_op)s->op) {
	case T_OBJECT:           /* 1 */
		if (s->to)
			put(t, var(t, in, s->to), object_at(a, s->ref, a->instances.data[in].context));
		break;
	case T_COPY:             /* 2 */
		copy(t, var(t, in, s->from), var(t, in, s->to),
		     !c.i ? (mask_id){ 0 } : s->more ? mask_of_known(a, c) : mask_of_class(a, c));
		break;
	case T_LOAD:
	case T_STORE:
	case T_GET_ELEMENT:
	case T_PUT_ELEMENT:
		apply_access(t, in, s);
		break;
	case T_GET_STATIC:       /* 7 */
		take_pt(t, static_node(a, s->ref), var(t, in, s->to), (mask_id){ 0 });
		share_pt(t, static_node(a, s->ref));
		break;
	case T_PUT_STATIC:       /* 6 */
		share_u(t, var(t, in, s->from));
		break;
	case T_GET_ANY:
	case T_PUT_ANY:
		apply_any(t, in, s);
		break;
	case T_RAISE:
		for (uint32_t i = 0; i < template_at(a, in)->scopes[s->more].n; i++) {
			const struct handler *h = &template_at(a, in)->handlers[template_at(a, in)->scopes[s->more].first + i];
			if (h->var)
				take_pt(t, static_node(a, jvm_field(a->raised_field)), var(t, in, h->var), h->mask);
		}
		break;
	case T_THROW:
		throw(t, in, s->more, var(t, in, s->from), false);
		break;
	case T_CALL:
		apply_call(t, in, s);
		break;
	}
}

static void apply_instance(struct test *t, uint32_t in)
{
	const struct template *x = template_at(t->a, in);

	for (uint32_t v = 1; v <= x->nvars; v++)        /* what is not known may come from anywhere */
		take_pt(t, var(t, in, v), var(t, in, v), t->a->kinds.only_unknown);
	for (uint32_t i = 0; i < x->nstmts; i++)
		apply(t, in, &x->stmts[i]);
	for (uint32_t i = 0; i < x->ninitialised; i++)
		initialise(t, in, x->initialises[i], running_class(t, in));
	for (uint32_t i = x->first_site; i < x->first_site + x->nsites; i++)
		if (!t->has_stmt.data[i])
			call_open_site(t, in, i);
}

/* What others can get at before the call, beside its arguments: what the JVM may change, and what is not known. */
static void share_first(struct test *t)
{
	struct pta *a = t->a;
	struct ir_class jvm = *class_row(a->p, a->linker.jvm);

	for (uint32_t m = jvm.first_method; m < jvm.first_method + jvm.nmethods; m++) {
		const struct template *x = m < a->templates.len ? a->templates.data[m] : NULL;
		for (uint32_t i = 0; x && x->plain && i < x->nparams; i++)
			if (x->params[i])
				share_pt(t, variable_node(a, x->plain, x->params[i]));
	}
	for (uint32_t i = 0; i < a->kinds.unknowns.len; i++)
		share(t, (object_id){ a->kinds.unknowns.data[i].kind.i });
	for (uint32_t i = 0; t->precision == REACH_ESCAPES && i < t->escaping.len; i++)
		share(t, (object_id){ t->escaping.data[i] });
}

/* V-DataReach: objects that leave the method that makes them. It returns or throws them; they get into a static field, into an object
 * that leaves its own method, or into one that another makes. Nobody knows who makes those that stand for their class; threads live. */

static method_id maker_of(const struct test *t, object_id o)
{
	const struct pta_place *is = &t->a->places.data[object_place(t->a, o)].is;

	return is->sort == PLACE_NEW ? is->method : (method_id){ 0 };
}

static void leave_if_made(struct test *t, void *ctx, object_id o)
{
	if (maker_of(t, o).i == ((const method_id *)ctx)->i)
		share(t, o);
}

static void leave_other(struct test *t, void *ctx, object_id o)
{
	object_id of = *(const object_id *)ctx;

	if (is_shared(t, of) || maker_of(t, of).i != maker_of(t, o).i)
		share(t, o);
}

static void leave_by_object(struct test *t, void *ctx ATTR_UNUSED, object_id o)
{
	class_id thread = program_find_class(&t->s.program, STR("java/lang/Thread"));
	class_id c = t->a->places.data[object_place(t->a, o)].is.cls;

	if (!maker_of(t, o).i || (c.i && thread.i && hierarchy_is_subtype(&t->a->h, c, thread)))
		share(t, o);
	for (uint32_t i = 0; has_slot(t, o, i); i++)
		each_pt(t, solver_slot(t->a->s, o, i), leave_other, &o);
}

static void leave_methods(struct test *t)
{
	struct pta *a = t->a;

	for (uint32_t in = 1; in < a->instances.len; in++) {
		const struct template *x = template_at(a, in);
		method_id m = method_of(t, in);
		if (x->returns)
			each_pt(t, variable_node(a, in, x->returns), leave_if_made, &m);
		each_pt(t, x->thrown, leave_if_made, &m);
		for (uint32_t i = 0; i < x->nstmts; i++)
			if (x->stmts[i].op == T_GET_STATIC || x->stmts[i].op == T_PUT_STATIC)
				share_pt(t, static_node(a, x->stmts[i].ref));
	}
}

/* The same for all calls: kept in t->escaping. */
static void find_escaping(struct test *t)
{
	begin(&t->c);
	leave_methods(t);
	do {
		t->c.changed = false;
		each_pt(t, t->a->everything, leave_by_object, NULL);
	} while (t->c.changed);
	vec_clear(&t->escaping);
	for (uint32_t i = 0; i < set_len(&t->c.accessible); i++)
		vec_push(&t->escaping, (uint32_t)set_at(&t->c.accessible, i));
}

/* A library call: its targets get their arguments, and the classes of static ones and constructors are initialised. */

static bool has_library_callee;          /* of this program, which has one thread */

static void see_callee(struct test *t, uint32_t in ATTR_UNUSED, const struct t_stmt *s ATTR_UNUSED, uint32_t callee,
		       object_id receiver ATTR_UNUSED)
{
	has_library_callee |= is_library(t, method_of(t, callee));
}

static void give_arguments(struct test *t, uint32_t in, const struct t_stmt *s, uint32_t callee, object_id receiver)
{
	const struct template *to = template_at(t->a, callee);
	struct ir_method m = *method_row(&t->s.program, method_of(t, callee));
	uint32_t n;
	const uint32_t *args = operands(t, in, s, &n);

	if (!is_library(t, method_of(t, callee)))
		return;
	reach(t, callee);
	if ((m.flags & ACCESS_STATIC) || str_is(sel_name(&t->s.program, m.sel), "<init>"))
		initialise(t, callee, m.owner, (class_id){ 0 });
	if (receiver.i && to->has_receiver && to->params[0])
		put(t, var(t, callee, to->params[0]), receiver);
	for (uint32_t i = to->has_receiver; i < n && i < to->nparams; i++)
		if (args[i] && to->params[i])
			take_pt(t, var(t, in, args[i]), var(t, callee, to->params[i]), (mask_id){ 0 });
}

struct asked { uint32_t in; const struct t_stmt *s; callee_fn *fn; };

static void callee_of_one(struct test *t, void *ctx, object_id o)
{
	const struct asked *a = ctx;

	look_up(t, a->in, a->s, o, a->fn);
}

static void each_callee(struct test *t, uint32_t in, const struct t_stmt *s, callee_fn *fn)
{
	const struct site *site = &t->a->sites.data[s->ref];
	uint32_t n;
	const uint32_t *args = operands(t, in, s, &n);

	if (is_fixed(t, site))
		fixed_callees(t, in, s, fn);
	else if (site->link.sort != LINK_NOTHING && n && args[0])
		each_pt(t, var(t, in, args[0]), callee_of_one, &(struct asked){ in, s, fn });
}

/* Does not come to an end: false. */
static bool solve(struct test *t, uint32_t in, const struct t_stmt *s)
{
	uint32_t n;
	const uint32_t *args = operands(t, in, s, &n);

	begin(&t->c);
	share_first(t);
	for (uint32_t i = 0; i < n; i++)
		if (args[i])
			share_pt(t, var(t, in, args[i]));
	each_callee(t, in, s, give_arguments);
	do {
		t->c.changed = false;
		for (uint32_t i = 0; i < set_len(&t->c.reached); i++) {
			if (t->most && set_len(&t->c.reached) > t->most)
				return false;
			apply_instance(t, (uint32_t)set_at(&t->c.reached, i));
		}
	} while (t->c.changed);
	return true;
}

/* Callbacks: paths from the call, through methods of the library; at once as long as no thread is started on the way. */

static struct set walked;                /* map_key(instance, is_later) */

static void go_to(struct test *t, uint32_t in, bool is_later)
{
	if (is_library(t, method_of(t, in)))
		put_in(&walked, map_key(in, is_later));
}

static void go_to_callee(struct test *t, uint32_t in ATTR_UNUSED, const struct t_stmt *s ATTR_UNUSED, uint32_t callee,
			 object_id receiver ATTR_UNUSED)
{
	go_to(t, callee, false);
}

static void walk(struct test *t)
{
	uint32_t done = 0;

	while (done < set_len(&walked)) {
		uint64_t at = set_at(&walked, done++);
		uint32_t in = (uint32_t)(at >> 32);
		bool is_later = (at & 1) || method_of(t, in).i == t->start.i;
		for (uint32_t i = 0; i < set_len(&t->c.edges); i++)
			if (set_at(&t->c.edges, i) >> 32 == in)
				go_to(t, (uint32_t)set_at(&t->c.edges, i), is_later);
		for (uint32_t i = 0; i < set_len(&t->c.backs); i++)
			if (set_at(&t->c.backs, i) >> 32 == in)
				put_in(&t->found, (set_at(&t->c.backs, i) & UINT32_MAX) * 2 + is_later);
	}
}

static void find_callbacks(struct test *t, uint32_t in, const struct t_stmt *s)
{
	seen_cut(&walked.has, 0);
	if (!set_len(&t->c.backs))
		return;
	each_callee(t, in, s, go_to_callee);
	walk(t);
}

/* Comparing */

static bool has_found(const struct test *t, method_id m, bool is_later)
{
	return seen_has(&t->found.has, (uint64_t)m.i * 2 + is_later);
}

static void complain(struct test *t, const struct reach_call *c, const char *what, method_id m)
{
	if (t->wrong++ >= SHOWN)
		return;
	strbuf_clear(&t->text);
	print_method(&t->s.program, c->caller, &t->text);
	strbuf_addf(&t->text, "@%u: %s ", (unsigned)c->pc, what);
	print_method(&t->s.program, m, &t->text);
	printf("  %s\n", t->text.s);
}

static void compare(struct test *t, const struct reach_result *r, const struct reach_call *c)
{
	uint32_t n = 0;

	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		const struct reach_edge *e = &r->edges.data[i];
		bool is_at_once = has_found(t, e->target, false);
		if (!is_at_once && !has_found(t, e->target, true))
			complain(t, c, "there is no callback", e->target);
		else if (e->is_later == is_at_once)
			complain(t, c, "at once or later, the other way round:", e->target);
	}
	for (uint32_t i = 0; i < set_len(&t->found); i++) {
		method_id m = { (uint32_t)(set_at(&t->found, i) / 2) };
		bool is_there = false;
		for (uint32_t k = c->first; k < c->first + c->n; k++)
			is_there |= r->edges.data[k].target.i == m.i;
		n++;
		if (!is_there)
			complain(t, c, "missing is", m);
	}
	t->calls++;
	t->callbacks += n;
}

/* All instances of the caller ask the same. False: some take too long. */
static bool ask_all(struct test *t, const struct reach_call *c)
{
	struct pta *a = t->a;

	seen_cut(&t->found.has, 0);
	for (uint32_t in = 1; in < a->instances.len; in++) {
		const struct template *x = template_at(a, in);
		if (method_of(t, in).i != c->caller.i)
			continue;
		for (uint32_t i = 0; i < x->nstmts; i++) {
			const struct t_stmt *s = &x->stmts[i];
			if (s->op != T_CALL || a->sites.data[s->ref].link.site.pc != c->pc)
				continue;
			uint32_t open = a->sites.data[s->ref].callbacks;
			for (uint32_t k = 0; open && k < a->sites.data[open].targets.len; k++)
				if (!is_library(t, a->sites.data[open].targets.data[k]))
					put_in(&t->found, (uint64_t)a->sites.data[open].targets.data[k].i * 2);
			has_library_callee = false;
			each_callee(t, in, s, see_callee);
			if (has_library_callee && !solve(t, in, s))
				return false;
			if (has_library_callee)
				find_callbacks(t, in, s);
			t->largest = set_len(&t->c.reached) > t->largest ? set_len(&t->c.reached) : t->largest;
		}
	}
	return true;
}

/* Calls of the library that are not asked about at all. */
static void find_forgotten(struct test *t, const struct reach_result *r)
{
	struct pta *a = t->a;
	struct set known = { 0 };

	for (uint32_t i = 0; i < r->calls.len; i++)
		put_in(&known, map_key(r->calls.data[i].caller.i, r->calls.data[i].pc));
	for (uint32_t in = 1; in < a->instances.len; in++) {
		const struct template *x = template_at(a, in);
		if (!method_of(t, in).i || is_library(t, method_of(t, in)))
			continue;
		for (uint32_t i = 0; i < x->nstmts; i++) {
			if (x->stmts[i].op != T_CALL)
				continue;
			struct cg_site site = a->sites.data[x->stmts[i].ref].link.site;
			has_library_callee = false;
			each_callee(t, in, &x->stmts[i], see_callee);
			if (has_library_callee && !seen_has(&known.has, map_key(method_of(t, in).i, site.pc)))
				complain(t, &(struct reach_call){ .caller = method_of(t, in), .pc = site.pc }, "not asked:", method_of(t, in));
		}
	}
	seen_release(&known.has);
}

static bool is_in(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == n && memcmp(at, name, n) == 0)
			return true;
	return !list;
}

static void check(struct test *t, const char *algorithm, const char *precision)
{
	struct reach_opt opt = { .precision = t->precision, .is_library = is_library_method, .is_initialised = is_initialised, .ctx = t };
	struct reach_result r;
	uint64_t wrong = t->wrong, calls = t->calls, callbacks = t->callbacks;

	reach_compute(t->a, &opt, &r);
	map_release(&t->quiet);
	t->quiet = (struct map){ 0 };
	reach_quiet(t->a, &opt, &t->quiet);
	find_forgotten(t, &r);
	for (uint32_t i = 0; i < r.calls.len; i++) {
		if (t->turn++ % t->every)
			continue;
		if (!r.calls.data[i].is_done || !ask_all(t, &r.calls.data[i]))
			t->left_out++;
		else
			compare(t, &r, &r.calls.data[i]);
	}
	printf("%s %s by %s", t->wrong == wrong ? "ok" : "not ok", precision, algorithm);
	if (t->splits)
		printf(", split %u", (unsigned)t->split);
	printf(": %llu calls, %llu callbacks\n", (unsigned long long)(t->calls - calls), (unsigned long long)(t->callbacks - callbacks));
	fflush(stdout);
	reach_release(&r);
}

static const struct { const char *name; enum reach_precision is; } precisions[] = {
	{ "v-datareach", REACH_ESCAPES }, { "va-datareach", REACH_ACCESSIBLE }, { "va-datareach-ft", REACH_LIBRARY },
};

static void note_sites(struct test *t)
{
	struct pta *a = t->a;

	vec_clear(&t->has_stmt);
	for (uint32_t i = 0; i < a->sites.len; i++)
		vec_push(&t->has_stmt, false);
	for (uint32_t i = 0; i < a->reached.len; i++) {
		const struct template *x = a->templates.data[a->reached.data[i].i];
		for (uint32_t k = 0; k < x->nstmts; k++)
			if (x->stmts[k].op == T_CALL)
				t->has_stmt.data[x->stmts[k].ref] = true;
	}
}

static bool is_of_jdk(const void *ctx, class_id c)
{
	return !session_is_application(ctx, c);
}

static method_id find_start(struct program *p)
{
	class_id thread = program_find_class(p, STR("java/lang/Thread"));

	if (!thread.i || class_row(p, thread)->state != LOAD_DONE)
		return (method_id){ 0 };
	return program_declared(p, thread, program_sel(p, STR("start0"), STR("()V")));
}

static void check_algorithm(struct test *t, const struct algorithm *a)
{
	struct dynamic_opt dynamic = { .level = DYNAMIC_LISTED, .is_library = is_of_jdk, .ctx = &t->s };
	struct pta_opt opt = { .policy = a->policy, .heap = pta_default_heap, .jvm = true, .dynamic = &dynamic };

	t->a = pta_compute(&t->s.program, &t->entries, &opt);
	t->start = find_start(&t->s.program);
	note_sites(t);
	find_escaping(t);
	for (t->split = t->splits ? 1 : 0; t->split <= t->splits; t->split++)
		for (size_t i = 0; i < ARRAY_LEN(precisions); i++) {
			t->precision = precisions[i].is;
			if (is_in(t->precisions, precisions[i].name))
				check(t, a->name, precisions[i].name);
		}
	pta_free(t->a);
}

/* Start and end */

static bool check_program(struct test *t)
{
	struct program *p = &t->s.program;
	struct hierarchy h;
	struct algorithm a;

	if (!entries_main(&t->s, t->main_class, &t->entries) ||
	    (t->patterns && !component_classes(&t->s, t->patterns, NULL, &t->application)))
		return false;
	hierarchy_init(&h, p);
	linker_init(&t->linker, &h);
	t->booted = booted_compute(&t->linker);
	for (uint32_t i = 0; algorithm_get(i, &a); i++)
		if (algorithm_follows_calls(&a) && is_in(t->only, a.name))
			check_algorithm(t, &a);
	booted_free(t->booted);
	linker_release(&t->linker);
	hierarchy_release(&h);
	return t->wrong == 0 && t->calls > 0;
}

static bool read_option(struct test *t, const char *name, char *value)
{
	const struct { const char *name; const char **text; uint32_t *number; } options[] = {
		{ "-cp", &t->open.class_path, NULL }, { "--jdk", &t->open.jdk, NULL }, { "--main", &t->main_class, NULL },
		{ "--application", &t->patterns, NULL }, { "--only", &t->only, NULL }, { "--precision", &t->precisions, NULL },
		{ "--splits", NULL, &t->splits }, { "--most", NULL, &t->most }, { "--every", NULL, &t->every },
	};

	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		if (strcmp(options[i].name, name) != 0)
			continue;
		if (options[i].text)
			*options[i].text = value;
		else
			*options[i].number = (uint32_t)atoi(value);
		return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	struct test t = { .every = 1, .open = { .use_cache = true } };
	bool is_usable = argc > 1 && argc % 2 == 1;

	for (int i = 1; is_usable && i + 1 < argc; i += 2)
		is_usable = read_option(&t, argv[i], argv[i + 1]);
	if (!is_usable || !t.every || !t.main_class || !t.splits == !t.patterns) {
		fprintf(stderr, "usage: reachref -cp PATH [--jdk DIR|none] --main CLASS (--application PATTERNS | --splits N) [--only LIST] "
				"[--precision LIST] [--most N] [--every N]\n");
		return 2;
	}
	inquiry_init(&t.inquiry, PHASES_JAVA);
	bool holds = session_open(&t.s, &t.inquiry, &t.open) && check_program(&t);
	printf("%llu calls, %llu callbacks, %llu wrong, %llu left out, at most %llu methods\n", (unsigned long long)t.calls,
	       (unsigned long long)t.callbacks, (unsigned long long)t.wrong, (unsigned long long)t.left_out,
	       (unsigned long long)t.largest);
	begin(&t.c);
	vec_release(&t.c.u);
	vec_release(&t.c.node_of);
	struct set *sets[] = { &t.c.accessible, &t.c.reached, &t.c.edges, &t.c.backs, &t.found, &walked };
	for (size_t i = 0; i < ARRAY_LEN(sets); i++)
		seen_release(&sets[i]->has);
	vec_release(&t.has_stmt);
	map_release(&t.quiet);
	vec_release(&t.escaping);
	strbuf_release(&t.text);
	component_release(&t.application);
	entries_release(&t.entries);
	session_close(&t.s);
	inquiry_release(&t.inquiry);
	return holds ? 0 : 1;
}
