/* SPDX-License-Identifier: Apache-2.0 */
/* join_chains.c - what runs saw of call chains, as rows of the plan's trees. */
#include <stdlib.h>

#include "base/sort.h"
#include "coverage/coverage_p.h"

/* A node of a run */
struct met {
	uint32_t first, n;            /* in `rows`: what it is; several where levels overlap. None: it is no chain of the plan */
	bool is_lost;                 /* neither is anything below it */
};

struct chains_join {
	struct join *j;
	struct cov_chains *c;
	const struct plan_chains *x;
	struct map child_row;         /* (row, child) -> 1 + row */
	struct map trees_of;          /* body -> 1 + its first tree: those of a body follow each other */
	const struct run *run;
	uint32_t *classes;            /* by code of the run: class of the plan, or NONE */
	uint32_t *types;              /* by type of the run: joined */
	struct met *met;              /* by node of the run */
	VEC(uint32_t) rows;
	VEC(uint64_t) exercised;      /* row, test */
};

static bool takes_level(struct plan_level l, uint32_t level)
{
	return l.level == level || (l.or_more && level > l.level);
}

/* Rows */

static uint32_t add_row(struct chains_join *k, struct cov_chain row)
{
	bool is_chain = row.parent != NONE || k->x->from_main;
	const struct plan_tree *t = &k->x->trees.data[row.tree];

	row.is_required = is_chain && k->x->states.data[row.state].is_wanted && (!k->x->k || t->start + row.depth <= k->x->k);
	row.first = row.next = NONE;
	vec_push(&k->c->rows, row);
	return k->c->rows.len - 1;
}

static uint32_t root_row(struct chains_join *k, uint32_t tree)
{
	uint32_t *row = &k->c->roots.data[tree];

	if (*row == NONE)
		*row = add_row(k, (struct cov_chain){ .parent = NONE, .child = NONE, .tree = tree,
						      .state = k->x->trees.data[tree].state });
	return k->c->roots.data[tree];
}

static uint32_t child_row(struct chains_join *k, uint32_t parent, uint32_t child)
{
	uint32_t *row = map_at(&k->child_row, map_key(parent + 1, child));

	if (!*row) {
		struct cov_chain r = { .parent = parent, .child = child, .tree = k->c->rows.data[parent].tree,
				       .state = k->x->children.data[child].state, .depth = k->c->rows.data[parent].depth + 1 };
		*row = add_row(k, r) + 1;
	}
	return *map_at(&k->child_row, map_key(parent + 1, child)) - 1;
}

/* Nodes */

static uint32_t body_of(const struct chains_join *k, const struct run_node *n)
{
	uint32_t class = k->classes[n->code];

	return class == NONE || n->body >= k->j->p->classes.data[class].nbodies ? NONE
										: k->j->p->classes.data[class].first_body + n->body;
}

static uint32_t call_of(const struct chains_join *k, const struct run_node *n)
{
	uint32_t class = k->classes[k->run->nodes.data[n->parent].code];

	return class == NONE || n->call >= k->j->p->classes.data[class].ncalls ? NONE
									       : k->j->p->classes.data[class].first_call + n->call;
}

static bool may_be(const struct chains_join *k, uint32_t joined, uint32_t type)
{
	const struct joined_type *t = &k->j->types.rows.data[joined];

	for (uint32_t i = 0; i < t->n; i++)
		if (k->j->types.candidates.data[t->first + i] == type)
			return true;
	return false;
}

/* How well a child fits a call on an object of the joined type: 0 not at all. */
static unsigned fit_of(const struct chains_join *k, const struct plan_child *c, uint32_t call, uint32_t joined)
{
	if (k->x->granularity == PLAN_BY_METHOD)
		return 1;
	if (c->call != call)
		return 0;
	if (k->x->granularity == PLAN_BY_SITE || joined == NONE)
		return 1;
	if (c->receiver)
		return may_be(k, joined, c->receiver) ? 3 : 0;
	if (c->flags & PLAN_TO_CLIENT)
		return k->j->types.rows.data[joined].origin == COV_CLIENT ? 2 : 0;
	return 1;
}

