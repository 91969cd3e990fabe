/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - call chains as JSON, sherd/chains/1. A call is described once, and chains are lists of numbers: five million of
 * them are written in seconds. */
#include <stdlib.h>

#include "report/chains/chains_p.h"
#include "report/java/additions.h"
#include "report/java/clients.h"
#include "report/write/json.h"

#define MOST_PRUNED 100000    /* that are listed */

struct writer {
	struct json j;
	const struct forest *f;
	const struct chains_head *head;
	struct names names;
	uint32_t *call_of;            /* by edge: 1 + its number in the list of calls; 0: in no tree */
	uint32_t *entry_of;           /* by tree: the number of its entry */
	struct strbuf text;
};

static void write_asked(struct json *j, const char *key, const char *value)
{
	if (value)
		json_key(j, key), json_str(j, str_of(value));
}

static void write_levels(struct writer *w)
{
	json_key(&w->j, "levels"), json_array(&w->j);
	for (uint32_t i = 0; i < w->f->levels.len; i++) {
		strbuf_clear(&w->text);
		chains_add_level(w->f, &(struct forest_tree){ .level = i }, &w->text);
		json_escaped(&w->j, strbuf_str(&w->text));
	}
	json_end_array(&w->j);
}

static void write_request(struct writer *w)
{
	const struct chains_head *h = w->head;
	const struct chain_opt *o = &w->f->opt;
	struct json *j = &w->j;

	write_asked(j, "algorithm", h->head.algorithm);
	write_asked(j, "assume", h->head.assume);
	write_asked(j, "component", h->component);
	write_asked(j, "interface", h->interface);
	clients_write(j, str_of(h->clients ? h->clients : ""));
	write_asked(j, "class_path", h->head.class_path);
	write_asked(j, "jdk", h->head.jdk);
	if (o->k != CHAIN_UNBOUNDED)
		json_key(j, "k"), json_uint(j, o->k);
	json_key(j, "granularity"), json_escaped(j, str_of(granularity_names[o->granularity]));
	json_key(j, "length"), json_escaped(j, str_of(length_names[o->from_main]));
	json_key(j, "recursion"), json_escaped(j, str_of(recursion_names[o->backedges]));
	json_key(j, "prune"), json_escaped(j, str_of(prune_names[!h->whole]));
	write_asked(j, "assert", h->assertions);
	write_levels(w);
	write_asked(j, "from", h->from);
	if (h->nthrough) {
		json_key(j, "through"), json_array(j);
		for (uint32_t i = 0; i < h->nthrough; i++)
			json_str(j, str_of(h->through[i]));
		json_end_array(j);
	}
	write_asked(j, "not_through", h->not_through);
	write_asked(j, "filter", h->filter);
	additions_json(j, w->f->x->p);
	sources_json(j, &h->head.facts);
	settings_json(j, &h->head.settings);
}

static void write_fewer(struct writer *w, const char *name, const struct forest *from, const struct forest *f)
{
	uint32_t longest = from ? forest_longest(from) : 0;
	char key[16];

	json_key(&w->j, name), json_object(&w->j);
	for (uint32_t l = 1; l <= longest; l++) {
		uint64_t n = chains_fewer(from, f, l);
		snprintf(key, sizeof key, "%u", (unsigned)l);
		if (n)
			json_key(&w->j, key), json_uint(&w->j, n);
	}
	json_end_object(&w->j);
}

static void write_counts(struct writer *w)
{
	struct json *j = &w->j;
	char key[16];

	json_key(j, "stats"), json_object(j);
	json_key(j, "chains"), json_object(j);
	for (uint32_t l = 1; l <= forest_longest(w->f); l++) {
		snprintf(key, sizeof key, "%u", (unsigned)l);
		json_key(j, key), json_uint(j, forest_count(w->f, l));
	}
	json_end_object(j);
	write_fewer(w, "pruned", w->head->whole, by_conditions(w->f, w->head));
	if (w->head->unasserted)
		write_fewer(w, "asserted", w->head->unasserted, w->f);
	json_key(j, "total"), json_uint(j, forest_total(w->f));
	json_key(j, "trees"), json_uint(j, w->f->trees.len);
	json_key(j, "methods"), json_uint(j, chain_nnodes(w->f->x));
	json_end_object(j);
}

