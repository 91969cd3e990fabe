/* SPDX-License-Identifier: Apache-2.0 */
/* Resolution of symbolic references, JVMS 5.4.3. */
#include "analysis/hierarchy/hierarchy_p.h"

#include <stdlib.h>

#include "ir/access.h"

/* JVMS 2.9.3: native varargs methods of MethodHandle and VarHandle that take one Object[]. */
static method_id polymorphic_method(const struct program *p, class_id c, str_id name)
{
	const struct ir_class *row = class_row(p, c);
	struct str cls = class_name(p, c);
	uint16_t need = ACCESS_NATIVE | ACCESS_VARARGS;

	if (!str_eq(cls, STR("java/lang/invoke/MethodHandle")) && !str_eq(cls, STR("java/lang/invoke/VarHandle")))
		return (method_id){ 0 };
	for (uint32_t i = 0; i < row->nmethods; i++) {
		method_id m = { row->first_method + i };
		if (sel_row(p, method_row(p, m)->sel)->name.i == name.i && (method_row(p, m)->flags & need) == need &&
		    str_starts(sel_desc(p, method_row(p, m)->sel), "([Ljava/lang/Object;)"))
			return m;
	}
	return (method_id){ 0 };
}

bool hierarchy_misses_ancestor(struct hierarchy *h, class_id c)
{
	return hierarchy_supertypes(h, c).misses_some;
}

static void push_interfaces(struct hierarchy *h, class_id c, class_list *stack)
{
	const struct ir_class *row = class_row(h->p, c);

	for (uint32_t k = row->ninterfaces; k-- > 0;)
		vec_push(stack, row->interfaces[k]);
}

/* The method that makes a supertype count in method resolution: of an interface, neither private nor static. */
static method_id candidate(const struct program *p, class_id c, sel_id sel)
{
	method_id m = { 0 };

	if (class_row(p, c)->flags & ACCESS_INTERFACE)
		m = program_declared(p, c, sel);
	if (m.i && method_row(p, m)->flags & (ACCESS_PRIVATE | ACCESS_STATIC))
		m.i = 0;
	return m;
}

/* Visits the proper superinterfaces of `c` that this walk has not seen. */
static void visit_superinterfaces(struct hierarchy *h, class_id c, class_list *stack)
{
	push_interfaces(h, c, stack);
	while (stack->len) {
		class_id at = vec_pop(stack);
		if (walk_visits(h, at))
			push_interfaces(h, at, stack);
	}
}

/* Candidates by selector. Classes with many superinterfaces, as those that stand for clients have, are asked for many selectors, one after
 * the other: what declares the selector is looked at, not every interface. */

#ifdef SHERD_TORTURE
#define MANY_INTERFACES 0
#else
#define MANY_INTERFACES 8
#endif

struct declarers {
	uint32_t methods;                  /* of the program below this number are listed */
	VEC(uint32_t) first;               /* by selector: 1 + method; 0: none */
	VEC(uint32_t) next;                /* by method, likewise */
	VEC(uint32_t) above;               /* by class: `asked` of the last class that it is above */
	class_id of;                       /* that class */
	uint32_t asked;
	VEC(method_id) found;
};

void declarers_free(struct declarers *d)
{
	if (!d)
		return;
	vec_release(&d->first);
	vec_release(&d->next);
	vec_release(&d->above);
	vec_release(&d->found);
	free(d);
}

static void list_methods(struct declarers *d, const struct program *p)
{
	while (d->next.len < p->methods.len)
		vec_push(&d->next, 0);
	for (; d->methods < p->methods.len; d->methods++) {
		const struct ir_method *row = method_row(p, (method_id){ d->methods });
		if (!row->owner.i || !(class_row(p, row->owner)->flags & ACCESS_INTERFACE))
			continue;
		while (d->first.len <= row->sel.i)
			vec_push(&d->first, 0);
		d->next.data[d->methods] = d->first.data[row->sel.i];
		d->first.data[row->sel.i] = d->methods + 1;
	}
}

