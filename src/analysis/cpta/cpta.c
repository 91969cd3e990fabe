/* SPDX-License-Identifier: Apache-2.0 */
/* cpta.c - an analysis from its options to its solution. The coarser engines are the same constraints with a solver
 * that joins nodes: what is in cells that one pointer may point to and, for steens, both sides of an assignment. */
#include "analysis/cpta/cpta_p.h"

#include "base/digest.h"

const char *cengine_name(enum cengine e)
{
	static const char *const names[CENGINES] = { "andersen", "categories", "one-level", "steens" };

	return names[e];
}

static bool go_on(void *ctx)
{
	struct cpta *a = ctx;

	return a->opt.go_on(a->opt.ctx);
}

/* Cells of one object have one category. It follows from what the object is, so that other code in the program changes nothing. */
static uint32_t category(void *ctx, object_id o)
{
	struct cpta *a = ctx;

	return a->category.data[a->cells.data[cell_of(a, o)].obj];
}

/* In a summary, memory of functions that no client can tell has neither name nor place. */
static uint64_t digest_object(const struct cprogram *p, const struct cobj *o)
{
	const struct cloc *l = &p->locs.data[o->loc.i];
	uint64_t d = digest_u32(DIGEST_START, o->kind);

	if (o->fn.i)
		d = digest_str(d, interned(&p->names, p->fns.data[o->fn.i].name));
	if (o->kind == COBJ_LOCAL || o->kind == COBJ_HEAP)
		return d;
	return digest_u32(digest_u32(digest_str(d, interned(&p->names, o->name)), l->line), l->column);
}

static void choose_categories(struct cpta *a)
{
	for (uint32_t i = 0; i < a->p->objs.len; i++) {
		uint64_t d = i ? digest_object(a->p, &a->p->objs.data[i]) : 0;
		vec_push(&a->category, (uint32_t)((d ^ d >> 32) % a->opt.categories));
	}
}

static struct solver *make_solver(struct cpta *a)
{
	struct solver_opt opt = { .ctx = a, .watch = on_news, .go_on = a->opt.go_on ? go_on : NULL };

	if (a->opt.engine == CENGINE_CATEGORIES) {
		choose_categories(a);
		opt.categories = a->opt.categories;
		opt.category = category;
	} else if (a->opt.engine != CENGINE_ANDERSEN) {
		opt.categories = 1;
	}
	if (a->opt.engine == CENGINE_STEENS)
		opt.unify_after = 1;
	return solver_new(&opt);
}

static void init(struct cpta *a)
{
	a->s = make_solver(a);
	a->data = solver_kind(a->s, 1, (mask_id){ 0 });
	a->code = solver_kind(a->s, 1, (mask_id){ 0 });
	a->anywhere = solver_kind(a->s, 2, (mask_id){ 0 });
	a->functions = solver_mask(a->s);
	solver_mask_add(a->s, a->functions, a->code);
	a->places = solver_mask(a->s);
	solver_mask_add(a->s, a->places, a->code);
	solver_mask_add(a->s, a->places, a->data);
	a->anywheres = solver_mask(a->s);
	solver_mask_add(a->s, a->anywheres, a->anywhere);
	a->vars = solver_nodes(a->s, a->p->vars.len).i;
	vec_push(&a->piece_rows, (struct piece){ 0 });
	vec_push(&a->mover_rows, (struct mover){ 0 });
	vec_push(&a->lost_rows, (struct lost){ 0 });
	for (uint32_t i = 0; i < a->p->fns.len; i++)
		vec_push(&a->reached, 0);
	cells_init(a);
}

/* Functions first: what function pointers may be is then near together in sets. */
static void make_function_cells(struct cpta *a)
{
	for (uint32_t i = 1; i < a->p->objs.len; i++)
		if (a->p->objs.data[i].kind == COBJ_FUNCTION)
			cell_at(a, i, 0);
}

static int by_call(const void *x, const void *y)
{
	const struct cedge *l = x, *m = y;

	if (l->call != m->call)
		return l->call < m->call ? -1 : 1;
	return l->fn < m->fn ? -1 : l->fn > m->fn;
}

static void finish(struct cpta *a)
{
	map_release(&a->linked);
	map_release(&a->moved);
	if (a->edges.len)
		qsort(a->edges.data, a->edges.len, sizeof(*a->edges.data), by_call);
	a->nnodes = (uint32_t)solver_stats(a->s).nodes + 1;
}

struct cpta *cpta_compute(const struct cprogram *p, const struct cpta_opt *opt)
{
	struct cpta *a = mem_zalloc(sizeof(*a));

	a->p = p;
	a->opt = *opt;
	init(a);
	make_function_cells(a);
	for (uint32_t i = 1; i < p->fns.len; i++)
		if (p->fns.data[i].flags & CFN_STARTS)
			reach(a, (cfn_id){ i });
	generate_pending(a);
	if (!solver_run(a->s)) {
		cpta_free(a);
		return NULL;
	}
	finish(a);
	return a;
}

void cpta_free(struct cpta *a)
{
	if (!a)
		return;
	solver_free(a->s);
	for (uint32_t i = 0; i < a->moves.len; i++)
		vec_release(&a->moves.data[i].dests);
	vec_release(&a->moves);
	vec_release(&a->cells);
	vec_release(&a->memories);
	vec_release(&a->category);
	vec_release(&a->cell_of);
	vec_release(&a->watches);
	vec_release(&a->piece_rows);
	vec_release(&a->mover_rows);
	vec_release(&a->lost_rows);
	vec_release(&a->reached);
	vec_release(&a->pending);
	vec_release(&a->edges);
	map_release(&a->cell_at);
	map_release(&a->linked);
	map_release(&a->moved);
	map_release(&a->seen);
	free(a);
}

bool cpta_check(const struct cpta *a, const char **reason)
{
	return solve_check(a->s, reason);
}
