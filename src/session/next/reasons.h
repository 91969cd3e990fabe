/* SPDX-License-Identifier: Apache-2.0 */
/* reasons.h - how receivers that no run exercised can get there, from the analysis that requires them. */
#ifndef SESSION_NEXT_REASONS_H
#define SESSION_NEXT_REASONS_H

#include "coverage/coverage.h"
#include "session/artifact/plan.h"

/* What is needed to explain: of an analysis whose algorithm_follows_variables(), with analysis.explains. */
struct reason_source {
	struct pta *facts;
	struct callgraph *graph;
	struct hierarchy *hierarchy;
	const struct placeholders *clients;
	const struct requirements *found;
	const struct made_plan *plan;
};

/* Explains missed receivers until all are done or `seconds` of CPU time are over: returns how many were left out. The component's own
 * classes come first, of these those of calls that were made, each call with one of its receivers before any has two. Ideas that are
 * worth most are written down as Java. Fills a zeroed `out`; text is in `mem`. */
uint64_t reasons_make(const struct reason_source *from, struct coverage *c, double seconds, struct arena *mem, struct reasons *out);

#endif
