/* SPDX-License-Identifier: Apache-2.0 */
/* Serialization: once ObjectStreamClass calls a hook, it does so for every serializable object there is. */
#include "analysis/callgraph/hooks.h"

#include "analysis/pta/template.h"

struct delivery {
	struct pta *a;
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
}

static void deliver(const struct watch *w, struct delivery *d, uint32_t kind)
{
	struct pta *a = d->a;
	class_id c = a->kinds.classes.data[kind];
	struct hook hook = { (enum hook_rule)w->stmt, a->sites.data[d->site].link.site.mref.i ?
			     mref_row(a->p, a->sites.data[d->site].link.site.mref)->sel : (sel_id){ 0 } };

	if (c.i && class_row(a->p, c)->kind != CLASS_ARRAY && hierarchy_is_subtype(&a->h, c, a->p->serializable))
		hook_targets(&a->h, hook, c, call_hook, d);
}

void hook_watch(struct pta *a, uint32_t watch, struct set_view news)
{
	struct watch w = a->watches.data[watch];

	for (uint32_t i = 0; i < news.n; i++) {
		struct delivery d = { .a = a, .site = w.instance, .block = news.blocks[i] };
		for (uint64_t bits = news.words[i]; bits; bits &= ~d.bits) {
			d.bits = same_kind(d.block, bits);
			deliver(&w, &d, solver_kind_of(a->s, (object_id){ d.block * 64 + first_bit(bits) }).i);
		}
	}
}

void hooks_add(struct maker *k)
{
	struct pta *a = k->a;
	struct hook hook;

	for (uint32_t i = 0; hook_at(a->p, k->caller.m, i, &hook); i++) {
		struct link l = { .site = { .op = IR_CALL_SPECIAL, .implied = 1, .cause = CG_REFLECTION,
					    .mref = program_mref(a->p, a->p->serializable, hook.sel, true) },
				  .is_listed = true };
		vec_push(&a->sites, ((struct site){ .link = l, .method = k->caller.m }));
		vec_push(&a->watches, ((struct watch){ .sort = WATCH_HOOK, .instance = a->sites.len - 1, .stmt = hook.rule }));
		solver_watch(a->s, a->everything, mask_of_class(a, a->p->serializable), a->watches.len - 1);
	}
}
