/* SPDX-License-Identifier: Apache-2.0 */
/* sherd why */
#include <string.h>

#include "cli/verbs/component.h"

struct why_args {
	struct shared_options shared;
	struct component_options component;
	const char *site, *receiver;
};

static const char *const formats[] = { "text", "json", NULL };
static why_writer *const writers[] = { report_why_text, report_why_json };

#define T struct why_args
static const struct option_row rows[] = {
	OPT_STRING(T, site, "site", NULL, "SITE", "The question",
		   "a call of the component: pkg.Cls.method@PC, pkg.Cls.method:LINE, pkg.Cls:LINE, or pkg.Cls.method; Cls alone where that is unique"),
	OPT_STRING(T, receiver, "receiver", NULL, "CLASS", "The question",
		   "the class of the receiver; the end of its name will do where only one receiver has it"),
	COMPONENT_OPTIONS(T), SHARED_INPUT(T), SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T
static const struct why_args initial = { .component = { .clients = CLIENTS_AUTO, .algorithm = "andersen", .assume = "listed" } };

struct work {
	const struct why_args *a;
	struct study study;
	struct why why;
	struct report_head head;
};

static bool write_why(struct sink *out, void *ctx)
{
	struct work *w = ctx;

	return writers[w->a->shared.format](out, &w->why, &w->head);
}

static bool explain(struct work *w, struct cli_run *r)
{
	struct question q = { w->a->site, w->a->receiver, NULL };
	struct strbuf why = { 0 };
	bool ok = study_open(&w->study, &r->session) && study_why(&w->study, &q, &w->why, &why);

	if (why.len)
		term_error(&r->term, "%s", why.s);
	strbuf_release(&why);
	if (!ok)
		return false;
	if (q.doubt)
		term_warning(&r->term, "a step below could not be confirmed: %s", q.doubt);
	w->head = analysis_head(r, &w->study.analysis, NULL);
	return !run_writes(r) || run_write(r, write_why, w);
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	bool ok = explain(w, r);

	if (ok)
		analysis_print_stats(r, &w->study.analysis, "why");
	call_path_release(&w->why.to_creation);
	call_path_release(&w->why.to_call);
	study_close(&w->study);
	if (!ok)
		return EXIT_UNSERVED;
	return w->why.witness.found ? EXIT_DONE : EXIT_CHECK_FAILED;
}

static int run_why(void *values, int n, char **operands)
{
	struct work w = { .a = values };
	struct strbuf err = { 0 };

	if (n > 0)
		return usage_error("why takes no operand '%s'; name the call with --site", operands[0]);
	if (list_names(w.a->component.algorithm, w.a->component.assume))
		return EXIT_DONE;
	if (component_prepare(&w.study, &w.a->component, &err)) {
		w.study.analysis.explains = true;
		if (!w.a->site || !w.a->receiver)
			strbuf_adds(&err, "say which call and which class: --site pkg.Cls.method:LINE --receiver CLASS");
		else
			analysis_follows_variables(&w.study.analysis, "why", &err);
	}
	int status = err.len ? usage_error("%s", err.s) : component_run_verb(&w.study, &w.a->shared, compute, &w);
	strbuf_release(&err);
	return status;
}

const struct command_spec cmd_why = {
	.synopsis = { "--component PATTERNS --site SITE --receiver CLASS [-cp PATH] [OPTION]...", NULL },
	.description = "Explains a requirement: how an object of CLASS can become the receiver of a call of the component. "
		       "Shows which member of the interface a client uses, the calls from there to where the object is created, and "
		       "every assignment, argument, result, field and exception on its way to the call; of all ways a "
		       "shortest one.\nWhen no such object gets there, says which classes do, or that the call is never "
		       "reached, with exit status 1.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct why_args),
	.initial = &initial,
	.examples = { { "sherd why -cp lib.jar --component 'org.lib.**' --site org.lib.Parser.next:120 --receiver Word",
			"the call in line 120 of a method" },
		      { "sherd why -cp lib.jar --component 'org.lib.**' --site 'org.lib.Parser.next()V@12' "
			"--receiver org.lib.Word --format json",
			"by the number of the instruction, as sherd requirements has it in JSON" },
		      { NULL, NULL } },
	.run = run_why,
};
