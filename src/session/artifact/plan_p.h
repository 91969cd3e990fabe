/* SPDX-License-Identifier: Apache-2.0 */
/* plan_p.h - a plan that is being made. */
#ifndef SESSION_ARTIFACT_PLAN_P_H
#define SESSION_ARTIFACT_PLAN_P_H

#include "session/artifact/plan.h"

struct plan_maker {
	struct session *s;
	struct program *p;
	struct fragment *f;
	const struct requirements *found;
	const struct chains *chains;  /* NULL: they were not asked for */
	struct made_plan *out;
	struct plan *plan;
	struct map row_of;            /* class -> row of types */
	struct map range_of;          /* first of a list of the requirements -> row of ranges + 1 */
	VEC(struct plan_range) ranges;
	struct strbuf text;           /* scratch */
};

/* Text that lives as long as the plan. */
struct str plan_keep(struct plan_maker *m, struct str t);
struct str plan_keep_class(struct plan_maker *m, class_id c);
class_id plan_type(struct plan_maker *m, class_id c);         /* the class whose type a plan has for it */

/* chain_plan.c: needs types and classes. */
void plan_add_chains(struct plan_maker *m);

#endif
