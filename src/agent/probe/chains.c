/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/probe/chains.h"

#include "agent/probe/chains_p.h"
#include "agent/probe/pool.h"
#include "agent/probe/target.h"
#include "base/digest.h"

struct chains_table chains;

uint32_t chains_count(void)
{
	return chains.nodes.len;
}

void chains_silence(uint32_t body)
{
	if (chains.silent)
		__atomic_store_n(&chains.silent[body], true, __ATOMIC_RELAXED);
}

/* Objects */

jobjectArray chain_array(JNIEnv *jni, uint32_t n)
{
	jobjectArray a = (*jni)->NewObjectArray(jni, (jsize)n, agent.helper, NULL);

	return agent_cleared(jni) ? NULL : a;
}

jobject chain_place(JNIEnv *jni, jint id)
{
	return (*jni)->GetObjectArrayElement(jni, chains.places, id);
}

/* Threads that still have the old array find all that they know of there. */
static bool grow_places(JNIEnv *jni)
{
	jobjectArray more = chain_array(jni, chains.cap ? (uint32_t)chains.cap * 2 : FIRST_PLACES);
	jobjectArray global = more ? (*jni)->NewGlobalRef(jni, more) : NULL;

	if (!global)
		return false;
	for (jsize i = 0; i < chains.cap; i++) {
		jobject o = chain_place(jni, i);
		(*jni)->SetObjectArrayElement(jni, more, i, o);
		(*jni)->DeleteLocalRef(jni, o);
	}
	__atomic_thread_fence(__ATOMIC_RELEASE);
	(*jni)->SetStaticObjectField(jni, agent.helper, chains.all_places, more);
	if (chains.places)
		(*jni)->DeleteGlobalRef(jni, chains.places);
	chains.places = global;
	chains.cap = (*jni)->GetArrayLength(jni, more);
	(*jni)->DeleteLocalRef(jni, more);
	return true;
}

static bool add_page(JNIEnv *jni, jsize at)
{
	jbyteArray page = at < CHAIN_PAGES ? (*jni)->NewByteArray(jni, 1 << CHAIN_PAGE_BITS) : NULL;

	if (agent_cleared(jni) || !page)
		return false;
	(*jni)->SetObjectArrayElement(jni, chains.marks, at, page);
	(*jni)->DeleteLocalRef(jni, page);
	return true;
}

/* Gives the object a number. */
static bool add_place(JNIEnv *jni, jobject o)
{
	jint id = (jint)chains.counted.len;

	if (!(id & ((1 << CHAIN_PAGE_BITS) - 1)) && !add_page(jni, id >> CHAIN_PAGE_BITS))
		return false;
	if (id == chains.cap && !grow_places(jni))
		return false;
	(*jni)->SetIntField(jni, o, chains.probe.id, id);
	(*jni)->SetObjectArrayElement(jni, chains.places, id, o);
	vec_push(&chains.counted, ((struct counted){ NONE, 0 }));
	return true;
}

/* What a call of the place announces. */
static void set_code(JNIEnv *jni, jobject o, jint upper)
{
	jlong code = chain_code(upper, chain_int(jni, o, chains.probe.out), chain_int(jni, o, chains.probe.id));

	(*jni)->SetLongField(jni, o, chains.probe.code, code);
}

static jint level_above(jint level)
{
	return level < CHAIN_LEVELS ? level + 1 : CHAIN_LEVELS;
}

/* `out` is the level outside it, which is the number of the place there. */
static jobject new_probe(JNIEnv *jni, jint method, jint level, jint out)
{
	jobject o = (*jni)->AllocObject(jni, agent.helper);

	if (agent_cleared(jni) || !o || !add_place(jni, o))
		return NULL;
	(*jni)->SetIntField(jni, o, chains.probe.method, method);
	(*jni)->SetIntField(jni, o, chains.probe.level, level);
	(*jni)->SetIntField(jni, o, chains.probe.out, out);
	(*jni)->SetIntField(jni, o, chains.probe.to, chain_int(jni, o, chains.probe.id));
	(*jni)->SetIntField(jni, o, chains.probe.site, -1);
	(*jni)->SetIntField(jni, o, chains.probe.type, -1);
	set_code(jni, o, CHAIN_ASLEEP);
	return o;
}

