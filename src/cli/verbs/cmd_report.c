/* SPDX-License-Identifier: Apache-2.0 */
/* sherd report */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys/usage.h"
#include "cli/verbs/component.h"
#include "cli/verbs/measured.h"
#include "coverage/criteria.h"
#include "session/artifact/measurement.h"

#define WHY_SECONDS 5.0       /* of CPU time, for witnesses of what was missed */

struct report_args {
	struct shared_options shared;
	struct measured_options measured;
	const char *plan, *diff, *only;
	const char *criteria, *interface;
	int clients;                  /* enum clients, or CHOICE_NONE */
	option_list older;
};
static const struct report_args initial = { .clients = CHOICE_NONE };

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
	OPT_CHOICE(T, clients, "clients", NULL, "WHICH", clients_names, "Other requirements",
		   "analyse the component again with such clients, and report the same runs by these requirements"),
	OPT_STRING(T, interface, "interface", NULL, "WHAT", "Other requirements", "the same with this interface, as of sherd cover"),
	OPT_STRING(T, criteria, "criteria", NULL, "LIST", "Other requirements", "the same with these criteria: rc, tm, ..."),
	SHARED_INPUT_FOR(T, "Other requirements"),
	OPT_LIST(T, older, "older", NULL, "OLD", "Input",
		 "html: show what became of the figures since OLD, a folder or file of before; may be given more than once"),
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
	struct result own, old;
	struct result *result;           /* what is reported: `own`, or that of `again` */
	struct result was;               /* with other requirements: the plan of the runs */
	struct study study;
	struct measurement again;
	const char *class_path;          /* for these, as users give it; without tests */
	VEC(struct coverage_past) past;
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
	const struct plan *p = &w->result->plan;

	if (!patterns_read(&r->inquiry.diag, w->a->only, &w->only))
		return false;
	for (uint32_t i = 0; i < p->classes.len; i++)
		if (is_shown(&w->only, p->classes.data[i].name))
			return true;
	const char *near = nearest_class(p, w->a->only, &w->result->mem);
	diag_add(&r->inquiry.diag, DIAG_E044, NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
		 "no class of the component matches --only %s%s%s%s", w->a->only, near ? "; did you mean " : "",
		 near ? near : "", near ? "?" : "");
	return false;
}

static bool check_result(struct work *w, struct cli_run *r)
{
	struct strbuf err = { 0 };

	if (!w->result->runs.runs.len) {
		diag_add(&r->inquiry.diag, DIAG_E053, w->paths[0], (struct str){ 0 }, DIAG_NO_OFFSET,
			 "there is no data here: let sherd cover run the tests, or give a JVM the option of sherd cover "
			 "--print-agent");
		return false;
	}
	if (!gates_fit(&w->gates, w->result->plan.criteria, &err))
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
	coverage_diff(&w->diff, &w->old.coverage, &w->result->coverage);
	bool ok = !run_writes(r) || run_write(r, write_diff, w);
	coverage_diff_release(&w->diff);
	return ok;
}

/* One after the other: only their figures are kept. */
static bool read_past(struct work *w, struct cli_run *r)
{
	bool ok = true;

	for (uint32_t i = 0; ok && i < w->a->older.len; i++) {
		struct result old;
		ok = result_open(&old, &w->a->older.data[i], 1, NULL, measured_accept(&w->a->measured), &r->inquiry.diag);
		if (ok)
			vec_push(&w->past, coverage_past(&old.coverage, str_of(w->a->older.data[i])));
		result_close(&old);
	}
	w->report.head.past = w->past.data;
	w->report.head.npast = w->past.len;
	return ok;
}

