/* SPDX-License-Identifier: Apache-2.0 */
/* environment.h - properties and variables that the program will find, for level env: those that users give (-D, --properties,
 * --environment), and what the JVM of the JDK says by itself. What an analysis asked for is remembered: its result depends on it. */
#ifndef SESSION_OUTSIDE_ENVIRONMENT_H
#define SESSION_OUTSIDE_ENVIRONMENT_H

#include "analysis/dynamic/outside/settings.h"
#include "base/diag.h"
#include "report/java/sources.h"

struct environment_opt {
	const char *const *given;        /* "key=value", or "key" for an empty one */
	uint32_t ngiven;
	const char *const *files;        /* of properties */
	uint32_t nfiles;
	bool variables;                  /* those of this process count */
};

struct environment;
/* False, with a diagnostic, when a file cannot be opened. `jdk` may be NULL: nothing is known but what is given. */
bool environment_read(const struct environment_opt *o, const char *jdk, struct diag *d, struct environment **out);
void environment_free(struct environment *e);            /* may be NULL */

/* For an analysis: asks the JVM first, once; nothing was asked for yet. */
const struct settings *environment_settings(struct environment *e);
struct report_settings environment_used(const struct environment *e);        /* what was asked for, sorted; `e` may be NULL */

#endif
