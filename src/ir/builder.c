/* SPDX-License-Identifier: Apache-2.0 */
/* builder.c - see builder.h. */
#include "ir/builder.h"

void builder_release(struct body_builder *b)
{
	vec_release(&b->stmts);
	vec_release(&b->args);
	vec_release(&b->longs);
	vec_release(&b->dynamics);
	vec_release(&b->kinds);
	vec_release(&b->blocks);
	vec_release(&b->succs);
	vec_release(&b->handlers);
}

ir_value builder_value(struct body_builder *b, enum ir_kind kind)
{
	if (b->kinds.len == 0)
		vec_push(&b->kinds, IR_KIND_NONE);
	vec_push(&b->kinds, (uint8_t)kind);
	return b->kinds.len - 1;
}

ir_value builder_stmt(struct body_builder *b, enum ir_op op, unsigned sub, uint32_t ref, enum ir_kind kind,
		      const ir_value *args, uint32_t nargs)
{
	struct ir_stmt s = { .op = (uint16_t)op, .sub = (uint16_t)sub, .pc = b->pc, .ref = ref };

	if (!b->outline) {
		s.args = b->args.len;
		s.nargs = nargs;
		vec_reserve(&b->args, (uint64_t)b->args.len + nargs);
		for (uint32_t i = 0; i < nargs; i++)
			b->args.data[b->args.len++] = args[i];
		if (kind != IR_KIND_NONE)
			s.result = builder_value(b, kind);
	}
	vec_push(&b->stmts, s);
	return s.result;
}

uint32_t builder_long(struct body_builder *b, int64_t v)
{
	vec_push(&b->longs, v);
	return b->longs.len - 1;
}

uint32_t builder_dynamic(struct body_builder *b, mref_id bootstrap, sel_id sel)
{
	vec_push(&b->dynamics, ((struct ir_dynamic){ bootstrap, sel }));
	return b->dynamics.len - 1;
}

static void start_block(struct body_builder *b, uint32_t first)
{
	struct builder_block k = { first, b->succs.len, b->handlers.len, b->pc };

	vec_push(&b->blocks, k);
}

uint32_t builder_block(struct body_builder *b)
{
	if (b->blocks.len == 0 && b->stmts.len > 0)
		start_block(b, 0);
	start_block(b, b->stmts.len);
	return b->blocks.len - 1;
}

static void need_block(struct body_builder *b)
{
	if (b->blocks.len == 0)
		start_block(b, 0);
}

void builder_succ(struct body_builder *b, uint32_t block)
{
	need_block(b);
	vec_push(&b->succs, block);
}

void builder_handler(struct body_builder *b, uint32_t block)
{
	need_block(b);
	vec_push(&b->handlers, block);
}

/* Counts (edges == NULL) or stores the predecessors; a block is listed once even with several edges. */
static void add_preds(struct ir_block *blocks, uint32_t n, const uint32_t *all, uint32_t *edges, uint32_t *last)
{
	for (uint32_t i = 0; i < n; i++)
		last[i] = UINT32_MAX;
	for (uint32_t i = 0; i < n; i++) {
		/* successors and handlers are adjacent */
		const uint32_t *to = all + blocks[i].succs;
		uint32_t count = blocks[i].nsuccs + blocks[i].nhandlers;

		for (uint32_t k = 0; k < count; k++) {
			struct ir_block *t = &blocks[to[k]];

			if (last[to[k]] == i)
				continue;
			last[to[k]] = i;
			if (edges)
				edges[t->preds + t->npreds] = i;
			t->npreds++;
		}
	}
}

static void fill_edges(const struct body_builder *b, struct ir_block *blocks, uint32_t *edges)
{
	uint32_t n = b->blocks.len, at = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct builder_block *k = &b->blocks.data[i];
		uint32_t succs_end = i + 1 < n ? k[1].succs : b->succs.len;
		uint32_t handlers_end = i + 1 < n ? k[1].handlers : b->handlers.len;

		blocks[i].first = k->first;
		blocks[i].end = i + 1 < n ? k[1].first : b->stmts.len;
		blocks[i].pc = k->pc;
		blocks[i].succs = at;
		blocks[i].nsuccs = succs_end - k->succs;
		for (uint32_t s = k->succs; s < succs_end; s++)
			edges[at++] = b->succs.data[s];
		blocks[i].handlers = at;
		blocks[i].nhandlers = handlers_end - k->handlers;
		for (uint32_t s = k->handlers; s < handlers_end; s++)
			edges[at++] = b->handlers.data[s];
	}
	for (uint32_t i = 0; i < at; i++)
		if (edges[i] >= n)
			BUG("edge to block %u of %u", (unsigned)edges[i], (unsigned)n);
}

uint32_t blocks_fill_preds(struct ir_block *blocks, uint32_t n, uint32_t *edges, uint32_t at, struct arena *mem)
{
	uint32_t *last = arena_array(mem, uint32_t, n);

	add_preds(blocks, n, edges, NULL, last);
	for (uint32_t i = 0; i < n; i++) {
		blocks[i].preds = at;
		at += blocks[i].npreds;
		blocks[i].npreds = 0;
	}
	add_preds(blocks, n, edges, edges, last);
	return at;
}

struct ir_body builder_finish(struct body_builder *b, struct arena *mem)
{
	need_block(b);
	uint32_t n = b->blocks.len, out_edges = b->succs.len + b->handlers.len;
	struct ir_block *blocks = arena_zarray(mem, struct ir_block, n);
	uint32_t *edges = out_edges ? arena_array(mem, uint32_t, (size_t)out_edges * 2) : NULL;

	if (out_edges) {
		fill_edges(b, blocks, edges);
		blocks_fill_preds(blocks, n, edges, out_edges, mem);
	} else {
		fill_edges(b, blocks, NULL);
	}
	const struct ir_block *last = &blocks[n - 1];
	struct ir_body body = {
		.blocks = blocks, .nblocks = n,
		.stmts = arena_copy(mem, b->stmts.data, b->stmts.len * sizeof(*b->stmts.data)), .nstmts = b->stmts.len,
		.args = arena_copy(mem, b->args.data, b->args.len * sizeof(*b->args.data)), .nargs = b->args.len,
		.longs = arena_copy(mem, b->longs.data, b->longs.len * sizeof(*b->longs.data)), .nlongs = b->longs.len,
		.dynamics = arena_copy(mem, b->dynamics.data, b->dynamics.len * sizeof(*b->dynamics.data)),
		.ndynamics = b->dynamics.len,
		.edges = edges, .nedges = out_edges ? last->preds + last->npreds : 0,
		.nvalues = b->kinds.len ? b->kinds.len - 1 : 0,
	};

	if (!b->outline)
		body.kinds = b->kinds.len ? arena_copy(mem, b->kinds.data, b->kinds.len) : arena_zalloc(mem, 1);
	return body;
}
