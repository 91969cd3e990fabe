/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.c - a JVMTI agent that writes down the calls which a program really makes.
 *
 *     java -agentpath:recorder.so=OUT ...
 *
 * It asks for MethodEntry events from VMInit on (the JVM sends none before) and keeps every distinct
 * (caller, pc, callee). Nothing is instrumented: no class file changes, no Java code is added. Names are
 * looked up when a method is first seen, while its class is certainly alive, so unloading does no harm.
 * Every object is tagged with its origin, the methods on top of the stack when it is allocated.
 * At VMDeath it writes one line an edge, fields separated by tabs, classes in internal form:
 *
 *     class name desc pc  class name desc  flags  receivers  site  receivers' origins  owners' origins
 *     (caller)            (callee)
 *
 *   caller     three times - when the JVM called and no Java frame is below
 *   pc         of the caller's instruction; -1 in native methods
 *   flags      n: the caller is native, N: the callee is, h: a side is a hidden class, s: the callee is
 *              static, u: a name could not be had (written ?); - for none
 *   receivers  classes of `this` in the callee, separated by commas, as sampled (see `due`); - for none.
 *              A constructor whose receiver is its own class and whose caller is not a constructor of that
 *              class is an instantiation.
 *   site       mnemonic:class.name:desc of the call instruction at pc; `-` when that is no call, so that
 *              class loading, initialisers and exceptions that come from the JVM can be told from calls
 *   origins    of the objects that were looked at: numbers, separated by commas; 0: it was allocated before VMInit;
 *              a + at the end: there are more. Owners are `this` in the caller
 *
 * and before these, for the origins that are mentioned, lines that begin with a tab:
 *
 *     (nothing)  number  number of the origin without the outermost method, or 0  class name desc */
#include <errno.h>
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

enum { ACC_STATIC = 0x8, ACC_NATIVE = 0x100 };
enum { INVOKE_VIRTUAL = 0xb6, INVOKE_DYNAMIC = 0xba };
enum { SAMPLES = 8, MAX_KEPT = 16, ORIGIN_DEPTH = 4 };

struct method {
	str_id cls, name, desc;
	bool is_static, is_native, is_hidden, is_unknown;
};

struct site {
	uint32_t caller;                      /* row of methods; 0: none */
	int32_t pc;
	str_id call;                          /* 0: no call instruction */
};

struct kept {                                 /* the first distinct numbers */
	uint32_t items[MAX_KEPT];
	uint32_t n;
	bool has_more;
};

struct edge {
	uint32_t site, callee;                /* rows */
	uint64_t count;
	struct kept receivers;                /* str_id of classes */
	struct kept origins, owners;
};

/* A method on the stack at an allocation, and those above it. */
struct origin {
	uint32_t above;                       /* row; 0: it allocated the object */
	uint32_t method;
	bool is_used;                         /* by an edge */
};

struct recorder {
	pthread_mutex_t lock;                 /* guards everything below */
	bool is_closed;
	char *path;
	struct interner text;
	VEC(struct method) methods;           /* row 0: none */
	VEC(struct site) sites;
	VEC(struct edge) edges;
	VEC(struct origin) origins;
	struct map method_by_id, site_by_key, edge_by_key, origin_by_key;
};

static struct recorder *recorder_of(jvmtiEnv *ti)
{
	void *r = NULL;

	(*ti)->GetEnvironmentLocalStorage(ti, &r);
	return r;
}

static str_id intern_z(struct recorder *r, const char *s)
{
	return intern(&r->text, str_of(s ? s : "?"));
}

static void release(jvmtiEnv *ti, void *p)
{
	(*ti)->Deallocate(ti, p);
}

/* The internal name of a class. Hidden classes have the signature `Lname.suffix;` (JDK 15 and later) or
 * `Lname/digits;`: both are written name/suffix. */
static str_id name_class(struct recorder *r, jvmtiEnv *ti, jclass c, bool *is_hidden)
{
	char *sig = NULL;

	if ((*ti)->GetClassSignature(ti, c, &sig, NULL) || !sig)
		return intern_z(r, NULL);
	size_t n = strlen(sig);
	char *dot = strchr(sig, '.'), *slash = strrchr(sig, '/');
	*is_hidden = dot || (slash && slash[1] >= '0' && slash[1] <= '9');
	if (dot)
		*dot = '/';
	struct str name = sig[0] == 'L' ? (struct str){ sig + 1, (uint32_t)n - 2 } : str_of(sig);
	str_id id = intern(&r->text, name);
	release(ti, sig);
	return id;
}

