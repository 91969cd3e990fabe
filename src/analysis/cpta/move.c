/* SPDX-License-Identifier: Apache-2.0 */
/* move.c - memory that is copied as a whole: what is at an offset behind the source comes to the same offset behind
 * the destination.
 *
 * memcpy() and assignments of structs copy many cells at once, from all objects that one pointer may point to to all
 * that another may. A move has one node for each such offset, between all of its sources and all of its destinations:
 * as many inclusions as there are sources and destinations, not as there are pairs of them. A cell that stands for
 * many offsets (of an array, of a collapsed object) goes to all that it may stand for. */
#include "analysis/cpta/cpta_p.h"

uint32_t move_new(struct cpta *a, uint32_t width)
{
	vec_push(&a->moves, ((struct move){ .width = width }));
	return a->moves.len - 1;
}

/* Are its cells known without looking at what was met so far? */
static bool is_laid_out(const struct cpta *a, uint32_t obj)
{
	const struct memory *m = &a->memories.data[obj];

	return m->single || m->collapsed || a->p->objs.data[obj].layout.i;
}

struct pour {
	struct cpta *a;
	node_id from;
	uint32_t obj;
};

static void pour_into(void *ctx, uint64_t off)
{
	struct pour *to = ctx;

	solver_copy(to->a->s, to->from, content(to->a, cell_at(to->a, to->obj, off)), (mask_id){ 0 });
}

/* Of what is laid out: a flexible array may go on behind its struct. */
static uint64_t size_of(const struct cpta *a, uint32_t obj)
{
	const struct cobj *o = &a->p->objs.data[obj];
	uint64_t size = o->layout.i ? a->p->layouts.data[o->layout.i].size : 0;

	return (o->flags & COBJ_REPEATS) || o->size < size ? size : o->size;
}

/* Everything of the object from `at` on: what comes from a cell for many offsets may be at any of them. */
static void pour_over(struct cpta *a, node_id from, uint32_t obj, uint64_t at, uint64_t len)
{
	struct pour to = { a, from, obj };
	const struct cobj *o = &a->p->objs.data[obj];
	uint64_t size = size_of(a, obj);

	if (o->layout.i && (o->flags & COBJ_REPEATS))
		at = 0;
	if (o->layout.i && at < size)
		clayout_each(a->p, o->layout, at, len && len < size - at ? len : size - at, pour_into, &to);
}

/* What comes from a cell for many offsets is at the same cell of an object of the same layout, if the move starts at
 * the same offset there; else it may be anywhere behind. An object whose layout is not known has no cells to list: it
 * collapses. */
static void connect_folded(struct cpta *a, const struct move *m, const struct piece *x, uint32_t dest)
{
	struct cell d = a->cells.data[dest];

	if (!is_laid_out(a, d.obj))
		collapse(a, d.obj);
	if (a->memories.data[d.obj].collapsed || a->memories.data[d.obj].single)
		solver_copy(a->s, x->node, content(a, cell_at(a, d.obj, 0)), (mask_id){ 0 });
	else if (x->layout.i == a->p->objs.data[d.obj].layout.i && x->from == d.off)
		solver_copy(a->s, x->node, content(a, cell_at(a, d.obj, x->at)), (mask_id){ 0 });
	else
		pour_over(a, x->node, d.obj, d.off + x->rel, m->width > x->rel ? m->width - x->rel : 0);
}

static void connect(struct cpta *a, uint32_t move, uint32_t piece, uint32_t dest)
{
	struct move m = a->moves.data[move];
	struct piece x = a->piece_rows.data[piece];
	struct cell d = a->cells.data[dest];

	if (d.any)
		solver_copy(a->s, x.node, cell_into(a, dest), (mask_id){ 0 });
	else if (x.folded)
		connect_folded(a, &m, &x, dest);
	else
		solver_copy(a->s, x.node, content(a, cell_at(a, d.obj, d.off + x.rel)), (mask_id){ 0 });
}

static bool is_piece(const struct piece *x, const struct piece *wanted)
{
	return x->rel == wanted->rel && x->folded == wanted->folded &&
	       (!x->folded || (x->layout.i == wanted->layout.i && x->from == wanted->from && x->at == wanted->at));
}

/* The node for this offset; a new one is connected to the destinations that are known, later ones find it in the list. */
static uint32_t piece_of(struct cpta *a, uint32_t move, struct piece wanted)
{
	struct move *m = &a->moves.data[move];

	for (uint32_t x = m->pieces; x; x = a->piece_rows.data[x].next)
		if (is_piece(&a->piece_rows.data[x], &wanted))
			return x;
	uint32_t x = a->piece_rows.len;

	wanted.node = solver_nodes(a->s, 1);
	vec_push(&a->piece_rows, wanted);
	if (m->last)
		a->piece_rows.data[m->last].next = x;
	else
		m->pieces = x;
	m->last = x;
	for (uint32_t i = 0; i < a->moves.data[move].dests.len; i++)
		connect(a, move, x, a->moves.data[move].dests.data[i]);
	return x;
}

static void take(struct cpta *a, uint32_t move, uint32_t cell, struct piece x)
{
	uint32_t piece = piece_of(a, move, x);

	solver_copy(a->s, content(a, cell), a->piece_rows.data[piece].node, (mask_id){ 0 });
}