/* A node, or one that is limited, gets a place for what its calls lead to. */
static bool open_body(JNIEnv *jni, jobject o, uint32_t body)
{
	jobjectArray kids = chain_array(jni, chain_plan()->bodies.data[body].nsites);

	if (!kids)
		return false;
	(*jni)->SetObjectField(jni, o, chains.probe.kids, kids);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	(*jni)->SetIntField(jni, o, chains.probe.method, (jint)body);
	(*jni)->DeleteLocalRef(jni, kids);
	return true;
}

/* Records */

static uint32_t code_row(uint32_t class)
{
	const struct plan_class *c = &agent.plan.classes.data[class];

	if (!chains.codes[class]) {
		run_put_code(log_records(), &(struct run_code){ c->name, c->chain_key });
		chains.codes[class] = ++chains.ncodes;
	}
	return chains.codes[class] - 1;
}

struct place {                        /* what tells nodes apart */
	uint32_t parent, level, call, type, body;
};

static uint64_t key_of(const struct place *p)
{
	uint64_t d = digest_u32(digest_u32(DIGEST_START, p->parent), p->parent == NONE ? p->level : p->call);

	return digest_u32(digest_u32(d, p->type), p->body);
}

/* The node of a place; its record is put when it is new. */
static uint32_t node_of(const struct place *p)
{
	uint32_t *known = map_at(&chains.by_key, key_of(p));
	uint32_t class = chain_plan()->bodies.data[p->body].class;

	if (*known)
		return *known - 1;
	*known = chains.nodes.len + 1;
	vec_push(&chains.nodes, ((struct node){ p->parent, 0, p->body }));
	struct run_node n = { .parent = p->parent, .level = p->level, .type = p->type, .code = code_row(class),
			      .body = p->body - agent.plan.classes.data[class].first_body };
	if (p->parent != NONE) {
		const struct node *up = &chains.nodes.data[p->parent];
		vec_last(&chains.nodes)->depth = up->depth + 1;
		n.call = p->call - agent.plan.classes.data[chain_plan()->bodies.data[up->body].class].first_call;
	}
	run_put_node(log_records(), &n);
	return chains.nodes.len - 1;
}

/* The object becomes one that counts for the node. */
static void be_node(JNIEnv *jni, jobject o, const struct place *p)
{
	uint32_t node = node_of(p);

	(*jni)->SetIntField(jni, o, chains.probe.site, (jint)node);
	chains.counted.data[chain_int(jni, o, chains.probe.id)].node = node;
}

/* Entries */

static jobject make_root(JNIEnv *jni, jobject out, uint32_t body)
{
	jint level = chain_int(jni, out, chains.probe.level);
	jobjectArray roots = (*jni)->GetObjectField(jni, out, chains.probe.kids);
	jobject r = (*jni)->GetObjectArrayElement(jni, roots, (jsize)body);
	struct place at = { .parent = NONE, .level = (uint32_t)level, .type = NONE, .body = body };

	if (r)
		return r;                             /* another thread was here first */
	r = new_probe(jni, (jint)body, level, level_above(level));
	if (!r || !open_body(jni, r, body))
		return NULL;
	be_node(jni, r, &at);
	(*jni)->SetBooleanField(jni, r, chains.probe.root, JNI_TRUE);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	(*jni)->SetObjectArrayElement(jni, roots, (jsize)body, r);
	return r;
}

/* Chains that are too long are at one node for each body and level: all that is known there is where the component is left. */
static jobject limited_node(JNIEnv *jni, jint level, uint32_t body)
{
	jobjectArray all = chains.limited[level];

	if (!all) {
		jobjectArray a = chain_array(jni, chain_plan()->bodies.len);
		all = chains.limited[level] = a ? (*jni)->NewGlobalRef(jni, a) : NULL;
	}
	jobject o = all ? (*jni)->GetObjectArrayElement(jni, all, (jsize)body) : NULL;
	if (o || !all)
		return o;
	o = new_probe(jni, (jint)body, level, level_above(level));
	if (!o || !open_body(jni, o, body))
		return NULL;
	set_code(jni, o, (jint)body);                 /* it counts nothing, and never sleeps */
	(*jni)->SetObjectArrayElement(jni, all, (jsize)body, o);
	return o;
}

