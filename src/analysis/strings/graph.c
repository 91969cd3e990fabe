/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - reading automata. */
#include "analysis/strings/graph_p.h"

#include <fa.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"

static uint64_t address(const struct state *s)
{
	return (uint64_t)(uintptr_t)s;
}

void graph_read(struct graph *g, struct fa *fa, struct arena *a)
{
	struct map number = { 0 };
	uint32_t at = 0;

	*g = (struct graph){ 0 };
	for (struct state *s = fa_state_initial(fa); s; s = fa_state_next(s)) {
		*map_at(&number, address(s)) = ++g->n;
		g->arrow_count += (uint32_t)fa_state_num_trans(s);
	}
	g->first = arena_array(a, uint32_t, g->n + 1);
	g->arrows = arena_array(a, struct arrow, g->arrow_count);
	g->accepts = arena_array(a, bool, g->n);
	g->n = 0;
	for (struct state *s = fa_state_initial(fa); s; s = fa_state_next(s)) {
		g->accepts[g->n] = fa_state_is_accepting(s);
		g->first[g->n++] = at;
		for (size_t i = 0; i < fa_state_num_trans(s); i++, at++) {
			struct state *to;

			fa_state_trans(s, i, &to, &g->arrows[at].lo, &g->arrows[at].hi);
			g->arrows[at].to = map_get(&number, address(to)) - 1;
		}
	}
	g->first[g->n] = at;
	map_release(&number);
}

static int compare_arrows(const void *p, const void *q)
{
	const struct arrow *a = p, *b = q;

	return a->lo != b->lo ? a->lo - b->lo : (a->to > b->to) - (a->to < b->to);
}

void graph_read_ordered(struct graph *g, struct fa *fa, struct arena *a)
{
	struct graph raw;

	graph_read(&raw, fa, a);
	for (uint32_t i = 0; i < raw.n; i++)
		qsort(raw.arrows + raw.first[i], raw.first[i + 1] - raw.first[i], sizeof(struct arrow), compare_arrows);
	*g = (struct graph){ .first = arena_array(a, uint32_t, raw.n + 1), .arrows = arena_array(a, struct arrow, raw.arrow_count),
		.accepts = arena_array(a, bool, raw.n) };
	uint32_t *number = arena_zarray(a, uint32_t, raw.n);      /* plus one; 0: not met yet */
	uint32_t *order = arena_array(a, uint32_t, raw.n);

	order[g->n++] = 0;
	number[0] = 1;
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t s = order[i];

		g->first[i] = g->arrow_count;
		g->accepts[i] = raw.accepts[s];
		for (uint32_t k = raw.first[s]; k < raw.first[s + 1]; k++) {
			struct arrow *to = &raw.arrows[k];

			if (!number[to->to]) {
				order[g->n] = to->to;
				number[to->to] = ++g->n;
			}
			g->arrows[g->arrow_count++] = (struct arrow){ number[to->to] - 1, to->lo, to->hi };
		}
	}
	g->first[g->n] = g->arrow_count;
}

static void count_arrows(const struct graph *g, uint32_t *first)
{
	memset(first, 0, (g->n + 1) * sizeof *first);
	for (uint32_t i = 0; i < g->arrow_count; i++)
		first[g->arrows[i].to + 1]++;
	for (uint32_t s = 0; s < g->n; s++)
		first[s + 1] += first[s];
}

struct graph graph_turn(const struct graph *g, struct arena *a)
{
	struct graph t = { g->n, g->arrow_count, arena_array(a, uint32_t, g->n + 1), arena_array(a, struct arrow, g->arrow_count), NULL };
	uint32_t *at = arena_array(a, uint32_t, g->n + 1);

	count_arrows(g, t.first);
	memcpy(at, t.first, (g->n + 1) * sizeof *at);
	for (uint32_t s = 0; s < g->n; s++)
		for (uint32_t k = g->first[s]; k < g->first[s + 1]; k++)
			t.arrows[at[g->arrows[k].to]++] = (struct arrow){ s, g->arrows[k].lo, g->arrows[k].hi };
	return t;
}

/* --- the subset construction, to see how large it gets --- */

enum { SUBSET_STEPS = 4000000 };      /* in one construction */

struct subset {
	uint32_t at, len;             /* in `members` */
};

struct subsets {
	VEC(uint32_t) members;
	VEC(struct subset) sets;
	uint32_t *slots;              /* set number plus one, by hash of the members */
	uint32_t mask;
	uint32_t *seen;               /* by state: the set that was being made when it was added last, plus one */
};

static bool same_members(const struct subsets *ss, struct subset x, const uint32_t *with, uint32_t len)
{
	return x.len == len && (!len || memcmp(ss->members.data + x.at, with, len * sizeof *with) == 0);
}

static int compare_numbers(const void *p, const void *q)
{
	uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;

	return (a > b) - (a < b);
}

