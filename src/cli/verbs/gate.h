/* SPDX-License-Identifier: Apache-2.0 */
/* gate.h - --fail-under: how much must be covered for a run to count as good. */
#ifndef CLI_VERBS_GATE_H
#define CLI_VERBS_GATE_H

#include "cli/term.h"
#include "coverage/coverage.h"

enum gate_criterion { GATE_RC, GATE_TM, GATE_OWN, GATES };
struct gates {
	bool is_set[GATES];
	uint32_t permille[GATES];     /* at least this much, in tenths of a percent */
};

/* Reads "rc=80,tm=72.5,own=90" into zeroed gates; NULL: none. False when it makes no sense: `err` says what to write instead. */
bool gates_read(const char *text, struct gates *g, struct strbuf *err);
/* Can they be checked: does the plan have the criteria? If not, `err` says so. */
bool gates_fit(const struct gates *g, bool has_rc, bool has_tm, struct strbuf *err);
/* Prints an error for each gate that fails, or for what keeps all of them from being checked: nothing was measured, or there is
 * nothing to measure. Without gates everything passes. */
enum gates_outcome { GATES_PASS, GATES_FAIL, GATES_EMPTY };
enum gates_outcome gates_check(const struct gates *g, const struct coverage *c, struct term *t);

#endif
