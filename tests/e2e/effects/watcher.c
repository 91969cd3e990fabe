/* SPDX-License-Identifier: Apache-2.0 */
/* watcher.c - a JVMTI agent that writes which fields an application's library calls read and write, of which objects.
 *
 *     java -agentpath:watcher.so=OUT[,PACKAGE] ...
 *
 * Watches every field of the classes in `watched`, from shop.Held.begin() on. An access counts for the nearest frame of package
 * shop, unless that is the one that makes it, or the JVM loads or links something. At the end, OUT has those of static fields, and of
 * objects that were reachable from one that the application gave to shop.Held.see(), at whatever time. Of another PACKAGE, as
 * Lorg/app/, it watches from the start on, and reachable is what its library calls are made on, and in the end what its classes and
 * all their objects lead to that were not yet collected.
 *
 * A row has r or w, the class of the field, its name, the class of the object ("-": static), the class, name and descriptor of the
 * caller, the index of its instruction, what it entered there, and whether other packages can name the field ("hidden": not), and
 * change it ("final": not; "open"). */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jvmti.h>

#define MAX_FRAMES 400
#define PUBLIC 1
#define PROTECTED 4
#define FINAL 16
#define ROWS (1u << 22)          /* accesses that differ; what is more is left out */
#define METHODS (1u << 16)
#define OBJECTS (1u << 24)

static const char *const watched[] = {
	"Lshelf/", "Ljava/util/", "Ljava/io/", "Ljava/text/", "Ljava/math/", "Ljava/lang/reflect/", "Ljava/lang/ref/",
	"Ljava/lang/StringBuilder;", "Ljava/lang/AbstractStringBuilder;", "Ljava/lang/StringBuffer;", "Ljava/lang/String;",
	"Ljava/lang/Throwable;", "Ljava/lang/Integer;", "Ljava/lang/ThreadLocal",
};

/* What the JVM calls by itself, to load and link what an instruction names; the machinery of handles. */
static const char *const upcalls[][2] = {
	{ "Ljava/lang/ClassLoader;", "loadClass" }, { "Ljava/lang/ClassLoader;", "checkPackageAccess" }, { "Ljava/lang/invoke/", "" },
};

struct method { jmethodID id; bool is_own, is_upcall; char *cls, *name, *desc; };
struct row {
	jmethodID caller, entered;
	jlocation at;
	jfieldID field;
	jlong owner_tag, tag;
	bool is_write;
	char *owner, *name;
	jint modifiers;
};

static jvmtiEnv *ti;
static const char *out_path, *package = "Lshop/";
static bool is_whole;            /* another package was named */
static uint32_t nrows;
static jrawMonitorID lock;
static struct method methods[METHODS];
static struct row rows[ROWS];
static bool seen[OBJECTS], is_own_class[OBJECTS];
static char *class_of[OBJECTS];
static jlong ntags = 1;
static bool is_on;

static void *check(void *p)
{
	if (!p)
		abort();
	return p;
}

static void need(jvmtiError e, const char *what)
{
	if (e == JVMTI_ERROR_NONE)
		return;
	fprintf(stderr, "watcher: %s: error %d\n", what, (int)e);
	abort();
}

static char *name_of_class(jclass c)
{
	char *sig = NULL, *copy;

	need((*ti)->GetClassSignature(ti, c, &sig, NULL), "GetClassSignature");
	copy = check(strdup(sig));
	(*ti)->Deallocate(ti, (unsigned char *)sig);
	return copy;
}

static bool is_of_package(const char *signature)
{
	return strncmp(signature, package, strlen(package)) == 0 && !strstr(signature, "$$Lambda");
}

static struct method *method_of(jmethodID id)
{
	uint32_t i = (uint32_t)((uintptr_t)id >> 3) * 2654435761u % METHODS;
	char *name = NULL, *desc = NULL;
	jclass c;

