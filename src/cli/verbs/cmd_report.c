/* SPDX-License-Identifier: Apache-2.0 */
/* sherd report */
#include <string.h>

#include "cli/verbs/measured.h"
#include "session/component/component.h"
#include "session/artifact/result.h"

struct report_args {
	struct shared_options shared;
	struct measured_options measured;
	const char *plan, *diff, *only;
};

enum { FORMAT_TEXT, FORMAT_JSON };
static const char *const formats[] = { "text", "html", "json", "cobertura", "jacoco", "lcov", "sarif", "badge", NULL };
static coverage_writer *const writers[] = { report_coverage_text,   report_coverage_html, report_coverage_json,
					    report_coverage_cobertura, report_coverage_jacoco, report_coverage_lcov,
					    report_coverage_sarif,  report_coverage_badge };

#define T struct report_args
static const struct option_row rows[] = {
	OPT_STRING(T, plan, "plan", NULL, "FILE", "Input",
		   "the plan of the data (default: plan.sherd in the folder, or beside the file)"),
	OPT_FIRST(T, diff, "diff", NULL, "OLD", "Input", "what changed since OLD, another folder or file: text or json"),
	MEASURED_OPTIONS(T),
	OPT_STRING(T, only, "only", NULL, "PATTERNS", "Report",
		   "text, sarif: list only these classes, as --component names them"),
	SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T

struct work {
	const struct report_args *a;
	const char *const *paths;
	uint32_t npaths;
	struct gates gates;
	struct result result, old;
	struct cov_diff diff;
	struct patterns only;
	struct measured_report report;
};

/* Patterns are about internal names. */
static bool is_shown(const void *context, struct str class)
{
	char name[1024];

	if (class.len >= sizeof(name))
		return true;
	for (uint32_t i = 0; i < class.len; i++)
		name[i] = class.p[i] == '.' ? '/' : class.p[i];
	return patterns_match(context, (struct str){ name, class.len });
}

static const char *name_copy(struct arena *mem, struct str s)
{
	char *copy = arena_zalloc(mem, s.len + 1u);

	memcpy(copy, s.p, s.len);
	return copy;
}

static const char *nearest_class(const struct plan *p, const char *name, struct arena *mem)
{
	const char **names = arena_array(mem, const char *, p->classes.len + 1);

	for (uint32_t i = 0; i < p->classes.len; i++)
		names[i] = name_copy(mem, p->classes.data[i].name);
	names[p->classes.len] = NULL;
	return nearest_name(name, names);
}

/* What is misspelt must not look as if all were well. */
static bool read_only(struct work *w, struct cli_run *r)
{
	const struct plan *p = &w->result.plan;

	if (!patterns_read(&r->inquiry.diag, w->a->only, &w->only))
		return false;
	for (uint32_t i = 0; i < p->classes.len; i++)
		if (is_shown(&w->only, p->classes.data[i].name))
			return true;
	const char *near = nearest_class(p, w->a->only, &w->result.mem);
	diag_add(&r->inquiry.diag, DIAG_E044, NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
		 "no class of the component matches --only %s%s%s%s", w->a->only, near ? "; did you mean " : "",
		 near ? near : "", near ? "?" : "");
	return false;
}

static bool open_result(struct work *w, struct cli_run *r)
{
	struct strbuf err = { 0 };
	struct diag *d = &r->inquiry.diag;

	if (!result_open(&w->result, w->paths, w->npaths, w->a->plan, measured_accept(&w->a->measured), d))
		return false;
	if (!w->result.runs.runs.len) {
		diag_add(d, DIAG_E053, w->paths[0], (struct str){ 0 }, DIAG_NO_OFFSET,
			 "there is no data here: let sherd cover run the tests, or give a JVM the option of sherd cover "
			 "--print-agent");
		return false;
	}
	if (!gates_fit(&w->gates, w->result.plan.criteria, &err))
		term_error(&r->term, "%s", err.s);
	bool ok = err.len == 0;
	strbuf_release(&err);
	return ok;
}

static bool write_diff(struct sink *out, void *ctx)
{
	struct work *w = ctx;
	coverage_diff_writer *writer = strcmp(formats[w->a->shared.format], "json") == 0 ? report_coverage_diff_json :
											  report_coverage_diff_text;

	return writer(out, &w->diff, &w->report.head);
}

static bool compare(struct work *w, struct cli_run *r)
{
	if (!result_open(&w->old, &w->a->diff, 1, NULL, measured_accept(&w->a->measured), &r->inquiry.diag))
		return false;
	coverage_diff(&w->diff, &w->old.coverage, &w->result.coverage);
	bool ok = !run_writes(r) || run_write(r, write_diff, w);
	coverage_diff_release(&w->diff);
	return ok;
}

static bool serve(struct work *w, struct cli_run *r)
{
	measured_check_source(r, &w->a->measured);
	if (!open_result(w, r) || (w->a->only && !read_only(w, r)))
		return false;
	measured_check_classes(r, &w->result.coverage);
	inquiry_phase(&r->inquiry, PHASE_OPEN);
	w->report = (struct measured_report){ writers[w->a->shared.format], &w->result.coverage,
					      measured_head(r, &w->a->measured, &w->result.coverage, w->paths[0]) };
	w->report.head.color &= !w->a->shared.output;
	if (w->a->only) {
		w->report.head.is_shown = is_shown;
		w->report.head.context = &w->only;
	}
	if (w->a->diff)
		return compare(w, r);
	if (w->a->shared.format != FORMAT_TEXT)
		measured_say_notes(r, &w->result.coverage);
	return !run_writes(r) || measured_write_result(r, &w->report);
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	int status = EXIT_UNSERVED;

	if (serve(w, r)) {
		measured_print_stats(r, "report", &w->result.coverage, -1);
		status = measured_check_gates(r, &w->gates, &w->result.coverage);
	}
	if (w->a->diff)
		result_close(&w->old);
	if (w->a->only)
		patterns_release(&w->only);
	result_close(&w->result);
	return status;
}

static void check_usage(struct work *w, int n, struct strbuf *err)
{
	const struct report_args *a = w->a;
	const char *format = formats[a->shared.format];

	if (!gates_read(a->measured.fail_under, &w->gates, err))
		return;
	if (a->diff && n != 1)
		strbuf_adds(err, "--diff compares two results: sherd report --diff OLD NEW");
	else if (a->diff && strcmp(format, "text") != 0 && strcmp(format, "json") != 0)
		strbuf_addf(err, "--diff cannot be written as %s: use text or json", format);
}

static int run_report(void *values, int n, char **operands)
{
	struct report_args *a = values;
	bool is_diff = a->diff;

	a->diff = option_first(a->diff, &n, &operands);
	struct work w = { .a = a, .paths = (const char *const *)operands, .npaths = (uint32_t)n };
	struct strbuf err = { 0 };

	if (is_diff && !a->diff)
		return usage_error("--diff compares two results: sherd report --diff OLD NEW");
	check_usage(&w, n, &err);
	int status = err.len ? usage_error("%s", err.s) : run_verb_alone(&w.a->shared, PHASES_JAVA, compute, &w);
	strbuf_release(&err);
	return status;
}

const struct command_spec cmd_report = {
	.synopsis = { "DIR|FILE... [OPTION]...", "--diff OLD NEW [OPTION]...", NULL },
	.description = "Reports what tests exercised of what is required: from the folder that sherd cover left, or from files "
		       "with data of its agent, beside their plan. Nothing is analysed or run again.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct report_args),
	.needs_operands = "name the folder that sherd cover left; with --diff OLD, the new one",
	.examples = { { "sherd report sherd-coverage", "what was covered, as a screen of text" },
		      { "sherd report sherd-coverage --format html --source src/main/java -o report.html",
			"a page with the sources" },
		      { "sherd report sherd-coverage --format cobertura -o coverage.xml --fail-under rc=80",
			"for a build server, with a gate" },
		      { "sherd report --diff before sherd-coverage", "what was gained and lost" },
		      { NULL, NULL } },
	.run = run_report,
};
