/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - the call graph of a C program, and its formats for graph tools and tables. */
#include "report/c/graph_p.h"

#include <stdio.h>

const char *c_site_word(enum c_site_kind k)
{
	static const char *const words[] = { "direct", "pointer", "assembly" };

	return words[k];
}

/* The initialisers of globals are a function of ours: they are shown only where something is called. */
static bool is_shown(const struct c_result *r, cfn_id f)
{
	return f.i != r->program->initialisers.i || c_fn(r, f)->ncalls;
}

static void add_nodes(struct c_graph *g)
{
	const struct c_names *n = &g->names;

	for (uint32_t k = 0; k < n->nfns; k++) {
		cfn_id f = n->fn_order[k];
		uint16_t flags = c_fn(n->r, f)->flags;
		if (!is_shown(n->r, f))
			continue;
		vec_push(&g->nodes, ((struct c_node){ .fn = f, .is_entry = flags & CFN_STARTS,
						      .is_library = flags & (CFN_MODEL | CFN_PLACEHOLDER | CFN_UNKNOWN) }));
		g->row[f.i] = g->nodes.len;
	}
}

static const char *cause_of(const struct c_graph *g, const struct c_site *s)
{
	const struct c_result *r = g->names.r;
	cfn_id caller = r->program->calls.data[s->call.i].caller;

	for (uint32_t i = 0; i < s->ntargets && caller.i != r->ph_proc.i; i++)
		if (r->ph_proc.i && g->nodes.data[g->targets.data[s->first + i]].fn.i == r->ph_proc.i)
			return "unknown-code";
	if (s->kind == C_SITE_ASM)
		return "assembly";
	/* A model that calls nothing back was given nothing to call */
	return s->kind == C_SITE_POINTER && !s->ntargets && c_is_own(r, caller) ? "no-target" : NULL;
}

static void add_site(struct c_graph *g, ccall_id c, uint32_t number)
{
	const struct c_result *r = g->names.r;
	struct c_site s = { .call = c, .number = number, .first = g->targets.len };
	const cfn_vec *t = c_targets(&g->names, c);

	s.kind = r->program->calls.data[c.i].flags & CCALL_ASM ? C_SITE_ASM : c_is_indirect(r, c) ? C_SITE_POINTER : C_SITE_DIRECT;
	for (uint32_t i = 0; i < t->len; i++)
		if (g->row[t->data[i].i])
			vec_push(&g->targets, g->row[t->data[i].i] - 1);
	s.ntargets = g->targets.len - s.first;
	s.cause = cause_of(g, &s);
	vec_push(&g->sites, s);
}

void c_graph_init(struct c_graph *g, const struct c_result *r, enum escape form)
{
	*g = (struct c_graph){ 0 };
	c_names_init(&g->names, r, form);
	g->row = mem_zalloc(sizeof(uint32_t) * (r->program->fns.len + 1));
	add_nodes(g);
	g->seen = mem_zalloc(sizeof(uint32_t) * (g->nodes.len + 1));
	for (uint32_t k = 0; k < g->nodes.len; k++) {
		struct c_node *node = &g->nodes.data[k];
		const struct cfn *row = c_fn(r, node->fn);
		node->first = g->sites.len;
		for (uint32_t i = 0; i < row->ncalls; i++)
			add_site(g, (ccall_id){ row->calls + i }, i);
		node->nsites = g->sites.len - node->first;
	}
}

