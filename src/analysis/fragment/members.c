/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/fragment/members.h"

#define HIDDEN UINT32_MAX          /* in `method_at`: there is such a member, but not one to name */

struct collector {
	struct hierarchy *h;
	struct program *p;
	class_id c;
	struct members *out;
	struct map method_at;         /* selector -> 1 + index in out->methods, or HIDDEN */
	struct map field_owner;       /* name -> the class whose field hides all others */
};

void members_release(struct members *m)
{
	vec_release(&m->methods);
	vec_release(&m->fields);
}

/* Does `c` have a member with these flags that `owner` declares? */
static bool is_inherited(const struct collector *k, class_id owner, uint16_t flags)
{
	if (flags & ACCESS_PRIVATE)
		return false;
	if (owner.i == k->c.i || (flags & ACCESS_PUBLIC))
		return true;
	if (is_interface(k->p, k->c))
		return false;         /* interfaces have only the public members of Object */
	return (flags & ACCESS_PROTECTED) ||
	       str_eq(package_of(class_name(k->p, owner)), package_of(class_name(k->p, k->c)));
}

static bool is_method_inherited(const struct collector *k, class_id owner, struct ir_method row)
{
	bool is_special = sel_name(k->p, row.sel).p[0] == '<';

	if (str_is(sel_name(k->p, row.sel), "<clinit>") || (is_special && owner.i != k->c.i))
		return false;
	if ((row.flags & ACCESS_STATIC) && owner.i != k->c.i && is_interface(k->p, owner))
		return false;
	return is_inherited(k, owner, row.flags);
}

/* Of interfaces, one that extends the other has the more specific method. A class is always more specific. */
static void take_method(struct collector *k, method_id m)
{
	struct ir_method row = *method_row(k->p, m);
	uint32_t *at = map_at(&k->method_at, row.sel.i);

	if (*at == 0) {
		vec_push(&k->out->methods, m);
		*at = k->out->methods.len;
		return;
	}
	if (*at == HIDDEN)
		return;
	method_id *before = &k->out->methods.data[*at - 1];
	class_id owner = method_row(k->p, *before)->owner;
	if (is_interface(k->p, owner) && owner.i != row.owner.i && hierarchy_is_subtype(k->h, row.owner, owner))
		*before = m;
}

/* Is there a public method with code to inherit, in a superclass of `c` that clients cannot name? */
static bool inherits_from_hidden(const struct program *p, class_id c, sel_id sel)
{
	while ((c = class_row(p, c)->super).i) {
		method_id m = program_declared(p, c, sel);
		uint16_t flags = m.i ? method_row(p, m)->flags : ACCESS_SYNTHETIC;
		if (!(flags & ACCESS_SYNTHETIC))
			return (flags & (ACCESS_PUBLIC | ACCESS_ABSTRACT)) == ACCESS_PUBLIC &&
			       !(class_row(p, c)->flags & ACCESS_PUBLIC);
	}
	return false;
}

/* (name, parameter types) of a method. */
static uint64_t name_key(struct program *p, sel_id sel)
{
	struct str desc = sel_desc(p, sel);
	int64_t close = str_rfind(desc, ')');
	str_id params = intern(&p->strings, str_sub(desc, 0, close < 0 ? desc.len : (uint32_t)close));

	return map_key(sel_row(p, sel)->name.i, params.i);
}

/* Most bridges lead to a method of the same class that overrides another one, which is no member any more. The others
 * make a method of a superclass that is not public callable: there that method is the member. Where both are possible
 * the member stays. */
static void hide_bridged(struct collector *k, const struct map *own, class_id owner, sel_id sel)
{
	if (!inherits_from_hidden(k->p, owner, sel) || map_get(own, name_key(k->p, sel))) {
		uint32_t *at = map_at(&k->method_at, sel.i);
		*at = *at ? *at : HIDDEN;
	}
}

static void take_methods(struct collector *k, class_id owner)
{
	struct ir_class row = *class_row(k->p, owner);
	struct map own = { 0 };       /* by name_key: methods that somebody wrote */

	for (uint32_t i = 0; i < row.nmethods; i++) {
		struct ir_method m = *method_row(k->p, (method_id){ row.first_method + i });
		if (m.flags & ACCESS_SYNTHETIC)
			continue;
		*map_at(&own, name_key(k->p, m.sel)) = 1;
		if (is_method_inherited(k, owner, m))
			take_method(k, (method_id){ row.first_method + i });
	}
	for (uint32_t i = 0; i < row.nmethods; i++) {
		struct ir_method m = *method_row(k->p, (method_id){ row.first_method + i });
		if (m.flags & ACCESS_SYNTHETIC)
			hide_bridged(k, &own, owner, m.sel);
	}
	map_release(&own);
}

static void take_fields(struct collector *k, class_id owner)
{
	struct ir_class row = *class_row(k->p, owner);

	for (uint32_t i = 0; i < row.nfields; i++) {
		field_id f = { row.first_field + i };
		struct ir_field field = *field_row(k->p, f);
		if ((field.flags & ACCESS_SYNTHETIC) || !is_inherited(k, owner, field.flags))
			continue;
		uint32_t *at = map_at(&k->field_owner, sel_row(k->p, field.sel)->name.i);
		if (*at == 0)
			*at = owner.i;
		if (*at == owner.i)
			vec_push(&k->out->fields, f);
	}
}

void members_of(struct hierarchy *h, class_id c, struct members *out)
{
	struct supertypes s = hierarchy_supertypes(h, c);
	struct collector k = { .h = h, .p = h->p, .c = c, .out = out };

	for (uint32_t i = 0; i < s.n; i++) {
		take_methods(&k, s.classes[i]);
		take_fields(&k, s.classes[i]);
	}
	map_release(&k.method_at);
	map_release(&k.field_owner);
}

method_id members_method(const struct program *p, const struct members *m, sel_id sel)
{
	for (uint32_t i = 0; i < m->methods.len; i++)
		if (method_row(p, m->methods.data[i])->sel.i == sel.i)
			return m->methods.data[i];
	return (method_id){ 0 };
}

field_id members_field(const struct program *p, const struct members *m, struct str name)
{
	field_id found = { 0 };

	for (uint32_t i = 0; i < m->fields.len; i++) {
		if (!str_eq(sel_name(p, field_row(p, m->fields.data[i])->sel), name))
			continue;
		if (found.i)
			return (field_id){ 0 };
		found = m->fields.data[i];
	}
	return found;
}
