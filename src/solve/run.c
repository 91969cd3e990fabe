/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - propagation: visits of queued nodes until there are none. */
#include <string.h>

#include "solve/solve_p.h"

/* Between two calls of go_on: words and edges walked. */
#define ASK_EVERY (1u << 20)
/* Words of a set that is large: see sweep(). */
#ifdef SHERD_TORTURE
#define LARGE 2
#else
#define LARGE 24
#endif

void add_to_delta(struct solver *s, struct node *n, struct set_view v)
{
	if (n->delta.n)
		set_union(&n->delta, v, &s->pool, &s->spare);
	else
		set_assign(&n->delta, v, &s->pool);
}

/* Sets of fewer words are copied. */
#ifdef SHERD_TORTURE
#define SHARE_FROM 2
#else
#define SHARE_FROM 8
#endif

/* With what is new, is the set as `from`, which has all that is new? Then it may have its memory: what is stored into one field of many
 * objects is the same set many times. */
static bool becomes(const struct solver *s, const struct set *set, const struct set *from)
{
	struct set_view news = set_buf_view(&s->news);

	return from->n >= SHARE_FROM && set_size(set) + set_count(news) == set_size(from) && set_covers(set_view(from), set_view(set));
}

static void add_delta(struct solver *s, struct node *n, const struct set *given)
{
	struct set none = { 0 };

	if (!n->delta.n)
		queue_put(&s->queue, n->rank);
	if (!n->delta.n && becomes(s, &none, given))
		set_share(&n->delta, given, &s->pool);
	else
		add_to_delta(s, n, set_buf_view(&s->news));
}

/* What passes the mask of `given`, which is in `from`, flows to a node. */
static void flow_from(struct solver *s, const struct set *from, const struct set *given, uint32_t to, uint32_t mask)
{
	struct set_view v = set_view(given);

	if (mask)
		v = filter(s, v, mask, &s->filtered);
	s->work += v.n + 1;
	if (!v.n)
		return;
	struct node *n = &s->nodes.data[to];
	uint32_t absent = set_missing(set_view(&n->set), v, &s->news);

	if (!s->news.n)
		return;
	if (becomes(s, &n->set, from))
		set_share(&n->set, from, &s->pool);
	else
		set_insert(&n->set, &s->news, absent, &s->pool);
	add_delta(s, n, given);
}

void flow(struct solver *s, uint32_t to, struct set_view v, uint32_t mask)
{
	if (mask)
		v = filter(s, v, mask, &s->filtered);
	s->work += v.n + 1;
	if (!v.n)
		return;
	struct node *n = &s->nodes.data[to];

	if (!set_union(&n->set, v, &s->pool, &s->news))
		return;
	if (!n->delta.n)
		queue_put(&s->queue, n->rank);
	add_to_delta(s, n, set_buf_view(&s->news));
}

static bool unifies(const struct solver *s, uint32_t from)
{
	uint32_t k = s->opt.unify_after;

	return k && (k == 1 || (s->nodes.data[from].visits & NODE_VISITS) >= k);
}

void unify(struct solver *s, uint32_t a, uint32_t b)
{
	if (a == b)
		return;
	if (s->visiting)
		vec_push(&s->joins, ((struct pair){ a, b }));
	else
		join(s, a, b);
}

static bool repeats_last(struct edges *l, struct edge e)
{
	if (!l->n)
		return false;
	struct edge last = edges_data(l)[l->n - 1];

	return last.to == e.to && (last.mask == e.mask || !last.mask);
}

void add_copy(struct solver *s, uint32_t from, uint32_t to, uint32_t mask)
{
	if (s->opt.keeps_copies)
		vec_push(&s->copies, ((struct solver_copy){ { from }, { to }, { mask } }));
	from = find_halving(s, from);
	to = find_halving(s, to);
	if (from == to)
		return;
	if (unifies(s, from)) {
		unify(s, from, to);
		return;
	}
	struct node *n = &s->nodes.data[from];
	struct edge e = { to, mask };

	if (repeats_last(&n->edges, e))
		return;
	edges_push(&n->edges, e, &s->pool);
	s->edges++;
	s->new_edges++;
	if (n->visits & NODE_VISITED)
		flow_from(s, &n->set, &n->set, to, mask);
}

