/* SPDX-License-Identifier: Apache-2.0 */
/* sherd why-call */
#include <string.h>

#include "cli/verbs/analysis.h"
#include "report/ways/ways.h"
#include "report/objects/pta.h"
#include "session/component/component.h"
#include "session/lookup/site.h"

struct why_call_args {
	struct shared_options shared;
	struct analysis_options analysis;
	const char *application;
};

static const char *const formats[] = { "text", "json", NULL };
static whycall_writer *const writers[] = { report_whycall_text, report_whycall_json };
static ways_writer *const ways_writers[] = { report_ways_text, report_ways_json };

static const struct option_row rows[] = {
	ANALYSIS_OPTIONS(struct why_call_args),
	OPT_STRING(struct why_call_args, application, "application", NULL, "PATTERNS", "Analysis",
		   "the classes that are the application's, where a library calls CALLEE back; by default, all that are not the JDK's"),
	SHARED_INPUT(struct why_call_args),
	SHARED_OUTPUT(struct why_call_args, formats), SHARED_RUN(struct why_call_args),
};
static const struct why_call_args initial = { .analysis = { .algorithm = "containers", .assume = "listed" } };

struct work {
	const struct why_call_args *a;
	const char *names[2];          /* caller, callee */
	method_id methods[2];
	VEC(uint32_t) at;              /* calls of the caller, by pc; none: all */
	struct analysis analysis;
	struct strbuf entry;
	struct whycall why;
	struct component application;
	bool is_called_back;
	struct report_head head;
};

/* Of a class that lowering makes (pkg.Cls$$Lambda$...), or that stands for one that is made at run time (sherd.Proxy$...)? */
static bool is_made(const char *name)
{
	return strstr(name, "$$") || strncmp(name, "sherd.", strlen("sherd.")) == 0;
}

/* CALLER is a line, or a pc. */
static bool find_calls(struct work *w, struct session *s, struct strbuf *why)
{
	named_site_list sites = { 0 };
	bool ok = session_calls(s, w->names[0], &sites, why);

	for (uint32_t i = 0; i < sites.len; i++) {
		w->methods[0] = sites.data[i].method;
		vec_push(&w->at, sites.data[i].pc);
	}
	vec_release(&sites);
	return ok;
}

static struct pta_calls asked_calls(const struct work *w)
{
	return (struct pta_calls){ w->at.data, w->at.len };
}

static struct ways asked_ways(const struct work *w)
{
	return (struct ways){ w->analysis.callbacks, w->analysis.graph, w->methods[0], w->methods[1], asked_calls(w) };
}

/* Finds the methods that are not known yet. Those of classes that are made exist only after the analysis; a wrong name of any other
 * should not take that long to be told. */
static bool find_methods(struct work *w, struct cli_run *r, bool is_lowered)
{
	struct strbuf why = { 0 };
	bool ok = true;

	for (int i = 0; i < 2 && ok; i++) {
		if (w->methods[i].i || (!is_lowered && is_made(w->names[i])))
			continue;
		bool is_call = i == 0 && session_names_calls(w->names[i]);
		ok = is_call ? find_calls(w, &r->session, &why) : session_method(&r->session, w->names[i], &w->methods[i], &why);
	}
	if (!ok)
		term_error(&r->term, "%s", why.s);
	strbuf_release(&why);
	return ok;
}

static bool write_why(struct sink *out, void *ctx)
{
	struct work *w = ctx;
	struct ways ways = asked_ways(w);

	if (w->is_called_back)
		return ways_writers[w->a->shared.format](out, &ways, &w->head);
	return writers[w->a->shared.format](out, &w->why, &w->head);
}

/* Through libraries, as sherd callbacks has it */

static bool is_application(const void *ctx, class_id c)
{
	const struct work *w = ctx;

	return w->a->application ? component_has(&w->application, c) : session_is_application(w->analysis.session, c);
}

static bool is_own(const struct work *w, method_id m)
{
	return is_application(w, method_row(callgraph_program(w->analysis.graph), m)->owner);
}

static bool has_callback(const struct work *w)
{
	struct ways ways = asked_ways(w);

	for (uint32_t i = 0; i < ways.c->edges.len; i++)
		if (ways_have(&ways, &ways.c->edges.data[i]))
			return true;
	return false;
}

static bool look_through_library(struct work *w)
{
	struct analysis *x = &w->analysis;

	if (w->why.witness.found || !x->facts || !algorithm_follows_calls(&x->algorithm) || !is_own(w, w->methods[0]) ||
	    !is_own(w, w->methods[1]))
		return true;
	x->callbacks_opt = (struct callbacks_opt){ .precision = REACH_LIBRARY, .caller = w->methods[0], .witnesses = true,
						   .is_application = is_application, .ctx = w };
	if (!analysis_need(x, JAVA_CALLBACKS))
		return false;
	w->is_called_back = has_callback(w);
	return true;
}

