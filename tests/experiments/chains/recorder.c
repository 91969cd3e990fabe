/* SPDX-License-Identifier: Apache-2.0 */
/* recorder - a JVMTI agent that writes down the call chains of a component, as stacks show them.
 *
 * A breakpoint at the start of each method of the component takes the stack: the frames of the component on top are the chain,
 * and how often the stack was in the component below them is its level. Slow, and independent of everything that sherd's own
 * agent does. Native methods have no first instruction: chains that end in one are not seen.
 *
 * Options: FILE,PATTERN,PATTERN... A pattern is a class with those nested in it; `*` at its end stands for any letters.
 * FILE gets a line for each chain: level, tab, entry, and for each call " > @pc {class of this} callee". */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 2048, MOST_CALLS = 8, MOST_PATTERNS = 64, BUCKETS = 1 << 16, METHODS = 1 << 18, SITES = 1 << 20 };

struct text {
	char data[16384];
	size_t len;
};

struct seen {
	struct seen *next;
	char text[];
};

/* What is known of a method. */
struct known {
	jmethodID method;
	bool component, initialiser;
};

struct frame {
	jmethodID method;
	jlocation pc;
	bool component, initialiser;
};

/* What an agent has to keep: JVMTI passes no pointer of ours to its events. */
static struct {
	jvmtiEnv *jvmti;
	FILE *out;
	bool ended;                         /* threads may go on when the JVM has nothing to say any more */
	char *patterns[MOST_PATTERNS];
	int npatterns;
	jrawMonitorID lock;
	struct seen *seen[BUCKETS];
	struct known methods[METHODS];      /* open addressing; the JVM has far fewer */
	uint64_t *stacks;                   /* hashes of what was written, so that it is not spelt out again */
	size_t nstacks, most_stacks;        /* a power of two */
	uint32_t often[SITES];              /* how often the same calls were made, by their hash */
	jlong nclasses;                     /* that have a tag */
} rec;

static void add(struct text *t, const char *s)
{
	size_t n = strlen(s);

	if (t->len + n >= sizeof(t->data))
		n = sizeof(t->data) - 1 - t->len;
	memcpy(t->data + t->len, s, n);
	t->len += n;
	t->data[t->len] = 0;
}

/* "Ljava/text/Format;" as java.text.Format */
static void class_name(jclass c, char *out, size_t size)
{
	char *sig = NULL;
	size_t n;

	*out = 0;
	if ((*rec.jvmti)->GetClassSignature(rec.jvmti, c, &sig, NULL))
		return;
	n = sig[0] == 'L' ? strlen(sig) - 2 : strlen(sig);
	snprintf(out, size, "%.*s", (int)n, sig[0] == 'L' ? sig + 1 : sig);
	for (char *p = out; *p; p++)
		if (*p == '/')
			*p = '.';
	(*rec.jvmti)->Deallocate(rec.jvmti, (unsigned char *)sig);
}

static bool matches(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);

	if (pattern[n - 1] == '*')
		return !strncmp(pattern, name, n - 1);
	return !strncmp(pattern, name, n) && (!name[n] || name[n] == '$');
}

static bool in_component(JNIEnv *jni, jmethodID m)
{
	jclass owner;
	char name[512];

	if ((*rec.jvmti)->GetMethodDeclaringClass(rec.jvmti, m, &owner))
		return false;
	class_name(owner, name, sizeof(name));
	(*jni)->DeleteLocalRef(jni, owner);
	for (int i = 0; i < rec.npatterns; i++)
		if (matches(rec.patterns[i], name))
			return true;
	return false;
}

static bool is_initialiser(jmethodID m)
{
	char *name;
	bool found;

	if ((*rec.jvmti)->GetMethodName(rec.jvmti, m, &name, NULL, NULL))
		return false;
	found = !strcmp(name, "<clinit>");
	(*rec.jvmti)->Deallocate(rec.jvmti, (unsigned char *)name);
	return found;
}

static struct known know(JNIEnv *jni, jmethodID m)
{
	size_t i = ((uintptr_t)m >> 3) * 0x9e3779b97f4a7c15u >> 46;

	while (rec.methods[i].method && rec.methods[i].method != m)
		i = (i + 1) % METHODS;
	if (!rec.methods[i].method)
		rec.methods[i] = (struct known){ m, in_component(jni, m), is_initialiser(m) };
	return rec.methods[i];
}

