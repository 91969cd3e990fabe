/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of fields of `this` by what ran before: such as are never null again once they were not (conditions_is_kept()).
 *
 * A set of fields for the start of each block: what the caller knows, what a condition on the way says, what is stored, and what calls on
 * `this` leave behind on every way back. Sets meet where ways do. In constructors nothing is known: fields are stored there first. */
#include <stdlib.h>

#include "analysis/callgraph/link.h"
#include "analysis/conditions/conditions.h"
#include "base/sort.h"
#include "ir/access.h"

#define MOST_FIELDS 32
#define MOST_TARGETS 4
#define MOST_STATEMENTS 1000
#define KEPT_DEPTH 3                  /* calls on `this` that are looked into */
#define NOT_YET UINT32_MAX

struct flow {
	struct conditions *c;
	const struct code *k;
	struct value self;
	uint32_t depth;
};

/* Sets */

static bool set_has(const struct conditions *c, uint32_t set, field_id f)
{
	const struct id_set *s = &c->kept_sets.rows.data[set];

	for (uint32_t i = 0; i < s->n; i++)
		if (((const uint32_t *)s->ids)[i] == f.i)
			return true;
	return false;
}

static uint32_t set_union(struct conditions *c, uint32_t a, uint32_t b)
{
	const struct id_set *x = &c->kept_sets.rows.data[a], *y = &c->kept_sets.rows.data[b];
	uint32_t all[2 * MOST_FIELDS], n = 0;

	for (uint32_t i = 0; i < x->n; i++)
		all[n++] = ((const uint32_t *)x->ids)[i];
	for (uint32_t i = 0; i < y->n; i++)
		all[n++] = ((const uint32_t *)y->ids)[i];
	n = sort_ids(all, n);
	return id_sets_intern(&c->kept_sets, all, n < MOST_FIELDS ? n : MOST_FIELDS);
}

static uint32_t set_add(struct conditions *c, uint32_t set, field_id f)
{
	return set_union(c, set, id_sets_intern(&c->kept_sets, &f.i, 1));
}

uint32_t kept_meet(struct conditions *c, uint32_t a, uint32_t b)
{
	const struct id_set *x = &c->kept_sets.rows.data[a];
	uint32_t both[MOST_FIELDS], n = 0;

	for (uint32_t i = 0; i < x->n; i++)
		if (set_has(c, b, (field_id){ ((const uint32_t *)x->ids)[i] }))
			both[n++] = ((const uint32_t *)x->ids)[i];
	return id_sets_intern(&c->kept_sets, both, n);
}

/* Statements */

static bool is_this(const struct code *k, ir_value v)
{
	return !k->is_static && k->def[v] && k->def[v]->op == IR_PARAM && k->def[v]->ref == 0;
}

/* The field of `this` that the statement reads or writes, if it is one that stays; else none. */
static field_id kept_field(struct flow *w, const struct ir_stmt *s)
{
	if (!is_this(w->k, w->k->body->args[s->args]) || resolve_field(w->c->h, (fref_id){ s->ref }) != RESOLVE_OK)
		return (field_id){ 0 };
	field_id f = fref_row(w->c->p, (fref_id){ s->ref })->target;
	return conditions_is_kept(w->c, f) ? f : (field_id){ 0 };
}

static uint32_t after_method(struct conditions *c, method_id m, struct value self, uint32_t depth);

static bool is_constructor(const struct conditions *c, method_id m)
{
	return str_is(sel_name(c->p, method_row(c->p, m)->sel), "<init>");
}

static uint32_t listed_targets(struct conditions *c, method_id caller, const struct ir_stmt *call, method_id out[MOST_TARGETS])
{
	mref_id ref = { call->ref };
	bool is_reached = c->calls && callgraph_reaches(c->calls, caller);
	const struct cg_site *s = is_reached ? callgraph_find_site(c->calls, caller, call->pc, ref) : NULL;

	if (!s || s->open || s->cause != CG_RESOLVED || callgraph_find_callbacks(c->calls, caller, call->pc, ref))
		return 0;
	struct cg_targets t = callgraph_targets(c->calls, s);
	for (uint32_t i = 0; i < t.n && i < MOST_TARGETS; i++)
		out[i] = t.methods[i];
	return t.n <= MOST_TARGETS ? t.n : 0;
}

/* What a call on `this` may run; 0: nobody knows. */
static uint32_t targets_of(struct flow *w, const struct ir_stmt *call, method_id out[MOST_TARGETS])
{
	struct conditions *c = w->c;
	mref_id ref = { call->ref };
	bool is_incomplete = false;

	if (resolve_method(c->h, ref) != RESOLVE_OK)
		return 0;
	if (call->op == IR_CALL_SPECIAL)
		out[0] = select_special(c->h, method_row(c->p, w->k->m)->owner, ref);
	else if (value_is_exact(w->self) && class_row(c->p, w->self.cls)->kind == CLASS_FILE)
		out[0] = dispatch_select(c->h, ref, w->self.cls, &is_incomplete);
	else if (method_row(c->p, mref_row(c->p, ref)->target)->flags & (ACCESS_FINAL | ACCESS_PRIVATE))
		out[0] = mref_row(c->p, ref)->target;
	else
		return listed_targets(c, w->k->m, call, out);
	return out[0].i && !is_incomplete;
}

/* What holds once the call has returned. */
static uint32_t after_call(struct flow *w, const struct ir_stmt *call)
{
	method_id targets[MOST_TARGETS];
	uint32_t n = w->depth ? targets_of(w, call, targets) : 0, set = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t of = after_method(w->c, targets[i], w->self, w->depth - 1);
		set = i ? kept_meet(w->c, set, of) : of;
	}
	return set;
}

