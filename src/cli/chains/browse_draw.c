/* SPDX-License-Identifier: Apache-2.0 */
/* The view as lines: title, how many chains of each length, filters; trees; what happened, keys. */
#include <stdio.h>

#include "cli/chains/browse_p.h"
#include "report/chains/chains.h"
#include "report/write/screen.h"

#define PLACE_COLUMNS 8        /* of source lines, behind the cursor */
#define COUNT_COLUMNS 8        /* that are kept free for most numbers */
#define BOLD "1"
#define DIM "2"
#define GREEN "32"
#define REVERSE "7"

struct drawing {
	struct browse *b;
	struct strbuf *out;
	bool color;
	uint32_t lines;               /* that are done */
	struct strbuf left, right;    /* of the line that is being made */
};

/* What fits into so many columns, with dots for what does not. */
static void add_cut(struct strbuf *out, struct str t, uint32_t most)
{
	uint32_t n = text_columns(t);

	if (n <= most) {
		strbuf_addstr(out, t);
		return;
	}
	uint32_t kept = most > 3 ? most - 3 : 0;
	strbuf_addstr(out, str_sub(t, 0, t.len - text_skip(t, kept).len));
	strbuf_adds(out, &"..."[most > 3 ? 0 : 3 - most]);
}

static void add_spaces(struct strbuf *out, uint32_t n)
{
	while (n-- > 0)
		strbuf_addch(out, ' ');
}

/* Ends a line: the left part, cut, and the right one at the end where there is room for both. */
static void end_line(struct drawing *d, const char *style)
{
	uint32_t width = d->b->width, right = text_columns(strbuf_str(&d->right));
	struct strbuf line = { 0 };

	if (right + 8 > width) {
		strbuf_clear(&d->right);
		right = 0;
	}
	add_cut(&line, strbuf_str(&d->left), width - (right ? right + 1 : 0));
	if (right)
		add_spaces(&line, width - right - text_columns(strbuf_str(&line)));
	strbuf_addstr(&line, strbuf_str(&d->right));
	if (d->lines++)
		strbuf_addch(d->out, '\n');
	bool styled = d->color && style;
	if (styled)
		strbuf_addf(d->out, "\033[%sm", style);
	if (styled && strcmp(style, REVERSE) == 0)
		add_spaces(&line, width - text_columns(strbuf_str(&line)));
	strbuf_addstr(d->out, strbuf_str(&line));
	strbuf_adds(d->out, styled ? "\033[0m" : "");
	strbuf_release(&line);
	strbuf_clear(&d->left);
	strbuf_clear(&d->right);
}

static void draw_text(struct drawing *d, const char *text, const char *style)
{
	escape_add(&d->left, ESCAPE_PLAIN, str_of(text));
	end_line(d, style);
}

/* The head */

static uint32_t count_trees(const struct browse *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->rows.len; i++)
		n += b->rows.data[i].depth == 0;
	return n;
}

static void draw_title(struct drawing *d)
{
	const struct browse *b = d->b;
	uint64_t total = forest_total(browse_forest(b));
	uint32_t trees = count_trees(b);
	char n[32], m[32];

	strbuf_adds(&d->left, "Call chains  ");
	escape_add(&d->left, ESCAPE_PLAIN, screen_text(b->component));
	strbuf_addf(&d->right, "%s %s in %s %s", chains_text(total, n), total == 1 ? "chain" : "chains", grouped(trees, m),
		    trees == 1 ? "tree" : "trees");
	end_line(d, BOLD);
}

/* "k 4   1: 564   2: 3,034   3: 9,812 ... 8: 4,812,003": of the first lengths and the last, as many as fit. */
static void draw_lengths(struct drawing *d)
{
	const struct forest *f = browse_forest(d->b);
	uint32_t longest = forest_longest(f);
	struct strbuf last = { 0 }, one = { 0 };
	char buf[32];

	strbuf_adds(&d->left, "By length");
	if (longest)
		strbuf_addf(&last, "   %u: %s", (unsigned)longest, chains_text(forest_count(f, longest), buf));
	if (d->b->now.k)
		strbuf_addf(&d->right, "k %u", (unsigned)d->b->now.k);
	for (uint32_t l = 1; l < longest; l++) {
		strbuf_clear(&one);
		strbuf_addf(&one, "   %u: %s", (unsigned)l, chains_text(forest_count(f, l), buf));
		if (d->left.len + one.len + last.len + d->right.len + 6 > d->b->width) {
			strbuf_adds(&d->left, "  ...");
			break;
		}
		strbuf_addstr(&d->left, strbuf_str(&one));
	}
	strbuf_addstr(&d->left, longest ? strbuf_str(&last) : STR("   none"));
	strbuf_release(&last);
	strbuf_release(&one);
	end_line(d, NULL);
}

