/* SPDX-License-Identifier: Apache-2.0 */
/* operation.h - what Java does to strings, on languages. The result contains what the operation makes of any string of its operands; it is
 * exact for lists of strings, unless said otherwise. Positions count chars, and strings are modified UTF-8. A string for which the
 * operation throws contributes nothing. All operations are monotone: larger operands, larger results. */
#ifndef ANALYSIS_STRINGS_OPERATION_H
#define ANALYSIS_STRINGS_OPERATION_H

#include "analysis/strings/language.h"

enum operation_kind {
	OP_SUBSTRING,         /* from, to */
	OP_CHAR_AT,           /* from: a string of one char */
	OP_REPLACE,           /* what, with: String.replace, of chars and of sequences */
	OP_REPLACE_FIRST,     /* what, with: regular expressions and replacements of Java. Exact where `what` only matches one */
	OP_REPLACE_ALL,       /* string, and `with` has no groups; otherwise any string of these characters */
	OP_TRIM,              /* characters up to blank */
	OP_STRIP,             /* white space; exact for ASCII */
	OP_STRIP_LEADING,
	OP_STRIP_TRAILING,
	OP_LOWER,             /* exact for ASCII, any string for others; the locale is one that maps ASCII letters to ASCII letters */
	OP_UPPER,
	OP_REVERSE,
	OP_INSERT,            /* the second operand, at from */
	OP_DELETE,            /* from, to: as StringBuilder.delete, which takes a `to` beyond the end */
	OP_DELETE_CHAR,       /* from */
	OP_SET_CHAR,          /* from: becomes the second operand */
	OP_SET_LENGTH,        /* to: cut, or filled with NUL */
	OP_REPEAT,            /* from times */
	OP_SPLIT,             /* what: a regular expression; any piece */
	OP_FILTER,            /* those of `filter` */
	OP_EXCEPT,            /* those that are not of `filter`; of any string, any string: that it is not one of a few says little */
	OP_MIX,               /* any string of the characters of the operands: for whatever else only moves characters about */
};

#define POSITION_UNKNOWN UINT32_MAX           /* as a position or a count: any */
#define POSITION_END (UINT32_MAX - 1)         /* as `to`: the length of the string */

struct operation {
	enum operation_kind kind;
	uint32_t from, to;
	struct str what, with;                /* `what` of OP_SPLIT may be unknown: then `p` is NULL */
	const struct language *filter;
};

bool operation_is_binary(enum operation_kind kind);

/* `b` is the second operand, or NULL. */
const struct language *operation_apply(struct languages *ls, const struct operation *op, const struct language *a,
				       const struct language *b);

/* All that the operation can make of strings of these bytes: for operations on their own results. */
const struct language *operation_bound(struct languages *ls, const struct operation *op, const struct byteset *operands);
/* Bytes of results, from the bytes of both operands. */
struct byteset operation_bytes(const struct operation *op, const struct byteset *operands);

#endif
