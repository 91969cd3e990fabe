/* SPDX-License-Identifier: Apache-2.0 */
/* refute.h - requirements that no run can meet, found by a second, closer look at what was missed:
 *
 * - conditions on the way to a call: the class is excluded by a test of the receiver (instanceof, getClass()), or the call is dead where
 *   the receiver, `this` or a parameter, is of the class;
 * - a more precise analysis, which tells the contents of containers apart, does not require it. Only of the component's own classes.
 *
 * Both are safe: what is refuted is never seen. */
#ifndef SESSION_NEXT_REFUTE_H
#define SESSION_NEXT_REFUTE_H

#include "session/component/study.h"
#include "session/next/reasons.h"

/* Fills the lists of refuted requirements of `out`, for what `c` misses. `finer`: the requirements of a more precise analysis for the
 * same sites; NULL: there is none. */
void refute(const struct reason_source *from, const struct coverage *c, const struct requirements *finer, struct reasons *out);

#endif
