/* SPDX-License-Identifier: Apache-2.0 */
/* functions.c - the functions of a C program by name, a model's copies joined, and whom their calls may call. */
#include "analysis/cgraph/cgraph.h"

#include "base/strbuf.h"

struct named {
	struct str text;
	uint32_t id;
};

static int by_text(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = str_cmp(x->text, y->text);

	return c ? c : (x->id > y->id) - (x->id < y->id);
}

static void join_copies(struct cfunctions *x, const struct cprogram *p)
{
	x->next_copy = arena_zarray(&x->mem, uint32_t, p->fns.len + 1);
	for (uint32_t f = p->fns.len; f-- > 1;) {
		cfn_id of = p->fns.data[f].of;
		if (!of.i)
			continue;
		x->next_copy[f] = x->next_copy[of.i];
		x->next_copy[of.i] = f;
	}
}

static bool any_reached(const struct cfunctions *x, cfn_id f)
{
	for (uint32_t k = f.i; k; k = x->next_copy[k])
		if (cpta_reached(x->facts, (cfn_id){ k }))
			return true;
	return false;
}

/* Every function with its name, by name; free() it. */
static struct named *sorted_names(struct cfunctions *x, const struct cprogram *p)
{
	struct named *all = mem_alloc(sizeof(*all) * (p->fns.len + 1));
	struct strbuf text = { 0 };

	for (uint32_t f = 1; f < p->fns.len; f++) {
		strbuf_clear(&text);
		cname_fn(p, (cfn_id){ f }, &text);
		struct str s = strbuf_str(&text);
		s.p = arena_copy(&x->mem, s.p, (size_t)s.len + 1);
		all[f - 1] = (struct named){ s, f };
	}
	if (p->fns.len > 1)
		qsort(all, p->fns.len - 1, sizeof(*all), by_text);
	strbuf_release(&text);
	return all;
}

void cfunctions_init(struct cfunctions *x, const struct cpta *facts)
{
	const struct cprogram *p = cpta_program(facts);

	*x = (struct cfunctions){ .facts = facts };
	arena_init(&x->mem);
	x->names = arena_zarray(&x->mem, struct str, p->fns.len + 1);
	x->rank = arena_zarray(&x->mem, uint32_t, p->fns.len + 1);
	x->order = arena_array(&x->mem, cfn_id, p->fns.len + 1);
	join_copies(x, p);
	struct named *all = sorted_names(x, p);
	for (uint32_t i = 0; i + 1 < p->fns.len; i++) {
		cfn_id f = { all[i].id };
		x->names[f.i] = all[i].text;
		x->rank[f.i] = i + 1;
		if (!p->fns.data[f.i].of.i && any_reached(x, f))
			x->order[x->n++] = f;
	}
	free(all);
}

void cfunctions_release(struct cfunctions *x)
{
	arena_release(&x->mem);
	vec_release(&x->targets);
	vec_release(&x->found);
}

/* What it is a copy of, or itself. */
static cfn_id original(const struct cprogram *p, cfn_id f)
{
	return p->fns.data[f.i].of.i ? p->fns.data[f.i].of : f;
}

/* By insertion, once each; sets of targets come nearly in order. */
static void add_target(struct cfunctions *x, cfn_id f)
{
	cfn_vec *t = &x->targets;
	uint32_t at = t->len;

	while (at > 0 && x->rank[t->data[at - 1].i] > x->rank[f.i])
		at--;
	if (at > 0 && t->data[at - 1].i == f.i)
		return;
	vec_push(t, f);
	memmove(t->data + at + 1, t->data + at, sizeof(*t->data) * (t->len - 1 - at));
	t->data[at] = f;
}

const cfn_vec *cfunctions_targets(struct cfunctions *x, ccall_id c)
{
	const struct cprogram *p = cpta_program(x->facts);
	cfn_id f = p->calls.data[c.i].caller;
	uint32_t number = c.i - p->fns.data[f.i].calls;

	vec_clear(&x->targets);
	for (uint32_t k = original(p, f).i; k; k = x->next_copy[k]) {
		const struct cfn *row = &p->fns.data[k];
		if (number >= row->ncalls)
			continue;
		vec_clear(&x->found);
		cpta_targets(x->facts, (ccall_id){ row->calls + number }, &x->found);
		for (uint32_t i = 0; i < x->found.len; i++)
			add_target(x, original(p, x->found.data[i]));
	}
	return &x->targets;
}

bool cfn_is_own(const struct cpta *facts, cfn_id f)
{
	const struct cprogram *p = cpta_program(facts);

	return f.i && f.i != p->initialisers.i && cpta_reached(facts, f) &&
	       !(p->fns.data[f.i].flags & CFN_FOREIGN);
}
