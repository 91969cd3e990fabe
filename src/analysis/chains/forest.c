/* SPDX-License-Identifier: Apache-2.0 */
/* Making a forest: states, found breadth first, so that each is known by its shortest way and expanded only where chains
 * may go on; then counts, length by length. */
#include "analysis/chains/forest.h"

#include <stdlib.h>

#include "algo/scc.h"
#include "base/sort.h"

#define MOST_COUNTS (1u << 30)        /* that are kept: states times lengths */

typedef VEC(uint32_t) id_list;

struct grower {
	struct forest *f;
	const struct chain_graph *x;
	const struct chain_opt *opt;
	uint32_t *cycle;                  /* by node: its strongly connected component; with back edges only */
	struct map pairs_a, pairs_b;      /* (node, contexts), (passed, below) -> number */
	struct map pairs_c;               /* number of the first, asserted -> number */
	struct map state_of;              /* of these two -> state */
	uint32_t na, nb, nc;
	VEC(uint32_t) depth;              /* by state: calls of the shortest way to it */
	id_list scratch;
	struct map slot_of;               /* (label, node) -> 1 + row of `slots`, of the state that is expanded */
	VEC(struct forest_child) slots;
	VEC(id_list) contexts;            /* by slot */
	VEC(struct forest_dead) dead;     /* of the state that is expanded */
};

static uint32_t number_of(struct map *m, uint32_t *n, uint32_t a, uint32_t b)
{
	uint32_t *at = map_at(m, map_key(a, b));

	if (!*at)
		*at = ++*n;
	return *at;
}

/* Where nothing is known, all is possible that is possible otherwise: nothing else is worth knowing then. */
static uint32_t intern_contexts(struct grower *w, id_list *contexts)
{
	for (uint32_t i = 0; i < contexts->len; i++)
		if (!contexts->data[i])
			return 0;
	contexts->len = sort_ids(contexts->data, contexts->len);
	return id_sets_intern(&w->f->contexts, contexts->data, contexts->len);
}

static uint32_t add_state(struct grower *w, struct forest_state s, uint32_t depth)
{
	uint32_t a = number_of(&w->pairs_a, &w->na, s.node, s.contexts), b = number_of(&w->pairs_b, &w->nb, s.passed, s.below);
	uint32_t *at = map_at(&w->state_of, map_key(number_of(&w->pairs_c, &w->nc, a, s.asserted), b));

	if (!*at) {
		*at = w->f->states.len;
		vec_push(&w->f->states, s);
		vec_push(&w->depth, depth);
	}
	return *at;
}

static uint16_t passed_by(const uint16_t *table, uint32_t i)
{
	return table ? table[i] : 0;
}

static bool is_stopped(const bool *table, uint32_t i)
{
	return table && table[i];
}

/* Back edges */

static bool set_has(const struct id_set *s, uint32_t id)
{
	const uint32_t *ids = s->ids;

	for (uint32_t i = 0; i < s->n; i++)
		if (ids[i] == id)
			return true;
	return false;
}

/* The nodes of its cycle that a callee lies below: only these can be called again. */
static uint32_t below_of(struct grower *w, const struct forest_state *from, uint32_t node)
{
	if (!w->opt->backedges)
		return 0;
	vec_clear(&w->scratch);
	if (from && w->cycle[from->node] == w->cycle[node]) {
		const struct id_set *s = &w->f->below.rows.data[from->below];
		for (uint32_t i = 0; i < s->n; i++)
			vec_push(&w->scratch, ((const uint32_t *)s->ids)[i]);
	}
	vec_push(&w->scratch, node);
	w->scratch.len = sort_ids(w->scratch.data, w->scratch.len);
	return id_sets_intern(&w->f->below, w->scratch.data, w->scratch.len);
}

static bool is_back(const struct grower *w, const struct forest_state *from, uint32_t node)
{
	return w->opt->backedges && w->cycle[from->node] == w->cycle[node] &&
	       set_has(&w->f->below.rows.data[from->below], node);
}

static void find_cycles(struct grower *w)
{
	const struct chain_graph *x = w->x;
	struct arena scratch;
	uint32_t n = x->methods.len, *first = mem_alloc((n + 1) * sizeof(*first)), *to = mem_alloc((x->edges.len + 1) * sizeof(*to));

	for (uint32_t i = 0; i <= n; i++)
		first[i] = x->first_edge.data[i];
	for (uint32_t i = 0; i < x->edges.len; i++)
		to[i] = x->edges.data[i].to;
	arena_init(&scratch);
	scc_compute(&(struct digraph){ n, first, to }, w->cycle, &scratch);
	arena_release(&scratch);
	free(first);
	free(to);
}

