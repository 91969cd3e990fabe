/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - call chains as a screen for people: how many there are, by length and by entry, and the trees as far as
 * they fit. The other formats hold everything. */
#include <stdlib.h>

#include "report/chains/chains_p.h"
#include "report/java/additions.h"
#include "report/java/clients.h"
#include "report/write/screen.h"

#define DEFAULT_WIDTH 100
#define MIN_WIDTH 60
#define FITS 120           /* nodes of all trees that are shown to the last; else: */
#define MAX_TREES 12       /* are shown, those with most chains first */
#define MAX_CHILDREN 4     /* of a node; one more is shown rather than counted */
#define MAX_ROWS 10        /* of a tree */
#define LINE_COLUMNS 8     /* of source lines, with the indentation */
#define COUNT_COLUMNS 14

struct screen {
	struct screen_out s;
	const struct forest *f;
	const struct chains_head *head;
	struct names source;
	struct strbuf text;
	uint32_t width;
	bool has_all;              /* trees are shown to the last node */
	uint32_t rows;             /* of the tree that is shown */
	const struct forest_tree *tree;
};

/* The head */

static void show_addition(void *ctx, const char *label, struct str text)
{
	struct screen *x = ctx;

	screen_fact(&x->s, x->width, label, text);
}

static void show_kind(struct screen *x)
{
	static const char *const by[] = { "by method", "by call site", "by call site and receiver class" };
	const struct chain_opt *o = &x->f->opt;

	strbuf_clear(&x->text);
	if (o->k == CHAIN_UNBOUNDED)
		strbuf_adds(&x->text, "of any length");
	else
		strbuf_addf(&x->text, "at most %u %s from %s", (unsigned)o->k, o->k == 1 ? "call" : "calls",
			    o->from_main ? "the clients" : "the entry");
	strbuf_addf(&x->text, ", %s", by[o->granularity]);
	if (o->backedges)
		strbuf_adds(&x->text, "; recursion ends them");
	screen_fact(&x->s, x->width, "Chains", strbuf_str(&x->text));
	strbuf_clear(&x->text);
	for (uint32_t i = 0; i < x->f->levels.len && i < 8; i++) {
		strbuf_adds(&x->text, i ? ", " : "");
		chains_add_level(x->f, &(struct forest_tree){ .level = i }, &x->text);
	}
	strbuf_adds(&x->text, x->f->levels.len > 8 ? ", ..." : "");
	screen_fact(&x->s, x->width, "Levels", strbuf_str(&x->text));
}

static void show_head(struct screen *x)
{
	const struct chains_head *h = x->head;

	screen_puts(&x->s, STYLE_BOLD, "Call chains");
	sink_putc(x->s.out, '\n');
	screen_fact(&x->s, x->width, "Component", screen_text(h->component));
	screen_fact(&x->s, x->width, "Interface", screen_text(h->interface));
	clients_show(&x->s, x->width, screen_text(h->clients));
	screen_fact(&x->s, x->width, "Algorithm", screen_text(h->head.algorithm));
	screen_fact(&x->s, x->width, "Assumed", screen_text(h->head.assume));
	show_kind(x);
	screen_fact(&x->s, x->width, "From", screen_text(h->from));
	for (uint32_t i = 0; i < h->nthrough; i++)
		screen_fact(&x->s, x->width, "Through", screen_text(h->through[i]));
	screen_fact(&x->s, x->width, "Not through", screen_text(h->not_through));
	screen_fact(&x->s, x->width, "Filter", screen_text(h->filter));
	screen_fact(&x->s, x->width, "Class path", screen_text(h->head.class_path));
	additions_show(x->f->x->p, show_addition, x);
	screen_fact(&x->s, x->width, "JDK", screen_text(h->head.jdk));
	sources_show(&h->head.facts, show_addition, x);
	settings_show(&h->head.settings, show_addition, x);
	sink_putc(x->s.out, '\n');
}

/* Figures */

