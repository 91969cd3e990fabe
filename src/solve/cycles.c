/* SPDX-License-Identifier: Apache-2.0 */
/* cycles.c - nodes that become one: cycles of unfiltered copies, found by Tarjan's search, and what else is to be
 * unified. The search also ranks the nodes anew. */
#include "solve/solve_p.h"

/* At the end of a sweep: how many words must have been propagated for each node and edge since the last search, which
 * costs some five times as much for each of them. */
#define SEARCH_FACTOR 16
/* New edges that interrupt a sweep: as many as there were nodes and edges after the last search, and not few. */
#ifdef SHERD_TORTURE
#define MANY_EDGES(cost) ((cost) / 16)
#else
#define MANY_EDGES(cost) ((cost) < 100000 ? 100000 : (cost))
#endif

static uint64_t weight(const struct node *n)
{
	return (uint64_t)n->set.n + n->edges.n;
}

static bool owes(const struct solver *s, const struct node *n)
{
	return n->edges.n || n->rules || s->opt.categories;
}

/* Edges within what became one carry nothing. */
static void drop_inner_edges(struct solver *s, uint32_t a, uint32_t b)
{
	struct edges *l = &s->nodes.data[b].edges;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < l->n; i++)
		if (find_halving(s, edges_data(l)[i].to) != a)
			edges_data(l)[kept++] = edges_data(l)[i];
	s->edges -= l->n - kept;
	edges_shrink(l, kept, &s->pool);
}

static struct set_view done(const struct node *n, struct set_buf *out)
{
	set_missing(set_view(&n->delta), set_view(&n->set), out);
	return set_buf_view(out);
}

/* b's edges become a's. They are given what a has done and b has not; what is in a's delta will come. */
static void take_edges(struct solver *s, uint32_t a, uint32_t b, struct set_view given)
{
	struct edges l = s->nodes.data[b].edges;

	for (uint32_t i = 0; i < l.n; i++) {
		struct edge e = edges_data(&l)[i];

		edges_push(&s->nodes.data[a].edges, e, &s->pool);
		flow(s, find_halving(s, e.to), given, e.mask);
	}
	edges_release(&s->nodes.data[b].edges, &s->pool);
}

static void take_rules(struct solver *s, uint32_t a, uint32_t b, struct set_view given)
{
	uint32_t *into = &s->nodes.data[a].rules, last = s->nodes.data[b].rules;
	struct rule *rules = s->rules.data;

	if (!last)
		return;
	struct late late = { .first = rules[last].next, .last = last };

	if (given.n) {
		set_assign(&late.given, given, &s->pool);
		vec_push(&s->late, late);
	}
	if (*into) {
		rules[last].next = rules[*into].next;
		rules[*into].next = late.first;
	}
	*into = last;
	s->nodes.data[b].rules = 0;
}

/* a's edges and rules are owed what only b had. */
static void take_set(struct solver *s, struct node *a, struct node *b)
{
	set_union(&a->set, set_view(&b->set), &s->pool, &s->news);
	add_to_delta(s, a, set_buf_view(&s->news));
	if (a->delta.n)
		queue_put(&s->queue, a->rank);
	set_release(&b->set, &s->pool);
	set_release(&b->delta, &s->pool);
}

/* b, whose parent is a, hands everything over. */
static void absorb(struct solver *s, uint32_t a, uint32_t b)
{
	struct node *to = &s->nodes.data[a], *from = &s->nodes.data[b];

	queue_drop(&s->queue, to->rank);
	queue_drop(&s->queue, from->rank);
	drop_inner_edges(s, a, b);
	if (!owes(s, to))
		set_release(&to->delta, &s->pool);
	s->done.n = 0;
	if (owes(s, from))
		set_missing(done(from, &s->news), done(to, &s->guarded), &s->done);
	take_set(s, to, from);
	take_edges(s, a, b, set_buf_view(&s->done));
	take_rules(s, a, b, set_buf_view(&s->done));
	if ((from->visits & NODE_VISITS) > (to->visits & NODE_VISITS))
		to->visits = from->visits;
	to->visits |= NODE_VISITED;
	s->joined++;
}

void join(struct solver *s, uint32_t a, uint32_t b)
{
	struct node *nodes = s->nodes.data;
	bool swap = weight(&nodes[a]) < weight(&nodes[b]);
	uint32_t into = swap ? b : a, from = swap ? a : b;

	nodes[from].parent = into;
	absorb(s, into, from);
}

/* A depth-first search over the edges: all of them for ranks, or those without a mask for cycles. */
struct frame {
	uint32_t node, edge, order;
};

struct search {
	uint32_t *low;             /* 0: not seen; DONE: in a complete component; JOINED: another stands for it */
	VEC(struct frame) frames;
	VEC(uint32_t) open;        /* nodes of components that are not complete */
	uint32_t count;
};

#define DONE UINT32_MAX
#define JOINED (UINT32_MAX - 1)

static void enter(struct search *c, uint32_t n)
{
	c->low[n] = ++c->count;
	vec_push(&c->frames, ((struct frame){ .node = n, .order = c->count }));
	vec_push(&c->open, n);
}

/* Goes on with the edges of the last node: the next node to enter, or 0 when there is none left. */
static uint32_t follow(struct solver *s, struct search *c)
{
	struct frame *f = vec_last(&c->frames);
	struct edges *l = &s->nodes.data[f->node].edges;
	struct edge *e = edges_data(l);

	while (f->edge < l->n) {
		struct edge next = e[f->edge++];

		if (next.mask)
			continue;
		uint32_t to = c->low[next.to] == JOINED ? find_halving(s, next.to) : next.to;
		if (!c->low[to])
			return to;
		if (c->low[to] < c->low[f->node])
			c->low[f->node] = c->low[to];
	}
	return 0;
}

