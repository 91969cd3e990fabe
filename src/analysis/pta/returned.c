/* SPDX-License-Identifier: Apache-2.0 */
/* What objects of unknown class give back: results of calls on them, and their fields. They are unknown in turn, and of the declared
 * type. Whether they can be of the program's own types is a matter of what is declared, too: an unknown object of the program's may
 * return a List<Handler> or an Object, and what is taken from these may be any of its types; a Set<String> and a TimeZone have nothing
 * to do with them. Class files tell these apart by generic signatures. */
#include "analysis/pta/pta_p.h"

#include "ir/access.h"

static bool is_clone(const struct pta *a, mref_id m)
{
	return m.i && str_is(sel_name(a->p, mref_row(a->p, m)->sel), "clone") && sel_row(a->p, mref_row(a->p, m)->sel)->nargs == 0;
}

/* Generic signatures */

static struct str signature(struct pta *a, class_id c, method_id m)
{
	program_load(a->p, c);
	return a->p->source.signature ? a->p->source.signature(a->p->source.ctx, a->p, c, m) : (struct str){ 0 };
}

struct mentions { bool own, variable; };         /* what a type says: a type of the program's, one that is not known here */

static uint32_t name_end(struct str s, uint32_t i)
{
	while (i < s.len && !memchr("<;.", s.p[i], 3))
		i++;
	return i;
}

/* The types that are named from `i` on, to the end. */
static struct mentions mentions_in(struct pta *a, struct str s, uint32_t i)
{
	struct mentions found = { 0 };

	while (i < s.len) {
		char sort = s.p[i++];
		if (sort == '*' || sort == 'T')
			found.variable = true;
		if (!memchr("LT.", sort, 3))
			continue;
		uint32_t end = name_end(s, i);
		class_id c = sort == 'L' ? program_find_class(a->p, (struct str){ s.p + i, end - i }) : (class_id){ 0 };
		found.own |= c.i && is_own(a, c);
		i = end;
	}
	return found;
}

static uint32_t result_in(struct str s)
{
	uint32_t i = s.len;

	while (i && s.p[i - 1] != ')')
		i--;
	return i;
}

static bool is_generic(struct pta *a, class_id c)
{
	struct str s = signature(a, c, (method_id){ 0 });

	return s.len && s.p[0] == '<';
}

/* Can what the method returns be, or hold, something of the program's types? */
static bool may_give_own(struct pta *a, mref_id ref, class_id type)
{
	struct ir_mref m = *mref_row(a->p, ref);
	bool is_resolved = resolve_method(&a->h, ref) == RESOLVE_OK;
	method_id target = is_resolved ? mref_row(a->p, ref)->target : (method_id){ 0 };
	class_id declares = is_resolved ? method_row(a->p, target)->owner : m.owner;
	struct str s = is_resolved ? signature(a, declares, target) : (struct str){ 0 };
	struct mentions found = mentions_in(a, s, result_in(s));

	if (!type.i || type.i == a->p->object.i || type.i == a->object_array.i || is_own(a, type) || found.own || found.variable)
		return true;
	bool is_parametrised = s.len && memchr(s.p + result_in(s), '<', s.len - result_in(s));
	return !is_parametrised && (is_own(a, declares) || is_generic(a, type));
}

/* Calls */

static enum unknown_origin result_origin(struct pta *a, uint32_t in, mref_id m, class_id type, uint32_t kind)
{
	if (!is_unknown_kind(a, kind))           /* the method is missing */
		return origin_in(a, a->instances.data[in].method);
	return unknown_origin(a, kind) == OWN && (!m.i || may_give_own(a, m, type)) ? OWN : FOREIGN;
}

/* A clone is of the class of what it is made of. The types of what libraries' methods give back on objects that others found would be
 * hundreds, in all sets that hold objects of any type anyway, since unknown collections give these. */
void unknown_result(struct pta *a, uint32_t in, const struct t_stmt *s, uint32_t kind)
{
	mref_id m = a->sites.data[s->ref].link.site.mref;

	if (is_unknown_kind(a, kind) && is_clone(a, m)) {
		solver_add(a->s, variable_node(a, in, s->to), solver_kind_object(a->s, (kind_id){ kind }));
		return;
	}
	class_id type = m.i ? sel_result(a->p, mref_row(a->p, m)->sel) : (class_id){ 0 };

	if (type.i && class_row(a->p, type)->kind == CLASS_PRIMITIVE)
		return;
	enum unknown_origin origin = result_origin(a, in, m, type, kind);
	if (origin == FOREIGN && m.i && !is_application(a, mref_row(a->p, m)->owner))
		type = (class_id){ 0 };
	solver_add(a->s, variable_node(a, in, s->to), unknown_object(a, type, origin));
}

/* A method of a library that is declared to return an Object, and no type variable, may have made it: as what it likes. */
static bool makes_objects(struct pta *a, mref_id ref)
{
	struct ir_mref m = *mref_row(a->p, ref);

	if (sel_result(a->p, m.sel).i != a->p->object.i || is_own(a, m.owner) || is_clone(a, ref))
		return false;
	if (resolve_method(&a->h, ref) != RESOLVE_OK)
		return false;
	method_id target = mref_row(a->p, ref)->target;
	struct str s = signature(a, method_row(a->p, target)->owner, target);
	return !mentions_in(a, s, result_in(s)).variable;
}

static void watch_unknown(struct pta *a, node_id n, mask_id arriving, node_id to, class_id type)
{
	vec_push(&a->watches, ((struct watch){ .sort = WATCH_UNKNOWN, .stmt = type.i, .node = to }));
	solver_watch(a->s, n, arriving, a->watches.len - 1);
}

void watch_result(struct pta *a, uint32_t in, const struct t_stmt *s)
{
	mref_id m = a->sites.data[s->ref].link.site.mref;
	bool is_dynamic = a->sites.data[s->ref].dynamic || a->sites.data[s->ref].link.dynamic;
	bool is_asked = s->to && m.i && !is_dynamic && origin_in(a, a->instances.data[in].method) == OWN;

	if (is_asked && makes_objects(a, m))
		watch_unknown(a, variable_node(a, in, s->to), a->kinds.only[FOREIGN], variable_node(a, in, s->to), (class_id){ 0 });
}

/* Fields and elements */

void element_of_unknown(struct pta *a, uint32_t in, const struct t_stmt *s)
{
	if (origin_in(a, a->instances.data[in].method) == OWN)
		watch_unknown(a, variable_node(a, in, s->from), a->kinds.only[OWN], variable_node(a, in, s->to), (class_id){ s->ref });
}

void load_of_unknown(struct pta *a, node_id from, node_id to, field_id f)
{
	class_id type = field_type(a, f);

	if (is_own(a, field_row(a->p, f)->owner) && !is_constant_type(a, type))
		watch_unknown(a, from, a->kinds.only[OWN], to, type);
}

void unknown_watch(struct pta *a, uint32_t watch, struct set_view news)
{
	struct watch w = a->watches.data[watch];

	(void)news;
	solver_add(a->s, w.node, unknown_object(a, (class_id){ w.stmt }, OWN));
}
