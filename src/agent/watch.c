/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/watch.h"

#include "agent/agent_p.h"
#include "agent/dynamic/hooks.h"
#include "agent/dynamic/moves.h"
#include "agent/fields/shadows.h"
#include "agent/follow.h"
#include "agent/guard.h"
#include "agent/log.h"
#include "agent/match.h"
#include "agent/probe/callbacks.h"
#include "agent/probe/chains.h"
#include "agent/probe/probe_class.h"
#include "agent/say.h"
#include "agent/tests.h"
#include "agent/track.h"
#include "agent/probe/types.h"
#include "base/digest.h"
#include "base/map.h"
#include "rewrite/rewrite.h"

#define NO_CLASS UINT32_MAX
enum { MANY_CLASSES = 60000, LONG_TEXT = 500 };       /* local references that we announce; of reasons */

struct outcome {                      /* of one class */
	uint32_t class;
	uint8_t state;
	uint32_t *unwatched;          /* sites, numbered within the class, ascending; on the heap */
	uint32_t missed;              /* of them */
	char *text;                   /* on the heap; NULL: none */
};
typedef VEC(struct outcome) outcome_vec;

static struct {
	uint32_t *row;                /* by class of the plan: its first record + 1 */
	struct map told;              /* digests of records that were put */
	uint32_t rows;
	outcome_vec held;             /* while classes are retransformed: good only if that succeeds */
	bool holds;
} watch;

/* Records */

static void outcome_release(struct outcome *o)
{
	free(o->unwatched);
	free(o->text);
}

static void prepare_tables(void)
{
	if (!watch.row)
		watch.row = mem_zalloc((agent.plan.classes.len + 1) * sizeof(*watch.row));
}

/* False: the same was told before. Once is enough, however many loaders have the class. */
static bool mark_told(const struct outcome *o)
{
	uint64_t d = digest_u32(digest_u32(DIGEST_START, o->class), o->state);

	d = digest_add(d, o->unwatched, o->missed * sizeof(*o->unwatched));
	uint32_t *told = map_at(&watch.told, d);
	bool is_new = !*told;
	*told = 1;
	return is_new;
}

static void tell(const struct outcome *o)
{
	static const char *const states[] = { "watched", "another class file", "another class file, not watched", "not watched" };
	const struct plan_class *c = &agent.plan.classes.data[o->class];

	if (agent.opt.is_debug)
		say_more("%.*s: %s, %u of %u calls%s%s", (int)c->name.len, c->name.p, states[o->state],
			 (unsigned)(c->nsites - o->missed), (unsigned)c->nsites, o->text ? ": " : "", o->text ? o->text : "");
}

/* Hold the lock. */
static void put_outcome(const struct outcome *o)
{
	const struct plan_class *c = &agent.plan.classes.data[o->class];
	struct strbuf *out = log_records();

	prepare_tables();
	if (!out || !mark_told(o))
		return;
	tell(o);
	run_put_class(out, &(struct run_class){ .name = c->name, .key = c->key, .state = o->state, .missed = o->missed,
						.text = o->text ? str_of(o->text) : STR("") }, o->unwatched);
	watch.rows++;
	if (!watch.row[o->class])
		watch.row[o->class] = watch.rows;
}

/* Takes what the outcome owns. It is held back when it is about a class that is retransformed. Once the agent is closed nobody
 * waits for it any more: whoever held outcomes back may have left without memory. */
static void settle(struct outcome *o, bool is_again)
{
	agent_lock();
	if (watch.holds && is_again && !agent_is(&agent.is_closed)) {
		vec_push(&watch.held, *o);
	} else {
		put_outcome(o);
		outcome_release(o);
	}
	agent_unlock();
}

uint32_t watch_row(uint32_t class)
{
	prepare_tables();
	if (!watch.row[class])                /* its record is held back: a thread was faster than the retransformation */
		put_outcome(&(struct outcome){ .class = class, .state = RUN_WATCHED });
	return watch.row[class] ? watch.row[class] - 1 : 0;
}

uint32_t watch_class_of(uint32_t site)
{
	return agent.plan.methods.data[agent.plan.sites.data[site].method].class;
}

/* Rewriting */

