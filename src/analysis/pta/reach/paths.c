/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the methods that a call reached are reached through the library alone, and whether a thread must be started for it. */
#include "analysis/pta/reach/reach_p.h"

#include <string.h>

enum { BY_THREAD = 1, AT_ONCE = 2 };

struct step { uint32_t instance; uint8_t how; };         /* what is new there */

struct paths {
	const struct reach *r;
	VEC(uint8_t) found;              /* by instance: BY_THREAD, or both */
	VEC(uint32_t) walked;            /* instances that have some */
	VEC(struct step) todo;
	uint32_t done;                   /* of `todo` */
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

static void find(struct paths *p, uint32_t in, uint8_t how, uint32_t link)
{
	uint8_t more = (uint8_t)(how & ~p->found.data[in]);

	if (!more || !goes_on(p, in))
		return;
	if (!p->found.data[in])
		vec_push(&p->walked, in);
	p->found.data[in] |= how;
	if (more & BY_THREAD)
		p->from[0].data[in] = link;
	if (more & AT_ONCE)
		p->from[1].data[in] = link;
	vec_push(&p->todo, ((struct step){ in, more }));
}

/* Near ones first: ways are short. */
static void walk(struct paths *p)
{
	const struct reach *r = p->r;

	for (; p->done < p->todo.len; p->done++) {
		struct step s = p->todo.data[p->done];
		bool starts = r->a->instances.data[s.instance].method.i == r->start.i;
		uint8_t how = starts ? BY_THREAD : s.how;
		for (uint32_t i = r->last_link.data[s.instance]; i; i = r->links.data[i].next)
			find(p, r->links.data[i].callee, how, i);
	}
}

void paths_begin(struct paths *p)
{
	for (uint32_t i = 0; i < p->walked.len; i++)
		p->found.data[p->walked.data[i]] = 0;
	p->walked.len = 0;
	vec_clear(&p->todo);
	p->done = 0;
}

void paths_from(struct paths *p, uint32_t in)
{
	find(p, in, BY_THREAD | AT_ONCE, 0);
	walk(p);
}

void paths_end(struct paths *p, void (*fn)(void *ctx, const struct reach_back *b, bool is_later), void *ctx)
{
	for (uint32_t i = 0; i < p->r->backs.len; i++) {
		const struct reach_back *b = &p->r->backs.data[i];
		uint8_t how = p->found.data[b->instance];
		if (how)
			fn(ctx, b, !(how & AT_ONCE) || p->r->a->instances.data[b->instance].method.i == p->r->start.i);
	}
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
