/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/chains/triggers.h"

#include <stdlib.h>

#include "analysis/callgraph/link.h"
#include "analysis/dynamic/values.h"
#include "ir/access.h"

struct range {
	uint32_t first, n;
};

struct triggers {
	const struct callgraph *g;
	struct program *p;
	struct hierarchy *h;
	struct linker linker;
	bool (*is_passed)(const void *ctx, method_id m);
	const void *ctx;
	VEC(method_id) lists;             /* one after another */
	VEC(struct range) ranges;         /* of `lists`; [0] is empty */
	struct map of_method, of_class;   /* -> row of `ranges` */
	struct map is_known;              /* initialiser -> 1: there is a cause */
	VEC(method_id) unknown;
	/* while it is made */
	struct arena mem;
	VEC(class_id) needed;             /* of the method that is looked at */
	VEC(method_id) through;           /* those passed on the way */
	struct map stamp;                 /* class or initialiser -> the last method that has it */
	struct map seen_sets;
	struct map last_feature;          /* method -> 1 + row of the last dynamic feature in it */
	VEC(uint32_t) feature_before;
};

/* Initialisers of a class */

static void add_initialiser(void *ctx, class_id of ATTR_UNUSED, method_id clinit)
{
	struct triggers *t = ctx;

	if (callgraph_reaches(t->g, clinit))
		vec_push(&t->lists, clinit);
}

static uint32_t range_of_class(struct triggers *t, class_id c)
{
	uint32_t row = map_get(&t->of_class, c.i);

	if (row)
		return row;
	struct range r = { .first = t->lists.len };
	hierarchy_initialisers(t->h, c, add_initialiser, t);
	r.n = t->lists.len - r.first;
	row = t->ranges.len;
	vec_push(&t->ranges, r);
	*map_at(&t->of_class, c.i) = row;
	return row;
}

static struct initialisers list_at(const struct triggers *t, uint32_t row)
{
	struct range r = t->ranges.data[row];

	return (struct initialisers){ t->lists.data + r.first, r.n };
}

struct initialisers triggers_of_class(struct triggers *t, class_id c)
{
	return list_at(t, range_of_class(t, c));
}

bool triggers_may_start(const struct triggers *t, class_id running, method_id initialiser)
{
	return !running.i || !hierarchy_is_subclass(t->h, running, method_row(t->p, initialiser)->owner);
}

/* What the code of a method needs */

static void need(struct triggers *t, class_id c)
{
	if (c.i)
		vec_push(&t->needed, c);
}

static void scan(struct triggers *t, method_id m);

static void scan_call(struct triggers *t, const struct ir_stmt *s)
{
	mref_id ref = { s->ref };

	if (s->op != IR_CALL_STATIC && mref_row(t->p, ref)->owner.i != t->linker.jvm.i)
		return;
	if (resolve_method(t->h, ref) != RESOLVE_OK)
		return;
	method_id target = mref_row(t->p, ref)->target;
	if (method_row(t->p, target)->owner.i == t->linker.jvm.i)
		scan(t, target);
	else if (method_row(t->p, target)->flags & ACCESS_STATIC)
		need(t, method_row(t->p, target)->owner);
}

static void scan(struct triggers *t, method_id m)
{
	const struct ir_body *body = t->p->source.outline(t->p->source.ctx, t->p, m, &t->mem);
	struct ir_stmt call;

	for (uint32_t i = 0; body && i < body->nstmts; i++) {
		const struct ir_stmt *s = &body->stmts[i];
		if (ir_is_call(s->op) && s->op != IR_CALL_DYNAMIC)
			scan_call(t, s);
		else
			need(t, link_initialises(&t->linker, s));
		if (s->op == IR_CONST_HANDLE && link_handle(s, &call))
			scan_call(t, &call);
	}
}

