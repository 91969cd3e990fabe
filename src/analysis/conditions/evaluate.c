/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluation: rounds over the live blocks, in reverse postorder, until nothing changes. Values only grow, and branches are only
 * added, so that it ends; integers that keep growing become unknown. */
#include <stdlib.h>

#include "algo/dominators.h"
#include "analysis/conditions/conditions.h"

#define MOST_CHANGES 6        /* of an integer, before it is given up */
#define MOST_GUARDS 100       /* dominators that are looked at for one use */
#define LAST_BIT 63

struct run {
	struct conditions *c;
	struct evaluation *e;
	const struct ir_body *b;
	const struct value *params;
	uint32_t nparams;
	bool has_changed;
};

void evaluation_release(struct evaluation *e)
{
	free(e->live);
	free(e->values);
	free(e->taken);
	free(e->changes);
	free(e->kept);
	*e = (struct evaluation){ 0 };
}

/* Guards */

/* A constant that is one in every run; VALUE_UNKNOWN: it is none. */
static struct value constant_of(struct conditions *c, const struct code *k, ir_value v)
{
	const struct ir_stmt *s = k->def[v];

	switch (s ? s->op : IR_UNDEF) {
	case IR_CONST_INT: return value_int((int32_t)s->ref);
	case IR_CONST_NULL: return VALUE_OF_NULL;
	case IR_CONST_CLASS: return value_class(c->p, (class_id){ s->ref });
	case IR_GETSTATIC: return conditions_field(c, (fref_id){ s->ref }, VALUE_OF_NULL);
	default: return VALUE_UNKNOWN;
	}
}

static unsigned mirrored(unsigned opcode)
{
	switch (opcode) {
	case 161: return 163;         /* a < b: b > a */
	case 162: return 164;
	case 163: return 161;
	case 164: return 162;
	default: return opcode;
	}
}

/* ifeq, ifne on x instanceof T */
static struct value refine_instance(struct conditions *c, const struct guard *g, const struct ir_stmt *test, struct value v)
{
	bool is_instance = (g->branch->sub == 154) == g->holds;

	if ((g->branch->sub != 153 && g->branch->sub != 154) || !is_instance || (v.kind != VALUE_REF && v.kind != VALUE_ANY))
		return v;
	if (v.kind == VALUE_ANY)
		return value_object((class_id){ test->ref }, false);
	if (value_is_null(v))
		return v;
	v.flags &= (uint8_t)~REF_NULL;
	if (!v.cls.i || (!value_is_exact(v) && hierarchy_is_subtype(c->h, (class_id){ test->ref }, v.cls)))
		v.cls = (class_id){ test->ref };
	return v;
}

static struct value refine_by(struct conditions *c, const struct code *k, const struct guard *g, ir_value of, struct value v)
{
	const ir_value *args = &k->body->args[g->branch->args];
	unsigned opcode = g->branch->sub;

	if (g->branch->op == IR_SWITCH) {
		bool is_case = args[0] == of && !g->is_default && (v.kind == VALUE_ANY || v.kind == VALUE_INT);
		return is_case ? value_refine(159, true, v, value_int(g->key)) : v;
	}
	if (args[0] == of)
		return value_refine(opcode, g->holds, v, g->branch->nargs > 1 ? constant_of(c, k, args[1]) : VALUE_UNKNOWN);
	if (g->branch->nargs > 1 && args[1] == of)
		return value_refine(mirrored(opcode), g->holds, v, constant_of(c, k, args[0]));
	const struct ir_stmt *test = k->def[args[0]];
	if (g->branch->nargs == 1 && test && test->op == IR_INSTANCEOF && k->body->args[test->args] == of)
		return refine_instance(c, g, test, v);
	return v;
}

struct value evaluation_use(struct conditions *c, const struct evaluation *e, ir_value v, uint32_t block)
{
	struct value x = e->values[v];

	if (!e->code->is_guarded[v] || x.kind == VALUE_NONE)
		return x;
	for (uint32_t b = block, n = 0; b > 0 && n < MOST_GUARDS; b = e->code->idom[b], n++)
		if (e->code->guards[b].branch)
			x = refine_by(c, e->code, &e->code->guards[b], v, x);
	return x;
}

/* Edges */

static bool is_taken(const struct evaluation *e, uint32_t block, uint32_t successor)
{
	return e->taken[block] >> (successor < LAST_BIT ? successor : LAST_BIT) & 1;
}

static void take(struct run *r, uint32_t block, uint32_t successor)
{
	r->e->taken[block] |= UINT64_C(1) << (successor < LAST_BIT ? successor : LAST_BIT);
}

static bool is_handler(const struct ir_body *b, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < b->blocks[from].nhandlers; i++)
		if (b->edges[b->blocks[from].handlers + i] == to)
			return true;
	return false;
}

