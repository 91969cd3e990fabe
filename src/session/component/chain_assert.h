/* SPDX-License-Identifier: Apache-2.0 */
/* chain_assert.h - chains that users say are impossible: a file of lines
 *
 *	chain ENTRY > CALLEE > CALLEE is impossible because TEXT
 *
 * Methods are named as filters name them (chains.h). `#` starts a comment. No chain begins with an entry and calls that fit, one after the
 * other. */
#ifndef SESSION_COMPONENT_CHAIN_ASSERT_H
#define SESSION_COMPONENT_CHAIN_ASSERT_H

#include "analysis/chains/forest.h"

struct asserted_line {
	uint32_t line;
	char *chain, *because;        /* on the heap, as all below */
	bool **nodes;
	uint32_t n;
};

struct asserted {
	VEC(struct asserted_line) lines;
	VEC(struct chain_assertion) list;     /* the same, for forests */
};
void asserted_release(struct asserted *a);

/* False: `why` says what is wrong with which line, or is empty where a diagnostic does: also when a line names no method of the
 * component, or no chain that the calls allow. */
bool asserted_read(struct diag *d, const struct chain_graph *x, const struct chain_levels *levels, const char *path, struct asserted *out,
		   struct strbuf *why);

#endif
