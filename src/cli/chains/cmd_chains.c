/* SPDX-License-Identifier: Apache-2.0 */
/* sherd chains */
#include <stdio.h>
#include <stdlib.h>

#include "cli/chains/chain_options.h"
#include "cli/chains/interactive.h"
#include "cli/chains/terminal.h"
#include "cli/verbs/component.h"
#include "report/chains/chains.h"
#include "report/write/screen.h"
#include "session/component/chains.h"

struct chains_args {
	struct shared_options shared;
	struct component_options component;
	struct chain_options chains;
	int chain, most;
	bool interactive;
};

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_DOT, FORMAT_PLANTUML, FORMAT_MERMAID };
static const char *const formats[] = { "text", "json", "csv", "dot", "plantuml", "mermaid", NULL };
static chains_writer *const writers[] = { report_chains_text, report_chains_json, report_chains_csv,
					  report_chains_dot, report_chains_plantuml, report_chains_mermaid };

#define MOST_CHAINS 10000000

#define T struct chains_args
static const struct option_row rows[] = {
	CHAIN_OPTIONS(T),
	OPT_FLAG(T, interactive, "interactive", NULL, "Chains",
		 "look at the trees on the terminal, keep and drop calls, see what is left, save that as a file for --filter"),
	OPT_INT(T, chain, "chain", NULL, "N", "Chains", "only the Nth chain, in the order of --format csv"),
	OPT_INT(T, most, "max-chains", NULL, "N", "Chains",
		"json, csv: refuse to write more (default: 10000000); 0: any number"),
	COMPONENT_OPTIONS(T), SHARED_INPUT(T), SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T
static const struct chains_args initial = { .component = { .clients = CLIENTS_AUTO, .algorithm = "andersen", .assume = "listed" },
					    .chains = { .granularity = CHAIN_RECEIVER }, .most = MOST_CHAINS };

struct work {
	const struct chains_args *a;
	struct study study;
	struct filter_file filter;
	struct chains_request request;
	struct chains chains;
	struct chains_assertion *asserted;    /* on the heap */
	struct chains_head head;
};

static struct chains_assertion *assertions_of(const struct chains *c)
{
	struct chains_assertion *all = mem_alloc((c->asserted.lines.len + 1) * sizeof(*all));

	for (uint32_t i = 0; i < c->asserted.lines.len; i++) {
		const struct asserted_line *l = &c->asserted.lines.data[i];
		all[i] = (struct chains_assertion){ l->line, l->chain, l->because };
	}
	return all;
}

static struct chains_head head_of(struct work *w, struct cli_run *r)
{
	const struct chains_args *a = w->a;

	return (struct chains_head){ .head = analysis_head(r, &w->study.analysis, NULL), .component = w->study.opt.component,
				     .interface = fragment_interface(&w->study.opt),
				     .clients = w->study.fragment.clients.s, .from = a->chains.from,
				     .not_through = a->chains.not_through, .through = a->chains.through.data,
				     .nthrough = a->chains.through.len, .filter = a->chains.filter,
				     .whole = w->chains.whole, .unasserted = w->chains.unasserted,
				     .assertions = a->chains.assertions, .asserted = w->asserted,
				     .only = a->chain ? (uint64_t)a->chain - 1 : CHAINS_ALL };
}

/* Too many */

static void add_lengths(struct strbuf *out, const struct forest *f)
{
	uint32_t longest = forest_longest(f);
	char buf[32];

	strbuf_adds(out, " (");
	for (uint32_t l = 1; l <= longest; l++) {
		if (l > 4 && l < longest)
			continue;
		strbuf_adds(out, l == 1 ? "" : l == longest && longest > 5 ? " ... " : ", ");
		strbuf_addf(out, "%s of length %u", chains_text(forest_count(f, l), buf), (unsigned)l);
	}
	strbuf_adds(out, ")");
}

static void add_advice(struct strbuf *out, const struct forest *f)
{
	double share;
	uint32_t node = forest_busiest(f, &share);
	const struct program *p = f->x->p;

	strbuf_adds(out, ": lower -k, take a coarser --granularity, or leave some out with --from, --through or --not-through");
	if (!node)
		return;
	const struct ir_method *m = method_row(p, f->x->methods.data[node]);
	strbuf_adds(out, "; --not-through '");
	print_class(p, m->owner, out);
	strbuf_addch(out, '.');
	strbuf_addstr(out, sel_name(p, m->sel));
	strbuf_addf(out, "(*)' would spare about %.0f %% of them", share * 100);
}

/* How many chains the format can hold. */
static uint64_t most_of(const struct chains_args *a)
{
	switch (a->shared.format) {
	case FORMAT_TEXT: return CHAINS_ALL;
	case FORMAT_DOT: return DOT_MOST;
	case FORMAT_PLANTUML: case FORMAT_MERMAID: return DIAGRAM_MOST;
	default: return a->most ? (uint64_t)a->most : CHAINS_ALL;
	}
}

static uint32_t count_trees(const struct forest *f)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->trees.len; i++)
		n += forest_tree_total(f, &f->trees.data[i]) != 0;
	return n;
}

