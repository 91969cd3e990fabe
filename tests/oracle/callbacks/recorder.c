/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.c - a JVMTI agent that writes down what libraries really call back in a run. It rewrites no class: it looks at the stack
 * whenever a method of the application is entered.
 *
 *     java -agentpath:recorder.so=APPLICATION:OUT ...
 *
 * APPLICATION is a file of patterns, one a line, for dotted names of classes; a * stands for any letters. At the end OUT has lines of
 * fields that are separated by tabs, each once:
 *
 *     direct  callee  caller  pc  opcode                      one of the application's methods calls another
 *     back    callee  caller  pc  opcode  by  through         methods of libraries are in between, if only a class loader's
 *     later   callee  -       -   -       by  through         no method of the application is below on its thread
 *
 * Methods are class.name(parameters)result; pc and opcode are those of the caller's instruction. `by`: the library's method that calls,
 * if need be by reflection or a handle;
 * `through`: what else is in between and matters, comma-separated, of: reflection, handle, initialiser (of a class of the library,
 * nearest to the caller), native; - for nothing. Classes of lambdas are passed through: who calls one calls what it runs. Those of proxies
 * are libraries. */
#include <fnmatch.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jvmti.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"

#define LAMBDA "$$Lambda"
#define CHUNK 64

enum sort { LIBRARY, APPLICATION, PASSED };
enum through { BY_REFLECTION = 1, BY_HANDLE = 2, BY_INITIALISER = 4, BY_NATIVE = 8 };

struct method {
	enum sort sort;
	uint32_t through;             /* what it is, of enum through */
	str_id name;
};

struct recorder {
	pthread_mutex_t lock;         /* guards all below */
	bool is_closed;
	const char *out;
	VEC(char *) patterns;
	struct interner text;
	VEC(struct method) methods;   /* [0]: none */
	struct map method_by_id, op_by_pc, seen;
	VEC(str_id) lines;            /* each once */
};

static struct recorder *recorder_of(jvmtiEnv *ti)
{
	void *r = NULL;

	(*ti)->GetEnvironmentLocalStorage(ti, &r);
	return r;
}

/* Names */

static bool is_of_application(const struct recorder *r, const char *name)
{
	for (uint32_t i = 0; i < r->patterns.len; i++)
		if (fnmatch(r->patterns.data[i], name, FNM_NOESCAPE) == 0)
			return true;
	return false;
}

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The JVM makes those of interfaces that are not public in their package. */
static bool is_proxy(const char *name)
{
	const char *dot = strrchr(name, '.');

	return starts(dot ? dot + 1 : name, "$Proxy");
}

/* A hidden class has a signature with a dot. */
static enum sort sort_of(const struct recorder *r, char *name, bool is_hidden)
{
	char *lambda = is_hidden ? strstr(name, LAMBDA) : NULL;

	if (!lambda)
		return is_of_application(r, name) && !is_proxy(name) ? APPLICATION : LIBRARY;
	*lambda = 0;
	enum sort s = is_of_application(r, name) ? PASSED : LIBRARY;
	*lambda = '$';
	return s;
}

static uint32_t through_of(const char *cls, const char *name, jint flags)
{
	uint32_t out = flags & 0x100 ? BY_NATIVE : 0;

	if (starts(cls, "java.lang.reflect.") || starts(cls, "jdk.internal.reflect.") || starts(cls, "sun.reflect."))
		out |= BY_REFLECTION;
	if (starts(cls, "java.lang.invoke."))
		out |= BY_HANDLE;
	if (strcmp(name, "<clinit>") == 0)
		out |= BY_INITIALISER;
	return out;
}

static struct method name_method(struct recorder *r, char *sig, const char *name, const char *desc, jint flags)
{
	bool is_hidden = strchr(sig, '.') != NULL;
	struct strbuf line = { 0 };
	size_t n = strlen(sig);

	for (char *p = sig; *p; p++)
		*p = *p == '.' ? '+' : *p == '/' ? '.' : *p;
	if (sig[0] == 'L')
		sig[n - 1] = 0, sig++;
	strbuf_addf(&line, "%s.%s%s", sig, name, desc);
	struct method m = { sort_of(r, sig, is_hidden), through_of(sig, name, flags), intern(&r->text, strbuf_str(&line)) };
	strbuf_release(&line);
	return m;
}

