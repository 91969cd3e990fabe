/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/callgraph/fill.h"

#include "analysis/callgraph/callgraph_p.h"

struct callgraph *callgraph_new(struct program *p)
{
	struct callgraph *g = mem_zalloc(sizeof(*g));

	g->p = p;
	id_sets_init(&g->targets);
	id_sets_init(&g->receivers);
	return g;
}

void callgraph_fill_method(struct callgraph *g, method_id m, bool is_entry)
{
	struct cg_node *n = callgraph_node(g, m);

	if (n->reached)
		BUG("method %u was filled in before", (unsigned)m.i);
	*n = (struct cg_node){ .first = g->sites.len, .reached = 1, .entry = is_entry };
	vec_push(&g->reached, m);
}

void callgraph_fill_client_entry(struct callgraph *g)
{
	g->nodes.data[vec_last(&g->reached)->i].entry |= ENTRY_BY_CLIENT;
}

void callgraph_fill_by_callback(struct callgraph *g)
{
	g->nodes.data[vec_last(&g->reached)->i].by_callback = 1;
}

uint32_t callgraph_fill_set(struct callgraph *g, struct cg_targets t)
{
	return t.n == 1 ? SET_OF_ONE | t.methods[0].i : id_sets_intern(&g->targets, t.methods, t.n);
}

void callgraph_fill_shared(struct callgraph *g, struct cg_site site, uint32_t set)
{
	site.set = set;
	site.receivers = 0;
	vec_push(&g->sites, site);
	g->nodes.data[vec_last(&g->reached)->i].n++;
}

void callgraph_fill_site(struct callgraph *g, struct cg_site site, struct cg_targets targets,
			 struct cg_classes receivers)
{
	site.set = callgraph_fill_set(g, targets);
	site.receivers = id_sets_intern(&g->receivers, receivers.classes, receivers.n);
	vec_push(&g->sites, site);
	g->nodes.data[vec_last(&g->reached)->i].n++;
}

void callgraph_fill_end(struct callgraph *g)
{
	callgraph_finish(g);
}