	for (; methods[i].id && methods[i].id != id;)
		i = (i + 1) % METHODS;
	if (methods[i].id)
		return &methods[i];
	need((*ti)->GetMethodDeclaringClass(ti, id, &c), "GetMethodDeclaringClass");
	need((*ti)->GetMethodName(ti, id, &name, &desc, NULL), "GetMethodName");
	methods[i] = (struct method){ id, false, false, name_of_class(c), check(strdup(name)), check(strdup(desc)) };
	methods[i].is_own = is_of_package(methods[i].cls);
	for (size_t k = 0; k < sizeof(upcalls) / sizeof(*upcalls); k++)
		methods[i].is_upcall |= strncmp(methods[i].cls, upcalls[k][0], strlen(upcalls[k][0])) == 0 &&
					(!upcalls[k][1][0] || strcmp(methods[i].name, upcalls[k][1]) == 0);
	(*ti)->Deallocate(ti, (unsigned char *)name);
	(*ti)->Deallocate(ti, (unsigned char *)desc);
	return &methods[i];
}

static jlong tag_of(JNIEnv *jni, jobject o)
{
	jlong tag = 0;

	need((*ti)->GetTag(ti, o, &tag), "GetTag");
	if (!tag) {
		tag = ntags++;
		if (tag >= OBJECTS)
			abort();
		need((*ti)->SetTag(ti, o, tag), "SetTag");
	}
	if (!class_of[tag])
		class_of[tag] = name_of_class((*jni)->GetObjectClass(jni, o));
	return tag;
}

static bool same(const struct row *x, const struct row *y)
{
	return x->caller == y->caller && x->entered == y->entered && x->at == y->at && x->field == y->field &&
	       x->owner_tag == y->owner_tag && x->tag == y->tag && x->is_write == y->is_write;
}

static void add_row(struct row r, jclass owner)
{
	uint64_t h = (uintptr_t)r.caller ^ (uintptr_t)r.field * 31 ^ (uint64_t)r.at * 1000003 ^ (uint64_t)r.tag * 7919;
	uint32_t i = (uint32_t)(h * 0x9e3779b97f4a7c15u >> 40) % ROWS;

	for (; rows[i].caller && !same(&rows[i], &r);)
		i = (i + 1) % ROWS;
	if (rows[i].caller || nrows == ROWS / 2)
		return;
	nrows++;
	rows[i] = r;
	rows[i].owner = name_of_class(owner);
	need((*ti)->GetFieldName(ti, owner, r.field, &rows[i].name, NULL, NULL), "GetFieldName");
	need((*ti)->GetFieldModifiers(ti, owner, r.field, &rows[i].modifiers), "GetFieldModifiers");
}

static bool is_by_own(jthread thread)
{
	jvmtiFrameInfo top;
	jint n = 0;

	return (*ti)->GetStackTrace(ti, thread, 0, 1, &top, &n) == JVMTI_ERROR_NONE && n && method_of(top.method)->is_own;
}

/* The application has the object that it calls a method on. */
static void see_receiver(JNIEnv *jni, jthread thread, jint depth, jobject o)
{
	jobject receiver = NULL;

	if ((*ti)->GetLocalInstance(ti, thread, depth, &receiver) != JVMTI_ERROR_NONE)
		return;
	if ((*jni)->IsSameObject(jni, receiver, o))
		seen[tag_of(jni, o)] = true;
	(*jni)->DeleteLocalRef(jni, receiver);
}

static void note(JNIEnv *jni, jthread thread, jclass owner, jobject o, jfieldID field, bool is_write)
{
	static jvmtiFrameInfo frames[MAX_FRAMES];
	jint n = 0, i = 0;

	need((*ti)->RawMonitorEnter(ti, lock), "RawMonitorEnter");
	if (is_on && !is_by_own(thread) && (*ti)->GetStackTrace(ti, thread, 0, MAX_FRAMES, frames, &n) == JVMTI_ERROR_NONE) {
		bool is_upcall = false;
		for (; i < n && !method_of(frames[i].method)->is_own; i++)
			is_upcall |= method_of(frames[i].method)->is_upcall;
		if (i > 0 && i < n && is_whole && o)
			see_receiver(jni, thread, i - 1, o);
		if (i > 0 && i < n && !is_upcall)
			add_row((struct row){ frames[i].method, frames[i - 1].method, frames[i].location, field,
					      tag_of(jni, owner), o ? tag_of(jni, o) : 0, is_write, NULL, NULL, 0 }, owner);
	}
	need((*ti)->RawMonitorExit(ti, lock), "RawMonitorExit");
}

