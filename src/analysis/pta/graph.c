/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph that an analysis found. */
#include "analysis/callgraph/fill.h"
#include "analysis/pta/pta_p.h"
#include "base/sort.h"

static void fill_site(struct callgraph *g, struct site *s, struct cg_site as)
{
	s->targets.len = sort_ids(s->targets.data, s->targets.len);
	s->receivers.len = sort_ids(s->receivers.data, s->receivers.len);
	callgraph_fill_site(g, as, (struct cg_targets){ s->targets.data, s->targets.len },
			    (struct cg_classes){ s->receivers.data, s->receivers.len });
}

static bool is_dispatcher(const struct pta *a, method_id m)
{
	return a->dynamic && dynamic_is_dispatcher(a->dynamic, m);
}

/* What a dispatcher calls, as calls of the site that it stands for. */
static void fill_contracted(struct pta *a, struct callgraph *g, const struct cg_site *by, method_id dispatcher)
{
	const struct template *t = a->templates.data[dispatcher.i];

	for (uint32_t i = t->first_site; i < t->first_site + t->nsites; i++) {
		struct cg_site as = a->sites.data[i].link.site;
		as.pc = by->pc;
		as.implied = by->implied;
		if (a->sites.data[i].link.is_listed)
			fill_site(g, &a->sites.data[i], as);
	}
}

static void fill_from(struct pta *a, struct callgraph *g, struct site *s)
{
	struct cg_site as = s->link.site;

	if (s->dynamic && dynamic_is_resolved(a->dynamic, s->dynamic))
		as.cause = CG_RESOLVED;
	if (s->link.is_listed)
		fill_site(g, s, as);
	for (uint32_t i = 0; s->link.sort == LINK_REFLECTED && i < s->targets.len; i++)
		fill_contracted(a, g, &s->link.site, s->targets.data[i]);
}

struct callgraph *pta_callgraph(struct pta *a)
{
	struct callgraph *g = callgraph_new(a->p);

	for (uint32_t i = 0; i < a->reached.len; i++) {
		method_id m = a->reached.data[i];
		const struct template *t = a->templates.data[m.i];
		if (method_row(a->p, m)->owner.i == a->linker.jvm.i || is_dispatcher(a, m))
			continue;
		callgraph_fill_method(g, m, t->is_entry);
		for (uint32_t k = 0; k < t->nsites; k++)
			fill_from(a, g, &a->sites.data[t->first_site + k]);
	}
	callgraph_fill_end(g);
	return g;
}
