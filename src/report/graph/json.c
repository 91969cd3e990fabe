/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - a call graph as JSON, sherd/callgraph/1: see docs/formats/callgraph-json.md. */
#include "report/graph/writers.h"

struct writer {
	struct json j;
	struct graph_view *v;
	struct strbuf site;
};

/* "site": "method@pc", and "line" and "column" where they are known. */
static void write_place(struct writer *w, uint32_t node, const struct graph_site *s)
{
	struct graph_place at = w->v->maker->place(w->v, node, s);

	strbuf_clear(&w->site);
	strbuf_addstr(&w->site, w->v->nodes[node].name);
	strbuf_addf(&w->site, "@%u", (unsigned)s->pc);
	json_key(&w->j, "site"), json_escaped(&w->j, strbuf_str(&w->site));
	json_key(&w->j, "pc"), json_uint(&w->j, s->pc);
	if (at.line)
		json_key(&w->j, "line"), json_uint(&w->j, at.line);
	if (at.column)
		json_key(&w->j, "column"), json_uint(&w->j, at.column);
}

static void write_receivers(struct writer *w, const struct graph_site *s)
{
	uint32_t n;
	const struct str *names = w->v->maker->receivers(w->v, s, &n);

	json_key(&w->j, "receivers"), json_array(&w->j);
	for (uint32_t i = 0; i < n; i++)
		json_escaped(&w->j, names[i]);
	json_end_array(&w->j);
}

/* "why": {"reason": "parameter", "place": "method@pc", "line": 7} */
static void write_why(struct writer *w, uint32_t node, const struct graph_site *s)
{
	struct json *j = &w->j;
	struct graph_why why;

	if (!w->v->maker->why || !w->v->maker->why(w->v, node, s, &why))
		return;
	json_key(j, "why"), json_object(j);
	json_key(j, "reason"), json_escaped(j, str_of(why.reason));
	json_key(j, "place"), json_escaped(j, why.place);
	if (why.line)
		json_key(j, "line"), json_uint(j, why.line);
	if (why.name.len)
		json_key(j, "name"), json_escaped(j, why.name);
	json_end_object(j);
}

static void write_site(struct writer *w, uint32_t node, const struct graph_site *s)
{
	struct graph_targets t = graph_targets(w->v, s);
	struct json *j = &w->j;

	json_break(j);
	json_object(j);
	write_place(w, node, s);
	json_key(j, "op"), json_escaped(j, str_of(s->op));
	if (s->is_implied)
		json_key(j, "implied"), json_bool(j, true);
	if (s->by)
		json_key(j, "by"), json_escaped(j, str_of(s->by));
	if (s->fact)
		json_key(j, "fact"), json_str(j, str_of(s->fact));
	if (s->declared)
		json_key(j, "declared"), json_escaped(j, w->v->maker->declared(w->v, s->declared));
	json_key(j, "targets"), json_array(j);
	for (uint32_t i = 0; i < t.n; i++)
		json_escaped(j, w->v->nodes[t.nodes[i]].name);
	json_end_array(j);
	if (s->left_out)
		json_key(j, "left_out"), json_uint(j, s->left_out);
	if (w->v->receivers && s->is_dispatched)
		write_receivers(w, s);
	if (s->is_open)
		json_key(j, "open"), json_bool(j, true);
	if (s->cause)
		json_key(j, "unresolved"), json_escaped(j, str_of(s->cause)), write_why(w, node, s);
	json_end_object(j);
}

/* The file that a node is in, and where in it. */
static void write_file(struct writer *w, uint32_t node)
{
	struct graph_detail d;

	w->v->maker->detail(w->v, node, &d);
	if (d.file.len)
		json_key(&w->j, "file"), json_str(&w->j, d.file);
	if (d.line)
		json_key(&w->j, "line"), json_uint(&w->j, d.line);
	if (d.column)
		json_key(&w->j, "column"), json_uint(&w->j, d.column);
}

