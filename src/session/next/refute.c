/* SPDX-License-Identifier: Apache-2.0 */
#include "session/next/refute.h"

#include <stdlib.h>

#include "analysis/callgraph/link.h"
#include "analysis/conditions/conditions.h"

struct refuter {
	const struct reason_source *from;
	const struct coverage *c;
	const struct requirements *finer;
	struct conditions conditions;
	struct reasons *out;
	VEC(struct value) params;
};

/* The call under way. */
struct call {
	const struct req_site *site;
	const struct code *code;
	const struct ir_stmt *stmt;
	uint32_t block;
	ir_value receiver;
	struct evaluation known;      /* of its method, whatever its parameters are */
};

/* Conditions */

static bool find_call(struct refuter *k, const struct req_site *s, struct call *out)
{
	const struct code *code = conditions_code(&k->conditions, s->method);

	*out = (struct call){ .site = s, .code = code };
	for (uint32_t i = 0; code && i < code->body->nstmts; i++) {
		const struct ir_stmt *at = &code->body->stmts[i];
		if (at->pc != s->pc || at->op != s->op || !at->nargs)
			continue;
		if (out->stmt)
			return false;   /* there are several */
		out->stmt = at;
		out->block = code->block_of[i];
		out->receiver = code->body->args[at->args];
	}
	return out->stmt != NULL;
}

static uint32_t nparams(const struct refuter *k, const struct call *c)
{
	return sel_row(k->conditions.p, method_row(k->conditions.p, c->site->method)->sel)->nargs + !c->code->is_static;
}

static void set_params(struct refuter *k, const struct call *c)
{
	vec_clear(&k->params);
	for (uint32_t i = 0; i < nparams(k, c); i++)
		vec_push(&k->params, conditions_param(&k->conditions, c->site->method, i));
}

static void evaluate(struct refuter *k, const struct call *c, struct evaluation *out)
{
	conditions_evaluate(&k->conditions, c->code, k->params.data, k->params.len, CONDITIONS_DEPTH, out);
}

/* The parameter that the receiver is; UINT32_MAX: none. */
static uint32_t param_of(const struct call *c)
{
	const struct ir_stmt *def = c->code->def[c->receiver];

	return def && def->op == IR_PARAM ? def->ref : UINT32_MAX;
}

/* Is the call never made where that parameter is of the class? */
static bool is_dead_for(struct refuter *k, const struct call *c, class_id of)
{
	uint32_t param = param_of(c);
	struct evaluation e;

	if (param >= nparams(k, c))
		return false;
	set_params(k, c);
	k->params.data[param] = value_object(of, true);
	evaluate(k, c, &e);
	bool is_dead = !e.live[c->block];
	evaluation_release(&e);
	return is_dead;
}

/* What the operand of a condition is where the receiver is of the class. */
static struct value operand(struct refuter *k, const struct call *c, ir_value v, class_id of, uint32_t block)
{
	const struct ir_stmt *def = c->code->def[v];
	bool is_of_receiver = def && def->nargs && c->code->body->args[def->args] == c->receiver;
	struct program *p = k->conditions.p;

	if (v == c->receiver)
		return value_object(of, true);
	if (is_of_receiver && def->op == IR_INSTANCEOF)
		return value_int(hierarchy_is_subtype(k->conditions.h, of, (class_id){ def->ref }));
	if (is_of_receiver && (def->op == IR_CALL_VIRTUAL || def->op == IR_CALL_INTERFACE) && def->nargs == 1 &&
	    str_is(sel_name(p, mref_row(p, (mref_id){ def->ref })->sel), "getClass"))
		return value_class(p, of);
	return evaluation_use(&k->conditions, &c->known, v, block);
}

/* Does a test of the receiver that every run passes before the call let no object of the class through? */
static bool is_excluded(struct refuter *k, const struct call *c, class_id of)
{
	for (uint32_t b = c->block; b > 0; b = c->code->idom[b]) {
		const struct guard *g = &c->code->guards[b];
		if (!g->branch || g->branch->op != IR_IF)
			continue;
		const ir_value *args = &c->code->body->args[g->branch->args];
		struct value x = operand(k, c, args[0], of, b);
		struct value y = g->branch->nargs > 1 ? operand(k, c, args[1], of, b) : VALUE_UNKNOWN;
		enum answer a = value_compare(k->conditions.h, g->branch->sub, x, y);
		if (a == (g->holds ? ANSWER_NO : ANSWER_YES))
			return true;
	}
	return false;
}

static bool is_ruled_out(struct refuter *k, const struct call *c, class_id of)
{
	if (!c->stmt || class_row(k->conditions.p, of)->kind != CLASS_FILE)
		return false;
	if (!c->known.live[c->block])
		return true;
	struct value v = evaluation_use(&k->conditions, &c->known, c->receiver, c->block);
	return (v.kind == VALUE_REF && !value_may_be_of(k->conditions.h, v, of)) || is_excluded(k, c, of) || is_dead_for(k, c, of);
}

/* Contexts */

