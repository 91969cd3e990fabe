/* SPDX-License-Identifier: Apache-2.0 */
/* application_view.c - the call graph of an application as a view: its methods, and calls of three kinds.
 *
 * Nodes are in the order of printed names, as callgraph_method() deals them. The edges of one instruction are a site for each kind and each
 * method that it names: code that joins strings, say, names several. Each site has a set of its own. */
#include <stdlib.h>

#include "report/graph/application.h"
#include "report/graph/java_tables.h"
#include "report/java/additions.h"
#include "report/java/order.h"

/* Order */

struct sorted_edge {
	uint64_t key;            /* rank of the caller, pc */
	uint32_t sort, callee;   /* rank */
	uint32_t edge;
};

static int compare_edges(const void *x, const void *y)
{
	const struct sorted_edge *a = x, *b = y;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->sort != b->sort)
		return a->sort < b->sort ? -1 : 1;
	return (a->callee > b->callee) - (a->callee < b->callee);
}

uint32_t *application_order(const struct callbacks *c, const struct callgraph *g)
{
	uint32_t n = c->edges.len, *out = mem_alloc(((size_t)n + 1) * sizeof(*out));
	struct sorted_edge *rows = mem_alloc(((size_t)n + 1) * sizeof(*rows));
	struct order o;

	order_init(&o, g);
	for (uint32_t i = 0; i < n; i++) {
		const struct app_edge *e = &c->edges.data[i];
		rows[i] = (struct sorted_edge){ map_key(o.ranks[e->caller.i], e->pc), e->sort, o.ranks[e->callee.i], i };
	}
	qsort(rows, n, sizeof(*rows), compare_edges);
	for (uint32_t i = 0; i < n; i++)
		out[i] = rows[i].edge;
	order_release(&o);
	free(rows);
	return out;
}

/* The view */

struct site {
	uint32_t pc, kind, first, n;     /* of `targets` */
	mref_id mref;
};

struct application_view {
	struct graph_view v;
	const struct callbacks *c;
	struct callgraph *g;
	const struct program *p;
	const struct application_head *head;
	name_render *render;
	struct names names;
	struct arena mem;
	method_id *methods;              /* by node */
	uint32_t *numbers;               /* by method id: its node; UINT32_MAX: none */
	uint32_t *order;                 /* edges */
	VEC(struct site) sites;          /* by caller and pc */
	uint32_t *first_site;            /* by node, and the end */
	VEC(uint32_t) targets, edges;    /* by site: nodes, and the edges that they are of */
	VEC(struct graph_site) asked;    /* the sites of the node that was asked for last */
	struct java_tables tables;
	struct java_texts texts;
	const char *kinds[CALL_SORTS];
	struct graph_fact facts[12];
};

static struct application_view *of(struct graph_view *v)
{
	return (struct application_view *)v;
}

static const struct app_edge *edge_of(const struct application_view *a, uint32_t i)
{
	return &a->c->edges.data[a->order[i]];
}

static void name_nodes(struct graph_view *v, enum escape form)
{
	struct application_view *a = of(v);

	names_init(&a->names, a->p, a->render, form);
	for (uint32_t k = 0; k < v->nnodes; k++)
		v->nodes[k].name = names_method(&a->names, a->methods[k]);
}

static void detail(struct graph_view *v, uint32_t node, struct graph_detail *out)
{
	struct application_view *a = of(v);

	java_detail(&a->texts, &a->tables, a->p, a->methods[node], out);
}

/* The call in the graph; NULL: it is not there under that name. */
static const struct cg_site *whole_site(const struct application_view *a, method_id caller, const struct site *s)
{
	const struct cg_site *found = callgraph_find_site(a->g, caller, s->pc, s->mref);

	return found ? found : callgraph_find_callbacks(a->g, caller, s->pc, s->mref);
}

static const struct graph_site *sites(struct graph_view *v, uint32_t node, uint32_t *n)
{
	struct application_view *a = of(v);

	vec_clear(&a->asked);
	for (uint32_t i = a->first_site[node]; i < a->first_site[node + 1]; i++) {
		const struct site *s = &a->sites.data[i];
		const struct cg_site *whole = whole_site(a, a->methods[node], s);
		bool is_open = false;
		for (uint32_t k = s->first; k < s->first + s->n; k++)
			is_open |= a->c->edges.data[a->edges.data[k]].is_open;
		vec_push(&a->asked, ((struct graph_site){ .pc = s->pc, .set = i + 1, .declared = s->mref.i, .kind = s->kind,
							  .is_open = is_open, .is_implied = whole && whole->implied,
							  .op = whole ? op_name(whole->op) : "dynamic" }));
	}
	*n = a->asked.len;
	return a->asked.data;
}

static struct graph_place place(struct graph_view *v, uint32_t node, const struct graph_site *s)
{
	struct application_view *a = of(v);

