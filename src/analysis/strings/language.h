/* SPDX-License-Identifier: Apache-2.0 */
/* language.h - regular languages: sets of strings, of any bytes, that may be infinite.
 *
 * Few strings are kept as a sorted list, and what is done to them is exact and cheap; only infinite languages, and large ones, are
 * automata (libfa, the library of Augeas), always minimal. A finite language that fits the budget is always a list.
 *
 * Every operation is bounded. What would take too much becomes *any string*, and says so (language_is_widened); that holds for
 * everything that is made from it. So whatever is asked for, the answer contains it.
 *
 * Languages never change; they belong to the `struct languages` that made them and live as long as it. One thread at a time. */
#ifndef ANALYSIS_STRINGS_LANGUAGE_H
#define ANALYSIS_STRINGS_LANGUAGE_H

#include "analysis/strings/bytes.h"
#include "base/strbuf.h"

struct languages;
struct language;

struct language_budget {
	uint32_t strings, bytes;      /* of a language that is a list */
	uint32_t states;              /* of one that is an automaton */
	uint64_t steps;               /* of work for one question (languages_ask); a step takes some nanoseconds */
	uint64_t all_steps;           /* of work in all */
};
extern const struct language_budget language_budget_default;

struct languages *languages_new(const struct language_budget *b);          /* NULL: the default */
void languages_free(struct languages *ls);                                 /* with all its languages */

/* From here on, a new allowance of `steps` is used, or what is left of `all_steps`. */
void languages_ask(struct languages *ls);
/* How often something was too much so far: it grows whenever an operation gives up. */
uint64_t languages_given_up(const struct languages *ls);

/* --- making them; arguments are copied --- */
const struct language *language_empty(struct languages *ls);               /* no string */
const struct language *language_any(struct languages *ls);                 /* all strings */
const struct language *language_widened(struct languages *ls);             /* all strings, since something was too much */
const struct language *language_of(struct languages *ls, struct str s);
const struct language *language_of_strings(struct languages *ls, const struct str *s, uint32_t n);    /* in any order */
const struct language *language_of_bytes(struct languages *ls, const struct byteset *one_of);         /* strings of one byte */
const struct language *language_one_char(struct languages *ls);            /* strings of one char, be it three bytes */
/* Of an expression that is part of the program: extended POSIX syntax as libfa has it, where . is not a line feed and no class
 * has a name. A wrong one is a bug. */
const struct language *language_of_expression(struct languages *ls, const char *expression);

/* What Java makes of numbers: Integer.toString and its like, %x, Double.toString. */
enum language_format { FORMAT_INT, FORMAT_LONG, FORMAT_HEX, FORMAT_UPPER_HEX, FORMAT_OCTAL, FORMAT_FLOAT, FORMAT_BOOLEAN, FORMAT_CHAR };
const struct language *language_of_format(struct languages *ls, enum language_format f);

/* --- computing with them --- */
const struct language *language_union(struct languages *ls, const struct language *a, const struct language *b);
/* Of many at once: n strings cost as much as sorting them. */
const struct language *language_union_all(struct languages *ls, const struct language *const *all, uint32_t n);
const struct language *language_concat(struct languages *ls, const struct language *a, const struct language *b);
const struct language *language_intersect(struct languages *ls, const struct language *a, const struct language *b);
const struct language *language_minus(struct languages *ls, const struct language *a, const struct language *b);
const struct language *language_complement(struct languages *ls, const struct language *a);
#define LANGUAGE_UNBOUNDED UINT32_MAX
/* From `min` to `max` strings of the language, one after the other; `max` may be LANGUAGE_UNBOUNDED. */
const struct language *language_iterate(struct languages *ls, const struct language *a, uint32_t min, uint32_t max);

/* What tests of strings let through. */
const struct language *language_starting(struct languages *ls, struct str with);
const struct language *language_ending(struct languages *ls, struct str with);
const struct language *language_containing(struct languages *ls, struct str what);

/* --- questions --- */
bool language_is_empty(const struct language *l);
bool language_is_any(const struct language *l);
bool language_is_widened(const struct language *l);
bool language_is_finite(const struct language *l);
bool language_contains(const struct language *l, struct str s);
bool language_includes(struct languages *ls, const struct language *l, const struct language *in);   /* all of `in`; exact */
bool language_equals(struct languages *ls, const struct language *a, const struct language *b);
/* Calls fn for each string of a list that the language has, until it returns false. `shared[i]` is how many bytes strings i - 1 and i
 * begin with in common: what these rule out is not looked at again. */
void language_each_of(const struct language *l, const struct str *list, const uint32_t *shared, uint32_t n,
		      bool (*fn)(void *ctx, struct str s), void *ctx);
void language_bytes(const struct language *l, struct byteset *bytes);      /* adds all bytes of all its strings */

/* The strings of a finite language, by bytes: at most `max`. An infinite one has none. Borrowed from `ls`. */
struct language_list {
	const struct str *s;
	uint32_t n;
	bool more;                    /* there are others */
};
struct language_list language_list(struct languages *ls, const struct language *l, uint32_t max);

/* A shortest string, the first of them by bytes; false when there is none. */
bool language_example(struct languages *ls, const struct language *l, struct str *example);

/* As a regular expression that people can read: at most `max` strings of a list, which `…` ends when there are more. An automaton whose
 * expression would be longer than people read is the beginning that all its strings share, and `…`. */
void language_print(struct languages *ls, const struct language *l, uint32_t max, struct strbuf *to);

#endif
