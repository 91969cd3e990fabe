/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - the blocks that are reachable, with their edges.
 *
 * Subroutines (jsr, ret; JVMS 4.9.2) are cloned: a block is an instruction together with a context, the
 * calls that are open there, one within another. A subroutine does not call itself, so calling one that is open means
 * that its earlier activation was left for good, and contexts are finite.
 * A handler gets a landing block for each type it catches; it is dropped again when nothing else goes to
 * the handler's code. */
#include "algo/rpo.h"
#include "load/lower/ssa_p.h"

#define NO_LOCAL UINT32_MAX

struct lower_context {
	uint32_t parent;               /* context 0 is the method itself and its own parent */
	uint32_t target, back;         /* instructions: the subroutine's first, the one to return to */
	uint32_t local;                /* variable that holds the return address, or NO_LOCAL */
	uint32_t *blocks;              /* by instruction: block number + 1 */
	uint32_t *landings;            /* by handler: block number + 1; NULL: none yet */
};

struct grapher {
	struct lower *l;
	VEC(struct lower_block) blocks;
	VEC(uint32_t) edges;
	VEC(struct lower_context) contexts;
	uint32_t *canonical;           /* by handler: the first one with the same target and type */
	uint32_t insns, work;
};

static bool too_complex(struct grapher *g, uint32_t insn)
{
	uint32_t pc = insn < g->l->ninsns ? g->l->insns[insn].pc : 0;

	return lower_fail(g->l, DIAG_E021, pc, "method too complex to lower");
}

static uint32_t add_block(struct grapher *g, enum block_kind kind, uint32_t first, uint32_t context)
{
	struct lower_block b = { .kind = (uint8_t)kind, .first = first, .end = first, .context = context,
				 .last_pred = UINT32_MAX };

	vec_push(&g->blocks, b);
	return g->blocks.len - 1;
}

static uint32_t block_at(struct grapher *g, uint32_t insn, uint32_t context)
{
	uint32_t *at = &g->contexts.data[context].blocks[insn];

	if (*at == 0)
		*at = add_block(g, BLOCK_CODE, insn, context) + 1;
	return *at - 1;
}

static uint32_t add_context(struct grapher *g, uint32_t parent, uint32_t target, uint32_t back)
{
	const struct insn *first = &g->l->insns[target];
	struct lower_context c = { .parent = parent, .target = target, .back = back, .local = NO_LOCAL };

	if (first->op == BC_astore)
		c.local = (uint32_t)first->a;
	c.blocks = arena_zarray(g->l->scratch, uint32_t, g->l->ninsns);
	vec_push(&g->contexts, c);
	return g->contexts.len - 1;
}

/* The context after a jsr in `context`, or 0 when there are too many, or too many to look through. */
static uint32_t enter(struct grapher *g, uint32_t context, uint32_t target, uint32_t back)
{
	const struct lower_context *all = g->contexts.data;

	for (uint32_t c = context; c != 0; c = all[c].parent)
		if (all[c].target == target)
			context = all[c].parent;
	g->work += g->contexts.len;
	if (g->work > LOWER_MAX_WORK)
		return 0;
	for (uint32_t c = 1; c < g->contexts.len; c++)
		if (all[c].parent == context && all[c].target == target && all[c].back == back)
			return c;
	if ((uint64_t)g->contexts.len * g->l->ninsns > LOWER_MAX_SLOTS || g->contexts.len > 10000)
		return 0;
	return add_context(g, context, target, back);
}

static bool edge_jsr(struct grapher *g, uint32_t context, uint32_t i)
{
	const struct lower *l = g->l;

	if (i + 1 == l->ninsns)
		return lower_fail(g->l, DIAG_E020, l->insns[i].pc, "code runs over its end");
	uint32_t target = l->insn_at[l->insns[i].a] - 1u, inner = enter(g, context, target, i + 1);

	if (inner == 0)
		return too_complex(g, i);
	vec_push(&g->edges, block_at(g, target, inner));
	return true;
}

static bool edge_ret(struct grapher *g, uint32_t context, const struct insn *in)
{
	uint32_t c = context;

	while (c != 0 && g->contexts.data[c].local != (uint32_t)in->a)
		c = g->contexts.data[c].parent;
	if (c == 0)
		return lower_fail(g->l, DIAG_E020, in->pc, "ret outside its subroutine");
	vec_push(&g->edges, block_at(g, g->contexts.data[c].back, g->contexts.data[c].parent));
	return true;
}

static void edge_to_pc(struct grapher *g, uint32_t context, uint32_t pc)
{
	vec_push(&g->edges, block_at(g, g->l->insn_at[pc] - 1u, context));
}

static void edge_switch(struct grapher *g, uint32_t context, const struct insn *in)
{
	struct span code = g->l->code.code;
	uint32_t n = bytecode_switch_count(code, in);

	for (int64_t k = -1; k < (int64_t)n; k++)
		edge_to_pc(g, context, bytecode_switch_target(code, in, k));
}