/* From an object whose cells are known by their layout: it was laid out, or is one cell. */
struct reading {
	struct cpta *a;
	uint32_t move, obj;
	uint64_t from;
	bool folded;
};

static void read_cell(void *ctx, uint64_t off)
{
	struct reading *r = ctx;
	clayout_id layout = r->a->p->objs.data[r->obj].layout;
	bool behind = off >= r->from, array = clayout_in_array(r->a->p, layout, off, 0);
	struct piece x = { .rel = behind ? off - r->from : 0, .folded = r->folded || array || !behind,
			   .layout = layout, .from = r->from, .at = off };

	take(r->a, r->move, cell_at(r->a, r->obj, off), x);
}

static void add_mover(struct cpta *a, uint32_t move, uint32_t from)
{
	struct memory *m = &a->memories.data[a->cells.data[from].obj];

	vec_push(&a->mover_rows, ((struct mover){ move, from, m->movers }));
	m->movers = a->mover_rows.len - 1;
}

static void read_laid_out(struct cpta *a, uint32_t move, uint32_t cell)
{
	struct cell c = a->cells.data[cell];
	clayout_id layout = a->p->objs.data[c.obj].layout;
	uint64_t size = size_of(a, c.obj), width = a->moves.data[move].width;
	bool loops = (a->p->objs.data[c.obj].flags & COBJ_REPEATS) && (!width || width > size - c.off);
	struct reading r = { a, move, c.obj, c.off, loops };

	add_mover(a, move, cell);
	if (loops)
		clayout_each(a->p, layout, 0, size, read_cell, &r);
	else if (c.off < size)
		clayout_each(a->p, layout, c.off, width && width < size - c.off ? width : size - c.off, read_cell, &r);
}

/* Of one pointer at most: it comes to where the move goes to, whatever it is read from. */
static bool is_narrow(const struct cpta *a, uint32_t move)
{
	uint64_t width = a->moves.data[move].width;

	return width && width <= a->p->pointer_size;
}

/* From an object that is one cell for all offsets. */
static void read_whole(struct cpta *a, uint32_t move, uint32_t obj)
{
	uint64_t size = a->p->objs.data[obj].size;
	bool scalar = a->memories.data[obj].single && size && size <= a->p->pointer_size;

	take(a, move, cell_at(a, obj, 0), (struct piece){ .folded = !scalar && !is_narrow(a, move) });
}

static void read_raw_cell(struct cpta *a, uint32_t move, uint32_t from, uint32_t cell)
{
	uint64_t stride = a->memories.data[a->cells.data[cell].obj].stride, width = a->moves.data[move].width;
	uint64_t start = a->cells.data[from].off, at = a->cells.data[cell].off;

	if (stride) {
		uint64_t rel = (at % stride + stride - start % stride) % stride;

		if (!width || rel < width)
			take(a, move, cell, (struct piece){ .rel = rel, .folded = !width || width > stride });
	} else if (at >= start && (!width || at - start < width)) {
		take(a, move, cell, (struct piece){ .rel = at - start });
	}
}

/* From an object of unknown layout: the cells that there are, and those to come (movers_see_cell). */
static void read_raw(struct cpta *a, uint32_t move, uint32_t from)
{
	uint32_t obj = a->cells.data[from].obj;

	add_mover(a, move, from);
	for (uint32_t c = a->memories.data[obj].cells; c; c = a->cells.data[c].next)
		read_raw_cell(a, move, from, c);
}

void move_from(struct cpta *a, uint32_t move, uint32_t cell)
{
	uint32_t obj = a->cells.data[cell].obj;
	const struct memory *m = &a->memories.data[obj];

	if (a->p->objs.data[obj].kind == COBJ_FUNCTION)
		return;
	if (a->cells.data[cell].any && !m->collapsed)
		take(a, move, cell, (struct piece){ .folded = !is_narrow(a, move) });
	else if (m->collapsed || m->single)
		read_whole(a, move, obj);
	else if (a->p->objs.data[obj].layout.i)
		read_laid_out(a, move, cell);
	else
		read_raw(a, move, cell);
}

void move_to(struct cpta *a, uint32_t move, uint32_t cell)
{
	vec_push(&a->moves.data[move].dests, cell);
	for (uint32_t x = a->moves.data[move].pieces; x; x = a->piece_rows.data[x].next)
		connect(a, move, x, cell);
}

void movers_see_cell(struct cpta *a, uint32_t cell)
{
	for (uint32_t r = a->memories.data[a->cells.data[cell].obj].movers; r; r = a->mover_rows.data[r].next)
		read_raw_cell(a, a->mover_rows.data[r].move, a->mover_rows.data[r].from, cell);
}

void movers_see_fold(struct cpta *a, uint32_t obj)
{
	uint32_t first = a->memories.data[obj].movers;

	for (uint32_t r = first; r; r = a->mover_rows.data[r].next) {
		struct mover row = a->mover_rows.data[r];

		if (a->memories.data[obj].collapsed)
			read_whole(a, row.move, obj);
		for (uint32_t c = a->memories.data[obj].cells; c && !a->memories.data[obj].collapsed; c = a->cells.data[c].next)
			read_raw_cell(a, row.move, row.from, c);
	}
}
