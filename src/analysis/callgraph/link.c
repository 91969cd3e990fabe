/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/callgraph/link.h"

#include "ir/access.h"

static void read_dynamic_table(struct linker *l)
{
	static const struct {
		const char *cls, *name;
		enum dynamic_sort sort;
		enum cg_cause cause;
	} rows[] = {
#define DYNAMIC(cls, name, sort, cause) { cls, name, DYNAMIC_##sort, CG_##cause },
#include "analysis/dynamic/features.def"
#undef DYNAMIC
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		class_id c = program_class(l->p, str_of(rows[i].cls));
		str_id name = intern(&l->p->strings, str_of(rows[i].name));
		*map_at(&l->dynamic, map_key(c.i, name.i)) = (uint32_t)rows[i].sort << 8 | rows[i].cause;
	}
}

void linker_init(struct linker *l, struct hierarchy *h)
{
	*l = (struct linker){ .p = h->p, .h = h };
	l->jvm = program_class(l->p, STR("sherd/JVM"));
	l->method_type = program_class(l->p, STR("java/lang/invoke/MethodType"));
	l->method_handle = program_class(l->p, STR("java/lang/invoke/MethodHandle"));
	l->clinit = program_sel(l->p, STR("<clinit>"), STR("()V"));
	program_load(l->p, l->jvm);
	read_dynamic_table(l);
	loaders_init(&l->loaders, l->p);
}

void linker_release(struct linker *l)
{
	map_release(&l->dynamic);
}

struct caller link_caller(const struct linker *l, method_id m)
{
	const struct ir_method *row = method_row(l->p, m);
	bool is_model = row->flags & ACCESS_NATIVE;

	return (struct caller){ .m = m, .cls = row->owner, .is_outside = row->owner.i == l->jvm.i, .is_model = is_model,
				.is_unseen = class_row(l->p, row->owner)->is_unseen,
				.is_made = is_model || class_row(l->p, row->owner)->kind == CLASS_SYNTHETIC };
}

/* Calls */

/* Clients that nobody has seen have one variable for all that is of a type: to follow what they do by name would say that they do
 * everything. */
static void link_dynamic(const struct linker *l, struct link *k, const struct caller *from, method_id target)
{
	const struct ir_method *row = method_row(l->p, target);
	uint32_t is = map_get(&l->dynamic, map_key(row->owner.i, sel_row(l->p, row->sel)->name.i));

	if (!is && loaders_has(&l->loaders, l->h, target))
		is = (uint32_t)DYNAMIC_FIND << 8 | CG_REFLECTION;
	k->dynamic = from->is_unseen ? DYNAMIC_NONE : (enum dynamic_sort)(is >> 8);
	k->site.cause = (uint8_t)is;
}

static bool may_access(struct linker *l, const struct caller *from, mref_id m)
{
	return from->is_made ||
	       (access_class(l->p, from->cls, mref_row(l->p, m)->owner) && access_method(l->h, from->cls, m));
}

static bool is_dispatched(unsigned op)
{
	return op == IR_CALL_VIRTUAL || op == IR_CALL_INTERFACE;
}

/* invokespecial means something only in a class; a lambda runs it for the class that it was written in. */
static class_id special_class(const struct linker *l, const struct caller *from)
{
	const struct ir_class *row = class_row(l->p, from->cls);

	return row->kind == CLASS_SYNTHETIC && row->outer.i ? row->outer : from->cls;
}

/* A resolved call that the caller may make; false when the JVM would throw instead. */
static bool link_resolved(struct linker *l, const struct caller *from, struct link *k)
{
	struct ir_mref ref = *mref_row(l->p, k->site.mref);
	struct ir_method target = *method_row(l->p, ref.target);
	bool is_static = target.flags & ACCESS_STATIC;
	method_id m = ref.target;

	if (is_static != (k->site.op == IR_CALL_STATIC))
		return false;
	if (is_static)
		k->initialises = target.owner;
	if (is_dispatched(k->site.op) && class_row(l->p, ref.owner)->kind != CLASS_ARRAY) {
		k->sort = LINK_DISPATCHED;
		return true;
	}
	if (k->site.op == IR_CALL_SPECIAL)
		m = select_special(l->h, special_class(l, from), k->site.mref);
	if (!m.i || (method_row(l->p, m)->flags & ACCESS_ABSTRACT))
		return false;
	k->sort = LINK_ONE;
	k->target = m;
	return true;
}

/* A reference that does not resolve. What is missing may be a class whose subclasses are known. */
static void link_unresolved(const struct caller *from, struct link *k, enum resolution r)
{
	bool is_missing = r == RESOLVE_NO_CLASS || r == RESOLVE_INCOMPLETE;

	k->site.cause = is_missing ? CG_MISSING : CG_LINK_ERROR;
	if (is_missing && is_dispatched(k->site.op) && !from->is_made)
		k->sort = LINK_DISPATCHED;
}