	return (struct graph_place){ .line = line_of(a->p, a->methods[node], s->pc) };
}

static struct graph_targets targets(struct graph_view *v, uint32_t set)
{
	struct application_view *a = of(v);

	if (!set)
		return (struct graph_targets){ 0 };
	const struct site *s = &a->sites.data[set - 1];
	return (struct graph_targets){ &a->targets.data[s->first], s->n };
}

static struct str called_by(struct graph_view *v, const struct graph_site *s, uint32_t target)
{
	struct application_view *a = of(v);
	method_id by = a->c->edges.data[a->edges.data[a->sites.data[s->set - 1].first + target]].by;

	return by.i ? names_method(&a->names, by) : STR("");
}

static uint64_t count_pairs(struct application_view *a)
{
	uint32_t *last = mem_zalloc(sizeof(*last) * ((size_t)a->v.nnodes + 1));
	uint64_t n = 0;

	for (uint32_t k = 0; k < a->v.nnodes; k++) {
		for (uint32_t i = a->first_site[k]; i < a->first_site[k + 1]; i++) {
			const struct site *s = &a->sites.data[i];
			for (uint32_t t = s->first; t < s->first + s->n; t++) {
				n += last[a->targets.data[t]] != k + 1;
				last[a->targets.data[t]] = k + 1;
			}
		}
	}
	free(last);
	return n;
}

static uint64_t count_classes(const struct application_view *a)
{
	bool *seen = mem_zalloc((size_t)a->p->classes.len + 1);
	uint64_t n = 0;

	for (uint32_t k = 0; k < a->v.nnodes; k++) {
		bool *at = &seen[method_row(a->p, a->methods[k])->owner.i];
		n += !*at;
		*at = true;
	}
	free(seen);
	return n;
}

static struct graph_stats stats(struct graph_view *v)
{
	struct application_view *a = of(v);
	struct graph_stats s = { .methods = v->nnodes, .edges = a->edges.len, .sites = a->sites.len, .method_edges = count_pairs(a),
				 .classes = count_classes(a) };

	for (uint32_t i = 0; i < a->sites.len; i++)
		s.poly_sites += a->sites.data[i].n > 1;
	return s;
}

static struct str declared(struct graph_view *v, uint32_t mref)
{
	return names_mref(&of(v)->names, (mref_id){ mref });
}

static const struct graph_tables *tables(struct graph_view *v)
{
	struct application_view *a = of(v);

	if (a->tables.classes)
		return &a->tables.done;
	java_tables_init(&a->tables, a->p, &a->mem);
	for (uint32_t k = 0; k < v->nnodes; k++) {
		java_tables_class(&a->tables, method_row(a->p, a->methods[k])->owner);
		for (uint32_t i = a->first_site[k]; i < a->first_site[k + 1]; i++)
			java_tables_mref(&a->tables, a->sites.data[i].mref);
	}
	java_tables_finish(&a->tables, &a->names);
	return &a->tables.done;
}

static const struct str *phantoms(struct graph_view *v, uint32_t *n)
{
	return phantom_names(of(v)->p, &of(v)->mem, n);
}

static const struct str *receivers(struct graph_view *v ATTR_UNUSED, const struct graph_site *s ATTR_UNUSED, uint32_t *n)
{
	*n = 0;
	return NULL;
}

static void json_inputs(struct graph_view *v, struct json *out)
{
	additions_json(out, of(v)->p);
	sources_json(out, &of(v)->head->head->facts);
	settings_json(out, &of(v)->head->head->settings);
}

static bool why(struct graph_view *v ATTR_UNUSED, uint32_t node ATTR_UNUSED, const struct graph_site *s ATTR_UNUSED,
		struct graph_why *out ATTR_UNUSED)
{
	return false;
}

static void free_view(struct graph_view *v)
{
	struct application_view *a = of(v);

	if (a->names.p)
		names_release(&a->names);
	arena_release(&a->mem);
	free(a->numbers);
	free(a->order);
	free(a->first_site);
	vec_release(&a->sites);
	vec_release(&a->targets);
	vec_release(&a->edges);
	vec_release(&a->asked);
	java_tables_release(&a->tables);
	java_texts_release(&a->texts);
	free(a);
}

static const struct graph_maker application_maker = {
	.name_nodes = name_nodes, .detail = detail, .sites = sites, .place = place, .why = why, .targets = targets, .stats = stats,
	.declared = declared, .receivers = receivers, .phantoms = phantoms, .tables = tables, .called_by = called_by,
	.json_inputs = json_inputs, .free = free_view,
};

/* Making it */

