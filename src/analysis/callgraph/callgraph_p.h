/* SPDX-License-Identifier: Apache-2.0 */
/* callgraph_p.h - the graph as the files of callgraph/ see it. */
#ifndef ANALYSIS_CALLGRAPH_P_H
#define ANALYSIS_CALLGRAPH_P_H

#include "analysis/callgraph/callgraph.h"
#include "analysis/hierarchy/hierarchy.h"

/* While the graph is built, a set number with this bit is one method: the set {method}. Others are rows of
 * `sets`; 0 is empty. */
#define SET_OF_ONE 0x80000000u

struct cg_node {                  /* by method id */
	uint32_t first, n;        /* its sites */
	uint8_t reached, entry;
};

typedef VEC(method_id) method_list;

struct callgraph {
	struct program *p;
	VEC(struct cg_node) nodes;
	VEC(struct cg_site) sites;
	VEC(method_list) sets;
	method_list reached;      /* in the order they were reached; sorted by name for output on demand */
	bool is_sorted;
	method_list identity;     /* identity.data[m] is m: the storage of sets of one */
};

/* build.c: fills in an empty graph. */
void callgraph_build(struct callgraph *g, const struct cg_entries *entries, const struct cg_opt *opt);

#endif
