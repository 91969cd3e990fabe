/* SPDX-License-Identifier: Apache-2.0 */
/* sherd callbacks */
#include <string.h>

#include "cli/verbs/analysis.h"
#include "report/graph/application.h"
#include "report/graph/effects.h"
#include "report/graph/mermaid.h"
#include "report/graph/pairs.h"
#include "report/calls/calls.h"
#include "report/write/screen.h"
#include "session/component/component.h"
#include "session/lookup/selection.h"
#include "session/outside/calls.h"

struct callbacks_args {
	struct shared_options shared;
	struct analysis_options analysis;
	const char *application, *only, *from;
	int precision, depth;
	bool clusters, summaries, free, du_pairs, witnesses;
	int limit;
	const char *diff;
	int fail_on;
};

enum { FORMAT_HTML = 3, FORMAT_SQLITE = 6, FORMAT_MERMAID };
static const char *const formats[] = { "text", "json", "csv", "html", "dot", "graphml", "sqlite", "mermaid", NULL };
enum show { SHOW_CALLS, SHOW_SUMMARIES, SHOW_FREE, SHOW_PAIRS, SHOWS };
/* By what is shown, and by format: of one sort or the other */
static application_writer *const writers[SHOWS][ARRAY_LEN(formats)] = {
	[SHOW_CALLS] = { report_application_text, report_application_json, report_application_csv, report_application_html },
	[SHOW_SUMMARIES] = { report_effects_text, report_application_json, report_effects_csv },
	[SHOW_FREE] = { report_free_text, report_application_json, report_effects_csv },
};
static pairs_writer *const pairs_writers[ARRAY_LEN(formats)] = { report_pairs_text, report_pairs_json, report_pairs_csv };
static graph_writer *const graph_writers[ARRAY_LEN(formats)] = { NULL, NULL, NULL, NULL, report_graph_dot, report_graph_graphml };
static const char *const precisions[] = { "simple", "datareach", "m-datareach", "v-datareach", "va-datareach", "va-datareach-ft", NULL };
static const enum reach_precision precision_of[] = { REACH_LIBRARY, REACH_CALL, REACH_METHODS, REACH_ESCAPES, REACH_ACCESSIBLE,
						     REACH_LIBRARY };
enum { SIMPLE = 0 };
static const char *const changes[] = { "nothing", "added", "removed", "changed", NULL };
enum { ON_NOTHING, ON_ADDED, ON_REMOVED, ON_CHANGED };