struct job {
	const struct classfile *cf;
	uint32_t class;               /* of the plan, or NO_CLASS */
	struct str name;              /* internal */
	struct arena *mem;
	struct pool *pool;
	struct method_edit *edits;
	uint32_t nedits;
	struct new_field *shadows;    /* fields that the class gets */
	uint32_t nshadows;
	bool *is_watched;             /* by site within the class */
	bool is_hooked;               /* it tells about tests */
	bool is_noted;                /* it tells what dynamic features do */
	bool is_changed;              /* a method's code is not the plan's */
	bool is_again;                /* it was loaded before */
	const char *failed;           /* why a site could not get its probe */
	bool *is_untracked;           /* by method: chains through it, or what it is called back by, are not followed */
	const char *untracked;        /* why not, of the last one; NULL: all are */
};

static bool add_hook(struct job *j, const struct cf_member *m, struct insertion *out)
{
	enum tests_kind kind;

	if (!j->is_hooked || !tests_hook(j->name, cf_utf8(j->cf, m->name), cf_utf8(j->cf, m->desc), &kind))
		return false;
	return probe_entry(j->cf, m, j->pool, PROBE_CLASS, "test", (uint32_t)kind, j->mem, out);
}

static uint32_t first_site(const struct job *j)
{
	return agent.plan.classes.data[j->class].first_site;
}

/* By pc, what is at the entry first; others keep their order. */
static void sort_insertions(struct insertion *in, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct insertion x = in[i];
		uint32_t k = i;

		for (; k > 0 && (in[k - 1].pc > x.pc || (in[k - 1].pc == x.pc && x.entry && !in[k - 1].entry)); k--)
			in[k] = in[k - 1];
		in[k] = x;
	}
}

static uint32_t most_hooks(const struct job *j, const struct cf_member *m)
{
	return j->is_noted && m->code ? HOOKS_MOST((uint32_t)cf_code(j->cf, m).code.len) : 0;
}

/* A call whose receiver counts. */
static void watch_call(struct job *j, const struct probes *p, const struct match *at, struct insertion *in, uint32_t *made)
{
	if (probe_receiver(p, at->pc, "hit", at->site, &in[*made])) {
		j->is_watched[at->site - first_site(j)] = true;
		++*made;
	} else {
		j->failed = "its constant pool or the locals of a method are full";
	}
}

/* The sites of a method, *n of them. */
static struct match *sites_of(struct job *j, const struct cf_member *m, uint32_t *n)
{
	uint32_t row = plan_find_method(&agent.plan, j->class, cf_utf8(j->cf, m->name), cf_utf8(j->cf, m->desc));
	bool is_other;

	*n = 0;
	if (row == UINT32_MAX)
		return NULL;
	struct match *at = match_method(&agent.plan.methods.data[row], agent.plan.sites.data, j->cf, m, j->mem, n, &is_other);
	j->is_changed |= is_other;
	return at;
}

static void watch_calls(struct job *j, const struct probes *p, struct insertion *in, uint32_t *made)
{
	uint32_t n;
	struct match *at = sites_of(j, p->m, &n);

	for (uint32_t i = 0; i < n; i++)
		if (!(agent.plan.sites.data[at[i].site].flags & PLAN_NO_RECEIVERS))
			watch_call(j, p, &at[i], in, made);
}

/* Is the method to be followed, so that what calls it back is known? */
static bool is_followed(const struct job *j, const struct cf_member *m)
{
	return j->class != NO_CLASS && m->code && (agent.plan.criteria & PLAN_CALLBACKS) && !j->is_untracked[m - j->cf->methods];
}

static bool is_for_callbacks(const struct plan_site *s)
{
	return (s->flags & PLAN_NO_RECEIVERS) && !(s->flags & PLAN_FIELD);
}

/* NULL, or why it cannot be. */
static const char *follow(struct job *j, const struct probes *p, struct insertion *in, uint32_t *made, struct method_edit *e)
{
	uint32_t n, number = callbacks_number(j->class, cf_utf8(j->cf, p->m->name), cf_utf8(j->cf, p->m->desc));
	struct match *at = sites_of(j, p->m, &n);
	const char *why = follow_method(&agent.plan, number, p, at, n, in, made, e);

	for (uint32_t i = 0; !why && i < n; i++)
		j->is_watched[at[i].site - first_site(j)] |= is_for_callbacks(&agent.plan.sites.data[at[i].site]);
	return why;
}

static bool has_fields(const struct job *j, const struct cf_member *m)
{
	return j->class != NO_CLASS && m->code && (agent.plan.criteria & PLAN_DU);
}

