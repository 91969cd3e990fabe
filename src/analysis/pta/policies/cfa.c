/* SPDX-License-Identifier: Apache-2.0 */
/* The control flow analyses of Shivers in the framework of Grove and Chambers ("A framework for call graph construction
 * algorithms"): k-CFA with one object a class, k-1-CFA with one object an allocation site. Andersen's analysis is
 * 0-1-CFA by another name. */
#include "analysis/pta/policy.h"

static context_id last_site(struct pta *a, context_id caller, uint32_t site, object_id receiver)
{
	(void)receiver;
	return context_push(a, site, caller, 1);
}

static context_id last_two_sites(struct pta *a, context_id caller, uint32_t site, object_id receiver)
{
	(void)receiver;
	return context_push(a, site, caller, 2);
}

#define CFA .variables = ONE_A_VARIABLE, .fields = FIELD_OF_OBJECT

const struct policy policy_0cfa = {
	.name = "0cfa",
	.help = "one object a class, fields by the object's class",
	.cheaper = "vta",
	CFA,
	.objects = OBJECT_OF_CLASS,
};

const struct policy policy_andersen = {
	.name = "andersen",
	.help = "one object an allocation site, fields by object (Andersen)",
	.cheaper = "0cfa",
	CFA,
	.objects = OBJECT_OF_SITE,
};

const struct policy policy_0_1cfa = {
	.name = "0-1cfa",
	.help = "andersen under its other name",
	.cheaper = "0cfa",
	CFA,
	.objects = OBJECT_OF_SITE,
};

const struct policy policy_1cfa = {
	.name = "1cfa",
	.help = "0cfa for each call site of a method",
	.cheaper = "0cfa",
	CFA,
	.objects = OBJECT_OF_CLASS,
	.callee = last_site,
};

const struct policy policy_2cfa = {
	.name = "2cfa",
	.help = "0cfa for each two successive call sites",
	.cheaper = "1cfa",
	CFA,
	.objects = OBJECT_OF_CLASS,
	.callee = last_two_sites,
};

const struct policy policy_1_1cfa = {
	.name = "1-1cfa",
	.help = "andersen for each call site of a method",
	.cheaper = "andersen",
	CFA,
	.objects = OBJECT_OF_SITE,
	.callee = last_site,
};

const struct policy policy_2_1cfa = {
	.name = "2-1cfa",
	.help = "andersen for each two successive call sites",
	.cheaper = "1-1cfa",
	CFA,
	.objects = OBJECT_OF_SITE,
	.callee = last_two_sites,
};
