/* SPDX-License-Identifier: Apache-2.0 */
/* agent.c - the JVMTI agent: watches the calls of a plan in a running JVM and writes down which classes their receivers have.
 *
 *     java -agentpath:libsherd-agent.so=plan=plan.sherd,destfile=run-%p.cov ...
 *
 * With dynamic=FILE, and then also without a plan, it writes down what dynamic features do.
 *
 * Whatever goes wrong is said in a line on standard error; the program then runs as it would without the agent. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "agent/agent_p.h"
#include "agent/dynamic/facts.h"
#include "agent/probe/cells.h"
#include "agent/probe/chains.h"
#include "agent/guard.h"
#include "agent/log.h"
#include "agent/say.h"
#include "agent/tests.h"
#include "agent/watch.h"

enum { SECOND = 1000, SMALL_DATA = 1 << 20, LONGEST_PAUSE = 64 };

struct agent agent;

/* Plan */

static bool read_file(const char *path, struct strbuf *out)
{
	char buf[1 << 14];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;

	while (fd >= 0 && (n = read(fd, buf, sizeof(buf))) > 0)
		strbuf_add(out, buf, (size_t)n);
	int error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return n == 0;
}

static bool read_plan(void)
{
	static struct strbuf bytes;           /* the plan borrows its text */
	struct strbuf err = { 0 };
	bool ok = false;

	strbuf_clear(&bytes);
	if (!agent.opt.plan && agent.opt.dynamic) {
		agent.opt.has_tests = false;
		return true;
	}
	if (!agent.opt.plan) {
		say("the option plan=FILE is missing; the program runs without it");
	} else if (!read_file(agent.opt.plan, &bytes)) {
		say("cannot read %s: %s; the program runs without it", agent.opt.plan, strerror(errno));
	} else {
		ok = plan_read(&agent.plan, (struct span){ (const uint8_t *)bytes.s, bytes.len }, &agent.mem, &err);
		if (!ok) {
			say("%s: %s; the program runs without it", agent.opt.plan, err.s ? err.s : "no plan");
			plan_release(&agent.plan);
		}
	}
	strbuf_release(&err);
	return ok;
}

/* The thread that writes */

/* Counts are for people who wait, cells are for those whose JVM is killed: the former are put less often when they would make
 * most of the file. */
static void tick(void *ctx)
{
	JNIEnv *jni = ctx;
	static uint64_t counts;
	static uint32_t pause = 1, left = 1;

	agent_lock();
	if (log_records()) {
		tests_tick(jni);
		if (--left == 0) {
			uint64_t before = log_size();
			cells_put_counts(jni);
			chains_put_counts(jni);
			counts += log_size() - before;
			if (counts > SMALL_DATA + (log_size() - counts) && pause < LONGEST_PAUSE)
				pause *= 2;
			left = pause;
		}
	}
	agent_unlock();
	log_write();
	facts_tick();
}

static void JNICALL write_now_and_then(jvmtiEnv *ti, JNIEnv *jni, void *arg)
{
	(void)arg;
	while (!agent_is(&agent.is_closed)) {
		if ((*ti)->RawMonitorEnter(ti, agent.io))
			return;
		(*ti)->RawMonitorWait(ti, agent.io, SECOND);
		(*ti)->RawMonitorExit(ti, agent.io);
		if (!agent_is(&agent.is_closed))
			guarded(tick, jni);
	}
}

/* The group of the JVM's own threads, so that programs which look at theirs do not find it. */
static jobject system_group(JNIEnv *jni)
{
	jthreadGroup *groups = NULL;
	jint n = 0;

	if ((*agent.ti)->GetTopThreadGroups(agent.ti, &n, &groups) || n < 1)
		return NULL;
	jobject group = groups[0];
	for (jint i = 1; i < n; i++)
		(*jni)->DeleteLocalRef(jni, groups[i]);
	agent_free(groups);
	return group;
}

static jobject new_thread(JNIEnv *jni)
{
	jclass c = (*jni)->FindClass(jni, "java/lang/Thread");
	jmethodID init = c ? (*jni)->GetMethodID(jni, c, "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V") : NULL;
	jobject group = init ? system_group(jni) : NULL;
	jstring name = group ? (*jni)->NewStringUTF(jni, "sherd agent") : NULL;
	jobject thread = name ? (*jni)->NewObject(jni, c, init, group, name) : NULL;

	return agent_cleared(jni) ? NULL : thread;
}

static void start_writing(JNIEnv *jni)
{
	jobject thread = new_thread(jni);

	if (!thread || (*agent.ti)->RunAgentThread(agent.ti, thread, write_now_and_then, NULL, JVMTI_THREAD_NORM_PRIORITY))
		say("no thread of its own: data is written at the end only");
	agent_cleared(jni);
}

/* Events */

