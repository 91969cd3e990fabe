/* SPDX-License-Identifier: Apache-2.0 */
/* solve.c - from a grammar to languages. The nodes that the one in question is made of are put in order by components: those
 * that are not recursive are computed from what they are made of; the others become states of a network of expressions. */
#include <stdlib.h>

#include "algo/scc.h"
#include "analysis/strings/grammar_p.h"
#include "analysis/strings/language_p.h"

enum {
	MEMBERS_MOST = 128,           /* nodes of a recursive component whose concatenations become a network */
	NODES_MOST = 32768,           /* of one question: more are too much, and what they come to is of no use to anybody */
};

typedef VEC(const struct language *) language_vec;

/* A question. Nodes have local numbers; 0 is the one that is asked for. */
struct question {
	struct grammar *g;
	struct languages *ls;
	struct arena arena;
	VEC(uint32_t) nodes;          /* the node of a local number */
	uint32_t *component;          /* by local number, dependencies first */
	uint32_t components;
	uint32_t *members, *first;    /* local numbers by component: members[first[c]] up to members[first[c + 1]] */
	bool *wanted;                 /* by local number: a language is needed */
	const struct language **any;  /* by component: it is any string, and which; NULL: that is not clear yet */
	struct byteset *bytes;        /* by local number: all that strings of the node can be made of */
	uint32_t *place;              /* by local number: index among the members of its component */
	language_vec found;           /* of the component that is being computed */
};

#define for_each_production(p, g, node) \
	for (struct production *p = &(g)->productions.data[(g)->nodes.data[node].first]; p != (g)->productions.data; \
	     p = &(g)->productions.data[p->next])

static bool is_current(const struct grammar *g, uint32_t node)
{
	return g->nodes.data[node].language && g->nodes.data[node].version == g->version;
}

/* Its language is known, and nothing below it needs to be looked at. */
static bool is_leaf(const struct grammar *g, uint32_t node)
{
	const struct string_row *row = &g->nodes.data[node];

	return row->any || row->all || (is_current(g, node) && !row->recursive);
}

/* As widen() has it: what was made of it before is computed again after the next change. */
static void set_any(struct grammar *g, uint32_t node, const struct language *any)
{
	g->nodes.data[node].all = any;
	g->nodes.data[node].stamp = g->version + 1;
}

static void visit(struct question *q, uint32_t node)
{
	if (!node || q->g->local.data[node])
		return;
	vec_push(&q->nodes, node);
	q->g->local.data[node] = q->nodes.len;
}

/* All nodes that the root is made of, up to those whose languages are known; false: they are too many. */
static bool collect(struct question *q, uint32_t root)
{
	visit(q, root);
	for (uint32_t i = 0; i < q->nodes.len && q->nodes.len <= NODES_MOST; i++) {
		uint32_t node = q->nodes.data[i];

		if (is_leaf(q->g, node))
			continue;
		for_each_production(p, q->g, node) {
			visit(q, p->a);
			visit(q, p->b);
		}
	}
	return q->nodes.len <= NODES_MOST;
}

static void forget(struct question *q)
{
	for (uint32_t i = 0; i < q->nodes.len; i++)
		q->g->local.data[q->nodes.data[i]] = 0;
	vec_clear(&q->nodes);
}

/* Any string that the root takes over, be it by way of others; NULL: it takes over none. */
static const struct language *collect_any(struct question *q, uint32_t root)
{
	const struct language *any = NULL;

	visit(q, root);
	for (uint32_t i = 0; i < q->nodes.len && !any; i++) {
		const struct string_row *row = &q->g->nodes.data[q->nodes.data[i]];

		any = row->any ? language_widened(q->ls) : row->all;
		for_each_production(p, q->g, q->nodes.data[i])
			if (p->kind == IS_NODE)
				visit(q, p->a);
	}
	forget(q);
	return any;
}

static uint32_t local(const struct question *q, uint32_t node)
{
	return q->g->local.data[node] - 1;
}

/* --- components --- */

static bool is_filter(const struct production *p)
{
	return p->kind == IS_OPERATION && (p->op->kind == OP_FILTER || p->op->kind == OP_EXCEPT);
}

/* Whether the operand is not looked at: the operation is cut off, and bounded by characters. */
static bool is_cut(const struct production *p)
{
	return p->cut && !is_filter(p);
}

