/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/casts.h"

#include <stdlib.h>

static uint32_t block_of(const struct ir_body *b, uint32_t stmt)
{
	uint32_t low = 0, high = b->nblocks;

	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;
		if (b->blocks[mid].first <= stmt)
			low = mid;
		else
			high = mid;
	}
	return low;
}

struct walk {
	const struct ir_body *b;
	bool *seen;
	uint32_t *work;
	uint32_t n;
};

static void visit(struct walk *w, uint32_t block)
{
	if (w->seen[block])
		return;
	w->seen[block] = true;
	w->work[w->n++] = block;
}

/* Is an end reached from the block without coming by the other one? What is thrown by a call is no end: then nothing was made. */
static bool avoids(struct walk *w, uint32_t from, uint32_t to)
{
	bool is_end = false;

	w->seen[to] = true;
	visit(w, from);
	while (w->n && !is_end) {
		const struct ir_block *at = &w->b->blocks[w->work[--w->n]];
		is_end = at->nsuccs == 0;
		for (uint32_t i = 0; i < at->nsuccs; i++)
			visit(w, w->b->edges[at->succs + i]);
	}
	return is_end;
}

bool comes_by(const struct ir_body *b, uint32_t from, uint32_t to)
{
	uint32_t x = block_of(b, from), y = block_of(b, to);

	if (x == y)
		return from < to;
	struct walk w = { b, mem_zalloc(b->nblocks * sizeof(bool)), mem_alloc(b->nblocks * sizeof(uint32_t)), 0 };
	bool is_sure = !avoids(&w, x, y);
	free(w.seen);
	free(w.work);
	return is_sure;
}

class_id cast_of_result(const struct program *p, const struct ir_body *b, uint32_t s)
{
	for (uint32_t i = 0; i < b->nstmts; i++) {
		const struct ir_stmt *c = &b->stmts[i];
		bool is_cast = c->op == IR_CAST && b->args[c->args] == b->stmts[s].result && c->ref != p->object.i;
		if (is_cast && comes_by(b, s, i))
			return (class_id){ c->ref };
	}
	return (class_id){ 0 };
}
