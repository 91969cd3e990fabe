/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verbs/analysis.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "report/write/screen.h"

enum { ALGORITHMS_MAX = 63 };
const char *algorithm_names[ALGORITHMS_MAX + 1];

void algorithm_names_init(void)
{
	struct algorithm a;

	for (uint32_t k = 0; algorithm_get(k, &a); k++) {
		if (k == ALGORITHMS_MAX)
			BUG("more than %d algorithms", ALGORITHMS_MAX);
		algorithm_names[k] = a.name;
	}
}

int algorithm_list(void)
{
	struct algorithm a;

	for (uint32_t k = 0; algorithm_get(k, &a); k++)
		printf("%-10s %s\n", a.name, a.help);
	return EXIT_DONE;
}

static bool find_sort(struct str name, enum heap_sort *out)
{
	for (enum heap_sort k = 0; k < HEAP_SORTS; k++)
		if (str_is(name, heap_sort_name(k))) {
			*out = k;
			return true;
		}
	return false;
}

static void say_bad_heap(struct str item, struct strbuf *err)
{
	strbuf_addf(err, "--heap cannot have '%.*s': write SORT=merge or SORT=site, where SORT is one of all",
		    (int)item.len, item.p);
	for (enum heap_sort k = 0; k < HEAP_SORTS; k++)
		strbuf_addf(err, ", %s", heap_sort_name(k));
}

/* "strings=site" */
static bool read_heap_item(struct str item, struct pta_heap *heap)
{
	const char *eq = memchr(item.p, '=', item.len);
	uint32_t n = eq ? (uint32_t)(eq - item.p) : item.len;
	struct str name = str_sub(item, 0, n), value = str_sub(item, eq ? n + 1 : n, item.len);
	bool by_site = str_is(value, "site");
	enum heap_sort sort;

	if (!by_site && !str_is(value, "merge"))
		return false;
	if (str_is(name, "all")) {
		for (enum heap_sort k = 0; k < HEAP_SORTS; k++)
			heap->by_site[k] = by_site;
		return true;
	}
	if (!find_sort(name, &sort))
		return false;
	heap->by_site[sort] = by_site;
	return true;
}

static bool read_heap(const char *list, struct pta_heap *heap, struct strbuf *err)
{
	for (const char *at = list;; at++) {
		struct str item = { at, (uint32_t)strcspn(at, ",") };
		if (!read_heap_item(item, heap)) {
			say_bad_heap(item, err);
			return false;
		}
		at += item.len;
		if (!*at)
			return true;
	}
}

static void add_fitting(bool (*fits)(const struct algorithm *), struct strbuf *err)
{
	struct algorithm a;
	const char *before = "";

	for (uint32_t k = 0; algorithm_get(k, &a); k++) {
		if (!fits(&a))
			continue;
		strbuf_addf(err, "%s%s", before, a.name);
		before = ", ";
	}
}

bool analysis_follows_objects(const struct analysis *x, const char *what, struct strbuf *err)
{
	if (algorithm_follows_objects(&x->algorithm))
		return true;
	strbuf_addf(err, "%s needs an --algorithm that follows objects, which %s does not: one of ", what,
		    x->algorithm.name);
	add_fitting(algorithm_follows_objects, err);
	return false;
}

bool analysis_follows_variables(const struct analysis *x, const char *what, struct strbuf *err)
{
	if (algorithm_follows_variables(&x->algorithm))
		return true;
	strbuf_addf(err, "%s needs an --algorithm that follows each variable, which %s does not: one of ", what,
		    x->algorithm.name);
	add_fitting(algorithm_follows_variables, err);
	return false;
}

bool analysis_choose(struct analysis *x, const char *algorithm, const char *heap, struct strbuf *err)
{
	if (!algorithm_find(algorithm, &x->algorithm))
		BUG("algorithm %s", algorithm);
	x->heap = pta_default_heap;
	return !heap || (analysis_follows_objects(x, "--heap", err) && read_heap(heap, &x->heap, err));
}

bool analysis_prepare(struct analysis *x, const struct analysis_options *o, struct strbuf *err)
{
	if (o->main && o->entry)
		strbuf_adds(err, "--main and --entry say different starts: use one of them (a list can name a main "
				 "method, too)");
	else if (!o->main && !o->entry)
		strbuf_adds(err, "say where the program starts: either --main CLASS or --entry public|FILE");
	else
		analysis_choose(x, o->algorithm, o->heap, err);
	return err->len == 0;
}

static bool find_entries(struct analysis *x, const struct analysis_options *o, struct cg_entries *out)
{
	struct session *s = &x->run->session;

	if (o->main) {
		strbuf_addf(&x->entry, "main %s", o->main);
		return entries_main(s, o->main, out);
	}
	if (strcmp(o->entry, "public") == 0) {
		strbuf_adds(&x->entry, "public");
		return entries_public(s, out);
	}
	strbuf_addf(&x->entry, "file %s", o->entry);
	return entries_file(s, o->entry, out);
}