static bool has_class(const struct requirements *r, struct id_range in, class_id c)
{
	for (uint32_t i = 0; i < in.n; i++)
		if (req_class(r, in, i).i == c.i)
			return true;
	return false;
}

/* Where the more precise analysis knows less, it says nothing. */
static bool is_not_required(const struct refuter *k, const struct req_site *s, class_id of)
{
	const struct req_site *fine = k->finer ? &k->finer->sites.data[s - k->from->found->sites.data] : NULL;

	if (!fine || fine->method.i != s->method.i || fine->pc != s->pc || (fine->is_open && !s->is_open) ||
	    (fine->cause != CG_RESOLVED && s->cause == CG_RESOLVED))
		return false;
	return !has_class(k->finer, fine->rc, of);
}

/* Sites */

/* Objects of libraries may be brought by clients in ways that no interface says: a coarse analysis may know such by luck, a finer one
 * does not. */
static uint32_t why_not(struct refuter *k, const struct call *c, class_id of, bool is_own)
{
	if (is_ruled_out(k, c, of))
		return REFUTED_BY_CONDITIONS;
	return is_own && is_not_required(k, c->site, of) ? REFUTED_BY_CONTEXTS : REFUTED_BYS;
}

static class_id declaring(struct refuter *k, const struct req_site *s, class_id receiver)
{
	bool is_incomplete = false;
	method_id m = dispatch_select(k->conditions.h, s->declared, receiver, &is_incomplete);

	return m.i ? method_row(k->conditions.p, m)->owner : (class_id){ 0 };
}

/* A method is ruled out with all receivers that select it. */
static void refute_targets(struct refuter *k, uint32_t row, const struct call *c, uint32_t first)
{
	const struct cov_site *s = &k->c->sites.data[row];
	const struct plan_site *p = &k->c->plan->sites.data[s->site];
	uint32_t receivers = criteria_receivers(k->c->plan);

	if (first == k->out->refuted.len || !criterion_in(k->c->plan, COV_TM))
		return;
	for (uint32_t t = 0; t < p->tm.n; t++) {
		uint32_t type = k->c->plan->ids.data[p->tm.first + t];
		bool is_left = false, is_selected = false;
		for (uint32_t i = 0; i < s->of[receivers].required && !is_left; i++) {
			uint32_t of = k->c->items.data[s->of[receivers].first + i].type;
			if (declaring(k, c->site, k->from->plan->types.data[of]).i != k->from->plan->types.data[type].i)
				continue;
			is_selected = true;
			is_left = true;
			for (uint32_t r = first; r < k->out->refuted.len; r++)
				is_left &= k->out->refuted.data[r].type != of;
		}
		if (is_selected && !is_left)
			vec_push(&k->out->refuted_targets, ((struct reason_refuted){ s->site, type, REFUTED_BY_CONDITIONS }));
	}
}

static int by_type(const void *a, const void *b)
{
	const struct reason_refuted *x = a, *y = b;

	return (x->type > y->type) - (x->type < y->type);
}

static void refute_site(struct refuter *k, uint32_t row)
{
	const struct cov_site *s = &k->c->sites.data[row];
	uint32_t receivers = criteria_receivers(k->c->plan), at = k->from->plan->sites.data[s->site], first = k->out->refuted.len;
	struct call c;

	if (at == UINT32_MAX || s->of[receivers].covered == s->of[receivers].required)
		return;
	if (find_call(k, &k->from->found->sites.data[at], &c)) {
		set_params(k, &c);
		evaluate(k, &c, &c.known);
	}
	for (uint32_t i = 0; i < s->of[receivers].required; i++) {
		const struct cov_item *item = &k->c->items.data[s->of[receivers].first + i];
		uint32_t why = item->type ? why_not(k, &c, k->from->plan->types.data[item->type], item->is_own) : REFUTED_BYS;
		if (why != REFUTED_BYS)
			vec_push(&k->out->refuted, ((struct reason_refuted){ s->site, item->type, why }));
	}
	if (k->out->refuted.len > first)
		qsort(k->out->refuted.data + first, k->out->refuted.len - first, sizeof(*k->out->refuted.data), by_type);
	uint32_t targets = k->out->refuted_targets.len;
	refute_targets(k, row, &c, first);
	if (k->out->refuted_targets.len > targets)
		qsort(k->out->refuted_targets.data + targets, k->out->refuted_targets.len - targets,
		      sizeof(*k->out->refuted_targets.data), by_type);
	if (c.stmt)
		evaluation_release(&c.known);
}

void refute(const struct reason_source *from, const struct coverage *c, const struct requirements *finer, struct reasons *out)
{
	struct refuter k = { .from = from, .c = c, .finer = finer, .out = out };

	if (criteria_receivers(c->plan) == CRITERIA)
		return;
	conditions_init(&k.conditions, from->hierarchy, from->graph);
	for (uint32_t i = 0; i < c->sites.len; i++)
		refute_site(&k, i);
	conditions_release(&k.conditions);
	vec_release(&k.params);
}
