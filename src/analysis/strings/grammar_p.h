/* SPDX-License-Identifier: Apache-2.0 */
/* grammar_p.h - the tables of a grammar. */
#ifndef ANALYSIS_STRINGS_GRAMMAR_P_H
#define ANALYSIS_STRINGS_GRAMMAR_P_H

#include "analysis/strings/grammar.h"
#include "base/vec.h"

enum production_kind { IS_LANGUAGE, IS_NODE, IS_CONCAT, IS_OPERATION };

struct production {
	enum production_kind kind;
	uint32_t next;                /* of the same node; 0: none */
	uint32_t a, b;                /* nodes; 0: none */
	const struct language *language;
	const struct operation *op;
	bool cut;                     /* an operation on its own results, now or before: bounded by characters; a filter lets all pass */
};

struct string_row {
	uint32_t first, last;         /* productions, in the order of adding; 0: none */
	const struct language *language;      /* as of `version` */
	struct byteset bytes;         /* the same: all that its strings can be made of */
	uint32_t version;
	uint32_t changed;             /* the version that its last production made */
	uint32_t stamp;               /* the last version that changed it or anything that it is made of, as far as is known */
	bool recursive;               /* as of `version`: its component has other nodes, which may have no language yet */
	const struct language *all;   /* a production is any string; NULL: none is */
	bool any;                     /* was too much: any string from now on */
};

struct grammar {
	struct languages *ls;
	struct arena arena;           /* operations and their texts */
	VEC(struct string_row) nodes; /* by node */
	VEC(struct production) productions;   /* from 1 on */
	uint32_t version;             /* counts changes */
	VEC(uint32_t) local;          /* by node: its number in the question that is being answered, plus one; otherwise 0 */
};

#endif
