/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/probe/cells.h"

#include <stdlib.h>

#include "agent/agent_p.h"
#include "agent/dynamic/notes.h"
#include "agent/guard.h"
#include "agent/log.h"
#include "agent/fields/pairs.h"
#include "agent/probe/callbacks.h"
#include "agent/probe/chains.h"
#include "agent/probe/probe_class.h"
#include "agent/probe/thread_class.h"
#include "agent/probe/target.h"
#include "agent/tests.h"
#include "agent/probe/types.h"
#include "agent/watch.h"
#include "base/digest.h"
#include "base/map.h"

enum { MAX_VIEWS = 32 };              /* of a cell, for classes that can be unloaded */

struct cell {
	uint32_t views;               /* newest one that can change its class + 1; 0: none */
	uint32_t nviews;
	uint32_t turn;                /* whose turn it is to be taken away */
};
struct view {
	uint32_t row;                 /* of cells */
	uint32_t older;               /* of the cell, as in `views` */
	uint64_t logged;              /* of n: what the file has */
};

static struct {
	jfieldID k, w, site, next;
	jmethodID copy, changed, new_weak, get;
	jclass weak;                  /* java.lang.ref.WeakReference */
	jobjectArray first, all;      /* global references */
	jlongArray counts;
	jintArray rows;
	bool is_bound;                /* miss() and test() are */
	const void *thread;           /* one that made a view, by its JNIEnv */
	bool has_threads;             /* there was another one */
	bool is_busy;                 /* a thread is in miss(): if it comes again, it is from a call of ours */
	VEC(struct cell) cells;
	VEC(struct view) views;       /* as in SherdProbe.all */
	uint32_t *last;               /* by site: its last view + 1 */
	uint8_t *modes;               /* by site, of target_of() */
	struct map by_key;            /* digest of site, type, target: cell + 1 */
	uint32_t callees;             /* in the data */
	jlong n[PROBE_CHUNK];
	jint changed_rows[PROBE_CHUNK];
} table;

uint32_t cells_count(void)
{
	return table.cells.len;
}

static jobject view_object(JNIEnv *jni, uint32_t view)
{
	jobject chunk = (*jni)->GetObjectArrayElement(jni, table.all, (jsize)(view / PROBE_CHUNK));
	jobject o = chunk ? (*jni)->GetObjectArrayElement(jni, chunk, (jsize)(view % PROBE_CHUNK)) : NULL;

	(*jni)->DeleteLocalRef(jni, chunk);
	return o;
}

/* Stores a view in SherdProbe.all; false when memory is exhausted. */
static bool store_view(JNIEnv *jni, uint32_t view, jobject o)
{
	jsize at = (jsize)(view / PROBE_CHUNK);
	jobject chunk = at < PROBE_CHUNKS ? (*jni)->GetObjectArrayElement(jni, table.all, at) : NULL;

	if (!chunk && at < PROBE_CHUNKS) {
		chunk = (*jni)->NewObjectArray(jni, PROBE_CHUNK, agent.helper, NULL);
		if (chunk)
			(*jni)->SetObjectArrayElement(jni, table.all, at, chunk);
	}
	if (chunk)
		(*jni)->SetObjectArrayElement(jni, chunk, (jsize)(view % PROBE_CHUNK), o);
	bool ok = !agent_cleared(jni) && chunk;
	(*jni)->DeleteLocalRef(jni, chunk);
	return ok;
}

/* Behind the other views of its site: from here on, every thread finds it. */
static void link_view(JNIEnv *jni, uint32_t site, uint32_t view, jobject o)
{
	uint32_t last = table.last[site];

	__atomic_thread_fence(__ATOMIC_RELEASE);
	if (last) {
		jobject before = view_object(jni, last - 1);
		(*jni)->SetObjectField(jni, before, table.next, o);
		(*jni)->DeleteLocalRef(jni, before);
	} else {
		(*jni)->SetObjectArrayElement(jni, table.first, (jsize)site, o);
	}
	table.last[site] = view + 1;
}

