/* SPDX-License-Identifier: Apache-2.0 */
/* Beginnings that large answers share: a method, and objects that it is given in each of them. What that leads to is in all answers that
 * come to have it, since constraints only ever add. The fewer objects, the sooner answers have them: one for each parameter. */
#include "analysis/pta/reach/reach_p.h"

#define CANDIDATES 400           /* of an answer, about */

/* The first object that there is. */
static void add_given(struct beginning *b, const struct reach *r, node_id n)
{
	struct set_view v = part_set(r->part, n);
	uint32_t i = 0;

	while (i < v.n && !v.words[i])
		i++;
	if (i < v.n)
		vec_push(&b->given, ((struct given){ n, v.blocks[i], v.words[i] & -v.words[i] }));
}

static void add_beginning(struct reach *r, uint32_t in, beginning_list *out)
{
	struct beginning b = { .instance = in };
	const struct template *t = template_at(r->a, in);

	for (uint32_t k = 0; k < t->nparams; k++)
		if (t->params[k])
			add_given(&b, r, variable_node(r->a, in, t->params[k]));
	vec_push(out, b);
}

static uint64_t bits_at(struct set_view v, uint32_t block)
{
	uint32_t low = 0, high = v.n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (v.blocks[mid] < block)
			low = mid + 1;
		else
			high = mid;
	}
	return low < v.n && v.blocks[low] == block ? v.words[low] : 0;
}

static uint64_t bits_in(const struct reach *r, const struct given *g)
{
	return g->bits & bits_at(part_set(r->part, g->node), g->block);
}

/* Some of the library that the answer came to, from the first to the last. */
void beginnings_note(struct reach *r, beginning_list *out)
{
	uint32_t step = r->instances.len / CANDIDATES + 1;

	for (uint32_t i = 0; i < r->instances.len; i += step) {
		uint32_t in = r->instances.data[i];
		if (is_library(r, r->a->instances.data[in].method) && r->last_link.data[in])
			add_beginning(r, in, out);
	}
}

void beginnings_release(beginning_list *all)
{
	for (uint32_t i = 0; i < all->len; i++)
		vec_release(&all->data[i].given);
	vec_release(all);
}

static bool holds(const struct reach *r, const struct beginning *b)
{
	if (!r->reached.data[b->instance])
		return false;
	for (uint32_t i = 0; i < b->given.len; i++)
		if (bits_in(r, &b->given.data[i]) != b->given.data[i].bits)
			return false;
	return true;
}

const struct beginning *beginnings_hold(const struct reach *r, const beginning_list *any)
{
	for (uint32_t i = 0; any && i < any->len; i++)
		if (holds(r, &any->data[i]))
			return &any->data[i];
	return NULL;
}

void beginning_state(struct reach *r, const struct beginning *b)
{
	reach_instance(r, b->instance);
	for (uint32_t i = 0; i < b->given.len; i++)
		part_add_word(r->part, b->given.data[i].node, b->given.data[i].block, b->given.data[i].bits);
}
