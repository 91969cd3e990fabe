/* SPDX-License-Identifier: Apache-2.0 */
#include "session/analysis.h"

#include <stdio.h>
#include <string.h>

#include "base/sys/usage.h"
#include "report/write/screen.h"
#include "session/outside/known.h"

/* Choosing */

static bool find_sort(struct str name, enum heap_sort *out)
{
	for (enum heap_sort k = 0; k < HEAP_SORTS; k++)
		if (str_is(name, heap_sort_name(k))) {
			*out = k;
			return true;
		}
	return false;
}

static void say_bad_heap(struct str item, struct strbuf *err)
{
	strbuf_addf(err, "--heap cannot have '%.*s': write SORT=merge or SORT=site, where SORT is one of all",
		    (int)item.len, item.p);
	for (enum heap_sort k = 0; k < HEAP_SORTS; k++)
		strbuf_addf(err, ", %s", heap_sort_name(k));
}

/* "strings=site" */
static bool read_heap_item(struct str item, struct pta_heap *heap)
{
	const char *eq = memchr(item.p, '=', item.len);
	uint32_t n = eq ? (uint32_t)(eq - item.p) : item.len;
	struct str name = str_sub(item, 0, n), value = str_sub(item, eq ? n + 1 : n, item.len);
	bool by_site = str_is(value, "site");
	enum heap_sort sort;

	if (!by_site && !str_is(value, "merge"))
		return false;
	if (str_is(name, "all")) {
		for (enum heap_sort k = 0; k < HEAP_SORTS; k++)
			heap->by_site[k] = by_site;
		return true;
	}
	if (!find_sort(name, &sort))
		return false;
	heap->by_site[sort] = by_site;
	return true;
}

static bool read_heap(const char *list, struct pta_heap *heap, struct strbuf *err)
{
	for (const char *at = list;; at++) {
		struct str item = { at, (uint32_t)strcspn(at, ",") };
		if (!read_heap_item(item, heap)) {
			say_bad_heap(item, err);
			return false;
		}
		at += item.len;
		if (!*at)
			return true;
	}
}

static void add_fitting(bool (*fits)(const struct algorithm *), struct strbuf *err)
{
	struct algorithm a;
	const char *before = "";

	for (uint32_t k = 0; algorithm_get(k, &a); k++) {
		if (!fits(&a))
			continue;
		strbuf_addf(err, "%s%s", before, a.name);
		before = ", ";
	}
}

bool analysis_follows_objects(const struct analysis *x, const char *what, struct strbuf *err)
{
	if (algorithm_follows_objects(&x->algorithm))
		return true;
	strbuf_addf(err, "%s needs an --algorithm that follows objects, which %s does not: one of ", what,
		    x->algorithm.name);
	add_fitting(algorithm_follows_objects, err);
	return false;
}

bool analysis_follows_variables(const struct analysis *x, const char *what, struct strbuf *err)
{
	if (algorithm_follows_variables(&x->algorithm))
		return true;
	strbuf_addf(err, "%s needs an --algorithm that follows each variable, which %s does not: one of ", what,
		    x->algorithm.name);
	add_fitting(algorithm_follows_variables, err);
	return false;
}

bool analysis_follows_calls(const struct analysis *x, const char *what, struct strbuf *err)
{
	if (algorithm_follows_calls(&x->algorithm))
		return true;
	strbuf_addf(err, "%s needs an --algorithm that follows each variable and field, or 'simple'; %s does not: one of ", what,
		    x->algorithm.name);
	add_fitting(algorithm_follows_calls, err);
	return false;
}

bool analysis_assume(struct analysis *x, const char *level, struct strbuf *err)
{
	if (!dynamic_level_find(level ? level : "listed", &x->level)) {
		strbuf_addf(err, "there is no level of assumptions '%s': choose one of ", level);
		for (unsigned l = 0; l < DYNAMIC_LEVELS; l++)
			strbuf_addf(err, "%s%s", l ? ", " : "", dynamic_level_name((enum dynamic_level)l));
		return false;
	}
	return true;
}

const char *analysis_assumes(const struct analysis *x)
{
	return x->level == DYNAMIC_LISTED ? NULL : dynamic_level_name(x->level);
}

