/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hierarchy/hierarchy_p.h"

#include <stdlib.h>

#include "ir/access.h"

void hierarchy_init(struct hierarchy *h, struct program *p)
{
	*h = (struct hierarchy){ .p = p };
	arena_init(&h->mem);
}

void hierarchy_release(struct hierarchy *h)
{
	arena_release(&h->mem);
	free(h->supers);
	free(h->marks);
	declarers_free(h->declarers);
	*h = (struct hierarchy){ 0 };
}

static struct supertypes *supers_row(struct hierarchy *h, class_id c)
{
	if (c.i >= h->nsupers) {
		uint32_t n = h->p->classes.cap;
		h->supers = mem_realloc(h->supers, n * sizeof(*h->supers));
		memset(h->supers + h->nsupers, 0, (n - h->nsupers) * sizeof(*h->supers));
		h->nsupers = n;
	}
	return &h->supers[c.i];
}

void walk_start(struct hierarchy *h)
{
	h->walk++;
}

bool walk_visits(struct hierarchy *h, class_id c)
{
	if (c.i >= h->nmarks) {
		uint32_t n = h->p->classes.cap;
		h->marks = mem_realloc(h->marks, n * sizeof(*h->marks));
		memset(h->marks + h->nmarks, 0, (n - h->nmarks) * sizeof(*h->marks));
		h->nmarks = n;
	}
	bool is_new = h->marks[c.i] != h->walk;
	h->marks[c.i] = h->walk;
	return is_new;
}

/* Interfaces that a class may have, directly or not: thousands of classes that share them would fill the memory. */
#define MAX_INTERFACES 4096

/* Takes the next interface; false, said once for a class, when there are too many. */
static bool take_interface(struct hierarchy *h, class_list *out, uint32_t nclasses, class_id c)
{
	if (!walk_visits(h, c))
		return true;
	if (out->len - nclasses >= MAX_INTERFACES) {
		class_id self = out->data[0];
		diag_add(h->p->diag, DIAG_E018, h->p->artifacts.data[class_row(h->p, self)->artifact], class_name(h->p, self),
			 DIAG_NO_OFFSET, "the class has more than %d superinterfaces; the others are ignored", MAX_INTERFACES);
		return false;
	}
	vec_push(out, c);
	return true;
}

/* The class and its superclasses, then interfaces breadth first; each once. */
static void collect_supertypes(struct hierarchy *h, class_id c, class_list *out, uint32_t *nclasses)
{
	const struct program *p = h->p;

	walk_start(h);
	for (class_id s = c; s.i; s = class_row(p, s)->super) {
		walk_visits(h, s);
		vec_push(out, s);
	}
	*nclasses = out->len;
	for (uint32_t i = 0; i < out->len; i++) {
		const struct ir_class *row = class_row(p, out->data[i]);
		for (uint32_t k = 0; k < row->ninterfaces; k++)
			if (!take_interface(h, out, *nclasses, row->interfaces[k]))
				return;
	}
}

static bool misses_some(const struct program *p, const class_list *list)
{
	for (uint32_t i = 0; i < list->len; i++)
		if (class_row(p, list->data[i])->kind == CLASS_PHANTOM)
			return true;
	return false;
}

static void find_supertypes(struct hierarchy *h, class_id c)
{
	program_load(h->p, c);
	struct supertypes *row = supers_row(h, c);
	class_list list = { 0 };

	collect_supertypes(h, c, &list, &row->nclasses);
	row->classes = arena_copy(&h->mem, list.data, list.len * sizeof(class_id));
	row->n = list.len;
	row->misses_some = misses_some(h->p, &list);
	vec_release(&list);
}

struct supertypes hierarchy_supertypes(struct hierarchy *h, class_id c)
{
	if (c.i >= h->nsupers || h->supers[c.i].n == 0)
		find_supertypes(h, c);
	return h->supers[c.i];
}

static bool array_is_subtype(struct hierarchy *h, class_id sub, class_id super)
{
	const struct ir_class *a = class_row(h->p, sub), *b = class_row(h->p, super);

	return b->kind == CLASS_ARRAY && hierarchy_is_subtype(h, a->element, b->element);
}

/* It can only be a superclass, and the classes above both are the same then: its place is known. */
static bool is_class(const struct program *p, class_id c)
{
	const struct ir_class *row = class_row(p, c);

	return row->state == LOAD_DONE && row->kind == CLASS_FILE && !(row->flags & ACCESS_INTERFACE);
}

