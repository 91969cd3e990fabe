/* SPDX-License-Identifier: Apache-2.0 */
/* guard.h - the way into the agent: when memory is exhausted inside, the agent stops recording and the JVM goes on. */
#ifndef AGENT_GUARD_H
#define AGENT_GUARD_H

#include <stdbool.h>

void guard_init(void);

/* Calls fn(ctx). False when memory was exhausted in it: then the agent is closed, this thread holds none of its locks, and what
 * fn had under way is lost. Between fn and what allocates there must be no code of the JVM, other than with a guard of its
 * own. */
bool guarded(void (*fn)(void *ctx), void *ctx);

#endif
