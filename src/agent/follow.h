/* SPDX-License-Identifier: Apache-2.0 */
/* follow.h - probes that callbacks need in a method: where it is entered and left, in its handlers, around its calls of libraries. */
#ifndef AGENT_FOLLOW_H
#define AGENT_FOLLOW_H

#include "agent/match.h"
#include "rewrite/rewrite.h"

/* How many insertions follow_method() makes at most. */
uint32_t follow_most(const struct classfile *cf, const struct cf_member *m);

/* Adds to `in` what method `number` needs (callbacks_number()), *n of them so far, and to `e` its local and what runs when an exception
 * leaves. `calls` are the sites of the plan in it, ncalls of them; those that are not watched for callbacks are passed over. Without a
 * local it is one during which nothing can be entered. NULL, or why it cannot be followed: a static text; nothing is added then. */
const char *follow_method(const struct plan *p, uint32_t number, const struct probes *probes, const struct match *calls,
			  uint32_t ncalls, struct insertion *in, uint32_t *n, struct method_edit *e);

#endif