void c_graph_release(struct c_graph *g)
{
	c_names_release(&g->names);
	vec_release(&g->nodes);
	vec_release(&g->sites);
	vec_release(&g->targets);
	vec_release(&g->callees);
	free(g->row);
	free(g->seen);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void c_graph_callees(struct c_graph *g, uint32_t node)
{
	const struct c_node *n = &g->nodes.data[node];

	vec_clear(&g->callees);
	for (uint32_t k = n->first; k < n->first + n->nsites; k++)
		for (uint32_t i = 0; i < g->sites.data[k].ntargets; i++) {
			uint32_t t = g->targets.data[g->sites.data[k].first + i];
			if (g->seen[t] != node + 1)
				vec_push(&g->callees, t);
			g->seen[t] = node + 1;
		}
	if (g->callees.len)
		qsort(g->callees.data, g->callees.len, sizeof(uint32_t), by_number);
}

struct c_graph_stats c_graph_stats(struct c_graph *g)
{
	struct c_graph_stats st = { .functions = g->nodes.len, .sites = g->sites.len, .edges = g->targets.len };

	for (uint32_t k = 0; k < g->sites.len; k++) {
		const struct c_site *s = &g->sites.data[k];
		st.indirect += s->kind == C_SITE_POINTER;
		st.poly += s->ntargets > 1;
		st.unresolved += s->cause != NULL;
	}
	for (uint32_t k = 0; k < g->nodes.len; k++) {
		c_graph_callees(g, k);
		st.function_edges += g->callees.len;
	}
	for (uint32_t k = 0; k < g->nodes.len; k++)
		g->seen[k] = 0;
	return st;
}

struct c_graph_stats report_callgraph_c_stats(const struct c_result *r)
{
	struct c_graph g;

	c_graph_init(&g, r, ESCAPE_NONE);
	struct c_graph_stats st = c_graph_stats(&g);
	c_graph_release(&g);
	return st;
}

bool report_callgraph_c_dot(struct sink *out, const struct c_result *r, const struct c_head *head ATTR_UNUSED)
{
	struct c_graph g;

	c_graph_init(&g, r, ESCAPE_DOT);
	sink_puts(out, "digraph callgraph {\n\trankdir=LR;\n\tnode [shape=box];\n");
	for (uint32_t k = 0; k < g.nodes.len; k++) {
		const struct c_node *n = &g.nodes.data[k];
		sink_printf(out, "\tn%u [label=\"", k);
		sink_str(out, c_graph_name(&g, k));
		sink_printf(out, "\"%s%s];\n", n->is_entry ? ", penwidth=2" : "", n->is_library ? ", style=dashed" : "");
	}
	for (uint32_t k = 0; k < g.nodes.len; k++) {
		c_graph_callees(&g, k);
		for (uint32_t i = 0; i < g.callees.len; i++)
			sink_printf(out, "\tn%u -> n%u;\n", k, g.callees.data[i]);
	}
	sink_puts(out, "}\n");
	c_graph_release(&g);
	return sink_finish(out);
}

static const char graphml_prolog[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
	"<key id=\"method\" for=\"node\" attr.name=\"method\" attr.type=\"string\"/>\n"
	"<key id=\"file\" for=\"node\" attr.name=\"file\" attr.type=\"string\"/>\n"
	"<key id=\"library\" for=\"node\" attr.name=\"library\" attr.type=\"boolean\"><default>false</default></key>\n"
	"<key id=\"entry\" for=\"node\" attr.name=\"entry\" attr.type=\"boolean\"><default>false</default></key>\n"
	"<graph id=\"callgraph\" edgedefault=\"directed\">\n";

static void graphml_node(struct sink *out, const struct c_graph *g, uint32_t k)
{
	const struct c_node *n = &g->nodes.data[k];
	const struct cprogram *p = g->names.r->program;
	struct strbuf file = { 0 };

	escape_add(&file, ESCAPE_XML, interned(&p->names, c_graph_loc(g, p->fns.data[n->fn.i].loc)->file));
	sink_printf(out, "<node id=\"n%u\"><data key=\"method\">", k);
	sink_str(out, c_graph_name(g, k));
	sink_puts(out, "</data>");
	if (file.len)
		sink_printf(out, "<data key=\"file\">%s</data>", file.s);
	sink_printf(out, "%s%s</node>\n", n->is_library ? "<data key=\"library\">true</data>" : "",
		    n->is_entry ? "<data key=\"entry\">true</data>" : "");
	strbuf_release(&file);
}

bool report_callgraph_c_graphml(struct sink *out, const struct c_result *r, const struct c_head *head ATTR_UNUSED)
{
	struct c_graph g;

	c_graph_init(&g, r, ESCAPE_XML);
	sink_puts(out, graphml_prolog);
	for (uint32_t k = 0; k < g.nodes.len; k++)
		graphml_node(out, &g, k);
	for (uint32_t k = 0; k < g.nodes.len; k++) {
		c_graph_callees(&g, k);
		for (uint32_t i = 0; i < g.callees.len; i++)
			sink_printf(out, "<edge source=\"n%u\" target=\"n%u\"/>\n", k, g.callees.data[i]);
	}
	sink_puts(out, "</graph>\n</graphml>\n");
	c_graph_release(&g);
	return sink_finish(out);
}

/* caller,site_pc,line,kind,callee: as for Java, with the number of the call in its function for the pc. */
static void csv_site(struct sink *out, const struct c_graph *g, uint32_t caller, const struct c_site *s)
{
	uint32_t line = c_site_loc(g, s)->line;
	char start[48], number[16];

	snprintf(number, sizeof(number), "%u", line);
	snprintf(start, sizeof(start), ",%u,%s,", s->number, line ? number : "");
	for (uint32_t i = 0; i < s->ntargets; i++) {
		sink_str(out, c_graph_name(g, caller));
		sink_printf(out, "%s%s,", start, c_site_word(s->kind));
		sink_str(out, c_graph_name(g, g->targets.data[s->first + i]));
		sink_putc(out, '\n');
	}
	if (!s->cause)
		return;
	sink_str(out, c_graph_name(g, caller));
	sink_printf(out, "%sunresolved:%s,\n", start, s->cause);
}

bool report_callgraph_c_csv(struct sink *out, const struct c_result *r, const struct c_head *head ATTR_UNUSED)
{
	struct c_graph g;

	c_graph_init(&g, r, ESCAPE_CSV);
	sink_puts(out, "caller,site_pc,line,kind,callee\n");
	for (uint32_t k = 0; k < g.nodes.len; k++) {
		if (!g.nodes.data[k].is_entry)
			continue;
		sink_puts(out, ",,,entry,");
		sink_str(out, c_graph_name(&g, k));
		sink_putc(out, '\n');
	}
	for (uint32_t k = 0; k < g.nodes.len; k++)
		for (uint32_t i = 0; i < g.nodes.data[k].nsites; i++)
			csv_site(out, &g, k, &g.sites.data[g.nodes.data[k].first + i]);
	c_graph_release(&g);
	return sink_finish(out);
}

static void json_place(struct json *j, const struct c_graph *g, uint32_t node, const struct c_site *s, struct strbuf *text)
{
	const struct cloc *l = c_site_loc(g, s);

	strbuf_clear(text);
	strbuf_addstr(text, c_graph_name(g, node));
	strbuf_addf(text, "@%u", s->number);
	json_key(j, "site"), json_escaped(j, strbuf_str(text));
	json_key(j, "pc"), json_uint(j, s->number);
	if (l->line)
		json_key(j, "line"), json_uint(j, l->line);
	if (l->column)
		json_key(j, "column"), json_uint(j, l->column);
}

static void json_site(struct json *j, const struct c_graph *g, uint32_t node, const struct c_site *s, struct strbuf *text)
{
	json_break(j);
	json_object(j);
	json_place(j, g, node, s, text);
	json_key(j, "op"), json_escaped(j, str_of(c_site_word(s->kind)));
	json_key(j, "targets"), json_array(j);
	for (uint32_t i = 0; i < s->ntargets; i++)
		json_escaped(j, c_graph_name(g, g->targets.data[s->first + i]));
	json_end_array(j);
	if (s->cause)
		json_key(j, "unresolved"), json_escaped(j, str_of(s->cause));
	json_end_object(j);
}

static void json_node(struct json *j, const struct c_graph *g, uint32_t k, struct strbuf *text)
{
	const struct c_node *n = &g->nodes.data[k];

	json_break(j);
	json_object(j);
	json_key(j, "method"), json_escaped(j, c_graph_name(g, k));
	c_json_place(j, g->names.r, c_fn(g->names.r, n->fn)->loc);
	if (n->is_entry)
		json_key(j, "entry"), json_bool(j, true);
	if (n->is_library)
		json_key(j, "library"), json_bool(j, true);
	json_key(j, "sites"), json_array(j);
	for (uint32_t i = 0; i < n->nsites; i++)
		json_site(j, g, k, &g->sites.data[n->first + i], text);
	json_end_array(j);
	json_end_object(j);
}

static void json_unresolved(struct json *j, const struct c_graph *g, struct strbuf *text)
{
	json_break(j);
	json_key(j, "unresolved"), json_array(j);
	for (uint32_t k = 0; k < g->nodes.len; k++)
		for (uint32_t i = 0; i < g->nodes.data[k].nsites; i++) {
			const struct c_site *s = &g->sites.data[g->nodes.data[k].first + i];
			if (!s->cause)
				continue;
			json_break(j);
			json_object(j);
			json_place(j, g, k, s, text);
			json_key(j, "cause"), json_escaped(j, str_of(s->cause));
			json_end_object(j);
		}
	json_end_array(j);
}

bool report_callgraph_c_json(struct sink *out, const struct c_result *r, const struct c_head *head)
{
	struct json j = { .out = out };
	struct strbuf text = { 0 };
	struct c_graph g;

	c_graph_init(&g, r, ESCAPE_JSON);
	json_object(&j);
	json_key(&j, "schema"), json_escaped(&j, STR("sherd/callgraph/1"));
	json_key(&j, "language"), json_escaped(&j, STR("c"));
	json_key(&j, "algorithm"), json_escaped(&j, str_of(head->engine));
	json_key(&j, "entry"), json_escaped(&j, head->library ? STR("library") : STR("main"));
	json_break(&j);
	json_key(&j, "methods"), json_array(&j);
	for (uint32_t k = 0; k < g.nodes.len; k++)
		json_node(&j, &g, k, &text);
	json_end_array(&j);
	json_unresolved(&j, &g, &text);
	c_json_notes(&j, &g.names);
	json_end_object(&j);
	sink_putc(out, '\n');
	strbuf_release(&text);
	c_graph_release(&g);
	return sink_finish(out);
}
