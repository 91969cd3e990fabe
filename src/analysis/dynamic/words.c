/* SPDX-License-Identifier: Apache-2.0 */
/* What users read of sorts, levels and reasons. */
#include "analysis/dynamic/dynamic.h"

#include <string.h>

const char *dynamic_sort_name(enum dynamic_sort s)
{
	static const char *const names[] = {
		[DYNAMIC_NONE] = "none", [DYNAMIC_LOAD] = "load", [DYNAMIC_FIND] = "find", [DYNAMIC_NEW] = "new",
		[DYNAMIC_CONSTRUCT] = "construct", [DYNAMIC_INVOKE] = "invoke", [DYNAMIC_GET] = "get", [DYNAMIC_SET] = "set",
		[DYNAMIC_PROXY] = "proxy", [DYNAMIC_ANNOTATION] = "annotation", [DYNAMIC_SERVICE] = "service", [DYNAMIC_READ] = "read",
		[DYNAMIC_ALLOCATE] = "allocate", [DYNAMIC_INITIALISE] = "initialise", [DYNAMIC_BEAN] = "bean", [DYNAMIC_BUNDLE] = "bundle",
		[DYNAMIC_SAID] = "said", [DYNAMIC_HANDLE] = "handle", [DYNAMIC_NATIVE] = "native", [DYNAMIC_OTHER] = "other", [DYNAMIC_CALLBACK] = "callback",
		[DYNAMIC_BIND] = "bind", [DYNAMIC_WRAP] = "wrap", [DYNAMIC_ENUM] = "enum", [DYNAMIC_ENGINE] = "engine",
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

bool dynamic_level_find(const char *name, enum dynamic_level *out)
{
	for (unsigned l = 0; l < DYNAMIC_LEVELS; l++)
		if (strcmp(name, levels[l].name) == 0) {
			*out = (enum dynamic_level)l;
			return true;
		}
	return false;
}

static const struct {
	const char *name, *help;
} reasons[] = {
	[REASON_NONE] = { "none", "" },
#define REASON(id, name, help) { name, help },
#include "analysis/dynamic/reasons.def"
#undef REASON
};

const char *dynamic_reason_name(enum dynamic_reason r)
{
	return reasons[r].name;
}

const char *dynamic_reason_help(enum dynamic_reason r)
{
	return reasons[r].help;
}
