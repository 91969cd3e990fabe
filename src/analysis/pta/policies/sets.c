/* SPDX-License-Identifier: Apache-2.0 */
/* One set for a program, a class or a method: rapid type analysis (Bacon and Sweeney), and the four that Tip and Palsberg
 * put between it and 0-CFA ("Scalable propagation-based call graph construction algorithms"). What passes from set
 * to set is filtered by declared types. */
#include "analysis/pta/policy.h"

const struct policy policy_rta = {
	.name = "rta-policy",
	.help = "rapid type analysis by the general engine, for comparison with rta",
	.cheaper = "cha",
	.variables = ONE_FOR_ALL,
	.fields = FIELD_OF_ALL,
	.objects = OBJECT_OF_CLASS,
};

const struct policy policy_cta = {
	.name = "cta",
	.help = "one set a class",
	.cheaper = "rta",
	.variables = ONE_A_CLASS,
	.fields = FIELD_OF_CLASS,
	.objects = OBJECT_OF_CLASS,
};

const struct policy policy_mta = {
	.name = "mta",
	.help = "one set a class, one a field",
	.cheaper = "cta",
	.variables = ONE_A_CLASS,
	.fields = FIELD_ALONE,
	.objects = OBJECT_OF_CLASS,
};

const struct policy policy_fta = {
	.name = "fta",
	.help = "one set a method, one for the fields of a class",
	.cheaper = "mta",
	.variables = ONE_A_METHOD,
	.fields = FIELD_OF_CLASS,
	.objects = OBJECT_OF_CLASS,
};

const struct policy policy_xta = {
	.name = "xta",
	.help = "one set a method, one a field",
	.cheaper = "rta",
	.variables = ONE_A_METHOD,
	.fields = FIELD_ALONE,
	.objects = OBJECT_OF_CLASS,
};
