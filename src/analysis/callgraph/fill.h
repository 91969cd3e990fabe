/* SPDX-License-Identifier: Apache-2.0 */
/* fill.h - for analyses that compute a call graph's edges themselves: an empty graph, its methods one after another, each
 * followed by its sites, then the end. */
#ifndef ANALYSIS_CALLGRAPH_FILL_H
#define ANALYSIS_CALLGRAPH_FILL_H

#include "analysis/callgraph/callgraph.h"

struct callgraph *callgraph_new(struct program *p);

/* The method is reachable; the sites that follow are its own. Each method once. */
void callgraph_fill_method(struct callgraph *g, method_id m, bool is_entry);
void callgraph_fill_client_entry(struct callgraph *g);   /* of the last method: see callgraph_is_client_entry() */
void callgraph_fill_by_callback(struct callgraph *g);    /* of the last method: see callgraph_is_by_callback() */
/* Targets and receivers are sorted by id and free of duplicates; equal sets are stored once. */
void callgraph_fill_site(struct callgraph *g, struct cg_site site, struct cg_targets targets,
			 struct cg_classes receivers);

/* The same with targets that many sites have, and no receivers: the set is handed over once. */
uint32_t callgraph_fill_set(struct callgraph *g, struct cg_targets t);
void callgraph_fill_shared(struct callgraph *g, struct cg_site site, uint32_t set);
/* What became of dynamic calls; of reachable methods, once these are there. */
void callgraph_fill_dynamic(struct callgraph *g, struct dynamic *d);

/* Every method and site is there. Aborts in debug builds when callgraph_check() finds fault. */
void callgraph_fill_end(struct callgraph *g);

#endif
