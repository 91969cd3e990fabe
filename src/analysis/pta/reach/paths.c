/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the methods that a call reached are reached through the library alone, and whether a thread must be started for it. */
#include "analysis/pta/reach/reach_p.h"

#include <string.h>

#include "algo/groups.h"

enum { BY_THREAD = 1, AT_ONCE = 2 };

struct step { uint32_t instance; uint8_t how; };         /* what is new there */

/* A walk from an instance that many walks come to: it is done once. */
struct shared {
	struct shared *before;
	uint32_t nlinks, nbacks;         /* that there were */
	VEC(uint8_t) how;                /* by instance: what it finds there */
	VEC(uint8_t) leads;              /* by instance: from there one gets to where it begins, at once */
	VEC(uint32_t) others;            /* of `backs`: those that it does not find at once */
};

struct paths {
	const struct reach *r;
	VEC(uint8_t) found;              /* by instance: BY_THREAD, or both */
	VEC(uint32_t) walked;            /* instances that have some */
	VEC(struct step) todo;
	uint32_t done;                   /* of `todo` */
	struct shared *shared;           /* the last one, or NULL */
	uint8_t entered, passed;         /* how the walk came to where that begins, and for which of it new links were walked */
	/* By instance: the link by which it was first found; also by threads, or at once. 0: it is a callee. */
	VEC(uint32_t) from[2];
	VEC(uint32_t) way;
};

struct paths *paths_new(const struct reach *r)
{
	struct paths *p = mem_zalloc(sizeof(*p));

	p->r = r;
	vec_reserve(&p->found, r->a->instances.len);
	p->found.len = r->a->instances.len;
	memset(p->found.data, 0, p->found.len);
	for (int i = 0; i < 2; i++) {
		vec_reserve(&p->from[i], r->a->instances.len);
		p->from[i].len = r->a->instances.len;
	}
	return p;
}

void paths_free(struct paths *p)
{
	vec_release(&p->found);
	vec_release(&p->walked);
	vec_release(&p->todo);
	vec_release(&p->from[0]);
	vec_release(&p->from[1]);
	vec_release(&p->way);
	free(p);
}

static bool goes_on(const struct paths *p, uint32_t in)
{
	return p->r->is_library.data[p->r->a->instances.data[in].method.i] != 1;
}

static uint8_t found_at(const struct paths *p, uint32_t in)
{
	return (uint8_t)(p->found.data[in] | (p->entered ? p->shared->how.data[in] & p->entered : 0));
}

static void find(struct paths *p, uint32_t in, uint8_t how, uint32_t link)
{
	uint8_t more = (uint8_t)(how & ~found_at(p, in));

	if (!more || !goes_on(p, in))
		return;
	if (!p->found.data[in])
		vec_push(&p->walked, in);
	p->found.data[in] |= how;
	if (p->shared && p->shared->leads.data[in])
		p->entered |= how;
	if (more & BY_THREAD)
		p->from[0].data[in] = link;
	if (more & AT_ONCE)
		p->from[1].data[in] = link;
	vec_push(&p->todo, ((struct step){ in, more }));
}

static bool is_start(const struct paths *p, uint32_t in)
{
	return p->r->a->instances.data[in].method.i == p->r->start.i;
}

/* Near ones first: ways are short. */
static void walk_todo(struct paths *p)
{
	const struct reach *r = p->r;

	for (; p->done < p->todo.len; p->done++) {
		struct step s = p->todo.data[p->done];
		uint8_t how = is_start(p, s.instance) ? BY_THREAD : s.how;
		for (uint32_t i = r->last_link.data[s.instance]; i; i = r->links.data[i].next)
			find(p, r->links.data[i].callee, how, i);
	}
}

/* Links that came after the shared walk, from what it found. */
static void walk_new_links(struct paths *p)
{
	const struct reach *r = p->r;

	for (uint32_t i = p->shared->nlinks; i < r->links.len; i++) {
		uint32_t caller = r->links.data[i].caller;
		uint8_t how = (uint8_t)(p->shared->how.data[caller] & p->entered);
		if (how)
			find(p, r->links.data[i].callee, is_start(p, caller) ? BY_THREAD : how, i);
	}
}

