/* SPDX-License-Identifier: Apache-2.0 */
/* threads.c - what a SherdThread has for chains; and entries that were left unseen. */
#include "agent/probe/chains_p.h"

bool chain_extend_thread(JNIEnv *jni, jobject t)
{
	jlongArray saved = (*jni)->NewLongArray(jni, FIRST_SAVED);
	jobjectArray constructors = saved ? chain_array(jni, LEVELS) : NULL;

	if (agent_cleared(jni) || !constructors)
		return false;
	(*jni)->SetLongField(jni, t, chains.thread.next, chain_code(CHAIN_OUTSIDE, 0, 0));
	(*jni)->SetObjectField(jni, t, chains.thread.saved, saved);
	(*jni)->SetObjectField(jni, t, chains.thread.constructors, constructors);
	return true;
}

static void answer_grow(void *ctx)
{
	struct question *q = ctx;
	JNIEnv *jni = q->jni;
	jlongArray saved = (*jni)->GetObjectField(jni, q->a, chains.thread.saved);
	jsize n = (*jni)->GetArrayLength(jni, saved);
	jlongArray more = n < MOST_SAVED ? (*jni)->NewLongArray(jni, n * 2) : NULL;
	jlong *old = more && !agent_cleared(jni) ? (*jni)->GetLongArrayElements(jni, saved, NULL) : NULL;

	if (!old)
		return;
	(*jni)->SetLongArrayRegion(jni, more, 0, n, old);
	(*jni)->ReleaseLongArrayElements(jni, saved, old, JNI_ABORT);
	(*jni)->SetObjectField(jni, q->a, chains.thread.saved, more);
	q->answer = more;
}

jboolean JNICALL chain_grow(JNIEnv *jni, jclass helper, jobject t)
{
	(void)helper;
	return chain_ask(answer_grow, (struct question){ jni, t, NULL, 0, NULL }) != NULL;
}

/* Constructors that were left unseen */

static bool is_body(jmethodID m, uint32_t body)
{
	const struct plan_method *b = &chain_plan()->bodies.data[body];
	char *name = NULL, *desc = NULL;
	jclass c = NULL;

	if ((*agent.ti)->GetMethodName(agent.ti, m, &name, &desc, NULL))
		return false;
	bool is = str_is(b->name, name) && str_is(b->desc, desc) && !(*agent.ti)->GetMethodDeclaringClass(agent.ti, m, &c) &&
		  chain_body_in(c, b->name, b->desc) == body;
	agent_free(name);
	agent_free(desc);
	return is;
}

static bool is_own_frame(JNIEnv *jni, jmethodID m)
{
	jclass c = NULL;
	bool is = !(*agent.ti)->GetMethodDeclaringClass(agent.ti, m, &c) && (*jni)->IsSameObject(jni, c, agent.helper);

	(*jni)->DeleteLocalRef(jni, c);
	return is;
}

bool chain_is_caller(JNIEnv *jni, jclass c)
{
	jvmtiFrameInfo frames[16];
	jclass of = NULL;
	jint n = 0, i = 0;

	if ((*agent.ti)->GetStackTrace(agent.ti, NULL, 0, (jint)ARRAY_LEN(frames), frames, &n))
		return false;
	while (i < n && is_own_frame(jni, frames[i].method))
		i++;
	return ++i < n && !(*agent.ti)->GetMethodDeclaringClass(agent.ti, frames[i].method, &of) && (*jni)->IsSameObject(jni, of, c);
}

/* How often the body is on the stack of this thread, below the method that is being entered and our own. */
static uint32_t count_frames(JNIEnv *jni, uint32_t body)
{
	jvmtiFrameInfo frames[128];
	uint32_t n = 0;
	jint got = 0;
	bool is_below = false;

	for (jint from = 0; !(*agent.ti)->GetStackTrace(agent.ti, NULL, from, (jint)ARRAY_LEN(frames), frames, &got); from += got) {
		for (jint i = 0; i < got; i++) {
			n += is_below && is_body(frames[i].method, body);
			is_below |= !is_own_frame(jni, frames[i].method);
		}
		if (got < (jint)ARRAY_LEN(frames))
			break;
	}
	return n;
}

/* How many entries up to this level are in constructors of that body which call another one. */
static uint32_t count_marked(JNIEnv *jni, jobjectArray constructors, jint level, uint32_t body)
{
	uint32_t n = 0;

	for (jint i = 0; i <= level; i++) {
		jobject o = (*jni)->GetObjectArrayElement(jni, constructors, i);
		n += o && (uint32_t)chain_int(jni, o, chains.probe.method) == body;
		(*jni)->DeleteLocalRef(jni, o);
	}
	return n;
}

/* `out` is the place outside that is next, above an entry that was in the call of another constructor. If its frame is gone, so is
 * the entry. */
static void answer_settle(void *ctx)
{
	struct question *q = ctx;
	JNIEnv *jni = q->jni;
	jobject out = q->b;
	jobjectArray constructors = (*jni)->GetObjectField(jni, q->a, chains.thread.constructors);
	jlongArray saved = (*jni)->GetObjectField(jni, q->a, chains.thread.saved);

	q->answer = out;
	for (jint level = chain_int(jni, out, chains.probe.level); level-- > 0;) {
		jobject n = (*jni)->GetObjectArrayElement(jni, constructors, level);
		uint32_t body = n ? (uint32_t)chain_int(jni, n, chains.probe.method) : 0;
		if (!n || count_frames(jni, body) >= count_marked(jni, constructors, level, body))
			return;
		(*jni)->SetObjectArrayElement(jni, constructors, level, NULL);
		jlong next = 0;
		(*jni)->GetLongArrayRegion(jni, saved, level, 1, &next);
		(*jni)->SetLongField(jni, q->a, chains.thread.next, next);
		level = (jint)((uint32_t)next >> CHAIN_ID_BITS);
		q->answer = chain_place(jni, level);
		if (next >> 32 != CHAIN_OUTSIDE)
			return;
	}
}

jobject JNICALL chain_settle(JNIEnv *jni, jclass helper, jobject t, jobject out)
{
	(void)helper;
	jobject answer = chain_ask(answer_settle, (struct question){ jni, t, out, 0, NULL });
	return answer ? answer : out;
}