static void write_node(struct writer *w, uint32_t node)
{
	uint32_t n;
	const struct graph_site *sites = w->v->maker->sites(w->v, node, &n);
	struct json *j = &w->j;

	json_break(j);
	json_object(j);
	json_key(j, "method"), json_escaped(j, w->v->nodes[node].name);
	if (w->v->has & GRAPH_FILES)
		write_file(w, node);
	if (w->v->nodes[node].is_entry)
		json_key(j, "entry"), json_bool(j, true);
	if (w->v->nodes[node].by_callback)
		json_key(j, "callback"), json_bool(j, true);
	if (w->v->nodes[node].is_library)
		json_key(j, "library"), json_bool(j, true);
	json_key(j, "sites"), json_array(j);
	for (uint32_t i = 0; i < n; i++)
		write_site(w, node, &sites[i]);
	json_end_array(j);
	json_end_object(j);
}

static void write_phantoms(struct writer *w)
{
	uint32_t n;
	const struct str *names = w->v->maker->phantoms(w->v, &n);

	json_break(&w->j);
	json_key(&w->j, "phantom_classes"), json_array(&w->j);
	for (uint32_t i = 0; i < n; i++)
		json_str(&w->j, names[i]);
	json_end_array(&w->j);
}

static void write_unresolved_of(struct writer *w, uint32_t node)
{
	uint32_t n;
	const struct graph_site *sites = w->v->maker->sites(w->v, node, &n);

	for (uint32_t i = 0; i < n; i++) {
		if (!sites[i].cause)
			continue;
		json_break(&w->j);
		json_object(&w->j);
		write_place(w, node, &sites[i]);
		json_key(&w->j, "cause"), json_escaped(&w->j, str_of(sites[i].cause));
		write_why(w, node, &sites[i]);
		json_end_object(&w->j);
	}
}

/* "left_out": {"only": "p.*", "methods_left_out": 5} */
static void write_left(struct json *j, const struct graph_view *v)
{
	if (!v->left.len)
		return;
	json_key(j, "left_out"), json_object(j);
	for (uint32_t i = 0; i < v->nfacts; i++) {
		const struct graph_fact *f = &v->facts[i];
		json_key(j, f->key);
		if (f->is_flag)
			json_bool(j, true);
		else if (f->value)
			json_str(j, str_of(f->value));
		else
			json_uint(j, f->n);
	}
	json_end_object(j);
}

static void write_graph(struct writer *w)
{
	struct graph_view *v = w->v;
	struct json *j = &w->j;

	json_object(j);
	json_key(j, "schema"), json_escaped(j, STR("sherd/callgraph/1"));
	if (v->language)
		json_key(j, "language"), json_str(j, str_of(v->language));
	json_key(j, "algorithm"), json_str(j, str_of(v->algorithm));
	json_key(j, "entry"), json_str(j, str_of(v->entry));
	if (v->assume)
		json_key(j, "assume"), json_str(j, str_of(v->assume));
	if (v->has & GRAPH_CLASSES)
		v->maker->json_inputs(v, j);
	write_left(j, v);
	json_break(j);
	json_key(j, "methods"), json_array(j);
	for (uint32_t k = 0; k < v->nnodes; k++)
		write_node(w, k);
	json_end_array(j);
	if (v->has & GRAPH_CLASSES)
		write_phantoms(w);
	json_break(j);
	json_key(j, "unresolved"), json_array(j);
	for (uint32_t k = 0; k < v->nnodes; k++)
		write_unresolved_of(w, k);
	json_end_array(j);
	if (v->has & GRAPH_NOTES)
		v->maker->json_notes(v, j);
	json_end_object(j);
	sink_putc(j->out, '\n');
}

bool report_graph_json(struct sink *out, struct graph_view *v)
{
	struct writer w = { .j = { .out = out }, .v = v };

	graph_view_name_nodes(v, ESCAPE_JSON);
	write_graph(&w);
	strbuf_release(&w.site);
	return sink_finish(out);
}
