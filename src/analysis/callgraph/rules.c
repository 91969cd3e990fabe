/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c - what a receiver selects at a dispatched call. */
#include "analysis/callgraph/dispatch.h"
#include "analysis/callgraph/link.h"
#include "ir/access.h"

struct key key_for(const struct program *p, mref_id m)
{
	const struct ir_mref *ref = mref_row(p, m);
	enum key_rule rule = !ref->target.i ? KEY_SELECTOR : ref->is_interface ? KEY_INTERFACE : KEY_VIRTUAL;

	return (struct key){ .owner = ref->owner, .resolved = ref->target, .sel = ref->sel, .rule = (uint8_t)rule };
}

static bool is_concrete(const struct program *p, method_id m)
{
	return m.i && !(method_row(p, m)->flags & (ACCESS_STATIC | ACCESS_ABSTRACT));
}

/* The first method with this selector in the class and its superclasses that a subclass could inherit. */
static method_id inherited_method(const struct program *p, class_id c, sel_id sel)
{
	for (; c.i; c = class_row(p, c)->super) {
		method_id m = program_declared(p, c, sel);
		if (m.i && !(method_row(p, m)->flags & (ACCESS_STATIC | ACCESS_PRIVATE)))
			return m;
	}
	return (method_id){ 0 };
}

static method_id select_by_selector(struct hierarchy *h, class_id c, sel_id sel)
{
	method_id m = inherited_method(h->p, c, sel);

	return m.i ? m : default_method(h, c, sel);
}

method_id key_select(struct hierarchy *h, const struct key *k, class_id receiver)
{
	method_id m;

	if (k->rule == KEY_VIRTUAL)
		m = select_method(h, receiver, k->resolved);
	else if (k->rule == KEY_INTERFACE)
		m = select_interface(h, receiver, k->resolved);
	else
		m = select_by_selector(h, receiver, k->sel);
	return is_concrete(h->p, m) ? m : (method_id){ 0 };
}

bool key_is_open(const struct program *p, const struct key *k)
{
	bool is_private = k->resolved.i && (method_row(p, k->resolved)->flags & ACCESS_PRIVATE);

	return k->rule <= KEY_SELECTOR && !is_private && !(class_row(p, k->owner)->flags & ACCESS_FINAL);
}

method_id open_select(const struct program *p, class_id receiver, sel_id sel)
{
	method_id m = inherited_method(p, receiver, sel);
	bool fits = is_concrete(p, m) && method_row(p, m)->owner.i != p->object.i && sel_name(p, sel).p[0] != '<';

	return fits ? m : (method_id){ 0 };
}

method_id dispatch_select(struct hierarchy *h, mref_id m, class_id receiver, bool *is_incomplete)
{
	resolve_method(h, m);
	program_load(h->p, receiver);
	struct key k = key_for(h->p, m);
	method_id found = { 0 };
	if (!hierarchy_is_subtype(h, receiver, k.owner)) {
		bool is_open = key_is_open(h->p, &k) && hierarchy_misses_ancestor(h, receiver);
		return is_open ? open_select(h->p, receiver, k.sel) : found;
	}
	if (class_row(h->p, receiver)->kind != CLASS_PHANTOM)
		found = key_select(h, &k, receiver);
	if (!found.i && hierarchy_misses_ancestor(h, receiver))
		*is_incomplete = true;
	return found;
}