static bool ends_block(uint8_t op)
{
	return op == BC_goto || op == BC_jsr || (op >= BC_ret && op <= BC_return) || op == BC_athrow;
}

/* The edges out of the block's last instruction i. */
static bool add_succs(struct grapher *g, uint32_t context, uint32_t i)
{
	struct lower *l = g->l;
	const struct insn *in = &l->insns[i];

	if (in->op == BC_jsr)
		return edge_jsr(g, context, i);
	if (in->op == BC_ret)
		return edge_ret(g, context, in);
	if (in->format == BCF_BRANCH)
		edge_to_pc(g, context, (uint32_t)in->a);
	else if (in->format == BCF_TABLE || in->format == BCF_LOOKUP)
		edge_switch(g, context, in);
	if (ends_block(in->op))
		return true;
	if (i + 1 == l->ninsns)
		return lower_fail(l, DIAG_E020, in->pc, "code runs over its end");
	vec_push(&g->edges, block_at(g, i + 1, context));
	return true;
}

/* The extent of a block, and whether it may throw. */
static bool scan_block(struct grapher *g, uint32_t n)
{
	const struct lower *l = g->l;
	struct lower_block *b = &g->blocks.data[n];
	uint32_t i = b->first;

	for (;; i++) {
		b->throws = b->throws || lower_may_throw(l, &l->insns[i]);
		if (ends_block(l->insns[i].op) || i + 1 == l->ninsns || l->leader[i + 1])
			break;
	}
	b->end = i + 1;
	g->insns += b->end - b->first;
	return g->insns <= LOWER_MAX_INSNS || too_complex(g, i);
}

static uint32_t landing(struct grapher *g, uint32_t context, uint32_t k, const struct cf_handler *h)
{
	struct lower *l = g->l;
	struct lower_context *c = &g->contexts.data[context];

	if (!c->landings)
		c->landings = arena_zarray(l->scratch, uint32_t, l->code.nhandlers);
	uint32_t *at = &c->landings[g->canonical[k]];

	if (*at == 0) {
		*at = add_block(g, BLOCK_LANDING, l->insn_at[h->target] - 1u, context) + 1;
		struct lower_block *b = &g->blocks.data[*at - 1];

		b->is_handler = true;
		b->type = h->type ? unit_class(l->p, l->u, h->type) : l->p->throwable;
	}
	return *at - 1;
}

/* Whether an earlier handler of the block, from `from` in edges, catches the same type. */
static bool is_shadowed(const struct grapher *g, uint32_t from, class_id type)
{
	for (uint32_t i = from; i < g->edges.len; i++)
		if (g->blocks.data[g->edges.data[i]].type.i == type.i)
			return true;
	return false;
}

static bool add_handlers(struct grapher *g, uint32_t n)
{
	struct lower *l = g->l;
	uint32_t pc = l->insns[g->blocks.data[n].first].pc, from = g->edges.len;

	for (uint16_t k = 0; k < l->code.nhandlers; k++) {
		struct cf_handler h = cf_handler_at(&l->u->cf, &l->code, k);

		if (pc < h.start || pc >= h.end)
			continue;
		uint32_t to = landing(g, g->blocks.data[n].context, k, &h);
		class_id type = g->blocks.data[to].type;

		g->work += g->edges.len - from;
		if (is_shadowed(g, from, type))
			continue;
		vec_push(&g->edges, to);
		if (type.i == l->p->throwable.i)
			break;
	}
	g->work += l->code.nhandlers;
	return g->work <= LOWER_MAX_WORK || too_complex(g, g->blocks.data[n].first);
}

/* Gives block n its edges; adds the blocks they go to. */
static bool visit(struct grapher *g, uint32_t n)
{
	uint32_t kind = g->blocks.data[n].kind, context = g->blocks.data[n].context, at = g->edges.len;

	if (kind != BLOCK_CODE)
		vec_push(&g->edges, block_at(g, g->blocks.data[n].first, context));
	else if (!scan_block(g, n) || !add_succs(g, context, g->blocks.data[n].end - 1))
		return false;
	g->blocks.data[n].succs = at;
	g->blocks.data[n].nsuccs = g->edges.len - at;
	g->blocks.data[n].handlers = at = g->edges.len;
	if (g->blocks.data[n].throws && !add_handlers(g, n))
		return false;
	g->blocks.data[n].nhandlers = g->edges.len - at;
	return g->blocks.len <= LOWER_MAX_BLOCKS || too_complex(g, g->blocks.data[n].first);
}

static void find_canonical(struct grapher *g)
{
	struct lower *l = g->l;
	struct map seen = { 0 };

	g->canonical = arena_array(l->scratch, uint32_t, l->code.nhandlers);
	for (uint16_t k = 0; k < l->code.nhandlers; k++) {
		struct cf_handler h = cf_handler_at(&l->u->cf, &l->code, k);
		uint32_t *first = map_at(&seen, map_key(h.target, h.type) + 1);

		if (*first == 0)
			*first = k + 1u;
		g->canonical[k] = *first - 1;
	}
	map_release(&seen);
}