/* What a call runs */

static uint32_t body_named(struct str class, struct str name, struct str desc)
{
	uint32_t row = plan_find_class(&agent.plan, class);

	return row == NONE ? NONE : plan_find_body(&agent.plan, row, name, desc);
}

uint32_t chain_body_in(jclass c, struct str name, struct str desc)
{
	char *sig = c ? type_signature(c) : NULL;
	uint32_t body = NONE;
	struct arena mem;

	if (!sig)
		return NONE;
	arena_init(&mem);
	struct run_type t = type_named(sig, &mem);
	if (!(t.flags & RUN_HIDDEN))
		body = body_named(t.name, name, desc);
	arena_release(&mem);
	agent_free(sig);
	return body;
}

/* Is it the class of a lambda that the component has? */
static bool is_own_lambda(jclass c)
{
	char *sig = type_signature(c);
	struct arena mem;

	if (!sig)
		return false;
	arena_init(&mem);
	struct run_type t = type_named(sig, &mem);
	bool is = (t.flags & RUN_LAMBDA) && plan_find_class(&agent.plan, t.host) != NONE;
	arena_release(&mem);
	agent_free(sig);
	return is;
}

/* NONE: no body. OWN_LAMBDA: what a lambda of the component has instead of one. */
#define OWN_LAMBDA (NONE - 1)
static uint32_t target_body(JNIEnv *jni, jclass c, uint32_t call)
{
	const struct plan_site *s = &chain_plan()->calls.data[call];
	jclass declares = target_of(jni, c, s, &chains.modes[call]);
	bool is_lambda = declares && (*jni)->IsSameObject(jni, declares, c) && is_own_lambda(c);
	uint32_t body = is_lambda ? OWN_LAMBDA : chain_body_in(declares, s->name, s->desc);

	(*jni)->DeleteLocalRef(jni, declares);
	return body;
}

static uint32_t known_target(JNIEnv *jni, jclass c, uint32_t call, uint32_t type, bool is_lasting)
{
	uint32_t *known = map_at(&chains.targets, map_key(call + 1, type));

	if (*known && is_lasting)
		return *known - 2;
	uint32_t body = target_body(jni, c, call);
	*map_at(&chains.targets, map_key(call + 1, type)) = body + 2;     /* NONE becomes 1, OWN_LAMBDA 0, which is not kept */
	return body;
}

static bool dotted_is(struct str internal, struct str dotted)
{
	if (internal.len != dotted.len)
		return false;
	for (uint32_t i = 0; i < dotted.len; i++)
		if ((internal.p[i] == '/' ? '.' : internal.p[i]) != dotted.p[i])
			return false;
	return true;
}

/* The body that the class of a lambda was made for, where it is one that javac made; else NONE. */
static uint32_t lambda_body(jclass c)
{
	static const char made[] = "lambda$";
	struct live_pool pool;
	struct live_ref ref;
	uint32_t body = NONE;

	if (!live_pool_get(c, &pool))
		return NONE;
	for (uint32_t at = 0; live_pool_next_method(&pool, &at, &ref);)
		for (uint32_t i = 0; ref.name.len > 7 && !memcmp(ref.name.p, made, 7) && i < agent.plan.classes.len; i++)
			if (dotted_is(ref.owner, agent.plan.classes.data[i].name))
				body = plan_find_body(&agent.plan, i, ref.name, ref.desc);
	live_pool_release(&pool);
	return body;
}

/* Calls */

struct call {                         /* of node n, with what is found out about it */
	JNIEnv *jni;
	jobject n;
	uint32_t at;                  /* among the calls of the body of n */
	uint32_t row;                 /* of the plan */
	jclass class;                 /* of the receiver; NULL: it is not dispatched */
	uint32_t type;
	bool is_lasting;
	jint level, out;
};

