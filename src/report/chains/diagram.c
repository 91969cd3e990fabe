/* SPDX-License-Identifier: Apache-2.0 */
/* diagram.c - pictures of call chains: sequence diagrams of one tree or chain for PlantUML and Mermaid, trees for Graphviz.
 *
 * In a sequence diagram the objects are the classes of receivers, or of methods where the receiver is not known; each call
 * is a message, and its own calls follow within its activation. */
#include <stdlib.h>

#include "report/chains/chains_p.h"

struct drawing {
	struct sink *out;
	const struct forest *f;
	struct names source;
	struct strbuf text;
	bool is_mermaid;
	VEC(class_id) lifelines;      /* in the order of their first message */
	struct map number_of;         /* class -> its number, from 1 */
	const struct chain_walk *only;        /* one chain; NULL: the whole tree */
	const struct forest_tree *tree;
	uint32_t nodes;               /* DOT: so far */
};

static uint32_t lifeline(struct drawing *d, class_id c)
{
	uint32_t *n = map_at(&d->number_of, c.i);

	if (!*n) {
		vec_push(&d->lifelines, c);
		*n = d->lifelines.len;
	}
	return *n;
}

/* Whose method runs: an object of the class that the label says, or of that which declares the method. */
static class_id runner(const struct drawing *d, const struct chain_edge *e)
{
	const struct chain_graph *x = d->f->x;

	if (d->f->opt.granularity == CHAIN_RECEIVER && e->receiver.i)
		return e->receiver;
	return method_row(x->p, x->methods.data[e->to])->owner;
}

/* toPattern(boolean) */
static struct str message(struct drawing *d, uint32_t node)
{
	const struct chain_graph *x = d->f->x;
	struct str name = names_method(&d->source, x->methods.data[node]);
	struct str cls = names_class(&d->source, method_row(x->p, x->methods.data[node])->owner);

	return str_sub(name, cls.len + 1, name.len);
}

/* Mermaid reads `;` and `#` as its own, and `<init>` as markup. */
static void write_text(struct drawing *d, struct str t)
{
	for (uint32_t i = 0; i < t.len; i++) {
		char c = t.p[i];
		if (d->is_mermaid && (c == ';' || c == '#' || c == '<' || c == '>' || c == ':' || c == '"'))
			sink_printf(d->out, "#%d;", c);
		else if (!d->is_mermaid && c == '"')
			sink_putc(d->out, '\'');
		else
			sink_putc(d->out, c);
	}
}

/* A call, and those that it makes. */

static void each_child(struct drawing *d, uint32_t state, uint32_t depth,
		       void (*fn)(struct drawing *d, uint32_t from, const struct forest_child *c, uint32_t depth), uint32_t from)
{
	const struct forest_state *s = &d->f->states.data[state];

	if (d->only) {
		if (depth <= d->only->edges.len)
			fn(d, from, &(struct forest_child){ d->only->edges.data[depth - 1], d->only->states.data[depth] }, depth);
		return;
	}
	if (depth > forest_room(d->f, d->tree))
		return;
	for (uint32_t i = s->first; i < s->first + s->n; i++) {
		const struct forest_child *c = &d->f->children.data[i];
		if (!c->state || forest_below(d->f, c->state, depth, d->tree))
			fn(d, from, c, depth);
	}
}

static void find_lifelines(struct drawing *d, uint32_t from, const struct forest_child *c, uint32_t depth)
{
	(void)from;
	lifeline(d, runner(d, &d->f->x->edges.data[c->edge]));
	if (c->state)
		each_child(d, c->state, depth + 1, find_lifelines, 0);
}

static void write_message(struct drawing *d, uint32_t from, uint32_t to, uint32_t node, uint32_t line)
{
	if (d->is_mermaid)
		sink_printf(d->out, "    p%u->>+p%u: ", (unsigned)from, (unsigned)to);
	else
		sink_printf(d->out, "p%u -> p%u ++ : ", (unsigned)from, (unsigned)to);
	write_text(d, message(d, node));
	if (line)
		sink_printf(d->out, " (line %u)", (unsigned)line);
	sink_putc(d->out, '\n');
}

static void write_return(struct drawing *d, uint32_t from, uint32_t to)
{
	if (d->is_mermaid)
		sink_printf(d->out, "    p%u-->>-p%u: return\n", (unsigned)to, (unsigned)from);
	else
		sink_puts(d->out, "return\n");
}

static void draw_call(struct drawing *d, uint32_t from, const struct forest_child *c, uint32_t depth)
{
	const struct chain_edge *e = &d->f->x->edges.data[c->edge];
	uint32_t to = lifeline(d, runner(d, e));

	write_message(d, from, to, e->to, d->f->opt.granularity == CHAIN_METHOD ? 0 : d->f->x->sites.data[e->site].line);
	if (c->state)
		each_child(d, c->state, depth + 1, draw_call, to);
	write_return(d, from, to);
}