/* Of w->result. */
static bool serve(struct work *w, struct cli_run *r)
{
	if (!check_result(w, r) || (w->a->only && !read_only(w, r)))
		return false;
	measured_check_classes(r, &w->result->coverage);
	inquiry_phase(&r->inquiry, PHASE_OPEN);
	w->report = (struct measured_report){ writers[w->a->shared.format], &w->result->coverage,
					      measured_head(r, &w->a->measured, &w->result->coverage, w->paths[0]) };
	w->report.head.color &= !w->a->shared.output;
	if (w->a->only) {
		w->report.head.is_shown = is_shown;
		w->report.head.context = &w->only;
	}
	if (w->a->diff)
		return compare(w, r);
	if (!read_past(w, r))
		return false;
	if (w->a->shared.format != FORMAT_TEXT)
		measured_say_notes(r, &w->result->coverage);
	return !run_writes(r) || measured_write_result(r, &w->report);
}

static int finish(struct work *w, struct cli_run *r, bool ok)
{
	int status = EXIT_UNSERVED;

	if (ok && serve(w, r)) {
		measured_print_stats(r, "report", &w->result->coverage, -1);
		status = measured_check_gates(r, &w->gates, &w->result->coverage);
	}
	if (w->a->diff)
		result_close(&w->old);
	if (w->a->only)
		patterns_release(&w->only);
	vec_release(&w->past);
	return status;
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;

	measured_check_source(r, &w->a->measured);
	w->result = &w->own;
	bool ok = result_open(&w->own, w->paths, w->npaths, w->a->plan, measured_accept(&w->a->measured), &r->inquiry.diag);
	int status = finish(w, r, ok);

	result_close(&w->own);
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
	else if (a->older.len && strcmp(format, "html") != 0)
		strbuf_adds(err, "--older is shown on the page: use --format html, or --diff OLD NEW");
}

/* Other requirements for the same runs */

static bool is_again(const struct report_args *a)
{
	return a->clients != CHOICE_NONE || a->criteria || a->interface;
}

static const char *text_of(struct work *w, struct str s)
{
	return s.len ? name_copy(&w->was.mem, s) : NULL;
}

static int clients_of(const struct plan *p)
{
	const char *blank = memchr(p->clients.p, ' ', p->clients.len);      /* auto, and what they extend */
	struct str word = str_sub(p->clients, 0, blank ? (uint32_t)(blank - p->clients.p) : p->clients.len);

	for (int i = 0; clients_names[i]; i++)
		if (str_is(word, clients_names[i]))
			return i;
	return CLIENTS_CLOSED;
}

/* Clients of another sort have another one by default. */
static bool is_default_interface(const struct plan *p)
{
	struct fragment_opt o = { .clients = (enum clients)clients_of(p) };

	return str_is(p->interface, fragment_interface(&o));
}

/* The component as the plan has it, but for what is asked otherwise. */
static bool prepare_again(struct work *w, struct strbuf *err)
{
	const struct report_args *a = w->a;
	const struct plan *p = &w->was.plan;
	struct component_options o = { .component = text_of(w, p->component), .algorithm = text_of(w, p->algorithm),
				       .assume = p->assume.len ? text_of(w, p->assume) : "listed" };

	o.clients = a->clients != CHOICE_NONE ? a->clients : clients_of(p);
	o.interface = a->interface ? a->interface : is_default_interface(p) ? NULL : text_of(w, p->interface);
	w->study.criteria = AGAIN_CRITERIA(p->criteria);
	if (p->criteria != AGAIN_CRITERIA(p->criteria))
		strbuf_adds(err, "results with chains, callbacks or def-use pairs cannot be measured by other requirements: run the tests again with "
				 "sherd cover");
	if (err->len || !component_prepare(&w->study, &o, err))
		return false;
	if (a->criteria)
		w->study.criteria = 0;
	return !a->criteria || criteria_read(a->criteria, AGAIN_CRITERIA(criteria_bits()), &w->study.criteria, err);
}

/* A class path that is gone would be a component that is. */
static bool is_path_there(const char *path, struct strbuf *err)
{
	struct strbuf place = { 0 };

	for (const char *at = path; at && *at && !err->len;) {
		size_t n = strcspn(at, ":");
		strbuf_clear(&place);
		strbuf_add(&place, at, n);
		if (n && at[n - 1] != '*' && access(place.s, R_OK) != 0)
			strbuf_addf(err, "the class path that was measured has %s: %s; name where it is now with -cp, or go where sherd cover was run",
				    place.s, strerror(errno));
		at += n + (at[n] == ':');
	}
	strbuf_release(&place);
	return err->len == 0;
}

