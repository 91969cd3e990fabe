/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - a call graph as JSON, sherd/callgraph/1: see docs/formats/callgraph-json.md. */
#include "report/write/json.h"
#include "report/graph/callgraph.h"
#include "report/java/additions.h"
#include "report/java/names.h"
#include "report/java/order.h"

struct writer {
	struct json j;
	struct callgraph *g;
	const struct program *p;
	struct names names;
	struct order order;
	struct strbuf site;
	bool receivers;               /* are to be written */
};

/* "site": "method@pc", and "line" where it is known. */
static void write_place(struct writer *w, method_id m, uint32_t pc)
{
	uint32_t line = line_of(w->p, m, pc);

	strbuf_clear(&w->site);
	strbuf_addstr(&w->site, names_method(&w->names, m));
	strbuf_addf(&w->site, "@%u", (unsigned)pc);
	json_key(&w->j, "site"), json_escaped(&w->j, strbuf_str(&w->site));
	json_key(&w->j, "pc"), json_uint(&w->j, pc);
	if (line)
		json_key(&w->j, "line"), json_uint(&w->j, line);
}

static void write_cause(struct writer *w, const char *key, const struct cg_site *s)
{
	json_key(&w->j, key), json_escaped(&w->j, str_of(cg_cause_name(s->cause)));
}

static void write_receivers(struct writer *w, const struct cg_site *s)
{
	struct cg_classes r = order_receivers(&w->order, s);

	json_key(&w->j, "receivers"), json_array(&w->j);
	for (uint32_t i = 0; i < r.n; i++)
		json_escaped(&w->j, names_class(&w->names, r.classes[i]));
	json_end_array(&w->j);
}

static void write_site(struct writer *w, method_id m, const struct cg_site *s)
{
	struct cg_targets t = order_targets(&w->order, s);
	struct json *j = &w->j;

	json_object(j);
	write_place(w, m, s->pc);
	json_key(j, "op"), json_escaped(j, str_of(op_name(s->op)));
	if (s->implied)
		json_key(j, "implied"), json_bool(j, true);
	if (s->mref.i)
		json_key(j, "declared"), json_escaped(j, names_mref(&w->names, s->mref));
	json_key(j, "targets"), json_array(j);
	for (uint32_t i = 0; i < t.n; i++)
		json_escaped(j, names_method(&w->names, t.methods[i]));
	json_end_array(j);
	if (w->receivers && (s->op == IR_CALL_VIRTUAL || s->op == IR_CALL_INTERFACE))
		write_receivers(w, s);
	if (s->open)
		json_key(j, "open"), json_bool(j, true);
	if (s->cause != CG_RESOLVED)
		write_cause(w, "unresolved", s);
	json_end_object(j);
}

static void write_method(struct writer *w, method_id m)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(w->g, m, &n);

	json_break(&w->j);
	json_object(&w->j);
	json_key(&w->j, "method"), json_escaped(&w->j, names_method(&w->names, m));
	if (callgraph_is_entry(w->g, m))
		json_key(&w->j, "entry"), json_bool(&w->j, true);
	json_key(&w->j, "sites"), json_array(&w->j);
	for (uint32_t i = 0; i < n; i++) {
		json_break(&w->j);
		write_site(w, m, &sites[i]);
	}
	json_end_array(&w->j);
	json_end_object(&w->j);
}

static void write_methods(struct writer *w)
{
	uint32_t n = callgraph_nmethods(w->g);

	json_key(&w->j, "methods"), json_array(&w->j);
	for (uint32_t k = 0; k < n; k++)
		write_method(w, callgraph_method(w->g, k));
	json_end_array(&w->j);
}

static void write_phantoms(struct writer *w)
{
	uint32_t n;
	const struct str *names = phantom_names(w->p, &w->order.mem, &n);

	json_key(&w->j, "phantom_classes"), json_array(&w->j);
	for (uint32_t i = 0; i < n; i++)
		json_str(&w->j, names[i]);
	json_end_array(&w->j);
}

static void write_unresolved_of(struct writer *w, method_id m)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(w->g, m, &n);

	for (uint32_t i = 0; i < n; i++) {
		if (sites[i].cause == CG_RESOLVED)
			continue;
		json_break(&w->j);
		json_object(&w->j);
		write_place(w, m, sites[i].pc);
		write_cause(w, "cause", &sites[i]);
		json_end_object(&w->j);
	}
}

static void write_unresolved(struct writer *w)
{
	uint32_t n = callgraph_nmethods(w->g);

	json_key(&w->j, "unresolved"), json_array(&w->j);
	for (uint32_t k = 0; k < n; k++)
		write_unresolved_of(w, callgraph_method(w->g, k));
	json_end_array(&w->j);
}

static void write_graph(struct writer *w, const struct report_head *head)
{
	struct json *j = &w->j;

	json_object(j);
	json_key(j, "schema"), json_escaped(j, STR("sherd/callgraph/1"));
	json_key(j, "algorithm"), json_str(j, str_of(head->algorithm));
	json_key(j, "entry"), json_str(j, str_of(head->entry));
	additions_json(j, w->p);
	json_break(j);
	write_methods(w);
	json_break(j);
	write_phantoms(w);
	json_break(j);
	write_unresolved(w);
	json_end_object(j);
	sink_putc(j->out, '\n');
}

bool report_callgraph_json(struct sink *out, struct callgraph *g, const struct report_head *head)
{
	struct writer w = { .j = { .out = out }, .g = g, .p = callgraph_program(g), .receivers = head->receivers };

	names_init(&w.names, w.p, name_full, ESCAPE_JSON);
	order_init(&w.order, g);
	write_graph(&w, head);
	names_release(&w.names);
	order_release(&w.order);
	strbuf_release(&w.site);
	return sink_finish(out);
}
