/* SPDX-License-Identifier: Apache-2.0 */
/* sherd requirements */
#include <stdio.h>
#include <string.h>

#include "cli/verbs/component.h"
#include "report/requirements/requirements.h"

struct requirements_args {
	struct shared_options shared;
	struct component_options component;
	const char *criteria, *compare;
	bool all, show_interface, show_placeholders;
};

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_MARKDOWN };
static const char *const formats[] = { "text", "json", "csv", "markdown", NULL };
static requirements_writer *const writers[] = { report_requirements_text, report_requirements_json,
						report_requirements_csv };
static comparison_writer *const compare_writers[] = { report_compare_text, report_compare_json, report_compare_csv,
						      report_compare_markdown };

#define T struct requirements_args
static const struct option_row rows[] = {
	COMPONENT_OPTIONS(T),
	OPT_STRING(T, compare, "compare", NULL, "NAMES", "Analysis",
		   "several algorithms side by side, separated by commas, the most precise last"),
	OPT_STRING(T, criteria, "criteria", NULL, "LIST", "Output",
		   "what is to be exercised at a call: rc receiver classes, tm target methods, senders, args their classes "
		   "(default: rc,tm)"),
	OPT_FLAG(T, all, "all", NULL, "Output", "text, csv: calls with a single possible receiver class, too"),
	OPT_FLAG(T, show_interface, "show-interface", NULL, "Output",
		 "print the interface instead, as a file to start from"),
	OPT_FLAG(T, show_placeholders, "show-placeholders", NULL, "Output",
		 "print the statements that stand for all clients instead"),
	SHARED_INPUT(T), SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T
static const struct requirements_args initial = { .component = { .clients = CLIENTS_AUTO, .algorithm = "andersen", .assume = "listed" } };

struct work {
	const struct requirements_args *a;
	struct study study;
	struct comparison comparison;
	VEC(struct algorithm) compared;
	struct strbuf text;
};

/* Options */

static bool read_compared(struct work *w, struct strbuf *err)
{
	for (const char *at = w->a->compare;; at++) {
		size_t n = strcspn(at, ",");
		char name[32];
		struct algorithm a;
		snprintf(name, sizeof(name), "%.*s", (int)n, at);
		if (!algorithm_find(name, &a)) {
			strbuf_addf(err, "--compare knows no algorithm '%.*s': see --algorithm help", (int)n, at);
			return false;
		}
		vec_push(&w->compared, a);
		at += n;
		if (!*at)
			return true;
	}
}

static void check_usage(struct work *w, struct strbuf *err)
{
	const struct requirements_args *a = w->a;
	unsigned beyond = CRITERION_SENDERS | CRITERION_ARGS;

	if (!criteria_read(a->criteria, CRITERION_RC | CRITERION_TM | beyond, &w->study.criteria, err))
		return;
	w->study.analysis.keeps_this = w->study.criteria & CRITERION_SENDERS;
	if (a->show_interface && a->show_placeholders)
		strbuf_adds(err, "--show-interface and --show-placeholders are two texts: ask for one of them");
	else if ((a->show_interface || a->show_placeholders) && a->shared.stats == STATS_JSON)
		strbuf_adds(err, "--stats=json is about an analysis: --show-interface and --show-placeholders run none");
	else if (a->compare && (w->study.criteria & beyond))
		strbuf_adds(err, "--compare counts receiver classes and target methods: leave out senders and args");
	else if (a->compare)
		read_compared(w, err);
	else if (a->shared.format == FORMAT_MARKDOWN)
		strbuf_adds(err, "--format markdown is for tables of --compare: use text, json or csv");
	else if (w->study.criteria & beyond)
		analysis_follows_variables(&w->study.analysis, "--criteria senders and args", err);
}

/* Results */

static struct requirements_head head_of(struct work *w, struct cli_run *r)
{
	return (struct requirements_head){ .head = run_head(r), .component = w->study.opt.component,
					   .interface = fragment_interface(&w->study.opt),
					   .clients = w->study.fragment.clients.s, .all_sites = w->a->all };
}

struct writing {
	struct work *w;
	struct requirements_head head;
};

static bool write_result(struct sink *out, void *ctx)
{
	struct writing *x = ctx;
	int f = x->w->a->shared.format;

	if (x->w->a->compare)
		return compare_writers[f](out, &x->w->comparison, &x->head);
	return writers[f](out, &x->w->study.found, &x->head);
}

static bool write_text(struct sink *out, void *ctx)
{
	struct writing *x = ctx;

	sink_str(out, strbuf_str(&x->w->text));
	return sink_finish(out);
}

static bool show(struct work *w, struct cli_run *r)
{
	struct fragment *f = &w->study.fragment;
	struct writing x = { .w = w };

	if (w->a->show_interface) {
		interface_print(&f->h, &f->interface, &w->text);
		interface_tell_places(&r->session, fragment_interface(&w->study.opt), &f->interface, &w->text);
	} else {
		placeholders_print(&r->session.program, &f->placeholders, &w->text);
	}
	return run_write(r, write_text, &x);
}

static void print_stats(const struct work *w, struct cli_run *r)
{
	struct stats st = { 0 };

	study_stats(&w->study, &st);
	run_write_stats(r, "requirements", &st);
	stats_release(&st);
}

static bool serve(struct work *w, struct cli_run *r)
{
	if (!study_open(&w->study, &r->session))
		return false;
	if (w->a->show_interface || w->a->show_placeholders)
		return show(w, r);
	if (w->a->compare)
		study_compare(&w->study, w->compared.data, w->compared.len, &w->comparison);
	else if (!study_need(&w->study, COMPONENT_REQUIREMENTS))
		return false;
	struct writing x = { w, head_of(w, r) };
	if (run_writes(r) && !run_write(r, write_result, &x))
		return false;
	print_stats(w, r);
	return true;
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	bool ok = serve(w, r);

	study_close(&w->study);
	comparison_release(&w->comparison);
	strbuf_release(&w->text);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

static int run_requirements(void *values, int n, char **operands)
{
	struct work w = { .a = values };
	struct strbuf err = { 0 };

	if (n > 0)
		return usage_error("requirements takes no operand '%s'; name classes with --component", operands[0]);
	if (list_names(w.a->component.algorithm, w.a->component.assume))
		return EXIT_DONE;
	if (component_prepare(&w.study, &w.a->component, &err))
		check_usage(&w, &err);
	int status = err.len ? usage_error("%s", err.s) : component_run_verb(&w.study, &w.a->shared, compute, &w);
	strbuf_release(&err);
	vec_release(&w.compared);
	return status;
}

const struct command_spec cmd_requirements = {
	.synopsis = { "--component PATTERNS [-cp PATH] [--interface WHAT] [OPTION]...", NULL },
	.description = "Computes what tests of a component should exercise, without any client of it: at each of its calls the "
		       "possible classes of the receiver (RC) and the methods that they select (TM), over all clients that "
		       "use its interface.\nThe component is completed by placeholders: statements that do whatever a client "
		       "may do. An analysis of whole programs then runs on both.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct requirements_args),
	.initial = &initial,
	.examples = { { "sherd requirements --component 'java.util.zip.*'", "a package of the JDK, as a screen of text" },
		      { "sherd requirements -cp lib.jar --component 'org.lib.**' --interface tests:build/test-classes",
			"as far as the tests of a library use it" },
		      { "sherd requirements -cp lib.jar --component 'org.lib.**' --show-interface > interface.txt",
			"an interface to edit, for --interface interface.txt" },
		      { "sherd requirements --component 'java.text.*' --compare cha,rta,0cfa,andersen",
			"how many requirements each analysis leaves" },
		      { NULL, NULL } },
	.run = run_requirements,
};