static void watch_fields(struct job *j, const struct probes *p, struct insertion *in, uint32_t *made)
{
	uint32_t n;
	struct match *at = sites_of(j, p->m, &n);
	const char *why = shadows_edit(p, j->class, at, n, in, made, j->is_watched, first_site(j));

	j->failed = why ? why : j->failed;
}

/* The body of a plan with chains that the method is; UINT32_MAX: none, or it cannot be tracked. */
static uint32_t tracked_body(const struct job *j, const struct cf_member *m)
{
	if (j->class == NO_CLASS || !m->code || !(agent.plan.criteria & PLAN_CHAINS) || j->is_untracked[m - j->cf->methods])
		return UINT32_MAX;
	return plan_find_body(&agent.plan, j->class, cf_utf8(j->cf, m->name), cf_utf8(j->cf, m->desc));
}

/* The sites of a method have no probe. */
static void unwatch(struct job *j, const struct cf_member *m)
{
	const struct plan *p = &agent.plan;
	uint32_t row = plan_find_method(p, j->class, cf_utf8(j->cf, m->name), cf_utf8(j->cf, m->desc));

	if (row == UINT32_MAX)
		return;
	const struct plan_method *pm = &p->methods.data[row];
	for (uint32_t i = 0; i < pm->nsites; i++)
		j->is_watched[pm->first_site + i - first_site(j)] = false;
}

static void untrack(struct job *j, uint32_t method, const char *why)
{
	const struct cf_member *m = &j->cf->methods[method];
	uint32_t body = plan_find_body(&agent.plan, j->class, cf_utf8(j->cf, m->name), cf_utf8(j->cf, m->desc));

	j->is_untracked[method] = true;
	j->untracked = why;
	if (agent.plan.criteria & PLAN_CALLBACKS) {
		unwatch(j, m);
		j->failed = why;
	}
	if (body != UINT32_MAX)
		chains_silence(body);
}

static uint32_t most_insertions(const struct job *j, const struct cf_member *m)
{
	uint32_t calls = j->class == NO_CLASS || !m->code ? 0 : (uint32_t)cf_code(j->cf, m).code.len;

	return 2 + calls + most_hooks(j, m) + (calls ? track_most(j->cf, m) + follow_most(j->cf, m) + shadows_most(j->cf, m) : 0);
}

static bool tells_starts(struct str internal)
{
	return (agent.plan.criteria & PLAN_CALLBACKS) && str_is(internal, CALLBACKS_THREAD);
}

/* The thread that is started is to know which call did. */
static bool add_start(struct job *j, const struct cf_member *m, struct insertion *out)
{
	static const uint16_t self[] = { 0 };

	return tells_starts(j->name) && str_is(cf_utf8(j->cf, m->name), "start") && str_is(cf_utf8(j->cf, m->desc), "()V") &&
	       probe_at(j->cf, m, 0, j->pool, PROBE_CLASS, "starts", self, 1, 0, j->mem, out);
}

static void edit_method(struct job *j, uint32_t method)
{
	const struct cf_member *m = &j->cf->methods[method];
	if (j->is_noted && (is_followed(j, m) || tracked_body(j, m) != UINT32_MAX))   /* both would take the same locals */
		untrack(j, method, "what its class does is recorded: leave out --record-dynamic");
	uint32_t made = 0, body = tracked_body(j, m);
	bool has_local = (body != UINT32_MAX || is_followed(j, m)) && !track_is_leaf(j->cf, m);
	const char *local = body != UINT32_MAX ? TRACK_LOCAL : CALLBACKS_LOCAL;
	struct probes p = { j->cf, m, j->pool, j->mem, PROBE_CLASS, has_local ? local : NULL };
	struct insertion *in = arena_array(j->mem, struct insertion, most_insertions(j, m));
	struct method_edit edit = { .method = method, .insertions = in, .keeps_moves = agent.opt.dynamic };

	made += add_hook(j, m, &in[made]);
	if (j->class != NO_CLASS)
		watch_calls(j, &p, in, &made);
	if (has_fields(j, m))
		watch_fields(j, &p, in, &made);
	const char *why = body != UINT32_MAX ? track_method(&agent.plan, body, &p, in, &made, &edit) :
			  is_followed(j, m)  ? follow(j, &p, in, &made, &edit) : NULL;
	made += add_start(j, m, &in[made]);
	if (why) {                            /* others were laid out for its local */
		untrack(j, method, why);
		edit_method(j, method);
		return;
	}
	if (j->is_noted && m->code)
		made += hooks_edit(j->cf, m, j->pool, j->mem, in + made);
	sort_insertions(in, made);
	edit.n = made;
	if (made)
		j->edits[j->nedits++] = edit;
}