static void ask_about(struct declarers *d, class_id c, struct supertypes s)
{
	if (d->of.i == c.i)
		return;
	d->of = c;
	d->asked++;
	for (uint32_t i = 0; i < s.n; i++) {
		while (d->above.len <= s.classes[i].i)
			vec_push(&d->above, 0);
		d->above.data[s.classes[i].i] = d->asked;
	}
}

static void find_listed(struct hierarchy *h, class_id c, struct supertypes s, sel_id sel, struct declarers *d)
{
	list_methods(d, h->p);
	ask_about(d, c, s);
	for (uint32_t m = sel.i < d->first.len ? d->first.data[sel.i] : 0; m; m = d->next.data[m - 1]) {
		class_id owner = method_row(h->p, (method_id){ m - 1 })->owner;
		bool is_above = owner.i < d->above.len && d->above.data[owner.i] == d->asked;
		if (is_above && candidate(h->p, owner, sel).i == m - 1)
			vec_push(&d->found, ((method_id){ m - 1 }));
	}
}

/* The candidates among the supertypes of c, in d->found. */
static struct declarers *find_candidates(struct hierarchy *h, class_id c, sel_id sel)
{
	struct supertypes s = hierarchy_supertypes(h, c);

	if (!h->declarers)
		h->declarers = mem_zalloc(sizeof(*h->declarers));
	vec_clear(&h->declarers->found);
	if (s.n - s.nclasses >= MANY_INTERFACES) {
		find_listed(h, c, s, sel, h->declarers);
		return h->declarers;
	}
	for (uint32_t i = 0; i < s.n; i++) {
		method_id m = candidate(h->p, s.classes[i], sel);
		if (m.i)
			vec_push(&h->declarers->found, m);
	}
	return h->declarers;
}

/* Few candidates are compared with each other: one of them may be an interface that extends hundreds. */
#define FEW 8

static bool is_above_another(struct hierarchy *h, const struct declarers *d, class_id c)
{
	for (uint32_t i = 0; i < d->found.len; i++) {
		class_id other = method_row(h->p, d->found.data[i])->owner;
		if (other.i != c.i && hierarchy_is_subtype(h, other, c))
			return true;
	}
	return false;
}

static void walk_above_all(struct hierarchy *h, const struct declarers *d)
{
	class_list stack = { 0 };

	walk_start(h);
	for (uint32_t i = 0; i < d->found.len; i++)
		visit_superinterfaces(h, method_row(h->p, d->found.data[i])->owner, &stack);
	vec_release(&stack);
}

/* A candidate is maximally specific when no other candidate is below it. O(superinterfaces). */
static method_id only_specific_default(struct hierarchy *h, const struct declarers *d)
{
	bool are_few = d->found.len <= FEW;
	method_id found = { 0 };
	uint32_t n = 0;

	if (!are_few)
		walk_above_all(h, d);
	for (uint32_t i = 0; i < d->found.len; i++) {
		struct ir_method row = *method_row(h->p, d->found.data[i]);
		if (row.flags & ACCESS_ABSTRACT)
			continue;
		if (are_few ? is_above_another(h, d, row.owner) : !walk_visits(h, row.owner))
			continue;
		found = d->found.data[i];
		n++;
	}
	return n == 1 ? found : (method_id){ 0 };
}

method_id default_method(struct hierarchy *h, class_id c, sel_id sel)
{
	const struct declarers *d = find_candidates(h, c, sel);

	if (d->found.len > 1)
		return only_specific_default(h, d);
	method_id only = d->found.len ? d->found.data[0] : (method_id){ 0 };
	return only.i && !(method_row(h->p, only)->flags & ACCESS_ABSTRACT) ? only : (method_id){ 0 };
}

static method_id any_interface_method(struct hierarchy *h, class_id c, sel_id sel)
{
	struct supertypes s = hierarchy_supertypes(h, c);
	method_id m = { 0 };

	for (uint32_t i = 0; i < s.n && !m.i; i++)
		m = candidate(h->p, s.classes[i], sel);
	return m;
}

