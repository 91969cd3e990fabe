/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c - a call graph as rows of RFC 4180: see docs/formats/csv.md. */
#include "report/graph/writers.h"

struct writer {
	struct sink *out;
	struct graph_view *v;
	struct strbuf start;          /* "caller,pc,line," of the site being written */
};

static void write_called(struct writer *w, const char *kind, uint32_t node)
{
	sink_printf(w->out, ",,,%s,", kind);
	sink_str(w->out, w->v->nodes[node].name);
	sink_puts(w->out, "\n");
}

static void write_entries(struct writer *w)
{
	for (uint32_t k = 0; k < w->v->nnodes; k++)
		if (w->v->nodes[k].is_entry)
			write_called(w, "entry", k);
	for (uint32_t k = 0; k < w->v->nnodes; k++)
		if (w->v->nodes[k].by_callback)
			write_called(w, "callback", k);
}

static void start_rows(struct writer *w, uint32_t node, const struct graph_site *s)
{
	uint32_t line = w->v->maker->place(w->v, node, s).line;

	strbuf_clear(&w->start);
	strbuf_addstr(&w->start, w->v->nodes[node].name);
	strbuf_addf(&w->start, ",%u,", (unsigned)s->pc);
	if (line)
		strbuf_addf(&w->start, "%u", (unsigned)line);
	strbuf_addch(&w->start, ',');
}

static void write_site(struct writer *w, uint32_t node, const struct graph_site *s)
{
	struct graph_targets t = graph_targets(w->v, s);

	start_rows(w, node, s);
	struct str start = strbuf_str(&w->start);
	const char *kind = s->by ? s->by : s->is_implied ? "jvm" : s->op;
	for (uint32_t i = 0; i < t.n; i++) {
		sink_str(w->out, start);
		sink_puts(w->out, kind);
		sink_putc(w->out, ',');
		sink_str(w->out, w->v->nodes[t.nodes[i]].name);
		sink_write(w->out, "\n", 1);
	}
	if (!s->cause)
		return;
	sink_str(w->out, start);
	sink_printf(w->out, "unresolved:%s,\n", s->cause);
}

bool report_graph_csv(struct sink *out, struct graph_view *v)
{
	struct writer w = { .out = out, .v = v };

	graph_view_name_nodes(v, ESCAPE_CSV);
	sink_puts(out, "caller,site_pc,line,kind,callee\n");
	write_entries(&w);
	for (uint32_t k = 0; k < v->nnodes; k++) {
		uint32_t n;
		const struct graph_site *sites = v->maker->sites(v, k, &n);
		for (uint32_t i = 0; i < n; i++)
			write_site(&w, k, &sites[i]);
	}
	strbuf_release(&w.start);
	return sink_finish(out);
}
