/* SPDX-License-Identifier: Apache-2.0 */
/* Is the way of a callback through the library one? Looks at the call graph alone, not at how the way was found. */
#include "analysis/callbacks/callbacks.h"

#include "analysis/callgraph/callgraph.h"

static bool has_target(struct cg_targets t, method_id m)
{
	for (uint32_t i = 0; i < t.n; i++)
		if (t.methods[i].i == m.i)
			return true;
	return false;
}

#define MAX_MADE 8               /* lambdas that call each other */

/* Methods of lambdas and dispatchers are no steps: what they call is called by whoever calls them. */
static bool leads_to(const struct callgraph *g, struct cg_targets t, method_id m, uint32_t depth)
{
	const struct program *p = callgraph_program(g);

	if (has_target(t, m))
		return true;
	for (uint32_t i = 0; i < t.n && depth < MAX_MADE; i++) {
		uint32_t n = 0;
		if (class_row(p, method_row(p, t.methods[i])->owner)->kind != CLASS_SYNTHETIC)
			continue;
		const struct cg_site *s = callgraph_sites(g, t.methods[i], &n);
		for (uint32_t k = 0; k < n; k++)
			if (leads_to(g, callgraph_targets(g, &s[k]), m, depth + 1))
				return true;
	}
	return false;
}

static bool is_initialiser(const struct program *p, method_id m)
{
	return str_is(sel_name(p, method_row(p, m)->sel), "<clinit>");
}

/* Graphs do not say whose code initialises a class. */
static bool is_call(const struct callgraph *g, method_id m, uint32_t pc, method_id callee)
{
	uint32_t n = 0;
	const struct cg_site *s = callgraph_reaches(g, m) ? callgraph_sites(g, m, &n) : NULL;

	if (is_initialiser(callgraph_program(g), callee))
		return callgraph_reaches(g, callee);
	for (uint32_t i = 0; i < n; i++)
		if ((s[i].pc == pc || s[i].implied || pc == PC_NONE) && leads_to(g, callgraph_targets(g, &s[i]), callee, 0))
			return true;
	return false;
}

static bool refuse(const char **reason, const char *why)
{
	*reason = why;
	return false;
}

bool callbacks_check_witness(const struct callgraph *g, const struct callbacks *c, const struct app_edge *e, const char **reason)
{
	const struct reach_step *s = c->steps.data + e->first_step;

	if (!e->nsteps)
		return refuse(reason, "there is no way");
	if (s[e->nsteps - 1].method.i != e->by.i)
		return refuse(reason, "the last step is not the method that calls back");
	for (uint32_t i = 0; i < e->nsteps; i++) {
		method_id next = i + 1 < e->nsteps ? s[i + 1].method : e->callee;
		if (!is_call(g, s[i].method, s[i].pc, next))
			return refuse(reason, "a step is no call of the graph");
	}
	if (!is_call(g, e->caller, e->pc, s[0].method))
		return refuse(reason, "the library call does not call the first step");
	return true;
}