static void explain_object(struct work *w)
{
	struct pta *facts = w->analysis.facts;

	w->why.witness = pta_explain(facts, w->methods[0], w->methods[1], asked_calls(w));
	pta_contract(facts, &w->why.witness);
	w->why.features = pta_features(facts);
}

static bool has_target(struct cg_targets t, method_id m)
{
	for (uint32_t i = 0; i < t.n; i++)
		if (t.methods[i].i == m.i)
			return true;
	return false;
}

/* Without objects, a site that calls it is all there is; one of the code's own goes first. */
static void explain_site(struct work *w)
{
	struct callgraph *g = w->analysis.graph;
	struct pta_witness *v = &w->why.witness;
	uint32_t n = 0;
	const struct cg_site *s = callgraph_reaches(g, w->methods[0]) ? callgraph_sites(g, w->methods[0], &n) : NULL;

	for (uint32_t i = 0; i < n; i++)
		if ((!v->found || (v->site.implied && !s[i].implied)) && pta_calls_have(asked_calls(w), s[i].pc) &&
		    has_target(callgraph_targets(g, &s[i]), w->methods[1]))
			*v = (struct pta_witness){ .found = true, .site = s[i], .caller = w->methods[0] };
	w->why.features = callgraph_features(g);
}

static bool explain(struct work *w, struct cli_run *r)
{
	struct analysis *x = &w->analysis;

	if (w->a->application && !component_classes(&r->session, w->a->application, NULL, &w->application))
		return false;
	if (!find_methods(w, r, false) || !analysis_begin(x, r, &w->entry) || !find_methods(w, r, true))
		return false;
	w->why = (struct whycall){ .facts = x->facts, .graph = x->graph, .caller = w->methods[0], .callee = w->methods[1] };
	if (x->facts)
		explain_object(w);
	else
		explain_site(w);
	if (!look_through_library(w))
		return false;
	inquiry_phase(&r->inquiry, PHASE_SOLVE);
	w->head = analysis_head(r, x, w->entry.s);
	return !run_writes(r) || run_write(r, write_why, w);
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	bool ok = explain(w, r);

	if (ok)
		analysis_print_stats(r, &w->analysis, "why-call");
	analysis_forget(&w->analysis);
	component_release(&w->application);
	if (!ok)
		return EXIT_UNSERVED;
	return w->why.witness.found || w->is_called_back ? EXIT_DONE : EXIT_CHECK_FAILED;
}

static int run_why_call(void *values, int n, char **operands)
{
	struct work w = { .a = values, .analysis = { .explains = true } };
	struct strbuf err = { 0 };

	if (list_names(w.a->analysis.algorithm, w.a->analysis.assume))
		return EXIT_DONE;
	if (n != 2)
		return usage_error("why-call is about two methods: sherd why-call CALLER CALLEE, such as app.Main.run "
				   "app.Task.start");
	w.names[0] = operands[0];
	w.names[1] = operands[1];
	if (analysis_prepare(&w.analysis, &w.a->analysis, &w.a->shared, &w.entry, &err) && algorithm_follows_objects(&w.analysis.algorithm))
		analysis_follows_variables(&w.analysis, "why-call", &err);
	int status = err.len ? usage_error("%s", err.s) : run_verb(&w.a->shared, compute, &w);
	strbuf_release(&err);
	strbuf_release(&w.entry);
	vec_release(&w.at);
	return status;
}

const struct command_spec cmd_why_call = {
	.synopsis = { "CALLER CALLEE -cp PATH [--main CLASS | --entry public|FILE] [OPTION]...", NULL },
	.description = "Explains why a call is in the call graph: at which line CALLER may call CALLEE, on which object, "
		       "where that object is created, and how it gets from there to the call.\nMethods are "
		       "pkg.Cls.method, or pkg.Cls.method(descriptor)ret where there is more than one of that name; CALLER may be one call, "
		       "METHOD:LINE or METHOD@PC. When "
		       "CALLER never calls CALLEE, but a library that it calls may call CALLEE back, shows the way through the library and "
		       "the object that makes it; otherwise says what is known instead, with exit status 1.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct why_call_args),
	.initial = &initial,
	.examples = { { "sherd why-call app.Main.run app.Task.start -cp app.jar --main app.Main",
			"the shortest way of an object" },
		      { "sherd why-call app.Main.run app.Task.start -cp app.jar --main app.Main --algorithm 1obj",
			"is it still there when receivers are told apart?" },
		      { "sherd why-call app.Main.sort app.Order.compare -cp app.jar --main app.Main",
			"the way of a callback through the library" },
		      { NULL, NULL } },
	.run = run_why_call,
};
