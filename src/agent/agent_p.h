/* SPDX-License-Identifier: Apache-2.0 */
/* agent_p.h - what the parts of the agent share: one agent in a JVM.
 *
 * Locks: `io` is held while the data file is written, `lock` guards every table and the records that are not yet written. `io`
 * is taken first. While `lock` is held no code of the user's program runs (only SherdProbe.copy does) and no class is
 * initialised, so a thread that waits for it never waits for another one of the program. */
#ifndef AGENT_AGENT_P_H
#define AGENT_AGENT_P_H

#include <jvmti.h>

#include "agent/options.h"
#include "formats/coverage/plan.h"
#include "formats/coverage/runs.h"

struct agent {
	JavaVM *vm;
	/* It may retransform classes. So the JVM asks it after agents that may not, as JaCoCo's, whose identities of classes come
	 * from the bytes that they see; and again whenever anybody redefines or retransforms a class. */
	jvmtiEnv *ti;
	bool can_retransform;
	jrawMonitorID io, lock;
	struct arena mem;             /* as long as the JVM */
	struct options opt;
	struct plan plan;
	bool is_ready;                /* the helper class exists: classes may be rewritten */
	bool is_closed;               /* no more records: the JVM ends, or the file cannot be written */
	jclass helper;                /* java.lang.SherdProbe */
};
extern struct agent agent;

static inline void agent_lock(void)
{
	(*agent.ti)->RawMonitorEnter(agent.ti, agent.lock);
}

static inline void agent_unlock(void)
{
	(*agent.ti)->RawMonitorExit(agent.ti, agent.lock);
}

static inline bool agent_is(const bool *flag)           /* a flag that other threads set */
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static inline void agent_set(bool *flag)
{
	__atomic_store_n(flag, true, __ATOMIC_RELEASE);
}

/* True when an exception was pending: it is gone. */
static inline bool agent_cleared(JNIEnv *jni)
{
	if (!(*jni)->ExceptionCheck(jni))
		return false;
	(*jni)->ExceptionClear(jni);
	return true;
}

static inline void agent_free(void *p)                  /* what JVMTI allocated; NULL is fine */
{
	(*agent.ti)->Deallocate(agent.ti, p);
}

#endif
