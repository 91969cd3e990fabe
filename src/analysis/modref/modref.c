/* SPDX-License-Identifier: Apache-2.0 */
/* modref.c - effects of procedures, from callees to callers until nothing changes; answers.
 *
 * The algorithm is that of figure 3.3 of the thesis. Points-to sets know neither order nor contexts, so that a pointer
 * seems to be to locals of functions that are not running. Two filters leave such effects out: a local is *active*
 * only in functions that its own may call (is_active), and a call has only effects on what it can get at, by names or
 * through pointers (access.c). What the thesis does not have: threads, handlers and destructors run while any other
 * function is, so that everything is active for them (`apart`). */
#include "analysis/modref/modref_p.h"
#include "base/strbuf.h"

/* Is the memory of the cell alive before and after a statement of `fn`? */
static bool is_active(const struct modref *m, cfn_id fn, uint32_t cell)
{
	uint32_t owner = m->local_to[cell];

	return !owner || bits_has(&m->reach[owner], fn.i) || bits_has(&m->apart, fn.i) || bits_has(&m->apart, owner);
}

/* Effects of procedures: what their own statements do. */
struct own {
	struct modref *m;
	cfn_id fn;
	struct bits *into;
};

/* Lines 6 to 13 of the figure. A local that its own function names is another one in each activation, and ends with
 * it: callers do not see that it was modified. Through a pointer it may be that of an earlier activation. */
static void own_cell(void *ctx, uint32_t cell, bool direct)
{
	struct own *o = ctx;

	if (!(direct && o->m->local_to[cell]) && is_active(o->m, o->fn, cell))
		bits_add(o->into, cell);
}

static void own_var(void *ctx, cvar_id v)
{
	(void)ctx;
	(void)v;
}

static void own_effects(struct modref *m, uint32_t f, enum effect e)
{
	struct own o = { m, { f }, &m->effects[e][f] };
	struct effect_sink sink = { own_cell, own_var, &o };
	const struct cfn *fn = &m->p->fns.data[f];

	m->access.turn++;
	for (uint32_t i = 0; i < fn->nstmts; i++)
		stmt_effects(&m->access, &m->p->stmts.data[fn->stmts + i], e, &sink);
}

/* Line 17: what of the callee's effects is one of the call's: calls each(ctx, cell). */
static void call_effects(struct modref *m, const struct ccall *c, cfn_id callee, enum effect e,
			 bool (*each)(void *ctx, uint32_t cell), void *ctx)
{
	const struct bits *from = &m->effects[e][callee.i];

	for (uint32_t i = 0; i < from->n; i++)
		for (uint64_t w = from->words[i]; w; w &= w - 1) {
			uint32_t cell = i * 64 + (uint32_t)__builtin_ctzll(w);

			if (access_has(&m->access, m->obj_of[cell]) && is_active(m, c->caller, cell))
				each(ctx, cell);
		}
}

struct merge {
	struct bits *into;
	bool changed;
};

static bool merge_cell(void *ctx, uint32_t cell)
{
	struct merge *g = ctx;

	g->changed |= bits_add(g->into, cell);
	return g->changed;
}

/* Are there effects of the callee that the caller does not have? Only then it is worth looking at the call. */
static bool has_more(const struct bits *callee, const struct bits *caller)
{
	for (uint32_t i = 0; i < callee->n; i++)
		if (callee->words[i] & ~caller->words[i])
			return true;
	return false;
}

static bool merge_call(struct modref *m, const struct ccall *c, const cfn_vec *targets)
{
	bool changed = false;

	access_begin(&m->access, c);
	for (uint32_t i = 0; i < targets->len; i++)
		for (enum effect e = EFFECT_MOD; e <= EFFECT_USE; e++) {
			struct merge g = { &m->effects[e][c->caller.i], false };

			if (has_more(&m->effects[e][targets->data[i].i], g.into))
				call_effects(m, c, targets->data[i], e, merge_cell, &g);
			changed |= g.changed;
		}
	access_end(&m->access);
	return changed;
}

/* A call is looked at when one of its targets may have something new. */
static bool is_worth(const struct modref *m, const struct ccall *c, const cfn_vec *targets)
{
	for (uint32_t i = 0; i < targets->len; i++)
		for (enum effect e = EFFECT_MOD; e <= EFFECT_USE; e++)
			if (has_more(&m->effects[e][targets->data[i].i], &m->effects[e][c->caller.i]))
				return true;
	return false;
}

static bool merge_calls(struct modref *m, uint32_t f, cfn_vec *targets)
{
	const struct cfn *fn = &m->p->fns.data[f];
	bool changed = false;

	for (uint32_t i = 0; i < fn->ncalls; i++) {
		vec_clear(targets);
		cpta_targets(m->a, (ccall_id){ fn->calls + i }, targets);
		const struct ccall *c = &m->p->calls.data[fn->calls + i];

		if (is_worth(m, c, targets))
			changed |= merge_call(m, c, targets);
	}
	return changed;
}

/* Functions in the order in which a depth-first walk over calls leaves them: callees first, so that without recursion
 * one round finds all, and a second one that nothing changes. */
