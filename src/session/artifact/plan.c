/* SPDX-License-Identifier: Apache-2.0 */
#include "session/artifact/plan_p.h"

#include <stdlib.h>

#include "coverage/criteria.h"
#include "formats/classfile/attributes.h"
#include "formats/classfile/bytecode.h"
#include "session/component/component.h"
#include "sherd/sherd.h"

/* Text */

struct str plan_keep(struct plan_maker *m, struct str t)
{
	return (struct str){ arena_copy(&m->out->mem, t.p, t.len), t.len };
}

static struct str keep_text(struct plan_maker *m, const char *t)
{
	return plan_keep(m, str_of(t ? t : ""));
}

struct str plan_keep_class(struct plan_maker *m, class_id c)
{
	strbuf_clear(&m->text);
	print_class(m->p, c, &m->text);
	return plan_keep(m, strbuf_str(&m->text));
}

/* Types */

static int compare_types(const void *x, const void *y)
{
	return str_cmp(((const struct named_type *)x)->name, ((const struct named_type *)y)->name);
}

/* Arrays are one class. */
class_id plan_type(struct plan_maker *m, class_id c)
{
	return class_row(m->p, c)->kind == CLASS_ARRAY ? program_class(m->p, STR("[Ljava/lang/Object;")) : c;
}

static class_id declares(struct plan_maker *m, method_id target)
{
	return plan_type(m, method_row(m->p, target)->owner);
}

/* The JVM's class mentions the method that was found, where the reference may name a subclass: only of a virtual one is the
 * class of the reference kept (java.lang.invoke.AbstractValidatingLambdaMetafactory). */
static struct str body_of(struct plan_maker *m, const struct lambda_facts *l)
{
	struct ir_mref ref = *mref_row(m->p, l->body);
	bool is_as_written = l->kind == IR_HANDLE_VIRTUAL || l->kind == IR_HANDLE_INTERFACE;

	if (!is_as_written && resolve_method(&m->f->h, l->body) == RESOLVE_OK)
		ref.owner = method_row(m->p, mref_row(m->p, l->body)->target)->owner;
	strbuf_clear(&m->text);
	print_class(m->p, ref.owner, &m->text);
	strbuf_addch(&m->text, '.');
	strbuf_addstr(&m->text, sel_name(m->p, ref.sel));
	strbuf_addstr(&m->text, sel_desc(m->p, ref.sel));
	return plan_keep(m, strbuf_str(&m->text));
}

static struct plan_type plan_type_of(struct plan_maker *m, const struct named_type *t)
{
	struct plan_type row = { .name = t->name, .sort = PLAN_CLASS };
	struct lambda_facts l;

	if (!t->c.i) {
		row.sort = PLAN_METHOD;
		return row;
	}
	if (class_row(m->p, t->c)->kind == CLASS_ARRAY)
		row.sort = PLAN_ARRAY;
	if (!loader_lambda(m->s->loader, t->c, &l))
		return row;
	row.sort = PLAN_LAMBDA;
	row.host = plan_keep_class(m, l.host);
	row.interface = plan_keep_class(m, l.interface);
	row.body = body_of(m, &l);
	return row;
}

static void add_type(struct plan_maker *m, type_list *list, class_id c)
{
	uint32_t *row = map_at(&m->row_of, c.i);

	if (*row)
		return;
	*row = UINT32_MAX;
	vec_push(list, ((struct named_type){ plan_keep_class(m, c), c.i, c }));
}

/* Call chains, callbacks and pairs alone ask nothing of receivers, and to watch these takes time. */
static uint32_t count_sites(const struct plan_maker *m)
{
	return m->plan->criteria & ~(uint32_t)(PLAN_CHAINS | PLAN_CALLBACKS | PLAN_DU | PLAN_LADDER) ? m->found->sites.len : 0;
}

