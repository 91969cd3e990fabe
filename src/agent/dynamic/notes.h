/* SPDX-License-Identifier: Apache-2.0 */
/* notes.h - what the hooks hand over becomes facts of the record. */
#ifndef AGENT_DYNAMIC_NOTES_H
#define AGENT_DYNAMIC_NOTES_H

#include <jni.h>

/* SherdProbe.note: never throw. `note` is an enum note. */
void JNICALL notes_one(JNIEnv *jni, jclass helper, jobject o, jint note);
void JNICALL notes_two(JNIEnv *jni, jclass helper, jobject o, jobject other, jint note);

#endif
