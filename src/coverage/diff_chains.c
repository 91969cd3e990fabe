/* SPDX-License-Identifier: Apache-2.0 */
/* diff_chains.c - the call chains of two results. Trees are walked side by side as far as runs saw either; below that, chains are
 * counted by pairs of states, so that millions of chains that nobody took cost as much as the states of the plans.
 *
 * Calls are the same when they name the same method, as the same of several that do, run the same one, and have the same class of
 * receivers: lines and offsets may differ. */
#include <stdlib.h>

#include "coverage/coverage_p.h"

struct side {
	const struct cov_chains *c;
	const struct plan *p;
	const struct plan_chains *x;
};
struct node {
	uint32_t state;               /* 0: there is no such chain */
	uint32_t row;                 /* NONE: not seen */
	uint32_t tree, depth;
};
struct label {                        /* a child with what it is compared by */
	const struct side *s;
	uint32_t child;
};
struct differ {
	struct cov_diff *d;
	struct side old, new;
	struct map pairs;             /* of states -> number */
	uint32_t npairs;
	struct map shared_at;         /* (pair, depth) -> 1 + place in: */
	VEC(uint64_t) shared;
};

/* Labels */

static int compare_bodies(const struct side *a, uint32_t x, const struct side *b, uint32_t y)
{
	const struct plan_method *m = &a->x->bodies.data[x], *n = &b->x->bodies.data[y];
	int order = str_cmp(a->p->classes.data[m->class].name, b->p->classes.data[n->class].name);

	order = order ? order : str_cmp(m->name, n->name);
	return order ? order : str_cmp(m->desc, n->desc);
}

static int compare_sites(const struct plan_site *x, const struct plan_site *y)
{
	int order = str_cmp(x->owner, y->owner);

	order = order ? order : str_cmp(x->name, y->name);
	order = order ? order : str_cmp(x->desc, y->desc);
	return order ? order : (x->nth > y->nth) - (x->nth < y->nth);
}

static int by_label(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	const struct plan_child *k = &x->s->x->children.data[x->child], *l = &y->s->x->children.data[y->child];
	int order = compare_bodies(x->s, k->callee, y->s, l->callee);

	if (order || x->s->x->granularity == PLAN_BY_METHOD)
		return order;
	order = compare_sites(&x->s->x->calls.data[k->call], &y->s->x->calls.data[l->call]);
	if (order || x->s->x->granularity == PLAN_BY_SITE)
		return order;
	order = str_cmp(x->s->p->types.data[k->receiver].name, y->s->p->types.data[l->receiver].name);
	return order ? order : (int)(k->flags & PLAN_TO_CLIENT) - (int)(l->flags & PLAN_TO_CLIENT);
}

/* Children of two states that go on, by label. */
struct labels {
	VEC(struct label) old, new;
	uint32_t i, k;
};

static void labels_init(struct labels *l, const struct differ *x, uint32_t old, uint32_t new)
{
	*l = (struct labels){ 0 };
	for (uint32_t n = 0; old && n < x->old.x->states.data[old].n; n++)
		vec_push(&l->old, ((struct label){ &x->old, x->old.x->states.data[old].first + n }));
	for (uint32_t n = 0; new && n < x->new.x->states.data[new].n; n++)
		vec_push(&l->new, ((struct label){ &x->new, x->new.x->states.data[new].first + n }));
	if (l->old.len)
		qsort(l->old.data, l->old.len, sizeof(*l->old.data), by_label);
	if (l->new.len)
		qsort(l->new.data, l->new.len, sizeof(*l->new.data), by_label);
}

/* The next label, with the child that each has, or NONE; false: there is none. */
static bool labels_next(struct labels *l, uint32_t *old, uint32_t *new)
{
	bool has_old = l->i < l->old.len, has_new = l->k < l->new.len;

	if (!has_old && !has_new)
		return false;
	int order = !has_old ? 1 : !has_new ? -1 : by_label(&l->old.data[l->i], &l->new.data[l->k]);
	*old = order <= 0 ? l->old.data[l->i++].child : NONE;
	*new = order >= 0 ? l->new.data[l->k++].child : NONE;
	return true;
}

static void labels_release(struct labels *l)
{
	vec_release(&l->old);
	vec_release(&l->new);
}

/* Numbers */

