/* SPDX-License-Identifier: Apache-2.0 */
/* sherd merge */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sys/mapfile.h"
#include "cli/run.h"
#include "session/artifact/result.h"

struct merge_args {
	struct shared_options shared;
};

static const struct option_row rows[] = {
	OPT_STRING(struct merge_args, shared.output, "output", "o", "FILE", "Output",
		   "write the merged data to FILE, which may be one of those that are read; '-' is standard output"),
	OPT_OPTIONAL(struct merge_args, shared.stats, "stats", NULL, "FORM", stats_names, "Output",
		     "summary of the run: counts, seconds per phase, peak memory; =json leaves standard output to it"),
	SHARED_RUN(struct merge_args),
};

struct work {
	const struct merge_args *a;
	int noperands;
	char **operands;
	struct arena mem;
	VEC(struct mapfile) maps;     /* whose bytes runs borrow */
	struct runs runs;
	uint32_t nfiles;              /* that had data */
	uint64_t nread;               /* runs in all of them */
	struct strbuf out;
	struct diag *diag;
	bool failed;
};

/* Files */

static void complain(struct work *w, enum diag_code code, const char *path, const char *text)
{
	diag_add(w->diag, code, path, STR(""), DIAG_NO_OFFSET, "%s", text);
	w->failed |= diag_severity(code) == DIAG_ERROR;
}

/* What is wrong with a file that can be read: a run of it may still be whole in another one. */
static void check_file(struct work *w, const char *path, struct span bytes)
{
	struct strbuf text = { 0 };
	struct runs alone = { 0 };
	uint32_t whole = 0, damaged = 0;

	runs_read(&alone, bytes, &text);
	for (uint32_t i = 0; i < alone.runs.len; i++)
		*(alone.runs.data[i].is_damaged ? &damaged : &whole) += 1;
	if (damaged || alone.nlost) {
		strbuf_addf(&text, "cut off or damaged: %u of its runs %s whole, %u %s used up to there", whole,
			    whole == 1 ? "is" : "are", damaged, damaged == 1 ? "is" : "are");
		complain(w, DIAG_W052, path, text.s);
	}
	w->nread += alone.runs.len;
	runs_release(&alone);
	strbuf_release(&text);
}

/* An empty file is what a JVM leaves that was killed at once: no reason to refuse the others. */
static void read_file(struct work *w, const char *path, enum diag_code code)
{
	struct strbuf why = { 0 };
	struct mapfile map;

	if (!mapfile_open(&map, path)) {
		complain(w, code, path, strerror(errno));
		return;
	}
	vec_push(&w->maps, map);
	if (runs_read(&w->runs, map.bytes, &why)) {
		w->nfiles++;
		check_file(w, path, map.bytes);
	} else {
		complain(w, map.bytes.len ? code : DIAG_W052, path, why.s);
	}
	strbuf_release(&why);
}

static void read_operand(struct work *w, const char *path)
{
	path_list files = { 0 };

	if (!result_list(path, &w->mem, &files)) {
		if (errno == ENOTDIR)
			read_file(w, path, DIAG_E051);
		else
			complain(w, DIAG_E051, path, strerror(errno));
	} else if (files.len == 0) {
		complain(w, DIAG_E053, path, "there is no file *.cov in this folder");
	}
	for (uint32_t i = 0; i < files.len; i++)
		read_file(w, files.data[i], DIAG_W052);
	vec_release(&files);
}

static void read_all(struct work *w)
{
	for (int i = 0; i < w->noperands; i++)
		read_operand(w, w->operands[i]);
	if (!w->failed && w->runs.runs.len == 0)
		complain(w, DIAG_E053, w->operands[0], "there is no run in these files: let sherd cover run the tests");
}

/* Results */

static bool write_merged(struct sink *out, void *ctx)
{
	const struct work *w = ctx;

	sink_write(out, w->out.s, w->out.len);
	return sink_finish(out);
}

