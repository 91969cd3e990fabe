/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c - call chains as rows of RFC 4180, a row each. The text of a call is made once. */
#include <stdlib.h>

#include "report/chains/chains_p.h"

struct writer {
	struct sink *out;
	const struct forest *f;
	struct names names;           /* not escaped for CSV: fields are put together first */
	struct str *calls;            /* by edge; p NULL: not made yet */
	struct arena mem;
	struct strbuf text, quoted;
};

/* Within a field in quotes. */
static struct str keep_quoted(struct writer *w)
{
	strbuf_clear(&w->quoted);
	for (size_t i = 0; i < w->text.len; i++) {
		strbuf_addch(&w->quoted, w->text.s[i]);
		if (w->text.s[i] == '"')
			strbuf_addch(&w->quoted, '"');
	}
	return (struct str){ arena_copy(&w->mem, w->quoted.s, w->quoted.len), (uint32_t)w->quoted.len };
}

/* " > " site [receiver] callee, as far as the granularity has them */
static struct str call_text(struct writer *w, uint32_t edge)
{
	const struct chain_graph *x = w->f->x;
	const struct chain_edge *e = &x->edges.data[edge];
	enum chain_granularity g = w->f->opt.granularity;

	if (w->calls[edge].p)
		return w->calls[edge];
	strbuf_clear(&w->text);
	strbuf_adds(&w->text, " > ");
	if (g != CHAIN_METHOD)
		strbuf_addf(&w->text, "@%u ", (unsigned)x->sites.data[e->site].pc);
	if (g == CHAIN_RECEIVER && e->receiver.i) {
		strbuf_addch(&w->text, '[');
		strbuf_addstr(&w->text, names_class(&w->names, e->receiver));
		strbuf_adds(&w->text, "] ");
	}
	if (g == CHAIN_RECEIVER && e->is_client)
		strbuf_adds(&w->text, "[client] ");
	strbuf_addstr(&w->text, names_method(&w->names, x->methods.data[e->to]));
	return w->calls[edge] = keep_quoted(w);
}

static struct str entry_text(struct writer *w, uint32_t tree)
{
	strbuf_clear(&w->text);
	strbuf_addstr(&w->text, names_method(&w->names, w->f->x->methods.data[tree_node(w->f, &w->f->trees.data[tree])]));
	return keep_quoted(w);
}

/* Two quotes around it are the whole field. */
static void write_chain(struct writer *w, const struct chain_walk *c, struct str entry)
{
	struct sink *out = w->out;
	const struct forest_tree *t = &w->f->trees.data[c->tree];
	const struct chain_level *l = &w->f->levels.data[t->level];

	sink_uint(out, l->level);
	sink_puts(out, l->or_more ? "+," : ",");
	sink_uint(out, t->start + c->edges.len);
	sink_puts(out, ",\"");
	sink_str(out, entry);
	for (uint32_t i = 0; i < c->edges.len; i++)
		sink_str(out, call_text(w, c->edges.data[i]));
	sink_puts(out, "\"\n");
}

bool report_chains_csv(struct sink *out, const struct forest *f, const struct chains_head *head)
{
	struct writer w = { .out = out, .f = f };
	struct chains_cursor c = chains_start(f, head);
	struct str entry = { 0 };
	uint32_t last = UINT32_MAX;

	arena_init(&w.mem);
	w.calls = mem_zalloc((f->x->edges.len + 1) * sizeof(*w.calls));
	names_init(&w.names, f->x->p, name_full, ESCAPE_PLAIN);
	sink_puts(out, "level,length,chain\n");
	while (chains_next(&c) && !out->failed) {
		if (c.w.tree != last)
			entry = entry_text(&w, c.w.tree);
		last = c.w.tree;
		write_chain(&w, &c.w, entry);
	}
	chain_walk_release(&c.w);
	names_release(&w.names);
	arena_release(&w.mem);
	strbuf_release(&w.text);
	strbuf_release(&w.quoted);
	free(w.calls);
	return sink_finish(out);
}
