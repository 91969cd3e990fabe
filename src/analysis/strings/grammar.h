/* SPDX-License-Identifier: Apache-2.0 */
/* grammar.h - what strings a program can make: a context-free grammar with operations, and regular languages that contain what it derives.
 *
 * A node stands for the strings that a place of the program can hold. Productions say what it holds at least: literals, languages, what
 * another node holds, what two nodes hold one after the other, what an operation makes of what others hold.
 *
 * grammar_language is exact as long as nothing is recursive, no operation is lossy (operation.h) and the budget lasts. Recursion on one
 * side is exact, too; other recursion is approximated (Mohri and Nederhof, "Regular approximation of context-free grammars
 * through transformation"), and an operation on its own results is any string of the characters that can be there. See
 * docs/analyses/strings.md.
 *
 * Monotone: a language that was asked for never becomes smaller when productions are added. What was too much once is any string from
 * then on, so answers depend on the questions before them, and only grow. */
#ifndef ANALYSIS_STRINGS_GRAMMAR_H
#define ANALYSIS_STRINGS_GRAMMAR_H

#include "analysis/strings/operation.h"

typedef struct {
	uint32_t i;
} string_node;                        /* from 1 on, in the order of grammar_node; 0 is none */

struct grammar;

struct grammar *grammar_new(struct languages *ls);       /* borrows `ls`, which lives longer */
void grammar_free(struct grammar *g);

string_node grammar_node(struct grammar *g);             /* a new one, which holds nothing */

/* What `n` holds at least. Texts are copied, languages are those of `ls`. */
void grammar_add_literal(struct grammar *g, string_node n, struct str s);
void grammar_add_language(struct grammar *g, string_node n, const struct language *l);
void grammar_add_node(struct grammar *g, string_node n, string_node from);
void grammar_add_concat(struct grammar *g, string_node n, string_node a, string_node b);
/* `b` is the second operand of operations that have one, otherwise none. */
void grammar_add_operation(struct grammar *g, string_node n, const struct operation *op, string_node a, string_node b);
/* What java.util.Formatter makes of a format and its arguments, as Object.toString has them; an argument that is none can be
 * anything. Conversions that are not known, and formats that are wrong, are any string. */
void grammar_add_format(struct grammar *g, string_node n, struct str format, const string_node *args, uint32_t count);

/* All that `n` can hold, and maybe more. Takes what the budget of `ls` allows for one question, which is a new one. Kept until a
 * production is added. O(nodes that `n` is made of), without recursion, but for the languages. */
const struct language *grammar_language(struct grammar *g, string_node n);

#endif