/* The component is what was opened from its root on; the node with most to move stays where it is. */
static void close_component(struct solver *s, struct search *c, uint32_t root)
{
	uint32_t first = c->open.len, into = root;

	do {
		uint32_t n = c->open.data[--first];

		c->low[n] = DONE;
		if (weight(&s->nodes.data[n]) > weight(&s->nodes.data[into]))
			into = n;
	} while (c->open.data[first] != root);
	for (uint32_t i = first; i < c->open.len; i++)
		s->nodes.data[c->open.data[i]].parent = c->open.data[i] == into ? 0 : into;
	drop_inner_edges(s, into, into);
	for (uint32_t i = first; i < c->open.len; i++)
		if (c->open.data[i] != into)
			absorb(s, into, c->open.data[i]);
	c->open.len = first;
}

static void leave(struct solver *s, struct search *c)
{
	struct frame f = vec_pop(&c->frames);
	uint32_t low = c->low[f.node];

	if (low == f.order)
		close_component(s, c, f.node);
	else if (low < c->low[vec_last(&c->frames)->node])
		c->low[vec_last(&c->frames)->node] = low;
}

static void collapse_cycles(struct solver *s)
{
	struct search c = { .low = mem_alloc(s->nodes.len * sizeof(*c.low)) };

	for (uint32_t n = 0; n < s->nodes.len; n++)
		c.low[n] = s->nodes.data[n].parent ? JOINED : s->nodes.data[n].edges.n ? 0 : DONE;
	for (uint32_t n = 1; n < s->nodes.len; n++) {
		if (c.low[n])
			continue;
		enter(&c, n);
		while (c.frames.len) {
			uint32_t next = follow(s, &c);

			if (next)
				enter(&c, next);
			else
				leave(s, &c);
		}
	}
	free(c.low);
	vec_release(&c.frames);
	vec_release(&c.open);
}

struct walk {
	VEC(struct frame) frames;
	uint8_t *state;            /* of nodes: a table that stays in the cache, unlike the nodes */
	uint32_t *place;
	VEC(uint32_t) post;        /* nodes in postorder */
};

enum { WALK_NEW, WALK_SEEN, WALK_JOINED };

/* Sends edges to the nodes that stand for their targets, and drops what others cover. `place` of a target tells where
 * in the list an edge to it may be; what it holds from other lists is told apart by looking there. */
static void clean_edges(struct solver *s, struct walk *w, uint32_t n)
{
	struct edges *l = &s->nodes.data[n].edges;
	struct edge *e = edges_data(l);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		uint32_t to = w->state[e[i].to] == WALK_JOINED ? find_halving(s, e[i].to) : e[i].to;
		uint32_t at = w->place[to];

		if (to == n)
			continue;
		if (at < kept && e[at].to == to && (e[at].mask == e[i].mask || !e[at].mask || !e[i].mask)) {
			e[at].mask = e[at].mask == e[i].mask ? e[at].mask : 0;
			continue;
		}
		w->place[to] = kept;
		e[kept++] = (struct edge){ to, e[i].mask };
	}
	s->edges -= l->n - kept;
	edges_shrink(l, kept, &s->pool);
}

static void walk_enter(struct solver *s, struct walk *w, uint32_t n)
{
	w->state[n] = WALK_SEEN;
	clean_edges(s, w, n);
	vec_push(&w->frames, ((struct frame){ .node = n }));
}

static void walk_from(struct solver *s, struct walk *w, uint32_t root)
{
	walk_enter(s, w, root);
	while (w->frames.len) {
		struct frame *f = vec_last(&w->frames);
		struct edges *l = &s->nodes.data[f->node].edges;
		struct edge *e = edges_data(l);

		while (f->edge < l->n && w->state[e[f->edge].to] != WALK_NEW)
			f->edge++;
		if (f->edge < l->n) {
			walk_enter(s, w, e[f->edge].to);
			continue;
		}
		vec_push(&w->post, f->node);
		w->frames.len--;
	}
}

/* Ranks in reverse postorder; the hostile build takes the worst order instead. */
static void rank(struct solver *s, const uint32_t *post, uint32_t n)
{
	queue_clear(&s->queue);
	for (uint32_t i = 0; i < n; i++) {
#ifdef SHERD_TORTURE
		uint32_t node = post[i];
#else
		uint32_t node = post[n - 1 - i];
#endif
		s->nodes.data[node].rank = i;
		queue_add_rank(&s->queue, node);
		if (s->nodes.data[node].delta.n)
			queue_put(&s->queue, i);
	}
}

static void rank_nodes(struct solver *s)
{
	struct walk w = { .state = mem_alloc(s->nodes.len), .place = mem_zalloc(s->nodes.len * sizeof(*w.place)) };

	for (uint32_t n = 0; n < s->nodes.len; n++)
		w.state[n] = s->nodes.data[n].parent ? WALK_JOINED : WALK_NEW;
	for (uint32_t n = 1; n < s->nodes.len; n++)
		if (w.state[n] == WALK_NEW)
			walk_from(s, &w, n);
	rank(s, w.post.data, w.post.len);
	free(w.state);
	free(w.place);
	vec_release(&w.frames);
	vec_release(&w.post);
}

void search_cycles(struct solver *s)
{
	collapse_cycles(s);
	rank_nodes(s);
	s->searches++;
	s->new_edges = 0;
	uint64_t cost = s->nodes.len + s->edges;

	s->search_at = s->work + SEARCH_FACTOR * cost;
	s->many_edges = MANY_EDGES(cost);
}
