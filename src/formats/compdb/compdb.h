/* SPDX-License-Identifier: Apache-2.0 */
/* compdb.h - compile_commands.json: how each source of a program is compiled, as build systems write it. The file
 * is JSON, and strictly so; members that are not known are skipped. */
#ifndef FORMATS_COMPDB_COMPDB_H
#define FORMATS_COMPDB_COMPDB_H

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct compdb_entry {
	const char *directory;        /* what the other paths are relative to */
	const char *file;             /* the source */
	const char *output;           /* NULL: not said */
	const char *command;          /* for a shell; NULL: there are arguments */
	const char **arguments;       /* ends with NULL; NULL: there is a command */
};
typedef VEC(struct compdb_entry) compdb;

/* Appends the entries to `out`; their text is in `mem`. False, with a sentence that names the line in `err`, when
 * the file is not what it should be; what was read before is in `out`. */
bool compdb_read(struct span text, struct arena *mem, compdb *out, struct strbuf *err);

#endif
