/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/probe/callbacks.h"

#include "agent/agent_p.h"
#include "agent/guard.h"
#include "agent/log.h"
#include "agent/probe/cells.h"
#include "agent/probe/probe_class.h"
#include "agent/probe/thread_class.h"
#include "agent/probe/types.h"
#include "base/digest.h"
#include "base/map.h"

#define NONE UINT32_MAX

struct callee {
	struct str name;              /* p.C.m(I)V; on the heap */
	uint32_t rows[2];             /* in the data: when it is called back, and later; NONE: not yet */
};
static struct {
	jfieldID callee, next, site;
	jobjectArray backs, calls;    /* global references */
	jclass thread;                /* java.lang.Thread; likewise */
	VEC(struct callee) callees;
	struct map by_key;            /* digest of class, name, descriptor -> number + 1 */
} table;

/* Methods */

static struct str full_name(uint32_t class, struct str name, struct str desc)
{
	struct strbuf s = { 0 };

	strbuf_addstr(&s, agent.plan.classes.data[class].name);
	strbuf_addch(&s, '.');
	strbuf_addstr(&s, name);
	strbuf_addstr(&s, desc);
	return strbuf_str(&s);
}

uint32_t callbacks_number(uint32_t class, struct str name, struct str desc)
{
	agent_lock();
	uint32_t *known = map_at(&table.by_key, digest_str(digest_str(digest_u32(DIGEST_START, class), name), desc));
	if (!*known) {
		vec_push(&table.callees, ((struct callee){ full_name(class, name, desc), { NONE, NONE } }));
		*known = table.callees.len;
	}
	uint32_t number = *known - 1;
	agent_unlock();
	return number;
}

static uint32_t callee_row(uint32_t number, bool is_later)
{
	struct callee *c = &table.callees.data[number];
	struct strbuf name = { 0 };

	if (c->rows[is_later] != NONE)
		return c->rows[is_later];
	strbuf_addstr(&name, c->name);
	if (is_later)
		strbuf_adds(&name, PLAN_LATER);
	c->rows[is_later] = cells_add_callee(strbuf_str(&name));
	strbuf_release(&name);
	return c->rows[is_later];
}

/* The stack, from the method that was entered on */

enum verdict { NOT_FROM_THERE, DIRECT, CALLED_BACK };
struct look {
	JNIEnv *jni;
	const struct plan_method *from;       /* whose call it should be; NULL: nobody's, at the bottom of a thread */
	struct arena mem;
	bool is_entered;              /* the frame of the method itself was seen */
	uint32_t between;             /* frames below it that are not a lambda's */
	jclass by;                    /* of these frames: that of a client, else the first one; NULL: none */
	bool is_client;
	bool is_done;
	enum verdict verdict;
};

static bool is_other(struct str name)
{
	uint32_t lo = 0, hi = agent.plan.others.len;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int order = str_cmp(agent.plan.others.data[mid], name);
		if (order == 0)
			return true;
		*(order < 0 ? &lo : &hi) = order < 0 ? mid + 1 : mid;
	}
	return false;
}

static bool is_of_client(JNIEnv *jni, jclass c, const struct run_type *t)
{
	enum run_loader loader = type_loader(jni, c);

	return loader != RUN_BOOT && loader != RUN_PLATFORM && !is_other(t->flags & RUN_LAMBDA ? t->host : t->name);
}

static void see_between(struct look *k, jclass c, const struct run_type *t)
{
	bool is_client = !(t->flags & RUN_LAMBDA && plan_find_class(&agent.plan, t->host) != NONE) && is_of_client(k->jni, c, t);

	k->between += !(t->flags & RUN_LAMBDA);
	if (k->by && (k->is_client || !is_client))
		return;
	(*k->jni)->DeleteLocalRef(k->jni, k->by);
	k->by = (*k->jni)->NewLocalRef(k->jni, c);
	k->is_client = is_client;
}

static bool is_method(jmethodID m, const struct plan_method *of)
{
	char *name = NULL, *desc = NULL;

	if (!of || (*agent.ti)->GetMethodName(agent.ti, m, &name, &desc, NULL))
		return false;
	bool is = str_is(of->name, name) && str_is(of->desc, desc);
	agent_free(name);
	agent_free(desc);
	return is;
}

