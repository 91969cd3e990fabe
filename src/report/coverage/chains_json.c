/* SPDX-License-Identifier: Apache-2.0 */
/* chains_json.c - call chains that runs exercised, those that they missed, and those that nobody expected. */
#include "report/coverage/coverage_p.h"

/* Missed calls that are listed; each stands for all chains that go on from it. */
#define MOST_MISSED 100000

struct writer {
	struct json *j;
	const struct coverage *c;
	const struct cov_chains *x;
	struct strbuf text;
};

static void write_count(struct writer *w, const char *key, uint64_t n)
{
	json_key(w->j, key), json_uint(w->j, n);
}

static void write_word(struct writer *w, const char *key, const char *word)
{
	json_key(w->j, key), json_escaped(w->j, str_of(word));
}

static void write_made(struct writer *w, const char *key)
{
	json_key(w->j, key), json_str(w->j, strbuf_str(&w->text));
}

static void write_request(struct writer *w)
{
	static const char *const granularities[] = { "method", "site", "receiver" };
	const struct plan_chains *p = &w->c->plan->chains;

	if (p->k)
		write_count(w, "k", p->k);
	write_word(w, "granularity", granularities[p->granularity]);
	write_word(w, "length", p->from_main ? "main" : "entry");
	write_word(w, "recursion", p->backedges ? "backedges" : "unroll");
	if (p->filters.len)
		json_key(w->j, "filters"), json_str(w->j, p->filters);
	if (p->prune.len) {
		json_key(w->j, "prune"), json_str(w->j, p->prune);
		write_count(w, "pruned", p->pruned);
	}
}

/* "0", or "1+" for all levels from there on */
static void write_level(struct writer *w, uint32_t row)
{
	struct plan_level l = w->c->plan->chains.levels.data[row];

	strbuf_clear(&w->text);
	strbuf_addf(&w->text, "%u%s", (unsigned)l.level, l.or_more ? "+" : "");
	write_made(w, "level");
}

static void write_figures(struct writer *w)
{
	json_key(w->j, "figures"), json_array(w->j);
	for (uint32_t l = 0; l < w->c->plan->chains.levels.len; l++)
		for (uint32_t n = 0; n < w->x->nlengths; n++) {
			struct cov_chain_count of = w->x->of[(size_t)l * w->x->nlengths + n];
			if (!of.required)
				continue;
			json_break(w->j);
			json_object(w->j);
			write_level(w, l);
			write_count(w, "length", n);
			write_count(w, "required", of.required);
			write_count(w, "covered", of.covered);
			json_end_object(w->j);
		}
	json_end_array(w->j);
}

static void write_tests(struct writer *w, const struct cov_chain *r)
{
	if (!r->ntests)
		return;
	json_key(w->j, "tests"), json_array(w->j);
	for (uint32_t i = 0; i < r->ntests; i++)
		json_uint(w->j, w->x->tests.data[r->first_test + i]);
	json_end_array(w->j);
}

static void write_covered(struct writer *w)
{
	json_key(w->j, "covered"), json_array(w->j);
	for (uint32_t i = 0; i < w->x->rows.len; i++) {
		const struct cov_chain *r = &w->x->rows.data[i];
		json_break(w->j);
		json_object(w->j);
		write_level(w, w->c->plan->chains.trees.data[r->tree].level);
		write_count(w, "length", cov_chain_length(w->x, r));
		strbuf_clear(&w->text);
		cov_chain_text(w->x, i, &w->text);
		write_made(w, "chain");
		write_count(w, "count", r->count);
		if (!r->is_required)
			json_key(w->j, "required"), json_bool(w->j, false);
		write_tests(w, r);
		json_end_object(w->j);
	}
	json_end_array(w->j);
}

/* The chain of the row that it goes on from is at that place of `covered`. */
static void write_missed_row(struct writer *w, const struct cov_missed *m)
{
	const struct plan_chains *p = &w->c->plan->chains;

	json_break(w->j);
	json_object(w->j);
	write_level(w, p->trees.data[m->tree].level);
	strbuf_clear(&w->text);
	if (m->row == UINT32_MAX)
		cov_body_text(w->c->plan, p->states.data[p->trees.data[m->tree].state].body, &w->text);
	else
		cov_chain_text(w->x, m->row, &w->text);
	if (m->child != UINT32_MAX)
		cov_child_text(w->c->plan, m->child, &w->text);
	write_made(w, "chain");
	if (m->row != UINT32_MAX)
		write_count(w, "prefix", m->row);
	if (m->child != UINT32_MAX && p->calls.data[p->children.data[m->child].call].line)
		write_count(w, "line", p->calls.data[p->children.data[m->child].call].line);
	write_count(w, "chains", m->below);
	json_end_object(w->j);
}

static void write_missed(struct writer *w)
{
	struct cov_missed m = { .chains = w->x };
	uint64_t n = 0;

	json_key(w->j, "missed"), json_array(w->j);
	while (cov_missed_next(&m))
		if (n++ < MOST_MISSED)
			write_missed_row(w, &m);
	json_end_array(w->j);
	if (n > MOST_MISSED)
		write_count(w, "missed_left_out", n - MOST_MISSED);
}

static void write_unexpected(struct writer *w)
{
	write_count(w, "unexpected", w->x->nstrange);
	write_count(w, "excused", w->x->nexcused);
	json_key(w->j, "unexpected_chains"), json_array(w->j);
	for (uint32_t i = 0; i < w->x->strange.len; i++) {
		const struct cov_strange *s = &w->x->strange.data[i];
		json_break(w->j);
		json_object(w->j);
		write_count(w, "level", s->level);
		json_key(w->j, "chain"), json_str(w->j, s->text);
		write_count(w, "count", s->count);
		if (s->is_excused)
			json_key(w->j, "excused"), json_bool(w->j, true);
		json_end_object(w->j);
	}
	json_end_array(w->j);
}

void cov_json_chains(struct json *j, const struct coverage *c)
{
	struct writer w = { .j = j, .c = c, .x = &c->chains };

	json_key(j, "call_chains"), json_object(j);
	write_request(&w);
	write_figures(&w);
	json_break(j);
	write_unexpected(&w);
	json_break(j);
	write_covered(&w);
	json_break(j);
	write_missed(&w);
	json_end_object(j);
	strbuf_release(&w.text);
}
