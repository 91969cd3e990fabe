/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of trees, what is open, the cursor. */
#include "cli/chains/browse_p.h"

#include <stdlib.h>

#include "base/hash.h"

#define FEWEST_LINES 8         /* where there are fewer, some around the trees are left out */

void browse_say(struct browse *b, const char *fmt, ...)
{
	va_list ap;

	strbuf_clear(&b->status);
	va_start(ap, fmt);
	strbuf_vaddf(&b->status, fmt, ap);
	va_end(ap);
}

/* Rows */

uint32_t browse_node(const struct browse *b, const struct browse_row *r)
{
	const struct forest *f = browse_forest(b);

	return r->depth ? f->x->edges.data[r->edge].to : f->states.data[f->trees.data[r->tree].state].node;
}

static bool is_open(const struct browse *b, uint64_t path)
{
	return map_get(&b->open, path) == OPEN;
}

bool browse_has_child(const struct browse *b, const struct browse_row *of, uint32_t child)
{
	const struct forest *f = browse_forest(b);
	const struct forest_tree *t = &f->trees.data[of->tree];
	uint32_t room = forest_room(f, t), state = f->children.data[f->states.data[of->state].first + child].state;

	if (of->depth >= room)
		return false;
	return !state || (f->states.data[state].nearest != CHAIN_NEVER && f->states.data[state].nearest <= room - of->depth - 1);
}

static bool has_children(const struct browse *b, const struct browse_row *r)
{
	uint32_t n = r->state ? browse_forest(b)->states.data[r->state].n : 0;

	for (uint32_t i = 0; i < n; i++)
		if (browse_has_child(b, r, i))
			return true;
	return false;
}

static struct browse_row complete(const struct browse *b, struct browse_row r)
{
	const struct forest *f = browse_forest(b);

	r.chains = r.state ? forest_below(f, r.state, r.depth, &f->trees.data[r.tree]) : 0;
	r.has_more = has_children(b, &r);
	r.is_open = r.has_more && is_open(b, r.path);
	return r;
}

struct browse_row browse_child(const struct browse *b, const struct browse_row *of, uint32_t child)
{
	const struct forest *f = browse_forest(b);
	struct forest_child c = f->children.data[f->states.data[of->state].first + child];

	return complete(b, (struct browse_row){ .path = hash_mix(of->path + 0x9e3779b97f4a7c15u * (c.edge + 1u)), .tree = of->tree,
						.state = c.state, .edge = c.edge, .depth = of->depth + 1 });
}

static struct browse_row tree_row(const struct browse *b, uint32_t tree)
{
	const struct forest *f = browse_forest(b);
	const struct forest_tree *t = &f->trees.data[tree];

	return complete(b, (struct browse_row){ .path = hash_mix(map_key(f->states.data[t->state].node, t->level)), .tree = tree,
						.state = t->state });
}

static void add_row(struct browse *b, struct browse_row r)
{
	vec_push(&b->rows, r);
	if (!r.is_open)
		return;
	for (uint32_t i = 0; i < browse_forest(b)->states.data[r.state].n; i++)
		if (browse_has_child(b, &r, i))
			add_row(b, browse_child(b, &r, i));
}

static int by_chains(const void *a, const void *b)
{
	const struct browse_row *x = a, *y = b;

	if (x->chains != y->chains)
		return x->chains > y->chains ? -1 : 1;
	return x->tree < y->tree ? -1 : 1;
}

/* Trees that have chains, in the order in which they are shown; the graph has them by name. */
static void find_trees(const struct browse *b, browse_rows *out)
{
	for (uint32_t i = 0; i < browse_forest(b)->trees.len; i++) {
		struct browse_row r = tree_row(b, i);
		if (r.chains)
			vec_push(out, r);
	}
	if (!b->by_name && out->len)
		qsort(out->data, out->len, sizeof(*out->data), by_chains);
}

static bool go_to_path(struct browse *b, const struct map *row_of, uint64_t path)
{
	uint32_t row = map_get(row_of, path);

	b->cursor = row ? row - 1 : b->cursor;
	return row != 0;
}

static void number_rows(const struct browse *b, struct map *row_of)
{
	for (uint32_t i = 0; i < b->rows.len; i++)
		*map_at(row_of, b->rows.data[i].path) = i + 1;
}

/* The first row at or behind the old place of the cursor that is still there; else the last before it. */
static void find_cursor(struct browse *b, const browse_rows *old)
{
	struct map row_of = { 0 };
	uint32_t i = b->cursor;

	number_rows(b, &row_of);
	while (i < old->len && !go_to_path(b, &row_of, old->data[i].path))
		i++;
	if (i >= old->len)
		for (i = b->cursor < old->len ? b->cursor : old->len; i-- > 0 && !go_to_path(b, &row_of, old->data[i].path);)
			;
	map_release(&row_of);
	browse_go(b, b->cursor);
}