static uint32_t state_below(const struct side *s, uint32_t child)
{
	return child == NONE ? 0 : s->x->children.data[child].state;
}

static uint32_t pair_of(struct differ *x, uint32_t old, uint32_t new)
{
	uint32_t *pair = map_at(&x->pairs, map_key(old, new));

	if (!*pair)
		*pair = ++x->npairs;
	return *map_at(&x->pairs, map_key(old, new));
}

/* Chains that end d calls below both states. */
static uint64_t shared(struct differ *x, uint32_t old, uint32_t new, uint32_t d)
{
	uint32_t pair = pair_of(x, old, new), at = map_get(&x->shared_at, map_key(pair, d)), i, k;
	uint64_t sum = 0;
	struct labels l;

	if (at)
		return x->shared.data[at - 1];
	if (d == 0)
		return x->old.x->states.data[old].is_wanted && x->new.x->states.data[new].is_wanted;
	labels_init(&l, x, old, new);
	while (labels_next(&l, &i, &k))
		if (state_below(&x->old, i) && state_below(&x->new, k))
			sum = cov_chains_plus(sum, shared(x, state_below(&x->old, i), state_below(&x->new, k), d - 1));
	labels_release(&l);
	vec_push(&x->shared, sum);
	*map_at(&x->shared_at, map_key(pair, d)) = x->shared.len;
	return sum;
}

static void count(struct differ *x, enum cov_change change, uint32_t length, uint64_t n)
{
	uint64_t *at = &x->d->chain_counts[(size_t)change * x->d->nlengths + length];

	*at = cov_chains_plus(*at, n);
}

static bool is_chain(const struct side *s, const struct node *n)
{
	return n->state && n->depth <= cov_chains_room(s->c, n->tree) && (n->depth > 0 || s->x->from_main);
}

static uint32_t length_of(const struct side *s, const struct node *n)
{
	return s->x->trees.data[n->tree].start + n->depth;
}

static uint64_t chains_at(const struct side *s, const struct node *n, uint32_t d)
{
	struct node end = { n->state, NONE, n->tree, n->depth + d };

	return is_chain(s, &end) ? cov_chains_at(s->c, n->state, d) : 0;
}

/* What no run saw, on either side. Returns how many chains are new. */
static uint64_t count_unseen(struct differ *x, const struct node *old, const struct node *new)
{
	uint32_t deepest = x->old.c->depth > x->new.c->depth ? x->old.c->depth : x->new.c->depth;
	uint64_t fresh = 0;

	for (uint32_t d = 0; d <= deepest; d++) {
		uint64_t was = old->state ? chains_at(&x->old, old, d) : 0, is = new->state ? chains_at(&x->new, new, d) : 0;
		uint64_t both = was && is ? shared(x, old->state, new->state, d) : 0;
		if (was > both)
			count(x, COV_GONE, length_of(&x->old, old) + d, was - both);
		if (is > both)
			count(x, COV_NEW_MISSED, length_of(&x->new, new) + d, is - both);
		fresh = cov_chains_plus(fresh, is > both ? is - both : 0);
	}
	return fresh;
}

/* The walk */

static bool is_required(const struct side *s, const struct node *n)
{
	return is_chain(s, n) && s->x->states.data[n->state].is_wanted;
}

static bool is_seen(const struct side *s, const struct node *n)
{
	return n->row != NONE && s->c->rows.data[n->row].count;
}

static enum cov_change change_of(const struct differ *x, const struct node *old, const struct node *new)
{
	bool was = is_required(&x->old, old), is = is_required(&x->new, new), is_now = is_seen(&x->new, new);

	if (!is)
		return was ? COV_GONE : COV_SAME;
	if (!was)
		return is_now ? COV_NEW_COVERED : COV_NEW_MISSED;
	if (is_seen(&x->old, old) == is_now)
		return COV_SAME;
	return is_now ? COV_GAINED : COV_LOST;
}

static void note_row(struct differ *x, const struct node *old, const struct node *new)
{
	enum cov_change change = change_of(x, old, new);
	bool is_old = change == COV_LOST || change == COV_GONE;
	const struct node *n = is_old ? old : new;

	if (change == COV_SAME)
		return;
	count(x, change, length_of(is_old ? &x->old : &x->new, n), 1);
	if (n->row == NONE)           /* filters differ: it was seen where it is not required */
		return;
	vec_push(&x->d->chains, ((struct cov_diff_chain){ .change = (uint8_t)change, .row = n->row, .child = NONE, .tree = n->tree,
							  .length = length_of(is_old ? &x->old : &x->new, n), .chains = 1 }));
}