static struct method describe_method(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, jmethodID id)
{
	struct method m = { .is_unknown = true };
	char *name = NULL, *desc = NULL;
	jclass c = NULL;
	jint flags = 0;

	(*ti)->GetMethodName(ti, id, &name, &desc, NULL);
	(*ti)->GetMethodModifiers(ti, id, &flags);
	m.name = intern_z(r, name);
	m.desc = intern_z(r, desc);
	if (!(*ti)->GetMethodDeclaringClass(ti, id, &c) && c) {
		m.cls = name_class(r, ti, c, &m.is_hidden);
		m.is_unknown = !name;
		(*jni)->DeleteLocalRef(jni, c);
	} else {
		m.cls = intern_z(r, NULL);
	}
	m.is_static = flags & ACC_STATIC;
	m.is_native = flags & ACC_NATIVE;
	release(ti, name);
	release(ti, desc);
	return m;
}

static uint32_t method_at(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, jmethodID id)
{
	if (!id)
		return 0;
	uint32_t *at = map_at(&r->method_by_id, (uint64_t)(uintptr_t)id);
	if (!*at) {
		*at = r->methods.len;
		vec_push(&r->methods, describe_method(r, ti, jni, id));
	}
	return *at;
}

/* A class file's constant pool as JVMTI returns it: entries 1 .. count - 1 without the leading count. */
struct pool {
	unsigned char *bytes;
	jint len;
	jint count;
};

static unsigned u2(const unsigned char *p)
{
	return (unsigned)p[0] << 8 | p[1];
}

/* JVMS 4.4: bytes of an entry, its tag included; 0 for a tag that does not exist. */
static jint entry_size(const unsigned char *p)
{
	static const unsigned char sizes[] = { [3] = 5, [4] = 5, [5] = 9, [6] = 9, [7] = 3, [8] = 3, [9] = 5, [10] = 5,
					       [11] = 5, [12] = 5, [15] = 4, [16] = 3, [17] = 5, [18] = 5, [19] = 3, [20] = 3 };

	if (p[0] == 1)
		return 3 + (jint)u2(p + 1);
	return p[0] < sizeof(sizes) ? sizes[p[0]] : 0;
}

static const unsigned char *pool_entry(const struct pool *c, unsigned index)
{
	jint at = 0;

	for (unsigned i = 1; at + 5 <= c->len; i++) {
		const unsigned char *p = c->bytes + at;
		jint size = entry_size(p);
		if (i == index || !size)
			return size ? p : NULL;
		at += size;
		i += p[0] == 5 || p[0] == 6;          /* longs and doubles take two indices */
	}
	return NULL;
}

static void add_utf8(const struct pool *c, unsigned index, struct strbuf *out)
{
	const unsigned char *p = pool_entry(c, index);

	if (p && p[0] == 1)
		strbuf_add(out, p + 3, u2(p + 1));
	else
		strbuf_addch(out, '?');
}

static void add_class(const struct pool *c, unsigned index, struct strbuf *out)
{
	const unsigned char *p = pool_entry(c, index);

	add_utf8(c, p ? u2(p + 1) : 0, out);
}

/* `index` is a Methodref, InterfaceMethodref or InvokeDynamic. */
static void add_member(const struct pool *c, unsigned index, struct strbuf *out)
{
	const unsigned char *p = pool_entry(c, index);
	const unsigned char *type = p ? pool_entry(c, u2(p + 3)) : NULL;

	if (!type) {
		strbuf_adds(out, "?.?:?");
		return;
	}
	if (p[0] == 18)
		strbuf_addch(out, '-');
	else
		add_class(c, u2(p + 1), out);
	strbuf_addch(out, '.');
	add_utf8(c, u2(type + 1), out);
	strbuf_addch(out, ':');
	add_utf8(c, u2(type + 3), out);
}

