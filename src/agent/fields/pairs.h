/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.h - which definitions uses of fields read, and how often: cells of the data file, in the lists that callbacks have at calls
 * (callbacks.h). In one at a use, `callee` is the statement that had written the field last; 0: none that is watched. What
 * java.lang.SherdProbe has for that, as Java:
 *
 *     public static void used(int shadow, int site) {
 *         for (SherdProbe p = backs[site]; p != null; p = p.next)
 *             if (p.callee == shadow) { p.n++; return; }
 *         SherdProbe p = pair(site, shadow);
 *         if (p != null) p.n++;
 *     }
 *     static native SherdProbe pair(int site, int shadow);     // makes a cell and links it; null: do not count
 */
#ifndef AGENT_PAIRS_H
#define AGENT_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include <jni.h>

#include "agent/probe/assemble.h"
#include "base/span.h"

void pair_members(struct assembler *a);

/* In this order, around the definition of SherdProbe: each is false when the JVM refuses. */
bool pairs_bind(JNIEnv *jni, jclass probe);
bool pairs_init(JNIEnv *jni);

/* The number of a statement that writes a field, from 1. Takes the lock. */
uint32_t pairs_number(struct str name);

#endif
