/* SPDX-License-Identifier: Apache-2.0 */
/* cells.h - which classes were receivers where, and how often. A cell is a site, a type and a target, as the data file has it.
 * The JVM may have several classes of that name; each has a view, an object of SherdProbe that counts (see probe_class.h). */
#ifndef AGENT_PROBE_CELLS_H
#define AGENT_PROBE_CELLS_H

#include <stdbool.h>

#include <jvmti.h>

#include "base/vec.h"
#include "formats/coverage/runs.h"

/* Defines SherdProbe, while the event ClassPrepare is enabled. False: the JVM refuses. */
bool cells_define(JNIEnv *jni);

/* ClassPrepare */
void JNICALL cells_prepared(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jclass c);

/* Puts what the views counted since the last time. Hold the lock. */
void cells_put_counts(JNIEnv *jni);

/* At the end: a note when counts may be too low, since several threads counted. Hold the lock. */
void cells_put_note(void);

/* Rows that counted since the last call, appended to `out`. Hold the lock. */
typedef VEC(uint32_t) cell_rows;
void cells_changed(JNIEnv *jni, cell_rows *out);
void rows_order(cell_rows *rows);               /* ascending, each once */

typedef VEC(struct run_count) count_vec;
void counts_sum(count_vec *counts);             /* ascending, one of each row */

/* A new cell: the library called a method back at a site; or, without a callee (UINT32_MAX), the calls themselves are counted. An object
 * of SherdProbe that counts in its field n; NULL when memory is exhausted. `type`: whose code calls. Hold the lock: probe_begin(). */
jobject cells_add_callback(JNIEnv *jni, uint32_t site, uint32_t callee, uint32_t type);

/* The row of a new callee: a method that is called back, or a statement that wrote a field. Hold the lock. */
uint32_t cells_add_callee(struct str name);

uint32_t cells_count(void);

/* Around what a native method of SherdProbe does with tables: the lock is held, and no other one of this thread is inside, as when
 * Java code that we call is itself watched. False: it is not to be done. */
bool probe_begin(void);
void probe_end(void);

/* A reference that keeps nothing alive. Its constructor is Java code, but calls nothing that could be watched. */
jobject weak_of(JNIEnv *jni, jobject c);
jobject weak_target(JNIEnv *jni, jobject w);    /* NULL: it is gone; `w` may be NULL */

#endif
