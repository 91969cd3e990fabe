/* SPDX-License-Identifier: Apache-2.0 */
/* component_p.h - what the files behind component.h share. */
#ifndef SESSION_COMPONENT_COMPONENT_P_H
#define SESSION_COMPONENT_COMPONENT_P_H

#include "session/component/component.h"
#include "session/component/suggest.h"

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

#endif
