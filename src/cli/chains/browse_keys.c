/* SPDX-License-Identifier: Apache-2.0 */
/* What keys do. */
#include "cli/chains/browse_p.h"

#define DEFAULT_PATH "chains.filter"

#define NO_MOVE INT64_MIN

/* Where a key moves the cursor to, over n rows, beyond them perhaps; NO_MOVE: it is no such key. */
static int64_t target_of(int key, uint32_t page, uint32_t n, uint32_t cursor)
{
	switch (key) {
	case KEY_UP: case 'k': return (int64_t)cursor - 1;
	case KEY_DOWN: case 'j': return (int64_t)cursor + 1;
	case KEY_PAGE_UP: return (int64_t)cursor - page;
	case KEY_PAGE_DOWN: return (int64_t)cursor + page;
	case KEY_HOME: case 'g': return 0;
	case KEY_END: case 'G': return (int64_t)n - 1;
	default: return NO_MOVE;
	}
}

static bool is_enter(int key)
{
	return key == '\r' || key == '\n';
}

/* Trees */

/* To the row that the one of the cursor is below. */
static void go_up(struct browse *b)
{
	const struct browse_row *r = browse_at(b);
	int64_t at = b->cursor;

	while (at > 0 && b->rows.data[at].depth >= r->depth)
		at--;
	if (r->depth)
		browse_go(b, at);
}

static void expand(struct browse *b)
{
	const struct browse_row *r = browse_at(b);

	if (r && r->is_open)
		browse_go(b, (int64_t)b->cursor + 1);
	else
		browse_open(b, true);
}

static void collapse(struct browse *b)
{
	const struct browse_row *r = browse_at(b);

	if (r && r->is_open)
		browse_open(b, false);
	else if (r)
		go_up(b);
}

static void toggle(struct browse *b)
{
	const struct browse_row *r = browse_at(b);

	if (r)
		browse_open(b, !r->is_open);
}

static void change_order(struct browse *b)
{
	b->by_name = !b->by_name;
	browse_make_rows(b);
	browse_say(b, b->by_name ? "trees by name" : "trees by number of chains");
}

static void ask_for(struct browse *b, enum browse_mode mode, const char *suggestion)
{
	b->mode = mode;
	strbuf_clear(&b->input);
	strbuf_adds(&b->input, suggestion);
}

static enum browse_wish quit(struct browse *b, bool asked)
{
	if (!b->is_changed || asked)
		return BROWSE_QUIT;
	b->asks_to_quit = true;
	browse_say(b, "filters are not saved: s saves them, q again quits without");
	return BROWSE_GO_ON;
}

/* Keys that show something else, or end. */
static enum browse_wish leave_trees(struct browse *b, int key, bool asked)
{
	switch (key) {
	case '/': ask_for(b, BROWSE_SEARCH, ""); break;
	case 's': ask_for(b, BROWSE_SAVE_AS, b->own.len ? b->own.s : DEFAULT_PATH); break;
	case 'F': b->mode = BROWSE_FILTERS; break;
	case '?': b->mode = BROWSE_HELP; break;
	case 'q': return quit(b, asked);
	default: browse_say(b, "? explains the keys"); break;
	}
	return BROWSE_GO_ON;
}

static enum browse_wish in_trees(struct browse *b, int key)
{
	int64_t to = target_of(key, browse_page(b), b->rows.len, b->cursor);
	bool asked = b->asks_to_quit;

	b->asks_to_quit = false;
	if (to != NO_MOVE) {
		browse_go(b, to);
		return BROWSE_GO_ON;
	}
	switch (key) {
	case KEY_RIGHT: case 'l': case '\r': case '\n': expand(b); break;
	case KEY_LEFT: case 'h': collapse(b); break;
	case ' ': toggle(b); break;
	case 'd': browse_drop(b, THE_CALL); break;
	case 'D': browse_drop(b, THE_METHOD); break;
	case 't': browse_keep_through(b, THE_CALL); break;
	case 'T': browse_keep_through(b, THE_METHOD); break;
	case 'e': browse_keep_entry(b); break;
	case 'u': browse_undo(b); break;
	case '+': case '=': browse_lengthen(b, 1); break;
	case '-': browse_lengthen(b, -1); break;
	case 'n': browse_search(b, true); break;
	case 'N': browse_search(b, false); break;
	case 'o': change_order(b); break;
	default: return leave_trees(b, key, asked);
	}
	return BROWSE_GO_ON;
}

