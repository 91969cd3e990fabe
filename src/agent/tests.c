/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/tests.h"

#include "agent/agent_p.h"
#include "agent/probe/cells.h"
#include "agent/probe/chains.h"
#include "agent/guard.h"
#include "agent/log.h"
#include "agent/test_name.h"
#include "agent/probe/types.h"

#define DESCRIPTION "Lorg/junit/runner/Description;"
#define DESCRIPTOR "Lorg/junit/platform/engine/TestDescriptor;"

static const struct hook {
	const char *class, *method, *desc;
	enum tests_kind kind;
} hooks[] = {
	{ "org/junit/runner/notification/RunNotifier", "fireTestStarted", "(" DESCRIPTION ")V", TEST_4_STARTED },
	{ "org/junit/runner/notification/RunNotifier", "fireTestFinished", "(" DESCRIPTION ")V", TEST_4_FINISHED },
	{ "org/junit/platform/launcher/core/ExecutionListenerAdapter", "executionStarted", "(" DESCRIPTOR ")V", TEST_5_STARTED },
	{ "org/junit/platform/launcher/core/ExecutionListenerAdapter", "executionFinished",
	  "(" DESCRIPTOR "Lorg/junit/platform/engine/TestExecutionResult;)V", TEST_5_FINISHED },
	{ "junit/framework/TestResult", "startTest", "(Ljunit/framework/Test;)V", TEST_3_STARTED },
	{ "junit/framework/TestResult", "endTest", "(Ljunit/framework/Test;)V", TEST_3_FINISHED },
};

struct active {
	char *name;
	uint32_t told;                /* how many frameworks have told that it runs */
};
static VEC(struct active) running;
static bool is_parallel;

bool tests_is_hooked(struct str class)
{
	for (size_t i = 0; i < ARRAY_LEN(hooks); i++)
		if (str_is(class, hooks[i].class))
			return true;
	return false;
}

bool tests_hook(struct str class, struct str method, struct str desc, enum tests_kind *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(hooks); i++) {
		const struct hook *h = &hooks[i];
		*kind = h->kind;
		if (str_is(method, h->method) && str_is(class, h->class) && str_is(desc, h->desc))
			return true;
	}
	return false;
}

/* What a method without arguments returns, or NULL. */
static jobject ask(JNIEnv *jni, jobject o, const char *method, const char *desc)
{
	jclass c = (*jni)->GetObjectClass(jni, o);
	jmethodID m = (*jni)->GetMethodID(jni, c, method, desc);
	jobject answer = m ? (*jni)->CallObjectMethod(jni, o, m) : NULL;

	return agent_cleared(jni) ? NULL : answer;
}

static bool ask_bool(JNIEnv *jni, jobject o, const char *method)
{
	jclass c = (*jni)->GetObjectClass(jni, o);
	jmethodID m = (*jni)->GetMethodID(jni, c, method, "()Z");
	bool answer = m && (*jni)->CallBooleanMethod(jni, o, m);

	return !agent_cleared(jni) && answer;
}

static bool add_string(JNIEnv *jni, jstring s, struct strbuf *out)
{
	const char *utf = s ? (*jni)->GetStringUTFChars(jni, s, NULL) : NULL;

	if (!utf) {
		agent_cleared(jni);
		return false;
	}
	strbuf_adds(out, utf);
	(*jni)->ReleaseStringUTFChars(jni, s, utf);
	return out->len > 0;
}

static bool name_4(JNIEnv *jni, jobject description, struct strbuf *name)
{
	struct strbuf text = { 0 };
	bool ok = add_string(jni, ask(jni, description, "getDisplayName", "()Ljava/lang/String;"), &text);

	if (ok)
		test_name_4(strbuf_str(&text), name);
	strbuf_release(&text);
	return ok;
}

static bool name_5(JNIEnv *jni, jobject descriptor, struct strbuf *name)
{
	struct strbuf text = { 0 };
	bool ok = false;

	if (!ask_bool(jni, descriptor, "isTest"))
		return false;
	jobject id = ask(jni, descriptor, "getUniqueId", "()Lorg/junit/platform/engine/UniqueId;");
	if (id)
		ok = add_string(jni, ask(jni, id, "toString", "()Ljava/lang/String;"), &text);
	ok = ok && test_name_5(strbuf_str(&text), name);
	strbuf_release(&text);
	return ok;
}

