/* SPDX-License-Identifier: Apache-2.0 */
/* settings.h - what is known of the environment that a program runs in: system properties, variables of the environment, and
 * properties of java.security. Whoever knows answers by name; at level env that is the value, else the default alone counts, and
 * the value is not known. */
#ifndef ANALYSIS_DYNAMIC_OUTSIDE_SETTINGS_H
#define ANALYSIS_DYNAMIC_OUTSIDE_SETTINGS_H

#include "base/strbuf.h"

enum setting { SETTING_PROPERTY, SETTING_VARIABLE, SETTING_SECURITY, SETTING_RESOURCE, SETTINGS };
enum setting_is { SETTING_UNKNOWN, SETTING_ABSENT, SETTING_KNOWN };

struct settings {
	void *ctx;
	/* What `key` is, in `*value` if that is known: valid as long as this. The result depends on what is answered. */
	enum setting_is (*ask)(void *ctx, enum setting of, struct str key, struct str *value);
	/* The same of a property in a file of properties on the class path, which has this name and these bytes. */
	enum setting_is (*ask_resource)(void *ctx, struct str name, struct span bytes, struct str key, struct str *value);
};

#endif
