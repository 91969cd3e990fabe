/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/chains/graph.h"

#include <stdlib.h>

#include "analysis/callgraph/link.h"
#include "ir/access.h"

/* Lambdas */

bool chain_is_passed(const struct chain_graph *x, method_id m)
{
	const struct ir_class *c = class_row(x->p, method_row(x->p, m)->owner);

	return c->kind == CLASS_SYNTHETIC && c->outer.i && map_get(x->component, c->outer.i);
}

static bool has_method(const chain_methods *in, uint32_t from, method_id m)
{
	for (uint32_t i = from; i < in->len; i++)
		if (in->data[i].i == m.i)
			return true;
	return false;
}

/* A lambda may run another one, and so on: `passed` are those on the way. */
static void pass_through(const struct chain_graph *x, method_id m, chain_methods *passed, uint32_t first, chain_methods *out)
{
	uint32_t n;
	const struct cg_site *sites;

	if (!chain_is_passed(x, m)) {
		if (!has_method(out, first, m))
			vec_push(out, m);
		return;
	}
	if (has_method(passed, 0, m) || !callgraph_reaches(x->calls, m))
		return;
	vec_push(passed, m);
	sites = callgraph_sites(x->calls, m, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct cg_targets t = callgraph_targets(x->calls, &sites[i]);
		for (uint32_t k = 0; k < t.n; k++)
			pass_through(x, t.methods[k], passed, first, out);
	}
}

void chain_pass(const struct chain_graph *x, method_id m, chain_methods *out)
{
	chain_methods passed = { 0 };

	pass_through(x, m, &passed, out->len, out);
	vec_release(&passed);
}

/* An ancestor that is not there may have any type; but Object has none. */
static bool misses_ancestor(const struct chain_graph *x, class_id c)
{
	struct supertypes s = hierarchy_supertypes(x->h, c);

	for (uint32_t i = 0; i < s.n; i++)
		if (class_row(x->p, s.classes[i])->kind == CLASS_PHANTOM && s.classes[i].i != x->p->object.i)
			return true;
	return false;
}

/* Is a class outside between the class, itself included, and its ancestor? What it has instead of a method of that may call it. */
static bool is_extended_outside(const struct chain_graph *x, class_id c, class_id ancestor)
{
	for (; c.i && c.i != ancestor.i; c = class_row(x->p, c)->super)
		if (!map_get(x->component, c.i))
			return true;
	return false;
}

static bool is_named(const struct chain_graph *x, method_id m, const char *name)
{
	return str_is(sel_name(x->p, method_row(x->p, m)->sel), name);
}

static bool enters(const struct chain_graph *x, method_id m, class_id c)
{
	class_id owner = method_row(x->p, m)->owner;

	if (c.i == owner.i || is_extended_outside(x, c, owner) || misses_ancestor(x, c))
		return true;
	if (is_named(x, m, "<init>"))
		return false;
	bool is_interface = class_row(x->p, owner)->flags & ACCESS_INTERFACE;
	return (is_interface ? select_interface : select_method)(x->h, c, m).i == m.i;
}

/* A private method, as the body of a lambda, is not selected by class. */
class_id chain_entry_self(const struct chain_graph *x, uint32_t node)
{
	method_id m = x->methods.data[node];
	uint16_t flags = method_row(x->p, m)->flags;
	bool is_selected = !(flags & ACCESS_STATIC) && (!(flags & ACCESS_PRIVATE) || is_named(x, m, "<init>"));

	return (class_id){ is_selected ? node | SELF_ENTERED : 0 };
}

static bool is_entered_with(const struct chain_graph *x, uint32_t node, class_id c)
{
	return !x->entered || x->entered->is_any[node] || map_get(&x->entered->has, map_key(node, c.i));
}

class_id chain_self_class(const struct chain_graph *x, class_id self, bool *is_exact)
{
	*is_exact = self.i && !(self.i & (SELF_BELOW | SELF_ENTERED));
	if (self.i & SELF_ENTERED)
		return method_row(x->p, x->methods.data[self.i & ~SELF_ENTERED])->owner;
	return (class_id){ self.i & ~SELF_BELOW };
}