static bool is_recursive(uint32_t node, uint32_t body, uint32_t *ancestor)
{
	for (uint32_t i = node; i != NONE; i = chains.nodes.data[i].parent)
		if (chains.nodes.data[i].body == body) {
			*ancestor = i;
			return true;
		}
	return false;
}

/* The object above n, or n itself, that stands for the node. */
static jobject object_above(JNIEnv *jni, jobject n, uint32_t node)
{
	jobject o = (*jni)->NewLocalRef(jni, n);

	while (o && (uint32_t)chain_int(jni, o, chains.probe.site) != node) {
		jobject up = (*jni)->GetObjectField(jni, o, chains.probe.up);
		(*jni)->DeleteLocalRef(jni, o);
		o = up;
	}
	return o;
}

/* Where a call of the body leads that no node of its own stands for; NULL: it has one. */
static jobject elsewhere(struct call *c, uint32_t body)
{
	jint node = chain_int(c->jni, c->n, chains.probe.site);
	uint32_t ancestor;

	if (node < 0)
		return limited_node(c->jni, c->level, body);
	if (chain_plan()->backedges && is_recursive((uint32_t)node, body, &ancestor))
		return object_above(c->jni, c->n, ancestor);
	if (chain_plan()->k && chains.nodes.data[node].depth >= chain_plan()->k)
		return limited_node(c->jni, c->level, body);
	return NULL;
}

static jobject new_call(struct call *c, jint method)
{
	JNIEnv *jni = c->jni;
	jobject v = new_probe(jni, method, c->level, c->out);
	jobject weak = v && c->class && !c->is_lasting ? weak_of(jni, c->class) : NULL;

	if (!v || (c->class && !c->is_lasting && !weak))
		return NULL;
	if (c->class)
		(*jni)->SetObjectField(jni, v, weak ? chains.probe.w : chains.probe.k, weak ? weak : c->class);
	(*jni)->SetObjectField(jni, v, chains.probe.up, c->n);
	(*jni)->SetIntField(jni, v, chains.probe.call, (jint)c->row);
	(*jni)->SetIntField(jni, v, chains.probe.type, (jint)c->type);
	return v;
}

static struct place place_of(JNIEnv *jni, jobject v, uint32_t body)
{
	jobject up = (*jni)->GetObjectField(jni, v, chains.probe.up);
	struct place p = { .parent = (uint32_t)chain_int(jni, up, chains.probe.site), .body = body,
			   .call = (uint32_t)chain_int(jni, v, chains.probe.call),
			   .type = (uint32_t)chain_int(jni, v, chains.probe.type) };

	(*jni)->DeleteLocalRef(jni, up);
	return p;
}

static jobject call_outside(struct call *c)
{
	jobject v = new_call(c, CHAIN_OUTSIDE);

	if (v)
		set_code(c->jni, v, CHAIN_OUTSIDE);
	return v;
}

/* A call that leads to another node: one above it, which then counts, or one that is limited. */
static jobject call_elsewhere(struct call *c, jobject to)
{
	bool counts = chain_int(c->jni, to, chains.probe.site) >= 0;
	jobject v = new_call(c, counts ? CHAIN_BACK : CHAIN_OUTSIDE);

	if (v && counts)
		(*c->jni)->SetObjectField(c->jni, v, chains.probe.first, to);
	else if (v)
		(*c->jni)->SetLongField(c->jni, v, chains.probe.code, (*c->jni)->GetLongField(c->jni, to, chains.probe.code));
	return v;
}

/* A body that has no probes, as a native method, is counted where it is called, and then outside. */
static jobject call_silent(struct call *c, uint32_t body, bool counts)
{
	jobject v = call_outside(c);

	if (v && counts) {
		struct place p = place_of(c->jni, v, body);
		be_node(c->jni, v, &p);
		vec_push(&chains.callers, (uint32_t)chain_int(c->jni, v, chains.probe.id));
	}
	return v;
}

static jobject call_body(struct call *c, uint32_t body)
{
	jobject to = elsewhere(c, body);

	if (!chain_plan()->bodies.data[body].code || chains.silent[body])
		return call_silent(c, body, !to);
	return to ? call_elsewhere(c, to) : new_call(c, CHAIN_EXPECTED - (jint)body);
}

