/* SPDX-License-Identifier: Apache-2.0 */
/* sherd summarize */
#include <string.h>
#include <sys/stat.h>

#include "cli/verbs/c_options.h"
#include "session/summaries.h"

struct summarize_args {
	struct shared_options shared;
	option_list exports, summaries;
	const char *name;
	bool basic;
};

enum { FORMAT_BINARY, FORMAT_TEXT };
static const char *const formats[] = { "binary", "text", NULL };

#define T struct summarize_args
static const struct option_row rows[] = {
	OPT_LIST(T, exports, "exports", NULL, "WHAT", "Library",
		 "what clients may name: 'public' (default) for every visible definition, or a file: a header, the "
		 "shared library, a linker's version script, or a name a line; several add up"),
	OPT_LIST(T, summaries, "summary", NULL, "FILE", "Library",
		 "a library that this one uses; clients give both summaries. What is left out is unknown code"),
	OPT_STRING(T, name, "name", NULL, "NAME", "Library", "what the library is called (default: the name of the result)"),
	OPT_FLAG(T, basic, "basic", NULL, "Analysis",
		 "leave everything in that is referred to: for clients that define functions of the C library themselves"),
	SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T

struct work {
	const struct summarize_args *a;
	VEC(const char *) named, parts;        /* operands: what is a summary is a part */
	struct c_files files;                  /* what the others stand for */
	struct summary summary;
	struct strbuf out;
};

static struct csession_opt options_of(const struct work *w)
{
	return (struct csession_opt){ .modules = w->files.modules.data, .nmodules = w->files.modules.len,
				      .parts = w->parts.data, .nparts = w->parts.len, .library = true,
				      .exports = (const char *const *)w->a->exports.data, .nexports = w->a->exports.len,
				      .summaries = (const char *const *)w->a->summaries.data, .nsummaries = w->a->summaries.len,
				      .engine = CENGINE_STEENS, .summarizes = true, .basic = w->a->basic,
				      .any_calls = true, .loads_unknown = true };
}

/* libz.sum, libz.so.1: libz */
static struct str base_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct str name = str_of(slash ? slash + 1 : path);
	const char *dot = name.len > 1 ? memchr(name.p + 1, '.', name.len - 1) : NULL;

	return dot ? (struct str){ name.p, (uint32_t)(dot - name.p) } : name;
}

static bool write_bytes(struct sink *out, void *ctx)
{
	const struct work *w = ctx;

	sink_write(out, w->out.s, w->out.len);
	return sink_finish(out);
}

static void print_stats(struct cli_run *r, const struct work *w, uint32_t functions, uint32_t statements)
{
	struct summary_stats n = summary_stats(&w->summary);
	struct stats st = { 0 };

	stats_bool(&st, "optimised", !w->a->basic);
	stats_count(&st, "modules", w->files.modules.len), stats_show(&st, "modules", w->files.modules.len);
	stats_count(&st, "functions", functions), stats_show(&st, "functions", functions);
	stats_count(&st, "statements", statements), stats_show(&st, "statements", statements);
	stats_break(&st);
	stats_object(&st, "summary");
	stats_count(&st, "functions", n.functions), stats_show(&st, "functions left", n.functions);
	stats_count(&st, "statements", n.statements), stats_show(&st, "statements left", n.statements);
	stats_count(&st, "calls", n.calls);
	stats_count(&st, "variables", n.variables);
	stats_count(&st, "objects", n.objects);
	stats_count(&st, "bytes", w->out.len), stats_show(&st, "bytes", w->out.len);
	stats_end_object(&st);
	stats_break(&st);
	inquiry_stats(&r->inquiry, true, &st);
	run_write_stats(r, "summarize", &st);
	stats_release(&st);
}

static void count(const struct cprogram *p, uint32_t *functions, uint32_t *statements)
{
	*statements = p->stmts.len;
	*functions = 0;
	for (uint32_t i = 1; i < p->fns.len; i++)
		*functions += (p->fns.data[i].flags & CFN_DEFINED) != 0;
}

