/* SPDX-License-Identifier: Apache-2.0 */
#include "session/component/chain_filter.h"

#include <stdlib.h>
#include <string.h>

#include "session/component/method_patterns.h"
#include "session/lookup/lines.h"

struct reading {
	struct diag *d;
	const struct chain_graph *x;
	const char *option, *file;
	uint64_t line;
	struct filter_hits *out;
	bool *without_nodes, *without_edges;
	bool has_any, excludes_nodes, excludes_edges;      /* what sorts of items there were; `any`: that exclude nothing */
	struct strbuf *why;
};

void filter_hits_release(struct filter_hits *h)
{
	free(h->nodes);
	free(h->edges);
	*h = (struct filter_hits){ 0 };
}

static bool methods_match(const struct chain_graph *x, const struct method_patterns *m, uint32_t node)
{
	const struct ir_method *row = method_row(x->p, x->methods.data[node]);

	return method_patterns_match(m, class_name(x->p, row->owner), sel_name(x->p, row->sel), sel_desc(x->p, row->sel));
}

static uint32_t mark_nodes(const struct reading *r, const struct method_patterns *m, bool *nodes)
{
	uint32_t hits = 0;

	for (uint32_t node = 1; node < r->x->methods.len; node++)
		if (methods_match(r->x, m, node)) {
			nodes[node] = true;
			hits++;
		}
	return hits;
}

bool filter_methods(struct diag *d, const struct chain_graph *x, struct str item, bool *nodes)
{
	struct reading r = { .d = d, .x = x };
	struct method_patterns m;
	bool ok = method_patterns_read(d, item, &m);

	if (ok)
		mark_nodes(&r, &m, nodes);
	method_patterns_release(&m);
	return ok;
}

static uint32_t mark_edges(const struct reading *r, const struct method_patterns *from, const struct method_patterns *to, bool *edges)
{
	uint32_t hits = 0;

	for (uint32_t i = 0; i < r->x->edges.len; i++) {
		const struct chain_edge *e = &r->x->edges.data[i];
		if (methods_match(r->x, from, e->from) && methods_match(r->x, to, e->to)) {
			edges[i] = true;
			hits++;
		}
	}
	return hits;
}

static bool complain(struct reading *r, struct str item, const char *what)
{
	if (r->file)
		strbuf_addf(r->why, "%s:%llu: ", r->file, (unsigned long long)r->line);
	strbuf_addf(r->why, "%s: '%.*s' names no %s%s", r->option, (int)item.len, item.p, what, r->file ? "; or remove the line" : "");
	return false;
}

static const char *find_arrow(struct str item)
{
	for (uint32_t i = 0; i + 1 < item.len; i++)
		if (item.p[i] == '-' && item.p[i + 1] == '>')
			return item.p + i;
	return NULL;
}

static bool add_edges(struct reading *r, struct str item, uint32_t arrow, bool *edges)
{
	struct method_patterns from, to = { 0 };
	bool ok = method_patterns_read(r->d, str_trim(str_sub(item, 0, arrow)), &from) &&
		  method_patterns_read(r->d, str_trim(str_sub(item, arrow + 2, item.len)), &to);

	if (ok && !mark_edges(r, &from, &to, edges))
		ok = complain(r, item, "call between methods of the component that clients of this interface reach; "
				       "--format csv lists those that there are");
	method_patterns_release(&from);
	method_patterns_release(&to);
	return ok;
}

static bool add_nodes(struct reading *r, struct str item, bool *nodes)
{
	struct method_patterns m;
	bool ok = method_patterns_read(r->d, item, &m);

	if (ok && !mark_nodes(r, &m, nodes))
		ok = complain(r, item, "method of the component that clients of this interface reach: write pkg.* (a package), "
				       "pkg.Cls (a class), pkg.Cls.name(*) (methods) or A->B (calls)");
	method_patterns_release(&m);
	return ok;
}

static bool add_item(struct reading *r, struct str item)
{
	bool excludes = item.len && item.p[0] == '!';

	if (excludes)
		item = str_trim(str_sub(item, 1, item.len));
	const char *arrow = find_arrow(item);
	r->out->has_nodes |= !arrow && !excludes;
	r->has_any |= !excludes;
	r->excludes_nodes |= excludes && !arrow;
	r->excludes_edges |= excludes && arrow;
	if (arrow)
		return add_edges(r, item, (uint32_t)(arrow - item.p), excludes ? r->without_edges : r->out->edges);
	return add_nodes(r, item, excludes ? r->without_nodes : r->out->nodes);
}

