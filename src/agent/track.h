/* SPDX-License-Identifier: Apache-2.0 */
/* track.h - probes that call chains need in a method: where it is entered and left, in its handlers, before its calls. */
#ifndef AGENT_TRACK_H
#define AGENT_TRACK_H

#include "formats/coverage/plan.h"
#include "rewrite/rewrite.h"

/* The local of tracked methods: where in its chain a frame is. */
#define TRACK_LOCAL "Ljava/lang/SherdProbe;"

/* Can nothing be entered while the method runs? It then has no local, and one probe, at its entry. */
bool track_is_leaf(const struct classfile *cf, const struct cf_member *m);

/* How many insertions track_method() makes at most. */
uint32_t track_most(const struct classfile *cf, const struct cf_member *m);

/* Adds to `in` what body `body` of the plan needs, *n of them so far, and to `e` its local and what runs when an exception leaves. NULL, or
 * why it cannot be tracked: a static text; nothing is added then. */
const char *track_method(const struct plan *p, uint32_t body, const struct probes *probes, struct insertion *in, uint32_t *n,
			 struct method_edit *e);

#endif