static void check_size(const struct work *w, struct strbuf *why)
{
	const struct forest *f = w->chains.forest;
	uint64_t total = forest_total(f), most = most_of(w->a);
	bool is_sequence = w->a->shared.format == FORMAT_PLANTUML || w->a->shared.format == FORMAT_MERMAID;
	char buf[32];

	if (w->a->chain) {
		if (!total)
			strbuf_addf(why, "there is no chain %d, nor any other: raise -k, or take filters away", w->a->chain);
		else if ((uint64_t)w->a->chain > total)
			strbuf_addf(why, "there is no chain %d: choose one from 1 to %s", w->a->chain, chains_text(total, buf));
		return;
	}
	if (total > most) {
		strbuf_addf(why, "there would be %s chains", chains_text(total, buf));
		add_lengths(why, f);
		strbuf_addf(why, ", and %s takes %s", formats[w->a->shared.format], grouped(most, buf));
		add_advice(why, f);
	} else if (is_sequence && count_trees(f) != 1) {
		strbuf_addf(why, "a sequence diagram is of one tree or chain, and these are %s trees: choose an entry with --from "
				 "'pkg.Cls.name(*)', or a chain with --chain N", grouped(count_trees(f), buf));
	}
}

/* Results */

static bool write_result(struct sink *out, void *ctx)
{
	struct work *w = ctx;

	return writers[w->a->shared.format](out, w->chains.forest, &w->head);
}

static void add_counts(const struct forest *f, struct stats *st)
{
	static char keys[CHAINS_MOST_K + 2][8];
	uint32_t longest = forest_longest(f);

	stats_object(st, "chains");
	for (uint32_t l = 1; l <= longest && l < CHAINS_MOST_K + 2; l++) {
		snprintf(keys[l], sizeof(keys[l]), "%u", (unsigned)l);
		stats_count(st, keys[l], forest_count(f, l));
	}
	stats_end_object(st);
}

/* How many fewer there are in one forest than in another, which may be NULL: none. */
static void add_fewer(const char *key, const struct forest *from, const struct forest *f, struct stats *st)
{
	static char keys[CHAINS_MOST_K + 2][8];
	uint32_t longest = from ? forest_longest(from) : 0;

	stats_object(st, key);
	for (uint32_t l = 1; l <= longest && l < CHAINS_MOST_K + 2; l++) {
		uint64_t n = chains_fewer(from, f, l);
		snprintf(keys[l], sizeof(keys[l]), "%u", (unsigned)l);
		if (n)
			stats_count(st, keys[l], n);
	}
	stats_end_object(st);
}