jobject weak_of(JNIEnv *jni, jobject c)
{
	jobject w = (*jni)->NewObject(jni, table.weak, table.new_weak, c);

	return agent_cleared(jni) ? NULL : w;
}

/* A new view of a cell, or NULL when memory is exhausted. */
static jobject add_view(JNIEnv *jni, uint32_t cell, uint32_t site, jclass c, jobject weak)
{
	struct cell *row = &table.cells.data[cell];
	uint32_t view = table.views.len;
	jobject o = (*jni)->AllocObject(jni, agent.helper);

	if (agent_cleared(jni) || !o)
		return NULL;
	(*jni)->SetObjectField(jni, o, weak ? table.w : table.k, weak ? weak : c);
	(*jni)->SetIntField(jni, o, table.site, (jint)site);
	if (!store_view(jni, view, o))
		return NULL;
	vec_push(&table.views, ((struct view){ .row = cell, .older = weak ? row->views : 0 }));
	if (weak) {
		row->views = view + 1;
		row->nviews++;
	}
	link_view(jni, site, view, o);
	return o;
}

jobject weak_target(JNIEnv *jni, jobject w)
{
	jobject o = w ? (*jni)->CallObjectMethod(jni, w, table.get) : NULL;

	return agent_cleared(jni) ? NULL : o;
}

/* Was the class of a view unloaded? */
static bool is_free(JNIEnv *jni, jobject view)
{
	jobject w = view ? (*jni)->GetObjectField(jni, view, table.w) : NULL;
	jobject c = weak_target(jni, w);
	bool is = w && !c;

	(*jni)->DeleteLocalRef(jni, w);
	(*jni)->DeleteLocalRef(jni, c);
	return is;
}

/* A view of this cell that may take another class: one whose class is gone, or, when there are many, each in turn. */
static jobject find_free_view(JNIEnv *jni, struct cell *row)
{
	uint32_t victim = row->views;

	for (uint32_t i = row->views, k = 0; i; i = table.views.data[i - 1].older, k++) {
		jobject o = view_object(jni, i - 1);
		if (is_free(jni, o))
			return o;
		(*jni)->DeleteLocalRef(jni, o);
		if (k == row->turn % MAX_VIEWS)
			victim = i;
	}
	if (row->nviews < MAX_VIEWS)
		return NULL;
	row->turn++;
	return view_object(jni, victim - 1);
}

static jobject view_of(JNIEnv *jni, uint32_t cell, uint32_t site, jclass c, bool is_lasting)
{
	jobject weak = is_lasting ? NULL : weak_of(jni, c);

	if (is_lasting)
		return add_view(jni, cell, site, c, NULL);
	if (!weak)
		return NULL;
	jobject o = find_free_view(jni, &table.cells.data[cell]);
	if (!o)
		return add_view(jni, cell, site, c, weak);
	(*jni)->SetObjectField(jni, o, table.w, weak);
	return o;
}

/* The cell of a site, a type and a target; its record is put when it is new. Classes of one name in two loaders may select
 * different targets. */
static uint32_t cell_of(JNIEnv *jni, jclass c, uint32_t site, uint32_t type)
{
	jclass declares = target_of(jni, c, &agent.plan.sites.data[site], &table.modes[site]);
	bool is_lasting;
	uint32_t target = declares ? type_of(jni, declares, &is_lasting) : NO_TYPE, class = watch_class_of(site);
	uint32_t *known = map_at(&table.by_key, digest_u32(digest_u32(digest_u32(DIGEST_START, site), type), target));

	if (*known)
		return *known - 1;
	*known = table.cells.len + 1;
	vec_push(&table.cells, ((struct cell){ 0 }));
	uint32_t row = watch_row(class);
	run_put_cell(log_records(), &(struct run_cell){ .class = row, .type = type, .target = target,
							.site = site - agent.plan.classes.data[class].first_site });
	return table.cells.len - 1;
}

uint32_t cells_add_callee(struct str name)
{
	run_put_callee(log_records(), name);
	return table.callees++;
}

