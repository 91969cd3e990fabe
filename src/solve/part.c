/* SPDX-License-Identifier: Apache-2.0 */
/* part.c - propagation within the sets of a finished solver.
 *
 * A node that something arrives at has a *row*. Its set has a word for each word of the solver's set of that node, so that sets
 * never move and need no order of their own; behind it are as many words with what is new. Rows, words, edges and rules are dealt one
 * after the other, and taken back from the end; of what is older than the last mark, changes are kept. */
#include <string.h>

#include "base/compiler.h"
#include "solve/part.h"
#include "solve/solve_p.h"

struct row {
	uint32_t node, owner;            /* of slots, the object; else 0 */
	uint32_t words, n;               /* its set; what is new stands behind it */
	uint32_t low, high;              /* all that is new is between these; none: low == high */
	uint32_t from, to;               /* likewise all that is there; undoing leaves them */
	uint32_t left;                   /* words that are not as in the solver; 0: nothing can get to it any more */
	uint32_t edges, rules;           /* the last ones; 0: none */
	bool shares;                     /* what gets to it */
	const uint32_t *blocks;          /* of the solver's set */
	const uint64_t *all;
};

struct part_edge { uint32_t from, to, mask, next; };         /* rows */
struct part_rule { uint32_t row, type, guard, slot, node, mask, next; };     /* as struct rule */
struct change { uint32_t at, row; uint64_t old; };           /* of a word of a row; or of `shared`, by block */

struct part {
	const struct solver *s;
	struct part_opt opt;
	uint32_t *row_of;                /* by node; 0: none */
	uint32_t *owner_of;              /* by node: the object whose slot it is; 0: none */
	uint64_t *shared;                /* by block */
	VEC(struct row) rows;            /* [0] unused, likewise edges and rules */
	VEC(uint64_t) words;
	VEC(struct part_edge) edges;
	VEC(struct part_rule) rules;
	VEC(struct change) changes;      /* of words that are older than the mark */
	VEC(struct change) sharing;
	VEC(uint32_t) flags;             /* rows older than the mark that share since */
	struct part_mark mark;           /* the last one */
	VEC(uint32_t) late;              /* rules that are owed what was there before them */
	VEC(struct change) to_share;     /* blocks, and of what is new in `shared`, that whose slots were not looked at */
	VEC(uint64_t) queue;             /* rows with something new, as bits */
	uint32_t at, queued;
	struct set_buf news, guarded;                  /* of rules while they are applied: watches must not touch them */
	struct set_buf done, passed;                   /* used at once */
	uint64_t work, ask_at;
};

static void own(struct part *p, uint32_t first, uint32_t n, uint32_t object)
{
	for (uint32_t i = 0; first && i < n; i++)
		p->owner_of[first + i] = object;
}

/* Objects that nobody asked for have no slots. */
static void find_owners(struct part *p)
{
	const struct solver *s = p->s;

	for (uint32_t k = 1; k < s->kinds.len; k++)
		own(p, s->kinds.data[k].slots, s->kinds.data[k].nslots, k);
	for (uint32_t g = 1; g < s->groups.len; g++) {
		uint32_t n = s->kinds.data[s->groups.data[g].kind].nslots;
		for (uint32_t i = 0; n && i < GROUP; i++)
			own(p, s->first_slots.data[s->groups.data[g].slots + i], n, KINDS_MAX + g * GROUP + i);
	}
}

struct part *part_new(const struct solver *s, const struct part_opt *opt)
{
	struct part *p = mem_zalloc(sizeof(*p));

	p->s = s;
	p->opt = *opt;
	p->opt.ask_every = opt->ask_every ? opt->ask_every : 1u << 20;
	p->row_of = mem_zalloc((s->nodes.len + (size_t)opt->extra) * sizeof(*p->row_of));
	p->owner_of = mem_zalloc((s->nodes.len + (size_t)opt->extra) * sizeof(*p->owner_of));
	p->shared = mem_zalloc((KIND_BLOCKS + s->groups.len * GROUP / 64 + 1) * sizeof(*p->shared));
	find_owners(p);
	vec_push(&p->rows, (struct row){ 0 });
	vec_push(&p->words, 0);
	vec_push(&p->edges, (struct part_edge){ 0 });
	vec_push(&p->rules, (struct part_rule){ 0 });
	part_mark(p);
	return p;
}

