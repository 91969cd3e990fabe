/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies, read once, with the tables that evaluation needs. */
#include "algo/dominators.h"
#include "analysis/conditions/conditions.h"
#include "ir/access.h"

#define MOST_STATEMENTS 20000         /* of a body: larger ones are generated tables */

void conditions_init(struct conditions *c, struct hierarchy *h, const struct callgraph *calls)
{
	struct program *p = h->p;

	*c = (struct conditions){ .p = p, .h = h, .calls = calls };
	arena_init(&c->mem);
	value_table_init(&c->table);
	id_sets_init(&c->kept_sets);
	vec_push(&c->codes, NULL);
	c->clinit = program_sel(p, STR("<clinit>"), STR("()V"));
	c->finalize = program_sel(p, STR("finalize"), STR("()V"));
	c->enum_ = program_class(p, STR("java/lang/Enum"));
}

void conditions_release(struct conditions *c)
{
	conditions_release_nests(c);
	arena_release(&c->mem);
	value_table_release(&c->table);
	vec_release(&c->codes);
	map_release(&c->code_of);
	map_release(&c->results);
	map_release(&c->keys);
	map_release(&c->fields);
	map_release(&c->nests);
	map_release(&c->kept);
	map_release(&c->kept_keys);
	map_release(&c->kept_after);
	id_sets_release(&c->kept_sets);
}

static void find_definitions(struct conditions *c, struct code *k)
{
	const struct ir_body *b = k->body;

	k->def = arena_zarray(&c->mem, const struct ir_stmt *, b->nvalues + 1);
	k->block_of = arena_zarray(&c->mem, uint32_t, b->nstmts + 1);
	for (uint32_t block = 0; block < b->nblocks; block++)
		for (uint32_t i = b->blocks[block].first; i < b->blocks[block].end; i++) {
			k->block_of[i] = block;
			if (b->stmts[i].result)
				k->def[b->stmts[i].result] = &b->stmts[i];
		}
}

static void find_dominators(struct conditions *c, struct code *k)
{
	const struct ir_body *b = k->body;
	uint32_t *first = mem_alloc((b->nblocks + 1) * sizeof(*first)), *preds = mem_alloc((b->nedges + 1) * sizeof(*preds)), n = 0;

	k->idom = arena_zarray(&c->mem, uint32_t, b->nblocks + 1);
	for (uint32_t i = 0; i < b->nblocks; i++) {
		first[i] = n;
		for (uint32_t j = 0; j < b->blocks[i].npreds; j++)
			preds[n++] = b->edges[b->blocks[i].preds + j];
	}
	first[b->nblocks] = n;
	dominators_compute(&(struct digraph){ b->nblocks, first, preds }, k->idom);
	free(first);
	free(preds);
}

static bool is_handler_of(const struct ir_body *b, const struct ir_block *from, uint32_t block)
{
	for (uint32_t i = 0; i < from->nhandlers; i++)
		if (b->edges[from->handlers + i] == block)
			return true;
	return false;
}

/* The one successor that the block is; false: it is several, or none. */
static bool only_successor(const struct ir_body *b, const struct ir_block *from, uint32_t block, uint32_t *which)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < from->nsuccs; i++)
		if (b->edges[from->succs + i] == block) {
			*which = i;
			n++;
		}
	return n == 1 && !is_handler_of(b, from, block);
}

static void note_guarded(struct code *k, ir_value v)
{
	const struct ir_stmt *def = k->def[v];

	k->is_guarded[v] = true;
	if (def && def->op == IR_INSTANCEOF)
		k->is_guarded[k->body->args[def->args]] = true;
}

static void find_guards(struct conditions *c, struct code *k)
{
	const struct ir_body *b = k->body;

	k->guards = arena_zarray(&c->mem, struct guard, b->nblocks + 1);
	k->is_guarded = arena_zarray(&c->mem, bool, b->nvalues + 1);
	for (uint32_t block = 1; block < b->nblocks; block++) {
		if (b->blocks[block].npreds != 1)
			continue;
		const struct ir_block *from = &b->blocks[b->edges[b->blocks[block].preds]];
		const struct ir_stmt *last = &b->stmts[from->end - 1];
		uint32_t which;
		if ((last->op != IR_IF && last->op != IR_SWITCH) || !only_successor(b, from, block, &which))
			continue;
		k->guards[block] = (struct guard){ .branch = last, .holds = which == 0, .is_default = which == 0 };
		if (last->op == IR_SWITCH && which > 0)
			k->guards[block].key = (int32_t)b->longs[last->ref + which - 1];
		for (uint32_t i = 0; i < last->nargs; i++)
			note_guarded(k, b->args[last->args + i]);
	}
}

static struct code *make_code(struct conditions *c, method_id m)
{
	const struct ir_method *row = method_row(c->p, m);
	const struct ir_class *owner = class_row(c->p, row->owner);

	if (owner->kind != CLASS_FILE || owner->is_unseen || (row->flags & (ACCESS_NATIVE | ACCESS_ABSTRACT)))
		return NULL;
	bool is_static = row->flags & ACCESS_STATIC;
	const struct ir_body *b = c->p->source.body(c->p->source.ctx, c->p, m, &c->mem);
	if (!b || !b->kinds || b->nstmts > MOST_STATEMENTS)
		return NULL;
	struct code *k = arena_new(&c->mem, struct code);
	*k = (struct code){ .m = m, .body = b, .is_static = is_static };
	find_definitions(c, k);
	find_dominators(c, k);
	find_guards(c, k);
	return k;
}

const struct code *conditions_code(struct conditions *c, method_id m)
{
	uint32_t known = map_get(&c->code_of, m.i);

	if (known)
		return c->codes.data[known];
	struct code *k = make_code(c, m);
	*map_at(&c->code_of, m.i) = c->codes.len;
	vec_push(&c->codes, k);
	return k;
}
