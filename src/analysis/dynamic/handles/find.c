/* SPDX-License-Identifier: Apache-2.0 */
/* Handles of members: as a Lookup finds them, of what reflection has found, and of constants. Access is not checked: what may not be
 * looked up is not there. */
#include "analysis/dynamic/handles/ask.h"

#include "ir/access.h"

static bool has_meta(struct metas set, meta x)
{
	for (uint32_t i = 0; i < set.n; i++)
		if (set.data[i] == x)
			return true;
	return false;
}

static const struct metas *given(const struct asking *q, uint32_t i)
{
	static const struct metas any = { .is_open = true };

	return i < q->ngiven ? &q->given[i] : &any;
}

static bool has_type(const struct asking *q, sel_id sel)
{
	const struct metas *types = given(q, 2);

	return types->is_open || has_meta(*types, meta_of(META_TYPE, sel_row(q->v->p, sel)->desc.i));
}

/* An invokespecial in each of the classes that may be the caller. */
static void add_special(struct asking *q, class_id c, method_id m)
{
	struct program *p = q->v->p;
	const struct metas *callers = given(q, 3);
	mref_id ref = program_mref(p, c, method_row(p, m)->sel, class_row(p, c)->flags & ACCESS_INTERFACE);

	if (callers->is_open)
		q->open = REASON_CALL;
	for (uint32_t i = 0; i < callers->n; i++) {
		bool is_class = meta_sort(callers->data[i]) == META_CLASS && resolve_method(q->v->h, ref) == RESOLVE_OK;
		method_id to = is_class ? select_special(q->v->h, meta_class(callers->data[i]), ref) : (method_id){ 0 };
		if (to.i)
			asking_add(q, (struct handle){ .op = HANDLE_SPECIAL, .of = to.i, .type = method_row(p, to)->owner });
	}
}

static bool is_polymorphic(const struct program *p, method_id m)
{
	return (method_row(p, m)->flags & ACCESS_NATIVE) && str_is(class_name(p, method_row(p, m)->owner), "java/lang/invoke/MethodHandle");
}

/* A handle of the receiver's method, and the receiver. */
static void add_bound(struct asking *q, class_id c, method_id m)
{
	uint32_t row = handle_row(&q->v->handles, (struct handle){ .op = HANDLE_VIRTUAL, .of = m.i, .type = c });

	asking_add(q, (struct handle){ .op = HANDLE_BIND, .site = q->site, .parts = &row, .nparts = 1 });
}

static void add_method(struct asking *q, class_id c, method_id m)
{
	bool is_static = method_row(q->v->p, m)->flags & ACCESS_STATIC;

	if (is_static != (q->is == ASK_FIND_STATIC))
		return;
	if (q->is == ASK_FIND_SPECIAL)
		add_special(q, c, m);
	else if (is_polymorphic(q->v->p, m))
		asking_add(q, (struct handle){ .op = HANDLE_INVOKER });
	else if (q->is == ASK_FIND_BOUND)
		add_bound(q, c, m);
	else
		asking_add(q, (struct handle){ .op = is_static ? HANDLE_STATIC : HANDLE_VIRTUAL, .of = m.i, .type = c });
}

static bool has_name(const struct asking *q, str_id name)
{
	uint32_t input = q->ngiven > 1 ? q->v->nodes.data[q->node].inputs.data[1] : 0;

	return input && texts_have(q->v, input, name);
}

static bool is_wanted(const struct asking *q, method_id m)
{
	const struct program *p = q->v->p;
	sel_id sel = method_row(p, m)->sel;
	struct str name = sel_name(p, sel);

	if (q->is == ASK_FIND_NEW)
		return str_is(name, "<init>") && has_type(q, sel);
	if (name.p[0] == '<' || !has_name(q, sel_row(p, sel)->name))
		return false;
	return has_type(q, sel) || is_polymorphic(p, m);
}

/* Of a class above it, what the class or one between them does not declare itself. */
static bool is_hidden(const struct program *p, struct supertypes above, uint32_t at, sel_id sel)
{
	for (uint32_t i = 0; i < at; i++)
		if (program_declared(p, above.classes[i], sel).i)
			return true;
	return false;
}

static void find_methods(struct asking *q, class_id c)
{
	struct program *p = q->v->p;
	struct supertypes above = hierarchy_supertypes(q->v->h, c);
	uint32_t n = q->is == ASK_FIND_NEW ? 1 : above.n;

	for (uint32_t i = 0; i < n; i++) {
		struct ir_class row = *class_row(p, above.classes[i]);
		for (uint32_t k = 0; k < row.nmethods; k++) {
			method_id m = { row.first_method + k };
			if (!is_wanted(q, m) || is_hidden(p, above, i, method_row(p, m)->sel))
				continue;
			if (q->is == ASK_FIND_NEW)
				asking_add(q, (struct handle){ .op = HANDLE_NEW, .of = m.i, .type = c });
			else
				add_method(q, c, m);
		}
	}
}

