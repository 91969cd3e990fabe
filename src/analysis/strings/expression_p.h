/* SPDX-License-Identifier: Apache-2.0 */
/* expression_p.h - regular expressions as text: how graphs become automata again, and what people read. libfa makes automata
 * of expressions only; an expression that is given to it is bounded in length and in the length of the longest string
 * that it matches without a star, which bounds the time that libfa takes. */
#ifndef ANALYSIS_STRINGS_EXPRESSION_P_H
#define ANALYSIS_STRINGS_EXPRESSION_P_H

#include "analysis/strings/graph_p.h"

enum {
	EXPRESSION_BYTES = 32768,     /* of the text of one */
	EXPRESSION_STATES = 400,      /* of a graph that becomes one */
	EXPRESSION_DEPTH = 1024,      /* bytes of a string that it matches, each star once */
};

/* For libfa, any byte as it is; for people, escapes as in Java where a byte is not printable. */
enum expression_style { FOR_LIBFA, FOR_PEOPLE };

/* What must be put in parentheses: a choice in a sequence, and whatever is no atom before a star. */
enum expression_kind { MATCHES_NOTHING, MATCHES_EMPTY, ATOM, REPEATED, SEQUENCE, CHOICE };

struct expression {
	enum expression_kind kind;
	bool nullable;                /* matches the empty string */
	uint32_t depth;
	struct str text;
};

/* Texts come from an arena. When one becomes too long, `failed` is set, and it is ATOM with an empty text from there on. */
struct expressions {
	enum expression_style style;
	struct arena *arena;
	uint64_t *steps;              /* what is left; `failed` is set when nothing is */
	bool failed;
};

struct expression expression_bytes(struct expressions *es, const struct byteset *bytes);    /* one of these; may be empty */
struct expression expression_either(struct expressions *es, struct expression a, struct expression b);
struct expression expression_then(struct expressions *es, struct expression a, struct expression b);
struct expression expression_star(struct expressions *es, struct expression a);

/* One of sorted strings, each once; common beginnings are written once. */
struct expression expression_strings(struct expressions *es, const struct str *sorted, uint32_t n);

/* States 0 .. n - 1 and expressions between them, row by row; those that are not there are MATCHES_NOTHING, which is 0. */
struct network {
	uint32_t n;
	struct expression *between;   /* n * n */
};
void network_init(struct network *w, uint32_t n, struct arena *a);
void network_add(struct network *w, struct expressions *es, uint32_t from, uint32_t to, struct expression e);
/* What leads from one state to another. States are eliminated, those first that lengthen the text least (Delgado and Morais,
 * "Approximation to the smallest regular expression for a given regular language"). Consumes the network. O(n³). */
struct expression network_expression(struct network *w, struct expressions *es, uint32_t from, uint32_t to);

/* What leads from one of the states `starts` to one of `ends`. With `images`, every byte is what images[byte] says instead. */
struct expression graph_expression(const struct graph *g, const bool *starts, const bool *ends, const struct str *images,
				   struct expressions *es, struct arena *scratch);

#endif
