/* SPDX-License-Identifier: Apache-2.0 */
/* say.h - what the agent says on standard error: one line each, few of them, only when something is wrong. */
#ifndef AGENT_SAY_H
#define AGENT_SAY_H

#include "base/compiler.h"

/* "sherd agent: " and the text, written at once. Lines beyond the first ten are dropped: the user's program comes first. */
void say(const char *fmt, ...) ATTR_PRINTF(1, 2);
/* The same, for those who asked for it (debug=true): as many lines as there are. */
void say_more(const char *fmt, ...) ATTR_PRINTF(1, 2);

#endif
