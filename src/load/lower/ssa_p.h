/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_p.h - the state of lowering one method to SSA form, and its passes in their order:
 *   lower_decode   instructions, and which of them start a block
 *   lower_graph    blocks that are reachable, in reverse postorder, with edges and predecessors
 *   lower_live     local variables live at each block's start
 *   lower_execute  statements, by abstract execution of each block
 *   lower_finish   phis, numbering, the body
 * Each returns false after lower_fail(). All memory but the builder's is in `scratch`. */
#ifndef LOAD_LOWER_SSA_P_H
#define LOAD_LOWER_SSA_P_H

#include "formats/classfile/bytecode.h"
#include "load/lower/lower_p.h"

/* Limits that real methods do not come near; they bound time and memory on hostile ones. */
#define LOWER_MAX_BLOCKS 200000u           /* after cloning subroutines */
#define LOWER_MAX_INSNS 1000000u           /* in these blocks */
#define LOWER_MAX_WORK 100000000u          /* steps when matching handlers with blocks and calls with
					    * subroutines, or in liveness */
#define LOWER_MAX_SLOTS 8000000u           /* values that flow along edges, and words of liveness sets */

enum block_kind { BLOCK_CODE, BLOCK_ENTRY, BLOCK_LANDING };

struct lower_block {
	uint8_t kind;                      /* a BLOCK_LANDING only catches and goes on to its successor */
	bool throws;                       /* has a statement that may throw */
	bool is_handler;                   /* starts with IR_CATCH of `type` */
	class_id type;
	uint32_t first, end;               /* instructions */
	uint32_t context;
	uint32_t succs, nsuccs;            /* l->edges[succs ..) */
	uint32_t handlers, nhandlers;
	uint32_t preds, npreds;
	/* lower_execute: values at the start, for each live local and stack slot, one row a predecessor */
	uint32_t nslots, depth;
	uint32_t filled, last_pred;        /* rows so far; the block that filled the last one */
	ir_value *in, *phis;               /* phis: by slot; 0: none. NULL: one predecessor */
	uint32_t first_stmt, end_stmt;
};

struct lower {
	struct program *p;
	struct unit *u;
	uint16_t index;
	struct arena *scratch;
	struct cf_code code;
	struct signature sig;
	bool is_static;
	/* lower_decode */
	struct insn *insns;                /* short forms replaced by general ones, see lower_decode.c */
	uint32_t ninsns;
	uint16_t *insn_at;                 /* by pc: instruction number + 1; 0: none starts there */
	uint8_t *leader;                   /* by instruction */
	uint32_t nlocals;                  /* variables in use */
	/* lower_graph */
	struct lower_block *blocks;
	uint32_t nblocks;
	uint32_t *edges;
	uint32_t nedges;
	/* lower_live */
	uint64_t *live;                    /* by block: `words` words */
	uint32_t words;
	/* lower_execute */
	struct body_builder b;
	ir_value *locals, *stack;
	uint32_t depth, slots, undef_at;   /* undef_at: statements of the entry block before its code */
	uint32_t *slot_of, nslot_of;       /* by value, as in ir_body.slots; empty unless p->keeps_slots */
	/* the first failure */
	const char *what;
	enum diag_code what_code;
	uint32_t what_pc;
};

/* Records the first failure; returns false. */
bool lower_fail(struct lower *l, enum diag_code code, uint32_t pc, const char *what);

bool lower_decode(struct lower *l);
bool lower_graph(struct lower *l);
bool lower_live(struct lower *l);
bool lower_execute(struct lower *l);
void lower_finish(struct lower *l, struct ir_body *body, struct arena *mem);

bool lower_may_throw(const struct lower *l, const struct insn *in);
/* Whether the instruction reads or writes a local variable: its number is in->a. */
static inline bool insn_loads(const struct insn *in)
{
	return (in->op >= BC_iload && in->op <= BC_aload) || in->op == BC_iinc;
}
static inline bool insn_stores(const struct insn *in)
{
	return (in->op >= BC_istore && in->op <= BC_astore) || in->op == BC_iinc;
}
static inline enum ir_kind lower_kind(const struct lower *l, ir_value v)      /* 0 has none */
{
	return v ? (enum ir_kind)l->b.kinds.data[v] : IR_KIND_NONE;
}
static inline bool is_wide(enum ir_kind k)
{
	return k == IR_KIND_LONG || k == IR_KIND_DOUBLE;
}

void lower_set_local(struct lower *l, uint32_t n, ir_value v);      /* local variable n holds v from now on */

/* Executes one instruction; lower_exec.c. */
void lower_exec(struct lower *l, const struct insn *in);

#endif