static struct node step(const struct side *s, const struct node *up, uint32_t child)
{
	struct node n = { .tree = up->tree, .depth = up->depth + 1, .row = NONE };

	if (child == NONE || !up->state || up->depth >= cov_chains_room(s->c, up->tree))
		return n;
	n.state = s->x->children.data[child].state;
	for (uint32_t r = up->row == NONE ? NONE : s->c->rows.data[up->row].first; r != NONE; r = s->c->rows.data[r].next)
		if (s->c->rows.data[r].child == child)
			n.row = r;
	return n;
}

static void note_missed(struct differ *x, const struct node *up, const struct node *new, uint32_t child, uint64_t fresh)
{
	if (fresh)
		vec_push(&x->d->chains, ((struct cov_diff_chain){ .change = COV_NEW_MISSED, .row = up ? up->row : NONE, .child = child,
								  .tree = new->tree, .length = length_of(&x->new, new),
								  .chains = fresh }));
}

static void walk(struct differ *x, const struct node *old, const struct node *new)
{
	struct labels l;
	uint32_t i, k;

	note_row(x, old, new);
	labels_init(&l, x, old->state, new->state);
	while (labels_next(&l, &i, &k)) {
		struct node a = step(&x->old, old, i), b = step(&x->new, new, k);
		if (a.row != NONE || b.row != NONE)
			walk(x, &a, &b);
		else if (a.state || b.state) {
			uint64_t fresh = count_unseen(x, &a, &b);
			if (new->row != NONE)
				note_missed(x, new, &b, k, fresh);
		}
	}
	labels_release(&l);
}

/* Trees are in the order of entries, then levels, on both sides. */
static int compare_trees(const struct differ *x, uint32_t i, uint32_t k)
{
	const struct plan_tree *a = &x->old.x->trees.data[i], *b = &x->new.x->trees.data[k];
	struct plan_level l = x->old.x->levels.data[a->level], m = x->new.x->levels.data[b->level];
	int order = compare_bodies(&x->old, x->old.x->states.data[a->state].body, &x->new, x->new.x->states.data[b->state].body);

	order = order ? order : (l.level > m.level) - (l.level < m.level);
	return order ? order : (l.or_more > m.or_more) - (l.or_more < m.or_more);
}

static struct node root(const struct side *s, uint32_t tree)
{
	if (tree == NONE)
		return (struct node){ .row = NONE };
	return (struct node){ .tree = tree, .state = s->x->trees.data[tree].state, .row = s->c->roots.data[tree] };
}

static void walk_trees(struct differ *x)
{
	uint32_t i = 0, k = 0, n = x->old.x->trees.len, m = x->new.x->trees.len;

	while (i < n || k < m) {
		int order = i == n ? 1 : k == m ? -1 : compare_trees(x, i, k);
		struct node old = root(&x->old, order <= 0 ? i++ : NONE), new = root(&x->new, order >= 0 ? k++ : NONE);
		if (old.row != NONE || new.row != NONE)
			walk(x, &old, &new);
		else
			note_missed(x, NULL, &new, NONE, count_unseen(x, &old, &new));
	}
}

void diff_chains(struct cov_diff *d)
{
	struct differ x = { .d = d, .old = { &d->old->chains, d->old->plan, &d->old->plan->chains },
			    .new = { &d->new->chains, d->new->plan, &d->new->plan->chains } };

	d->has_chains = (x.old.p->criteria & PLAN_CHAINS) && (x.new.p->criteria & PLAN_CHAINS) &&
			x.old.x->granularity == x.new.x->granularity && !x.old.c->is_cut && !x.new.c->is_cut;
	if (!d->has_chains)
		return;
	d->nlengths = x.old.c->nlengths > x.new.c->nlengths ? x.old.c->nlengths : x.new.c->nlengths;
	d->chain_counts = mem_zalloc(((size_t)(COV_GONE + 1) * d->nlengths + 1) * sizeof(*d->chain_counts));
	walk_trees(&x);
	map_release(&x.pairs);
	map_release(&x.shared_at);
	vec_release(&x.shared);
}
