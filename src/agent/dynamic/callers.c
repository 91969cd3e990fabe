/* SPDX-License-Identifier: Apache-2.0 */
/* Frames are of these sorts, by class and method. Names are internal ones. */
#include "agent/dynamic/callers.h"

#include <jvmti.h>

#include "agent/agent_p.h"
#include "agent/dynamic/moves.h"
#include "agent/probe/pool.h"
#include "agent/probe/probe_class.h"
#include "agent/probe/types.h"
#include "base/digest.h"
#include "base/intern.h"
#include "base/map.h"
#include "formats/classfile/bytecode.h"
#include "formats/dynamic/dynamic.h"

enum sort {
	CODE,                 /* of the program, or of the JDK: a caller */
	CARRIER,              /* passes calls on: reflection and method handles */
	MACHINERY,            /* the methods that programs call for reflection */
	OWN,                  /* what it notes is for itself */
	LOOKUP,               /* MethodHandles.Lookup */
	NEW_INSTANCE,         /* Class.newInstance */
	SERVICES, STREAMS,    /* ServiceLoader; deserialization */
};

enum { AT_ONCE = 16, MOST_FRAMES = 4096 };

struct method {
	str_id class, name, desc;     /* internal, not escaped */
	uint8_t sort;                 /* enum sort */
	bool is_native;
	bool finds;                   /* of LOOKUP: a method that programs call for a handle */
};
struct site {
	str_id text;
	uint32_t line;
	str_id loader;                /* its instruction calls a method loadClass: of this class, as the record has it; 0: it does not */
};

static struct {
	struct interner text;
	VEC(struct method) methods;
	VEC(struct site) sites;
	struct map by_id;             /* jmethodID: method + 1 */
	struct map by_place;          /* digest of method and pc: site + 1 */
} known;

/* Methods */

static bool is_one_of(struct str s, const char *const *list)
{
	while (*list)
		if (str_is(s, *list++))
			return true;
	return false;
}

static enum sort sort_of_class(struct str method)
{
	static const char *const api[] = { "forName", "forName0", "getMethod", "getDeclaredMethod", "getField", "getDeclaredField", NULL };

	return str_is(method, "newInstance") ? NEW_INSTANCE : is_one_of(method, api) ? MACHINERY : CODE;
}

/* Of java.lang.invoke. */
static enum sort sort_of_invoke(struct str class)
{
	if (str_is(class, "MethodHandles$Lookup"))
		return LOOKUP;
	if (str_starts(class, "LambdaForm") || str_ends(class, "$Holder") || str_is(class, "MethodHandle"))
		return CARRIER;
	return str_starts(class, "MethodHandleProxies") ? MACHINERY : OWN;
}

/* Of java.lang.reflect and jdk.internal.reflect: accessors are made by means of reflection, too. */
static enum sort sort_of_reflect(struct str class, struct str method)
{
	if (str_is(class, "Proxy") || str_starts(class, "Proxy$") || str_starts(class, "ProxyGenerator"))
		return OWN;
	return str_starts(method, "invoke") || str_starts(method, "newInstance") ? CARRIER : OWN;
}

static enum sort sort_of(struct str class, struct str method)
{
	uint32_t package = (uint32_t)(str_rfind(class, '/') + 1);
	struct str simple = str_sub(class, package, class.len);

	if (str_starts(class, "java/lang/invoke/"))
		return sort_of_invoke(simple);
	if (str_starts(class, "java/lang/reflect/") || str_starts(class, "jdk/internal/reflect/"))
		return sort_of_reflect(simple, method);
	if (str_is(class, "java/lang/Class"))
		return sort_of_class(method);
	if (str_ends(class, "$$InjectedInvoker"))
		return CARRIER;
	if (str_is(class, "java/util/ServiceLoader") || str_starts(class, "java/util/ServiceLoader$"))
		return SERVICES;
	if (str_starts(class, "java/io/ObjectInputStream") || str_starts(class, "java/io/ObjectStreamClass"))
		return STREAMS;
	if (str_starts(class, "sun/invoke/") || str_starts(class, "java/lang/runtime/") || str_is(class, "java/lang/StringConcatHelper"))
		return OWN;
	if (str_starts(simple, "$Proxy"))
		return str_is(method, "<clinit>") ? OWN : CARRIER;
	return str_is(class, PROBE_CLASS) ? MACHINERY : CODE;
}

static bool finds_handles(struct str method)
{
	return str_starts(method, "find") || str_starts(method, "unreflect") || str_is(method, "bind");
}

