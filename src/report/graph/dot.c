/* SPDX-License-Identifier: Apache-2.0 */
/* dot.c - who calls whom, method by method, for Graphviz. */
#include "report/java/names.h"
#include "report/java/order.h"
#include "report/graph/callgraph.h"

struct writer {
	struct sink *out;
	struct callgraph *g;
	const struct program *p;
	struct names names;
	struct order order;
};

static void write_node(struct writer *w, method_id m)
{
	sink_printf(w->out, "\tn%u [label=\"", (unsigned)order_rank(&w->order, m));
	sink_str(w->out, names_method(&w->names, m));
	sink_puts(w->out, callgraph_is_entry(w->g, m) ? "\", penwidth=2];\n" : "\"];\n");
}

static struct str package(const struct writer *w, method_id m)
{
	return package_of(class_name(w->p, method_row(w->p, m)->owner));
}

static void open_cluster(struct writer *w, struct str name)
{
	struct strbuf text = { 0 }, dotted = { 0 };

	for (uint32_t i = 0; i < name.len; i++)
		strbuf_addch(&dotted, name.p[i] == '/' ? '.' : name.p[i]);
	escape_add(&text, ESCAPE_DOT, strbuf_str(&dotted));
	sink_puts(w->out, "\tsubgraph \"cluster_");
	sink_str(w->out, strbuf_str(&text));
	sink_puts(w->out, "\" {\n\tlabel=\"");
	sink_str(w->out, strbuf_str(&text));
	sink_puts(w->out, "\";\n");
	strbuf_release(&text);
	strbuf_release(&dotted);
}

/* Packages are not contiguous in the order of methods; a subgraph that is opened again goes on. */
static void write_clusters(struct writer *w)
{
	uint32_t n = callgraph_nmethods(w->g);

	for (uint32_t k = 0; k < n;) {
		struct str name = package(w, callgraph_method(w->g, k));
		open_cluster(w, name);
		for (; k < n && str_eq(name, package(w, callgraph_method(w->g, k))); k++)
			write_node(w, callgraph_method(w->g, k));
		sink_puts(w->out, "\t}\n");
	}
}

static void write_nodes(struct writer *w)
{
	uint32_t n = callgraph_nmethods(w->g);

	for (uint32_t k = 0; k < n; k++)
		write_node(w, callgraph_method(w->g, k));
}

static void write_edges(struct writer *w, method_id m)
{
	struct cg_targets t = order_callees(&w->order, m);
	uint32_t from = order_rank(&w->order, m);

	for (uint32_t i = 0; i < t.n; i++) {
		sink_write(w->out, "\tn", 2);
		sink_uint(w->out, from);
		sink_write(w->out, " -> n", 5);
		sink_uint(w->out, order_rank(&w->order, t.methods[i]));
		sink_write(w->out, ";\n", 2);
	}
}

static void write_graph(struct writer *w, const struct report_head *head)
{
	uint32_t n = callgraph_nmethods(w->g);

	sink_puts(w->out, "digraph callgraph {\n\trankdir=LR;\n\tnode [shape=box];\n");
	if (head->clusters)
		write_clusters(w);
	else
		write_nodes(w);
	for (uint32_t k = 0; k < n; k++)
		write_edges(w, callgraph_method(w->g, k));
	sink_puts(w->out, "}\n");
}

bool report_callgraph_dot(struct sink *out, struct callgraph *g, const struct report_head *head)
{
	struct writer w = { .out = out, .g = g, .p = callgraph_program(g) };

	names_init(&w.names, w.p, name_full, ESCAPE_DOT);
	order_init(&w.order, g);
	write_graph(&w, head);
	names_release(&w.names);
	order_release(&w.order);
	return sink_finish(out);
}
