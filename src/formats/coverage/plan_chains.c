/* SPDX-License-Identifier: Apache-2.0 */
/* plan_chains.c - layout: what was asked, bodies of each class with their calls, levels, trees, states with their children. */
#include "formats/coverage/plan_p.h"

enum { FROM_MAIN = 1, BACKEDGES = 2 };        /* what was asked */
enum { IS_WANTED = 1 };                       /* a state */

void plan_chains_release(struct plan_chains *c)
{
	vec_release(&c->bodies);
	vec_release(&c->calls);
	vec_release(&c->callees);
	vec_release(&c->levels);
	vec_release(&c->trees);
	vec_release(&c->states);
	vec_release(&c->children);
}

void plan_chain_keys(struct plan *p)
{
	for (uint32_t i = 0; i < p->classes.len; i++) {
		struct plan_class *c = &p->classes.data[i];
		const struct plan_method *bodies = c->nbodies ? &p->chains.bodies.data[c->first_body] : NULL;
		c->chain_key = plan_key(c->name, bodies, c->nbodies, p->chains.calls.data);
	}
}

/* Writing */

static void put_bodies(struct plan_writer *w, const struct plan_class *c)
{
	const struct plan_chains *x = &w->p->chains;

	wire_le(&w->out, c->chain_key, 8);
	wire_varint(&w->out, c->nbodies);
	for (uint32_t i = 0; i < c->nbodies; i++) {
		const struct plan_method *m = &x->bodies.data[c->first_body + i];
		plan_put_string(w, m->name);
		plan_put_string(w, m->desc);
		wire_le(&w->out, m->code, 8);
		wire_varint(&w->out, m->nsites);
		for (uint32_t k = 0; k < m->nsites; k++)
			plan_put_call(w, &x->calls.data[m->first_site + k]);
	}
}

static void put_trees(struct plan_writer *w)
{
	const struct plan_chains *x = &w->p->chains;

	wire_varint(&w->out, x->levels.len);
	for (uint32_t i = 0; i < x->levels.len; i++)
		wire_varint(&w->out, (uint64_t)x->levels.data[i].level << 1 | x->levels.data[i].or_more);
	wire_varint(&w->out, x->trees.len);
	for (uint32_t i = 0; i < x->trees.len; i++) {
		wire_varint(&w->out, x->trees.data[i].state);
		wire_varint(&w->out, x->trees.data[i].level);
		wire_varint(&w->out, x->trees.data[i].start);
	}
}

static void put_states(struct plan_writer *w)
{
	const struct plan_chains *x = &w->p->chains;

	wire_varint(&w->out, x->states.len ? x->states.len - 1 : 0);
	for (uint32_t i = 1; i < x->states.len; i++) {
		const struct plan_state *s = &x->states.data[i];
		wire_varint(&w->out, s->body);
		wire_varint(&w->out, s->is_wanted ? IS_WANTED : 0);
		wire_varint(&w->out, s->n);
		for (uint32_t k = 0; k < s->n; k++) {
			const struct plan_child *c = &x->children.data[s->first + k];
			wire_varint(&w->out, c->call);
			wire_varint(&w->out, c->receiver);
			wire_varint(&w->out, c->flags);
			wire_varint(&w->out, c->callee);
			wire_varint(&w->out, c->state);
		}
	}
}

void plan_put_chains(struct plan_writer *w)
{
	const struct plan *p = w->p;
	const struct plan_chains *x = &p->chains;

	wire_varint(&w->out, x->k);
	wire_varint(&w->out, x->granularity);
	wire_varint(&w->out, (x->from_main ? FROM_MAIN : 0u) | (x->backedges ? BACKEDGES : 0u));
	plan_put_string(w, x->filters);
	plan_put_string(w, x->prune);
	wire_varint(&w->out, x->pruned);
	for (uint32_t i = 0; i < p->classes.len; i++)
		put_bodies(w, &p->classes.data[i]);
	for (uint32_t i = 0; i < x->calls.len; i++)
		wire_varint(&w->out, x->callees.data[i]);
	put_trees(w);
	put_states(w);
}

/* Reading */

#define BODY_BYTES 11
#define STATE_BYTES 3
#define CHILD_BYTES 5

static void get_body(struct plan_reader *x, uint32_t class, uint64_t *last)
{
	struct plan_chains *c = &x->p->chains;
	struct plan_method m = { .class = class, .first_site = c->calls.len };
	uint32_t row = c->bodies.len, next_pc = 0, name = plan_get_number(x), desc = plan_get_number(x);
	uint64_t at = (uint64_t)name << 32 | desc;

	m.name = x->strings.rows[name];
	m.desc = x->strings.rows[desc];
	m.code = reader_le8(&x->r);
	m.nsites = wire_read_count(&x->r, PLAN_CALL_BYTES);
	plan_fail_unless(x, at > *last);
	*last = at;
	for (uint32_t i = 0; i < m.nsites && !x->r.failed; i++) {
		struct plan_site s = plan_get_call(x, row, &next_pc);
		vec_push(&c->calls, s);
	}
	vec_push(&c->bodies, m);
}