/* The child of the row that the node is; NONE: there is none. */
static uint32_t find_child(const struct chains_join *k, uint32_t row, uint32_t call, uint32_t joined, uint32_t body)
{
	const struct plan_state *s = &k->x->states.data[k->c->rows.data[row].state];
	uint32_t best = NONE;
	unsigned most = 0;

	for (uint32_t i = s->first; i < s->first + s->n; i++) {
		const struct plan_child *c = &k->x->children.data[i];
		unsigned fit = c->callee == body ? fit_of(k, c, call, joined) : 0;
		if (fit > most) {
			most = fit;
			best = i;
		}
	}
	return best;
}

static void enter_trees(struct chains_join *k, const struct run_node *n, uint32_t body)
{
	for (uint32_t t = map_get(&k->trees_of, body); t && t <= k->x->trees.len; t++) {
		const struct plan_tree *tree = &k->x->trees.data[t - 1];
		if (k->x->states.data[tree->state].body != body)
			break;
		if (takes_level(k->x->levels.data[tree->level], n->level))
			vec_push(&k->rows, root_row(k, t - 1));
	}
}

static bool has_room(const struct chains_join *k, uint32_t row)
{
	const struct cov_chain *r = &k->c->rows.data[row];

	return !k->x->k || k->x->trees.data[r->tree].start + r->depth < k->x->k;
}

/* Returns whether the call should have led on: then it is strange that it did not. */
static bool follow(struct chains_join *k, const struct run_node *n, struct met up, uint32_t call, uint32_t body)
{
	uint32_t joined = n->type == NONE ? NONE : k->types[n->type];
	bool is_missing = false;

	for (uint32_t i = up.first; i < up.first + up.n; i++) {
		uint32_t row = k->rows.data[i];
		if (!has_room(k, row))
			continue;
		uint32_t child = find_child(k, row, call, joined, body);
		if (child != NONE && k->x->children.data[child].state) {
			uint32_t next = child_row(k, row, child);
			vec_push(&k->rows, next);
		}
		is_missing |= child == NONE;
	}
	return is_missing;
}

/* Strange chains */

static void add_node_text(const struct chains_join *k, uint32_t node, struct strbuf *out)
{
	const struct run_node *n = &k->run->nodes.data[node];
	const struct plan *p = k->j->p;

	if (n->parent != NONE) {
		add_node_text(k, n->parent, out);
		strbuf_addf(out, " > @%u ", (unsigned)k->x->calls.data[call_of(k, n)].pc);
		if (n->type != NONE) {
			strbuf_addch(out, '[');
			strbuf_addstr(out, k->j->types.rows.data[k->types[n->type]].name);
			strbuf_adds(out, "] ");
		}
	}
	cov_body_text(p, body_of(k, n), out);
}

static bool is_wanted_level(const struct chains_join *k, uint32_t level)
{
	for (uint32_t i = 0; i < k->x->levels.len; i++)
		if (takes_level(k->x->levels.data[i], level))
			return true;
	return false;
}

static void note_strange(struct chains_join *k, uint32_t node, struct met up, bool is_excused)
{
	struct cov_strange s = { .parent = up.n ? k->rows.data[up.first] : NONE, .is_excused = is_excused,
				 .level = k->run->nodes.data[node].level, .count = k->run->nodes.data[node].count };
	struct strbuf text = { 0 };

	*(is_excused ? &k->c->nexcused : &k->c->nstrange) += 1;
	if (k->c->strange.len >= COV_STRANGE)
		return;
	add_node_text(k, node, &text);
	s.text = (struct str){ arena_copy(&k->j->c->mem, text.s, text.len), (uint32_t)text.len };
	strbuf_release(&text);
	vec_push(&k->c->strange, s);
}

/* Clients may call by reflection what no test names: that is beyond the interface, not beyond the analysis. Those that have
 * classes of their own may do so when they are called back, too. */
