/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.c - a JVMTI agent that writes down which call chains of a component a run really has. It rewrites no class: it looks
 * at the stack whenever a method is entered.
 *
 *     java -agentpath:recorder.so=COMPONENT:OUT[:events|:sampled] ...
 *
 * COMPONENT is a file of patterns, one a line, for dotted names of classes; a * stands for any letters. At the end OUT has lines
 * of fields that are separated by blanks; numbers of rows are from 1 on, 0 is none:
 *
 *     M row name                           a method of the component: class.name(parameters)result
 *     C row name                           the class of a receiver; that of a lambda: host$$Lambda$method#index@pc, by the
 *                                          instruction that makes it
 *     N row parent pc class method count   a chain: `parent` and a call of `method` by the instruction at `pc` on an object of
 *                                          `class`; count: how often it was on top of a stack. Without parent an entry, and `pc`
 *                                          is its level
 *     T                                    what follows, up to the next T, is of one thread, in the order of time
 *     E depth method caller pc class       `method` (0: one outside) is entered. The instruction at `pc` of `caller` called it
 *     J depth method caller pc 0           the same, but the JVM called it while that instruction ran
 *     X depth method popped                it is left; popped: 1 by an exception
 *
 * E, J and X are there for methods of the component and those directly above one, and only with `events`. `depth` counts frames from
 * the bottom. The chains are read off the stack: leaving a method has no part in them. With `sampled`, for programs that run long, only
 * the first calls of a method by each instruction count, and what is above those.
 *
 * Frames of lambdas that code of the component makes do not count: who calls one calls what it runs. */
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

enum { INVOKE_VIRTUAL = 0xb6, INVOKE_SPECIAL, INVOKE_STATIC, INVOKE_INTERFACE };
enum { ACC_STATIC = 0x8 };
#define LAMBDA "$$Lambda"

enum sort { OUTSIDE, COMPONENT, PASSED };     /* PASSED: of a lambda of the component */

struct method {
	uint8_t sort;
	bool is_static, is_constructor, is_initialiser;
	str_id cls;                           /* as it is printed */
	str_id name;                          /* COMPONENT: class.name(parameters)result */
};

/* How a frame of the component came to be. */
struct call {
	uint32_t method;
	bool is_entry;                        /* called from outside, or by the JVM */
	bool is_left_out;                     /* there were many such calls before */
	uint32_t caller, pc, cls;             /* rows; 0: none */
};

struct node {
	uint32_t parent, pc, cls, method;
	uint64_t count;
};

struct thread {
	VEC(struct call) calls;               /* by depth of the frame */
	VEC(jvmtiFrameInfo) frames;           /* [0] is on top */
	struct strbuf events;
};

struct recorder {
	pthread_mutex_t lock;                 /* guards all below */
	bool is_closed, has_events, is_sampled;
	const char *out;
	VEC(char *) patterns;
	struct interner text;
	VEC(struct method) methods;           /* [0]: none */
	VEC(struct node) nodes;               /* [0]: none */
	VEC(struct thread *) threads;
	struct map calls_by_pc, seen_by_call; /* how often each is seen, where few are wanted */
	struct map method_by_id, op_by_pc, edge_by_call, edge_by_class, node_by_edge;
	struct map lambdas;                   /* text of a hidden class -> text that names it */
	uint32_t nedges;
};

static struct recorder *recorder_of(jvmtiEnv *ti)
{
	void *r = NULL;

	(*ti)->GetEnvironmentLocalStorage(ti, &r);
	return r;
}

static struct thread *thread_of(jvmtiEnv *ti, struct recorder *r)
{
	void *t = NULL;

	if ((*ti)->GetThreadLocalStorage(ti, NULL, &t) || t)
		return t;
	t = mem_zalloc(sizeof(struct thread));
	(*ti)->SetThreadLocalStorage(ti, NULL, t);
	vec_push(&r->threads, t);
	return t;
}

/* Names */