/* For the progress line, and for the sentence should a budget run out. */
static void show_progress(void *ctx, uint64_t methods)
{
	struct analysis *x = ctx;
	const char *cheaper = algorithm_cheaper(&x->algorithm);
	char number[32], how_far[80], to_try[80];
	const char *n = grouped(methods, number);

	term_progress(&x->run->term, "%s: %s methods", x->algorithm.name, n);
	snprintf(how_far, sizeof(how_far), "after %s methods (%s)", n, x->algorithm.name);
	snprintf(to_try, sizeof(to_try), "%s%s", cheaper ? "--algorithm " : "", cheaper ? cheaper : "");
	budget_note(how_far, to_try);
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

void analysis_run(struct analysis *x, const struct cg_entries *entries, struct cli_run *r)
{
	struct session_cg_opt opt = { .algorithm = x->algorithm, .heap = x->heap, .explains = x->explains,
				      .keeps_this = x->keeps_this, .progress = show_progress, .progress_ctx = x };

	x->run = r;
	show_progress(x, 0);
	x->graph = session_callgraph(&r->session, entries, &opt, &x->facts);
	if (x->facts)
		x->stats = pta_stats(x->facts);
	report_phantoms(&r->session);
	term_progress_end(&r->term);
}

bool analysis_compute(struct analysis *x, const struct analysis_options *o, struct cli_run *r)
{
	struct cg_entries entries = { 0 };

	x->run = r;
	bool ok = find_entries(x, o, &entries);
	if (ok)
		analysis_run(x, &entries, r);
	entries_release(&entries);
	return ok;
}

void analysis_free_facts(struct analysis *x)
{
	if (x->facts)
		pta_free(x->facts);
	x->facts = NULL;
}

void analysis_release(struct analysis *x)
{
	analysis_free_facts(x);
	if (x->graph)
		callgraph_free(x->graph);
	strbuf_release(&x->entry);
}

struct report_head analysis_head(const struct analysis *x)
{
	struct report_head head = run_head(x->run);

	head.algorithm = x->algorithm.name;
	head.entry = x->entry.s;
	return head;
}

static void print_solver_json(const struct pta_stats *st)
{
	const struct solver_stats *v = &st->solver;

	printf(",\"solver\":{\"instances\":%" PRIu64 ",\"contexts\":%" PRIu64 ",\"nodes\":%" PRIu64
	       ",\"objects\":%" PRIu64 ",\"copies\":%" PRIu64 ",\"facts\":%" PRIu64 ",\"joined\":%" PRIu64 "}",
	       st->instances, st->contexts, v->nodes, v->objects, v->copies, v->facts, v->joined);
}

static void print_json(const struct analysis *x, const struct cg_stats *c, const char *verb)
{
	const struct session *s = &x->run->session;

	printf("{\"schema\":\"sherd/stats/1\",\"verb\":\"%s\",\"algorithm\":\"%s\",\"methods\":%" PRIu64
	       ",\"edges\":%" PRIu64 ",\"method_edges\":%" PRIu64 ",\"sites\":%" PRIu64 ",\"poly_sites\":%" PRIu64
	       ",\"open_sites\":%" PRIu64 ",\"classes\":%" PRIu64,
	       verb, x->algorithm.name, c->methods, c->edges, c->method_edges, c->sites, c->poly_sites, c->open_sites,
	       c->classes);
	uint64_t dynamic = c->by_cause[CG_REFLECTION] + c->by_cause[CG_METHOD_HANDLE] + c->by_cause[CG_BOOTSTRAP] +
			   c->by_cause[CG_SERIAL];
	printf(",\"unresolved_dynamic_sites\":%" PRIu64 ",\"unresolved\":{", dynamic);
	for (unsigned k = CG_RESOLVED + 1; k < CG_CAUSES; k++)
		printf("%s\"%s\":%" PRIu64, k > 1 ? "," : "", cg_cause_name(k), c->by_cause[k]);
	printf("},\"phantom_classes\":%" PRIu32, s->program.phantoms.len);
	if (x->algorithm.policy)
		print_solver_json(&x->stats);
	fputs(",\"seconds\":{", stdout);
	for (enum phase k = 0; k < PHASES; k++)
		printf("\"%s\":%.4f,", phase_name(k), s->seconds[k]);
	printf("\"total\":%.4f},\"peak_rss_mb\":%.1f}\n", session_total(s), peak_rss_mb());
}

static void print_solver_text(const struct pta_stats *st)
{
	const struct solver_stats *v = &st->solver;

	fprintf(stderr,
		"instances %" PRIu64 "  contexts %" PRIu64 "  nodes %" PRIu64 "  objects %" PRIu64 "  copies %" PRIu64
		"  facts %" PRIu64 "  joined %" PRIu64 "\n",
		st->instances, st->contexts, v->nodes, v->objects, v->copies, v->facts, v->joined);
}

static void print_text(const struct analysis *x, const struct cg_stats *c)
{
	const struct session *s = &x->run->session;

	fprintf(stderr,
		"methods %" PRIu64 "  edges %" PRIu64 "  sites %" PRIu64 "  polymorphic %" PRIu64 "  open %" PRIu64
		"  classes %" PRIu64 "\n",
		c->methods, c->edges, c->sites, c->poly_sites, c->open_sites, c->classes);
	if (x->algorithm.policy)
		print_solver_text(&x->stats);
	for (enum phase k = 0; k < PHASES; k++)
		fprintf(stderr, "%s %.3f s  ", phase_name(k), s->seconds[k]);
	fprintf(stderr, "total %.3f s CPU  peak memory %.0f MB\n", session_total(s), peak_rss_mb());
}

void analysis_print_stats(const struct analysis *x, const char *verb)
{
	int form = x->run->o->stats;

	if (form == STATS_NONE)
		return;
	struct cg_stats c = callgraph_stats(x->graph);
	if (form == STATS_JSON)
		print_json(x, &c, verb);
	else
		print_text(x, &c);
}
