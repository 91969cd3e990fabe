/* SPDX-License-Identifier: Apache-2.0 */
/* What users read of sorts and levels. */
#include "analysis/dynamic/dynamic.h"

const char *dynamic_sort_name(enum dynamic_sort s)
{
	static const char *const names[] = {
		[DYNAMIC_NONE] = "none", [DYNAMIC_LOAD] = "load", [DYNAMIC_FIND] = "find", [DYNAMIC_NEW] = "new",
		[DYNAMIC_CONSTRUCT] = "construct", [DYNAMIC_INVOKE] = "invoke", [DYNAMIC_GET] = "get", [DYNAMIC_SET] = "set",
		[DYNAMIC_HANDLE] = "handle", [DYNAMIC_NATIVE] = "native", [DYNAMIC_OTHER] = "other",
	};

	return names[s];
}

static const struct {
	const char *name, *help;
} levels[] = {
#define LEVEL(id, name, help) { name, help },
#include "analysis/dynamic/levels.def"
#undef LEVEL
};

const char *dynamic_level_name(enum dynamic_level l)
{
	return levels[l].name;
}

const char *dynamic_level_help(enum dynamic_level l)
{
	return levels[l].help;
}