static bool enable(jvmtiEvent event)
{
	return !(*agent.ti)->SetEventNotificationMode(agent.ti, JVMTI_ENABLE, event, NULL);
}

static void disable(jvmtiEvent event)
{
	(*agent.ti)->SetEventNotificationMode(agent.ti, JVMTI_DISABLE, event, NULL);
}

/* From here on classes can be rewritten. */
static bool make_ready(JNIEnv *jni)
{
	if (!cells_define(jni)) {
		say("this JVM does not take the class java.lang.SherdProbe; the program runs without it");
		agent_set(&agent.is_closed);
		return false;
	}
	agent_set(&agent.is_ready);
	return true;
}

/* A record that cannot be had leaves the measurement alone. */
static bool open_files(void)
{
	bool is_recorded = agent.opt.dynamic && facts_open();

	if (!is_recorded)
		agent.opt.dynamic = NULL;
	return agent.opt.plan ? log_open() : is_recorded;
}

/* Not before the JVM is initialised: it has objects in its archive whose classes must not be exchanged while it starts, and
 * retransforms them gladly afterwards. */
static void start_watching(void *ctx)
{
	JNIEnv *jni = ctx;

	enable(JVMTI_EVENT_CLASS_PREPARE);
	bool is_ready = !agent_is(&agent.is_closed) && make_ready(jni) && open_files();
	disable(JVMTI_EVENT_CLASS_PREPARE);
	if (!is_ready)
		return;
	enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
	watch_loaded(jni);
	log_write();
	start_writing(jni);
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
	(void)ti;
	(void)thread;
	guarded(start_watching, jni);
}

static void finish(void *ctx)
{
	JNIEnv *jni = ctx;

	agent_lock();
	if (log_records() && agent.opt.dumps_on_exit) {
		tests_tick(jni);
		cells_put_counts(jni);
		chains_put_counts(jni);
		cells_put_note();
		run_put_end(log_records());
	}
	uint64_t size = log_size();
	agent_unlock();
	log_close();
	facts_close();
	if (agent.opt.is_debug)
		say_more("%u cells, %u bytes of data", (unsigned)cells_count(), (unsigned)size);
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *jni)
{
	(void)ti;
	guarded(finish, jni);
}

/* Start */

static bool ask_for_capabilities(void)
{
	jvmtiCapabilities can = { 0 }, want = { .can_get_constant_pool = 1 };

	(*agent.ti)->GetPotentialCapabilities(agent.ti, &can);
	want.can_get_constant_pool = can.can_get_constant_pool;
	want.can_retransform_classes = can.can_retransform_classes;
	want.can_get_bytecodes = agent.opt.dynamic && can.can_get_bytecodes;
	want.can_get_line_numbers = agent.opt.dynamic && can.can_get_line_numbers;
	agent.can_retransform = can.can_retransform_classes;
	return !(*agent.ti)->AddCapabilities(agent.ti, &want);
}

static bool open_environment(void)
{
	jvmtiEventCallbacks on = { .VMInit = on_vm_init, .VMDeath = on_vm_death,
				   .ClassFileLoadHook = watch_load, .ClassPrepare = cells_prepared };
	void *ti = NULL;

	if ((*agent.vm)->GetEnv(agent.vm, &ti, JVMTI_VERSION_1_2) != JNI_OK)
		return false;
	agent.ti = ti;
	return ask_for_capabilities() && !(*agent.ti)->CreateRawMonitor(agent.ti, "sherd io", &agent.io) &&
	       !(*agent.ti)->CreateRawMonitor(agent.ti, "sherd", &agent.lock) &&
	       !(*agent.ti)->SetEventCallbacks(agent.ti, &on, sizeof(on)) && enable(JVMTI_EVENT_VM_DEATH);
}

struct arrival {
	JavaVM *vm;
	const char *options;
	bool is_open;
};

static void open_agent(void *ctx)
{
	struct arrival *a = ctx;

	if (agent.ti) {
		say("it runs already: these options are passed over");
		return;
	}
	agent.vm = a->vm;
	options_parse(&agent.opt, a->options, &agent.mem);
	if (!read_plan())
		return;
	a->is_open = open_environment();
	if (!a->is_open)
		say("this JVM lacks what the agent needs; the program runs without it");
}

/* JNI_OK whatever happens: another answer would end the JVM. */
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	struct arrival a = { vm, options, false };

	(void)reserved;
	guard_init();
	if (guarded(open_agent, &a) && a.is_open)
		enable(JVMTI_EVENT_VM_INIT);
	return JNI_OK;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	struct arrival a = { vm, options, false };
	void *jni = NULL;

	(void)reserved;
	guard_init();
	if ((*vm)->GetEnv(vm, &jni, JNI_VERSION_1_6) == JNI_OK && guarded(open_agent, &a) && a.is_open)
		guarded(start_watching, jni);
	return JNI_OK;
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm)
{
	(void)vm;
}
