/* SPDX-License-Identifier: Apache-2.0 */
/* The algorithms by name: two from the class hierarchy, then the policies in their order. */
#include <string.h>

#include "analysis/pta/policy.h"
#include "session/session.h"

static const struct algorithm hierarchy_based[] = {
	{ "cha", "class hierarchy: a call reaches every subclass of its declared class", NULL, CG_CHA },
	{ "rta", "rapid types: only classes of which reachable code makes objects", NULL, CG_RTA },
};

bool algorithm_get(uint32_t k, struct algorithm *out)
{
	if (k < ARRAY_LEN(hierarchy_based)) {
		*out = hierarchy_based[k];
		return true;
	}
	const struct policy *p = pta_policy(k - (uint32_t)ARRAY_LEN(hierarchy_based));
	if (p)
		*out = (struct algorithm){ .name = policy_name(p), .help = policy_help(p), .policy = p };
	return p != NULL;
}

bool algorithm_find(const char *name, struct algorithm *out)
{
	for (uint32_t k = 0; algorithm_get(k, out); k++)
		if (strcmp(out->name, name) == 0)
			return true;
	return false;
}

const char *algorithm_cheaper(const struct algorithm *a)
{
	if (a->policy)
		return policy_cheaper(a->policy);
	return a->hierarchy == CG_CHA ? "rta" : NULL;
}

bool algorithm_is_any(const struct algorithm *a)
{
	(void)a;
	return true;
}

bool algorithm_follows_objects(const struct algorithm *a)
{
	return a->policy != NULL;
}

bool algorithm_follows_variables(const struct algorithm *a)
{
	return a->policy && a->policy->variables == ONE_A_VARIABLE;
}

bool algorithm_follows_calls(const struct algorithm *a)
{
	return algorithm_follows_variables(a) && a->policy->fields == FIELD_OF_OBJECT && !a->policy->unify_after;
}
