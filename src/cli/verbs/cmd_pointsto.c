/* SPDX-License-Identifier: Apache-2.0 */
/* sherd pointsto */
#include "cli/verbs/c_options.h"

struct pointsto_args {
	struct shared_options shared;
	struct c_options c;
	option_list var;
	bool all;
};

enum { FORMAT_TEXT, FORMAT_JSON };
static const char *const formats[] = { "text", "json", NULL };
static c_writer *const writers[] = { report_pointsto_c_text, report_pointsto_c_json };

#define T struct pointsto_args
static const struct option_row rows[] = {
	C_OPTIONS(T),
	OPT_LIST(T, var, "var", NULL, "PATTERN", "Output",
		 "only what matches: 'main::p', 'table', 'heap@*'; * and ? stand for other characters; several add up"),
	OPT_FLAG(T, all, "all", NULL, "Output", "text: every set and every row, not only the largest and first"),
	SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T

struct work {
	const struct pointsto_args *a;
	struct c_analysis analysis;
	struct c_result result;
	struct c_head head;
};

static bool write_result(struct sink *out, void *ctx)
{
	struct work *w = ctx;

	return writers[w->a->shared.format](out, &w->result, &w->head);
}

static bool check_pattern(struct work *w, struct cli_run *r, const char *pattern)
{
	struct strbuf near = { 0 };
	bool ok = c_pattern_finds_variable(&w->result, pattern, &near);

	if (!ok)
		term_error(&r->term, "no variable matches '%s'; names are global, function::local, heap@file:line%s%s", pattern,
			   near.len ? "; there are" : "", near.len ? near.s : "");
	strbuf_release(&near);
	return ok;
}

static bool check_patterns(struct work *w, struct cli_run *r)
{
	bool ok = true;

	for (uint32_t i = 0; i < w->a->var.len; i++)
		ok &= check_pattern(w, r, w->a->var.data[i]);
	return ok;
}

static bool write_all(struct work *w, struct cli_run *r)
{
	w->result = c_result_of(&w->analysis, !w->a->var.len || w->a->shared.format == FORMAT_JSON);
	w->head = c_head_of(&w->analysis);
	w->head.patterns = c_patterns_of(&w->a->var);
	w->head.all = w->a->all;
	return check_patterns(w, r) && c_write(&w->analysis, write_result, w);
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	bool ok = c_compute(&w->analysis, r, C_POINTSTO) && write_all(w, r);

	if (ok)
		c_print_stats(&w->analysis, "pointsto");
	c_release(&w->analysis);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

static int run_pointsto(void *values, int n, char **operands)
{
	struct work w = { .a = values };
	struct strbuf err = { 0 };

	w.analysis = (struct c_analysis){ .o = &w.a->c, .modules = (const char *const *)operands, .nmodules = (uint32_t)n };
	int status = c_options_check(&w.a->c, &err) ? run_verb_alone(&w.a->shared, PHASES_C, compute, &w) : usage_error("%s", err.s);
	strbuf_release(&err);
	return status;
}

const struct command_spec cmd_pointsto = {
	.synopsis = { "MODULE.bc... [OPTION]...", "MODULE.bc... --library [--exports public|FILE] [OPTION]...", NULL },
	.description = "Computes what every pointer of a C program may point to, from LLVM bitcode: of a whole program, "
		       "which starts at main, or of a library whose clients do not exist yet.\nFunctions without a body "
		       "in the modules have models where they are of the C library; others may do anything, and are "
		       "listed. sherd cc and sherd modules make and find bitcode.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct pointsto_args),
	.once = true,
	.needs_operands = "name modules: sherd pointsto app.bc",
	.examples = { { "sherd pointsto app.bc", "figures, calls through pointers, the largest sets" },
		      { "sherd pointsto app.bc --var 'main::*'", "what the variables of main may point to" },
		      { "sherd pointsto lib.bc --library --exports lib.h", "what clients that use a header can reach" },
		      { "sherd pointsto app.bc --format json -o facts.json", "everything" },
		      { NULL, NULL } },
	.run = run_pointsto,
};
