/* SPDX-License-Identifier: Apache-2.0 */
/* All library calls of a program.
 *
 * A call in a context is a question. Those with the same callees and the same arguments have one answer. Answers with the same callees
 * share what these do whatever they are given: that is solved first, and each of them on top of it. And what most large answers
 * contain, since many ways lead to one method (the *top*) that needs no arguments to reach half of the JDK, is solved once: it is
 * the beginning of all that are seen to reach the top. */
#include "analysis/pta/reach/reach_p.h"

#include <string.h>

#include "base/sort.h"

#define MUCH (1u << 19)          /* words: who walks more is looked at with others ... */
#define VERY_MUCH (1u << 24)     /* ... unless it comes to the top by then */
#define TOPS 24                  /* methods that are tried as one */

struct question { uint32_t instance, stmt, call, answer; };

struct answer {
	uint32_t question;       /* one that asks for it */
	uint32_t first, n;       /* edges of `found` */
	enum progress { OPEN, DONE, ON_TOP, LARGE } progress;    /* ON_TOP: it is seen to come to the top. LARGE: it took too much work */
};

struct shape {                   /* answers with the same callees */
	uint32_t first, n;       /* of `order` */
};

struct asking {
	struct reach *r;
	struct paths *paths;
	struct reach_result *out;
	VEC(struct question) questions;
	VEC(struct answer) answers;
	VEC(uint32_t) keys;              /* one after the other: length, callees, 0, sets of arguments */
	VEC(uint32_t) key_of;            /* by answer */
	VEC(uint32_t) shape_of;          /* by answer */
	VEC(uint32_t) order;             /* answers by their shapes */
	VEC(struct shape) shapes;
	VEC(uint32_t) shape_first;       /* by shape: an answer */
	struct map call_at, answer_by_hash, shape_by_hash, set_by_hash, set_of_node;
	VEC(node_id) sets;               /* different ones */
	VEC(struct reach_edge) found;
	VEC(uint32_t) rest;              /* shapes */
	uint32_t top;                    /* an instance; 0: none yet */
	uint64_t much;                   /* words that an answer may walk now */
	uint64_t done;
	VEC(uint32_t) key;               /* scratch */
};

/* Arguments by what they hold */

static uint64_t mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * 0xff51afd7ed558ccdu;
	return h ^ h >> 32;
}

static uint64_t hash_set(struct set_view v)
{
	uint64_t h = v.n;

	for (uint32_t i = 0; i < v.n; i++)
		h = mix(mix(h, v.blocks[i]), v.words[i]);
	return h;
}

static bool same_set(struct set_view x, struct set_view y)
{
	return x.n == y.n && memcmp(x.blocks, y.blocks, x.n * sizeof(*x.blocks)) == 0 &&
	       memcmp(x.words, y.words, x.n * sizeof(*x.words)) == 0;
}

/* The number of the set: from 1. */
static uint32_t number_set(struct asking *q, node_id n)
{
	struct solver *s = q->r->a->s;
	uint32_t *at = map_at(&q->set_of_node, solver_find(s, n).i + 1u);

	if (*at)
		return *at;
	struct set_view v = solver_set(s, n);
	for (uint64_t h = hash_set(v);; h++) {
		uint32_t *row = map_at(&q->set_by_hash, h);
		if (*row && !same_set(v, solver_set(s, q->sets.data[*row - 1])))
			continue;
		if (!*row) {
			vec_push(&q->sets, n);
			*row = q->sets.len;
		}
		return *at = *row;
	}
}

/* Questions */

static void add_to_key(void *ctx, const struct reach_callee *c)
{
	struct asking *q = ctx;

	if (is_library(q->r, q->r->a->instances.data[c->callee].method))
		vec_push(&q->key, c->callee);
}

/* What the answer depends on: the callees; what the call names, by which receivers are theirs; the arguments. Returns how many of
 * its numbers are callees; 0: nothing of the library is called. */
static uint32_t make_key(struct asking *q, uint32_t in, const struct t_stmt *s)
{
	struct pta *a = q->r->a;
	uint32_t n;
	const uint32_t *args = operands(template_at(a, in), s, &n);

	vec_clear(&q->key);
	reach_callees(q->r, in, s, add_to_key, q);
	uint32_t ncallees = q->key.len = sort_ids(q->key.data, q->key.len);
	if (!ncallees)
		return 0;
	vec_push(&q->key, 0);
	vec_push(&q->key, a->sites.data[s->ref].link.site.mref.i);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&q->key, args[i] ? number_set(q, variable_node(a, in, args[i])) : 0);
	return ncallees;
}

