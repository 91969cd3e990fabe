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

context_id context_cut(struct pta *a, context_id c, uint32_t limit)
{
	uint32_t firsts[MAX_CONTEXT], n = 0;
	context_id cut = { 0 };

	if (a->contexts.data[c.i].depth <= limit)
		return c;
	for (; n < limit && n < MAX_CONTEXT; c = a->contexts.data[c.i].rest)
		firsts[n++] = a->contexts.data[c.i].first;
	while (n-- > 0)
		cut = cons(a, firsts[n], cut, false);
	return cut;
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
