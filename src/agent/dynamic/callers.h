/* SPDX-License-Identifier: Apache-2.0 */
/* callers.h - whose call a note is about: the nearest frame that is code of the program or of the JDK, not the machinery of
 * reflection itself. Hold the lock; no Java code runs. */
#ifndef AGENT_DYNAMIC_CALLERS_H
#define AGENT_DYNAMIC_CALLERS_H

#include "agent/dynamic/hooks.h"

struct caller {
	struct str text;              /* "p.A.m()V@7", escaped; "p.A.m()V" of a native method, "-" when no frame is one */
	uint32_t line;                /* 0: unknown */
	bool is_new_instance;         /* it called Class.newInstance */
	struct str loader;            /* of NOTE_LOADER_*: whose loadClass it calls, which the JVM loads by itself; empty: unknown */
};

/* The caller of the method that called SherdProbe.note() in this thread. False: nobody's, as when the JVM loads a class by itself,
 * when reflection uses reflection, or when one hooked method calls another for the same thing. `text` is good for ever. */
bool caller_find(enum note note, struct caller *out);

#endif
