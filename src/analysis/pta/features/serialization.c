/* SPDX-License-Identifier: Apache-2.0 */
/* Serialization: once ObjectStreamClass calls a hook, it does so for every serializable object there is. What hooks return,
 * which serialization goes on with, is in static fields of sherd/JVM. */
#include "analysis/callgraph/hooks.h"

#include "analysis/pta/feature.h"

struct delivery {
	struct pta *a;
	node_id result;          /* where what the hook returns goes; none: it does not matter */
	uint32_t site, block;
	uint64_t bits;
};

/* Streams are unknown to what is read or written by a hook's own code: its parameters may be anything. */
static void call_hook(void *ctx, method_id m)
{
	const struct delivery *d = ctx;
	struct pta *a = d->a;

	add_edge(a, d->site, m);
	uint32_t in = instance_of(a, m, (context_id){ 0 });
	const struct template *t = template_of(a, m);
	if (t->nparams && t->params[0])
		solver_add_word(a->s, variable_node(a, in, t->params[0]), d->block, d->bits);
	for (uint32_t i = 1; i < t->nparams; i++)
		if (t->params[i])
			solver_copy(a->s, a->everything, variable_node(a, in, t->params[i]), mask_of_class(a, t->types[t->params[i]]));
	if (d->result.i && t->returns)
		solver_copy(a->s, variable_node(a, in, t->returns), d->result, (mask_id){ 0 });
}

static void deliver(const struct watch *w, struct delivery *d, uint32_t kind)
{
	struct pta *a = d->a;
	class_id c = a->kinds.classes.data[kind];
	struct hook hook = { .rule = (enum hook_rule)w->stmt, .sel = a->sites.data[d->site].link.site.mref.i ?
			     mref_row(a->p, a->sites.data[d->site].link.site.mref)->sel : (sel_id){ 0 } };

	if (c.i && class_row(a->p, c)->kind != CLASS_ARRAY && hierarchy_is_subtype(&a->h, c, a->p->serializable))
		hook_targets(&a->h, hook, c, call_hook, d);
}

void hook_watch(struct pta *a, uint32_t watch, struct set_view news)
{
	struct watch w = a->watches.data[watch];

	for (uint32_t i = 0; i < news.n; i++) {
		struct delivery d = { .a = a, .result = w.node, .site = w.instance, .block = news.blocks[i] };
		for (uint64_t bits = news.words[i]; bits; bits &= ~d.bits) {
			d.bits = same_kind(d.block, bits);
			deliver(&w, &d, solver_kind_of(a->s, (object_id){ d.block * 64 + first_bit(bits) }).i);
		}
	}
}

fref_id hook_result(struct pta *a, method_id via, sel_id hook)
{
	struct hook h;

	for (uint32_t i = 0; hook_at(a->p, via, i, &h); i++)
		if (h.sel.i == hook.i && h.result)
			return program_fref(a->p, a->linker.jvm, program_sel(a->p, str_of(h.result), STR("Ljava/lang/Object;")));
	return (fref_id){ 0 };
}

/* The method returns what the hook did; where that is kept. */
static node_id add_result(struct maker *k, sel_id hook)
{
	fref_id f = hook_result(k->a, k->caller.m, hook);

	if (!f.i)
		return (node_id){ 0 };
	uint32_t v = k->types.len;
	vec_push(&k->types, k->a->p->object);
	vec_push(&k->stmts, ((struct t_stmt){ .op = T_GET_STATIC, .to = v, .ref = jvm_field(f) }));
	vec_push(&k->returned, v);
	return static_node(k->a, jvm_field(f));
}

static void add_hooks(struct maker *k)
{
	struct pta *a = k->a;
	struct hook hook;

	for (uint32_t i = 0; hook_at(a->p, k->caller.m, i, &hook); i++) {
		struct link l = { .site = { .op = IR_CALL_SPECIAL, .implied = 1, .cause = CG_REFLECTION,
					    .mref = program_mref(a->p, a->p->serializable, hook.sel, true) },
				  .is_listed = true };
		node_id result = add_result(k, hook.sel);
		vec_push(&a->sites, ((struct site){ .link = l, .method = k->caller.m }));
		vec_push(&a->watches, ((struct watch){ .sort = WATCH_HOOK, .instance = a->sites.len - 1, .stmt = hook.rule,
						       .node = result }));
		solver_watch(a->s, a->everything, mask_of_class(a, a->p->serializable), a->watches.len - 1);
	}
}

const struct feature feature_serialization = { .method = add_hooks };
