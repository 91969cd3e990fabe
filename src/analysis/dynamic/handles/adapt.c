/* SPDX-License-Identifier: Apache-2.0 */
/* Invocations of handles that are made of others. */
#include "analysis/dynamic/handles/invoke_p.h"

typedef struct dispatcher_maker maker;

static void copy(struct arguments *to, const struct arguments *from, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end && i < from->list.len; i++)
		vec_push(&to->list, from->list.data[i]);
}

static void copy_rest(struct arguments *to, const struct arguments *from, uint32_t first)
{
	copy(to, from, first, from->list.len);
}

/* From here on the places of arguments are not known. */
static struct typed invoke_vague(maker *k, uint32_t row, const struct arguments *a)
{
	struct arguments vague = { .is_vague = true };

	for (uint32_t i = 0; i < a->list.len; i++)
		typed_store(k, k->any, a->list.data[i]);
	return invoke_handle(k, row, &vague);
}

static struct typed invoke_with(maker *k, uint32_t row, struct arguments *a)
{
	struct typed x = invoke_handle(k, row, a);

	vec_release(&a->list);
	return x;
}

/* One value before the others. */
static struct typed invoke_before(maker *k, uint32_t row, struct typed first, const struct arguments *a)
{
	struct arguments all = { .is_vague = a->is_vague };

	if (a->is_vague)
		typed_store(k, k->any, first);
	else if (first.v)
		vec_push(&all.list, first);
	copy_rest(&all, a, 0);
	return invoke_with(k, row, &all);
}

/* Values that were given with a position, or somewhere. */
static struct typed invoke_insert(maker *k, const struct handle *h, const struct arguments *a)
{
	const struct handle_site s = k->handles->sites.data[h->site];
	struct typed values = typed_bound(k, h->site, 2);
	struct arguments all = { 0 };

	if (a->is_vague || s.at > a->list.len || s.count == NO_POSITION) {
		typed_store(k, k->any, typed_load(k, values.v));
		return invoke_vague(k, h->parts[0], a);
	}
	copy(&all, a, 0, s.at);
	for (uint32_t i = 0; i < s.count; i++)
		vec_push(&all.list, typed_load(k, values.v));
	copy_rest(&all, a, s.at);
	return invoke_with(k, h->parts[0], &all);
}

static struct typed invoke_drop(maker *k, const struct handle *h, const struct arguments *a)
{
	const struct handle_site s = k->handles->sites.data[h->site];
	struct arguments rest = { 0 };

	if (a->is_vague || s.at > a->list.len || s.count > a->list.len - s.at)
		return invoke_vague(k, h->parts[0], a);
	copy(&rest, a, 0, s.at);
	copy_rest(&rest, a, s.at + s.count);
	return invoke_with(k, h->parts[0], &rest);
}

/* Where the array is; the last one, unless something else was said. */
static uint32_t array_at(const struct handle_site *s, uint32_t n)
{
	return s->has_position ? s->at : n - 1;
}

static struct typed invoke_spread(maker *k, const struct handle *h, const struct arguments *a)
{
	const struct handle_site s = k->handles->sites.data[h->site];
	uint32_t n = a->list.len, at = array_at(&s, n);
	class_id objects = program_array_of(k->p, k->p->object);
	struct arguments all = { 0 };

	if (a->is_vague || at >= n || s.count == NO_POSITION) {
		for (uint32_t i = 0; i < (a->is_vague ? 1 : n); i++)
			typed_store(k, k->any, typed_load(k, typed_convert(k, typed_argument(k, a, i), objects)));
		return invoke_vague(k, h->parts[0], a);
	}
	copy(&all, a, 0, at);
	for (uint32_t i = 0; i < s.count; i++)
		vec_push(&all.list, typed_load(k, typed_convert(k, a->list.data[at], objects)));
	copy_rest(&all, a, at + 1);
	return invoke_with(k, h->parts[0], &all);
}

/* Some of the arguments in an array; where it is not clear which, parameters that are arrays take any. */
static struct typed invoke_collect(maker *k, const struct handle *h, const struct arguments *a)
{
	const struct handle_site s = k->handles->sites.data[h->site];
	uint32_t n = a->list.len, at = s.has_position ? s.at : n - s.count;
	bool is_array = s.type.i && class_row(k->p, s.type)->kind == CLASS_ARRAY;
	struct arguments all = { 0 };

	if (a->is_vague || s.count > n || at > n - s.count || !is_array)
		return invoke_vague(k, h->parts[0], a);
	class_id element = class_row(k->p, s.type)->element;
	ir_value array = typed_array(k, s.type);
	for (uint32_t i = at; i < at + s.count && !dispatcher_is_primitive(k, element); i++)
		typed_store(k, array, (struct typed){ typed_convert(k, a->list.data[i], element), element });
	copy(&all, a, 0, at);
	vec_push(&all.list, ((struct typed){ array, s.type }));
	copy_rest(&all, a, at + s.count);
	return invoke_with(k, h->parts[0], &all);
}

static struct typed invoke_guard(maker *k, const struct handle *h, const struct arguments *a)
{
	invoke_handle(k, h->parts[0], a);
	struct typed x = invoke_handle(k, h->parts[1], a), y = invoke_handle(k, h->parts[2], a);
	return x.v || y.v ? typed_either(k, x, y) : x;
}

/* Any part with any argument, and with what any part returns. */
static struct typed invoke_mixed(maker *k, const struct handle *h, const struct arguments *a)
{
	ir_value results = typed_objects(k);

	for (uint32_t i = 0; i < h->nparts; i++) {
		struct typed x = invoke_vague(k, h->parts[i], a);
		typed_store(k, k->any, x);
		typed_store(k, results, x);
	}
	return typed_load(k, results);
}

struct typed invoke_adapted(maker *k, const struct handle *h, const struct arguments *a)
{
	switch (h->op) {
	case HANDLE_BIND:
		return invoke_before(k, h->parts[0], typed_bound(k, h->site, 1), a);
	case HANDLE_INSERT:
		return invoke_insert(k, h, a);
	case HANDLE_DROP:
		return invoke_drop(k, h, a);
	case HANDLE_SPREAD:
		return invoke_spread(k, h, a);
	case HANDLE_COLLECT:
		return invoke_collect(k, h, a);
	case HANDLE_FILTER_RESULT:
		return invoke_before(k, h->parts[1], invoke_handle(k, h->parts[0], a), &(struct arguments){ 0 });
	case HANDLE_FOLD:
		return invoke_before(k, h->parts[0], invoke_handle(k, h->parts[1], a), a);
	case HANDLE_GUARD:
		return invoke_guard(k, h, a);
	default:
		return invoke_mixed(k, h, a);
	}
}
