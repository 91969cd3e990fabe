/* SPDX-License-Identifier: Apache-2.0 */
/* All library calls of a program: which of them have one answer, and what there is to say of each call.
 *
 * A call in a context is a question. Those with the same callees and the same arguments have one answer. */
#include "analysis/pta/reach/asking.h"

#include <string.h>

#include "base/sort.h"

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

static bool is_asked(const struct reach *r, uint32_t in, const struct t_stmt *s)
{
	const struct reach_opt *o = &r->opt;

	return s->op == T_CALL &&
	       (!o->has_call || o->has_call(o->ctx, r->a->instances.data[in].method, r->a->sites.data[s->ref].link.site.pc));
}

static void ask_all(struct asking *q)
{
	struct pta *a = q->r->a;

	for (uint32_t in = 1; in < a->instances.len; in++) {
		const struct template *t = template_at(a, in);
		method_id m = a->instances.data[in].method;
		if (!m.i || is_library(q->r, m) || (q->r->opt.caller.i && q->r->opt.caller.i != m.i))
			continue;
		for (uint32_t i = 0; i < t->nstmts; i++)
			if (is_asked(q->r, in, &t->stmts[i]))
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

/* Beginning and end of an answer */

void begin_shape(struct asking *q, uint32_t shape)
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
	if (is_quiet(r, a->instances.data[c->callee].method))
		reach_give(r, c->callee, to->params, to->nparams, c->callee);
	for (uint32_t i = to->has_receiver; i < to->nparams && i < n; i++)
		if (to->params[i] && args[i] && !is_constant_type(a, to->types[to->params[i]]))
			part_take(r->part, variable_node(a, c->in, args[i]), variable_node(a, c->callee, to->params[i]), (mask_id){ 0 });
}

void begin_answer(struct asking *q, uint32_t answer)
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

/* Lambdas and dispatchers are passed through; those of the library call itself are no step. */
static void add_step(struct asking *q, uint32_t in, uint32_t site, struct reach_edge *e)
{
	struct pta *a = q->r->a;
	struct reach_step s = { a->instances.data[in].method, site ? a->sites.data[site].link.site.pc : PC_NONE };

	contract_place(a, &s.method, &s.pc);
	if (!is_library(q->r, s.method))
		return;
	const struct reach_step *last = e->nsteps ? &q->out->steps.data[q->out->steps.len - 1] : NULL;
	if (last && last->method.i == s.method.i && last->pc == s.pc)
		return;
	vec_push(&q->out->steps, s);
	e->nsteps++;
}

/* An object that makes the call go there. */
static uint32_t find_place(struct asking *q, const struct reach_back *b)
{
	struct pta *a = q->r->a;
	const struct template *t = template_at(a, b->instance);
	uint32_t i = 0, n;

	while (i < t->nstmts && !(t->stmts[i].op == T_CALL && t->stmts[i].ref == b->site))
		i++;
	if (!b->site || i == t->nstmts || a->sites.data[b->site].link.sort == LINK_REFLECTED)
		return NO_PLACE;
	const uint32_t *args = operands(t, &t->stmts[i], &n);
	if (!n || !args[0])
		return NO_PLACE;
	struct set_view v = part_set(q->r->part, variable_node(a, b->instance, args[0]));
	for (uint32_t k = 0; k < v.n; k++)
		for (uint64_t bits = v.words[k]; bits; bits &= bits - 1) {
			object_id o = { v.blocks[k] * 64 + first_bit(bits) };
			uint32_t kind = solver_kind_of(a->s, o).i;
			if (!is_world_kind(a, kind) && target_of(a, b->site, kind).i == b->target.i)
				return object_place(a, o);
		}
	return NO_PLACE;
}

static void add_witness(struct asking *q, const struct reach_back *b, struct reach_edge *e)
{
	const struct reach *r = q->r;
	struct way w = paths_way(q->paths, b, e->is_later);

	e->first_step = q->out->steps.len;
	for (uint32_t i = 0; i < w.n; i++)
		add_step(q, r->links.data[w.links[i]].caller, r->links.data[w.links[i]].site, e);
	add_step(q, b->instance, b->site, e);
	e->place = find_place(q, b);
}

static void keep_edge(void *ctx, const struct reach_back *b, bool is_later)
{
	struct asking *q = ctx;
	struct pta *a = q->r->a;
	struct reach_edge e = { .target = b->target, .is_later = is_later, .by = a->instances.data[b->instance].method,
				.by_pc = b->site ? a->sites.data[b->site].link.site.pc : PC_NONE, .place = NO_PLACE };

	contract_place(a, &e.by, &e.by_pc);
	if (q->r->opt.witnesses)
		add_witness(q, b, &e);
	vec_push(&q->found, e);
}

static int compare_edges(const void *x, const void *y)
{
	const struct reach_edge *a = x, *b = y;

	if (a->target.i != b->target.i)
		return a->target.i < b->target.i ? -1 : 1;
	if (a->is_later != b->is_later)
		return a->is_later ? 1 : -1;
	if (!a->by.i != !b->by.i)
		return a->by.i ? -1 : 1;
	return a->by.i != b->by.i ? (a->by.i < b->by.i ? -1 : 1) : (a->by_pc > b->by_pc) - (a->by_pc < b->by_pc);
}

/* Each target once: at once rather than later, by known code rather than by unknown. */
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

/* The edges of `found` from there on. */
static uint32_t merge_found(struct asking *q, uint32_t first)
{
	uint32_t n = merge_edges(q->found.data + first, q->found.len - first);

	q->found.len = first + n;
	return n;
}

void finish_answer(struct asking *q, uint32_t answer)
{
	struct answer *x = &q->answers.data[answer];
	uint32_t n;
	const uint32_t *k = key_at(q, answer, &n);

	x->first = q->found.len;
	paths_begin(q->paths);
	for (; q->r->backs.len && *k; k++)
		paths_from(q->paths, *k);
	x->shared = paths_end(q->paths, keep_edge, q) ? q->sharing : 0;
	x->n = merge_found(q, x->first);
	if (q->effects)
		x->effect = effects_of_answer(q->effects, key_at(q, answer, &n));
	q->r->done++;
}

/* Edges with a witness are an answer's own. */
uint32_t begin_sharing(struct asking *q, uint32_t instance)
{
	uint32_t before = q->sharing, first = q->found.len;

	if (q->r->opt.witnesses)
		return before;
	paths_share(q->paths, instance, keep_edge, q);
	if (!q->shared.len)
		vec_push(&q->shared, ((struct shared_edges){ 0, 0 }));
	vec_push(&q->shared, ((struct shared_edges){ first, merge_found(q, first) }));
	q->sharing = q->shared.len - 1;
	return before;
}

void end_sharing(struct asking *q, uint32_t before)
{
	if (!q->r->opt.witnesses)
		paths_unshare(q->paths);
	q->sharing = before;
}

/* Results */

/* To those of the call, from `first` on, which are sorted like these. */
static void join_edges(struct asking *q, uint32_t first, const struct reach_edge *e, uint32_t n)
{
	uint32_t len = q->out->edges.len, i = first, k = 0;

	vec_clear(&q->merged);
	while (i < len || k < n) {
		const struct reach_edge *x = i < len ? &q->out->edges.data[i] : NULL, *y = k < n ? &e[k] : NULL;
		bool is_same = x && y && x->target.i == y->target.i;
		bool is_left = x && (!y || (is_same ? compare_edges(x, y) <= 0 : x->target.i < y->target.i));
		vec_push(&q->merged, is_left ? *x : *y);
		i += is_left || is_same;
		k += !is_left || is_same;
	}
	vec_reserve(&q->out->edges, (uint64_t)first + q->merged.len);
	q->out->edges.len = first + q->merged.len;
	if (q->merged.len)
		memcpy(q->out->edges.data + first, q->merged.data, q->merged.len * sizeof(*q->merged.data));
}

/* What unknown code that is called here calls back. */
static void add_unknown(struct asking *q, const struct question *x)
{
	struct pta *a = q->r->a;
	uint32_t site = a->sites.data[template_at(a, x->instance)->stmts[x->stmt].ref].callbacks, first = q->found.len;

	for (uint32_t i = 0; site && i < a->sites.data[site].targets.len; i++)
		if (!is_library(q->r, a->sites.data[site].targets.data[i]))
			vec_push(&q->found, ((struct reach_edge){ .target = a->sites.data[site].targets.data[i], .by_pc = PC_NONE,
								  .place = NO_PLACE }));
	if (q->found.len > first)
		join_edges(q, q->out->calls.data[x->call].first, q->found.data + first, merge_found(q, first));
	q->found.len = first;
}

static void add_edges(struct asking *q, const struct question *x)
{
	struct answer *w = x->answer ? &q->answers.data[x->answer - 1] : NULL;
	uint32_t first = q->out->calls.data[x->call].first;

	add_unknown(q, x);
	if (!w || w->call == x->call + 1)
		return;
	w->call = x->call + 1;
	join_edges(q, first, q->found.data + w->first, w->n);
	if (w->shared)
		join_edges(q, first, q->found.data + q->shared.data[w->shared].first, q->shared.data[w->shared].n);
	q->out->calls.data[x->call].is_done &= w->progress == DONE;
	if (q->effects)
		vec_push(&q->joined, w->effect);
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
		c->n = q->out->edges.len - c->first;
		c->effect = c->is_done && q->effects ? effects_join(q->effects, q->joined.data, q->joined.len) : 0;
		vec_clear(&q->joined);
	}
	if (q->effects)
		effects_keep(q->effects, q->out);
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
	vec_release(&q->shared);
	vec_release(&q->merged);
	vec_release(&q->key);
	vec_release(&q->joined);
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
	q.effects = opt->effects ? effects_new(q.r) : NULL;
	ask_all(&q);
	sort_shapes(&q);
	q.r->of = q.answers.len;
	solve_all(&q);
	finish(&q);
	release(&q);
	effects_free(q.effects);
	paths_free(q.paths);
	reach_free(q.r);
}

void reach_release(struct reach_result *r)
{
	vec_release(&r->calls);
	vec_release(&r->edges);
	vec_release(&r->steps);
	vec_release(&r->effects);
	vec_release(&r->lists);
	vec_release(&r->sets);
	vec_release(&r->accesses);
	vec_release(&r->unknown);
}
