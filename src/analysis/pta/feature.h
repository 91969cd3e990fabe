/* SPDX-License-Identifier: Apache-2.0 */
/* feature.h - what classes of the JDK do that their code does not say, a row of features.def each: the engine knows none of
 * them by its name. A feature adds to templates, once a method, and may watch what arrives at nodes. */
#ifndef ANALYSIS_PTA_FEATURE_H
#define ANALYSIS_PTA_FEATURE_H

#include "analysis/pta/template.h"

/* Each may be NULL. */
struct feature {
	/* Where objects of class `c` are from that a method of the class makes at `pc`; 0: as everywhere. */
	uint32_t (*place)(struct maker *k, class_id c, uint32_t pc);
	/* A call that names the class. True: what its result is, is said; the call itself is still to be made. */
	bool (*call)(struct maker *k, const struct frame *f, const struct ir_stmt *s, const struct link *l);
	/* A native method of the class that has no model. False: it is unknown what it does. */
	bool (*native)(struct maker *k);
	/* Adds to the template of every method of the class. */
	void (*method)(struct maker *k);
};

void features_init(struct pta *a);
const struct feature *feature_of(const struct pta *a, class_id c);        /* never NULL: one that does nothing */

#endif
