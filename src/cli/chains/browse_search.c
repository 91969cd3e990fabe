/* SPDX-License-Identifier: Apache-2.0 */
/* Search in trees that are too large to be made: for each state how far below it what is wanted is. */
#include <stdlib.h>

#include "cli/chains/browse_p.h"

struct search {
	struct browse *b;
	bool *is_wanted;              /* by node */
	uint32_t *need;               /* by state: calls from it to a chain through what is wanted; CHAIN_NEVER: there is none */
	bool forward;
};

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static bool begins(struct str text, struct str wanted, bool exact)
{
	for (uint32_t i = 0; i < wanted.len; i++)
		if (exact ? text.p[i] != wanted.p[i] : lower(text.p[i]) != lower(wanted.p[i]))
			return false;
	return true;
}

/* Capitals count where there are some. */
static bool contains(struct str text, struct str wanted)
{
	bool exact = false;

	for (uint32_t i = 0; i < wanted.len; i++)
		exact |= lower(wanted.p[i]) != wanted.p[i];
	for (uint32_t at = 0; at + wanted.len <= text.len; at++)
		if (begins(str_sub(text, at, text.len), wanted, exact))
			return true;
	return false;
}

static bool is_found(const struct search *s, const struct browse_row *r)
{
	return s->is_wanted[browse_node(s->b, r)];
}

/* One call further: what is below children. False: nothing has changed. */
static bool spread(const struct forest *f, uint32_t *need)
{
	bool has_changed = false;

	for (uint32_t i = 1; i < f->states.len; i++) {
		const struct forest_state *s = &f->states.data[i];
		for (uint32_t c = s->first; c < s->first + s->n; c++) {
			uint32_t below = need[f->children.data[c].state];
			if (below != CHAIN_NEVER && below + 1 < need[i]) {
				need[i] = below + 1;
				has_changed = true;
			}
		}
	}
	return has_changed;
}

/* need[0], of back edges, is never. */
static void search_init(struct search *s, struct browse *b, bool forward)
{
	const struct forest *f = browse_forest(b);

	*s = (struct search){ b, mem_zalloc(f->x->methods.len * sizeof(bool)), mem_alloc(f->states.len * sizeof(uint32_t)), forward };
	for (uint32_t i = 1; i < f->x->methods.len; i++)
		s->is_wanted[i] = contains(names_method(&b->names, f->x->methods.data[i]), strbuf_str(&b->wanted));
	s->need[0] = CHAIN_NEVER;
	for (uint32_t i = 1; i < f->states.len; i++)
		s->need[i] = s->is_wanted[f->states.data[i].node] ? f->states.data[i].nearest : CHAIN_NEVER;
	for (uint32_t d = 0; d < f->depth && spread(f, s->need); d++)
		;
}

static void search_release(struct search *s)
{
	free(s->is_wanted);
	free(s->need);
}

/* Does a row that can be seen once all is open have it, below this one or here? */
static bool has_below(const struct search *s, const struct browse_row *r)
{
	const struct forest *f = browse_forest(s->b);
	uint32_t room = forest_room(f, &f->trees.data[r->tree]);

	return r->state && s->need[r->state] != CHAIN_NEVER && s->need[r->state] <= room - r->depth;
}

/* Row by row from `at` on, without it; those are visible. */
static bool search_visible(struct search *s, int64_t at)
{
	int64_t step = s->forward ? 1 : -1;

	for (at += step; at >= 0 && at < (int64_t)s->b->rows.len; at += step)
		if (is_found(s, &s->b->rows.data[at])) {
			browse_go(s->b, at);
			return true;
		}
	return false;
}

/* The first child, or the last, on the way to what is wanted. */
static bool next_on_way(const struct search *s, const struct browse_row *r, struct browse_row *out)
{
	uint32_t n = browse_forest(s->b)->states.data[r->state].n;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t child = s->forward ? i : n - 1 - i;
		if (!browse_has_child(s->b, r, child))
			continue;
		*out = browse_child(s->b, r, child);
		if (is_found(s, out) || has_below(s, out))
			return true;
	}
	return false;
}

/* Opens what is closed down to it. */
static bool reveal(struct search *s, struct browse_row r)
{
	struct browse_row next;

	if (!r.has_more || r.is_open || !next_on_way(s, &r, &next))
		return false;
	do {
		*map_at(&s->b->open, r.path) = OPEN;
		r = next;
	} while (!is_found(s, &r) && next_on_way(s, &r, &next));
	browse_make_rows(s->b);
	browse_go_to_path(s->b, r.path);
	return true;
}

/* Below what is closed, from `at` on. */
static bool search_hidden(struct search *s, int64_t at)
{
	int64_t step = s->forward ? 1 : -1;

	for (; at >= 0 && at < (int64_t)s->b->rows.len; at += step)
		if (reveal(s, s->b->rows.data[at]))
			return true;
	return false;
}

void browse_search(struct browse *b, bool forward)
{
	struct search s;
	int64_t at = b->cursor, other_end = forward ? -1 : (int64_t)b->rows.len;

	if (!b->wanted.len) {
		browse_say(b, "/ says what to search for");
		return;
	}
	search_init(&s, b, forward);
	if (search_visible(&s, at) || search_hidden(&s, forward ? at : at - 1))
		browse_say(b, "/%s", b->wanted.s);
	else if (search_hidden(&s, forward ? 0 : other_end - 1) || search_visible(&s, other_end))
		browse_say(b, "/%s: from the other end on", b->wanted.s);
	else
		browse_say(b, "no call of a method with '%s'", b->wanted.s);
	search_release(&s);
}
