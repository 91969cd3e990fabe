/* SPDX-License-Identifier: Apache-2.0 */
/* field_plan.c - def-use pairs, as a part of a plan.
 *
 * Which uses are watched depends on their instructions alone, as with callbacks: all of fields that the component declares. So do the
 * fields that get a shadow: data can be joined with the plan of another algorithm. */
#include <stdlib.h>

#include "ir/access.h"
#include "session/artifact/plan_p.h"
#include "session/component/component.h"

enum { MANY_CONSTANTS = 60000 };

/* Types: definitions */

static bool access_at(struct plan_maker *m, method_id id, uint32_t pc, struct unit **u, struct insn *in)
{
	const struct ir_method *row = method_row(m->p, id);

	*u = loader_unit(m->s->loader, row->owner);
	if (!*u || !(*u)->cf.methods[row->index].code)
		return false;
	struct span code = cf_code(&(*u)->cf, &(*u)->cf.methods[row->index]).code;
	return pc < code.len && bytecode_decode(code, pc, in) && in->op >= BC_getstatic && in->op <= BC_putfield;
}

static bool is_statement(struct plan_maker *m, const struct field_access *a)
{
	struct unit *u;
	struct insn in;

	return !a->is_library && access_at(m, a->method, a->pc, &u, &in);
}

static uint64_t store_key(const struct field_access *a)
{
	return map_key(a->method.i, a->pc);
}

static void add_store(struct plan_maker *m, const struct field_access *a, type_list *list)
{
	const struct ir_method *row = method_row(m->p, a->method);
	uint32_t *known = map_at(&m->row_of, store_key(a));
	struct strbuf class = { 0 };

	if (*known)
		return;
	*known = UINT32_MAX;
	struct unit *u = loader_unit(m->s->loader, row->owner);
	print_class(m->p, row->owner, &class);
	strbuf_clear(&m->text);
	cf_store_name(&u->cf, &u->cf.methods[row->index], a->pc, strbuf_str(&class), &m->text);
	vec_push(list, ((struct named_type){ .name = plan_keep(m, strbuf_str(&m->text)), .key = store_key(a) }));
	strbuf_release(&class);
}

static int by_use(const void *x, const void *y)
{
	const struct use_of *a = x, *b = y;

	if (a->use != b->use)
		return a->use < b->use ? -1 : 1;
	return (a->def > b->def) - (a->def < b->def);
}

static bool *statements_of(struct plan_maker *m, const struct field_access *all, uint32_t n)
{
	bool *are = mem_alloc(n * sizeof(*are) + 1);

	for (uint32_t i = 0; i < n; i++)
		are[i] = is_statement(m, &all[i]);
	return are;
}

void plan_store_types(struct plan_maker *m, type_list *list)
{
	const struct defuse *d = m->more.pairs;
	bool *defs = statements_of(m, d->defs.data, d->defs.len), *uses = statements_of(m, d->uses.data, d->uses.len);

	for (uint32_t i = 0; i < d->pairs.len; i++) {
		const struct du_pair *pair = &d->pairs.data[i];
		if (!defs[pair->def] || !uses[pair->use]) {
			m->out->apart++;
			continue;
		}
		add_store(m, &d->defs.data[pair->def], list);
		vec_push(&m->uses, ((struct use_of){ store_key(&d->uses.data[pair->use]), store_key(&d->defs.data[pair->def]) }));
	}
	if (m->uses.len)
		qsort(m->uses.data, m->uses.len, sizeof(*m->uses.data), by_use);
	for (uint32_t i = m->uses.len; i > 0; i--)
		*map_at(&m->uses_of, m->uses.data[i - 1].use) = i;
	free(defs);
	free(uses);
}

/* Fields */

/* The field of the component that the instruction accesses; none: it is another one's. */
static field_id field_of(struct plan_maker *m, struct unit *u, const struct insn *in, fref_id *ref)
{
	if (in->op < BC_getstatic || in->op > BC_putfield || cf_tag(&u->cf, (uint16_t)in->a) != CP_FIELD)
		return (field_id){ 0 };
	*ref = unit_fref(m->p, u, (uint16_t)in->a);
	if (resolve_field(&m->f->h, *ref) != RESOLVE_OK)
		return (field_id){ 0 };
	field_id f = fref_row(m->p, *ref)->target;
	return component_has(&m->f->component, field_row(m->p, f)->owner) ? f : (field_id){ 0 };
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
		field_id f = field_of(m, u, &in, &o.field);
		if (!f.i)
			continue;
		uint32_t *known = map_at(&m->refs_of, o.field.i);
		if (!*known)
			vec_push(&m->refs, o.field);
		*known = f.i;
		o.pc = pc;
		o.op = in.op;
		if (in.op == BC_getfield || in.op == BC_getstatic)
			vec_push(list, o);
	}
}

void plan_order_uses(struct plan_maker *m, ordered_list *list)
{
	for (uint32_t k = 0; k < m->f->component.classes.len; k++) {
		struct ir_class c = *class_row(m->p, m->f->component.classes.data[k]);
		for (uint32_t i = 0; i < c.nmethods; i++)
			order_method(m, k, (method_id){ c.first_method + i }, list);
	}
}

static bool has_serial_version(const struct classfile *cf)
{
	for (uint16_t i = 0; i < cf->nfields; i++)
		if (str_is(cf_utf8(cf, cf->fields[i].name), "serialVersionUID") && (cf->fields[i].access & ACC_STATIC))
			return true;
	return false;
}

