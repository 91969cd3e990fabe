/* SPDX-License-Identifier: Apache-2.0 */
/* chains_data.c - call chains in the data of the HTML report: the states of the plan and the rows that were seen, never the trees
 * themselves. chains.js unfolds them where somebody looks.
 *
 * A page that a browser opens has room for so many calls and rows. Where a plan has more, the first ones are there: those that
 * tests took, then those near the entries. Of a state that is left out the page has the numbers of chains below it. */
#include "report/coverage/html/html_p.h"

#define MOST_CHILDREN 1000000u         /* about ten bytes each */
#define MOST_ROWS 1000000u
#define MOST_STRANGE 200u

struct chains_data {
	struct html_data *d;
	const struct cov_chains *c;
	const struct plan_chains *x;
	uint8_t *is_kept;                      /* by state: its children are in the page */
	uint32_t children;                     /* that are */
	VEC(uint32_t) queue;                   /* states, as they are met */
	uint32_t deepest;                      /* rows of this depth are the last ones in the page */
	uint32_t nrows;
	uint32_t *numbers;                     /* by row: its number in the page; UINT32_MAX: it is left out */
	uint64_t *hidden;                      /* by row: required chains below it that are */
};

static void key(struct chains_data *k, const char *name)
{
	json_break(&k->d->j);
	json_key(&k->d->j, name);
}

static void number(struct chains_data *k, const char *name, uint64_t n)
{
	json_key(&k->d->j, name), json_uint(&k->d->j, n);
}

/* Which rows and states */

/* The page has all rows up to some depth: so it knows of each of them whether it was seen. */
static void choose_rows(struct chains_data *k)
{
	uint32_t *at = mem_zalloc((k->c->depth + (size_t)2) * sizeof(*at)), n = 0;

	for (uint32_t i = 0; i < k->c->rows.len; i++)
		at[k->c->rows.data[i].depth <= k->c->depth ? k->c->rows.data[i].depth : k->c->depth]++;
	for (k->deepest = 0; k->deepest < k->c->depth && n + at[k->deepest] + at[k->deepest + 1] <= MOST_ROWS; k->deepest++)
		n += at[k->deepest];
	free(at);
	k->numbers = mem_alloc((k->c->rows.len + (size_t)1) * sizeof(*k->numbers));
	for (uint32_t i = 0; i < k->c->rows.len; i++)
		k->numbers[i] = k->c->rows.data[i].depth <= k->deepest ? k->nrows++ : UINT32_MAX;
	k->hidden = mem_zalloc((k->c->rows.len + (size_t)1) * sizeof(*k->hidden));
	for (uint32_t i = k->c->rows.len; i-- > 0;) {
		const struct cov_chain *r = &k->c->rows.data[i];
		if (r->depth > k->deepest)
			k->hidden[r->parent] += k->hidden[i] + (r->is_required && r->count);
	}
}

static void keep(struct chains_data *k, uint32_t state)
{
	const struct plan_state *s = &k->x->states.data[state];

	if (!state || k->is_kept[state] || s->n > MOST_CHILDREN - k->children)
		return;
	k->is_kept[state] = 1;
	k->children += s->n;
	vec_push(&k->queue, state);
}

static void choose_states(struct chains_data *k)
{
	k->is_kept = mem_zalloc(k->x->states.len + (size_t)1);
	for (uint32_t i = 0; i < k->c->rows.len; i++)
		if (k->c->rows.data[i].depth <= k->deepest)
			keep(k, k->c->rows.data[i].state);
	for (uint32_t i = 0; i < k->x->trees.len; i++)
		keep(k, k->x->trees.data[i].state);
	for (uint32_t at = 0; at < k->queue.len; at++) {
		const struct plan_state *s = &k->x->states.data[k->queue.data[at]];
		for (uint32_t i = s->first; i < s->first + s->n; i++)
			keep(k, k->x->children.data[i].state);
	}
	vec_release(&k->queue);
}

/* Tables of the plan */

/* Class, name, descriptor. */
static void write_bodies(struct chains_data *k)
{
	key(k, "bodies");
	for (uint32_t i = 0; i < k->x->bodies.len; i++) {
		const struct plan_method *m = &k->x->bodies.data[i];
		html_pack_string(k->d, k->d->c->plan->classes.data[m->class].name);
		html_pack_string(k->d, m->name);
		html_pack_string(k->d, m->desc);
	}
	html_write_packed(k->d);
}

/* Line, pc. */
static void write_calls(struct chains_data *k)
{
	key(k, "calls");
	for (uint32_t i = 0; i < k->x->calls.len; i++)
		html_pack(k->d, k->x->calls.data[i].line), html_pack(k->d, k->x->calls.data[i].pc);
	html_write_packed(k->d);
}

static void write_levels(struct chains_data *k)
{
	key(k, "levels");
	json_array(&k->d->j);
	for (uint32_t i = 0; i < k->x->levels.len; i++) {
		strbuf_clear(&k->d->text);
		strbuf_addf(&k->d->text, "%u%s", (unsigned)k->x->levels.data[i].level, k->x->levels.data[i].or_more ? "+" : "");
		json_escaped(&k->d->j, strbuf_str(&k->d->text));
	}
	json_end_array(&k->d->j);
}

/* State, level, calls before it. */
static void write_trees(struct chains_data *k)
{
	key(k, "trees");
	for (uint32_t i = 0; i < k->x->trees.len; i++) {
		const struct plan_tree *t = &k->x->trees.data[i];
		html_pack(k->d, t->state), html_pack(k->d, t->level), html_pack(k->d, t->start);
	}
	html_write_packed(k->d);
}