/* Assertions: an id of the set is an assertion and how many of its methods are on the way. */

#define MOST_ASSERTED 1024    /* methods of an assertion */

/* How far they fit once the node is called from the state, or entered; false: one fits to its end. */
static bool assert_node(struct grower *w, const struct forest_state *from, uint32_t node, uint32_t *out)
{
	const struct id_set *s = from ? &w->f->asserted.rows.data[from->asserted] : NULL;
	uint32_t n = from ? s->n : w->opt->nassertions;

	vec_clear(&w->scratch);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t id = from ? ((const uint32_t *)s->ids)[i] : i * MOST_ASSERTED;
		const struct chain_assertion *a = &w->opt->assertions[id / MOST_ASSERTED];
		if (!a->nodes[id % MOST_ASSERTED][node])
			continue;
		if (id % MOST_ASSERTED + 1 == a->n) {
			w->f->cuts.data[id / MOST_ASSERTED]++;
			return false;
		}
		vec_push(&w->scratch, id + 1);
	}
	*out = w->scratch.len ? id_sets_intern(&w->f->asserted, w->scratch.data, w->scratch.len) : 0;
	return true;
}

/* Expansion */

/* Edges with the same label follow each other. */
static uint32_t first_alike(const struct chain_graph *x, uint32_t edge)
{
	const struct chain_edge *e = &x->edges.data[edge];

	for (; edge > 0; edge--) {
		const struct chain_edge *before = &x->edges.data[edge - 1];
		if (before->site != e->site || before->to != e->to || before->receiver.i != e->receiver.i ||
		    before->is_client != e->is_client)
			break;
	}
	return edge;
}

/* The label, as far as the granularity has it: what makes two calls of one method one. */
static uint32_t label_of(const struct grower *w, const struct chain_edge *e)
{
	switch (w->opt->granularity) {
	case CHAIN_METHOD: return 0;
	case CHAIN_SITE: return e->site;
	default: return first_alike(w->x, (uint32_t)(e - w->x->edges.data)) + 1;
	}
}

static void add_slot(struct grower *w, uint32_t edge, uint32_t context)
{
	const struct chain_edge *e = &w->x->edges.data[edge];
	uint32_t *slot = map_at(&w->slot_of, map_key(label_of(w, e), e->to));

	if (!*slot) {
		vec_push(&w->slots, ((struct forest_child){ .edge = edge }));
		*slot = w->slots.len;
		if (w->contexts.len < w->slots.len)
			vec_push(&w->contexts, (id_list){ 0 });
		vec_clear(&w->contexts.data[*slot - 1]);
	}
	vec_push(&w->contexts.data[*slot - 1], context);
}

static void follow(struct grower *w, uint32_t edge, uint32_t context)
{
	uint32_t out;

	switch (chain_prune_follow(w->opt->prune, w->x, edge, context, &out)) {
	case CHAIN_GOES_ON: add_slot(w, edge, out); break;
	case CHAIN_RULED_OUT: vec_push(&w->dead, ((struct forest_dead){ edge, context })); break;
	default: break;
	}
}

static void find_slots(struct grower *w, uint32_t state)
{
	struct forest_state s = w->f->states.data[state];
	const struct id_set *contexts = &w->f->contexts.rows.data[s.contexts];
	const struct chain_filter *filter = &w->opt->filter;

	vec_clear(&w->slots);
	vec_clear(&w->dead);
	map_release(&w->slot_of);
	w->slot_of = (struct map){ 0 };
	for (uint32_t i = w->x->first_edge.data[s.node]; i < w->x->first_edge.data[s.node + 1]; i++) {
		if (is_stopped(filter->stops_node, w->x->edges.data[i].to) || is_stopped(filter->stops_edge, i))
			continue;
		if (!s.contexts)
			follow(w, i, CONTEXT_NONE);
		for (uint32_t k = 0; k < contexts->n; k++)
			follow(w, i, ((const uint32_t *)contexts->ids)[k]);
	}
}

/* Calls that are possible in no context, each label once. */
static void keep_dead(struct grower *w, struct forest_state *s)
{
	s->first_dead = w->f->dead.len;
	for (uint32_t i = 0; i < w->dead.len; i++) {
		const struct chain_edge *e = &w->x->edges.data[w->dead.data[i].edge];
		uint32_t *slot = map_at(&w->slot_of, map_key(label_of(w, e), e->to));
		if (*slot)
			continue;
		*slot = UINT32_MAX;
		vec_push(&w->f->dead, w->dead.data[i]);
	}
	s->ndead = w->f->dead.len - s->first_dead;
}

