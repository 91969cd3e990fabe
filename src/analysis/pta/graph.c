/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph that an analysis found. */
#include "analysis/callgraph/fill.h"
#include "analysis/dynamic/outside/outside.h"
#include "analysis/pta/pta_p.h"
#include "base/sort.h"

#include <stdlib.h>

struct filler {
	struct pta *a;
	struct callgraph *g;
	bool by_callback;                /* the method that is filled in is only there by callbacks */
	uint32_t *allowed;               /* by set of assumptions: 1 + its number in the graph */
	id_list targets, receivers;      /* scratch */
};

/* The ids from `first` on, sorted, but none of those before it that are in `base`. */
static void take(id_list *to, const void *ids, uint32_t first, uint32_t n, const struct map *base)
{
	const uint32_t *from = ids;

	vec_clear(to);
	vec_reserve(to, n - first);
	for (uint32_t i = first; i < n; i++)
		if (!base || !map_get(base, from[i]))
			to->data[to->len++] = from[i];
	to->len = sort_ids(to->data, to->len);
}

static void add_site(struct filler *f, struct cg_site as)
{
	callgraph_fill_site(f->g, as, (struct cg_targets){ (const method_id *)f->targets.data, f->targets.len },
			    (struct cg_classes){ (const class_id *)f->receivers.data, f->receivers.len });
}

/* What a site has only by callbacks is a site of its own. A receiver may have arrived twice. */
static void fill_late(struct filler *f, const struct site *s, struct cg_site as)
{
	struct map base = { 0 };

	for (uint32_t i = 0; i < s->nreceivers; i++)
		*map_at(&base, s->receivers.data[i].i) = 1;
	take(&f->targets, s->targets.data, s->ntargets, s->targets.len, NULL);
	take(&f->receivers, s->receivers.data, s->nreceivers, s->receivers.len, &base);
	map_release(&base);
	as.implied = 1 + DYNAMIC_CALLBACK;
	as.open = 1;
	as.cause = CG_RESOLVED;
	if (f->targets.len || f->receivers.len)
		add_site(f, as);
}

/* Those of objects that are assumed to be there, too. */
static void take_assumed(struct filler *f, const struct site *s)
{
	const struct assumed_ref *r = &f->a->assumed.refs.data[s->assumed];

	for (uint32_t i = 0; i < r->targets.len; i++)
		vec_push(&f->targets, r->targets.data[i].i);
	for (uint32_t i = 0; i < r->receivers.len; i++)
		vec_push(&f->receivers, r->receivers.data[i].i);
	f->targets.len = sort_ids(f->targets.data, f->targets.len);
	f->receivers.len = sort_ids(f->receivers.data, f->receivers.len);
}

static void fill_site(struct filler *f, const struct site *s, struct cg_site as)
{
	bool is_callback = as.implied == 1 + DYNAMIC_CALLBACK;

	if (!s->link.is_listed)
		return;
	take(&f->targets, s->targets.data, 0, f->by_callback ? s->targets.len : s->ntargets, NULL);
	take(&f->receivers, s->receivers.data, 0, f->by_callback ? s->receivers.len : s->nreceivers, NULL);
	if (s->assumed)
		take_assumed(f, s);
	if (!is_callback || f->targets.len)
		add_site(f, as);
	if (!f->by_callback && (s->targets.len > s->ntargets || s->receivers.len > s->nreceivers))
		fill_late(f, s, as);
}

static bool is_dispatcher(const struct pta *a, method_id m)
{
	return a->dynamic && dynamic_is_dispatcher(a->dynamic, m);
}

static void fill_from(struct filler *f, const struct site *s, const struct cg_site *by);

/* What a dispatcher calls, and the dispatchers that it calls itself, as calls of the site that it stands for. */
static void fill_contracted(struct filler *f, const struct cg_site *by, method_id dispatcher)
{
	const struct pta *a = f->a;
	const struct template *t = a->templates.data[dispatcher.i];

	for (uint32_t i = t->first_site; i < t->first_site + t->nsites; i++)
		fill_from(f, &a->sites.data[i], by);
}

/* What the call may do, in sets that others have, too. */
static void fill_allowed(struct filler *f, const struct site *s, const struct cg_site *by)
{
	const struct reflected *r = &f->a->reflected.data[s->dynamic];
	struct cg_site as = { .pc = by->pc, .op = IR_CALL_DYNAMIC, .implied = by->implied };

	for (uint32_t i = 0; i < r->sets.len; i++) {
		uint32_t set = r->sets.data[i];
		method_list *members = &f->a->assumed.sets.data[set];
		if (!f->allowed[set]) {
			members->len = sort_ids(members->data, members->len);
			f->allowed[set] = 1 + callgraph_fill_set(f->g, (struct cg_targets){ members->data, members->len });
		}
		if (members->len)
			callgraph_fill_shared(f->g, as, f->allowed[set] - 1);
	}
}

/* `by` is the site that the call is made for, where that is another one. */
static void fill_from(struct filler *f, const struct site *s, const struct cg_site *by)
{
	const struct pta *a = f->a;
	struct cg_site as = s->link.site;

	if (s->dynamic && dynamic_is_resolved(a->dynamic, s->dynamic))
		as.cause = CG_RESOLVED;
	if (by) {
		as.pc = by->pc;
		as.implied = by->implied;
		as.fact = dynamic_source_of(a->dynamic, s->method) & OUTSIDE_MOST_FILES;
	}
	fill_site(f, s, as);
	for (uint32_t i = 0; s->link.sort == LINK_REFLECTED && i < s->targets.len; i++)
		fill_contracted(f, by ? by : &s->link.site, s->targets.data[i]);
	if (s->link.sort == LINK_REFLECTED)
		fill_allowed(f, s, by ? by : &s->link.site);
	if (s->callbacks)
		fill_site(f, &a->sites.data[s->callbacks], a->sites.data[s->callbacks].link.site);
}

/* Without callbacks, everything is there without them. */
static void end_without_callbacks(struct pta *a)
{
	if (!a->callbacks.are_made)
		callbacks_mark(a);
}

struct dynamic *pta_features(struct pta *a)
{
	return a->dynamic;
}

struct callgraph *pta_callgraph(struct pta *a)
{
	struct filler f = { .a = a, .g = callgraph_new(a->p) };

	f.allowed = mem_zalloc((a->assumed.sets.len + 1) * sizeof(*f.allowed));
	end_without_callbacks(a);
	for (uint32_t i = 0; i < a->reached.len; i++) {
		method_id m = a->reached.data[i];
		const struct template *t = a->templates.data[m.i];
		if (method_row(a->p, m)->owner.i == a->linker.jvm.i || is_dispatcher(a, m))
			continue;
		f.by_callback = i >= a->callbacks.nreached;
		callgraph_fill_method(f.g, m, t->is_entry);
		if (t->is_client_entry)
			callgraph_fill_client_entry(f.g);
		if (f.by_callback)
			callgraph_fill_by_callback(f.g);
		for (uint32_t k = 0; k < t->nsites; k++)
			fill_from(&f, &a->sites.data[t->first_site + k], NULL);
	}
	if (a->dynamic)
		callgraph_fill_dynamic(f.g, a->dynamic);
	callgraph_fill_end(f.g);
	free(f.allowed);
	vec_release(&f.targets);
	vec_release(&f.receivers);
	return f.g;
}
