/* SPDX-License-Identifier: Apache-2.0 */
/* What a call has reached, and taking it back. */
#include "analysis/pta/reach/reach_p.h"

#include <string.h>

#define ASK_EVERY (1u << 14)

/* Who is who */

/* A dispatcher and the class of a lambda are nobody's: what they call counts. */
static bool find_library(struct reach *r, method_id m)
{
	struct pta *a = r->a;

	if (a->dynamic && dynamic_is_dispatcher(a->dynamic, m))
		return true;
	return class_row(a->p, method_row(a->p, m)->owner)->kind == CLASS_SYNTHETIC || r->opt.is_library(r->opt.ctx, m);
}

bool is_library(struct reach *r, method_id m)
{
	uint8_t *known = &r->is_library.data[m.i];

	if (!*known)
		*known = find_library(r, m) ? 2 : 1;
	return *known == 2;
}

bool is_quiet(const struct reach *r, method_id m)
{
	return r->is_quiet.data[m.i];
}

bool is_entered(struct reach *r, method_id m)
{
	return !is_quiet(r, m) && (r->opt.precision < REACH_LIBRARY || is_library(r, m));
}

/* The stack */

void reach_instance(struct reach *r, uint32_t in)
{
	if (r->reached.data[in])
		return;
	r->reached.data[in] = 1;
	vec_push(&r->instances, in);
	if (r->near)
		vec_push(&r->waiting[r->near[r->a->instances.data[in].method.i]], in);
}

void reach_link(struct reach *r, uint32_t caller, uint32_t callee, uint32_t site)
{
	vec_push(&r->links, ((struct reach_link){ caller, callee, r->last_link.data[caller], site }));
	r->last_link.data[caller] = r->links.len - 1;
}

void reach_back(struct reach *r, uint32_t in, uint32_t site, method_id target)
{
	if (is_library(r, r->a->instances.data[in].method) && seen_add(&r->called_back, map_key(in, target.i)))
		vec_push(&r->backs, ((struct reach_back){ in, site, target }));
}

struct reach_mark reach_mark(struct reach *r)
{
	return (struct reach_mark){ part_mark(r->part), r->instances.len, r->watches.len, r->links.len,
				    r->linked.keys.len, r->backs.len, r->called_back.keys.len, r->given.len, r->skipped.len };
}

void reach_undo(struct reach *r, struct reach_mark m)
{
	part_undo(r->part, m.part);
	for (uint32_t i = m.instances; i < r->instances.len; i++)
		r->reached.data[r->instances.data[i]] = 0;
	for (uint32_t i = r->links.len; i-- > m.links;)
		r->last_link.data[r->links.data[i].caller] = r->links.data[i].next;
	r->instances.len = r->applied = m.instances;
	for (uint32_t i = 0; i <= NEAR_MOST; i++)
		vec_clear(&r->waiting[i]);
	r->watches.len = m.watches;
	r->links.len = m.links;
	r->backs.len = m.backs;
	r->given.len = m.given;
	r->skipped.len = m.skipped;
	seen_cut(&r->linked, m.linked);
	seen_cut(&r->called_back, m.called_back);
}

/* Running */

static void on_watch(void *ctx, uint32_t tag, struct set_view news)
{
	struct reach *r = ctx;
	struct reach_watch w = r->watches.data[tag];

	if (w.sort == WATCH_CALL)
		reach_deliver(r, tag, news);
	else
		reach_any(r, &w, news);
	if (!r->near)
		reach_apply(r);
}

static bool go_on(void *ctx)
{
	struct reach *r = ctx;

	if (!r->stopped && r->opt.progress)
		r->stopped = !r->opt.progress(r->opt.progress_ctx, r->done, r->of);
	r->stopped |= r->opt.most && part_work(r->part) > r->opt.most;
	return !r->stopped && !beginnings_hold(r, r->stop_at) && !(r->limit && part_work(r->part) > r->limit);
}

static uint32_t nearest(const struct reach *r)
{
	uint32_t i = 0;

	while (i <= NEAR_MOST && !r->waiting[i].len)
		i++;
	return i;
}

/* One method after the other, the nearest first: few are looked at before it is seen that an answer comes to a beginning. */
static bool run_nearest(struct reach *r)
{
	uint32_t next;

	while (part_run(r->part) && !beginnings_hold(r, r->stop_at)) {
		if ((next = nearest(r)) > NEAR_MOST) {
			r->applied = r->instances.len;
			return go_on(r);
		}
		reach_apply_one(r, vec_pop(&r->waiting[next]));
	}
	return false;
}

bool reach_run(struct reach *r)
{
	if (r->near)
		return run_nearest(r);
	reach_apply(r);
	return part_run(r->part) && go_on(r);
}

/* What others can get at from the start */