#define T struct callbacks_args
static const struct option_row rows[] = {
	ANALYSIS_OPTIONS(T),
	OPT_STRING(T, application, "application", NULL, "PATTERNS", "Analysis",
		   "the classes that are the application's: 'app.**'; all others are libraries. By default, all that are not the JDK's"),
	OPT_CHOICE(T, precision, "precision", NULL, "HOW", precisions, "Analysis",
		   "how callbacks are found: 'simple' walks the whole graph, the others look at each library call by itself"),
	OPT_INT(T, limit, "call-limit", NULL, "SECONDS", "Analysis",
		"CPU time for looking at library calls, by default less than 60: those that are left are as 'simple' has them, and marked"),
	OPT_FLAG(T, summaries, "summaries", NULL, "Analysis",
		 "what each library call calls back, reads and writes of what the application can get at"),
	OPT_FLAG(T, free, "side-effect-free", NULL, "Analysis", "which library calls change nothing that the application can get at"),
	OPT_FLAG(T, du_pairs, "du-pairs", NULL, "Analysis",
		 "def-use pairs: which statements may read what which others wrote, of fields and static fields"),
	OPT_STRING(T, only, "only", NULL, "PATTERNS", "Output", "only calls from and to these classes"),
	OPT_STRING(T, from, "from", NULL, "METHOD", "Output",
		   "only what this method calls, directly or not: pkg.Cls.method, if need be with its descriptor"),
	OPT_INT(T, depth, "depth", NULL, "N", "Output", "with --from: at most N calls away"),
	OPT_FLAG(T, witnesses, "witnesses", NULL, "Output",
		 "json: for each callback the way through the library, and the object that makes it (html has them anyway)"),
	OPT_FLAG(T, clusters, "clusters", NULL, "Output", "dot: draw a box around each package"),
	OPT_FIRST(T, diff, "diff", NULL, "OLD", "Comparison",
		   "what changed since OLD, an earlier result as JSON: in NEW, another one, or in what is computed now; text or json"),
	OPT_CHOICE(T, fail_on, "fail-on", NULL, "WHAT", changes, "Comparison",
		   "with --diff: end with exit status 1 when calls were added or removed"),
	SHARED_INPUT(T), SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T
static const struct callbacks_args initial = { .analysis = { .algorithm = "containers", .assume = "listed" }, .precision = 5 };

struct work {
	const struct callbacks_args *a;
	struct analysis analysis;
	struct strbuf entry;
	struct component application;
	struct class_selection only;
	method_id from;
	struct report_head head;
	struct application_head said;
	struct strbuf chart;
	const char *new_name;            /* of the newer result; NULL: it is computed */
	struct calls old, new;
	struct calls_diff diff;
};

static bool is_application(const void *ctx, class_id c)
{
	const struct work *w = ctx;

	return w->a->application ? component_has(&w->application, c) : session_is_application(w->analysis.session, c);
}

/* Selection */

/* Methods of lambdas are passed through, and no methods of the application. */
static bool is_own(const struct work *w, method_id m)
{
	const struct program *p = &w->analysis.session->program;
	class_id c = method_row(p, m)->owner;

	return class_row(p, c)->kind != CLASS_SYNTHETIC && is_application(w, c);
}

/* Of the methods without a call: those that the selection names. */
static bool has_method(const void *ctx, method_id m)
{
	const struct work *w = ctx;

	if (w->from.i)
		return m.i == w->from.i;
	return is_own(w, m) && class_selection_has(&w->only, method_row(&w->analysis.session->program, m)->owner);
}

static bool is_candidate(const void *w, method_id m)
{
	return is_own(w, m);
}

static bool read_only(struct work *w, struct cli_run *r)
{
	return class_selection_read(&w->only, &r->session, w->a->only, false) &&
	       (!w->a->only || class_selection_check(&w->only, w->analysis.graph, is_candidate, w, " of the application"));
}

static bool read_from(struct work *w, struct cli_run *r)
{
	struct strbuf why = { 0 };

	if (session_method(&r->session, w->a->from, &w->from, &why)) {
		if (!is_own(w, w->from))
			strbuf_addf(&why, "--from %s is a method of a library: name one of the application, or its class with --application",
				    w->a->from);
		else if (!callgraph_reaches(w->analysis.graph, w->from))
			strbuf_addf(&why, "--from %s is not in the graph: nothing that starts at %s calls it", w->a->from, w->entry.s);
	}
	bool ok = !why.len;
	if (!ok)
		term_error(&r->term, "%s", why.s);
	strbuf_release(&why);
	return ok;
}

/* Notes about what the application is */

static void note(struct cli_run *r, const char *sentence)
{
	diag_add(&r->inquiry.diag, DIAG_W080, NULL, (struct str){ 0 }, DIAG_NO_OFFSET, "%s", sentence);
}

static uint32_t count_jdk_classes(const struct work *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->application.classes.len; i++)
		n += !session_is_application(w->analysis.session, w->application.classes.data[i]);
	return n;
}

/* What stands for the JVM is no library that one could name fewer classes for. */
static bool has_library(const struct work *w)
{
	const struct callgraph *g = w->analysis.graph;
	const struct program *p = callgraph_program(g);

	for (uint32_t k = 0; k < callgraph_nmethods(g); k++) {
		class_id c = method_row(p, callgraph_method(g, k))->owner;
		if (class_row(p, c)->kind != CLASS_SYNTHETIC && !is_application(w, c))
			return true;
	}
	return false;
}