/* May control go from one block to the other? */
static bool leads(const struct evaluation *e, uint32_t from, uint32_t to)
{
	const struct ir_body *b = e->code->body;

	if (!e->live[from])
		return false;
	for (uint32_t i = 0; i < b->blocks[from].nsuccs; i++)
		if (b->edges[b->blocks[from].succs + i] == to && is_taken(e, from, i))
			return true;
	return is_handler(b, from, to);
}

/* Statements */

static struct value use(struct run *r, const struct ir_stmt *s, uint32_t k, uint32_t block)
{
	return evaluation_use(r->c, r->e, r->b->args[s->args + k], block);
}

static struct value evaluate_phi(struct run *r, const struct ir_stmt *s, uint32_t block)
{
	const struct ir_block *k = &r->b->blocks[block];
	struct value v = { 0 };

	for (uint32_t i = 0; i < s->nargs && i < k->npreds; i++) {
		uint32_t from = r->b->edges[k->preds + i];
		if (leads(r->e, from, block))
			v = value_join(r->c->h, v, use(r, s, i, from));
	}
	return v;
}

static struct value evaluate_cast(struct run *r, const struct ir_stmt *s, uint32_t block)
{
	struct value v = use(r, s, 0, block);
	class_id to = { s->ref };

	if (v.kind == VALUE_ANY)
		return (struct value){ .kind = VALUE_REF, .flags = REF_NULL | REF_OBJECT, .cls = to };
	if (v.kind == VALUE_REF && !value_is_exact(v) && (v.flags & REF_OBJECT) && (!v.cls.i || hierarchy_is_subtype(r->c->h, to, v.cls)))
		v.cls = to;
	return v;
}

static struct value evaluate_instanceof(struct run *r, const struct ir_stmt *s, uint32_t block)
{
	struct value v = use(r, s, 0, block);

	if (v.kind == VALUE_NONE)
		return v;
	enum answer a = value_instance(r->c->h, v, (class_id){ s->ref });
	return a == ANSWER_MAYBE ? value_range(0, 1) : value_int(a == ANSWER_YES);
}

static struct value evaluate_getfield(struct run *r, const struct ir_stmt *s, uint32_t block)
{
	struct value of = use(r, s, 0, block);

	if (of.kind == VALUE_NONE)
		return of;
	struct value v = conditions_field(r->c, (fref_id){ s->ref }, of);
	return r->e->kept && kept_has(r->c, r->e, s) ? value_refine(199, true, v, VALUE_UNKNOWN) : v;
}

static struct value evaluate_call(struct run *r, const struct ir_stmt *s, uint32_t block)
{
	for (uint32_t i = 0; i < s->nargs; i++)
		if (use(r, s, i, block).kind == VALUE_NONE)
			return (struct value){ 0 };
	return conditions_result(r->c, r->e, s, block);
}

static struct value evaluate_statement(struct run *r, const struct ir_stmt *s, uint32_t block)
{
	struct conditions *c = r->c;

	switch (s->op) {
	case IR_PARAM: return s->ref < r->nparams ? r->params[s->ref] : VALUE_UNKNOWN;
	case IR_PHI: return evaluate_phi(r, s, block);
	case IR_CONST_NULL: return VALUE_OF_NULL;
	case IR_CONST_INT: return value_int((int32_t)s->ref);
	case IR_CONST_LONG: return value_long(r->b->longs[s->ref]);
	case IR_CONST_STRING: return value_string(c->p, (str_id){ s->ref });
	case IR_CONST_CLASS: return value_class(c->p, (class_id){ s->ref });
	case IR_ARITH: return value_arith(s->sub, use(r, s, 0, block), s->nargs > 1 ? use(r, s, 1, block) : VALUE_UNKNOWN);
	case IR_NEW: case IR_NEWARRAY: return value_object((class_id){ s->ref }, true);
	case IR_CATCH: return value_object((class_id){ 0 }, false);
	case IR_CAST: return evaluate_cast(r, s, block);
	case IR_INSTANCEOF: return evaluate_instanceof(r, s, block);
	case IR_GETSTATIC: return conditions_field(c, (fref_id){ s->ref }, VALUE_OF_NULL);
	case IR_GETFIELD: return evaluate_getfield(r, s, block);
	case IR_ALOAD: return conditions_element(c, r->e, s, block);
	case IR_LENGTH: return value_range(0, INT32_MAX);
	case IR_CALL_STATIC: case IR_CALL_SPECIAL: case IR_CALL_VIRTUAL: case IR_CALL_INTERFACE: return evaluate_call(r, s, block);
	default: return VALUE_UNKNOWN;
	}
}

static void set_value(struct run *r, ir_value of, struct value v)
{
	struct value *at = &r->e->values[of];
	struct value joined = value_join(r->c->h, *at, v);

	if (value_equal(joined, *at))
		return;
	if (at->kind != VALUE_NONE && ++r->e->changes[of] > MOST_CHANGES)
		joined = VALUE_UNKNOWN;
	*at = joined;
	r->has_changed = true;
}