/* The JVM changes objects of some types as it likes: those that are parameters of methods of sherd/JVM. */
static void share_jvm(struct reach *r)
{
	struct pta *a = r->a;
	struct ir_class row = *class_row(a->p, a->linker.jvm);

	for (uint32_t i = 0; i < row.nmethods; i++) {
		method_id m = { row.first_method + i };
		const struct template *t = m.i < a->templates.len ? a->templates.data[m.i] : NULL;
		for (uint32_t k = 0; t && t->plain && k < t->nparams; k++)
			if (t->params[k])
				part_share_set(r->part, solver_set(a->s, variable_node(a, t->plain, t->params[k])));
	}
}

static void share_kind(struct reach *r, kind_id k)
{
	uint32_t block = k.i / 64;
	uint64_t bits = (uint64_t)1 << k.i % 64;

	part_share_set(r->part, (struct set_view){ &bits, &block, 1 });
}

static void share_unknown(struct reach *r)
{
	struct pta *a = r->a;

	for (uint32_t i = 0; i < a->kinds.unknowns.len; i++)
		share_kind(r, a->kinds.unknowns.data[i].kind);
	if (a->assumed.object.i)
		share_kind(r, a->assumed.object);
	if (a->assumed.array.i)
		share_kind(r, a->assumed.array);
}

static void share_first(struct reach *r)
{
	share_jvm(r);
	share_unknown(r);
	if (r->opt.precision == REACH_ESCAPES)
		escaping_share(r);
	if (r->opt.precision < REACH_ESCAPES)
		part_share_set(r->part, solver_set(r->a->s, r->a->everything));
	part_run(r->part);
}

/* Beginning and end */

static void note_sites(struct reach *r)
{
	struct pta *a = r->a;

	for (uint32_t i = 0; i < a->reached.len; i++) {
		const struct template *t = a->templates.data[a->reached.data[i].i];
		for (uint32_t k = 0; k < t->nstmts; k++)
			if (t->stmts[k].op == T_CALL)
				r->has_stmt.data[t->stmts[k].ref] = 1;
	}
}

static method_id find_start(struct program *p)
{
	class_id thread = program_find_class(p, STR("java/lang/Thread"));

	if (!thread.i || class_row(p, thread)->state != LOAD_DONE)
		return (method_id){ 0 };
	return program_declared(p, thread, program_sel(p, STR("start0"), STR("()V")));
}

#define zeroed(v, n) (vec_reserve((v), (n) + 1), (v)->len = (n) + 1, memset((v)->data, 0, (v)->len * sizeof(*(v)->data)))

/* The sets of coarse precisions. */
static uint32_t extra_nodes(const struct pta *a, enum reach_precision precision)
{
	return precision == REACH_METHODS ? (uint32_t)a->p->methods.len : precision == REACH_CALL;
}

static void find_quiet(struct reach *r)
{
	struct map quiet = { 0 };

	zeroed(&r->is_quiet, r->a->p->methods.len);
	reach_quiet(r->a, &r->opt, &quiet);
	for (uint32_t m = 0; m < r->is_quiet.len; m++)
		r->is_quiet.data[m] = map_get(&quiet, m) != 0;
	map_release(&quiet);
}

struct reach *reach_new(struct pta *a, const struct reach_opt *opt)
{
	struct reach *r = mem_zalloc(sizeof(*r));

	r->a = a;
	r->opt = *opt;
	r->part = part_new(a->s, &(struct part_opt){ .ctx = r, .watch = on_watch, .go_on = go_on, .ask_every = ASK_EVERY,
						     .extra = extra_nodes(a, opt->precision), .like = a->everything });
	r->start = find_start(a->p);
	zeroed(&r->is_library, a->p->methods.len);
	zeroed(&r->has_stmt, a->sites.len);
	zeroed(&r->reached, a->instances.len);
	zeroed(&r->last_link, a->instances.len);
	vec_push(&r->links, (struct reach_link){ 0 });
	r->targets = mem_zalloc(REACH_TARGETS * sizeof(*r->targets));
	note_sites(r);
	find_quiet(r);
	share_first(r);
	return r;
}

void reach_free(struct reach *r)
{
	part_free(r->part);
	vec_release(&r->is_library);
	vec_release(&r->has_stmt);
	vec_release(&r->reached);
	vec_release(&r->instances);
	for (uint32_t i = 0; i <= NEAR_MOST; i++)
		vec_release(&r->waiting[i]);
	vec_release(&r->watches);
	vec_release(&r->links);
	vec_release(&r->last_link);
	vec_release(&r->backs);
	vec_release(&r->given);
	vec_release(&r->skipped);
	seen_release(&r->linked);
	seen_release(&r->called_back);
	vec_release(&r->is_quiet);
	free(r->targets);
	free(r);
}
