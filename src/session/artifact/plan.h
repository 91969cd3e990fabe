/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - what a component requires, as the plan of a run: formats/coverage/plan.h made from requirements. */
#ifndef SESSION_ARTIFACT_PLAN_H
#define SESSION_ARTIFACT_PLAN_H

#include "formats/coverage/plan.h"
#include "session/component/chains.h"

/* A plan with what its rows are in the program. */
struct made_plan {
	struct plan plan;
	struct arena mem;             /* of its text */
	VEC(uint32_t) sites;          /* by site of the plan: row of the requirements' sites; UINT32_MAX: none */
	VEC(class_id) types;          /* by type of the plan: the class; of arrays Object[]. [0] none, nor for methods and definitions */
	uint64_t apart;               /* def-use pairs that cannot be measured: one of both is no statement that names a field */
};

/* What a plan has besides the requirements of calls; NULL: it was not asked for. */
struct plan_more {
	const struct chains *chains;
	const struct callbacks *callbacks;
	const struct defuse *pairs;
	const struct callgraph *graph;        /* with callbacks or pairs: that they are of */
};
/* Every polymorphic call in bytecode of the component, also those that the analysis does not reach: what is seen there is unexpected.
 * With callbacks, every call that may run code of a library, too; with pairs, every use of a field of the component.
 * `class_path` is what the user gave, and may be NULL. Equal requirements
 * give equal plans. */
void plan_make(struct session *s, struct fragment *f, const struct fragment_opt *o, const char *class_path,
	       const struct requirements *found, const struct plan_more *more, struct made_plan *out);
void made_plan_release(struct made_plan *m);

#endif