/* Many sites share a list. True: this one is not empty, and was not marked before. */
static bool mark_list(struct map *seen, struct id_range in)
{
	uint32_t *mark = in.n ? map_at(seen, in.first) : NULL;
	bool is_new = mark && !*mark;

	if (is_new)
		*mark = 1;
	return is_new;
}

static void collect_types(struct plan_maker *m, type_list *list)
{
	struct map seen = { 0 };

	for (uint32_t i = 0; i < count_sites(m); i++) {
		const struct req_site *s = &m->found->sites.data[i];
		if (s->is_poly && mark_list(&seen, s->rc))
			for (uint32_t k = 0; k < s->rc.n; k++)
				add_type(m, list, plan_type(m, req_class(m->found, s->rc, k)));
		if (s->is_poly && mark_list(&seen, s->tm))
			for (uint32_t k = 0; k < s->tm.n; k++)
				add_type(m, list, declares(m, req_method(m->found, s->tm, k)));
	}
	map_release(&seen);
	for (uint32_t i = 0; m->more.chains && i < m->more.chains->graph->edges.len; i++)
		if (m->more.chains->graph->edges.data[i].receiver.i)
			add_type(m, list, plan_type(m, m->more.chains->graph->edges.data[i].receiver));
	if (m->more.callbacks)
		plan_callback_types(m, list);
	if (m->more.pairs)
		plan_store_types(m, list);
}

/* A class file that no JVM would load may have a method twice. */
static bool is_again(const type_list *list, uint32_t i)
{
	return i && !list->data[i].c.i && str_eq(list->data[i].name, list->data[i - 1].name);
}

static void make_types(struct plan_maker *m)
{
	type_list list = { 0 };

	collect_types(m, &list);
	if (list.len)
		qsort(list.data, list.len, sizeof(*list.data), compare_types);
	vec_push(&m->plan->types, (struct plan_type){ 0 });
	vec_push(&m->out->types, (class_id){ 0 });
	for (uint32_t i = 0; i < list.len; i++) {
		bool is_known = is_again(&list, i);
		*map_at(&m->row_of, list.data[i].key) = m->plan->types.len - is_known;
		if (is_known)
			continue;
		struct plan_type row = plan_type_of(m, &list.data[i]);
		vec_push(&m->plan->types, row);
		vec_push(&m->out->types, list.data[i].c);
	}
	vec_release(&list);
}

/* Sites, in the order of the plan: class, method, descriptor, pc */

static int compare_ordered(const void *x, const void *y)
{
	const struct ordered *a = x, *b = y;
	int c = (a->class > b->class) - (a->class < b->class);

	c = c ? c : str_cmp(a->name, b->name);
	c = c ? c : str_cmp(a->desc, b->desc);
	c = c ? c : (a->pc > b->pc) - (a->pc < b->pc);
	return c ? c : (a->row > b->row) - (a->row < b->row);
}

/* Calls in models of native methods are no instructions: nothing could be watched there. */
static void order_sites(struct plan_maker *m, ordered_list *list)
{
	for (uint32_t i = 0; i < count_sites(m); i++) {
		const struct req_site *s = &m->found->sites.data[i];
		const struct ir_method *in = method_row(m->p, s->method);
		if (!s->is_poly || (in->flags & ACCESS_NATIVE))
			continue;
		struct ordered o = { .class = map_get(&m->f->component.has, in->owner.i) - 1, .name = sel_name(m->p, in->sel),
				     .desc = sel_desc(m->p, in->sel), .pc = s->pc, .row = i, .in = s->method };
		vec_push(list, o);
	}
	if (m->more.callbacks)
		plan_order_callbacks(m, list);
	if (m->more.pairs)
		plan_order_uses(m, list);
	if (list->len)
		qsort(list->data, list->len, sizeof(*list->data), compare_ordered);
}

static int compare_ids(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return (a > b) - (a < b);
}

/* Types are in the order of their names, so ids are, too. */
struct plan_range plan_end_range(struct plan_maker *m, uint32_t first)
{
	uint32_t *ids = m->plan->ids.data + first, n = m->plan->ids.len - first, kept = 0;