void part_free(struct part *p)
{
	if (!p)
		return;
	free(p->row_of);
	free(p->owner_of);
	free(p->shared);
	vec_release(&p->rows);
	vec_release(&p->words);
	vec_release(&p->edges);
	vec_release(&p->rules);
	vec_release(&p->changes);
	vec_release(&p->sharing);
	vec_release(&p->flags);
	vec_release(&p->late);
	vec_release(&p->to_share);
	vec_release(&p->queue);
	struct set_buf *bufs[] = { &p->news, &p->guarded, &p->done, &p->passed };
	for (size_t i = 0; i < ARRAY_LEN(bufs); i++)
		set_buf_release(bufs[i]);
	free(p);
}

/* Rows */

static struct set_view whole(const struct part *p, uint32_t node)
{
	uint32_t like = node < p->s->nodes.len ? node : p->opt.like.i;

	return set_view(&p->s->nodes.data[find(p->s, like)].set);
}

static uint32_t count_words(struct set_view v)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < v.n; i++)
		n += v.words[i] != 0;
	return n;
}

/* A set of one word lies within its node, where it stays: the solver does not change. */
static uint32_t add_row(struct part *p, uint32_t node)
{
	struct set_view v = whole(p, node);
	struct row r = { .node = node, .owner = p->owner_of[node], .words = p->words.len, .n = v.n, .left = count_words(v),
			 .blocks = v.blocks, .all = v.words };

	vec_reserve(&p->words, (uint64_t)p->words.len + 2 * (uint64_t)v.n);
	memset(p->words.data + p->words.len, 0, 2 * (size_t)v.n * sizeof(uint64_t));
	p->words.len += 2 * v.n;
	vec_push(&p->rows, r);
	while (p->queue.len <= p->rows.len / 64)
		vec_push(&p->queue, 0);
	return p->row_of[node] = p->rows.len - 1;
}

static uint32_t row_at(struct part *p, uint32_t node)
{
	return p->row_of[node] ? p->row_of[node] : add_row(p, node);
}

/* 0: there is no such object. */
static uint32_t slot_row(struct part *p, object_id o, uint32_t slot)
{
	uint32_t node = solver_slot(p->s, o, slot).i;

	return p->owner_of[node] == o.i ? row_at(p, node) : 0;
}

static void enqueue(struct part *p, uint32_t row)
{
	p->queue.data[row / 64] |= (uint64_t)1 << row % 64;
	p->queued++;
}

static bool is_queued(const struct part *p, uint32_t row)
{
	return p->queue.data[row / 64] >> row % 64 & 1;
}

/* Sets */

static void widen(uint32_t *low, uint32_t *high, uint32_t i)
{
	if (*low == *high) {
		*low = i;
		*high = i + 1;
	}
	*low = i < *low ? i : *low;
	*high = i >= *high ? i + 1 : *high;
}

/* Adds bits that the word lacks; false: the solver has none of them there. */
static bool add_bits(struct part *p, uint32_t row, uint32_t i, uint64_t bits)
{
	struct row *r = &p->rows.data[row];
	uint64_t *word = &p->words.data[r->words + i], more = bits & r->all[i] & ~*word;

	if (!more)
		return false;
	if (r->words + i < p->mark.words)
		vec_push(&p->changes, ((struct change){ r->words + i, row, *word }));
	*word |= more;
	word[r->n] |= more;
	r->left -= *word == r->all[i];
	widen(&r->low, &r->high, i);
	widen(&r->from, &r->to, i);
	return true;
}

static bool is_whole(const struct part *p, uint32_t row)
{
	return !p->rows.data[row].left;
}

static void add_set(struct part *p, uint32_t row, struct set_view v)
{
	const struct row *r = &p->rows.data[row];
	const uint64_t *words = p->words.data + r->words;
	const uint32_t *blocks = r->blocks;
	uint32_t i = 0, j = 0, n = r->left ? r->n : 0;
	bool is_new = false;

	p->work++;
	while (i < v.n && j < n) {
		p->work++;
		if (v.blocks[i] < blocks[j]) {
			i = seek(v.blocks, i, v.n, blocks[j]);
		} else if (blocks[j] < v.blocks[i]) {
			j = seek(blocks, j, n, v.blocks[i]);
		} else {
			if (v.words[i] & ~words[j])
				is_new |= add_bits(p, row, j, v.words[i]);
			i++;
			j++;
		}
	}
	if (is_new && !is_queued(p, row))
		enqueue(p, row);
}

