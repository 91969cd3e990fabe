/* SPDX-License-Identifier: Apache-2.0 */
/* sherd modref */
#include <errno.h>
#include <string.h>

#include "base/sys/mapfile.h"
#include "cli/verbs/c_options.h"

struct modref_args {
	struct shared_options shared;
	struct c_options c;
	bool use, all;
	option_list statement, function;
	const char *annotate;
};

enum { FORMAT_TEXT, FORMAT_JSON };
static const char *const formats[] = { "text", "json", NULL };

#define T struct modref_args
static const struct option_row rows[] = {
	OPT_LIST(T, statement, "statement", NULL, "FILE:LINE", "What to show",
		 "what this line may modify, in one line; several are answered one by one"),
	OPT_STRING(T, annotate, "annotate", NULL, "FILE", "What to show", "the source file with what its lines may modify"),
	OPT_LIST(T, function, "function", NULL, "PATTERN", "What to show",
		 "only functions that match: 'parse_*'; several add up"),
	OPT_FLAG(T, use, "use", NULL, "What to show", "also what is used: read"),
	OPT_FLAG(T, all, "all", NULL, "What to show", "text: every function and whole sets"),
	C_OPTIONS(T), SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T

struct work {
	const struct modref_args *a;
	struct c_analysis analysis;
	struct c_result result;
	struct c_head head;
	VEC(struct c_line) lines;
	str_id file;                  /* to annotate */
	struct mapfile source;
};

static bool write_result(struct sink *out, void *ctx)
{
	struct work *w = ctx;

	if (w->a->shared.format == FORMAT_JSON)
		return report_modref_json(out, &w->result, &w->head);
	if (w->head.nlines)
		return report_modref_line(out, &w->result, &w->head);
	return report_modref_text(out, &w->result, &w->head);
}

static bool write_source(struct sink *out, void *ctx)
{
	struct work *w = ctx;
	struct str text = { (const char *)w->source.bytes.p, (uint32_t)w->source.bytes.len };

	return report_modref_source(out, &w->result, &w->head, w->file, text);
}

/* Where the compiler found it, as the debug information says. */
static bool open_compiled(struct work *w, const char *known, const char *folder)
{
	struct strbuf path = { 0 };

	strbuf_addf(&path, "%s/%s", folder, known);
	bool ok = folder[0] && mapfile_open(&w->source, path.s);
	strbuf_release(&path);
	return ok;
}

/* The file is where the user says, or where the compiler found it. */
static bool open_source(struct work *w, struct cli_run *r)
{
	const struct cprogram *p = w->result.program;
	const char *known = interned(&p->names, w->file).p;     /* terminated, both */
	const char *folder = interned(&p->names, (str_id){ map_get(&p->folders, w->file.i) }).p;

	if (!mapfile_open(&w->source, w->a->annotate) && !mapfile_open(&w->source, known) && !open_compiled(w, known, folder)) {
		term_error(&r->term, "cannot read %s, neither here nor %s%s: %s; name the file with its folder", known,
			   folder[0] ? "in " : "where it was compiled", folder, strerror(errno));
		return false;
	}
	if (w->source.bytes.len <= UINT32_MAX)
		return true;
	term_error(&r->term, "%s is too large", known);
	mapfile_close(&w->source);
	return false;
}

static bool write_annotated(struct work *w, struct cli_run *r)
{
	struct strbuf why = { 0 };
	struct str name = str_of(w->a->annotate);
	str_id file;
	bool found = c_find_file(&w->result, name, &file, &why);

	/* A path that the compiler did not use: its file alone says which is meant */
	if (!found && str_rfind(name, '/') >= 0) {
		struct strbuf again = { 0 };
		found = c_find_file(&w->result, str_sub(name, (uint32_t)(str_rfind(name, '/') + 1), name.len), &file, &again);
		strbuf_release(&again);
	}
	if (!found)
		term_error(&r->term, "%s", why.s);
	strbuf_release(&why);
	if (!found)
		return false;
	w->file = file;
	if (!open_source(w, r))
		return false;
	bool ok = c_write(&w->analysis, write_source, w);
	mapfile_close(&w->source);
	return ok;
}

static bool find_statement(struct work *w, struct cli_run *r, const char *text)
{
	struct strbuf why = { 0 };
	struct c_line line;
	bool ok = c_find_line(&w->result, text, &line, &why);

	if (ok)
		vec_push(&w->lines, line);
	else
		term_error(&r->term, "%s", why.s);
	strbuf_release(&why);
	return ok;
}

static bool find_statements(struct work *w, struct cli_run *r)
{
	bool ok = true;

	for (uint32_t i = 0; i < w->a->statement.len; i++)
		ok &= find_statement(w, r, w->a->statement.data[i]);
	w->head.lines = w->lines.data;
	w->head.nlines = w->lines.len;
	return ok;
}

static bool check_function(struct work *w, struct cli_run *r, const char *pattern)
{
	struct strbuf near = { 0 };
	bool ok = c_pattern_finds_function(&w->result, pattern, &near);

	if (!ok)
		term_error(&r->term, "no function that may run matches '%s'%s%s", pattern, near.len ? "; there are" : "",
			   near.len ? near.s : "");
	strbuf_release(&near);
	return ok;
}

static bool check_functions(struct work *w, struct cli_run *r)
{
	bool ok = true;

	for (uint32_t i = 0; i < w->a->function.len; i++)
		ok &= check_function(w, r, w->a->function.data[i]);
	return ok;
}

static bool write_all(struct work *w, struct cli_run *r)
{
	bool is_part = w->a->annotate || w->a->statement.len || (w->a->function.len && w->a->shared.format == FORMAT_TEXT);

	w->result = c_result_of(&w->analysis, !is_part);
	w->head = c_head_of(&w->analysis);
	w->head.patterns = c_patterns_of(&w->a->function);
	w->head.use = w->a->use;
	w->head.all = w->a->all;
	if (w->a->annotate)
		return write_annotated(w, r);
	if (!find_statements(w, r) || !check_functions(w, r))
		return false;
	return c_write(&w->analysis, write_result, w);
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	bool ok = c_compute(&w->analysis, r, C_MODREF) && write_all(w, r);

	if (ok)
		c_print_stats(&w->analysis, "modref");
	vec_release(&w->lines);
	c_release(&w->analysis);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

static void check_usage(const struct modref_args *a, struct strbuf *err)
{
	if ((a->statement.len != 0) + (a->annotate != NULL) + (a->function.len != 0) > 1)
		strbuf_adds(err, "--statement, --annotate and --function ask different questions: use one of them");
	else if (a->annotate && a->shared.format != FORMAT_TEXT)
		strbuf_adds(err, "--annotate prints text: leave out --format");
	else
		c_options_check(&a->c, err);
}

static int run_modref(void *values, int n, char **operands)
{
	struct work w = { .a = values };
	struct strbuf err = { 0 };

	w.analysis = (struct c_analysis){ .o = &w.a->c, .modules = (const char *const *)operands, .nmodules = (uint32_t)n };
	check_usage(w.a, &err);
	int status = err.len ? usage_error("%s", err.s) : run_verb_alone(&w.a->shared, PHASES_C, compute, &w);
	strbuf_release(&err);
	return status;
}

const struct command_spec cmd_modref = {
	.synopsis = { "MODULE.bc... [OPTION]...", "MODULE.bc... --statement FILE:LINE [OPTION]...",
		      "MODULE.bc... --annotate FILE [OPTION]...", NULL },
	.description = "Computes what every statement, call and function of a C program may modify (MOD) and use (USE), from "
		       "LLVM bitcode: of a whole program, or of a library whose clients do not exist yet.\nLocals of "
		       "a function are counted only while it runs; memory is named by where it is defined or allocated.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct modref_args),
	.once = true,
	.needs_operands = "name modules: sherd modref app.bc",
	.examples = { { "sherd modref app.bc --statement parse.c:120", "what line 120 may modify" },
		      { "sherd modref app.bc --annotate parse.c --use", "a source file with what its lines modify and use" },
		      { "sherd modref app.bc --function 'parse_*'", "what these functions modify, in full" },
		      { "sherd modref lib.bc --library --format json -o effects.json", "everything, for all clients" },
		      { NULL, NULL } },
	.run = run_modref,
};
