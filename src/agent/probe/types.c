/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/probe/types.h"

#include "agent/agent_p.h"
#include "agent/log.h"
#include "agent/probe/pool.h"
#include "base/intern.h"

#define LAMBDA "$$Lambda"

static struct interner keys;          /* of types: id 1 is row 0, ... */

char *type_signature(jclass c)
{
	char *sig = NULL;

	return (*agent.ti)->GetClassSignature(agent.ti, c, &sig, NULL) ? NULL : sig;
}

/* Which loader? The JDK's own ones are known by their classes: asking for them would run Java code. */
enum run_loader type_loader(JNIEnv *jni, jclass c)
{
	static const struct { const char *name; enum run_loader sort; } known[] = {
		{ "Ljdk/internal/loader/ClassLoaders$AppClassLoader;", RUN_APP },
		{ "Ljdk/internal/loader/ClassLoaders$PlatformClassLoader;", RUN_PLATFORM },
		{ "Lsun/misc/Launcher$AppClassLoader;", RUN_APP },
		{ "Lsun/misc/Launcher$ExtClassLoader;", RUN_PLATFORM },
	};
	jobject loader = NULL;
	enum run_loader sort = RUN_OTHER_LOADER;

	if ((*agent.ti)->GetClassLoader(agent.ti, c, &loader))
		return RUN_OTHER_LOADER;
	if (!loader)
		return RUN_BOOT;
	jclass its = (*jni)->GetObjectClass(jni, loader);
	char *sig = type_signature(its);
	for (size_t i = 0; sig && i < ARRAY_LEN(known); i++)
		if (!strcmp(sig, known[i].name))
			sort = known[i].sort;
	agent_free(sig);
	(*jni)->DeleteLocalRef(jni, its);
	(*jni)->DeleteLocalRef(jni, loader);
	return sort;
}

static int64_t find_text(struct str s, const char *what)
{
	size_t n = strlen(what);

	for (uint32_t i = 0; i + n <= s.len; i++)
		if (!memcmp(s.p + i, what, n))
			return i;
	return -1;
}

/* Where the name of a hidden class ends: its signature is Lname.suffix; or, before JDK 15, Lname$$Lambda$1/suffix; */
static uint32_t end_of_name(struct str name)
{
	int64_t lambda = find_text(name, LAMBDA);

	for (uint32_t i = 0; i < name.len; i++)
		if (name.p[i] == '.' || (name.p[i] == '/' && lambda >= 0 && i > lambda))
			return i;
	return name.len;
}

struct run_type type_named(const char *sig, struct arena *mem)
{
	size_t n = strlen(sig);
	struct run_type t = { .flags = sig[0] == '[' ? RUN_ARRAY : 0 };
	struct str name = sig[0] == 'L' && n > 2 ? (struct str){ sig + 1, (uint32_t)n - 2 } : str_of(sig);
	uint32_t end = sig[0] == 'L' ? end_of_name(name) : name.len;

	if (end < name.len)
		t.flags |= RUN_HIDDEN;
	char *dotted = arena_copy(mem, name.p, end);
	for (uint32_t i = 0; i < end; i++)
		if (dotted[i] == '/')
			dotted[i] = '.';
	t.name = (struct str){ dotted, end };
	if ((t.flags & RUN_HIDDEN) && find_text(t.name, LAMBDA) > 0) {
		t.flags |= RUN_LAMBDA;
		t.host = str_sub(t.name, 0, (uint32_t)find_text(t.name, LAMBDA));
	}
	return t;
}

static bool is_proxy(JNIEnv *jni, jclass c)
{
	jclass super = (*jni)->GetSuperclass(jni, c);
	char *sig = super ? type_signature(super) : NULL;
	bool is = sig && !strcmp(sig, "Ljava/lang/reflect/Proxy;");

	agent_free(sig);
	(*jni)->DeleteLocalRef(jni, super);
	return is;
}

typedef VEC(struct str) facts_vec;