static bool add_file(struct reading *r, struct str path)
{
	struct strbuf name = { 0 };
	struct lines l;
	struct str item;
	bool ok = true;

	strbuf_addstr(&name, path);
	if (!lines_open(&l, name.s ? name.s : "", "the list of filters", r->d)) {
		strbuf_release(&name);
		return false;
	}
	struct reading outer = *r;
	r->file = name.s;
	while (ok && lines_next(&l, &item)) {
		r->line = l.n;
		ok = item.len && item.p[0] == '@' ? complain(r, item, "filter: a list cannot contain a list") : add_item(r, item);
	}
	r->file = outer.file;
	r->line = outer.line;
	ok = lines_close(&l) && ok;
	strbuf_release(&name);
	return ok;
}

static void take_out(bool *from, const bool *what, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		from[i] = from[i] && !what[i];
}

/* A list that only excludes is of all others. */
static void include_others(struct reading *r)
{
	if (r->has_any)
		return;
	r->out->has_nodes = r->excludes_nodes;
	for (uint32_t i = 1; r->excludes_nodes && i < r->x->methods.len; i++)
		r->out->nodes[i] = true;
	for (uint32_t i = 0; r->excludes_edges && i < r->x->edges.len; i++)
		r->out->edges[i] = true;
}

static bool add_items(struct reading *r, const char *list)
{
	bool ok = true;

	for (const char *p = list, *end; ok && p; p = *end ? end + 1 : NULL) {
		end = p + strcspn(p, ",");
		struct str item = str_trim((struct str){ p, (uint32_t)(end - p) });
		ok = item.len && item.p[0] == '@' ? add_file(r, str_sub(item, 1, item.len)) : add_item(r, item);
	}
	return ok;
}

bool filter_read_lines(struct diag *d, const struct chain_graph *x, const char *option, const struct filter_line *lines, uint32_t n,
		       struct filter_hits *out, struct strbuf *why)
{
	struct reading r = { .d = d, .x = x, .option = option, .out = out, .why = why };
	bool ok = true;

	*out = (struct filter_hits){ mem_zalloc(x->methods.len), mem_zalloc(x->edges.len + 1), false };
	r.without_nodes = mem_zalloc(x->methods.len);
	r.without_edges = mem_zalloc(x->edges.len + 1);
	for (uint32_t i = 0; ok && i < n; i++) {
		r.file = lines[i].file;
		r.line = lines[i].line;
		ok = add_items(&r, lines[i].list);
	}
	include_others(&r);
	take_out(out->nodes, r.without_nodes, x->methods.len);
	take_out(out->edges, r.without_edges, x->edges.len);
	free(r.without_nodes);
	free(r.without_edges);
	return ok;
}

bool filter_read(struct diag *d, const struct chain_graph *x, const char *option, const char *list, struct filter_hits *out,
		 struct strbuf *why)
{
	return filter_read_lines(d, x, option, &(struct filter_line){ .list = list }, 1, out, why);
}

/* Class files allow almost any character in names. What means something in a list, or cannot stand in one, is written `?`. */
static void add_literally(struct strbuf *out, struct str text, const char *special)
{
	for (uint32_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.p[i];
		strbuf_addch(out, c == '/' ? '.' : c <= ' ' || strchr(special, c) ? '?' : (char)c);
	}
}

/* What is a pattern of classes, of names, of parameters; slashes of the last stay. */
void filter_name_method(const struct program *p, method_id m, struct strbuf *out)
{
	const struct ir_method *row = method_row(p, m);
	struct str desc = sel_desc(p, row->sel);

	add_literally(out, class_name(p, row->owner), "\\;[](),@!<>#*?");
	strbuf_addch(out, '.');
	add_literally(out, sel_name(p, row->sel), "(),@!#*?");
	for (uint32_t i = 0; i < desc.len; i++)
		strbuf_addch(out, (unsigned char)desc.p[i] <= ' ' || strchr(",@!#*?", desc.p[i]) ? '?' : desc.p[i]);
}