static void show_lengths(struct screen *x)
{
	uint32_t longest = forest_longest(x->f);
	uint64_t sum = 0;
	const struct forest *whole = x->head->whole;
	char a[32], b[32], c[32];

	const struct forest *most = whole ? whole : x->head->unasserted;
	longest = most && forest_longest(most) > longest ? forest_longest(most) : longest;
	screen_puts(&x->s, STYLE_BOLD, "  Length              chains      up to there");
	screen_puts(&x->s, STYLE_BOLD, whole ? "        ruled out" : "");
	screen_puts(&x->s, STYLE_BOLD, x->head->unasserted ? "         asserted\n" : "\n");
	for (uint32_t l = 1; l <= longest; l++) {
		uint64_t n = forest_count(x->f, l);
		sum = chains_plus(sum, n);
		sink_printf(x->s.out, "  %6u  %18s %16s", (unsigned)l, chains_text(n, a), chains_text(sum, b));
		if (whole)
			sink_printf(x->s.out, " %16s", chains_text(chains_fewer(whole, by_conditions(x->f, x->head), l), c));
		if (x->head->unasserted)
			sink_printf(x->s.out, " %16s", chains_text(chains_fewer(x->head->unasserted, x->f, l), c));
		sink_putc(x->s.out, '\n');
	}
	if (!longest)
		sink_puts(x->s.out, "    none\n");
}

static void show_figures(struct screen *x)
{
	screen_figure(&x->s, "Methods", chain_nnodes(x->f->x));
	screen_figure(&x->s, "Calls", x->f->x->edges.len);
	sink_putc(x->s.out, '\n');
	screen_figure(&x->s, "Entries", forest_entries(x->f));
	screen_figure(&x->s, "Trees", x->f->trees.len);
	sink_puts(x->s.out, "\n\n");
	show_lengths(x);
}

/* Trees */

static void show_count(struct screen *x, uint32_t used_columns, uint64_t n)
{
	char buf[32];
	uint32_t at = x->width - COUNT_COLUMNS;

	for (uint32_t i = used_columns; i < at; i++)
		sink_putc(x->s.out, ' ');
	screen_style(&x->s, STYLE_DIM);
	sink_printf(x->s.out, "%*s", COUNT_COLUMNS, chains_text(n, buf));
	screen_plain(&x->s);
	sink_putc(x->s.out, '\n');
}

/* What fits of the text into so many columns; how many it takes. */
static uint32_t show_cut(struct screen *x, uint32_t most)
{
	struct str t = strbuf_str(&x->text);
	uint32_t n = text_columns(t);

	if (n <= most) {
		sink_str(x->s.out, t);
		return n;
	}
	sink_str(x->s.out, str_sub(t, 0, t.len - text_skip(t, most - 3).len));
	sink_puts(x->s.out, "...");
	return most;
}

static void show_call(struct screen *x, const struct forest_child *c, uint32_t depth)
{
	const struct chain_edge *e = &x->f->x->edges.data[c->edge];
	const struct chain_site *s = &x->f->x->sites.data[e->site];
	char place[32] = "";

	if (x->f->opt.granularity != CHAIN_METHOD)
		snprintf(place, sizeof place, s->line ? "%u" : "@%u", (unsigned)(s->line ? s->line : s->pc));
	screen_style(&x->s, STYLE_DIM);
	sink_printf(x->s.out, "%*s", LINE_COLUMNS, place);
	screen_plain(&x->s);
	strbuf_clear(&x->text);
	for (uint32_t i = 0; i < depth; i++)
		strbuf_adds(&x->text, "  ");
	chains_add_call(x->f, &x->source, c->edge, !c->state, &x->text);
	x->rows++;
	uint32_t columns = LINE_COLUMNS + show_cut(x, x->width - LINE_COLUMNS - COUNT_COLUMNS);
	if (c->state)
		show_count(x, columns, forest_below(x->f, c->state, depth, x->tree));
	else
		sink_putc(x->s.out, '\n');
}

static void show_left_out(struct screen *x, uint32_t calls, uint64_t chains, uint32_t depth)
{
	char buf[32], many[32];

	screen_style(&x->s, STYLE_DIM);
	sink_printf(x->s.out, "%*s%*s... and %s more %s", LINE_COLUMNS, "", (int)depth * 2, "", grouped(calls, buf),
		    calls == 1 ? "call" : "calls");
	sink_printf(x->s.out, " with %s %s", chains_text(chains, many), chains == 1 ? "chain" : "chains");
	screen_plain(&x->s);
	sink_putc(x->s.out, '\n');
}

static uint64_t chains_of(const struct screen *x, const struct forest_child *c, uint32_t depth)
{
	return c->state ? forest_below(x->f, c->state, depth, x->tree) : 0;
}