static void number_nodes(struct application_view *a)
{
	uint32_t n = callgraph_nmethods(a->g);
	bool *is_node = mem_zalloc((size_t)a->p->methods.len + 1);

	for (uint32_t i = 0; i < a->c->edges.len; i++) {
		is_node[a->c->edges.data[i].caller.i] = true;
		is_node[a->c->edges.data[i].callee.i] = true;
	}
	a->methods = arena_array(&a->mem, method_id, n);
	a->numbers = mem_alloc(sizeof(uint32_t) * ((size_t)a->p->methods.len + 1));
	memset(a->numbers, 0xff, sizeof(uint32_t) * ((size_t)a->p->methods.len + 1));
	for (uint32_t k = 0; k < n; k++) {
		method_id m = callgraph_method(a->g, k);
		if (!is_node[m.i] && !(a->head->has_method && a->head->has_method(a->head->ctx, m)))
			continue;
		a->numbers[m.i] = a->v.nnodes;
		a->methods[a->v.nnodes++] = m;
	}
	free(is_node);
	a->v.nodes = arena_zarray(&a->mem, struct graph_node, a->v.nnodes);
	for (uint32_t k = 0; k < a->v.nnodes; k++) {
		a->v.nodes[k].is_entry = callgraph_is_entry(a->g, a->methods[k]);
		a->v.nodes[k].by_callback = callgraph_is_by_callback(a->g, a->methods[k]);
	}
}

static bool is_same_call(const struct app_edge *x, const struct app_edge *y)
{
	return x->caller.i == y->caller.i && x->pc == y->pc && x->sort == y->sort;
}

/* The edges of a call, which are of one kind: a site for each method that it names, in the order in which the edges come to them. */
static void add_sites(struct application_view *a, uint32_t first, uint32_t end)
{
	uint32_t done = 0, begun = a->sites.len;

	for (uint32_t i = first; i < end && done < end - first; i++) {
		mref_id mref = edge_of(a, i)->mref;
		bool is_known = false;
		for (uint32_t s = begun; s < a->sites.len && !is_known; s++)
			is_known = a->sites.data[s].mref.i == mref.i;
		if (is_known)
			continue;
		struct site s = { edge_of(a, i)->pc, edge_of(a, i)->sort, a->edges.len, 0, mref };
		for (uint32_t k = i; k < end; k++) {
			if (edge_of(a, k)->mref.i != mref.i)
				continue;
			vec_push(&a->edges, a->order[k]);
			vec_push(&a->targets, a->numbers[edge_of(a, k)->callee.i]);
		}
		s.n = a->edges.len - s.first;
		done += s.n;
		vec_push(&a->sites, s);
	}
}

static void make_sites(struct application_view *a)
{
	uint32_t n = a->c->edges.len, node = 0;

	a->first_site = mem_zalloc(sizeof(uint32_t) * ((size_t)a->v.nnodes + 1));
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && is_same_call(edge_of(a, i), edge_of(a, end));)
			end++;
		while (node <= a->numbers[edge_of(a, i)->caller.i])
			a->first_site[node++] = a->sites.len;
		add_sites(a, i, end);
	}
	while (node <= a->v.nnodes)
		a->first_site[node++] = a->sites.len;
}

/* What a database says of the request, and of what was found. */
static void set_facts(struct application_view *a)
{
	const struct { const char *key, *value; } texts[] = {
		{ "application", a->head->application }, { "precision", a->head->precision }, { "only", a->head->only }, { "from", a->head->from },
	};
	struct graph_fact *f = a->facts;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (texts[i].value)
			*f++ = (struct graph_fact){ .key = texts[i].key, .value = texts[i].value };
	if (a->head->depth)
		*f++ = (struct graph_fact){ .key = "depth", .n = a->head->depth };
	for (int i = 0; i < CALL_SORTS; i++) {
		a->kinds[i] = call_sort_name((enum call_sort)i);
		*f++ = (struct graph_fact){ .key = a->kinds[i], .n = a->c->counts[i] };
	}
	*f++ = (struct graph_fact){ .key = "library_calls", .n = a->c->library_calls };
	*f++ = (struct graph_fact){ .key = "unfinished", .n = a->c->unfinished };
	a->v.facts = a->facts;
	a->v.nfacts = (uint32_t)(f - a->facts);
}

struct graph_view *application_view_new(const struct callbacks *c, struct callgraph *g, const struct application_head *head,
					name_render *render)
{
	struct application_view *a = mem_zalloc(sizeof(*a));
	const struct report_head *h = head->head;

	a->v = (struct graph_view){ .maker = &application_maker, .has = GRAPH_CLASSES | GRAPH_KINDS, .algorithm = h->algorithm,
				    .entry = h->entry, .class_path = h->class_path, .jdk = h->jdk, .assume = h->assume, .first = 1,
				    .clusters = h->clusters, .kinds = a->kinds, .nkinds = CALL_SORTS };
	a->c = c;
	a->g = g;
	a->p = callgraph_program(g);
	a->head = head;
	a->render = render;
	arena_init(&a->mem);
	a->order = application_order(c, g);
	number_nodes(a);
	make_sites(a);
	a->v.nsets = a->sites.len;
	set_facts(a);
	return &a->v;
}
