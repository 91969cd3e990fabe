/* SPDX-License-Identifier: Apache-2.0 */
/* reference_solver.h - systems of constraints, solved twice: plainly here, and by solve.h; and compared.
 *
 * A system names its nodes and objects by numbers of its own, so that it means the same to both, whatever the order in
 * which watches come. Nodes are first the plain ones, then the slots of each object. The plain solution is a table of
 * nodes by objects; all constraints are applied in turn until nothing changes. */
#ifndef UNIT_REFERENCE_SOLVER_H
#define UNIT_REFERENCE_SOLVER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solve/solve.h"

/* Decisions, from bytes or, when there are none, from a generator; 0 when the bytes are used up. */
struct choices {
	const uint8_t *data;
	size_t len, at;
	uint64_t random;
};

static uint32_t choose(struct choices *c, uint32_t below)
{
	uint32_t x = 0;

	if (!c->data) {
		c->random = c->random * 6364136223846793005u + 1442695040888963407u;
		return (uint32_t)((c->random >> 33) % below);
	}
	for (uint32_t room = below; room > 1 && c->at < c->len; room = room > 256 ? room / 256 : 1)
		x = x << 8 | c->data[c->at++];
	return x % below;
}

#define MAX_KINDS 200u
#define MAX_MASKS 12u
#define MAX_SLOTS 3u
#define MAX_TAGS 16u

enum statement_type { ADD, ADD_WORD, COPY, LOAD, STORE, WATCH };

struct statement {
	enum statement_type type;
	uint32_t a, b;                     /* nodes: where, from, base; to, source. Of an addition, b is the object */
	uint32_t guard, mask, slot;        /* slot: or the tag of a watch */
};

struct system {
	uint32_t nkinds, nmasks, nobjects, nplain, nnodes, nstatements, nreactions;
	uint32_t nslots[MAX_KINDS + 1], admits[MAX_KINDS + 1];
	/* mask 0 has every kind; masks 1 .. MAX_SLOTS those with slot 0, 1, ... */
	bool masks[MAX_MASKS + 1][MAX_KINDS + 1];
	uint32_t *kind;                    /* of each object; the first nkinds objects stand for their kinds */
	uint32_t *slots;                   /* first slot of each object */
	struct statement *statements;
	struct statement *reactions;       /* what watches add */
	uint32_t reaction[MAX_TAGS][MAX_KINDS + 1];        /* to an object of a kind: row of reactions + 1 */
};

struct sizes {
	uint32_t kinds, objects, nodes, statements, reactions;
};

static uint32_t choose_node(struct choices *c, const struct system *y)
{
	/* mostly plain ones, and often near the beginning, so that things meet */
	switch (choose(c, 8)) {
	case 0:
		return choose(c, y->nnodes);
	case 1:
	case 2:
		return choose(c, y->nplain / 4 + 1);
	default:
		return choose(c, y->nplain);
	}
}

static uint32_t choose_mask(struct choices *c, const struct system *y)
{
	return choose(c, 3) ? 0 : choose(c, y->nmasks + 1);
}

/* A mask that only kinds with the slot pass. */
static uint32_t choose_guard(struct choices *c, const struct system *y, uint32_t slot)
{
	uint32_t m = choose(c, y->nmasks + 1);

	for (uint32_t k = 1; k <= y->nkinds; k++)
		if (y->masks[m][k] && y->nslots[k] <= slot)
			return slot + 1;
	return m;
}

static struct statement choose_statement(struct choices *c, const struct system *y)
{
	static const enum statement_type types[16] = {
		ADD, ADD, ADD_WORD, COPY, COPY, COPY, COPY, COPY, COPY, COPY, LOAD, LOAD, STORE, STORE, STORE, WATCH,
	};
	struct statement t = { .type = types[choose(c, 16)], .a = choose_node(c, y) };

	t.slot = choose(c, t.type == WATCH ? MAX_TAGS : MAX_SLOTS);
	if (t.type == WATCH) {
		t.guard = choose_mask(c, y);
		return t;
	}
	t.b = t.type == ADD || t.type == ADD_WORD ? choose(c, y->nobjects) : choose_node(c, y);
	if (t.type == LOAD || t.type == STORE)
		t.guard = choose_guard(c, y, t.slot);
	if (t.type == LOAD || t.type == COPY)
		t.mask = choose_mask(c, y);
	return t;
}