bool analysis_choose(struct analysis *x, const char *algorithm, const char *heap, struct strbuf *err)
{
	if (!algorithm_find(algorithm, &x->algorithm)) {
		strbuf_addf(err, "there is no algorithm '%s': choose one of ", algorithm);
		add_fitting(algorithm_is_any, err);
		return false;
	}
	x->level = DYNAMIC_LISTED;
	x->heap = pta_default_heap;
	return !heap || (analysis_follows_objects(x, "--heap", err) && read_heap(heap, &x->heap, err));
}

/* Running */

/* For people, and for the sentence should a budget run out. */
static void tell_progress(void *ctx, uint64_t methods)
{
	const struct analysis *x = ctx;
	const char *name = x->algorithm.name, *cheaper = algorithm_cheaper(&x->algorithm);
	char number[32], now[80], how_far[80], to_try[80];
	const char *n = grouped(methods, number);

	snprintf(now, sizeof(now), "%s: %s methods", name, n);
	snprintf(how_far, sizeof(how_far), "after %s methods (%s)", n, name);
	snprintf(to_try, sizeof(to_try), "%s%s", cheaper ? "--algorithm " : "", cheaper ? cheaper : "");
	inquiry_tell(x->session->inquiry, &(struct inquiry_news){ now, how_far, to_try });
}

static bool go_on(void *ctx, uint64_t methods)
{
	tell_progress(ctx, methods);
	return true;
}

static bool load_hierarchy(void *subject)
{
	struct analysis *x = subject;

	program_load_all(&x->session->program);
	return true;
}

static bool is_library(const void *session, class_id c)
{
	return !session_is_application(session, c);
}

static struct dynamic_opt dynamic_opt_of(const struct analysis *x)
{
	return (struct dynamic_opt){ .level = x->level, .is_library = is_library, .ctx = x->session, .own = x->own,
				     .no_callbacks = x->no_callbacks,
				     .settings = x->level == DYNAMIC_ENV ? environment_settings(x->session->environment) : NULL,
				     .strings = x->strings, .nstrings = x->nstrings,
				     .outside = x->session->known ? &x->session->known->outside : NULL };
}

static bool follow_objects(void *subject)
{
	struct analysis *x = subject;
	struct dynamic_opt dynamic = dynamic_opt_of(x);
	struct pta_opt opt = { .policy = x->algorithm.policy, .dynamic = &dynamic, .heap = x->heap, .jvm = true, .explains = x->explains,
			       .keeps_this = x->keeps_this, .keeps_accesses = x->keeps_accesses, .keeps_bases = x->keeps_bases,
			       .progress = go_on, .progress_ctx = x };

	x->facts = pta_compute(&x->session->program, x->entries, &opt);
	return true;
}

static bool make_graph(void *subject)
{
	struct analysis *x = subject;
	struct program *p = &x->session->program;
	struct dynamic_opt dynamic = dynamic_opt_of(x);
	struct cg_opt opt = { .algorithm = x->algorithm.hierarchy, .jvm = true, .dynamic = &dynamic, .explains = x->explains,
			      .progress = tell_progress, .progress_ctx = x };

	x->graph = x->facts ? pta_callgraph(x->facts) : callgraph_compute(p, x->entries, &opt);
	known_count(x->session->known, x->graph);
	program_prune_phantoms(p);
	return true;
}

static bool find_distances(void *subject)
{
	struct analysis *x = subject;

	x->distance = distance_compute(x->graph);
	return true;
}

/* How many library calls were looked at. */
static bool tell_calls(void *ctx, uint64_t calls, uint64_t of)
{
	const struct analysis *x = ctx;
	char number[32], all[32], now[100], how_far[100];

	snprintf(now, sizeof(now), "library calls: %s of %s", grouped(calls, number), grouped(of, all));
	snprintf(how_far, sizeof(how_far), "after %s of %s library calls", number, all);
	inquiry_tell(x->session->inquiry, &(struct inquiry_news){ now, how_far, "--call-limit SECONDS" });
	return !x->callbacks_opt.seconds || cpu_seconds() - x->callbacks_began < x->callbacks_opt.seconds;
}

static bool find_callbacks(void *subject)
{
	struct analysis *x = subject;

	x->callbacks_opt.progress = tell_calls;
	x->callbacks_opt.progress_ctx = x;
	x->callbacks_began = cpu_seconds();
	x->callbacks = callbacks_compute(x->graph, x->facts, &x->callbacks_opt);
	return true;
}

