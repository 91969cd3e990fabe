/* SPDX-License-Identifier: Apache-2.0 */
/* builder.h - makes bodies statement by statement: for the text form, synthetic methods and lowering.
 *
 *	struct body_builder b = {0};
 *	ir_value self = builder_stmt(&b, IR_PARAM, 0, 0, IR_KIND_OBJECT, NULL, 0);
 *	builder_stmt(&b, IR_CALL_VIRTUAL, 0, run.i, IR_KIND_NONE, &self, 1);
 *	builder_stmt(&b, IR_RETURN, 0, 0, IR_KIND_NONE, NULL, 0);
 *	struct ir_body body = builder_finish(&b, mem);
 *	builder_release(&b);
 *
 * Block 0 starts by itself. With several blocks, give the terminator's targets with builder_succ(); block
 * numbers may be used before the block is started. The blocks must be in reverse postorder. */
#ifndef IR_BUILDER_H
#define IR_BUILDER_H

#include "ir/body.h"

struct builder_block {
	uint32_t first;                    /* statement; it ends where the next block starts */
	uint32_t succs, handlers;          /* rows of the lists below where its edges start */
	uint32_t pc;
};

/* All zero is an empty builder. */
struct body_builder {
	VEC(struct ir_stmt) stmts;
	VEC(ir_value) args;
	VEC(int64_t) longs;
	VEC(struct ir_dynamic) dynamics;
	VEC(uint8_t) kinds;                /* by value; [0] is added with the first value */
	VEC(struct builder_block) blocks;
	VEC(uint32_t) succs, handlers;
	uint32_t pc;                       /* given to the statements that follow */
	bool outline;                      /* no operands and no results: builder_stmt drops them */
};

void builder_release(struct body_builder *b);

/* Adds a statement; `kind` is the kind of its result, IR_KIND_NONE: it has none. Returns the result, or 0.
 * `args` is copied. */
ir_value builder_stmt(struct body_builder *b, enum ir_op op, unsigned sub, uint32_t ref, enum ir_kind kind,
		      const ir_value *args, uint32_t nargs);
ir_value builder_value(struct body_builder *b, enum ir_kind kind);   /* a new value without a statement yet */
uint32_t builder_long(struct body_builder *b, int64_t v);            /* its row, for IR_CONST_LONG, IR_SWITCH */
uint32_t builder_dynamic(struct body_builder *b, mref_id bootstrap, sel_id sel);

uint32_t builder_block(struct body_builder *b);    /* starts the next block; returns its number */
void builder_succ(struct body_builder *b, uint32_t block);       /* of the current block */
void builder_handler(struct body_builder *b, uint32_t block);    /* of the current block; innermost first */

/* The body so far, copied into `mem`; predecessors are computed: those of a block ascend, each once. Edges to
 * blocks that do not exist are a bug; everything else is left to body_check(). */
struct ir_body builder_finish(struct body_builder *b, struct arena *mem);

/* Computes the predecessors of blocks whose successors, and right behind them handlers, are in `edges`: they go to
 * edges[at ..), for which there is room. Returns where they end. `npreds` is 0 before. */
uint32_t blocks_fill_preds(struct ir_block *blocks, uint32_t n, uint32_t *edges, uint32_t at, struct arena *mem);

#endif
