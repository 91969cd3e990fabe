/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/assume.h"

#include "ir/access.h"

unsigned assume_what(enum dynamic_sort sort)
{
	switch (sort) {
	case DYNAMIC_LOAD:
	case DYNAMIC_INITIALISE:
		return ASSUME_INITIALISERS;
	case DYNAMIC_NEW:
	case DYNAMIC_SERVICE:
	case DYNAMIC_BEAN:
	case DYNAMIC_BUNDLE:
		return ASSUME_DEFAULT_CONSTRUCTORS;
	case DYNAMIC_CONSTRUCT:
		return ASSUME_CONSTRUCTORS;
	case DYNAMIC_INVOKE:
		return ASSUME_METHODS;
	case DYNAMIC_HANDLE:
		return ASSUME_CONSTRUCTORS | ASSUME_METHODS;
	case DYNAMIC_NATIVE:
	case DYNAMIC_OTHER:
	case DYNAMIC_READ:
		return ASSUME_INITIALISERS | ASSUME_CONSTRUCTORS | ASSUME_METHODS;
	default:
		return 0;
	}
}

/* Classes by package, and by the class around all others */

static class_id outermost(const struct program *p, class_id c)
{
	for (uint32_t depth = 0; class_row(p, c)->outer.i && depth < MAX_SUPERCLASSES; depth++)
		c = class_row(p, c)->outer;
	return c;
}

static bool is_loaded(const struct program *p, class_id c)
{
	const struct ir_class *row = class_row(p, c);

	return row->kind == CLASS_FILE && row->state == LOAD_DONE;
}

static uint32_t package_key(struct program *p, class_id c)
{
	return 1 + intern(&p->strings, package_of(class_name(p, c))).i;
}

static void push(struct map *first, class_id *next, uint32_t key, class_id c)
{
	uint32_t *at = map_at(first, key);

	next[c.i].i = *at;
	*at = c.i;
}

void assume_init(struct assume *a, struct hierarchy *h)
{
	*a = (struct assume){ .h = h, .p = h->p, .nclasses = h->p->classes.len };
	a->next_in_package = mem_zalloc(a->nclasses * sizeof(class_id));
	a->next_in_nest = mem_zalloc(a->nclasses * sizeof(class_id));
	for (uint32_t i = a->nclasses; i-- > 1;) {
		class_id c = { i };
		if (!is_loaded(a->p, c))
			continue;
		push(&a->first_in_package, a->next_in_package, package_key(a->p, c), c);
		push(&a->first_in_nest, a->next_in_nest, outermost(a->p, c).i, c);
	}
}

void assume_release(struct assume *a)
{
	free(a->next_in_package);
	free(a->next_in_nest);
	map_release(&a->first_in_package);
	map_release(&a->first_in_nest);
	lists_release(&a->below);
	map_release(&a->is_listed);
}

/* Parts */

void assume_parts(const struct assume *a, enum dynamic_level level, unsigned what, class_id from,
		  void (*fn)(void *ctx, unsigned what, enum assume_part part, uint32_t key), void *ctx)
{
	unsigned rest = what & ~(unsigned)ASSUME_INITIALISERS;

	if (level == DYNAMIC_BEHAVED) {
		fn(ctx, what, ASSUME_ALL, 0);
		return;
	}
	/* The JVM runs initialisers, for which there is no access control. */
	if (what & ASSUME_INITIALISERS)
		fn(ctx, ASSUME_INITIALISERS, ASSUME_ALL, 0);
	if (!rest)
		return;
	fn(ctx, rest, ASSUME_PUBLIC, 0);
	if (!from.i)
		return;
	fn(ctx, rest, ASSUME_PACKAGE, package_key(a->p, from));
	fn(ctx, rest, ASSUME_NEST, outermost(a->p, from).i);
	if (rest & ASSUME_METHODS)
		fn(ctx, ASSUME_METHODS, ASSUME_INHERITED, from.i);
}

/* Methods */

struct choice {
	struct assume *a;
	unsigned what;
	enum assume_part part;
	void (*fn)(void *ctx, method_id m);
	void *ctx;
};

static bool is_wanted(const struct choice *k, struct ir_method m)
{
	const struct program *p = k->a->p;
	struct str name = sel_name(p, m.sel);

	if (m.flags & ACCESS_ABSTRACT)
		return false;
	if (name.p[0] != '<')
		return k->what & ASSUME_METHODS;
	if (str_is(name, "<clinit>"))
		return k->what & ASSUME_INITIALISERS;
	if (class_row(p, m.owner)->flags & ACCESS_ABSTRACT)
		return false;
	return (k->what & ASSUME_CONSTRUCTORS) || ((k->what & ASSUME_DEFAULT_CONSTRUCTORS) && sel_row(p, m.sel)->nargs == 0);
}

