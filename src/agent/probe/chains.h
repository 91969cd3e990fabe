/* SPDX-License-Identifier: Apache-2.0 */
/* chains.h - which call chains were seen, and how often: nodes of the data file, and the objects of SherdProbe that stand for them.
 * chain_class.h says how a running program goes from one to the next; here new ones are made. */
#ifndef AGENT_PROBE_CHAINS_H
#define AGENT_PROBE_CHAINS_H

#include <stdbool.h>
#include <stdint.h>

#include <jni.h>

#include "agent/probe/cells.h"

/* In this order, around the definition of SherdProbe: each is false when the JVM refuses. */
bool chains_bind(JNIEnv *jni, jclass probe);    /* its native methods */
bool chains_init(JNIEnv *jni);                  /* then threads_init() */
bool chain_extend_thread(JNIEnv *jni, jobject t);       /* for it */

/* The body of the plan gets no probes: calls of it are counted where they are made. */
void chains_silence(uint32_t body);

uint32_t chains_count(void);                    /* nodes so far; hold the lock */

/* As cells_put_counts() and cells_changed(), of nodes; nothing without chains. Hold the lock. */
void chains_put_counts(JNIEnv *jni);
void chains_changed(JNIEnv *jni, cell_rows *out);

#endif