static bool is_test_case(JNIEnv *jni, jobject o)
{
	jclass c = (*jni)->GetObjectClass(jni, o);
	bool is = false;

	for (int i = 0; c && !is && i < 64; i++) {
		char *sig = type_signature(c);
		is = sig && !strcmp(sig, "Ljunit/framework/TestCase;");
		agent_free(sig);
		c = (*jni)->GetSuperclass(jni, c);
	}
	return is;
}

/* getName() of a TestCase and its class, as JUnit 4 describes it: testBar(p.FooTest) */
static bool name_3(JNIEnv *jni, jobject test, struct strbuf *name)
{
	struct strbuf method = { 0 };
	char *sig = is_test_case(jni, test) ? type_signature((*jni)->GetObjectClass(jni, test)) : NULL;
	bool ok = sig && add_string(jni, ask(jni, test, "getName", "()Ljava/lang/String;"), &method);

	if (ok) {
		for (const char *s = sig + 1; *s && *s != ';'; s++)
			strbuf_addch(name, *s == '/' ? '.' : *s);
		strbuf_addch(name, '.');
		strbuf_addstr(name, strbuf_str(&method));
	}
	agent_free(sig);
	strbuf_release(&method);
	return ok;
}

static bool name_of(JNIEnv *jni, jobject o, jint kind, struct strbuf *name)
{
	switch (kind) {
	case TEST_4_STARTED: case TEST_4_FINISHED:
		return name_4(jni, o, name);
	case TEST_5_STARTED: case TEST_5_FINISHED:
		return name_5(jni, o, name);
	default:
		return name_3(jni, o, name);
	}
}

/* Gives the cells and nodes that counted since the last time to all tests that run. */
static void attribute(JNIEnv *jni)
{
	cell_rows cells = { 0 }, nodes = { 0 };

	cells_changed(jni, &cells);
	chains_changed(jni, &nodes);
	for (uint32_t i = 0; i < running.len; i++) {
		struct str name = str_of(running.data[i].name);
		if (cells.len)
			run_put_test(log_records(), name, cells.data, cells.len);
		if (nodes.len)
			run_put_node_test(log_records(), name, nodes.data, nodes.len);
	}
	vec_release(&cells);
	vec_release(&nodes);
}

static struct active *find_running(struct str name)
{
	for (uint32_t i = 0; i < running.len; i++)
		if (str_is(name, running.data[i].name))
			return &running.data[i];
	return NULL;
}

static void start(struct str name)
{
	struct active *a = find_running(name);

	if (a) {
		a->told++;
		return;
	}
	char *copy = mem_alloc(name.len + 1);
	memcpy(copy, name.p, name.len);
	copy[name.len] = 0;
	vec_push(&running, ((struct active){ copy, 1 }));
	if (running.len > 1 && !is_parallel) {
		run_put_parallel(log_records());
		is_parallel = true;
	}
}

static void finish(struct str name)
{
	struct active *a = find_running(name);

	if (!a || --a->told)
		return;
	run_put_test(log_records(), name, NULL, 0);   /* also a test that covers nothing is one */
	free(a->name);
	*a = vec_pop(&running);
}

struct event {
	JNIEnv *jni;
	jobject object;
	jint kind;
};

/* Names are asked for without the lock: that runs code of the user's program. */
static void take_event(void *ctx)
{
	struct event *e = ctx;
	struct strbuf name = { 0 };

	if (name_of(e->jni, e->object, e->kind, &name)) {
		agent_lock();
		if (log_records()) {
			attribute(e->jni);
			if (e->kind == TEST_4_STARTED || e->kind == TEST_5_STARTED || e->kind == TEST_3_STARTED)
				start(strbuf_str(&name));
			else
				finish(strbuf_str(&name));
		}
		agent_unlock();
	}
	strbuf_release(&name);
}

void JNICALL tests_event(JNIEnv *jni, jclass helper, jobject o, jint kind)
{
	struct event e = { jni, o, kind };

	(void)helper;
	if (!agent_is(&agent.is_closed) && o)
		guarded(take_event, &e);
	agent_cleared(jni);
}

void tests_tick(JNIEnv *jni)
{
	if (running.len && log_records())
		attribute(jni);
}
