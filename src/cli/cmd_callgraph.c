/* SPDX-License-Identifier: Apache-2.0 */
/* sherd callgraph */
#include <string.h>

#include "cli/analysis.h"
#include "cli/output.h"
#include "report/pta.h"

struct callgraph_args {
	struct shared_options shared;
	struct analysis_options analysis;
	bool clusters, receivers, points_to;
};

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_SQLITE = 6 };
static const char *const formats[] = { "text", "json", "jcg", "dot", "graphml", "csv", "sqlite", NULL };
static callgraph_writer *const writers[] = { report_callgraph_text, report_callgraph_json, report_callgraph_jcg,
					     report_callgraph_dot, report_callgraph_graphml, report_callgraph_csv, NULL };

#define T struct callgraph_args
static const struct option_row rows[] = {
	ANALYSIS_OPTIONS(T),
	OPT_FLAG(T, points_to, "points-to", NULL, "Output",
		 "text, json: write what variables and fields may refer to, not the graph; not with cha and rta"),
	OPT_FLAG(T, receivers, "receivers", NULL, "Output", "json: with the classes of receivers at each site"),
	OPT_FLAG(T, clusters, "clusters", NULL, "Output", "dot: draw a box around each package"),
	SHARED_INPUT(T), SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T
static const struct callgraph_args initial = { .analysis = { .algorithm = "rta" } };

struct work {
	const struct callgraph_args *a;
	struct analysis analysis;
	struct report_head head;
};

static bool write_sqlite(struct work *w, struct cli_run *r)
{
	struct output o;
	struct strbuf err = { 0 };

	if (!output_reserve(&o, r->o->output)) {
		run_cannot_write(r);
		return false;
	}
	bool ok = report_callgraph_sqlite(o.temporary ? o.temporary : o.path, w->analysis.graph, &w->head, &err);
	if (!ok) {
		term_error(&r->term, "%s", err.s);
		output_abort(&o);
	} else if (!output_commit(&o)) {
		run_cannot_write(r);
		ok = false;
	}
	strbuf_release(&err);
	session_phase(&r->session, PHASE_WRITE);
	return ok;
}

static bool write_graph(struct sink *out, void *ctx)
{
	struct work *w = ctx;

	return writers[w->a->shared.format](out, w->analysis.graph, &w->head);
}

static bool write_facts(struct sink *out, void *ctx)
{
	struct work *w = ctx;
	pointsto_writer *write = w->a->shared.format == FORMAT_JSON ? report_pointsto_json : report_pointsto_text;

	return write(out, w->analysis.facts, w->analysis.graph, &w->head);
}

static bool write_result(struct work *w, struct cli_run *r)
{
	if (!run_writes(r))
		return true;
	w->head = analysis_head(&w->analysis);
	w->head.clusters = w->a->clusters;
	w->head.receivers = w->a->receivers;
	if (w->a->points_to)
		return run_write(r, write_facts, w);
	analysis_free_facts(&w->analysis);
	return w->a->shared.format == FORMAT_SQLITE ? write_sqlite(w, r) : run_write(r, write_graph, w);
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	bool ok = analysis_compute(&w->analysis, &w->a->analysis, r) && write_result(w, r);

	if (ok)
		analysis_print_stats(&w->analysis, "callgraph");
	analysis_release(&w->analysis);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

static void check_usage(const struct callgraph_args *a, const struct analysis *x, struct strbuf *err)
{
	int f = a->shared.format;

	if (f == FORMAT_SQLITE && !a->shared.output)
		strbuf_adds(err, "--format sqlite writes a database file: name it with -o FILE");
	else if (a->points_to && a->receivers)
		strbuf_adds(err, "--points-to writes no call graph, so no --receivers: use one of them");
	else if (a->receivers && f != FORMAT_JSON)
		strbuf_adds(err, "--receivers are written as JSON only: add --format json");
	else if (a->points_to && f != FORMAT_TEXT && f != FORMAT_JSON)
		strbuf_addf(err, "--points-to cannot be written as %s: use --format text or json", formats[f]);
	else if (a->points_to)
		analysis_follows_objects(x, "--points-to", err);
}

static int run_callgraph(void *values, int n, char **operands)
{
	struct work w = { .a = values };
	struct strbuf err = { 0 };

	if (n > 0)
		return usage_error("callgraph takes no operand '%s'; name inputs with -cp", operands[0]);
	if (strcmp(w.a->analysis.algorithm, "help") == 0)
		return algorithm_list();
	if (analysis_prepare(&w.analysis, &w.a->analysis, &err))
		check_usage(w.a, &w.analysis, &err);
	int status = err.len ? usage_error("%s", err.s) : run_verb(&w.a->shared, compute, &w);
	strbuf_release(&err);
	return status;
}

const struct command_spec cmd_callgraph = {
	.synopsis = { "-cp PATH (--main CLASS | --entry public|FILE) [OPTION]...", NULL },
	.description = "Computes which methods may call which, for a program together with its JDK, or for a library "
		       "without a program.\nEvery call that the analysis cannot resolve (reflection, method handles, natives "
		       "without a model, missing classes) is listed in the result with its place.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct callgraph_args),
	.initial = &initial,
	.examples = { { "sherd callgraph -cp app.jar --main app.Main", "what can run, as a screen of text" },
		      { "sherd callgraph -cp app.jar --main app.Main --algorithm andersen --format json -o graph.json",
			"a more precise graph, from the objects that get to each call" },
		      { "sherd callgraph -cp lib.jar --entry public --algorithm cha --format sqlite -o graph.db",
			"a library's graph, for queries" },
		      { "sherd callgraph -cp app.jar --main app.Main --stats=json", "only the figures" },
		      { NULL, NULL } },
	.run = run_callgraph,
};
