/* SPDX-License-Identifier: Apache-2.0 */
#include "session/component/chains.h"

#include <stdlib.h>

#include "session/component/chain_filter.h"

#define MOST_LEVEL 1000

/* Levels: "0", "0-1", "1+", "0,2-3,5+" */

typedef VEC(struct chain_level) level_list;

static bool read_number(const char **at, uint32_t *out)
{
	uint64_t n = 0;
	const char *p = *at;

	for (; *p >= '0' && *p <= '9' && n <= MOST_LEVEL; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	*out = (uint32_t)n;
	bool ok = p > *at && n <= MOST_LEVEL;
	*at = p;
	return ok;
}

/* One item; they grow from item to item. */
static bool read_item(const char **at, level_list *out)
{
	uint32_t low, high;

	if (!read_number(at, &low))
		return false;
	high = low;
	if (**at == '-' && (++*at, !read_number(at, &high)))
		return false;
	bool or_more = **at == '+';
	*at += or_more;
	if (high < low || (out->len && vec_last(out)->level >= low) || (out->len && vec_last(out)->or_more))
		return false;
	for (uint32_t l = low; l <= high; l++)
		vec_push(out, ((struct chain_level){ l, or_more && l == high }));
	return true;
}

static bool read_levels(const char *text, level_list *out)
{
	for (const char *at = text;; at++) {
		if (!read_item(&at, out))
			return false;
		if (!*at)
			return true;
		if (*at != ',')
			return false;
	}
}

static bool has_all_levels(const struct chains_request *q)
{
	return q->levels ? str_is(str_of(q->levels), "all") : q->from_main;
}

/* Where lengths start at the clients, no stack of k calls is deeper than k. Otherwise each chain counts once. */
static bool levels_of(const struct chains_request *q, level_list *out)
{
	if (!has_all_levels(q))
		return read_levels(q->levels ? q->levels : "0+", out);
	for (uint32_t l = 0; l < q->k && l <= MOST_LEVEL; l++)
		vec_push(out, ((struct chain_level){ l, false }));
	return true;
}

static uint32_t count_lines(const struct chains_request *q, enum filter_kind kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < q->nfilters; i++)
		n += q->filters[i].kind == kind;
	return n;
}

bool chains_check(const struct chains_request *q, struct strbuf *err)
{
	level_list levels = { 0 };

	if (!q->k && !q->backedges)
		strbuf_adds(err, "say how long chains may be: -k N, such as -k 4; or --recursion backedges, which needs no bound");
	else if (!q->k && q->from_main)
		strbuf_adds(err, "--length main needs a bound: -k N");
	else if (q->k > CHAINS_MOST_K)
		strbuf_addf(err, "-k %u is more than %u: use --recursion backedges, which needs no bound", (unsigned)q->k, CHAINS_MOST_K);
	else if (has_all_levels(q) && !q->from_main)
		strbuf_adds(err, "--levels all needs --length main, which bounds them; say which: --levels 0-1, or --levels 1+");
	else if (!levels_of(q, &levels))
		strbuf_addf(err, "--levels '%s' is no list of levels: write 0, 0-1 (each of them), 1+ (any from 1 on) or 0,2-3, in order",
			    q->levels);
	else if (q->nthrough + count_lines(q, FILTER_THROUGH) > CHAIN_MOST_FILTERS)
		strbuf_addf(err, "--through can be given %u times, with its lines in files of filters", CHAIN_MOST_FILTERS);
	vec_release(&levels);
	return err->len == 0;
}

/* Filters */

struct tables {
	struct filter_hits from, stops;
	uint16_t *passes_node, *passes_edge;
	uint16_t all;
};

static void tables_release(struct tables *t)
{
	filter_hits_release(&t->from);
	filter_hits_release(&t->stops);
	free(t->passes_node);
	free(t->passes_edge);
}

typedef VEC(struct filter_line) line_list;

/* What was asked for by an option, several times perhaps, and in files of filters. */
static void add_lines(const struct chains_request *q, enum filter_kind kind, const char *const *lists, uint32_t n, line_list *out)
{
	for (uint32_t i = 0; i < n; i++)
		if (lists[i])
			vec_push(out, ((struct filter_line){ .kind = kind, .list = lists[i] }));
	for (uint32_t i = 0; i < q->nfilters; i++)
		if (q->filters[i].kind == kind)
			vec_push(out, q->filters[i]);
}

