/* SPDX-License-Identifier: Apache-2.0 */
/* graphml.c - who calls whom, node by node, for graph tools that read GraphML. */
#include "report/graph/writers.h"

static void write_key(struct sink *out, const char *key)
{
	sink_printf(out, "<key id=\"%s\" for=\"node\" attr.name=\"%s\" attr.type=\"string\"/>\n", key, key);
}

static void write_flag_key(struct sink *out, const char *key)
{
	sink_printf(out, "<key id=\"%s\" for=\"node\" attr.name=\"%s\" attr.type=\"boolean\"><default>false</default></key>\n",
		    key, key);
}

static void write_prolog(struct sink *out, const struct graph_view *v)
{
	sink_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		       "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
	write_key(out, "method");
	if (v->has & GRAPH_CLASSES)
		write_key(out, "class");
	if (v->has & GRAPH_FILES)
		write_key(out, "file");
	if (v->has & GRAPH_LIBRARY)
		write_flag_key(out, "library");
	write_flag_key(out, "entry");
	if (v->has & GRAPH_KINDS)
		sink_puts(out, "<key id=\"kind\" for=\"edge\" attr.name=\"kind\" attr.type=\"string\"/>\n");
	sink_puts(out, "<graph id=\"callgraph\" edgedefault=\"directed\">\n");
}

static void write_data(struct sink *out, const char *key, struct str escaped)
{
	sink_printf(out, "<data key=\"%s\">", key);
	sink_str(out, escaped);
	sink_puts(out, "</data>");
}

static void write_text(struct sink *out, const char *key, struct str raw, struct strbuf *text)
{
	strbuf_clear(text);
	escape_add(text, ESCAPE_XML, raw);
	write_data(out, key, strbuf_str(text));
}

static void write_left(struct sink *out, const struct graph_view *v, struct strbuf *text)
{
	if (!v->left.len)
		return;
	strbuf_clear(text);
	escape_add(text, ESCAPE_XML, v->left);
	sink_puts(out, "<desc>left out: ");
	sink_str(out, strbuf_str(text));
	sink_puts(out, "</desc>\n");
}

static void write_node(struct sink *out, struct graph_view *v, uint32_t k, struct strbuf *text)
{
	const struct graph_node *n = &v->nodes[k];
	struct graph_detail d;

	v->maker->detail(v, k, &d);
	sink_printf(out, "<node id=\"n%u\">", (unsigned)(v->first + k));
	write_data(out, "method", n->name);
	if (v->has & GRAPH_CLASSES)
		write_text(out, "class", d.class_name, text);
	if (d.file.len)
		write_text(out, "file", d.file, text);
	if (n->is_library)
		write_data(out, "library", STR("true"));
	if (n->is_entry)
		write_data(out, "entry", STR("true"));
	sink_puts(out, "</node>\n");
}

static void write_edges(struct sink *out, struct graph_view *v, uint32_t from, uint32_t kind)
{
	struct graph_targets t = graph_callees(v, from, kind);

	for (uint32_t i = 0; i < t.n; i++) {
		sink_puts(out, "<edge source=\"n");
		sink_uint(out, v->first + from);
		sink_puts(out, "\" target=\"n");
		sink_uint(out, v->first + t.nodes[i]);
		if (v->has & GRAPH_KINDS)
			sink_puts(out, "\">"), write_data(out, "kind", str_of(v->kinds[kind])), sink_puts(out, "</edge>\n");
		else
			sink_puts(out, "\"/>\n");
	}
}

bool report_graph_graphml(struct sink *out, struct graph_view *v)
{
	struct strbuf text = { 0 };

	graph_view_name_nodes(v, ESCAPE_XML);
	write_prolog(out, v);
	write_left(out, v, &text);
	for (uint32_t k = 0; k < v->nnodes; k++)
		write_node(out, v, k, &text);
	for (uint32_t k = 0; k < v->nnodes; k++)
		for (uint32_t kind = 0; kind < graph_nkinds(v); kind++)
			write_edges(out, v, k, kind);
	sink_puts(out, "</graph>\n</graphml>\n");
	strbuf_release(&text);
	return sink_finish(out);
}