static void apply_to_word(struct solver *s, const struct rule *r, uint32_t block, uint64_t word)
{
	for (; word; word &= word - 1) {
		object_id o = { block * 64 + first_bit(word) };
		uint32_t slot = slot_node(s, o, r->slot);

		if (r->type == RULE_LOAD)
			add_copy(s, slot, r->node, r->mask);
		else
			add_copy(s, r->node, slot, s->kinds.data[solver_kind_of(s, o).i].admits);
	}
}

/* `v` does not belong to the solver: copies are added while it is walked. */
static void apply(struct solver *s, struct rule r, struct set_view v)
{
	if (r.guard)
		v = filter(s, v, r.guard, &s->guarded);
	if (r.type == RULE_WATCH) {
		if (v.n)
			s->opt.watch(s->opt.ctx, r.slot, v);
		return;
	}
	for (uint32_t i = 0; i < v.n; i++)
		apply_to_word(s, &r, v.blocks[i], v.words[i]);
	s->work += v.n;
}

/* Rules that are added meanwhile go behind the last one, and into `late`. */
static void apply_rules(struct solver *s, uint32_t first, uint32_t last, struct set_view news)
{
	for (uint32_t i = first;; i = s->rules.data[i].next) {
		apply(s, s->rules.data[i], news);
		if (i == last)
			return;
	}
}

static void propagate(struct solver *s, uint32_t n, const struct set *news)
{
	const struct set *from = &s->nodes.data[n].set;
	struct edges *l = &s->nodes.data[n].edges;
	struct edge *e = edges_data(l);

	for (uint32_t i = 0; i < l->n; i++) {
		if (s->nodes.data[e[i].to].parent)
			e[i].to = find_halving(s, e[i].to);
		if (e[i].to != n)
			flow_from(s, from, news, e[i].to, e[i].mask);
	}
}

/* The edges of n become joins. */
static void unify_edges(struct solver *s, uint32_t n)
{
	struct edges *l = &s->nodes.data[n].edges;

	for (uint32_t i = 0; i < l->n; i++)
		vec_push(&s->joins, ((struct pair){ n, edges_data(l)[i].to }));
	s->edges -= l->n;
	edges_release(l, &s->pool);
}

/* The slots of objects of one category become one: that of the first one in the set with those of what is new. */
static void join_with_first(struct solver *s, object_id o)
{
	uint32_t k = s->opt.category ? s->opt.category(s->opt.ctx, o) : 0, slot = slot_node(s, o, 0);

	if (s->firsts.data[k])
		unify(s, find_halving(s, s->firsts.data[k]), find_halving(s, slot));
	else
		s->firsts.data[k] = slot;
}

static void join_of_view(struct solver *s, struct set_view v)
{
	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t w = v.words[i]; w; w &= w - 1)
			join_with_first(s, (object_id){ v.blocks[i] * 64 + first_bit(w) });
}

/* With one category, what was there before is one already: looking at its first object is enough, unless that is new. */
static void join_contents(struct solver *s, uint32_t n, struct set_view news)
{
	struct set_view all = set_view(&s->nodes.data[n].set);

	vec_reserve(&s->firsts, s->opt.categories);
	memset(s->firsts.data, 0, s->opt.categories * sizeof(*s->firsts.data));
	if (s->opt.categories == 1 && all.n && all.words[0] && !set_word_at(news, all.blocks[0])) {
		join_with_first(s, (object_id){ all.blocks[0] * 64 + first_bit(all.words[0]) });
		join_of_view(s, news);
	} else {
		join_of_view(s, all);
	}
}