/* A model that uses a method of sherd/JVM does what that method does: the pseudo class has no place in the graph. The
 * JVM itself needs no call: its methods are roots. */
static struct link link_jvm_method(const struct caller *from, method_id target)
{
	if (from->is_outside)
		return (struct link){ .sort = LINK_NOTHING };
	return (struct link){ .sort = LINK_INLINED, .target = target };
}

struct link link_call(struct linker *l, const struct caller *from, const struct ir_stmt *s)
{
	struct link k = { .site = { .pc = s->pc, .op = (uint8_t)s->op, .mref = { s->ref },
				    .implied = (s->sub != IR_CALL_WRITTEN && s->sub != IR_CALL_TARGET) || from->is_made } };
	enum resolution r = resolve_method(l->h, k.site.mref);
	method_id target = mref_row(l->p, k.site.mref)->target;

	if (r == RESOLVE_OK && method_row(l->p, target)->owner.i == l->jvm.i)
		return link_jvm_method(from, target);
	if (r == RESOLVE_POLYMORPHIC) {
		k.site.cause = s->sub == IR_CALL_TARGET ? CG_BOOTSTRAP : CG_METHOD_HANDLE;
		k.site.op = s->sub == IR_CALL_TARGET ? IR_CALL_DYNAMIC : k.site.op;
		k.dynamic = method_row(l->p, target)->owner.i == l->method_handle.i ? DYNAMIC_HANDLE : DYNAMIC_NONE;
		k.sort = LINK_ONE;
		k.target = target;
	} else if (r != RESOLVE_OK) {
		link_unresolved(from, &k, r);
	} else if (!may_access(l, from, k.site.mref) || !link_resolved(l, from, &k)) {
		k.site.cause = CG_LINK_ERROR;
	} else if (!from->is_model) {
		link_dynamic(l, &k, from, target);
	}
	bool failed = k.site.cause == CG_MISSING || k.site.cause == CG_LINK_ERROR;
	k.is_listed = !from->is_outside && !(failed && from->is_made);
	return k;
}

bool link_handle(const struct ir_stmt *handle, struct ir_stmt *call)
{
	static const uint8_t ops[] = {
		[IR_HANDLE_VIRTUAL] = IR_CALL_VIRTUAL, [IR_HANDLE_STATIC] = IR_CALL_STATIC,
		[IR_HANDLE_SPECIAL] = IR_CALL_SPECIAL, [IR_HANDLE_NEW] = IR_CALL_SPECIAL,
		[IR_HANDLE_INTERFACE] = IR_CALL_INTERFACE,
	};

	if (handle->sub < IR_HANDLE_VIRTUAL || handle->sub > IR_HANDLE_INTERFACE)
		return false;
	*call = (struct ir_stmt){ .op = ops[handle->sub], .sub = IR_CALL_LOWERED, .pc = handle->pc,
				  .ref = handle->ref };
	return true;
}

/* Classes */

static class_id field_owner(struct linker *l, fref_id f)
{
	if (resolve_field(l->h, f) != RESOLVE_OK)
		return (class_id){ 0 };
	return field_row(l->p, fref_row(l->p, f)->target)->owner;
}

static class_id handle_initialises(struct linker *l, const struct ir_stmt *s)
{
	switch (s->sub) {
	case IR_HANDLE_GETSTATIC:
	case IR_HANDLE_PUTSTATIC:
		return field_owner(l, (fref_id){ s->ref });
	case IR_HANDLE_NEW:
		return mref_row(l->p, (mref_id){ s->ref })->owner;
	default:
		return (class_id){ 0 };
	}
}

class_id link_initialises(struct linker *l, const struct ir_stmt *s)
{
	switch (s->op) {
	case IR_NEW:
		return (class_id){ s->ref };
	case IR_GETSTATIC:
	case IR_PUTSTATIC:
		return field_owner(l, (fref_id){ s->ref });
	case IR_CONST_HANDLE:
		return handle_initialises(l, s);
	default:
		return (class_id){ 0 };
	}
}

class_id link_instantiates(struct linker *l, const struct ir_stmt *s)
{
	class_id none = { 0 };

	switch (s->op) {
	case IR_NEW:
		return (class_id){ s->ref };
	case IR_NEWARRAY:
		return class_row(l->p, (class_id){ s->ref })->kind == CLASS_ARRAY ? (class_id){ s->ref } : none;
	case IR_CONST_STRING:
		return l->p->string;
	case IR_CONST_CLASS:
		return l->p->class_;
	case IR_CONST_MTYPE:
		return l->method_type;
	case IR_CONST_HANDLE:
		return s->sub == IR_HANDLE_NEW ? mref_row(l->p, (mref_id){ s->ref })->owner : none;
	default:
		return none;
	}
}
