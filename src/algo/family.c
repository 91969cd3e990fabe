/* SPDX-License-Identifier: Apache-2.0 */
/* family.c - see family.h. The trees are those of Okasaki and Gill, "Fast mergeable integer maps", with big-endian bits:
 * a set has one tree, whatever it was made of. So nodes that are equal are interned, and equal sets come out as one. */
#include "algo/family.h"

#define BITS 32u

/* Nodes */

static uint32_t new_node(struct family *f, struct family_node n)
{
	vec_push(&f->nodes, n);
	vec_push(&f->joined, 0);
	return f->nodes.len - 1;
}

static uint32_t leaf(struct family *f, uint32_t block, uint32_t bits)
{
	uint32_t *at = map_at(&f->leaves, map_key(block, bits));

	if (!*at)
		*at = new_node(f, (struct family_node){ .right = bits, .block = block });
	return *at;
}

static uint32_t inner(struct family *f, uint32_t left, uint32_t right, uint32_t block)
{
	uint32_t *at = map_at(&f->inner, map_key(left, right));

	if (!*at)
		*at = new_node(f, (struct family_node){ left, right, block });
	return *at;
}

void family_init(struct family *f)
{
	*f = (struct family){ 0 };
	new_node(f, (struct family_node){ 0 });
}

void family_release(struct family *f)
{
	vec_release(&f->nodes);
	vec_release(&f->joined);
	vec_release(&f->draft);
	map_release(&f->leaves);
	map_release(&f->inner);
}

bool fset_has(const struct family *f, fset_id s, uint32_t member)
{
	const struct family_node *n = &f->nodes.data[s.i];

	while (n->left)
		n = &f->nodes.data[member / BITS < n->block ? n->left : n->right];
	return n->block == member / BITS && (n->right >> member % BITS & 1);
}

static void each_bit(uint32_t block, uint32_t bits, void (*each)(void *ctx, uint32_t member), void *ctx)
{
	for (; bits; bits &= bits - 1)
		each(ctx, block * BITS + (uint32_t)__builtin_ctz(bits));
}

/* As deep as a block has bits. */
void fset_each(const struct family *f, fset_id s, void (*each)(void *ctx, uint32_t member), void *ctx)
{
	const struct family_node *n = &f->nodes.data[s.i];

	for (; n->left; n = &f->nodes.data[n->right])
		fset_each(f, (fset_id){ n->left }, each, ctx);
	each_bit(n->block, n->right, each, ctx);
}

/* Drafts */

void draft_init(struct draft *d, struct family *f, uint32_t members)
{
	uint32_t blocks = members / BITS + 1;

	*d = (struct draft){ .family = f, .nbusy = blocks / 64 + 1, .turn = ++f->turn };
	d->words = mem_zalloc(blocks * sizeof(*d->words));
	d->busy = mem_zalloc(d->nbusy * sizeof(*d->busy));
}

void draft_release(struct draft *d)
{
	free(d->words);
	free(d->busy);
	*d = (struct draft){ 0 };
}

/* Calls each(ctx, block, bits) for all blocks that are busy, in order; what it returns stays there. */
static void visit(struct draft *d, uint32_t (*each)(void *ctx, uint32_t block, uint32_t bits), void *ctx)
{
	for (uint32_t i = 0; i < d->nbusy; i++)
		for (uint64_t w = d->busy[i]; w; w &= w - 1) {
			uint32_t block = i * 64 + (uint32_t)__builtin_ctzll(w), bits = each(ctx, block, d->words[block]);

			d->words[block] = bits;
			if (!bits)
				d->busy[i] &= ~(w & -w);
		}
}

static void forget_joined(struct draft *d)
{
	d->turn = ++d->family->turn;
}

static uint32_t drop(void *ctx, uint32_t block, uint32_t bits)
{
	(void)ctx;
	(void)block;
	(void)bits;
	return 0;
}

void draft_clear(struct draft *d)
{
	visit(d, drop, NULL);
	forget_joined(d);
}

static void add_bits(struct draft *d, uint32_t block, uint32_t bits)
{
	d->words[block] |= bits;
	d->busy[block / 64] |= UINT64_C(1) << block % 64;
}

bool draft_add(struct draft *d, uint32_t member)
{
	if (draft_has(d, member))
		return false;
	add_bits(d, member / BITS, UINT32_C(1) << member % BITS);
	return true;
}

void draft_join(struct draft *d, fset_id s)
{
	struct family *f = d->family;

	while (s.i && f->joined.data[s.i] != d->turn) {
		const struct family_node *n = &f->nodes.data[s.i];

		f->joined.data[s.i] = d->turn;
		if (!n->left) {
			add_bits(d, n->block, n->right);
			return;
		}
		draft_join(d, (fset_id){ n->left });
		s.i = n->right;
	}
}

bool draft_covers(const struct draft *d, fset_id s)
{
	const struct family *f = d->family;

	for (;;) {
		const struct family_node *n = &f->nodes.data[s.i];

		if (!s.i || f->joined.data[s.i] == d->turn)
			return true;
		if (!n->left)
			return (n->right & ~d->words[n->block]) == 0;
		if (!draft_covers(d, (fset_id){ n->left }))
			return false;
		s.i = n->right;
	}
}

struct filter {
	bool (*keep)(void *ctx, uint32_t member);
	void *ctx;
};

static uint32_t filter_bits(void *ctx, uint32_t block, uint32_t bits)
{
	const struct filter *x = ctx;
	uint32_t kept = bits;

	for (uint32_t w = bits; w; w &= w - 1)
		if (!x->keep(x->ctx, block * BITS + (uint32_t)__builtin_ctz(w)))
			kept &= ~(w & -w);
	return kept;
}

void draft_filter(struct draft *d, bool (*keep)(void *ctx, uint32_t member), void *ctx)
{
	struct filter x = { keep, ctx };

	visit(d, filter_bits, &x);
	forget_joined(d);
}

static uint32_t keep_leaf(void *ctx, uint32_t block, uint32_t bits)
{
	struct family *f = ctx;

	vec_push(&f->draft, leaf(f, block, bits));
	return 0;
}

/* The tree of some leaves: it parts at the highest bit in which the blocks of the first and the last one differ. */
static uint32_t tree_of(struct family *f, const uint32_t *leaves, uint32_t n)
{
	uint32_t mid = 0;

	if (n == 1)
		return leaves[0];
	uint32_t first = f->nodes.data[leaves[0]].block, last = f->nodes.data[leaves[n - 1]].block;
	uint32_t bit = UINT32_C(1) << (31 - __builtin_clz(first ^ last));

	while (!(f->nodes.data[leaves[mid]].block & bit))
		mid++;
	uint32_t left = tree_of(f, leaves, mid), right = tree_of(f, leaves + mid, n - mid);

	return inner(f, left, right, f->nodes.data[leaves[mid]].block);
}

fset_id draft_close(struct draft *d)
{
	struct family *f = d->family;

	vec_clear(&f->draft);
	visit(d, keep_leaf, f);
	forget_joined(d);
	return (fset_id){ f->draft.len ? tree_of(f, f->draft.data, f->draft.len) : 0 };
}

struct drain {
	void (*each)(void *ctx, uint32_t member);
	void *ctx;
};

static uint32_t drain_bits(void *ctx, uint32_t block, uint32_t bits)
{
	const struct drain *x = ctx;

	each_bit(block, bits, x->each, x->ctx);
	return 0;
}

void draft_drain(struct draft *d, void (*each)(void *ctx, uint32_t member), void *ctx)
{
	struct drain x = { each, ctx };

	visit(d, drain_bits, &x);
	forget_joined(d);
}