/* Components of the graph of all edges, or of those that are not cut. */
static void find_components(struct question *q, bool all)
{
	VEC(uint32_t) to = { 0 };
	struct digraph d = { .n = q->nodes.len };
	uint32_t *first = arena_array(&q->arena, uint32_t, d.n + 1);

	for (uint32_t i = 0; i < d.n; i++) {
		uint32_t node = q->nodes.data[i];

		first[i] = to.len;
		if (is_leaf(q->g, node))
			continue;
		for_each_production(p, q->g, node) {
			if (p->a && (all || !is_cut(p)))
				vec_push(&to, local(q, p->a));
			if (p->b && (all || !is_cut(p)))
				vec_push(&to, local(q, p->b));
		}
	}
	first[d.n] = to.len;
	d.first = first;
	d.to = to.data;
	q->components = scc_compute(&d, q->component, &q->arena);
	vec_release(&to);
}

static bool is_inner(const struct question *q, uint32_t i, uint32_t node)
{
	return node && q->component[local(q, node)] == q->component[i];
}

/* Operations on their own results are cut off; filters only where they are recursive by themselves (`filters`). */
static void cut_operations(struct question *q, bool filters)
{
	for (uint32_t i = 0; i < q->nodes.len; i++) {
		if (is_leaf(q->g, q->nodes.data[i]))
			continue;
		for_each_production(p, q->g, q->nodes.data[i])
			if (p->kind == IS_OPERATION && is_filter(p) == filters && (is_inner(q, i, p->a) || is_inner(q, i, p->b)))
				p->cut = true;
	}
}

static uint32_t later(const struct question *q, const uint32_t *stamps, uint32_t stamp, uint32_t node)
{
	uint32_t of = node ? stamps[q->component[local(q, node)]] : 0;

	return of > stamp ? of : stamp;
}

static uint32_t stamp_of(const struct question *q, const uint32_t *stamps, uint32_t i)
{
	const struct string_row *row = &q->g->nodes.data[q->nodes.data[i]];
	uint32_t stamp = row->changed;

	if (is_leaf(q->g, q->nodes.data[i]))
		return row->stamp;
	for_each_production(p, q->g, q->nodes.data[i])
		stamp = later(q, stamps, later(q, stamps, stamp, p->a), p->b);
	return stamp;
}

/* A language stays as it was while nothing has changed that it is made of. */
static void keep_unchanged(struct question *q)
{
	uint32_t *stamps = arena_zarray(&q->arena, uint32_t, q->components);

	for (uint32_t c = 0; c < q->components; c++) {
		for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++) {
			uint32_t stamp = stamp_of(q, stamps, q->members[k]);
			stamps[c] = stamp > stamps[c] ? stamp : stamps[c];
		}
		for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++) {
			struct string_row *row = &q->g->nodes.data[q->nodes.data[q->members[k]]];
			row->stamp = stamps[c];
			if (row->language && row->version >= stamps[c])
				row->version = q->g->version;
		}
	}
}

static void list_members(struct question *q)
{
	uint32_t n = q->nodes.len;

	q->first = arena_zarray(&q->arena, uint32_t, q->components + 2);
	q->members = arena_array(&q->arena, uint32_t, n);
	q->place = arena_array(&q->arena, uint32_t, n);
	for (uint32_t i = 0; i < n; i++)
		q->first[q->component[i] + 2]++;
	for (uint32_t c = 0; c < q->components; c++)
		q->first[c + 2] += q->first[c + 1];
	for (uint32_t i = 0; i < n; i++)
		q->members[q->first[q->component[i] + 1]++] = i;
	for (uint32_t c = 0; c < q->components; c++)
		for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++)
			q->place[q->members[k]] = k - q->first[c];
}

static const struct language *known(const struct question *q, uint32_t node)
{
	const struct string_row *row = &q->g->nodes.data[node];

	return row->any ? language_widened(q->ls) : row->all ? row->all : row->language;
}

/* Of a node of another component. */
static const struct language *any_of_node(const struct question *q, uint32_t node)
{
	const struct language *l = is_leaf(q->g, node) ? known(q, node) : NULL;

	return l ? (language_is_any(l) ? l : NULL) : q->any[q->component[local(q, node)]];
}