bool chain_self_may_be(const struct chain_graph *x, class_id self, class_id c)
{
	bool is_exact;
	class_id of = chain_self_class(x, self, &is_exact);

	if (is_exact)
		return of.i == c.i;
	if (!hierarchy_is_subtype(x->h, c, of))
		return misses_ancestor(x, c);
	uint32_t node = self.i & ~SELF_ENTERED;
	return !(self.i & SELF_ENTERED) || (is_entered_with(x, node, c) && enters(x, x->methods.data[node], c));
}

/* Making the graph */

struct maker {
	struct chain_graph *x;
	const struct callgraph *g;
	struct arena mem;                 /* of the body that is looked at */
	const struct ir_body *body;       /* NULL: it has none, or is native */
	const struct ir_stmt **by_value;  /* the statement that defines each value */
	uint32_t node;
	VEC(struct chain_edge) edges;     /* of the node */
	chain_methods targets;            /* scratch */
	struct map rank_of;               /* class -> place by printed name */
	struct map has_outside;           /* method -> the last node that runs it */
	struct map site_of;               /* (node, pc) -> site: one call may be there twice, as code of a subroutine is */
	struct map selected;              /* method -> the last call, by `stamp`, that a known receiver runs it at */
	uint32_t stamp;
};

static bool in_component(const struct chain_graph *x, method_id m)
{
	class_id owner = method_row(x->p, m)->owner;

	return class_row(x->p, owner)->kind != CLASS_SYNTHETIC && map_get(x->component, owner.i);
}

static void add_nodes(struct chain_graph *x)
{
	vec_push(&x->methods, (method_id){ 0 });
	for (uint32_t k = 0; k < callgraph_nmethods(x->calls); k++) {
		method_id m = callgraph_method(x->calls, k);
		if (!in_component(x, m))
			continue;
		*map_at(&x->node_of, m.i) = x->methods.len;
		vec_push(&x->methods, m);
	}
}

static void read_body(struct maker *k, method_id m)
{
	struct program *p = (struct program *)k->x->p;

	arena_clear(&k->mem);
	k->body = method_row(p, m)->flags & ACCESS_NATIVE ? NULL : p->source.body(p->source.ctx, p, m, &k->mem);
	if (!k->body)
		return;
	k->by_value = arena_zarray(&k->mem, const struct ir_stmt *, k->body->nvalues + 1);
	for (uint32_t i = 0; i < k->body->nstmts; i++)
		if (k->body->stmts[i].result)
			k->by_value[k->body->stmts[i].result] = &k->body->stmts[i];
}

/* The call instruction of a site; NULL: the call is made on behalf of one, or of none. */
static const struct ir_stmt *instruction_of(const struct maker *k, const struct cg_site *s)
{
	for (uint32_t i = 0; k->body && s->mref.i && i < k->body->nstmts; i++) {
		const struct ir_stmt *t = &k->body->stmts[i];
		if (ir_is_call(t->op) && t->op == s->op && t->pc == s->pc && t->ref == s->mref.i && t->sub == IR_CALL_WRITTEN)
			return t;
	}
	return NULL;
}

/* The receiver of a call: a statement that defines it, or NULL. */
static const struct ir_stmt *receiver_of(const struct maker *k, const struct ir_stmt *call)
{
	if (call->op == IR_CALL_STATIC || !call->nargs)
		return NULL;
	return k->by_value[k->body->args[call->args]];
}

static uint32_t add_site(struct maker *k, const struct ir_stmt *call)
{
	struct program *p = (struct program *)k->x->p;
	const struct ir_stmt *receiver = receiver_of(k, call);
	method_id m = k->x->methods.data[k->node];
	uint32_t *known = map_at(&k->site_of, map_key(k->node, call->pc));
	struct chain_site s = { .node = k->node, .pc = call->pc, .op = (uint8_t)call->op, .declared = { call->ref },
				.line = p->source.line(p->source.ctx, p, m, call->pc) };
	s.by_this = receiver && receiver->op == IR_PARAM && receiver->ref == 0 && !(method_row(p, m)->flags & ACCESS_STATIC);
	if (receiver && receiver->op == IR_NEW && call->op == IR_CALL_SPECIAL)
		s.made = (class_id){ receiver->ref };
	if (*known) {
		k->x->sites.data[*known].by_this &= s.by_this;
		return *known;
	}
	*known = k->x->sites.len;
	vec_push(&k->x->sites, s);
	return *known;
}

