/* SPDX-License-Identifier: Apache-2.0 */
/* component_p.h - what the files behind component.h share. */
#ifndef SESSION_COMPONENT_COMPONENT_P_H
#define SESSION_COMPONENT_COMPONENT_P_H

#include "session/component/component.h"

/* Where parts of an interface come from. Each adds to `out`; false, with diagnostics, when something is wrong. */
struct interface_builder {
	struct session *s;
	struct hierarchy h;
	const struct component *component;
	struct java_interface *out;
};
bool interface_public(struct interface_builder *b, enum interface_reach reach);
bool interface_file(struct interface_builder *b, const char *path);
bool interface_tests(struct interface_builder *b, const char *path);

/* Adds "; did you mean a.B, a.b.* or c.D?" to `out` when classes, or packages, have a name like this dotted one.
 * `but`, which may be NULL, is a path whose classes do not count. */
void suggest_names(struct session *s, struct str dotted, bool has_packages, const char *but, struct strbuf *out);

#define MAX_SUGGESTED 20      /* mistakes in one list; each looks at all names that there are */

/* Are the names of two members nearly the same? */
bool names_are_alike(struct str a, struct str b);

#endif