static bool is_beyond(const struct plan *p, uint32_t level)
{
	bool is_narrow = !str_is(p->interface, "public") && !str_is(p->interface, "protected");

	return is_narrow && (level == 0 || str_is(p->clients, "open"));
}

/* As receivers are: coverage_is_excused(). */
static bool is_excused(const struct chains_join *k, const struct run_node *n, uint32_t call)
{
	uint8_t origin = n->type == NONE ? COV_COMPONENT : k->j->types.rows.data[k->types[n->type]].origin;

	return (k->x->calls.data[call].flags & PLAN_OPEN) || origin == COV_CLIENT || origin == COV_GENERATED;
}

/* Filters leave out what is neither missing nor strange. */
static bool is_strange_entry(const struct chains_join *k, const struct run_node *n)
{
	return !k->x->filters.len && !k->x->from_main && is_wanted_level(k, n->level);
}

static void join_node(struct chains_join *k, uint32_t node)
{
	const struct run_node *n = &k->run->nodes.data[node];
	uint32_t body = body_of(k, n), call = n->parent == NONE ? 0 : call_of(k, n);
	struct met up = n->parent == NONE ? (struct met){ 0 } : k->met[n->parent], *m = &k->met[node];

	*m = (struct met){ .first = k->rows.len, .is_lost = up.is_lost || body == NONE || call == NONE };
	if (m->is_lost || !n->count)
		return;
	if (n->parent == NONE) {
		enter_trees(k, n, body);
		if (k->rows.len == m->first && is_strange_entry(k, n))
			note_strange(k, node, up, is_beyond(k->j->p, n->level));
	} else if (follow(k, n, up, call, body) && !k->x->filters.len) {
		note_strange(k, node, up, is_excused(k, n, call));
	}
	m->n = k->rows.len - m->first;
	m->is_lost = !m->n;
	for (uint32_t i = m->first; i < k->rows.len; i++) {
		uint64_t *count = &k->c->rows.data[k->rows.data[i]].count;
		*count = add_counts(*count, n->count);
	}
}

/* Runs */

static void find_classes(struct chains_join *k)
{
	k->classes = mem_alloc((k->run->codes.len + 1) * sizeof(*k->classes));
	for (uint32_t i = 0; i < k->run->codes.len; i++) {
		const struct run_code *c = &k->run->codes.data[i];
		uint32_t class = plan_find_class(k->j->p, c->name);
		bool is_same = class != NONE && k->j->p->classes.data[class].chain_key == c->key;
		if (class != NONE && !is_same)
			k->j->seen[class].stale++;
		k->classes[i] = is_same ? class : NONE;
	}
}

static void join_tests_of(struct chains_join *k, const uint32_t **test)
{
	for (uint32_t i = 0; i < k->run->tests.len; i++) {
		const struct run_test *t = &k->run->tests.data[i];
		uint32_t row = *(*test)++;
		for (uint32_t a = t->first_node; a < t->first_node + t->nnodes; a++) {
			struct met m = k->met[k->run->test_nodes.data[a]];
			for (uint32_t r = m.first; r < m.first + m.n; r++)
				vec_push(&k->exercised, map_key(k->rows.data[r], row));
		}
	}
}

static void join_run(struct chains_join *k, const struct run *run, const uint32_t **test)
{
	k->run = run;
	k->rows.len = 0;
	find_classes(k);
	k->types = mem_alloc((run->types.len + 1) * sizeof(*k->types));
	for (uint32_t i = 0; i < run->types.len; i++)
		k->types[i] = joined_type(&k->j->types, run, &run->types.data[i], &k->j->c->mem);
	k->met = mem_zalloc((run->nodes.len + 1) * sizeof(*k->met));
	for (uint32_t i = 0; i < run->nodes.len; i++)
		join_node(k, i);
	join_tests_of(k, test);
	free(k->classes);
	free(k->types);
	free(k->met);
}

