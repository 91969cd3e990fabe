/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the calls that dynamic features are about, kept with the graph. */
#include "analysis/callgraph/callgraph_p.h"
#include "analysis/callgraph/fill.h"
#include "analysis/dynamic/values.h"

static void add_found(void *ctx, uint64_t what)
{
	struct callgraph *g = ctx;

	vec_push(&g->found, what);
}

static void fill_found(struct callgraph *g, struct dynamic *d, uint32_t site, struct cg_dynamic *row)
{
	uint32_t n;
	const uint64_t *what = dynamic_found(d, site, &n);

	row->first_found = g->found.len;
	for (uint32_t i = 0; i < n; i++) {
		if (meta_sort(what[i]) == META_HANDLE)
			dynamic_handle_members(d, meta_id(what[i]), add_found, g);
		else
			add_found(g, what[i]);
	}
	row->nfound = g->found.len - row->first_found;
}

void callgraph_fill_dynamic(struct callgraph *g, struct dynamic *d)
{
	for (uint32_t i = 1; i <= dynamic_nsites(d); i++) {
		struct dynamic_place at = dynamic_place(d, i);
		struct cg_dynamic row = { .caller = at.caller, .pc = at.pc, .mref = at.ref, .sort = dynamic_sort_of(d, i),
					  .is_resolved = dynamic_is_resolved(d, i), .cast = dynamic_cast(d, i) };
		if (!callgraph_reaches(g, at.caller))
			continue;
		if (!row.is_resolved)
			row.why = dynamic_why(d, i);
		fill_found(g, d, i, &row);
		vec_push(&g->dynamic, row);
		*map_at(&g->dynamic_at, map_key(at.caller.i, at.pc)) = g->dynamic.len;
	}
}

const uint64_t *callgraph_found(const struct callgraph *g, const struct cg_dynamic *d)
{
	return g->found.data + d->first_found;
}

struct dynamic *callgraph_features(struct callgraph *g)
{
	return g->features;
}

uint32_t callgraph_ndynamic(const struct callgraph *g)
{
	return g->dynamic.len;
}

const struct cg_dynamic *callgraph_dynamic(const struct callgraph *g, uint32_t k)
{
	return &g->dynamic.data[k];
}

const struct cg_dynamic *callgraph_dynamic_at(const struct callgraph *g, method_id caller, uint32_t pc)
{
	uint32_t row = map_get(&g->dynamic_at, map_key(caller.i, pc));

	return row ? &g->dynamic.data[row - 1] : NULL;
}

/* A cast decides what is made, or what the class is of which it is made; where strings count, they decide, too. */
bool cg_dynamic_is_resolved(const struct cg_dynamic *d, enum dynamic_level level)
{
	return (level <= DYNAMIC_STRING && d->is_resolved) || (level <= DYNAMIC_CAST && level != DYNAMIC_LISTED && d->cast.i);
}
