/* SPDX-License-Identifier: Apache-2.0 */
/* ssa.c - abstract execution of the blocks in reverse postorder. The values of live locals and of the
 * stack flow along each edge into a row of the successor; a block with several predecessors starts with
 * provisional phis of its rows, which lower_finish.c simplifies. */
#include "load/lower/ssa_p.h"

/* The first variable that held a value is its own: that it was moved to others does not matter to anyone. */
static void keep_slot(struct lower *l, uint32_t n, ir_value v)
{
	if (v >= l->nslot_of) {
		uint32_t *more = arena_zarray(l->scratch, uint32_t, 2 * v + 8);
		if (l->nslot_of)
			memcpy(more, l->slot_of, l->nslot_of * sizeof(*more));
		l->slot_of = more;
		l->nslot_of = 2 * v + 8;
	}
	if (!l->slot_of[v])
		l->slot_of[v] = 1 + n;
}

void lower_set_local(struct lower *l, uint32_t n, ir_value v)
{
	l->locals[n] = v;
	if (l->p->keeps_slots)
		keep_slot(l, n, v);
}

static const uint64_t *live_of(const struct lower *l, uint32_t block)
{
	return l->live + (size_t)block * l->words;
}

/* Calls for each live local in ascending order: slot k of the block is local n. */
static uint32_t next_live(const struct lower *l, const uint64_t *live, uint32_t n)
{
	for (; n < l->words * 64; n++) {
		uint64_t rest = live[n / 64] >> (n % 64);

		if (rest & 1)
			return n;
		if (rest == 0)
			n |= 63;
	}
	return UINT32_MAX;
}

static uint32_t count_live(const struct lower *l, const uint64_t *live)
{
	uint32_t count = 0;

	for (uint32_t n = next_live(l, live, 0); n != UINT32_MAX; n = next_live(l, live, n + 1))
		count++;
	return count;
}

/* Makes room for the rows of a block that is reached for the first time. */
static bool open_block(struct lower *l, uint32_t to, uint32_t depth)
{
	struct lower_block *b = &l->blocks[to];

	b->depth = depth;
	b->nslots = count_live(l, live_of(l, to)) + depth;
	uint64_t size = (uint64_t)b->nslots * b->npreds;

	if (size + l->slots > LOWER_MAX_SLOTS)
		return lower_fail(l, DIAG_E021, l->b.pc, "too many values at joins");
	l->slots += (uint32_t)size;
	b->in = arena_array(l->scratch, ir_value, size);
	return true;
}

static bool same_kinds(const struct lower *l, const struct lower_block *b, const ir_value *row)
{
	for (uint32_t k = b->nslots - b->depth; k < b->nslots; k++)
		if (lower_kind(l, b->in[k]) != lower_kind(l, row[k]))
			return false;
	return true;
}

/* The edge from block `from` to block `to`, with the locals as they are and the lowest `depth` values of the stack. */
static bool flow(struct lower *l, uint32_t from, uint32_t to, uint32_t depth)
{
	struct lower_block *b = &l->blocks[to];

	if (b->last_pred == from)
		return true;
	b->last_pred = from;
	if (b->filled == 0 && !open_block(l, to, depth))
		return false;
	if (b->depth != depth)
		return lower_fail(l, DIAG_E020, l->b.pc, "stack depth differs at a join");
	ir_value *row = b->in + (size_t)b->filled++ * b->nslots;
	const uint64_t *live = live_of(l, to);
	uint32_t k = 0;

	for (uint32_t n = next_live(l, live, 0); n != UINT32_MAX; n = next_live(l, live, n + 1))
		row[k++] = l->locals[n];
	for (uint32_t i = 0; i < depth; i++)
		row[k++] = l->stack[i];
	if (depth > 0 && !same_kinds(l, b, row))
		return lower_fail(l, DIAG_E020, l->b.pc, "stack values of different kinds meet");
	return true;
}

