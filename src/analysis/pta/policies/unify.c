/* SPDX-License-Identifier: Apache-2.0 */
/* Assignments as equations: Steensgaard's analysis, and the bounded propagation of DeFouw, Grove and Chambers ("Fast
 * interprocedural class analysis"), which unites a variable with what it is assigned to once it was propagated
 * a number of times. */
#include "analysis/pta/policy.h"

const struct policy policy_steens = {
	.name = "steens",
	.help = "objects by site; an assignment makes its two sides one (Steensgaard)",
	.cheaper = "rta",
	.variables = ONE_A_VARIABLE,
	.fields = FIELD_OF_OBJECT,
	.objects = OBJECT_OF_SITE,
	.unify_after = 1,
};

const struct policy policy_pbounded = {
	.name = "p-bounded",
	.help = "0cfa that makes a variable one with what it flows to after 5 visits",
	.cheaper = "steens",
	.variables = ONE_A_VARIABLE,
	.fields = FIELD_OF_OBJECT,
	.objects = OBJECT_OF_CLASS,
	.unify_after = 5,
};
