/* SPDX-License-Identifier: Apache-2.0 */
/* generate.c - functions that are reached become constraints; what arrives at watched nodes makes more of them.
 *
 * An address adds a cell to a node, a copy is an inclusion, a load or store goes through the slot of every cell that
 * arrives. What depends on which cell that is - arithmetic, a call through a pointer, a copy of memory - is a watch of
 * the solver, which learns of each once. A function's statements are looked at when it is first called or starts by
 * itself: code that nobody calls adds nothing. */
#include "analysis/cpta/cpta_p.h"
#include "base/hash.h"

static const mask_id ALL = { 0 };

static node_id node_of(const struct cpta *a, uint32_t var)
{
	return (node_id){ a->vars + var };
}

static void add_pointer(struct cpta *a, node_id to, uint32_t cell)
{
	solver_add(a->s, to, a->cells.data[cell].object);
}

static void copy(struct cpta *a, node_id from, node_id to)
{
	solver_copy(a->s, from, to, ALL);
}

void cwatch_add(struct cpta *a, node_id n, mask_id guard, struct cwatch w)
{
	vec_push(&a->watches, w);
	solver_watch(a->s, n, guard, a->watches.len - 1);
}

void reach(struct cpta *a, cfn_id f)
{
	if (a->reached.data[f.i])
		return;
	a->reached.data[f.i] = true;
	vec_push(&a->pending, f);
}

/* Arguments beyond the parameters of a variadic function are in an object of their own. */
static void pass_rest(struct cpta *a, const struct cfn *f, cvar_id arg)
{
	if (f->rest.i && arg.i)
		copy(a, node_of(a, arg.i), content(a, cell_at(a, f->rest.i, 0)));
}

/* Allocators return memory of the call's own: a statement beside a direct call says so. A call through a pointer has
 * an object for the case that an allocator arrives there; else all that call it by pointers would share its memory. */
static void link_result(struct cpta *a, const struct ccall *c, const struct cfn *f)
{
	bool allocates = f->flags & CFN_ALLOCATES;

	if (allocates && (c->flags & CCALL_FRESH))
		return;
	if (allocates && !c->callee.i && c->memory.i && !f->realloc && !f->returns) {
		add_pointer(a, node_of(a, c->result.i), cell_at(a, c->memory.i, 0));
		if (f->other.i)
			copy(a, node_of(a, f->other.i), node_of(a, c->result.i));
	} else if (f->result.i)
		copy(a, node_of(a, f->result.i), node_of(a, c->result.i));
}

static void link_call(struct cpta *a, uint32_t call, cfn_id to)
{
	const struct ccall *c = &a->p->calls.data[call];
	const struct cfn *f = &a->p->fns.data[to.i];

	reach(a, to);
	for (uint32_t i = 0; i < c->nargs; i++) {
		cvar_id arg = a->p->args.data[c->args + i];

		if (i >= f->nparams)
			pass_rest(a, f, arg);
		else if (arg.i)
			copy(a, node_of(a, arg.i), node_of(a, f->params + i));
	}
	if (c->result.i)
		link_result(a, c, f);
}

static void generate_call(struct cpta *a, uint32_t call)
{
	const struct ccall *c = &a->p->calls.data[call];

	if (c->callee.i)
		link_call(a, call, c->callee);
	else if (c->pointer.i)
		cwatch_add(a, node_of(a, c->pointer.i), a->functions, (struct cwatch){ .kind = CWATCH_CALL, .row = call });
}

static void generate_move(struct cpta *a, const struct cstmt *s)
{
	uint32_t move = move_new(a, s->width);

	cwatch_add(a, node_of(a, s->src), ALL, (struct cwatch){ .kind = CWATCH_MOVE_FROM, .row = move });
	cwatch_add(a, node_of(a, s->dst), ALL, (struct cwatch){ .kind = CWATCH_MOVE_TO, .row = move });
}

/* Where objects are one cell, arithmetic leads nowhere else: it is a copy. */
static void generate_shift(struct cpta *a, const struct cstmt *s)
{
	if (!a->opt.fields || cir_is_copy(s))
		copy(a, node_of(a, s->src), node_of(a, s->dst));
	else
		cwatch_add(a, node_of(a, s->src), ALL,
		      (struct cwatch){ .kind = CWATCH_SHIFT, .flags = s->flags, .row = node_of(a, s->dst).i, .off = s->off,
				      .width = s->width });
}

static uint64_t place(int32_t off)
{
	return off < 0 ? 0 : (uint64_t)off;
}

static void generate_stmt(struct cpta *a, const struct cstmt *s)
{
	switch ((enum cop)s->op) {
	case C_ADDR:
		add_pointer(a, node_of(a, s->dst), cell_address(a, s->src, s->off, s->flags));
		break;
	case C_COPY:
		copy(a, node_of(a, s->src), node_of(a, s->dst));
		break;
	case C_SHIFT:
		generate_shift(a, s);
		break;
	case C_GET:
		copy(a, content(a, cell_at(a, s->src, place(s->off))), node_of(a, s->dst));
		break;
	case C_PUT:
		copy(a, node_of(a, s->src), content(a, cell_at(a, s->dst, place(s->off))));
		break;
	case C_LOAD:
		solver_load(a->s, node_of(a, s->src), ALL, 0, node_of(a, s->dst), ALL);
		break;
	case C_STORE:                    /* through a pointer to an unknown place of an object: to the second slot, see struct memory */
		solver_store(a->s, node_of(a, s->src), node_of(a, s->dst), a->places, 0);
		solver_store(a->s, node_of(a, s->src), node_of(a, s->dst), a->anywheres, 1);
		break;
	case C_MOVE:
		generate_move(a, s);
		break;
	case C_CALL:
		generate_call(a, s->dst);
		break;
	}
}

