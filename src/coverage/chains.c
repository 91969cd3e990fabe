/* SPDX-License-Identifier: Apache-2.0 */
/* chains.c - numbers and questions; join_chains.c puts runs and plan together. */
#include "coverage/chains.h"

#include "coverage/coverage_p.h"

#define MOST_COUNTS (UINT64_C(1) << 28)

uint64_t cov_chains_plus(uint64_t a, uint64_t b)
{
	return a + b < a ? COV_MANY : a + b;
}

/* Counts */

static uint64_t sum_children(const struct plan_chains *x, const struct plan_state *s, const uint64_t *row)
{
	uint64_t sum = 0;

	for (uint32_t i = s->first; i < s->first + s->n; i++)
		if (x->children.data[i].state)
			sum = cov_chains_plus(sum, row[x->children.data[i].state]);
	return sum;
}

/* The numbers of chains that end d calls below each state; false: there are none, nor any longer ones. */
static bool count_row(struct cov_chains *c, uint32_t d)
{
	const struct plan_chains *x = &c->plan->chains;
	uint32_t n = x->states.len;
	uint64_t *row = c->counts + (size_t)d * n;
	bool has_any = false;

	row[0] = 0;
	for (uint32_t i = 1; i < n; i++) {
		const struct plan_state *s = &x->states.data[i];
		row[i] = d == 0 ? s->is_wanted : sum_children(x, s, row - n);
		has_any |= row[i] != 0;
	}
	return has_any;
}

void cov_chains_count(struct cov_chains *c)
{
	const struct plan_chains *x = &c->plan->chains;
	uint32_t most = x->k ? x->k : x->bodies.len;

	for (uint32_t d = 0; d <= most; d++) {
		c->is_cut = (uint64_t)(d + 1) * x->states.len > MOST_COUNTS;
		if (c->is_cut)
			return;
		c->counts = mem_realloc(c->counts, (size_t)(d + 1) * x->states.len * sizeof(*c->counts));
		if (!count_row(c, d))
			return;
		c->depth = d;
	}
}

static uint64_t count_at(const struct cov_chains *c, uint32_t state, uint32_t d)
{
	return !c->is_cut && d <= c->depth ? c->counts[(size_t)d * c->plan->chains.states.len + state] : 0;
}

static uint32_t room_of(const struct cov_chains *c, const struct plan_tree *t)
{
	uint32_t k = c->plan->chains.k;

	return !k ? c->depth : k < t->start ? 0 : k - t->start;
}

uint32_t cov_chains_room(const struct cov_chains *c, uint32_t tree)
{
	return room_of(c, &c->plan->chains.trees.data[tree]);
}

uint64_t cov_chains_at(const struct cov_chains *c, uint32_t state, uint32_t d)
{
	return count_at(c, state, d);
}

uint64_t cov_chains_below(const struct cov_chains *c, uint32_t tree, uint32_t state, uint32_t depth)
{
	uint32_t room = room_of(c, &c->plan->chains.trees.data[tree]);
	uint64_t sum = 0;

	for (uint32_t d = 0; depth + d <= room && d <= c->depth; d++)
		if (depth + d > 0 || c->plan->chains.from_main)
			sum = cov_chains_plus(sum, count_at(c, state, d));
	return sum;
}

/* Requirements of one tree, by length. */
static void require_tree(struct cov_chains *c, const struct plan_tree *t)
{
	uint32_t room = room_of(c, t);

	for (uint32_t d = 0; d <= room && d <= c->depth; d++) {
		if (d == 0 && !c->plan->chains.from_main)
			continue;
		uint64_t *n = &c->of[(size_t)t->level * c->nlengths + t->start + d].required;
		*n = cov_chains_plus(*n, count_at(c, t->state, d));
		c->sum.required = cov_chains_plus(c->sum.required, count_at(c, t->state, d));
	}
}

