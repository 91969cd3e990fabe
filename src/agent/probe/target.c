/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/probe/target.h"

#include "agent/agent_p.h"
#include "agent/probe/types.h"
#include "base/strbuf.h"
#include "formats/classfile/classfile.h"

enum { DEEPEST = 256 };               /* of class hierarchies: no recursion goes further */
enum { ACCESS_OPEN = ACC_PUBLIC | ACC_PROTECTED };

struct wanted {                       /* a method as the call names it */
	const char *name, *desc;
};
struct found {
	jmethodID method;             /* NULL: none */
	jint access;
};

static jint access_of(jmethodID m)
{
	jint access = 0;

	return (*agent.ti)->GetMethodModifiers(agent.ti, m, &access) ? 0 : access;
}

static bool is_named(jmethodID m, const struct wanted *w)
{
	char *name = NULL, *desc = NULL;

	if ((*agent.ti)->GetMethodName(agent.ti, m, &name, &desc, NULL))
		return false;
	bool is = !strcmp(name, w->name) && !strcmp(desc, w->desc);
	agent_free(name);
	agent_free(desc);
	return is;
}

/* The method that the class itself declares. */
static struct found declared(jclass c, const struct wanted *w)
{
	jmethodID *list = NULL;
	jint n = 0;
	struct found f = { 0 };

	if ((*agent.ti)->GetClassMethods(agent.ti, c, &n, &list))
		return f;
	for (jint i = 0; i < n && !f.method; i++)
		if (is_named(list[i], w))
			f = (struct found){ list[i], access_of(list[i]) };
	agent_free(list);
	return f;
}

static bool is_initialised(jclass c)
{
	jint status = 0;

	return !(*agent.ti)->GetClassStatus(agent.ti, c, &status) && (status & JVMTI_CLASS_STATUS_INITIALIZED);
}

/* The nearest method in the class, its superclasses, then its interfaces, whatever its access. JNI knows it for classes that are
 * initialised; for others it would wait, or initialise them. */
static struct found nearest(JNIEnv *jni, jclass c, const struct wanted *w)
{
	if (!is_initialised(c))
		return (struct found){ 0 };
	jmethodID m = (*jni)->GetMethodID(jni, c, w->name, w->desc);
	if (agent_cleared(jni) || !m)
		return (struct found){ 0 };
	return (struct found){ m, access_of(m) };
}

static jclass class_of(jmethodID m)
{
	jclass c = NULL;

	return m && !(*agent.ti)->GetMethodDeclaringClass(agent.ti, m, &c) ? c : NULL;
}

/* A fresh reference to the superclass; the old one is given up. */
static jclass step_up(JNIEnv *jni, jclass c)
{
	jclass super = (*jni)->GetSuperclass(jni, c);

	(*jni)->DeleteLocalRef(jni, c);
	return super;
}

static bool is_called(jclass c, struct str dotted)
{
	char *sig = type_signature(c);
	bool is = sig && sig[0] == 'L' && strlen(sig) == dotted.len + 2u;

	for (uint32_t i = 0; is && i < dotted.len; i++)
		is = (sig[i + 1] == '/' ? '.' : sig[i + 1]) == dotted.p[i];
	agent_free(sig);
	return is;
}

/* The class that a call instruction names, among the superclasses of the receiver. */
static jclass owner_of(JNIEnv *jni, jclass receiver, struct str dotted)
{
	jclass c = (*jni)->NewLocalRef(jni, receiver);

	for (int i = 0; c && i < DEEPEST && !is_called(c, dotted); i++)
		c = step_up(jni, c);
	return c;
}

/* Resolution in a class, JVMS 5.4.3.3 step 2. */
static struct found resolve(JNIEnv *jni, jclass owner, const struct wanted *w)
{
	struct found f = nearest(jni, owner, w);
	jclass c = f.method ? NULL : (*jni)->NewLocalRef(jni, owner);

	for (int i = 0; c && i < DEEPEST && !f.method; i++) {
		f = declared(c, w);
		c = step_up(jni, c);
	}
	(*jni)->DeleteLocalRef(jni, c);
	return f;
}

