/* SPDX-License-Identifier: Apache-2.0 */
/* next_weights.h - what a missed receiver is worth, where nobody else says it: requirements of the ladder, the lower its rung, the
 * more; of plans without a ladder, whether a method never ran, never ran there, or never on such an object. */
#ifndef COVERAGE_NEXT_WEIGHTS_H
#define COVERAGE_NEXT_WEIGHTS_H

#include "base/intern.h"
#include "coverage/next.h"

struct next_weights {
	const struct coverage *c;
	uint32_t *group_of[CRITERIA]; /* by item: row of the coverage's groups + 1; NULL: the criterion has none */
	struct interner run;          /* without a ladder: methods that ran, as "p.C.m()V" */
	struct strbuf name[NEXT_ELEMENTS];
};
void next_weights_init(struct next_weights *w, const struct coverage *c);
void next_weights_release(struct next_weights *w);
next_weigh next_weigh_usual;          /* ctx: a struct next_weights of the same coverage */

#endif
