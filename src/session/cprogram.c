/* SPDX-License-Identifier: Apache-2.0 */
#include "session/cprogram.h"

#include <stdio.h>
#include <string.h>

#include "analysis/allocation/allocation.h"
#include "base/map.h"
#include "bitcode/bitcode.h"
#include "session/summaries.h"

/* How far it is, for people and for the sentence should a budget run out. */
static void tell(struct csession *s, const char *now, const char *how_far)
{
	inquiry_tell(s->inquiry, &(struct inquiry_news){ now, how_far, s->opt.fields ? "--fields off" : "" });
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void on_module(void *ctx, uint32_t done, uint32_t all, const char *path)
{
	struct csession *s = ctx;
	char now[400], how_far[80];

	snprintf(now, sizeof(now), "reading %u of %u: %s", done + 1, all, base_name(path));
	snprintf(how_far, sizeof(how_far), "while module %u of %u was being read", done + 1, all);
	inquiry_tell(s->inquiry, &(struct inquiry_news){ now, how_far, "" });
}

/* Budgets end the process by themselves: this is about what people see. */
static bool on_solve(void *ctx)
{
	struct csession *s = ctx;
	const char *engine = cengine_name(s->opt.engine);
	char now[80], how_far[80];

	snprintf(now, sizeof(now), "%s: following pointers", engine);
	snprintf(how_far, sizeof(how_far), "while pointers were being followed (%s)", engine);
	tell(s, now, how_far);
	return true;
}

static bool on_modref(void *ctx)
{
	tell(ctx, "collecting what is modified and used", "while MOD and USE were being collected");
	return true;
}

#ifdef SHERD_CHECK
static void check_program(const struct csession *s, const char *after)
{
	const char *reason = "";

	if (!cir_check(&s->program, &reason))
		BUG("the program after %s: %s", after, reason);
}
#else
#define check_program(s, after) ((void)0)
#endif

/* The steps, as analyses.def has them */

static bool read_modules(void *subject)
{
	struct csession *s = subject;
	struct bitcode_opt bo = { on_module, s };
	bool ok = !s->opt.nmodules || bitcode_load(&s->program, s->opt.modules, s->opt.nmodules, &bo, &s->inquiry->diag);

	ok = ok && summaries_join(s);

	if (ok)
		check_program(s, "reading");
	return ok;
}

static bool has_main(struct csession *s)
{
	cfn_id f = cir_find_function(&s->program, STR("main"));

	return f.i && s->program.fns.data[f.i].flags & CFN_DEFINED;
}

/* What is summarized is kept as it is now: without the libraries that it uses. */
static bool link_summaries(void *subject)
{
	struct csession *s = subject;

	if (s->opt.summarizes)
		s->summarizing = summarize_begin(&s->program);
	bool ok = summaries_link(s);
	if (ok)
		check_program(s, "summaries");
	return ok;
}

/* A whole program starts somewhere. */
static bool check_entry(void *subject)
{
	struct csession *s = subject;

	if (s->opt.library || has_main(s))
		return true;
	diag_add(&s->inquiry->diag, DIAG_E065, s->opt.nmodules == 1 ? s->opt.modules[0] : NULL, STR(""), DIAG_NO_OFFSET,
		 "no function main in the modules: add the module that defines it, or analyse a library alone with --library");
	return false;
}

static bool add_models(void *subject)
{
	struct csession *s = subject;

	inquiry_tell(s->inquiry, &(struct inquiry_news){ NULL, "before the analysis", "" });
	s->nmodels = cmodel_libc(&s->program, s->opt.loads_unknown);
	check_program(s, "models");
	return true;
}

static bool find_allocation(void *subject)
{
	struct csession *s = subject;

	s->nwrappers = s->summarizing ? summarize_allocation(s->summarizing) : allocation_rewrite(&s->program, false);
	check_program(s, "allocation sites");
	return true;
}

static bool is_exported(const struct csession *s)
{
	for (uint32_t i = 1; i < s->program.objs.len; i++)
		if (s->program.objs.data[i].flags & COBJ_EXPORTED)
			return true;
	return false;
}

bool csession_exports_visible(const struct csession_opt *o)
{
	for (uint32_t i = 0; i < o->nexports; i++)
		if (strcmp(o->exports[i], "public") == 0)
			return true;
	return o->nexports == 0;
}

/* All files, so that what is wrong with them is said. */
static bool export_files(struct csession *s)
{
	bool ok = true;

	for (uint32_t i = 0; i < s->opt.nexports; i++)
		if (strcmp(s->opt.exports[i], "public") != 0)
			ok &= cmodel_export_file(&s->program, s->opt.exports[i], &s->inquiry->diag);
	return ok;
}

static bool mark_exports(void *subject)
{
	struct csession *s = subject;
	bool visible = csession_exports_visible(&s->opt);

	if (!s->opt.library)
		return true;
	for (uint32_t i = 1; i < s->program.objs.len && !visible; i++)      /* what parts export is not what the whole does */
		s->program.objs.data[i].flags &= (uint8_t)~COBJ_EXPORTED;
	if (visible)
		cmodel_export_visible(&s->program);
	if (!export_files(s))
		return false;
	if (is_exported(s))
		return true;
	diag_add(&s->inquiry->diag, DIAG_E066, s->opt.nexports == 1 && !visible ? s->opt.exports[0] : NULL, STR(""), DIAG_NO_OFFSET,
		 "the library exports nothing: every definition is static or hidden%s",
		 visible ? "; list what clients may name with --exports FILE" : ", or the file does not name it");
	return false;
}

static bool same_text(const struct cnote *a, const struct cnote *b)
{
	return a->kind == b->kind && a->text.i == b->text.i;
}

/* Of notes with the same kind and text only the first is counted. */
static bool is_first(const struct cprogram *p, uint32_t note)
{
	for (uint32_t k = 1; k < note; k++)
		if (same_text(&p->notes.data[k], &p->notes.data[note]))
			return false;
	return true;
}

uint32_t csession_nunknown(const struct csession *s)
{
	struct map seen = { 0 };
	uint32_t n = 0;

	for (uint32_t i = 1; i < s->program.notes.len; i++) {
		const struct cnote *x = &s->program.notes.data[i];
		if (x->kind != CNOTE_UNKNOWN)
			continue;
		uint32_t *at = map_at(&seen, x->text.i + UINT64_C(1));
		n += *at == 0;
		*at = 1;
	}
	map_release(&seen);
	return n;
}

/* One warning for all of them: a library that is left out loses hundreds at once. */
static void warn_unknown(struct csession *s)
{
	enum { SHOWN = 5 };
	uint32_t n = csession_nunknown(s), shown = 0;
	struct strbuf names = { 0 };

	if (!n)
		return;
	for (uint32_t i = 1; i < s->program.notes.len && shown < SHOWN; i++) {
		const struct cnote *x = &s->program.notes.data[i];
		if (x->kind != CNOTE_UNKNOWN || !is_first(&s->program, i))
			continue;
		strbuf_adds(&names, shown++ ? ", " : "");
		strbuf_addstr(&names, interned(&s->program.names, x->text));
	}
	diag_add(&s->inquiry->diag, DIAG_W067, NULL, STR(""), DIAG_NO_OFFSET,
		 "%u function%s neither body nor model, and may do anything: %s%s; add the modules that define %s", n,
		 n == 1 ? " has" : "s have", names.s, n > shown ? ", ..." : "", n == 1 ? "it" : "them");
	strbuf_release(&names);
}

/* Placeholders take the place of unknown functions: where these are called first is found before. */
static uint32_t *first_calls(const struct cprogram *p)
{
	uint32_t *first = mem_zalloc(sizeof(uint32_t) * (p->fns.len + 1));

	for (uint32_t c = p->calls.len; c-- > 1;)
		first[p->calls.data[c].callee.i] = c;
	return first;
}

static void place_unknown(struct cprogram *p, const uint32_t *first)
{
	for (uint32_t i = 1; i < p->notes.len; i++) {
		struct cnote *x = &p->notes.data[i];
		uint32_t c = x->kind == CNOTE_UNKNOWN ? first[x->fn.i] : 0;
		if (x->kind != CNOTE_UNKNOWN)
			continue;
		x->fn = c ? p->calls.data[c].caller : (cfn_id){ 0 };
		x->loc = c ? p->calls.data[c].loc : x->loc;
	}
}

static bool add_placeholders(void *subject)
{
	struct csession *s = subject;
	uint32_t *first = first_calls(&s->program);

	s->placeholders = cmodel_placeholders(&s->program, s->opt.library);
	place_unknown(&s->program, first);
	free(first);
	check_program(s, "placeholders");
	warn_unknown(s);
	return true;
}

static bool solve(void *subject)
{
	struct csession *s = subject;
	struct cpta_opt po = { .engine = s->opt.engine, .categories = s->opt.categories, .fields = s->opt.fields,
			       .any_calls = s->opt.any_calls, .go_on = on_solve, .ctx = s };

	on_solve(s);
	s->facts = cpta_compute(&s->program, &po);
	if (!s->facts)
		BUG("nobody stopped the analysis");
	return true;
}

static bool collect_effects(void *subject)
{
	struct csession *s = subject;

	on_modref(s);
	s->effects = modref_compute(s->facts, on_modref, s);
	if (!s->effects)
		BUG("nobody stopped the analysis");
	return true;
}

static bool finish_summary(void *subject)
{
	struct csession *s = subject;

	cprogram_release(&s->summary);           /* a new one is made */
	if (s->opt.basic)
		summarize_basic(&s->program, &s->summary);
	else
		summarize_end(s->summarizing, s->facts, &s->summary);
	return true;
}

/* C_GRAPH and C_CLIENTS are read off the facts while they are written. */
static driver_step *const steps[ANALYSES] = {
	[C_MODULES] = read_modules, [C_EXPORTS] = mark_exports,       [C_SUMMARIES] = link_summaries,
	[C_ENTRY] = check_entry,    [C_MODELS] = add_models,          [C_ALLOCATION] = find_allocation,
	[C_POINTSTO] = solve,       [C_PLACEHOLDERS] = add_placeholders, [C_MODREF] = collect_effects,
	[C_SUMMARY] = finish_summary,
};

void csession_init(struct csession *s, struct inquiry *r, const struct csession_opt *opt)
{
	*s = (struct csession){ .opt = *opt, .inquiry = r };
	cprogram_init(&s->program);
	cprogram_init(&s->summary);
	driver_init(&s->driver, r, s, steps);
}

/* Nothing but the modules and their exports is asked of a basic summary. */
bool csession_summarize(struct csession *s)
{
	static const enum analysis_id spared[] = { C_SUMMARIES, C_ENTRY, C_MODELS, C_ALLOCATION, C_PLACEHOLDERS, C_POINTSTO };

	for (uint32_t i = 0; s->opt.basic && i < ARRAY_LEN(spared); i++)
		driver_skip(&s->driver, spared[i]);
	if (!driver_need(&s->driver, C_EXPORTS))
		return false;
	summaries_note_inner(s);
	return driver_need(&s->driver, C_SUMMARY);
}

bool csession_need(struct csession *s, enum analysis_id wanted)
{
	return driver_need(&s->driver, wanted);
}

/* Results */

const struct cpta_stats *csession_stats(struct csession *s)
{
	if (!s->has_stats)
		s->stats = cpta_stats(s->facts);
	s->has_stats = true;
	return &s->stats;
}

struct c_result csession_result(struct csession *s, bool stats)
{
	return (struct c_result){ &s->program, s->facts, s->effects, s->placeholders.var, s->placeholders.proc,
				  stats ? csession_stats(s) : NULL };
}

/* What scripts expect of every call graph. */
static void add_graph(struct csession *s, struct stats *out)
{
	struct c_result r = csession_result(s, true);
	struct cgraph_stats g = report_callgraph_c_stats(&r);

	stats_count(out, "methods", g.functions);
	stats_count(out, "edges", g.edges);
	stats_count(out, "method_edges", g.function_edges);
	stats_count(out, "sites", g.sites);
	stats_count(out, "poly_sites", g.poly);
	stats_count(out, "classes", 0);
	stats_count(out, "unresolved_dynamic_sites", g.unresolved);
}

static void add_clients(struct csession *s, struct stats *out)
{
	struct c_result r = csession_result(s, true);
	struct clients_stats c = report_clients_stats(&r);

	stats_object(out, "clients");
	stats_count(out, "variables", c.variables);
	stats_count(out, "reachable", c.reachable);
	stats_count(out, "accesses", c.accesses);
	stats_count(out, "touching", c.touching);
	stats_count(out, "calls", c.calls);
	stats_count(out, "calling", c.calling);
	stats_count(out, "functions", c.functions);
	stats_count(out, "interacting", c.interacting);
	stats_end_object(out);
}

static void add_facts(struct csession *s, struct stats *out)
{
	const struct cpta_stats *st = csession_stats(s);

	stats_count(out, "variables", st->variables);
	stats_count(out, "objects", st->objects);
	stats_count(out, "statements", st->statements);
	stats_count(out, "points_to_pairs", st->points_to_pairs);
	stats_count(out, "indirect_calls", st->indirect_calls);
	stats_count(out, "indirect_edges", st->indirect_edges);
	stats_count(out, "library_edges", st->library_edges);
	stats_count(out, "direct_calls", st->direct_calls);
	stats_count(out, "unknown_functions", csession_nunknown(s));
	stats_count(out, "functions", st->functions);
	stats_count(out, "cells", st->cells);
	stats_count(out, "collapsed", st->collapsed);
	stats_count(out, "mismatched_calls", st->mismatched);
	stats_count(out, "models", s->nmodels);
	stats_count(out, "wrappers", s->nwrappers);
	stats_object(out, "solver");
	stats_count(out, "nodes", st->nodes);
	stats_count(out, "facts", st->facts);
	stats_count(out, "bytes", st->bytes);
	stats_end_object(out);
}

static void show_facts(struct csession *s, struct stats *out)
{
	const struct cpta_stats *st = csession_stats(s);

	stats_show(out, "functions", st->functions);
	stats_show(out, "statements", st->statements);
	stats_show(out, "variables", st->variables);
	stats_show(out, "objects", st->objects);
	stats_show(out, "cells", st->cells);
	stats_show(out, "pairs", st->points_to_pairs);
	stats_break(out);
	stats_show(out, "indirect calls", st->indirect_calls);
	stats_show(out, "edges", st->indirect_edges);
	stats_show(out, "unknown functions", csession_nunknown(s));
	stats_show(out, "collapsed", st->collapsed);
	stats_show(out, "models", s->nmodels);
	stats_show(out, "wrappers", s->nwrappers);
	stats_break(out);
	stats_show(out, "nodes", st->nodes);
	stats_show(out, "facts", st->facts);
	stats_break(out);
}

void csession_figures(struct csession *s, const char *verb, struct stats *out)
{
	stats_text(out, "engine", cengine_name(s->opt.engine));
	stats_bool(out, "fields", s->opt.fields);
	stats_bool(out, "library", s->opt.library);
	stats_count(out, "modules", s->opt.nmodules);
	if (strcmp(verb, "callgraph") == 0)
		add_graph(s, out);
	add_facts(s, out);
	show_facts(s, out);
	if (s->opt.library && strcmp(verb, "pointsto") == 0)
		add_clients(s, out);
	inquiry_stats(s->inquiry, true, out);
}

void csession_close(struct csession *s)
{
	if (s->effects)
		modref_free(s->effects);
	if (s->facts)
		cpta_free(s->facts);
	summarize_free(s->summarizing);
	vec_release(&s->made_of);
	vec_release(&s->uses);
	vec_release(&s->inner);
	cprogram_release(&s->program);
	cprogram_release(&s->summary);
}

void csession_print(const struct csession *s, struct strbuf *out)
{
	cir_print(&s->program, out);
}

bool csession_is_module(const char *path)
{
	static const uint8_t magic[][4] = { { 'B', 'C', 0xc0, 0xde }, { 0xde, 0xc0, 0x17, 0x0b } };
	uint8_t first[4] = { 0 };
	struct str name = str_of(path);
	FILE *f = fopen(path, "rb");

	if (!f)
		return false;
	size_t n = fread(first, 1, sizeof(first), f);
	fclose(f);
	for (uint32_t i = 0; n == 4 && i < 2; i++)
		if (memcmp(first, magic[i], 4) == 0)
			return true;
	return str_ends(name, ".bc") || str_ends(name, ".ll");
}
