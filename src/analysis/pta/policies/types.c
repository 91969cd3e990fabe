/* SPDX-License-Identifier: Apache-2.0 */
/* Declared type analysis and variable type analysis (Sundaresan et al., "Practical virtual method call resolution for
 * Java"). Elements of arrays belong to the array's class. */
#include "analysis/pta/policy.h"

const struct policy policy_dta = {
	.name = "dta",
	.help = "one set a declared type",
	.cheaper = "rta",
	.variables = ONE_A_TYPE,
	.fields = FIELD_OF_TYPE,
	.objects = OBJECT_OF_CLASS,
};

const struct policy policy_vta = {
	.name = "vta",
	.help = "one set a variable, one a field whatever its object",
	.cheaper = "xta",
	.variables = ONE_A_VARIABLE,
	.fields = FIELD_ALONE,
	.objects = OBJECT_OF_CLASS,
};
