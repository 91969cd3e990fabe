/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: lists of numbers, each list kept once; and what policies ask about objects. */
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

bool context_is_within(const struct pta *a, context_id c, class_id of)
{
	for (; a->contexts.data[c.i].is_clone; c = a->contexts.data[c.i].rest)
		if (method_row(a->p, a->sites.data[a->contexts.data[c.i].first].method)->owner.i == of.i)
			return true;
	return false;
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

bool place_is_own(const struct pta *a, uint32_t place)
{
	return is_own(a, (class_id){ place_class(a, place) });
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

/* Containers: by their supertypes, and the classes that they are declared in */

void containers_init(struct pta *a)
{
	static const char *const names[] = {
#define CONTAINER(type) type,
#include "analysis/pta/policies/containers.def"
#undef CONTAINER
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		vec_push(&a->containers, program_class(a->p, str_of(names[i])));
}

static bool find_container(struct pta *a, class_id c)
{
	program_load(a->p, c);
	const struct ir_class row = *class_row(a->p, c);

	if (row.kind != CLASS_FILE && row.kind != CLASS_SYNTHETIC)
		return false;
	for (uint32_t i = 0; i < a->containers.len; i++)
		if (hierarchy_is_subtype(&a->h, c, a->containers.data[i]))
			return true;
	return row.outer.i && class_is_container(a, row.outer);
}

static uint8_t *known_at(struct pta *a, class_id c)
{
	while (a->is_container.len <= c.i)
		vec_push(&a->is_container, 0);
	return &a->is_container.data[c.i];
}

bool class_is_container(struct pta *a, class_id c)
{
	if (*known_at(a, c))
		return *known_at(a, c) == 2;
	*known_at(a, c) = 1;             /* until it is found: damaged classes may be within each other */
	bool is_one = c.i && find_container(a, c);
	*known_at(a, c) = (uint8_t)(1 + is_one);
	return is_one;
}

bool site_gives_container(struct pta *a, uint32_t site)
{
	method_id m = a->sites.data[site].link.target;
	struct str desc = m.i ? sel_desc(a->p, method_row(a->p, m)->sel) : STR("");
	int64_t close = str_rfind(desc, ')');
	struct str type = str_sub(desc, (uint32_t)(close + 1), desc.len);

	return str_starts(type, "L") && class_is_container(a, program_class_of_desc(a->p, type));
}