	if (n)
		qsort(ids, n, sizeof(*ids), compare_ids);
	for (uint32_t i = 0; i < n; i++)
		if (!kept || ids[kept - 1] != ids[i])
			ids[kept++] = ids[i];
	m->plan->ids.len = first + kept;
	return (struct plan_range){ first, kept };
}

static struct plan_range *known_range(struct plan_maker *m, struct id_range of)
{
	uint32_t *row = map_at(&m->range_of, of.first);

	if (!*row) {
		vec_push(&m->ranges, (struct plan_range){ 0 });
		*row = m->ranges.len;
	}
	return &m->ranges.data[*row - 1];
}

/* The types of a list of classes, or of those that declare the methods of one. Sites share lists, in the requirements and
 * here: at a call on Object a list can have thousands. */
static struct plan_range range_of(struct plan_maker *m, struct id_range of, bool is_methods)
{
	uint32_t first = m->plan->ids.len;

	if (!of.n)
		return (struct plan_range){ 0 };
	struct plan_range known = *known_range(m, of);
	if (known.n)
		return known;
	for (uint32_t k = 0; k < of.n; k++) {
		class_id c = is_methods ? declares(m, req_method(m->found, of, k)) : plan_type(m, req_class(m->found, of, k));
		vec_push(&m->plan->ids, map_get(&m->row_of, c.i));
	}
	return *known_range(m, of) = plan_end_range(m, first);
}

static uint32_t flags_of(const struct req_site *s)
{
	bool is_open = s->is_open || s->cause != CG_RESOLVED;

	return (s->is_reached ? PLAN_REACHED : 0u) | (is_open ? PLAN_OPEN : 0u) | (s->is_client ? PLAN_CLIENT : 0u) |
	       (s->op == IR_CALL_INTERFACE ? PLAN_INTERFACE : 0u);
}

static struct plan_site required_site(struct plan_maker *m, const struct ordered *o)
{
	const struct req_site *s = &m->found->sites.data[o->row];
	const struct ir_mref ref = *mref_row(m->p, s->declared);
	struct plan_site row = { .pc = s->pc, .line = s->line, .flags = flags_of(s) };

	row.owner = plan_keep_class(m, ref.owner);
	row.name = plan_keep(m, sel_name(m->p, ref.sel));
	row.desc = plan_keep(m, sel_desc(m->p, ref.sel));
	row.rc = range_of(m, s->rc, false);
	row.tm = range_of(m, s->tm, true);
	if (m->plan->criteria & PLAN_LADDER)
		plan_add_ladder(m, s, &row);
	return row;
}

static void add_site(struct plan_maker *m, const struct ordered *o)
{
	struct plan_site row = o->field.i             ? plan_use_site(m, o) :
			       o->row == UINT32_MAX ? plan_callback_site(m, o) : required_site(m, o);

	row.method = m->plan->methods.len - 1;
	row.of = 1;
	if (m->more.callbacks)
		plan_add_callbacks(m, o, &row);
	vec_push(&m->plan->sites, row);
	vec_push(&m->out->sites, o->row);
}

/* Calls that look the same, counted in the order of the code */

struct call {
	uint32_t pc, nth;
	uint64_t key;
};
struct calls {
	VEC(struct call) rows;        /* by pc */
	struct map of;                /* key -> how many */
};

/* Or the access of a field */
static bool is_call(const struct classfile *cf, const struct insn *in)
{
	unsigned tag = in->op >= BC_getstatic && in->op <= BC_invokedynamic ? cf_tag(cf, (uint16_t)in->a) : 0;

	return tag == CP_METHOD || tag == CP_IMETHOD || tag == CP_INVOKEDYNAMIC || tag == CP_FIELD;
}