static bool discover(struct grapher *g)
{
	if (g->l->code.nhandlers)
		find_canonical(g);
	add_context(g, 0, 0, 0);
	g->contexts.data[0].local = NO_LOCAL;
	add_block(g, BLOCK_ENTRY, 0, 0);
	for (uint32_t n = 0; n < g->blocks.len; n++)
		if (!visit(g, n))
			return false;
	return true;
}

/* Lets block `to` do the work of the empty block b before it. */
static void absorb(struct lower_block *to, const struct lower_block *b)
{
	if (b->kind == BLOCK_ENTRY)
		to->kind = BLOCK_ENTRY;
	to->is_handler = b->is_handler;
	to->type = b->type;
}

/* Merges an entry or landing block with its successor when that has no other predecessor: returns, by
 * block, the one that stands for it. */
static uint32_t *merge(struct grapher *g)
{
	uint32_t n = g->blocks.len;
	uint32_t *into = arena_array(g->l->scratch, uint32_t, n);
	uint32_t *count = arena_zarray(g->l->scratch, uint32_t, n);

	for (uint32_t i = 0; i < g->edges.len; i++)
		count[g->edges.data[i]]++;
	for (uint32_t i = 0; i < n; i++) {
		struct lower_block *b = &g->blocks.data[i];
		uint32_t to = b->nsuccs ? g->edges.data[b->succs] : i;

		into[i] = i;
		if (b->end > b->first || count[to] != 1)
			continue;
		into[i] = to;
		absorb(&g->blocks.data[to], b);
	}
	return into;
}

/* Orders the blocks; the successors are followed after the handlers, so that code comes before handlers. */
static uint32_t order_blocks(struct grapher *g, const uint32_t *into, uint32_t *order, uint32_t *number)
{
	struct arena *scratch = g->l->scratch;
	uint32_t n = g->blocks.len, at = 0;
	uint32_t *first = arena_array(scratch, uint32_t, n + 1);
	uint32_t *to = arena_array(scratch, uint32_t, g->edges.len);

	for (uint32_t i = 0; i < n; i++) {
		const struct lower_block *b = &g->blocks.data[i];

		first[i] = at;
		for (uint32_t k = b->nhandlers; k > 0; k--)
			to[at++] = into[g->edges.data[b->handlers + k - 1]];
		for (uint32_t k = 0; k < b->nsuccs; k++)
			to[at++] = into[g->edges.data[b->succs + k]];
	}
	first[n] = at;
	return rpo_compute(&(struct digraph){ n, first, to }, into[0], order, number, scratch);
}

static void number_preds(struct lower *l)
{
	struct ir_block *blocks = arena_zarray(l->scratch, struct ir_block, l->nblocks);

	for (uint32_t i = 0; i < l->nblocks; i++) {
		blocks[i].succs = l->blocks[i].succs;
		blocks[i].nsuccs = l->blocks[i].nsuccs;
		blocks[i].nhandlers = l->blocks[i].nhandlers;
	}
	l->nedges = blocks_fill_preds(blocks, l->nblocks, l->edges, l->nedges, l->scratch);
	for (uint32_t i = 0; i < l->nblocks; i++) {
		l->blocks[i].preds = blocks[i].preds;
		l->blocks[i].npreds = blocks[i].npreds;
	}
}

/* Copies the reachable blocks in their order, with their edges. Handlers follow successors directly. */
static void number_blocks(struct grapher *g)
{
	struct lower *l = g->l;
	uint32_t n = g->blocks.len;
	uint32_t *into = merge(g), *order = arena_array(l->scratch, uint32_t, n);
	uint32_t *number = arena_array(l->scratch, uint32_t, n);

	l->nblocks = order_blocks(g, into, order, number);
	l->blocks = arena_array(l->scratch, struct lower_block, l->nblocks);
	l->edges = arena_array(l->scratch, uint32_t, (size_t)g->edges.len * 2);
	for (uint32_t i = 0; i < l->nblocks; i++) {
		struct lower_block *b = &l->blocks[i];

		*b = g->blocks.data[order[i]];
		uint32_t at = l->nedges;

		for (uint32_t k = 0; k < b->nsuccs; k++)
			l->edges[l->nedges++] = number[into[g->edges.data[b->succs + k]]];
		for (uint32_t k = 0; k < b->nhandlers; k++)
			l->edges[l->nedges++] = number[into[g->edges.data[b->handlers + k]]];
		b->succs = at;
		b->handlers = at + b->nsuccs;
	}
	number_preds(l);
}

bool lower_graph(struct lower *l)
{
	struct grapher g = { .l = l };
	bool ok = discover(&g);

	if (ok)
		number_blocks(&g);
	vec_release(&g.blocks);
	vec_release(&g.edges);
	vec_release(&g.contexts);
	return ok;
}
