/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c - a call graph as rows of RFC 4180: see docs/formats/csv.md. */
#include "report/java/names.h"
#include "report/java/order.h"
#include "report/graph/callgraph.h"

struct writer {
	struct sink *out;
	struct callgraph *g;
	struct names names;
	struct order order;
	struct strbuf start;          /* "caller,pc,line," of the site being written */
};

static void write_entries(struct writer *w)
{
	uint32_t n = callgraph_nmethods(w->g);

	for (uint32_t k = 0; k < n; k++) {
		method_id m = callgraph_method(w->g, k);
		if (!callgraph_is_entry(w->g, m))
			continue;
		sink_puts(w->out, ",,,entry,");
		sink_str(w->out, names_method(&w->names, m));
		sink_puts(w->out, "\n");
	}
}

static void start_rows(struct writer *w, method_id m, uint32_t pc)
{
	uint32_t line = line_of(callgraph_program(w->g), m, pc);

	strbuf_clear(&w->start);
	strbuf_addstr(&w->start, names_method(&w->names, m));
	strbuf_addf(&w->start, ",%u,", (unsigned)pc);
	if (line)
		strbuf_addf(&w->start, "%u", (unsigned)line);
	strbuf_addch(&w->start, ',');
}

static void write_site(struct writer *w, method_id m, const struct cg_site *s)
{
	struct cg_targets t = order_targets(&w->order, s);

	start_rows(w, m, s->pc);
	struct str start = strbuf_str(&w->start);
	const char *kind = s->implied ? "jvm" : op_name(s->op);
	for (uint32_t i = 0; i < t.n; i++) {
		sink_str(w->out, start);
		sink_puts(w->out, kind);
		sink_putc(w->out, ',');
		sink_str(w->out, names_method(&w->names, t.methods[i]));
		sink_write(w->out, "\n", 1);
	}
	if (s->cause == CG_RESOLVED)
		return;
	sink_str(w->out, start);
	sink_printf(w->out, "unresolved:%s,\n", cg_cause_name(s->cause));
}

static void write_method(struct writer *w, method_id m)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(w->g, m, &n);

	for (uint32_t i = 0; i < n; i++)
		write_site(w, m, &sites[i]);
}

bool report_callgraph_csv(struct sink *out, struct callgraph *g, const struct report_head *head ATTR_UNUSED)
{
	struct writer w = { .out = out, .g = g };
	uint32_t n = callgraph_nmethods(g);

	names_init(&w.names, callgraph_program(g), name_full, ESCAPE_CSV);
	order_init(&w.order, g);
	sink_puts(out, "caller,site_pc,line,kind,callee\n");
	write_entries(&w);
	for (uint32_t k = 0; k < n; k++)
		write_method(&w, callgraph_method(g, k));
	names_release(&w.names);
	order_release(&w.order);
	strbuf_release(&w.start);
	return sink_finish(out);
}
