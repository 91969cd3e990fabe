/* SPDX-License-Identifier: Apache-2.0 */
/* operation_p.h - an operation on one string, and on an automaton. */
#ifndef ANALYSIS_STRINGS_OPERATION_P_H
#define ANALYSIS_STRINGS_OPERATION_P_H

#include "analysis/strings/language_p.h"
#include "analysis/strings/operation.h"

/* What an operation makes of strings, one after the other. */
struct results {
	struct languages *ls;
	str_list list;
	uint64_t bytes;
	bool too_many;
};

/* Adds what the operation makes of `a`, and `b` where it is binary: nothing when it throws. False when that is not known
 * exactly, and operation_on_automaton tells more. */
bool operation_on_string(const struct operation *op, struct str a, struct str b, struct results *to);

const struct language *operation_on_automaton(struct languages *ls, const struct operation *op, const struct language *a,
					      const struct language *b);

/* All strings of these bytes. */
const struct language *strings_of_bytes(struct languages *ls, const struct byteset *bytes);

/* The one string that a regular expression of Java matches, into `to`; false when there may be others. */
bool literal_of_regex(struct str regex, struct strbuf *to);
/* What a replacement of Java puts, whatever was matched; false when it mentions groups. */
bool literal_of_replacement(struct str replacement, struct strbuf *to);

#endif