/* At last */

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void score(struct coverage *c, const struct cov_chain *r, const uint32_t *tests)
{
	for (uint32_t i = 0; r->is_required && i < r->ntests; i++) {
		c->tests.data[tests[i]].of[COV_CHAINS]++;
		note_backups(&c->tests.data[tests[i]], r->ntests);
	}
	if (r->is_required && r->ntests)
		c->tests.data[tests[0]].fresh++;
	if (r->is_required && r->ntests == 1)
		c->tests.data[tests[0]].alone++;
}

static void list_tests(struct chains_join *k)
{
	uint32_t n = k->exercised.len;
	uint64_t *all = k->exercised.data;

	if (n)
		qsort(all, n, sizeof(*all), by_number);
	for (uint32_t i = 0; i < n; i++) {
		struct cov_chain *r = &k->c->rows.data[all[i] >> 32];
		if (i && all[i] == all[i - 1])
			continue;
		if (!r->ntests++)
			r->first_test = k->c->tests.len;
		vec_push(&k->c->tests, (uint32_t)all[i]);
	}
	for (uint32_t i = 0; i < k->c->rows.len; i++)
		if (k->c->rows.data[i].ntests)
			score(k->j->c, &k->c->rows.data[i], &k->c->tests.data[k->c->rows.data[i].first_test]);
}

struct linked {
	uint32_t parent, child, row;
};

static int by_child(const void *a, const void *b)
{
	const struct linked *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return (x->child > y->child) - (x->child < y->child);
}

/* Children of a row, in the order of the plan's. */
static void link_rows(struct cov_chains *c)
{
	VEC(struct linked) all = { 0 };

	for (uint32_t i = 0; i < c->rows.len; i++)
		if (c->rows.data[i].parent != NONE)
			vec_push(&all, ((struct linked){ c->rows.data[i].parent, c->rows.data[i].child, i }));
	if (all.len)
		qsort(all.data, all.len, sizeof(*all.data), by_child);
	for (uint32_t i = all.len; i-- > 0;) {
		struct linked l = all.data[i];
		c->rows.data[l.row].next = c->rows.data[l.parent].first;
		c->rows.data[l.parent].first = l.row;
	}
	vec_release(&all);
}

static void count_covered(struct cov_chains *c)
{
	for (uint32_t i = 0; i < c->rows.len; i++) {
		const struct cov_chain *r = &c->rows.data[i];
		if (!r->is_required || !r->count)
			continue;
		c->of[(size_t)c->plan->chains.trees.data[r->tree].level * c->nlengths + cov_chain_length(c, r)].covered++;
		c->by_class[cov_tree_class(c, r->tree)].covered++;
		c->sum.covered++;
	}
}

static int by_excuse(const void *a, const void *b)
{
	const struct cov_strange *x = a, *y = b;

	return x->is_excused != y->is_excused ? x->is_excused - y->is_excused : str_cmp(x->text, y->text);
}

static void index_trees(struct chains_join *k)
{
	for (uint32_t i = k->x->trees.len; i-- > 0;) {
		*map_at(&k->trees_of, k->x->states.data[k->x->trees.data[i].state].body) = i + 1;
		vec_push(&k->c->roots, NONE);
	}
}

void join_chains(struct join *j, const uint32_t *tests)
{
	struct cov_chains *c = &j->c->chains;
	struct chains_join k = { .j = j, .c = c, .x = &j->p->chains };

	c->plan = j->p;
	if (!(j->p->criteria & PLAN_CHAINS))
		return;
	cov_chains_count(c);
	cov_chains_require(c);
	index_trees(&k);
	for (uint32_t i = 0; i < j->runs.len; i++)
		join_run(&k, j->runs.data[i].run, &tests);
	link_rows(c);
	count_covered(c);
	list_tests(&k);
	if (c->strange.len)
		qsort(c->strange.data, c->strange.len, sizeof(*c->strange.data), by_excuse);
	map_release(&k.child_row);
	map_release(&k.trees_of);
	vec_release(&k.rows);
	vec_release(&k.exercised);
}
