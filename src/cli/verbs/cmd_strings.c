/* SPDX-License-Identifier: Apache-2.0 */
/* sherd strings */
#include <string.h>

#include "cli/verbs/analysis.h"
#include "report/objects/strings.h"
#include "session/lookup/site.h"

struct strings_args {
	struct shared_options shared;
	struct analysis_options analysis;
	const char *site;
};

static const char *const formats[] = { "text", "json", NULL };
static strings_writer *const writers[] = { report_strings_text, report_strings_json };

#define T struct strings_args
static const struct option_row rows[] = {
	OPT_STRING(T, site, "site", NULL, "SITE", "The question",
		   "calls that are given strings: pkg.Cls.method@PC, pkg.Cls.method:LINE, pkg.Cls:LINE, or all of pkg.Cls.method; several are "
		   "separated by commas"),
	ANALYSIS_OPTIONS(T), SHARED_INPUT(T), SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T
static const struct strings_args initial = { .analysis = { .algorithm = "rta", .assume = "listed" } };

struct work {
	const struct strings_args *a;
	struct analysis analysis;
	struct strbuf entry;
	VEC(struct dynamic_string) strings;
	struct strings_answer answer;
	struct report_head head;
};

/* Separated by commas. */
static bool find_calls(struct cli_run *r, const char *sites, named_site_list *calls, struct strbuf *why)
{
	struct strbuf one = { 0 };
	bool ok = true;

	while (ok && *sites) {
		size_t n = strcspn(sites, ",");
		strbuf_clear(&one);
		strbuf_add(&one, sites, n);
		ok = session_string_calls(&r->session, one.s ? one.s : "", calls, why);
		sites += n + (sites[n] == ',');
	}
	strbuf_release(&one);
	return ok;
}

/* The operands that are asked for. */
static bool find_strings(struct work *w, struct cli_run *r)
{
	named_site_list calls = { 0 };
	struct strbuf why = { 0 };
	uint32_t operand;
	bool ok = find_calls(r, w->a->site, &calls, &why);

	if (!ok)
		term_error(&r->term, "%s", why.s);
	for (uint32_t i = 0; i < calls.len; i++)
		for (uint32_t k = 0; session_string_operand(&r->session, &calls.data[i], k, &operand); k++)
			vec_push(&w->strings, ((struct dynamic_string){ .method = calls.data[i].method, .pc = calls.data[i].pc,
									.ref = calls.data[i].declared, .operand = operand }));
	vec_release(&calls);
	strbuf_release(&why);
	return ok;
}

static bool write_strings(struct sink *out, void *ctx)
{
	struct work *w = ctx;

	return writers[w->a->shared.format](out, &w->answer, &w->head);
}

static bool answer(struct work *w, struct cli_run *r)
{
	struct analysis *x = &w->analysis;

	if (!find_strings(w, r))
		return false;
	x->strings = w->strings.data;
	x->nstrings = w->strings.len;
	if (!analysis_begin(x, r, &w->entry))
		return false;
	w->answer = (struct strings_answer){ &r->session.program, w->strings.data, w->strings.len };
	w->head = analysis_head(r, x, w->entry.s);
	return !run_writes(r) || run_write(r, write_strings, w);
}

static bool is_reached(const struct work *w)
{
	for (uint32_t i = 0; i < w->strings.len; i++)
		if (w->strings.data[i].is_reached)
			return true;
	return false;
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	bool ok = answer(w, r);

	if (ok)
		analysis_print_stats(r, &w->analysis, "strings");
	analysis_forget(&w->analysis);
	if (!ok)
		return EXIT_UNSERVED;
	return is_reached(w) ? EXIT_DONE : EXIT_CHECK_FAILED;
}

static int run_strings(void *values, int n, char **operands)
{
	struct work w = { .a = values };
	struct strbuf err = { 0 };

	if (n > 0)
		return usage_error("strings takes no operand '%s'; name the call with --site", operands[0]);
	if (list_names(w.a->analysis.algorithm, w.a->analysis.assume))
		return EXIT_DONE;
	if (analysis_prepare(&w.analysis, &w.a->analysis, &w.a->shared, &w.entry, &err) && !w.a->site)
		strbuf_adds(&err, "say which call is given the string: --site pkg.Cls.method:LINE, or pkg.Cls.method for all of a method");
	int status = err.len ? usage_error("%s", err.s) : run_verb(&w.a->shared, compute, &w);
	for (uint32_t i = 0; i < w.strings.len; i++)
		dynamic_string_release(&w.strings.data[i]);
	vec_release(&w.strings);
	strbuf_release(&err);
	strbuf_release(&w.entry);
	return status;
}

const struct command_spec cmd_strings = {
	.synopsis = { "--site SITE -cp PATH [--main CLASS | --entry public|FILE] [OPTION]...", NULL },
	.description = "Says what a string can be that a call is given: a regular expression for a language that contains every such string, "
		       "its strings if there are finitely many, otherwise an example.\nOf a method or a line, the calls that give names to reflection "
		       "are shown (Class.forName, getMethod, and others), or all that are given strings if there are none of these. When no such call is "
		       "ever reached, the exit status is 1.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct strings_args),
	.initial = &initial,
	.examples = { { "sherd strings -cp app.jar --main app.Main --site app.Plugins.load", "names of classes that a method loads" },
		      { "sherd strings -cp app.jar --main app.Main --site 'app.Db.query(I)V@12' --format json",
			"the strings that one call is given" },
		      { NULL, NULL } },
	.run = run_strings,
};