/* The last `len` members become a set, or are dropped when there is one of them. */
static void subset_close(struct subsets *ss, uint32_t at)
{
	uint32_t len = ss->members.len - at, *m = ss->members.data + at;

	if (!len)
		return;
	qsort(m, len, sizeof *m, compare_numbers);
	uint32_t slot = (uint32_t)hash_bytes(m, len * sizeof *m) & ss->mask;

	for (; ss->slots[slot]; slot = (slot + 1) & ss->mask) {
		if (same_members(ss, ss->sets.data[ss->slots[slot] - 1], m, len)) {
			ss->members.len = at;
			return;
		}
	}
	vec_push(&ss->sets, ((struct subset){ at, len }));
	ss->slots[slot] = ss->sets.len;
}

/* Bytes at which some arrow begins, or after which one ends: between two of them all bytes are alike. */
static uint32_t start_points(const struct graph *g, uint8_t *points)
{
	struct byteset starts = { { 1 } };
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->arrow_count; i++) {
		byteset_add(&starts, g->arrows[i].lo);
		if (g->arrows[i].hi < 255)
			byteset_add(&starts, g->arrows[i].hi + 1u);
	}
	for (unsigned b = 0; b < 256; b++)
		if (byteset_has(&starts, b))
			points[n++] = (uint8_t)b;
	return n;
}

static void subset_step(struct subsets *ss, const struct graph *g, struct subset from, uint8_t byte, uint32_t stamp, uint64_t *steps)
{
	uint32_t at = ss->members.len;

	for (uint32_t i = 0; i < from.len; i++) {
		uint32_t s = ss->members.data[from.at + i];

		*steps += 1 + g->first[s + 1] - g->first[s];
		for (uint32_t k = g->first[s]; k < g->first[s + 1]; k++) {
			const struct arrow *a = &g->arrows[k];

			if (a->lo <= byte && byte <= a->hi && ss->seen[a->to] != stamp) {
				ss->seen[a->to] = stamp;
				vec_push(&ss->members, a->to);
			}
		}
	}
	subset_close(ss, at);
}

uint32_t graph_subsets(const struct graph *g, const bool *starts, uint32_t states, uint64_t *steps, uint32_t *classes)
{
	struct subsets ss = { .mask = 15 };
	uint8_t points[256];
	uint32_t stamp = 0;
	uint64_t used = 0, most = *steps < SUBSET_STEPS ? *steps : SUBSET_STEPS;

	*classes = start_points(g, points);
	while (ss.mask < 2 * (states + 256))
		ss.mask = ss.mask * 2 + 1;
	ss.slots = mem_zalloc((ss.mask + 1) * sizeof *ss.slots);
	ss.seen = mem_zalloc(g->n * sizeof *ss.seen);
	for (uint32_t i = 0; i < g->n; i++)
		if (starts[i])
			vec_push(&ss.members, i);
	subset_close(&ss, 0);
	for (uint32_t i = 0; i < ss.sets.len && ss.sets.len <= states && used <= most; i++)
		for (uint32_t k = 0; k < *classes; k++)
			subset_step(&ss, g, ss.sets.data[i], points[k], ++stamp, &used);
	uint32_t count = ss.sets.len <= states && used <= most ? ss.sets.len : 0;

	*steps -= count ? used : most;        /* when it stopped depends on the order of states */
	vec_release(&ss.members);
	vec_release(&ss.sets);
	free(ss.slots);
	free(ss.seen);
	return count;
}

/* --- pairs of states --- */

struct pairs {
	VEC(uint64_t) list;
	struct map met;
};

static void meet(struct pairs *p, uint32_t s, uint32_t t)
{
	uint32_t *at = map_at(&p->met, map_key(s, t) + 1);

	if (*at)
		return;
	*at = 1;
	vec_push(&p->list, map_key(s, t));
}

static void pairs_release(struct pairs *p)
{
	vec_release(&p->list);
	map_release(&p->met);
}

bool graph_product_fits(const struct graph *g, const struct graph *h, uint32_t pairs)
{
	struct pairs p = { 0 };

	meet(&p, 0, 0);
	for (uint32_t i = 0; i < p.list.len && p.list.len <= pairs; i++) {
		uint32_t s = (uint32_t)(p.list.data[i] >> 32), t = (uint32_t)p.list.data[i];

		for (uint32_t a = g->first[s]; a < g->first[s + 1]; a++)
			for (uint32_t b = h->first[t]; b < h->first[t + 1]; b++)
				if (g->arrows[a].lo <= h->arrows[b].hi && h->arrows[b].lo <= g->arrows[a].hi)
					meet(&p, g->arrows[a].to, h->arrows[b].to);
	}
	bool fits = p.list.len <= pairs;

	pairs_release(&p);
	return fits;
}

/* Meets what the arrow leads to together with state `t` of `g`; false when `g` has no arrow for one of its bytes. */
static bool follow(struct pairs *p, const struct graph *g, uint32_t t, const struct arrow *arrow)
{
	uint32_t from = arrow->lo;

	for (uint32_t k = g->first[t]; k < g->first[t + 1] && from <= arrow->hi; k++) {
		const struct arrow *a = &g->arrows[k];

		if (a->hi < from)
			continue;
		if (a->lo > from)
			return false;
		meet(p, arrow->to, a->to);
		from = a->hi + 1u;
	}
	return from > arrow->hi;
}

