/* SPDX-License-Identifier: Apache-2.0 */
/* finish.c - drops the phis that merge one value only or are never read, numbers the values in the order
 * of their statements, and lays the body out. */
#include "load/lower/ssa_p.h"

/* Enough to remove the trivial phis of nested loops; a phi that is left is correct as well. */
#define PHI_ROUNDS 8

struct phi {
	uint32_t block, slot;
	ir_value value;
};

struct finisher {
	struct lower *l;
	struct phi *phis;
	uint32_t nphis;
	uint32_t *phi_of;              /* by value: row of phis + 1; 0: it is no phi */
	ir_value *same;                /* by value: the one that replaces it, or itself */
	uint8_t *used;                 /* by value, for phis and undefined values */
	ir_value undef[IR_KIND_SHORT + 1];      /* by kind; 0: not needed */
	uint32_t *work;                /* used phis whose operands are not marked yet */
	uint32_t nwork;
};

static enum ir_kind kind_of(const struct finisher *f, ir_value v)
{
	return v ? (enum ir_kind)f->l->b.kinds.data[v] : IR_KIND_NONE;
}

static ir_value *operand(const struct finisher *f, const struct phi *p, uint32_t pred)
{
	const struct lower_block *b = &f->l->blocks[p->block];

	return &b->in[(size_t)pred * b->nslots + p->slot];
}

static void list_phis(struct finisher *f)
{
	struct lower *l = f->l;
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->nblocks; i++)
		n += l->blocks[i].phis ? l->blocks[i].nslots : 0;
	f->phis = arena_array(l->scratch, struct phi, n);
	for (uint32_t i = 0; i < l->nblocks; i++) {
		const struct lower_block *b = &l->blocks[i];

		for (uint32_t k = 0; b->phis && k < b->nslots; k++)
			if (b->phis[k])
				f->phis[f->nphis++] = (struct phi){ i, k, b->phis[k] };
	}
}

/* A local that is not assigned, or holds something of another kind, on the way to a join. */
static void fill_undefined(struct finisher *f, const struct phi *p)
{
	enum ir_kind kind = kind_of(f, p->value);

	for (uint32_t r = 0; r < f->l->blocks[p->block].npreds; r++) {
		ir_value *v = operand(f, p, r);

		if (kind_of(f, *v) == kind)
			continue;
		if (!f->undef[kind])
			f->undef[kind] = builder_value(&f->l->b, kind);
		*v = f->undef[kind];
	}
}

static ir_value find(const struct finisher *f, ir_value v)
{
	while (f->same[v] != v) {
		f->same[v] = f->same[f->same[v]];
		v = f->same[v];
	}
	return v;
}

/* The only value besides itself that a phi merges; 0: there are several. */
static ir_value only_operand(const struct finisher *f, const struct phi *p)
{
	ir_value only = 0;

	for (uint32_t r = 0; r < f->l->blocks[p->block].npreds; r++) {
		ir_value v = find(f, *operand(f, p, r));

		if (v == p->value || v == only)
			continue;
		if (only)
			return 0;
		only = v;
	}
	return only;
}

static bool drop_trivial(struct finisher *f)
{
	bool changed = false;

	for (uint32_t i = 0; i < f->nphis; i++) {
		ir_value v = f->phis[i].value, only = 0;

		if (f->same[v] == v)
			only = only_operand(f, &f->phis[i]);
		if (only) {
			f->same[v] = only;
			changed = true;
		}
	}
	return changed;
}

static void mark(struct finisher *f, ir_value v)
{
	v = find(f, v);
	if (f->used[v])
		return;
	f->used[v] = 1;
	if (f->phi_of[v])
		f->work[f->nwork++] = f->phi_of[v] - 1;
}

static void mark_used(struct finisher *f)
{
	const struct body_builder *b = &f->l->b;

	for (uint32_t i = 0; i < b->args.len; i++)
		mark(f, b->args.data[i]);
	while (f->nwork > 0) {
		const struct phi *p = &f->phis[f->work[--f->nwork]];

		for (uint32_t r = 0; r < f->l->blocks[p->block].npreds; r++)
			mark(f, *operand(f, p, r));
	}
}

static void simplify(struct finisher *f)
{
	struct lower *l = f->l;

	list_phis(f);
	for (uint32_t i = 0; i < f->nphis; i++)
		fill_undefined(f, &f->phis[i]);
	uint32_t nvalues = l->b.kinds.len;

	f->same = arena_array(l->scratch, ir_value, nvalues);
	for (uint32_t v = 0; v < nvalues; v++)
		f->same[v] = v;
	if (f->nphis == 0)
		return;
	f->used = arena_zarray(l->scratch, uint8_t, nvalues);
	f->phi_of = arena_zarray(l->scratch, uint32_t, nvalues);
	f->work = arena_array(l->scratch, uint32_t, f->nphis);
	for (uint32_t i = 0; i < f->nphis; i++)
		f->phi_of[f->phis[i].value] = i + 1;
	for (int round = 0; round < PHI_ROUNDS && drop_trivial(f); round++)
		;
	mark_used(f);
}

/* The arrays of the body while they are filled. */
struct layout {
	struct finisher *f;
	struct ir_stmt *stmts;
	ir_value *args;
	uint32_t nstmts, nargs, nvalues, phi;
	ir_value *number;              /* by provisional value */
};