void cov_chains_require(struct cov_chains *c)
{
	const struct plan_chains *x = &c->plan->chains;

	for (uint32_t i = 0; i < x->trees.len; i++) {
		uint32_t longest = x->trees.data[i].start + c->depth + 1;
		c->nlengths = longest > c->nlengths ? longest : c->nlengths;
	}
	if (x->k && c->nlengths > x->k + 1)
		c->nlengths = x->k + 1;
	c->of = mem_zalloc(((size_t)x->levels.len * c->nlengths + 1) * sizeof(*c->of));
	c->by_class = mem_zalloc((c->plan->classes.len + 1) * sizeof(*c->by_class));
	for (uint32_t i = 0; i < x->trees.len; i++) {
		struct cov_chain_count *n = &c->by_class[cov_tree_class(c, i)];
		n->required = cov_chains_plus(n->required, cov_chains_below(c, i, x->trees.data[i].state, 0));
		require_tree(c, &x->trees.data[i]);
	}
}

void cov_chains_release(struct cov_chains *c)
{
	vec_release(&c->rows);
	vec_release(&c->roots);
	vec_release(&c->tests);
	vec_release(&c->strange);
	free(c->of);
	free(c->by_class);
	free(c->counts);
}

/* What was missed */

static bool look_at_entry(struct cov_missed *m)
{
	const struct cov_chains *c = m->chains;
	uint32_t tree = m->at++;

	if (c->roots.data[tree] != NONE)
		return false;
	m->row = m->child = NONE;
	m->tree = tree;
	m->below = cov_chains_below(c, tree, c->plan->chains.trees.data[tree].state, 0);
	return m->below != 0;
}

/* The next child of the row that was not seen. The rows of its children are in the same order. */
static bool look_at_child(struct cov_missed *m)
{
	const struct cov_chains *c = m->chains;
	const struct cov_chain *r = &c->rows.data[m->at];
	const struct plan_state *s = &c->plan->chains.states.data[r->state];
	uint32_t child = s->first + m->step++;

	if (m->kid != NONE && c->rows.data[m->kid].child == child) {
		m->kid = c->rows.data[m->kid].next;
		return false;
	}
	m->row = m->at;
	m->tree = r->tree;
	m->child = child;
	uint32_t state = c->plan->chains.children.data[child].state;
	m->below = state && r->depth < room_of(c, &c->plan->chains.trees.data[r->tree]) ?
		   cov_chains_below(c, r->tree, state, r->depth + 1) : 0;
	return m->below != 0;
}

static void start_row(struct cov_missed *m, uint32_t row)
{
	m->at = row;
	m->step = 0;
	m->kid = row < m->chains->rows.len ? m->chains->rows.data[row].first : NONE;
}

bool cov_missed_next(struct cov_missed *m)
{
	const struct cov_chains *c = m->chains;

	for (; !m->is_started && m->at < c->roots.len;)
		if (look_at_entry(m))
			return true;
	if (!m->is_started) {
		m->is_started = true;
		start_row(m, 0);
	}
	while (m->at < c->rows.len) {
		const struct cov_chain *r = &c->rows.data[m->at];
		if (m->step == c->plan->chains.states.data[r->state].n)
			start_row(m, m->at + 1);
		else if (look_at_child(m))
			return true;
	}
	return false;
}

/* Text */

void cov_body_text(const struct plan *p, uint32_t body, struct strbuf *out)
{
	const struct plan_method *m = &p->chains.bodies.data[body];

	strbuf_addstr(out, p->classes.data[m->class].name);
	strbuf_addch(out, '.');
	strbuf_addstr(out, m->name);
	strbuf_addstr(out, m->desc);
}

void cov_child_text(const struct plan *p, uint32_t child, struct strbuf *out)
{
	const struct plan_child *k = &p->chains.children.data[child];
	uint8_t by = p->chains.granularity;

	strbuf_adds(out, " > ");
	if (by != PLAN_BY_METHOD)
		strbuf_addf(out, "@%u ", (unsigned)p->chains.calls.data[k->call].pc);
	if (by == PLAN_BY_RECEIVER && (k->receiver || (k->flags & PLAN_TO_CLIENT))) {
		strbuf_addch(out, '[');
		strbuf_addstr(out, k->receiver ? p->types.data[k->receiver].name : STR("client"));
		strbuf_adds(out, "] ");
	}
	cov_body_text(p, k->callee, out);
}

void cov_chain_text(const struct cov_chains *c, uint32_t row, struct strbuf *out)
{
	const struct cov_chain *r = &c->rows.data[row];

	if (r->parent == NONE) {
		cov_body_text(c->plan, c->plan->chains.states.data[r->state].body, out);
		return;
	}
	cov_chain_text(c, r->parent, out);
	cov_child_text(c->plan, r->child, out);
}
