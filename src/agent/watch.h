/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h - classes of the plan get their probes when the JVM loads or redefines them, or, when they are there already, by
 * retransformation. A record of each says what became of it. */
#ifndef AGENT_WATCH_H
#define AGENT_WATCH_H

#include <jvmti.h>

#include "base/span.h"

/* ClassFileLoadHook */
void JNICALL watch_load(jvmtiEnv *ti, JNIEnv *jni, jclass redefined, jobject loader, const char *name, jobject domain, jint len,
			const unsigned char *bytes, jint *new_len, unsigned char **new_bytes);

/* Retransforms what was loaded before classes could be watched. */
void watch_loaded(JNIEnv *jni);

uint32_t watch_class_of(uint32_t site);         /* row of the plan */
/* The row of its first record in the data; hold the lock. A class that has none yet gets one. */
uint32_t watch_row(uint32_t class);

#endif
