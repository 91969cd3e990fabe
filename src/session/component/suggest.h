/* SPDX-License-Identifier: Apache-2.0 */
/* suggest.h - names that people may have meant. */
#ifndef SESSION_COMPONENT_SUGGEST_H
#define SESSION_COMPONENT_SUGGEST_H

#include "session/session.h"

/* Adds "; did you mean a.B, a.b.* or c.D?" to `out` when classes, or packages, have a name like this dotted one; those of the JDK only
 * where no others are as near. `but`, which may be NULL, is a path whose classes do not count. */
void suggest_names(struct session *s, struct str dotted, bool has_packages, const char *but, struct strbuf *out);

#define MAX_SUGGESTED 20      /* mistakes in one list; each looks at all names that there are */

/* Are the names of two members nearly the same? */
bool names_are_alike(struct str a, struct str b);

#endif
