/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - does a solution hold, and how large is it. */
#include "solve/solve_p.h"

struct check {
	const struct solver *s;
	const char **reason;
	struct set_buf passed, guarded;
};

static bool fail(struct check *c, const char *reason)
{
	*c->reason = reason;
	return false;
}

static bool holds(struct check *c, uint32_t from, uint32_t to, uint32_t mask)
{
	struct set_view v = solver_set(c->s, (node_id){ from });

	if (mask)
		v = filter(c->s, v, mask, &c->passed);
	return set_covers(solver_set(c->s, (node_id){ to }), v);
}

static bool rule_holds_for(struct check *c, const struct rule *r, object_id o)
{
	uint32_t slot = solver_slot(c->s, o, r->slot).i;

	if (r->type == RULE_LOAD)
		return holds(c, slot, r->node, r->mask) || fail(c, "a load does not hold");
	return holds(c, r->node, slot, c->s->kinds.data[solver_kind_of(c->s, o).i].admits) ||
	       fail(c, "a store does not hold");
}

static bool rule_holds(struct check *c, const struct node *n, const struct rule *r)
{
	struct set_view v = set_view(&n->set);

	if (r->type == RULE_WATCH)
		return true;
	if (r->guard)
		v = filter(c->s, v, r->guard, &c->guarded);
	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t w = v.words[i]; w; w &= w - 1)
			if (!rule_holds_for(c, r, (object_id){ v.blocks[i] * 64 + first_bit(w) }))
				return false;
	return true;
}

static bool rules_hold(struct check *c, const struct node *n)
{
	const struct rule *rules = c->s->rules.data;

	if (!n->rules)
		return true;
	for (uint32_t i = rules[n->rules].next;; i = rules[i].next) {
		if (!rule_holds(c, n, &rules[i]))
			return false;
		if (i == n->rules)
			return true;
	}
}

static bool edges_hold(struct check *c, uint32_t n)
{
	struct edges l = c->s->nodes.data[n].edges;

	for (uint32_t i = 0; i < l.n; i++)
		if (!holds(c, n, edges_data(&l)[i].to, edges_data(&l)[i].mask))
			return fail(c, "a copy does not hold");
	return true;
}

/* Objects of one set and one category have one slot: each has that of the first one of its category. */
static bool content_holds_for(struct check *c, struct set_view v, object_id o)
{
	const struct solver_opt *opt = &c->s->opt;
	uint32_t k = opt->category ? opt->category(opt->ctx, o) : 0;

	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t w = v.words[i]; w; w &= w - 1) {
			object_id first = { v.blocks[i] * 64 + first_bit(w) };

			if ((opt->category ? opt->category(opt->ctx, first) : 0) == k)
				return find(c->s, solver_slot(c->s, first, 0).i) == find(c->s, solver_slot(c->s, o, 0).i);
		}
	return false;
}

static bool contents_hold(struct check *c, const struct node *n)
{
	struct set_view v = set_view(&n->set);

	for (uint32_t i = 0; i < v.n && c->s->opt.categories; i++)
		for (uint64_t w = v.words[i]; w; w &= w - 1)
			if (!content_holds_for(c, v, (object_id){ v.blocks[i] * 64 + first_bit(w) }))
				return fail(c, "objects of one category have several slots");
	return true;
}

static bool copies_hold(struct check *c)
{
	for (uint32_t i = 0; i < c->s->copies.len; i++) {
		struct solver_copy copy = c->s->copies.data[i];

		if (!holds(c, copy.from.i, copy.to.i, copy.mask.i))
			return fail(c, "a stated copy does not hold");
	}
	return true;
}

/* Ways to the standing node end: a longer way than there are nodes is a ring. */
static bool reaches_end(const struct solver *s, uint32_t n)
{
	for (uint32_t steps = 0; s->nodes.data[n].parent; n = s->nodes.data[n].parent)
		if (s->nodes.data[n].parent >= s->nodes.len || ++steps == s->nodes.len)
			return false;
	return true;
}

static bool node_is_sound(struct check *c, uint32_t i)
{
	const struct node *n = &c->s->nodes.data[i];

	if (!reaches_end(c->s, i))
		return fail(c, "a node has none that stands for it");
	if (n->parent && (n->set.n || n->delta.n || n->edges.n || n->edges.cap || n->rules))
		return fail(c, "a joined node owns something");
	if (!n->parent && c->s->queue.nodes.data[n->rank] != i)
		return fail(c, "a node is not at its rank");
	if (!set_is_sound(&n->set))
		return fail(c, "a set is out of order");
	if (n->delta.n)
		return fail(c, "a node was not propagated");
	return true;
}

static bool check(struct check *c)
{
	const struct solver *s = c->s;

	if (s->late.len || s->joins.len || s->queue.len)
		return fail(c, "something is queued");
	for (uint32_t i = 1; i < s->nodes.len; i++)
		if (!node_is_sound(c, i))
			return false;
	for (uint32_t i = 1; i < s->nodes.len; i++)
		if (!edges_hold(c, i) || !rules_hold(c, &s->nodes.data[i]) || !contents_hold(c, &s->nodes.data[i]))
			return false;
	return copies_hold(c);
}

bool solve_check(const struct solver *s, const char **reason)
{
	struct check c = { .s = s, .reason = reason };
	bool ok = check(&c);

	set_buf_release(&c.passed);
	set_buf_release(&c.guarded);
	return ok;
}

#define VEC_BYTES(v) ((v).cap * sizeof(*(v).data))

static size_t mask_bytes(const struct mask *m)
{
	return VEC_BYTES(m->kinds) + VEC_BYTES(m->objects) + VEC_BYTES(m->blocks);
}

static size_t table_bytes(const struct solver *s)
{
	size_t bytes = sizeof(*s) + VEC_BYTES(s->nodes) + VEC_BYTES(s->rules) + VEC_BYTES(s->kinds) +
		       VEC_BYTES(s->groups) + VEC_BYTES(s->first_slots) + VEC_BYTES(s->masks) + VEC_BYTES(s->members) +
		       VEC_BYTES(s->copies) + VEC_BYTES(s->queue.nodes) + VEC_BYTES(s->queue.bits);

	for (uint32_t i = 0; i < s->masks.len; i++)
		bytes += mask_bytes(&s->masks.data[i]);
	return bytes;
}

struct solver_stats solver_stats(const struct solver *s)
{
	struct solver_stats st = {
		.nodes = s->nodes.len - 1, .joined = s->joined, .objects = s->objects, .kinds = s->kinds.len - 1,
		.masks = s->masks.len - 1, .copies = s->edges, .sweeps = s->searches, .visits = s->visits,
	};
	uint32_t *members = mem_zalloc(s->nodes.len * sizeof(*members));

	for (uint32_t i = 1; i < s->nodes.len; i++)
		members[find(s, i)]++;
	for (uint32_t i = 1; i < s->nodes.len; i++) {
		if (!members[i])
			continue;
		st.facts += members[i] * set_count(set_view(&s->nodes.data[i].set));
		st.set_bytes += set_bytes(&s->nodes.data[i].set);
	}
	free(members);
	st.bytes = table_bytes(s) + s->pool.mem.used;
	return st;
}
