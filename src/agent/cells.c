/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/cells.h"

#include <stdlib.h>

#include "agent/agent_p.h"
#include "agent/guard.h"
#include "agent/log.h"
#include "agent/probe_class.h"
#include "agent/target.h"
#include "agent/tests.h"
#include "agent/types.h"
#include "agent/watch.h"
#include "base/map.h"

enum { MAX_VIEWS = 4, LONGEST_LIFE = 8 };

struct cell {
	uint32_t views[MAX_VIEWS];    /* all but lasting ones may change their class */
	uint8_t nviews, turn;
};
struct view {
	uint32_t cell;
	uint64_t logged;              /* of n: what the file has */
	uint64_t seen;                /* what cells_changed() has told */
	bool is_lasting;              /* its class cannot be unloaded */
	uint8_t life, left;           /* seconds that it holds its class; doubles each time, to LONGEST_LIFE */
};

static struct {
	jfieldID k, site, next;
	jmethodID copy;
	jobjectArray first, all;      /* global references */
	jlongArray counts;
	bool is_bound;                /* miss() and test() are */
	bool is_busy;                 /* a thread is in miss(): if it comes again, it is from a call of ours */
	VEC(struct cell) cells;
	VEC(struct view) views;       /* as in SherdProbe.all */
	uint32_t *last;               /* by site: last view of its chain + 1 */
	struct map by_key;            /* site, type: cell + 1 */
	jlong n[PROBE_CHUNK];
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

/* At the end of the chain of its site: from here on, every thread finds it. */
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

/* A new view of a cell, or NULL when memory is exhausted. */
static jobject add_view(JNIEnv *jni, uint32_t cell, uint32_t site, jclass c, bool is_lasting)
{
	struct cell *row = &table.cells.data[cell];
	uint32_t view = table.views.len;
	jobject o = (*jni)->AllocObject(jni, agent.helper);

	if (agent_cleared(jni) || !o)
		return NULL;
	(*jni)->SetObjectField(jni, o, table.k, c);
	(*jni)->SetIntField(jni, o, table.site, (jint)site);
	if (!store_view(jni, view, o))
		return NULL;
	vec_push(&table.views, ((struct view){ .cell = cell, .is_lasting = is_lasting, .life = 1, .left = 1 }));
	if (row->nviews < MAX_VIEWS)
		row->views[row->nviews++] = view;
	link_view(jni, site, view, o);
	return o;
}

/* A view of this cell whose class was let go; with `any`, one that holds another class too. */
static bool find_free_view(JNIEnv *jni, struct cell *row, bool any, uint32_t *out)
{
	for (uint32_t i = 0; i < row->nviews; i++) {
		uint32_t view = row->views[(row->turn + i) % row->nviews];
		if (table.views.data[view].is_lasting)
			continue;
		jobject o = any ? NULL : view_object(jni, view);
		jobject k = o ? (*jni)->GetObjectField(jni, o, table.k) : NULL;
		(*jni)->DeleteLocalRef(jni, o);
		(*jni)->DeleteLocalRef(jni, k);
		*out = view;
		if (any || !k)
			return true;
	}
	return false;
}

static jobject reuse_view(JNIEnv *jni, uint32_t view, jclass c)
{
	struct view *v = &table.views.data[view];
	jobject o = view_object(jni, view);

	v->life = (uint8_t)(v->life < LONGEST_LIFE ? v->life * 2 : LONGEST_LIFE);
	v->left = v->life;
	(*jni)->SetObjectField(jni, o, table.k, c);
	return o;
}

static jobject view_of(JNIEnv *jni, uint32_t cell, uint32_t site, jclass c, bool is_lasting)
{
	struct cell *row = &table.cells.data[cell];
	uint32_t view;

	if (is_lasting && row->nviews < MAX_VIEWS)
		return add_view(jni, cell, site, c, true);
	if (find_free_view(jni, row, false, &view))
		return reuse_view(jni, view, c);
	if (row->nviews < MAX_VIEWS)
		return add_view(jni, cell, site, c, is_lasting);
	row->turn++;
	return find_free_view(jni, row, true, &view) ? reuse_view(jni, view, c) : add_view(jni, cell, site, c, is_lasting);
}

/* The cell of a site and a type; its record is put when it is new. */
static uint32_t cell_of(JNIEnv *jni, jclass c, uint32_t site, uint32_t type)
{
	uint32_t known = map_get(&table.by_key, map_key(site, type));
	struct strbuf *out = log_records();
	bool is_lasting;

	if (known)
		return known - 1;
	jclass declares = target_of(jni, c, site);
	uint32_t class = watch_class_of(site), target = declares ? type_of(jni, declares, &is_lasting) : NO_TYPE;
	run_put_cell(out, &(struct run_cell){ .class = watch_row(class), .type = type, .target = target,
					      .site = site - agent.plan.classes.data[class].first_site });
	vec_push(&table.cells, ((struct cell){ .nviews = 0 }));
	*map_at(&table.by_key, map_key(site, type)) = table.cells.len;
	return table.cells.len - 1;
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

static void miss_locked(void *ctx)
{
	struct missed *m = ctx;

	agent_lock();
	if (!table.is_busy && !agent_is(&agent.is_closed)) {
		table.is_busy = true;
		m->view = find_or_add(m->jni, m->class, m->site);
		table.is_busy = false;
	}
	agent_unlock();
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

/* Calls fn for each view that has counted since *mark. */
static void each_change(JNIEnv *jni, size_t mark, void (*fn)(void *ctx, uint32_t cell, uint64_t more), void *ctx)
{
	for (uint32_t from = 0; from < table.views.len; from += PROBE_CHUNK) {
		uint32_t len = table.views.len - from < PROBE_CHUNK ? table.views.len - from : PROBE_CHUNK;
		if (!read_chunk(jni, from, len))
			continue;
		for (uint32_t i = 0; i < len; i++) {
			struct view *v = &table.views.data[from + i];
			uint64_t *old = (uint64_t *)(void *)((char *)v + mark), now = (uint64_t)table.n[i];
			if (now != *old)              /* smaller: a thread that had read it long ago wrote it back */
				fn(ctx, v->cell, now > *old ? now - *old : 0);
			*old = now;
		}
	}
}

typedef VEC(struct run_count) count_vec;

static void add_count(void *ctx, uint32_t cell, uint64_t more)
{
	if (more)
		vec_push((count_vec *)ctx, ((struct run_count){ cell, more }));
}

static int by_cell(const void *a, const void *b)
{
	const struct run_count *x = a, *y = b;

	return (x->cell > y->cell) - (x->cell < y->cell);
}

/* Views of one cell become one count. */
static void sum_counts(count_vec *c)
{
	uint32_t n = 0;

	qsort(c->data, c->len, sizeof(*c->data), by_cell);
	for (uint32_t i = 0; i < c->len; i++)
		if (n && c->data[n - 1].cell == c->data[i].cell)
			c->data[n - 1].more += c->data[i].more;
		else
			c->data[n++] = c->data[i];
	c->len = n;
}

void cells_put_counts(JNIEnv *jni)
{
	count_vec counts = { 0 };

	each_change(jni, offsetof(struct view, logged), add_count, &counts);
	if (counts.len && log_records()) {
		sum_counts(&counts);
		run_put_counts(log_records(), counts.data, counts.len);
	}
	vec_release(&counts);
}

static void add_row(void *ctx, uint32_t cell, uint64_t more)
{
	(void)more;
	vec_push((cell_rows *)ctx, cell);
}

static int by_row(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void cells_changed(JNIEnv *jni, cell_rows *out)
{
	uint32_t n = 0;

	each_change(jni, offsetof(struct view, seen), add_row, out);
	if (out->len)
		qsort(out->data, out->len, sizeof(*out->data), by_row);
	for (uint32_t i = 0; i < out->len; i++)
		if (!n || out->data[n - 1] != out->data[i])
			out->data[n++] = out->data[i];
	out->len = n;
}

void cells_let_go(JNIEnv *jni)
{
	for (uint32_t i = 0; i < table.views.len; i++) {
		struct view *v = &table.views.data[i];
		if (v->is_lasting || !v->left || --v->left)
			continue;
		jobject o = view_object(jni, i);
		if (o)
			(*jni)->SetObjectField(jni, o, table.k, NULL);
		(*jni)->DeleteLocalRef(jni, o);
	}
}

static jobject static_array(JNIEnv *jni, const char *name, const char *desc)
{
	jfieldID f = (*jni)->GetStaticFieldID(jni, agent.helper, name, desc);         /* initialises the class */
	jobject o = f ? (*jni)->GetStaticObjectField(jni, agent.helper, f) : NULL;
	jobject global = o ? (*jni)->NewGlobalRef(jni, o) : NULL;

	(*jni)->DeleteLocalRef(jni, o);
	return global;
}

static bool find_members(JNIEnv *jni)
{
	jclass c = agent.helper;
	jlongArray counts;

	table.first = static_array(jni, "first", "[" PROBE_SELF);
	table.all = table.first ? static_array(jni, "all", "[[" PROBE_SELF) : NULL;
	if (!table.all)
		return false;
	table.k = (*jni)->GetFieldID(jni, c, "k", "Ljava/lang/Class;");
	table.site = table.k ? (*jni)->GetFieldID(jni, c, "site", "I") : NULL;
	table.next = table.site ? (*jni)->GetFieldID(jni, c, "next", PROBE_SELF) : NULL;
	table.copy = table.next ? (*jni)->GetStaticMethodID(jni, c, "copy", "(II[J)V") : NULL;
	counts = table.copy ? (*jni)->NewLongArray(jni, PROBE_CHUNK) : NULL;
	table.counts = counts ? (*jni)->NewGlobalRef(jni, counts) : NULL;
	return table.counts;
}

static bool bind(JNIEnv *jni, jclass c)
{
	JNINativeMethod natives[] = {
		{ (char *)(uintptr_t)"miss", (char *)(uintptr_t)"(Ljava/lang/Class;I)" PROBE_SELF, (void *)(uintptr_t)miss },
		{ (char *)(uintptr_t)"test", (char *)(uintptr_t)"(Ljava/lang/Object;I)V", (void *)(uintptr_t)tests_event },
	};

	return !(*jni)->RegisterNatives(jni, c, natives, ARRAY_LEN(natives));
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

bool cells_define(JNIEnv *jni)
{
	struct strbuf bytes = { 0 }, bound = { 0 };

	table.last = mem_zalloc((agent.plan.sites.len + 1) * sizeof(*table.last));
	probe_class_bytes(agent.plan.sites.len, &bytes);
	jclass c = define(jni, PROBE_CLASS, &bytes);
	bound_class_bytes(&bound);
	if (!c || !define(jni, BOUND_CLASS, &bound))
		return false;
	agent.helper = (*jni)->NewGlobalRef(jni, c);
	return agent.helper && initialise(jni);
}