static uint32_t after_statement(struct flow *w, uint32_t i, uint32_t set)
{
	const struct ir_stmt *s = &w->k->body->stmts[i];
	const ir_value *args = &w->k->body->args[s->args];
	field_id f = s->op == IR_PUTFIELD ? kept_field(w, s) : (field_id){ 0 };

	if (f.i && conditions_is_object(w->k, args[1], i))
		return set_add(w->c, set, f);
	bool is_call = s->op == IR_CALL_SPECIAL || s->op == IR_CALL_VIRTUAL || s->op == IR_CALL_INTERFACE;
	if (is_call && s->sub == IR_CALL_WRITTEN && s->nargs && is_this(w->k, args[0]))
		return set_union(w->c, set, after_call(w, s));
	return set;
}

static uint32_t after_block(struct flow *w, uint32_t block, uint32_t end, uint32_t set)
{
	for (uint32_t i = w->k->body->blocks[block].first; i < end; i++)
		set = after_statement(w, i, set);
	return set;
}

/* What the branch at the end of a block says where it goes to this successor. */
static uint32_t after_branch(struct flow *w, const struct ir_stmt *s, uint32_t successor, uint32_t set)
{
	const struct ir_stmt *read = s->op == IR_IF && s->nargs ? w->k->def[w->k->body->args[s->args]] : NULL;

	if (!read || read->op != IR_GETFIELD || (s->sub != 198 && s->sub != 199) || successor != (s->sub == 199 ? 0 : 1))
		return set;
	field_id f = kept_field(w, read);
	return f.i ? set_add(w->c, set, f) : set;
}

/* Ways */

static bool meet_at(struct flow *w, uint32_t *in, uint32_t block, uint32_t set)
{
	uint32_t met = in[block] == NOT_YET ? set : kept_meet(w->c, in[block], set);
	bool has_changed = met != in[block];

	in[block] = met;
	return has_changed;
}

static bool leave_block(struct flow *w, uint32_t *in, uint32_t block)
{
	const struct ir_body *b = w->k->body;
	const struct ir_block *k = &b->blocks[block];
	uint32_t out = after_block(w, block, k->end, in[block]);
	bool has_changed = false;

	for (uint32_t i = 0; i < k->nsuccs; i++)
		has_changed |= meet_at(w, in, b->edges[k->succs + i], after_branch(w, &b->stmts[k->end - 1], i, out));
	for (uint32_t i = 0; i < k->nhandlers; i++)
		has_changed |= meet_at(w, in, b->edges[k->handlers + i], in[block]);
	return has_changed;
}

/* By block; on the heap. */
static uint32_t *run_flow(struct flow *w, uint32_t known)
{
	uint32_t n = w->k->body->nblocks, *in = mem_alloc((n + 1) * sizeof(*in));
	bool has_changed = true;

	for (uint32_t i = 1; i < n; i++)
		in[i] = NOT_YET;
	in[0] = known;
	while (has_changed) {
		has_changed = false;
		for (uint32_t i = 0; i < n; i++)
			if (in[i] != NOT_YET)
				has_changed |= leave_block(w, in, i);
	}
	return in;
}

/* What holds of `this` on every way back from a method. */
static uint32_t find_after(struct conditions *c, const struct code *k, struct value self, uint32_t depth)
{
	struct flow w = { c, k, self, depth };
	uint32_t *in = run_flow(&w, 0), set = NOT_YET;

	for (uint32_t i = 0; i < k->body->nblocks; i++) {
		const struct ir_block *b = &k->body->blocks[i];
		if (k->body->stmts[b->end - 1].op != IR_RETURN || in[i] == NOT_YET)
			continue;
		uint32_t out = after_block(&w, i, b->end, in[i]);
		set = set == NOT_YET ? out : kept_meet(c, set, out);
	}
	free(in);
	return set == NOT_YET ? 0 : set;
}

static uint32_t after_method(struct conditions *c, method_id m, struct value self, uint32_t depth)
{
	uint32_t *key = map_at(&c->kept_keys, map_key(m.i, value_is_exact(self) ? self.cls.i : 0));

	if (!*key)
		*key = ++c->nkept_keys;
	uint64_t at = map_key(*key, depth);
	uint32_t known = map_get(&c->kept_after, at);
	if (known)
		return known - 1;
	const struct code *k = is_constructor(c, m) ? NULL : conditions_code(c, m);
	uint32_t set = k && !k->is_static && k->body->nstmts <= MOST_STATEMENTS ? find_after(c, k, self, depth) : 0;
	*map_at(&c->kept_after, at) = 1 + set;
	return set;
}

uint32_t *kept_compute(struct conditions *c, const struct code *k, struct value self, uint32_t known)
{
	struct flow w = { c, k, self, KEPT_DEPTH };

	return k->is_static || is_constructor(c, k->m) ? NULL : run_flow(&w, known);
}

uint32_t kept_before(struct conditions *c, const struct evaluation *e, const struct ir_stmt *s)
{
	uint32_t i = (uint32_t)(s - e->code->body->stmts), block = e->code->block_of[i];
	struct flow w = { c, e->code, e->self, KEPT_DEPTH };

	return !e->kept || e->kept[block] == NOT_YET ? 0 : after_block(&w, block, i, e->kept[block]);
}

bool kept_has(struct conditions *c, const struct evaluation *e, const struct ir_stmt *read)
{
	struct flow w = { c, e->code, e->self, KEPT_DEPTH };
	field_id f = e->kept ? kept_field(&w, read) : (field_id){ 0 };

	return f.i && set_has(c, kept_before(c, e, read), f);
}