static void add_whole(struct part *p, uint32_t row)
{
	add_set(p, row, whole(p, p->rows.data[row].node));
}

/* What was handed on already, to be used at once: words may be 0. */
static struct set_view done_of(struct part *p, uint32_t row)
{
	const struct row *r = &p->rows.data[row];
	const uint64_t *words = p->words.data + r->words, *news = words + r->n;
	uint32_t n = r->to - r->from;

	if (r->low == r->high)
		return (struct set_view){ words + r->from, r->blocks + r->from, n };
	set_buf_reserve(&p->done, n);
	for (uint32_t i = r->from; i < r->to; i++)
		p->done.words[i - r->from] = words[i] & ~news[i];
	p->work += n;
	return (struct set_view){ p->done.words, r->blocks + r->from, n };
}

/* Without words that are 0. */
static struct set_view keep(struct set_view v, struct set_buf *out)
{
	uint32_t n = 0;

	set_buf_reserve(out, v.n);
	for (uint32_t i = 0; i < v.n; i++) {
		out->words[n] = v.words[i];
		out->blocks[n] = v.blocks[i];
		n += v.words[i] != 0;
	}
	out->n = n;
	return set_buf_view(out);
}

static struct set_view take_news(struct part *p, uint32_t row)
{
	struct row *r = &p->rows.data[row];
	uint64_t *news = p->words.data + r->words + r->n + r->low;
	uint32_t n = r->high - r->low;
	struct set_view v = keep((struct set_view){ news, r->blocks + r->low, n }, &p->news);

	memset(news, 0, n * sizeof(*news));
	r->low = r->high = 0;
	return v;
}

/* Sharing */

static void share_word(struct part *p, uint32_t block, uint64_t bits)
{
	uint64_t more = bits & ~p->shared[block];

	if (!more)
		return;
	vec_push(&p->sharing, ((struct change){ block, 0, p->shared[block] }));
	p->shared[block] |= more;
	vec_push(&p->to_share, ((struct change){ block, 0, more }));
}

void part_share_set(struct part *p, struct set_view v)
{
	p->work += v.n;
	for (uint32_t i = 0; i < v.n; i++)
		share_word(p, v.blocks[i], v.words[i]);
}

bool part_is_shared(const struct part *p, object_id o)
{
	return p->shared[o.i / 64] >> o.i % 64 & 1;
}

static bool owner_is_shared(const struct part *p, const struct row *r)
{
	return r->owner && part_is_shared(p, (object_id){ r->owner });
}

static bool is_read(const struct row *r)
{
	return r->edges || r->rules;
}

/* Slots that are there so far; those to come see that their object is shared. */
static void share_slots(struct part *p, object_id o)
{
	const struct kind *k = &p->s->kinds.data[solver_kind_of(p->s, o).i];
	uint32_t first = k->nslots ? solver_slot(p->s, o, 0).i : 0;

	for (uint32_t i = 0; i < k->nslots && p->owner_of[first + i] == o.i; i++) {
		uint32_t row = p->row_of[first + i];
		if (!row)
			continue;
		part_share_set(p, done_of(p, row));        /* what is new is shared when it is handed on */
		if (is_read(&p->rows.data[row]))
			add_whole(p, row);
	}
}

static void share_some(struct part *p)
{
	struct change c = vec_pop(&p->to_share);

	for (uint64_t bits = c.old; bits; bits &= bits - 1)
		share_slots(p, (object_id){ c.at * 64 + first_bit(bits) });
}

/* Edges and rules */

static void pass_on(struct part *p, uint32_t to, struct set_view v, uint32_t mask)
{
	if (v.n && !is_whole(p, to))
		add_set(p, to, mask ? filter(p->s, v, mask, &p->passed) : v);
}

/* Before it has an edge or rule more. */
static void read_row(struct part *p, uint32_t row)
{
	const struct row *r = &p->rows.data[row];

	if (!is_read(r) && owner_is_shared(p, r))
		add_whole(p, row);
}

/* An edge to a row that is whole would carry nothing as long as it is there; at most it says that a slot is read. */
static bool is_idle(const struct part *p, uint32_t from, uint32_t to)
{
	const struct row *r = &p->rows.data[from];

	return from == to || (is_whole(p, to) && (!r->owner || is_read(r)));
}

