/* SPDX-License-Identifier: Apache-2.0 */
/* visible.c - which objects of a library a client can tell, and which pointers lead to them. */
#include <stdlib.h>

#include "analysis/summarize/summarize_p.h"

struct walk {
	struct visible *v;
	const struct cprogram *p;
	uint32_t *first, *next;      /* cells of each object */
	uint8_t *looked;             /* by set */
	VEC(uint32_t) found;
	ccell_vec set;
};

static void see(struct walk *w, uint32_t obj)
{
	if (w->v->objs[obj])
		return;
	w->v->objs[obj] = SIGHT_OBJECT | SIGHT_LEADS;
	vec_push(&w->found, obj);
}

/* What models keep, they keep for all of the program. */
static bool is_everybodys(const struct cprogram *p, const struct cobj *o)
{
	bool is_model = o->flags & COBJ_MODEL || (o->fn.i && o->kind != COBJ_FUNCTION && p->fns.data[o->fn.i].flags & CFN_MODEL);

	return is_model || o->kind == COBJ_GLOBAL || o->kind == COBJ_FUNCTION || o->flags & (COBJ_STATIC | COBJ_PLACEHOLDER);
}

static bool may_be_unknown(const struct walk *w, uint32_t call)
{
	cfn_vec targets = { 0 };
	bool found = false;

	cpta_targets(w->v->a, (ccall_id){ call }, &targets);
	for (uint32_t i = 0; i < targets.len; i++)
		found |= (w->p->fns.data[targets.data[i].i].flags & (CFN_PLACEHOLDER | CFN_ALLOCATES)) != 0;
	vec_release(&targets);
	return found;
}

/* What a client's allocator hands out takes the place of unknown memory. */
static void see_memories(struct walk *w)
{
	for (uint32_t i = 1; i < w->p->calls.len; i++)
		if (w->p->calls.data[i].memory.i && may_be_unknown(w, i))
			see(w, w->p->calls.data[i].memory.i);
}

static void see_set(struct walk *w, uint32_t set)
{
	if (w->looked[set])
		return;
	w->looked[set] = true;
	vec_clear(&w->set);
	cpta_set(w->v->a, set, &w->set);
	for (uint32_t i = 0; i < w->set.len; i++)
		see(w, cpta_cell(w->v->a, w->set.data[i]).obj.i);
}

static void follow(struct walk *w)
{
	while (w->found.len)
		for (uint32_t c = w->first[vec_pop(&w->found)]; c; c = w->next[c])
			see_set(w, cpta_set_of_cell(w->v->a, (ccell_id){ c }));
}

static void list_cells(struct walk *w)
{
	uint32_t n = cpta_ncells(w->v->a);

	w->first = mem_zalloc(w->p->objs.len * sizeof(uint32_t));
	w->next = mem_zalloc((n + UINT64_C(1)) * sizeof(uint32_t));
	for (uint32_t c = n; c; c--) {
		uint32_t obj = cpta_cell(w->v->a, (ccell_id){ c }).obj.i;
		w->next[c] = w->first[obj];
		w->first[obj] = c;
	}
}

/* Functions are no memory. */
static uint8_t sight_of_set(struct walk *w, uint32_t set)
{
	uint8_t sight = 0;

	vec_clear(&w->set);
	cpta_set(w->v->a, set, &w->set);
	for (uint32_t i = 0; i < w->set.len; i++) {
		uint32_t obj = cpta_cell(w->v->a, w->set.data[i]).obj.i;
		bool is_memory = w->v->objs[obj] & SIGHT_OBJECT && w->p->objs.data[obj].kind != COBJ_FUNCTION;
		sight |= (uint8_t)(w->v->objs[obj] | (is_memory ? SIGHT_MEMORY : 0));
	}
	return sight;
}

static uint8_t sight_of_content(const struct walk *w, uint32_t obj)
{
	uint8_t sight = 0;

	for (uint32_t c = w->first[obj]; c && !sight; c = w->next[c])
		sight = w->v->sets[cpta_set_of_cell(w->v->a, (ccell_id){ c })];
	return sight;
}

/* Private objects with a pointer to what leads to something visible lead there, too. */
static bool lead(struct walk *w)
{
	bool changed = false;

	for (uint32_t o = 1; o < w->p->objs.len; o++) {
		if (w->v->objs[o] || !sight_of_content(w, o))
			continue;
		w->v->objs[o] = SIGHT_LEADS;
		changed = true;
	}
	return changed;
}

void visible_init(struct visible *v, const struct cpta *a)
{
	struct walk w = { .v = v, .p = cpta_program(a) };

	*v = (struct visible){ .a = a, .objs = mem_zalloc(w.p->objs.len), .sets = mem_zalloc(cpta_nsets(a) + UINT64_C(1)) };
	w.looked = mem_zalloc(cpta_nsets(a) + UINT64_C(1));
	list_cells(&w);
	for (uint32_t i = 1; i < w.p->objs.len; i++)
		if (is_everybodys(w.p, &w.p->objs.data[i]))
			see(&w, i);
	see_memories(&w);
	follow(&w);
	do {
		for (uint32_t i = 0; i < cpta_nsets(a); i++)
			v->sets[i] = sight_of_set(&w, i);
	} while (lead(&w));
	free(w.first);
	free(w.next);
	free(w.looked);
	vec_release(&w.found);
	vec_release(&w.set);
}

void visible_release(struct visible *v)
{
	free(v->objs);
	free(v->sets);
}
