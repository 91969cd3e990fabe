/* SPDX-License-Identifier: Apache-2.0 */
/* changes.h - did class files of a component change after they were analysed? A command that compiles and then tests makes an
 * answer about the program of yesterday. */
#ifndef SESSION_ARTIFACT_CHANGES_H
#define SESSION_ARTIFACT_CHANGES_H

#include "session/component/fragment.h"

struct class_file {
	struct str name;              /* dotted */
	uint64_t digest;              /* of its bytes */
};
struct class_files {
	struct arena mem;
	VEC(struct class_file) rows;  /* by name */
};

/* Those of the component that are on the class path; classes of the JDK do not change. Fills a zeroed `out`. */
void class_files_note(struct session *s, const struct component *c, struct class_files *out);
void class_files_release(struct class_files *f);

/* Opens the class path again, and looks for the classes of the component as fragment_find_component() does. Adds "p.A, p.B and 3 more" to
 * `names`: what has changed, is new or is gone, in the order of names. Returns how many these are. */
uint32_t class_files_changed(const struct class_files *before, const struct session_opt *path, const struct fragment_opt *o,
			     struct strbuf *names);

#endif
