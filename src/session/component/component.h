/* SPDX-License-Identifier: Apache-2.0 */
/* component.h - part of a program: its classes, by patterns, and the interface that its clients may use. */
#ifndef SESSION_COMPONENT_COMPONENT_H
#define SESSION_COMPONENT_COMPONENT_H

#include "analysis/fragment/fragment.h"
#include "session/component/patterns.h"
#include "session/session.h"

struct component {
	VEC(class_id) classes;        /* loaded, sorted by printed name */
	struct map has;               /* class -> 1 + its place in `classes` */
};
/* All classes of class path and JDK that match. `tests` is what interface_tests_path() found, or NULL: classes of tests
 * are no part of the component, even if they are in its package. False, with a diagnostic that suggests what was meant,
 * when a pattern matches nothing. */
bool component_classes(struct session *s, const char *patterns, const char *tests, struct component *out);
void component_release(struct component *c);
static inline bool component_has(const struct component *c, class_id k)
{
	return map_get(&c->has, k.i) != 0;
}

/* The interface, sorted. `text` is a union, separated by commas, of
 *   public, protected    all such members of the component's classes
 *   tests:PATH           what the compiled tests in these directories and jars name (':'-separated)
 *   FILE                 a list, docs/formats/interface.md
 * False, with diagnostics, when any of it cannot be had. */
bool interface_of(struct session *s, const char *text, const struct component *c, struct java_interface *out);
/* The paths of `tests:` in such a text, ':'-separated; nothing when there are none. They must be part of the class path
 * that is opened, at its end. */
void interface_tests_path(const char *text, struct strbuf *out);
/* Adds, as comments of an interface file, the places that only the manifests of these tests put on the class path, and that have classes
 * of the interface: who reads the file has to name them. */
void interface_tell_places(const struct session *s, const char *text, const struct java_interface *i, struct strbuf *out);

/* Is the artifact itself named by a ':'-separated path? */
bool path_has_artifact(const struct session *s, const char *path, uint32_t artifact);

#endif