static jobject call_lambda(struct call *c)
{
	uint32_t body = lambda_body(c->class);

	return body != NONE ? call_body(c, body) : new_call(c, CHAIN_LAMBDA);
}

static jobject make_call(struct call *c)
{
	uint32_t only = chain_plan()->callees.data[c->row];

	if (only)
		return call_body(c, only - 1);
	uint32_t body = known_target(c->jni, c->class, c->row, c->type, c->is_lasting);
	if (body == OWN_LAMBDA)
		return call_lambda(c);
	return body == NONE ? call_outside(c) : call_body(c, body);
}

/* Is the call of the list about this class? One whose class is gone, and was of the same name, can be taken over. */
static bool is_about(struct call *c, jobject v)
{
	JNIEnv *jni = c->jni;
	jobject k = (*jni)->GetObjectField(jni, v, chains.probe.k), w = (*jni)->GetObjectField(jni, v, chains.probe.w);
	jobject of = k ? k : weak_target(jni, w);
	bool is = (*jni)->IsSameObject(jni, of, c->class);

	if (!is && w && !of && !c->is_lasting && (uint32_t)chain_int(jni, v, chains.probe.type) == c->type) {
		jobject weak = weak_of(jni, c->class);
		if (weak)
			(*jni)->SetObjectField(jni, v, chains.probe.w, weak);
		is = weak != NULL;
	}
	(*jni)->DeleteLocalRef(jni, w);
	(*jni)->DeleteLocalRef(jni, of);
	return is;
}

/* The call in the list that begins with `first`, and the last one otherwise. */
static jobject find_call(struct call *c, jobject first, jobject *last)
{
	jobject v = first;

	while (v && !is_about(c, v)) {
		*last = v;
		v = (*c->jni)->GetObjectField(c->jni, v, chains.probe.next);
	}
	return v;
}

static jobject find_or_make(struct call *c)
{
	JNIEnv *jni = c->jni;
	jobjectArray kids = (*jni)->GetObjectField(jni, c->n, chains.probe.kids);
	jobject last = NULL;
	jobject v = find_call(c, (*jni)->GetObjectArrayElement(jni, kids, (jsize)c->at), &last);

	if (v)
		return v;
	v = make_call(c);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	if (v && last)
		(*jni)->SetObjectField(jni, last, chains.probe.next, v);
	else if (v)
		(*jni)->SetObjectArrayElement(jni, kids, (jsize)c->at, v);
	return v;
}

/* Native methods of SherdProbe. Local references go with the frame of the native method. */

jobject chain_ask(void (*fn)(void *), struct question q)
{
	struct question x = q;

	if (agent_is(&agent.is_closed))
		return NULL;
	bool ok = guarded(fn, &x);
	agent_cleared(q.jni);
	return ok ? x.answer : NULL;
}

static void answer_link(void *ctx)
{
	struct question *q = ctx;
	struct call c = { .jni = q->jni, .n = q->b, .at = q->number, .class = q->a, .type = NONE };

	if (!probe_begin())
		return;
	uint32_t body = (uint32_t)chain_int(c.jni, c.n, chains.probe.method);
	c.row = chain_plan()->bodies.data[body].first_site + c.at;
	c.level = chain_int(c.jni, c.n, chains.probe.level);
	c.out = chain_int(c.jni, c.n, chains.probe.out);
	if (c.class)
		c.type = type_of(c.jni, c.class, &c.is_lasting);
	bool is_known = c.class ? c.type != NO_TYPE : chain_plan()->callees.data[c.row] != 0;
	if (log_records() && is_known)
		q->answer = find_or_make(&c);
	probe_end();
}

static jobject JNICALL link_call(JNIEnv *jni, jclass helper, jclass c, jint call, jobject n)
{
	(void)helper;
	return chain_ask(answer_link, (struct question){ jni, c, n, (uint32_t)call, NULL });
}

static void answer_root(void *ctx)
{
	struct question *q = ctx;

	if (!probe_begin())
		return;
	if (log_records())
		q->answer = make_root(q->jni, q->a, q->number);
	probe_end();
}

