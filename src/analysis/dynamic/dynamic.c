/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/dynamic.h"

#include "analysis/dynamic/dispatcher.h"
#include "analysis/dynamic/values.h"
#include "ir/access.h"

/* A call of a method of features.def. */
struct dynamic_site {
	method_id caller;
	uint32_t pc;
	mref_id ref;
	enum dynamic_sort sort;
	uint32_t node;           /* of what it is about; 0: that cannot be said */
	meta *done;              /* what its dispatchers do: a sorted copy */
	uint32_t ndone;
	bool has_receiver;
};

struct dynamic {
	struct hierarchy *h;
	struct program *p;
	struct values *values;
	VEC(struct dynamic_site) sites;          /* [0] unused */
	uint32_t asked;                          /* sites below it have their nodes */
	struct map site_by_key;                  /* (caller, pc) -> site */
	struct map dispatchers;                  /* method -> site */
};

struct dynamic *dynamic_new(struct hierarchy *h, const struct dynamic_opt *opt)
{
	struct dynamic *d = mem_zalloc(sizeof(*d));

	d->h = h;
	d->p = h->p;
	d->values = values_new(h, opt);
	vec_push(&d->sites, (struct dynamic_site){ 0 });
	d->asked = 1;
	return d;
}

void dynamic_free(struct dynamic *d)
{
	if (!d)
		return;
	for (uint32_t i = 0; i < d->sites.len; i++)
		free(d->sites.data[i].done);
	vec_release(&d->sites);
	map_release(&d->site_by_key);
	map_release(&d->dispatchers);
	values_free(d->values);
	free(d);
}

uint32_t dynamic_note(struct dynamic *d, method_id caller, uint32_t pc, mref_id ref, enum dynamic_sort sort)
{
	uint32_t *at = map_at(&d->site_by_key, map_key(caller.i, pc));

	if (!*at) {
		*at = d->sites.len;
		vec_push(&d->sites, ((struct dynamic_site){ .caller = caller, .pc = pc, .ref = ref, .sort = sort }));
	}
	return *at;
}

/* The value that decides what a call does. */
static void ask(struct dynamic *d, struct dynamic_site *s)
{
	bool is_load = s->sort == DYNAMIC_LOAD || s->sort == DYNAMIC_FIND;

	if (s->sort >= DYNAMIC_HANDLE)
		return;
	s->node = is_load ? values_result(d->values, s->caller, s->pc, s->ref) : values_operand(d->values, s->caller, s->pc, s->ref, 0);
}

/* What is new of two sorted sets. */
static uint32_t news(const struct dynamic_site *s, struct metas now, meta *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0, k = 0; i < now.n; i++) {
		while (k < s->ndone && s->done[k] < now.data[i])
			k++;
		if (k == s->ndone || s->done[k] != now.data[i])
			out[n++] = now.data[i];
	}
	return n;
}

static bool is_static_call(const struct dynamic *d, mref_id ref)
{
	method_id target = mref_row(d->p, ref)->target;

	return target.i && (method_row(d->p, target)->flags & ACCESS_STATIC);
}

static method_id dispatch_news(struct dynamic *d, struct dynamic_site *s)
{
	struct metas now = values_of(d->values, s->node);
	meta *fresh = mem_alloc((now.n + 1) * sizeof(*fresh));
	uint32_t n = news(s, now, fresh);
	method_id m = { 0 };

	if (n) {
		s->done = mem_realloc(s->done, now.n * sizeof(*s->done));
		memcpy(s->done, now.data, now.n * sizeof(*s->done));
		s->ndone = now.n;
		m = dispatcher_make(d->h, s->sort, s->ref, !is_static_call(d, s->ref), fresh, n);
	}
	free(fresh);
	return m;
}

bool dynamic_round(struct dynamic *d, const struct dynamic_graph *g, void (*fn)(void *ctx, const struct dynamic_call *c), void *ctx)
{
	bool is_new = false;

	for (; d->asked < d->sites.len; d->asked++)
		ask(d, &d->sites.data[d->asked]);
	values_trace(d->values, g);
	for (uint32_t i = 1; i < d->sites.len; i++) {
		method_id m = d->sites.data[i].node ? dispatch_news(d, &d->sites.data[i]) : (method_id){ 0 };
		if (!m.i)
			continue;
		*map_at(&d->dispatchers, m.i) = i;
		if (d->sites.data[i].sort == DYNAMIC_SET)
			values_add_writer(d->values, m);
		is_new = true;
		fn(ctx, &(struct dynamic_call){ .site = i, .dispatcher = m });
	}
	return is_new;
}

uint32_t dynamic_nsites(const struct dynamic *d)
{
	return d->sites.len - 1;
}

struct dynamic_place dynamic_place(const struct dynamic *d, uint32_t site)
{
	const struct dynamic_site *s = &d->sites.data[site];

	return (struct dynamic_place){ s->caller, s->pc, s->ref };
}

uint32_t dynamic_find(const struct dynamic *d, method_id caller, uint32_t pc)
{
	return map_get(&d->site_by_key, map_key(caller.i, pc));
}

bool dynamic_is_resolved(const struct dynamic *d, uint32_t site)
{
	const struct dynamic_site *s = &d->sites.data[site];

	return s->node && !values_is_open(d->values, s->node);
}

class_id dynamic_cast(struct dynamic *d, uint32_t site)
{
	const struct dynamic_site *s = &d->sites.data[site];
	bool makes = s->sort == DYNAMIC_LOAD || s->sort == DYNAMIC_FIND || s->sort == DYNAMIC_NEW || s->sort == DYNAMIC_CONSTRUCT;

	return makes ? values_cast(d->values, s->caller, s->pc, s->ref, s->sort) : (class_id){ 0 };
}

enum dynamic_sort dynamic_sort_of(const struct dynamic *d, uint32_t site)
{
	return d->sites.data[site].sort;
}

uint32_t dynamic_site_of(const struct dynamic *d, method_id m)
{
	return map_get(&d->dispatchers, m.i);
}
