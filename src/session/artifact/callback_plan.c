/* SPDX-License-Identifier: Apache-2.0 */
/* callback_plan.c - what libraries call back, as a part of a plan.
 *
 * Which calls are watched depends on their instructions alone, so that data can be joined with the plan of another algorithm: those that
 * may run a method that is not the component's. What is seen at one that can call nothing back, as the analysis has it, shows that it is
 * wrong. */
#include <stdlib.h>

#include "ir/access.h"
#include "session/artifact/plan_p.h"
#include "session/component/component.h"

/* Types */

/* Above those of classes, and of statements, which begin with the id of a method. */
#define PLAIN (UINT32_MAX - 1)
#define LATER UINT32_MAX

static uint64_t method_key(method_id m, bool is_later)
{
	return map_key(is_later ? LATER : PLAIN, m.i);
}

static struct str method_name(struct plan_maker *m, method_id id, bool is_later)
{
	const struct ir_method *row = method_row(m->p, id);

	strbuf_clear(&m->text);
	print_class(m->p, row->owner, &m->text);
	strbuf_addch(&m->text, '.');
	strbuf_addstr(&m->text, sel_name(m->p, row->sel));
	strbuf_addstr(&m->text, sel_desc(m->p, row->sel));
	if (is_later)
		strbuf_adds(&m->text, PLAN_LATER);
	return plan_keep(m, strbuf_str(&m->text));
}

/* Nobody sees native methods being entered. */
static bool can_be_seen(const struct plan_maker *m, method_id id)
{
	return !(method_row(m->p, id)->flags & (ACCESS_NATIVE | ACCESS_ABSTRACT));
}

/* What unknown code may call back no test can be asked for. */
static bool is_counted(const struct plan_maker *m, const struct app_edge *e)
{
	return can_be_seen(m, e->callee) && (e->sort == CALL_DIRECT || !e->is_open);
}

static void add_type(struct plan_maker *m, method_id callee, bool is_later, type_list *list)
{
	uint64_t key = method_key(callee, is_later);
	uint32_t *row = map_at(&m->row_of, key);

	if (*row)
		return;
	*row = UINT32_MAX;
	vec_push(list, ((struct named_type){ .name = method_name(m, callee, is_later), .key = key }));
}

void plan_callback_types(struct plan_maker *m, type_list *list)
{
	for (uint32_t i = 0; i < m->more.callbacks->edges.len; i++) {
		const struct app_edge *e = &m->more.callbacks->edges.data[i];
		uint32_t *first = map_at(&m->edges_of, map_key(e->caller.i, e->pc));
		if (!*first)
			*first = i + 1;
		if (is_counted(m, e))
			add_type(m, e->callee, e->sort == CALL_LATER, list);
	}
}

/* Calls */

/* Can a client have a method of its own there? Where clients have no classes, none. */
static bool can_be_overridden(const struct plan_maker *m, method_id target)
{
	const struct ir_method *row = method_row(m->p, target);

	return m->has_open_clients && !(row->flags & (ACCESS_FINAL | ACCESS_PRIVATE)) &&
	       !(class_row(m->p, row->owner)->flags & ACCESS_FINAL);
}

static bool is_quiet(struct plan_maker *m, mref_id ref)
{
	const struct ir_mref *row = mref_row(m->p, ref);

	return class_row(m->p, row->owner)->kind == CLASS_ARRAY ||
	       (row->owner.i == m->p->object.i && str_is(sel_name(m->p, row->sel), "<init>"));
}

static bool may_leave(struct plan_maker *m, uint8_t op, mref_id ref)
{
	if (is_quiet(m, ref))
		return false;
	if (resolve_method(&m->f->h, ref) != RESOLVE_OK)
		return true;
	method_id target = mref_row(m->p, ref)->target;
	bool is_dispatched = op == BC_invokevirtual || op == BC_invokeinterface;
	return !component_has(&m->f->component, method_row(m->p, target)->owner) || (is_dispatched && can_be_overridden(m, target));
}