static bool read_kind(struct diag *d, const struct chains *c, enum filter_kind kind, const char *list, struct filter_hits *out,
		      struct strbuf *why)
{
	line_list lines = { 0 };

	add_lines(&c->request, kind, &list, 1, &lines);
	bool ok = !lines.len || filter_read_lines(d, c->graph, filter_kind_options[kind], lines.data, lines.len, out, why);
	vec_release(&lines);
	return ok;
}

static bool read_through(struct diag *d, const struct chains *c, struct tables *t, struct strbuf *why)
{
	const struct chains_request *q = &c->request;
	line_list lines = { 0 };
	bool ok = true;

	add_lines(q, FILTER_THROUGH, q->through, q->nthrough, &lines);

	t->passes_node = mem_zalloc(c->graph->methods.len * sizeof(*t->passes_node));
	t->passes_edge = mem_zalloc((c->graph->edges.len + 1) * sizeof(*t->passes_edge));
	for (uint32_t i = 0; ok && i < lines.len; i++) {
		struct filter_hits h;
		ok = filter_read_lines(d, c->graph, "--through", &lines.data[i], 1, &h, why);
		for (uint32_t n = 0; n < c->graph->methods.len; n++)
			t->passes_node[n] |= (uint16_t)(h.nodes[n] << i);
		for (uint32_t e = 0; e < c->graph->edges.len; e++)
			t->passes_edge[e] |= (uint16_t)(h.edges[e] << i);
		t->all |= (uint16_t)(1u << i);
		filter_hits_release(&h);
	}
	vec_release(&lines);
	return ok;
}

static bool read_filters(struct diag *d, const struct chains *c, struct tables *t, struct strbuf *why)
{
	const struct chains_request *q = &c->request;

	if (!read_kind(d, c, FILTER_FROM, q->from, &t->from, why))
		return false;
	if (t->from.nodes && !t->from.has_nodes) {
		strbuf_adds(why, "--from names entries, not calls: write pkg.Cls.name(*)");
		return false;
	}
	if (!read_kind(d, c, FILTER_NOT_THROUGH, q->not_through, &t->stops, why))
		return false;
	return read_through(d, c, t, why);
}

static const char *last_text(const struct chains_request *q, enum filter_kind kind)
{
	const char *text = "";

	for (uint32_t i = 0; i < q->nfilters; i++)
		text = q->filters[i].kind == kind ? q->filters[i].list : text;
	return text;
}

/* The list that a bit stands for. */
static const char *through_text(const struct chains_request *q, uint32_t bit)
{
	line_list lines = { 0 };

	add_lines(q, FILTER_THROUGH, q->through, q->nthrough, &lines);
	const char *text = lines.data[bit].list;
	vec_release(&lines);
	return text;
}

/* Everything is left out: a mistake that is worth a word. */
static bool check_contradiction(const struct chains *c, const struct tables *t, struct strbuf *why)
{
	const struct chains_request *q = &c->request;

	for (uint16_t bit = 0; t->all >> bit && t->stops.nodes; bit++) {
		bool has_any = false;
		for (uint32_t n = 1; n < c->graph->methods.len; n++)
			has_any |= (t->passes_node[n] >> bit & 1) && !t->stops.nodes[n];
		for (uint32_t e = 0; e < c->graph->edges.len; e++)
			has_any |= (t->passes_edge[e] >> bit & 1) && !t->stops.edges[e];
		if (!has_any) {
			strbuf_addf(why, "--through '%s' and --not-through '%s' contradict each other: no chain can pass; leave one of them out",
				    through_text(q, bit), q->not_through ? q->not_through : last_text(q, FILTER_NOT_THROUGH));
			return false;
		}
	}
	return true;
}

static void need_levels(struct chains *c, struct chain_level last, uint32_t most)
{
	if (c->levels.distance && c->levels.n == last.level + 1 && c->levels.or_more == last.or_more && c->levels_most == most)
		return;
	c->graph->entered = NULL;
	chain_levels_release(&c->levels);
	chain_levels_compute(c->graph, last.level + 1, last.or_more, most, &c->levels);
	c->graph->entered = &c->levels.entered;
	c->levels_most = most;
}

