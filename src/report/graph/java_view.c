/* SPDX-License-Identifier: Apache-2.0 */
/* java_view.c - the call graph of a Java program as a view: methods by their printed names.
 *
 * callgraph_method() deals reachable methods in that order, so nodes are numbered as they come from there, and a target set
 * is put in order by comparing numbers, once, however many sites share it. A view of some classes has their methods, with
 * their calls, and what these call. */
#include "report/graph/callgraph.h"

#include <assert.h>

#include "report/graph/java_tables.h"
#include "report/java/additions.h"
#include "report/java/order.h"

struct java_view {
	struct graph_view v;
	struct callgraph *g;
	const struct program *p;
	name_render *render;
	struct names names;
	struct order order;           /* of receivers */
	struct arena mem;
	const struct report_head *head;
	method_id *methods;           /* by node */
	uint32_t *numbers;            /* by method id: its node */
	const uint32_t **sets;        /* by set of several: its nodes in order; NULL: not asked for yet */
	VEC(struct graph_site) sites; /* of the node that was asked for last */
	const struct cg_site *raw;    /* the same */
	VEC(struct str) receivers;
	struct java_texts texts;
	struct strbuf place, name;    /* of a reason */
	struct java_tables tables;
};

static struct java_view *of(struct graph_view *v)
{
	return (struct java_view *)v;
}

/* Are its calls part of the view? */
static bool is_shown(const struct java_view *j, method_id m)
{
	return !j->head->is_shown || j->head->is_shown(j->head->shown, class_name(j->p, method_row(j->p, m)->owner));
}

static const struct cg_site *shown_sites(const struct java_view *j, method_id m, uint32_t *n)
{
	*n = 0;
	return is_shown(j, m) ? callgraph_sites(j->g, m, n) : NULL;
}

static void name_nodes(struct graph_view *v, enum escape form)
{
	struct java_view *j = of(v);

	names_init(&j->names, j->p, j->render, form);
	for (uint32_t k = 0; k < v->nnodes; k++)
		v->nodes[k].name = names_method(&j->names, j->methods[k]);
}

static void detail(struct graph_view *v, uint32_t node, struct graph_detail *out)
{
	struct java_view *j = of(v);

	java_detail(&j->texts, &j->tables, j->p, j->methods[node], out);
}

static const char *dynamic_name(const struct cg_site *s)
{
	return s->implied > 1 ? dynamic_sort_name((enum dynamic_sort)(s->implied - 1)) : NULL;
}

static const char *fact_file(const struct java_view *j, const struct cg_site *s)
{
	return s->fact && s->fact <= j->head->facts.n ? j->head->facts.data[s->fact - 1].path : NULL;
}

static const struct graph_site *sites(struct graph_view *v, uint32_t node, uint32_t *n)
{
	struct java_view *j = of(v);

	j->raw = shown_sites(j, j->methods[node], n);
	vec_clear(&j->sites);
	for (const struct cg_site *s = j->raw; s < j->raw + *n; s++)
		vec_push(&j->sites, ((struct graph_site){
					    .pc = s->pc, .set = s->set, .declared = s->mref.i, .is_implied = s->implied,
					    .is_open = s->open, .op = op_name(s->op), .by = dynamic_name(s), .fact = fact_file(j, s),
					    .is_dispatched = s->op == IR_CALL_VIRTUAL || s->op == IR_CALL_INTERFACE,
					    .cause = s->cause == CG_RESOLVED ? NULL : cg_cause_name(s->cause) }));
	return j->sites.data;
}

static struct graph_place place(struct graph_view *v, uint32_t node, const struct graph_site *s)
{
	struct java_view *j = of(v);

	return (struct graph_place){ .line = line_of(j->p, j->methods[node], s->pc) };
}

static void add_field(struct java_view *j, field_id f, struct strbuf *out)
{
	const struct ir_field *row = field_row(j->p, f);

	strbuf_addstr(out, names_class(&j->names, row->owner));
	strbuf_addch(out, '.');
	escape_add(out, j->names.form, sel_name(j->p, row->sel));
}