static jobject JNICALL root(JNIEnv *jni, jclass helper, jobject out, jint body)
{
	(void)helper;
	return chain_ask(answer_root, (struct question){ jni, out, NULL, (uint32_t)body, NULL });
}

/* A node that is entered for the first time. */
static jobject be_entered(JNIEnv *jni, jobject v, uint32_t body)
{
	struct place p = place_of(jni, v, body);

	be_node(jni, v, &p);
	return open_body(jni, v, body) ? v : NULL;
}

static jobject listed_body(JNIEnv *jni, jobject lambda, uint32_t body)
{
	jobject v = (*jni)->GetObjectField(jni, lambda, chains.probe.first);

	while (v && (uint32_t)chain_int(jni, v, chains.probe.method) != body)
		v = (*jni)->GetObjectField(jni, v, chains.probe.next);
	return v ? chain_place(jni, chain_int(jni, v, chains.probe.to)) : NULL;
}

static jobject new_body(struct call *c, jobject lambda, uint32_t body)
{
	JNIEnv *jni = c->jni;
	jobject to = elsewhere(c, body), v = new_call(c, (jint)body);

	if (!v || (!to && !be_entered(jni, v, body)))
		return NULL;
	if (to)
		(*jni)->SetIntField(jni, v, chains.probe.to, chain_int(jni, to, chains.probe.id));
	(*jni)->SetObjectField(jni, v, chains.probe.next, (*jni)->GetObjectField(jni, lambda, chains.probe.first));
	(*jni)->SetObjectField(jni, lambda, chains.probe.first, v);
	return to ? to : v;
}

/* A body is entered after the call of a lambda. It is what the lambda runs if that is what called it: what overrides a method that it
 * names may call the method that it overrides. */
static jobject enter_lambda(JNIEnv *jni, jobject lambda, uint32_t body)
{
	jobject k = (*jni)->GetObjectField(jni, lambda, chains.probe.k);
	struct call c = { .jni = jni, .n = (*jni)->GetObjectField(jni, lambda, chains.probe.up),
			  .class = k ? k : weak_target(jni, (*jni)->GetObjectField(jni, lambda, chains.probe.w)),
			  .row = (uint32_t)chain_int(jni, lambda, chains.probe.call), .is_lasting = k != NULL,
			  .type = (uint32_t)chain_int(jni, lambda, chains.probe.type),
			  .level = chain_int(jni, lambda, chains.probe.level),
			  .out = chain_int(jni, lambda, chains.probe.out) };

	bool is_initialiser = str_is(chain_plan()->bodies.data[body].name, "<clinit>");      /* the JVM calls it */
	if (!c.class || is_initialiser || !chain_is_caller(jni, c.class))
		return NULL;
	jobject known = listed_body(jni, lambda, body);
	return known ? known : new_body(&c, lambda, body);
}

static void answer_made(void *ctx)
{
	struct question *q = ctx;

	if (!probe_begin())
		return;
	jint method = chain_int(q->jni, q->a, chains.probe.method);
	if (!log_records())
		q->answer = NULL;
	else if (method == (jint)q->number)           /* another thread was here first */
		q->answer = q->a;
	else if (method == CHAIN_EXPECTED - (jint)q->number)
		q->answer = be_entered(q->jni, q->a, q->number);
	else if (method == CHAIN_LAMBDA)
		q->answer = enter_lambda(q->jni, q->a, q->number);
	probe_end();
}

static jobject JNICALL made(JNIEnv *jni, jclass helper, jobject p, jint body)
{
	(void)helper;
	return chain_ask(answer_made, (struct question){ jni, p, NULL, (uint32_t)body, NULL });
}

/* Start */

#define NATIVE(name, desc, fn) { (char *)(uintptr_t)(name), (char *)(uintptr_t)(desc), (void *)(uintptr_t)(fn) }

bool chains_bind(JNIEnv *jni, jclass probe)
{
	JNINativeMethod natives[] = {
		NATIVE("root", CHAIN_ROOT, root), NATIVE("made", CHAIN_MADE, made), NATIVE("link", CHAIN_LINK, link_call),
		NATIVE("settle", CHAIN_SETTLE, chain_settle), NATIVE("grow", CHAIN_GROW, chain_grow),
	};

	return !(*jni)->RegisterNatives(jni, probe, natives, ARRAY_LEN(natives));
}

