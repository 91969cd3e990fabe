/* SPDX-License-Identifier: Apache-2.0 */
/* gate.h - --fail-under: how much must be covered for a run to count as good. */
#ifndef CLI_VERBS_GATE_H
#define CLI_VERBS_GATE_H

#include "cli/term.h"
#include "coverage/coverage.h"

struct gates {                    /* by criterion, see coverage/criteria.def */
	bool is_set[CRITERIA];
	uint32_t permille[CRITERIA];  /* at least this much, in tenths of a percent */
};

/* Reads "rc=80,tm=72.5,own=90" into zeroed gates; NULL: none. False when it makes no sense: `err` says what to write instead. */
bool gates_read(const char *text, struct gates *g, struct strbuf *err);
/* Can they be checked: are they among the criteria of a plan? If not, `err` says so. */
bool gates_fit(const struct gates *g, uint32_t criteria, struct strbuf *err);
/* The help of --fail-under. */
void gates_tell(struct strbuf *out);
/* Prints an error for each gate that fails, or for what keeps all of them from being checked: nothing was measured, or there is
 * nothing to measure. Without gates everything passes. */
enum gates_outcome { GATES_PASS, GATES_FAIL, GATES_EMPTY };
enum gates_outcome gates_check(const struct gates *g, const struct coverage *c, struct term *t);

#endif