static void add_child(struct grower *w, const struct forest_state *s, uint32_t state, uint32_t slot)
{
	const struct chain_filter *filter = &w->opt->filter;
	struct forest_child c = w->slots.data[slot];
	uint32_t to = w->x->edges.data[c.edge].to, asserted;

	if (!assert_node(w, s, to, &asserted))
		return;
	if (is_back(w, s, to)) {
		w->f->backedges++;
	} else {
		uint16_t passed = s->passed | passed_by(filter->passes_edge, c.edge) | passed_by(filter->passes_node, to);
		struct forest_state t = { .node = to, .contexts = intern_contexts(w, &w->contexts.data[slot]), .asserted = asserted,
					  .below = below_of(w, s, to), .passed = passed & filter->all };
		c.state = add_state(w, t, w->depth.data[state] + 1);
	}
	vec_push(&w->f->children, c);
}

static void expand(struct grower *w, uint32_t state)
{
	find_slots(w, state);
	struct forest_state s = w->f->states.data[state];
	s.first = w->f->children.len;
	keep_dead(w, &s);
	for (uint32_t i = 0; i < w->slots.len; i++)
		add_child(w, &s, state, i);
	s.n = w->f->children.len - s.first;
	w->f->states.data[state] = s;
}

/* Depths only grow from state to state. */
static void expand_all(struct grower *w, uint32_t room)
{
	for (uint32_t i = 1; i < w->f->states.len; i++) {
		if (w->depth.data[i] < room)
			expand(w, i);
		w->f->is_cut |= w->opt->most_states && w->f->states.len > w->opt->most_states;
		if (w->f->is_cut)
			return;
	}
}

/* Trees */

/* Calls that chains of the tree may have from its root on. */
uint32_t forest_room(const struct forest *f, const struct forest_tree *t)
{
	return f->opt.k == CHAIN_UNBOUNDED ? f->depth : f->opt.k < t->start ? 0 : f->opt.k - t->start;
}

static uint32_t entry_contexts(struct grower *w, uint32_t node)
{
	id_list contexts = { 0 };
	uint32_t known[CHAIN_MOST_ENTERED], n = chain_prune_entry(w->opt->prune, w->x, node, known);

	for (uint32_t i = 0; i < n; i++)
		vec_push(&contexts, known[i]);
	uint32_t set = intern_contexts(w, &contexts);
	vec_release(&contexts);
	return set;
}

static void add_tree(struct grower *w, const struct chain_levels *levels, uint32_t node, uint32_t row)
{
	const struct chain_filter *filter = &w->opt->filter;
	uint32_t distance = chain_distance(levels, w->f->levels.data[row].level, node);

	if (distance == CHAIN_NEVER || is_stopped(filter->stops_node, node) || (filter->is_root && !filter->is_root[node]))
		return;
	if (w->opt->from_main && distance > w->opt->k)
		return;
	struct forest_state s = { .node = node, .contexts = entry_contexts(w, node), .below = below_of(w, NULL, node),
				  .passed = passed_by(filter->passes_node, node) & filter->all };
	assert_node(w, NULL, node, &s.asserted);
	vec_push(&w->f->trees, ((struct forest_tree){ add_state(w, s, 0), row, w->opt->from_main ? distance : 0 }));
}

/* Counts */

static uint64_t sum_children(const struct forest *f, const struct forest_state *s, const uint64_t *row)
{
	uint64_t sum = 0;

	for (uint32_t i = s->first; i < s->first + s->n; i++)
		if (f->children.data[i].state)
			sum = chains_plus(sum, row[f->children.data[i].state]);
	return sum;
}

/* The numbers of chains with d calls from each state; false: there are none, nor any longer ones. */
static bool count_row(struct forest *f, uint32_t d)
{
	uint32_t n = f->states.len;
	bool has_any = false;

	vec_reserve(&f->counts, (uint64_t)(d + 1) * n);
	f->counts.len = (d + 1) * n;
	uint64_t *row = f->counts.data + (size_t)d * n;
	row[0] = 0;
	for (uint32_t i = 1; i < n; i++) {
		struct forest_state *s = &f->states.data[i];
		row[i] = d == 0 ? s->passed == f->opt.filter.all : sum_children(f, s, row - n);
		if (row[i] && s->nearest == CHAIN_NEVER)
			s->nearest = d;
		has_any |= row[i] != 0;
	}
	return has_any;
}

static void count_all(struct forest *f, uint32_t room)
{
	for (uint32_t i = 1; i < f->states.len; i++)
		f->states.data[i].nearest = CHAIN_NEVER;
	for (uint32_t d = 0; d <= room; d++) {
		f->is_cut = (uint64_t)(d + 1) * f->states.len > MOST_COUNTS;
		if (f->is_cut || !count_row(f, d))
			return;
		f->depth = d;
	}
}

