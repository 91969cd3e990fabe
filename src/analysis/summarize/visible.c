/* SPDX-License-Identifier: Apache-2.0 */
/* visible.c - which objects of a library a client can tell, and which pointers lead to them. */
#include <stdlib.h>

#include "algo/groups.h"
#include "analysis/summarize/summarize_p.h"

/* Sets are large, and many: each is looked at once. */
struct walk {
	struct visible *v;
	const struct cprogram *p;
	struct groups contents;      /* by object: the sets of its cells */
	struct groups owners;        /* by set: objects with such a cell */
	struct groups holders;       /* by private object: sets of nothing visible that have it */
	uint8_t *looked;             /* by set */
	VEC(uint32_t) found;         /* objects that are visible, then sets that lead to some */
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

/* Functions are no memory. */
static uint8_t sight_of_visible(const struct walk *w, uint32_t obj)
{
	return SIGHT_OBJECT | SIGHT_LEADS | (w->p->objs.data[obj].kind != COBJ_FUNCTION ? SIGHT_MEMORY : 0);
}

static bool look(struct walk *w, uint32_t set)
{
	if (w->looked[set])
		return false;
	w->looked[set] = true;
	vec_clear(&w->set);
	cpta_set(w->v->a, set, &w->set);
	return true;
}

static uint32_t object_of(const struct walk *w, uint32_t i)
{
	return cpta_cell(w->v->a, w->set.data[i]).obj.i;
}

/* All that is in something visible is visible. */
static void see_set(struct walk *w, uint32_t set)
{
	if (!look(w, set))
		return;
	for (uint32_t i = 0; i < w->set.len; i++) {
		see(w, object_of(w, i));
		w->v->sets[set] |= sight_of_visible(w, object_of(w, i));
	}
}

static void follow(struct walk *w)
{
	while (w->found.len) {
		struct group_view sets = groups_of(&w->contents, vec_pop(&w->found));
		for (uint32_t i = 0; i < sets.n; i++)
			see_set(w, sets.data[i]);
	}
}

static void list_contents(struct walk *w)
{
	const struct cpta *a = w->v->a;

	for (uint32_t c = 1; c <= cpta_ncells(a); c++) {
		uint32_t obj = cpta_cell(a, (ccell_id){ c }).obj.i, set = cpta_set_of_cell(a, (ccell_id){ c });
		groups_add(&w->contents, obj, set);
		groups_add(&w->owners, set, obj);
	}
	groups_close(&w->contents, w->p->objs.len);
	groups_close(&w->owners, cpta_nsets(a));
}

static void list_holder(struct walk *w, uint32_t set)
{
	for (uint32_t i = 0; i < w->set.len; i++)
		groups_add(&w->holders, object_of(w, i), set);
}

/* When all visible objects are known: does the set have one? */
static void look_at_set(struct walk *w, uint32_t set)
{
	uint8_t sight = 0;

	if (!look(w, set))
		return;
	for (uint32_t i = 0; i < w->set.len; i++)
		if (w->v->objs[object_of(w, i)])
			sight |= sight_of_visible(w, object_of(w, i));
	w->v->sets[set] = sight;
	if (!sight)
		list_holder(w, set);
}

static void look_at_sets(struct walk *w)
{
	for (uint32_t i = 1; i < w->p->vars.len; i++)
		look_at_set(w, cpta_set_of_var(w->v->a, (cvar_id){ i }));
	for (uint32_t c = 1; c <= cpta_ncells(w->v->a); c++)
		look_at_set(w, cpta_set_of_cell(w->v->a, (ccell_id){ c }));
	groups_close(&w->holders, w->p->objs.len);
}

static void lead(struct walk *w, uint32_t obj)
{
	struct group_view sets = groups_of(&w->holders, obj);

	w->v->objs[obj] = SIGHT_LEADS;
	for (uint32_t i = 0; i < sets.n; i++) {
		if (w->v->sets[sets.data[i]])
			continue;
		w->v->sets[sets.data[i]] = SIGHT_LEADS;
		vec_push(&w->found, sets.data[i]);
	}
}

/* Private objects with a pointer to what leads to something visible lead there, too. */
static void lead_back(struct walk *w)
{
	for (uint32_t i = 0; i < cpta_nsets(w->v->a); i++)
		if (w->v->sets[i])
			vec_push(&w->found, i);
	while (w->found.len) {
		struct group_view objs = groups_of(&w->owners, vec_pop(&w->found));
		for (uint32_t i = 0; i < objs.n; i++)
			if (!w->v->objs[objs.data[i]])
				lead(w, objs.data[i]);
	}
}

static void release(struct walk *w)
{
	groups_release(&w->contents);
	groups_release(&w->owners);
	groups_release(&w->holders);
	free(w->looked);
	vec_release(&w->found);
	vec_release(&w->set);
}

void visible_init(struct visible *v, const struct cpta *a)
{
	struct walk w = { .v = v, .p = cpta_program(a) };

	*v = (struct visible){ .a = a, .objs = mem_zalloc(w.p->objs.len), .sets = mem_zalloc(cpta_nsets(a) + UINT64_C(1)) };
	w.looked = mem_zalloc(cpta_nsets(a) + UINT64_C(1));
	list_contents(&w);
	for (uint32_t i = 1; i < w.p->objs.len; i++)
		if (is_everybodys(w.p, &w.p->objs.data[i]))
			see(&w, i);
	see_memories(&w);
	follow(&w);
	look_at_sets(&w);
	lead_back(&w);
	release(&w);
}

void visible_release(struct visible *v)
{
	free(v->objs);
	free(v->sets);
}