static void add_method(JNIEnv *jni, struct text *t, jmethodID m)
{
	char *name, *sig, owner_name[512];
	jclass owner;

	(*rec.jvmti)->GetMethodDeclaringClass(rec.jvmti, m, &owner);
	class_name(owner, owner_name, sizeof(owner_name));
	(*jni)->DeleteLocalRef(jni, owner);
	(*rec.jvmti)->GetMethodName(rec.jvmti, m, &name, &sig, NULL);
	add(t, owner_name);
	add(t, ".");
	add(t, name);
	add(t, sig);
	(*rec.jvmti)->Deallocate(rec.jvmti, (unsigned char *)name);
	(*rec.jvmti)->Deallocate(rec.jvmti, (unsigned char *)sig);
}

static void add_this(JNIEnv *jni, struct text *t, jthread thread, int depth)
{
	jobject self = NULL;
	char name[512] = "";

	if (!(*rec.jvmti)->GetLocalInstance(rec.jvmti, thread, depth, &self) && self) {
		jclass c = (*jni)->GetObjectClass(jni, self);
		class_name(c, name, sizeof(name));
		(*jni)->DeleteLocalRef(jni, c);
		(*jni)->DeleteLocalRef(jni, self);
	}
	add(t, "{");
	add(t, name);
	add(t, "} ");
}

static void keep(const char *line)
{
	uint32_t h = 2166136261u;
	struct seen *s;

	for (const char *p = line; *p; p++)
		h = (h ^ (unsigned char)*p) * 16777619u;
	for (s = rec.seen[h % BUCKETS]; s; s = s->next)
		if (!strcmp(s->text, line))
			return;
	s = malloc(sizeof(*s) + strlen(line) + 1);
	strcpy(s->text, line);
	s->next = rec.seen[h % BUCKETS];
	rec.seen[h % BUCKETS] = s;
	fprintf(rec.out, "%s\n", line);
}

/* A number for the class of `this`; 0 for none. */
static jlong this_class(JNIEnv *jni, jthread thread, int depth)
{
	jobject self = NULL;
	jlong tag = 0;

	if ((*rec.jvmti)->GetLocalInstance(rec.jvmti, thread, depth, &self) || !self)
		return 0;
	jclass c = (*jni)->GetObjectClass(jni, self);
	(*rec.jvmti)->GetTag(rec.jvmti, c, &tag);
	if (!tag)
		(*rec.jvmti)->SetTag(rec.jvmti, c, tag = ++rec.nclasses);
	(*jni)->DeleteLocalRef(jni, c);
	(*jni)->DeleteLocalRef(jni, self);
	return tag;
}

static void grow_stacks(void)
{
	size_t most = rec.most_stacks ? 2 * rec.most_stacks : 1 << 12;
	uint64_t *bigger = calloc(most, sizeof(*bigger));

	for (size_t i = 0; i < rec.most_stacks; i++) {
		size_t k = rec.stacks[i] % most;
		while (rec.stacks[i] && bigger[k])
			k = (k + 1) % most;
		if (rec.stacks[i])
			bigger[k] = rec.stacks[i];
	}
	free(rec.stacks);
	rec.stacks = bigger;
	rec.most_stacks = most;
}

/* True the first time. */
static bool is_new(uint64_t hash)
{
	if (2 * rec.nstacks >= rec.most_stacks)
		grow_stacks();
	size_t k = hash % rec.most_stacks;
	while (rec.stacks[k] && rec.stacks[k] != hash)
		k = (k + 1) % rec.most_stacks;
	if (rec.stacks[k])
		return false;
	rec.stacks[k] = hash;
	rec.nstacks++;
	return true;
}

static uint64_t mix(uint64_t hash, uint64_t with)
{
	hash = (hash ^ with) * 0xff51afd7ed558ccdu;
	return hash ^ hash >> 32;
}

/* The JVM stops for each `this` that it is asked for. Receivers of calls that were made often are looked at now and then: a
 * class that is missed is a chain less, never one too many. */
static bool is_due(uint64_t calls)
{
	uint32_t *n = &rec.often[calls % SITES];

	++*n;
	return *n <= 40 || *n % 61 == 0;
}

/* A frame begins a visit of the component when what called it is outside, or is the JVM that initialises a class. */
static bool begins(const struct frame *f, int i, int n)
{
	return f[i].component && (f[i].initialiser || i + 1 == n || !f[i + 1].component);
}

