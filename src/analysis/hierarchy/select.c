/* SPDX-License-Identifier: Apache-2.0 */
/* Overriding and selection, JVMS 5.4.5 and 5.4.6. */
#include "analysis/hierarchy/hierarchy_p.h"
#include "ir/access.h"

/* Can `m`, declared in a subclass, override the package-private `base`? Directly in the same package, or
 * through a method in between that overrides it and that `m` overrides. */
static bool overrides_package_private(const struct program *p, method_id m, method_id base)
{
	class_id sub = method_row(p, m)->owner, top = method_row(p, base)->owner;

	if (same_package(p, sub, top))
		return true;
	for (class_id c = class_row(p, sub)->super; c.i && c.i != top.i; c = class_row(p, c)->super) {
		method_id between = program_declared(p, c, method_row(p, m)->sel);
		uint16_t flags = between.i ? method_row(p, between)->flags : 0;
		if (!between.i || (flags & (ACCESS_PRIVATE | ACCESS_STATIC)))
			continue;
		bool m_overrides = (flags & (ACCESS_PUBLIC | ACCESS_PROTECTED)) || same_package(p, sub, c);
		if (m_overrides && same_package(p, c, top))
			return true;
	}
	return false;
}

/* JVMS 5.4.5, for methods with the same selector. */
static bool can_override(const struct program *p, method_id m, method_id base)
{
	uint16_t flags = method_row(p, m)->flags, base_flags = method_row(p, base)->flags;

	if (flags & (ACCESS_PRIVATE | ACCESS_STATIC))
		return false;
	if (base_flags & (ACCESS_PUBLIC | ACCESS_PROTECTED))
		return true;
	return overrides_package_private(p, m, base);
}

static method_id concrete(const struct program *p, method_id m)
{
	return m.i && (method_row(p, m)->flags & ACCESS_ABSTRACT) ? (method_id){ 0 } : m;
}

method_id select_method(struct hierarchy *h, class_id c, method_id resolved)
{
	struct program *p = h->p;
	struct ir_method base = *method_row(p, resolved);

	if (base.flags & ACCESS_PRIVATE)
		return resolved;
	program_load(p, c);
	for (class_id k = c; k.i; k = class_row(p, k)->super) {
		method_id m = program_declared(p, k, base.sel);
		if (m.i && (m.i == resolved.i || can_override(p, m, resolved)))
			return concrete(p, m);
	}
	return default_method(h, c, base.sel);
}

method_id select_interface(struct hierarchy *h, class_id c, method_id resolved)
{
	method_id m = select_method(h, c, resolved);
	bool may_run = m.i && (method_row(h->p, m)->flags & (ACCESS_PUBLIC | ACCESS_PRIVATE));

	return may_run ? m : (method_id){ 0 };
}

/* The selection of invokespecial from `c` on: an instance method of `c` or its superclasses; a public one of
 * Object when `c` is an interface; then the default. */
static method_id lookup_special(struct hierarchy *h, class_id c, sel_id sel)
{
	struct program *p = h->p;
	bool is_interface = (class_row(p, c)->flags & ACCESS_INTERFACE) != 0;

	for (class_id k = c; k.i; k = class_row(p, k)->super) {
		method_id m = program_declared(p, k, sel);
		uint16_t flags = m.i ? method_row(p, m)->flags : ACCESS_STATIC;
		if (!(flags & ACCESS_STATIC) && (k.i == c.i || !is_interface || (flags & ACCESS_PUBLIC)))
			return concrete(p, m);
	}
	return default_method(h, c, sel);
}

method_id select_special(struct hierarchy *h, class_id from, mref_id m)
{
	struct program *p = h->p;
	struct ir_mref ref = *mref_row(p, m);

	if (str_eq(sel_name(p, ref.sel), STR("<init>")))
		return method_row(p, ref.target)->owner.i == ref.owner.i ? ref.target : (method_id){ 0 };
	program_load(p, from);
	bool is_super = !ref.is_interface && ref.owner.i != from.i && hierarchy_is_subclass(h, from, ref.owner);
	return lookup_special(h, is_super ? class_row(p, from)->super : ref.owner, ref.sel);
}