static void visit(struct solver *s, uint32_t n)
{
	struct set news = s->nodes.data[n].delta;

	s->visits++;
	s->visiting = true;
	s->nodes.data[n].delta = (struct set){ 0 };
	s->nodes.data[n].visits = (s->nodes.data[n].visits + 1) | NODE_VISITED;
	uint32_t last = s->nodes.data[n].rules;

	if (s->opt.categories)
		join_contents(s, n, set_view(&news));
	if (last)
		apply_rules(s, s->rules.data[last].next, last, set_view(&news));
	propagate(s, n, &news);
	if (unifies(s, n))
		unify_edges(s, n);
	set_release(&news, &s->pool);
	s->visiting = false;
}

static void apply_late(struct solver *s)
{
	s->visiting = true;
	for (uint32_t i = 0; i < s->late.len; i++) {
		struct late late = s->late.data[i];
		struct set_view given = set_view(&late.given);

		if (late.node) {
			struct node *n = &s->nodes.data[find_halving(s, late.node)];

			set_missing(set_view(&n->delta), set_view(&n->set), &s->done);
			given = set_buf_view(&s->done);
		}
		if (given.n)
			apply_rules(s, late.first, late.last, given);
		set_release(&late.given, &s->pool);
	}
	vec_clear(&s->late);
	s->visiting = false;
}

static void do_joins(struct solver *s)
{
	for (uint32_t i = 0; i < s->joins.len; i++) {
		uint32_t a = find_halving(s, s->joins.data[i].a), b = find_halving(s, s->joins.data[i].b);

		if (a != b)
			join(s, a, b);
	}
	vec_clear(&s->joins);
}

static bool ask_to_go_on(struct solver *s)
{
	if (!s->opt.go_on || s->work < s->ask_at)
		return true;
	s->ask_at = s->work + ASK_EVERY;
	return s->opt.go_on(s->opt.ctx);
}

/* What may be left between two visits. */
static void settle(struct solver *s)
{
	while (s->late.len || s->joins.len) {
		apply_late(s);
		do_joins(s);
	}
}

/* Where visits are counted, or sets decide what becomes one, none is put off. */
static bool is_put_off(const struct solver *s, uint32_t n)
{
	return !s->visits_large && s->nodes.data[n].set.n >= LARGE && !s->opt.unify_after && !s->opt.categories;
}

/* When nothing else is queued. Some may have become one with others since, or be there twice. */
static void queue_large(struct solver *s)
{
	s->visits_large = !s->queue.len && s->put_off.len;
	for (uint32_t i = 0; s->visits_large && i < s->put_off.len; i++) {
		const struct node *n = &s->nodes.data[s->put_off.data[i]];
		if (n->parent || !n->delta.n)
			continue;
		queue_drop(&s->queue, n->rank);
		queue_put(&s->queue, n->rank);
	}
	if (s->visits_large)
		vec_clear(&s->put_off);
}

/* One sweep over the nodes in the order of their ranks. What arrives at a large set leads on to many others, hence these are put off
 * until all else is done: then they get much at once. */
static bool sweep(struct solver *s)
{
	for (uint32_t n; (n = queue_take(&s->queue));) {
		if (is_put_off(s, n)) {
			vec_push(&s->put_off, n);
			continue;
		}
		visit(s, n);
		settle(s);
		if (s->new_edges > s->many_edges) {
			search_cycles(s);
			settle(s);
		}
		if (!ask_to_go_on(s))
			return false;
	}
	return true;
}

bool solver_run(struct solver *s)
{
	settle(s);
	while (s->queue.len || s->put_off.len) {
		queue_large(s);
		if (!ask_to_go_on(s))
			return false;
		if (s->new_edges && s->work >= s->search_at)
			search_cycles(s);
		settle(s);
		if (!sweep(s))
			return false;
	}
	return true;
}
