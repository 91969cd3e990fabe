/* SPDX-License-Identifier: Apache-2.0 */
/* jcg.c - a call graph in the exchange format of call-graph tools: see docs/formats/jcg.md. */
#include "report/write/json.h"
#include "report/graph/callgraph.h"
#include "report/java/names.h"
#include "report/java/order.h"

struct writer {
	struct json j;
	struct callgraph *g;
	const struct program *p;
	struct names names;           /* whole objects */
	struct order order;
};

static void add_quoted(struct strbuf *out, struct str s)
{
	strbuf_addch(out, '"');
	escape_add(out, ESCAPE_JSON, s);
	strbuf_addch(out, '"');
}

/* The field descriptor at the start of `desc`; all of it when it is malformed. */
static uint32_t type_length(struct str desc)
{
	uint32_t i = 0;

	while (i < desc.len && desc.p[i] == '[')
		i++;
	if (i < desc.len && desc.p[i] == 'L')
		while (i < desc.len && desc.p[i] != ';')
			i++;
	return i < desc.len ? i + 1 : desc.len;
}

static void add_types(struct strbuf *out, struct str desc)
{
	uint32_t close = 0;

	while (close < desc.len && desc.p[close] != ')')
		close++;
	strbuf_adds(out, "\"returnType\":");
	add_quoted(out, close < desc.len ? str_sub(desc, close + 1, desc.len) : STR(""));
	strbuf_adds(out, ",\"parameterTypes\":[");
	for (uint32_t at = close ? 1 : 0; at < close;) {
		uint32_t n = type_length(str_sub(desc, at, close));
		if (at > 1)
			strbuf_addch(out, ',');
		add_quoted(out, str_sub(desc, at, at + n));
		at += n;
	}
	strbuf_addch(out, ']');
}

static void add_class(struct strbuf *out, struct str name)
{
	bool array = name.len && name.p[0] == '[';

	strbuf_adds(out, array ? "\"" : "\"L");
	escape_add(out, ESCAPE_JSON, name);
	strbuf_adds(out, array ? "\"" : ";\"");
}

static void name_jcg(const struct program *p, class_id owner, sel_id sel, struct strbuf *out)
{
	strbuf_adds(out, "{\"name\":");
	add_quoted(out, sel_name(p, sel));
	strbuf_adds(out, ",\"declaringClass\":");
	add_class(out, class_name(p, owner));
	strbuf_addch(out, ',');
	add_types(out, sel_desc(p, sel));
	strbuf_addch(out, '}');
}

/* A site without a reference names its first target; one that has neither is an unknown invokedynamic. */
static struct str declared_target(struct writer *w, const struct cg_site *s, struct cg_targets t)
{
	if (s->mref.i)
		return names_mref(&w->names, s->mref);
	if (t.n)
		return names_method(&w->names, t.methods[0]);
	return STR("{\"name\":\"invokedynamic\",\"declaringClass\":\"Ljava/lang/invoke/CallSite;\","
		   "\"returnType\":\"V\",\"parameterTypes\":[]}");
}

static void write_line(struct json *j, uint32_t line)
{
	json_key(j, "line");
	if (line)
		json_uint(j, line);
	else
		json_raw(j, STR("-1"));
}

static void write_site(struct writer *w, method_id m, const struct cg_site *s)
{
	struct cg_targets t = order_targets(&w->order, s);
	struct json *j = &w->j;

	json_break(j);
	json_object(j);
	json_key(j, "declaredTarget"), json_raw(j, declared_target(w, s, t));
	write_line(j, line_of(w->p, m, s->pc));
	json_key(j, "pc"), json_uint(j, s->pc);
	json_key(j, "targets"), json_array(j);
	for (uint32_t i = 0; i < t.n; i++)
		json_raw(j, names_method(&w->names, t.methods[i]));
	json_end_array(j);
	json_end_object(j);
}

static void write_method(struct writer *w, method_id m)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(w->g, m, &n);
	struct json *j = &w->j;

	json_break(j);
	json_object(j);
	json_key(j, "method"), json_raw(j, names_method(&w->names, m));
	if (callgraph_is_entry(w->g, m))
		json_key(j, "entry"), json_bool(j, true);
	json_key(j, "callSites"), json_array(j);
	for (uint32_t i = 0; i < n; i++)
		write_site(w, m, &sites[i]);
	json_end_array(j);
	json_end_object(j);
}

static void write_graph(struct writer *w)
{
	uint32_t n = callgraph_nmethods(w->g);

	json_object(&w->j);
	json_key(&w->j, "reachableMethods"), json_array(&w->j);
	for (uint32_t k = 0; k < n; k++)
		write_method(w, callgraph_method(w->g, k));
	json_end_array(&w->j);
	json_end_object(&w->j);
	sink_putc(w->j.out, '\n');
}

bool report_callgraph_jcg(struct sink *out, struct callgraph *g, const struct report_head *head ATTR_UNUSED)
{
	struct writer w = { .j = { .out = out }, .g = g, .p = callgraph_program(g) };

	names_init(&w.names, w.p, name_jcg, ESCAPE_NONE);
	order_init(&w.order, g);
	write_graph(&w);
	names_release(&w.names);
	order_release(&w.order);
	return sink_finish(out);
}