static void show_children(struct screen *x, uint32_t state, uint32_t depth)
{
	const struct forest_state *s = &x->f->states.data[state];
	uint32_t shown = 0, hidden = 0;
	uint64_t chains = 0;

	if (depth > forest_room(x->f, x->tree))
		return;
	for (uint32_t i = s->first; i < s->first + s->n; i++) {
		const struct forest_child *c = &x->f->children.data[i];
		uint64_t n = chains_of(x, c, depth);
		if (c->state && !n)
			continue;
		if (!x->has_all && (shown >= MAX_CHILDREN || x->rows >= MAX_ROWS)) {
			hidden++;
			chains = chains_plus(chains, n);
			continue;
		}
		shown++;
		show_call(x, c, depth);
		if (c->state)
			show_children(x, c->state, depth + 1);
	}
	if (hidden)
		show_left_out(x, hidden, chains, depth);
}

static void show_tree(struct screen *x, const struct forest_tree *t)
{
	strbuf_clear(&x->text);
	if (x->f->levels.len > 1) {
		strbuf_adds(&x->text, "level ");
		chains_add_level(x->f, t, &x->text);
		strbuf_adds(&x->text, "  ");
	}
	strbuf_addstr(&x->text, names_method(&x->source, x->f->x->methods.data[tree_node(x->f, t)]));
	x->tree = t;
	x->rows = 0;
	sink_puts(x->s.out, "\n  ");
	screen_style(&x->s, STYLE_GREEN);
	uint32_t columns = show_cut(x, x->width - 2 - COUNT_COLUMNS);
	screen_plain(&x->s);
	show_count(x, 2 + columns, forest_tree_total(x->f, t));
	show_children(x, t->state, 1);
}

struct ranked {
	uint64_t chains;
	uint32_t tree;
};

static int by_chains(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->chains != y->chains)
		return x->chains > y->chains ? -1 : 1;
	return x->tree < y->tree ? -1 : 1;
}

static void show_trees(struct screen *x)
{
	const struct forest *f = x->f;
	struct ranked *rows = mem_alloc((f->trees.len + 1) * sizeof(*rows));
	uint32_t n = 0;
	char buf[32];

	for (uint32_t i = 0; i < f->trees.len; i++) {
		uint64_t chains = forest_tree_total(f, &f->trees.data[i]);
		if (chains)
			rows[n++] = (struct ranked){ chains, i };
	}
	x->has_all = forest_total(f) <= FITS;
	if (!x->has_all)
		qsort(rows, n, sizeof(*rows), by_chains);
	uint32_t shown = x->has_all || n <= MAX_TREES + 1 ? n : MAX_TREES;
	screen_title(&x->s, shown < n ? "Trees with most chains" : "Trees", n);
	for (uint32_t i = 0; i < shown; i++)
		show_tree(x, &f->trees.data[rows[i].tree]);
	if (shown < n) {
		screen_style(&x->s, STYLE_DIM);
		sink_printf(x->s.out, "\n  ... and %s more trees; --from shows those of some entries, --format csv writes all chains",
			    grouped(n - shown, buf));
		screen_plain(&x->s);
		sink_putc(x->s.out, '\n');
	}
	free(rows);
}

/* One chain, call by call */

static void show_one(struct screen *x)
{
	struct chains_cursor c = chains_start(x->f, x->head);

	if (chains_next(&c)) {
		const struct forest_tree *t = &x->f->trees.data[c.w.tree];
		x->tree = t;
		sink_puts(x->s.out, "  ");
		screen_style(&x->s, STYLE_GREEN);
		sink_str(x->s.out, names_method(&x->source, x->f->x->methods.data[tree_node(x->f, t)]));
		screen_plain(&x->s);
		sink_putc(x->s.out, '\n');
		for (uint32_t i = 0; i < c.w.edges.len; i++)
			show_call(x, &(struct forest_child){ c.w.edges.data[i], c.w.states.data[i + 1] }, i + 1);
	}
	chain_walk_release(&c.w);
}

bool report_chains_text(struct sink *out, const struct forest *f, const struct chains_head *head)
{
	struct screen x = { .s = { out, head->head.color }, .f = f, .head = head };

	x.width = head->head.width ? head->head.width : DEFAULT_WIDTH;
	x.width = x.width < MIN_WIDTH ? MIN_WIDTH : x.width;
	names_init(&x.source, f->x->p, name_source, ESCAPE_PLAIN);
	show_head(&x);
	if (head->only != CHAINS_ALL) {
		show_one(&x);
	} else {
		show_figures(&x);
		show_trees(&x);
		if (f->opt.prune)
			show_conditions(&x.s, x.width, f, &x.source);
		show_assertions(&x.s, f, head);
	}
	names_release(&x.source);
	strbuf_release(&x.text);
	return sink_finish(out);
}