static void see_own(struct look *k, uint32_t class, jmethodID m)
{
	bool is_from = k->from && k->from->class == class && is_method(m, k->from);

	k->is_done = true;
	if (is_from)
		k->verdict = k->between ? CALLED_BACK : DIRECT;
}

static void see_frame(struct look *k, jmethodID m)
{
	jclass c = NULL;
	char *sig = (*agent.ti)->GetMethodDeclaringClass(agent.ti, m, &c) ? NULL : type_signature(c);

	if (!sig || (*k->jni)->IsSameObject(k->jni, c, agent.helper)) {
		agent_free(sig);
		(*k->jni)->DeleteLocalRef(k->jni, c);
		return;
	}
	struct run_type t = type_named(sig, &k->mem);
	uint32_t class = t.flags & RUN_HIDDEN ? NONE : plan_find_class(&agent.plan, t.name);
	if (!k->is_entered)
		k->is_entered = true;
	else if (class != NONE)
		see_own(k, class, m);
	else
		see_between(k, c, &t);
	agent_free(sig);
	(*k->jni)->DeleteLocalRef(k->jni, c);
}

static void look_at_stack(struct look *k)
{
	jvmtiFrameInfo frames[64];
	jint n = 0;

	for (jint at = 0; !k->is_done && !(*agent.ti)->GetStackTrace(agent.ti, NULL, at, (jint)ARRAY_LEN(frames), frames, &n); at += n) {
		for (jint i = 0; i < n && !k->is_done; i++)
			see_frame(k, frames[i].method);
		if (n < (jint)ARRAY_LEN(frames))
			break;
	}
	if (!k->is_done && !k->from && k->is_entered)
		k->verdict = CALLED_BACK;
}

/* Cells */

static jobject new_cell(struct look *k, uint32_t site, uint32_t number, bool is_later)
{
	bool is_lasting;
	uint32_t type = k->by ? type_of(k->jni, k->by, &is_lasting) : NO_TYPE;

	if (k->verdict == DIRECT)             /* known as such, and not counted for the data */
		return (*k->jni)->AllocObject(k->jni, agent.helper);
	if (type == NO_TYPE && is_later)      /* the JVM itself calls run() */
		type = type_of(k->jni, table.thread, &is_lasting);
	return type == NO_TYPE ? NULL : cells_add_callback(k->jni, site, callee_row(number, is_later), type);
}

static void link_cell(JNIEnv *jni, uint32_t site, jobject o, jint key)
{
	jobject first = (*jni)->GetObjectArrayElement(jni, table.backs, (jsize)site);

	(*jni)->SetIntField(jni, o, table.callee, key);
	(*jni)->SetObjectField(jni, o, table.next, first);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	(*jni)->SetObjectArrayElement(jni, table.backs, (jsize)site, o);
	(*jni)->DeleteLocalRef(jni, first);
}

static jobject known_cell(JNIEnv *jni, uint32_t site, jint key)
{
	jobject o = (*jni)->GetObjectArrayElement(jni, table.backs, (jsize)site);

	while (o && (*jni)->GetIntField(jni, o, table.callee) != key) {
		jobject next = (*jni)->GetObjectField(jni, o, table.next);
		(*jni)->DeleteLocalRef(jni, o);
		o = next;
	}
	return o;
}

static jobject find_cell(JNIEnv *jni, uint32_t site, uint32_t number, bool is_later)
{
	struct look k = { .jni = jni, .from = is_later ? NULL : &agent.plan.methods.data[agent.plan.sites.data[site].method] };
	jint key = is_later ? -1 - (jint)number : (jint)number;
	jobject o = known_cell(jni, site, key);

	if (o)
		return o;                     /* another thread was here first */
	arena_init(&k.mem);
	look_at_stack(&k);
	o = k.verdict == NOT_FROM_THERE ? NULL : new_cell(&k, site, number, is_later);
	if (agent_cleared(jni))
		o = NULL;
	if (o)
		link_cell(jni, site, o, key);
	arena_release(&k.mem);
	return o;
}