/* Call, receiver: 0 none, 1 of clients, else 1 + its row, callee, state. */
static void pack_child(struct chains_data *k, const struct plan_child *c)
{
	bool is_client = c->flags & PLAN_TO_CLIENT;

	html_pack(k->d, c->call);
	if (c->receiver)
		html_pack(k->d, 1 + (uint64_t)intern(&k->d->strings, k->d->c->plan->types.data[c->receiver].name).i);
	else
		html_pack(k->d, is_client);
	html_pack(k->d, c->callee);
	html_pack(k->d, c->state);
}

/* Numbers of chains by the calls that lead there from the state. */
static void pack_numbers(struct chains_data *k, uint32_t state)
{
	for (uint32_t d = 0; d <= k->c->depth; d++)
		html_pack(k->d, k->c->is_cut ? 0 : k->c->counts[(size_t)d * k->x->states.len + state]);
}

/* Body; 1 that is required, 2 without children in the page; their number, and they; or numbers of chains. */
static void write_states(struct chains_data *k)
{
	key(k, "states");
	for (uint32_t i = 1; i < k->x->states.len; i++) {
		const struct plan_state *s = &k->x->states.data[i];
		html_pack(k->d, s->body);
		html_pack(k->d, (s->is_wanted ? 1u : 0) | (k->is_kept[i] ? 0 : 2u));
		if (!k->is_kept[i]) {
			pack_numbers(k, i);
			continue;
		}
		html_pack(k->d, s->n);
		for (uint32_t c = 0; c < s->n; c++)
			pack_child(k, &k->x->children.data[s->first + c]);
	}
	html_write_packed(k->d);
}

/* What was seen */

static bool is_last(const struct chains_data *k, const struct cov_chain *r)
{
	return r->depth == k->deepest && r->first != UINT32_MAX;
}

/* Parent: 0 none, else how far before; tree, or the call's number in its state; 1 required, 2 rows below it are left out; count;
 * tests; and of those with 2, how many required chains these rows are. */
static void write_rows(struct chains_data *k)
{
	key(k, "rows");
	for (uint32_t i = 0; i < k->c->rows.len; i++) {
		const struct cov_chain *r = &k->c->rows.data[i];
		bool is_entry = r->parent == UINT32_MAX;
		if (k->numbers[i] == UINT32_MAX)
			continue;
		html_pack(k->d, is_entry ? 0 : k->numbers[i] - k->numbers[r->parent]);
		html_pack(k->d, is_entry ? r->tree : r->child - k->x->states.data[k->c->rows.data[r->parent].state].first);
		html_pack(k->d, (r->is_required ? 1u : 0) | (is_last(k, r) ? 2u : 0));
		html_pack(k->d, r->count);
		html_pack(k->d, r->ntests ? html_row_id(&k->d->test_sets, k->c->tests.data + r->first_test, r->ntests) : 0);
		if (is_last(k, r))
			html_pack(k->d, k->hidden[i]);
	}
	html_write_packed(k->d);
}

/* Text, count. */
static void write_strange(struct chains_data *k)
{
	key(k, "strange");
	for (uint32_t i = 0, n = 0; i < k->c->strange.len && n < MOST_STRANGE && !k->c->strange.data[i].is_excused; i++, n++)
		html_pack_string(k->d, k->c->strange.data[i].text), html_pack(k->d, k->c->strange.data[i].count);
	html_write_packed(k->d);
	number(k, "nstrange", k->c->nstrange);
}

/* Level, length, required, covered. */
static void write_figures(struct chains_data *k)
{
	key(k, "figures");
	json_array(&k->d->j);
	for (uint32_t l = 0; l < k->x->levels.len; l++)
		for (uint32_t n = 0; n < k->c->nlengths; n++) {
			struct cov_chain_count of = k->c->of[(size_t)l * k->c->nlengths + n];
			if (!of.required)
				continue;
			json_uint(&k->d->j, l), json_uint(&k->d->j, n);
			json_uint(&k->d->j, of.required), json_uint(&k->d->j, of.covered);
		}
	json_end_array(&k->d->j);
}

static void write_request(struct chains_data *k)
{
	number(k, "k", k->x->k);
	number(k, "granularity", k->x->granularity);
	json_key(&k->d->j, "from_main"), json_bool(&k->d->j, k->x->from_main);
	number(k, "depth", k->c->depth);
	if (k->x->prune.len)
		number(k, "pruned", k->x->pruned);
	number(k, "left_out", k->x->children.len - k->children);
	number(k, "rows_left_out", k->c->rows.len - k->nrows);
}

void html_write_chains(struct html_data *d)
{
	struct chains_data k = { .d = d, .c = &d->c->chains, .x = &d->c->plan->chains };

	if (!criterion_in(d->c->plan, COV_CHAINS))
		return;
	choose_rows(&k);
	choose_states(&k);
	json_break(&d->j);
	json_key(&d->j, "chains"), json_object(&d->j);
	write_request(&k);
	write_figures(&k);
	write_bodies(&k);
	write_calls(&k);
	write_levels(&k);
	write_trees(&k);
	write_states(&k);
	write_rows(&k);
	write_strange(&k);
	json_end_object(&d->j);
	free(k.is_kept);
	free(k.numbers);
	free(k.hidden);
}
