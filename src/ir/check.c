/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - the invariants of bodies. First the arrays (so that the rest cannot leave them), then edges, then
 * statements, then dominance.
 *
 * Dominance is exact in the presence of exceptions: a block is two nodes, its head (catch, phis, parameters,
 * undefined values), which handlers follow, and its rest, which successors follow. */
#include "algo/dominators.h"
#include "base/strbuf.h"
#include "ir/arith.h"
#include "ir/body.h"

#include <stdarg.h>
#include <stdio.h>

struct checker {
	const struct ir_body *b;
	struct arena *mem;
	const char *reason;
	uint32_t *def;                 /* by value: statement + 1 */
	uint32_t *block_of;            /* by statement */
	uint32_t *heads;               /* by block: the first statement after its head */
	uint32_t *idom;                /* by node: 2 * block is its head, 2 * block + 1 its rest */
};

static bool bad(struct checker *c, const char *fmt, ...) ATTR_PRINTF(2, 3);
static bool bad(struct checker *c, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	c->reason = arena_strdup(c->mem, text);
	return false;
}

static bool in_range(uint32_t first, uint32_t n, uint32_t limit)
{
	return first <= limit && n <= limit - first;
}

static bool check_arrays(struct checker *c)
{
	const struct ir_body *b = c->b;
	uint32_t at = 0;

	if (b->nblocks == 0 || !b->kinds)
		return bad(c, "no blocks or no kinds");
	for (uint32_t i = 0; i < b->nblocks; i++) {
		const struct ir_block *k = &b->blocks[i];

		if (k->first != at || k->end <= k->first || k->end > b->nstmts)
			return bad(c, "b%u: empty, or not where the block before it ends", (unsigned)i);
		if (!in_range(k->succs, k->nsuccs, b->nedges) || !in_range(k->handlers, k->nhandlers, b->nedges) ||
		    !in_range(k->preds, k->npreds, b->nedges))
			return bad(c, "b%u: edges out of range", (unsigned)i);
		at = k->end;
	}
	if (at != b->nstmts)
		return bad(c, "statements outside blocks");
	for (uint32_t i = 0; i < b->nedges; i++)
		if (b->edges[i] >= b->nblocks)
			return bad(c, "edge to b%u, which does not exist", (unsigned)b->edges[i]);
	return true;
}

static bool lists(const uint32_t *edges, uint32_t n, uint32_t block)
{
	for (uint32_t i = 0; i < n; i++)
		if (edges[i] == block)
			return true;
	return false;
}

static bool is_handler(const struct ir_body *b, uint32_t block)
{
	return b->stmts[b->blocks[block].first].op == IR_CATCH;
}

/* Every edge of block i has its counterpart; `seen` holds, by block, the last one that was met + 1. */
static bool check_out_edges(struct checker *c, uint32_t i, uint32_t *count, uint32_t *seen)
{
	const struct ir_block *k = &c->b->blocks[i];

	for (uint32_t e = 0; e < k->nsuccs + k->nhandlers; e++) {
		bool thrown = e >= k->nsuccs;
		uint32_t to = c->b->edges[thrown ? k->handlers + e - k->nsuccs : k->succs + e];

		if (thrown != is_handler(c->b, to))
			return bad(c, "b%u -> b%u: only exceptions go to a catch", (unsigned)i, (unsigned)to);
		if (thrown && seen[to] == i + 1)
			return bad(c, "b%u: handler b%u is listed twice", (unsigned)i, (unsigned)to);
		if (seen[to] != i + 1)
			count[to]++;
		seen[to] = i + 1;
	}
	return true;
}

