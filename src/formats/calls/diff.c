/* SPDX-License-Identifier: Apache-2.0 */
/* diff.c - which calls are in one result only. Places move when code does, so calls are told apart by caller, kind and callee; of
 * places, the number counts, and what is called there. */
#include <stdlib.h>
#include <string.h>

#include "formats/calls/calls.h"

/* Ids of two tables are not comparable, so both have their names ranked together first. */
struct ranked {
	struct str name;
	uint32_t *rank;
};

static int by_name(const void *x, const void *y)
{
	return str_cmp(((const struct ranked *)x)->name, ((const struct ranked *)y)->name);
}

struct ranks {
	uint32_t *old, *new;          /* by id */
};

static void add_names(struct ranked *rows, uint32_t *n, const struct calls *c, uint32_t *ranks)
{
	for (uint32_t i = 0; i < c->names.strings.len; i++)
		rows[(*n)++] = (struct ranked){ c->names.strings.data[i], &ranks[i] };
}

static void rank_names(struct ranks *r, const struct calls *old, const struct calls *new)
{
	size_t most = (size_t)old->names.strings.len + new->names.strings.len;
	struct ranked *rows = mem_alloc((most + 1) * sizeof(*rows));
	uint32_t n = 0, rank = 0;

	r->old = mem_alloc(((size_t)old->names.strings.len + 1) * sizeof(*r->old));
	r->new = mem_alloc(((size_t)new->names.strings.len + 1) * sizeof(*r->new));
	add_names(rows, &n, old, r->old);
	add_names(rows, &n, new, r->new);
	qsort(rows, n, sizeof(*rows), by_name);
	for (uint32_t i = 0; i < n; i++) {
		rank += i > 0 && !str_eq(rows[i - 1].name, rows[i].name);
		*rows[i].rank = rank;
	}
	free(rows);
}

/* A row of either, by numbers that both have. */
struct row {
	uint32_t caller, kind, callee, declared, line, at;
};

static int compare(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

static int compare_calls(const struct row *a, const struct row *b)
{
	int c = compare(a->caller, b->caller);

	c = c ? c : compare(a->kind, b->kind);
	return c ? c : compare(a->callee, b->callee);
}

static int by_row(const void *x, const void *y)
{
	const struct row *a = x, *b = y;
	int c = compare_calls(a, b);

	c = c ? c : compare(a->line, b->line);
	return c ? c : compare(a->at, b->at);
}

struct side {
	const struct calls *c;
	struct row *rows;
	uint32_t n, at, end;          /* the calls from `at` to `end` are one */
	uint64_t *found, *only;       /* by kind */
};

static void make_side(struct side *s, const struct calls *c, const uint32_t *rank, uint64_t *found, uint64_t *only)
{
	*s = (struct side){ .c = c, .rows = mem_alloc(((size_t)c->rows.len + 1) * sizeof(*s->rows)), .n = c->rows.len, .found = found,
			    .only = only };
	for (uint32_t i = 0; i < s->n; i++) {
		const struct call *x = &c->rows.data[i];
		s->rows[i] = (struct row){ rank[x->caller.i], x->kind, rank[x->callee.i], rank[x->declared.i], x->line, i };
	}
	qsort(s->rows, s->n, sizeof(*s->rows), by_row);
}

/* Finds the end of the calls that begin at `at`; false: there are no more. */
static bool next_call(struct side *s)
{
	s->at = s->end;
	while (s->end < s->n && compare_calls(&s->rows[s->at], &s->rows[s->end]) == 0)
		s->end++;
	if (s->at < s->n)
		s->found[s->rows[s->at].kind]++;
	return s->at < s->n;
}

static void add_change(struct calls_diff *d, const struct side *s, bool is_added)
{
	const struct call *x = &s->c->rows.data[s->rows[s->at].at];
	const struct interner *names = &s->c->names;
	struct calls_change c = { is_added, interned(names, x->caller), interned(names, x->callee), interned(names, x->declared), x->kind,
				  d->lines.len, 0 };

	for (uint32_t i = s->at; i < s->end; i++) {
		uint32_t line = s->rows[i].line;
		if (line && (i == s->at || s->rows[i - 1].line != line))
			vec_push(&d->lines, line);
	}
	c.n = d->lines.len - c.first;
	s->only[x->kind]++;
	vec_push(&d->changes, c);
}

static int by_number(const void *x, const void *y)
{
	return compare(*(const uint32_t *)x, *(const uint32_t *)y);
}

/* What is named at the places of the call at hand, sorted. */
static uint32_t *named_there(const struct side *s)
{
	uint32_t n = s->end - s->at, *out = mem_alloc(n * sizeof(*out));

	for (uint32_t i = 0; i < n; i++)
		out[i] = s->rows[s->at + i].declared;
	qsort(out, n, sizeof(*out), by_number);
	return out;
}

static bool has_same_places(const struct side *old, const struct side *new)
{
	uint32_t n = old->end - old->at;

	if (n != new->end - new->at)
		return false;
	uint32_t *a = named_there(old), *b = named_there(new);
	bool same = memcmp(a, b, n * sizeof(*a)) == 0;
	free(a);
	free(b);
	return same;
}

static void compare_places(struct calls_diff *d, const struct side *old, const struct side *new)
{
	const struct call *x = &old->c->rows.data[old->rows[old->at].at];
	const struct interner *names = &old->c->names;

	if (!has_same_places(old, new))
		vec_push(&d->places, ((struct calls_places){ interned(names, x->caller), interned(names, x->callee), x->kind,
							     old->end - old->at, new->end - new->at }));
}

static void merge(struct calls_diff *d, struct side *old, struct side *new)
{
	bool has_old = next_call(old), has_new = next_call(new);

	while (has_old || has_new) {
		int c = !has_old ? 1 : !has_new ? -1 : compare_calls(&old->rows[old->at], &new->rows[new->at]);
		if (c)
			add_change(d, c < 0 ? old : new, c > 0);
		else
			compare_places(d, old, new);
		if (c <= 0)
			has_old = next_call(old);
		if (c >= 0)
			has_new = next_call(new);
	}
}

void calls_compare(struct calls_diff *out, const struct calls *old, const struct calls *new)
{
	struct ranks ranks;
	struct side a, b;

	*out = (struct calls_diff){ 0 };
	rank_names(&ranks, old, new);
	make_side(&a, old, ranks.old, out->old, out->removed);
	make_side(&b, new, ranks.new, out->new, out->added);
	merge(out, &a, &b);
	for (uint32_t i = 0; i < CALLS_FACTS; i++)
		if (!str_eq(interned(&old->names, old->facts[i]), interned(&new->names, new->facts[i])))
			out->differs |= 1u << i;
	free(a.rows);
	free(b.rows);
	free(ranks.old);
	free(ranks.new);
}

void calls_diff_release(struct calls_diff *d)
{
	vec_release(&d->changes);
	vec_release(&d->places);
	vec_release(&d->lines);
}
