/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/outside/outside.h"

#include "ir/access.h"

typedef VEC(uint32_t) number_list;

/* How far the facts of a site have been applied. */
struct progress {
	bool has_placed;
	uint32_t held;                   /* of the list of its sort */
};

struct outside_index {
	struct hierarchy *h;
	struct program *p;
	struct outside *o;
	struct map first_by_caller;      /* method -> 1 + its first fact */
	number_list next;                /* by fact: 1 + the next one of the same caller */
	number_list pending;             /* facts without a place whose condition does not hold yet */
	number_list held[DYNAMIC_SORTS]; /* those of calls that hold */
	VEC(struct progress) sites;
};

static void add_placed(struct outside_index *x, uint32_t k)
{
	uint32_t *first = map_at(&x->first_by_caller, x->o->facts.data[k].caller.i);

	x->next.data[k] = *first;
	*first = 1 + k;
}

/* Backwards: lists of callers are then in order. */
struct outside_index *outside_index_new(struct hierarchy *h, struct outside *o)
{
	if (!o || !o->facts.len)
		return NULL;
	struct outside_index *x = mem_zalloc(sizeof(*x));

	x->h = h;
	x->p = h->p;
	x->o = o;
	for (uint32_t k = 0; k < o->facts.len; k++) {
		vec_push(&x->next, 0);
		if (!o->facts.data[k].caller.i)
			vec_push(&x->pending, k);
	}
	for (uint32_t k = o->facts.len; k-- > 0;)
		if (o->facts.data[k].caller.i)
			add_placed(x, k);
	return x;
}

void outside_index_free(struct outside_index *x)
{
	if (!x)
		return;
	map_release(&x->first_by_caller);
	vec_release(&x->next);
	vec_release(&x->pending);
	for (unsigned s = 0; s < DYNAMIC_SORTS; s++)
		vec_release(&x->held[s]);
	vec_release(&x->sites);
	free(x);
}

/* Conditions */

static bool is_class_reached(const struct outside_index *x, const struct dynamic_graph *g, class_id c)
{
	struct ir_class row = *class_row(x->p, c);

	for (uint32_t i = 0; i < row.nmethods; i++)
		if (g->is_reached(g->ctx, (method_id){ row.first_method + i }))
			return true;
	return false;
}

/* A class without code can only be seen to be loaded. */
static bool has_code(const struct outside_index *x, class_id c)
{
	struct ir_class row = *class_row(x->p, c);

	for (uint32_t i = 0; i < row.nmethods; i++)
		if (!(method_row(x->p, (method_id){ row.first_method + i })->flags & ACCESS_ABSTRACT))
			return true;
	return false;
}

static bool holds(struct outside_index *x, const struct dynamic_graph *g, class_id condition)
{
	if (!condition.i || !has_code(x, condition))
		return true;
	for (uint32_t i = 1; i < x->p->classes.len; i++) {
		class_id c = { i };
		bool is_loaded = class_row(x->p, c)->kind == CLASS_FILE && class_row(x->p, c)->state == LOAD_DONE;
		if (is_loaded && hierarchy_is_subtype(x->h, c, condition) && is_class_reached(x, g, c))
			return true;
	}
	return false;
}

/* Facts of one condition mostly follow each other. */
void outside_hold(struct outside_index *x, const struct dynamic_graph *g, void (*fn)(void *ctx, const struct outside_fact *f), void *ctx)
{
	class_id asked = { 0 };
	bool is_met = true;
	uint32_t left = 0;

	for (uint32_t i = 0; i < x->pending.len; i++) {
		uint32_t k = x->pending.data[i];
		struct outside_fact *f = &x->o->facts.data[k];
		if (f->condition.i != asked.i)
			is_met = holds(x, g, f->condition);
		asked = f->condition;
		if (!is_met) {
			x->pending.data[left++] = k;
			continue;
		}
		f->is_used |= f->is_entry;
		vec_push(&x->held[f->sort], k);
		if (f->is_entry)
			fn(ctx, f);
	}
	x->pending.len = left;
}

/* Sites */

static bool is_default_constructor(const struct outside_index *x, meta what)
{
	return meta_sort(what) == META_METHOD && sel_row(x->p, method_row(x->p, meta_method(what))->sel)->nargs == 0;
}

static bool is_load(enum dynamic_sort s)
{
	return s == DYNAMIC_LOAD || s == DYNAMIC_FIND;
}

static bool makes(enum dynamic_sort s)
{
	return s == DYNAMIC_NEW || s == DYNAMIC_CONSTRUCT;
}

/* What the fact means to a call of this sort; 0: nothing. Class.newInstance is about classes. */
static meta fit(const struct outside_index *x, const struct outside_fact *f, enum dynamic_sort sort)
{
	if (is_load(sort))
		return is_load(f->sort) ? f->what : 0;
	if (sort == DYNAMIC_NEW && makes(f->sort) && is_default_constructor(x, f->what))
		return meta_of(META_CLASS, method_row(x->p, meta_method(f->what))->owner.i);
	return sort == f->sort ? f->what : 0;
}

struct applying {
	struct outside_index *x;
	const struct outside_site *s;
	void (*fn)(void *ctx, const struct outside_fact *f, meta what);
	void *ctx;
};

static void apply(const struct applying *a, uint32_t k)
{
	struct outside_fact *f = &a->x->o->facts.data[k];
	meta what = fit(a->x, f, a->s->sort);

	if (!what)
		return;
	f->is_used = true;
	a->fn(a->ctx, f, what);
}

static bool is_at(struct program *p, const struct outside_fact *f, struct dynamic_place at)
{
	if (f->pc != OUTSIDE_ANY_PC)
		return f->pc == at.pc;
	return !f->line || !p->source.line || p->source.line(p->source.ctx, p, at.caller, at.pc) == f->line;
}

static void apply_placed(const struct applying *a)
{
	for (uint32_t k = map_get(&a->x->first_by_caller, a->s->at.caller.i); k; k = a->x->next.data[k - 1])
		if (is_at(a->x->p, &a->x->o->facts.data[k - 1], a->s->at))
			apply(a, k - 1);
}

/* The list whose facts calls of a sort look at. */
static enum dynamic_sort list_of(enum dynamic_sort s)
{
	return s == DYNAMIC_FIND ? DYNAMIC_LOAD : s == DYNAMIC_NEW ? DYNAMIC_CONSTRUCT : s;
}

void outside_apply(struct outside_index *x, const struct outside_site *s,
		   void (*fn)(void *ctx, const struct outside_fact *f, meta what), void *ctx)
{
	struct applying a = { x, s, fn, ctx };
	const number_list *held = &x->held[list_of(s->sort)];

	while (x->sites.len <= s->number)
		vec_push(&x->sites, (struct progress){ 0 });
	if (!x->sites.data[s->number].has_placed)
		apply_placed(&a);
	x->sites.data[s->number].has_placed = true;
	if (s->is_resolved)
		return;
	for (uint32_t *at = &x->sites.data[s->number].held; *at < held->len; ++*at)
		apply(&a, held->data[*at]);
}