void browse_make_rows(struct browse *b)
{
	browse_rows trees = { 0 }, old = b->rows;

	b->rows = (browse_rows){ 0 };
	find_trees(b, &trees);
	for (uint32_t i = 0; i < trees.len; i++)
		add_row(b, trees.data[i]);
	vec_release(&trees);
	find_cursor(b, &old);
	vec_release(&old);
}

void browse_open(struct browse *b, bool to_open)
{
	struct browse_row *r = browse_at(b);

	if (!r || !r->has_more || r->is_open == to_open)
		return;
	*map_at(&b->open, r->path) = to_open ? OPEN : CLOSED;
	browse_make_rows(b);
}

/* The cursor */

/* Title, lengths, filters. */
uint32_t browse_head_lines(const struct browse *b)
{
	return b->height >= FEWEST_LINES + 4 ? 4 : b->height >= FEWEST_LINES - 2 ? 2 : b->height > 2;
}

/* What happened; keys. */
uint32_t browse_foot_lines(const struct browse *b)
{
	return b->height >= FEWEST_LINES ? 2 : b->height > 1;
}

uint32_t browse_page(const struct browse *b)
{
	uint32_t around = browse_head_lines(b) + browse_foot_lines(b);

	return b->height > around ? b->height - around : 1;
}

void browse_keep_in_sight(struct browse *b)
{
	uint32_t page = browse_page(b), last = b->rows.len > page ? b->rows.len - page : 0;

	if (b->cursor < b->top)
		b->top = b->cursor;
	else if (b->cursor >= b->top + page)
		b->top = b->cursor - page + 1;
	b->top = b->top > last ? last : b->top;
}

void browse_go(struct browse *b, int64_t row)
{
	int64_t last = (int64_t)b->rows.len - 1;

	row = row > last ? last : row;
	b->cursor = row < 0 ? 0 : (uint32_t)row;
	browse_keep_in_sight(b);
}

void browse_go_to_path(struct browse *b, uint64_t path)
{
	for (uint32_t i = 0; i < b->rows.len; i++)
		if (b->rows.data[i].path == path)
			browse_go(b, i);
}

void browse_resize(struct browse *b, uint32_t width, uint32_t height)
{
	b->width = width;
	b->height = height;
	browse_keep_in_sight(b);
}

/* Life */

static void take_filter(struct browse *b, enum filter_kind kind, const char *list)
{
	if (list)
		vec_push(&b->now.filters, ((struct filter_line){ .kind = kind, .list = list }));
}

void browse_init(struct browse *b, struct chains *chains, struct diag *d, const char *component, const char *file)
{
	struct chains_request *q = &chains->request;

	*b = (struct browse){ .chains = chains, .diag = d, .component = component, .width = 80, .height = 24 };
	arena_init(&b->mem);
	names_init(&b->names, chains->graph->p, name_source, ESCAPE_PLAIN);
	b->now.k = q->k;
	take_filter(b, FILTER_FROM, q->from);
	for (uint32_t i = 0; i < q->nthrough; i++)
		take_filter(b, FILTER_THROUGH, q->through[i]);
	take_filter(b, FILTER_NOT_THROUGH, q->not_through);
	for (uint32_t i = 0; i < q->nfilters; i++)
		vec_push(&b->now.filters, q->filters[i]);
	q->from = q->not_through = NULL;
	q->nthrough = 0;
	q->filters = b->now.filters.data;
	q->nfilters = b->now.filters.len;
	strbuf_adds(&b->own, file ? file : "");
	browse_text(b, &b->saved);
	browse_make_rows(b);
	browse_say(b, "? explains the keys");
}

void settings_release(struct browse_settings *s)
{
	vec_release(&s->filters);
}

/* The request must not point to what is gone. */
void browse_release(struct browse *b)
{
	b->chains->request.filters = NULL;
	b->chains->request.nfilters = 0;
	settings_release(&b->now);
	for (uint32_t i = 0; i < b->undo.len; i++)
		settings_release(&b->undo.data[i]);
	vec_release(&b->undo);
	vec_release(&b->made);
	vec_release(&b->rows);
	map_release(&b->open);
	strbuf_release(&b->status);
	strbuf_release(&b->input);
	strbuf_release(&b->wanted);
	strbuf_release(&b->path);
	strbuf_release(&b->own);
	strbuf_release(&b->saved);
	names_release(&b->names);
	arena_release(&b->mem);
}

void browse_text(const struct browse *b, struct strbuf *out)
{
	filter_file_print(b->now.k, b->now.filters.data, b->now.filters.len, out);
}

void browse_note_changes(struct browse *b)
{
	struct strbuf text = { 0 };

	browse_text(b, &text);
	b->is_changed = !str_eq(strbuf_str(&text), strbuf_str(&b->saved));
	strbuf_release(&text);
}
