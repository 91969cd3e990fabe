/* SPDX-License-Identifier: Apache-2.0 */
/* language_p.h - what a language is, for the files that look inside. */
#ifndef ANALYSIS_STRINGS_LANGUAGE_P_H
#define ANALYSIS_STRINGS_LANGUAGE_P_H

#include "analysis/strings/expression_p.h"
#include "analysis/strings/language.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"

enum language_kind { STRINGS, AUTOMATON, ANY };

struct language {
	enum language_kind kind;
	bool widened, finite;
	uint32_t number;              /* in the order of making */
	uint32_t n;                   /* STRINGS: sorted by bytes, each once */
	const struct str *strings;
	struct fa *fa;                /* AUTOMATON: minimal. STRINGS: NULL before it was needed */
	struct graph graph;           /* AUTOMATON: ordered */
	struct expression expression; /* for libfa; of no kind before it was needed */
};

typedef VEC(struct str) str_list;

struct languages {
	struct arena arena, scratch;
	struct language_budget budget;
	uint64_t steps, reserve;      /* left of this question, and for those that follow */
	uint64_t given_up;
	VEC(struct fa *) automata;    /* to be freed */
	struct language empty, any, widened;
	const struct language *one_char, *chars;      /* of one char, and of any number; NULL before they were needed */
	uint32_t count;
	struct map concat_of;         /* numbers of two languages -> row of `concats`: what they come to, one behind the other */
	VEC(const struct language *) concats;         /* [0] unused */
	struct interner expressions;  /* of parts of the program, ... */
	VEC(const struct language *) of_expressions;  /* and their languages; NULL before they were needed */
};

/* Gives up: any string. */
const struct language *give_up(struct languages *ls);

/* Takes from what is left; false when it is too little. */
bool take_steps(struct languages *ls, uint64_t n);

/* The text as an automaton of the language; consumes the expression, which may have failed. */
const struct language *of_expression(struct languages *ls, const struct expressions *es, struct expression e, bool widened);
struct expressions expressions_for_libfa(struct languages *ls, struct arena *a);
/* The language as an expression for libfa; kept. Clears `scratch`. */
struct expression expression_of(struct languages *ls, struct expressions *es, const struct language *l);

/* Without strings that begin or end within a char. */
const struct language *whole_chars(struct languages *ls, const struct language *l);

/* Strings in any order, with repetitions; the list is sorted in place, their bytes stay where they are. */
const struct language *of_list(struct languages *ls, str_list *list, bool widened);

/* The graph of the language, which is not ANY; NULL when it is too large (counted as giving up). */
const struct graph *graph_of(struct languages *ls, const struct language *l);

static inline bool fits(const struct languages *ls, uint64_t strings, uint64_t bytes)
{
	return strings <= ls->budget.strings && bytes <= ls->budget.bytes;
}

#endif
