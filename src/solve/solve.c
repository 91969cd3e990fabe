/* SPDX-License-Identifier: Apache-2.0 */
/* solve.c - kinds, objects, masks, nodes and the statement of constraints; see solve.h. */
#include <string.h>

#include "base/compiler.h"
#include "solve/solve_p.h"

struct solver *solver_new(const struct solver_opt *opt)
{
	struct solver *s = mem_zalloc(sizeof(*s));

	s->opt = *opt;
	/* row 0 of each table is none */
	vec_push(&s->nodes, (struct node){ 0 });
	vec_push(&s->rules, (struct rule){ 0 });
	vec_push(&s->kinds, (struct kind){ 0 });
	vec_push(&s->masks, (struct mask){ 0 });
	vec_push(&s->members, (struct member){ 0 });
	vec_push(&s->groups, (struct group){ 0 });
	return s;
}

void solver_free(struct solver *s)
{
	if (!s)
		return;
	masks_release(s);
	pool_release(&s->pool);
	queue_release(&s->queue);
	set_buf_release(&s->filtered);
	set_buf_release(&s->news);
	set_buf_release(&s->spare);
	set_buf_release(&s->guarded);
	set_buf_release(&s->done);
	vec_release(&s->nodes);
	vec_release(&s->rules);
	vec_release(&s->kinds);
	vec_release(&s->groups);
	vec_release(&s->first_slots);
	vec_release(&s->copies);
	vec_release(&s->late);
	vec_release(&s->joins);
	vec_release(&s->put_off);
	vec_release(&s->firsts);
	free(s);
}

kind_id solver_kind(struct solver *s, uint32_t nslots, mask_id admits)
{
	uint32_t k = s->kinds.len;

	if (k == KINDS_MAX)
		BUG("more than %u kinds", KINDS_MAX);
	bool are_one = nslots == SLOTS_ARE_ONE;
	vec_push(&s->kinds, ((struct kind){ .nslots = are_one ? 1 : nslots, .admits = admits.i, .slots_are_one = are_one }));
	return (kind_id){ k };
}

static void open_group(struct solver *s, struct kind *k, uint32_t kind)
{
	struct group g = { .kind = kind, .slots = s->first_slots.len, .before = k->group };

	if (s->groups.len == (UINT32_MAX - KINDS_MAX) / GROUP)
		BUG("too many objects");
	if (k->nslots) {
		vec_reserve(&s->first_slots, (uint64_t)g.slots + GROUP);
		memset(s->first_slots.data + g.slots, 0, GROUP * sizeof(*s->first_slots.data));
		s->first_slots.len += GROUP;
	}
	k->group = s->groups.len;
	k->used = 0;
	vec_push(&s->groups, g);
	masks_add_group(s, kind, k->group);
}

object_id solver_object(struct solver *s, kind_id kind)
{
	struct kind *k = &s->kinds.data[kind.i];

	if (!k->group || k->used == GROUP)
		open_group(s, k, kind.i);
	if (k->nslots)
		s->first_slots.data[s->groups.data[k->group].slots + k->used] = solver_nodes(s, k->nslots).i;
	s->objects++;
	return (object_id){ KINDS_MAX + k->group * GROUP + k->used++ };
}

object_id solver_kind_object(struct solver *s, kind_id kind)
{
	struct kind *k = &s->kinds.data[kind.i];

	if (!k->has_object) {
		k->has_object = true;
		k->slots = k->nslots ? solver_nodes(s, k->nslots).i : 0;
		s->objects++;
	}
	return (object_id){ kind.i };
}

static const struct group *group_of(const struct solver *s, object_id o)
{
	return &s->groups.data[(o.i - KINDS_MAX) / GROUP];
}

kind_id solver_kind_of(const struct solver *s, object_id o)
{
	return (kind_id){ o.i < KINDS_MAX ? o.i : group_of(s, o)->kind };
}

node_id solver_slot(const struct solver *s, object_id o, uint32_t slot)
{
	const struct kind *k = &s->kinds.data[solver_kind_of(s, o).i];

	if (k->slots_are_one)
		slot = 0;
	if (slot >= k->nslots)
		BUG("object %u has no slot %u", o.i, slot);
	if (o.i < KINDS_MAX)
		return (node_id){ k->slots + slot };
	return (node_id){ s->first_slots.data[group_of(s, o)->slots + o.i % GROUP] + slot };
}

uint32_t slot_node(struct solver *s, object_id o, uint32_t slot)
{
	/* a word may name objects of kinds that nobody asked for yet */
	if (o.i < KINDS_MAX)
		solver_kind_object(s, (kind_id){ o.i });
	return solver_slot(s, o, slot).i;
}

node_id solver_nodes(struct solver *s, uint32_t n)
{
	uint32_t first = s->nodes.len;

	vec_reserve(&s->nodes, (uint64_t)first + n);
	memset(s->nodes.data + first, 0, n * sizeof(struct node));
	s->nodes.len += n;
	for (uint32_t i = first; i < first + n; i++) {
		s->nodes.data[i].rank = s->queue.nodes.len;
		queue_add_rank(&s->queue, i);
	}
	return (node_id){ first };
}

void solver_add(struct solver *s, node_id n, object_id o)
{
	solver_add_word(s, n, o.i / 64, (uint64_t)1 << o.i % 64);
}

void solver_add_word(struct solver *s, node_id n, uint32_t block, uint64_t bits)
{
	if (bits)
		flow(s, find_halving(s, n.i), set_view_word(&bits, &block), 0);
}

void solver_copy(struct solver *s, node_id from, node_id to, mask_id mask)
{
	add_copy(s, from.i, to.i, mask.i);
}

void solver_join(struct solver *s, node_id a, node_id b)
{
	unify(s, find_halving(s, a.i), find_halving(s, b.i));
}

static void add_rule(struct solver *s, uint32_t n, struct rule r)
{
	uint32_t rule = s->rules.len;

	n = find_halving(s, n);
	struct node *node = &s->nodes.data[n];
	r.next = node->rules ? s->rules.data[node->rules].next : rule;
	vec_push(&s->rules, r);
	if (node->rules)
		s->rules.data[node->rules].next = rule;
	node->rules = rule;
	if (node->visits & NODE_VISITED)
		vec_push(&s->late, ((struct late){ .node = n, .first = rule, .last = rule }));
}

void solver_load(struct solver *s, node_id base, mask_id guard, uint32_t slot, node_id to, mask_id mask)
{
	struct rule r = { .type = RULE_LOAD, .guard = guard.i, .slot = slot, .node = to.i, .mask = mask.i };

	add_rule(s, base.i, r);
}

void solver_store(struct solver *s, node_id from, node_id base, mask_id guard, uint32_t slot)
{
	add_rule(s, base.i, (struct rule){ .type = RULE_STORE, .guard = guard.i, .slot = slot, .node = from.i });
}

void solver_watch(struct solver *s, node_id n, mask_id guard, uint32_t tag)
{
	add_rule(s, n.i, (struct rule){ .type = RULE_WATCH, .guard = guard.i, .slot = tag });
}

node_id solver_find(const struct solver *s, node_id n)
{
	return (node_id){ find(s, n.i) };
}

struct set_view solver_set(const struct solver *s, node_id n)
{
	return set_view(&s->nodes.data[find(s, n.i)].set);
}

bool solver_has(const struct solver *s, node_id n, object_id o)
{
	return set_word_at(solver_set(s, n), o.i / 64) >> o.i % 64 & 1;
}

const struct solver_copy *solver_copies(const struct solver *s, size_t *n)
{
	*n = s->copies.len;
	return s->copies.data;
}