static void say_again(const struct work *w, struct cli_run *r)
{
	const struct plan *p = &w->again.plan.plan, *was = &w->was.plan;

	term_note(&r->term, "requirements are made anew: %.*s clients, interface %.*s (the runs were for %.*s clients, interface %.*s); their data is joined "
			    "by class and call, and %s stays as it is", (int)p->clients.len, p->clients.p, (int)p->interface.len, p->interface.p,
		  (int)was->clients.len, was->clients.p, (int)was->interface.len, was->interface.p, w->paths[0]);
}

static bool measure_again(struct work *w, struct cli_run *r)
{
	struct strbuf err = { 0 };
	bool ok = measurement_again(&w->again, &r->session, &w->was.plan, w->paths, w->npaths, w->class_path, &err);

	if (err.len)
		term_error(&r->term, "%s", err.s);
	strbuf_release(&err);
	w->result = &w->again.result;
	if (!ok)
		return false;
	say_again(w, r);
	if (measurement_explains(&w->again))
		measurement_explain(&w->again, WHY_SECONDS);
	return true;
}

static int compute_again(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;

	measured_check_source(r, &w->a->measured);
	int status = finish(w, r, measure_again(w, r));

	study_close(&w->study);
	return status;
}

static int run_again(struct work *w)
{
	struct shared_options shared = w->a->shared;
	const struct plan *p = &w->was.plan;
	struct strbuf err = { 0 };

	w->again = (struct measurement){ .study = &w->study, .lock = -1, .accept = measured_accept(&w->a->measured) };
	if (!shared.class_path)
		shared.class_path = text_of(w, p->class_path);
	w->class_path = shared.class_path;
	if (!shared.jdk)
		shared.jdk = p->jdk.len ? text_of(w, p->jdk) : "none";
	if (prepare_again(w, &err) && is_path_there(shared.class_path, &err))
		w->study.analysis.explains = measurement_explains(&w->again);
	int status = err.len ? usage_error("%s", err.s) : component_run_verb(&w->study, &shared, compute_again, w);
	measurement_release(&w->again);
	strbuf_release(&err);
	return status;
}

/* Of a result that cannot be read, compute() says why. */
static int run_checked(struct work *w)
{
	struct diag unread;

	if (!is_again(w->a))
		return run_verb_alone(&w->a->shared, PHASES_JAVA, compute, w);
	diag_init(&unread);
	bool ok = result_open_plan(&w->was, w->paths, w->npaths, w->a->plan, &unread);
	int status = ok ? run_again(w) : run_verb_alone(&w->a->shared, PHASES_JAVA, compute, w);
	result_close(&w->was);
	diag_release(&unread);
	return status;
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
	int status = err.len ? usage_error("%s", err.s) : run_checked(&w);
	strbuf_release(&err);
	return status;
}

const struct command_spec cmd_report = {
	.synopsis = { "DIR|FILE... [OPTION]...", "--diff OLD NEW [OPTION]...", NULL },
	.description = "Reports what tests exercised of what is required: from the folder that sherd cover left, or from files "
		       "with data of its agent, beside their plan. Nothing is run again, and nothing analysed, unless other requirements are asked for.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct report_args),
	.initial = &initial,
	.needs_operands = "name the folder that sherd cover left; with --diff OLD, the new one",
	.examples = { { "sherd report sherd-coverage", "what was covered, as a screen of text" },
		      { "sherd report sherd-coverage --format html --source src/main/java -o report.html",
			"a page with the sources" },
		      { "sherd report sherd-coverage --format cobertura -o coverage.xml --fail-under rc=80",
			"for a build server, with a gate" },
		      { "sherd report new --older spring --older summer --format html -o report.html",
			"a page with a trend" },
		      { "sherd report --diff before sherd-coverage", "what was gained and lost" },
		      { NULL, NULL } },
	.run = run_report,
};