/* Dotted. Hidden classes have the signature `Lname.suffix;` (JDK 15 and later). */
static str_id name_class(struct recorder *r, jvmtiEnv *ti, jclass c)
{
	char *sig = NULL;

	if ((*ti)->GetClassSignature(ti, c, &sig, NULL) || !sig)
		return intern(&r->text, STR("?"));
	char *hidden = strchr(sig, '.');
	if (hidden)
		*hidden = '+';
	for (char *p = sig; *p; p++)
		*p = *p == '/' ? '.' : *p;
	size_t n = strlen(sig);
	str_id id = intern(&r->text, sig[0] == 'L' ? (struct str){ sig + 1, (uint32_t)n - 2 } : str_of(sig));
	(*ti)->Deallocate(ti, (unsigned char *)sig);
	return id;
}

/* The class that makes the lambda of this class; empty: it is none. */
static struct str host_of(struct str name)
{
	for (uint32_t i = 0; i + sizeof(LAMBDA) <= name.len; i++)
		if (memcmp(name.p + i, LAMBDA, sizeof(LAMBDA) - 1) == 0 && memchr(name.p + i, '+', name.len - i))
			return (struct str){ name.p, i };
	return (struct str){ 0 };
}

static bool in_component(const struct recorder *r, struct str name)
{
	char text[1024];

	if (name.len >= sizeof(text))
		return false;
	memcpy(text, name.p, name.len);
	text[name.len] = 0;
	for (uint32_t i = 0; i < r->patterns.len; i++)
		if (fnmatch(r->patterns.data[i], text, FNM_NOESCAPE) == 0)
			return true;
	return false;
}

static enum sort sort_of(const struct recorder *r, struct str cls)
{
	struct str host = host_of(cls);

	if (host.len)
		return in_component(r, host) ? PASSED : OUTSIDE;
	return in_component(r, cls) ? COMPONENT : OUTSIDE;
}

static void name_method(struct recorder *r, struct method *m, const char *name, const char *desc)
{
	struct strbuf out = { 0 };

	strbuf_addstr(&out, interned(&r->text, m->cls));
	strbuf_addf(&out, ".%s%s", name, desc);
	m->name = intern(&r->text, strbuf_str(&out));
	m->is_constructor = strcmp(name, "<init>") == 0;
	m->is_initialiser = strcmp(name, "<clinit>") == 0;
	strbuf_release(&out);
}

static struct method describe(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, jmethodID id)
{
	struct method m = { .sort = OUTSIDE };
	char *name = NULL, *desc = NULL;
	jclass c = NULL;
	jint flags = 0;