static bool has_callbacks(const struct plan_maker *m, method_id in, uint32_t pc)
{
	uint32_t first = map_get(&m->edges_of, map_key(in.i, pc));
	bool has = false;

	for (uint32_t i = first; i && i <= m->more.callbacks->edges.len; i++) {
		const struct app_edge *e = &m->more.callbacks->edges.data[i - 1];
		if (e->caller.i != in.i || e->pc != pc)
			break;
		has |= e->sort != CALL_DIRECT;
	}
	return has;
}

/* The class of the bootstrap method. */
static class_id bootstrap_of(struct plan_maker *m, struct unit *u, struct cf_ref ref)
{
	struct cf_handle h = cf_handle(&u->cf, cf_bootstrap(&u->cf, ref.bootstrap).handle);

	return program_class(m->p, cf_name(&u->cf, cf_ref(&u->cf, h.ref).owner));
}

/* What makes an object of a lambda runs nothing of its own. */
static bool is_dynamic_call(struct plan_maker *m, struct unit *u, const struct insn *in, struct ordered *o)
{
	struct cf_ref ref = cf_ref(&u->cf, (uint16_t)in->a);

	o->bootstrap = bootstrap_of(m, u, ref);
	o->sel = program_sel(m->p, ref.name, ref.desc);
	return !str_is(class_name(m->p, o->bootstrap), "java/lang/invoke/LambdaMetafactory");
}

static bool is_watched(struct plan_maker *m, struct unit *u, const struct insn *in, struct ordered *o)
{
	unsigned tag = in->op >= BC_invokevirtual && in->op <= BC_invokedynamic ? cf_tag(&u->cf, (uint16_t)in->a) : 0;

	if (tag == CP_INVOKEDYNAMIC)
		return is_dynamic_call(m, u, in, o);
	if (tag != CP_METHOD && tag != CP_IMETHOD)
		return false;
	o->ref = unit_mref(m->p, u, (uint16_t)in->a);
	return may_leave(m, in->op, o->ref) || has_callbacks(m, o->in, in->pc);
}

static void order_method(struct plan_maker *m, uint32_t place, method_id id, ordered_list *list)
{
	const struct ir_method *row = method_row(m->p, id);
	struct unit *u = loader_unit(m->s->loader, row->owner);
	struct ordered o = { .class = place, .name = sel_name(m->p, row->sel), .desc = sel_desc(m->p, row->sel), .row = UINT32_MAX,
			     .in = id };
	struct insn in;

	if (!u || !u->cf.methods[row->index].code)
		return;
	struct span code = cf_code(&u->cf, &u->cf.methods[row->index]).code;
	for (uint32_t pc = 0; pc < code.len && bytecode_decode(code, pc, &in); pc += in.len) {
		if (!is_watched(m, u, &in, &o))
			continue;
		o.pc = pc;
		o.op = in.op;
		*map_at(&m->exits, map_key(id.i, pc)) = 1;
		vec_push(list, o);
	}
}

void plan_order_callbacks(struct plan_maker *m, ordered_list *list)
{
	for (uint32_t k = 0; k < m->f->component.classes.len; k++) {
		struct ir_class c = *class_row(m->p, m->f->component.classes.data[k]);
		for (uint32_t i = 0; i < c.nmethods; i++)
			order_method(m, k, (method_id){ c.first_method + i }, list);
	}
}

/* Sites */

static uint32_t flags_of(uint8_t op)
{
	switch (op) {
	case BC_invokeinterface: return PLAN_INTERFACE;
	case BC_invokespecial: return PLAN_SPECIAL;
	case BC_invokestatic: return PLAN_STATIC;
	case BC_invokedynamic: return PLAN_DYNAMIC;
	default: return 0;
	}
}

static bool is_reached(const struct plan_maker *m, method_id in)
{
	uint32_t n;

	callgraph_sites(m->more.graph, in, &n);
	return n != 0;
}

