/* SPDX-License-Identifier: Apache-2.0 */
/* chain_options.h - which call chains of a component are meant, for verbs that list or measure them. */
#ifndef CLI_CHAINS_CHAIN_OPTIONS_H
#define CLI_CHAINS_CHAIN_OPTIONS_H

#include "cli/options.h"
#include "report/chains/chains.h"
#include "session/component/chains.h"

/* The member `chains` of a verb's struct; .initial names the granularity. */
struct chain_options {
	int k, granularity, length, recursion, prune;
	const char *levels, *from, *not_through, *filter, *assertions;
	option_list through;
};

#define CHAIN_OPTIONS(T) \
	OPT_INT(T, chains.k, "max-length", "k", "N", "Chains", "at most N calls; not needed with --recursion backedges"), \
	OPT_CHOICE(T, chains.granularity, "granularity", NULL, "WHAT", granularity_names, "Chains", \
		   "what makes two calls different: the 'method' that is called, also the call 'site', also the class of the 'receiver'"), \
	OPT_CHOICE(T, chains.length, "length", NULL, "FROM", length_names, "Chains", \
		   "where calls are counted from: the 'entry' of the component, or 'main', whose call of the entry is the first, " \
		   "with all code between a call that leaves the component and one that comes back"), \
	OPT_CHOICE(T, chains.recursion, "recursion", NULL, "HOW", recursion_names, "Chains", \
		   "'unroll' it as far as the length goes, or end a chain at the call of a method that it is in: 'backedges'"), \
	OPT_CHOICE(T, chains.prune, "prune", NULL, "WHAT", prune_names, "Chains", \
		   "leave out chains that 'conditions' rule out, given what their own calls pass; or 'none'"), \
	OPT_STRING(T, chains.assertions, "assert", NULL, "FILE", "Chains", \
		   "leave out chains that FILE says are impossible: 'chain ENTRY > CALLEE is impossible because TEXT', one a line"), \
	OPT_STRING(T, chains.levels, "levels", NULL, "LIST", "Chains", \
		   "at which entry levels: 0 called by clients, 1 called back meanwhile, and so on; '0-1' each of them, '1+' any " \
		   "from 1 on (default: 0+; with --length main all, each by itself)"), \
	OPT_STRING(T, chains.from, "from", NULL, "LIST", "Chains", "only trees of these entries: patterns of classes, or 'pkg.Cls.name(*)'"), \
	OPT_LIST(T, chains.through, "through", NULL, "LIST", "Chains", \
		 "only chains through one of these: patterns of classes, methods 'pkg.Cls.name(*)', calls 'A->B', '@file' a list; " \
		 "given more than once, through each"), \
	OPT_STRING(T, chains.not_through, "not-through", NULL, "LIST", "Chains", "no chain goes there"), \
	OPT_STRING(T, chains.filter, "filter", NULL, "FILE", "Chains", \
		   "more of these three, and -k where it is not given, as FILE says: lines 'from LIST', 'through LIST', " \
		   "'not-through LIST', 'k N'")

/* Reads the options, and the file of filters that they name, which is to be released in any case. False: `err` says what to write
 * instead. The request borrows from both. */
bool chain_request(const struct chain_options *o, struct filter_file *filter, struct chains_request *out, struct strbuf *err);

#endif
