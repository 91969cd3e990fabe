/* SPDX-License-Identifier: Apache-2.0 */
/* thread_table.c - the objects of SherdThread: a hash table that Java code reads and that is only written here. */
#include "agent/agent_p.h"
#include "agent/guard.h"
#include "agent/probe/cells.h"
#include "agent/probe/probe_class.h"
#include "agent/probe/thread_class.h"

enum { FIRST_THREADS = 64 };

static struct {
	jclass class;
	jfieldID w, threads;
	uint32_t n;
	bool (*extend)(JNIEnv *jni, jobject t);
} known;

jclass threads_class(void)
{
	return known.class;
}

/* `thread` may be NULL: it is nobody's. */
static jobject new_thread(JNIEnv *jni, jobject thread)
{
	jobject t = (*jni)->AllocObject(jni, known.class);
	jobject weak = t && thread ? weak_of(jni, thread) : NULL;

	if (agent_cleared(jni) || !t || (thread && !weak) || (known.extend && !known.extend(jni, t)))
		return NULL;
	(*jni)->SetObjectField(jni, t, known.w, weak);
	return t;
}

/* The hash of the JVM: asking Java for it is what SherdProbe does. */
static bool thread_hash(jobject thread, jint *hash)
{
	return !(*agent.ti)->GetObjectHashCode(agent.ti, thread, hash);
}

static jobject thread_of(JNIEnv *jni, jobject t)
{
	jobject w = (*jni)->GetObjectField(jni, t, known.w), thread = weak_target(jni, w);

	(*jni)->DeleteLocalRef(jni, w);
	return thread;
}

/* Puts t where `thread` belongs, or finds it there. */
static jobject place_thread(JNIEnv *jni, jobjectArray table, jobject thread, jobject t)
{
	jsize n = (*jni)->GetArrayLength(jni, table);
	jint hash;

	if (!thread_hash(thread, &hash))
		return NULL;
	for (jsize i = hash & (n - 1);; i = (i + 1) & (n - 1)) {
		jobject at = (*jni)->GetObjectArrayElement(jni, table, i);
		if (!at && t)
			(*jni)->SetObjectArrayElement(jni, table, i, t);
		if (!at)
			return t;
		jobject whose = thread_of(jni, at);
		bool is = (*jni)->IsSameObject(jni, whose, thread);
		(*jni)->DeleteLocalRef(jni, whose);
		if (is)
			return at;
		(*jni)->DeleteLocalRef(jni, at);
	}
}

/* A larger table, without threads that are gone. */
static jobjectArray grow_threads(JNIEnv *jni, jobjectArray old)
{
	jsize n = (*jni)->GetArrayLength(jni, old);
	jobjectArray table = (*jni)->NewObjectArray(jni, n * 2, known.class, NULL);

	if (agent_cleared(jni) || !table)
		return NULL;
	known.n = 0;
	for (jsize i = 0; i < n; i++) {
		jobject t = (*jni)->GetObjectArrayElement(jni, old, i), thread = t ? thread_of(jni, t) : NULL;
		if (thread) {
			place_thread(jni, table, thread, t);
			known.n++;
		}
		(*jni)->DeleteLocalRef(jni, thread);
		(*jni)->DeleteLocalRef(jni, t);
	}
	__atomic_thread_fence(__ATOMIC_RELEASE);
	(*jni)->SetStaticObjectField(jni, agent.helper, known.threads, table);
	return table;
}

jobject threads_of(JNIEnv *jni, jobject thread)
{
	jobjectArray all = (*jni)->GetStaticObjectField(jni, agent.helper, known.threads);
	jobject t = place_thread(jni, all, thread, NULL);

	if (t)
		return t;
	if ((known.n + 1) * 2 > (uint32_t)(*jni)->GetArrayLength(jni, all))
		all = grow_threads(jni, all);
	t = all ? new_thread(jni, thread) : NULL;
	if (!t)
		return NULL;
	known.n++;
	return place_thread(jni, all, thread, t);
}

struct asked {
	JNIEnv *jni;
	jobject thread, answer;
};

static void answer(void *ctx)
{
	struct asked *q = ctx;

	if (!probe_begin())
		return;
	q->answer = threads_of(q->jni, q->thread);
	probe_end();
}

static jobject JNICALL find_thread(JNIEnv *jni, jclass helper, jobject thread)
{
	struct asked q = { jni, thread, NULL };

	(void)helper;
	bool ok = !agent_is(&agent.is_closed) && guarded(answer, &q);
	agent_cleared(jni);
	return ok ? q.answer : NULL;
}

/* Start */

bool threads_define(JNIEnv *jni)
{
	struct strbuf bytes = { 0 };

	thread_class_bytes(&bytes);
	jclass c = (*jni)->DefineClass(jni, THREAD_CLASS, NULL, (const jbyte *)bytes.s, (jsize)bytes.len);
	strbuf_release(&bytes);
	known.class = agent_cleared(jni) || !c ? NULL : (*jni)->NewGlobalRef(jni, c);
	return known.class;
}

bool threads_bind(JNIEnv *jni, jclass probe)
{
	JNINativeMethod native = { (char *)(uintptr_t)"thread", (char *)(uintptr_t)THREAD_FIND, (void *)(uintptr_t)find_thread };

	return !(*jni)->RegisterNatives(jni, probe, &native, 1);
}

bool threads_init(JNIEnv *jni, bool (*extend)(JNIEnv *jni, jobject t))
{
	jfieldID last = (*jni)->GetStaticFieldID(jni, agent.helper, "last", THREAD_SELF);
	jfieldID spare = last ? (*jni)->GetStaticFieldID(jni, agent.helper, "spare", THREAD_SELF) : NULL;

	known.w = spare ? (*jni)->GetFieldID(jni, known.class, "w", PROBE_WEAK) : NULL;
	known.threads = known.w ? (*jni)->GetStaticFieldID(jni, agent.helper, "threads", THREAD_TABLE) : NULL;
	known.extend = extend;
	jobject nobody = known.threads ? new_thread(jni, NULL) : NULL, other = nobody ? new_thread(jni, NULL) : NULL;
	jobjectArray all = other ? (*jni)->NewObjectArray(jni, FIRST_THREADS, known.class, NULL) : NULL;
	if (!all)
		return false;
	(*jni)->SetStaticObjectField(jni, agent.helper, spare, nobody);
	(*jni)->SetStaticObjectField(jni, agent.helper, last, other);
	(*jni)->SetStaticObjectField(jni, agent.helper, known.threads, all);
	return true;
}