/* The value of a slot at the start of a block: a new phi of the kind of the rows known so far. */
static ir_value join(struct lower *l, struct lower_block *b, uint32_t slot)
{
	enum ir_kind kind = IR_KIND_NONE;

	if (b->npreds == 1)
		return b->in[slot];
	for (uint32_t r = 0; r < b->filled && kind == IR_KIND_NONE; r++)
		kind = lower_kind(l, b->in[(size_t)r * b->nslots + slot]);
	b->phis[slot] = kind == IR_KIND_NONE ? 0 : builder_value(&l->b, kind);
	return b->phis[slot];
}

static void start_block(struct lower *l, uint32_t n)
{
	struct lower_block *b = &l->blocks[n];
	const uint64_t *live = live_of(l, n);
	uint32_t slot = 0;

	l->depth = 0;
	if (b->npreds == 0)
		return;
	if (b->npreds > 1)
		b->phis = arena_array(l->scratch, ir_value, b->nslots);
	for (uint32_t k = next_live(l, live, 0); k != UINT32_MAX; k = next_live(l, live, k + 1))
		lower_set_local(l, k, join(l, b, slot++));
	for (l->depth = 0; l->depth < b->depth; l->depth++)
		l->stack[l->depth] = join(l, b, slot++);
}

static bool add_param(struct lower *l, uint32_t number, uint32_t *local, enum ir_kind kind)
{
	uint32_t size = is_wide(kind) ? 2 : 1;

	if (*local + size > l->code.max_locals)
		return lower_fail(l, DIAG_E020, 0, "more parameters than local variables");
	ir_value v = builder_stmt(&l->b, IR_PARAM, 0, number, kind, NULL, 0);

	if (*local < l->nlocals)
		lower_set_local(l, *local, v);
	*local += size;
	return true;
}

static bool add_params(struct lower *l)
{
	uint32_t local = 0, self = l->is_static ? 0 : 1;

	if (self && !add_param(l, 0, &local, IR_KIND_OBJECT))
		return false;
	for (uint32_t k = 0; k < l->sig.nparams; k++)
		if (!add_param(l, self + k, &local, (enum ir_kind)l->sig.params[k]))
			return false;
	l->undef_at = l->b.stmts.len;
	return true;
}

static bool add_catch(struct lower *l, class_id type)
{
	if (l->code.max_stack == 0)
		return lower_fail(l, DIAG_E020, l->b.pc, "stack overflow");
	l->stack[0] = builder_stmt(&l->b, IR_CATCH, 0, type.i, IR_KIND_OBJECT, NULL, 0);
	l->depth = 1;
	return true;
}

static bool execute_code(struct lower *l, const struct lower_block *b)
{
	for (uint32_t i = b->first; i < b->end; i++) {
		lower_exec(l, &l->insns[i]);
		if (l->what)
			return false;
	}
	if (l->b.stmts.len == b->first_stmt || !ir_is_terminator(vec_last(&l->b.stmts)->op))
		builder_stmt(&l->b, IR_GOTO, 0, 0, IR_KIND_NONE, NULL, 0);
	return true;
}

static bool execute_block(struct lower *l, uint32_t n)
{
	struct lower_block *b = &l->blocks[n];

	l->b.pc = l->insns[b->first].pc;
	b->first_stmt = l->b.stmts.len;
	start_block(l, n);
	if (b->kind == BLOCK_ENTRY && !add_params(l))
		return false;
	for (uint32_t k = 0; k < b->nhandlers; k++)
		if (!flow(l, n, l->edges[b->handlers + k], 0))
			return false;
	if (b->is_handler && !add_catch(l, b->type))
		return false;
	if (!execute_code(l, b))
		return false;
	b->end_stmt = l->b.stmts.len;
	for (uint32_t k = 0; k < b->nsuccs; k++)
		if (!flow(l, n, l->edges[b->succs + k], l->depth))
			return false;
	return true;
}

bool lower_execute(struct lower *l)
{
	l->locals = arena_zarray(l->scratch, ir_value, l->nlocals);
	l->stack = arena_array(l->scratch, ir_value, l->code.max_stack);
	vec_reserve(&l->b.stmts, l->ninsns + 8);
	vec_reserve(&l->b.args, l->ninsns + 8);
	vec_reserve(&l->b.kinds, l->ninsns + 8);
	for (uint32_t n = 0; n < l->nblocks; n++)
		if (!execute_block(l, n))
			return false;
	return true;
}