/* Native methods of SherdProbe. Local references go with the frame of the native method. */

struct question {
	JNIEnv *jni;
	jobject object;
	jint site, method;
	jobject answer;
};

static jobject ask(void (*fn)(void *), struct question q)
{
	struct question x = q;
	bool ok = !agent_is(&agent.is_closed) && guarded(fn, &x);

	agent_cleared(q.jni);
	return ok ? x.answer : NULL;
}

static void answer_back(void *ctx)
{
	struct question *q = ctx;
	bool is_later = q->site < 0;
	uint32_t site = (uint32_t)(is_later ? -q->site : q->site) - 1;

	if (!probe_begin())
		return;
	if (log_records() && site < agent.plan.sites.len && (uint32_t)q->method < table.callees.len)
		q->answer = find_cell(q->jni, site, (uint32_t)q->method, is_later);
	probe_end();
}

static jobject JNICALL back(JNIEnv *jni, jclass helper, jint site, jint method)
{
	(void)helper;
	return ask(answer_back, (struct question){ jni, NULL, site, method, NULL });
}

static void answer_call(void *ctx)
{
	struct question *q = ctx;
	JNIEnv *jni = q->jni;

	if (!probe_begin())
		return;
	jobject o = (*jni)->GetObjectArrayElement(jni, table.calls, (jsize)q->site);
	if (!o && log_records() && (o = cells_add_callback(jni, (uint32_t)q->site, NONE, NO_TYPE))) {
		__atomic_thread_fence(__ATOMIC_RELEASE);
		(*jni)->SetObjectArrayElement(jni, table.calls, (jsize)q->site, o);
	}
	q->answer = o;
	probe_end();
}

static jobject JNICALL call(JNIEnv *jni, jclass helper, jint site)
{
	(void)helper;
	return ask(answer_call, (struct question){ jni, NULL, site, 0, NULL });
}

static void answer_started(void *ctx)
{
	struct question *q = ctx;

	if (!probe_begin())
		return;
	jobject t = threads_of(q->jni, q->object);
	if (t)
		(*q->jni)->SetIntField(q->jni, t, table.site, q->site < 0 ? q->site : -q->site);
	probe_end();
}

static void JNICALL started(JNIEnv *jni, jclass helper, jobject thread, jint site)
{
	(void)helper;
	ask(answer_started, (struct question){ jni, thread, site, 0, NULL });
}

/* Start */

#define NATIVE(name, desc, fn) { (char *)(uintptr_t)(name), (char *)(uintptr_t)(desc), (void *)(uintptr_t)(fn) }

bool callbacks_bind(JNIEnv *jni, jclass probe)
{
	JNINativeMethod natives[] = {
		NATIVE("back", "(II)" PROBE_SELF, back), NATIVE("call", "(I)" PROBE_SELF, call),
		NATIVE("started", "(Ljava/lang/Object;I)V", started),
	};

	return !(*jni)->RegisterNatives(jni, probe, natives, ARRAY_LEN(natives));
}

static jobjectArray static_array(JNIEnv *jni, const char *name)
{
	jfieldID f = (*jni)->GetStaticFieldID(jni, agent.helper, name, "[" PROBE_SELF);
	jobject o = f ? (*jni)->GetStaticObjectField(jni, agent.helper, f) : NULL;

	return o ? (*jni)->NewGlobalRef(jni, o) : NULL;
}

bool callbacks_init(JNIEnv *jni)
{
	table.backs = static_array(jni, "backs");
	table.calls = table.backs ? static_array(jni, "calls") : NULL;
	table.callee = table.calls ? (*jni)->GetFieldID(jni, agent.helper, "callee", "I") : NULL;
	table.next = table.callee ? (*jni)->GetFieldID(jni, agent.helper, "next", PROBE_SELF) : NULL;
	table.site = table.next ? (*jni)->GetFieldID(jni, threads_class(), "site", "I") : NULL;
	jclass thread = table.site ? (*jni)->FindClass(jni, CALLBACKS_THREAD) : NULL;
	table.thread = thread ? (*jni)->NewGlobalRef(jni, thread) : NULL;
	return !agent_cleared(jni) && table.thread;
}