static bool why(struct graph_view *v, uint32_t node, const struct graph_site *s, struct graph_why *out)
{
	struct java_view *j = of(v);
	const struct cg_dynamic *d = s->is_implied ? NULL : callgraph_dynamic_at(j->g, j->methods[node], s->pc);

	if (!d || d->is_resolved)
		return false;
	strbuf_clear(&j->place);
	strbuf_clear(&j->name);
	if (d->why.field.i)
		add_field(j, d->why.field, &j->place);
	else
		strbuf_addstr(&j->place, names_method(&j->names, d->why.method)), strbuf_addf(&j->place, "@%u", (unsigned)d->why.pc);
	if (d->why.name.i)
		escape_add(&j->name, j->names.form, interned(&j->p->strings, d->why.name));
	*out = (struct graph_why){ .reason = dynamic_reason_name(d->why.reason), .place = strbuf_str(&j->place),
				   .name = strbuf_str(&j->name),
				   .line = d->why.field.i ? 0 : line_of(j->p, d->why.method, d->why.pc) };
	return true;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static const uint32_t *sorted_nodes(struct java_view *j, struct cg_targets t)
{
	uint32_t *out = arena_array(&j->mem, uint32_t, t.n);
	bool sorted = true;

	for (uint32_t i = 0; i < t.n; i++) {
		out[i] = j->numbers[t.methods[i].i];
		assert(out[i] < j->v.nnodes);
		sorted = sorted && (i == 0 || out[i - 1] <= out[i]);
	}
	if (!sorted)
		qsort(out, t.n, sizeof(*out), by_number);
	return out;
}

static struct graph_targets targets(struct graph_view *v, uint32_t set)
{
	struct java_view *j = of(v);
	struct cg_targets t = callgraph_targets(j->g, &(struct cg_site){ .set = set });

	if (t.n == 0)
		return (struct graph_targets){ 0 };
	if (t.n == 1)
		return (struct graph_targets){ &j->numbers[t.methods[0].i], 1 };
	if (!j->sets[set])
		j->sets[set] = sorted_nodes(j, t);
	return (struct graph_targets){ j->sets[set], t.n };
}

static struct graph_stats stats(struct graph_view *v)
{
	struct cg_stats s = callgraph_stats(of(v)->g);

	return (struct graph_stats){ .methods = s.methods, .edges = s.edges, .method_edges = s.method_edges, .sites = s.sites,
				     .poly_sites = s.poly_sites, .unresolved = s.unresolved, .classes = s.classes };
}

static struct str declared(struct graph_view *v, uint32_t mref)
{
	return names_mref(&of(v)->names, (mref_id){ mref });
}

static const struct str *receivers(struct graph_view *v, const struct graph_site *s, uint32_t *n)
{
	struct java_view *j = of(v);

	if (!j->order.g)
		order_init(&j->order, j->g);
	struct cg_classes r = order_receivers(&j->order, &j->raw[s - j->sites.data]);
	vec_clear(&j->receivers);
	for (uint32_t i = 0; i < r.n; i++)
		vec_push(&j->receivers, names_class(&j->names, r.classes[i]));
	*n = r.n;
	return j->receivers.data;
}

static const struct str *phantoms(struct graph_view *v, uint32_t *n)
{
	return phantom_names(of(v)->p, &of(v)->mem, n);
}

/* The tables of a database */

static const struct graph_tables *tables(struct graph_view *v)
{
	struct java_view *j = of(v);

	if (j->tables.classes)
		return &j->tables.done;
	java_tables_init(&j->tables, j->p, &j->mem);
	for (uint32_t k = 0; k < v->nnodes; k++) {
		method_id m = j->methods[k];
		uint32_t n;
		const struct cg_site *s = shown_sites(j, m, &n);
		java_tables_class(&j->tables, method_row(j->p, m)->owner);
		for (uint32_t i = 0; i < n; i++)
			java_tables_mref(&j->tables, s[i].mref);
	}
	for (uint32_t i = 0; i < j->p->phantoms.len; i++)
		java_tables_class(&j->tables, j->p->phantoms.data[i]);
	java_tables_finish(&j->tables, &j->names);
	return &j->tables.done;
}

static void free_view(struct graph_view *v)
{
	struct java_view *j = of(v);

	if (j->names.p)
		names_release(&j->names);
	if (j->order.g)
		order_release(&j->order);
	arena_release(&j->mem);
	free(j->numbers);
	free(j->sets);
	vec_release(&j->sites);
	vec_release(&j->receivers);
	java_texts_release(&j->texts);
	strbuf_release(&j->place);
	strbuf_release(&j->name);
	java_tables_release(&j->tables);
	free(j);
}

static void json_inputs(struct graph_view *v, struct json *out)
{
	additions_json(out, of(v)->p);
	sources_json(out, &of(v)->head->facts);
	settings_json(out, &of(v)->head->settings);
}

static const struct graph_maker java_maker = {
	.name_nodes = name_nodes, .detail = detail, .sites = sites, .place = place, .why = why, .targets = targets, .stats = stats,
	.declared = declared, .receivers = receivers, .phantoms = phantoms, .tables = tables, .json_inputs = json_inputs,
	.free = free_view,
};

static void mark_targets(const struct java_view *j, method_id m, bool *is_node)
{
	uint32_t n;
	const struct cg_site *s = shown_sites(j, m, &n);

	for (uint32_t i = 0; i < n; i++) {
		struct cg_targets t = callgraph_targets(j->g, &s[i]);
		for (uint32_t k = 0; k < t.n; k++)
			is_node[t.methods[k].i] = true;
	}
}

/* Which methods the view has, by id. */
static bool *find_nodes(struct java_view *j)
{
	bool *is_node = arena_zarray(&j->mem, bool, j->p->methods.len + 1);

	for (uint32_t k = 0; k < callgraph_nmethods(j->g); k++) {
		method_id m = callgraph_method(j->g, k);
		bool is_whole = !j->head->is_shown;
		is_node[m.i] |= is_whole || is_shown(j, m);
		if (!is_whole)
			mark_targets(j, m, is_node);
	}
	return is_node;
}

static void number_nodes(struct java_view *j)
{
	bool *is_node = find_nodes(j);

	j->methods = arena_array(&j->mem, method_id, callgraph_nmethods(j->g));
	j->numbers = mem_alloc(sizeof(uint32_t) * ((size_t)j->p->methods.len + 1));
	memset(j->numbers, 0xff, sizeof(uint32_t) * ((size_t)j->p->methods.len + 1));
	for (uint32_t k = 0; k < callgraph_nmethods(j->g); k++) {
		method_id m = callgraph_method(j->g, k);
		if (!is_node[m.i])
			continue;
		j->numbers[m.i] = j->v.nnodes;
		j->methods[j->v.nnodes++] = m;
	}
	j->v.nodes = arena_zarray(&j->mem, struct graph_node, j->v.nnodes);
	for (uint32_t k = 0; k < j->v.nnodes; k++) {
		j->v.nodes[k].is_entry = callgraph_is_entry(j->g, j->methods[k]);
		j->v.nodes[k].by_callback = callgraph_is_by_callback(j->g, j->methods[k]);
	}
}

struct graph_view *java_view_named(struct callgraph *g, const struct report_head *head, name_render *render)
{
	struct java_view *j = mem_zalloc(sizeof(*j));

	j->v = (struct graph_view){ .maker = &java_maker, .has = GRAPH_CLASSES, .algorithm = head->algorithm,
				    .entry = head->entry, .class_path = head->class_path, .jdk = head->jdk,
				    .assume = head->assume, .first = 1,
				    .nsets = callgraph_nsets(g), .shares_sets = true,
				    .clusters = head->clusters, .receivers = head->receivers };
	j->g = g;
	j->p = callgraph_program(g);
	j->head = head;
	j->render = render;
	arena_init(&j->mem);
	j->sets = mem_zalloc(sizeof(*j->sets) * ((size_t)j->v.nsets + 1));
	number_nodes(j);
	return &j->v;
}

struct graph_view *java_view_new(struct callgraph *g, const struct report_head *head)
{
	return java_view_named(g, head, name_full);
}