/* Any string, if one of the component's nodes takes it from elsewhere, and all others take it from this one. */
static const struct language *any_by_copies(const struct question *q, uint32_t c)
{
	const struct language *any = NULL;
	bool is_one = q->first[c + 1] - q->first[c] == 1;

	for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++) {
		if (is_leaf(q->g, q->nodes.data[q->members[k]]))
			return NULL;
		for_each_production(p, q->g, q->nodes.data[q->members[k]]) {
			bool is_inner_one = is_inner(q, q->members[k], p->a) || is_inner(q, q->members[k], p->b);
			if (is_inner_one && !is_one && p->kind != IS_NODE)
				return NULL;
			if (!any && !is_inner_one && p->kind == IS_NODE)
				any = any_of_node(q, p->a);
		}
	}
	return any;
}

/* What takes over any string is any string, from now on: what else it is made of need not be computed. */
static void find_any(struct question *q)
{
	q->any = arena_zarray(&q->arena, const struct language *, q->components);
	for (uint32_t c = 0; c < q->components; c++) {
		q->any[c] = any_by_copies(q, c);
		for (uint32_t k = q->first[c]; q->any[c] && k < q->first[c + 1]; k++)
			set_any(q->g, q->nodes.data[q->members[k]], q->any[c]);
	}
}

static void want(struct question *q, uint32_t i, uint32_t node)
{
	if (node && !is_inner(q, i, node))
		q->wanted[local(q, node)] = true;
}

static bool is_needed(const struct question *q, uint32_t c)
{
	for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++)
		if (q->wanted[q->members[k]])
			return true;
	return false;
}

/* What is needed for the node in question, from there down. */
static void mark_wanted(struct question *q)
{
	q->wanted = arena_zarray(&q->arena, bool, q->nodes.len);
	q->wanted[0] = true;
	for (uint32_t c = q->components; c-- > 0;) {
		bool needed = is_needed(q, c) && !is_leaf(q->g, q->nodes.data[q->members[q->first[c]]]);

		for (uint32_t k = q->first[c]; needed && k < q->first[c + 1]; k++) {
			for_each_production(p, q->g, q->nodes.data[q->members[k]]) {
				want(q, q->members[k], is_cut(p) ? 0 : p->a);
				want(q, q->members[k], is_cut(p) ? 0 : p->b);
			}
		}
	}
}

/* --- characters --- */

static struct byteset bytes_of_production(const struct question *q, const struct production *p)
{
	struct byteset bytes = { { 0 } };

	if (p->language)
		language_bytes(p->language, &bytes);
	if (p->a)
		byteset_merge(&bytes, &q->bytes[local(q, p->a)]);
	if (p->b)
		byteset_merge(&bytes, &q->bytes[local(q, p->b)]);
	return p->kind == IS_OPERATION ? operation_bytes(p->op, &bytes) : bytes;
}

/* Adds what the productions of a node are made of; whether the set grew. */
static bool add_bytes(const struct question *q, uint32_t node, struct byteset *to)
{
	const struct string_row *row = &q->g->nodes.data[node];
	bool grew = false;

	if (row->any || row->all)
		byteset_add_range(to, 0, 255);
	if (is_leaf(q->g, node))
		return byteset_merge(to, &row->bytes);
	for_each_production(p, q->g, node) {
		struct byteset bytes = bytes_of_production(q, p);

		grew |= byteset_merge(to, &bytes);
	}
	return grew;
}

/* From productions alone: it does not matter which languages were computed before. Components are those of all edges, and all
 * nodes of one have the same set, which grows at most 256 times. */
static void find_bytes(struct question *q)
{
	q->bytes = arena_zarray(&q->arena, struct byteset, q->nodes.len);
	for (uint32_t c = 0; c < q->components; c++) {
		struct byteset bytes = { { 0 } };

		for (bool grew = true; grew;) {
			grew = false;
			for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++)
				grew |= add_bytes(q, q->nodes.data[q->members[k]], &bytes);
			for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++)
				q->bytes[q->members[k]] = bytes;
		}
	}
}

/* --- productions --- */

static const struct language *bound(struct question *q, const struct production *p)
{
	struct byteset bytes = q->bytes[local(q, p->a)];

	if (p->b)
		byteset_merge(&bytes, &q->bytes[local(q, p->b)]);
	return operation_bound(q->ls, p->op, &bytes);
}