static bool is_in_part(const struct choice *k, struct ir_method m)
{
	unsigned access = m.flags & (ACCESS_PUBLIC | ACCESS_PRIVATE | ACCESS_PROTECTED);

	switch (k->part) {
	case ASSUME_PUBLIC:
		return access == ACCESS_PUBLIC;
	case ASSUME_PACKAGE:
		return access == 0 || access == ACCESS_PROTECTED;
	case ASSUME_NEST:
		return access == ACCESS_PRIVATE;
	default:
		return true;
	}
}

static void choose_of(const struct choice *k, class_id c)
{
	struct ir_class row = *class_row(k->a->p, c);

	for (uint32_t i = 0; i < row.nmethods; i++) {
		struct ir_method m = *method_row(k->a->p, (method_id){ row.first_method + i });
		if (is_in_part(k, m) && is_wanted(k, m))
			k->fn(k->ctx, (method_id){ row.first_method + i });
	}
}

/* Did a class within `c`, from `from` on, inherit from `super`? */
static bool is_inherited_within(const struct choice *k, class_id from, class_id c, class_id super)
{
	for (; from.i != c.i; from = class_row(k->a->p, from)->outer)
		if (hierarchy_is_subclass(k->a->h, from, super))
			return true;
	return false;
}

/* Protected methods that a class inherits from other packages, and those within it, from `from` on, do not. */
static void choose_inherited(struct choice *k, class_id from, class_id c)
{
	struct program *p = k->a->p;
	struct supertypes above = hierarchy_supertypes(k->a->h, c);
	uint32_t package = package_key(p, c);

	for (uint32_t i = 1; i < above.nclasses; i++) {
		struct ir_class row = *class_row(p, above.classes[i]);
		if (package_key(p, above.classes[i]) == package || is_inherited_within(k, from, c, above.classes[i]))
			continue;
		for (uint32_t j = 0; j < row.nmethods; j++) {
			struct ir_method m = *method_row(p, (method_id){ row.first_method + j });
			if ((m.flags & ACCESS_PROTECTED) && sel_name(p, m.sel).p[0] != '<' && is_wanted(k, m))
				k->fn(k->ctx, (method_id){ row.first_method + j });
		}
	}
}

void assume_methods(struct assume *a, unsigned what, enum assume_part part, class_id from, void (*fn)(void *ctx, method_id m), void *ctx)
{
	struct choice k = { a, what, part, fn, ctx };

	if (part == ASSUME_PACKAGE) {
		for (class_id c = { map_get(&a->first_in_package, package_key(a->p, from)) }; c.i; c = a->next_in_package[c.i])
			choose_of(&k, c);
		return;
	}
	if (part == ASSUME_NEST) {
		for (class_id c = { map_get(&a->first_in_nest, outermost(a->p, from).i) }; c.i; c = a->next_in_nest[c.i])
			choose_of(&k, c);
		return;
	}
	if (part == ASSUME_INHERITED) {
		class_id c = from;
		for (uint32_t depth = 0; c.i && depth < MAX_SUPERCLASSES; depth++, c = class_row(a->p, c)->outer)
			choose_inherited(&k, from, c);
		return;
	}
	for (uint32_t i = 1; i < a->nclasses; i++)
		if (is_loaded(a->p, (class_id){ i }))
			choose_of(&k, (class_id){ i });
}

static bool is_seen(const struct program *p, struct ir_method m, class_id from)
{
	if ((m.flags & ACCESS_PUBLIC) || str_is(sel_name(p, m.sel), "<clinit>"))
		return true;
	if (m.flags & ACCESS_PRIVATE)
		return outermost(p, m.owner).i == outermost(p, from).i;
	return str_eq(package_of(class_name(p, m.owner)), package_of(class_name(p, from)));
}

/* Many calls are cast to the same few types. */
static void list_below(struct assume *a, class_id type)
{
	uint32_t *is_listed = map_at(&a->is_listed, type.i);

	if (*is_listed)
		return;
	*is_listed = 1;
	for (uint32_t i = 1; i < a->nclasses; i++)
		if (is_loaded(a->p, (class_id){ i }) && hierarchy_is_subtype(a->h, (class_id){ i }, type))
			lists_add(&a->below, type.i, i);
}

void assume_below(struct assume *a, unsigned what, class_id type, class_id from, void (*fn)(void *ctx, method_id m), void *ctx)
{
	struct choice k = { a, what, ASSUME_ALL, fn, ctx };

	list_below(a, type);
	for (uint32_t r = lists_first(&a->below, type.i, false); r; r = lists_next(&a->below, r)) {
		struct ir_class row = *class_row(a->p, (class_id){ lists_number(&a->below, r) });
		for (uint32_t j = 0; j < row.nmethods; j++) {
			struct ir_method m = *method_row(a->p, (method_id){ row.first_method + j });
			if (is_wanted(&k, m) && is_seen(a->p, m, from))
				fn(ctx, (method_id){ row.first_method + j });
		}
	}
}