/* Trees of one entry follow each other. */
static void write_entries(struct writer *w)
{
	const struct forest *f = w->f;
	uint32_t n = 0, last = 0;

	json_key(&w->j, "entries"), json_array(&w->j);
	for (uint32_t i = 0; i < f->trees.len; i++) {
		uint32_t node = tree_node(f, &f->trees.data[i]);
		if (node != last) {
			json_break(&w->j);
			json_escaped(&w->j, names_method(&w->names, f->x->methods.data[node]));
			n++;
		}
		w->entry_of[i] = n - 1;
		last = node;
	}
	json_end_array(&w->j);
}

static void write_site(struct writer *w, const struct chain_edge *e)
{
	const struct chain_site *s = &w->f->x->sites.data[e->site];

	strbuf_clear(&w->text);
	strbuf_addstr(&w->text, names_method(&w->names, w->f->x->methods.data[e->from]));
	strbuf_addf(&w->text, "@%u", (unsigned)s->pc);
	json_key(&w->j, "site"), json_escaped(&w->j, strbuf_str(&w->text));
	if (s->line)
		json_key(&w->j, "line"), json_uint(&w->j, s->line);
}

static void write_call(struct writer *w, const struct chain_edge *e)
{
	enum chain_granularity g = w->f->opt.granularity;
	struct json *j = &w->j;

	json_break(j);
	json_object(j);
	if (g == CHAIN_METHOD)
		json_key(j, "caller"), json_escaped(j, names_method(&w->names, w->f->x->methods.data[e->from]));
	else
		write_site(w, e);
	if (g == CHAIN_RECEIVER && e->receiver.i)
		json_key(j, "receiver"), json_escaped(j, names_class(&w->names, e->receiver));
	if (g == CHAIN_RECEIVER && e->is_client)
		json_key(j, "client"), json_bool(j, true);
	json_key(j, "callee"), json_escaped(j, names_method(&w->names, w->f->x->methods.data[e->to]));
	json_end_object(j);
}

static void write_calls(struct writer *w)
{
	const struct forest *f = w->f;
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->children.len; i++)
		w->call_of[f->children.data[i].edge] = 1;
	for (uint32_t i = 0; i < f->dead.len; i++)
		w->call_of[f->dead.data[i].edge] = 1;
	json_key(&w->j, "calls"), json_array(&w->j);
	for (uint32_t i = 0; i < f->x->edges.len; i++)
		if (w->call_of[i]) {
			w->call_of[i] = ++n;
			write_call(w, &f->x->edges.data[i]);
		}
	json_end_array(&w->j);
}

/* Straight into the sink: this is what there are millions of. */
static void write_chain(struct writer *w, const struct chain_walk *c, bool is_first)
{
	struct sink *out = w->j.out;
	const struct forest_tree *t = &w->f->trees.data[c->tree];
	const struct chain_level *l = &w->f->levels.data[t->level];

	sink_puts(out, is_first ? "\n{\"entry\":" : ",\n{\"entry\":");
	sink_uint(out, w->entry_of[c->tree]);
	sink_puts(out, l->or_more ? ",\"level\":\"" : ",\"level\":");
	sink_uint(out, l->level);
	sink_puts(out, l->or_more ? "+\",\"length\":" : ",\"length\":");
	sink_uint(out, t->start + c->edges.len);
	sink_puts(out, ",\"calls\":[");
	for (uint32_t i = 0; i < c->edges.len; i++) {
		if (i)
			sink_putc(out, ',');
		sink_uint(out, w->call_of[c->edges.data[i]] - 1);
	}
	sink_puts(out, "]}");
}

