/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/handles/handle.h"

void handles_init(struct handles *t)
{
	*t = (struct handles){ 0 };
	interner_init(&t->keys);
	arena_init(&t->mem);
	vec_push(&t->rows, (struct handle){ 0 });
	vec_push(&t->sites, (struct handle_site){ 0 });
	vec_push(&t->lambdas, (struct handle_lambda){ 0 });
}

void handles_release(struct handles *t)
{
	vec_release(&t->rows);
	vec_release(&t->sites);
	vec_release(&t->lambdas);
	map_release(&t->made);
	map_release(&t->site_by_key);
	map_release(&t->row_by_key);
	interner_release(&t->keys);
	arena_release(&t->mem);
}

static uint32_t depth_of(const struct handles *t, const struct handle *is)
{
	uint32_t depth = 0;

	for (uint32_t i = 0; i < is->nparts; i++)
		if (t->rows.data[is->parts[i]].depth > depth)
			depth = t->rows.data[is->parts[i]].depth;
	return depth + (is->nparts > 0);
}

static str_id key_of(struct handles *t, const struct handle *is)
{
	uint32_t head[] = { is->op, is->of, is->type.i, is->site };
	struct strbuf text = { 0 };

	strbuf_add(&text, (const char *)head, sizeof(head));
	strbuf_add(&text, (const char *)is->parts, is->nparts * sizeof(uint32_t));
	str_id key = intern(&t->keys, strbuf_str(&text));
	strbuf_release(&text);
	return key;
}

uint32_t handle_row(struct handles *t, struct handle is)
{
	is.depth = depth_of(t, &is);
	if (is.depth > MAX_HANDLE_DEPTH)
		return 0;
	uint32_t *at = map_at(&t->row_by_key, key_of(t, &is).i);
	if (!*at) {
		is.parts = arena_copy(&t->mem, is.nparts ? is.parts : &(uint32_t){ 0 }, is.nparts * sizeof(uint32_t));
		*at = t->rows.len;
		vec_push(&t->rows, is);
	}
	return *at;
}

/* There are few. */
uint32_t handle_lambda(struct handles *t, struct handle_lambda is)
{
	for (uint32_t i = 1; i < t->lambdas.len; i++) {
		const struct handle_lambda *l = &t->lambdas.data[i];
		if (l->name.i == is.name.i && l->factory.i == is.factory.i && l->sam.i == is.sam.i && l->interface.i == is.interface.i)
			return i;
	}
	vec_push(&t->lambdas, is);
	return t->lambdas.len - 1;
}

uint32_t handle_site(struct handles *t, struct handle_site is)
{
	uint32_t *at = map_at(&t->site_by_key, map_key(is.method.i, is.pc));

	if (!*at) {
		*at = t->sites.len;
		vec_push(&t->sites, is);
	}
	return *at;
}

bool handle_has(const struct handles *t, uint32_t row, enum handle_op op)
{
	const struct handle *h = &t->rows.data[row];

	for (uint32_t i = 0; i < h->nparts; i++)
		if (handle_has(t, h->parts[i], op))
			return true;
	return h->op == op;
}

bool handle_writes(const struct handles *t, uint32_t row)
{
	return handle_has(t, row, HANDLE_PUTFIELD) || handle_has(t, row, HANDLE_PUTSTATIC) ||
	       handle_has(t, row, HANDLE_LAMBDA);
}