static void write_lifelines(struct drawing *d)
{
	sink_puts(d->out, d->is_mermaid ? "    actor p0 as Client\n" : "actor Client as p0\n");
	for (uint32_t i = 0; i < d->lifelines.len; i++) {
		struct str name = names_class(&d->source, d->lifelines.data[i]);
		struct str shorter = str_sub(name, (uint32_t)(str_rfind(name, '.') + 1), name.len);
		sink_puts(d->out, d->is_mermaid ? "    participant " : "participant \"");
		if (d->is_mermaid)
			sink_printf(d->out, "p%u as ", (unsigned)i + 1);
		write_text(d, shorter);
		if (!d->is_mermaid)
			sink_printf(d->out, "\" as p%u", (unsigned)i + 1);
		sink_putc(d->out, '\n');
	}
}

static void draw(struct drawing *d)
{
	uint32_t root = tree_node(d->f, d->tree);
	class_id owner = method_row(d->f->x->p, d->f->x->methods.data[root])->owner;

	lifeline(d, owner);
	each_child(d, d->tree->state, 1, find_lifelines, 0);
	sink_puts(d->out, d->is_mermaid ? "sequenceDiagram\n" : "@startuml\n");
	write_lifelines(d);
	write_message(d, 0, lifeline(d, owner), root, 0);
	each_child(d, d->tree->state, 1, draw_call, lifeline(d, owner));
	write_return(d, 0, lifeline(d, owner));
	sink_puts(d->out, d->is_mermaid ? "" : "@enduml\n");
}

static void drawing_release(struct drawing *d)
{
	names_release(&d->source);
	strbuf_release(&d->text);
	vec_release(&d->lifelines);
	map_release(&d->number_of);
}

/* The first tree that has a chain, or the one of the chain that was asked for. */
static bool write_sequence(struct sink *out, const struct forest *f, const struct chains_head *head, bool is_mermaid)
{
	struct drawing d = { .out = out, .f = f, .is_mermaid = is_mermaid };
	struct chains_cursor c = chains_start(f, head);

	names_init(&d.source, f->x->p, name_source, ESCAPE_PLAIN);
	if (chains_next(&c)) {
		d.only = head->only == CHAINS_ALL ? NULL : &c.w;
		d.tree = &f->trees.data[c.w.tree];
		draw(&d);
	}
	chain_walk_release(&c.w);
	drawing_release(&d);
	return sink_finish(out);
}

bool report_chains_plantuml(struct sink *out, const struct forest *f, const struct chains_head *head)
{
	return write_sequence(out, f, head, false);
}

bool report_chains_mermaid(struct sink *out, const struct forest *f, const struct chains_head *head)
{
	return write_sequence(out, f, head, true);
}

/* DOT */

static void write_label(struct drawing *d, struct str t)
{
	strbuf_clear(&d->text);
	escape_add(&d->text, ESCAPE_DOT, t);
	sink_str(d->out, strbuf_str(&d->text));
}

static uint32_t write_node(struct drawing *d, uint32_t node, bool is_root)
{
	sink_printf(d->out, "\tn%u [label=\"", (unsigned)d->nodes);
	write_label(d, chains_short_name(d->f->x, node, names_method(&d->source, d->f->x->methods.data[node])));
	sink_puts(d->out, is_root ? "\", penwidth=2];\n" : "\"];\n");
	return d->nodes++;
}

static void draw_edge(struct drawing *d, uint32_t from, const struct forest_child *c, uint32_t depth)
{
	const struct chain_edge *e = &d->f->x->edges.data[c->edge];
	const struct chain_site *s = &d->f->x->sites.data[e->site];
	uint32_t to = write_node(d, e->to, false);

	sink_printf(d->out, "\tn%u -> n%u [", (unsigned)from, (unsigned)to);
	if (d->f->opt.granularity != CHAIN_METHOD)
		sink_printf(d->out, s->line ? "label=\"%u\"" : "label=\"@%u\"", (unsigned)(s->line ? s->line : s->pc));
	sink_puts(d->out, c->state ? "];\n" : " style=dashed];\n");
	if (c->state)
		each_child(d, c->state, depth + 1, draw_edge, to);
}

bool report_chains_dot(struct sink *out, const struct forest *f, const struct chains_head *head)
{
	struct drawing d = { .out = out, .f = f };
	struct chains_cursor c = chains_start(f, head);

	names_init(&d.source, f->x->p, name_source, ESCAPE_PLAIN);
	sink_puts(out, "digraph chains {\n\trankdir=LR;\n\tnode [shape=box, fontname=\"sans-serif\"];\n");
	if (head->only != CHAINS_ALL && chains_next(&c))
		d.only = &c.w;
	for (uint32_t i = 0; i < f->trees.len; i++) {
		d.tree = &f->trees.data[i];
		if (d.only ? i == c.w.tree : forest_tree_total(f, d.tree) != 0)
			each_child(&d, d.tree->state, 1, draw_edge, write_node(&d, tree_node(f, d.tree), true));
	}
	sink_puts(out, "}\n");
	chain_walk_release(&c.w);
	drawing_release(&d);
	return sink_finish(out);
}
