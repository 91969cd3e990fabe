/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: lists of numbers, each list kept once. */
#include "analysis/pta/pta_p.h"

#define MAX_CLONES 4             /* contexts of cloned methods within each other; beyond, callers share */
#define MAX_CONTEXT 8            /* the longest list that a policy may ask for */

static context_id cons(struct pta *a, uint32_t first, context_id rest, bool is_clone)
{
	uint32_t depth = a->contexts.data[rest.i].depth + 1;
	uint32_t *at = map_at(&a->context_by_key, map_key(first | (is_clone ? 0x80000000u : 0), rest.i));

	if (!*at) {
		*at = a->contexts.len;
		vec_push(&a->contexts, ((struct context_row){ first, rest, depth, is_clone }));
	}
	return (context_id){ *at };
}

/* The newest of c, then those of `rest`. */
static context_id newest_before(struct pta *a, context_id c, uint32_t limit, context_id rest)
{
	uint32_t firsts[MAX_CONTEXT], n = 0;

	for (; c.i && n < limit && n < MAX_CONTEXT; c = a->contexts.data[c.i].rest)
		firsts[n++] = a->contexts.data[c.i].first;
	while (n-- > 0)
		rest = cons(a, firsts[n], rest, false);
	return rest;
}

context_id context_cut(struct pta *a, context_id c, uint32_t limit)
{
	return a->contexts.data[c.i].depth <= limit ? c : newest_before(a, c, limit, (context_id){ 0 });
}

context_id context_append(struct pta *a, context_id c, uint32_t last, uint32_t limit)
{
	return newest_before(a, c, limit - 1, cons(a, last, (context_id){ 0 }, false));
}

context_id context_push(struct pta *a, uint32_t first, context_id rest, uint32_t limit)
{
	return limit ? cons(a, first, context_cut(a, rest, limit - 1), false) : (context_id){ 0 };
}

context_id context_plain(const struct pta *a, context_id c)
{
	while (a->contexts.data[c.i].is_clone)
		c = a->contexts.data[c.i].rest;
	return c;
}

context_id context_clone(struct pta *a, uint32_t site, context_id rest)
{
	uint32_t clones = 0;

	for (context_id c = rest; a->contexts.data[c.i].is_clone; c = a->contexts.data[c.i].rest)
		clones++;
	return clones < MAX_CLONES ? cons(a, site, rest, true) : rest;
}

/* Objects */

uint32_t object_place(const struct pta *a, object_id o)
{
	return o.i < KINDS_MAX ? a->class_place.data[o.i] : a->objects.data[o.i - KINDS_MAX].place;
}

context_id object_context(const struct pta *a, object_id o)
{
	return o.i < KINDS_MAX ? (context_id){ 0 } : a->objects.data[o.i - KINDS_MAX].context;
}

uint32_t place_class(const struct pta *a, uint32_t place)
{
	const struct pta_place *is = &a->places.data[place].is;

	return is->method.i ? method_row(a->p, is->method)->owner.i : is->cls.i;
}

static class_id outermost(const struct pta *a, class_id c)
{
	class_id outer;

	for (uint32_t depth = 0; depth < UINT8_MAX && (outer = class_row(a->p, c)->outer).i; depth++)
		c = outer;
	return c;
}

bool object_is_part(const struct pta *a, object_id o)
{
	const struct pta_place *is = &a->places.data[object_place(a, o)].is;

	if (is->sort != PLACE_NEW)
		return false;
	class_id by = method_row(a->p, is->method)->owner;
	return by.i != is->cls.i && outermost(a, by).i == outermost(a, is->cls).i;
}