static void add_edge(struct part *p, uint32_t from, uint32_t to, uint32_t mask)
{
	if (is_idle(p, from, to))
		return;
	read_row(p, from);
	vec_push(&p->edges, ((struct part_edge){ from, to, mask, p->rows.data[from].edges }));
	p->rows.data[from].edges = p->edges.len - 1;
	pass_on(p, to, done_of(p, from), mask);
}

static void apply_to_object(struct part *p, const struct part_rule *r, object_id o)
{
	uint32_t slot = slot_row(p, o, r->slot), row = row_at(p, r->node);

	if (!slot)
		return;
	if (r->type == RULE_LOAD)
		add_edge(p, slot, row, r->mask);
	else
		add_edge(p, row, slot, p->s->kinds.data[solver_kind_of(p->s, o).i].admits);
}

static void apply(struct part *p, uint32_t rule, struct set_view v)
{
	struct part_rule r = p->rules.data[rule];

	if (r.guard)
		v = filter(p->s, v, r.guard, &p->guarded);
	if (!v.n)
		return;
	if (r.type == RULE_WATCH) {
		p->opt.watch(p->opt.ctx, r.slot, v);
		return;
	}
	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t bits = v.words[i]; bits; bits &= bits - 1)
			apply_to_object(p, &r, (object_id){ v.blocks[i] * 64 + first_bit(bits) });
}

static void add_rule(struct part *p, uint32_t node, struct part_rule r)
{
	r.row = row_at(p, node);
	read_row(p, r.row);
	r.next = p->rows.data[r.row].rules;
	vec_push(&p->rules, r);
	p->rows.data[r.row].rules = p->rules.len - 1;
	vec_push(&p->late, p->rules.len - 1);
}

/* Constraints */

node_id part_extra(const struct part *p, uint32_t k)
{
	if (k >= p->opt.extra)
		BUG("a part has no such node");
	return (node_id){ (uint32_t)p->s->nodes.len + k };
}

void part_add_word(struct part *p, node_id n, uint32_t block, uint64_t bits)
{
	add_set(p, row_at(p, n.i), set_view_word(&bits, &block));
}

void part_add(struct part *p, node_id n, object_id o)
{
	part_add_word(p, n, o.i / 64, (uint64_t)1 << o.i % 64);
}

void part_copy(struct part *p, node_id from, node_id to, mask_id mask)
{
	uint32_t row = row_at(p, from.i);

	add_edge(p, row, row_at(p, to.i), mask.i);
}

void part_load(struct part *p, node_id base, mask_id guard, uint32_t slot, node_id to, mask_id mask)
{
	struct part_rule r = { .type = RULE_LOAD, .guard = guard.i, .slot = slot, .node = to.i, .mask = mask.i };

	add_rule(p, base.i, r);
}

void part_store(struct part *p, node_id from, node_id base, mask_id guard, uint32_t slot)
{
	add_rule(p, base.i, (struct part_rule){ .type = RULE_STORE, .guard = guard.i, .slot = slot, .node = from.i });
}

void part_watch(struct part *p, node_id n, mask_id guard, uint32_t tag)
{
	add_rule(p, n.i, (struct part_rule){ .type = RULE_WATCH, .guard = guard.i, .slot = tag });
}

void part_take(struct part *p, node_id from, node_id to, mask_id mask)
{
	pass_on(p, row_at(p, to.i), whole(p, from.i), mask.i);
}

void part_get_slot(struct part *p, object_id o, uint32_t slot, node_id to)
{
	uint32_t row = slot_row(p, o, slot);

	if (row)
		add_edge(p, row, row_at(p, to.i), 0);
}

void part_put_slot(struct part *p, node_id from, object_id o, uint32_t slot)
{
	uint32_t row = slot_row(p, o, slot);

	if (row)
		add_edge(p, row_at(p, from.i), row, 0);
}

void part_share(struct part *p, node_id n)
{
	uint32_t row = row_at(p, n.i);

	if (p->rows.data[row].shares)
		return;
	p->rows.data[row].shares = true;
	if (row < p->mark.rows)
		vec_push(&p->flags, row);
	part_share_set(p, done_of(p, row));
}

/* Running */

