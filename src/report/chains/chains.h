/* SPDX-License-Identifier: Apache-2.0 */
/* chains.h - call chains of a component, as a screen, JSON, CSV, DOT and sequence diagrams. Formats: docs/formats/chains.md. */
#ifndef REPORT_CHAINS_CHAINS_H
#define REPORT_CHAINS_CHAINS_H

#include "analysis/chains/forest.h"
#include "report/java/head.h"
#include "report/java/names.h"
#include "report/write/sink.h"

#define CHAINS_ALL UINT64_MAX

/* A line of a file of assertions. */
struct chains_assertion {
	uint32_t line;
	const char *chain, *because;
};

/* What was asked. Each string may be NULL: not said. */
struct chains_head {
	struct report_head head;      /* its algorithm and level of assumptions count */
	const char *component, *interface, *clients;
	const char *from, *not_through, *filter;
	const char *const *through;
	uint32_t nthrough;
	uint64_t only;                /* the number of one chain, from 0 on; CHAINS_ALL: all */
	const struct forest *whole;   /* the forest without pruning; NULL: conditions do not count */
	const struct forest *unasserted;      /* without assertions; NULL: there are none */
	const char *assertions;       /* their file */
	const struct chains_assertion *asserted;      /* by number, as `cuts` of the forest has them */
};

/* A writer finishes the sink and returns whether everything was written. */
typedef bool chains_writer(struct sink *out, const struct forest *f, const struct chains_head *head);
chains_writer report_chains_text, report_chains_json, report_chains_csv;
/* Pictures, of what people can look at: nodes of trees that it has, DIAGRAM_MOST at most; a diagram of one tree only. */
chains_writer report_chains_dot, report_chains_plantuml, report_chains_mermaid;
#define DIAGRAM_MOST 500
#define DOT_MOST 5000

/* As people read it, in `buf` or elsewhere. */
const char *chains_text(uint64_t n, char buf[32]);
/* "0", "1+": of a tree */
void chains_add_level(const struct forest *f, const struct forest_tree *t, struct strbuf *out);
/* Map$Entry.getKey(): without the package, given the name with it. */
struct str chains_short_name(const struct chain_graph *x, uint32_t node, struct str name);
/* "DecimalFormat.toPattern(boolean)  on ChoiceFormat": of an edge of the graph, as far as the granularity tells; `source` has names
 * by name_source. A back edge is called again. */
void chains_add_call(const struct forest *f, struct names *source, uint32_t edge, bool is_back, struct strbuf *out);

extern const char *const granularity_names[];      /* by enum chain_granularity; NULL-terminated */
extern const char *const length_names[];           /* "entry", "main" */
extern const char *const recursion_names[];        /* "unroll", "backedges" */
extern const char *const prune_names[];            /* "conditions", "none" */

#endif
