/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the methods that a call reached are reached through the library alone, and whether a thread must be started for it. */
#include "analysis/pta/reach/reach_p.h"

#include <string.h>

enum { BY_THREAD = 1, AT_ONCE = 2 };

struct paths {
	const struct reach *r;
	VEC(uint8_t) found;              /* by instance: BY_THREAD, or both */
	VEC(uint32_t) walked;            /* instances that have some */
	VEC(uint32_t) todo;
};

struct paths *paths_new(const struct reach *r)
{
	struct paths *p = mem_zalloc(sizeof(*p));

	p->r = r;
	vec_reserve(&p->found, r->a->instances.len);
	p->found.len = r->a->instances.len;
	memset(p->found.data, 0, p->found.len);
	return p;
}

void paths_free(struct paths *p)
{
	vec_release(&p->found);
	vec_release(&p->walked);
	vec_release(&p->todo);
	free(p);
}

static bool goes_on(const struct paths *p, uint32_t in)
{
	return p->r->is_library.data[p->r->a->instances.data[in].method.i] != 1;
}

static void find(struct paths *p, uint32_t in, uint8_t how)
{
	uint8_t more = (uint8_t)(how & ~p->found.data[in]);

	if (!more || !goes_on(p, in))
		return;
	if (!p->found.data[in])
		vec_push(&p->walked, in);
	p->found.data[in] |= how;
	vec_push(&p->todo, in);
}

static void walk(struct paths *p)
{
	const struct reach *r = p->r;

	while (p->todo.len) {
		uint32_t in = vec_pop(&p->todo);
		bool starts = r->a->instances.data[in].method.i == r->start.i;
		uint8_t how = starts ? BY_THREAD : p->found.data[in];
		for (uint32_t i = r->last_link.data[in]; i; i = r->links.data[i].next)
			find(p, r->links.data[i].callee, how);
	}
}

void paths_begin(struct paths *p)
{
	for (uint32_t i = 0; i < p->walked.len; i++)
		p->found.data[p->walked.data[i]] = 0;
	p->walked.len = 0;
}

void paths_from(struct paths *p, uint32_t in)
{
	find(p, in, BY_THREAD | AT_ONCE);
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