static struct method describe(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, jmethodID id)
{
	struct method m = { .name = intern(&r->text, STR("?")) };
	char *sig = NULL, *name = NULL, *desc = NULL;
	jclass c = NULL;
	jint flags = 0;

	if ((*ti)->GetMethodDeclaringClass(ti, id, &c) || !c)
		return m;
	(*ti)->GetMethodModifiers(ti, id, &flags);
	if (!(*ti)->GetClassSignature(ti, c, &sig, NULL) && !(*ti)->GetMethodName(ti, id, &name, &desc, NULL))
		m = name_method(r, sig, name, desc, flags);
	(*jni)->DeleteLocalRef(jni, c);
	(*ti)->Deallocate(ti, (unsigned char *)sig);
	(*ti)->Deallocate(ti, (unsigned char *)name);
	(*ti)->Deallocate(ti, (unsigned char *)desc);
	return m;
}

static uint32_t method_at(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, jmethodID id)
{
	uint32_t *at = map_at(&r->method_by_id, (uint64_t)(uintptr_t)id);

	if (!*at) {
		uint32_t row = r->methods.len;
		*at = row;
		vec_push(&r->methods, describe(r, ti, jni, id));
		return row;
	}
	return *at;
}

/* 1 + the opcode at pc. */
static uint32_t op_at(struct recorder *r, jvmtiEnv *ti, uint32_t row, jmethodID m, jlocation pc)
{
	uint32_t *at = map_at(&r->op_by_pc, map_key(row, (uint32_t)pc));
	unsigned char *code = NULL;
	jint n = 0;

	if (*at)
		return *at;
	*at = 1;
	if (pc >= 0 && !(*ti)->GetBytecodes(ti, m, &n, &code) && pc < n)
		*at = 1u + code[pc];
	(*ti)->Deallocate(ti, code);
	return *at;
}

/* Calls */

struct found {
	uint32_t caller, by, through;
	jmethodID id;
	jlocation pc;
};

static bool is_machinery(struct method m)
{
	return m.through & (BY_REFLECTION | BY_HANDLE);
}

/* The nearest frame of the application below the one on top. */
static struct found find_caller(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni)
{
	jvmtiFrameInfo frames[CHUNK];
	struct found f = { 0 };
	jint n = 0, at = 1, total = 0;

	(*ti)->GetFrameCount(ti, NULL, &total);
	for (; at < total; at += n) {
		if ((*ti)->GetStackTrace(ti, NULL, at, at == 1 ? 4 : CHUNK, frames, &n) || !n)
			return f;
		for (jint i = 0; i < n; i++) {
			uint32_t row = method_at(r, ti, jni, frames[i].method);
			struct method m = r->methods.data[row];
			if (m.sort == APPLICATION) {
				f.caller = row;
				f.id = frames[i].method;
				f.pc = frames[i].location;
				return f;
			}
			if (m.sort == PASSED)
				continue;
			if (!f.by || is_machinery(r->methods.data[f.by]))
				f.by = row;
			f.through = (f.through & ~(uint32_t)BY_INITIALISER) | m.through;
		}
	}
	return f;
}

static void add_line(struct recorder *r, jvmtiEnv *ti, uint32_t callee, const struct found *f)
{
	static const char *const names[] = { "reflection", "handle", "initialiser", "native" };
	struct strbuf line = { 0 };
	const char *comma = "";

	strbuf_addf(&line, "%s\t", !f->caller ? "later" : f->by ? "back" : "direct");
	strbuf_addstr(&line, interned(&r->text, r->methods.data[callee].name));
	if (f->caller) {
		strbuf_addch(&line, '\t');
		strbuf_addstr(&line, interned(&r->text, r->methods.data[f->caller].name));
		strbuf_addf(&line, "\t%d\t%u", (int)f->pc, (unsigned)op_at(r, ti, f->caller, f->id, f->pc) - 1);
	} else {
		strbuf_adds(&line, "\t-\t-\t-");
	}
	if (f->by) {
		strbuf_addch(&line, '\t');
		strbuf_addstr(&line, interned(&r->text, r->methods.data[f->by].name));
		strbuf_addch(&line, '\t');
		for (uint32_t i = 0; i < 4; i++)
			if (f->through >> i & 1) {
				strbuf_addf(&line, "%s%s", comma, names[i]);
				comma = ",";
			}
		if (!f->through)
			strbuf_addch(&line, '-');
	} else if (!f->caller) {
		strbuf_adds(&line, "\t-\t-");
	}
	str_id id = intern(&r->text, strbuf_str(&line));
	uint32_t *at = map_at(&r->seen, id.i);
	if (!*at)
		vec_push(&r->lines, id);
	*at = 1;
	strbuf_release(&line);
}