/* Methods that chains make too long are tried again without. */
static bool untrack_failed(struct job *j)
{
	bool has_any = false;

	for (uint32_t i = 0; i < j->nedits; i++) {
		if (!j->edits[i].failed || !j->edits[i].local)
			continue;
		untrack(j, j->edits[i].method, j->edits[i].failed);
		has_any = true;
	}
	return has_any;
}

static struct span edit_class(struct job *j)
{
	struct span out = { 0 };

	do {
		j->nedits = 0;
		for (uint32_t i = 0; i < j->cf->nmethods; i++)
			edit_method(j, i);
		if (j->nedits || j->nshadows)
			out = rewrite_with_fields(j->cf, j->pool, j->edits, j->nedits, j->shadows, j->nshadows, j->mem);
	} while (untrack_failed(j));
	return out;
}

/* "method p.C.m()V is not watched: its code would be longer than 65535 bytes"; several: separated by semicolons */
static void add_failure(struct job *j, const struct method_edit *e, struct strbuf *text)
{
	const struct cf_member *m = &j->cf->methods[e->method];
	struct str class = agent.plan.classes.data[j->class].name;

	strbuf_adds(text, text->len ? "; method " : "method ");
	strbuf_addstr(text, class);
	strbuf_addch(text, '.');
	strbuf_addstr(text, cf_utf8(j->cf, m->name));
	strbuf_addstr(text, cf_utf8(j->cf, m->desc));
	strbuf_adds(text, " is not watched: ");
	strbuf_adds(text, e->failed);
}

static char *look_at_failures(struct job *j)
{
	struct strbuf text = { 0 };

	for (uint32_t i = 0; i < j->nedits; i++) {
		if (!j->edits[i].failed)
			continue;
		unwatch(j, &j->cf->methods[j->edits[i].method]);
		if (text.len < LONG_TEXT)
			add_failure(j, &j->edits[i], &text);
	}
	if (!text.len && j->failed)
		strbuf_adds(&text, j->failed);
	return text.s;
}

static void report(struct job *j)
{
	uint32_t nsites = agent.plan.classes.data[j->class].nsites;
	struct outcome o = { .class = j->class, .state = RUN_WATCHED };

	o.text = look_at_failures(j);
	o.unwatched = mem_alloc(nsites * sizeof(*o.unwatched));
	for (uint32_t i = 0; i < nsites; i++)
		if (!j->is_watched[i])
			o.unwatched[o.missed++] = i;
	if (o.text)
		o.state = RUN_FAILED;
	else if (nsites && o.missed == nsites)
		o.state = RUN_OTHER;
	else if (j->is_changed || o.missed)
		o.state = RUN_MATCHED;
	settle(&o, j->is_again);
}

/* None of its calls can be watched. `text` is taken. */
static void fail_class(uint32_t class, char *text, bool is_again)
{
	uint32_t nsites = agent.plan.classes.data[class].nsites;
	struct outcome o = { .class = class, .state = RUN_FAILED, .missed = nsites, .text = text };

	shadows_refuse(class);
	o.unwatched = mem_alloc(nsites * sizeof(*o.unwatched));
	for (uint32_t i = 0; i < nsites; i++)
		o.unwatched[i] = i;
	for (uint32_t i = 0; i < agent.plan.classes.data[class].nbodies; i++)
		chains_silence(agent.plan.classes.data[class].first_body + i);
	settle(&o, is_again);
}

static char *copy_text(const char *s)
{
	struct strbuf b = { 0 };

	strbuf_adds(&b, s);
	return b.s;
}

static void keep_moves(const struct job *j)
{
	agent_lock();
	for (uint32_t i = 0; agent.opt.dynamic && i < j->nedits; i++) {
		const struct cf_member *m = &j->cf->methods[j->edits[i].method];
		if (!j->edits[i].failed)
			moves_keep(j->name, cf_utf8(j->cf, m->name), cf_utf8(j->cf, m->desc), &j->edits[i]);
	}
	agent_unlock();
}