static void choose_kinds(struct choices *c, struct system *y)
{
	y->nmasks = MAX_SLOTS + choose(c, MAX_MASKS - MAX_SLOTS + 1);
	for (uint32_t k = 1; k <= y->nkinds; k++) {
		y->nslots[k] = choose(c, MAX_SLOTS + 1);
		y->admits[k] = choose_mask(c, y);
		y->masks[0][k] = true;
		for (uint32_t m = 1; m <= y->nmasks; m++)
			y->masks[m][k] = m <= MAX_SLOTS ? y->nslots[k] >= m : choose(c, 2);
	}
}

static void choose_objects(struct choices *c, struct system *y)
{
	y->kind = calloc(y->nobjects, sizeof(*y->kind));
	y->slots = calloc(y->nobjects, sizeof(*y->slots));
	y->nnodes = y->nplain;
	for (uint32_t o = 0; o < y->nobjects; o++) {
		y->kind[o] = o < y->nkinds ? o + 1 : 1 + choose(c, y->nkinds);
		y->slots[o] = y->nnodes;
		y->nnodes += y->nslots[y->kind[o]];
	}
}

static void choose_reactions(struct choices *c, struct system *y)
{
	y->reactions = calloc(y->nreactions + 1, sizeof(*y->reactions));
	for (uint32_t i = 0; i < y->nreactions; i++) {
		y->reactions[i] = choose_statement(c, y);
		y->reaction[choose(c, MAX_TAGS)][1 + choose(c, y->nkinds)] = i + 1;
	}
}

static struct system *system_new(struct choices *c, const struct sizes *at_most)
{
	struct system *y = calloc(1, sizeof(*y));

	y->nkinds = 1 + choose(c, at_most->kinds);
	y->nobjects = y->nkinds + choose(c, at_most->objects);
	y->nplain = 1 + choose(c, at_most->nodes);
	y->nstatements = 1 + choose(c, at_most->statements);
	y->nreactions = choose(c, at_most->reactions + 1);
	choose_kinds(c, y);
	choose_objects(c, y);
	choose_reactions(c, y);
	y->statements = calloc(y->nstatements, sizeof(*y->statements));
	for (uint32_t i = 0; i < y->nstatements; i++)
		y->statements[i] = choose_statement(c, y);
	return y;
}

static void system_free(struct system *y)
{
	free(y->kind);
	free(y->slots);
	free(y->statements);
	free(y->reactions);
	free(y);
}

struct reference {
	const struct system *y;
	bool *has;                         /* nodes by objects */
	struct statement *active;
	bool *fired;                       /* reactions */
	uint32_t n;
	bool changed;
};

static bool reference_has(const struct reference *r, uint32_t node, uint32_t o)
{
	return r->has[(size_t)node * r->y->nobjects + o];
}

static void reference_put(struct reference *r, uint32_t node, uint32_t o)
{
	r->changed = r->changed || !reference_has(r, node, o);
	r->has[(size_t)node * r->y->nobjects + o] = true;
}

static void reference_copy(struct reference *r, uint32_t from, uint32_t to, uint32_t mask)
{
	for (uint32_t o = 0; o < r->y->nobjects; o++)
		if (reference_has(r, from, o) && r->y->masks[mask][r->y->kind[o]])
			reference_put(r, to, o);
}

static void reference_react(struct reference *r, uint32_t tag, uint32_t kind)
{
	uint32_t reaction = r->y->reaction[tag][kind];

	if (!reaction || r->fired[reaction])
		return;
	r->fired[reaction] = true;
	r->active[r->n++] = r->y->reactions[reaction - 1];
	r->changed = true;
}

static void reference_apply_to(struct reference *r, const struct statement *t, uint32_t o)
{
	uint32_t kind = r->y->kind[o];

	if (!r->y->masks[t->guard][kind])
		return;
	if (t->type == WATCH)
		reference_react(r, t->slot, kind);
	else if (t->type == LOAD)
		reference_copy(r, r->y->slots[o] + t->slot, t->b, t->mask);
	else
		reference_copy(r, t->b, r->y->slots[o] + t->slot, r->y->admits[kind]);
}

static void reference_apply(struct reference *r, struct statement t)
{
	if (t.type == ADD || t.type == ADD_WORD)
		reference_put(r, t.a, t.b);
	else if (t.type == COPY)
		reference_copy(r, t.a, t.b, t.mask);
	else
		for (uint32_t o = 0; o < r->y->nobjects; o++)
			if (reference_has(r, t.a, o))
				reference_apply_to(r, &t, o);
}

static void reference_run(struct reference *r)
{
	do {
		r->changed = false;
		for (uint32_t i = 0; i < r->n; i++)
			reference_apply(r, r->active[i]);
	} while (r->changed);
}