static void JNICALL on_entry(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID m)
{
	struct recorder *r = recorder_of(ti);

	(void)thread;
	pthread_mutex_lock(&r->lock);
	if (!r->is_closed) {
		uint32_t row = method_at(r, ti, jni, m);
		if (r->methods.data[row].sort == APPLICATION) {
			struct found f = find_caller(r, ti, jni);
			add_line(r, ti, row, &f);
		}
	}
	pthread_mutex_unlock(&r->lock);
}

/* The memory is left to the end of the process: other threads still run. */
static void JNICALL on_death(jvmtiEnv *ti, JNIEnv *jni)
{
	struct recorder *r = recorder_of(ti);

	(void)jni;
	pthread_mutex_lock(&r->lock);
	r->is_closed = true;
	FILE *f = fopen(r->out, "w");
	for (uint32_t i = 0; f && i < r->lines.len; i++) {
		struct str s = interned(&r->text, r->lines.data[i]);
		fprintf(f, "%.*s\n", (int)s.len, s.p);
	}
	if (!f || ferror(f) || fclose(f))
		fprintf(stderr, "recorder: cannot write %s\n", r->out);
	pthread_mutex_unlock(&r->lock);
}

/* Start */

static void JNICALL on_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
	(void)jni, (void)thread;
	if ((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL))
		fputs("recorder: no events\n", stderr);
}

static bool read_patterns(struct recorder *r, const char *path)
{
	FILE *f = path ? fopen(path, "r") : NULL;
	char line[1024];

	if (!f)
		return false;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\r\n")] = 0;
		if (line[0])
			vec_push(&r->patterns, strdup(line));
	}
	fclose(f);
	return true;
}

/* APPLICATION:OUT */
static struct recorder *recorder_new(const char *options)
{
	struct recorder *r = mem_zalloc(sizeof(*r));
	char *application = strdup(options ? options : ""), *save = NULL;

	pthread_mutex_init(&r->lock, NULL);
	interner_init(&r->text);
	vec_push(&r->methods, ((struct method){ 0 }));
	application = strtok_r(application, ":", &save);
	r->out = strtok_r(NULL, ":", &save);
	if (r->out && read_patterns(r, application))
		return r;
	fputs("recorder: wants APPLICATION:OUT\n", stderr);
	return NULL;
}

static bool start(jvmtiEnv *ti, const char *options)
{
	jvmtiEventCallbacks on = { .VMInit = on_init, .VMDeath = on_death, .MethodEntry = on_entry };
	jvmtiCapabilities c = { 0 };
	struct recorder *r = recorder_new(options);

	c.can_generate_method_entry_events = 1;
	c.can_get_bytecodes = 1;
#ifdef HAS_VIRTUAL_THREADS
	c.can_support_virtual_threads = 1;
#endif
	return r && !(*ti)->AddCapabilities(ti, &c) && !(*ti)->SetEnvironmentLocalStorage(ti, r) &&
	       !(*ti)->SetEventCallbacks(ti, &on, sizeof(on)) &&
	       !(*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL) &&
	       !(*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	void *ti = NULL;

	(void)reserved;
	if ((*vm)->GetEnv(vm, &ti, JVMTI_VERSION_1_2) == JNI_OK && start(ti, options))
		return JNI_OK;
	fputs("recorder: it cannot work in this JVM\n", stderr);
	return JNI_ERR;
}