static void tell_untracked(const struct job *j)
{
	struct strbuf text = { 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < j->cf->nmethods; i++)
		n += j->is_untracked[i];
	if (!n)
		return;
	struct str class = agent.plan.classes.data[j->class].name;
	strbuf_addf(&text, "%s %u method%s of %.*s are not followed: %s",
		    agent.plan.criteria & PLAN_CHAINS ? "call chains through" : "callbacks of", (unsigned)n, n == 1 ? "" : "s",
		    (int)class.len, class.p, j->untracked);
	agent_lock();
	if (log_records())
		run_put_note(log_records(), strbuf_str(&text));
	agent_unlock();
	strbuf_release(&text);
}

static bool tells_tests(struct str internal)
{
	return agent.opt.has_tests && tests_is_hooked(internal);
}

static bool tells_features(struct str internal)
{
	return agent.opt.dynamic && hooks_is_hooked(internal);
}

/* The new bytes, or none. */
static struct span rewrite(const struct classfile *cf, uint32_t class, struct str name, bool is_again, struct arena *mem)
{
	struct job j = { .cf = cf, .class = class, .name = name, .mem = mem, .pool = pool_new(cf, mem), .is_again = is_again };

	j.is_hooked = tells_tests(name);
	j.is_noted = tells_features(name);
	j.is_watched = class == NO_CLASS ? NULL : arena_zarray(mem, bool, agent.plan.classes.data[class].nsites + 1);
	j.edits = arena_array(mem, struct method_edit, cf->nmethods + 1u);
	j.is_untracked = arena_zarray(mem, bool, cf->nmethods + 1u);
	if (class != NO_CLASS && (agent.plan.criteria & PLAN_DU))
		j.shadows = shadows_of(class, is_again, mem, &j.nshadows);
	struct span out = edit_class(&j);
	tell_untracked(&j);
	keep_moves(&j);
	if (j.is_noted)
		hooks_tell_missing(name);
	if (class != NO_CLASS)
		report(&j);
	return out;
}

static bool mentions_probe(const struct classfile *cf)
{
	for (uint16_t i = 1; i < cf->ncp; i++)
		if (cf_tag(cf, i) == CP_CLASS && str_is(cf_name(cf, i), PROBE_CLASS))
			return true;
	return false;
}

/* The class of the plan, by its internal name. */
static uint32_t class_named(struct str internal)
{
	char buf[256], *dotted = internal.len <= sizeof(buf) ? buf : mem_alloc(internal.len);

	for (uint32_t i = 0; i < internal.len; i++)
		dotted[i] = internal.p[i] == '/' ? '.' : internal.p[i];
	struct str s = { dotted, internal.len };
	uint32_t class = plan_find_class(&agent.plan, s);
	if (dotted != buf)
		free(dotted);
	return class;
}

static bool is_wanted(struct str internal, uint32_t *class)
{
	*class = class_named(internal);
	return *class != NO_CLASS || tells_tests(internal) || tells_features(internal) || tells_starts(internal);
}

static void hand_over(jvmtiEnv *ti, struct span bytes, jint *new_len, unsigned char **new_bytes)
{
	unsigned char *copy = NULL;

	if (!bytes.len || (*ti)->Allocate(ti, (jlong)bytes.len, &copy))
		return;
	memcpy(copy, bytes.p, bytes.len);
	*new_bytes = copy;
	*new_len = (jint)bytes.len;
}

struct load {
	jvmtiEnv *ti;
	const char *name;
	struct span bytes;
	bool is_again;
	jint *new_len;
	unsigned char **new_bytes;
};

static bool is_left_out(uint32_t class)
{
	return class != NO_CLASS && !options_allow(&agent.opt, agent.plan.classes.data[class].name);
}

static void leave_out(uint32_t class, bool is_again)
{
	fail_class(class, copy_text("left out by includes or excludes"), is_again);
}

static void watch_parsed(struct load *l, const struct classfile *cf, struct arena *mem)
{
	struct str self = cf_name(cf, cf->this_class);
	uint32_t class;

	if (!is_wanted(self, &class) || mentions_probe(cf))           /* some loaders tell no name; the file knows it */
		return;
	if (is_left_out(class)) {
		leave_out(class, l->is_again);
		class = NO_CLASS;
	}
	hand_over(l->ti, rewrite(cf, class, self, l->is_again, mem), l->new_len, l->new_bytes);
}

