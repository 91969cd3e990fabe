/* SPDX-License-Identifier: Apache-2.0 */
/* sherd cover */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sys/usage.h"
#include "cli/agent_option.h"
#include "cli/chains/chain_options.h"
#include "cli/output.h"
#include "cli/spawn.h"
#include "cli/verbs/component.h"
#include "cli/verbs/measured.h"
#include "session/artifact/measurement.h"

#define WHY_SECONDS 5.0       /* of CPU time, for witnesses of what was missed */

struct cover_args {
	struct shared_options shared;
	struct component_options component;
	struct measured_options measured;
	struct chain_options chains;
	const char *criteria, *agent, *agent_options;
	bool append, no_why, print_agent, record_dynamic;
};

enum { FORMAT_TEXT, FORMAT_JSON };
static const char *const formats[] = { "text", "json", NULL };
static coverage_writer *const writers[] = { report_coverage_text, report_coverage_json };

#define T struct cover_args
static const struct option_row rows[] = {
	COMPONENT_OPTIONS(T),
	OPT_TOLD(T, criteria, "criteria", NULL, "LIST", "Analysis", criteria_tell),
	CHAIN_OPTIONS(T),
	OPT_STRING(T, shared.output, "output", "o", "DIR", "The run",
		   "the folder for plan, data and report (default: sherd-coverage)"),
	OPT_FLAG(T, append, "append", NULL, "The run", "keep the data of earlier runs in that folder, and count it"),
	OPT_FLAG(T, record_dynamic, "record-dynamic", NULL, "The run",
		 "write down what reflection, proxies, method handles, services and deserialization do: dynamic.txt in that folder"),
	OPT_STRING(T, agent, "agent", NULL, "FILE", "The run",
		   "the agent's library (default: $SHERD_AGENT, else beside this program)"),
	OPT_STRING(T, agent_options, "agent-options", NULL, "LIST", "The run",
		   "more options for the agent: 'KEY=VALUE,...'"),
	OPT_FLAG(T, print_agent, "print-agent", NULL, "The run",
		 "only make the plan, and print the option for a JVM, to be put into a build file"),
	MEASURED_OPTIONS(T),
	OPT_FLAG(T, no_why, "no-why", NULL, "Report", "do not look for ways to reach what was missed"),
	OPT_CHOICE(T, shared.format, "format", NULL, "FORMAT", formats, "Report", "what is printed"),
	OPT_OPTIONAL(T, shared.stats, "stats", NULL, "FORM", stats_names, "Report",
		     "summary of the run: counts, seconds per phase, peak memory; =json leaves standard output to it"),
	SHARED_INPUT(T), SHARED_RUN(T),
};
#undef T
static const struct cover_args initial = { .shared = { .output = "sherd-coverage" },
					    .component = { .clients = CLIENTS_AUTO, .algorithm = "andersen", .assume = "listed" },
					    .chains = { .granularity = CHAIN_RECEIVER } };

struct work {
	const struct cover_args *a;
	char **command;
	struct filter_file filter;
	struct chains_request chains;
	struct gates gates;
	struct study study;
	struct measurement m;
	struct strbuf option;         /* for a JVM */
	double seconds;               /* of the command */
};

static bool write_bytes(struct sink *out, void *bytes)
{
	sink_str(out, *(struct str *)bytes);
	return sink_finish(out);
}

/* Of struct measurement. */
static bool write_file(void *ctx, const char *path, struct str bytes)
{
	return run_write_to(ctx, path, write_bytes, &bytes);
}

static bool refuse(struct cli_run *r, struct strbuf *err)
{
	if (err->len)
		term_error(&r->term, "%s", err->s);
	strbuf_release(err);
	return false;
}

static bool make_plan(struct work *w, struct cli_run *r)
{
	struct strbuf err = { 0 };

	measured_check_source(r, &w->a->measured);
	w->m.write = write_file;
	w->m.ctx = r;
	if (!measurement_plan(&w->m, &r->session, w->a->shared.class_path, &err))
		return refuse(r, &err);
	if (!w->m.plan.plan.sites.len && !w->m.plan.plan.chains.trees.len)
		term_warning(&r->term, "the component has no call with more than one possible receiver class: nothing is "
				       "required");
	if (w->m.plan.apart)
		term_note(&r->term, "%" PRIu64 " def-use pairs are not measured: they are by library calls, or by instructions that do not "
				    "name a field", w->m.plan.apart);
	return true;
}

/* The run */

/* What is said of the analysis should not come after the output of the command, which may be long. */
static void say_diagnostics(struct cli_run *r)
{
	term_diagnostics(&r->term, &r->inquiry.diag);
	diag_release(&r->inquiry.diag);
	diag_init(&r->inquiry.diag);
}

/* A machine reads our standard output: the command's goes elsewhere. */
static bool is_for_machines(const struct cover_args *a)
{
	return a->shared.stats == STATS_JSON || a->shared.format != FORMAT_TEXT;
}