static void walk(struct paths *p)
{
	walk_todo(p);
	while (p->passed != p->entered) {
		p->passed = p->entered;
		walk_new_links(p);
		walk_todo(p);
	}
}

void paths_begin(struct paths *p)
{
	for (uint32_t i = 0; i < p->walked.len; i++)
		p->found.data[p->walked.data[i]] = 0;
	p->walked.len = 0;
	vec_clear(&p->todo);
	p->done = 0;
	p->entered = p->passed = 0;
}

void paths_from(struct paths *p, uint32_t in)
{
	find(p, in, BY_THREAD | AT_ONCE, 0);
	walk(p);
}

static void tell(struct paths *p, uint32_t back, back_fn *fn, void *ctx)
{
	const struct reach_back *b = &p->r->backs.data[back];
	uint8_t how = found_at(p, b->instance);

	if (how)
		fn(ctx, b, !(how & AT_ONCE) || is_start(p, b->instance));
}

bool paths_end(struct paths *p, back_fn *fn, void *ctx)
{
	bool is_shared = p->entered & AT_ONCE;

	for (uint32_t i = 0; is_shared && i < p->shared->others.len; i++)
		tell(p, p->shared->others.data[i], fn, ctx);
	for (uint32_t i = is_shared ? p->shared->nbacks : 0; i < p->r->backs.len; i++)
		tell(p, i, fn, ctx);
	return is_shared;
}

/* Sharing */

#define zeroed(v, n) (vec_reserve((v), (n)), (v)->len = (n), memset((v)->data, 0, (v)->len * sizeof(*(v)->data)))

/* Against the links, but for those of threads. */
static void find_leads(struct paths *p, struct shared *s, uint32_t in)
{
	const struct reach *r = p->r;
	struct groups callers = { 0 };
	VEC(uint32_t) todo = { 0 };

	for (uint32_t i = 1; i < r->links.len; i++)
		if (goes_on(p, r->links.data[i].caller) && !is_start(p, r->links.data[i].caller))
			groups_add(&callers, r->links.data[i].callee, r->links.data[i].caller);
	groups_close(&callers, (uint32_t)r->a->instances.len);
	s->leads.data[in] = 1;
	vec_push(&todo, in);
	for (uint32_t i = 0; i < todo.len; i++) {
		struct group_view g = groups_of(&callers, todo.data[i]);
		for (uint32_t k = 0; k < g.n; k++) {
			if (!s->leads.data[g.data[k]])
				vec_push(&todo, g.data[k]);
			s->leads.data[g.data[k]] = 1;
		}
	}
	groups_release(&callers);
	vec_release(&todo);
}

void paths_share(struct paths *p, uint32_t in, back_fn *fn, void *ctx)
{
	struct shared *s = mem_zalloc(sizeof(*s));
	struct shared *before = p->shared;

	s->before = before;
	s->nlinks = p->r->links.len;
	s->nbacks = p->r->backs.len;
	zeroed(&s->how, p->found.len);
	zeroed(&s->leads, p->found.len);
	p->shared = NULL;
	paths_begin(p);
	paths_from(p, in);
	for (uint32_t i = 0; i < p->walked.len; i++)
		s->how.data[p->walked.data[i]] = p->found.data[p->walked.data[i]];
	for (uint32_t i = 0; i < s->nbacks; i++)
		if (s->how.data[p->r->backs.data[i].instance] & AT_ONCE)
			tell(p, i, fn, ctx);
		else
			vec_push(&s->others, i);
	find_leads(p, s, in);
	p->shared = s;
}

void paths_unshare(struct paths *p)
{
	struct shared *s = p->shared;

	p->shared = s->before;
	vec_release(&s->how);
	vec_release(&s->leads);
	vec_release(&s->others);
	free(s);
}

struct way paths_way(struct paths *p, const struct reach_back *b, bool is_later)
{
	const uint32_t *from = p->from[!is_later].data;

	vec_clear(&p->way);
	for (uint32_t link = from[b->instance]; link; link = from[p->r->links.data[link].caller])
		vec_push(&p->way, link);
	for (uint32_t i = 0; i < p->way.len / 2; i++) {
		uint32_t other = p->way.data[p->way.len - 1 - i];
		p->way.data[p->way.len - 1 - i] = p->way.data[i];
		p->way.data[i] = other;
	}
	return (struct way){ p->way.data, p->way.len };
}
