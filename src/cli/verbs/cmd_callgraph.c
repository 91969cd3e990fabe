/* SPDX-License-Identifier: Apache-2.0 */
/* sherd callgraph */
#include <string.h>

#include "cli/verbs/analysis.h"
#include "cli/verbs/c_options.h"
#include "report/objects/pta.h"
#include "session/lookup/selection.h"
#include "session/outside/written.h"

struct callgraph_args {
	struct shared_options shared;
	struct analysis_options analysis;
	struct c_options c;
	const char *only;
	bool among, no_jdk, clusters, receivers, points_to;
};

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_JCG, FORMAT_CSV = 5, FORMAT_SQLITE, FORMAT_METADATA, FORMAT_PROGUARD };
static const char *const formats[] = { "text", "json", "jcg", "dot", "graphml", "csv", "sqlite", "reachability-metadata", "proguard", NULL };
/* By format; NULL: it is not for a view of the graph, or no stream. */
static graph_writer *const writers[] = { NULL, report_graph_json, NULL, report_graph_dot, report_graph_graphml, report_graph_csv,
					 NULL, NULL, NULL };

#define T struct callgraph_args
static const struct option_row rows[] = {
	ANALYSIS_OPTIONS(T),
	OPT_FLAG(T, points_to, "points-to", NULL, "Output",
		 "text, json: write what variables and fields may refer to, not the graph; not with cha and rta"),
	OPT_STRING(T, only, "only", NULL, "PATTERNS", "Output",
		   "write the calls of these classes alone, and what they call. With --points-to, their variables and fields"),
	OPT_FLAG(T, among, "among", NULL, "Output", "with --only: what they call of these classes alone"),
	OPT_FLAG(T, no_jdk, "no-jdk", NULL, "Output", "leave out the methods of the JDK, and the calls from and to them"),
	OPT_FLAG(T, receivers, "receivers", NULL, "Output", "json: with the classes of receivers at each site"),
	OPT_FLAG(T, clusters, "clusters", NULL, "Output", "dot: draw a box around each package"),
	C_OPTIONS_IN(T, "C", "C"), SHARED_INPUT(T), SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T
static const struct callgraph_args initial = { .analysis = { .algorithm = "rta", .assume = "listed" } };

struct work {
	const struct callgraph_args *a;
	struct analysis analysis;
	struct strbuf entry;
	struct report_head head;
	struct class_selection only;
};

/* Of a graph in either language; the view is freed. */
static bool write_view(struct sink *out, graph_writer *write, struct graph_view *v)
{
	bool ok = write(out, v);

	graph_view_free(v);
	return ok;
}

static bool fill_view(const char *path, struct graph_view *v, struct strbuf *err)
{
	bool ok = report_graph_sqlite(path, v, err);

	graph_view_free(v);
	return ok;
}

static bool fill_sqlite(const char *path, void *ctx, struct strbuf *err)
{
	struct work *w = ctx;

	return fill_view(path, java_view_new(w->analysis.graph, &w->head), err);
}

static bool write_graph(struct sink *out, void *ctx)
{
	struct work *w = ctx;
	int f = w->a->shared.format;

	if (writers[f])
		return write_view(out, writers[f], java_view_new(w->analysis.graph, &w->head));
	if (f == FORMAT_METADATA || f == FORMAT_PROGUARD)
		return written_facts(out, w->analysis.session, w->analysis.graph, &w->head,
				     f == FORMAT_METADATA ? FACTS_METADATA : FACTS_PROGUARD);
	return (f == FORMAT_JCG ? report_callgraph_jcg : report_callgraph_text)(out, w->analysis.graph, &w->head);
}

static bool is_no_jdk(const void *only, class_id c)
{
	const struct class_selection *s = only;

	return session_is_application(s->session, c);
}

static bool select_classes(struct work *w, struct cli_run *r)
{
	const struct callgraph_args *a = w->a;

	if (!class_selection_read(&w->only, &r->session, a->only, a->no_jdk))
		return false;
	if (!a->only && !a->no_jdk)
		return true;
	w->head.selection = (struct report_selection){ .writes = class_selection_has, .ctx = &w->only, .only = a->only, .no_jdk = a->no_jdk,
						       .among = a->among };
	w->head.selection.writes_called = a->among ? class_selection_has : a->no_jdk ? is_no_jdk : NULL;
	return class_selection_check(&w->only, w->analysis.graph, NULL, NULL, "");
}

/* Formats that have no place for it. */
static void tell_left_out(const struct work *w, struct cli_run *r)
{
	struct strbuf text = { 0 };

	if (!w->head.selection.writes || w->a->points_to || w->a->shared.format < FORMAT_CSV || w->a->shared.format == FORMAT_SQLITE)
		return;
	selection_tell(&w->head.selection, selection_apply(&w->head.selection, w->analysis.graph, NULL), &text);
	term_note(&r->term, "left out: %s", text.s);
	strbuf_release(&text);
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
	w->head = analysis_head(r, &w->analysis, w->entry.s);
	w->head.assume = dynamic_level_name(w->analysis.level);
	w->head.clusters = w->a->clusters;
	w->head.receivers = w->a->receivers;
	if (!select_classes(w, r))
		return false;
	tell_left_out(w, r);
	if (w->a->points_to)
		return run_write(r, write_facts, w);
	analysis_forget_facts(&w->analysis);
	return w->a->shared.format == FORMAT_SQLITE ? run_write_database(r, fill_sqlite, w) : run_write(r, write_graph, w);
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	bool ok = analysis_begin(&w->analysis, r, &w->entry) && write_result(w, r);

	if (ok)
		analysis_print_stats(r, &w->analysis, "callgraph");
	class_selection_release(&w->only);
	analysis_forget(&w->analysis);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

static void check_usage(const struct callgraph_args *a, const struct analysis *x, struct strbuf *err)
{
	int f = a->shared.format;

	if (f == FORMAT_SQLITE && !a->shared.output)
		strbuf_adds(err, "--format sqlite writes a database file: name it with -o FILE");
	else if (a->points_to && a->receivers)
		strbuf_adds(err, "--points-to writes no call graph, so no --receivers: use one of them");
	else if (a->among && !a->only)
		strbuf_adds(err, "--among is about what classes of --only call: name them with --only PATTERNS");
	else if (a->among && a->points_to)
		strbuf_adds(err, "--points-to writes no calls, so none --among classes: use one of them");
	else if (a->receivers && f != FORMAT_JSON)
		strbuf_adds(err, "--receivers are written as JSON only: add --format json");
	else if (a->points_to && f != FORMAT_TEXT && f != FORMAT_JSON)
		strbuf_addf(err, "--points-to cannot be written as %s: use --format text or json", formats[f]);
	else if (a->points_to)
		analysis_follows_objects(x, "--points-to", err);
}

/* The same for C: operands are modules. */
struct c_work {
	const struct callgraph_args *a;
	struct c_analysis analysis;
	struct c_result result;
	struct c_head head;
};

static bool write_c_graph(struct sink *out, void *ctx)
{
	struct c_work *w = ctx;
	graph_writer *write = writers[w->a->shared.format];

	return write ? write_view(out, write, c_view_new(&w->result, &w->head)) : report_callgraph_c_text(out, &w->result, &w->head);
}

static bool fill_c_sqlite(const char *path, void *ctx, struct strbuf *err)
{
	struct c_work *w = ctx;

	return fill_view(path, c_view_new(&w->result, &w->head), err);
}

static bool write_c_result(struct c_work *w, struct cli_run *r)
{
	w->result = c_result_of(&w->analysis, true);
	w->head = c_head_of(&w->analysis);
	if (w->a->shared.format != FORMAT_SQLITE)
		return c_write(&w->analysis, write_c_graph, w);
	return run_write_database(r, fill_c_sqlite, w);
}

static int compute_c(struct cli_run *r, void *ctx)
{
	struct c_work *w = ctx;
	bool ok = c_compute(&w->analysis, r, C_GRAPH) && write_c_result(w, r);

	if (ok)
		c_print_stats(&w->analysis, "callgraph");
	c_release(&w->analysis);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

/* An option that is about Java and was given; NULL: none was. */
static const char *java_option(const struct callgraph_args *a)
{
	const char *p = a->shared.class_path ? "-cp" : a->shared.jdk ? "--jdk" : a->shared.no_cache ? "--no-cache" : NULL;

	if (!p && a->shared.no_manifests)
		p = "--no-manifest-class-path";
	if (!p)
		p = a->analysis.main ? "--main" : a->analysis.entry ? "--entry" : a->analysis.heap ? "--heap" : NULL;
	if (!p)
		p = a->points_to ? "--points-to" : a->receivers ? "--receivers" : a->only ? "--only" : a->no_jdk ? "--no-jdk" : a->clusters ? "--clusters" : NULL;
	if (!p && strcmp(a->analysis.assume, initial.analysis.assume) != 0)
		p = "--assume";
	return p ? p : strcmp(a->analysis.algorithm, initial.analysis.algorithm) != 0 ? "--algorithm" : NULL;
}

static void check_c_usage(const struct callgraph_args *a, const char *module, struct strbuf *err)
{
	const char *java = java_option(a);

	if (java && !csession_is_module(module))
		strbuf_addf(err, "callgraph takes no operand '%s'; name Java inputs with -cp, C modules as operands", module);
	else if (java)
		strbuf_addf(err, "%s is about Java, and '%s' is an operand: a C module%s", java, module,
			    a->points_to ? "; see sherd pointsto" : "");
	else if (a->shared.format == FORMAT_JCG || a->shared.format > FORMAT_SQLITE)
		strbuf_addf(err, "--format %s is for Java: use --format json for C", formats[a->shared.format]);
	else if (a->shared.format == FORMAT_SQLITE && !a->shared.output)
		strbuf_adds(err, "--format sqlite writes a database file: name it with -o FILE");
	else
		c_options_check(&a->c, err);
}

static int run_c(const struct callgraph_args *a, int n, char **operands)
{
	struct c_work w = { .a = a };
	struct strbuf err = { 0 };

	w.analysis = (struct c_analysis){ .o = &a->c, .modules = (const char *const *)operands, .nmodules = (uint32_t)n };
	check_c_usage(a, operands[0], &err);
	int status = err.len ? usage_error("%s", err.s) : run_verb_alone(&a->shared, PHASES_C, compute_c, &w);
	strbuf_release(&err);
	return status;
}

static int run_java(const struct callgraph_args *a)
{
	struct work w = { .a = a };
	struct strbuf err = { 0 };
	const char *c_only = c_options_given(&a->c);

	if (c_only)
		strbuf_addf(&err, "%s is about C: name modules as operands, as in sherd callgraph app.bc %s", c_only, c_only);
	else if (!a->analysis.main && !a->analysis.entry && !a->shared.class_path)
		strbuf_adds(&err, "nothing to work on: name a program with -cp PATH --main CLASS, a library with -cp PATH --entry public, or "
				  "modules of C, MODULE.bc...");
	else if (analysis_prepare(&w.analysis, &a->analysis, &a->shared, &w.entry, &err))
		check_usage(a, &w.analysis, &err);
	int status = err.len ? usage_error("%s", err.s) : run_verb(&a->shared, compute, &w);
	strbuf_release(&err);
	strbuf_release(&w.entry);
	return status;
}

static int run_callgraph(void *values, int n, char **operands)
{
	const struct callgraph_args *a = values;

	if (list_names(a->analysis.algorithm, a->analysis.assume))
		return EXIT_DONE;
	return n > 0 ? run_c(a, n, operands) : run_java(a);
}

const struct command_spec cmd_callgraph = {
	.synopsis = { "-cp PATH [--main CLASS | --entry public|FILE] [OPTION]...", "MODULE.bc... [--library] [OPTION]...", NULL },
	.description = "Computes which methods may call which, for a program together with its JDK, or for a library "
		       "without a program.\nOperands are modules of a C program, as LLVM bitcode: the graph is then of functions, with "
		       "calls through pointers resolved.\nEvery call that the analysis cannot resolve (reflection, method handles, natives "
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
		      { "sherd callgraph -cp app.jar --main app.Main --no-jdk --format dot -o graph.dot", "a graph without the JDK, to draw" },
		      { "sherd callgraph app.bc --format dot -o graph.dot", "a C program's graph, to draw" },
		      { NULL, NULL } },
	.run = run_callgraph,
};
