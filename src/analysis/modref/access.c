/* SPDX-License-Identifier: Apache-2.0 */
/* access.c - accessible objects: those that a call can get at by names and through pointers. The relation `accessible`
 * of section 3.1.3 of the thesis: globals and static locals always; else what the arguments point to, and what that
 * points to. */
#include "analysis/modref/modref_p.h"

void bits_init(struct bits *b, uint32_t members)
{
	b->n = members / 64 + 1;
	b->words = mem_zalloc(b->n * sizeof(*b->words));
}

void bits_release(struct bits *b)
{
	free(b->words);
	*b = (struct bits){ 0 };
}

bool bits_add(struct bits *b, uint32_t member)
{
	uint64_t bit = (uint64_t)1 << member % 64;

	if (b->words[member / 64] & bit)
		return false;
	b->words[member / 64] |= bit;
	return true;
}

static void list_cells(struct access *x)
{
	uint32_t ncells = cpta_ncells(x->a);

	x->first_cell = mem_zalloc(cpta_program(x->a)->objs.len * sizeof(uint32_t));
	x->next_cell = mem_zalloc(((size_t)ncells + 1) * sizeof(uint32_t));
	for (uint32_t c = ncells; c; c--) {
		struct ccell cell = cpta_cell(x->a, (ccell_id){ c });

		if (cpta_cell_at(x->a, cell.obj, cell.off).i != c)
			continue;
		x->next_cell[c] = x->first_cell[cell.obj.i];
		x->first_cell[cell.obj.i] = c;
	}
}

/* Most sets have nothing but shared objects: to keep what remains of each makes calls cheap, of which there are many
 * more. */
static const struct unshared *unshared_of(struct access *x, uint32_t set)
{
	struct unshared *u = &x->of_set[set];

	if (u->known)
		return u;
	*u = (struct unshared){ .first = x->unshared.len, .known = true };
	vec_clear(&x->set);
	cpta_set(x->a, set, &x->set);
	for (uint32_t i = 0; i < x->set.len; i++) {
		uint32_t obj = cpta_cell(x->a, x->set.data[i]).obj.i;
		bool again = u->n && x->unshared.data[x->unshared.len - 1] == obj;

		if (again || bits_has(&x->shared, obj))
			continue;
		vec_push(&x->unshared, obj);
		u->n++;
	}
	return u;
}

/* Marks objects of the set that are not shared. */
static void mark_set(struct access *x, uint32_t set)
{
	const struct unshared *u = unshared_of(x, set);

	for (uint32_t i = 0; i < u->n; i++)
		if (bits_add(&x->marked, x->unshared.data[u->first + i]))
			vec_push(&x->found, x->unshared.data[u->first + i]);
}

/* While `shared` grows. A set that was looked at has no object left that is not shared: that is what unshared_of()
 * will find. */
static void share_set(struct access *x, uint32_t set)
{
	struct unshared *u = &x->of_set[set];

	if (u->known)
		return;
	u->known = true;
	vec_clear(&x->set);
	cpta_set(x->a, set, &x->set);
	for (uint32_t i = 0; i < x->set.len; i++) {
		uint32_t obj = cpta_cell(x->a, x->set.data[i]).obj.i;

		if (bits_add(&x->shared, obj))
			vec_push(&x->found, obj);
	}
}

/* Pointers to a part of an object give access to all of it. */
static void follow(struct access *x, void (*each)(struct access *x, uint32_t set))
{
	for (uint32_t i = 0; i < x->found.len; i++)
		for (uint32_t c = x->first_cell[x->found.data[i]]; c; c = x->next_cell[c])
			each(x, cpta_set_of_cell(x->a, (ccell_id){ c }));
}

static bool is_named_everywhere(const struct cobj *o)
{
	return o->kind == COBJ_GLOBAL || o->kind == COBJ_STRING || (o->kind == COBJ_LOCAL && (o->flags & COBJ_STATIC));
}

void access_init(struct access *x, const struct cpta *a)
{
	const struct cprogram *p = cpta_program(a);

	*x = (struct access){ .a = a };
	list_cells(x);
	bits_init(&x->shared, p->objs.len);
	bits_init(&x->marked, p->objs.len);
	for (uint32_t i = 1; i < p->objs.len; i++)
		if (is_named_everywhere(&p->objs.data[i]) && bits_add(&x->shared, i))
			vec_push(&x->found, i);
	x->of_set = mem_zalloc(cpta_nsets(a) * sizeof(*x->of_set));
	follow(x, share_set);
	vec_clear(&x->found);
}

void access_release(struct access *x)
{
	free(x->first_cell);
	free(x->next_cell);
	bits_release(&x->shared);
	bits_release(&x->marked);
	free(x->of_set);
	vec_release(&x->found);
	vec_release(&x->unshared);
	vec_release(&x->set);
}

void access_begin(struct access *x, const struct ccall *c)
{
	const struct cprogram *p = cpta_program(x->a);

	for (uint32_t i = 0; i < c->nargs; i++)
		if (p->args.data[c->args + i].i)
			mark_set(x, cpta_set_of_var(x->a, p->args.data[c->args + i]));
	follow(x, mark_set);
}

void access_end(struct access *x)
{
	for (uint32_t i = 0; i < x->found.len; i++)
		x->marked.words[x->found.data[i] / 64] = 0;
	vec_clear(&x->found);
}