static void note_outside(struct maker *k, method_id m)
{
	uint32_t *last = map_at(&k->has_outside, m.i);

	if (*last == k->node)
		return;
	*last = k->node;
	vec_push(&k->x->outside, m);
}

static void note_back(struct maker *k, uint32_t node)
{
	for (uint32_t i = *vec_last(&k->x->first_back); i < k->x->back.len; i++)
		if (k->x->back.data[i] == node)
			return;
	vec_push(&k->x->back, node);
}

/* Nobody can name it: it stands for classes that clients write. */
static bool is_client(const struct maker *k, class_id c)
{
	return c.i && k->x->clients && map_get(k->x->clients, c.i);
}

/* The call of `target` at a site, on an object of the class; none: whatever it is called on. */
static void add_edges(struct maker *k, uint32_t site, class_id receiver, method_id target)
{
	struct chain_site *s = &k->x->sites.data[site];
	bool is_passed = chain_is_passed(k->x, target);
	struct chain_edge e = { .from = k->node, .site = site, .receiver = receiver.i ? receiver : s->made, .is_passed = is_passed };

	vec_clear(&k->targets);
	chain_pass(k->x, target, &k->targets);
	s->is_exit |= is_passed && !k->targets.len;
	if (!is_passed && s->op != IR_CALL_STATIC) {
		e.self = e.receiver;
		e.keeps_self = s->by_this && !e.self.i;
	}
	if (is_client(k, e.receiver)) {
		e.is_client = true;
		e.receiver = (class_id){ 0 };
	}
	for (uint32_t i = 0; i < k->targets.len; i++) {
		e.to = chain_node(k->x, k->targets.data[i]);
		if (e.to) {
			vec_push(&k->edges, e);
			continue;
		}
		s->is_exit = true;
		note_outside(k, k->targets.data[i]);
	}
}

/* Targets that no known receiver selects, as those of objects that nobody knows, have edges without a class. */
static void add_dispatched(struct maker *k, uint32_t site, const struct cg_site *s)
{
	struct cg_targets t = callgraph_targets(k->g, s);
	struct cg_classes c = callgraph_receivers(k->g, s);
	bool is_incomplete = false;

	k->stamp++;
	for (uint32_t i = 0; i < c.n; i++) {
		method_id m = dispatch_select(k->x->h, s->mref, c.classes[i], &is_incomplete);
		if (!m.i || !targets_have(t, m))
			continue;
		*map_at(&k->selected, m.i) = k->stamp;
		add_edges(k, site, c.classes[i], m);
	}
	for (uint32_t i = 0; i < t.n; i++)
		if (map_get(&k->selected, t.methods[i].i) != k->stamp)
			add_edges(k, site, (class_id){ 0 }, t.methods[i]);
}

/* What runs on behalf of an instruction, but is not called by it. */
static void add_back(struct maker *k, const struct cg_site *s)
{
	struct cg_targets t = callgraph_targets(k->g, s);

	for (uint32_t i = 0; i < t.n; i++) {
		vec_clear(&k->targets);
		chain_pass(k->x, t.methods[i], &k->targets);
		for (uint32_t j = 0; j < k->targets.len; j++) {
			uint32_t node = chain_node(k->x, k->targets.data[j]);
			if (node)
				note_back(k, node);
			else
				note_outside(k, k->targets.data[j]);
		}
	}
}

static void add_calls(struct maker *k, const struct cg_site *s)
{
	const struct ir_stmt *call = instruction_of(k, s);

	if (!call) {
		add_back(k, s);
		return;
	}
	uint32_t site = add_site(k, call);
	k->x->sites.data[site].is_open |= s->cause != CG_RESOLVED || s->open;
	k->x->sites.data[site].is_exit |= k->x->sites.data[site].is_open;
	if (s->op == IR_CALL_VIRTUAL || s->op == IR_CALL_INTERFACE) {
		add_dispatched(k, site, s);
		return;
	}
	struct cg_targets t = callgraph_targets(k->g, s);
	for (uint32_t i = 0; i < t.n; i++)
		add_edges(k, site, (class_id){ 0 }, t.methods[i]);
}

/* Order */

