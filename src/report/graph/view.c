/* SPDX-License-Identifier: Apache-2.0 */
/* view.c - what is the same for every graph of calls. */
#include "report/graph/view.h"

void graph_view_free(struct graph_view *v)
{
	free(v->seen);
	free(v->seen_sets);
	vec_release(&v->callees);
	v->maker->free(v);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void add_callees(struct graph_view *v, const struct graph_site *s, uint32_t search)
{
	if (!s->set || v->seen_sets[s->set] == search)
		return;
	v->seen_sets[s->set] = search;
	struct graph_targets t = graph_targets(v, s);
	for (uint32_t i = 0; i < t.n; i++) {
		uint32_t *seen = &v->seen[t.nodes[i]];
		if (*seen != search) {
			*seen = search;
			vec_push(&v->callees, t.nodes[i]);
		}
	}
}

struct graph_targets graph_callees(struct graph_view *v, uint32_t node, uint32_t kind)
{
	uint32_t n;
	const struct graph_site *sites = v->maker->sites(v, node, &n);
	bool sorted = true;

	if (!v->seen) {
		v->seen = mem_zalloc(sizeof(uint32_t) * ((size_t)v->nnodes + 1));
		v->seen_sets = mem_zalloc(sizeof(uint32_t) * ((size_t)v->nsets + 1));
	}
	vec_clear(&v->callees);
	v->searches++;
	for (uint32_t i = 0; i < n; i++)
		if (sites[i].kind == kind)
			add_callees(v, &sites[i], v->searches);
	for (uint32_t i = 1; i < v->callees.len && sorted; i++)
		sorted = v->callees.data[i - 1] < v->callees.data[i];
	if (!sorted)
		qsort(v->callees.data, v->callees.len, sizeof(uint32_t), by_number);
	return (struct graph_targets){ v->callees.data, v->callees.len };
}