static uint64_t hash_ids(const uint32_t *ids, uint32_t n)
{
	uint64_t h = n;

	for (uint32_t i = 0; i < n; i++)
		h = mix(h, ids[i]);
	return h;
}

static const uint32_t *key_at(const struct asking *q, uint32_t answer, uint32_t *n)
{
	const uint32_t *k = q->keys.data + q->key_of.data[answer];

	*n = k[0];
	return k + 1;
}

static bool has_key(const struct asking *q, uint32_t answer, const uint32_t *ids, uint32_t n)
{
	uint32_t len;
	const uint32_t *k = key_at(q, answer, &len);

	return n <= len && memcmp(k, ids, n * sizeof(*ids)) == 0;
}

static uint32_t add_answer(struct asking *q, uint32_t question)
{
	vec_push(&q->key_of, q->keys.len);
	vec_push(&q->keys, q->key.len);
	for (uint32_t i = 0; i < q->key.len; i++)
		vec_push(&q->keys, q->key.data[i]);
	vec_push(&q->answers, ((struct answer){ .question = question }));
	return q->answers.len - 1;
}

static uint32_t find_answer(struct asking *q, uint32_t question)
{
	for (uint64_t h = hash_ids(q->key.data, q->key.len);; h++) {
		uint32_t *at = map_at(&q->answer_by_hash, h), len;
		if (*at && (key_at(q, *at - 1, &len), len == q->key.len) && has_key(q, *at - 1, q->key.data, len))
			return *at - 1;
		if (!*at)
			return (*at = 1 + add_answer(q, question)) - 1;
	}
}

/* The answers with the same callees, and the 0 behind them. */
static uint32_t find_shape(struct asking *q, uint32_t answer, uint32_t ncallees)
{
	uint32_t len;
	const uint32_t *k = key_at(q, answer, &len);

	for (uint64_t h = hash_ids(k, ncallees + 1);; h++) {
		uint32_t *at = map_at(&q->shape_by_hash, h);
		if (!*at) {
			vec_push(&q->shapes, (struct shape){ 0 });
			vec_push(&q->shape_first, answer);
			return (*at = q->shapes.len) - 1;
		}
		if (has_key(q, q->shape_first.data[*at - 1], k, ncallees + 1))
			return *at - 1;
	}
}

static uint32_t call_at(struct asking *q, uint32_t in, uint32_t site)
{
	method_id m = q->r->a->instances.data[in].method;
	struct cg_site s = q->r->a->sites.data[site].link.site;
	uint32_t *at = map_at(&q->call_at, map_key(m.i, s.pc));

	if (!*at) {
		vec_push(&q->out->calls, ((struct reach_call){ .caller = m, .pc = s.pc, .mref = s.mref }));
		*at = q->out->calls.len;
	}
	return *at - 1;
}

static void ask(struct asking *q, uint32_t in, uint32_t stmt)
{
	const struct t_stmt *s = &template_at(q->r->a, in)->stmts[stmt];
	uint32_t ncallees = make_key(q, in, s), before = q->answers.len;

	if (!ncallees && !q->r->a->sites.data[s->ref].callbacks)
		return;
	struct question x = { in, stmt, call_at(q, in, s->ref), 0 };
	if (ncallees) {
		x.answer = 1 + find_answer(q, q->questions.len);
		if (q->answers.len > before)
			vec_push(&q->shape_of, find_shape(q, before, ncallees));
	}
	vec_push(&q->questions, x);
}

static void ask_all(struct asking *q)
{
	struct pta *a = q->r->a;

	for (uint32_t in = 1; in < a->instances.len; in++) {
		const struct template *t = template_at(a, in);
		if (is_library(q->r, a->instances.data[in].method) || a->instances.data[in].method.i == 0)
			continue;
		for (uint32_t i = 0; i < t->nstmts; i++)
			if (t->stmts[i].op == T_CALL)
				ask(q, in, i);
	}
}

/* Answers in the order of their shapes. */
static void sort_shapes(struct asking *q)
{
	for (uint32_t i = 0; i < q->answers.len; i++)
		q->shapes.data[q->shape_of.data[i]].n++;
	for (uint32_t i = 1; i < q->shapes.len; i++)
		q->shapes.data[i].first = q->shapes.data[i - 1].first + q->shapes.data[i - 1].n;
	vec_reserve(&q->order, q->answers.len);
	q->order.len = q->answers.len;
	for (uint32_t i = 0; i < q->shapes.len; i++)
		q->shapes.data[i].n = 0;
	for (uint32_t i = 0; i < q->answers.len; i++) {
		struct shape *s = &q->shapes.data[q->shape_of.data[i]];
		q->order.data[s->first + s->n++] = i;
	}
}

