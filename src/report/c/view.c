/* SPDX-License-Identifier: Apache-2.0 */
/* view.c - the call graph of a C program as a view: functions by name, which have places in files. A call's pc is its number
 * in its function. */
#include "report/c/c_p.h"

struct c_view {
	struct graph_view v;
	const struct c_result *r;
	struct c_names names;
	struct cgraph g;
	VEC(struct graph_site) sites; /* of the node that was asked for last */
	VEC(struct graph_note) notes;
};

static struct c_view *of(struct graph_view *v)
{
	return (struct c_view *)v;
}

static const struct cloc *loc(const struct c_view *c, cloc_id l)
{
	return &c->r->program->locs.data[l.i];
}

static struct str text(const struct c_view *c, str_id s)
{
	return interned(&c->r->program->names, s);
}

static void name_nodes(struct graph_view *v, enum escape form)
{
	struct c_view *c = of(v);

	c_names_escape_functions(&c->names, form);
	for (uint32_t k = 0; k < v->nnodes; k++)
		v->nodes[k].name = c->names.fns[c->g.nodes.data[k].fn.i];
}

static void detail(struct graph_view *v, uint32_t node, struct graph_detail *out)
{
	struct c_view *c = of(v);
	const struct cfn *f = c_fn(c->r, c->g.nodes.data[node].fn);
	const struct cloc *l = loc(c, f->loc);

	*out = (struct graph_detail){ .name = text(c, f->name), .file = text(c, l->file), .line = l->line, .column = l->column };
}

/* A set is a site's own: its row, + 1. */
static const struct graph_site *sites(struct graph_view *v, uint32_t node, uint32_t *n)
{
	struct c_view *c = of(v);
	const struct cgraph_node *row = &c->g.nodes.data[node];

	vec_clear(&c->sites);
	for (uint32_t i = row->first; i < row->first + row->nsites; i++) {
		const struct cgraph_site *s = &c->g.sites.data[i];
		vec_push(&c->sites, ((struct graph_site){ .pc = s->number, .set = s->ntargets ? i + 1 : 0,
							  .op = cgraph_kind_name(s->kind), .cause = cgraph_cause_name(s->cause) }));
	}
	*n = row->nsites;
	return c->sites.data;
}

static struct graph_place place(struct graph_view *v, uint32_t node, const struct graph_site *s)
{
	struct c_view *c = of(v);
	ccall_id call = c->g.sites.data[c->g.nodes.data[node].first + s->pc].call;
	const struct cloc *l = loc(c, c->r->program->calls.data[call.i].loc);

	return (struct graph_place){ l->line, l->column };
}

static struct graph_targets targets(struct graph_view *v, uint32_t set)
{
	struct c_view *c = of(v);

	if (!set)
		return (struct graph_targets){ 0 };
	const struct cgraph_site *s = &c->g.sites.data[set - 1];
	return (struct graph_targets){ &c->g.targets.data[s->first], s->ntargets };
}

static struct graph_stats stats(struct graph_view *v)
{
	struct cgraph_stats s = cgraph_stats(&of(v)->g);

	return (struct graph_stats){ .methods = s.functions, .edges = s.edges, .method_edges = s.function_edges, .sites = s.sites,
				     .poly_sites = s.poly, .unresolved = s.unresolved };
}

static const struct graph_note *notes(struct graph_view *v, uint32_t *n)
{
	struct c_view *c = of(v);
	c_note_vec all = { 0 };

	c_notes(c->r, &all);
	vec_clear(&c->notes);
	for (uint32_t i = 0; i < all.len; i++) {
		const struct cnote *x = &all.data[i];
		vec_push(&c->notes, ((struct graph_note){ .kind = c_note_name(x->kind), .text = text(c, x->text),
							  .node = x->fn.i ? c->names.fns[x->fn.i] : STR(""),
							  .file = text(c, loc(c, x->loc)->file), .line = loc(c, x->loc)->line }));
	}
	vec_release(&all);
	*n = c->notes.len;
	return c->notes.data;
}

static void json_notes(struct graph_view *v, struct json *j)
{
	c_json_notes(j, &of(v)->names);
}

static void free_view(struct graph_view *v)
{
	struct c_view *c = of(v);

	cgraph_release(&c->g);
	c_names_release(&c->names);
	vec_release(&c->sites);
	vec_release(&c->notes);
	free(v->nodes);
	free(c);
}

static const struct graph_maker c_maker = {
	.name_nodes = name_nodes, .detail = detail, .sites = sites, .place = place, .targets = targets, .stats = stats,
	.notes = notes, .json_notes = json_notes, .free = free_view,
};

struct graph_view *c_view_new(const struct c_result *r, const struct c_head *head)
{
	struct c_view *c = mem_zalloc(sizeof(*c));

	c->r = r;
	c_names_init_functions(&c->names, r);
	cgraph_compute(&c->g, &c->names.functions, r->ph_proc);
	c->v = (struct graph_view){ .maker = &c_maker, .has = GRAPH_FILES | GRAPH_LIBRARY | GRAPH_NOTES, .language = "c",
				    .algorithm = head->engine, .entry = head->library ? "library" : "main",
				    .nnodes = c->g.nodes.len, .nsets = c->g.sites.len + 1 };
	c->v.nodes = mem_zalloc(sizeof(*c->v.nodes) * (c->v.nnodes + 1));
	for (uint32_t k = 0; k < c->v.nnodes; k++) {
		c->v.nodes[k].is_entry = c->g.nodes.data[k].is_entry;
		c->v.nodes[k].is_library = c->g.nodes.data[k].is_library;
	}
	return &c->v;
}

struct cgraph_stats report_callgraph_c_stats(const struct c_result *r)
{
	struct cfunctions functions;
	struct cgraph g;

	cfunctions_init(&functions, r->facts);
	cgraph_compute(&g, &functions, r->ph_proc);
	struct cgraph_stats st = cgraph_stats(&g);
	cgraph_release(&g);
	cfunctions_release(&functions);
	return st;
}