static void watch_bytes(void *ctx)
{
	struct load *l = ctx;
	struct arena mem;
	struct classfile cf;
	uint32_t class = NO_CLASS;

	if (l->name && !is_wanted(str_of(l->name), &class))
		return;
	arena_init(&mem);
	if (classfile_parse(&cf, l->bytes, &mem, NULL, STR(""), NULL))
		watch_parsed(l, &cf, &mem);
	else if (class != NO_CLASS)
		fail_class(class, copy_text("its class file cannot be read"), l->is_again);
	arena_release(&mem);
}

void JNICALL watch_load(jvmtiEnv *ti, JNIEnv *jni, jclass redefined, jobject loader, const char *name, jobject domain, jint len,
			const unsigned char *bytes, jint *new_len, unsigned char **new_bytes)
{
	struct load l = { ti, name, { bytes, (size_t)len }, redefined != NULL, new_len, new_bytes };

	(void)jni;
	(void)loader;
	(void)domain;
	if (agent_is(&agent.is_ready) && !agent_is(&agent.is_closed))
		guarded(watch_bytes, &l);
}

/* Retransformation */

/* True: the class is to be retransformed. One that the options leave out is recorded as such. */
static bool consider(jclass c)
{
	char *sig = type_signature(c);
	size_t n = sig ? strlen(sig) : 0;
	jboolean can = JNI_FALSE;
	uint32_t class;

	bool is = n > 2 && sig[0] == 'L' && is_wanted((struct str){ sig + 1, (uint32_t)n - 2 }, &class);
	if (is && class != NO_CLASS && watch.row && watch.row[class]) {
		is = false;                           /* it was seen when it was loaded */
	} else if (is && is_left_out(class)) {
		leave_out(class, false);
		struct str name = { sig + 1, (uint32_t)n - 2 };
		is = tells_tests(name) || tells_features(name) || tells_starts(name);
	}
	agent_free(sig);
	return is && !(*agent.ti)->IsModifiableClass(agent.ti, c, &can) && can;
}

static void settle_held(bool is_good)
{
	agent_lock();
	for (uint32_t i = 0; i < watch.held.len; i++) {
		if (is_good)
			put_outcome(&watch.held.data[i]);
		outcome_release(&watch.held.data[i]);
	}
	watch.held.len = 0;
	watch.holds = false;
	agent_unlock();
}

static char *refusal(jvmtiError error)
{
	struct strbuf text = { 0 };
	char *name = NULL;

	(*agent.ti)->GetErrorName(agent.ti, error, &name);
	strbuf_addf(&text, "the JVM had loaded it already and does not let it be rewritten (%s)", name ? name : "unknown error");
	agent_free(name);
	return text.s;
}

static void tell_failure(jclass c, jvmtiError error)
{
	char *sig = type_signature(c);
	size_t n = sig ? strlen(sig) : 0;
	uint32_t class = n > 2 ? class_named((struct str){ sig + 1, (uint32_t)n - 2 }) : NO_CLASS;

	if (class != NO_CLASS)
		fail_class(class, refusal(error), false);
	if (n > 2 && tells_features((struct str){ sig + 1, (uint32_t)n - 2 }))
		say("this JVM does not let %s be rewritten: what it does is not recorded", sig);
	agent_free(sig);
}

/* All or none of a batch is retransformed: when it fails, halves are tried. */
static void retransform(jclass *classes, jint n)
{
	agent_lock();
	watch.holds = true;
	agent_unlock();
	jvmtiError error = (*agent.ti)->RetransformClasses(agent.ti, n, classes);
	settle_held(!error);
	if (error && n == 1) {
		tell_failure(classes[0], error);
	} else if (error) {
		retransform(classes, n / 2);
		retransform(classes + n / 2, n - n / 2);
	}
}

void watch_loaded(JNIEnv *jni)
{
	jclass *classes = NULL;
	jint n = 0, kept = 0;

	if ((*jni)->PushLocalFrame(jni, MANY_CLASSES) || (*agent.ti)->GetLoadedClasses(agent.ti, &n, &classes)) {
		agent_cleared(jni);
		return;
	}
	for (jint i = 0; i < n; i++)
		if (consider(classes[i]))
			classes[kept++] = classes[i];
	if (kept && agent.can_retransform)
		retransform(classes, kept);
	else if (kept)
		say("%d classes were loaded before and cannot be watched: this JVM does not retransform", (int)kept);
	agent_free(classes);
	(*jni)->PopLocalFrame(jni, NULL);
}