/* Two classes in the same run-time package? */
static bool same_package(JNIEnv *jni, jclass a, jclass b)
{
	char *x = type_signature(a), *y = type_signature(b);
	jobject la = NULL, lb = NULL;
	bool is = false;

	if (x && y && !(*agent.ti)->GetClassLoader(agent.ti, a, &la) && !(*agent.ti)->GetClassLoader(agent.ti, b, &lb)) {
		char *ex = strrchr(x, '/'), *ey = strrchr(y, '/');
		size_t nx = ex ? (size_t)(ex - x) : 0, ny = ey ? (size_t)(ey - y) : 0;
		is = nx == ny && !memcmp(x, y, nx) && (*jni)->IsSameObject(jni, la, lb);
	}
	(*jni)->DeleteLocalRef(jni, la);
	(*jni)->DeleteLocalRef(jni, lb);
	agent_free(x);
	agent_free(y);
	return is;
}

struct declarers {                    /* what the classes from the receiver up to the resolved method declare */
	jclass classes[DEEPEST];
	jint access[DEEPEST];
	int n;
};

static void gather(JNIEnv *jni, jclass receiver, jclass top, const struct wanted *w, struct declarers *out)
{
	jclass c = (*jni)->NewLocalRef(jni, receiver);

	out->n = 0;
	while (c && out->n < DEEPEST) {
		struct found f = declared(c, w);
		bool is_top = (*jni)->IsSameObject(jni, c, top);
		jclass super = is_top ? NULL : (*jni)->GetSuperclass(jni, c);
		if (f.method && !(f.access & (ACC_PRIVATE | ACC_STATIC))) {
			out->classes[out->n] = c;
			out->access[out->n++] = f.access;
		} else {
			(*jni)->DeleteLocalRef(jni, c);
		}
		c = super;
	}
	(*jni)->DeleteLocalRef(jni, c);
}

/* Does row i override row j, be it by methods between them? JVMS 5.4.5; from the top down, so that each row is decided by
 * those above it. The last row is the resolved method, which is neither public nor protected. */
static jclass select_in_package(JNIEnv *jni, struct declarers *k)
{
	bool overrides[DEEPEST] = { false };
	int last = k->n - 1, best = last;

	overrides[last] = true;
	for (int i = last - 1; i >= 0; i--) {
		for (int j = i + 1; j <= last && !overrides[i]; j++)
			if (overrides[j])
				overrides[i] = (k->access[j] & ACCESS_OPEN) || same_package(jni, k->classes[i], k->classes[j]);
		if (overrides[i])
			best = i;
	}
	return best >= 0 ? (*jni)->NewLocalRef(jni, k->classes[best]) : NULL;
}

/* The resolved method is package-private. */
static jclass select_closed(JNIEnv *jni, jclass receiver, jclass top, const struct wanted *w)
{
	struct declarers *k = mem_alloc(sizeof(*k));
	jclass c = NULL;

	(*jni)->EnsureLocalCapacity(jni, DEEPEST + 16);
	agent_cleared(jni);
	gather(jni, receiver, top, w, k);
	if (k->n > 0)
		c = select_in_package(jni, k);
	for (int i = 0; i < k->n; i++)
		(*jni)->DeleteLocalRef(jni, k->classes[i]);
	free(k);
	return c;
}

/* JVMS 5.4.6 steps 2 and 3 by hand: a class declares it, else an interface. */
static jclass walk_up(JNIEnv *jni, jclass receiver, const struct wanted *w)
{
	jclass c = (*jni)->NewLocalRef(jni, receiver);

	for (int i = 0; c && i < DEEPEST; i++) {
		struct found f = declared(c, w);
		if (f.method && !(f.access & (ACC_PRIVATE | ACC_STATIC)))
			return f.access & ACC_ABSTRACT ? NULL : c;
		c = step_up(jni, c);
	}
	return NULL;
}

struct defaults {
	JNIEnv *jni;
	const struct wanted *wanted;
	jclass best;
	int left;                             /* interfaces that may still be looked at */
};