static void record(JNIEnv *jni, jthread thread, const struct frame *f, int n)
{
	static _Thread_local struct text t;
	int entry = 0, level = 0;
	char number[32];

	while (!begins(f, entry, n))
		entry++;
	if (entry > MOST_CALLS)
		return;
	for (int i = entry + 1; i < n; i++)
		level += begins(f, i, n);
	uint64_t hash = mix((uint64_t)level + 1, (uintptr_t)f[entry].method);
	for (int i = entry - 1; i >= 0; i--)
		hash = mix(mix(hash, (uintptr_t)f[i].method), (uint64_t)f[i + 1].pc);
	if (!is_due(hash))
		return;
	for (int i = entry - 1; i >= 0; i--)
		hash = mix(hash, (uint64_t)this_class(jni, thread, i));
	if (!is_new(hash))
		return;
	t.len = 0;
	snprintf(number, sizeof(number), "%d\t", level);
	add(&t, number);
	add_method(jni, &t, f[entry].method);
	for (int i = entry - 1; i >= 0; i--) {
		snprintf(number, sizeof(number), " > @%lld ", (long long)f[i + 1].pc);
		add(&t, number);
		add_this(jni, &t, thread, i);
		add_method(jni, &t, f[i].method);
	}
	keep(t.data);
}

static void JNICALL on_entry(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID m, jlocation at)
{
	static _Thread_local jvmtiFrameInfo raw[MOST_FRAMES];
	static _Thread_local struct frame frames[MOST_FRAMES];
	jint n;

	(void)at;
	(*jvmti)->RawMonitorEnter(jvmti, rec.lock);
	if (!rec.ended && know(jni, m).component && !(*jvmti)->GetStackTrace(jvmti, thread, 0, MOST_FRAMES, raw, &n)) {
		for (jint i = 0; i < n; i++) {
			struct known k = know(jni, raw[i].method);
			frames[i] = (struct frame){ raw[i].method, raw[i].location, k.component, k.initialiser };
		}
		record(jni, thread, frames, n);
	}
	(*jvmti)->RawMonitorExit(jvmti, rec.lock);
}

static void watch(JNIEnv *jni, jclass c)
{
	jmethodID *methods;
	jint n, status = 0;

	(*rec.jvmti)->GetClassStatus(rec.jvmti, c, &status);
	if (!(status & JVMTI_CLASS_STATUS_PREPARED) || (*rec.jvmti)->GetClassMethods(rec.jvmti, c, &n, &methods))
		return;
	for (jint i = 0; i < n && know(jni, methods[i]).component; i++)
		(*rec.jvmti)->SetBreakpoint(rec.jvmti, methods[i], 0);
	(*rec.jvmti)->Deallocate(rec.jvmti, (unsigned char *)methods);
}

static void JNICALL on_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass c)
{
	(void)thread;
	(*jvmti)->RawMonitorEnter(jvmti, rec.lock);
	watch(jni, c);
	(*jvmti)->RawMonitorExit(jvmti, rec.lock);
}

static void JNICALL on_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	jclass *classes;
	jint n;

	(void)thread;
	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL);
	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL);
	if ((*jvmti)->GetLoadedClasses(jvmti, &n, &classes))
		return;
	for (jint i = 0; i < n; i++)
		on_prepare(jvmti, jni, thread, classes[i]);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
}

static void JNICALL on_end(jvmtiEnv *jvmti, JNIEnv *jni)
{
	(void)jni;
	(*jvmti)->RawMonitorEnter(jvmti, rec.lock);
	rec.ended = true;
	fflush(rec.out);
	(*jvmti)->RawMonitorExit(jvmti, rec.lock);
}

static bool read_options(char *options)
{
	char *rest = NULL, *file = strtok_r(strdup(options), ",", &rest);

	rec.out = file ? fopen(file, "w") : NULL;
	if (rec.out)
		setvbuf(rec.out, NULL, _IOLBF, 0);
	for (char *p; rec.npatterns < MOST_PATTERNS && (p = strtok_r(NULL, ",", &rest));)
		rec.patterns[rec.npatterns++] = p;
	return rec.out && rec.npatterns;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	jvmtiCapabilities wanted = { .can_generate_breakpoint_events = 1, .can_access_local_variables = 1, .can_tag_objects = 1 };
	jvmtiEventCallbacks calls = { .Breakpoint = on_entry, .ClassPrepare = on_prepare, .VMInit = on_start, .VMDeath = on_end };

	(void)reserved;
	if (!options || !read_options(options)) {
		fprintf(stderr, "recorder: wants FILE,PATTERN,...\n");
		return JNI_ERR;
	}
	if ((*vm)->GetEnv(vm, (void **)&rec.jvmti, JVMTI_VERSION_11) || (*rec.jvmti)->AddCapabilities(rec.jvmti, &wanted))
		return JNI_ERR;
	(*rec.jvmti)->CreateRawMonitor(rec.jvmti, "recorder", &rec.lock);
	(*rec.jvmti)->SetEventCallbacks(rec.jvmti, &calls, sizeof(calls));
	(*rec.jvmti)->SetEventNotificationMode(rec.jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
	(*rec.jvmti)->SetEventNotificationMode(rec.jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
	return JNI_OK;
}
