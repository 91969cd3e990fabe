/* SPDX-License-Identifier: Apache-2.0 */
/* facts.c - what a solution says. The solver's sets keep cells that others stand for since their object collapsed:
 * answers name those others, each once. */
#include "analysis/cpta/cpta_p.h"

#include "base/sort.h"

const struct cprogram *cpta_program(const struct cpta *a)
{
	return a->p;
}

uint32_t cpta_ncells(const struct cpta *a)
{
	return a->cells.len - 1;
}

struct ccell cpta_cell(const struct cpta *a, ccell_id c)
{
	const struct cell *cell = &a->cells.data[c.i];
	const struct memory *m = &a->memories.data[cell->obj];

	return (struct ccell){ { cell->obj }, cell->off, (m->collapsed && !m->single) || m->stride || cell->any };
}

ccell_id cpta_cell_at(const struct cpta *a, cobj_id o, uint64_t off)
{
	return (ccell_id){ cell_find(a, o.i, off) };
}

/* Sets may also have cells that others stand for now. */
static uint32_t stands_for(const struct cpta *a, uint32_t cell)
{
	const struct cell *c = &a->cells.data[cell];

	return c->any && !a->memories.data[c->obj].collapsed ? cell : cell_find(a, c->obj, c->off);
}

void cpta_set(const struct cpta *a, uint32_t set, ccell_vec *out)
{
	struct set_view v = solver_set(a->s, (node_id){ set });
	uint32_t from = out->len;

	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t w = v.words[i]; w; w &= w - 1) {
			object_id o = { v.blocks[i] * 64 + first_bit(w) };

			vec_push(out, (ccell_id){ stands_for(a, cell_of(a, o)) });
		}
	out->len = from + sort_ids(out->data + from, out->len - from);
}

uint32_t cpta_set_of_var(const struct cpta *a, cvar_id v)
{
	return solver_find(a->s, (node_id){ a->vars + v.i }).i;
}

uint32_t cpta_set_of_cell(const struct cpta *a, ccell_id c)
{
	return solver_find(a->s, content(a, c.i)).i;
}

uint32_t cpta_nsets(const struct cpta *a)
{
	return a->nnodes;
}

void cpta_points_to(const struct cpta *a, cvar_id v, ccell_vec *out)
{
	cpta_set(a, cpta_set_of_var(a, v), out);
}

void cpta_content(const struct cpta *a, ccell_id c, ccell_vec *out)
{
	cpta_set(a, cpta_set_of_cell(a, c), out);
}

bool cpta_reached(const struct cpta *a, cfn_id f)
{
	return a->reached.data[f.i];
}

/* The first link of the call, or of the next one that has any. */
static uint32_t first_link(const struct cpta *a, uint32_t call)
{
	uint32_t low = 0, high = a->edges.len;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (a->edges.data[mid].call < call)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void cpta_targets(const struct cpta *a, ccall_id c, cfn_vec *out)
{
	const struct ccall *call = &a->p->calls.data[c.i];

	if (call->callee.i) {
		if (cpta_reached(a, call->caller))
			vec_push(out, call->callee);
		return;
	}
	for (uint32_t i = first_link(a, c.i); i < a->edges.len && a->edges.data[i].call == c.i; i++)
		vec_push(out, (cfn_id){ a->edges.data[i].fn });
}

/* Sizes of sets, each counted once. */
struct sizes {
	const struct cpta *a;
	uint32_t *size;              /* by set: 1 + its size; 0: not known */
	ccell_vec set;
};

static uint32_t size_of(struct sizes *z, uint32_t set)
{
	if (!z->size[set]) {
		vec_clear(&z->set);
		cpta_set(z->a, set, &z->set);
		z->size[set] = z->set.len + 1;
	}
	return z->size[set] - 1;
}

static void count_variables(const struct cpta *a, struct sizes *z, struct cpta_stats *st)
{
	for (uint32_t i = 1; i < a->p->vars.len; i++) {
		const struct cvar *v = &a->p->vars.data[i];
		uint32_t n = v->name.i ? size_of(z, cpta_set_of_var(a, (cvar_id){ i })) : 0;

		st->variables += n != 0;
		st->points_to_pairs += n;
	}
}

static void count_cells(const struct cpta *a, struct sizes *z, struct cpta_stats *st)
{
	for (uint32_t i = 1; i < a->cells.len; i++) {
		bool stands = stands_for(a, i) == i;
		const struct cobj *o = &a->p->objs.data[a->cells.data[i].obj];
		uint32_t n = stands && o->kind != COBJ_FUNCTION ? size_of(z, cpta_set_of_cell(a, (ccell_id){ i })) : 0;

		st->cells += stands;
		st->variables += n != 0;
		st->points_to_pairs += n;
	}
	for (uint32_t i = 1; i < a->memories.len; i++) {
		const struct memory *m = &a->memories.data[i];

		st->objects += m->cells != 0;
		st->collapsed += a->opt.fields && m->collapsed && !m->single;
	}
}

/* What models, placeholders and initialisers do is nobody's; calls of them are counted apart. */
static bool is_own(const struct cpta *a, uint32_t fn)
{
	return fn != a->p->initialisers.i && !(a->p->fns.data[fn].flags & CFN_FOREIGN);
}

static void count_calls(const struct cpta *a, struct cpta_stats *st)
{
	for (uint32_t i = 0; i < a->edges.len; i++) {
		bool from_own = is_own(a, a->p->calls.data[a->edges.data[i].call].caller.i);

		st->indirect_edges += from_own && is_own(a, a->edges.data[i].fn);
		st->library_edges += from_own && !is_own(a, a->edges.data[i].fn);
	}
	for (uint32_t i = 1; i < a->p->fns.len; i++) {
		const struct cfn *f = &a->p->fns.data[i];

		if (!a->reached.data[i] || !is_own(a, i))
			continue;
		st->functions++;
		st->statements += f->nstmts;
		for (uint32_t k = 0; k < f->ncalls; k++) {
			const struct ccall *c = &a->p->calls.data[f->calls + k];

			st->direct_calls += c->callee.i != 0;
			st->indirect_calls += c->pointer.i != 0 && !c->callee.i;
		}
	}
}

struct cpta_stats cpta_stats(const struct cpta *a)
{
	struct solver_stats s = solver_stats(a->s);
	struct cpta_stats st = { .nodes = s.nodes, .facts = s.facts, .bytes = s.bytes, .mismatched = a->mismatched };
	struct sizes z = { .a = a, .size = mem_zalloc((size_t)a->nnodes * sizeof(*z.size)) };

	count_variables(a, &z, &st);
	count_cells(a, &z, &st);
	count_calls(a, &st);
	free(z.size);
	vec_release(&z.set);
	return st;
}