static void write_chains(struct writer *w)
{
	struct chains_cursor c = chains_start(w->f, w->head);
	bool is_first = true;

	json_key(&w->j, "chains"), json_array(&w->j);
	while (chains_next(&c) && !w->j.out->failed) {
		write_chain(w, &c.w, is_first);
		is_first = false;
	}
	json_end_array(&w->j);
	chain_walk_release(&c.w);
}

/* Calls that are ruled out, after the chains that go on up to them. */

static void write_reason(struct writer *w, const struct forest_dead *d)
{
	struct chain_reason r = chain_prune_why(w->f->opt.prune, d->edge, d->context);
	struct json *j = &w->j;

	json_key(j, "reason"), json_object(j);
	json_key(j, "method"), json_escaped(j, names_method(&w->names, r.method));
	if (r.line)
		json_key(j, "line"), json_uint(j, r.line);
	json_key(j, "text"), json_str(j, str_of(r.text));
	json_end_object(j);
}

static void write_ruled_out(struct writer *w, const struct dead_walk *c)
{
	const struct forest_tree *t = &w->f->trees.data[c->tree];
	struct json *j = &w->j;

	json_break(j);
	json_object(j);
	json_key(j, "entry"), json_uint(j, w->entry_of[c->tree]);
	strbuf_clear(&w->text);
	chains_add_level(w->f, t, &w->text);
	json_key(j, "level"), json_escaped(j, strbuf_str(&w->text));
	json_key(j, "length"), json_uint(j, t->start + c->edges.len + 1);
	json_key(j, "calls"), json_array(j);
	for (uint32_t i = 0; i < c->edges.len; i++)
		json_uint(j, w->call_of[c->edges.data[i]] - 1);
	json_uint(j, w->call_of[c->dead->edge] - 1);
	json_end_array(j);
	write_reason(w, c->dead);
	json_end_object(j);
}

static void write_pruned(struct writer *w)
{
	struct dead_walk c = { .forest = w->f };

	if (!w->f->opt.prune || w->head->only != CHAINS_ALL)
		return;
	json_key(&w->j, "pruned"), json_array(&w->j);
	for (uint32_t n = 0; n < MOST_PRUNED && dead_next(&c) && !w->j.out->failed; n++)
		write_ruled_out(w, &c);
	json_end_array(&w->j);
	json_break(&w->j);
	dead_walk_release(&c);
}

static void write_asserted(struct writer *w)
{
	struct json *j = &w->j;

	if (!w->head->assertions)
		return;
	json_key(j, "assertions"), json_array(j);
	for (uint32_t i = 0; i < w->f->cuts.len; i++) {
		const struct chains_assertion *a = &w->head->asserted[i];
		json_break(j);
		json_object(j);
		json_key(j, "line"), json_uint(j, a->line);
		json_key(j, "chain"), json_str(j, str_of(a->chain));
		json_key(j, "because"), json_str(j, str_of(a->because));
		json_key(j, "calls"), json_uint(j, w->f->cuts.data[i]);
		json_end_object(j);
	}
	json_end_array(j);
	json_break(j);
}

static void write_result(struct writer *w)
{
	struct json *j = &w->j;

	json_object(j);
	json_key(j, "schema"), json_escaped(j, STR("sherd/chains/1"));
	write_request(w);
	json_break(j);
	write_counts(w);
	json_break(j);
	write_entries(w);
	json_break(j);
	write_calls(w);
	json_break(j);
	write_asserted(w);
	write_pruned(w);
	write_chains(w);
	json_end_object(j);
	sink_putc(j->out, '\n');
}

bool report_chains_json(struct sink *out, const struct forest *f, const struct chains_head *head)
{
	struct writer w = { .j = { .out = out }, .f = f, .head = head };

	w.call_of = mem_zalloc((f->x->edges.len + 1) * sizeof(*w.call_of));
	w.entry_of = mem_zalloc((f->trees.len + 1) * sizeof(*w.entry_of));
	names_init(&w.names, f->x->p, name_full, ESCAPE_JSON);
	write_result(&w);
	names_release(&w.names);
	strbuf_release(&w.text);
	free(w.call_of);
	free(w.entry_of);
	return sink_finish(out);
}
