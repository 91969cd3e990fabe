/* SPDX-License-Identifier: Apache-2.0 */
/* patterns.h - how users name classes, several at once. */
#ifndef SESSION_COMPONENT_PATTERNS_H
#define SESSION_COMPONENT_PATTERNS_H

#include "base/diag.h"
#include "base/mem.h"
#include "base/vec.h"

/* Patterns name classes: `java.text.*` a package, `java.text.**` and below, `java.text.Format` a class with its nested
 * classes; `*` in a name stands for any letters, `**` between dots for any packages. `!pattern` excludes, whatever the
 * order; `@file` is a list of patterns. */
struct pattern {
	struct str text;              /* in internal form: java/text/[*] */
	struct str written;           /* as the user wrote it */
	const char *file;             /* of the list it is from; NULL: none */
	uint64_t line;
	uint32_t hits;                /* classes that it matched in component_classes() */
	bool excludes;
};
struct patterns {
	struct arena mem;
	VEC(struct pattern) rows;
};
/* `text`: one or more, separated by commas. False, with a diagnostic for each that is malformed. */
bool patterns_read(struct diag *d, const char *text, struct patterns *out);
bool patterns_match(const struct patterns *p, struct str internal_class_name);
/* The same, but a class is without those nested in it. */
bool patterns_match_class(const struct patterns *p, struct str internal_class_name);
void patterns_release(struct patterns *p);

#endif
