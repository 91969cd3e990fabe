/* SPDX-License-Identifier: Apache-2.0 */
/* sherd why-call */
#include <string.h>

#include "cli/verbs/analysis.h"
#include "report/objects/pta.h"

struct why_call_args {
	struct shared_options shared;
	struct analysis_options analysis;
};

static const char *const formats[] = { "text", "json", NULL };
static whycall_writer *const writers[] = { report_whycall_text, report_whycall_json };

static const struct option_row rows[] = {
	ANALYSIS_OPTIONS(struct why_call_args), SHARED_INPUT(struct why_call_args),
	SHARED_OUTPUT(struct why_call_args, formats), SHARED_RUN(struct why_call_args),
};
static const struct why_call_args initial = { .analysis = { .algorithm = "andersen", .assume = "listed" } };

struct work {
	const struct why_call_args *a;
	const char *names[2];          /* caller, callee */
	method_id methods[2];
	struct analysis analysis;
	struct strbuf entry;
	struct whycall why;
	struct report_head head;
};

/* Finds the methods that are not known yet. Those of classes that lowering makes (pkg.Cls$$Lambda$...) exist only after
 * the analysis; a wrong name of any other should not take that long to be told. */
static bool find_methods(struct work *w, struct cli_run *r, bool is_lowered)
{
	struct strbuf why = { 0 };
	bool ok = true;

	for (int i = 0; i < 2 && ok; i++) {
		if (w->methods[i].i || (!is_lowered && strstr(w->names[i], "$$")))
			continue;
		ok = session_method(&r->session, w->names[i], &w->methods[i], &why);
	}
	if (!ok)
		term_error(&r->term, "%s", why.s);
	strbuf_release(&why);
	return ok;
}

static bool write_why(struct sink *out, void *ctx)
{
	struct work *w = ctx;

	return writers[w->a->shared.format](out, &w->why, &w->head);
}

static bool explain(struct work *w, struct cli_run *r)
{
	struct analysis *x = &w->analysis;

	if (!find_methods(w, r, false) || !analysis_run_from(x, &r->session, w->entry.s) || !find_methods(w, r, true))
		return false;
	w->why = (struct whycall){ x->facts, x->graph, w->methods[0], w->methods[1],
				   pta_explain(x->facts, w->methods[0], w->methods[1]) };
	pta_contract(x->facts, &w->why.witness);
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
	if (!ok)
		return EXIT_UNSERVED;
	return w->why.witness.found ? EXIT_DONE : EXIT_CHECK_FAILED;
}

static int run_why_call(void *values, int n, char **operands)
{
	struct work w = { .a = values, .analysis = { .explains = true } };
	struct strbuf err = { 0 };

	if (strcmp(w.a->analysis.algorithm, "help") == 0)
		return algorithm_list();
	if (strcmp(w.a->analysis.assume, "help") == 0)
		return assume_list();
	if (n != 2)
		return usage_error("why-call is about two methods: sherd why-call CALLER CALLEE, such as app.Main.run "
				   "app.Task.start");
	w.names[0] = operands[0];
	w.names[1] = operands[1];
	if (analysis_prepare(&w.analysis, &w.a->analysis, &w.entry, &err))
		analysis_follows_variables(&w.analysis, "why-call", &err);
	int status = err.len ? usage_error("%s", err.s) : run_verb(&w.a->shared, compute, &w);
	strbuf_release(&err);
	strbuf_release(&w.entry);
	return status;
}

const struct command_spec cmd_why_call = {
	.synopsis = { "CALLER CALLEE -cp PATH (--main CLASS | --entry public|FILE) [OPTION]...", NULL },
	.description = "Explains why a call is in the call graph: at which line CALLER may call CALLEE, on which object, "
		       "where that object is created, and how it gets from there to the call.\nMethods are "
		       "pkg.Cls.method, or pkg.Cls.method(descriptor)ret where there is more than one of that name. When "
		       "CALLER never calls CALLEE, says what is known instead, with exit status 1.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct why_call_args),
	.initial = &initial,
	.examples = { { "sherd why-call app.Main.run app.Task.start -cp app.jar --main app.Main",
			"the shortest way of an object" },
		      { "sherd why-call app.Main.run app.Task.start -cp app.jar --main app.Main --algorithm 1obj",
			"is it still there when receivers are told apart?" },
		      { NULL, NULL } },
	.run = run_why_call,
};
