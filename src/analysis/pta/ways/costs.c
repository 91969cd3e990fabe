/* SPDX-License-Identifier: Apache-2.0 */
/* Who is told a way wants to read it in the code that he knows: own members are cheap, those of libraries dear, and what reads objects
 * by name, from streams or otherwise without a word of it in the code, dearest. */
#include "analysis/callgraph/path.h"
#include "analysis/pta/ways/ways_p.h"

enum { COST_OWN = 2, COST_MEMORY = 1, COST_LIBRARY = 6, COST_DETOUR = 60, COST_UNKNOWN = 120 };

static uint8_t cost_of_class(const struct pta *a, class_id c)
{
	bool is_clients = c.i && class_row(a->p, c)->kind == CLASS_SYNTHETIC && !class_row(a->p, c)->outer.i;

	if (!c.i || is_clients || is_own(a, c))
		return COST_OWN;
	return is_detour(a->p, c) ? COST_DETOUR : COST_LIBRARY;
}

static uint8_t cost_of_memory(uint8_t cost)
{
	return cost == COST_OWN ? COST_OWN + COST_MEMORY : cost;
}

/* Arrays are of who makes them. */
static uint8_t cost_of_object(struct pta *a, object_id o)
{
	const struct pta_place *is = &a->places.data[object_place(a, o)].is;
	bool is_array = is->cls.i && class_row(a->p, is->cls)->kind == CLASS_ARRAY;
	class_id of = is_array && is->method.i ? method_row(a->p, is->method)->owner : is->cls;

	return cost_of_memory(cost_of_class(a, of));
}

static uint8_t cost_of_field(const struct pta *a, uint32_t field)
{
	if (is_jvm_field(field))
		return COST_DETOUR;
	class_id owner = field_row(a->p, (field_id){ field })->owner;
	uint8_t cost = cost_of_class(a, owner);

	return class_row(a->p, owner)->kind == CLASS_SYNTHETIC ? cost : cost_of_memory(cost);
}

static uint8_t cost_of_name(struct pta *a, const struct name *n)
{
	switch (n->sort) {
	case NAME_VARIABLES:
		return cost_of_class(a, method_row(a->p, a->instances.data[n->of].method)->owner);
	case NAME_SLOTS:
		return cost_of_object(a, (object_id){ n->of });
	case NAME_FIELD:
		return cost_of_field(a, n->of);
	default:
		return cost_of_memory(cost_of_class(a, method_row(a->p, (method_id){ n->of })->owner));
	}
}

uint8_t *ways_costs(struct pta *a, uint32_t nnodes)
{
	uint8_t *cost = mem_alloc(nnodes + 1);

	for (uint32_t i = 0; i <= nnodes; i++)
		cost[i] = COST_LIBRARY;
	for (uint32_t i = 0; i < a->names.len; i++) {
		const struct name *n = &a->names.data[i];
		uint32_t len = name_length(a, n);
		uint8_t of = cost_of_name(a, n);
		for (uint32_t k = n->first.i; k < n->first.i + len && k <= nnodes; k++)
			cost[k] = of;
	}
	cost[a->client.i] = COST_OWN;
	cost[a->everything.i] = COST_UNKNOWN;
	cost[a->callbacks.escaped.i] = COST_UNKNOWN;
	return cost;
}
