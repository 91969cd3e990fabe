/* SPDX-License-Identifier: Apache-2.0 */
/* next_chains.c - of all that chains miss, what to test next.
 *
 * A call that is never made behind twenty ways that tests take is one thing to test, not twenty: missed calls of one call
 * instruction, on one class of receivers, are one row. */
#include <stdlib.h>

#include "coverage/coverage_p.h"

/* A missed call, or a call that was seen: which says that others of its sort can be made. */
struct found {
	struct cov_next row;
	bool is_seen;
};
struct finder {
	const struct cov_chains *c;
	VEC(struct found) all;
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* What is called, and where. Entries that were never called stand behind all calls. */
static int compare_calls(const struct cov_next *x, const struct cov_next *y)
{
	int order = compare(x->call, y->call);

	order = order ? order : compare(x->body, y->body);
	order = order ? order : compare(x->receiver, y->receiver);
	return order ? order : compare(x->is_client, y->is_client);
}

/* The first of those that look the same is the one to begin with: it is near the entry, and much is behind it. */
static int by_call(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int order = compare_calls(&x->row, &y->row);

	order = order ? order : compare(x->is_seen, y->is_seen);
	order = order ? order : compare(x->row.is_fixed, y->row.is_fixed);
	order = order ? order : compare(x->row.depth, y->row.depth);
	order = order ? order : compare(y->row.below, x->row.below);
	order = order ? order : compare(x->row.row, y->row.row);
	return order ? order : compare(x->row.tree, y->row.tree);
}

static bool is_own(const struct plan *p, const struct plan_child *k)
{
	const struct plan_type *t = &p->types.data[k->receiver];

	if (!k->receiver)
		return !(k->flags & PLAN_TO_CLIENT);
	return plan_find_class(p, t->sort == PLAN_LAMBDA ? t->host : t->name) != NONE;
}

static struct cov_next call_of(const struct cov_chains *c, uint32_t child)
{
	const struct plan_child *k = &c->plan->chains.children.data[child];

	return (struct cov_next){ .child = child, .call = k->call, .body = k->callee, .receiver = k->receiver,
				  .is_client = k->flags & PLAN_TO_CLIENT, .is_own = is_own(c->plan, k), .ways = 1 };
}

static struct cov_next entry_of(const struct cov_chains *c, uint32_t tree)
{
	const struct plan_chains *x = &c->plan->chains;

	return (struct cov_next){ .child = NONE, .call = NONE, .body = x->states.data[x->trees.data[tree].state].body,
				  .is_own = true, .ways = 1 };
}

/* A class initialiser runs once, and tests cannot make it take another way. */
static bool is_fixed(const struct cov_chains *c, uint32_t tree)
{
	const struct plan_chains *x = &c->plan->chains;

	return str_is(x->bodies.data[x->states.data[x->trees.data[tree].state].body].name, "<clinit>");
}

static void find(struct finder *f)
{
	struct cov_missed m = { .chains = f->c };

	while (cov_missed_next(&m)) {
		struct cov_next n = m.child == NONE ? entry_of(f->c, m.tree) : call_of(f->c, m.child);
		n.row = m.row;
		n.tree = m.tree;
		n.is_fixed = is_fixed(f->c, m.tree);
		n.below = m.below;
		n.depth = m.row == NONE ? 0 : f->c->rows.data[m.row].depth + 1;
		vec_push(&f->all, ((struct found){ n, false }));
	}
	for (uint32_t i = 0; i < f->c->rows.len; i++)
		if (f->c->rows.data[i].child != NONE)
			vec_push(&f->all, ((struct found){ call_of(f->c, f->c->rows.data[i].child), true }));
}

/* Those that look the same become one; sorts of calls that are never missed, none. */
static void fold(struct finder *f, struct cov_nexts *out)
{
	struct cov_next *last = NULL;

	for (uint32_t i = 0; i < f->all.len; i++) {
		const struct found *x = &f->all.data[i];
		bool is_same = last && compare_calls(last, &x->row) == 0;
		if (x->is_seen) {
			if (is_same)
				last->is_made = true;
			continue;
		}
		if (is_same) {
			last->below = cov_chains_plus(last->below, x->row.below);
			last->ways++;
			continue;
		}
		vec_push(&out->rows, x->row);
		last = vec_last(&out->rows);
	}
}

/* What tests can vary, classes of the component, then where most is behind it, then what is near the entry. */
static int by_worth(const void *a, const void *b)
{
	const struct cov_next *x = a, *y = b;
	int order = compare(x->call == NONE, y->call == NONE);

	order = order ? order : compare(x->turn, y->turn);
	order = order ? order : compare(x->is_fixed, y->is_fixed);
	order = order ? order : compare(y->is_own, x->is_own);
	order = order ? order : compare(y->below, x->below);
	order = order ? order : compare(x->depth, y->depth);
	order = order ? order : compare(x->call, y->call);
	order = order ? order : compare(x->body, y->body);
	return order ? order : compare(x->child, y->child);
}

static void sort(struct cov_nexts *n)
{
	if (n->rows.len)
		qsort(n->rows.data, n->rows.len, sizeof(*n->rows.data), by_worth);
}

/* Ten calls in one method, or of one, tell little more than one of them: each has its turn when those of all others were there. */
static void take_turns(const struct cov_chains *c, struct cov_nexts *n)
{
	const struct plan_chains *x = &c->plan->chains;
	uint32_t *in = mem_zalloc((x->bodies.len + 1) * sizeof(*in)), *of = mem_zalloc((x->bodies.len + 1) * sizeof(*of));

	for (uint32_t i = 0; i < n->rows.len && n->rows.data[i].call != NONE; i++) {
		struct cov_next *r = &n->rows.data[i];
		uint32_t *caller = &in[x->calls.data[r->call].method], *callee = &of[r->body];
		r->turn = *caller > *callee ? *caller : *callee;
		(*caller)++;
		(*callee)++;
	}
	free(in);
	free(of);
}

void cov_chains_next(const struct cov_chains *c, struct cov_nexts *out)
{
	struct finder f = { .c = c };

	*out = (struct cov_nexts){ 0 };
	find(&f);
	if (f.all.len)
		qsort(f.all.data, f.all.len, sizeof(*f.all.data), by_call);
	fold(&f, out);
	vec_release(&f.all);
	sort(out);
	take_turns(c, out);
	sort(out);
	while (out->ncalls < out->rows.len && out->rows.data[out->ncalls].call != NONE)
		out->ncalls++;
}