static int run_command(struct work *w, struct strbuf *err)
{
	struct strbuf value = { 0 };
	double before = wall_seconds();

	agent_variable(w->option.s, &value);
	struct spawn s = { w->command, "JAVA_TOOL_OPTIONS", value.s, is_for_machines(w->a) };
	budget_end();
	fflush(stdout);
	int status = spawn_wait(&s, err);
	w->seconds = wall_seconds() - before;
	strbuf_release(&value);
	return status;
}

/* The report */

static void explain_missed(struct work *w, struct cli_run *r)
{
	if (w->a->no_why || !measurement_explains(&w->m))
		return;
	measurement_explain(&w->m, WHY_SECONDS);
	if (w->m.unexplained && w->a->shared.verbose)
		term_note(&r->term, "%" PRIu64 " missed receivers are not explained: ask for one with sherd why", w->m.unexplained);
}

static bool write_page(struct work *w, struct cli_run *r, struct measured_report *m)
{
	struct strbuf path = { 0 };

	m->writer = report_coverage_html;
	bool ok = run_write_to(r, measurement_file(&w->m, RESULT_PAGE, &path), measured_write, m);
	strbuf_release(&path);
	return ok;
}

static bool write_screen(struct work *w, struct cli_run *r, struct measured_report *m, bool has_page)
{
	m->writer = writers[w->a->shared.format];
	if (is_for_machines(w->a))
		measured_say_notes(r, m->coverage);
	if (w->a->shared.stats == STATS_JSON)
		return true;
	if (!is_for_machines(w->a))
		putchar('\n'), fflush(stdout);       /* the command's last line may have no end */
	bool ok = run_write_to(r, NULL, measured_write, m) && fflush(stdout) == 0;
	measured_say_left_out(r, m);
	if (!is_for_machines(w->a) && has_page)
		term_note(&r->term, "the report as a page: %s/" RESULT_PAGE, w->a->shared.output);
	return ok;
}

static bool report(struct work *w, struct cli_run *r)
{
	struct measured_report m = { .coverage = &w->m.result.coverage,
				     .head = measured_head(r, &w->a->measured, &w->m.result.coverage, w->a->shared.output) };

	explain_missed(w, r);
	bool has_page = write_page(w, r, &m);

	return write_screen(w, r, &m, has_page) && has_page;
}

/* The status when the command's is 0. */
static int finish(struct work *w, struct cli_run *r)
{
	const struct shared_options *o = r->o;
	struct session_opt path = { .class_path = o->class_path, .jdk = o->jdk, .use_cache = !o->no_cache, .jobs = o->jobs,
				    .no_manifests = o->no_manifests };
	const struct coverage *c = &w->m.result.coverage;
	struct strbuf err = { 0 };

	if (w->a->record_dynamic && !measurement_merge_dynamic(&w->m))
		return EXIT_UNSERVED;
	if (!measurement_read(&w->m, &path, &err)) {
		refuse(r, &err);
		return EXIT_UNSERVED;
	}
	measured_check_classes(r, c);
	bool is_reported = report(w, r);
	measured_print_stats(r, "cover", c, w->seconds);
	if (w->m.has_changed && w->a->measured.fail_under) {
		term_error(&r->term, "--fail-under cannot be checked: class files of the component changed while the command "
				     "ran; run it again, or compile first");
		return EXIT_UNSERVED;
	}
	int status = measured_check_gates(r, &w->gates, c);

	return is_reported ? status : EXIT_UNSERVED;
}

/* Where our exit status comes from. A JVM that a signal ends says so by its status, as shells do. */
static void say_status(struct cli_run *r, int status)
{
	int signal = status - SPAWN_SIGNAL;

	if (signal > 0 && signal < 32)
		term_note(&r->term, "the command ended with status %d (signal %d, %s); what it did until then counts", status,
			  signal, strsignal(signal));
	else if (status)
		term_note(&r->term, "the command ended with status %d", status);
}

static int cover(struct work *w, struct cli_run *r)
{
	struct strbuf err = { 0 };
	say_diagnostics(r);
	int status = run_command(w, &err);

	if (err.len) {
		term_error(&r->term, "%s", err.s);
		strbuf_release(&err);
		return status;
	}
	int own = finish(w, r);
	say_status(r, status);
	return status ? status : own;
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	int status = EXIT_UNSERVED;

	if (make_plan(w, r)) {
		if (w->a->print_agent)
			status = puts(w->option.s) < 0 ? EXIT_UNSERVED : EXIT_DONE;
		else
			status = cover(w, r);
	}
	study_close(&w->study);
	return status;
}

/* Options */