static void add_interfaces(JNIEnv *jni, jclass c, struct run_type *t, facts_vec *facts, struct arena *mem)
{
	jclass *list = NULL;
	jint n = 0;

	if ((*agent.ti)->GetImplementedInterfaces(agent.ti, c, &n, &list))
		return;
	for (jint i = 0; i < n; i++) {
		char *sig = type_signature(list[i]);
		if (sig) {
			vec_push(facts, type_named(sig, mem).name);
			t->ninterfaces++;
		}
		agent_free(sig);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	agent_free(list);
}

/* owner.name(desc)ret, the owner dotted */
static struct str member_text(const struct live_ref *m, struct arena *mem)
{
	uint32_t n = m->owner.len + 1 + m->name.len + m->desc.len;
	char *s = arena_alloc(mem, n), *p = s;

	for (uint32_t i = 0; i < m->owner.len; i++)
		*p++ = m->owner.p[i] == '/' ? '.' : m->owner.p[i];
	*p++ = '.';
	memcpy(p, m->name.p, m->name.len);
	memcpy(p + m->name.len, m->desc.p, m->desc.len);
	return (struct str){ s, n };
}

/* Its own constructor, or that of Object: every class mentions these. */
static bool is_plumbing(const struct live_ref *m, struct str host)
{
	if (!str_is(m->name, "<init>"))
		return false;
	return str_is(m->owner, "java/lang/Object") || find_text(m->owner, LAMBDA) == host.len;
}

static void add_bodies(jclass c, struct run_type *t, facts_vec *facts, struct arena *mem)
{
	struct live_pool pool;

	if (!live_pool_get(c, &pool))
		return;
	struct live_ref m;
	for (uint32_t at = 0; live_pool_next_method(&pool, &at, &m);)
		if (!is_plumbing(&m, t->host)) {
			vec_push(facts, member_text(&m, mem));
			t->nbodies++;
		}
	live_pool_release(&pool);
}

bool type_body(jclass c, struct strbuf *out)
{
	char *sig = type_signature(c);
	facts_vec facts = { 0 };
	struct arena mem;

	arena_init(&mem);
	struct run_type t = sig ? type_named(sig, &mem) : (struct run_type){ 0 };
	if (t.flags & RUN_LAMBDA)
		add_bodies(c, &t, &facts, &mem);
	bool is_one = facts.len == 1;
	if (is_one)
		strbuf_addstr(out, facts.data[0]);
	vec_release(&facts);
	arena_release(&mem);
	agent_free(sig);
	return is_one;
}

/* What makes two rows different: loader, name and, for lambdas, their facts. */
static str_id key_of(const struct run_type *t, const facts_vec *facts)
{
	struct strbuf b = { 0 };

	strbuf_addf(&b, "%u%u", t->loader, t->flags & RUN_HIDDEN);
	strbuf_addstr(&b, t->name);
	for (uint32_t i = 0; i < facts->len; i++) {
		strbuf_addch(&b, ' ');
		strbuf_addstr(&b, facts->data[i]);
	}
	str_id id = intern(&keys, strbuf_str(&b));
	strbuf_release(&b);
	return id;
}

static uint32_t row_of(JNIEnv *jni, jclass c, struct run_type *t, struct arena *mem)
{
	facts_vec facts = { 0 };

	if (t->flags & RUN_LAMBDA) {
		add_interfaces(jni, c, t, &facts, mem);
		add_bodies(c, t, &facts, mem);
	}
	if (!keys.strings.len)
		interner_init(&keys);
	uint32_t before = keys.strings.len;
	uint32_t row = key_of(t, &facts).i - 1;
	if (keys.strings.len > before && log_records()) {
		if (find_text(t->name, "$Proxy") >= 0 && is_proxy(jni, c))
			t->flags |= RUN_PROXY;
		run_put_type(log_records(), t, facts.data);
	}
	vec_release(&facts);
	return row;
}

uint32_t type_of(JNIEnv *jni, jclass c, bool *is_lasting)
{
	char *sig = type_signature(c);
	struct arena mem;

	if (!sig)
		return NO_TYPE;
	arena_init(&mem);
	struct run_type t = type_named(sig, &mem);
	t.loader = (uint8_t)type_loader(jni, c);
	uint32_t row = row_of(jni, c, &t, &mem);
	*is_lasting = t.loader != RUN_OTHER_LOADER && (!(t.flags & RUN_HIDDEN) || (t.flags & RUN_LAMBDA));
	arena_release(&mem);
	agent_free(sig);
	return row;
}
