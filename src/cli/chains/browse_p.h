/* SPDX-License-Identifier: Apache-2.0 */
/* browse_p.h - what the parts of the view of chains share: rows and cursor (browse.c), filters (browse_filters.c), search
 * (browse_search.c), keys (browse_keys.c), lines (browse_draw.c). */
#ifndef CLI_CHAINS_BROWSE_P_H
#define CLI_CHAINS_BROWSE_P_H

#include "base/compiler.h"
#include "cli/chains/browse.h"

enum { OPEN = 1, CLOSED = 2 };

static inline const struct forest *browse_forest(const struct browse *b)
{
	return b->chains->forest;
}
static inline struct browse_row *browse_at(const struct browse *b)        /* the row of the cursor; NULL: there is none */
{
	return b->cursor < b->rows.len ? &b->rows.data[b->cursor] : NULL;
}
/* The method of the graph that a row is about: the entry, or what is called. */
uint32_t browse_node(const struct browse *b, const struct browse_row *r);

void browse_note_changes(struct browse *b);            /* are there any that are not saved? */

/* Replaces the sentence at the bottom. */
void browse_say(struct browse *b, const char *fmt, ...) ATTR_PRINTF(2, 3);

/* Makes the rows anew; the cursor stays on its row, or goes to the next one that is still there. */
void browse_make_rows(struct browse *b);
/* Opens or closes the row of the cursor. */
void browse_open(struct browse *b, bool is_open);
void browse_go(struct browse *b, int64_t row);         /* the nearest that there is */
void browse_go_to_path(struct browse *b, uint64_t path);       /* nothing where no row has it */
void browse_keep_in_sight(struct browse *b);
uint32_t browse_page(const struct browse *b);          /* rows of trees on the screen; at least 1 */
uint32_t browse_head_lines(const struct browse *b);
uint32_t browse_foot_lines(const struct browse *b);

/* Children of a node: those that can be seen. Opens the way where it is. */
struct browse_row browse_child(const struct browse *b, const struct browse_row *of, uint32_t child);
bool browse_has_child(const struct browse *b, const struct browse_row *of, uint32_t child);

/* Filters. Each says what it did. */
enum browse_what { THE_CALL, THE_METHOD };
void browse_drop(struct browse *b, enum browse_what what);
void browse_keep_through(struct browse *b, enum browse_what what);
void browse_keep_entry(struct browse *b);
void browse_lengthen(struct browse *b, int by);
void browse_undo(struct browse *b);
void browse_remove_filter(struct browse *b);           /* the one of b->filter */
const char *browse_shown(const struct browse *b, const struct filter_line *line);
void settings_release(struct browse_settings *s);

/* To the next row with what is wanted, or the one before: among those that are visible, then below what is closed, then from the
 * other end on. Whoever goes on comes to all. */
void browse_search(struct browse *b, bool forward);

#endif