uint64_t plan_call_key(struct plan_maker *m, struct unit *u, const struct insn *in)
{
	if (in->op <= BC_putfield)
		return map_key(in->op, unit_fref(m->p, u, (uint16_t)in->a).i);
	if (in->op != BC_invokedynamic)
		return map_key(in->op, unit_mref(m->p, u, (uint16_t)in->a).i);
	struct cf_ref ref = cf_ref(&u->cf, (uint16_t)in->a);
	return map_key(in->op, program_sel(m->p, ref.name, ref.desc).i);
}

static void find_calls(struct plan_maker *m, struct unit *u, struct span code, struct calls *out)
{
	struct insn in;

	for (uint32_t pc = 0; pc < code.len && bytecode_decode(code, pc, &in); pc += in.len) {
		if (!is_call(&u->cf, &in))
			continue;
		uint64_t key = plan_call_key(m, u, &in);
		uint32_t *n = map_at(&out->of, key);
		vec_push(&out->rows, ((struct call){ pc, (*n)++, key }));
	}
}

/* Both are by pc. */
static void number_sites(const struct calls *calls, struct plan_site *sites, uint32_t n)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < calls->rows.len && at < n; i++) {
		const struct call *c = &calls->rows.data[i];
		if (sites[at].pc != c->pc)
			continue;
		sites[at].nth = c->nth;
		sites[at++].of = map_get(&calls->of, c->key);
	}
}

/* Methods and classes */

/* A file that changed since it was cached has no code here: its digest will match nothing. */
static void end_method(struct plan_maker *m, method_id id)
{
	struct plan_method *row = vec_last(&m->plan->methods);
	struct unit *u = loader_unit(m->s->loader, method_row(m->p, id)->owner);
	struct calls calls = { 0 };

	row->nsites = m->plan->sites.len - row->first_site;
	if (!u)
		return;
	const struct cf_member *member = &u->cf.methods[method_row(m->p, id)->index];
	if (!member->code)
		return;
	struct span code = cf_code(&u->cf, member).code;
	row->code = plan_code_digest(code);
	find_calls(m, u, code, &calls);
	number_sites(&calls, m->plan->sites.data + row->first_site, row->nsites);
	vec_release(&calls.rows);
	map_release(&calls.of);
}

static bool same_method(const struct ordered *a, const struct ordered *b)
{
	return a->class == b->class && str_eq(a->name, b->name) && str_eq(a->desc, b->desc);
}

/* By name, not by id: a class file that no JVM would load may have a method twice. */
static uint32_t add_method(struct plan_maker *m, uint32_t class, const struct ordered *o, uint32_t n)
{
	struct plan_method row = { .class = class, .name = plan_keep(m, o->name), .desc = plan_keep(m, o->desc),
				   .first_site = m->plan->sites.len };
	uint32_t i = 0;

	vec_push(&m->plan->methods, row);
	for (; i < n && same_method(&o[i], o); i++)
		if (i == 0 || o[i].pc != o[i - 1].pc)
			add_site(m, &o[i]);
	end_method(m, o->in);
	return i;
}

static struct str source_of(struct plan_maker *m, class_id c)
{
	struct unit *u = loader_unit(m->s->loader, c);
	uint16_t file = u ? cf_source_file(&u->cf) : 0;

	return file ? plan_keep(m, cf_utf8(&u->cf, file)) : (struct str){ 0 };
}

static uint32_t add_class(struct plan_maker *m, uint32_t place, const struct ordered *o, uint32_t n)
{
	class_id c = m->f->component.classes.data[place];
	struct plan_class row = { .name = plan_keep_class(m, c), .first_method = m->plan->methods.len,
				  .first_site = m->plan->sites.len };
	uint32_t i = 0;

	row.source = source_of(m, c);
	row.is_jdk = loader_is_jdk(m->s->loader, class_row(m->p, c)->artifact);
	while (i < n && o[i].class == place)
		i += add_method(m, m->plan->classes.len, &o[i], n - i);
	row.nmethods = m->plan->methods.len - row.first_method;
	row.nsites = m->plan->sites.len - row.first_site;
	vec_push(&m->plan->classes, row);
	return i;
}