static uint32_t count_filters(const struct browse *b, enum filter_kind kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->now.filters.len; i++)
		n += b->now.filters.data[i].kind == kind;
	return n;
}

static void draw_filters_line(struct drawing *d)
{
	const struct browse *b = d->b;

	strbuf_adds(&d->left, "Filters  ");
	for (int kind = 0; kind < FILTER_KINDS; kind++) {
		uint32_t n = count_filters(b, (enum filter_kind)kind);
		if (n)
			strbuf_addf(&d->left, "   %s: %u", filter_kind_names[kind], (unsigned)n);
	}
	if (b->now.filters.len)
		strbuf_adds(&d->right, b->is_changed ? "not saved, F lists them" : "F lists them");
	else
		strbuf_adds(&d->left, "   none");
	end_line(d, NULL);
}

static void draw_head(struct drawing *d)
{
	uint32_t n = browse_head_lines(d->b);

	if (n > 0)
		draw_title(d);
	if (n > 1)
		draw_lengths(d);
	if (n > 2)
		draw_filters_line(d);
	if (n > 3)
		draw_text(d, "", NULL);
}

/* Trees */

static const char *mark_of(const struct browse_row *r)
{
	return !r->has_more ? "  " : r->is_open ? "- " : "+ ";
}

/* With its package where there is room. */
static void add_entry(struct drawing *d, const struct browse_row *r)
{
	const struct forest *f = browse_forest(d->b);

	strbuf_adds(&d->left, mark_of(r));
	if (f->levels.len > 1) {
		strbuf_adds(&d->left, "level ");
		chains_add_level(f, &f->trees.data[r->tree], &d->left);
		strbuf_adds(&d->left, "  ");
	}
	uint32_t node = browse_node(d->b, r);
	struct str name = names_method(&d->b->names, f->x->methods.data[node]);
	bool fits = text_columns(strbuf_str(&d->left)) + text_columns(name) + COUNT_COLUMNS <= d->b->width;
	strbuf_addstr(&d->left, fits ? name : chains_short_name(f->x, node, name));
}

/* The source line, or the place in the bytecode, where the granularity has call sites. */
static void add_place_of(struct drawing *d, const struct browse_row *r)
{
	const struct forest *f = browse_forest(d->b);
	const struct chain_site *s = &f->x->sites.data[f->x->edges.data[r->edge].site];
	char place[32] = "";

	if (f->opt.granularity != CHAIN_METHOD)
		snprintf(place, sizeof place, s->line ? "%u" : "@%u", (unsigned)(s->line ? s->line : s->pc));
	strbuf_addf(&d->left, "%*s", PLACE_COLUMNS - 2, place);
}

static void add_call_row(struct drawing *d, const struct browse_row *r)
{
	uint32_t indent = 2 * r->depth, most = d->b->width / 2;

	add_place_of(d, r);
	add_spaces(&d->left, indent < most ? indent : most);
	strbuf_adds(&d->left, mark_of(r));
	chains_add_call(browse_forest(d->b), &d->b->names, r->edge, !r->state, &d->left);
}

static void draw_row(struct drawing *d, uint32_t i)
{
	const struct browse_row *r = &d->b->rows.data[i];
	bool is_here = i == d->b->cursor;
	char buf[32];

	strbuf_adds(&d->left, is_here ? "> " : "  ");
	if (r->depth)
		add_call_row(d, r);
	else
		add_entry(d, r);
	if (r->state)
		strbuf_adds(&d->right, chains_text(r->chains, buf));
	end_line(d, is_here ? REVERSE : r->depth ? NULL : GREEN);
}

static void draw_trees(struct drawing *d, uint32_t page)
{
	const struct browse *b = d->b;

	for (uint32_t i = b->top; i < b->rows.len && i < b->top + page; i++)
		draw_row(d, i);
	if (!b->rows.len)
		draw_text(d, "  No chain is left: u undoes the last change, F lists the filters, + makes chains longer.", NULL);
}

/* What is shown instead of trees */

