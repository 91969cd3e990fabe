/* SPDX-License-Identifier: Apache-2.0 */
/* sherd callgraph */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/term.h"
#include "report/report.h"
#include "session/session.h"

struct callgraph_args {
	struct shared_options shared;
	const char *main, *entry;
	int algorithm;
	bool clusters;
};

static const char *const algorithms[] = { "rta", "cha", NULL };
static const enum cg_algorithm algorithm_ids[] = { CG_RTA, CG_CHA };
static const char *const formats[] = { "text", "json", "jcg", "dot", "graphml", "csv", "sqlite", NULL };
static callgraph_writer *const writers[] = { report_callgraph_text, report_callgraph_json, report_callgraph_jcg,
					     report_callgraph_dot, report_callgraph_graphml, report_callgraph_csv, NULL };

#define T struct callgraph_args
static const struct option_row rows[] = {
	OPT_STRING(T, main, "main", NULL, "CLASS", "Where the program starts", "the main method of CLASS"),
	OPT_STRING(T, entry, "entry", NULL, "WHAT", "Where the program starts",
		   "'public': every public method on the class path; else a file that lists methods or classes"),
	OPT_CHOICE(T, algorithm, "algorithm", NULL, "NAME", algorithms, "Analysis", "how targets of calls are found"),
	OPT_FLAG(T, clusters, "clusters", NULL, "Output", "dot: draw a box around each package"),
	SHARED_INPUT(T), SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T

struct run {
	const struct callgraph_args *a;
	struct term term;
	struct session session;
};

/* The text screen asks which classes are the user's; the session that knows is the one of this run. */
static const struct session *the_session;

static bool is_application(const struct program *p, class_id c)
{
	(void)p;
	return session_is_application(the_session, c);
}

static void show_progress(void *ctx, uint64_t methods)
{
	term_progress(&((struct run *)ctx)->term, "call graph: %" PRIu64 " methods", methods);
}

static bool find_entries(struct run *r, struct cg_entries *out, struct strbuf *what)
{
	if (r->a->main) {
		strbuf_addf(what, "main %s", r->a->main);
		return entries_main(&r->session, r->a->main, out);
	}
	strbuf_addf(what, strcmp(r->a->entry, "public") == 0 ? "%s" : "file %s", r->a->entry);
	if (strcmp(r->a->entry, "public") == 0)
		return entries_public(&r->session, out);
	return entries_file(&r->session, r->a->entry, out);
}

static bool write_sqlite(struct run *r, struct callgraph *g, const struct report_head *head)
{
	struct output o;
	struct strbuf err = { 0 };

	if (!output_reserve(&o, r->a->shared.output)) {
		term_error(&r->term, "cannot write %s: %s", r->a->shared.output, strerror(errno));
		return false;
	}
	bool ok = report_callgraph_sqlite(o.temporary ? o.temporary : o.path, g, head, &err);
	if (!ok) {
		term_error(&r->term, "%s", err.s);
		output_abort(&o);
	} else if (!output_commit(&o)) {
		term_error(&r->term, "cannot write %s: %s", r->a->shared.output, strerror(errno));
		ok = false;
	}
	strbuf_release(&err);
	return ok;
}

static bool write_stream(struct run *r, struct callgraph *g, const struct report_head *head)
{
	const char *place = r->a->shared.output ? r->a->shared.output : "standard output";
	struct output o;

	if (!output_open(&o, r->a->shared.output)) {
		term_error(&r->term, "cannot write %s: %s", place, strerror(errno));
		return false;
	}
	struct sink sink = { .file = o.file };
	if (writers[r->a->shared.format](&sink, g, head) && output_commit(&o))
		return true;
	term_error(&r->term, "cannot write %s: %s", place, strerror(errno));
	output_abort(&o);
	return false;
}

static bool write_result(struct run *r, struct callgraph *g, const char *entry)
{
	const struct shared_options *o = &r->a->shared;
	struct report_head head = { .algorithm = algorithms[r->a->algorithm], .entry = entry, .class_path = o->class_path,
				    .jdk = r->session.jdk, .color = r->term.color_out && !o->output,
				    .width = (uint32_t)r->term.width, .clusters = r->a->clusters,
				    .is_application = is_application };

	if (o->stats == STATS_JSON && !o->output)
		return true;
	the_session = &r->session;
	bool ok = writers[o->format] ? write_stream(r, g, &head) : write_sqlite(r, g, &head);
	session_phase(&r->session, PHASE_WRITE);
	return ok;
}

static void print_stats_json(const struct session *s, const struct cg_stats *c, const char *algorithm)
{
	printf("{\"schema\":\"sherd/stats/1\",\"verb\":\"callgraph\",\"algorithm\":\"%s\",\"methods\":%" PRIu64
	       ",\"edges\":%" PRIu64 ",\"method_edges\":%" PRIu64 ",\"sites\":%" PRIu64 ",\"poly_sites\":%" PRIu64
	       ",\"classes\":%" PRIu64,
	       algorithm, c->methods, c->edges, c->method_edges, c->sites, c->poly_sites, c->classes);
	uint64_t dynamic = c->by_cause[CG_REFLECTION] + c->by_cause[CG_METHOD_HANDLE] + c->by_cause[CG_BOOTSTRAP] +
			   c->by_cause[CG_SERIAL];
	printf(",\"unresolved_dynamic_sites\":%" PRIu64 ",\"unresolved\":{", dynamic);
	for (unsigned k = CG_RESOLVED + 1; k < CG_CAUSES; k++)
		printf("%s\"%s\":%" PRIu64, k > 1 ? "," : "", cg_cause_name(k), c->by_cause[k]);
	printf("},\"phantom_classes\":%" PRIu32 ",\"seconds\":{", s->program.phantoms.len);
	for (int k = 0; k < PHASES; k++)
		printf("\"%s\":%.4f,", phase_name(k), s->seconds[k]);
	printf("\"total\":%.4f},\"peak_rss_mb\":%.1f}\n", session_total(s), peak_rss_mb());
}

static void print_stats_text(const struct session *s, const struct cg_stats *c)
{
	fprintf(stderr,
		"methods %" PRIu64 "  edges %" PRIu64 "  sites %" PRIu64 "  polymorphic %" PRIu64 "  classes %" PRIu64 "\n",
		c->methods, c->edges, c->sites, c->poly_sites, c->classes);
	for (int k = 0; k < PHASES; k++)
		fprintf(stderr, "%s %.3f s  ", phase_name(k), s->seconds[k]);
	fprintf(stderr, "total %.3f s CPU  peak memory %.0f MB\n", session_total(s), peak_rss_mb());
}

static void print_stats(struct run *r, const struct callgraph *g)
{
	if (r->a->shared.stats == STATS_NONE)
		return;
	struct cg_stats c = callgraph_stats(g);
	if (r->a->shared.stats == STATS_JSON)
		print_stats_json(&r->session, &c, algorithms[r->a->algorithm]);
	else
		print_stats_text(&r->session, &c);
}

/* One grouped warning: classes that are referred to and not there. */
static void report_phantoms(struct session *s)
{
	struct strbuf name = { 0 };

	for (uint32_t i = 0; i < s->program.phantoms.len; i++) {
		strbuf_clear(&name);
		print_class(&s->program, s->program.phantoms.data[i], &name);
		diag_add(&s->diag, DIAG_W040, NULL, strbuf_str(&name), DIAG_NO_OFFSET, "class not found");
	}
	strbuf_release(&name);
}

static int compute(struct run *r)
{
	struct cg_entries entries = { 0 };
	struct strbuf what = { 0 };
	bool ok = find_entries(r, &entries, &what);

	if (ok) {
		struct cg_opt opt = { .algorithm = algorithm_ids[r->a->algorithm], .jvm = true, .progress = show_progress,
				      .progress_ctx = r };
		struct callgraph *g = session_callgraph(&r->session, &entries, &opt);
		report_phantoms(&r->session);
		term_progress_end(&r->term);
		ok = write_result(r, g, what.s);
		if (ok)
			print_stats(r, g);
		callgraph_free(g);
	}
	entries_release(&entries);
	strbuf_release(&what);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

static const char *wrong_usage(const struct callgraph_args *a)
{
	if (a->main && a->entry)
		return "--main and --entry say different starts: use one of them (a list can name a main method, too)";
	if (!a->main && !a->entry)
		return "say where the program starts: either --main CLASS or --entry public|FILE";
	if (!writers[a->shared.format] && !a->shared.output)
		return "--format sqlite writes a database file: name it with -o FILE";
	return NULL;
}

static int run_callgraph(void *values, int n, char **operands)
{
	struct run r = { .a = values };
	const struct shared_options *o = &r.a->shared;

	if (n > 0)
		return usage_error("callgraph takes no operand '%s'; name inputs with -cp", operands[0]);
	if (wrong_usage(r.a))
		return usage_error("%s", wrong_usage(r.a));
	term_init(&r.term, o);
	budget_start(o->timeout, o->memory);
	struct session_opt so = { o->class_path, o->jdk, !o->no_cache, o->jobs };
	int status = session_open(&r.session, &so) ? compute(&r) : EXIT_UNSERVED;
	term_diagnostics(&r.term, &r.session.diag);
	session_close(&r.session);
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
	.examples = { { "sherd callgraph -cp app.jar --main app.Main", "what can run, as a screen of text" },
		      { "sherd callgraph -cp lib.jar --entry public --algorithm cha --format sqlite -o graph.db",
			"a library's graph, for queries" },
		      { "sherd callgraph -cp app.jar --main app.Main --stats=json", "only the figures" },
		      { NULL, NULL } },
	.run = run_callgraph,
};