static bool make(struct work *w, struct cli_run *r, struct csession *s, const char *name)
{
	uint32_t functions, statements;

	if (!csession_need(s, C_MODULES))
		return false;
	count(&s->program, &functions, &statements);
	if (!csession_summarize(s) || !summary_describe(s, name, &w->summary))
		return false;
	(w->a->shared.format == FORMAT_TEXT ? summary_write_text : summary_write_binary)(&w->summary, &w->out);
	inquiry_tell_now(&r->inquiry, "");
	if (!run_write(r, write_bytes, w))
		return false;
	if (w->a->shared.stats != STATS_NONE)
		print_stats(r, w, functions, statements);
	return true;
}

static bool find_modules(struct work *w, struct diag *d)
{
	bool ok = true;

	c_files_init(&w->files);
	for (uint32_t i = 0; i < w->named.len; i++)
		ok &= c_files_add(&w->files, w->named.data[i], false, d);
	return ok;
}

static int serve(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	struct csession s;
	bool found = find_modules(w, &r->inquiry.diag);
	struct csession_opt opt = options_of(w);
	struct strbuf name = { 0 };

	strbuf_addstr(&name, w->a->name ? str_of(w->a->name) : base_of(w->a->shared.output));
	csession_init(&s, &r->inquiry, &opt);
	summary_init(&w->summary);
	bool ok = found && make(w, r, &s, name.s);
	summary_release(&w->summary);
	csession_close(&s);
	c_files_release(&w->files);
	strbuf_release(&name);
	strbuf_release(&w->out);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

/* Whoever forgets the LIB.sum of -o LIB.sum MODULE.bc means no module to be lost. */
static bool is_same_file(const char *x, const char *y)
{
	struct stat a, b;

	return stat(x, &a) == 0 && stat(y, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int run_summarize(void *values, int n, char **operands)
{
	struct work w = { .a = values };

	if (!w.a->shared.output)
		return usage_error("sherd summarize needs a place for the result: -o LIB.sum");
	for (int i = 0; i < n; i++)
		if (is_same_file(operands[i], w.a->shared.output))
			return usage_error("%s would be overwritten by its summary: name another file with -o", operands[i]);
	if (w.a->basic && w.a->summaries.len)
		return usage_error("--summary has no effect on a basic summary: leave out one of --basic and --summary");
	for (int i = 0; i < n; i++) {
		bool is_part = summary_is_file(operands[i]);
		if (is_part)
			vec_push(&w.parts, operands[i]);
		else
			vec_push(&w.named, operands[i]);
	}
	int status = run_verb_alone(&w.a->shared, PHASES_C, serve, &w);
	vec_release(&w.named);
	vec_release(&w.parts);
	return status;
}

const struct command_spec cmd_summarize = {
	.synopsis = { "MODULE.bc|PART.sum... [--exports public|FILE] [--basic] -o LIB.sum [OPTION]...", NULL },
	.description = "Writes a summary of a C library, from its LLVM bitcode: what its clients have to know of it. With --summary LIB.sum, "
		       "sherd pointsto, modref and callgraph tell clients what they tell them with the library's modules, "
		       "without these and faster.\nParts of the library may be there as summaries. A summary leaves out what no client can tell; with --basic it has all that is "
		       "referred to.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct summarize_args),
	.once = true,
	.needs_operands = "name the modules of the library: sherd summarize libz.so -o libz.sum",
	.examples = { { "sherd summarize libz.so --exports zlib.h -o libz.sum", "what clients of a header can tell" },
		      { "sherd summarize png*.bc --summary libz.sum -o libpng.sum", "a library that uses another one" },
		      { "sherd pointsto app.bc --summary libpng.sum --summary libz.sum", "a client" },
		      { NULL, NULL } },
	.run = run_summarize,
};