static struct reference reference_new(const struct system *y)
{
	return (struct reference){
		.y = y, .has = calloc((size_t)y->nnodes * y->nobjects, 1),
		.active = calloc(y->nstatements + y->nreactions + 1, sizeof(struct statement)),
		.fired = calloc(y->nreactions + 1, 1),
	};
}

static void reference_release(struct reference *r)
{
	free(r->has);
	free(r->active);
	free(r->fired);
}

/* The same system stated to a solver. Nodes and objects are made when they are first needed. */
struct replay {
	const struct system *y;
	struct solver *s;
	node_id *nodes;
	object_id *objects;
	bool *fired;
	bool *told;                        /* tags by objects: what watches were told */
	uint32_t *object_of;               /* by object id, for those of kinds and those of blocks */
	uint32_t nids;
	bool view_changed;
	uint32_t stops;                    /* how often go_on still says no */
};

static void remember_object(struct replay *p, uint32_t o)
{
	uint32_t id = p->objects[o].i;

	id = is_kind_block(id / 64) ? id : id - KIND_BLOCKS * 64 + MAX_KINDS + 1;
	if (id >= p->nids) {
		p->object_of = realloc(p->object_of, (id + 1) * sizeof(*p->object_of));
		memset(p->object_of + p->nids, 0, (id + 1 - p->nids) * sizeof(*p->object_of));
		p->nids = id + 1;
	}
	p->object_of[id] = o;
}

static object_id replay_object(struct replay *p, uint32_t o)
{
	if (p->objects[o].i)
		return p->objects[o];
	kind_id k = { p->y->kind[o] };

	p->objects[o] = o < p->y->nkinds ? solver_kind_object(p->s, k) : solver_object(p->s, k);
	remember_object(p, o);
	return p->objects[o];
}

static node_id replay_node(struct replay *p, uint32_t node)
{
	uint32_t o = 0;

	if (p->nodes[node].i)
		return p->nodes[node];
	if (node < p->y->nplain)
		return p->nodes[node] = solver_nodes(p->s, 1);
	while (o + 1 < p->y->nobjects && p->y->slots[o + 1] <= node)
		o++;
	return p->nodes[node] = solver_slot(p->s, replay_object(p, o), node - p->y->slots[o]);
}

static void replay_state(struct replay *p, struct statement t)
{
	node_id a = replay_node(p, t.a);
	mask_id guard = { t.guard }, mask = { t.mask };

	switch (t.type) {
	case ADD:
		solver_add(p->s, a, replay_object(p, t.b));
		break;
	case ADD_WORD: {
		uint32_t o = replay_object(p, t.b).i;

		solver_add_word(p->s, a, o / 64, (uint64_t)1 << o % 64);
		break;
	}
	case COPY:
		solver_copy(p->s, a, replay_node(p, t.b), mask);
		break;
	case LOAD:
		solver_load(p->s, a, guard, t.slot, replay_node(p, t.b), mask);
		break;
	case STORE:
		solver_store(p->s, replay_node(p, t.b), a, guard, t.slot);
		break;
	case WATCH:
		solver_watch(p->s, a, guard, t.slot);
		break;
	}
}

static void replay_tell(struct replay *p, uint32_t tag, uint32_t id)
{
	uint32_t o = p->object_of[is_kind_block(id / 64) ? id : id - KIND_BLOCKS * 64 + MAX_KINDS + 1];
	uint32_t reaction = p->y->reaction[tag][p->y->kind[o]];

	p->told[tag * p->y->nobjects + o] = true;
	if (!reaction || p->fired[reaction])
		return;
	p->fired[reaction] = true;
	replay_state(p, p->y->reactions[reaction - 1]);
}

static void replay_watch(void *ctx, uint32_t tag, struct set_view v)
{
	struct replay *p = ctx;
	uint64_t *words = calloc(v.n + 1, sizeof(*words));
	uint32_t *blocks = calloc(v.n + 1, sizeof(*blocks));

	memcpy(words, v.words, v.n * sizeof(*words));
	memcpy(blocks, v.blocks, v.n * sizeof(*blocks));
	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t w = words[i]; w; w &= w - 1)
			replay_tell(p, tag, blocks[i] * 64 + first_bit(w));
	if (!v.n || memcmp(words, v.words, v.n * sizeof(*words)) || memcmp(blocks, v.blocks, v.n * sizeof(*blocks)))
		p->view_changed = true;
	free(words);
	free(blocks);
}

