/* SPDX-License-Identifier: Apache-2.0 */
/* How many calls away from a beginning methods are, by the graph of the whole program. */
#include "analysis/pta/reach/reach_p.h"

#include <string.h>

#include "algo/groups.h"

struct nearness {
	struct reach *r;
	struct groups callers;           /* of methods, also those that may need an initialiser */
	VEC(uint8_t) near;
	VEC(uint32_t) todo;
};

struct calling { struct nearness *n; method_id from; };

static void add_initialiser(void *ctx, class_id of ATTR_UNUSED, method_id clinit)
{
	const struct calling *c = ctx;

	if (clinit.i)
		groups_add(&c->n->callers, clinit.i, c->from.i);
}

static void add_calls(struct nearness *n, method_id m)
{
	struct pta *a = n->r->a;
	const struct template *t = a->templates.data[m.i];

	for (uint32_t i = t->first_site; i < t->first_site + t->nsites; i++)
		for (uint32_t k = 0; k < a->sites.data[i].targets.len; k++)
			groups_add(&n->callers, a->sites.data[i].targets.data[k].i, m.i);
	for (uint32_t i = 0; i < t->ninitialised; i++)
		hierarchy_initialisers(&a->h, t->initialises[i], add_initialiser, &(struct calling){ n, m });
}

struct nearness *nearness_new(struct reach *r)
{
	struct nearness *n = mem_zalloc(sizeof(*n));
	uint32_t methods = (uint32_t)r->a->p->methods.len + 1;

	n->r = r;
	vec_reserve(&n->near, methods);
	n->near.len = methods;
	for (uint32_t i = 0; i < r->a->reached.len; i++)
		if (is_entered(r, r->a->reached.data[i]))
			add_calls(n, r->a->reached.data[i]);
	groups_close(&n->callers, methods);
	return n;
}

void nearness_free(struct nearness *n)
{
	if (!n)
		return;
	groups_release(&n->callers);
	vec_release(&n->near);
	vec_release(&n->todo);
	free(n);
}

static void visit(struct nearness *n, uint32_t m, uint32_t near)
{
	if (n->near.data[m] <= near)
		return;
	n->near.data[m] = (uint8_t)near;
	vec_push(&n->todo, m);
}

const uint8_t *nearness_to(struct nearness *n, const beginning_list *to)
{
	memset(n->near.data, NEAR_MOST, n->near.len);
	vec_clear(&n->todo);
	for (uint32_t i = 0; i < to->len; i++)
		visit(n, n->r->a->instances.data[to->data[i].instance].method.i, 0);
	for (uint32_t i = 0; i < n->todo.len; i++) {
		uint32_t m = n->todo.data[i];
		struct group_view callers = groups_of(&n->callers, m);
		for (uint32_t k = 0; k < callers.n; k++)
			visit(n, callers.data[k], n->near.data[m] + 1u);
	}
	return n->near.data;
}
