/* SPDX-License-Identifier: Apache-2.0 */
/* live.c - liveness of local variables, so that phis are made only where they may be read. */
#include "load/lower/ssa_p.h"

struct liveness {
	struct lower *l;
	uint64_t *use, *def;           /* by block: read before written; written */
};

static void scan_block(struct liveness *v, uint32_t n)
{
	const struct lower_block *b = &v->l->blocks[n];
	uint64_t *use = v->use + (size_t)n * v->l->words, *def = v->def + (size_t)n * v->l->words;

	for (uint32_t i = b->first; i < b->end; i++) {
		const struct insn *in = &v->l->insns[i];

		if (!insn_loads(in) && !insn_stores(in))
			continue;
		uint32_t word = (uint32_t)in->a / 64;
		uint64_t bit = (uint64_t)1 << ((uint32_t)in->a % 64);

		if (insn_loads(in) && !(def[word] & bit))
			use[word] |= bit;
		if (insn_stores(in))
			def[word] |= bit;
	}
}

/* One word of the live set of block n. Handlers see the values at its start: its writes do not count. */
static uint64_t live_word(const struct liveness *v, uint32_t n, uint32_t word)
{
	const struct lower *l = v->l;
	const struct lower_block *b = &l->blocks[n];
	size_t at = (size_t)n * l->words + word;
	uint64_t after = 0, thrown = 0;

	for (uint32_t k = 0; k < b->nsuccs; k++)
		after |= l->live[(size_t)l->edges[b->succs + k] * l->words + word];
	for (uint32_t k = 0; k < b->nhandlers; k++)
		thrown |= l->live[(size_t)l->edges[b->handlers + k] * l->words + word];
	return v->use[at] | (after & ~v->def[at]) | thrown;
}

/* One round over all blocks, last first; whether anything changed. */
static bool round_trip(struct liveness *v)
{
	struct lower *l = v->l;
	bool changed = false;

	for (uint32_t n = l->nblocks; n-- > 0;) {
		for (uint32_t word = 0; word < l->words; word++) {
			uint64_t now = live_word(v, n, word), *old = &l->live[(size_t)n * l->words + word];

			changed = changed || now != *old;
			*old = now;
		}
	}
	return changed;
}

bool lower_live(struct lower *l)
{
	struct liveness v = { .l = l };
	uint64_t work = 0;

	l->words = (l->nlocals + 63) / 64;
	size_t size = (size_t)l->nblocks * l->words;

	if (size > LOWER_MAX_SLOTS)
		return lower_fail(l, DIAG_E021, 0, "too many local variables and blocks");
	l->live = arena_zarray(l->scratch, uint64_t, size);
	v.use = arena_zarray(l->scratch, uint64_t, size);
	v.def = arena_zarray(l->scratch, uint64_t, size);
	for (uint32_t n = 0; n < l->nblocks; n++)
		scan_block(&v, n);
	while (round_trip(&v)) {
		work += (uint64_t)(l->nblocks + l->nedges) * l->words;
		if (work > LOWER_MAX_WORK)
			return lower_fail(l, DIAG_E021, 0, "control flow too complex");
	}
	return true;
}