/* What a production contributes whose operands are known. */
static const struct language *evaluate(struct question *q, const struct production *p)
{
	switch (p->kind) {
	case IS_LANGUAGE: return p->language;
	case IS_NODE: return known(q, p->a);
	case IS_CONCAT: return language_concat(q->ls, known(q, p->a), known(q, p->b));
	case IS_OPERATION: break;
	}
	if (p->cut)
		return is_filter(p) ? known(q, p->a) : bound(q, p);
	return operation_apply(q->ls, p->op, known(q, p->a), p->b ? known(q, p->b) : NULL);
}

/* Whether the production has nodes of the same component as operands. */
static bool is_recursive(const struct question *q, uint32_t i, const struct production *p)
{
	return !is_cut(p) && (is_inner(q, i, p->a) || is_inner(q, i, p->b));
}

/* --- recursion --- */

struct recursion {
	bool any, copies_only, left, right;   /* right: A -> x B; left: A -> B x */
};

static struct recursion classify(const struct question *q, uint32_t c)
{
	struct recursion r = { .copies_only = true };

	for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++) {
		uint32_t i = q->members[k];

		if (is_leaf(q->g, q->nodes.data[i]))
			continue;
		for_each_production(p, q->g, q->nodes.data[i]) {
			if (!is_recursive(q, i, p))
				continue;
			r.any = true;
			if (p->kind != IS_CONCAT)
				continue;
			r.copies_only = false;
			r.left |= is_inner(q, i, p->a);
			r.right |= is_inner(q, i, p->b);
		}
	}
	return r;
}

/* Any string, if one of the component's nodes takes it from elsewhere, be it since something was too much. NULL: none does. */
static const struct language *any_of_component(struct question *q, uint32_t c)
{
	for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++)
		for_each_production(p, q->g, q->nodes.data[q->members[k]])
			if (p->kind == IS_NODE && !is_inner(q, q->members[k], p->a) && language_is_any(known(q, p->a)))
				return known(q, p->a);
	return NULL;
}

/* Nodes that only take from each other hold the same. */
static const struct language *union_of_component(struct question *q, uint32_t c)
{
	const struct language *any = any_of_component(q, c);

	if (any)
		return any;
	vec_clear(&q->found);
	for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++) {
		uint32_t i = q->members[k];

		for_each_production(p, q->g, q->nodes.data[i])
			if (!is_recursive(q, i, p))
				vec_push(&q->found, evaluate(q, p));
	}
	return language_union_all(q->ls, q->found.data, q->found.len);
}

struct net {
	struct question *q;
	struct network w;
	struct expressions es;
	uint32_t n;                   /* members */
	bool widened;
	struct recursion r;
};

static struct expression expression_for(struct net *net, const struct language *l)
{
	net->widened |= l->widened;
	return expression_of(net->q->ls, &net->es, l);
}

static const struct expression NOTHING_MORE = { MATCHES_EMPTY, true, 0, { "()", 2 } };

/* A production A -> x0 B1 x1 B2 x2 of at most two inner nodes B, as edges. With recursion on one side only, states are nodes and
 * one more; otherwise each has a second state, which stands behind it (Mohri and Nederhof): A - x0 -> B1, B1' - x1 -> B2,
 * B2' - x2 -> A'. Here x1 is always empty. */
static void add_edges(struct net *net, uint32_t i, const struct production *p)
{
	struct question *q = net->q;
	bool concat = p->kind == IS_CONCAT, inner_a = is_inner(q, i, p->a), inner_b = concat && is_inner(q, i, p->b);
	uint32_t from = q->place[i], n = net->n, a = inner_a ? q->place[local(q, p->a)] : 0;
	uint32_t b = inner_b ? q->place[local(q, p->b)] : 0;
	bool both = net->r.left && net->r.right;
	uint32_t behind = both ? n + from : n;
	struct expression x0 = concat && inner_b && !inner_a ? expression_for(net, known(q, p->a)) : NOTHING_MORE;
	struct expression x2 = concat && inner_a && !inner_b ? expression_for(net, known(q, p->b)) : NOTHING_MORE;

	if (!is_recursive(q, i, p)) {
		struct expression e = expression_for(net, evaluate(q, p));

		network_add(&net->w, &net->es, net->r.left && !both ? n : from, net->r.left && !both ? from : behind, e);
	} else if (!both && net->r.left) {
		network_add(&net->w, &net->es, a, from, x2);
	} else if (!both) {
		network_add(&net->w, &net->es, from, inner_b ? b : a, x0);
	} else {
		network_add(&net->w, &net->es, from, inner_a ? a : b, x0);
		if (inner_a && inner_b)
			network_add(&net->w, &net->es, n + a, b, NOTHING_MORE);
		network_add(&net->w, &net->es, n + (inner_b ? b : a), n + from, x2);
	}
}