static bool check_preds(struct checker *c, uint32_t i, uint32_t count, uint32_t *seen)
{
	const struct ir_body *b = c->b;
	const struct ir_block *k = &b->blocks[i];
	bool earlier = i == 0;

	if (k->npreds != count || (i == 0 && count > 0))
		return bad(c, "b%u: %u predecessors, %u edges lead to it", (unsigned)i, (unsigned)k->npreds,
			   (unsigned)count);
	for (uint32_t e = 0; e < k->npreds; e++) {
		uint32_t from = b->edges[k->preds + e];
		const struct ir_block *f = &b->blocks[from];
		bool thrown = is_handler(b, i);

		if (!lists(b->edges + (thrown ? f->handlers : f->succs), thrown ? f->nhandlers : f->nsuccs, i) ||
		    seen[from] == i + 1)
			return bad(c, "b%u: b%u is no predecessor, or listed twice", (unsigned)i, (unsigned)from);
		seen[from] = i + 1;
		earlier = earlier || from < i;
	}
	return earlier || bad(c, "b%u: no predecessor comes before it", (unsigned)i);
}

static bool check_edges(struct checker *c)
{
	uint32_t n = c->b->nblocks;
	uint32_t *count = arena_zarray(c->mem, uint32_t, n), *seen = arena_zarray(c->mem, uint32_t, n);

	for (uint32_t i = 0; i < n; i++)
		if (!check_out_edges(c, i, count, seen))
			return false;
	memset(seen, 0, n * sizeof(*seen));
	for (uint32_t i = 0; i < n; i++)
		if (!check_preds(c, i, count[i], seen))
			return false;
	return true;
}

static bool fail_at(struct checker *c, uint32_t i, const char *what)
{
	const struct ir_stmt *s = &c->b->stmts[i];

	return bad(c, "b%u: statement %u (%s): %s", (unsigned)c->block_of[i],
		   (unsigned)(i - c->b->blocks[c->block_of[i]].first), s->op < IR_OPS ? ir_ops[s->op].text : "?", what);
}

static bool check_terminator(struct checker *c, uint32_t i)
{
	const struct ir_stmt *s = &c->b->stmts[i];
	const struct ir_block *k = &c->b->blocks[c->block_of[i]];

	if (ir_is_terminator(s->op) != (i + 1 == k->end))
		return fail_at(c, i, "a terminator is the last statement of a block, and only that");
	if (!ir_is_terminator(s->op))
		return true;
	uint32_t n = s->op == IR_GOTO ? 1 : s->op == IR_IF ? 2 : 0;

	if (s->op == IR_SWITCH ? k->nsuccs == 0 || !in_range(s->ref, k->nsuccs - 1, c->b->nlongs) : k->nsuccs != n)
		return fail_at(c, i, "wrong number of targets");
	return true;
}

/* Refs into the body's own tables, and what `sub` may be. */
static bool check_ref(struct checker *c, uint32_t i)
{
	const struct ir_stmt *s = &c->b->stmts[i];
	unsigned ref = ir_ops[s->op].ref;

	if (ref == IR_REF_DYNAMIC && s->ref >= c->b->ndynamics)
		return fail_at(c, i, "no such dynamic row");
	if (ref == IR_REF_LONG && s->op != IR_SWITCH && s->ref >= c->b->nlongs)
		return fail_at(c, i, "no such constant");
	if ((s->op == IR_ARITH || s->op == IR_IF) &&
	    (s->sub > 255 || !ir_ariths[s->sub].name || (s->op == IR_IF) != (ir_ariths[s->sub].result == IR_KIND_NONE)))
		return fail_at(c, i, "no such operation");
	if ((s->op == IR_ALOAD || s->op == IR_ASTORE) && (s->sub == 0 || s->sub > IR_KIND_SHORT))
		return fail_at(c, i, "no such element kind");
	if (ir_is_call(s->op) && s->sub > IR_CALL_TARGET)
		return fail_at(c, i, "no such kind of call");
	if (s->op == IR_CONST_HANDLE && (s->sub < IR_HANDLE_GETFIELD || s->sub > IR_HANDLE_INTERFACE))
		return fail_at(c, i, "no such reference kind");
	return true;
}

