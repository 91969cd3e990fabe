/* SPDX-License-Identifier: Apache-2.0 */
/* Beginnings that large answers share: a method, and objects that it is given in each of them. What that leads to is in all answers that
 * come to have it, since constraints only ever add. The fewer objects, the sooner answers have them. */
#include "analysis/pta/reach/reach_p.h"

#define CANDIDATES 2000

static void add_given(struct beginning *b, const struct reach *r, node_id n)
{
	struct set_view v = part_set(r->part, n);

	for (uint32_t i = 0; i < v.n; i++)
		if (v.words[i])
			vec_push(&b->given, ((struct given){ n, v.blocks[i], v.words[i] }));
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

/* Those of the library that the answer comes to first. */
void beginnings_find(struct reach *r, beginning_list *out)
{
	for (uint32_t i = 0; i < r->instances.len && out->len < CANDIDATES; i++) {
		uint32_t in = r->instances.data[i];
		if (is_library(r, r->a->instances.data[in].method) && r->last_link.data[in])
			add_beginning(r, in, out);
	}
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

static void meet(struct beginning *b, const struct reach *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->given.len; i++) {
		struct given g = b->given.data[i];
		g.bits &= bits_at(part_set(r->part, g.node), g.block);
		if (g.bits)
			b->given.data[n++] = g;
	}
	b->given.len = n;
}

/* One object for each parameter. */
static void thin(struct beginning *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->given.len; i++) {
		struct given g = b->given.data[i];
		g.bits &= -g.bits;
		if (!n || b->given.data[n - 1].node.i != g.node.i)
			b->given.data[n++] = g;
	}
	b->given.len = n;
}

void beginnings_thin(beginning_list *all)
{
	for (uint32_t i = 0; i < all->len; i++)
		thin(&all->data[i]);
}

static void number_instances(const struct reach *r, struct map *at)
{
	for (uint32_t i = 0; i < r->instances.len; i++)
		*map_at(at, r->instances.data[i]) = i;
}

static int compare_beginnings(const void *x, const void *y)
{
	const struct beginning *a = x, *b = y;

	return a->late != b->late ? (a->late < b->late ? -1 : 1) : (a->instance > b->instance) - (a->instance < b->instance);
}

/* What they have in this answer, too: those first that both come to soon. */
void beginnings_meet(const struct reach *r, beginning_list *all)
{
	struct map at = { 0 };
	uint32_t n = 0;

	number_instances(r, &at);
	for (uint32_t i = 0; i < all->len; i++) {
		struct beginning *b = &all->data[i];
		b->late = i + map_get(&at, b->instance);
		if (r->reached.data[b->instance])
			meet(b, r);
		else
			vec_clear(&b->given);
		if (b->given.len)
			all->data[n++] = *b;
		else
			vec_release(&b->given);
	}
	map_release(&at);
	all->len = n;
	if (n)
		qsort(all->data, n, sizeof(*all->data), compare_beginnings);
}

void beginnings_release(beginning_list *all)
{
	for (uint32_t i = 0; i < all->len; i++)
		vec_release(&all->data[i].given);
	vec_release(all);
}

bool beginning_holds(const struct reach *r, const struct beginning *b)
{
	if (!r->reached.data[b->instance])
		return false;
	for (uint32_t i = 0; i < b->given.len; i++) {
		struct given g = b->given.data[i];
		if (g.bits & ~bits_at(part_set(r->part, g.node), g.block))
			return false;
	}
	return true;
}

void beginning_state(struct reach *r, const struct beginning *b)
{
	reach_instance(r, b->instance);
	for (uint32_t i = 0; i < b->given.len; i++)
		part_add_word(r->part, b->given.data[i].node, b->given.data[i].block, b->given.data[i].bits);
}
