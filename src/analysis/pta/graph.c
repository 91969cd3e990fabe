/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph that an analysis found. */
#include "analysis/callgraph/fill.h"
#include "analysis/pta/pta_p.h"
#include "base/sort.h"

static void fill_site(struct callgraph *g, struct site *s)
{
	if (!s->link.is_listed)
		return;
	s->targets.len = sort_ids(s->targets.data, s->targets.len);
	s->receivers.len = sort_ids(s->receivers.data, s->receivers.len);
	callgraph_fill_site(g, s->link.site, (struct cg_targets){ s->targets.data, s->targets.len },
			    (struct cg_classes){ s->receivers.data, s->receivers.len });
}

struct callgraph *pta_callgraph(struct pta *a)
{
	struct callgraph *g = callgraph_new(a->p);

	for (uint32_t i = 0; i < a->reached.len; i++) {
		method_id m = a->reached.data[i];
		const struct template *t = a->templates.data[m.i];
		if (method_row(a->p, m)->owner.i == a->linker.jvm.i)
			continue;
		callgraph_fill_method(g, m, t->is_entry);
		for (uint32_t k = 0; k < t->nsites; k++)
			fill_site(g, &a->sites.data[t->first_site + k]);
	}
	callgraph_fill_end(g);
	return g;
}