/* Solving */

static void begin_shape(struct asking *q, uint32_t shape)
{
	uint32_t n;
	const uint32_t *k = key_at(q, q->shape_first.data[shape], &n);

	for (; *k; k++)
		reach_first(q->r, *k);
}

static void give_arguments(void *ctx, const struct reach_callee *c)
{
	struct reach *r = ctx;
	struct pta *a = r->a;
	const struct template *to = template_at(a, c->callee);
	uint32_t n;
	const uint32_t *args = operands(template_at(a, c->in), c->s, &n);

	if (!is_library(r, a->instances.data[c->callee].method))
		return;
	if (c->bits && to->has_receiver && to->params[0])
		part_add_word(r->part, variable_node(a, c->callee, to->params[0]), c->block, c->bits);
	for (uint32_t i = to->has_receiver; i < to->nparams && i < n; i++)
		if (to->params[i] && args[i] && !is_constant_type(a, to->types[to->params[i]]))
			part_take(r->part, variable_node(a, c->in, args[i]), variable_node(a, c->callee, to->params[i]), (mask_id){ 0 });
}

static void begin_answer(struct asking *q, uint32_t answer)
{
	struct pta *a = q->r->a;
	const struct question *x = &q->questions.data[q->answers.data[answer].question];
	const struct template *t = template_at(a, x->instance);
	uint32_t n;
	const uint32_t *args = operands(t, &t->stmts[x->stmt], &n);

	reach_callees(q->r, x->instance, &t->stmts[x->stmt], give_arguments, q->r);
	for (uint32_t i = 0; i < n; i++)
		if (args[i])
			part_share_set(q->r->part, solver_set(a->s, variable_node(a, x->instance, args[i])));
}

static void keep_edge(void *ctx, const struct reach_back *b, bool is_later)
{
	struct asking *q = ctx;
	struct pta *a = q->r->a;
	struct reach_edge e = { .target = b->target, .is_later = is_later, .by = a->instances.data[b->instance].method,
				.by_pc = b->site ? a->sites.data[b->site].link.site.pc : PC_NONE };

	contract_place(a, &e.by, &e.by_pc);
	vec_push(&q->found, e);
}

static void finish_answer(struct asking *q, uint32_t answer)
{
	struct answer *x = &q->answers.data[answer];
	uint32_t n;
	const uint32_t *k = key_at(q, answer, &n);

	x->first = q->found.len;
	paths_begin(q->paths);
	for (; q->r->backs.len && *k; k++)
		paths_from(q->paths, *k);
	paths_end(q->paths, keep_edge, q);
	x->n = q->found.len - x->first;
	q->done++;
	if (q->r->opt.progress)
		q->r->opt.progress(q->r->opt.progress_ctx, q->done, q->answers.len);
}

static void set_limit(struct asking *q, bool is_limited)
{
	q->r->limit = is_limited ? part_work(q->r->part) + q->much : 0;
	q->r->stop_at = is_limited ? q->top : 0;
}

static enum progress run(struct asking *q, bool is_limited)
{
	set_limit(q, is_limited);
	if (reach_run(q->r))
		return DONE;
	return q->top && q->r->reached.data[q->top] ? ON_TOP : LARGE;
}

/* On top of its shape. */
static void solve_answer(struct asking *q, uint32_t answer, bool is_limited)
{
	struct reach_mark m = reach_mark(q->r);

	begin_answer(q, answer);
	enum progress how = run(q, is_limited);
	if (how == DONE)
		finish_answer(q, answer);
	q->answers.data[answer].progress = how;
	reach_undo(q->r, m);
}

/* The answers of a shape that are as far as `from`; without a limit, all of these are done then. */
static void solve_shape(struct asking *q, uint32_t shape, enum progress from, bool is_limited)
{
	struct shape s = q->shapes.data[shape];
	struct reach_mark m = reach_mark(q->r);

	begin_shape(q, shape);
	enum progress how = run(q, is_limited);
	for (uint32_t i = s.first; i < s.first + s.n; i++) {
		struct answer *x = &q->answers.data[q->order.data[i]];
		if (x->progress == from && how == DONE)
			solve_answer(q, q->order.data[i], is_limited);
		else if (x->progress == from)
			x->progress = how;
	}
	reach_undo(q->r, m);
}