static bool check_result(struct checker *c, uint32_t i)
{
	const struct ir_stmt *s = &c->b->stmts[i];
	unsigned rule = ir_ops[s->op].result;
	bool linking = ir_is_call(s->op) && ir_is_linking(s->sub);

	if (s->result > c->b->nvalues || (rule == 1 && !s->result) || ((rule == 0 || linking) && s->result))
		return fail_at(c, i, "wrong result");
	if (!s->result)
		return true;
	if (c->def[s->result])
		return fail_at(c, i, "value defined twice");
	c->def[s->result] = i + 1;
	enum ir_kind kind = c->b->kinds[s->result], want = ir_result_kind(s);

	if (kind == IR_KIND_NONE || kind > IR_KIND_OBJECT || (want != IR_KIND_NONE && kind != want))
		return fail_at(c, i, "result of the wrong kind");
	return true;
}

/* Parameters in the entry block; a catch first; phis next. */
static bool check_place(struct checker *c, uint32_t i)
{
	const struct ir_stmt *s = &c->b->stmts[i];
	uint32_t n = c->block_of[i];
	const struct ir_block *k = &c->b->blocks[n];

	if (s->op == IR_PARAM && n != 0)
		return fail_at(c, i, "parameter outside the entry block");
	if (s->op == IR_CATCH && i != k->first)
		return fail_at(c, i, "catch is not the first statement");
	if (s->op == IR_PHI && i >= c->heads[n])
		return fail_at(c, i, "phi after other statements");
	return true;
}

static bool check_count(struct checker *c, uint32_t i)
{
	const struct ir_stmt *s = &c->b->stmts[i];
	int operands = ir_ops[s->op].operands;
	bool linking = ir_is_call(s->op) && ir_is_linking(s->sub), ok = true;

	if (!in_range(s->args, s->nargs, c->b->nargs))
		return fail_at(c, i, "operands out of range");
	if (operands >= 0)
		ok = s->nargs == (uint32_t)operands;
	else if (s->op == IR_PHI)
		ok = s->nargs == c->b->blocks[c->block_of[i]].npreds;
	else if (s->op == IR_ARITH || s->op == IR_IF)
		ok = s->nargs == (ir_ariths[s->sub].b ? 2u : 1u);
	else if (s->op == IR_RETURN)
		ok = s->nargs <= 1;
	else if (linking)
		ok = s->nargs == 0;
	else if (s->op == IR_CALL_SPECIAL || s->op == IR_CALL_VIRTUAL || s->op == IR_CALL_INTERFACE)
		ok = s->nargs >= 1;
	return ok || fail_at(c, i, "wrong number of operands");
}

/* The kind that operand k must have; IR_KIND_NONE: any. */
static enum ir_kind operand_kind(const struct checker *c, const struct ir_stmt *s, uint32_t k)
{
	switch (s->op) {
	case IR_PHI:
		return (enum ir_kind)c->b->kinds[s->result];
	case IR_ARITH: case IR_IF:
		return (enum ir_kind)(k ? ir_ariths[s->sub].b : ir_ariths[s->sub].a);
	case IR_NEWARRAY: case IR_SWITCH:
		return IR_KIND_INT;
	case IR_CAST: case IR_INSTANCEOF: case IR_GETFIELD: case IR_LENGTH: case IR_MONITOR_ENTER: case IR_MONITOR_EXIT:
	case IR_THROW:
		return IR_KIND_OBJECT;
	case IR_PUTFIELD: case IR_CALL_SPECIAL: case IR_CALL_VIRTUAL: case IR_CALL_INTERFACE:
		return k == 0 ? IR_KIND_OBJECT : IR_KIND_NONE;
	case IR_ALOAD: case IR_ASTORE:
		return k == 0 ? IR_KIND_OBJECT : k == 1 ? IR_KIND_INT : ir_value_kind(s->sub);
	default:
		return IR_KIND_NONE;
	}
}

/* The statements of a block that come before anything happens in it. */
static bool is_head(unsigned op)
{
	return op == IR_PARAM || op == IR_PHI || op == IR_CATCH || op == IR_UNDEF;
}

static void find_heads(struct checker *c)
{
	for (uint32_t n = 0; n < c->b->nblocks; n++) {
		const struct ir_block *k = &c->b->blocks[n];
		uint32_t i = k->first;

		for (uint32_t s = k->first; s < k->end; s++)
			c->block_of[s] = n;
		while (i < k->end && is_head(c->b->stmts[i].op))
			i++;
		c->heads[n] = i;
	}
}