static void get_bodies(struct plan_reader *x, uint32_t class)
{
	struct plan_class *c = &x->p->classes.data[class];
	uint64_t last = 0;

	c->first_body = x->p->chains.bodies.len;
	c->first_call = x->p->chains.calls.len;
	c->chain_key = reader_le8(&x->r);
	c->nbodies = wire_read_count(&x->r, BODY_BYTES);
	for (uint32_t i = 0; i < c->nbodies && !x->r.failed; i++)
		get_body(x, class, &last);
	c->ncalls = x->p->chains.calls.len - c->first_call;
}

static void get_levels(struct plan_reader *x)
{
	struct plan_chains *c = &x->p->chains;
	uint32_t n = wire_read_count(&x->r, 1);

	for (uint32_t i = 0; i < n && !x->r.failed; i++) {
		uint32_t level = wire_read_u32(&x->r);
		plan_fail_unless(x, !c->levels.len || (!vec_last(&c->levels)->or_more && vec_last(&c->levels)->level < level >> 1));
		vec_push(&c->levels, ((struct plan_level){ level >> 1, level & 1 }));
	}
}

static void get_trees(struct plan_reader *x)
{
	struct plan_chains *c = &x->p->chains;
	uint32_t n = wire_read_count(&x->r, 3);

	for (uint32_t i = 0; i < n && !x->r.failed; i++) {
		struct plan_tree t = { .state = wire_read_u32(&x->r) };
		t.level = wire_read_below(&x->r, c->levels.len);
		t.start = wire_read_u32(&x->r);
		plan_fail_unless(x, !c->k || t.start <= c->k);
		vec_push(&c->trees, t);
	}
}

static void get_child(struct plan_reader *x, uint32_t nstates)
{
	struct plan_chains *c = &x->p->chains;
	struct plan_child k = { .call = wire_read_below(&x->r, c->calls.len) };

	k.receiver = wire_read_below(&x->r, x->p->types.len);
	k.flags = wire_read_u32(&x->r);
	k.callee = wire_read_below(&x->r, c->bodies.len);
	k.state = wire_read_below(&x->r, nstates);
	vec_push(&c->children, k);
}

static void get_states(struct plan_reader *x)
{
	struct plan_chains *c = &x->p->chains;
	uint32_t n = wire_read_count(&x->r, STATE_BYTES) + 1;

	vec_push(&c->states, (struct plan_state){ 0 });
	for (uint32_t i = 1; i < n && !x->r.failed; i++) {
		struct plan_state s = { .body = wire_read_below(&x->r, c->bodies.len), .first = c->children.len };
		s.is_wanted = wire_read_u32(&x->r) & IS_WANTED;
		s.n = wire_read_count(&x->r, CHILD_BYTES);
		for (uint32_t k = 0; k < s.n && !x->r.failed; k++)
			get_child(x, n);
		vec_push(&c->states, s);
	}
}

/* What could not be checked while it was read; children lead to states of their callees. */
static bool is_sound(const struct plan_chains *c)
{
	for (uint32_t i = 0; i < c->trees.len; i++)
		if (!c->trees.data[i].state || c->trees.data[i].state >= c->states.len)
			return false;
	for (uint32_t i = 0; i < c->children.len; i++)
		if (c->children.data[i].state && c->states.data[c->children.data[i].state].body != c->children.data[i].callee)
			return false;
	return true;
}

void plan_get_chains(struct plan_reader *x)
{
	struct plan_chains *c = &x->p->chains;

	c->k = wire_read_u32(&x->r);
	c->granularity = (uint8_t)wire_read_below(&x->r, PLAN_BY_RECEIVER + 1);
	uint32_t flags = wire_read_u32(&x->r);
	c->from_main = flags & FROM_MAIN;
	c->backedges = flags & BACKEDGES;
	plan_fail_unless(x, c->k || (c->backedges && !c->from_main));
	c->filters = plan_get_string(x);
	c->prune = plan_get_string(x);
	c->pruned = wire_read_varint(&x->r);
	for (uint32_t i = 0; i < x->p->classes.len && !x->r.failed; i++)
		get_bodies(x, i);
	for (uint32_t i = 0; i < c->calls.len && !x->r.failed; i++)
		vec_push(&c->callees, wire_read_below(&x->r, c->bodies.len + 1));
	get_levels(x);
	get_trees(x);
	get_states(x);
	plan_fail_unless(x, !x->r.failed && is_sound(c));
}