/* What has fewer contexts may be through with all of them in the same work. */
static void say_unfinished(const struct work *w, struct cli_run *r, struct strbuf *text)
{
	const char *cheaper = algorithm_cheaper(&w->analysis.algorithm);
	struct algorithm other;
	bool is_one = cheaper && algorithm_find(cheaper, &other) && algorithm_follows_calls(&other);

	strbuf_clear(text);
	strbuf_addf(text, "%llu library calls took too long to look at, and have what the whole graph has: give them time with --call-limit "
			  "SECONDS, or take %s%s", (unsigned long long)w->analysis.callbacks->unfinished,
		    is_one ? "--algorithm " : "another --algorithm", is_one ? cheaper : "");
	note(r, text->s);
}

/* The result is right then, but perhaps not what was meant. */
static void check_application(const struct work *w, struct cli_run *r)
{
	const struct callbacks *c = w->analysis.callbacks;
	uint32_t of_jdk = count_jdk_classes(w);
	struct strbuf text = { 0 };

	if (!c->methods)
		note(r, "no method of the application is reached: name the classes that run with --application; by default they are all that are "
			"not the JDK's");
	else if (!c->library_calls || !has_library(w))
		note(r, "the application calls no library, so nothing is called back through one: name fewer classes with --application");
	else if (of_jdk) {
		strbuf_addf(&text, "%u classes of the JDK are the application's, as --application says; all others of the JDK are its library",
			    (unsigned)of_jdk);
		note(r, text.s);
	}
	if (c->unfinished)
		say_unfinished(w, r, &text);
	strbuf_release(&text);
}

static bool select_calls(struct work *w, struct cli_run *r)
{
	struct callbacks_selection s = { .depth = (uint32_t)w->a->depth, .ctx = &w->only,
					 .has_class = w->a->only ? class_selection_has : NULL };

	if (!read_only(w, r) || (w->a->from && !read_from(w, r)))
		return false;
	s.from = w->from;
	if (w->a->only || w->a->from)
		callbacks_select(w->analysis.callbacks, w->analysis.graph, &s);
	return true;
}

/* Results */

static struct graph_view *view_of(struct work *w, name_render *render)
{
	return application_view_new(w->analysis.callbacks, w->analysis.graph, &w->said, render);
}

static enum show shown(const struct callbacks_args *a)
{
	return a->du_pairs ? SHOW_PAIRS : a->free ? SHOW_FREE : a->summaries ? SHOW_SUMMARIES : SHOW_CALLS;
}

static bool write_graph(struct sink *out, void *ctx)
{
	struct work *w = ctx;
	int f = w->a->shared.format;

	if (f == FORMAT_MERMAID) {
		sink_str(out, strbuf_str(&w->chart));
		return sink_finish(out);
	}
	if (writers[shown(w->a)][f])
		return writers[shown(w->a)][f](out, w->analysis.callbacks, w->analysis.graph, &w->said);
	struct graph_view *v = view_of(w, graph_writers[f] == report_graph_dot ? name_source : name_full);
	bool ok = graph_writers[f](out, v);
	graph_view_free(v);
	return ok;
}

static bool fill_database(const char *path, void *ctx, struct strbuf *err)
{
	struct graph_view *v = view_of(ctx, name_full);
	bool ok = report_graph_sqlite(path, v, err);

	graph_view_free(v);
	return ok;
}

static bool make_chart(struct work *w, struct cli_run *r)
{
	struct graph_view *v = view_of(w, name_source);
	struct strbuf why = { 0 };
	bool ok = report_graph_mermaid(&w->chart, v, &why);

	if (!ok)
		term_error(&r->term, "%s: choose classes with --only PATTERNS, or a method with --from METHOD --depth N; --format dot takes any "
				     "number", why.s);
	strbuf_release(&why);
	graph_view_free(v);
	return ok;
}

/* Comparison */

static bool write_diff(struct sink *out, void *ctx)
{
	struct work *w = ctx;
	const struct shared_options *o = &w->a->shared;
	struct calls_head head = { .old_name = w->a->diff, .new_name = w->new_name, .old = &w->old, .new = &w->new,
				   .color = w->head.color, .is_verbose = w->head.is_verbose };

	return (strcmp(formats[o->format], "json") == 0 ? report_calls_diff_json : report_calls_diff_text)(out, &w->diff, &head);
}

