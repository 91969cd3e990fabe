/* SPDX-License-Identifier: Apache-2.0 */
/* members.h - names of classes and members as the record has them, read from objects of java.lang.reflect and java.lang.invoke.
 * Hold the lock; no class is initialised and no Java code runs. What is appended is escaped. False: nothing, or only a part, was
 * appended, as when an object is null. */
#ifndef AGENT_DYNAMIC_MEMBERS_H
#define AGENT_DYNAMIC_MEMBERS_H

#include <jni.h>

#include "base/strbuf.h"

bool member_class(jclass c, struct strbuf *out);              /* p.A, [Lp.A;, p.A$$Lambda */
bool member_class_of(JNIEnv *jni, jobject o, struct strbuf *out);
bool member_interfaces(JNIEnv *jni, jobject proxy, struct strbuf *out);       /* p.I,q.J */
bool member_string(JNIEnv *jni, jstring s, struct strbuf *out);

/* p.A.m()V, p.A.<init>()V, p.A.f:I */
bool member_constructor(JNIEnv *jni, jobject constructor, struct strbuf *out);
bool member_field(JNIEnv *jni, jobject field, struct strbuf *out);
bool member_handle(JNIEnv *jni, jobject member_name, struct strbuf *out);
/* The method that runs when this one is called on `receiver`; of a lambda, its body. */
bool member_called(JNIEnv *jni, jobject method, jobject receiver, struct strbuf *out);
bool member_handler(JNIEnv *jni, jobject handler, struct strbuf *out);

/* java.util.ServiceLoader.ProviderImpl.service */
bool member_service(JNIEnv *jni, jobject provider, struct strbuf *out);

#endif
