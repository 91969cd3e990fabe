/* SPDX-License-Identifier: Apache-2.0 */
/* glob.h - patterns of text. */
#ifndef BASE_TEXT_GLOB_H
#define BASE_TEXT_GLOB_H

#include <stdbool.h>

#include "base/span.h"

/* Does all of `s` match? `*` is any text, `?` any character; all others stand for themselves. No input makes it slow: at most the
 * product of both lengths. */
bool glob_matches_plain(struct str glob, struct str s);
/* The same with [a-z], [!a-z] and \c, as linkers have it. */
bool glob_matches(struct str glob, struct str s);

#endif