static void JNICALL on_read(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID m, jlocation at, jclass owner, jobject o, jfieldID f)
{
	(void)env, (void)m, (void)at;
	note(jni, thread, owner, o, f, false);
}

static void JNICALL on_write(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID m, jlocation at, jclass owner, jobject o, jfieldID f,
			     char type, jvalue value)
{
	(void)env, (void)m, (void)at, (void)type, (void)value;
	note(jni, thread, owner, o, f, true);
}

static void see_tag(jlong *tag)
{
	if (!*tag)
		*tag = ntags++;
	if (*tag >= OBJECTS)
		abort();
	seen[*tag] = true;
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag, jlong from_class_tag,
				 jlong size, jlong *tag, jlong *from, jint length, void *data)
{
	(void)info, (void)class_tag, (void)from_class_tag, (void)size, (void)length, (void)data;
	bool is_static = kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD && from && *from && is_own_class[*from];

	if (kind != JVMTI_HEAP_REFERENCE_FIELD && kind != JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT && !is_static)
		return 0;
	see_tag(tag);
	return JVMTI_VISIT_OBJECTS;
}

/* A whole application */

static jint JNICALL on_object(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
	(void)size, (void)length, (void)data;
	if (class_tag && is_own_class[class_tag])
		see_tag(tag);
	return 0;
}

static void see_classes(JNIEnv *jni)
{
	jclass *all = NULL;
	jint n = 0;

	need((*ti)->GetLoadedClasses(ti, &n, &all), "GetLoadedClasses");
	for (jint i = 0; i < n; i++) {
		char *name = name_of_class(all[i]);
		if (is_of_package(name)) {
			jlong tag = tag_of(jni, all[i]);
			seen[tag] = is_own_class[tag] = true;
		}
		free(name);
	}
	(*ti)->Deallocate(ti, (unsigned char *)all);
}

/* What is reached from all that was seen: as if an array had it. */
static void see_all(JNIEnv *jni)
{
	jvmtiHeapCallbacks objects = { .heap_iteration_callback = on_object }, references = { .heap_reference_callback = on_reference };
	jlong *tags = check(malloc(sizeof(*tags) * (size_t)OBJECTS));
	jobject *found = NULL;
	jint n = 0, count = 0;

	see_classes(jni);
	need((*ti)->IterateThroughHeap(ti, 0, NULL, &objects, NULL), "IterateThroughHeap");
	for (jlong t = 1; t < ntags; t++)
		if (seen[t])
			tags[n++] = t;
	need((*ti)->GetObjectsWithTags(ti, n, tags, &count, &found, NULL), "GetObjectsWithTags");
	jobjectArray all = check((*jni)->NewObjectArray(jni, count, (*jni)->FindClass(jni, "java/lang/Object"), NULL));
	for (jint i = 0; i < count; i++)
		(*jni)->SetObjectArrayElement(jni, all, i, found[i]);
	need((*ti)->FollowReferences(ti, 0, NULL, all, &references, NULL), "FollowReferences");
	free(tags);
}

/* Natives of shop.Held */

static void JNICALL held_see(JNIEnv *jni, jclass self, jobject o)
{
	jvmtiHeapCallbacks c = { .heap_reference_callback = on_reference };

	(void)self;
	if (!o)
		return;
	seen[tag_of(jni, o)] = true;
	need((*ti)->FollowReferences(ti, 0, NULL, o, &c, NULL), "FollowReferences");
}

static void JNICALL held_begin(JNIEnv *jni, jclass self)
{
	(void)jni, (void)self;
	is_on = true;
}