	if ((*ti)->GetMethodDeclaringClass(ti, id, &c) || !c)
		return m;
	m.cls = name_class(r, ti, c);
	m.sort = (uint8_t)sort_of(r, interned(&r->text, m.cls));
	(*jni)->DeleteLocalRef(jni, c);
	if (m.sort != COMPONENT || (*ti)->GetMethodName(ti, id, &name, &desc, NULL))
		return m;
	(*ti)->GetMethodModifiers(ti, id, &flags);
	m.is_static = flags & ACC_STATIC;
	name_method(r, &m, name, desc);
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

/* Lambdas are named by the instruction that makes them: their classes are made when it first runs. */

static jint index_of(jvmtiEnv *ti, jclass c, jmethodID m)
{
	jmethodID *all = NULL;
	jint n = 0, i = 0;

	if ((*ti)->GetClassMethods(ti, c, &n, &all))
		return -1;
	while (i < n && all[i] != m)
		i++;
	(*ti)->Deallocate(ti, (unsigned char *)all);
	return i;
}

static str_id lambda_name(struct recorder *r, jvmtiEnv *ti, struct str host, jclass c, const jvmtiFrameInfo *f)
{
	struct strbuf out = { 0 };
	char *name = NULL;

	(*ti)->GetMethodName(ti, f->method, &name, NULL, NULL);
	strbuf_addstr(&out, host);
	strbuf_addf(&out, LAMBDA "$%s#%d@%d", name ? name : "?", (int)index_of(ti, c, f->method), (int)f->location);
	str_id id = intern(&r->text, strbuf_str(&out));
	(*ti)->Deallocate(ti, (unsigned char *)name);
	strbuf_release(&out);
	return id;
}

static void note_lambda(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, str_id hidden)
{
	enum { MOST = 128 };
	jvmtiFrameInfo frames[MOST];
	struct strbuf host = { 0 };
	jint n = 0;
	jclass c;

	strbuf_addstr(&host, host_of(interned(&r->text, hidden)));
	if (!host.len || (*ti)->GetStackTrace(ti, NULL, 0, MOST, frames, &n))
		n = 0;
	for (jint i = 0; i < n; i++) {
		if ((*ti)->GetMethodDeclaringClass(ti, frames[i].method, &c))
			continue;
		bool is_host = str_eq(interned(&r->text, name_class(r, ti, c)), strbuf_str(&host));
		if (is_host)
			*map_at(&r->lambdas, hidden.i) = lambda_name(r, ti, strbuf_str(&host), c, &frames[i]).i;
		(*jni)->DeleteLocalRef(jni, c);
		if (is_host)
			break;
	}
	strbuf_release(&host);
}

static void JNICALL on_prepare(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jclass c)
{
	struct recorder *r = recorder_of(ti);

	(void)thread;
	pthread_mutex_lock(&r->lock);
	str_id name = name_class(r, ti, c);
	if (!r->is_closed && host_of(interned(&r->text, name)).len)
		note_lambda(r, ti, jni, name);
	pthread_mutex_unlock(&r->lock);
}

static uint32_t class_named(const struct recorder *r, str_id cls)
{
	uint32_t lambda = map_get(&r->lambdas, cls.i);

	return lambda ? lambda : cls.i;
}

/* Calls */

/* The opcode at pc; 0: not known. */
static uint32_t op_at(struct recorder *r, jvmtiEnv *ti, uint32_t row, jmethodID m, jlocation pc)
{
	uint64_t key = map_key(row, (uint32_t)pc);
	uint32_t op = map_get(&r->op_by_pc, key);
	unsigned char *code = NULL;
	jint n = 0;

	if (op || pc < 0 || (*ti)->GetBytecodes(ti, m, &n, &code))
		return op;
	if (pc < n && code[pc])
		*map_at(&r->op_by_pc, key) = op = code[pc];
	(*ti)->Deallocate(ti, code);
	return op;
}

static uint32_t class_of_this(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni)
{
	jobject self = NULL;

	if ((*ti)->GetLocalInstance(ti, NULL, 0, &self) || !self)
		return intern(&r->text, STR("?")).i;
	jclass c = (*jni)->GetObjectClass(jni, self);
	uint32_t name = class_named(r, name_class(r, ti, c));
	(*jni)->DeleteLocalRef(jni, c);
	(*jni)->DeleteLocalRef(jni, self);
	return name;
}

/* Does a constructor call another one for the object that it makes itself? */
static bool is_same_object(jvmtiEnv *ti, JNIEnv *jni)
{
	jobject here = NULL, there = NULL;
	bool is_same = !(*ti)->GetLocalInstance(ti, NULL, 0, &here) && !(*ti)->GetLocalInstance(ti, NULL, 1, &there) &&
		       (*jni)->IsSameObject(jni, here, there);

	(*jni)->DeleteLocalRef(jni, here);
	(*jni)->DeleteLocalRef(jni, there);
	return is_same;
}

/* The class that labels a call of the method on top: that of the receiver, or of the new object. */
static uint32_t label_of(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, const struct call *c, uint32_t op)
{
	const struct method *callee = &r->methods.data[c->method], *caller = &r->methods.data[c->caller];

	if (op == INVOKE_VIRTUAL || op == INVOKE_INTERFACE)
		return class_of_this(r, ti, jni);
	if (op != INVOKE_SPECIAL || !callee->is_constructor || (caller->is_constructor && is_same_object(ti, jni)))
		return 0;
	return callee->cls.i;
}

/* The nearest frame that is no lambda of the component, from 1 on; `passed` is the last one that is, or 0. Frames of a lambda are
 * few, so they are asked for one by one. */
static bool find_caller(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, uint32_t *row, jmethodID *m, jlocation *pc, uint32_t *passed)
{
	*passed = 0;
	for (jint depth = 1;; depth++) {
		if ((*ti)->GetFrameLocation(ti, NULL, depth, m, pc))
			return false;
		*row = method_at(r, ti, jni, *m);
		if (r->methods.data[*row].sort != PASSED)
			return r->methods.data[*row].sort == COMPONENT;
		*passed = *row;
	}
}

/* Looking at `this` stops the world. */
static bool is_left_out(struct recorder *r, uint32_t caller, uint32_t pc, uint32_t method)
{
	enum { ENOUGH = 300 };

	if (!r->is_sampled)
		return false;
	uint32_t *site = map_at(&r->calls_by_pc, map_key(caller, pc));
	if (!*site)
		*site = ++r->nedges;
	return ++*map_at(&r->seen_by_call, map_key(*site, method)) > ENOUGH;
}

static struct call call_of(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, uint32_t method)
{
	struct call c = { .method = method, .is_entry = true };
	jmethodID m;
	jlocation pc;
	uint32_t passed;

