/* SPDX-License-Identifier: Apache-2.0 */
/* Enumeration. A subtree without a chain that has passed all filters, within what is left of the length, is not entered. */
#include "analysis/chains/forest.h"

void chain_walk_release(struct chain_walk *w)
{
	vec_release(&w->edges);
	vec_release(&w->states);
	vec_release(&w->at);
}

static bool has_chains(const struct forest *f, uint32_t state, uint32_t used, const struct forest_tree *t)
{
	uint32_t nearest = f->states.data[state].nearest;

	return nearest != CHAIN_NEVER && nearest <= forest_room(f, t) - used;
}

static void enter(struct chain_walk *w, uint32_t state)
{
	vec_push(&w->states, state);
	vec_push(&w->at, 0);
}

static bool start_tree(struct chain_walk *w)
{
	const struct forest_tree *t = &w->forest->trees.data[w->tree];

	vec_clear(&w->edges);
	vec_clear(&w->states);
	vec_clear(&w->at);
	if (!has_chains(w->forest, t->state, 0, t))
		return false;
	enter(w, t->state);
	return true;
}

/* Is the node on top a chain that is wanted? The entry alone is one where lengths start before it. */
static bool is_chain(const struct chain_walk *w)
{
	const struct forest *f = w->forest;

	return f->states.data[*vec_last(&w->states)].passed == f->opt.filter.all && (w->edges.len || f->opt.from_main);
}

/* Goes to the next child of the node on top; false: there is none. */
static bool go_down(struct chain_walk *w)
{
	const struct forest *f = w->forest;
	const struct forest_tree *t = &f->trees.data[w->tree];
	const struct forest_state *s = &f->states.data[*vec_last(&w->states)];

	if (w->edges.len >= forest_room(f, t))
		return false;
	while (*vec_last(&w->at) < s->n) {
		struct forest_child c = f->children.data[s->first + (*vec_last(&w->at))++];
		if (!c.state || !has_chains(f, c.state, w->edges.len + 1, t))
			continue;
		vec_push(&w->edges, c.edge);
		enter(w, c.state);
		return true;
	}
	return false;
}

static void go_up(struct chain_walk *w)
{
	(void)vec_pop(&w->states);
	(void)vec_pop(&w->at);
	if (w->edges.len)
		(void)vec_pop(&w->edges);
}

bool chain_next(struct chain_walk *w)
{
	for (;;) {
		if (!w->states.len) {
			w->tree += w->is_started;
			w->is_started = true;
			if (w->tree >= w->forest->trees.len)
				return false;
			if (!start_tree(w) || !is_chain(w))
				continue;
			return true;
		}
		if (go_down(w)) {
			if (is_chain(w))
				return true;
		} else {
			go_up(w);
		}
	}
}

/* Finds the tree, then child by child, by their counts. */
bool chain_at(struct chain_walk *w, uint64_t number)
{
	const struct forest *f = w->forest;

	w->is_started = true;
	for (w->tree = 0; w->tree < f->trees.len; w->tree++) {
		uint64_t n = forest_tree_total(f, &f->trees.data[w->tree]);
		if (number < n)
			break;
		number -= n;
	}
	if (w->tree == f->trees.len || !start_tree(w))
		return false;
	const struct forest_tree *t = &f->trees.data[w->tree];
	for (;;) {
		if (is_chain(w) && number-- == 0)
			return true;
		for (;;) {
			if (!go_down(w))
				return false;
			uint64_t n = forest_below(f, *vec_last(&w->states), w->edges.len, t);
			if (number < n)
				break;
			number -= n;
			go_up(w);
		}
	}
}

/* Calls that are ruled out */

void dead_walk_release(struct dead_walk *w)
{
	vec_release(&w->edges);
	vec_release(&w->states);
	vec_release(&w->at);
}

static void enter_dead(struct dead_walk *w, uint32_t state)
{
	vec_push(&w->states, state);
	vec_push(&w->at, 0);
}

/* The next dead call of the state on top, or the way to its next child; false: there is nothing left. */
static bool step_dead(struct dead_walk *w, uint32_t room)
{
	const struct forest *f = w->forest;
	const struct forest_state *s = &f->states.data[*vec_last(&w->states)];
	uint32_t at = (*vec_last(&w->at))++;

	w->dead = NULL;
	if (w->edges.len >= room || at >= s->ndead + s->n)
		return false;
	if (at < s->ndead) {
		w->dead = &f->dead.data[s->first_dead + at];
	} else if (w->edges.len + 1 < room && f->children.data[s->first + at - s->ndead].state) {
		vec_push(&w->edges, f->children.data[s->first + at - s->ndead].edge);
		enter_dead(w, f->children.data[s->first + at - s->ndead].state);
	}
	return true;
}

bool dead_next(struct dead_walk *w)
{
	const struct forest *f = w->forest;

	for (;;) {
		if (!w->states.len) {
			w->tree += w->is_started;
			w->is_started = true;
			if (w->tree >= f->trees.len)
				return false;
			enter_dead(w, f->trees.data[w->tree].state);
		}
		if (step_dead(w, forest_room(f, &f->trees.data[w->tree]))) {
			if (w->dead)
				return true;
			continue;
		}
		(void)vec_pop(&w->states);
		(void)vec_pop(&w->at);
		if (w->edges.len)
			(void)vec_pop(&w->edges);
	}
}

/* Is the rest of the chain possible from each class of `this` that is left? */
static const char *check_chain(const struct chain_walk *w)
{
	const struct chain_graph *x = w->forest->x;
	uint32_t node = w->forest->states.data[w->forest->trees.data[w->tree].state].node;

	for (uint32_t i = 0; i < w->edges.len; i++) {
		const struct chain_edge *e = &x->edges.data[w->edges.data[i]];
		if (e->from != node)
			return "a chain is broken";
		node = e->to;
	}
	return w->forest->trees.data[w->tree].start + w->edges.len > w->forest->opt.k ? "a chain is too long" : NULL;
}

bool forest_check(const struct forest *f, uint64_t most, const char **reason)
{
	struct chain_walk w = { .forest = f };
	uint64_t n = 0;

	*reason = NULL;
	while (!*reason && n <= most && chain_next(&w)) {
		*reason = check_chain(&w);
		n++;
	}
	if (!*reason && n <= most && n != forest_total(f))
		*reason = "counts are not what enumeration finds";
	chain_walk_release(&w);
	return !*reason;
}