static bool check_stmts(struct checker *c)
{
	for (uint32_t i = 0; i < c->b->nstmts; i++) {
		if (c->b->stmts[i].op >= IR_OPS)
			return fail_at(c, i, "no such operation");
		if (!check_terminator(c, i) || !check_ref(c, i) || !check_result(c, i) || !check_place(c, i) ||
		    !check_count(c, i))
			return false;
	}
	for (uint32_t v = 1; v <= c->b->nvalues; v++)
		if (!c->def[v])
			return bad(c, "v%u is not defined", (unsigned)v);
	return true;
}

static void find_dominators(struct checker *c)
{
	const struct ir_body *b = c->b;
	uint32_t *first = arena_array(c->mem, uint32_t, (size_t)b->nblocks * 2 + 1);
	uint32_t at = 0;
	size_t total = b->nblocks;

	for (uint32_t n = 0; n < b->nblocks; n++)
		total += b->blocks[n].npreds;
	uint32_t *to = arena_array(c->mem, uint32_t, total);

	for (uint32_t n = 0; n < b->nblocks; n++) {
		const struct ir_block *k = &b->blocks[n];
		uint32_t rest = is_handler(b, n) ? 0 : 1;      /* where the edges come from */

		first[2 * n] = at;
		for (uint32_t e = 0; e < k->npreds; e++)
			to[at++] = 2 * b->edges[k->preds + e] + rest;
		first[2 * n + 1] = at;
		to[at++] = 2 * n;
	}
	first[2 * b->nblocks] = at;
	c->idom = arena_array(c->mem, uint32_t, (size_t)b->nblocks * 2);
	dominators_compute(&(struct digraph){ b->nblocks * 2, first, to }, c->idom);
}

static uint32_t node_of(const struct checker *c, uint32_t stmt)
{
	uint32_t n = c->block_of[stmt];

	return 2 * n + (stmt >= c->heads[n]);
}

/* Whether the value may be used as operand k of statement i. */
static bool is_defined(const struct checker *c, uint32_t i, uint32_t k, ir_value v)
{
	uint32_t def = c->def[v] - 1, from = node_of(c, def), n = c->block_of[i];

	if (c->b->stmts[i].op == IR_PHI) {
		uint32_t pred = c->b->edges[c->b->blocks[n].preds + k];

		return dominates(c->idom, from, 2 * pred + (is_handler(c->b, n) ? 0 : 1));
	}
	uint32_t to = node_of(c, i);

	return from == to ? def < i : dominates(c->idom, from, to);
}

static bool check_operands(struct checker *c, uint32_t i)
{
	const struct ir_stmt *s = &c->b->stmts[i];

	for (uint32_t k = 0; k < s->nargs; k++) {
		ir_value v = c->b->args[s->args + k];

		if (v == 0 || v > c->b->nvalues)
			return fail_at(c, i, "operand is no value");
		enum ir_kind want = operand_kind(c, s, k);

		if (want != IR_KIND_NONE && c->b->kinds[v] != want)
			return fail_at(c, i, "operand of the wrong kind");
		if (!is_defined(c, i, k, v))
			return fail_at(c, i, "operand is not defined on every path");
	}
	return true;
}

bool body_check(const struct ir_body *b, struct arena *mem, const char **reason)
{
	struct checker c = { .b = b, .mem = mem };
	bool ok = check_arrays(&c);

	if (ok) {
		c.def = arena_zarray(mem, uint32_t, (size_t)b->nvalues + 1);
		c.block_of = arena_array(mem, uint32_t, b->nstmts);
		c.heads = arena_array(mem, uint32_t, b->nblocks);
		find_heads(&c);
		ok = check_edges(&c) && check_stmts(&c);
	}
	if (ok) {
		find_dominators(&c);
		for (uint32_t i = 0; i < b->nstmts && ok; i++)
			ok = check_operands(&c, i);
	}
	*reason = c.reason;
	return ok;
}
