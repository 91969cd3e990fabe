/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/callbacks/select.h"

#include <stdlib.h>
#include <string.h>

/* How many calls each method is away from the first one, by level; UINT32_MAX: not called from there. */
struct levels {
	const struct callbacks *c;
	uint32_t *first;                 /* by method id: its first edge; edges are sorted by caller */
	uint32_t *level;
	VEC(method_id) queue;
};

static void levels_init(struct levels *l, const struct callbacks *c, size_t nmethods)
{
	*l = (struct levels){ .c = c, .first = mem_alloc(nmethods * sizeof(uint32_t)), .level = mem_alloc(nmethods * sizeof(uint32_t)) };
	memset(l->first, 0xff, nmethods * sizeof(uint32_t));
	memset(l->level, 0xff, nmethods * sizeof(uint32_t));
	for (uint32_t i = c->edges.len; i-- > 0;)
		l->first[c->edges.data[i].caller.i] = i;
}

static void levels_release(struct levels *l)
{
	free(l->first);
	free(l->level);
	vec_release(&l->queue);
}

static void come_to(struct levels *l, method_id m, uint32_t level)
{
	if (l->level[m.i] != UINT32_MAX)
		return;
	l->level[m.i] = level;
	vec_push(&l->queue, m);
}

static void levels_from(struct levels *l, method_id from)
{
	come_to(l, from, 0);
	for (uint32_t k = 0; k < l->queue.len; k++) {
		method_id m = l->queue.data[k];
		for (uint32_t i = l->first[m.i]; i < l->c->edges.len && l->c->edges.data[i].caller.i == m.i; i++)
			come_to(l, l->c->edges.data[i].callee, l->level[m.i] + 1);
	}
}

static bool is_wanted(const struct callbacks_selection *s, const struct levels *l, const struct program *p, const struct app_edge *e)
{
	if (s->from.i && (l->level[e->caller.i] == UINT32_MAX || (s->depth && l->level[e->caller.i] >= s->depth)))
		return false;
	return !s->has_class || s->has_class(s->ctx, method_row(p, e->caller)->owner) ||
	       s->has_class(s->ctx, method_row(p, e->callee)->owner);
}

void callbacks_select(struct callbacks *c, const struct callgraph *g, const struct callbacks_selection *s)
{
	const struct program *p = callgraph_program(g);
	uint32_t n = 0;
	struct levels l;

	levels_init(&l, c, (size_t)p->methods.len + 1);
	if (s->from.i)
		levels_from(&l, s->from);
	memset(c->counts, 0, sizeof(c->counts));
	for (uint32_t i = 0; i < c->edges.len; i++) {
		struct app_edge e = c->edges.data[i];
		if (!is_wanted(s, &l, p, &e))
			continue;
		c->counts[e.sort]++;
		c->edges.data[n++] = e;
	}
	c->edges.len = n;
	levels_release(&l);
}