static struct chain_opt options_of(const struct chains_request *q, const struct tables *t)
{
	struct chain_opt opt = { .granularity = q->granularity, .backedges = q->backedges, .from_main = q->from_main,
				 .k = q->k ? q->k : CHAIN_UNBOUNDED, .most_states = q->most_states };

	opt.filter = (struct chain_filter){ .stops_node = t->stops.nodes, .stops_edge = t->stops.edges,
					    .passes_node = t->passes_node, .passes_edge = t->passes_edge,
					    .is_root = t->from.nodes, .all = t->all };
	return opt;
}

/* Without conditions and assertions, with conditions, with both: what each rules out is the difference. */
static bool make_forests(struct diag *d, struct chains *c, const struct tables *t, struct strbuf *why)
{
	const struct chains_request *q = &c->request;
	struct chain_opt opt = options_of(q, t);
	level_list levels = { 0 };

	levels_of(q, &levels);
	need_levels(c, *vec_last(&levels), q->from_main ? opt.k : UINT32_MAX);
	bool ok = !q->assertions || asserted_read(d, c->graph, &c->levels, q->assertions, &c->asserted, why);
	if (ok && q->prunes) {
		c->whole = forest_make(c->graph, &c->levels, levels.data, levels.len, &opt);
		if (!c->prune)
			c->prune = chain_prune_new(c->graph);
		opt.prune = c->prune;
	}
	if (ok && c->asserted.list.len) {
		c->unasserted = forest_make(c->graph, &c->levels, levels.data, levels.len, &opt);
		opt.assertions = c->asserted.list.data;
		opt.nassertions = c->asserted.list.len;
	}
	if (ok)
		c->forest = forest_make(c->graph, &c->levels, levels.data, levels.len, &opt);
	vec_release(&levels);
	return ok;
}

static bool serve(struct diag *d, struct chains *out, struct tables *t, struct strbuf *why)
{
	if (!read_filters(d, out, t, why) || !check_contradiction(out, t, why))
		return false;
	if (!make_forests(d, out, t, why))
		return false;
	bool is_cut = out->forest->is_cut || (out->whole && out->whole->is_cut) || (out->unasserted && out->unasserted->is_cut);
	if (is_cut)
		strbuf_addf(why, "there are too many chains even to count them: %s, or leave methods out with --not-through",
			    out->request.backedges ? "use --recursion unroll with a -k" : "lower -k");
	return !is_cut;
}

/* What a request makes. */
static void release_answer(struct chains *c)
{
	forest_free(c->forest);
	forest_free(c->whole);
	forest_free(c->unasserted);
	asserted_release(&c->asserted);
}

bool chains_ask(struct chains *c, struct diag *d, const struct chains_request *q, struct strbuf *why)
{
	struct chains old = *c;
	struct tables t = { 0 };

	c->request = *q;
	c->forest = c->whole = c->unasserted = NULL;
	c->asserted = (struct asserted){ 0 };
	bool ok = serve(d, c, &t, why);
#ifdef SHERD_CHECK
	const char *reason;
	if (ok && !forest_check(c->forest, 100000, &reason))
		BUG("chains: %s", reason);
#endif
	if (ok) {
		release_answer(&old);
	} else {
		release_answer(c);
		c->request = old.request;
		c->forest = old.forest;
		c->whole = old.whole;
		c->unasserted = old.unasserted;
		c->asserted = old.asserted;
	}
	tables_release(&t);
	return ok;
}

bool study_chains(struct study *x, const struct chains_request *q, struct chains *out, struct strbuf *why)
{
	struct chain_graph_opt opt = { &x->fragment.component.has, x->fragment.placeholders.main,
				       &x->fragment.placeholders.is_client, NULL };

	*out = (struct chains){ .request = *q };
	if (!x->analysis.graph)
		driver_forget(&x->driver, COMPONENT_GRAPH);     /* cha has no use for one elsewhere */
	if (!study_need(x, COMPONENT_CHAINS))
		return false;
	opt.facts = x->analysis.facts;
	out->graph = chain_graph_make(x->analysis.graph, &x->fragment.h, &opt);
	bool ok = chains_ask(out, &x->session->inquiry->diag, q, why);
	inquiry_phase(x->session->inquiry, PHASE_SOLVE);
	return ok;
}

void chains_release(struct chains *c)
{
	release_answer(c);
	chain_prune_free(c->prune);
	chain_levels_release(&c->levels);
	chain_graph_free(c->graph);
}