static const char *const help[] = {
	"up down, j k            move; also PageUp, PageDown, g (first), G (last)",
	"right, Enter, l         open; once more: to the first call below",
	"left, h                 close; once more: to the caller",
	"space                   open or close",
	"d                       drop the call, wherever it is made; of an entry, its trees",
	"D                       drop the method, wherever it is called",
	"t, T                    keep only chains through the call; through the method",
	"e                       keep only the trees of this entry",
	"u                       undo the last change",
	"+ -                     longer or shorter chains: k",
	"/ n N                   search for a method, on and back, also where it is closed",
	"o                       trees by number of chains, or by name",
	"F                       list the filters; d removes one there",
	"s                       save the filters: sherd chains --filter FILE reads them",
	"q                       quit",
	"",
	"On the right: how many chains begin with the calls down to there. On the left:",
	"the source line of a call. A call that is marked 'again' is recursive.",
};

static void draw_help(struct drawing *d, uint32_t page)
{
	for (uint32_t i = 0; i < ARRAY_LEN(help) && i < page; i++)
		draw_text(d, help[i], NULL);
}

static void draw_filters(struct drawing *d, uint32_t page)
{
	const struct browse *b = d->b;
	uint32_t top = b->filter >= page ? b->filter - page + 1 : 0;

	for (uint32_t i = top; i < b->now.filters.len && i < top + page; i++) {
		strbuf_addf(&d->left, "%s%-13s", i == b->filter ? "> " : "  ", filter_kind_names[b->now.filters.data[i].kind]);
		escape_add(&d->left, ESCAPE_PLAIN, str_of(browse_shown(b, &b->now.filters.data[i])));
		end_line(d, i == b->filter ? REVERSE : NULL);
	}
	if (!b->now.filters.len)
		draw_text(d, "  There are no filters.", NULL);
}

static void draw_middle(struct drawing *d)
{
	uint32_t page = browse_page(d->b), end = d->lines + page;

	if (d->b->mode == BROWSE_HELP)
		draw_help(d, page);
	else if (d->b->mode == BROWSE_FILTERS)
		draw_filters(d, page);
	else
		draw_trees(d, page);
	while (d->lines < end)
		draw_text(d, "", NULL);
}

/* The foot */

static void draw_status(struct drawing *d)
{
	const struct browse *b = d->b;
	const char *question = b->mode == BROWSE_SEARCH ? "search: " : b->mode == BROWSE_SAVE_AS ? "save as: " : "";
	struct strbuf text = { 0 };

	escape_add(&text, ESCAPE_PLAIN, question[0] ? strbuf_str(&b->input) : strbuf_str(&b->status));
	if (question[0])
		strbuf_addch(&text, '_');
	uint32_t room = b->width > strlen(question) ? b->width - (uint32_t)strlen(question) : 0, n = text_columns(strbuf_str(&text));
	strbuf_adds(&d->left, question);
	if (b->mode == BROWSE_REPLACE) {
		escape_add(&d->left, ESCAPE_PLAIN, strbuf_str(&b->path));
		strbuf_adds(&d->left, " is there: replace it? y or n");
	} else if (question[0] && n > room) {     /* what is typed last is what counts */
		strbuf_addstr(&d->left, text_skip(strbuf_str(&text), n - room));
	} else {
		strbuf_addstr(&d->left, strbuf_str(&text));
	}
	strbuf_release(&text);
	end_line(d, BOLD);
}

static const char *keys_of(enum browse_mode mode)
{
	switch (mode) {
	case BROWSE_HELP: return "any key goes back";
	case BROWSE_FILTERS: return "d remove  u undo  any other key goes back";
	case BROWSE_SEARCH: case BROWSE_SAVE_AS: return "Enter does it  Escape does not";
	case BROWSE_REPLACE: return "";
	default: return "? help  q quit  space open  d drop  t through  e entry  u undo  / search  s save";
	}
}

static void draw_foot(struct drawing *d)
{
	uint32_t n = browse_foot_lines(d->b);

	if (n > 0)
		draw_status(d);
	if (n > 1)
		draw_text(d, keys_of(d->b->mode), DIM);
}

void browse_draw(struct browse *b, bool color, struct strbuf *out)
{
	struct drawing d = { .b = b, .out = out, .color = color };

	if (!b->width || !b->height)
		return;
	draw_head(&d);
	draw_middle(&d);
	draw_foot(&d);
	strbuf_release(&d.left);
	strbuf_release(&d.right);
}