/* What others than the application's statements can name: the rest is the library's own business. */
static bool is_of_interest(const struct analysis *x, field_id f)
{
	const struct ir_field *row = field_row(&x->session->program, f);

	return (row->flags & (ACCESS_PUBLIC | ACCESS_PROTECTED)) || x->callbacks_opt.is_application(x->callbacks_opt.ctx, row->owner);
}

static void visit_lists(const struct analysis *x, uint32_t first, uint32_t n, bool is_write, library_visit *visit, void *to)
{
	const struct callbacks *c = x->callbacks;

	for (uint32_t i = first; i < first + n; i++) {
		struct reach_set s = c->sets.data[c->lists.data[i]];
		field_id f = c->accesses.data[s.first].field;
		for (uint32_t k = s.first; f.i && is_of_interest(x, f) && k < s.first + s.n; k++)
			visit(to, &(struct library_access){ f, c->accesses.data[k].place, is_write });
	}
}

/* The fields that a library call accesses, by its summary. */
static void visit_library(const void *ctx, method_id caller, uint32_t pc, library_visit *visit, void *to)
{
	const struct analysis *x = ctx;
	const struct callbacks *c = x->callbacks;
	uint64_t key = map_key(caller.i, pc);
	uint32_t low = 0, high = c->calls.len;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (map_key(c->calls.data[mid].caller.i, c->calls.data[mid].pc) < key)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == c->calls.len || map_key(c->calls.data[low].caller.i, c->calls.data[low].pc) != key || !c->calls.data[low].effect)
		return;
	const struct reach_effect *e = &c->effects.data[c->calls.data[low].effect];
	visit_lists(x, e->first_read, e->nreads, false, visit, to);
	visit_lists(x, e->first_write, e->nwrites, true, visit, to);
}

static bool find_pairs(void *subject)
{
	struct analysis *x = subject;
	struct defuse_opt opt = { .calls = x->callbacks, .is_application = x->callbacks_opt.is_application, .ctx = x->callbacks_opt.ctx,
				  .library = x->callbacks_opt.effects ? visit_library : NULL, .library_ctx = x };

	x->defuse = defuse_compute(x->graph, x->facts, &opt);
	return true;
}

/* JAVA_CLASSES are those of the session, which is open; witnesses answer a question, of verbs. */
static driver_step *const steps[ANALYSES] = {
	[JAVA_HIERARCHY] = load_hierarchy, [JAVA_POINTSTO] = follow_objects, [JAVA_GRAPH] = make_graph,
	[JAVA_DISTANCE] = find_distances, [JAVA_CALLBACKS] = find_callbacks, [JAVA_DEFUSE] = find_pairs,
};

void analysis_start(struct analysis *x, struct session *s, const struct cg_entries *entries)
{
	bool follows = algorithm_follows_objects(&x->algorithm);

	analysis_forget(x);
	x->session = s;
	x->entries = entries;
	known_start(s->known);
	driver_init(&x->driver, s->inquiry, x, steps);
	if (x->level == DYNAMIC_LISTED && (follows || x->algorithm.hierarchy != CG_CHA))
		driver_skip(&x->driver, JAVA_HIERARCHY);
	if (!follows)
		driver_skip(&x->driver, JAVA_POINTSTO);
}

bool analysis_need(struct analysis *x, enum analysis_id wanted)
{
	return driver_need(&x->driver, wanted);
}

/* One grouped warning: classes that are referred to and not there. */
static void report_phantoms(struct session *s)
{
	struct strbuf name = { 0 };

	for (uint32_t i = 0; i < s->program.phantoms.len; i++) {
		strbuf_clear(&name);
		print_class(&s->program, s->program.phantoms.data[i], &name);
		diag_add(&s->inquiry->diag, DIAG_W040, NULL, strbuf_str(&name), DIAG_NO_OFFSET, "class not found");
	}
	strbuf_release(&name);
}

void analysis_run(struct analysis *x, struct session *s, const struct cg_entries *entries)
{
	analysis_start(x, s, entries);
	tell_progress(x, 0);
	analysis_need(x, JAVA_GRAPH);
	if (x->facts)
		x->stats = pta_stats(x->facts);
	report_phantoms(s);
	inquiry_tell_now(s->inquiry, "");
}

bool analysis_run_from(struct analysis *x, struct session *s, const char *entry)
{
	struct cg_entries entries = { 0 };
	bool ok = entries_of(s, entry, &entries);

	if (ok)
		analysis_run(x, s, &entries);
	entries_release(&entries);
	return ok;
}

