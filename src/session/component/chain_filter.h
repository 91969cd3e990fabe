/* SPDX-License-Identifier: Apache-2.0 */
/* chain_filter.h - lists of filters, as users write them (chains.h), as tables over a graph of chains. */
#ifndef SESSION_COMPONENT_CHAIN_FILTER_H
#define SESSION_COMPONENT_CHAIN_FILTER_H

#include "analysis/chains/forest.h"
#include "session/component/filter_file.h"

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
/* The same of n lists that are read as one; messages say where each was written. */
bool filter_read_lines(struct diag *d, const struct chain_graph *x, const char *option, const struct filter_line *lines, uint32_t n,
		       struct filter_hits *out, struct strbuf *why);

/* Adds the item of a list that names just this method. */
void filter_name_method(const struct program *p, method_id m, struct strbuf *out);

/* Marks the methods that one item names, which is neither a call nor a file. False, with a diagnostic: it is none. */
bool filter_methods(struct diag *d, const struct chain_graph *x, struct str item, bool *nodes);

#endif
