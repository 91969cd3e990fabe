/* SPDX-License-Identifier: Apache-2.0 */
/* Which definitions reach which uses, along paths on which each call returns to where it was made.
 *
 * Twice through the components of calls. First upwards, from callees to callers: which facts a method makes that reach its exits, and
 * which of its caller's get through it. Then downwards: which facts reach its entry. In a method, facts flow from block to block, as
 *
 *	SET_OWN     made in this call, through a base that has not been assigned anew: another definition through it overwrites them
 *	SET_PAST    made in this call, through a base that was
 *	SET_OTHER   made elsewhere
 *	SET_PASS    what would still be there, had it been there at the entry
 *
 * A definition of a static field overwrites all of it. What methods that may not return pass on is as if they were not called at all, so
 * bit 0 stands for the program itself. Facts are looked at WINDOW at a time: memory is bounded by methods, not by facts times blocks. */
#include "analysis/defuse/defuse_p.h"

#include <string.h>

#include "algo/scc.h"

#define WINDOW 8192              /* facts; a multiple of 64 */

enum flow_set { SET_OWN, SET_PAST, SET_OTHER, SET_PASS, FLOW_SETS };
/* What is known of a method: facts that it makes, and that pass, to where it returns; the same where it throws; those at its entry. */
enum node_set { MADE, PASSED, MADE_THROWN, PASSED_THROWN, AT_ENTRY, NODE_SETS };

struct walk {
	struct flow *f;
	uint32_t first, end;             /* facts of the window */
	uint32_t words;                  /* of a set */
	uint64_t *known;                 /* by node, node_set */
	uint64_t *in;                    /* by block of a method, flow_set */
	uint32_t nblocks;                /* for which there is room */
	uint64_t *at, *thrown, *returned, *made, *passed;        /* of the method, flow_set; scratch: a set each */
	uint32_t *order, *component;     /* nodes by component, callees first; the component of each */
	uint32_t current;                /* component */
	bool is_upwards;
	bool has_changed;                /* something that matters to the component */
	bool is_telling;                 /* uses are told what reaches them */
	void (*fn)(void *ctx, uint32_t def, uint32_t use, bool is_intra);
	void *ctx;
};

static uint64_t *known(const struct walk *w, uint32_t node, enum node_set set)
{
	return w->known + ((size_t)node * NODE_SETS + set) * w->words;
}

static uint64_t *set_of(const struct walk *w, uint64_t *state, enum flow_set set)
{
	return state + (size_t)set * w->words;
}

static bool add_words(uint64_t *to, const uint64_t *from, uint32_t n)
{
	uint64_t more = 0;

	for (uint32_t i = 0; i < n; i++) {
		more |= from[i] & ~to[i];
		to[i] |= from[i];
	}
	return more;
}

static bool is_in_window(const struct walk *w, uint32_t fact)
{
	return fact >= w->first && fact < w->end;
}

/* Bits of a set: that of a fact, 1 and on. */
static uint32_t bit_of(const struct walk *w, uint32_t fact)
{
	return fact - w->first + 1;
}

static bool has_bit(const uint64_t *set, uint32_t bit)
{
	return set[bit / 64] >> bit % 64 & 1;
}