static bool pool_get(jvmtiEnv *ti, JNIEnv *jni, jmethodID m, struct pool *c)
{
	jclass cls = NULL;

	if ((*ti)->GetMethodDeclaringClass(ti, m, &cls) || !cls)
		return false;
	bool ok = !(*ti)->GetConstantPool(ti, cls, &c->count, &c->len, &c->bytes);
	(*jni)->DeleteLocalRef(jni, cls);
	return ok;
}

static str_id describe_call(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, jmethodID m, const unsigned char *code)
{
	static const char *const names[] = { "virtual:", "special:", "static:", "interface:", "dynamic:" };
	struct pool c = { 0 };
	struct strbuf out = { 0 };

	strbuf_adds(&out, names[code[0] - INVOKE_VIRTUAL]);
	if (pool_get(ti, jni, m, &c))
		add_member(&c, u2(code + 1), &out);
	str_id id = intern(&r->text, strbuf_str(&out));
	strbuf_release(&out);
	release(ti, c.bytes);
	return id;
}

/* The call instruction at pc, or 0 when the instruction is another one. */
static str_id call_at(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, jmethodID m, jlocation pc)
{
	unsigned char *code = NULL;
	jint n = 0;
	str_id call = { 0 };

	if (!m || pc < 0 || (*ti)->GetBytecodes(ti, m, &n, &code))
		return call;
	if (pc + 2 < n && code[pc] >= INVOKE_VIRTUAL && code[pc] <= INVOKE_DYNAMIC)
		call = describe_call(r, ti, jni, m, code + pc);
	release(ti, code);
	return call;
}

static uint32_t site_at(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, jmethodID caller, jlocation pc)
{
	uint32_t m = method_at(r, ti, jni, caller);
	uint32_t *at = map_at(&r->site_by_key, map_key(m, (uint32_t)pc));

	if (!*at) {
		*at = r->sites.len;
		vec_push(&r->sites, ((struct site){ m, (int32_t)pc, call_at(r, ti, jni, caller, pc) }));
	}
	return *at;
}

static struct edge *edge_at(struct recorder *r, uint32_t site, uint32_t callee)
{
	uint32_t *at = map_at(&r->edge_by_key, map_key(site, callee));

	if (!*at) {
		*at = r->edges.len;
		vec_push(&r->edges, ((struct edge){ .site = site, .callee = callee }));
	}
	return &r->edges.data[*at];
}

/* Looking at `this` stops the world, so it is done for the first calls of an edge and then at every power
 * of two. */
static bool due(uint64_t count)
{
	return count <= SAMPLES || (count & (count - 1)) == 0;
}

static void keep(struct kept *k, uint32_t item)
{
	for (uint32_t i = 0; i < k->n; i++)
		if (k->items[i] == item)
			return;
	if (k->n < MAX_KEPT)
		k->items[k->n++] = item;
	else
		k->has_more = true;
}

static uint32_t origin_of(jvmtiEnv *ti, jobject o)
{
	jlong tag = 0;

	return (*ti)->GetTag(ti, o, &tag) ? 0 : (uint32_t)tag;
}

static str_id name_class_of(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, jobject o)
{
	jclass c = (*jni)->GetObjectClass(jni, o);
	bool is_hidden;
	str_id name = name_class(r, ti, c, &is_hidden);

	(*jni)->DeleteLocalRef(jni, c);
	return name;
}

/* Looks at `this` of the callee (depth 0) or the caller (1). */
static void add_self(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, struct edge *e, jint depth)
{
	jobject self = NULL;

	if ((*ti)->GetLocalInstance(ti, NULL, depth, &self) || !self)
		return;
	if (depth == 0)
		keep(&e->receivers, name_class_of(r, ti, jni, self).i);
	keep(depth == 0 ? &e->origins : &e->owners, origin_of(ti, self));
	(*jni)->DeleteLocalRef(jni, self);
}

static void record(struct recorder *r, jvmtiEnv *ti, JNIEnv *jni, jmethodID caller, jlocation pc, jmethodID callee)
{
	uint32_t site = site_at(r, ti, jni, caller, pc);
	struct edge *e = edge_at(r, site, method_at(r, ti, jni, callee));
	uint32_t from = r->sites.data[site].caller;

	e->count++;
	if (!due(e->count))
		return;
	if (!r->methods.data[e->callee].is_static)
		add_self(r, ti, jni, e, 0);
	if (from && !r->methods.data[from].is_static)
		add_self(r, ti, jni, e, 1);
}