static void add_field(struct asking *q, field_id f, bool is_set)
{
	static const enum handle_op ops[2][2] = { { HANDLE_GETFIELD, HANDLE_GETSTATIC }, { HANDLE_PUTFIELD, HANDLE_PUTSTATIC } };
	bool is_static = field_row(q->v->p, f)->flags & ACCESS_STATIC;

	asking_add(q, (struct handle){ .op = ops[is_set][is_static], .of = f.i, .type = field_row(q->v->p, f)->owner });
}

static void find_fields(struct asking *q, class_id c)
{
	struct program *p = q->v->p;
	struct supertypes above = hierarchy_supertypes(q->v->h, c);
	bool is_static = q->is == ASK_FIND_STATIC_GETTER || q->is == ASK_FIND_STATIC_SETTER;
	bool is_set = q->is == ASK_FIND_SETTER || q->is == ASK_FIND_STATIC_SETTER;

	for (uint32_t i = 0; i < above.n; i++) {
		struct ir_class row = *class_row(p, above.classes[i]);
		for (uint32_t k = 0; k < row.nfields; k++) {
			field_id f = { row.first_field + k };
			struct ir_field is = *field_row(p, f);
			bool is_named = has_name(q, sel_row(p, is.sel)->name);
			if (is_named && !(is.flags & ACCESS_STATIC) == !is_static)
				add_field(q, f, is_set);
		}
	}
}

/* Of members that reflection has found. */
static void unreflect(struct asking *q, meta about)
{
	const struct program *p = q->v->p;

	if (meta_sort(about) == META_FIELD && (q->is == ASK_UNREFLECT_GETTER || q->is == ASK_UNREFLECT_SETTER))
		add_field(q, meta_field(about), q->is == ASK_UNREFLECT_SETTER);
	if (meta_sort(about) != META_METHOD)
		return;
	struct ir_method m = *method_row(p, meta_method(about));
	enum handle_op op = m.flags & ACCESS_STATIC ? HANDLE_STATIC : HANDLE_VIRTUAL;
	bool is_new = str_is(sel_name(p, m.sel), "<init>");
	if (is_new != (q->is == ASK_UNREFLECT_NEW))
		return;
	op = is_new ? HANDLE_NEW : q->is == ASK_UNREFLECT_SPECIAL ? HANDLE_SPECIAL : op;
	asking_add(q, (struct handle){ .op = op, .of = meta_id(about), .type = m.owner });
}

void find_member(struct asking *q, meta about)
{
	struct program *p = q->v->p;

	if (q->is >= ASK_UNREFLECT && q->is <= ASK_UNREFLECT_SETTER) {
		unreflect(q, about);
		return;
	}
	if (meta_sort(about) != META_CLASS)
		return;
	program_load(p, meta_class(about));
	if (class_row(p, meta_class(about))->kind == CLASS_PHANTOM || hierarchy_misses_ancestor(q->v->h, meta_class(about)))
		q->open = REASON_MISSING;
	if (q->is >= ASK_FIND_GETTER && q->is <= ASK_FIND_STATIC_SETTER)
		find_fields(q, meta_class(about));
	else
		find_methods(q, meta_class(about));
}

/* Constants */

static bool find_field_constant(struct values *v, const struct ir_stmt *s, struct handle *out)
{
	static const enum handle_op ops[] = {
		[IR_HANDLE_GETFIELD] = HANDLE_GETFIELD, [IR_HANDLE_GETSTATIC] = HANDLE_GETSTATIC,
		[IR_HANDLE_PUTFIELD] = HANDLE_PUTFIELD, [IR_HANDLE_PUTSTATIC] = HANDLE_PUTSTATIC,
	};
	fref_id f = { s->ref };

	if (resolve_field(v->h, f) != RESOLVE_OK)
		return false;
	field_id to = fref_row(v->p, f)->target;
	*out = (struct handle){ .op = ops[s->sub], .of = to.i, .type = field_row(v->p, to)->owner };
	return true;
}

bool find_constant(struct values *v, class_id in, const struct ir_stmt *s, struct handle *out)
{
	static const enum handle_op ops[] = {
		[IR_HANDLE_VIRTUAL] = HANDLE_VIRTUAL, [IR_HANDLE_STATIC] = HANDLE_STATIC, [IR_HANDLE_SPECIAL] = HANDLE_SPECIAL,
		[IR_HANDLE_NEW] = HANDLE_NEW, [IR_HANDLE_INTERFACE] = HANDLE_VIRTUAL,
	};
	mref_id ref = { s->ref };

	if (ir_is_field_handle(s->sub))
		return find_field_constant(v, s, out);
	enum resolution r = resolve_method(v->h, ref);
	if (r == RESOLVE_POLYMORPHIC && is_polymorphic(v->p, mref_row(v->p, ref)->target)) {
		*out = (struct handle){ .op = HANDLE_INVOKER };
		return true;
	}
	if (r != RESOLVE_OK || s->sub >= ARRAY_LEN(ops))
		return false;
	method_id to = s->sub == IR_HANDLE_SPECIAL ? select_special(v->h, in, ref) : mref_row(v->p, ref)->target;
	class_id type = s->sub == IR_HANDLE_SPECIAL && to.i ? method_row(v->p, to)->owner : mref_row(v->p, ref)->owner;
	*out = (struct handle){ .op = ops[s->sub], .of = to.i, .type = type };
	return to.i != 0;
}
