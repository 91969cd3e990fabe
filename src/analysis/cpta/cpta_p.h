/* SPDX-License-Identifier: Apache-2.0 */
/* cpta_p.h - the inside of an analysis: how a program becomes constraints.
 *
 * Variable v of the program is node v of the solver, counted from `vars`. A cell is an object of the solver with one slot, its
 * content. Offsets are the matter of cells.c, memory that is copied as a whole of move.c, functions and calls of generate.c. */
#ifndef ANALYSIS_CPTA_P_H
#define ANALYSIS_CPTA_P_H

#include "analysis/cpta/cpta.h"
#include "base/map.h"
#include "solve/solve.h"

struct cell {
	uint32_t obj, next;          /* the next cell of the object; 0: the last one */
	uint64_t off;
	object_id object;
	node_id content;             /* what is in it; its slot 0 */
	bool any;                    /* stands for a place of the object that is not known: see `any` below */
};

/* What an object of the program is to the analysis. */
struct memory {
	uint32_t cells, last;        /* a list in the order of making; 0: none */
	uint32_t ncells;
	uint32_t movers;             /* a list in `mover_rows`: moves that read it */
	uint32_t lost;               /* a list in `lost_rows`: shifts that lead out of it */
	uint64_t stride;             /* layout not known: offsets are taken modulo this; 0: they are not */
	/* The cell of pointers into the object whose offset is not known; 0: there are none. It has two slots: what is in any cell of
	 * the object is in the first; the second is stored to, and when a pointer is, the object collapses. So such pointers do no
	 * harm before: most are to bytes. */
	uint32_t any;
	bool collapsed;              /* is the cell at 0 only */
	bool single;                 /* can only have one cell, by its layout */
};

struct mover {
	uint32_t move, from;         /* the cell it starts at */
	uint32_t next;
};

/* A pointer to the cell that a C_SHIFT moves out of the object: nothing, unless the object collapses later. */
struct lost {
	uint32_t watch, cell;
	uint32_t next;
};

/* Part of what a C_MOVE moves: what is at this offset behind its source. */
struct piece {
	uint64_t rel;
	node_id node;
	bool folded;                 /* and at others */
	clayout_id layout;           /* folded: of the object that it is from; none: not known */
	uint64_t from, at;           /* folded: the offset from which that is read, and that of the cell */
	uint32_t next;
};

struct move {
	uint32_t width;
	uint32_t pieces, last;       /* a list */
	VEC(uint32_t) dests;         /* cells */
};

/* What a watch is about: its tag is a row. */
enum cwatch_kind { CWATCH_SHIFT, CWATCH_CALL, CWATCH_MOVE_FROM, CWATCH_MOVE_TO, CWATCH_ANY };
struct cwatch {
	uint8_t kind, flags;
	uint32_t row;                /* the node that gets it; the call; the move; the object */
	int32_t off;
	uint32_t width;
};

/* An indirect call may call the function. */
struct cedge {
	uint32_t call, fn;
};

struct cpta {
	const struct cprogram *p;
	struct cpta_opt opt;
	struct solver *s;
	kind_id data, code, anywhere;
	mask_id functions, places, anywheres;        /* places: all but those of cells that are `any` */
	uint32_t vars;               /* the node of variable 0 */
	VEC(struct cell) cells;      /* [0] unused */
	VEC(struct memory) memories; /* by object of the program */
	VEC(uint32_t) category;      /* the same, for CENGINE_CATEGORIES */
	VEC(uint32_t) cell_of;       /* by object of the solver, from KINDS_MAX on */
	struct map cell_at;          /* (object, offset) to the cell */
	VEC(struct cwatch) watches;
	VEC(struct move) moves;
	VEC(struct piece) piece_rows;        /* [0] unused */
	VEC(struct mover) mover_rows;        /* [0] unused */
	VEC(struct lost) lost_rows;  /* [0] unused */
	VEC(uint8_t) reached;        /* by function */
	VEC(cfn_id) pending;         /* reached, statements not looked at yet */
	struct map linked;           /* (call, function) of indirect calls */
	VEC(struct cedge) edges;     /* the same, sorted when solved */
	uint64_t mismatched;
	struct map seen;             /* statements of the function under way, by their hashes */
	struct map moved;            /* (2 * move + is destination, cell) */
	uint32_t nnodes;             /* when solved */
};

/* cells.c */
void cells_init(struct cpta *a);
uint32_t cell_at(struct cpta *a, uint32_t obj, uint64_t off);        /* made when new */
/* What &object + off points to: where no cell starts, any place of the object. */
uint32_t cell_address(struct cpta *a, uint32_t obj, int32_t off, uint8_t flags);
uint32_t cell_find(const struct cpta *a, uint32_t obj, uint64_t off);        /* 0: there is none */
/* Where pointers to the cell point after a C_SHIFT: at most two cells; 0: nowhere. May collapse the object. */
struct shifted { uint32_t cell[2]; };
struct shifted cell_shift(struct cpta *a, uint32_t cell, const struct cwatch *w);
void collapse(struct cpta *a, uint32_t obj);
/* Where what is stored to the cell goes. */
node_id cell_into(const struct cpta *a, uint32_t cell);
static inline node_id content(const struct cpta *a, uint32_t cell)
{
	return a->cells.data[cell].content;
}
static inline uint32_t cell_of(const struct cpta *a, object_id o)
{
	return a->cell_of.data[o.i - KINDS_MAX];
}

/* move.c */
uint32_t move_new(struct cpta *a, uint32_t width);
void move_from(struct cpta *a, uint32_t move, uint32_t cell);
void move_to(struct cpta *a, uint32_t move, uint32_t cell);
void movers_see_cell(struct cpta *a, uint32_t cell);         /* a new one */
void movers_see_fold(struct cpta *a, uint32_t obj);          /* offsets of the object are no longer what they were */

/* generate.c */
void cwatch_add(struct cpta *a, node_id n, mask_id guard, struct cwatch w);
void reach(struct cpta *a, cfn_id f);
void generate_pending(struct cpta *a);
void shift_again(struct cpta *a, uint32_t obj);              /* what led out of the object */
void on_news(void *ctx, uint32_t tag, struct set_view news);

#endif
