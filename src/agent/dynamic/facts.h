/* SPDX-License-Identifier: Apache-2.0 */
/* facts.h - the facts about dynamic features so far, and their file (docs/formats/dynamic-record.md). It is written anew
 * once a second, if there is something new and it is small, and at the end; each time as a whole, so that a JVM that is killed leaves
 * a good one. */
#ifndef AGENT_DYNAMIC_FACTS_H
#define AGENT_DYNAMIC_FACTS_H

#include "base/span.h"

/* Creates the file of the option dynamic=. False, after saying why, when it cannot be created. */
bool facts_open(void);
/* Hold the lock for these two. */
bool facts_is_open(void);
void facts_add(const char *kind, struct str target, struct str caller, uint32_t line);

/* Hold no lock. A failure is said, and ends the recording. */
void facts_tick(void);
void facts_close(void);

#endif
