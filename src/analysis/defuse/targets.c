/* SPDX-License-Identifier: Apache-2.0 */
/* What runs at a statement: methods that it calls, what a library calls back, initialisers of classes that it may be the first to need.
 * Calls of lambdas are calls of what these call, as in the application's call graph. */
#include "analysis/defuse/defuse_p.h"

#include <stdlib.h>

#include "ir/access.h"

static int compare_numbers(const void *x, const void *y)
{
	const uint32_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* Edges of a caller: they are in the order of method ids. */
static void find_edges(struct targets *t)
{
	const struct callbacks *c = t->f->opt->calls;
	uint32_t low = 0, high = c->edges.len;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (c->edges.data[mid].caller.i < t->m.i)
			low = mid + 1;
		else
			high = mid;
	}
	t->first_edge = low;
	while (high < c->edges.len && c->edges.data[high].caller.i == t->m.i)
		high++;
	t->nedges = high - low;
}

static bool has_method(const method_id *methods, uint32_t n, method_id m)
{
	for (uint32_t i = 0; i < n; i++)
		if (methods[i].i == m.i)
			return true;
	return false;
}

static bool may_start(const struct targets *t, method_id clinit)
{
	return flow_has(t->f, clinit) && triggers_may_start(t->f->triggers, method_row(t->f->p, t->m)->owner, clinit);
}

static class_id needed_class(struct flow *f, const struct ir_stmt *s)
{
	mref_id ref = { s->ref };

	if (s->op != IR_CALL_STATIC)
		return ir_is_call(s->op) ? (class_id){ 0 } : link_initialises(&f->linker, s);
	if (resolve_method(&f->h, ref) != RESOLVE_OK)
		return (class_id){ 0 };
	const struct ir_method *target = method_row(f->p, mref_row(f->p, ref)->target);
	return target->flags & ACCESS_STATIC ? target->owner : (class_id){ 0 };
}

/* Reflection and constants run some that no statement names. */
static void find_initialisers(struct targets *t)
{
	for (uint32_t i = 0; i < t->body->nstmts; i++) {
		class_id c = needed_class(t->f, &t->body->stmts[i]);
		struct initialisers of = c.i ? triggers_of_class(t->f->triggers, c) : (struct initialisers){ 0 };
		for (uint32_t k = 0; k < of.n; k++)
			if (!has_method(t->known.data, t->known.len, of.methods[k]))
				vec_push(&t->known, of.methods[k]);
	}
	struct initialisers all = triggers_of(t->f->triggers, t->m);
	for (uint32_t i = 0; i < all.n; i++)
		if (may_start(t, all.methods[i]) && !has_method(t->known.data, t->known.len, all.methods[i]))
			vec_push(&t->rest, all.methods[i]);
}

static uint64_t bit_of(const struct targets *t, method_id clinit)
{
	for (uint32_t i = 0; i < t->known.len && i < 64; i++)
		if (t->known.data[i].i == clinit.i)
			return UINT64_C(1) << i;
	return 0;
}

static uint64_t begins(struct targets *t, const struct ir_stmt *s)
{
	class_id c = needed_class(t->f, s);
	struct initialisers all = c.i ? triggers_of_class(t->f->triggers, c) : (struct initialisers){ 0 };
	uint64_t bits = 0;

	for (uint32_t i = 0; i < all.n; i++)
		bits |= bit_of(t, all.methods[i]);
	return bits;
}

static bool keep_bits(uint64_t *to, uint64_t bits)
{
	uint64_t before = *to;

	*to &= bits;
	return *to != before;
}

/* After one statement that runs an initialiser, if only by an exception of it, another does not. Handlers may be entered at the start
 * of a block. */
static void find_begun(struct targets *t, struct arena *mem)
{
	const struct ir_body *b = t->body;
	uint64_t *of = arena_zarray(mem, uint64_t, b->nblocks + 1);

	t->begun = arena_array(mem, uint64_t, b->nblocks + 1);
	for (uint32_t i = 0; i < b->nblocks; i++) {
		t->begun[i] = i ? UINT64_MAX : 0;
		for (uint32_t s = b->blocks[i].first; s < b->blocks[i].end && t->known.len; s++)
			of[i] |= begins(t, &b->stmts[s]);
	}
	for (bool more = t->known.len > 0; more;) {
		more = false;
		for (uint32_t i = 0; i < b->nblocks; i++) {
			const struct ir_block *k = &b->blocks[i];
			for (uint32_t e = 0; e < k->nsuccs; e++)
				more |= keep_bits(&t->begun[b->edges[k->succs + e]], t->begun[i] | of[i]);
			for (uint32_t e = 0; e < k->nhandlers; e++)
				more |= keep_bits(&t->begun[b->edges[k->handlers + e]], t->begun[i]);
		}
	}
}