static const struct language *solve_member(struct question *q, uint32_t c, uint32_t i, struct recursion r, struct arena *scratch)
{
	uint32_t n = q->first[c + 1] - q->first[c], size = r.left && r.right ? 2 * n : n + 1, at = q->place[i];
	struct net net = { .q = q, .n = n, .r = r, .es = expressions_for_libfa(q->ls, scratch) };

	if (n > MEMBERS_MOST || !take_steps(q->ls, 64u * (uint64_t)size * size))
		return give_up(q->ls);
	network_init(&net.w, size, scratch);
	for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++)
		for_each_production(p, q->g, q->nodes.data[q->members[k]])
			add_edges(&net, q->members[k], p);
	bool left_only = r.left && !r.right;
	uint32_t from = left_only ? n : at, to = r.left && r.right ? n + at : left_only ? at : n;

	return of_expression(q->ls, &net.es, network_expression(&net.w, &net.es, from, to), net.widened);
}

static void set_language(struct question *q, uint32_t i, const struct language *l, bool recursive)
{
	struct string_row *row = &q->g->nodes.data[q->nodes.data[i]];

	row->language = l;
	row->bytes = q->bytes[i];
	row->version = q->g->version;
	row->recursive = recursive;
}

static void solve_recursive(struct question *q, uint32_t c, struct recursion r)
{
	const struct language *same = r.copies_only ? union_of_component(q, c) : NULL;
	struct arena scratch;

	arena_init(&scratch);
	for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++) {
		uint32_t i = q->members[k];

		if (same)
			set_language(q, i, same, false);
		else if (q->wanted[i] && !is_current(q->g, q->nodes.data[i]))
			set_language(q, i, solve_member(q, c, i, r, &scratch), true);
		arena_clear(&scratch);
	}
	arena_release(&scratch);
}

/* What was too much is any string from now on, and with it all nodes that it depends on and that depend on it. What was made of
 * it before is computed again after the next change, whatever changes: below such a node nobody looks for changes any more. */
static void widen(struct question *q, uint32_t c)
{
	for (uint32_t k = q->first[c]; k < q->first[c + 1]; k++) {
		q->g->nodes.data[q->nodes.data[q->members[k]]].any = true;
		q->g->nodes.data[q->nodes.data[q->members[k]]].stamp = q->g->version + 1;
	}
}

static void solve_component(struct question *q, uint32_t c)
{
	uint32_t i = q->members[q->first[c]];
	uint64_t before = languages_given_up(q->ls);

	if (is_leaf(q->g, q->nodes.data[i]) || !is_needed(q, c))
		return;
	struct recursion r = classify(q, c);

	if (r.any)
		solve_recursive(q, c, r);
	else
		set_language(q, i, union_of_component(q, c), false);
	if (languages_given_up(q->ls) > before)
		widen(q, c);
}

static void release(struct question *q)
{
	forget(q);
	vec_release(&q->nodes);
	vec_release(&q->found);
	arena_release(&q->arena);
}

/* The nodes were collected. */
static void solve(struct question *q)
{
	q->component = arena_array(&q->arena, uint32_t, q->nodes.len);
	find_components(q, true);
	list_members(q);
	keep_unchanged(q);
	if (is_current(q->g, q->nodes.data[0]))
		return;
	find_bytes(q);
	cut_operations(q, false);
	find_components(q, false);
	cut_operations(q, true);
	list_members(q);
	find_any(q);
	mark_wanted(q);
	for (uint32_t c = 0; c < q->components; c++)
		solve_component(q, c);
}

const struct language *grammar_language(struct grammar *g, string_node n)
{
	const struct string_row *row = &g->nodes.data[n.i];
	struct question q = { .g = g, .ls = g->ls };

	if (row->any || row->all || is_current(g, n.i))
		return known(&q, n.i);
	const struct language *any = collect_any(&q, n.i);

	languages_ask(g->ls);
	arena_init(&q.arena);
	if (any)
		set_any(g, n.i, any);
	else if (collect(&q, n.i))
		solve(&q);
	else
		set_any(g, n.i, give_up(g->ls));
	const struct language *l = known(&q, n.i);

	release(&q);
	return l;
}