static void make_classes(struct plan_maker *m)
{
	ordered_list list = { 0 };
	uint32_t at = 0;

	order_sites(m, &list);
	for (uint32_t k = 0; k < m->f->component.classes.len; k++)
		at += add_class(m, k, list.data ? &list.data[at] : NULL, list.len - at);
	vec_release(&list);
}

/* The rest of the class path */

static int compare_strs(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

static void add_other(void *ctx, class_id c)
{
	struct plan_maker *m = ctx;

	if (!component_has(&m->f->component, c) && !loader_is_jdk(m->s->loader, class_row(m->p, c)->artifact))
		vec_push(&m->plan->others, plan_keep_class(m, c));
}

/* Classes of the tests that the interface is taken from are clients. */
static void make_others(struct plan_maker *m, const char *interface)
{
	struct strbuf tests = { 0 };

	interface_tests_path(interface, &tests);
	for (uint32_t a = 1; a < m->p->artifacts.len; a++)
		if (!loader_is_jdk(m->s->loader, a) && !(tests.len && path_has_artifact(m->s, tests.s, a)))
			loader_name_artifact(m->s->loader, a, add_other, m);
	strbuf_release(&tests);
	if (!m->plan->others.len)
		return;
	struct str *names = m->plan->others.data;
	uint32_t n = 1;
	qsort(names, m->plan->others.len, sizeof(*names), compare_strs);
	for (uint32_t i = 1; i < m->plan->others.len; i++)
		if (!str_eq(names[i], names[n - 1]))
			names[n++] = names[i];
	m->plan->others.len = n;
}

_Static_assert((int)CRITERION_RC == PLAN_RC && (int)CRITERION_TM == PLAN_TM && (int)CRITERION_SENDERS == PLAN_SENDERS &&
		       (int)CRITERION_ARGS == PLAN_ARGS, "what is required and what plans say of it have the same bits");

void plan_make(struct session *s, struct fragment *f, const struct fragment_opt *o, const char *class_path,
	       const struct requirements *found, const struct plan_more *more, struct made_plan *out)
{
	struct plan_maker m = { .s = s, .p = &s->program, .f = f, .found = found, .more = *more, .out = out,
				.plan = &out->plan, .has_open_clients = f->placeholders.clients.len > 0 };
	uint32_t bits = (more->chains ? PLAN_CHAINS : 0u) | (more->callbacks ? PLAN_CALLBACKS : 0u) |
			(more->pairs ? PLAN_DU : 0u);

	*out = (struct made_plan){ 0 };
	arena_init(&out->mem);
	struct plan *p = &out->plan;
	p->component = keep_text(&m, o->component);
	p->interface = keep_text(&m, fragment_interface(o));
	p->clients = plan_keep(&m, strbuf_str(&f->clients));
	p->algorithm = keep_text(&m, found->algorithm);
	p->assume = keep_text(&m, found->assume);
	p->class_path = keep_text(&m, class_path);
	p->jdk = keep_text(&m, s->jdk);
	p->version = keep_text(&m, sherd_version());
	p->criteria = criteria_with_ladder((found->criteria | bits) & criteria_bits());
	make_types(&m);
	make_classes(&m);
	if (more->chains)
		plan_add_chains(&m);
	if (more->pairs)
		plan_add_fields(&m);
	make_others(&m, fragment_interface(o));
	map_release(&m.row_of);
	map_release(&m.range_of);
	map_release(&m.own_of);
	map_release(&m.edges_of);
	map_release(&m.exits);
	map_release(&m.uses_of);
	map_release(&m.refs_of);
	vec_release(&m.uses);
	vec_release(&m.refs);
	vec_release(&m.ranges);
	strbuf_release(&m.text);
}

void made_plan_release(struct made_plan *m)
{
	plan_release(&m->plan);
	arena_release(&m->mem);
	vec_release(&m->sites);
	vec_release(&m->types);
	*m = (struct made_plan){ 0 };
}