static void watch(JNIEnv *jni, jclass c)
{
	char *name = name_of_class(c);
	bool is_watched = false;
	jfieldID *fields = NULL;
	jint n = 0;

	if (strcmp(name, "Lshop/Held;") == 0)
		(*jni)->RegisterNatives(jni, c, (JNINativeMethod[]){ { "see", "(Ljava/lang/Object;)V", (void *)held_see },
								     { "begin", "()V", (void *)held_begin } }, 2);
	for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++)
		is_watched |= strncmp(name, watched[i], strlen(watched[i])) == 0;
	if (is_watched && (*ti)->GetClassFields(ti, c, &n, &fields) == JVMTI_ERROR_NONE) {
		for (jint i = 0; i < n; i++) {
			(*ti)->SetFieldAccessWatch(ti, c, fields[i]);
			(*ti)->SetFieldModificationWatch(ti, c, fields[i]);
		}
		(*ti)->Deallocate(ti, (unsigned char *)fields);
	}
	free(name);
}

static void JNICALL on_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass c)
{
	(void)env, (void)thread;
	watch(jni, c);
}

static void JNICALL on_init(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
	jclass *all = NULL;
	jint n = 0, status;

	(void)env, (void)thread;
	need((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL), "events");
	need((*ti)->GetLoadedClasses(ti, &n, &all), "GetLoadedClasses");
	for (jint i = 0; i < n; i++)
		if ((*ti)->GetClassStatus(ti, all[i], &status) == JVMTI_ERROR_NONE && (status & JVMTI_CLASS_STATUS_PREPARED))
			watch(jni, all[i]);
	is_on = is_whole;
	need((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_FIELD_ACCESS, NULL), "events");
	need((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_FIELD_MODIFICATION, NULL), "events");
}

static void print_row(FILE *out, const struct row *r)
{
	const struct method *caller = method_of(r->caller), *entered = method_of(r->entered);

	fprintf(out, "%c\t%s\t%s\t%s\t%s\t%s\t%s\t%ld\t%s\t%s\t%s\n", r->is_write ? 'w' : 'r', r->owner, r->name,
		r->tag ? class_of[r->tag] : "-", caller->cls, caller->name, caller->desc, (long)r->at, entered->cls, entered->name,
		!(r->modifiers & (PUBLIC | PROTECTED)) ? "hidden" : r->modifiers & FINAL ? "final" : "open");
}

static void JNICALL on_death(jvmtiEnv *env, JNIEnv *jni)
{
	FILE *out = check(fopen(out_path, "w"));

	(void)env;
	need((*ti)->RawMonitorEnter(ti, lock), "RawMonitorEnter");
	is_on = false;
	if (is_whole)
		see_all(jni);
	for (uint32_t i = 0; i < ROWS; i++)
		if (rows[i].caller && (!rows[i].tag || seen[rows[i].tag]))
			print_row(out, &rows[i]);
	if (fclose(out) != 0)
		abort();
	need((*ti)->RawMonitorExit(ti, lock), "RawMonitorExit");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	jvmtiCapabilities can = { .can_tag_objects = 1, .can_generate_field_access_events = 1,
				  .can_generate_field_modification_events = 1, .can_access_local_variables = 1 };
	jvmtiEventCallbacks on = { .FieldAccess = on_read, .FieldModification = on_write, .ClassPrepare = on_prepare, .VMInit = on_init,
				   .VMDeath = on_death };

	(void)reserved;
	char *path = check(strdup(options)), *comma = strchr(path, ',');
	out_path = path;
	if (comma) {
		*comma = 0;
		package = comma + 1;
		is_whole = true;
	}
	if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_1_2) != JNI_OK)
		return JNI_ERR;
	need((*ti)->AddCapabilities(ti, &can), "AddCapabilities");
	need((*ti)->CreateRawMonitor(ti, "watcher", &lock), "CreateRawMonitor");
	need((*ti)->SetEventCallbacks(ti, &on, sizeof(on)), "SetEventCallbacks");
	need((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL), "events");
	need((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL), "events");
	return JNI_OK;
}