/* Looks at the interfaces of a class and at theirs. A default is better than one that it inherits from. */
static void search_defaults(struct defaults *d, jclass c, int depth)
{
	JNIEnv *jni = d->jni;
	jclass *list = NULL;
	jint n = 0;

	if (depth > 64 || (*agent.ti)->GetImplementedInterfaces(agent.ti, c, &n, &list))
		return;
	for (jint i = 0; i < n; i++) {
		struct found f = d->left-- > 0 ? declared(list[i], d->wanted) : (struct found){ 0 };
		if (f.method && !(f.access & (ACC_PRIVATE | ACC_STATIC | ACC_ABSTRACT)) &&
		    (!d->best || (*jni)->IsAssignableFrom(jni, list[i], d->best))) {
			(*jni)->DeleteLocalRef(jni, d->best);
			d->best = (*jni)->NewLocalRef(jni, list[i]);
		}
		if (d->left > 0)
			search_defaults(d, list[i], depth + 1);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	agent_free(list);
}

static jclass walk_interfaces(JNIEnv *jni, jclass receiver, const struct wanted *w)
{
	struct defaults d = { .jni = jni, .wanted = w, .left = 1000 };
	jclass c = (*jni)->NewLocalRef(jni, receiver);

	for (int i = 0; c && i < DEEPEST; i++) {
		search_defaults(&d, c, 0);
		c = step_up(jni, c);
	}
	(*jni)->DeleteLocalRef(jni, c);
	return d.best;
}

/* Every method of that name may override the resolved one: it is public, protected or an interface's. */
static jclass select_open(JNIEnv *jni, jclass receiver, const struct wanted *w)
{
	struct found f = nearest(jni, receiver, w);

	if (f.method && (f.access & ACCESS_OPEN) && !(f.access & (ACC_STATIC | ACC_ABSTRACT)))
		return class_of(f.method);
	jclass c = walk_up(jni, receiver, w);
	return c ? c : walk_interfaces(jni, receiver, w);
}

/* What is known about the resolved method of a site. */
enum { UNKNOWN, OPEN, CLOSED };

static jclass select_by_owner(JNIEnv *jni, jclass receiver, const struct plan_site *s, const struct wanted *w, uint8_t *mode)
{
	jclass owner = owner_of(jni, receiver, s->owner), c = NULL;
	struct found f = owner ? resolve(jni, owner, w) : (struct found){ 0 };

	if (owner && f.method && !(f.access & ACCESS_OPEN)) {
		jclass top = class_of(f.method);
		*mode = CLOSED;
		c = f.access & ACC_PRIVATE ? (*jni)->NewLocalRef(jni, top) : select_closed(jni, receiver, top, w);
		(*jni)->DeleteLocalRef(jni, top);
	} else {
		*mode = OPEN;
		c = select_open(jni, receiver, w);
	}
	(*jni)->DeleteLocalRef(jni, owner);
	return c;
}

static const char *terminated(struct strbuf *b, struct str s)
{
	strbuf_clear(b);
	strbuf_addstr(b, s);
	return b->s ? b->s : "";
}

/* Arrays have the methods of Object. */
static jclass object_class(JNIEnv *jni, jclass array)
{
	return (*jni)->GetSuperclass(jni, array);
}

jclass target_of(JNIEnv *jni, jclass receiver, const struct plan_site *s, uint8_t *mode)
{
	struct strbuf name = { 0 }, desc = { 0 };
	const struct wanted w = { terminated(&name, s->name), terminated(&desc, s->desc) };
	jboolean is_array = JNI_FALSE;
	jclass c;

	if (!(*agent.ti)->IsArrayClass(agent.ti, receiver, &is_array) && is_array)
		c = object_class(jni, receiver);
	else if ((s->flags & PLAN_INTERFACE) || *mode == OPEN)
		c = select_open(jni, receiver, &w);
	else
		c = select_by_owner(jni, receiver, s, &w, mode);
	agent_cleared(jni);
	strbuf_release(&name);
	strbuf_release(&desc);
	return c;
}

jclass target_of_method(JNIEnv *jni, jclass receiver, jclass owner, const char *name, const char *desc, jint access)
{
	const struct wanted w = { name, desc };
	jboolean is_array = JNI_FALSE;
	jclass c;

	if (access & (ACC_STATIC | ACC_PRIVATE))
		return (*jni)->NewLocalRef(jni, owner);
	if (!(*agent.ti)->IsArrayClass(agent.ti, receiver, &is_array) && is_array)
		c = object_class(jni, receiver);
	else
		c = access & ACCESS_OPEN ? select_open(jni, receiver, &w) : select_closed(jni, receiver, owner, &w);
	agent_cleared(jni);
	return c;
}

jclass target_declarer(JNIEnv *jni, jclass c, const char *name, const char *desc)
{
	const struct wanted w = { name, desc };
	jclass at = (*jni)->NewLocalRef(jni, c);

	for (int i = 0; at && i < DEEPEST; i++) {
		if (declared(at, &w).method)
			return at;
		at = step_up(jni, at);
	}
	return walk_interfaces(jni, c, &w);
}
