/* SPDX-License-Identifier: Apache-2.0 */
/* sources.h - source files, found below folders by the package of their class. */
#ifndef REPORT_COVERAGE_SOURCES_H
#define REPORT_COVERAGE_SOURCES_H

#include "base/sys/mapfile.h"
#include "base/strbuf.h"

struct source_file {
	struct str folder;            /* the one it is in, of `folders` */
	struct mapfile file;
};

/* The file `path` ("p/Shapes.java", see source_path) in the first of the folders that has it. `folders` are separated by
 * ':'; NULL: none. False when none has it. The path comes from class files: one that leads out of the folders is not
 * followed. */
bool source_open(const char *folders, struct str path, struct source_file *out);
void source_close(struct source_file *f);

/* Adds p/Shapes.java for p.Shapes$Round and Shapes.java. When `source` is empty or no plain name, it is that of the
 * outermost class. */
void source_path(struct str class, struct str source, struct strbuf *out);

#endif