/* What was asked in another way may be all that changed. */
static void check_comparable(const struct work *w, struct cli_run *r)
{
	struct strbuf list = { 0 };

	for (uint32_t i = 0; i < CALLS_FACTS; i++)
		if (w->diff.differs & 1u << i)
			strbuf_addf(&list, "%s%s", list.len ? ", " : "", calls_fact_names[i]);
	if (list.len)
		diag_add(&r->inquiry.diag, DIAG_W079, w->a->diff, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "the results differ in what was asked: %s; compute both in the same way", list.s);
	strbuf_release(&list);
}

static bool compare(struct work *w, struct cli_run *r)
{
	calls_compare(&w->diff, &w->old, &w->new);
	check_comparable(w, r);
	return !run_writes(r) || run_write(r, write_diff, w);
}

static int check_changes(const struct work *w, struct cli_run *r)
{
	uint64_t added = 0, removed = 0;
	char a[32], b[32];

	for (uint32_t i = 0; i < CALLS_KINDS; i++) {
		added += w->diff.added[i];
		removed += w->diff.removed[i];
	}
	if (!(w->a->fail_on != ON_REMOVED && added) && !(w->a->fail_on != ON_ADDED && removed))
		return EXIT_DONE;
	term_error(&r->term, "--fail-on %s: %s added and %s removed", changes[w->a->fail_on], grouped(added, a), grouped(removed, b));
	return EXIT_CHECK_FAILED;
}

static int finish(struct work *w, struct cli_run *r, bool ok)
{
	int status = !ok ? EXIT_UNSERVED : w->a->fail_on ? check_changes(w, r) : EXIT_DONE;

	if (w->a->diff) {
		calls_diff_release(&w->diff);
		calls_release(&w->old);
		calls_release(&w->new);
	}
	return status;
}

/* Two files: nothing is computed. */
static int compare_files(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	struct diag *d = &r->inquiry.diag;

	calls_init(&w->old);
	calls_init(&w->new);
	bool has_old = calls_open(w->a->diff, &w->old, d), ok = calls_open(w->new_name, &w->new, d) && has_old;
	inquiry_phase(&r->inquiry, PHASE_OPEN);
	w->head = run_head(r);
	ok = ok && compare(w, r);
	return finish(w, r, ok);
}

static bool write_pairs(struct sink *out, void *ctx)
{
	struct work *w = ctx;
	struct pairs_subject subject = { w->analysis.defuse, w->analysis.graph, w->analysis.facts, &w->said };

	return pairs_writers[w->a->shared.format](out, &subject);
}

/* Results of this run */

static bool write_result(struct work *w, struct cli_run *r)
{
	const struct callbacks_args *a = w->a;

	check_application(w, r);
	if (!select_calls(w, r))
		return false;
	w->head = analysis_head(r, &w->analysis, w->entry.s);
	w->head.clusters = a->clusters;
	w->said = (struct application_head){ .head = &w->head, .application = a->application, .precision = precisions[a->precision],
					     .only = a->only, .from = a->from, .depth = (uint32_t)a->depth, .has_method = has_method,
					     .ctx = w };
	if (a->diff) {
		calls_of(w->analysis.callbacks, w->analysis.graph, &w->said, &w->new);
		return compare(w, r);
	}
	if (!run_writes(r))
		return true;
	if (a->du_pairs)
		return run_write(r, write_pairs, w);
	if (a->shared.format == FORMAT_SQLITE)
		return run_write_database(r, fill_database, w);
	return (a->shared.format != FORMAT_MERMAID || make_chart(w, r)) && run_write(r, write_graph, w);
}

static void add_pairs(struct stats *st, const struct defuse *d)
{
	stats_count(st, "definitions", d->definitions), stats_show(st, "definitions", d->definitions);
	stats_count(st, "uses", d->reads), stats_show(st, "uses", d->reads);
	for (int i = 0; i < PAIR_SORTS; i++) {
		stats_count(st, pair_sort_name((enum pair_sort)i), d->counts[i]);
		stats_show(st, pair_sort_name((enum pair_sort)i), d->counts[i]);
	}
	stats_count(st, "threaded", d->threaded), stats_show(st, "threaded", d->threaded);
	stats_break(st);
}

