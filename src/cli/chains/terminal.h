/* SPDX-License-Identifier: Apache-2.0 */
/* terminal.h - the whole terminal for a program: keys one by one, a screen of its own, and everything as it was at the end, whatever
 * the end is: also a signal, a crash, or Ctrl-Z and back. */
#ifndef CLI_CHAINS_TERMINAL_H
#define CLI_CHAINS_TERMINAL_H

#include <stdint.h>

#include "base/strbuf.h"

/* Can it be used? NULL: yes; else why not. */
const char *terminal_fault(void);

/* False, with errno set: the terminal does not do that. */
bool terminal_enter(void);
void terminal_leave(void);            /* may be called at any time */

void terminal_size(uint32_t *width, uint32_t *height);
/* Shows lines, separated by newlines, from the top on. False: nobody is there any more. */
bool terminal_show(const struct strbuf *lines);

/* Waits for a key (browse.h), or: */
enum { TERMINAL_RESIZED = -1, TERMINAL_GONE = -2 };
int terminal_key(void);

#endif