static void release_grower(struct grower *w)
{
	map_release(&w->pairs_a);
	map_release(&w->pairs_b);
	map_release(&w->pairs_c);
	map_release(&w->state_of);
	map_release(&w->slot_of);
	vec_release(&w->depth);
	vec_release(&w->scratch);
	vec_release(&w->slots);
	for (uint32_t i = 0; i < w->contexts.len; i++)
		vec_release(&w->contexts.data[i]);
	vec_release(&w->contexts);
	vec_release(&w->dead);
	free(w->cycle);
}

struct forest *forest_make(const struct chain_graph *x, const struct chain_levels *levels, const struct chain_level *wanted,
			   uint32_t n, const struct chain_opt *opt)
{
	struct forest *f = mem_zalloc(sizeof(*f));
	struct grower w = { .f = f, .x = x, .opt = &f->opt };
	uint32_t room = opt->from_main ? opt->k - 1 : opt->k;

	f->x = x;
	f->opt = *opt;
	id_sets_init(&f->contexts);
	id_sets_init(&f->below);
	id_sets_init(&f->asserted);
	for (uint32_t i = 0; i < opt->nassertions; i++)
		vec_push(&f->cuts, 0);
	vec_push(&f->states, (struct forest_state){ 0 });
	vec_push(&w.depth, 0);
	if (opt->backedges) {
		w.cycle = mem_zalloc((x->methods.len + 1) * sizeof(*w.cycle));
		find_cycles(&w);
	}
	for (uint32_t i = 0; i < n; i++)
		vec_push(&f->levels, wanted[i]);
	for (uint32_t node = 1; node < x->methods.len; node++)
		for (uint32_t i = 0; i < n; i++)
			add_tree(&w, levels, node, i);
	expand_all(&w, room);
	if (!f->is_cut)
		count_all(f, room);
	release_grower(&w);
	f->opt.filter = (struct chain_filter){ .all = opt->filter.all };
	f->opt.assertions = NULL;
	return f;
}

void forest_free(struct forest *f)
{
	if (!f)
		return;
	vec_release(&f->levels);
	vec_release(&f->trees);
	vec_release(&f->states);
	vec_release(&f->children);
	vec_release(&f->dead);
	vec_release(&f->counts);
	id_sets_release(&f->contexts);
	id_sets_release(&f->below);
	id_sets_release(&f->asserted);
	vec_release(&f->cuts);
	free(f);
}

static uint64_t count_at(const struct forest *f, uint32_t state, uint32_t d)
{
	return d <= f->depth ? f->counts.data[(size_t)d * f->states.len + state] : 0;
}

uint64_t forest_tree_count(const struct forest *f, const struct forest_tree *t, uint32_t length)
{
	if (length < t->start || length > f->opt.k || (!f->opt.from_main && length == 0))
		return 0;
	return count_at(f, t->state, length - t->start);
}

uint64_t forest_below(const struct forest *f, uint32_t state, uint32_t used, const struct forest_tree *t)
{
	uint32_t room = forest_room(f, t);
	uint64_t sum = 0;

	for (uint32_t d = 0; used + d <= room && d <= f->depth; d++)
		if (used + d > 0 || f->opt.from_main)
			sum = chains_plus(sum, count_at(f, state, d));
	return sum;
}

uint64_t forest_tree_total(const struct forest *f, const struct forest_tree *t)
{
	return forest_below(f, t->state, 0, t);
}

uint64_t forest_count(const struct forest *f, uint32_t length)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < f->trees.len; i++)
		sum = chains_plus(sum, forest_tree_count(f, &f->trees.data[i], length));
	return sum;
}

uint64_t forest_total(const struct forest *f)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < f->trees.len; i++)
		sum = chains_plus(sum, forest_tree_total(f, &f->trees.data[i]));
	return sum;
}

/* Trees of one entry follow each other. */
uint32_t forest_entries(const struct forest *f)
{
	uint32_t n = 0, last = 0;

	for (uint32_t i = 0; i < f->trees.len; i++) {
		uint32_t node = f->states.data[f->trees.data[i].state].node;
		n += node != last;
		last = node;
	}
	return n;
}

uint32_t forest_longest(const struct forest *f)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < f->trees.len; i++)
		for (uint32_t d = forest_room(f, &f->trees.data[i]) + 1; d-- > 0;)
			if (count_at(f, f->trees.data[i].state, d)) {
				most = f->trees.data[i].start + d > most ? f->trees.data[i].start + d : most;
				break;
			}
	return most;
}
