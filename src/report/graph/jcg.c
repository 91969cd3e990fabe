/* SPDX-License-Identifier: Apache-2.0 */
/* jcg.c - a call graph in the exchange format of call-graph tools: see docs/formats/jcg.md. */
#include "report/graph/callgraph.h"

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
static struct str declared_target(struct graph_view *v, const struct graph_site *s, struct graph_targets t)
{
	if (s->declared)
		return v->maker->declared(v, s->declared);
	if (t.n)
		return v->nodes[t.nodes[0]].name;
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

static void write_site(struct json *j, struct graph_view *v, uint32_t node, const struct graph_site *s)
{
	struct graph_targets t = graph_targets(v, s);

	json_break(j);
	json_object(j);
	json_key(j, "declaredTarget"), json_raw(j, declared_target(v, s, t));
	write_line(j, v->maker->place(v, node, s).line);
	json_key(j, "pc"), json_uint(j, s->pc);
	json_key(j, "targets"), json_array(j);
	for (uint32_t i = 0; i < t.n; i++)
		json_raw(j, v->nodes[t.nodes[i]].name);
	json_end_array(j);
	json_end_object(j);
}

static void write_method(struct json *j, struct graph_view *v, uint32_t node)
{
	uint32_t n;
	const struct graph_site *sites = v->maker->sites(v, node, &n);

	json_break(j);
	json_object(j);
	json_key(j, "method"), json_raw(j, v->nodes[node].name);
	if (v->nodes[node].is_entry)
		json_key(j, "entry"), json_bool(j, true);
	json_key(j, "callSites"), json_array(j);
	for (uint32_t i = 0; i < n; i++)
		write_site(j, v, node, &sites[i]);
	json_end_array(j);
	json_end_object(j);
}

/* Names are whole objects, which name_jcg escapes. */
bool report_callgraph_jcg(struct sink *out, struct callgraph *g, const struct report_head *head)
{
	struct graph_view *v = java_view_named(g, head, name_jcg);
	struct json j = { .out = out };

	graph_view_name_nodes(v, ESCAPE_NONE);
	json_object(&j);
	json_key(&j, "reachableMethods"), json_array(&j);
	for (uint32_t k = 0; k < v->nnodes; k++)
		write_method(&j, v, k);
	json_end_array(&j);
	if (v->left.len)
		json_key(&j, "leftOut"), json_str(&j, v->left);
	json_end_object(&j);
	sink_putc(out, '\n');
	graph_view_free(v);
	return sink_finish(out);
}
