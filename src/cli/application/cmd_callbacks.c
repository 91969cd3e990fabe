/* SPDX-License-Identifier: Apache-2.0 */
/* sherd callbacks */
#include "cli/verbs/analysis.h"
#include "report/graph/application.h"
#include "session/component/component.h"

struct callbacks_args {
	struct shared_options shared;
	struct analysis_options analysis;
	const char *application;
	int precision;
};

static const char *const formats[] = { "text", "json", "csv", NULL };
static application_writer *const writers[] = { report_application_text, report_application_json, report_application_csv };
static const char *const precisions[] = { "simple", "v-datareach", "va-datareach", "va-datareach-ft", NULL };
static const enum reach_precision precision_of[] = { REACH_LIBRARY, REACH_ESCAPES, REACH_ACCESSIBLE, REACH_LIBRARY };
enum { SIMPLE = 0 };

#define T struct callbacks_args
static const struct option_row rows[] = {
	ANALYSIS_OPTIONS(T),
	OPT_STRING(T, application, "application", NULL, "PATTERNS", "Analysis",
		   "the classes that are the application's: 'app.**'; all others are libraries. By default, all that are not the JDK's"),
	OPT_CHOICE(T, precision, "precision", NULL, "HOW", precisions, "Analysis",
		   "how callbacks are found: 'simple' walks the whole graph, the others look at each library call by itself"),
	SHARED_INPUT(T), SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T
static const struct callbacks_args initial = { .analysis = { .algorithm = "containers", .assume = "listed" }, .precision = 3 };

struct work {
	const struct callbacks_args *a;
	struct analysis analysis;
	struct strbuf entry;
	struct component application;
	struct report_head head;
};

static bool is_application(const void *ctx, class_id c)
{
	const struct work *w = ctx;

	return w->a->application ? component_has(&w->application, c) : session_is_application(w->analysis.session, c);
}

static bool write_graph(struct sink *out, void *ctx)
{
	struct work *w = ctx;
	struct application_head head = { &w->head, w->a->application, precisions[w->a->precision] };

	return writers[w->a->shared.format](out, w->analysis.callbacks, w->analysis.graph, &head);
}

static void print_stats(struct cli_run *r, const struct work *w)
{
	const struct callbacks *c = w->analysis.callbacks;
	const struct { const char *name; uint64_t n; } figures[] = {
		{ "methods", c->methods }, { "library_calls", c->library_calls }, { "direct", c->counts[CALL_DIRECT] },
		{ "callback", c->counts[CALL_BACK] }, { "later", c->counts[CALL_LATER] }, { "unfinished", c->unfinished },
		{ "answers", c->answers }, { "beginnings", c->beginnings }, { "work", c->work },
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
	inquiry_stats(&r->inquiry, true, &st);
	run_write_stats(r, "callbacks", &st);
	stats_release(&st);
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	struct analysis *x = &w->analysis;

	x->callbacks_opt = (struct callbacks_opt){ .is_simple = w->a->precision == SIMPLE, .precision = precision_of[w->a->precision],
						   .is_application = is_application, .ctx = w };
	bool ok = (!w->a->application || component_classes(&r->session, w->a->application, NULL, &w->application)) &&
		  analysis_run_from(x, &r->session, w->entry.s) && analysis_need(x, JAVA_CALLBACKS);
	if (ok) {
		w->head = analysis_head(r, x, w->entry.s);
		ok = !run_writes(r) || run_write(r, write_graph, w);
	}
	if (ok)
		print_stats(r, w);
	analysis_forget(x);
	component_release(&w->application);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

static int run_callbacks(void *values, int n, char **operands)
{
	struct work w = { .a = values };
	struct strbuf err = { 0 };

	if (list_names(w.a->analysis.algorithm, w.a->analysis.assume))
		return EXIT_DONE;
	if (n)
		return usage_error("callbacks takes no operand '%s': name inputs with -cp, as in sherd callbacks -cp app.jar --main app.Main",
				   operands[0]);
	if (analysis_prepare(&w.analysis, &w.a->analysis, &w.entry, &err) && w.a->precision != SIMPLE)
		analysis_follows_calls(&w.analysis, "--precision", &err);
	int status = err.len ? usage_error("%s", err.s) : run_verb(&w.a->shared, compute, &w);
	strbuf_release(&err);
	strbuf_release(&w.entry);
	return status;
}

const struct command_spec cmd_callbacks = {
	.synopsis = { "-cp PATH (--main CLASS | --entry public|FILE) [--application PATTERNS] [OPTION]...", NULL },
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
		      { NULL, NULL } },
	.run = run_callbacks,
};