static void print_stats(struct cli_run *r, const struct work *w)
{
	const struct callbacks *c = w->analysis.callbacks;
	const struct { const char *name; uint64_t n; } figures[] = {
		{ "methods", c->methods }, { "library_calls", c->library_calls }, { "direct", c->counts[CALL_DIRECT] },
		{ "callback", c->counts[CALL_BACK] }, { "later", c->counts[CALL_LATER] }, { "unfinished", c->unfinished },
		{ "witnesses", c->witnesses }, { "refused_witnesses", c->refused }, { "answers", c->answers },
		{ "effects", c->effects.len ? c->effects.len - 1 : 0 }, { "accesses", c->accesses.len },
		{ "beginnings", c->beginnings }, { "work", c->work },
	};
	struct stats st = { 0 };

	if (r->o->stats == STATS_NONE)
		return;
	stats_text(&st, "algorithm", w->analysis.algorithm.name);
	stats_text(&st, "precision", precisions[w->a->precision]);
	for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
		stats_count(&st, figures[i].name, figures[i].n);
		stats_show(&st, figures[i].name, figures[i].n);
	}
	stats_break(&st);
	if (w->analysis.defuse)
		add_pairs(&st, w->analysis.defuse);
	inquiry_stats(&r->inquiry, true, &st);
	run_write_stats(r, "callbacks", &st);
	stats_release(&st);
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	struct analysis *x = &w->analysis;

	x->keeps_bases = w->a->du_pairs;
	x->heap.by_site[HEAP_LEAVES] |= w->a->du_pairs && !w->a->analysis.heap;      /* numbers in objects are definitions, too */
	x->callbacks_opt = (struct callbacks_opt){ .is_simple = w->a->precision == SIMPLE, .precision = precision_of[w->a->precision],
						   .is_application = is_application, .ctx = w, .seconds = w->a->limit,
						   .effects = shown(w->a) != SHOW_CALLS && w->a->precision != SIMPLE,
						   .witnesses = w->a->witnesses || w->a->shared.format == FORMAT_HTML };
	x->keeps_accesses = x->callbacks_opt.effects;
	calls_init(&w->old);
	calls_init(&w->new);
	bool ok = (!w->a->diff || calls_open(w->a->diff, &w->old, &r->inquiry.diag)) &&
		  (!w->a->application || component_classes(&r->session, w->a->application, NULL, &w->application)) &&
		  analysis_begin(x, r, &w->entry) &&
		  analysis_need(x, w->a->du_pairs ? JAVA_DEFUSE : JAVA_CALLBACKS) && write_result(w, r);
	if (ok)
		print_stats(r, w);
	analysis_forget(x);
	class_selection_release(&w->only);
	strbuf_release(&w->chart);
	component_release(&w->application);
	return finish(w, r, ok);
}

static const char *const shown_by[SHOWS] = { NULL, "--summaries", "--side-effect-free", "--du-pairs" };

static void check_usage(const struct callbacks_args *a, struct strbuf *err)
{
	const char *format = formats[a->shared.format];
	enum show show = shown(a);

	if (show == SHOW_PAIRS ? !pairs_writers[a->shared.format] : show != SHOW_CALLS && !writers[show][a->shared.format])
		strbuf_addf(err, "%s cannot be written as %s: use text, json or csv", shown_by[show], format);
	else if (show != SHOW_CALLS && (a->diff || a->only || a->from))
		strbuf_addf(err, "%s is about the whole application: --diff, --only and --from are about the graph", shown_by[show]);
	else if (show != SHOW_CALLS && show != SHOW_PAIRS && a->precision == SIMPLE)
		strbuf_addf(err, "%s looks at each library call, which --precision simple does not: 'va-datareach-ft' does", shown_by[show]);
	else if (a->shared.format == FORMAT_SQLITE && !a->shared.output)
		strbuf_adds(err, "--format sqlite writes a database file: name it with -o FILE");
	else if (a->depth && !a->from)
		strbuf_adds(err, "--depth counts calls from a method: name it with --from METHOD");
	else if (a->diff && strcmp(format, "text") != 0 && strcmp(format, "json") != 0)
		strbuf_addf(err, "--diff cannot be written as %s: use text or json", format);
	else if (a->fail_on && !a->diff)
		strbuf_adds(err, "--fail-on is about what changed: name an earlier result with --diff OLD");
}