/* Without what differs from run to run: "p/A$$Lambda". */
static str_id class_text(const char *sig)
{
	struct arena mem;
	struct strbuf b = { 0 };

	arena_init(&mem);
	struct run_type t = type_named(sig, &mem);
	strbuf_addstr(&b, t.flags & RUN_LAMBDA ? t.host : t.name);
	if (t.flags & RUN_LAMBDA)
		strbuf_adds(&b, "$$Lambda");
	for (size_t i = 0; i < b.len; i++)
		if (b.s[i] == '.')
			b.s[i] = '/';
	str_id id = intern(&known.text, strbuf_str(&b));
	strbuf_release(&b);
	arena_release(&mem);
	return id;
}

static char *declarer(JNIEnv *jni, jmethodID m)
{
	jclass c = NULL;

	if ((*agent.ti)->GetMethodDeclaringClass(agent.ti, m, &c))
		return NULL;
	char *sig = type_signature(c);
	(*jni)->DeleteLocalRef(jni, c);
	return sig;
}

/* A method that the JVM does not know any more passes for a carrier. */
static struct method look_at(JNIEnv *jni, jmethodID m)
{
	struct method row = { .sort = CARRIER };
	char *sig = declarer(jni, m), *name = NULL, *desc = NULL;
	jboolean is_native = JNI_FALSE;

	if (sig && !(*agent.ti)->GetMethodName(agent.ti, m, &name, &desc, NULL)) {
		row.class = class_text(sig);
		row.name = intern(&known.text, str_of(name));
		row.desc = intern(&known.text, str_of(desc));
		row.sort = (uint8_t)sort_of(interned(&known.text, row.class), str_of(name));
		row.finds = row.sort == LOOKUP && finds_handles(str_of(name));
		row.is_native = !(*agent.ti)->IsMethodNative(agent.ti, m, &is_native) && is_native;
	}
	agent_free(sig);
	agent_free(name);
	agent_free(desc);
	return row;
}

static uint32_t method_row(JNIEnv *jni, jmethodID m)
{
	uint64_t key = (uint64_t)(uintptr_t)m;
	uint32_t row = map_get(&known.by_id, key);

	if (!known.text.strings.len)
		interner_init(&known.text);
	if (row)
		return row - 1;
	vec_push(&known.methods, look_at(jni, m));
	*map_at(&known.by_id, key) = known.methods.len;
	return known.methods.len - 1;
}

/* Sites */

static uint32_t line_at(jmethodID m, jlocation pc)
{
	jvmtiLineNumberEntry *rows = NULL;
	jint n = 0;
	uint32_t line = 0;
	jlocation best = -1;

	if ((*agent.ti)->GetLineNumberTable(agent.ti, m, &n, &rows))
		return 0;
	for (jint i = 0; i < n; i++)
		if (rows[i].start_location <= pc && rows[i].start_location >= best) {
			best = rows[i].start_location;
			line = (uint32_t)rows[i].line_number;
		}
	agent_free(rows);
	return line;
}

static void add_class(struct strbuf *b, struct str internal)
{
	size_t from = b->len;

	dynamic_escape(b, internal);
	for (size_t i = from; i < b->len; i++)
		if (b->s[i] == '/')
			b->s[i] = '.';
}

static str_id owner_if_loader(JNIEnv *jni, jmethodID m, const struct insn *in)
{
	struct live_pool pool;
	struct live_ref ref;
	struct strbuf b = { 0 };
	jclass c = NULL;

	if ((*agent.ti)->GetMethodDeclaringClass(agent.ti, m, &c) || !live_pool_get(c, &pool))
		return (str_id){ 0 };
	if (live_pool_method(&pool, (uint32_t)in->a, &ref) && str_is(ref.name, "loadClass"))
		add_class(&b, ref.owner);
	str_id id = intern(&known.text, strbuf_str(&b));
	live_pool_release(&pool);
	strbuf_release(&b);
	(*jni)->DeleteLocalRef(jni, c);
	return id;
}

static str_id loader_called(JNIEnv *jni, jmethodID m, jlocation pc)
{
	unsigned char *code = NULL;
	jint n = 0;
	struct insn in;
	str_id owner = { 0 };

	if (pc < 0 || (*agent.ti)->GetBytecodes(agent.ti, m, &n, &code))
		return owner;
	if (pc < n && bytecode_decode((struct span){ code, (size_t)n }, (uint32_t)pc, &in) &&
	    (in.op == BC_invokevirtual || in.op == BC_invokeinterface || in.op == BC_invokespecial))
		owner = owner_if_loader(jni, m, &in);
	agent_free(code);
	return owner;
}

static str_id site_text(const struct method *m, jlocation pc)
{
	struct str class = interned(&known.text, m->class), name = interned(&known.text, m->name), desc = interned(&known.text, m->desc);
	struct strbuf b = { 0 };

	add_class(&b, class);
	strbuf_addch(&b, '.');
	dynamic_escape(&b, name);
	dynamic_escape(&b, desc);
	if (pc >= 0)
		strbuf_addf(&b, "@%u", (unsigned)moves_original(class, name, desc, (uint32_t)pc));
	str_id id = intern(&known.text, strbuf_str(&b));
	strbuf_release(&b);
	return id;
}