static bool find_fields(JNIEnv *jni)
{
	const struct { jfieldID *to; jclass of; const char *name, *desc; } all[] = {
		{ &chains.probe.k, agent.helper, "k", "Ljava/lang/Class;" }, { &chains.probe.w, agent.helper, "w", PROBE_WEAK },
		{ &chains.probe.site, agent.helper, "site", "I" }, { &chains.probe.next, agent.helper, "next", PROBE_SELF },
		{ &chains.probe.kids, agent.helper, "kids", "[" PROBE_SELF }, { &chains.probe.out, agent.helper, "out", "I" },
		{ &chains.probe.id, agent.helper, "id", "I" }, { &chains.probe.to, agent.helper, "to", "I" },
		{ &chains.probe.code, agent.helper, "code", "J" }, { &chains.probe.n, agent.helper, "n", "J" },
		{ &chains.probe.seen, agent.helper, "seen", "J" },
		{ &chains.probe.up, agent.helper, "up", PROBE_SELF },
		{ &chains.probe.first, agent.helper, "first", PROBE_SELF }, { &chains.probe.method, agent.helper, "method", "I" },
		{ &chains.probe.level, agent.helper, "level", "I" }, { &chains.probe.call, agent.helper, "call", "I" },
		{ &chains.probe.type, agent.helper, "type", "I" }, { &chains.probe.root, agent.helper, "root", "Z" },
		{ &chains.thread.next, threads_class(), "next", "J" },
		{ &chains.thread.saved, threads_class(), "saved", "[J" },
		{ &chains.thread.constructors, threads_class(), "constructors", "[" PROBE_SELF },
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (!(*all[i].to = (*jni)->GetFieldID(jni, all[i].of, all[i].name, all[i].desc)))
			return false;
	return true;
}

static jobject new_static(JNIEnv *jni, const char *name, const char *desc, jobject made)
{
	jfieldID f = made ? (*jni)->GetStaticFieldID(jni, agent.helper, name, desc) : NULL;

	if (f)
		(*jni)->SetStaticObjectField(jni, agent.helper, f, made);
	return f ? (*jni)->NewGlobalRef(jni, made) : NULL;
}

static bool make_marks(JNIEnv *jni)
{
	jclass bytes = (*jni)->FindClass(jni, "[B");
	jobject marks = bytes ? (*jni)->NewObjectArray(jni, CHAIN_PAGES, bytes, NULL) : NULL;

	chains.marks = new_static(jni, "marks", "[[B", marks);
	chains.all_places = (*jni)->GetStaticFieldID(jni, agent.helper, "places", "[" PROBE_SELF);
	return chains.marks && chains.all_places && new_static(jni, "pages", "[B", (*jni)->NewByteArray(jni, CHAIN_PAGES));
}

/* The first places: their numbers are their levels. */
static bool make_outs(JNIEnv *jni)
{
	for (jint i = 0; i < LEVELS; i++) {
		jobject o = new_probe(jni, CHAIN_OUTSIDE, i, i);
		jobjectArray roots = o ? chain_array(jni, chain_plan()->bodies.len) : NULL;
		if (!roots)
			return false;
		(*jni)->SetObjectField(jni, o, chains.probe.kids, roots);
		set_code(jni, o, CHAIN_OUTSIDE);
		(*jni)->DeleteLocalRef(jni, roots);
		(*jni)->DeleteLocalRef(jni, o);
	}
	return true;
}

bool chains_init(JNIEnv *jni)
{
	chains.codes = mem_zalloc((agent.plan.classes.len + 1) * sizeof(*chains.codes));
	chains.silent = mem_zalloc((chain_plan()->bodies.len + 1) * sizeof(*chains.silent));
	chains.modes = mem_zalloc(chain_plan()->calls.len + 1);
	bool ok = find_fields(jni) && make_marks(jni) && make_outs(jni) && chain_counts_init(jni);
	return !agent_cleared(jni) && ok;
}
