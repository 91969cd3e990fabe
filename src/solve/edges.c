/* SPDX-License-Identifier: Apache-2.0 */
/* edges.c - lists of edges: one inside the node, more in the pool. */
#include <string.h>

#include "solve/solve_p.h"

/* To a piece for n edges. */
static void resize(struct edges *l, uint32_t n, struct pool *p)
{
	size_t size = n * sizeof(struct edge);
	struct edge *many = pool_alloc(p, &size);

	memcpy(many, edges_data(l), l->n * sizeof(*many));
	if (l->cap)
		pool_free(p, l->many, l->cap * sizeof(*many));
	l->many = many;
	l->cap = (uint32_t)(size / sizeof(*many));
}

void edges_push(struct edges *l, struct edge e, struct pool *p)
{
	if (l->n == (l->cap ? l->cap : 1))
		resize(l, l->n + 1, p);
	edges_data(l)[l->n++] = e;
}

void edges_release(struct edges *l, struct pool *p)
{
	if (l->cap)
		pool_free(p, l->many, l->cap * sizeof(struct edge));
	*l = (struct edges){ 0 };
}

void edges_shrink(struct edges *l, uint32_t n, struct pool *p)
{
	struct edge first = edges_data(l)[0];

	l->n = n;
	if (l->cap && n <= 1) {
		edges_release(l, p);
		l->one = first;
		l->n = n;
	} else if (n < l->cap / 4) {
		resize(l, n, p);
	}
}