static const struct site *site_at(JNIEnv *jni, const jvmtiFrameInfo *f)
{
	uint32_t method = method_row(jni, f->method);
	uint64_t key = digest_u32(digest_u32(DIGEST_START, method), (uint32_t)f->location);
	uint32_t row = map_get(&known.by_place, key);

	if (!row) {
		const struct method *m = &known.methods.data[method];
		struct site s = { site_text(m, f->location), m->is_native ? 0 : line_at(f->method, f->location),
				  m->is_native ? (str_id){ 0 } : loader_called(jni, f->method, f->location) };
		vec_push(&known.sites, s);
		row = *map_at(&known.by_place, key) = known.sites.len;
	}
	return &known.sites.data[row - 1];
}

/* Stacks */

struct stack {                        /* frames of this thread, some at a time */
	JNIEnv *jni;
	jvmtiFrameInfo frames[AT_ONCE];
	jint n, at, depth;
};

static const jvmtiFrameInfo *next_frame(struct stack *s, const struct method **m)
{
	if (s->at == s->n) {
		s->depth += s->n;
		s->at = s->n = 0;
		if (s->depth >= MOST_FRAMES || (*agent.ti)->GetStackTrace(agent.ti, NULL, s->depth, AT_ONCE, s->frames, &s->n))
			s->n = 0;
		if (!s->n)
			return NULL;
	}
	const jvmtiFrameInfo *f = &s->frames[s->at++];
	uint32_t row = method_row(s->jni, f->method);
	*m = &known.methods.data[row];
	return f;
}

static bool is_probe(const struct method *m)
{
	return str_is(interned(&known.text, m->class), PROBE_CLASS);
}

static bool is_same(const struct method *a, const struct method *b)
{
	return a->class.i == b->class.i && a->name.i == b->name.i;
}

/* Did code ask for the class? The JVM asks loaders itself, from wherever code refers to a class first; that includes the class whose
 * method loadClass is called. */
static bool asks_for(JNIEnv *jni, const jvmtiFrameInfo *f, const struct method *m, struct caller *out)
{
	if (m->sort == CARRIER && (m->is_native || str_starts(interned(&known.text, m->class), "java/lang/invoke/")))
		return true;
	str_id loader = m->is_native ? (str_id){ 0 } : site_at(jni, f)->loader;
	out->loader = loader.i ? interned(&known.text, loader) : STR("");
	return loader.i;
}

/* Is a frame passed over on the way to the caller? */
static bool is_passed(enum sort sort, enum note note)
{
	switch (sort) {
	case CODE: case OWN:
		return false;
	case SERVICES:
		return note == NOTE_SERVICE;
	case STREAMS:
		return note == NOTE_DESERIALIZE;
	default:
		return true;
	}
}

static void set_caller(JNIEnv *jni, const jvmtiFrameInfo *f, struct caller *out)
{
	const struct site *s = f ? site_at(jni, f) : NULL;

	out->text = s ? interned(&known.text, s->text) : STR("-");
	out->line = s ? s->line : 0;
}

/* From the frame below the hooked method on. */
static bool walk(struct stack *s, const jvmtiFrameInfo *f, const struct method *m, enum note note, struct caller *out)
{
	bool finds = note != NOTE_HANDLE;

	while (f && is_passed((enum sort)m->sort, note)) {
		finds |= m->finds;
		out->is_new_instance |= m->sort == NEW_INSTANCE;
		f = next_frame(s, &m);
	}
	if (!finds || (f && m->sort == OWN))
		return false;
	set_caller(s->jni, f, out);
	return true;
}

bool caller_find(enum note note, struct caller *out)
{
	const struct method *m = NULL;
	struct stack s = { 0 };
	void *jni = NULL;

	*out = (struct caller){ 0 };
	if ((*agent.vm)->GetEnv(agent.vm, &jni, JNI_VERSION_1_6) != JNI_OK)
		return false;
	s.jni = jni;
	const jvmtiFrameInfo *f = next_frame(&s, &m);
	while (f && is_probe(m))
		f = next_frame(&s, &m);
	struct method hooked = f ? *m : (struct method){ 0 };
	f = f ? next_frame(&s, &m) : NULL;
	if (f && is_same(&hooked, m))
		return false;
	if ((note == NOTE_LOADER_NAME || note == NOTE_LOADER_LOAD) && !(f && asks_for(s.jni, f, m, out)))
		return false;
	return walk(&s, f, m, note, out);
}