	if (!find_caller(r, ti, jni, &c.caller, &m, &pc, &passed)) {
		c.caller = 0;
		c.is_left_out = is_left_out(r, 0, 0, method);
		return c;
	}
	uint32_t op = op_at(r, ti, c.caller, m, pc);
	c.pc = (uint32_t)pc;
	c.is_left_out = is_left_out(r, c.caller, c.pc, method);
	if (op < INVOKE_VIRTUAL || op > INVOKE_INTERFACE || r->methods.data[method].is_initialiser)
		return c;
	c.is_entry = false;
	if (c.is_left_out)
		return c;
	if (passed)
		c.cls = class_named(r, r->methods.data[passed].cls);
	else if (r->methods.data[method].sort == COMPONENT)
		c.cls = label_of(r, ti, jni, &c, op);
	return c;
}

/* Chains */

static uint32_t node_at(struct recorder *r, uint32_t parent, uint32_t pc, uint32_t cls, uint32_t method)
{
	/* Two rows of 32 bits make a key: a call is numbered first. */
	uint32_t *site = map_at(&r->edge_by_call, map_key(method, pc));
	if (!*site)
		*site = ++r->nedges;
	uint32_t *edge = map_at(&r->edge_by_class, map_key(*site, cls));
	if (!*edge)
		*edge = ++r->nedges;
	uint32_t *at = map_at(&r->node_by_edge, map_key(parent, *edge));
	if (!*at) {
		*at = r->nodes.len;
		vec_push(&r->nodes, ((struct node){ parent, pc, cls, method, 0 }));
	}
	return *at;
}

static bool read_stack(jvmtiEnv *ti, struct thread *t)
{
	jint n = 0;

	for (uint32_t want = 256;; want *= 2) {
		vec_reserve(&t->frames, want);
		if ((*ti)->GetStackTrace(ti, NULL, 0, (jint)t->frames.cap, t->frames.data, &n))
			return false;
		t->frames.len = (uint32_t)n;
		if ((uint32_t)n < t->frames.cap)
			return true;
	}
}

static void set_call(struct thread *t, uint32_t depth, struct call c)
{
	while (t->calls.len <= depth)
		vec_push(&t->calls, (struct call){ 0 });
	t->calls.data[depth] = c;
}

/* The chain on top of the stack. Frames that were entered before the recorder was there count as outside. */
static uint32_t chain_of(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, struct thread *t)
{
	uint32_t node = 0, level = 0;

	for (uint32_t i = t->frames.len, depth = 1; i-- > 0; depth++) {
		uint32_t m = method_at(r, ti, jni, t->frames.data[i].method);
		if (r->methods.data[m].sort != COMPONENT || depth >= t->calls.len)
			continue;
		const struct call *c = &t->calls.data[depth];
		if (c->method != m)
			continue;
		if (c->is_left_out || (!c->is_entry && !node))
			node = 0;
		else
			node = c->is_entry ? node_at(r, 0, level, 0, m) : node_at(r, node, c->pc, c->cls, m);
		level += c->is_entry;
	}
	return node;
}

static void add_event(struct thread *t, char what, uint32_t depth, const struct recorder *r, const struct call *c)
{
	uint32_t method = r->methods.data[c->method].sort == COMPONENT ? c->method : 0;

	strbuf_addf(&t->events, "%c %u %u %u %u %u\n", what, depth, method, c->caller, c->pc, c->cls);
}

static void entered(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, uint32_t method)
{
	bool is_inside = r->methods.data[method].sort == COMPONENT;
	struct thread *t = thread_of(ti, r);
	jint depth = 0;

	if (!t || r->methods.data[method].sort == PASSED || (!is_inside && !r->has_events))
		return;
	struct call c = call_of(r, ti, jni, method);
	if (!is_inside && !c.caller)
		return;
	(*ti)->GetFrameCount(ti, NULL, &depth);
	if (is_inside) {
		set_call(t, (uint32_t)depth, c);
		uint32_t node = !c.is_left_out && read_stack(ti, t) ? chain_of(r, ti, jni, t) : 0;
		r->nodes.data[node].count++;
	}
	if (r->has_events)
		add_event(t, c.is_entry && c.caller ? 'J' : 'E', (uint32_t)depth, r, &c);
}

static void left(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, uint32_t method, bool popped)
{
	bool is_inside = r->methods.data[method].sort == COMPONENT;
	struct thread *t = thread_of(ti, r);
	uint32_t caller, passed;
	jmethodID m;
	jlocation pc;
	jint depth = 0;

	if (!t || r->methods.data[method].sort == PASSED)
		return;
	if (!is_inside && !find_caller(r, ti, jni, &caller, &m, &pc, &passed))
		return;
	(*ti)->GetFrameCount(ti, NULL, &depth);
	strbuf_addf(&t->events, "X %u %u %d\n", (unsigned)depth, is_inside ? method : 0, popped);
}

static void JNICALL on_entry(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID m)
{
	struct recorder *r = recorder_of(ti);

	(void)thread;
	pthread_mutex_lock(&r->lock);
	if (!r->is_closed)
		entered(r, ti, jni, method_at(r, ti, jni, m));
	pthread_mutex_unlock(&r->lock);
}

static void JNICALL on_exit_of(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID m, jboolean popped, jvalue value)
{
	struct recorder *r = recorder_of(ti);

	(void)thread, (void)value;
	pthread_mutex_lock(&r->lock);
	if (!r->is_closed)
		left(r, ti, jni, method_at(r, ti, jni, m), popped);
	pthread_mutex_unlock(&r->lock);
}

/* Output */

static void put_classes(FILE *f, const struct recorder *r)
{
	struct map seen = { 0 };

	for (uint32_t i = 1; i < r->nodes.len; i++) {
		uint32_t *at = map_at(&seen, r->nodes.data[i].cls);
		struct str name = interned(&r->text, (str_id){ r->nodes.data[i].cls });
		if (!*at && r->nodes.data[i].cls)
			fprintf(f, "C %u %.*s\n", r->nodes.data[i].cls, (int)name.len, name.p);
		*at = 1;
	}
	map_release(&seen);
}

static void put_all(FILE *f, const struct recorder *r)
{
	for (uint32_t i = 1; i < r->methods.len; i++) {
		struct str name = interned(&r->text, r->methods.data[i].name);
		if (r->methods.data[i].sort == COMPONENT)
			fprintf(f, "M %u %.*s\n", i, (int)name.len, name.p);
	}
	put_classes(f, r);
	for (uint32_t i = 1; i < r->nodes.len; i++) {
		const struct node *n = &r->nodes.data[i];
		fprintf(f, "N %u %u %u %u %u %llu\n", i, n->parent, n->pc, n->cls, n->method, (unsigned long long)n->count);
	}
	for (uint32_t i = 0; i < r->threads.len; i++) {
		const struct strbuf *b = &r->threads.data[i]->events;
		if (!b->len)
			continue;
		fputs("T\n", f);
		fwrite(strbuf_str(b).p, 1, b->len, f);
	}
}

/* The memory is left to the end of the process: other threads still run. */
static void JNICALL on_death(jvmtiEnv *ti, JNIEnv *jni)
{
	struct recorder *r = recorder_of(ti);

	(void)jni;
	pthread_mutex_lock(&r->lock);
	r->is_closed = true;
	FILE *f = fopen(r->out, "w");
	if (f)
		put_all(f, r);
	if (!f || ferror(f) || fclose(f))
		fprintf(stderr, "recorder: cannot write %s\n", r->out);
	pthread_mutex_unlock(&r->lock);
}

/* Start */

static bool enable(jvmtiEnv *ti, jvmtiEvent e)
{
	return !(*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, e, NULL);
}

static void JNICALL on_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
	(void)jni, (void)thread;
	if (!enable(ti, JVMTI_EVENT_METHOD_ENTRY) || !enable(ti, JVMTI_EVENT_CLASS_PREPARE) ||
	    (recorder_of(ti)->has_events && !enable(ti, JVMTI_EVENT_METHOD_EXIT)))
		fputs("recorder: no events\n", stderr);
}