/* Another field changes the version that Java computes for a class, unless it is private. */
static bool breaks_version(struct plan_maker *m, class_id c, const struct ir_field *f, const struct classfile *cf)
{
	class_id serializable = program_class(m->p, STR("java/io/Serializable"));

	return !(f->flags & ACCESS_PRIVATE) && !(cf->access & ACC_ENUM) && !has_serial_version(cf) &&
	       hierarchy_is_subtype(&m->f->h, c, serializable);
}

/* Why a field has no shadow; NULL: it has one. */
static const char *why_not(struct plan_maker *m, const struct ir_field *f)
{
	const struct ir_class c = *class_row(m->p, f->owner);
	struct unit *u = loader_unit(m->s->loader, f->owner);

	if (loader_is_jdk(m->s->loader, c.artifact))
		return "its class is the JDK's";
	if (!u)
		return "its class file cannot be read";
	if (c.flags & ACCESS_INTERFACE)
		return "its class is an interface";
	if (c.is_record)
		return "its class is a record";
	if (u->cf.ncp > MANY_CONSTANTS)
		return "the constant pool of its class is nearly full";
	if (breaks_version(m, f->owner, f, &u->cf))
		return "its class can be serialized and has no serialVersionUID, which one more field would change, and it is not private";
	return NULL;
}

static int by_name(const struct plan_field *a, const struct plan_field *b)
{
	int c = (a->class > b->class) - (a->class < b->class);

	c = c ? c : str_cmp(a->name, b->name);
	return c ? c : str_cmp(a->desc, b->desc);
}

static int compare_fields(const void *x, const void *y)
{
	return by_name(x, y);
}

static int compare_refs(const void *x, const void *y)
{
	const struct plan_field_ref *a = x, *b = y;
	int c = str_cmp(a->owner, b->owner);

	c = c ? c : str_cmp(a->name, b->name);
	return c ? c : str_cmp(a->desc, b->desc);
}

static struct plan_field field_named(struct plan_maker *m, field_id id)
{
	const struct ir_field f = *field_row(m->p, id);
	struct plan_field row = { .class = map_get(&m->f->component.has, f.owner.i) - 1, .access = f.flags };
	const char *why = why_not(m, &f);

	row.name = plan_keep(m, sel_name(m->p, f.sel));
	row.desc = plan_keep(m, sel_desc(m->p, f.sel));
	row.why = str_of(why ? why : "");
	return row;
}

static uint32_t row_of_field(const struct plan_fields *all, const struct plan_field *f)
{
	uint32_t lo = 0, hi = all->rows.len;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int c = by_name(&all->rows.data[mid], f);
		if (c == 0)
			return mid;
		*(c < 0 ? &lo : &hi) = c < 0 ? mid + 1 : mid;
	}
	return UINT32_MAX;
}

static void add_rows(struct plan_maker *m)
{
	struct plan_fields *all = &m->plan->fields;
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->refs.len; i++)
		vec_push(&all->rows, field_named(m, (field_id){ map_get(&m->refs_of, m->refs.data[i].i) }));
	if (all->rows.len)
		qsort(all->rows.data, all->rows.len, sizeof(*all->rows.data), compare_fields);
	for (uint32_t i = 0; i < all->rows.len; i++)
		if (!n || by_name(&all->rows.data[n - 1], &all->rows.data[i]))
			all->rows.data[n++] = all->rows.data[i];
	all->rows.len = n;
}

void plan_add_fields(struct plan_maker *m)
{
	struct plan_fields *all = &m->plan->fields;

	add_rows(m);
	for (uint32_t i = 0; i < m->refs.len; i++) {
		const struct ir_fref ref = *fref_row(m->p, m->refs.data[i]);
		struct plan_field f = field_named(m, (field_id){ map_get(&m->refs_of, m->refs.data[i].i) });
		struct plan_field_ref row = { .owner = plan_keep_class(m, ref.owner), .field = row_of_field(all, &f) };
		row.name = plan_keep(m, sel_name(m->p, ref.sel));
		row.desc = plan_keep(m, sel_desc(m->p, ref.sel));
		vec_push(&all->refs, row);
	}
	if (all->refs.len)
		qsort(all->refs.data, all->refs.len, sizeof(*all->refs.data), compare_refs);
}

/* Sites */

static struct plan_range stores_of(struct plan_maker *m, const struct ordered *o)
{
	uint64_t key = map_key(o->in.i, o->pc);
	uint32_t first = m->plan->ids.len;

	for (uint32_t i = map_get(&m->uses_of, key); i && i <= m->uses.len && m->uses.data[i - 1].use == key; i++)
		vec_push(&m->plan->ids, map_get(&m->row_of, m->uses.data[i - 1].def));
	return plan_end_range(m, first);
}

struct plan_site plan_use_site(struct plan_maker *m, const struct ordered *o)
{
	const struct ir_fref ref = *fref_row(m->p, o->field);
	struct plan_site row = { .pc = o->pc, .flags = PLAN_NO_RECEIVERS | PLAN_FIELD };

	row.callbacks = stores_of(m, o);
	row.flags |= (o->op == BC_getstatic ? PLAN_STATIC : 0u) | (callgraph_reaches(m->more.graph, o->in) ? PLAN_REACHED : 0u);
	row.line = m->p->source.line(m->p->source.ctx, m->p, o->in, o->pc);
	row.owner = plan_keep_class(m, ref.owner);
	row.name = plan_keep(m, sel_name(m->p, ref.sel));
	row.desc = plan_keep(m, sel_desc(m->p, ref.sel));
	row.first_by = m->plan->bys.len;
	for (uint32_t i = 0; i < row.callbacks.n; i++)
		vec_push(&m->plan->bys, STR(""));
	return row;
}
