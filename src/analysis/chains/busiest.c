/* SPDX-License-Identifier: Apache-2.0 */
/* How many chains visit a method: ways to each of its states, times chains from there. A chain that visits it twice counts
 * twice; as advice that is near enough. */
#include "analysis/chains/forest.h"

#include <stdlib.h>

struct visits {
	const struct forest *f;
	double *now, *next;           /* by state: ways to it with so many calls */
	double *by_node;
};

static double chains_from(const struct forest *f, uint32_t state, uint32_t left)
{
	double sum = 0;

	for (uint32_t d = 0; d <= left && d <= f->depth; d++)
		sum += (double)f->counts.data[(size_t)d * f->states.len + state];
	return sum;
}

static void go_on(struct visits *v, uint32_t state, uint32_t left)
{
	const struct forest_state *s = &v->f->states.data[state];

	for (uint32_t i = s->first; i < s->first + s->n; i++) {
		uint32_t to = v->f->children.data[i].state;
		if (!to)
			continue;
		v->next[to] += v->now[state];
		v->by_node[v->f->states.data[to].node] += v->now[state] * chains_from(v->f, to, left);
	}
}

/* Trees whose chains may have as many calls are followed together. */
static void follow(struct visits *v, uint32_t room)
{
	uint32_t n = v->f->states.len;

	for (uint32_t i = 0; i < n; i++)
		v->now[i] = v->next[i] = 0;
	for (uint32_t i = 0; i < v->f->trees.len; i++)
		if (forest_room(v->f, &v->f->trees.data[i]) == room)
			v->now[v->f->trees.data[i].state] += 1;
	for (uint32_t left = room; left-- > 0;) {
		for (uint32_t i = 1; i < n; i++)
			if (v->now[i] > 0)
				go_on(v, i, left);
		double *done = v->now;
		v->now = v->next;
		v->next = done;
		for (uint32_t i = 0; i < n; i++)
			v->next[i] = 0;
	}
}

uint32_t forest_busiest(const struct forest *f, double *share)
{
	struct visits v = { .f = f };
	uint32_t most = 0, deepest = 0;
	double total = 0;

	v.now = mem_alloc((f->states.len + 1) * sizeof(*v.now));
	v.next = mem_alloc((f->states.len + 1) * sizeof(*v.next));
	v.by_node = mem_zalloc((f->x->methods.len + 1) * sizeof(*v.by_node));
	for (uint32_t i = 0; i < f->trees.len; i++) {
		uint32_t room = forest_room(f, &f->trees.data[i]);
		deepest = room > deepest ? room : deepest;
		total += chains_from(f, f->trees.data[i].state, room);
	}
	for (uint32_t room = 0; room <= deepest; room++)
		for (uint32_t i = 0; i < f->trees.len; i++)
			if (forest_room(f, &f->trees.data[i]) == room) {
				follow(&v, room);
				break;
			}
	for (uint32_t i = 1; i < f->x->methods.len; i++)
		most = v.by_node[i] > v.by_node[most] ? i : most;
	*share = total > 0 ? v.by_node[most] / total : 0;
	*share = *share > 1 ? 1 : *share;
	free(v.now);
	free(v.next);
	free(v.by_node);
	return most;
}
