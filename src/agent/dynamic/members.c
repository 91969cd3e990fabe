/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/dynamic/members.h"

#include "agent/agent_p.h"
#include "agent/probe/target.h"
#include "agent/probe/types.h"
#include "formats/classfile/classfile.h"
#include "formats/dynamic/dynamic.h"

enum { LONGEST_STRING = 65535 };      /* bytes: class files have no longer names */

/* Fields of final classes of the JDK. JNI_FromReflectedMethod would initialise the class that a method is of. */
enum field {
	METHOD_CLASS, METHOD_NAME, METHOD_PARAMS, METHOD_RETURN, METHOD_ACCESS, CONSTRUCTOR_CLASS, CONSTRUCTOR_PARAMS,
	FIELD_CLASS, FIELD_NAME, FIELD_TYPE, MEMBER_CLASS, MEMBER_NAME, MEMBER_TYPE, TYPE_RETURN, TYPE_PARAMS,
	PROVIDER_SERVICE, FIELDS,
};
#define CLASS "Ljava/lang/Class;"
#define CLASSES "[Ljava/lang/Class;"
#define STRING "Ljava/lang/String;"
static struct {
	const char *name, *desc;
	jfieldID id;                  /* found when it is needed first */
} fields[FIELDS] = {
	[METHOD_CLASS] = { "clazz", CLASS, NULL }, [METHOD_NAME] = { "name", STRING, NULL },
	[METHOD_PARAMS] = { "parameterTypes", CLASSES, NULL }, [METHOD_RETURN] = { "returnType", CLASS, NULL },
	[METHOD_ACCESS] = { "modifiers", "I", NULL }, [CONSTRUCTOR_CLASS] = { "clazz", CLASS, NULL },
	[CONSTRUCTOR_PARAMS] = { "parameterTypes", CLASSES, NULL }, [FIELD_CLASS] = { "clazz", CLASS, NULL },
	[FIELD_NAME] = { "name", STRING, NULL }, [FIELD_TYPE] = { "type", CLASS, NULL },
	[MEMBER_CLASS] = { "clazz", CLASS, NULL }, [MEMBER_NAME] = { "name", STRING, NULL },
	[MEMBER_TYPE] = { "type", "Ljava/lang/Object;", NULL }, [TYPE_RETURN] = { "rtype", CLASS, NULL },
	[TYPE_PARAMS] = { "ptypes", CLASSES, NULL }, [PROVIDER_SERVICE] = { "service", CLASS, NULL },
};

static jfieldID field_id(JNIEnv *jni, jobject o, enum field f)
{
	if (!fields[f].id) {
		jclass c = (*jni)->GetObjectClass(jni, o);
		fields[f].id = (*jni)->GetFieldID(jni, c, fields[f].name, fields[f].desc);
		(*jni)->DeleteLocalRef(jni, c);
		if (agent_cleared(jni))
			fields[f].id = NULL;
	}
	return fields[f].id;
}

static jobject get(JNIEnv *jni, jobject o, enum field f)
{
	jfieldID id = o ? field_id(jni, o, f) : NULL;

	return id ? (*jni)->GetObjectField(jni, o, id) : NULL;
}

/* Classes */

bool member_class(jclass c, struct strbuf *out)
{
	char *sig = c ? type_signature(c) : NULL;
	struct arena mem;

	if (!sig)
		return false;
	arena_init(&mem);
	struct run_type t = type_named(sig, &mem);
	dynamic_escape(out, t.flags & RUN_LAMBDA ? t.host : t.name);
	if (t.flags & RUN_LAMBDA)
		strbuf_adds(out, "$$Lambda");
	arena_release(&mem);
	agent_free(sig);
	return true;
}

bool member_class_of(JNIEnv *jni, jobject o, struct strbuf *out)
{
	return o && member_class((*jni)->GetObjectClass(jni, o), out);
}

