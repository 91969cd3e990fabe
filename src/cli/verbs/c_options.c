/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verbs/c_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"

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
	return o->library ? "--library" : o->exports.len ? "--exports" : NULL;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* For the progress line, and for the sentence should a budget run out. */
static void show_progress(void *ctx, enum cphase phase, uint32_t done, uint32_t all, const char *what)
{
	struct c_analysis *x = ctx;
	const char *engine = engine_names[x->o->engine], *cheaper = x->o->fields ? "" : "--fields off";
	char how_far[80];

	switch (phase) {
	case CPHASE_READ:
		term_progress(&x->run->term, "reading %u of %u: %s", done + 1, all, base_name(what));
		snprintf(how_far, sizeof(how_far), "while module %u of %u was being read", done + 1, all);
		budget_note(how_far, "");
		break;
	case CPHASE_MODELS:
		budget_note("before the analysis", "");
		break;
	case CPHASE_MODREF:
		term_progress(&x->run->term, "collecting what is modified and used");
		budget_note("while MOD and USE were being collected", cheaper);
		break;
	default:
		term_progress(&x->run->term, "%s: following pointers", engine);
		snprintf(how_far, sizeof(how_far), "while pointers were being followed (%s)", engine);
		budget_note(how_far, cheaper);
	}
}

static struct csession_opt options_of(struct c_analysis *x)
{
	uint32_t k = x->o->categories ? (uint32_t)x->o->categories : USUAL_CATEGORIES;

	return (struct csession_opt){ .modules = x->modules, .nmodules = x->nmodules, .library = x->o->library,
				      .exports = (const char *const *)x->o->exports.data, .nexports = x->o->exports.len, .engine = (enum cengine)x->o->engine,
				      .categories = x->o->engine == CENGINE_CATEGORIES ? k : 0, .fields = x->o->fields == 0,
				      .any_calls = x->o->calls == 1, .loads_unknown = x->o->loaded == 1,
				      .progress = show_progress, .ctx = x };
}

bool c_read(struct c_analysis *x, struct cli_run *r)
{
	x->run = r;
	struct csession_opt opt = options_of(x);
	bool ok = csession_read(&x->session, &opt, &r->session.diag);
	term_progress_end(&r->term);
	return ok;
}

bool c_compute(struct c_analysis *x, struct cli_run *r, bool effects)
{
	x->run = r;
	struct csession_opt opt = options_of(x);
	bool ok = csession_open(&x->session, &opt, &r->session.diag);
	if (ok)
		csession_solve(&x->session);
	if (ok && effects)
		csession_modref(&x->session);
	term_progress_end(&r->term);
	return ok;
}

void c_release(struct c_analysis *x)
{
	csession_close(&x->session);
}

struct c_patterns c_patterns_of(const option_list *l)
{
	return (struct c_patterns){ (const char *const *)l->data, l->len };
}

struct c_result c_result_of(struct c_analysis *x, bool stats)
{
	struct csession *s = &x->session;

	return (struct c_result){ &s->program, s->facts, s->effects, s->placeholders.var, s->placeholders.proc,
				  stats ? csession_stats(s) : NULL };
}

struct c_head c_head_of(const struct c_analysis *x)
{
	const struct csession_opt *o = &x->session.opt;
	uint32_t nexports = csession_exports_visible(o) ? 0 : o->nexports;

	return (struct c_head){ .modules = x->modules, .nmodules = x->nmodules, .engine = engine_names[x->o->engine],
				.categories = o->categories, .fields = o->fields, .library = o->library, .exports = o->exports, .nexports = nexports,
				.nunknown = csession_nunknown(&x->session),
				.verbose = x->run->o->verbose, .color = x->run->term.color_out && !x->run->o->output,
				.width = (uint32_t)x->run->term.width };
}

bool c_write(struct c_analysis *x, bool (*write)(struct sink *out, void *ctx), void *ctx)
{
	bool ok = !run_writes(x->run) || run_write(x->run, write, ctx);

	csession_phase(&x->session, CPHASE_WRITE);
	return ok;
}

static void print_seconds_json(const struct csession *s)
{
	fputs(",\"seconds\":{", stdout);
	for (enum cphase k = 0; k < CPHASES; k++)
		printf("\"%s\":%.4f,", cphase_name(k), s->seconds[k]);
	printf("\"total\":%.4f},\"peak_rss_mb\":%.1f}\n", csession_total(s), peak_rss_mb());
}