static uint32_t first_of(const struct asking *q, uint32_t shape, enum progress which)
{
	struct shape s = q->shapes.data[shape];

	for (uint32_t i = s.first; i < s.first + s.n; i++)
		if (q->answers.data[q->order.data[i]].progress == which)
			return 1 + q->order.data[i];
	return 0;
}

/* The top */

static bool needs_arguments(const struct template *t)
{
	for (uint32_t i = 0; i < t->nparams; i++)
		if (t->params[i])
			return true;
	return false;
}

struct candidate { uint32_t callers, instance; };

static int compare_candidates(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;

	if (a->callers != b->callers)
		return a->callers < b->callers ? 1 : -1;
	return (a->instance > b->instance) - (a->instance < b->instance);
}

/* Methods without arguments that many call, of those that were reached. */
static uint32_t find_candidates(struct asking *q, struct candidate *out)
{
	struct reach *r = q->r;
	VEC(struct candidate) all = { 0 };
	struct map row_of = { 0 };

	for (uint32_t i = 0; i < r->instances.len; i++) {
		uint32_t in = r->instances.data[i];
		if (needs_arguments(template_at(r->a, in)) || !is_library(r, r->a->instances.data[in].method))
			continue;
		vec_push(&all, ((struct candidate){ 0, in }));
		*map_at(&row_of, in) = all.len;
	}
	for (uint32_t i = 1; i < r->links.len; i++) {
		uint32_t row = map_get(&row_of, r->links.data[i].callee);
		if (row)
			all.data[row - 1].callers++;
	}
	if (all.len)
		qsort(all.data, all.len, sizeof(*all.data), compare_candidates);
	uint32_t n = all.len < TOPS ? all.len : TOPS;
	for (uint32_t i = 0; i < n; i++)
		out[i] = all.data[i];
	map_release(&row_of);
	vec_release(&all);
	return n;
}

static uint32_t reached_from(struct asking *q, uint32_t in)
{
	struct reach_mark m = reach_mark(q->r);

	reach_instance(q->r, in);
	set_limit(q, false);
	reach_run(q->r);
	uint32_t n = q->r->instances.len - m.instances;
	reach_undo(q->r, m);
	return n;
}

/* A method that reaches most of what the answer does. */
static uint32_t find_top(struct asking *q, uint32_t shape, uint32_t answer)
{
	struct candidate all[TOPS];
	struct reach_mark m = reach_mark(q->r);

	begin_shape(q, shape);
	begin_answer(q, answer);
	set_limit(q, false);
	reach_run(q->r);
	uint32_t size = q->r->instances.len, n = find_candidates(q, all);
	reach_undo(q->r, m);
	for (uint32_t i = 0; i < n; i++)
		if (reached_from(q, all[i].instance) >= size / 2)
			return all[i].instance;
	return 0;
}

static void solve_on_top(struct asking *q)
{
	struct reach_mark m = reach_mark(q->r);

	reach_instance(q->r, q->top);
	set_limit(q, false);
	reach_run(q->r);
	q->out->beginnings++;
	for (uint32_t i = 0; i < q->shapes.len; i++)
		if (first_of(q, i, ON_TOP))
			solve_shape(q, i, ON_TOP, false);
	reach_undo(q->r, m);
}

/* Those of `rest` that are large for the same reason as the first of them, and those that are not large. */
static void solve_round(struct asking *q)
{
	uint32_t n = 0, first = 0;

	q->top = 0;
	q->much = MUCH;
	for (uint32_t i = 0; i < q->rest.len; i++) {
		uint32_t shape = q->rest.data[i], large;
		solve_shape(q, shape, OPEN, true);
		if (!first && (large = first_of(q, shape, LARGE)) != 0) {
			first = large;
			q->top = find_top(q, shape, large - 1);
		}
		if (first_of(q, shape, LARGE))
			q->rest.data[n++] = shape;
	}
	q->rest.len = n;
	q->much = VERY_MUCH;
	if (q->top)
		for (uint32_t i = 0; i < n; i++)
			solve_shape(q, q->rest.data[i], LARGE, true);
	if (q->top)
		solve_on_top(q);
}

/* Of what is left, the first one has no top: it is solved by itself. The others try again. */
static void leave_one(struct asking *q)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < q->rest.len; i++)
		if (first_of(q, q->rest.data[i], LARGE))
			q->rest.data[n++] = q->rest.data[i];
	q->rest.len = n;
	if (n)
		solve_shape(q, q->rest.data[--q->rest.len], LARGE, false);
	for (uint32_t i = 0; i < q->answers.len; i++)
		if (q->answers.data[i].progress == LARGE)
			q->answers.data[i].progress = OPEN;
}

