/* SPDX-License-Identifier: Apache-2.0 */
/* diff.c - two results side by side: methods are met in their common order; calls of a method by what they name. */
#include <stdlib.h>

#include "coverage/coverage_p.h"

struct call {
	const struct plan_site *site;
	uint32_t row;                 /* of the site */
};
struct pair {
	uint32_t old, new;            /* rows of sites; NONE: there is none */
	uint32_t pc;
};
struct differ {
	struct cov_diff *d;
	VEC(struct call) old, new;    /* of the method at hand */
	VEC(struct pair) pairs;
};

static int compare_calls(const struct plan_site *x, const struct plan_site *y)
{
	int order = str_cmp(x->owner, y->owner);

	if (order == 0)
		order = str_cmp(x->name, y->name);
	if (order == 0)
		order = str_cmp(x->desc, y->desc);
	return order ? order : (x->nth > y->nth) - (x->nth < y->nth);
}

static int by_call(const void *a, const void *b)
{
	const struct call *x = a, *y = b;
	int order = compare_calls(x->site, y->site);

	return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int by_place(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	return x->old != y->old ? (x->old < y->old ? -1 : 1) : (x->new > y->new) - (x->new < y->new);
}

/* Rows */

static void add_row(struct differ *x, enum cov_change change, uint8_t criterion, const struct pair *p, struct str name)
{
	struct cov_diff_row row = { .change = (uint8_t)change, .criterion = criterion, .old_site = p->old, .new_site = p->new,
				    .name = name };

	x->d->counts[change]++;
	if (change != COV_SAME)
		vec_push(&x->d->rows, row);
}

/* The requirements of a site: the first ones of its list. */
struct list {
	const struct cov_item *at;
	uint32_t n;
};

static struct list list_of(const struct coverage *c, uint32_t site, uint8_t criterion)
{
	if (site == NONE)
		return (struct list){ 0 };
	struct cov_list of = c->sites.data[site].of[criterion];
	return of.required ? (struct list){ &c->items.data[of.first], of.required } : (struct list){ 0 };
}

static enum cov_change change_of(const struct cov_item *old, const struct cov_item *new)
{
	if (!new)
		return COV_GONE;
	if (!old)
		return new->count ? COV_NEW_COVERED : COV_NEW_MISSED;
	if ((old->count > 0) == (new->count > 0))
		return COV_SAME;
	return new->count ? COV_GAINED : COV_LOST;
}

static void diff_lists(struct differ *x, const struct pair *p, uint8_t criterion)
{
	struct list old = list_of(x->d->old, p->old, criterion), new = list_of(x->d->new, p->new, criterion);

	while (old.n || new.n) {
		int order = !old.n ? 1 : !new.n ? -1 : str_cmp(old.at->name, new.at->name);
		const struct cov_item *from = order <= 0 ? old.at : NULL, *to = order >= 0 ? new.at : NULL;
		add_row(x, change_of(from, to), criterion, p, (to ? to : from)->name);
		if (from)
			old.at++, old.n--;
		if (to)
			new.at++, new.n--;
	}
}

/* Methods */

static void pair_calls(struct differ *x)
{
	uint32_t i = 0, k = 0;

	vec_clear(&x->pairs);
	while (i < x->old.len || k < x->new.len) {
		bool is_old = i < x->old.len, is_new = k < x->new.len;
		int order = !is_old ? 1 : !is_new ? -1 : compare_calls(x->old.data[i].site, x->new.data[k].site);
		struct pair p = { NONE, NONE, 0 };
		if (order <= 0) {
			p.old = x->old.data[i].row;
			p.pc = x->old.data[i++].site->pc;
		}
		if (order >= 0) {
			p.new = x->new.data[k].row;
			p.pc = x->new.data[k++].site->pc;
		}
		vec_push(&x->pairs, p);
	}
}

#define gather(to, p, m)                                                                                          \
	for (uint32_t i_ = 0; (m) && i_ < (m)->nsites; i_++)                                                      \
		vec_push((to), ((struct call){ &(p)->sites.data[(m)->first_site + i_], (m)->first_site + i_ }))

static void diff_methods(struct differ *x, const struct plan_method *old, const struct plan_method *new)
{
	vec_clear(&x->old);
	vec_clear(&x->new);
	gather(&x->old, x->d->old->plan, old);
	gather(&x->new, x->d->new->plan, new);
	if (x->old.len)
		qsort(x->old.data, x->old.len, sizeof(*x->old.data), by_call);
	if (x->new.len)
		qsort(x->new.data, x->new.len, sizeof(*x->new.data), by_call);
	pair_calls(x);
	qsort(x->pairs.data, x->pairs.len, sizeof(*x->pairs.data), by_place);
	for (uint32_t i = 0; i < x->pairs.len; i++)
		for (uint8_t k = 0; k < CRITERIA; k++)
			if (!criterion_is_part(k))
				diff_lists(x, &x->pairs.data[i], k);
}

static int compare_methods(const struct plan *p, const struct plan_method *x, const struct plan *q, const struct plan_method *y)
{
	int order = str_cmp(p->classes.data[x->class].name, q->classes.data[y->class].name);

	if (order == 0)
		order = str_cmp(x->name, y->name);
	return order ? order : str_cmp(x->desc, y->desc);
}

void coverage_diff(struct cov_diff *d, const struct coverage *old, const struct coverage *new)
{
	const struct plan *p = old->plan, *q = new->plan;
	struct differ x = { .d = d };
	uint32_t i = 0, k = 0;

	*d = (struct cov_diff){ .old = old, .new = new };
	while (i < p->methods.len || k < q->methods.len) {
		const struct plan_method *a = i < p->methods.len ? &p->methods.data[i] : NULL;
		const struct plan_method *b = k < q->methods.len ? &q->methods.data[k] : NULL;
		int order = !a ? 1 : !b ? -1 : compare_methods(p, a, q, b);
		diff_methods(&x, order <= 0 ? a : NULL, order >= 0 ? b : NULL);
		i += order <= 0;
		k += order >= 0;
	}
	vec_release(&x.old);
	vec_release(&x.new);
	vec_release(&x.pairs);
	diff_chains(d);
}

void coverage_diff_release(struct cov_diff *d)
{
	vec_release(&d->rows);
	vec_release(&d->chains);
	free(d->chain_counts);
}
