/* SPDX-License-Identifier: Apache-2.0 */
/* lines.h - lists that users write: one item a line, `#` starts a comment. */
#ifndef SESSION_LOOKUP_LINES_H
#define SESSION_LOOKUP_LINES_H

#include <stdio.h>

#include "base/diag.h"

struct lines {
	struct diag *diag;
	const char *path;
	FILE *file;
	char *text;
	size_t cap;
	uint64_t n;                   /* number of the line that lines_next() gave, from 1 */
};

/* False, with a diagnostic, when the file cannot be read; `what` it is: "the list of classes". */
bool lines_open(struct lines *l, const char *path, const char *what, struct diag *d);
/* The next item, without comment and without spaces around it, valid until the next call; false at the end. */
bool lines_next(struct lines *l, struct str *item);
/* False, with a diagnostic, when reading failed on the way. */
bool lines_close(struct lines *l);

struct str str_trim(struct str t);

#endif
