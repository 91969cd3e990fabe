/* SPDX-License-Identifier: Apache-2.0 */
/* cells.h - which classes were receivers where, and how often. A cell is a site, a type and a target, as the data file has it.
 * The JVM may have several classes of that name; each has a view, an object of SherdProbe that counts (see probe_class.h). */
#ifndef AGENT_PROBE_CELLS_H
#define AGENT_PROBE_CELLS_H

#include <stdbool.h>

#include <jvmti.h>

#include "base/vec.h"

/* Defines SherdProbe, while the event ClassPrepare is enabled. False: the JVM refuses. */
bool cells_define(JNIEnv *jni);

/* ClassPrepare */
void JNICALL cells_prepared(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jclass c);

/* Puts what the views counted since the last time. Hold the lock. */
void cells_put_counts(JNIEnv *jni);

/* Cells that counted since the last call, ascending, appended to `out`. Hold the lock. */
typedef VEC(uint32_t) cell_rows;
void cells_changed(JNIEnv *jni, cell_rows *out);

uint32_t cells_count(void);

#endif