static uint32_t origin_at(struct recorder *r, uint32_t above, uint32_t method)
{
	uint32_t *at = map_at(&r->origin_by_key, map_key(above, method));

	if (!*at) {
		*at = r->origins.len;
		vec_push(&r->origins, ((struct origin){ .above = above, .method = method }));
	}
	return *at;
}

static void JNICALL on_allocation(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jclass cls, jlong size)
{
	struct recorder *r = recorder_of(ti);
	jvmtiFrameInfo frames[ORIGIN_DEPTH];
	jint n = 0;
	uint32_t origin = 0;

	(void)thread;
	(void)cls;
	(void)size;
	if ((*ti)->GetStackTrace(ti, NULL, 0, ORIGIN_DEPTH, frames, &n))
		return;
	pthread_mutex_lock(&r->lock);
	for (jint i = 0; i < n && !r->is_closed; i++)
		origin = origin_at(r, origin, method_at(r, ti, jni, frames[i].method));
	pthread_mutex_unlock(&r->lock);
	(*ti)->SetTag(ti, object, origin);
}

static void JNICALL on_method_entry(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID callee)
{
	struct recorder *r = recorder_of(ti);
	jmethodID caller = NULL;
	jlocation pc = -1;

	(void)thread;
	if ((*ti)->GetFrameLocation(ti, NULL, 1, &caller, &pc)) {
		caller = NULL;
		pc = -1;
	}
	pthread_mutex_lock(&r->lock);
	if (!r->is_closed)
		record(r, ti, jni, caller, pc, callee);
	pthread_mutex_unlock(&r->lock);
}

static void put_name(FILE *f, struct str s, char end)
{
	for (uint32_t i = 0; i < s.len; i++)
		if ((unsigned char)s.p[i] <= ' ')
			fprintf(f, "\\x%02x", (unsigned char)s.p[i]);
		else
			putc(s.p[i], f);
	putc(end, f);
}

static void put_method(FILE *f, const struct recorder *r, uint32_t m)
{
	static const struct method none;
	const struct method *row = m ? &r->methods.data[m] : &none;

	put_name(f, m ? interned(&r->text, row->cls) : STR("-"), '\t');
	put_name(f, m ? interned(&r->text, row->name) : STR("-"), '\t');
	put_name(f, m ? interned(&r->text, row->desc) : STR("-"), '\t');
}

static void put_flags(FILE *f, const struct method *caller, const struct method *callee)
{
	char flags[8], *p = flags;

	if (caller->is_native)
		*p++ = 'n';
	if (callee->is_native)
		*p++ = 'N';
	if (caller->is_hidden || callee->is_hidden)
		*p++ = 'h';
	if (callee->is_static)
		*p++ = 's';
	if (caller->is_unknown || callee->is_unknown)
		*p++ = 'u';
	if (p == flags)
		*p++ = '-';
	*p = 0;
	fprintf(f, "%s\t", flags);
}

static void put_classes(FILE *f, const struct recorder *r, const struct kept *k)
{
	for (uint32_t i = 0; i < k->n; i++)
		put_name(f, interned(&r->text, (str_id){ k->items[i] }), i + 1 < k->n ? ',' : '\t');
	if (!k->n)
		fputs("-\t", f);
}

static void put_origins(FILE *f, const struct kept *k, char end)
{
	for (uint32_t i = 0; i < k->n; i++)
		fprintf(f, "%s%u", i ? "," : "", (unsigned)k->items[i]);
	fprintf(f, "%s%c", k->has_more ? "+" : k->n ? "" : "-", end);
}

static void put_edge(FILE *f, const struct recorder *r, const struct edge *e)
{
	const struct site *s = &r->sites.data[e->site];
	struct str call = interned(&r->text, s->call);

	put_method(f, r, s->caller);
	fprintf(f, "%d\t", s->pc);
	put_method(f, r, e->callee);
	put_flags(f, &r->methods.data[s->caller], &r->methods.data[e->callee]);
	put_classes(f, r, &e->receivers);
	put_name(f, call.len ? call : STR("-"), '\t');
	put_origins(f, &e->origins, '\t');
	put_origins(f, &e->owners, '\n');
}