/* The list of filters */

static void in_filters(struct browse *b, int key)
{
	int64_t last = (int64_t)b->now.filters.len - 1, to = target_of(key, browse_page(b), b->now.filters.len, b->filter);

	if (to != NO_MOVE) {
		to = to > last ? last : to;
		b->filter = to < 0 ? 0 : (uint32_t)to;
	} else if (key == 'd' || key == 'x') {
		browse_remove_filter(b);
	} else if (key == 'u') {
		browse_undo(b);
		b->filter = 0;
	} else {
		b->mode = BROWSE_TREES;
	}
}

/* Typing */

static void erase_character(struct strbuf *s)
{
	while (s->len && ((unsigned char)s->s[s->len - 1] & 0xc0) == 0x80)
		s->len--;
	s->len -= s->len > 0;
	if (s->s)
		s->s[s->len] = 0;
}

/* False: the line is not finished. On Escape it is empty. */
static bool type(struct browse *b, int key)
{
	if (is_enter(key))
		return true;
	if (key == KEY_ESCAPE) {
		strbuf_clear(&b->input);
		return true;
	}
	if (key == KEY_BACKSPACE || key == '\b')
		erase_character(&b->input);
	else if (key == 'U' - '@')
		strbuf_clear(&b->input);
	else if (key >= ' ' && key < 256)
		strbuf_addch(&b->input, (char)key);
	return false;
}

static void copy(struct strbuf *to, const struct strbuf *from)
{
	strbuf_clear(to);
	strbuf_addstr(to, strbuf_str(from));
}

static void in_search(struct browse *b, int key)
{
	if (!type(b, key))
		return;
	b->mode = BROWSE_TREES;
	if (!b->input.len)
		return;
	copy(&b->wanted, &b->input);
	browse_search(b, true);
}

static enum browse_wish in_save(struct browse *b, int key)
{
	if (!type(b, key))
		return BROWSE_GO_ON;
	b->mode = BROWSE_TREES;
	if (!b->input.len) {
		browse_say(b, "not saved");
		return BROWSE_GO_ON;
	}
	copy(&b->path, &b->input);
	return str_eq(strbuf_str(&b->own), strbuf_str(&b->path)) ? BROWSE_SAVE_OVER : BROWSE_SAVE;
}

static enum browse_wish in_replace(struct browse *b, int key)
{
	b->mode = BROWSE_TREES;
	if (key == 'y')
		return BROWSE_SAVE_OVER;
	browse_say(b, "not saved");
	return BROWSE_GO_ON;
}

void browse_ask_to_replace(struct browse *b)
{
	b->mode = BROWSE_REPLACE;
}

void browse_saved(struct browse *b, const char *error)
{
	if (error) {
		browse_say(b, "cannot write %s: %s", b->path.s, error);
		return;
	}
	strbuf_clear(&b->saved);
	browse_text(b, &b->saved);
	b->is_changed = false;
	b->is_saved = true;
	copy(&b->own, &b->path);
	browse_say(b, "saved: sherd chains --filter %s", b->path.s);
}

enum browse_wish browse_key(struct browse *b, int key)
{
	switch (b->mode) {
	case BROWSE_TREES: return in_trees(b, key);
	case BROWSE_SAVE_AS: return in_save(b, key);
	case BROWSE_REPLACE: return in_replace(b, key);
	case BROWSE_FILTERS: in_filters(b, key); break;
	case BROWSE_SEARCH: in_search(b, key); break;
	case BROWSE_HELP: b->mode = BROWSE_TREES; break;
	}
	return BROWSE_GO_ON;
}
