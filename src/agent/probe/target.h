/* SPDX-License-Identifier: Apache-2.0 */
/* target.h - which class declares the method that a call selects (JVMS 5.4.6), for a receiver that exists. Hold the lock; no
 * class is initialised and no Java code runs. */
#ifndef AGENT_PROBE_TARGET_H
#define AGENT_PROBE_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include <jni.h>

#include "formats/coverage/plan.h"

/* A local reference; NULL: not known (no such method, an abstract one, several defaults). The site is a dispatched call; what
 * is found out about it is kept in `mode`, which is 0 at first. */
jclass target_of(JNIEnv *jni, jclass receiver, const struct plan_site *s, uint8_t *mode);

/* The same for a call of a method that class `owner` declares, with these modifiers. */
jclass target_of_method(JNIEnv *jni, jclass receiver, jclass owner, const char *name, const char *desc, jint access);
/* Which class declares the method that class `c` has, be it inherited. */
jclass target_declarer(JNIEnv *jni, jclass c, const char *name, const char *desc);

#endif
