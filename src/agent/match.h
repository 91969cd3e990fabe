/* SPDX-License-Identifier: Apache-2.0 */
/* match.h - where the sites of a plan are in a class file, be it the one that was analysed or one that was changed since, by
 * another agent for example. */
#ifndef AGENT_MATCH_H
#define AGENT_MATCH_H

#include "formats/classfile/classfile.h"
#include "formats/coverage/plan.h"

struct match {
	uint32_t site;                /* row of `sites` */
	uint32_t pc;
};

/* The sites of a method, pm->nsites of `sites` from pm->first_site on, in method `m` of a class file, by pc, in `mem`; *n of them.
 * Code that is the plan's has its sites where the plan says. In other code, the nth of several calls that look the same is the
 * site, if there are as many as in the plan; `*is_other` is then set. */
struct match *match_method(const struct plan_method *pm, const struct plan_site *sites, const struct classfile *cf,
			   const struct cf_member *m, struct arena *mem, uint32_t *n, bool *is_other);

#endif