static bool replay_go_on(void *ctx)
{
	struct replay *p = ctx;

	return !p->stops || !p->stops--;
}

static void replay_init(struct replay *p, const struct system *y, bool keeps_copies, uint32_t unify_after)
{
	struct solver_opt opt = {
		.ctx = p, .watch = replay_watch, .go_on = replay_go_on, .keeps_copies = keeps_copies,
		.unify_after = unify_after,
	};

	*p = (struct replay){
		.y = y, .s = solver_new(&opt), .nodes = calloc(y->nnodes, sizeof(node_id)),
		.objects = calloc(y->nobjects, sizeof(object_id)), .fired = calloc(y->nreactions + 1, 1),
		.told = calloc(MAX_TAGS * y->nobjects, 1), .stops = 1,
	};
	for (uint32_t m = 1; m <= y->nmasks; m++)
		solver_mask(p->s);
	for (uint32_t k = 1; k <= y->nkinds; k++) {
		kind_id kind = solver_kind(p->s, y->nslots[k], (mask_id){ y->admits[k] });

		for (uint32_t m = 1; m <= y->nmasks; m++)
			if (y->masks[m][k])
				solver_mask_add(p->s, (mask_id){ m }, kind);
	}
}

static void replay_release(struct replay *p)
{
	solver_free(p->s);
	free(p->nodes);
	free(p->objects);
	free(p->fired);
	free(p->told);
	free(p->object_of);
}

/* Whether the solver has exactly, or at least, what the reference has at a node. */
static bool node_agrees(const struct reference *r, const struct replay *p, uint32_t node, bool exactly)
{
	uint64_t expected = 0, found = 0;

	for (uint32_t o = 0; o < r->y->nobjects; o++) {
		if (!reference_has(r, node, o))
			continue;
		expected++;
		if (!p->nodes[node].i || !p->objects[o].i || !solver_has(p->s, p->nodes[node], p->objects[o]))
			return false;
	}
	if (!exactly || !p->nodes[node].i)
		return true;
	struct set_view v = solver_set(p->s, p->nodes[node]);

	for (uint32_t i = 0; i < v.n; i++)
		found += (uint64_t)__builtin_popcountll(v.words[i]);
	return found == expected;
}

/* Every watch was told of every element of its node. */
static bool watches_agree(const struct reference *r, const struct replay *p)
{
	for (uint32_t i = 0; i < r->n; i++) {
		struct statement t = r->active[i];

		for (uint32_t o = 0; t.type == WATCH && o < r->y->nobjects; o++)
			if (reference_has(r, t.a, o) && r->y->masks[t.guard][r->y->kind[o]] &&
			    !p->told[t.slot * r->y->nobjects + o])
				return false;
	}
	return true;
}

/* Slots of objects that no statement named are nodes too; the replay learns of them here. */
static void find_slots(struct replay *p)
{
	for (uint32_t node = p->y->nplain, o = 0; node < p->y->nnodes; node++) {
		while (o + 1 < p->y->nobjects && p->y->slots[o + 1] <= node)
			o++;
		if (p->objects[o].i)
			p->nodes[node] = solver_slot(p->s, p->objects[o], node - p->y->slots[o]);
	}
}

/* NULL, or what is wrong. */
static const char *disagreement(struct reference *r, struct replay *p, bool exactly)
{
	const char *reason = NULL;

	if (p->view_changed)
		return "a watch was given nothing, or what it was given changed";
	find_slots(p);
	for (uint32_t node = 0; node < r->y->nnodes; node++)
		if (!node_agrees(r, p, node, exactly))
			return "a set differs";
	if (!watches_agree(r, p))
		return "a watch was not told";
	if (!solve_check(p->s, &reason))
		return reason;
	return NULL;
}

/* States the system in `batches` parts, runs after each, and compares. NULL: all agree. */
static const char *system_compare(const struct system *y, uint32_t batches, bool keeps_copies, uint32_t unify_after)
{
	struct reference r = reference_new(y);
	struct replay p;
	const char *wrong = NULL;
	uint32_t stated = 0;

	replay_init(&p, y, keeps_copies, unify_after);
	for (uint32_t batch = 1; batch <= batches && !wrong; batch++) {
		for (; stated < (uint64_t)y->nstatements * batch / batches; stated++) {
			r.active[r.n++] = y->statements[stated];
			replay_state(&p, y->statements[stated]);
		}
		reference_run(&r);
		while (!solver_run(p.s))
			continue;
		wrong = disagreement(&r, &p, !unify_after);
	}
	replay_release(&p);
	reference_release(&r);
	return wrong;
}

#endif
