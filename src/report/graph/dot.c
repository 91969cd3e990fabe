/* SPDX-License-Identifier: Apache-2.0 */
/* dot.c - who calls whom, node by node, for Graphviz. */
#include "report/graph/writers.h"

static void write_node(struct sink *out, const struct graph_view *v, uint32_t k)
{
	const struct graph_node *n = &v->nodes[k];

	sink_printf(out, "\tn%u [label=\"", (unsigned)(v->first + k));
	sink_str(out, n->name);
	sink_printf(out, "\"%s%s];\n", n->is_entry ? ", penwidth=2" : "", n->is_library ? ", style=dashed" : "");
}

static void open_cluster(struct sink *out, struct str name)
{
	struct strbuf text = { 0 };

	escape_add(&text, ESCAPE_DOT, name);
	sink_puts(out, "\tsubgraph \"cluster_");
	sink_str(out, strbuf_str(&text));
	sink_puts(out, "\" {\n\tlabel=\"");
	sink_str(out, strbuf_str(&text));
	sink_puts(out, "\";\n");
	strbuf_release(&text);
}

/* Packages are not contiguous in the order of nodes; a subgraph that is opened again goes on. */
static void write_clusters(struct sink *out, struct graph_view *v)
{
	struct strbuf open = { 0 };
	struct graph_detail d;

	for (uint32_t k = 0; k < v->nnodes; k++) {
		v->maker->detail(v, k, &d);
		if (k == 0 || !str_eq(d.package, strbuf_str(&open))) {
			sink_puts(out, k ? "\t}\n" : "");
			open_cluster(out, d.package);
			strbuf_clear(&open);
			strbuf_addstr(&open, d.package);
		}
		write_node(out, v, k);
	}
	sink_puts(out, v->nnodes ? "\t}\n" : "");
	strbuf_release(&open);
}

/* By kind: calls as other graphs have them are plain. */
static const char *const styles[] = { ";\n", " [style=dashed, color=\"#b35900\"];\n", " [style=dotted, color=\"#6a3d9a\"];\n" };

static void write_edges(struct sink *out, struct graph_view *v, uint32_t from, uint32_t kind)
{
	struct graph_targets t = graph_callees(v, from, kind);
	const char *style = styles[kind < ARRAY_LEN(styles) ? kind : ARRAY_LEN(styles) - 1];

	for (uint32_t i = 0; i < t.n; i++) {
		sink_write(out, "\tn", 2);
		sink_uint(out, v->first + from);
		sink_write(out, " -> n", 5);
		sink_uint(out, v->first + t.nodes[i]);
		sink_puts(out, style);
	}
}

/* Who looks at the picture of a part shall know. */
static void write_left(struct sink *out, const struct graph_view *v)
{
	struct strbuf text = { 0 };

	if (!v->left.len)
		return;
	escape_add(&text, ESCAPE_DOT, v->left);
	sink_puts(out, "\tlabel=\"left out: ");
	sink_str(out, strbuf_str(&text));
	sink_puts(out, "\";\n");
	strbuf_release(&text);
}

bool report_graph_dot(struct sink *out, struct graph_view *v)
{
	graph_view_name_nodes(v, ESCAPE_DOT);
	sink_puts(out, "digraph callgraph {\n\trankdir=LR;\n\tnode [shape=box];\n");
	write_left(out, v);
	if (v->clusters)
		write_clusters(out, v);
	else
		for (uint32_t k = 0; k < v->nnodes; k++)
			write_node(out, v, k);
	for (uint32_t k = 0; k < v->nnodes; k++)
		for (uint32_t kind = 0; kind < graph_nkinds(v); kind++)
			write_edges(out, v, k, kind);
	sink_puts(out, "}\n");
	return sink_finish(out);
}