/* An option about what is computed, that was given; NULL: none was. */
static const char *computing_option(const struct callbacks_args *a)
{
	return a->shared.class_path	? "-cp" :
	       a->analysis.main		? "--main" :
	       a->analysis.entry	? "--entry" :
	       a->application		? "--application" :
	       a->only			? "--only" :
	       a->from			? "--from" :
					  NULL;
}

static int run_diff(struct work *w, int n, char **operands, struct strbuf *err)
{
	const char *computing = computing_option(w->a);

	if (n > 1)
		strbuf_adds(err, "--diff compares two results: sherd callbacks --diff OLD NEW");
	else if (computing)
		strbuf_addf(err, "--diff %s %s compares two files, and %s is for computing one: leave one of them out", w->a->diff,
			    operands[0], computing);
	w->new_name = operands[0];
	return err->len ? usage_error("%s", err->s) : run_verb_alone(&w->a->shared, PHASES_JAVA, compare_files, w);
}

static int run_callbacks(void *values, int n, char **operands)
{
	struct callbacks_args *a = values;
	bool is_diff = a->diff;

	a->diff = option_first(a->diff, &n, &operands);
	struct work w = { .a = a };
	struct strbuf err = { 0 };

	if (list_names(w.a->analysis.algorithm, w.a->analysis.assume))
		return EXIT_DONE;
	if (is_diff && !a->diff)
		return usage_error("--diff is about an earlier result: sherd callbacks --diff OLD NEW");
	if (n && !w.a->diff)
		return usage_error("callbacks takes no operand '%s': name inputs with -cp, as in sherd callbacks -cp app.jar --main app.Main",
				   operands[0]);
	check_usage(w.a, &err);
	if (!err.len && n) {
		int compared = run_diff(&w, n, operands, &err);
		strbuf_release(&err);
		return compared;
	}
	if (!err.len && analysis_prepare(&w.analysis, &w.a->analysis, &w.a->shared, &w.entry, &err) && w.a->precision != SIMPLE)
		analysis_follows_calls(&w.analysis, "--precision", &err);
	if (!err.len && w.a->du_pairs)
		analysis_follows_variables(&w.analysis, "--du-pairs", &err);
	int status = err.len ? usage_error("%s", err.s) : run_verb(&w.a->shared, compute, &w);
	strbuf_release(&err);
	strbuf_release(&w.entry);
	return status;
}

const struct command_spec cmd_callbacks = {
	.synopsis = { "-cp PATH [--main CLASS | --entry public|FILE] [--application PATTERNS] [OPTION]...",
		      "--diff OLD NEW [OPTION]...", NULL },
	.description = "Computes who calls whom among the methods of an application alone. Methods of libraries are left out, but not "
		       "what they call back: where the application calls a library, the result says which of the application's "
		       "methods may run before that call is over, or later, in a thread that it starts.\nEach library call is looked at by "
		       "itself, with the objects that it is given.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct callbacks_args),
	.initial = &initial,
	.examples = { { "sherd callbacks -cp app.jar --main app.Main", "which library calls call back, and what" },
		      { "sherd callbacks -cp app.jar:lib.jar --main app.Main --application 'app.**' --format json -o calls.json",
			"with lib.jar as a library, too" },
		      { "sherd callbacks -cp app.jar --main app.Main --from app.Menu.open --depth 2 --format mermaid",
			"a picture for a pull request of what one method calls" },
		      { "sherd callbacks --diff old.json calls.json --fail-on added", "what calls a change added or removed" },
		      { "sherd callbacks -cp app.jar --main app.Main --du-pairs", "which statements read what others wrote" },
		      { NULL, NULL } },
	.run = run_callbacks,
};
