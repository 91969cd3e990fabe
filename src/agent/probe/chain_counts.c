/* SPDX-License-Identifier: Apache-2.0 */
/* chain_counts.c - how often nodes were entered, for the data; and which were since a test began.
 *
 * A node that is awake is entered without anybody noticing more than that it counts. One that sleeps marks itself when it is entered, and
 * wakes up. Those with marks are what a test exercised, and are put to sleep again: a test costs what it touches, not what is there. */
#include "agent/probe/chains.h"

#include <stdlib.h>

#include "agent/probe/chains_p.h"

enum { BATCH = 1024 };

static struct {
	jmethodID counts, touched;
	jlongArray n;                 /* global references */
	jintArray now, before;        /* numbers of places that counted */
	jint len;                     /* of `before`: how many */
	jsize cap;                    /* of both */
	jlong batch[BATCH];
} told;

bool chain_counts_init(JNIEnv *jni)
{
	told.counts = (*jni)->GetStaticMethodID(jni, agent.helper, "counts", CHAIN_COUNTS);
	told.touched = told.counts ? (*jni)->GetStaticMethodID(jni, agent.helper, "touched", CHAIN_TOUCHED) : NULL;
	jlongArray n = told.touched ? (*jni)->NewLongArray(jni, BATCH) : NULL;
	told.n = n ? (*jni)->NewGlobalRef(jni, n) : NULL;
	return told.n;
}

static void add_counts(uint32_t from, uint32_t len, count_vec *out)
{
	for (uint32_t i = 0; i < len; i++) {
		struct counted *c = &chains.counted.data[from + i];
		uint64_t now = (uint64_t)told.batch[i];
		if (c->node == NONE)
			continue;
		if (now > c->logged)                  /* smaller: a thread that had read it long ago wrote it back */
			vec_push(out, ((struct run_count){ c->node, now - c->logged }));
		c->logged = now;
	}
}

static void read_counts(JNIEnv *jni, count_vec *out)
{
	for (uint32_t from = 0; from < chains.counted.len; from += BATCH) {
		uint32_t len = chains.counted.len - from < BATCH ? chains.counted.len - from : BATCH;
		(*jni)->CallStaticVoidMethod(jni, agent.helper, told.counts, (jint)from, (jint)len, told.n);
		if (agent_cleared(jni))
			return;
		(*jni)->GetLongArrayRegion(jni, told.n, 0, (jsize)len, told.batch);
		add_counts(from, len, out);
	}
}

void chains_put_counts(JNIEnv *jni)
{
	count_vec counts = { 0 };

	read_counts(jni, &counts);
	counts_sum(&counts);                          /* several places may stand for one node */
	if (counts.len && log_records())
		run_put_node_counts(log_records(), counts.data, counts.len);
	vec_release(&counts);
}

static jintArray global_ints(JNIEnv *jni, jsize n)
{
	jintArray a = (*jni)->NewIntArray(jni, n);
	jintArray global = agent_cleared(jni) || !a ? NULL : (*jni)->NewGlobalRef(jni, a);

	(*jni)->DeleteLocalRef(jni, a);
	return global;
}

/* Room for each place twice. */
static bool grow(JNIEnv *jni)
{
	jsize need = (jsize)chains.counted.len * 2;

	if (need <= told.cap)
		return true;
	jintArray now = global_ints(jni, need * 2), before = now ? global_ints(jni, need * 2) : NULL;
	if (!before)
		return false;
	if (told.now) {
		(*jni)->DeleteGlobalRef(jni, told.now);
		(*jni)->DeleteGlobalRef(jni, told.before);
	}
	told.now = now, told.before = before, told.len = 0, told.cap = need * 2;
	return true;
}

/* Nodes that only callers count do not sleep. */
static void add_callers(JNIEnv *jni, cell_rows *out)
{
	for (uint32_t i = 0; i < chains.callers.len; i++) {
		jobject o = chain_place(jni, (jint)chains.callers.data[i]);
		jlong n = (*jni)->GetLongField(jni, o, chains.probe.n);
		if (n != (*jni)->GetLongField(jni, o, chains.probe.seen)) {
			(*jni)->SetLongField(jni, o, chains.probe.seen, n);
			vec_push(out, chains.counted.data[chains.callers.data[i]].node);
		}
		(*jni)->DeleteLocalRef(jni, o);
	}
}

void chains_changed(JNIEnv *jni, cell_rows *out)
{
	jint pages = (jint)((chains.counted.len + (1u << CHAIN_PAGE_BITS) - 1) >> CHAIN_PAGE_BITS);

	if (!chains.counted.len || !grow(jni))
		return;
	jint n = (*jni)->CallStaticIntMethod(jni, agent.helper, told.touched, pages, told.before, told.len, told.now);
	jint *ids = agent_cleared(jni) || n <= 0 ? NULL : (*jni)->GetPrimitiveArrayCritical(jni, told.now, NULL);
	for (jint i = 0; ids && i < n; i++)
		vec_push(out, chains.counted.data[ids[i]].node);
	if (ids)
		(*jni)->ReleasePrimitiveArrayCritical(jni, told.now, ids, JNI_ABORT);
	jintArray last = told.before;
	told.before = told.now, told.now = last, told.len = ids ? n : 0;
	add_callers(jni, out);
	rows_order(out);
}
