/* SPDX-License-Identifier: Apache-2.0 */
/* graphml.c - who calls whom, method by method, for graph tools that read GraphML. */
#include "report/java/names.h"
#include "report/java/order.h"
#include "report/graph/callgraph.h"

struct writer {
	struct sink *out;
	struct callgraph *g;
	const struct program *p;
	struct names names;
	struct order order;
	struct strbuf text;
};

static const char prolog[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
	"<key id=\"method\" for=\"node\" attr.name=\"method\" attr.type=\"string\"/>\n"
	"<key id=\"class\" for=\"node\" attr.name=\"class\" attr.type=\"string\"/>\n"
	"<key id=\"entry\" for=\"node\" attr.name=\"entry\" attr.type=\"boolean\"><default>false</default></key>\n"
	"<graph id=\"callgraph\" edgedefault=\"directed\">\n";

static void write_node(struct writer *w, method_id m)
{
	strbuf_clear(&w->text);
	name_class(w->p, method_row(w->p, m)->owner, ESCAPE_XML, &w->text);
	sink_printf(w->out, "<node id=\"n%u\"><data key=\"method\">", (unsigned)order_rank(&w->order, m));
	sink_str(w->out, names_method(&w->names, m));
	sink_puts(w->out, "</data><data key=\"class\">");
	sink_str(w->out, strbuf_str(&w->text));
	sink_puts(w->out, "</data>");
	if (callgraph_is_entry(w->g, m))
		sink_puts(w->out, "<data key=\"entry\">true</data>");
	sink_puts(w->out, "</node>\n");
}

static void write_edges(struct writer *w, method_id m)
{
	struct cg_targets t = order_callees(&w->order, m);
	uint32_t from = order_rank(&w->order, m);

	for (uint32_t i = 0; i < t.n; i++) {
		sink_puts(w->out, "<edge source=\"n");
		sink_uint(w->out, from);
		sink_puts(w->out, "\" target=\"n");
		sink_uint(w->out, order_rank(&w->order, t.methods[i]));
		sink_puts(w->out, "\"/>\n");
	}
}

bool report_callgraph_graphml(struct sink *out, struct callgraph *g, const struct report_head *head ATTR_UNUSED)
{
	struct writer w = { .out = out, .g = g, .p = callgraph_program(g) };
	uint32_t n = callgraph_nmethods(g);

	names_init(&w.names, w.p, name_full, ESCAPE_XML);
	order_init(&w.order, g);
	sink_puts(out, prolog);
	for (uint32_t k = 0; k < n; k++)
		write_node(&w, callgraph_method(g, k));
	for (uint32_t k = 0; k < n; k++)
		write_edges(&w, callgraph_method(g, k));
	sink_puts(out, "</graph>\n</graphml>\n");
	names_release(&w.names);
	order_release(&w.order);
	strbuf_release(&w.text);
	return sink_finish(out);
}
