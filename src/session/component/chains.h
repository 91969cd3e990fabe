/* SPDX-License-Identifier: Apache-2.0 */
/* chains.h - the call chains of a component, from what users write to a forest. */
#ifndef SESSION_COMPONENT_CHAINS_H
#define SESSION_COMPONENT_CHAINS_H

#include "analysis/chains/forest.h"
#include "session/component/chain_assert.h"
#include "session/component/filter_file.h"
#include "session/component/study.h"

/* What is asked for. Texts may be NULL: not said.
 *
 * A list of filters has items, separated by commas: patterns of classes; `pkg.Cls.name(*)`, methods, of which name and
 * parameters are patterns, too; `A->B`, calls from what A names to what B names; `!item`, not these, or all but these where
 * the list has nothing else; `@file`, a list. */
struct chains_request {
	enum chain_granularity granularity;
	bool backedges, from_main;
	uint32_t k;                           /* 0: no bound */
	const char *levels;                   /* "0", "0-1", "1+", "0,2-3"; "all" */
	const char *from;                     /* list: entries whose trees are wanted */
	const char *const *through;           /* lists: chains pass each of them */
	uint32_t nthrough;
	const char *not_through;              /* list: where no chain goes */
	const struct filter_line *filters;    /* more of the three, of a file: added up, as filter_file.h says */
	uint32_t nfilters;
	uint32_t most_states;                 /* 0: any number */
	bool prunes;                          /* leave out what conditions rule out */
	const char *assertions;               /* file: chains that are said to be impossible (chain_assert.h) */
};

struct chains {
	struct chains_request request;
	struct chain_graph *graph;
	struct chain_levels levels;
	struct chain_prune *prune;            /* NULL: conditions do not count */
	uint32_t levels_most;                 /* calls of the stacks that levels were computed for */
	struct forest *forest;
	struct forest *whole;                 /* without pruning, and without assertions; NULL: conditions do not count */
	struct forest *unasserted;            /* without assertions; NULL: there are none */
	struct asserted asserted;
};
void chains_release(struct chains *c);

#define CHAINS_MOST_K 10000

/* Is the request one that can be served? False: `err` says what to write instead. Reads no file. */
bool chains_check(const struct chains_request *q, struct strbuf *err);

/* Runs the analysis of an open study, and makes the forest. False: `why` says what is wrong with the request, or is empty
 * where a diagnostic does. *out is to be released in any case. */
bool study_chains(struct study *x, const struct chains_request *q, struct chains *out, struct strbuf *why);
/* Asks the same graph for another forest; no analysis runs, and levels are computed only where the request needs others. False:
 * as above, and the chains are those of before. */
bool chains_ask(struct chains *c, struct diag *d, const struct chains_request *q, struct strbuf *why);

#endif