static void set_bit(uint64_t *set, uint32_t bit)
{
	set[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void clear_bit(uint64_t *set, uint32_t bit)
{
	set[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

static bool is_alive(const struct walk *w, uint64_t *state)
{
	return (set_of(w, state, SET_OTHER)[0] | set_of(w, state, SET_PASS)[0]) & 1;
}

/* Events */

/* A static field has what was written last, whoever wrote before. */
static void overwrite_static(struct walk *w, const struct occurrence *o)
{
	const struct fact_range *r = &w->f->ranges.data[map_get(&w->f->range_of, o->field.i)];

	for (uint32_t fact = r->first; fact < r->end; fact++)
		for (int s = 0; s < FLOW_SETS && is_in_window(w, fact); s++)
			clear_bit(set_of(w, w->at, (enum flow_set)s), bit_of(w, fact));
}

/* Through the same base: they are side by side among the facts of the field. */
static void overwrite_own(struct walk *w, uint32_t def)
{
	const struct flow *f = w->f;
	const struct occurrence *o = &f->defs.data[def];
	const struct fact_range *r = &f->ranges.data[map_get(&f->range_of, o->field.i)];
	uint32_t low = o->fact, high = o->fact;

	while (low > r->first && f->defs.data[f->def_of_fact.data[low - 1]].node == o->node)
		low--;
	while (high + 1 < r->end && f->defs.data[f->def_of_fact.data[high + 1]].node == o->node)
		high++;
	for (uint32_t fact = low; fact <= high; fact++)
		if (is_in_window(w, fact) && f->defs.data[f->def_of_fact.data[fact]].root == o->root)
			clear_bit(set_of(w, w->at, SET_OWN), bit_of(w, fact));
}

static void define(struct walk *w, uint32_t def)
{
	const struct occurrence *o = &w->f->defs.data[def];

	if (o->objects == STATIC_FIELD)
		overwrite_static(w, o);
	else
		overwrite_own(w, def);
	if (is_in_window(w, o->fact))
		set_bit(set_of(w, w->at, SET_OWN), bit_of(w, o->fact));
}

static void renew(struct walk *w, const struct flow_node *node, ir_value v)
{
	for (uint32_t i = 0; i < node->ndefs; i++) {
		const struct occurrence *o = &w->f->defs.data[node->first_def + i];
		if (o->root != v || !is_in_window(w, o->fact) || !has_bit(set_of(w, w->at, SET_OWN), bit_of(w, o->fact)))
			continue;
		clear_bit(set_of(w, w->at, SET_OWN), bit_of(w, o->fact));
		set_bit(set_of(w, w->at, SET_PAST), bit_of(w, o->fact));
	}
}

static void use(struct walk *w, uint32_t row)
{
	const struct fact_range *r = &w->f->ranges.data[map_get(&w->f->range_of, w->f->uses.data[row].field.i)];
	const uint64_t *own = set_of(w, w->at, SET_OWN), *past = set_of(w, w->at, SET_PAST), *other = set_of(w, w->at, SET_OTHER);

	if (!w->is_telling)
		return;
	for (uint32_t fact = r->first > w->first ? r->first : w->first; fact < r->end && fact < w->end; fact++) {
		uint32_t bit = bit_of(w, fact);
		bool is_intra = has_bit(own, bit) || has_bit(past, bit);
		if (is_intra || has_bit(other, bit))
			w->fn(w->ctx, w->f->def_of_fact.data[fact], row, is_intra);
	}
}

/* Calls */

static void throw(struct walk *w)
{
	add_words(w->thrown, w->at, FLOW_SETS * w->words);
}

/* What is there now may be there when a callee starts. */
static void enter(struct walk *w, const struct call_point *c)
{
	for (uint32_t i = 0; i < c->n && !w->is_upwards && !w->is_telling; i++) {
		uint32_t callee = w->f->callees.data[c->first + i];
		bool more = false;
		for (int s = SET_OWN; s <= SET_OTHER; s++)
			more |= add_words(known(w, callee, AT_ENTRY), set_of(w, w->at, (enum flow_set)s), w->words);
		w->has_changed |= more && w->component[callee] == w->current;
	}
}

/* What callees make and let through, of one of two ways out. */
static void sum_up(struct walk *w, const struct call_point *c, enum node_set made, enum node_set passed)
{
	memset(w->made, 0, w->words * sizeof(*w->made));
	memset(w->passed, 0, w->words * sizeof(*w->passed));
	for (uint32_t i = 0; i < c->n; i++) {
		add_words(w->made, known(w, w->f->callees.data[c->first + i], made), w->words);
		add_words(w->passed, known(w, w->f->callees.data[c->first + i], passed), w->words);
	}
}

/* What is there after the call, into `to`. */
static void leave(struct walk *w, uint64_t *to)
{
	for (int s = 0; s < FLOW_SETS; s++)
		for (uint32_t i = 0; i < w->words; i++)
			set_of(w, to, (enum flow_set)s)[i] |= set_of(w, w->at, (enum flow_set)s)[i] & w->passed[i];
	add_words(set_of(w, to, SET_OTHER), w->made, w->words);
}

/* One of the callees runs. */
static void call_one(struct walk *w, const struct call_point *c)
{
	enter(w, c);
	sum_up(w, c, MADE_THROWN, PASSED_THROWN);
	leave(w, w->thrown);
	sum_up(w, c, MADE, PASSED);
	for (int s = 0; s < FLOW_SETS; s++)
		for (uint32_t i = 0; i < w->words; i++)
			set_of(w, w->at, (enum flow_set)s)[i] &= w->passed[i];
	add_words(set_of(w, w->at, SET_OTHER), w->made, w->words);
}

/* Any of them, any number of times; a library may catch what they throw. */
static void call_any(struct walk *w, const struct call_point *c)
{
	for (uint32_t i = 0; i < c->ndefs; i++)
		if (is_in_window(w, w->f->defs.data[c->first_def + i].fact))
			set_bit(set_of(w, w->at, SET_PAST), bit_of(w, w->f->defs.data[c->first_def + i].fact));
	sum_up(w, c, MADE, PASSED);
	add_words(set_of(w, w->at, SET_OTHER), w->made, w->words);
	sum_up(w, c, MADE_THROWN, PASSED_THROWN);
	add_words(set_of(w, w->at, SET_OTHER), w->made, w->words);
	enter(w, c);
	throw(w);
	for (uint32_t i = 0; i < c->nuses; i++)
		use(w, c->first_use + i);
}

static void step(struct walk *w, const struct flow_node *node, const struct event *e)
{
	const struct call_point *c;

	switch (e->sort) {
	case EVENT_DEF:
		define(w, e->what);
		break;
	case EVENT_USE:
		use(w, e->what);
		break;
	case EVENT_CALL:
		c = &w->f->calls.data[e->what];
		if (c->is_strong)
			call_one(w, c);
		else
			call_any(w, c);
		break;
	case EVENT_RENEW:
		renew(w, node, e->what);
		break;
	case EVENT_THROW:
		throw(w);
		break;
	}
}

/* A method */

static uint64_t *state_of(const struct walk *w, uint32_t block)
{
	return w->in + (size_t)block * FLOW_SETS * w->words;
}

static bool flow_to(struct walk *w, const uint64_t *from, uint32_t rows, uint32_t n)
{
	bool more = false;

	for (uint32_t i = 0; i < n; i++)
		more |= add_words(state_of(w, w->f->to.data[rows + i]), from, FLOW_SETS * w->words);
	return more;
}

/* Leaves what is known at its end in w->at. */
static bool walk_block(struct walk *w, const struct flow_node *node, const struct flow_block *b, uint64_t *out_thrown)
{
	bool more;

	memset(w->thrown, 0, FLOW_SETS * w->words * sizeof(*w->thrown));
	for (uint32_t i = b->first; i < b->end && is_alive(w, w->at); i++)
		step(w, node, &w->f->events.data[i]);
	more = flow_to(w, w->thrown, b->handlers, b->nhandlers);
	if (!b->catches_all)
		add_words(out_thrown, w->thrown, FLOW_SETS * w->words);
	return is_alive(w, w->at) ? flow_to(w, w->at, b->succs, b->nsuccs) || more : more;
}

/* Blocks are in reverse postorder: loops take another round. */
static void walk_blocks(struct walk *w, const struct flow_node *node, uint64_t *out_thrown)
{
	const struct flow_block *blocks = w->f->blocks.data + node->first_block;

	for (bool more = true; more;) {
		more = false;
		for (uint32_t b = 0; b < node->nblocks; b++) {
			memcpy(w->at, state_of(w, b), FLOW_SETS * w->words * sizeof(*w->at));
			if (!is_alive(w, w->at))
				continue;
			more |= walk_block(w, node, &blocks[b], out_thrown);
			if (blocks[b].returns && is_alive(w, w->at))
				add_words(w->returned, w->at, FLOW_SETS * w->words);
		}
	}
}

static void make_room(struct walk *w, uint32_t nblocks)
{
	size_t state = FLOW_SETS * w->words * sizeof(*w->in);

	if (nblocks > w->nblocks) {
		w->in = mem_realloc(w->in, nblocks * state);
		w->nblocks = nblocks;
	}
	memset(w->in, 0, nblocks * state);
}

static void keep_exit(struct walk *w, uint32_t node, uint64_t *state, enum node_set made, enum node_set passed)
{
	for (int s = SET_OWN; s <= SET_OTHER; s++)
		w->has_changed |= add_words(known(w, node, made), set_of(w, state, (enum flow_set)s), w->words);
	w->has_changed |= add_words(known(w, node, passed), set_of(w, state, SET_PASS), w->words);
}

static void walk_node(struct walk *w, uint32_t number)
{
	const struct flow_node *node = &w->f->nodes.data[number];
	uint64_t *thrown;

	if (!node->nblocks)
		return;
	make_room(w, node->nblocks + 1);
	if (w->is_upwards)
		memset(set_of(w, state_of(w, 0), SET_PASS), 0xff, w->words * sizeof(*w->in));
	else
		memcpy(set_of(w, state_of(w, 0), SET_OTHER), known(w, number, AT_ENTRY), w->words * sizeof(*w->in));
	thrown = state_of(w, node->nblocks);
	memset(w->returned, 0, FLOW_SETS * w->words * sizeof(*w->returned));
	walk_blocks(w, node, thrown);
	if (!w->is_upwards)
		return;
	keep_exit(w, number, w->returned, MADE, PASSED);
	keep_exit(w, number, thrown, MADE_THROWN, PASSED_THROWN);
}

/* The program */

static void find_order(struct walk *w, struct arena *mem)
{
	const struct flow *f = w->f;
	uint32_t n = f->nodes.len;
	uint32_t *first = arena_array(mem, uint32_t, n + 1);
	VEC(uint32_t) to = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		const struct flow_node *node = &f->nodes.data[i];
		first[i] = to.len;
		for (uint32_t c = 0; c < node->ncalls; c++) {
			const struct call_point *point = &f->calls.data[node->first_call + c];
			for (uint32_t k = 0; k < point->n; k++)
				vec_push(&to, f->callees.data[point->first + k]);
		}
	}
	first[n] = to.len;
	w->component = arena_array(mem, uint32_t, n);
	w->order = arena_array(mem, uint32_t, n);
	uint32_t ncomponents = scc_compute(&(struct digraph){ n, first, to.data }, w->component, mem);
	uint32_t *at = arena_zarray(mem, uint32_t, ncomponents + 1);
	for (uint32_t i = 0; i < n; i++)
		at[w->component[i] + 1]++;
	for (uint32_t c = 0; c < ncomponents; c++)
		at[c + 1] += at[c];
	for (uint32_t i = 0; i < n; i++)
		w->order[at[w->component[i]]++] = i;
	vec_release(&to);
}

static bool calls_itself(const struct walk *w, uint32_t number)
{
	const struct flow_node *node = &w->f->nodes.data[number];

	for (uint32_t i = 0; i < node->ncalls; i++) {
		const struct call_point *c = &w->f->calls.data[node->first_call + i];
		for (uint32_t k = 0; k < c->n; k++)
			if (w->f->callees.data[c->first + k] == number)
				return true;
	}
	return false;
}

/* The nodes order[first .. end) call each other: what changes in one changes others. */
static void walk_component(struct walk *w, uint32_t first, uint32_t end)
{
	bool is_circle = end - first > 1 || calls_itself(w, w->order[first]);

	w->current = w->component[w->order[first]];
	do {
		w->has_changed = false;
		for (uint32_t i = first; i < end; i++)
			walk_node(w, w->order[i]);
	} while (is_circle && w->has_changed);
	w->is_telling = !w->is_upwards;
	for (uint32_t i = first; i < end && w->is_telling; i++)
		walk_node(w, w->order[i]);
	w->is_telling = false;
}

static bool is_same_component(const struct walk *w, uint32_t i, uint32_t k)
{
	return w->component[w->order[i]] == w->component[w->order[k]];
}

static void walk_upwards(struct walk *w)
{
	uint32_t n = w->f->nodes.len, end;

	w->is_upwards = true;
	for (uint32_t first = 0; first < n; first = end) {
		for (end = first + 1; end < n && is_same_component(w, first, end); end++)
			;
		walk_component(w, first, end);
	}
}

static void walk_downwards(struct walk *w)
{
	uint32_t first;

	w->is_upwards = false;
	for (uint32_t end = w->f->nodes.len; end; end = first) {
		for (first = end - 1; first && is_same_component(w, first - 1, end - 1); first--)
			;
		walk_component(w, first, end);
	}
}

/* Methods without code do nothing that is known. */
static void start(struct walk *w)
{
	const struct flow *f = w->f;

	for (uint32_t i = 1; i < f->nodes.len; i++) {
		set_bit(known(w, i, AT_ENTRY), 0);
		if (f->nodes.data[i].nblocks)
			continue;
		memset(known(w, i, PASSED), 0xff, w->words * sizeof(*w->known));
		memset(known(w, i, PASSED_THROWN), 0xff, w->words * sizeof(*w->known));
	}
}

/* Nobody knows in which order clients call roots, or how often. A program's main runs once, and last. */
static void enter_roots(struct walk *w)
{
	const struct flow *f = w->f;

	memset(w->made, 0, w->words * sizeof(*w->made));
	for (uint32_t i = 1; i < f->nodes.len; i++)
		if (f->nodes.data[i].is_root && !f->nodes.data[i].is_main) {
			add_words(w->made, known(w, i, MADE), w->words);
			add_words(w->made, known(w, i, MADE_THROWN), w->words);
		}
	for (uint32_t i = 1; i < f->nodes.len; i++)
		if (f->nodes.data[i].is_root)
			add_words(known(w, i, AT_ENTRY), w->made, w->words);
}

static void walk_window(struct walk *w)
{
	struct arena mem;
	uint32_t n = w->f->nodes.len;

	arena_init(&mem);
	w->words = (w->end - w->first + 1 + 63) / 64;
	w->known = arena_zarray(&mem, uint64_t, (size_t)n * NODE_SETS * w->words);
	w->at = arena_array(&mem, uint64_t, FLOW_SETS * w->words);
	w->thrown = arena_array(&mem, uint64_t, FLOW_SETS * w->words);
	w->returned = arena_array(&mem, uint64_t, FLOW_SETS * w->words);
	w->made = arena_array(&mem, uint64_t, w->words);
	w->passed = arena_array(&mem, uint64_t, w->words);
	w->in = NULL;
	w->nblocks = 0;
	start(w);
	walk_upwards(w);
	enter_roots(w);
	walk_downwards(w);
	free(w->in);
	arena_release(&mem);
}

void flow_walk(struct flow *f, void (*fn)(void *ctx, uint32_t def, uint32_t use, bool is_intra), void *ctx)
{
	struct walk w = { .f = f };
	struct arena mem;

	arena_init(&mem);
	find_order(&w, &mem);
	w.fn = fn;
	w.ctx = ctx;
	for (w.first = 1; w.first < f->def_of_fact.len; w.first = w.end) {
		w.end = f->def_of_fact.len - w.first < WINDOW ? f->def_of_fact.len : w.first + WINDOW - 1;
		walk_window(&w);
	}
	arena_release(&mem);
}