jobject cells_add_callback(JNIEnv *jni, uint32_t site, uint32_t callee, uint32_t type)
{
	uint32_t class = watch_class_of(site), row = watch_row(class);
	jobject o = (*jni)->AllocObject(jni, agent.helper);

	if (agent_cleared(jni) || !o || !store_view(jni, table.views.len, o))
		return NULL;
	vec_push(&table.views, ((struct view){ .row = table.cells.len }));
	vec_push(&table.cells, ((struct cell){ 0 }));
	run_put_callback(log_records(), &(struct run_cell){ .class = row, .site = site - agent.plan.classes.data[class].first_site,
							    .callee = callee, .type = type });
	return o;
}

static jobject find_or_add(JNIEnv *jni, jclass c, uint32_t site)
{
	bool is_lasting = false;
	uint32_t type = type_of(jni, c, &is_lasting);

	if (type == NO_TYPE)
		return NULL;
	return view_of(jni, cell_of(jni, c, site, type), site, c, is_lasting);
}

struct missed {
	JNIEnv *jni;
	jclass class;
	uint32_t site;
	jobject view;
};

bool probe_begin(void)
{
	agent_lock();
	if (!table.is_busy && !agent_is(&agent.is_closed)) {
		table.is_busy = true;
		return true;
	}
	agent_unlock();
	return false;
}

void probe_end(void)
{
	table.is_busy = false;
	agent_unlock();
}

static void miss_locked(void *ctx)
{
	struct missed *m = ctx;

	if (!probe_begin())
		return;
	table.has_threads |= table.thread && table.thread != m->jni;
	table.thread = m->jni;
	m->view = find_or_add(m->jni, m->class, m->site);
	probe_end();
}

static jobject JNICALL miss(JNIEnv *jni, jclass helper, jclass c, jint site)
{
	struct missed m = { jni, c, (uint32_t)site, NULL };

	(void)helper;
	if (agent_is(&agent.is_closed) || !c || site < 0 || m.site >= agent.plan.sites.len)
		return NULL;
	bool ok = guarded(miss_locked, &m);
	agent_cleared(jni);
	return ok ? m.view : NULL;
}

/* table.n of one chunk of views; false: it cannot be had, as when the stack is full. */
static bool read_chunk(JNIEnv *jni, uint32_t from, uint32_t len)
{
	(*jni)->CallStaticVoidMethod(jni, agent.helper, table.copy, (jint)(from / PROBE_CHUNK), (jint)len, table.counts);
	if (agent_cleared(jni))
		return false;
	(*jni)->GetLongArrayRegion(jni, table.counts, 0, (jsize)len, table.n);
	return !agent_cleared(jni);
}

static uint32_t chunk_len(uint32_t from)
{
	return table.views.len - from < PROBE_CHUNK ? table.views.len - from : PROBE_CHUNK;
}

static void add_counts(uint32_t from, uint32_t len, count_vec *out)
{
	for (uint32_t i = 0; i < len; i++) {
		struct view *v = &table.views.data[from + i];
		uint64_t now = (uint64_t)table.n[i];
		if (now > v->logged)                  /* smaller: a thread that had read it long ago wrote it back */
			vec_push(out, ((struct run_count){ v->row, now - v->logged }));
		v->logged = now;
	}
}

/* Who counts only what others have seen before is not noticed: to look at each call costs more than all else there. */
void cells_put_note(void)
{
	if (table.has_threads && log_records())
		run_put_note(log_records(), STR("several threads made calls that are watched: where they made the same ones at the same time, counts are "
						"at least what is told, and may be too low; whether something was covered is exact"));
}

static int by_count_row(const void *a, const void *b)
{
	const struct run_count *x = a, *y = b;

	return (x->row > y->row) - (x->row < y->row);
}

void counts_sum(count_vec *c)
{
	uint32_t n = 0;

	if (c->len)
		qsort(c->data, c->len, sizeof(*c->data), by_count_row);
	for (uint32_t i = 0; i < c->len; i++)
		if (n && c->data[n - 1].row == c->data[i].row)
			c->data[n - 1].more += c->data[i].more;
		else
			c->data[n++] = c->data[i];
	c->len = n;
}

