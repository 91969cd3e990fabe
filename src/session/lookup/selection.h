/* SPDX-License-Identifier: Apache-2.0 */
/* selection.h - the classes of a call graph that people want to look at: --only PATTERNS, or all but the JDK's. */
#ifndef SESSION_LOOKUP_SELECTION_H
#define SESSION_LOOKUP_SELECTION_H

#include "analysis/callgraph/callgraph.h"
#include "session/component/patterns.h"
#include "session/session.h"

/* Zeroed: all classes. Released with class_selection_release, whatever came of it. */
struct class_selection {
	const struct session *session;
	struct patterns patterns;
	const char *only;             /* NULL: any class */
	bool no_jdk;
};
/* False, with a diagnostic (E045), when a pattern is malformed. `only`, which may be NULL, stays in place. */
bool class_selection_read(struct class_selection *s, struct session *session, const char *only, bool no_jdk);
bool class_selection_has(const void *selection, class_id c);
/* What is misspelt must not look as if nothing were called: E044 when no method of the graph for which `counts` holds, or NULL, is of
 * such a class. `whose`: " of the application", or empty. */
bool class_selection_check(const struct class_selection *s, const struct callgraph *g, bool (*counts)(const void *ctx, method_id m),
			   const void *ctx, const char *whose);
void class_selection_release(struct class_selection *s);

#endif