static void rank_classes(struct maker *k)
{
	VEC(class_id) all = { 0 };

	for (uint32_t i = 0; i < k->x->edges.len; i++) {
		class_id c = k->x->edges.data[i].receiver;
		if (c.i && !map_get(&k->rank_of, c.i)) {
			*map_at(&k->rank_of, c.i) = 1;
			vec_push(&all, c);
		}
	}
	print_order_classes(k->x->p, all.data, all.len);
	for (uint32_t i = 0; i < all.len; i++)
		*map_at(&k->rank_of, all.data[i].i) = i + 1;
	vec_release(&all);
}

struct ranked {
	uint64_t by_call, by_label, by_self;
	struct chain_edge e;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->by_call != y->by_call)
		return x->by_call < y->by_call ? -1 : 1;
	if (x->by_label != y->by_label)
		return x->by_label < y->by_label ? -1 : 1;
	return (x->by_self > y->by_self) - (x->by_self < y->by_self);
}

/* An edge may have been found twice: by two ways through lambdas. */
static void sort_edges(struct maker *k)
{
	struct chain_graph *x = k->x;
	struct ranked *all = mem_alloc((x->edges.len + 1) * sizeof(*all));
	uint32_t n = 0;

	rank_classes(k);
	for (uint32_t i = 0; i < x->edges.len; i++) {
		const struct chain_edge *e = &x->edges.data[i];
		all[i] = (struct ranked){ map_key(e->from, x->sites.data[e->site].pc),
					  map_key(e->to, map_get(&k->rank_of, e->receiver.i)),
					  map_key(e->is_client, e->self.i), *e };
	}
	qsort(all, x->edges.len, sizeof(*all), compare_ranked);
	for (uint32_t i = 0; i < x->edges.len; i++)
		if (i == 0 || compare_ranked(&all[i - 1], &all[i]))
			x->edges.data[n++] = all[i].e;
	x->edges.len = n;
	free(all);
}

static void index_edges(struct chain_graph *x)
{
	for (uint32_t node = 0, e = 0; node <= x->methods.len; node++) {
		while (e < x->edges.len && x->edges.data[e].from < node)
			e++;
		vec_push(&x->first_edge, e);
	}
}

static void add_method(struct maker *k, uint32_t node)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(k->g, k->x->methods.data[node], &n);

	k->node = node;
	vec_push(&k->x->first_outside, k->x->outside.len);
	vec_push(&k->x->first_back, k->x->back.len);
	read_body(k, k->x->methods.data[node]);
	vec_clear(&k->edges);
	for (uint32_t i = 0; i < n; i++)
		add_calls(k, &sites[i]);
	for (uint32_t i = 0; i < k->edges.len; i++)
		vec_push(&k->x->edges, k->edges.data[i]);
}

static bool passes(const void *x, method_id m)
{
	return chain_is_passed(x, m);
}

struct chain_graph *chain_graph_make(const struct callgraph *g, struct hierarchy *h, const struct chain_graph_opt *opt)
{
	struct chain_graph *x = mem_zalloc(sizeof(*x));
	struct maker k = { .x = x, .g = g };

	*x = (struct chain_graph){ .p = callgraph_program(g), .calls = g, .h = h, .component = opt->component, .clients = opt->clients,
				   .main = opt->main };
	arena_init(&k.mem);
	add_nodes(x);
	vec_push(&x->sites, (struct chain_site){ 0 });
	vec_push(&x->first_outside, 0);
	vec_push(&x->first_back, 0);
	for (uint32_t node = 1; node < x->methods.len; node++)
		add_method(&k, node);
	vec_push(&x->first_outside, x->outside.len);
	vec_push(&x->first_back, x->back.len);
	sort_edges(&k);
	index_edges(x);
	x->triggers = triggers_make(g, h, passes, x);
	x->passed = opt->facts ? passed_new(h, opt->facts) : NULL;
	arena_release(&k.mem);
	vec_release(&k.edges);
	vec_release(&k.targets);
	map_release(&k.rank_of);
	map_release(&k.has_outside);
	map_release(&k.site_of);
	map_release(&k.selected);
	return x;
}

void chain_graph_free(struct chain_graph *x)
{
	if (!x)
		return;
	vec_release(&x->methods);
	vec_release(&x->sites);
	vec_release(&x->edges);
	vec_release(&x->first_edge);
	vec_release(&x->outside);
	vec_release(&x->first_outside);
	vec_release(&x->back);
	vec_release(&x->first_back);
	map_release(&x->node_of);
	triggers_free(x->triggers);
	passed_free(x->passed);
	free(x);
}