void analysis_forget_facts(struct analysis *x)
{
	if (x->facts)
		pta_free(x->facts);
	x->facts = NULL;
}

void analysis_forget(struct analysis *x)
{
	distance_free(x->distance);
	x->distance = NULL;
	defuse_free(x->defuse);
	x->defuse = NULL;
	callbacks_free(x->callbacks);
	x->callbacks = NULL;
	analysis_forget_facts(x);
	if (x->graph)
		callgraph_free(x->graph);
	x->graph = NULL;
}

/* Figures */

static void add_solver(const struct pta_stats *st, struct stats *out)
{
	const struct { const char *name; uint64_t n; } rows[] = {
		{ "instances", st->instances }, { "contexts", st->contexts }, { "nodes", st->solver.nodes },
		{ "objects", st->solver.objects }, { "copies", st->solver.copies }, { "facts", st->solver.facts },
		{ "joined", st->solver.joined },
	};

	stats_object(out, "solver");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		stats_count(out, rows[i].name, rows[i].n);
		stats_show(out, rows[i].name, rows[i].n);
	}
	stats_end_object(out);
	stats_break(out);
}

static void add_unresolved(const struct cg_stats *c, struct stats *out)
{
	stats_count(out, "unresolved_dynamic_sites", c->by_cause[CG_REFLECTION] + c->by_cause[CG_METHOD_HANDLE] +
							     c->by_cause[CG_BOOTSTRAP] + c->by_cause[CG_SERIAL]);
	stats_object(out, "unresolved");
	for (unsigned k = CG_RESOLVED + 1; k < CG_CAUSES; k++)
		stats_count(out, cg_cause_name(k), c->by_cause[k]);
	stats_end_object(out);
}

/* Of each sort of dynamic calls: how many there are, how many are resolved, and why others are not. */
static void add_dynamic(const struct analysis *x, enum dynamic_sort sort, struct stats *out)
{
	uint64_t sites = 0, resolved = 0, by_value = 0, why[REASONS] = { 0 };

	for (uint32_t k = 0; k < callgraph_ndynamic(x->graph); k++) {
		const struct cg_dynamic *d = callgraph_dynamic(x->graph, k);
		bool is_resolved = cg_dynamic_is_resolved(d, x->level);
		if (d->sort != sort)
			continue;
		sites++;
		resolved += is_resolved;
		by_value += d->is_resolved;
		why[d->why.reason] += !is_resolved;
	}
	stats_object(out, dynamic_sort_name(sort));
	stats_count(out, "sites", sites);
	stats_count(out, "resolved", resolved);
	stats_count(out, "by_value", by_value);
	for (enum dynamic_reason r = REASON_NONE + 1; r < REASONS; r++)
		if (why[r])
			stats_count(out, dynamic_reason_name(r), why[r]);
	stats_end_object(out);
}

void analysis_stats(const struct analysis *x, const struct session *s, struct stats *out)
{
	struct cg_stats c = callgraph_stats(x->graph);

	stats_text(out, "algorithm", x->algorithm.name);
	stats_count(out, "methods", c.methods), stats_show(out, "methods", c.methods);
	stats_count(out, "edges", c.edges), stats_show(out, "edges", c.edges);
	stats_count(out, "method_edges", c.method_edges);
	stats_count(out, "sites", c.sites), stats_show(out, "sites", c.sites);
	stats_count(out, "poly_sites", c.poly_sites), stats_show(out, "polymorphic", c.poly_sites);
	stats_count(out, "open_sites", c.open_sites), stats_show(out, "open", c.open_sites);
	stats_count(out, "callback_methods", c.callback_methods), stats_count(out, "callback_edges", c.callback_edges);
	stats_count(out, "classes", c.classes), stats_show(out, "classes", c.classes);
	stats_break(out);
	add_unresolved(&c, out);
	stats_object(out, "dynamic");
	for (enum dynamic_sort sort = DYNAMIC_NONE + 1; sort < DYNAMIC_SORTS; sort++)
		add_dynamic(x, sort, out);
	stats_end_object(out);
	stats_count(out, "environment_values", environment_used(s->environment).n);
	stats_count(out, "phantom_classes", s->program.phantoms.len);
	if (x->algorithm.policy)
		add_solver(&x->stats, out);
	inquiry_stats(s->inquiry, true, out);
}
