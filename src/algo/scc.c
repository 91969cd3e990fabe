/* SPDX-License-Identifier: Apache-2.0 */
/* scc.c - Tarjan, "Depth-first search and linear graph algorithms". */
#include "algo/scc.h"

struct search {
	const struct digraph *g;
	uint32_t *component;
	uint32_t *low;                /* number in the order of visits, then the lowest that is reached; 0: not visited */
	uint32_t *edge;               /* the next edge to follow */
	uint32_t *path, *open;        /* stacks: the way from the root, and visited nodes without a component */
	uint32_t path_len, open_len, visits, count;
};

static void enter(struct search *s, uint32_t node)
{
	s->low[node] = ++s->visits;
	s->edge[node] = s->g->first[node];
	s->component[node] = UINT32_MAX;
	s->path[s->path_len++] = node;
	s->open[s->open_len++] = node;
}

/* Everything above `node` on the open stack belongs to it. */
static void close_component(struct search *s, uint32_t node)
{
	uint32_t member;

	do {
		member = s->open[--s->open_len];
		s->component[member] = s->count;
	} while (member != node);
	s->count++;
}

/* `visit` is the number that each node on the path had when it was entered. */
static void leave(struct search *s, const uint32_t *visit)
{
	uint32_t node = s->path[--s->path_len];

	if (s->low[node] == visit[node])
		close_component(s, node);
	if (s->path_len) {
		uint32_t parent = s->path[s->path_len - 1];

		if (s->component[node] == UINT32_MAX && s->low[node] < s->low[parent])
			s->low[parent] = s->low[node];
	}
}

static void search_from(struct search *s, uint32_t root, uint32_t *visit)
{
	enter(s, root);
	visit[root] = s->visits;
	while (s->path_len) {
		uint32_t node = s->path[s->path_len - 1];

		if (s->edge[node] == s->g->first[node + 1]) {
			leave(s, visit);
			continue;
		}
		uint32_t to = s->g->to[s->edge[node]++];

		if (!s->low[to]) {
			enter(s, to);
			visit[to] = s->visits;
		} else if (s->component[to] == UINT32_MAX && visit[to] < s->low[node]) {
			s->low[node] = visit[to];
		}
	}
}

uint32_t scc_compute(const struct digraph *g, uint32_t *component, struct arena *scratch)
{
	uint32_t *visit = arena_array(scratch, uint32_t, g->n);
	struct search s = { .g = g, .component = component, .low = arena_zarray(scratch, uint32_t, g->n),
		.edge = arena_array(scratch, uint32_t, g->n), .path = arena_array(scratch, uint32_t, g->n),
		.open = arena_array(scratch, uint32_t, g->n) };

	for (uint32_t i = 0; i < g->n; i++)
		if (!s.low[i])
			search_from(&s, i, visit);
	return s.count;
}
