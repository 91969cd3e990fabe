/* SPDX-License-Identifier: Apache-2.0 */
/* sherd.h: call graphs of Java programs. */
#include "session/api/api_p.h"

#include <stdlib.h>

sherd_callgraph *sherd_callgraph_compute(sherd_session *s, const char *entry, const char *algorithm)
{
	struct cg_entries entries = { 0 };
	struct analysis chosen;
	sherd_callgraph *g = NULL;

	if (!api_choose(s, algorithm, &chosen))
		return NULL;
	if (entries_of(&s->s, entry ? entry : "", &entries)) {
		analysis_start(&chosen, &s->s, &entries);
		analysis_need(&chosen, JAVA_GRAPH);
		analysis_forget_facts(&chosen);
		g = mem_zalloc(sizeof(*g));
		g->session = s;
		g->g = chosen.graph;
	}
	entries_release(&entries);
	return g;
}

void sherd_callgraph_free(sherd_callgraph *g)
{
	if (g)
		callgraph_free(g->g);
	free(g);
}

size_t sherd_callgraph_count(const sherd_callgraph *g)
{
	return callgraph_nmethods(g->g);
}

sherd_method sherd_callgraph_method(const sherd_callgraph *g, size_t k)
{
	return k < callgraph_nmethods(g->g) ? callgraph_method(g->g, (uint32_t)k).i : 0;
}

bool sherd_callgraph_is_entry(const sherd_callgraph *g, sherd_method m)
{
	return callgraph_is_entry(g->g, (method_id){ m });
}

size_t sherd_callgraph_sites(const sherd_callgraph *g, sherd_method m)
{
	uint32_t n = 0;

	if (callgraph_reaches(g->g, (method_id){ m }))
		callgraph_sites(g->g, (method_id){ m }, &n);
	return n;
}

struct sherd_site sherd_callgraph_site(const sherd_callgraph *g, sherd_method m, size_t k)
{
	uint32_t n;

	if (k >= sherd_callgraph_sites(g, m))
		return (struct sherd_site){ 0 };
	const struct cg_site *s = callgraph_sites(g->g, (method_id){ m }, &n) + k;
	struct cg_targets t = callgraph_targets(g->g, s);
	struct cg_classes c = callgraph_receivers(g->g, s);
	return (struct sherd_site){
		.pc = s->pc,
		.line = api_line(g->session, (method_id){ m }, s->pc),
		.declared = api_mref_name(g->session, s->mref),
		.unresolved = s->cause == CG_RESOLVED ? NULL : cg_cause_name(s->cause),
		.targets = (const sherd_method *)t.methods,
		.ntargets = t.n,
		.receivers = (const sherd_class *)c.classes,
		.nreceivers = c.n,
		.open = s->open,
	};
}