/* Branches */

static void take_if(struct run *r, const struct ir_stmt *s, uint32_t block)
{
	struct value a = use(r, s, 0, block), b = s->nargs > 1 ? use(r, s, 1, block) : VALUE_UNKNOWN;

	if (a.kind == VALUE_NONE || b.kind == VALUE_NONE)
		return;
	enum answer answer = value_compare(r->c->h, s->sub, a, b);
	if (answer != ANSWER_NO)
		take(r, block, 0);
	if (answer != ANSWER_YES)
		take(r, block, 1);
}

static void take_switch(struct run *r, const struct ir_stmt *s, uint32_t block)
{
	struct value v = use(r, s, 0, block);
	uint32_t n = r->b->blocks[block].nsuccs;
	int32_t number;
	bool is_number = value_is_int(v, &number), has_case = false;

	if (v.kind == VALUE_NONE)
		return;
	for (uint32_t i = 1; i < n; i++) {
		int64_t key = r->b->longs[s->ref + i - 1];
		if (v.kind == VALUE_INT && (key < v.low || key > v.high))
			continue;
		take(r, block, i);
		has_case = true;
	}
	if (!is_number || !has_case)
		take(r, block, 0);
}

static void take_branches(struct run *r, const struct ir_stmt *s, uint32_t block)
{
	uint64_t before = r->e->taken[block];

	if (s->op == IR_IF)
		take_if(r, s, block);
	else if (s->op == IR_SWITCH)
		take_switch(r, s, block);
	else
		for (uint32_t i = 0; i < r->b->blocks[block].nsuccs; i++)
			take(r, block, i);
	r->has_changed |= r->e->taken[block] != before;
}

static bool becomes_live(const struct run *r, uint32_t block)
{
	const struct ir_block *k = &r->b->blocks[block];

	for (uint32_t i = 0; i < k->npreds; i++)
		if (leads(r->e, r->b->edges[k->preds + i], block))
			return true;
	return block == 0;
}

static void run_block(struct run *r, uint32_t block)
{
	const struct ir_block *k = &r->b->blocks[block];

	if (!r->e->live[block]) {
		if (!becomes_live(r, block))
			return;
		r->e->live[block] = true;
		r->has_changed = true;
	}
	for (uint32_t i = k->first; i < k->end; i++) {
		const struct ir_stmt *s = &r->b->stmts[i];
		if (s->result)
			set_value(r, s->result, evaluate_statement(r, s, block));
		else if (ir_is_terminator(s->op))
			take_branches(r, s, block);
	}
}

static void evaluate(struct conditions *c, const struct value *params, uint32_t n, struct evaluation *out)
{
	const struct ir_body *b = out->code->body;
	struct run r = { .c = c, .e = out, .b = b, .params = params, .nparams = n, .has_changed = true };

	out->live = mem_zalloc(b->nblocks + 1);
	out->taken = mem_zalloc((b->nblocks + 1) * sizeof(*out->taken));
	out->values = mem_zalloc((b->nvalues + 1) * sizeof(*out->values));
	out->changes = mem_zalloc(b->nvalues + 1);
	while (r.has_changed) {
		r.has_changed = false;
		for (uint32_t i = 0; i < b->nblocks; i++)
			run_block(&r, i);
	}
}

void conditions_evaluate(struct conditions *c, const struct code *code, const struct value *params, uint32_t n, uint32_t depth,
			 struct evaluation *out)
{
	*out = (struct evaluation){ .code = code, .depth = depth };
	evaluate(c, params, n, out);
}

void conditions_evaluate_knowing(struct conditions *c, const struct code *code, const struct value *params, uint32_t n, uint32_t depth,
				 uint32_t kept, struct evaluation *out)
{
	*out = (struct evaluation){ .code = code, .depth = depth };
	if (n && !code->is_static) {
		out->self = params[0];
		out->kept = kept_compute(c, code, params[0], kept);
	}
	evaluate(c, params, n, out);
}

/* Reasons */

/* Backwards, breadth first, from what does not run to the first branch that does and does not go there. */
const struct ir_stmt *evaluation_why(const struct evaluation *e, uint32_t block)
{
	const struct ir_body *b = e->code->body;
	VEC(uint32_t) queue = { 0 };
	bool *seen = mem_zalloc(b->nblocks + 1);
	const struct ir_stmt *why = NULL;

	vec_push(&queue, block);
	seen[block] = true;
	for (uint32_t at = 0; at < queue.len && !why; at++) {
		const struct ir_block *k = &b->blocks[queue.data[at]];
		for (uint32_t i = 0; i < k->npreds && !why; i++) {
			uint32_t from = b->edges[k->preds + i];
			if (e->live[from])
				why = &b->stmts[b->blocks[from].end - 1];
			else if (!seen[from])
				vec_push(&queue, from);
			seen[from] = true;
		}
	}
	vec_release(&queue);
	free(seen);
	return why;
}