/* What scripts expect of every call graph. */
static void print_graph_json(struct c_analysis *x)
{
	struct c_result r = c_result_of(x, true);
	struct c_graph_stats g = report_callgraph_c_stats(&r);

	printf(",\"methods\":%" PRIu64 ",\"edges\":%" PRIu64 ",\"method_edges\":%" PRIu64 ",\"sites\":%" PRIu64
	       ",\"poly_sites\":%" PRIu64 ",\"classes\":0,\"unresolved_dynamic_sites\":%" PRIu64,
	       g.functions, g.edges, g.function_edges, g.sites, g.poly, g.unresolved);
}

static void print_clients_json(struct c_analysis *x)
{
	struct c_result r = c_result_of(x, true);
	struct c_client_stats c = report_clients_stats(&r);

	printf(",\"clients\":{\"variables\":%" PRIu64 ",\"reachable\":%" PRIu64 ",\"accesses\":%" PRIu64 ",\"touching\":%" PRIu64
	       ",\"calls\":%" PRIu64 ",\"calling\":%" PRIu64 ",\"functions\":%" PRIu64 ",\"interacting\":%" PRIu64 "}",
	       c.variables, c.reachable, c.accesses, c.touching, c.calls, c.calling, c.functions, c.interacting);
}

static void print_json(struct c_analysis *x, const struct cpta_stats *st, const char *verb)
{
	const struct csession *s = &x->session;

	printf("{\"schema\":\"sherd/stats/1\",\"verb\":\"%s\",\"engine\":\"%s\",\"fields\":%s,\"library\":%s,\"modules\":%u", verb,
	       engine_names[x->o->engine], s->opt.fields ? "true" : "false", s->opt.library ? "true" : "false", x->nmodules);
	if (strcmp(verb, "callgraph") == 0)
		print_graph_json(x);
	printf(",\"variables\":%" PRIu64 ",\"objects\":%" PRIu64 ",\"statements\":%" PRIu64 ",\"points_to_pairs\":%" PRIu64
	       ",\"indirect_calls\":%" PRIu64 ",\"indirect_edges\":%" PRIu64 ",\"library_edges\":%" PRIu64
	       ",\"direct_calls\":%" PRIu64,
	       st->variables, st->objects, st->statements, st->points_to_pairs, st->indirect_calls, st->indirect_edges,
	       st->library_edges, st->direct_calls);
	printf(",\"unknown_functions\":%u,\"functions\":%" PRIu64 ",\"cells\":%" PRIu64 ",\"collapsed\":%" PRIu64
	       ",\"mismatched_calls\":%" PRIu64 ",\"models\":%u,\"wrappers\":%u",
	       csession_nunknown(s), st->functions, st->cells, st->collapsed, st->mismatched, s->nmodels, s->nwrappers);
	printf(",\"solver\":{\"nodes\":%" PRIu64 ",\"facts\":%" PRIu64 ",\"bytes\":%" PRIu64 "}", st->nodes, st->facts, st->bytes);
	if (s->opt.library && strcmp(verb, "pointsto") == 0)
		print_clients_json(x);
	print_seconds_json(s);
}

static void print_text(const struct c_analysis *x, const struct cpta_stats *st)
{
	const struct csession *s = &x->session;

	fprintf(stderr,
		"functions %" PRIu64 "  statements %" PRIu64 "  variables %" PRIu64 "  objects %" PRIu64 "  cells %" PRIu64
		"  pairs %" PRIu64 "\n",
		st->functions, st->statements, st->variables, st->objects, st->cells, st->points_to_pairs);
	fprintf(stderr,
		"indirect calls %" PRIu64 "  edges %" PRIu64 "  unknown functions %u  collapsed %" PRIu64 "  models %u  wrappers %u\n",
		st->indirect_calls, st->indirect_edges, csession_nunknown(s), st->collapsed, s->nmodels, s->nwrappers);
	fprintf(stderr, "nodes %" PRIu64 "  facts %" PRIu64 "\n", st->nodes, st->facts);
	for (enum cphase k = 0; k < CPHASES; k++)
		fprintf(stderr, "%s %.3f s  ", cphase_name(k), s->seconds[k]);
	fprintf(stderr, "total %.3f s CPU  peak memory %.0f MB\n", csession_total(s), peak_rss_mb());
}

void c_print_stats(struct c_analysis *x, const char *verb)
{
	int form = x->run->o->stats;

	if (form == STATS_NONE)
		return;
	if (form == STATS_JSON)
		print_json(x, csession_stats(&x->session), verb);
	else
		print_text(x, csession_stats(&x->session));
}
