/* SPDX-License-Identifier: Apache-2.0 */
/* java_view.c - the call graph of a Java program as a view: methods by their printed names.
 *
 * callgraph_method() deals reachable methods in that order, so nodes are numbered as they come from there, and a target set
 * is put in order by comparing numbers, once, however many sites share it. A view of part of the graph (report/java/selection.h) has
 * sets without what is left out of them. */
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
	uint32_t *kept;               /* by set: how many of its targets are nodes; NULL: all */
	struct strbuf left;
	VEC(struct graph_site) sites; /* of the node that was asked for last */
	VEC(const struct cg_site *) raw;      /* the same */
	VEC(struct str) receivers;
	struct java_texts texts;
	struct strbuf place, name;    /* of a reason */
	struct java_tables tables;
	struct graph_fact facts[5];
};

static struct java_view *of(struct graph_view *v)
{
	return (struct java_view *)v;
}

static const struct cg_site *shown_sites(const struct java_view *j, method_id m, uint32_t *n)
{
	*n = 0;
	return selection_has(&j->head->selection, j->p, m) ? callgraph_sites(j->g, m, n) : NULL;
}

static uint32_t count_kept(const struct java_view *j, const struct cg_site *s, struct cg_targets t)
{
	return j->kept && t.n ? j->kept[s->set] : t.n;
}

/* What calls only what is left out is left out. */
static bool is_left_out(const struct java_view *j, const struct cg_site *s)
{
	struct cg_targets t = callgraph_targets(j->g, s);

	return t.n && s->cause == CG_RESOLVED && !count_kept(j, s, t);
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

	const struct cg_site *raw = shown_sites(j, j->methods[node], n);
	vec_clear(&j->sites);
	vec_clear(&j->raw);
	for (const struct cg_site *s = raw; s < raw + *n; s++) {
		if (is_left_out(j, s))
			continue;
		vec_push(&j->raw, s);
		vec_push(&j->sites, ((struct graph_site){
					    .pc = s->pc, .set = s->set, .declared = s->mref.i, .is_implied = s->implied,
					    .is_open = s->open, .op = op_name(s->op), .by = dynamic_name(s), .fact = fact_file(j, s),
					    .is_dispatched = s->op == IR_CALL_VIRTUAL || s->op == IR_CALL_INTERFACE,
					    .left_out = callgraph_targets(j->g, s).n - count_kept(j, s, callgraph_targets(j->g, s)),
					    .cause = s->cause == CG_RESOLVED ? NULL : cg_cause_name(s->cause) }));
	}
	*n = j->sites.len;
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

/* A method may be a node for its own calls, and yet not as one that is called. */
static bool is_node_of_set(const struct java_view *j, method_id m)
{
	return selection_writes_called(&j->head->selection, method_row(j->p, m)->owner);
}

static const uint32_t *sorted_nodes(struct java_view *j, struct cg_targets t, uint32_t kept)
{
	uint32_t *out = arena_array(&j->mem, uint32_t, kept), n = 0;
	bool sorted = true;

	for (uint32_t i = 0; i < t.n; i++) {
		if (!is_node_of_set(j, t.methods[i]))
			continue;
		out[n] = j->numbers[t.methods[i].i];
		assert(out[n] < j->v.nnodes);
		sorted = sorted && (n == 0 || out[n - 1] <= out[n]);
		n++;
	}
	assert(n == kept);
	if (!sorted)
		qsort(out, n, sizeof(*out), by_number);
	return out;
}

static struct graph_targets targets(struct graph_view *v, uint32_t set)
{
	struct java_view *j = of(v);
	struct cg_site site = { .set = set };
	struct cg_targets t = callgraph_targets(j->g, &site);
	uint32_t kept = count_kept(j, &site, t);

	if (kept == 0)
		return (struct graph_targets){ 0 };
	if (t.n == 1)
		return (struct graph_targets){ &j->numbers[t.methods[0].i], 1 };
	if (!j->sets[set])
		j->sets[set] = sorted_nodes(j, t, kept);
	return (struct graph_targets){ j->sets[set], kept };
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
	struct cg_classes r = order_receivers(&j->order, j->raw.data[s - j->sites.data]);
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
			if (!is_left_out(j, &s[i]))
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
	free(j->kept);
	vec_release(&j->sites);
	vec_release(&j->raw);
	vec_release(&j->receivers);
	java_texts_release(&j->texts);
	strbuf_release(&j->place);
	strbuf_release(&j->name);
	strbuf_release(&j->left);
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

/* How many targets of each set are nodes. */
static void count_sets(struct java_view *j)
{
	j->kept = mem_zalloc(sizeof(*j->kept) * ((size_t)j->v.nsets + 1));
	for (uint32_t set = 1; set < j->v.nsets; set++)
		j->kept[set] = selection_targets(&j->head->selection, j->p, callgraph_targets(j->g, &(struct cg_site){ .set = set }));
}

/* What a view of a part says of the rest. */
static void tell_left_out(struct java_view *j, struct selection_left left)
{
	const struct report_selection *s = &j->head->selection;
	const struct graph_fact facts[] = {
		{ .key = "only", .value = s->only }, { .key = "among", .value = s->among ? "true" : NULL, .is_flag = true },
		{ .key = "no_jdk", .value = s->no_jdk ? "true" : NULL, .is_flag = true },
	};
	uint32_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(facts); i++)
		if (facts[i].value)
			j->facts[n++] = facts[i];
	j->facts[n++] = (struct graph_fact){ .key = "methods_left_out", .n = left.methods };
	j->facts[n++] = (struct graph_fact){ .key = "edges_left_out", .n = left.edges };
	j->v.facts = j->facts;
	j->v.nfacts = n;
	selection_tell(s, left, &j->left);
	j->v.left = strbuf_str(&j->left);
}

/* Which methods the view has, by id. */
static bool *find_nodes(struct java_view *j)
{
	bool *is_node = arena_zarray(&j->mem, bool, j->p->methods.len + 1);

	if (j->head->selection.writes) {
		count_sets(j);
		tell_left_out(j, selection_apply(&j->head->selection, j->g, is_node));
	} else {
		memset(is_node, true, j->p->methods.len + 1);
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
