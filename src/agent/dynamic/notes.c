/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/dynamic/notes.h"

#include "agent/agent_p.h"
#include "agent/dynamic/callers.h"
#include "agent/dynamic/members.h"
#include "agent/dynamic/facts.h"
#include "agent/guard.h"

struct event {
	JNIEnv *jni;
	jobject o, other;
	enum note note;
};

/* Targets: each appends its text, or says that there is none. */
typedef bool describe(const struct event *e, struct strbuf *out);

static bool describe_string(const struct event *e, struct strbuf *out)
{
	return member_string(e->jni, e->o, out);
}

static bool describe_class(const struct event *e, struct strbuf *out)
{
	return member_class(e->o, out);
}

static bool describe_constructor(const struct event *e, struct strbuf *out)
{
	return member_constructor(e->jni, e->o, out);
}

static bool describe_call(const struct event *e, struct strbuf *out)
{
	return member_called(e->jni, e->o, e->other, out);
}

static bool describe_field(const struct event *e, struct strbuf *out)
{
	return member_field(e->jni, e->o, out);
}

static bool describe_proxy(const struct event *e, struct strbuf *out)
{
	return member_interfaces(e->jni, e->o, out);
}

static bool describe_handler(const struct event *e, struct strbuf *out)
{
	return member_handler(e->jni, e->o, out);
}

static bool describe_handle(const struct event *e, struct strbuf *out)
{
	return member_handle(e->jni, e->o, out);
}

static bool describe_service(const struct event *e, struct strbuf *out)
{
	if (!e->o || !member_service(e->jni, e->other, out))
		return false;
	strbuf_addch(out, '=');
	return member_class_of(e->jni, e->o, out);
}

static bool describe_object(const struct event *e, struct strbuf *out)
{
	return member_class_of(e->jni, e->o, out);
}

static const struct {
	const char *kind;
	describe *describe;
} sorts[NOTES] = {
	[NOTE_NAME] = { "string", describe_string }, [NOTE_LOADER_NAME] = { "string", describe_string },
	[NOTE_LOAD] = { "load", describe_class }, [NOTE_LOADER_LOAD] = { "load", describe_class },
	[NOTE_CONSTRUCT] = { "construct", describe_constructor }, [NOTE_INVOKE] = { "invoke", describe_call },
	[NOTE_GET] = { "get", describe_field }, [NOTE_SET] = { "set", describe_field },
	[NOTE_PROXY] = { "proxy", describe_proxy }, [NOTE_PROXY_CALL] = { "proxycall", describe_handler },
	[NOTE_HANDLE] = { "handle", describe_handle }, [NOTE_SERVICE] = { "service", describe_service },
	[NOTE_DESERIALIZE] = { "deserialize", describe_object },
};

/* Class.newInstance calls a constructor: for the record it is about the class. */
static bool describe_new(const struct event *e, struct strbuf *out)
{
	if (!member_constructor(e->jni, e->o, out))
		return false;
	out->len -= strlen(".<init>()V");
	out->s[out->len] = 0;
	return true;
}

static void take_locked(const struct event *e)
{
	struct strbuf target = { 0 };
	struct caller c;

	if (!caller_find(e->note, &c))
		return;
	bool is_new = c.is_new_instance && e->note == NOTE_CONSTRUCT;
	bool is_fact = is_new ? describe_new(e, &target) : sorts[e->note].describe(e, &target);
	if (is_fact && !(c.loader.len && str_eq(strbuf_str(&target), c.loader)))
		facts_add(is_new ? "new" : sorts[e->note].kind, strbuf_str(&target), c.text, c.line);
	strbuf_release(&target);
}

/* Calls of JNI and JVMTI in here may come back, if anybody hooks them, too. */
static void take(void *ctx)
{
	static bool is_busy;

	agent_lock();
	if (!is_busy && facts_is_open()) {
		is_busy = true;
		take_locked(ctx);
		is_busy = false;
	}
	agent_unlock();
}

static void note_event(struct event e, jint note)
{
	if (note < 0 || note >= NOTES || agent_is(&agent.is_closed))
		return;
	e.note = (enum note)note;
	guarded(take, &e);
	agent_cleared(e.jni);
}

void JNICALL notes_one(JNIEnv *jni, jclass helper, jobject o, jint note)
{
	(void)helper;
	note_event((struct event){ .jni = jni, .o = o }, note);
}

void JNICALL notes_two(JNIEnv *jni, jclass helper, jobject o, jobject other, jint note)
{
	(void)helper;
	note_event((struct event){ .jni = jni, .o = o, .other = other }, note);
}