/* What reflection was found to do: to find a class by its name does not initialise it. */
static void scan_features(struct triggers *t, method_id m)
{
	for (uint32_t k = map_get(&t->last_feature, m.i); k; k = t->feature_before.data[k - 1]) {
		const struct cg_dynamic *d = callgraph_dynamic(t->g, k - 1);
		const uint64_t *found = callgraph_found(t->g, d);
		for (uint32_t i = 0; i < d->nfound && d->sort != DYNAMIC_FIND; i++)
			if (meta_sort(found[i]) == META_CLASS)
				need(t, meta_class(found[i]));
			else if (meta_sort(found[i]) == META_METHOD)
				need(t, method_row(t->p, meta_method(found[i]))->owner);
			else if (meta_sort(found[i]) == META_FIELD)
				need(t, field_row(t->p, meta_field(found[i]))->owner);
	}
}

static bool is_through(const struct triggers *t, method_id m)
{
	for (uint32_t i = 0; i < t->through.len; i++)
		if (t->through.data[i].i == m.i)
			return true;
	return false;
}

/* A lambda may run another one: what that needs counts here, too. */
static void scan_passed(struct triggers *t, method_id m)
{
	uint32_t n;
	const struct cg_site *sites;

	if (is_through(t, m) || !callgraph_reaches(t->g, m))
		return;
	vec_push(&t->through, m);
	scan(t, m);
	sites = callgraph_sites(t->g, m, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct cg_targets to = callgraph_targets(t->g, &sites[i]);
		for (uint32_t k = 0; k < to.n; k++)
			if (t->is_passed(t->ctx, to.methods[k]))
				scan_passed(t, to.methods[k]);
	}
}

/* A lambda runs for the class that it was written in. */
static class_id running_class(const struct triggers *t, method_id m)
{
	class_id c = m.i ? method_row(t->p, m)->owner : (class_id){ 0 };
	const struct ir_class *row = c.i ? class_row(t->p, c) : NULL;

	return row && row->kind == CLASS_SYNTHETIC && row->outer.i ? row->outer : c;
}

static void keep_needed(struct triggers *t, method_id m)
{
	struct range out = { 0 };
	class_id running = running_class(t, m);
	uint32_t stamp = m.i + 1;
	VEC(method_id) kept = { 0 };

	for (uint32_t i = 0; i < t->needed.len; i++) {
		uint32_t *of_class = map_at(&t->stamp, map_key(1, t->needed.data[i].i));
		if (*of_class == stamp)
			continue;
		*of_class = stamp;
		uint32_t row = range_of_class(t, t->needed.data[i]);
		struct range r = t->ranges.data[row];
		for (uint32_t k = 0; k < r.n; k++) {
			method_id clinit = t->lists.data[r.first + k];
			uint32_t *of = map_at(&t->stamp, map_key(2, clinit.i));
			if (*of == stamp || !triggers_may_start(t, running, clinit))
				continue;
			*of = stamp;
			*map_at(&t->is_known, clinit.i) = 1;
			vec_push(&kept, clinit);
		}
	}
	out = (struct range){ t->lists.len, kept.len };
	for (uint32_t i = 0; i < kept.len; i++)
		vec_push(&t->lists, kept.data[i]);
	*map_at(&t->of_method, m.i) = out.n ? t->ranges.len : 0;
	if (out.n)
		vec_push(&t->ranges, out);
	vec_release(&kept);
}

static void add_method(struct triggers *t, method_id m)
{
	vec_clear(&t->needed);
	vec_clear(&t->through);
	arena_clear(&t->mem);
	if (t->is_passed(t->ctx, m))
		scan_passed(t, m);
	else
		scan(t, m);
	scan_features(t, m);
	keep_needed(t, m);
}

static void add_jvm(struct triggers *t)
{
	const struct ir_class *row = class_row(t->p, t->linker.jvm);
	uint32_t first = row->first_method, n = row->kind == CLASS_SYNTHETIC ? row->nmethods : 0;

	vec_clear(&t->needed);
	arena_clear(&t->mem);
	for (uint32_t i = 0; i < n; i++)
		scan(t, (method_id){ first + i });
	keep_needed(t, (method_id){ 0 });
}