bool hierarchy_is_subtype(struct hierarchy *h, class_id sub, class_id super)
{
	if (sub.i == super.i)
		return true;
	if (class_row(h->p, sub)->kind == CLASS_ARRAY && class_row(h->p, super)->kind == CLASS_ARRAY)
		return array_is_subtype(h, sub, super);
	struct supertypes s = hierarchy_supertypes(h, sub);
	if (is_class(h->p, super)) {
		uint32_t above = hierarchy_supertypes(h, super).nclasses;
		return above <= s.nclasses && s.classes[s.nclasses - above].i == super.i;
	}
	for (uint32_t i = 0; i < s.n; i++)
		if (s.classes[i].i == super.i)
			return true;
	return false;
}

bool hierarchy_is_subclass(struct hierarchy *h, class_id sub, class_id super)
{
	program_load(h->p, sub);
	while (sub.i && sub.i != super.i)
		sub = class_row(h->p, sub)->super;
	return sub.i != 0;
}

bool same_package(const struct program *p, class_id a, class_id b)
{
	return str_eq(package_of(class_name(p, a)), package_of(class_name(p, b)));
}

bool access_class(struct program *p, class_id from, class_id to)
{
	while (class_row(p, to)->kind == CLASS_ARRAY)
		to = class_row(p, to)->element;
	program_load(p, to);
	const struct ir_class *row = class_row(p, to);
	return (row->flags & ACCESS_PUBLIC) || row->kind != CLASS_FILE || same_package(p, from, to);
}

/* JVMS 5.4.4: a host counts only when it is in the same package and lists the class; else the class is its
 * own host. */
static class_id nest_host(struct program *p, class_id c)
{
	class_id host = class_row(p, c)->nest_host;

	if (host.i == c.i || !same_package(p, host, c) || !p->source.lists_nest_member)
		return c;
	program_load(p, host);
	if (class_row(p, host)->kind == CLASS_PHANTOM)
		return host;      /* nobody can say that it does not list the class */
	return p->source.lists_nest_member(p->source.ctx, p, host, c) ? host : c;
}

static bool access_private(struct program *p, class_id from, class_id owner)
{
	return from.i == owner.i || (same_package(p, from, owner) && nest_host(p, from).i == nest_host(p, owner).i);
}

static bool access_protected(struct hierarchy *h, class_id from, class_id via, class_id owner, uint16_t flags)
{
	if (!hierarchy_is_subclass(h, from, owner))
		return false;
	return (flags & ACCESS_STATIC) || hierarchy_is_subclass(h, via, from) || hierarchy_is_subclass(h, from, via);
}

bool access_member(struct hierarchy *h, class_id from, class_id via, class_id owner, uint16_t flags)
{
	if (flags & ACCESS_PUBLIC)
		return true;
	if (flags & ACCESS_PRIVATE)
		return access_private(h->p, from, owner);
	if (same_package(h->p, from, owner))
		return true;
	return (flags & ACCESS_PROTECTED) && access_protected(h, from, via, owner, flags);
}

bool access_method(struct hierarchy *h, class_id from, mref_id m)
{
	const struct ir_mref *ref = mref_row(h->p, m);
	const struct ir_method *target = method_row(h->p, ref->target);

	if (class_row(h->p, ref->owner)->kind == CLASS_ARRAY && str_eq(sel_name(h->p, ref->sel), STR("clone")))
		return true;
	return access_member(h, from, ref->owner, target->owner, target->flags);
}

/* Initialisation */

static bool has_default_method(const struct program *p, class_id c)
{
	const struct ir_class *row = class_row(p, c);

	for (uint32_t i = 0; i < row->nmethods; i++)
		if (!(method_row(p, (method_id){ row->first_method + i })->flags & (ACCESS_ABSTRACT | ACCESS_STATIC)))
			return true;
	return false;
}

void hierarchy_initialisers(struct hierarchy *h, class_id c, void (*fn)(void *ctx, class_id of, method_id clinit), void *ctx)
{
	struct supertypes s = hierarchy_supertypes(h, c);
	sel_id sel = program_sel(h->p, STR("<clinit>"), STR("()V"));
	uint32_t n = class_row(h->p, c)->flags & ACCESS_INTERFACE ? 1 : s.n;

	for (uint32_t i = 0; i < n; i++) {
		method_id clinit = program_declared(h->p, s.classes[i], sel);
		if (clinit.i && (i < s.nclasses || has_default_method(h->p, s.classes[i])))
			fn(ctx, s.classes[i], clinit);
	}
}