struct walk {
	struct modref *m;
	VEC(uint32_t) order;
	VEC(struct frame) frames;
	uint8_t *seen;
	cfn_vec targets;
};
struct frame {
	uint32_t fn, call;
};

static uint32_t next_callee(struct walk *w, struct frame *f)
{
	const struct cfn *fn = &w->m->p->fns.data[f->fn];

	for (; f->call < fn->ncalls; f->call++) {
		vec_clear(&w->targets);
		cpta_targets(w->m->a, (ccall_id){ fn->calls + f->call }, &w->targets);
		for (uint32_t i = 0; i < w->targets.len; i++)
			if (!w->seen[w->targets.data[i].i])
				return w->targets.data[i].i;
	}
	return 0;
}

static void walk_from(struct walk *w, uint32_t fn)
{
	w->seen[fn] = true;
	vec_push(&w->frames, ((struct frame){ fn, 0 }));
	while (w->frames.len) {
		uint32_t next = next_callee(w, vec_last(&w->frames));

		if (next) {
			w->seen[next] = true;
			vec_push(&w->frames, ((struct frame){ next, 0 }));
			continue;
		}
		vec_push(&w->order, vec_pop(&w->frames).fn);
	}
}

static void order_functions(struct walk *w)
{
	const struct cprogram *p = w->m->p;

	w->seen = mem_zalloc(p->fns.len);
	for (uint32_t i = 1; i < p->fns.len; i++)
		if (!w->seen[i] && cpta_reached(w->m->a, (cfn_id){ i }))
			walk_from(w, i);
}

static bool add_all(struct bits *into, const struct bits *from)
{
	uint64_t changed = 0;

	for (uint32_t i = 0; i < into->n; i++) {
		changed |= from->words[i] & ~into->words[i];
		into->words[i] |= from->words[i];
	}
	return changed != 0;
}

static bool reach_callees(struct walk *w, uint32_t f)
{
	const struct cfn *fn = &w->m->p->fns.data[f];
	bool changed = false;

	for (uint32_t i = 0; i < fn->ncalls; i++) {
		vec_clear(&w->targets);
		cpta_targets(w->m->a, (ccall_id){ fn->calls + i }, &w->targets);
		for (uint32_t k = 0; k < w->targets.len; k++)
			changed |= add_all(&w->m->reach[f], &w->m->reach[w->targets.data[k].i]);
	}
	return changed;
}

/* What starts beside main, such as destructors, runs apart, and what a call only sets up; so does all that is called from there. */
static void find_apart(struct walk *w, uint32_t f)
{
	const struct cfn *fn = &w->m->p->fns.data[f];

	if (fn->flags & CFN_STARTS && !str_is(interned(&w->m->p->names, fn->name), "main"))
		add_all(&w->m->apart, &w->m->reach[f]);
	for (uint32_t i = 0; i < fn->ncalls; i++) {
		if (!(w->m->p->calls.data[fn->calls + i].flags & CCALL_LATER))
			continue;
		vec_clear(&w->targets);
		cpta_targets(w->m->a, (ccall_id){ fn->calls + i }, &w->targets);
		for (uint32_t k = 0; k < w->targets.len; k++)
			add_all(&w->m->apart, &w->m->reach[w->targets.data[k].i]);
	}
}

static bool may_go_on(const struct modref *m)
{
	return !m->go_on || m->go_on(m->ctx);
}

/* Calls each(w, f) for all functions, callees first, until no call changes anything. */
static bool until_stable(struct walk *w, bool (*each)(struct walk *w, uint32_t f))
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = 0; i < w->order.len; i++) {
			if (!may_go_on(w->m))
				return false;
			changed |= each(w, w->order.data[i]);
		}
	}
	return true;
}

static bool merge_of(struct walk *w, uint32_t f)
{
	return merge_calls(w->m, f, &w->targets);
}

static bool solve(struct modref *m)
{
	struct walk w = { .m = m };

	order_functions(&w);
	bool ok = until_stable(&w, reach_callees);

	for (uint32_t i = 0; ok && i < w.order.len; i++)
		find_apart(&w, w.order.data[i]);
	for (uint32_t i = 0; ok && i < w.order.len; i++)
		for (enum effect e = EFFECT_MOD; e <= EFFECT_USE; e++)
			own_effects(m, w.order.data[i], e);
	m->access.turn = 0;
	ok = ok && until_stable(&w, merge_of);
	free(w.seen);
	vec_release(&w.order);
	vec_release(&w.frames);
	vec_release(&w.targets);
	return ok;
}

static void note_cells(struct modref *m)
{
	m->obj_of = mem_zalloc(m->ncells * sizeof(*m->obj_of));
	m->local_to = mem_zalloc(m->ncells * sizeof(*m->local_to));
	for (uint32_t c = 1; c < m->ncells; c++) {
		cobj_id obj = cpta_cell(m->a, (ccell_id){ c }).obj;
		const struct cobj *o = &m->p->objs.data[obj.i];

		m->obj_of[c] = obj.i;
		m->local_to[c] = o->kind == COBJ_LOCAL && !(o->flags & COBJ_STATIC) ? o->fn.i : 0;
	}
}