/* What has no cause */

bool triggers_by_call(const struct triggers *t, const struct cg_site *s, method_id target)
{
	const struct ir_method *row = method_row(t->p, target);

	return s->implied && (s->op == IR_CALL_SPECIAL || (row->flags & ACCESS_STATIC) || str_is(sel_name(t->p, row->sel), "<init>"));
}

static void know_class(struct triggers *t, class_id c)
{
	struct initialisers all = triggers_of_class(t, c);

	for (uint32_t i = 0; i < all.n; i++)
		*map_at(&t->is_known, all.methods[i].i) = 1;
}

static void know_calls(struct triggers *t, method_id m)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(t->g, m, &n);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t *seen = sites[i].implied ? map_at(&t->seen_sets, map_key(sites[i].op, sites[i].set)) : NULL;
		if (!seen || *seen)
			continue;
		*seen = 1;
		struct cg_targets to = callgraph_targets(t->g, &sites[i]);
		for (uint32_t k = 0; k < to.n; k++)
			if (triggers_by_call(t, &sites[i], to.methods[k]))
				know_class(t, method_row(t->p, to.methods[k])->owner);
	}
}

static bool is_initialiser(const struct triggers *t, method_id m)
{
	return method_row(t->p, m)->sel.i == t->linker.clinit.i;
}

static void know_all(struct triggers *t)
{
	uint32_t n = callgraph_nmethods(t->g);

	for (uint32_t k = 0; k < n; k++) {
		method_id m = callgraph_method(t->g, k);
		know_calls(t, m);
		if (callgraph_is_entry(t->g, m) && !is_initialiser(t, m))
			know_class(t, method_row(t->p, m)->owner);
	}
	for (uint32_t k = 0; k < n; k++) {
		method_id m = callgraph_method(t->g, k);
		if (is_initialiser(t, m) && !map_get(&t->is_known, m.i))
			vec_push(&t->unknown, m);
	}
}

static void index_features(struct triggers *t)
{
	for (uint32_t k = 0; k < callgraph_ndynamic(t->g); k++) {
		uint32_t *last = map_at(&t->last_feature, callgraph_dynamic(t->g, k)->caller.i);
		vec_push(&t->feature_before, *last);
		*last = k + 1;
	}
}

struct triggers *triggers_make(const struct callgraph *g, struct hierarchy *h, bool (*is_passed)(const void *ctx, method_id m),
			       const void *ctx)
{
	struct triggers *t = mem_zalloc(sizeof(*t));

	*t = (struct triggers){ .g = g, .p = h->p, .h = h, .is_passed = is_passed, .ctx = ctx };
	linker_init(&t->linker, h);
	arena_init(&t->mem);
	vec_push(&t->ranges, (struct range){ 0 });
	index_features(t);
	for (uint32_t k = 0; k < callgraph_nmethods(g); k++)
		add_method(t, callgraph_method(g, k));
	add_jvm(t);
	know_all(t);
	arena_release(&t->mem);
	return t;
}

void triggers_free(struct triggers *t)
{
	if (!t)
		return;
	linker_release(&t->linker);
	vec_release(&t->lists);
	vec_release(&t->ranges);
	vec_release(&t->unknown);
	vec_release(&t->needed);
	vec_release(&t->through);
	vec_release(&t->feature_before);
	map_release(&t->of_method);
	map_release(&t->of_class);
	map_release(&t->is_known);
	map_release(&t->stamp);
	map_release(&t->seen_sets);
	map_release(&t->last_feature);
	free(t);
}

struct initialisers triggers_of(const struct triggers *t, method_id m)
{
	return list_at(t, map_get(&t->of_method, m.i));
}

struct initialisers triggers_unknown(const struct triggers *t)
{
	return (struct initialisers){ t->unknown.data, t->unknown.len };
}