static const char *s_of(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void say_runs(const struct work *w, const struct cov_contents *n, FILE *to)
{
	const char *between = "   ";

	fprintf(to, "  runs       %8u", n->runs);
	if (w->nread > n->runs)
		fprintf(to, "%s%" PRIu64 " more in several files", between, w->nread - n->runs), between = ", ";
	if (n->unended)
		fprintf(to, "%s%u did not end", between, n->unended), between = ", ";
	if (n->damaged)
		fprintf(to, "%s%u cut off or damaged", between, n->damaged);
	fputc('\n', to);
}

static void say_contents(const struct work *w, const struct cov_contents *n)
{
	const char *path = w->a->shared.output;
	FILE *to = strcmp(path, "-") == 0 ? stderr : stdout;

	fprintf(to, "%s: %u file%s merged\n\n", path, w->nfiles, s_of(w->nfiles));
	say_runs(w, n, to);
	fprintf(to, "  classes    %8u\n  receivers  %8u   at calls\n  tests      %8u\n", n->classes, n->cells, n->tests);
}

static void print_stats(struct cli_run *r, const struct work *w, const struct cov_contents *n)
{
	struct stats st = { 0 };

	stats_count(&st, "files", w->nfiles), stats_show(&st, "files", w->nfiles);
	stats_count(&st, "runs", n->runs), stats_show(&st, "runs", n->runs);
	stats_count(&st, "runs_unended", n->unended);
	stats_count(&st, "runs_damaged", n->damaged);
	stats_count(&st, "classes", n->classes);
	stats_count(&st, "receivers", n->cells);
	stats_count(&st, "tests", n->tests);
	stats_count(&st, "bytes", w->out.len), stats_show(&st, "bytes", w->out.len);
	inquiry_stats(&r->inquiry, false, &st);
	if (r->o->stats != STATS_JSON && !r->o->quiet)
		say_contents(w, n);
	run_write_stats(r, "merge", &st);
	stats_release(&st);
}

static int serve(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;

	w->diag = &r->inquiry.diag;
	read_all(w);
	inquiry_phase(&r->inquiry, PHASE_OPEN);
	if (w->failed)
		return EXIT_UNSERVED;
	runs_write(&w->runs, &w->out);
	if (!run_write(r, write_merged, w))
		return EXIT_UNSERVED;
	struct cov_contents n = coverage_contents(&w->runs);
	print_stats(r, w, &n);
	return EXIT_DONE;
}

static int run_merge(void *values, int n, char **operands)
{
	const struct merge_args *a = values;
	struct work w = { .a = a, .noperands = n, .operands = operands };

	if (!a->shared.output)
		return usage_error("sherd merge needs a place for the result: -o FILE");
	if (a->shared.stats == STATS_JSON && strcmp(a->shared.output, "-") == 0)
		return usage_error("--stats=json leaves standard output to the summary: merge into a file with -o FILE");
	arena_init(&w.mem);
	int status = run_verb_alone(&a->shared, PHASES_JAVA, serve, &w);
	runs_release(&w.runs);
	for (uint32_t i = 0; i < w.maps.len; i++)
		mapfile_close(&w.maps.data[i]);
	vec_release(&w.maps);
	strbuf_release(&w.out);
	arena_release(&w.mem);
	return status;
}

const struct command_spec cmd_merge = {
	.synopsis = { "FILE|DIR... -o FILE [OPTION]...", NULL },
	.description = "Makes one file of the data of several runs: files that the agent of sherd cover wrote, folders of them, "
		       "and files that were merged before. A run counts once, however many files have it, and the order of "
		       "the files does not matter.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct merge_args),
	.needs_operands = "name files with coverage data, or folders that sherd cover left",
	.examples = { { "sherd merge sherd-coverage -o all.cov", "all JVMs of a run" },
		      { "sherd merge unit/run-*.cov integration -o all.cov", "of several jobs" },
		      { "sherd report all.cov --plan unit/plan.sherd", "what they covered together" },
		      { NULL, NULL } },
	.run = run_merge,
};
