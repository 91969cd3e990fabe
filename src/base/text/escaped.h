/* SPDX-License-Identifier: Apache-2.0 */
/* escaped.h - names of class files, which may hold anything, as words of a line: `\x23` for a byte that could not be read back. */
#ifndef BASE_TEXT_ESCAPED_H
#define BASE_TEXT_ESCAPED_H

#include "base/strbuf.h"

/* Adds `s` with `\xNN` for each backslash, each byte of `signs`, each blank at an end, and each byte that is no character that can be
 * shown. */
void escaped_add(struct strbuf *out, struct str s, const char *signs);
/* Adds what such a text stands for; false: a backslash is not followed by x and two hexadecimal digits. */
bool escaped_read(struct str s, struct strbuf *out);

#endif