void cells_put_counts(JNIEnv *jni)
{
	count_vec counts = { 0 };

	for (uint32_t from = 0; from < table.views.len; from += PROBE_CHUNK)
		if (read_chunk(jni, from, chunk_len(from)))
			add_counts(from, chunk_len(from), &counts);
	counts_sum(&counts);                          /* views of one cell become one count */
	if (counts.len && log_records())
		run_put_counts(log_records(), counts.data, counts.len);
	vec_release(&counts);
}

static int by_row(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void add_changed(JNIEnv *jni, uint32_t from, cell_rows *out)
{
	jint n = (*jni)->CallStaticIntMethod(jni, agent.helper, table.changed, (jint)(from / PROBE_CHUNK), (jint)chunk_len(from),
					     table.rows);

	if (agent_cleared(jni) || n <= 0)
		return;
	(*jni)->GetIntArrayRegion(jni, table.rows, 0, n, table.changed_rows);
	for (jint i = 0; !agent_cleared(jni) && i < n; i++)
		vec_push(out, table.views.data[from + (uint32_t)table.changed_rows[i]].row);
}

void rows_order(cell_rows *rows)
{
	uint32_t n = 0;

	if (rows->len)
		qsort(rows->data, rows->len, sizeof(*rows->data), by_row);
	for (uint32_t i = 0; i < rows->len; i++)
		if (!n || rows->data[n - 1] != rows->data[i])
			rows->data[n++] = rows->data[i];
	rows->len = n;
}

void cells_changed(JNIEnv *jni, cell_rows *out)
{
	for (uint32_t from = 0; from < table.views.len; from += PROBE_CHUNK)
		add_changed(jni, from, out);
	rows_order(out);
}

static jobject static_array(JNIEnv *jni, const char *name, const char *desc)
{
	jfieldID f = (*jni)->GetStaticFieldID(jni, agent.helper, name, desc);         /* initialises the class */
	jobject o = f ? (*jni)->GetStaticObjectField(jni, agent.helper, f) : NULL;
	jobject global = o ? (*jni)->NewGlobalRef(jni, o) : NULL;

	(*jni)->DeleteLocalRef(jni, o);
	return global;
}

static bool find_arrays(JNIEnv *jni)
{
	jlongArray counts = (*jni)->NewLongArray(jni, PROBE_CHUNK);
	jintArray rows = counts ? (*jni)->NewIntArray(jni, PROBE_CHUNK) : NULL;

	table.counts = rows ? (*jni)->NewGlobalRef(jni, counts) : NULL;
	table.rows = rows ? (*jni)->NewGlobalRef(jni, rows) : NULL;
	return table.counts && table.rows;
}

static bool find_weak(JNIEnv *jni)
{
	jclass c = (*jni)->FindClass(jni, "java/lang/ref/WeakReference");

	table.weak = c ? (*jni)->NewGlobalRef(jni, c) : NULL;
	table.new_weak = table.weak ? (*jni)->GetMethodID(jni, c, "<init>", "(Ljava/lang/Object;)V") : NULL;
	table.get = table.new_weak ? (*jni)->GetMethodID(jni, c, "get", "()Ljava/lang/Object;") : NULL;
	return table.get;
}

static bool find_members(JNIEnv *jni)
{
	jclass c = agent.helper;

	table.first = static_array(jni, "first", "[" PROBE_SELF);
	table.all = table.first ? static_array(jni, "all", "[[" PROBE_SELF) : NULL;
	if (!table.all)
		return false;
	table.k = (*jni)->GetFieldID(jni, c, "k", "Ljava/lang/Class;");
	table.w = table.k ? (*jni)->GetFieldID(jni, c, "w", PROBE_WEAK) : NULL;
	table.site = table.w ? (*jni)->GetFieldID(jni, c, "site", "I") : NULL;
	table.next = table.site ? (*jni)->GetFieldID(jni, c, "next", PROBE_SELF) : NULL;
	table.copy = table.next ? (*jni)->GetStaticMethodID(jni, c, "copy", "(II[J)V") : NULL;
	table.changed = table.copy ? (*jni)->GetStaticMethodID(jni, c, "changed", "(II[I)I") : NULL;
	return table.changed && find_arrays(jni) && find_weak(jni);
}

/* Is what threads do followed? */
static bool follows_threads(void)
{
	return agent.plan.criteria & (PLAN_CHAINS | PLAN_CALLBACKS);
}

static bool bind(JNIEnv *jni, jclass c)
{
	JNINativeMethod natives[] = {
		{ (char *)(uintptr_t)"miss", (char *)(uintptr_t)"(Ljava/lang/Class;I)" PROBE_SELF, (void *)(uintptr_t)miss },
		{ (char *)(uintptr_t)"test", (char *)(uintptr_t)"(Ljava/lang/Object;I)V", (void *)(uintptr_t)tests_event },
		{ (char *)(uintptr_t)"note", (char *)(uintptr_t)PROBE_NOTE_1, (void *)(uintptr_t)notes_one },
		{ (char *)(uintptr_t)"note", (char *)(uintptr_t)PROBE_NOTE_2, (void *)(uintptr_t)notes_two },
	};

	return !(*jni)->RegisterNatives(jni, c, natives, ARRAY_LEN(natives)) &&
	       (!follows_threads() || threads_bind(jni, c)) && (!(agent.plan.criteria & PLAN_CHAINS) || chains_bind(jni, c)) &&
	       (!(agent.plan.criteria & PLAN_CALLBACKS) || callbacks_bind(jni, c)) &&
	       (!(agent.plan.criteria & PLAN_DU) || pairs_bind(jni, c));
}

/* SherdProbe is being initialised and has just named SherdProbe$Bound: now code of the boot loader is on the stack. The JVM
 * would print a warning, on standard output, about native methods of platform classes that are registered from elsewhere. */
void JNICALL cells_prepared(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jclass c)
{
	char *sig = type_signature(c);

	(void)ti;
	(void)thread;
	if (sig && !strcmp(sig, "L" BOUND_CLASS ";") && agent.helper && !table.is_bound)
		table.is_bound = bind(jni, agent.helper);
	agent_free(sig);
}

static jclass define(JNIEnv *jni, const char *name, struct strbuf *bytes)
{
	jclass c = (*jni)->DefineClass(jni, name, NULL, (const jbyte *)bytes->s, (jsize)bytes->len);

	strbuf_release(bytes);
	return agent_cleared(jni) ? NULL : c;
}

static bool initialise(JNIEnv *jni)
{
	bool ok = find_members(jni);

	agent_cleared(jni);
	return ok && (table.is_bound || bind(jni, agent.helper));
}

static bool follow(JNIEnv *jni)
{
	bool has_chains = agent.plan.criteria & PLAN_CHAINS, has_callbacks = agent.plan.criteria & PLAN_CALLBACKS;

	return (!has_chains || chains_init(jni)) && (!has_callbacks || callbacks_init(jni)) &&
	       (!(agent.plan.criteria & PLAN_DU) || pairs_init(jni)) &&
	       (!follows_threads() || threads_init(jni, has_chains ? chain_extend_thread : NULL));
}

bool cells_define(JNIEnv *jni)
{
	struct strbuf bytes = { 0 }, bound = { 0 };

	table.last = mem_zalloc((agent.plan.sites.len + 1) * sizeof(*table.last));
	table.modes = mem_zalloc(agent.plan.sites.len + 1);
	probe_class_bytes(agent.plan.sites.len, agent.plan.criteria, &bytes);
	jclass c = define(jni, PROBE_CLASS, &bytes);
	bound_class_bytes(&bound);
	if (!c || !define(jni, BOUND_CLASS, &bound) || (follows_threads() && !threads_define(jni)))
		return false;
	agent.helper = (*jni)->NewGlobalRef(jni, c);
	return agent.helper && initialise(jni) && follow(jni);
}