static method_id superinterface_method(struct hierarchy *h, class_id c, sel_id sel)
{
	method_id m = default_method(h, c, sel);

	return m.i ? m : any_interface_method(h, c, sel);
}

/* JVMS 5.4.3.3, step 2. */
static method_id superclass_method(const struct program *p, class_id c, sel_id sel)
{
	for (; c.i; c = class_row(p, c)->super) {
		method_id m = program_declared(p, c, sel);
		if (m.i)
			return m;
	}
	return (method_id){ 0 };
}

/* JVMS 5.4.3.4, steps 2 and 3. */
static method_id interface_or_object_method(const struct program *p, class_id c, sel_id sel)
{
	method_id m = program_declared(p, c, sel);

	if (m.i)
		return m;
	m = program_declared(p, p->object, sel);
	if (m.i && ((method_row(p, m)->flags & ACCESS_STATIC) || !(method_row(p, m)->flags & ACCESS_PUBLIC)))
		m.i = 0;
	return m;
}

static enum resolution finish(struct program *p, mref_id m, enum resolution r, method_id target)
{
	struct ir_mref *row = mref_row(p, m);

	row->resolution = (uint8_t)r;
	row->target = target;
	return r;
}

enum resolution resolve_method(struct hierarchy *h, mref_id m)
{
	struct program *p = h->p;
	struct ir_mref ref = *mref_row(p, m);

	if (ref.resolution)
		return ref.resolution;
	program_load(p, ref.owner);
	program_load(p, p->object);
	const struct ir_class *owner = class_row(p, ref.owner);
	if (owner->kind == CLASS_PHANTOM)
		return finish(p, m, RESOLVE_NO_CLASS, (method_id){ 0 });
	if (((owner->flags & ACCESS_INTERFACE) != 0) != ref.is_interface)
		return finish(p, m, RESOLVE_WRONG_KIND, (method_id){ 0 });
	method_id found = polymorphic_method(p, ref.owner, sel_row(p, ref.sel)->name);
	if (found.i)
		return finish(p, m, RESOLVE_POLYMORPHIC, found);
	found = ref.is_interface ? interface_or_object_method(p, ref.owner, ref.sel) :
				   superclass_method(p, ref.owner, ref.sel);
	if (!found.i)
		found = superinterface_method(h, ref.owner, ref.sel);
	if (found.i)
		return finish(p, m, RESOLVE_OK, found);
	return finish(p, m, hierarchy_misses_ancestor(h, ref.owner) ? RESOLVE_INCOMPLETE : RESOLVE_NO_MEMBER, found);
}

/* JVMS 5.4.3.2: the class, its superinterfaces (each, depth first, in the order of declaration), then its
 * superclass, and so on. */
static field_id find_field(struct hierarchy *h, class_id c, sel_id sel)
{
	class_list stack = { 0 };
	field_id f = { 0 };

	walk_start(h);
	for (; c.i && !f.i; c = class_row(h->p, c)->super) {
		vec_push(&stack, c);
		while (stack.len && !f.i) {
			class_id at = vec_pop(&stack);
			if (!walk_visits(h, at))
				continue;
			f = program_declared_field(h->p, at, sel);
			push_interfaces(h, at, &stack);
		}
	}
	vec_release(&stack);
	return f;
}

enum resolution resolve_field(struct hierarchy *h, fref_id f)
{
	struct ir_fref ref = *fref_row(h->p, f);

	if (ref.resolution)
		return ref.resolution;
	program_load(h->p, ref.owner);
	enum resolution r = RESOLVE_OK;
	field_id found = { 0 };
	if (class_row(h->p, ref.owner)->kind == CLASS_PHANTOM)
		r = RESOLVE_NO_CLASS;
	else if (!(found = find_field(h, ref.owner, ref.sel)).i)
		r = hierarchy_misses_ancestor(h, ref.owner) ? RESOLVE_INCOMPLETE : RESOLVE_NO_MEMBER;
	fref_row(h->p, f)->resolution = (uint8_t)r;
	fref_row(h->p, f)->target = found;
	return r;
}