static bool check_chains(struct work *w, struct strbuf *err)
{
	const struct chain_options *o = &w->a->chains;
	bool is_asked = w->study.criteria & PLAN_CHAINS;
	bool is_said = o->k || o->length || o->recursion || o->levels || o->from || o->not_through || o->through.len || o->filter ||
		       o->assertions || o->prune;

	w->m.chains = is_asked ? &w->chains : NULL;
	w->m.has_callbacks = w->study.criteria & PLAN_CALLBACKS;
	if (is_asked && w->m.has_callbacks) {
		strbuf_adds(err, "chains and callbacks cannot be measured in one run: measure them one after the other, with a folder for "
				 "each (-o)");
		return false;
	}
	if (!is_asked && is_said)
		strbuf_adds(err, "-k and other options of chains need the criterion: --criteria rc,tm,chains");
	return is_asked ? chain_request(o, &w->filter, &w->chains, err) : !is_said;
}

/* Pairs need objects. */
static bool check_pairs(struct work *w, struct strbuf *err)
{
	w->m.has_pairs = w->study.criteria & PLAN_DU;
	if (!w->m.has_pairs)
		return true;
	if (w->study.criteria & PLAN_CHAINS) {
		strbuf_adds(err, "chains and du cannot be measured in one run: measure them one after the other, with a folder for each (-o)");
		return false;
	}
	if (!analysis_follows_variables(&w->study.analysis, "--criteria du", err))
		return false;
	study_keep_pairs(&w->study);
	return true;
}

static void check_usage(struct work *w, int n, struct strbuf *err)
{
	const struct cover_args *a = w->a;

	if (!a->component.component && n)
		strbuf_adds(err, "say which classes are the component: --component PATTERNS, before the command");
	if (err->len || !component_prepare(&w->study, &a->component, err) ||
	    !criteria_read(a->criteria, criteria_bits(), &w->study.criteria, err) ||
	    !gates_read(a->measured.fail_under, &w->gates, err) ||
	    !gates_fit(&w->gates, w->study.criteria, err))
		return;
	if (!check_chains(w, err) || !check_pairs(w, err))
		return;
	if (!n && !a->print_agent)
		strbuf_adds(err, "say which command to run, behind all options: sherd cover --component ... -- mvn test");
	else if (n && a->print_agent)
		strbuf_adds(err, "--print-agent runs no command: leave it out");
	w->study.analysis.explains = !a->no_why && !a->print_agent && measurement_explains(&w->m);
}

static bool prepare(struct work *w, struct strbuf *err)
{
	struct strbuf agent = { 0 };
	bool ok = agent_find(w->a->agent, &agent, err) && measurement_take(&w->m, err);

	if (ok)
		agent_option(agent.s, w->m.folder.s, w->a->record_dynamic, w->a->agent_options, &w->option);
	strbuf_release(&agent);
	return ok;
}

static int run_cover(void *values, int n, char **operands)
{
	struct work w = { .a = values, .command = operands };
	struct strbuf err = { 0 };

	if (list_names(w.a->component.algorithm, w.a->component.assume))
		return EXIT_DONE;
	w.m = (struct measurement){ .study = &w.study, .asked = w.a->shared.output, .append = w.a->append, .lock = -1,
				   .accept = measured_accept(&w.a->measured) };
	check_usage(&w, n, &err);
	int status = err.len || !prepare(&w, &err) ? usage_error("%s", err.s) :
						       component_run_verb(&w.study, &w.a->shared, compute, &w);
	measurement_release(&w.m);
	filter_file_release(&w.filter);
	strbuf_release(&err);
	strbuf_release(&w.option);
	return status;
}

const struct command_spec cmd_cover = {
	.synopsis = { "--component PATTERNS [-cp PATH] [OPTION]... [--] COMMAND...",
		      "--component PATTERNS [-cp PATH] [OPTION]... --print-agent", NULL },
	.description = "Runs a command, say the tests of a component, and measures in every JVM that it starts which of the "
		       "requirements are exercised: the possible classes of the receiver (RC) and the methods that they "
		       "select (TM) at each polymorphic call. Then shows what was missed, and how to reach it.\n"
		       "The agent is passed on by the variable JAVA_TOOL_OPTIONS. The exit status is the command's own, "
		       "unless that is 0 and --fail-under fails, or nothing was measured.\n"
		       "Options come before the command: what follows its name is its own.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct cover_args),
	.initial = &initial,
	.runs_command = true,
	.examples = { { "sherd cover -cp target/classes --component 'org.lib.**' -- mvn test", "the tests of a library" },
		      { "sherd cover -cp build/classes --component 'org.lib.**' --fail-under rc=80,tm=80 -- gradle test "
			"--no-daemon",
			"and fail when too little is covered" },
		      { "sherd cover --component 'java.util.zip.*' -o zip -- java -cp app.jar app.Main",
			"a package of the JDK" },
		      { "sherd cover -cp target/classes --component 'org.lib.**' --print-agent",
			"the option for a JVM that a build file starts; then: sherd report sherd-coverage" },
		      { NULL, NULL } },
	.run = run_cover,
};
