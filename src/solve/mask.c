/* SPDX-License-Identifier: Apache-2.0 */
/* mask.c - sets of kinds, and what of a set of objects passes them. A mask has its kinds as bits and knows which blocks
 * it concerns: so it costs the shorter of two ways to apply it, over the set or over the mask. */
#include <string.h>

#include "solve/solve_p.h"

mask_id solver_mask(struct solver *s)
{
	vec_push(&s->masks, (struct mask){ 0 });
	return (mask_id){ s->masks.len - 1 };
}

void masks_release(struct solver *s)
{
	for (uint32_t i = 0; i < s->masks.len; i++) {
		vec_release(&s->masks.data[i].kinds);
		vec_release(&s->masks.data[i].objects);
		vec_release(&s->masks.data[i].blocks);
	}
	vec_release(&s->masks);
	vec_release(&s->members);
}

static uint64_t word_of(const struct mask *m, uint32_t block)
{
	if (is_kind_block(block))
		return block < m->kinds.len ? m->kinds.data[block] : 0;
	return block - KIND_BLOCKS < m->objects.len ? m->objects.data[block - KIND_BLOCKS] : 0;
}

static bool has(const struct mask *m, uint32_t kind)
{
	return word_of(m, kind / 64) >> kind % 64 & 1;
}

bool solver_mask_has(const struct solver *s, mask_id m, kind_id k)
{
	return !m.i || has(&s->masks.data[m.i], k.i);
}

/* Nearly always at the end: blocks are dealt in rising order. */
static void add_block(struct mask *m, uint32_t block)
{
	uint32_t at = m->blocks.len;

	vec_push(&m->blocks, block);
	if (!at || m->blocks.data[at - 1] < block)
		return;
	at = seek(m->blocks.data, 0, at, block);
	memmove(m->blocks.data + at + 1, m->blocks.data + at, (m->blocks.len - 1 - at) * sizeof(block));
	m->blocks.data[at] = block;
}

static void set_kind(struct mask *m, uint32_t kind)
{
	uint32_t word = kind / 64;

	while (m->kinds.len <= word)
		vec_push(&m->kinds, 0);
	if (!m->kinds.data[word])
		add_block(m, word);
	m->kinds.data[word] |= (uint64_t)1 << kind % 64;
}

static void set_group(struct mask *m, uint32_t group)
{
	uint32_t word = group * GROUP / 64;

	while (m->objects.len <= word)
		vec_push(&m->objects, 0);
	if (!m->objects.data[word])
		add_block(m, KIND_BLOCKS + word);
	m->objects.data[word] |= (uint64_t)0xff << group * GROUP % 64;
}

void masks_add_group(struct solver *s, uint32_t kind, uint32_t group)
{
	for (uint32_t i = s->kinds.data[kind].member; i; i = s->members.data[i].next)
		set_group(&s->masks.data[s->members.data[i].mask], group);
}

void solver_mask_add(struct solver *s, mask_id mask, kind_id kind)
{
	struct mask *m = &s->masks.data[mask.i];
	struct kind *k = &s->kinds.data[kind.i];

	if (has(m, kind.i))
		return;
	set_kind(m, kind.i);
	vec_push(&s->members, ((struct member){ k->member, mask.i }));
	k->member = s->members.len - 1;
	for (uint32_t g = k->group; g; g = s->groups.data[g].before)
		set_group(m, g);
}

static void filter_by_mask(struct set_view v, const struct mask *m, struct set_buf *out)
{
	uint32_t n = 0, j = 0;

	for (uint32_t i = 0; i < m->blocks.len; i++) {
		uint32_t block = m->blocks.data[i];

		j = seek(v.blocks, j, v.n, block);
		if (j == v.n)
			break;
		if (v.blocks[j] != block)
			continue;
		out->words[n] = v.words[j] & word_of(m, block);
		out->blocks[n] = block;
		n += out->words[n] != 0;
	}
	out->n = n;
}

static void filter_by_set(struct set_view v, const struct mask *m, struct set_buf *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < v.n; i++) {
		out->words[n] = v.words[i] & word_of(m, v.blocks[i]);
		out->blocks[n] = v.blocks[i];
		n += out->words[n] != 0;
	}
	out->n = n;
}

struct set_view filter(const struct solver *s, struct set_view v, uint32_t mask, struct set_buf *out)
{
	const struct mask *m = &s->masks.data[mask];

	set_buf_reserve(out, v.n);
	if (m->blocks.len < v.n / 4)
		filter_by_mask(v, m, out);
	else
		filter_by_set(v, m, out);
	return set_buf_view(out);
}