struct plan_site plan_callback_site(struct plan_maker *m, const struct ordered *o)
{
	struct plan_site row = { .pc = o->pc, .flags = PLAN_NO_RECEIVERS | flags_of(o->op) | (is_reached(m, o->in) ? PLAN_REACHED : 0u) };
	const struct ir_mref ref = o->op == BC_invokedynamic ? (struct ir_mref){ .owner = o->bootstrap, .sel = o->sel } :
							       *mref_row(m->p, o->ref);

	row.line = m->p->source.line(m->p->source.ctx, m->p, o->in, o->pc);
	row.owner = plan_keep_class(m, ref.owner);
	row.name = plan_keep(m, sel_name(m->p, ref.sel));
	row.desc = plan_keep(m, sel_desc(m->p, ref.sel));
	return row;
}

/* Who calls back: a method of a library, or a client. What the component does by reflection is nobody's. */
static struct str caller_back(struct plan_maker *m, method_id by)
{
	if (!by.i || component_has(&m->f->component, method_row(m->p, by)->owner))
		return (struct str){ 0 };
	return class_row(m->p, method_row(m->p, by)->owner)->kind == CLASS_SYNTHETIC ? STR("client") : method_name(m, by, false);
}

struct called_back {
	uint32_t type;
	method_id by;
};
typedef VEC(struct called_back) called_list;

static int by_type(const void *a, const void *b)
{
	const struct called_back *x = a, *y = b;

	return (x->type > y->type) - (x->type < y->type);
}

/* Types are in the order of their names. */
static void sort_callees(called_list *list)
{
	uint32_t n = 0;

	if (list->len)
		qsort(list->data, list->len, sizeof(*list->data), by_type);
	for (uint32_t i = 0; i < list->len; i++)
		if (!n || list->data[n - 1].type != list->data[i].type)
			list->data[n++] = list->data[i];
	list->len = n;
}

/* True: unknown code calls back, too. */
static bool find_callees(struct plan_maker *m, const struct ordered *o, called_list *back, called_list *direct)
{
	bool is_open = false;

	for (uint32_t i = map_get(&m->edges_of, map_key(o->in.i, o->pc)); i && i <= m->more.callbacks->edges.len; i++) {
		const struct app_edge *e = &m->more.callbacks->edges.data[i - 1];
		if (e->caller.i != o->in.i || e->pc != o->pc)
			break;
		is_open |= e->sort != CALL_DIRECT && e->is_open;
		if (!is_counted(m, e))
			continue;
		uint32_t type = map_get(&m->row_of, method_key(e->callee, e->sort == CALL_LATER));
		vec_push(e->sort == CALL_DIRECT ? direct : back, ((struct called_back){ type, e->by }));
	}
	sort_callees(back);
	sort_callees(direct);
	return is_open;
}

/* What it runs nobody knows: reflection, say. */
static bool is_unresolved(const struct plan_maker *m, const struct ordered *o)
{
	mref_id ref = o->op == BC_invokedynamic ? (mref_id){ 0 } : o->ref;
	const struct cg_site *s = callgraph_find_site(m->more.graph, o->in, o->pc, ref);

	return s && s->cause != CG_RESOLVED && s->cause != CG_LINK_ERROR;
}

static struct plan_range range_of(struct plan_maker *m, const called_list *list)
{
	struct plan_range r = { .first = m->plan->ids.len, .n = list->len };

	for (uint32_t i = 0; i < list->len; i++)
		vec_push(&m->plan->ids, list->data[i].type);
	return r;
}

void plan_add_callbacks(struct plan_maker *m, const struct ordered *o, struct plan_site *s)
{
	called_list back = { 0 }, direct = { 0 };

	if (!map_get(&m->exits, map_key(o->in.i, o->pc)))
		return;
	s->flags |= PLAN_EXIT;
	s->first_by = m->plan->bys.len;
	if (find_callees(m, o, &back, &direct) || is_unresolved(m, o))
		s->flags |= PLAN_OPEN;
	s->callbacks = range_of(m, &back);
	s->direct = range_of(m, &direct);
	for (uint32_t i = 0; i < back.len; i++)
		vec_push(&m->plan->bys, caller_back(m, back.data[i].by));
	vec_release(&back);
	vec_release(&direct);
}
