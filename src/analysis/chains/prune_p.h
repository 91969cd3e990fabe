/* SPDX-License-Identifier: Apache-2.0 */
/* prune_p.h - answers that pruning keeps, and what reasons are made of. */
#ifndef ANALYSIS_CHAINS_PRUNE_P_H
#define ANALYSIS_CHAINS_PRUNE_P_H

#include "analysis/chains/prune.h"
#include "analysis/conditions/conditions.h"
#include "ir/access.h"

/* A call site in a context. */
struct site_fact {
	bool is_found;                /* the instruction was */
	bool is_live;                 /* it may run */
	uint32_t dead_block;          /* where it does not */
	uint32_t nargs;
	uint32_t *args;               /* values of the arguments, interned; without the receiver */
	struct value receiver;
	uint32_t kept;                /* fields of `this` that are not null there: a set of conditions.h */
};

struct chain_prune {
	const struct chain_graph *x;
	struct conditions c;
	struct arena mem;
	uint32_t *first_site;         /* by node, and one more */
	uint32_t *ncontexts;          /* by node */
	struct map context_of;        /* (node, context) -> 1 */
	struct map facts_of;          /* (node, context) -> 1 + row of facts */
	VEC(struct site_fact *) facts;        /* of the sites of a node */
	struct map reason_of;         /* ((node, context), site) -> 1 + row of reasons */
	VEC(struct chain_reason) reasons;
	struct strbuf text;
	passed_list classes, bounds;  /* scratch */
	uint32_t forgotten;
};

/* False: there is no body to look at. To be released. */
bool prune_evaluate(struct chain_prune *u, uint32_t node, uint32_t context, struct evaluation *e);
const struct site_fact *prune_fact(struct chain_prune *u, const struct chain_edge *e, uint32_t context);
/* Is the receiver known to be null, or an object of another class than the edge has? */
bool prune_other_receiver(struct chain_prune *u, const struct chain_edge *e, const struct site_fact *f);

#endif