struct modref *modref_compute(const struct cpta *a, bool (*go_on)(void *ctx), void *ctx)
{
	struct modref *m = mem_zalloc(sizeof(*m));
	uint32_t nfns;

	m->a = a;
	m->p = cpta_program(a);
	m->go_on = go_on;
	m->ctx = ctx;
	m->ncells = cpta_ncells(a) + 1;
	nfns = m->p->fns.len;
	access_init(&m->access, a);
	note_cells(m);
	bits_init(&m->apart, nfns);
	m->reach = mem_zalloc(nfns * sizeof(*m->reach));
	m->effects[EFFECT_MOD] = mem_zalloc(nfns * sizeof(struct bits));
	m->effects[EFFECT_USE] = mem_zalloc(nfns * sizeof(struct bits));
	for (uint32_t i = 0; i < nfns; i++) {
		bits_init(&m->reach[i], nfns);
		bits_add(&m->reach[i], i);
		bits_init(&m->effects[EFFECT_MOD][i], m->ncells);
		bits_init(&m->effects[EFFECT_USE][i], m->ncells);
	}
	if (solve(m))
		return m;
	modref_free(m);
	return NULL;
}

void modref_free(struct modref *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->p->fns.len; i++) {
		bits_release(&m->reach[i]);
		bits_release(&m->effects[EFFECT_MOD][i]);
		bits_release(&m->effects[EFFECT_USE][i]);
	}
	bits_release(&m->apart);
	free(m->reach);
	free(m->obj_of);
	free(m->local_to);
	free(m->effects[EFFECT_MOD]);
	free(m->effects[EFFECT_USE]);
	access_release(&m->access);
	free(m);
}

/* Answers */
struct answer {
	struct modref *m;
	cfn_id fn;
	affected_vec *out;
};

static bool answer_active(void *ctx, uint32_t cell)
{
	struct answer *x = ctx;

	vec_push(x->out, ((struct affected){ .cell = { cell } }));
	return true;
}

static void answer_cell(void *ctx, uint32_t cell, bool direct)
{
	struct answer *x = ctx;

	if (direct || is_active(x->m, x->fn, cell))
		answer_active(ctx, cell);
}

static void answer_var(void *ctx, cvar_id v)
{
	struct answer *x = ctx;

	vec_push(x->out, ((struct affected){ .var = v }));
}

static int by_place(const void *x, const void *y)
{
	const struct affected *a = x, *b = y;

	if (!a->cell.i != !b->cell.i)
		return a->cell.i ? -1 : 1;
	if (a->cell.i != b->cell.i)
		return a->cell.i < b->cell.i ? -1 : 1;
	return a->var.i < b->var.i ? -1 : a->var.i > b->var.i;
}

static void sort_places(affected_vec *v)
{
	uint32_t kept = 0;

	if (v->len < 2)
		return;
	qsort(v->data, v->len, sizeof(*v->data), by_place);
	for (uint32_t i = 0; i < v->len; i++)
		if (!kept || by_place(&v->data[kept - 1], &v->data[i]))
			v->data[kept++] = v->data[i];
	v->len = kept;
}

static void answer_call(struct answer *x, uint32_t call, enum effect e)
{
	const struct ccall *c = &x->m->p->calls.data[call];
	cfn_vec targets = { 0 };

	cpta_targets(x->m->a, (ccall_id){ call }, &targets);
	access_begin(&x->m->access, c);
	for (uint32_t i = 0; i < targets.len; i++)
		call_effects(x->m, c, targets.data[i], e, answer_active, x);
	access_end(&x->m->access);
	vec_release(&targets);
}

void modref_stmt(struct modref *m, cfn_id f, uint32_t stmt, enum effect e, affected_vec *out)
{
	struct answer x = { m, f, out };
	struct effect_sink sink = { answer_cell, answer_var, &x };
	const struct cstmt *s = &m->p->stmts.data[stmt];

	vec_clear(out);
	if (!cpta_reached(m->a, f))
		return;
	stmt_effects(&m->access, s, e, &sink);
	if (s->op == C_CALL)
		answer_call(&x, s->dst, e);
	sort_places(out);
}

void modref_fn(struct modref *m, cfn_id f, enum effect e, affected_vec *out)
{
	const struct bits *b = &m->effects[e][f.i];

	vec_clear(out);
	for (uint32_t i = 0; i < b->n; i++)
		for (uint64_t w = b->words[i]; w; w &= w - 1)
			vec_push(out, ((struct affected){ .cell = { i * 64 + (uint32_t)__builtin_ctzll(w) } }));
}

void modref_name(const struct modref *m, struct affected x, struct strbuf *out)
{
	if (!x.cell.i) {
		cname_var(m->p, x.var, out);
		return;
	}
	struct ccell c = cpta_cell(m->a, x.cell);

	if (c.whole)
		cname_object(m->p, c.obj, out);
	else
		cname_cell(m->p, c.obj, c.off, out);
}
