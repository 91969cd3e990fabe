/* SPDX-License-Identifier: Apache-2.0 */
/* chain_filter.h - lists of filters, as users write them (chains.h), as tables over a graph of chains. */
#ifndef SESSION_COMPONENT_CHAIN_FILTER_H
#define SESSION_COMPONENT_CHAIN_FILTER_H

#include "analysis/chains/forest.h"

/* What a list names: methods, and calls. By node, and by edge. */
struct filter_hits {
	bool *nodes, *edges;          /* on the heap */
	bool has_nodes;               /* the list names methods at all */
};
void filter_hits_release(struct filter_hits *h);

/* `option` is for messages. False: `why` says what is wrong, or is empty where a diagnostic does: also when an item names
 * nothing that is there. */
bool filter_read(struct diag *d, const struct chain_graph *x, const char *option, const char *list, struct filter_hits *out,
		 struct strbuf *why);

/* Marks the methods that one item names, which is neither a call nor a file. False, with a diagnostic: it is none. */
bool filter_methods(struct diag *d, const struct chain_graph *x, struct str item, bool *nodes);

#endif