/* A callee that no statement has a place for may run at any call. */
static void find_placeless(struct targets *t)
{
	for (uint32_t i = 0; i < t->nedges; i++) {
		const struct app_edge *e = &t->f->opt->calls->edges.data[t->first_edge + i];
		bool has_place = false;
		for (uint32_t s = 0; s < t->body->nstmts && !has_place; s++)
			has_place = t->body->stmts[s].pc == e->pc;
		if (!has_place && e->sort != CALL_LATER && !has_method(t->rest.data, t->rest.len, e->callee))
			vec_push(&t->rest, e->callee);
	}
}

void targets_open(struct targets *t, struct flow *f, method_id m, const struct ir_body *body, struct arena *mem)
{
	*t = (struct targets){ .f = f, .m = m, .body = body };
	find_edges(t);
	for (uint32_t i = 0; i < body->nstmts; i++)
		if (ir_is_call(body->stmts[i].op))
			vec_push(&t->pcs, body->stmts[i].pc);
	if (t->pcs.len)
		qsort(t->pcs.data, t->pcs.len, sizeof(uint32_t), compare_numbers);
	find_initialisers(t);
	find_begun(t, mem);
	find_placeless(t);
}

void targets_release(struct targets *t)
{
	vec_release(&t->pcs);
	vec_release(&t->known);
	vec_release(&t->rest);
	vec_release(&t->found);
}

static void find(struct targets *t, method_id m)
{
	uint32_t node = flow_has(t->f, m) ? t->f->node_of.data[m.i] : 0;

	for (uint32_t i = 0; i < t->found.len; i++)
		if (t->found.data[i] == node)
			return;
	if (node)
		vec_push(&t->found, node);
}

static void find_of_made(struct targets *t, struct initialisers all)
{
	for (uint32_t i = 0; i < all.n; i++)
		if (may_start(t, all.methods[i]))
			find(t, all.methods[i]);
}

void targets_block(struct targets *t, uint32_t block)
{
	t->has_begun = t->begun[block];
}

void targets_initialisers(struct targets *t, const struct ir_stmt *s)
{
	class_id c = needed_class(t->f, s);
	struct initialisers all = c.i ? triggers_of_class(t->f->triggers, c) : (struct initialisers){ 0 };

	for (uint32_t i = 0; i < all.n; i++)
		if (may_start(t, all.methods[i]) && !(bit_of(t, all.methods[i]) & t->has_begun))
			find(t, all.methods[i]);
	t->has_begun |= begins(t, s);
	for (uint32_t i = 0; ir_is_call(s->op) && i < t->rest.len; i++)
		find(t, t->rest.data[i]);
}

static uint32_t count_calls(const struct targets *t, uint32_t pc)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->pcs.len && t->pcs.data[i] <= pc; i++)
		n += t->pcs.data[i] == pc;
	return n;
}

/* Does the site do nothing but call methods of the application? What lambdas need beside that is found on the way. */
static bool look_at_site(struct targets *t, const struct cg_site *s)
{
	struct cg_targets to = callgraph_targets(t->f->g, s);
	bool is_all = !s->implied && s->cause == CG_RESOLVED && !s->open && to.n;

	for (uint32_t i = 0; i < to.n; i++) {
		if (class_row(t->f->p, method_row(t->f->p, to.methods[i])->owner)->kind == CLASS_SYNTHETIC)
			find_of_made(t, triggers_of(t->f->triggers, to.methods[i]));
		is_all = is_all && flow_has(t->f, to.methods[i]);
	}
	return is_all;
}

bool targets_calls(struct targets *t, const struct ir_stmt *s)
{
	uint32_t n, nsites = 0;
	const struct cg_site *sites = callgraph_sites(t->f->g, t->m, &n);
	bool is_all = ir_is_call(s->op) && count_calls(t, s->pc) == 1;

	for (uint32_t i = 0; i < n; i++) {
		if (sites[i].pc != s->pc)
			continue;
		is_all = look_at_site(t, &sites[i]) && is_all;
		nsites++;
	}
	for (uint32_t i = 0; i < t->nedges; i++) {
		const struct app_edge *e = &t->f->opt->calls->edges.data[t->first_edge + i];
		if (e->pc != s->pc || e->sort == CALL_LATER)
			continue;
		find(t, e->callee);
		is_all = is_all && e->sort == CALL_DIRECT;
	}
	return is_all && nsites == 1;
}