static void visit(struct part *p, uint32_t row)
{
	struct set_view v = take_news(p, row);

	if (p->rows.data[row].shares || owner_is_shared(p, &p->rows.data[row]))
		part_share_set(p, v);
	for (uint32_t i = p->rows.data[row].edges; i; i = p->edges.data[i].next)
		pass_on(p, p->edges.data[i].to, v, p->edges.data[i].mask);
	for (uint32_t i = p->rows.data[row].rules; i; i = p->rules.data[i].next)
		apply(p, i, v);
}

/* The next one in the order of rows, round and round: rows are made in the order in which things flow, by and large. */
static uint32_t dequeue(struct part *p)
{
	uint32_t words = p->rows.len / 64 + 1, w = p->at / 64;
	uint64_t rest = p->queue.data[w] & ~(uint64_t)0 << p->at % 64;

	while (!rest) {
		w = w + 1 < words ? w + 1 : 0;
		rest = p->queue.data[w];
	}
	uint32_t row = w * 64 + first_bit(rest);
	p->queue.data[w] &= ~((uint64_t)1 << row % 64);
	p->queued--;
	p->at = row + 1 < p->rows.len ? row + 1 : 0;
	return row;
}

static bool is_over(struct part *p)
{
	if (p->work < p->ask_at || !p->opt.go_on)
		return false;
	p->ask_at = p->work + p->opt.ask_every;
	return !p->opt.go_on(p->opt.ctx);
}

/* A rule that comes late gets what is done at its node, before more is: the watch that it is may add others. */
static void catch_up(struct part *p)
{
	uint32_t rule = vec_pop(&p->late);

	apply(p, rule, keep(done_of(p, p->rules.data[rule].row), &p->news));
}

bool part_run(struct part *p)
{
	for (;;) {
		if (p->late.len)
			catch_up(p);
		else if (p->to_share.len)
			share_some(p);
		else if (p->queued)
			visit(p, dequeue(p));
		else
			return true;
		if (is_over(p))
			return false;
	}
}

/* Marks */

static bool holds(const struct part *p)
{
	return !p->queued && !p->late.len && !p->to_share.len;
}

struct part_mark part_mark(struct part *p)
{
	if (!holds(p))
		BUG("a mark where constraints do not hold");
	return p->mark = (struct part_mark){ p->rows.len, p->words.len, p->edges.len, p->rules.len, p->changes.len, p->sharing.len,
					     p->flags.len };
}

/* What is new stands in rows that are queued, and nowhere else. */
static void stop(struct part *p)
{
	for (uint32_t row = 1; p->queued; row++)
		if (is_queued(p, row)) {
			take_news(p, row);
			p->queue.data[row / 64] &= ~((uint64_t)1 << row % 64);
			p->queued--;
		}
	p->at = 0;
	vec_clear(&p->late);
	vec_clear(&p->to_share);
}

static void restore(struct part *p, struct change c)
{
	struct row *r = &p->rows.data[c.row];

	r->left += p->words.data[c.at] == r->all[c.at - r->words];
	p->words.data[c.at] = c.old;
}

static void take_back(struct part *p, struct part_mark m)
{
	for (uint32_t i = p->edges.len; i-- > m.edges;)
		p->rows.data[p->edges.data[i].from].edges = p->edges.data[i].next;
	for (uint32_t i = p->rules.len; i-- > m.rules;)
		p->rows.data[p->rules.data[i].row].rules = p->rules.data[i].next;
	for (uint32_t i = p->flags.len; i-- > m.flags;)
		p->rows.data[p->flags.data[i]].shares = false;
	for (uint32_t i = p->changes.len; i-- > m.changes;)
		restore(p, p->changes.data[i]);
	for (uint32_t i = p->sharing.len; i-- > m.shared;)
		p->shared[p->sharing.data[i].at] = p->sharing.data[i].old;
	for (uint32_t i = p->rows.len; i-- > m.rows;)
		p->row_of[p->rows.data[i].node] = 0;
}

void part_undo(struct part *p, struct part_mark m)
{
	stop(p);
	take_back(p, m);
	p->rows.len = m.rows;
	p->words.len = m.words;
	p->edges.len = m.edges;
	p->rules.len = m.rules;
	p->changes.len = m.changes;
	p->sharing.len = m.shared;
	p->flags.len = m.flags;
	p->mark = m;
}

/* Results */

struct set_view part_set(const struct part *p, node_id n)
{
	const struct row *r = &p->rows.data[p->row_of[n.i]];

	return (struct set_view){ p->words.data + r->words, r->blocks, r->n };
}

uint64_t part_work(const struct part *p)
{
	return p->work;
}
