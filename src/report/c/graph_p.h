/* SPDX-License-Identifier: Apache-2.0 */
/* graph_p.h - the call graph of a C program as its writers see it: functions in the order of their names, their sites,
 * targets as ranks. */
#ifndef REPORT_C_GRAPH_P_H
#define REPORT_C_GRAPH_P_H

#include "report/c/c_p.h"

enum c_site_kind { C_SITE_DIRECT, C_SITE_POINTER, C_SITE_ASM };

struct c_site {
	ccall_id call;
	uint32_t number;              /* within the function, from 0 */
	uint8_t kind;                 /* enum c_site_kind */
	const char *cause;            /* why targets may be missing; NULL: none is */
	uint32_t first, ntargets;     /* rows of `targets` */
};

struct c_node {
	cfn_id fn;
	bool is_entry, is_library;    /* runs without being called; a model, or unknown code */
	uint32_t first, nsites;       /* rows of `sites` */
};

struct c_graph {
	struct c_names names;
	VEC(struct c_node) nodes;     /* by name */
	VEC(struct c_site) sites;
	VEC(uint32_t) targets;        /* rows of nodes, in order */
	uint32_t *row;                /* by function: its row in nodes, + 1 */
	uint32_t *seen;               /* by row: 1 + the last one that asked for its callees */
	VEC(uint32_t) callees;
};
void c_graph_init(struct c_graph *g, const struct c_result *r, enum escape form);
void c_graph_release(struct c_graph *g);
/* The distinct targets of all sites of a node, as rows in order; valid until the next call. */
void c_graph_callees(struct c_graph *g, uint32_t node);
struct c_graph_stats c_graph_stats(struct c_graph *g);

static inline struct str c_graph_name(const struct c_graph *g, uint32_t node)
{
	return g->names.fns[g->nodes.data[node].fn.i];
}
static inline const struct cloc *c_graph_loc(const struct c_graph *g, cloc_id l)
{
	return &g->names.r->program->locs.data[l.i];
}
static inline const struct cloc *c_site_loc(const struct c_graph *g, const struct c_site *s)
{
	return c_graph_loc(g, g->names.r->program->calls.data[s->call.i].loc);
}
const char *c_site_word(enum c_site_kind k);          /* "direct", "pointer", "assembly" */

#endif