static void mark_origins(struct recorder *r, const struct kept *k)
{
	for (uint32_t i = 0; i < k->n; i++)
		for (uint32_t o = k->items[i]; o && !r->origins.data[o].is_used; o = r->origins.data[o].above)
			r->origins.data[o].is_used = true;
}

static void put_used_origins(FILE *f, struct recorder *r)
{
	for (uint32_t i = 1; i < r->edges.len; i++) {
		mark_origins(r, &r->edges.data[i].origins);
		mark_origins(r, &r->edges.data[i].owners);
	}
	for (uint32_t i = 1; i < r->origins.len; i++) {
		const struct origin *o = &r->origins.data[i];
		const struct method *m = &r->methods.data[o->method];
		if (!o->is_used)
			continue;
		fprintf(f, "\t%u\t%u\t", (unsigned)i, (unsigned)o->above);
		put_name(f, interned(&r->text, m->cls), '\t');
		put_name(f, interned(&r->text, m->name), '\t');
		put_name(f, interned(&r->text, m->desc), '\n');
	}
}

/* Called with the lock held. The memory is left to the end of the process: other threads still run. */
static void write_edges(struct recorder *r)
{
	FILE *f = fopen(r->path, "w");

	if (f) {
		put_used_origins(f, r);
		for (uint32_t i = 1; i < r->edges.len; i++)
			put_edge(f, r, &r->edges.data[i]);
	}
	if (!f || ferror(f) || fclose(f))
		fprintf(stderr, "recorder: cannot write %s: %s\n", r->path, strerror(errno));
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *jni)
{
	struct recorder *r = recorder_of(ti);

	(void)jni;
	(*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, NULL);
	(*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL);
	pthread_mutex_lock(&r->lock);
	if (!r->is_closed)
		write_edges(r);
	r->is_closed = true;
	pthread_mutex_unlock(&r->lock);
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
	(void)jni;
	(void)thread;
	if ((*ti)->SetHeapSamplingInterval(ti, 0) ||
	    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL) ||
	    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL))
		fputs("recorder: no events of method entries and allocations\n", stderr);
}

static struct recorder *recorder_new(const char *path)
{
	struct recorder *r = mem_zalloc(sizeof(*r));

	pthread_mutex_init(&r->lock, NULL);
	r->path = strdup(path && *path ? path : "calls.tsv");
	interner_init(&r->text);
	vec_push(&r->methods, ((struct method){ 0 }));
	vec_push(&r->sites, ((struct site){ 0 }));
	vec_push(&r->edges, ((struct edge){ 0 }));
	vec_push(&r->origins, ((struct origin){ 0 }));
	return r;
}

static bool ask_for_capabilities(jvmtiEnv *ti)
{
	jvmtiCapabilities c = { 0 };

	c.can_generate_method_entry_events = 1;
	c.can_access_local_variables = 1;
	c.can_get_bytecodes = 1;
	c.can_get_constant_pool = 1;
	c.can_tag_objects = 1;
	c.can_generate_sampled_object_alloc_events = 1;
#ifdef JVMTI_VERSION_21
	c.can_support_virtual_threads = 1;
#endif
	return !(*ti)->AddCapabilities(ti, &c);
}

static bool start(jvmtiEnv *ti, const char *path)
{
	jvmtiEventCallbacks on = { .VMInit = on_vm_init, .VMDeath = on_vm_death, .MethodEntry = on_method_entry,
				   .SampledObjectAlloc = on_allocation };

	return ask_for_capabilities(ti) && !(*ti)->SetEnvironmentLocalStorage(ti, recorder_new(path)) &&
	       !(*ti)->SetEventCallbacks(ti, &on, sizeof(on)) &&
	       !(*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL) &&
	       !(*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	void *ti = NULL;

	(void)reserved;
	if ((*vm)->GetEnv(vm, &ti, JVMTI_VERSION_1_2) != JNI_OK || !start(ti, options)) {
		fputs("recorder: this JVM lacks what the recorder needs\n", stderr);
		return JNI_ERR;
	}
	return JNI_OK;
}
