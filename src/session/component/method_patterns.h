/* SPDX-License-Identifier: Apache-2.0 */
/* method_patterns.h - how users name methods, several at once: `java.text.*` all of a package's classes, `java.text.Format` all of a class
 * and of those nested in it, `java.text.Format.parse(*)` some of it; `*` in a name or between parentheses stands for any letters.
 * Parameters are written as descriptors; without a result they are of methods with any. */
#ifndef SESSION_COMPONENT_METHOD_PATTERNS_H
#define SESSION_COMPONENT_METHOD_PATTERNS_H

#include "base/strbuf.h"
#include "session/component/patterns.h"

struct method_patterns {
	struct patterns classes;
	struct strbuf name, desc;     /* globs; empty: any */
};
/* False, with a diagnostic, when the pattern of its classes is malformed. End it with release in both cases. */
bool method_patterns_read(struct diag *d, struct str text, struct method_patterns *out);
bool method_patterns_match(const struct method_patterns *m, struct str internal_class_name, struct str name, struct str desc);
void method_patterns_release(struct method_patterns *m);

#endif