static void solve_all(struct asking *q)
{
	for (uint32_t i = 0; i < q->shapes.len; i++)
		vec_push(&q->rest, i);
	while (q->rest.len) {
		solve_round(q);
		leave_one(q);
	}
}

/* Results */

static int compare_edges(const void *x, const void *y)
{
	const struct reach_edge *a = x, *b = y;

	if (a->target.i != b->target.i)
		return a->target.i < b->target.i ? -1 : 1;
	if (a->is_later != b->is_later)
		return a->is_later ? 1 : -1;
	return a->by.i != b->by.i ? (a->by.i < b->by.i ? -1 : 1) : (a->by_pc > b->by_pc) - (a->by_pc < b->by_pc);
}

/* Each target once: at once rather than later. */
static uint32_t merge_edges(struct reach_edge *e, uint32_t n)
{
	uint32_t kept = 0;

	if (n)
		qsort(e, n, sizeof(*e), compare_edges);
	for (uint32_t i = 0; i < n; i++)
		if (!kept || e[kept - 1].target.i != e[i].target.i)
			e[kept++] = e[i];
	return kept;
}

/* What unknown code that is called here calls back. */
static void add_unknown(struct asking *q, const struct question *x)
{
	struct pta *a = q->r->a;
	uint32_t site = a->sites.data[template_at(a, x->instance)->stmts[x->stmt].ref].callbacks;

	for (uint32_t i = 0; site && i < a->sites.data[site].targets.len; i++)
		if (!is_library(q->r, a->sites.data[site].targets.data[i]))
			vec_push(&q->out->edges, ((struct reach_edge){ .target = a->sites.data[site].targets.data[i], .by_pc = PC_NONE }));
}

static void add_edges(struct asking *q, const struct question *x)
{
	const struct answer *w = x->answer ? &q->answers.data[x->answer - 1] : NULL;

	add_unknown(q, x);
	for (uint32_t i = 0; w && i < w->n; i++)
		vec_push(&q->out->edges, q->found.data[w->first + i]);
	if (w)
		q->out->calls.data[x->call].is_done &= w->progress == DONE;
}

static int compare_questions(const void *x, const void *y)
{
	const struct question *a = x, *b = y;

	return a->call != b->call ? (a->call < b->call ? -1 : 1) : (a->instance > b->instance) - (a->instance < b->instance);
}

static void finish(struct asking *q)
{
	uint32_t i = 0;

	if (q->questions.len)
		qsort(q->questions.data, q->questions.len, sizeof(*q->questions.data), compare_questions);
	for (uint32_t call = 0; call < q->out->calls.len; call++) {
		struct reach_call *c = &q->out->calls.data[call];
		c->first = q->out->edges.len;
		c->is_done = true;
		for (; i < q->questions.len && q->questions.data[i].call == call; i++)
			add_edges(q, &q->questions.data[i]);
		c->n = merge_edges(q->out->edges.data + c->first, q->out->edges.len - c->first);
		q->out->edges.len = c->first + c->n;
	}
	q->out->questions = q->questions.len;
	q->out->answers = q->answers.len;
	q->out->work = part_work(q->r->part);
}

static void release(struct asking *q)
{
	vec_release(&q->questions);
	vec_release(&q->answers);
	vec_release(&q->keys);
	vec_release(&q->key_of);
	vec_release(&q->shape_of);
	vec_release(&q->order);
	vec_release(&q->shapes);
	vec_release(&q->shape_first);
	vec_release(&q->sets);
	vec_release(&q->found);
	vec_release(&q->rest);
	vec_release(&q->key);
	struct map *maps[] = { &q->call_at, &q->answer_by_hash, &q->shape_by_hash, &q->set_by_hash, &q->set_of_node };
	for (size_t i = 0; i < ARRAY_LEN(maps); i++)
		map_release(maps[i]);
}

void reach_compute(struct pta *a, const struct reach_opt *opt, struct reach_result *out)
{
	struct asking q = { .out = out };

	*out = (struct reach_result){ 0 };
	q.r = reach_new(a, opt);
	q.paths = paths_new(q.r);
	ask_all(&q);
	sort_shapes(&q);
	solve_all(&q);
	finish(&q);
	release(&q);
	paths_free(q.paths);
	reach_free(q.r);
}

void reach_release(struct reach_result *r)
{
	vec_release(&r->calls);
	vec_release(&r->edges);
}