static bool read_patterns(struct recorder *r, const char *path)
{
	FILE *f = fopen(path, "r");
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

/* COMPONENT:OUT[:events|:sampled] */
static struct recorder *recorder_new(const char *options)
{
	struct recorder *r = mem_zalloc(sizeof(*r));
	char *component = strdup(options ? options : ""), *save = NULL;

	pthread_mutex_init(&r->lock, NULL);
	interner_init(&r->text);
	vec_push(&r->methods, ((struct method){ 0 }));
	vec_push(&r->nodes, ((struct node){ 0 }));
	component = strtok_r(component, ":", &save);
	r->out = strtok_r(NULL, ":", &save);
	const char *how = strtok_r(NULL, ":", &save);
	r->has_events = how && strcmp(how, "events") == 0;
	r->is_sampled = how && strcmp(how, "sampled") == 0;
	if (component && r->out && read_patterns(r, component))
		return r;
	fputs("recorder: wants COMPONENT:OUT[:events|:sampled]\n", stderr);
	return NULL;
}

static bool ask_for_capabilities(jvmtiEnv *ti)
{
	jvmtiCapabilities c = { 0 };

	c.can_generate_method_entry_events = 1;
	c.can_generate_method_exit_events = 1;
	c.can_access_local_variables = 1;
	c.can_get_bytecodes = 1;
	c.can_maintain_original_method_order = 1;
#ifdef HAS_VIRTUAL_THREADS
	c.can_support_virtual_threads = 1;
#endif
	return !(*ti)->AddCapabilities(ti, &c);
}

static bool start(jvmtiEnv *ti, const char *options)
{
	jvmtiEventCallbacks on = { .VMInit = on_init, .VMDeath = on_death, .MethodEntry = on_entry, .MethodExit = on_exit_of,
				   .ClassPrepare = on_prepare };
	struct recorder *r = recorder_new(options);

	return r && ask_for_capabilities(ti) && !(*ti)->SetEnvironmentLocalStorage(ti, r) &&
	       !(*ti)->SetEventCallbacks(ti, &on, sizeof(on)) && enable(ti, JVMTI_EVENT_VM_INIT) &&
	       enable(ti, JVMTI_EVENT_VM_DEATH);
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
