/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verbs/c_options.h"

#include <string.h>

enum { USUAL_CATEGORIES = 8, MOST_CATEGORIES = 4096 };

const char *const engine_names[] = { "andersen", "categories", "one-level", "steens", NULL };
const char *const on_off_names[] = { "on", "off", NULL };
const char *const calls_names[] = { "matching", "any", NULL };
const char *const loaded_names[] = { "none", "unknown", NULL };

bool c_options_check(const struct c_options *o, struct strbuf *err)
{
	if (o->categories && o->engine != CENGINE_CATEGORIES)
		strbuf_addf(err, "--categories is not for --engine %s: add --engine categories", engine_names[o->engine]);
	else if (o->categories > MOST_CATEGORIES)
		strbuf_addf(err, "--categories can be at most %d", MOST_CATEGORIES);
	else if (o->exports.len && !o->library)
		strbuf_adds(err, "--exports says what clients of a library may name: add --library");
	return err->len == 0;
}

const char *c_options_given(const struct c_options *o)
{
	if (o->engine || o->categories)
		return o->engine ? "--engine" : "--categories";
	if (o->fields || o->calls || o->loaded)
		return o->fields ? "--fields" : o->calls ? "--calls" : "--loaded";
	if (o->summaries.len)
		return "--summary";
	return o->library ? "--library" : o->exports.len ? "--exports" : NULL;
}

static bool is_auto(const char *summary)
{
	return strcmp(summary, "auto") == 0;
}

static bool find_files(struct c_analysis *x, struct diag *d)
{
	bool linked = false, ok = true;

	c_files_init(&x->files);
	for (uint32_t i = 0; i < x->o->summaries.len; i++)
		if (is_auto(x->o->summaries.data[i]))
			linked = true;
		else
			vec_push(&x->files.summaries, x->o->summaries.data[i]);
	for (uint32_t i = 0; i < x->nmodules; i++)
		ok &= c_files_add(&x->files, x->modules[i], linked, d);
	if (ok && linked && !x->files.programs) {
		diag_add(d, DIAG_E082, NULL, STR(""), DIAG_NO_OFFSET,
			 "--summary auto looks at what a program is linked with, and there is none: name the program instead of its modules");
		ok = false;
	}
	x->modules = x->files.modules.data;
	x->nmodules = x->files.modules.len;
	return ok;
}

static struct csession_opt options_of(struct c_analysis *x)
{
	uint32_t k = x->o->categories ? (uint32_t)x->o->categories : USUAL_CATEGORIES;

	return (struct csession_opt){ .modules = x->modules, .nmodules = x->nmodules, .library = x->o->library,
				      .exports = (const char *const *)x->o->exports.data, .nexports = x->o->exports.len,
				      .engine = (enum cengine)x->o->engine,
				      .categories = x->o->engine == CENGINE_CATEGORIES ? k : 0, .fields = x->o->fields == 0,
				      .any_calls = x->o->calls == 1, .loads_unknown = x->o->loaded == 1,
				      .summaries = x->files.summaries.data, .nsummaries = x->files.summaries.len };
}

bool c_compute(struct c_analysis *x, struct cli_run *r, enum analysis_id wanted)
{
	x->run = r;
	bool ok = find_files(x, &r->inquiry.diag);
	struct csession_opt opt = options_of(x);
	csession_init(&x->session, &r->inquiry, &opt);
	ok = ok && csession_need(&x->session, wanted);
	inquiry_tell_now(&r->inquiry, "");
	return ok;
}

void c_release(struct c_analysis *x)
{
	csession_close(&x->session);
	c_files_release(&x->files);
}

struct c_patterns c_patterns_of(const option_list *l)
{
	return (struct c_patterns){ (const char *const *)l->data, l->len };
}

struct c_result c_result_of(struct c_analysis *x, bool stats)
{
	return csession_result(&x->session, stats);
}

struct c_head c_head_of(const struct c_analysis *x)
{
	const struct csession_opt *o = &x->session.opt;
	uint32_t nexports = csession_exports_visible(o) ? 0 : o->nexports;

	return (struct c_head){ .modules = x->modules, .nmodules = x->nmodules, .summaries = o->summaries,
				.nsummaries = o->nsummaries, .engine = engine_names[x->o->engine],
				.categories = o->categories, .fields = o->fields, .library = o->library,
				.exports = o->exports, .nexports = nexports,
				.nunknown = csession_nunknown(&x->session),
				.verbose = x->run->o->verbose, .color = x->run->term.color_out && !x->run->o->output,
				.width = (uint32_t)x->run->term.width };
}

bool c_write(struct c_analysis *x, bool (*write)(struct sink *out, void *ctx), void *ctx)
{
	return !run_writes(x->run) || run_write(x->run, write, ctx);
}

void c_print_stats(struct c_analysis *x, const char *verb)
{
	struct stats st = { 0 };

	if (x->run->o->stats == STATS_NONE)
		return;
	csession_figures(&x->session, verb, &st);
	run_write_stats(x->run, verb, &st);
	stats_release(&st);
}
