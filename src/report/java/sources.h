/* SPDX-License-Identifier: Apache-2.0 */
/* sources.h - files of facts that a result rests on (--facts): assumptions of the user, so results name them. */
#ifndef REPORT_JAVA_SOURCES_H
#define REPORT_JAVA_SOURCES_H

#include "base/strbuf.h"
#include "report/write/json.h"

struct report_source {
	const char *path;
	const char *form;             /* "reachability metadata" */
	bool is_exact;                /* it has the methods that ran, not those that were named */
	uint32_t facts;               /* that could be read */
	uint32_t missing;             /* of these, about what the program does not have */
	uint32_t unfollowed;          /* of these, of a sort that calls do not follow from */
	uint32_t applied;             /* of these, that were used */
};
struct report_sources {
	const struct report_source *data;
	uint32_t n;
};

/* A property or variable that the result depends on (--assume env). */
struct report_setting {
	const char *kind;             /* "property", "variable", "security property", "resource property" */
	struct str name;
	struct str value;             /* p NULL: it is not set */
	const char *source;           /* "-D", a file or resource, "the JVM"; NULL: it is not set */
};
struct report_settings {
	const struct report_setting *data;    /* sorted */
	uint32_t n;
};
/* As below, with the key "environment". */
void settings_show(const struct report_settings *s, void (*fact)(void *ctx, const char *label, struct str text), void *ctx);
void settings_json(struct json *j, const struct report_settings *s);

/* Calls fact(ctx, label, text) for each line of a head, the first with a label. */
void sources_show(const struct report_sources *s, void (*fact)(void *ctx, const char *label, struct str text), void *ctx);
/* Adds the key "facts" with an object for each; nothing when there are none. */
void sources_json(struct json *j, const struct report_sources *s);

#endif
