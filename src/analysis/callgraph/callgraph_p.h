/* SPDX-License-Identifier: Apache-2.0 */
/* callgraph_p.h - the graph as the files of callgraph/ see it. */
#ifndef ANALYSIS_CALLGRAPH_P_H
#define ANALYSIS_CALLGRAPH_P_H

#include "analysis/callgraph/callgraph.h"
#include "analysis/callgraph/sets.h"
#include "analysis/hierarchy/hierarchy.h"

/* While the graph is built, a set number with this bit is one method: the set {method}. Others are rows of
 * `targets`; 0 is empty. */
#define SET_OF_ONE 0x80000000u

/* Who calls an entry. */
enum entry_by { ENTRY_BY_NONE, ENTRY_BY_JVM = 1, ENTRY_BY_CLIENT = 2 };

struct cg_node {                  /* by method id */
	uint32_t first, n;        /* its sites */
	uint8_t reached, by_callback;
	uint8_t entry;            /* enum entry_by */
};

typedef VEC(method_id) method_list;
typedef VEC(method_list) method_sets;
typedef VEC(class_id) class_list;
typedef VEC(struct cg_site) site_list;

struct dispatcher;

struct callgraph {
	struct program *p;
	VEC(struct cg_node) nodes;
	site_list sites;
	struct id_sets targets;   /* of methods */
	struct id_sets receivers; /* of classes */
	method_list reached;      /* in the order they were reached; sorted by name for output on demand */
	bool is_sorted;
	method_list identity;     /* identity.data[m] is m: the storage of sets of one */
	/* CHA and RTA only: a site's `receivers` is its key there; the classes are looked up on demand. */
	struct dispatcher *dispatcher;
	struct hierarchy h;
	VEC(struct cg_dynamic) dynamic;
	struct dynamic *features; /* NULL: not kept */
	struct map dynamic_at;    /* (caller, pc) -> 1 + row of `dynamic` */
	VEC(uint64_t) found;      /* for callgraph_found() */
};

struct cg_node *callgraph_node(struct callgraph *g, method_id m);     /* valid until the next call */

void callgraph_identity(struct callgraph *g);            /* makes `identity` long enough for all methods that there are now */
/* Every method, site and set is there: numbers sets as callgraph.h promises, and checks the graph in debug builds. */
void callgraph_finish(struct callgraph *g);

/* build.c: fills in an empty graph. */
void callgraph_build(struct callgraph *g, const struct cg_entries *entries, const struct cg_opt *opt);

#endif