static void print_stats(const struct work *w, struct cli_run *r)
{
	const struct forest *f = w->chains.forest;
	struct stats st = { 0 };
	uint64_t total = forest_total(f);

	stats_text(&st, "algorithm", w->study.analysis.algorithm.name);
	add_counts(f, &st);
	add_fewer("pruned", w->chains.whole, w->chains.unasserted ? w->chains.unasserted : f, &st);
	add_fewer("asserted", w->chains.unasserted, f, &st);
	stats_count(&st, "total", total);
	stats_count(&st, "nodes", chains_plus(total, w->request.from_main ? 0 : f->trees.len));
	stats_count(&st, "entries", forest_entries(f));
	stats_count(&st, "trees", f->trees.len);
	stats_count(&st, "methods", chain_nnodes(f->x));
	stats_count(&st, "edges", f->x->edges.len);
	stats_count(&st, "states", f->states.len - 1);
	stats_count(&st, "forgotten", w->chains.prune ? chain_prune_forgotten(w->chains.prune) : 0);
	stats_show(&st, "chains", total);
	stats_show(&st, "entries", forest_entries(f));
	stats_show(&st, "states", f->states.len - 1);
	stats_break(&st);
	inquiry_stats(&r->inquiry, true, &st);
	run_write_stats(r, "chains", &st);
	stats_release(&st);
}

static bool serve(struct work *w, struct cli_run *r)
{
	struct strbuf why = { 0 };
	bool ok = study_open(&w->study, &r->session) && study_chains(&w->study, &w->request, &w->chains, &why);

	if (ok && w->a->interactive)
		return chains_interact(r, &w->chains, w->study.opt.component, w->a->chains.filter);
	if (ok && run_writes(r))
		check_size(w, &why);
	if (why.len) {
		term_error(&r->term, "%s", why.s);
		ok = false;
	}
	strbuf_release(&why);
	w->asserted = assertions_of(&w->chains);
	w->head = ok ? head_of(w, r) : w->head;
	ok = ok && (!run_writes(r) || run_write(r, write_result, w));
	if (ok)
		print_stats(w, r);
	return ok;
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	bool ok = serve(w, r);

	free(w->asserted);
	chains_release(&w->chains);
	study_close(&w->study);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

/* Is the terminal what is asked for, and is there one? */
static bool check_interactive(const struct chains_args *a, struct strbuf *err)
{
	const char *fault = a->interactive ? terminal_fault() : NULL;

	if (fault)
		strbuf_addf(err, "--interactive needs a terminal, but %s: leave it out, and text goes to standard output; --format csv lists all "
				 "chains, and --filter reads what was saved before", fault);
	else if (a->interactive && (a->shared.format != FORMAT_TEXT || a->shared.output || a->chain || a->shared.stats))
		strbuf_adds(err, "--interactive writes to the terminal only: leave --format, --output, --stats and --chain out, save filters with s, "
				 "and give them to another run with --filter");
	return !err->len;
}

static int run_chains(void *values, int n, char **operands)
{
	struct work w = { .a = values };
	struct strbuf err = { 0 };

	if (n > 0)
		return usage_error("chains takes no operand '%s'; name classes with --component", operands[0]);
	if (list_names(w.a->component.algorithm, w.a->component.assume))
		return EXIT_DONE;
	if (check_interactive(w.a, &err) && component_prepare(&w.study, &w.a->component, &err))
		chain_request(&w.a->chains, &w.filter, &w.request, &err);
	int status = err.len ? usage_error("%s", err.s) : component_run_verb(&w.study, &w.a->shared, compute, &w);
	filter_file_release(&w.filter);
	strbuf_release(&err);
	return status;
}

const struct command_spec cmd_chains = {
	.synopsis = { "--component PATTERNS -k N [-cp PATH] [--interface WHAT] [OPTION]...", NULL },
	.description = "Finds the call chains of a component, without any client of it: sequences of calls within it, each of which "
		       "begins at a method that other code may call. They are what the stack can look like, as far as the component is "
		       "concerned, and what tests can be asked to exercise.\nChains form a tree for each entry. Trees are kept as a graph: "
		       "numbers that explode are counted without being written.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct chains_args),
	.initial = &initial,
	.examples = { { "sherd chains --component 'java.util.zip.*' -k 3", "how many there are, and the largest trees" },
		      { "sherd chains --component 'java.text.*' -k 4 --granularity method --format csv -o chains.csv",
			"all of them, a row each" },
		      { "sherd chains -cp lib.jar --component 'org.lib.**' -k 3 --levels 1+", "what runs while clients are called back" },
		      { "sherd chains --component 'java.util.zip.*' -k 2 --from 'java.util.zip.GZIPOutputStream.write([BII)' --format mermaid",
			"a sequence diagram" },
		      { NULL, NULL } },
	.run = run_chains,
};
