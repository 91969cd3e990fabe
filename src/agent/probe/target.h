/* SPDX-License-Identifier: Apache-2.0 */
/* target.h - which class declares the method that a call selects (JVMS 5.4.6), for a receiver that exists. Hold the lock; no
 * class is initialised and no Java code runs. */
#ifndef AGENT_PROBE_TARGET_H
#define AGENT_PROBE_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include <jni.h>

/* A local reference; NULL: not known (no such method, an abstract one, several defaults). `site`: row of the plan. */
jclass target_of(JNIEnv *jni, jclass receiver, uint32_t site);

/* The same for a call of a method that class `owner` declares, with these modifiers. */
jclass target_of_method(JNIEnv *jni, jclass receiver, jclass owner, const char *name, const char *desc, jint access);
/* Which class declares the method that class `c` has, be it inherited. */
jclass target_declarer(JNIEnv *jni, jclass c, const char *name, const char *desc);

#endif
