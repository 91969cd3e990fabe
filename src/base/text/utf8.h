/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.h - characters of text from outside: UTF-8, or the modified one of class files (JVMS 4.4.7).
 *
 * Such text may hold anything: terminal escapes in their 7-bit and 8-bit forms, and characters that turn the reading direction, so that a
 * line shows something else than it says. Whatever goes to a terminal passes utf8_tame, or a function of report/escape.h. */
#ifndef BASE_TEXT_UTF8_H
#define BASE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/span.h"

#define UTF8_BAD 0xfffdu      /* what utf8_next gives for malformed bytes and lone surrogates */
#define UTF8_MOST 4           /* bytes of a character */

/* The character at *at, which is before `end`; always moves on. Pairs of surrogates are one character, C0 80 is NUL. */
uint32_t utf8_next(const char **at, const char *end);
/* Writes `c` and gives the number of its bytes. */
size_t utf8_put(char out[static UTF8_MOST], uint32_t c);

/* It controls a terminal, or the reading direction, or cannot be seen; also U+FFFE and U+FFFF, which XML cannot hold. */
bool utf8_is_hidden(uint32_t c);
/* All of it can be shown as it is. */
bool utf8_is_shown(struct str s);
/* Puts `?` for every hidden character and malformed byte, in place; gives the new length, which is never larger. */
size_t utf8_tame(char *s, size_t n);

#endif