bool graph_includes(const struct graph *g, const struct graph *in)
{
	struct pairs p = { 0 };
	bool holds = true;

	meet(&p, 0, 0);
	for (uint32_t i = 0; holds && i < p.list.len; i++) {
		uint32_t s = (uint32_t)(p.list.data[i] >> 32), t = (uint32_t)p.list.data[i];

		holds = !in->accepts[s] || g->accepts[t];
		for (uint32_t k = in->first[s]; holds && k < in->first[s + 1]; k++)
			holds = follow(&p, g, t, &in->arrows[k]);
	}
	pairs_release(&p);
	return holds;
}

/* --- what a language holds --- */

/* States, so that arrows lead to earlier ones; false when there is a cycle. */
static bool order_backwards(const struct graph *g, uint32_t *order)
{
	uint32_t *in = mem_zalloc(g->n * sizeof *in), done = 0;

	for (uint32_t i = 0; i < g->arrow_count; i++)
		in[g->arrows[i].to]++;
	if (!in[0])
		order[g->n - ++done] = 0;
	for (uint32_t i = 0; i < done; i++) {
		uint32_t s = order[g->n - 1 - i];

		for (uint32_t k = g->first[s]; k < g->first[s + 1]; k++)
			if (!--in[g->arrows[k].to])
				order[g->n - ++done] = g->arrows[k].to;
	}
	free(in);
	return done == g->n;
}

static uint64_t at_most(uint64_t x)
{
	return x < UINT32_MAX ? x : UINT32_MAX;
}

struct graph_size graph_size(const struct graph *g)
{
	uint32_t *order = mem_alloc(g->n * sizeof *order);
	struct graph_size *of = mem_zalloc(g->n * sizeof *of), all = { 0 };

	if (order_backwards(g, order)) {
		for (uint32_t i = 0; i < g->n; i++) {
			struct graph_size *x = &of[order[i]];

			x->strings = g->accepts[order[i]];
			for (uint32_t k = g->first[order[i]]; k < g->first[order[i] + 1]; k++) {
				const struct graph_size *y = &of[g->arrows[k].to];
				uint64_t width = g->arrows[k].hi - g->arrows[k].lo + 1u;

				x->strings = at_most(x->strings + width * y->strings);
				x->bytes = at_most(x->bytes + width * (y->bytes + y->strings));
			}
		}
		all = of[0];
		all.finite = true;
	}
	free(order);
	free(of);
	return all;
}

#define NOWHERE UINT32_MAX

static uint32_t step(const struct graph *g, uint32_t s, uint8_t b)
{
	uint32_t k = g->first[s], end = g->first[s + 1];

	while (k < end && g->arrows[k].hi < b)
		k++;
	return k == end || g->arrows[k].lo > b ? NOWHERE : g->arrows[k].to;
}

bool graph_contains(const struct graph *g, struct str text)
{
	uint32_t s = 0;

	for (uint32_t i = 0; i < text.len && s != NOWHERE; i++)
		s = step(g, s, (uint8_t)text.p[i]);
	return s != NOWHERE && g->accepts[s];
}

enum { TABLE_STATES = 128 };          /* of a graph for which all steps are written down: 128 KiB */

void graph_walk_init(struct graph_walk *w, const struct graph *g)
{
	*w = (struct graph_walk){ .g = g };
	if (g->n > TABLE_STATES)
		return;
	w->next = mem_alloc(g->n * 256 * sizeof(*w->next));
	memset(w->next, 0xff, g->n * 256 * sizeof(*w->next));      /* NOWHERE */
	for (uint32_t s = 0; s < g->n; s++)
		for (uint32_t k = g->first[s]; k < g->first[s + 1]; k++)
			for (unsigned b = g->arrows[k].lo; b <= g->arrows[k].hi; b++)
				w->next[s * 256 + b] = g->arrows[k].to;
}

void graph_walk_release(struct graph_walk *w)
{
	free(w->next);
	vec_release(&w->states);
}

bool graph_walk(struct graph_walk *w, struct str text, uint32_t shared)
{
	if (graph_walk_ended(w, shared))
		return false;
	w->states.len = shared;
	uint32_t s = shared ? w->states.data[shared - 1] : 0;
	for (uint32_t i = shared; i < text.len; i++) {
		s = w->next ? w->next[s * 256 + (uint8_t)text.p[i]] : step(w->g, s, (uint8_t)text.p[i]);
		if (s == NOWHERE)
			return false;
		vec_push(&w->states, s);
	}
	return w->g->accepts[s];
}

void graph_bytes(const struct graph *g, struct byteset *bytes)
{
	for (uint32_t i = 0; i < g->arrow_count; i++)
		byteset_add_range(bytes, g->arrows[i].lo, g->arrows[i].hi);
}