bool member_interfaces(JNIEnv *jni, jobject proxy, struct strbuf *out)
{
	jclass *list = NULL;
	jint n = 0;

	if (!proxy || (*agent.ti)->GetImplementedInterfaces(agent.ti, (*jni)->GetObjectClass(jni, proxy), &n, &list))
		return false;
	for (jint i = 0; i < n; i++) {
		if (i)
			strbuf_addch(out, ',');
		member_class(list[i], out);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	agent_free(list);
	return n > 0;
}

bool member_service(JNIEnv *jni, jobject provider, struct strbuf *out)
{
	return member_class(get(jni, provider, PROVIDER_SERVICE), out);
}

/* Text */

/* As it is, not escaped. */
static bool add_text(JNIEnv *jni, jstring s, struct strbuf *out)
{
	if (!s || (*jni)->GetStringUTFLength(jni, s) > LONGEST_STRING)
		return false;
	const char *utf = (*jni)->GetStringUTFChars(jni, s, NULL);
	if (!utf) {
		agent_cleared(jni);
		return false;
	}
	strbuf_adds(out, utf);
	(*jni)->ReleaseStringUTFChars(jni, s, utf);
	return true;
}

bool member_string(JNIEnv *jni, jstring s, struct strbuf *out)
{
	struct strbuf text = { 0 };
	bool ok = add_text(jni, s, &text);

	if (ok)
		dynamic_escape(out, strbuf_str(&text));
	strbuf_release(&text);
	return ok;
}

/* Descriptors */

static bool add_type(jclass c, struct strbuf *out)
{
	char *sig = c ? type_signature(c) : NULL;

	if (sig)
		strbuf_adds(out, sig);
	agent_free(sig);
	return sig;
}

static bool add_desc(JNIEnv *jni, jobjectArray params, jclass result, struct strbuf *out)
{
	jsize n = params ? (*jni)->GetArrayLength(jni, params) : 0;
	bool ok = true;

	strbuf_addch(out, '(');
	for (jsize i = 0; i < n && ok; i++) {
		jclass c = (*jni)->GetObjectArrayElement(jni, params, i);
		ok = add_type(c, out);
		(*jni)->DeleteLocalRef(jni, c);
	}
	strbuf_addch(out, ')');
	if (result)
		return ok && add_type(result, out);
	strbuf_addch(out, 'V');
	return ok;
}

struct text {                 /* of a method; not escaped */
	struct strbuf name, desc;
};

static void text_release(struct text *t)
{
	strbuf_release(&t->name);
	strbuf_release(&t->desc);
}

static bool add_member(jclass c, const struct text *t, const char *between, struct strbuf *out)
{
	if (!member_class(c, out))
		return false;
	strbuf_addch(out, '.');
	dynamic_escape(out, strbuf_str(&t->name));
	strbuf_adds(out, between);
	dynamic_escape(out, strbuf_str(&t->desc));
	return true;
}

/* Reflection */

bool member_constructor(JNIEnv *jni, jobject constructor, struct strbuf *out)
{
	struct text t = { 0 };

	strbuf_adds(&t.name, "<init>");
	bool ok = add_desc(jni, get(jni, constructor, CONSTRUCTOR_PARAMS), NULL, &t.desc) &&
		  add_member(get(jni, constructor, CONSTRUCTOR_CLASS), &t, "", out);
	text_release(&t);
	return ok;
}

bool member_field(JNIEnv *jni, jobject field, struct strbuf *out)
{
	struct text t = { 0 };
	bool ok = add_text(jni, get(jni, field, FIELD_NAME), &t.name) && add_type(get(jni, field, FIELD_TYPE), &t.desc) &&
		  add_member(get(jni, field, FIELD_CLASS), &t, ":", out);

	text_release(&t);
	return ok;
}

/* The method of class `c`, or what it stands for. */
static bool add_method(jclass c, const struct text *t, struct strbuf *out)
{
	struct strbuf body = { 0 };
	bool is_lambda = type_body(c, &body);

	if (is_lambda)
		dynamic_escape(out, strbuf_str(&body));
	strbuf_release(&body);
	return is_lambda || add_member(c, t, "", out);
}

static bool add_selected(JNIEnv *jni, jclass owner, jobject receiver, const struct text *t, jint access, struct strbuf *out)
{
	bool is_static = access & ACC_STATIC;

	if (!is_static && (!receiver || !(*jni)->IsInstanceOf(jni, receiver, owner)))
		return false;                 /* the call will throw */
	jclass c = is_static ? owner : target_of_method(jni, (*jni)->GetObjectClass(jni, receiver), owner, t->name.s, t->desc.s, access);
	return c && add_method(c, t, out);
}

bool member_called(JNIEnv *jni, jobject method, jobject receiver, struct strbuf *out)
{
	jclass owner = get(jni, method, METHOD_CLASS);
	struct text t = { 0 };
	bool ok = owner && add_text(jni, get(jni, method, METHOD_NAME), &t.name) && field_id(jni, method, METHOD_ACCESS) &&
		  add_desc(jni, get(jni, method, METHOD_PARAMS), get(jni, method, METHOD_RETURN), &t.desc);

	if (ok)
		ok = add_selected(jni, owner, receiver, &t, (*jni)->GetIntField(jni, method, fields[METHOD_ACCESS].id), out);
	text_release(&t);
	return ok;
}

bool member_handler(JNIEnv *jni, jobject handler, struct strbuf *out)
{
	struct text t = { 0 };
	jclass c = handler ? (*jni)->GetObjectClass(jni, handler) : NULL;

	strbuf_adds(&t.name, "invoke");
	strbuf_adds(&t.desc, "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;");
	jclass target = c ? target_of_method(jni, c, c, t.name.s, t.desc.s, ACC_PUBLIC) : NULL;
	bool ok = target && add_method(target, &t, out);
	text_release(&t);
	return ok;
}

/* Method handles */

static bool is_of(JNIEnv *jni, jobject o, const char *want)
{
	jclass c = (*jni)->GetObjectClass(jni, o);
	char *sig = type_signature(c);
	bool is = sig && !strcmp(sig, want);

	agent_free(sig);
	(*jni)->DeleteLocalRef(jni, c);
	return is;
}

/* MemberName.type: a class, a MethodType, or the result and the parameters that make one. */
static const char *add_member_type(JNIEnv *jni, jobject type, struct strbuf *out)
{
	bool ok = false, is_field = type && is_of(jni, type, CLASS);

	if (is_field)
		ok = add_type(type, out);
	else if (type && is_of(jni, type, "Ljava/lang/invoke/MethodType;"))
		ok = add_desc(jni, get(jni, type, TYPE_PARAMS), get(jni, type, TYPE_RETURN), out);
	else if (type && is_of(jni, type, "[Ljava/lang/Object;") && (*jni)->GetArrayLength(jni, type) == 2)
		ok = add_desc(jni, (*jni)->GetObjectArrayElement(jni, type, 1), (*jni)->GetObjectArrayElement(jni, type, 0), out);
	return !ok ? NULL : is_field ? ":" : "";
}

bool member_handle(JNIEnv *jni, jobject member_name, struct strbuf *out)
{
	struct text t = { 0 };
	const char *between = add_member_type(jni, get(jni, member_name, MEMBER_TYPE), &t.desc);
	jclass c = get(jni, member_name, MEMBER_CLASS);
	bool ok = c && between && add_text(jni, get(jni, member_name, MEMBER_NAME), &t.name);

	if (ok && !*between) {                /* default methods are said to be of the class that inherits them */
		jclass declares = target_declarer(jni, c, t.name.s, t.desc.s);
		c = declares ? declares : c;
	}
	ok = ok && add_member(c, &t, between, out);
	text_release(&t);
	return ok;
}
