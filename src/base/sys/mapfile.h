/* SPDX-License-Identifier: Apache-2.0 */
/* mapfile.h - a file's bytes, mapped read-only. */
#ifndef BASE_SYS_MAPFILE_H
#define BASE_SYS_MAPFILE_H

#include "base/span.h"

struct mapfile {
	struct span bytes;      /* {NULL, 0} for an empty file */
};

/* False, with errno set, when the file cannot be opened, mapped, or is not a regular file. */
bool mapfile_open(struct mapfile *m, const char *path);
const char *mapfile_why(void);  /* after that: what to say of errno */
void mapfile_close(struct mapfile *m);

#endif