/* Statements that move nothing are there for their effects: what they name becomes a cell, of which modref can tell. */
static bool moves_something(const struct cstmt *s)
{
	return s->op == C_CALL || (s->dst && s->src);
}

static void make_named_cell(struct cpta *a, const struct cstmt *s)
{
	if (s->op == C_GET || s->op == C_PUT)
		cell_at(a, s->op == C_GET ? s->src : s->dst, place(s->off));
}

static bool same_stmt(const struct cstmt *x, const struct cstmt *y)
{
	return x->op == y->op && x->flags == y->flags && x->dst == y->dst && x->src == y->src && x->off == y->off && x->width == y->width;
}

/* False: the function has the same statement at another place, too, where it was marked. Its constraints are the same;
 * but calls have rows, and moves nodes, of their own. */
static bool mark_stmt(struct cpta *a, const struct cstmt *s)
{
	uint32_t key[5] = { s->op | (uint32_t)s->flags << 8, s->dst, s->src, (uint32_t)s->off, s->width };
	uint32_t row = (uint32_t)(s - a->p->stmts.data) + 1;

	if (s->op == C_CALL || s->op == C_MOVE)
		return true;
	uint32_t *seen = map_at(&a->seen, hash_bytes(key, sizeof(key)));

	if (*seen)
		return !same_stmt(s, &a->p->stmts.data[*seen - 1]);
	*seen = row;
	return true;
}

static void generate(struct cpta *a, cfn_id f)
{
	const struct cfn *fn = &a->p->fns.data[f.i];

	for (uint32_t i = 0; i < fn->nstmts; i++) {
		const struct cstmt *s = &a->p->stmts.data[fn->stmts + i];

		if (!moves_something(s))
			make_named_cell(a, s);
		else if (mark_stmt(a, s))
			generate_stmt(a, s);
	}
	map_release(&a->seen);
}

void generate_pending(struct cpta *a)
{
	while (a->pending.len)
		generate(a, vec_pop(&a->pending));
}

static void lose(struct cpta *a, uint32_t tag, uint32_t cell)
{
	struct memory *m = &a->memories.data[a->cells.data[cell].obj];

	vec_push(&a->lost_rows, ((struct lost){ tag, cell, m->lost }));
	m->lost = a->lost_rows.len - 1;
}

static void shift_news(struct cpta *a, uint32_t tag, uint32_t cell)
{
	struct cwatch w = a->watches.data[tag];
	struct shifted to = cell_shift(a, cell, &w);

	for (int i = 0; i < 2; i++)
		if (to.cell[i])
			add_pointer(a, (node_id){ w.row }, to.cell[i]);
	if (!to.cell[0] && !to.cell[1])
		lose(a, tag, cell);
}

void shift_again(struct cpta *a, uint32_t obj)
{
	uint32_t r = a->memories.data[obj].lost;

	a->memories.data[obj].lost = 0;
	for (; r; r = a->lost_rows.data[r].next)
		shift_news(a, a->lost_rows.data[r].watch, a->lost_rows.data[r].cell);
}

/* Does the function take as many arguments as the call has? C leaves other calls undefined: they are left out, and
 * counted. */
static bool takes(const struct cpta *a, const struct ccall *c, const struct cfn *f)
{
	if (a->opt.any_calls || (c->flags & CCALL_UNTYPED) || (f->flags & CFN_PLACEHOLDER))
		return true;
	return f->flags & CFN_VARIADIC ? c->nargs >= f->nparams : c->nargs == f->nparams;
}

static void call_news(struct cpta *a, struct cwatch w, object_id o)
{
	cfn_id f = a->p->objs.data[a->cells.data[cell_of(a, o)].obj].fn;
	uint32_t *known = map_at(&a->linked, map_key(w.row, f.i));

	if (*known)
		return;
	*known = 1;
	if (!takes(a, &a->p->calls.data[w.row], &a->p->fns.data[f.i])) {
		a->mismatched++;
		return;
	}
	vec_push(&a->edges, ((struct cedge){ w.row, f.i }));
	link_call(a, w.row, f);
}

/* Objects may be told again; a move that has the cell already would make the same pieces again. */
static void move_news(struct cpta *a, struct cwatch w, uint32_t cell)
{
	bool to = w.kind == CWATCH_MOVE_TO;
	uint32_t *known = map_at(&a->moved, map_key(w.row << 1 | to, cell));

	if (*known)
		return;
	*known = 1;
	if (to)
		move_to(a, w.row, cell);
	else
		move_from(a, w.row, cell);
}

static void on_object(struct cpta *a, uint32_t tag, object_id o)
{
	struct cwatch w = a->watches.data[tag];

	switch ((enum cwatch_kind)w.kind) {
	case CWATCH_SHIFT:
		shift_news(a, tag, cell_of(a, o));
		break;
	case CWATCH_CALL:
		call_news(a, w, o);
		break;
	case CWATCH_MOVE_FROM:
	case CWATCH_MOVE_TO:
		move_news(a, w, cell_of(a, o));
		break;
	case CWATCH_ANY:
		collapse(a, w.row);
		break;
	}
}

void on_news(void *ctx, uint32_t tag, struct set_view news)
{
	struct cpta *a = ctx;

	for (uint32_t i = 0; i < news.n; i++)
		for (uint64_t w = news.words[i]; w; w &= w - 1)
			on_object(a, tag, (object_id){ news.blocks[i] * 64 + first_bit(w) });
	generate_pending(a);
}
