/* SPDX-License-Identifier: Apache-2.0 */
/* replacefile.h - a file is replaced at once: whoever has the old one open keeps it, and nobody sees half of the new one. */
#ifndef BASE_SYS_REPLACEFILE_H
#define BASE_SYS_REPLACEFILE_H

#include "base/span.h"

/* With the rights of the file `like`. A link stays, and what it leads to is replaced. False, with errno set and `path` as it was, also
 * when that is no regular file (EINVAL, EISDIR). */
bool replacefile(const char *path, struct str bytes, const char *like);

#endif
