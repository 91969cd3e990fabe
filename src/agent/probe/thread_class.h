/* SPDX-License-Identifier: Apache-2.0 */
/* thread_class.h - what threads do, for probes that follow them: the class java.lang.SherdThread, and what java.lang.SherdProbe has
 * besides to find that of the current thread. As Java:
 *
 *     final class SherdThread {
 *         Thread thread; WeakReference w;
 *         long next; long[] saved; SherdProbe[] constructors; int deep;     // of chains: chain_class.h
 *         int site;                                                         // of callbacks: callbacks.h
 *     }
 *
 *     static SherdThread last, spare; static SherdThread[] threads; static int misses;
 *     static SherdThread now() { SherdThread t = last; return t.thread == Thread.currentThread() ? t : find(); }
 *     static SherdThread find()                         // looks in the table
 *     static native SherdThread thread(Thread t)        // makes a new one; null: there is no memory, spare is taken
 */
#ifndef AGENT_PROBE_THREAD_CLASS_H
#define AGENT_PROBE_THREAD_CLASS_H

#include <stdbool.h>

#include <jni.h>

#include "agent/probe/assemble.h"

#define THREAD_CLASS "java/lang/SherdThread"
#define THREAD_SELF "Ljava/lang/SherdThread;"
#define THREAD_TABLE "[" THREAD_SELF
#define THREAD_FIND "(Ljava/lang/Thread;)" THREAD_SELF

/* t = last; if (t is not this thread) goto other: the way that is not short finds it */
void thread_try(struct assembler *a, unsigned t, struct label *other);
/* t = now() */
void thread_load(struct assembler *a, unsigned t);

void thread_members(struct assembler *a);
void thread_class_bytes(struct strbuf *out);

/* thread_table.c. In this order, around the definition of SherdProbe; false when the JVM refuses. `extend` gives a new SherdThread what
 * it needs besides; false when memory is exhausted. May be NULL. */
bool threads_define(JNIEnv *jni);
bool threads_bind(JNIEnv *jni, jclass probe);
bool threads_init(JNIEnv *jni, bool (*extend)(JNIEnv *jni, jobject t));
jclass threads_class(void);
/* The SherdThread of a thread, made when it has none; NULL when memory is exhausted. Hold the lock: probe_begin(). */
jobject threads_of(JNIEnv *jni, jobject thread);

#endif