static void count_phis(const struct finisher *f, uint32_t *stmts, uint32_t *args)
{
	for (uint32_t i = 0; i < f->nphis; i++) {
		if (!f->used[f->phis[i].value])
			continue;
		++*stmts;
		*args += f->l->blocks[f->phis[i].block].npreds;
	}
	for (unsigned k = 0; k < ARRAY_LEN(f->undef); k++)
		*stmts += f->undef[k] && f->used[f->undef[k]];
}

/* Adds a statement whose operands are in place already. */
static void put(struct layout *o, struct ir_stmt s)
{
	if (s.result) {
		o->number[s.result] = ++o->nvalues;
		s.result = o->nvalues;
	}
	o->stmts[o->nstmts++] = s;
}

static void put_lowered(struct layout *o, uint32_t from, uint32_t to)
{
	const struct body_builder *b = &o->f->l->b;

	for (uint32_t i = from; i < to; i++) {
		struct ir_stmt s = b->stmts.data[i];

		if (s.nargs)
			memcpy(o->args + o->nargs, b->args.data + s.args, s.nargs * sizeof(ir_value));
		s.args = o->nargs;
		o->nargs += s.nargs;
		put(o, s);
	}
}

static void put_undefined(struct layout *o)
{
	for (unsigned k = 0; k < ARRAY_LEN(o->f->undef); k++) {
		ir_value v = o->f->undef[k];

		if (v && o->f->used[v])
			put(o, (struct ir_stmt){ .op = IR_UNDEF, .result = v, .args = o->nargs });
	}
}

static void put_phis(struct layout *o, uint32_t block, uint32_t pc)
{
	struct finisher *f = o->f;
	uint32_t npreds = f->l->blocks[block].npreds;

	for (; o->phi < f->nphis && f->phis[o->phi].block == block; o->phi++) {
		const struct phi *p = &f->phis[o->phi];

		if (!f->used[p->value])
			continue;
		put(o, (struct ir_stmt){ .op = IR_PHI, .pc = pc, .result = p->value, .args = o->nargs,
					 .nargs = npreds });
		for (uint32_t r = 0; r < npreds; r++)
			o->args[o->nargs++] = *operand(f, p, r);
	}
}

/* An entry block starts with its parameters, a handler with its catch; phis come next. */
static void put_block(struct layout *o, uint32_t n, struct ir_block *out)
{
	const struct lower *l = o->f->l;
	const struct lower_block *b = &l->blocks[n];
	uint32_t head = b->first_stmt + (b->is_handler ? 1 : 0);

	if (n == 0)
		head = l->undef_at;
	*out = (struct ir_block){
		.first = o->nstmts, .pc = l->insns[b->first].pc, .succs = b->succs, .nsuccs = b->nsuccs,
		.handlers = b->handlers, .nhandlers = b->nhandlers, .preds = b->preds, .npreds = b->npreds,
	};
	put_lowered(o, b->first_stmt, head);
	if (n == 0)
		put_undefined(o);
	put_phis(o, n, out->pc);
	put_lowered(o, head, b->end_stmt);
	out->end = o->nstmts;
}

/* Turns provisional values into final ones. */
static const uint8_t *renumber(struct layout *o, struct arena *mem)
{
	const struct finisher *f = o->f;
	uint8_t *kinds = arena_array(mem, uint8_t, o->nvalues + 1);

	for (uint32_t i = 0; i < o->nargs; i++)
		o->args[i] = o->number[find(f, o->args[i])];
	kinds[0] = IR_KIND_NONE;
	for (uint32_t v = 1; v < f->l->b.kinds.len; v++)
		if (o->number[v])
			kinds[o->number[v]] = f->l->b.kinds.data[v];
	return kinds;
}

static const uint32_t *number_slots(const struct layout *o, struct arena *mem)
{
	const struct lower *l = o->f->l;

	if (!l->p->keeps_slots)
		return NULL;
	uint32_t *slots = arena_zarray(mem, uint32_t, o->nvalues + 1);
	for (uint32_t v = 1; v < l->nslot_of && v < l->b.kinds.len; v++)
		if (o->number[v])
			slots[o->number[v]] = l->slot_of[v];
	return slots;
}

void lower_finish(struct lower *l, struct ir_body *body, struct arena *mem)
{
	struct finisher f = { .l = l };
	struct layout o = { .f = &f };
	const struct body_builder *b = &l->b;
	struct ir_block *blocks = arena_array(mem, struct ir_block, l->nblocks);

	simplify(&f);
	uint32_t nstmts = b->stmts.len, nargs = b->args.len;

	count_phis(&f, &nstmts, &nargs);
	o.stmts = arena_array(mem, struct ir_stmt, nstmts);
	o.args = arena_array(mem, ir_value, nargs);
	o.number = arena_zarray(l->scratch, ir_value, b->kinds.len);
	for (uint32_t n = 0; n < l->nblocks; n++)
		put_block(&o, n, &blocks[n]);
	*body = (struct ir_body){
		.stmts = o.stmts, .nstmts = o.nstmts, .blocks = blocks, .nblocks = l->nblocks,
		.args = o.args, .nargs = o.nargs, .kinds = renumber(&o, mem), .nvalues = o.nvalues,
		.slots = number_slots(&o, mem),
		.edges = arena_copy(mem, l->edges, l->nedges * sizeof(uint32_t)), .nedges = l->nedges,
		.longs = arena_copy(mem, b->longs.data, b->longs.len * sizeof(int64_t)), .nlongs = b->longs.len,
		.dynamics = arena_copy(mem, b->dynamics.data, b->dynamics.len * sizeof(struct ir_dynamic)),
		.ndynamics = b->dynamics.len,
	};
}
