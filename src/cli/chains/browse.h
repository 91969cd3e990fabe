/* SPDX-License-Identifier: Apache-2.0 */
/* browse.h - what `sherd chains --interactive` shows and does, without a terminal: keys in, lines out.
 *
 * Rows are the nodes of the forest's trees that are visible: entries, and calls below what is open. No others are made, so a forest
 * may stand for any number of chains. A change of filters or of k asks the graph for another forest (chains_ask); what is open,
 * and where the cursor is, is kept by the path of a node, which is the same in every forest.
 *
 *	browse_init(&b, chains, &diag, "org.lib.*", NULL);
 *	browse_resize(&b, columns, lines);
 *	browse_draw(&b, color, &text);          then again after each
 *	browse_key(&b, key);
 *	browse_release(&b); */
#ifndef CLI_CHAINS_BROWSE_H
#define CLI_CHAINS_BROWSE_H

#include "base/map.h"
#include "report/java/names.h"
#include "session/component/chains.h"

/* A key is a byte, or: */
enum browse_keys {
	KEY_ESCAPE = 27, KEY_BACKSPACE = 127,
	KEY_UP = 256, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_HOME, KEY_END, KEY_OTHER,
};

struct browse_row {
	uint64_t path;                /* names the node: of its entry, its level and its calls */
	uint64_t chains;              /* that begin with the way to it */
	uint32_t tree, state;         /* of the forest; state 0: a back edge */
	uint32_t edge;                /* of the graph, that leads to it; none of an entry */
	uint32_t depth;               /* calls from the entry; 0: it is the entry */
	bool has_more, is_open;       /* calls below it */
};
typedef VEC(struct browse_row) browse_rows;

/* What can be undone. */
struct browse_settings {
	uint32_t k;                   /* 0: no bound */
	VEC(struct filter_line) filters;
	uint64_t cursor;              /* path of the row that it was on when this was left */
};

/* A filter that was made here, as people read it. */
struct browse_filter {
	const char *list;             /* of its struct filter_line: the same text in memory */
	const char *shown;
};

enum browse_mode { BROWSE_TREES, BROWSE_FILTERS, BROWSE_HELP, BROWSE_SEARCH, BROWSE_SAVE_AS, BROWSE_REPLACE };

struct browse {
	struct chains *chains;        /* borrowed, as are the next two */
	struct diag *diag;
	const char *component;
	struct names names;
	struct arena mem;             /* texts of filters */
	VEC(struct browse_filter) made;
	struct browse_settings now;
	VEC(struct browse_settings) undo;     /* the last change last */
	struct strbuf saved;          /* what browse_text() gave then, or at first */
	bool is_changed;              /* since then */
	bool is_saved;                /* it was, to b->own */

	browse_rows rows;
	struct map open;              /* path -> OPEN or CLOSED */
	uint32_t cursor, top;         /* rows; the first that is on the screen */
	bool by_name;                 /* trees are in the order of their names, not by chains */

	enum browse_mode mode;
	uint32_t filter;              /* row of now.filters, in BROWSE_FILTERS */
	bool asks_to_quit;            /* q was pressed with changes that are not saved */
	struct strbuf status, input;  /* what happened last; what is being typed */
	struct strbuf wanted;         /* what is searched for */
	struct strbuf path;           /* of the file to save to */
	struct strbuf own;            /* that may be written over: it was read, or saved */
	uint32_t width, height;
};

/* The filters of the request move into the view: from options and files to one list. `component` is for the title; `file`, which may
 * be NULL, is where they are from. */
void browse_init(struct browse *b, struct chains *chains, struct diag *d, const char *component, const char *file);
void browse_release(struct browse *b);

void browse_resize(struct browse *b, uint32_t width, uint32_t height);

/* What the terminal is to do. SAVE: write browse_text() to b->path, then call browse_saved(); or, should another file be there,
 * browse_ask_to_replace(). SAVE_OVER is without that question. */
enum browse_wish { BROWSE_GO_ON, BROWSE_QUIT, BROWSE_SAVE, BROWSE_SAVE_OVER };
enum browse_wish browse_key(struct browse *b, int key);
void browse_text(const struct browse *b, struct strbuf *out);
void browse_saved(struct browse *b, const char *error);      /* NULL: it is there */
void browse_ask_to_replace(struct browse *b);

/* The screen: b->height lines of b->width columns at most, with a newline between two. Colours are escape sequences. */
void browse_draw(struct browse *b, bool color, struct strbuf *out);

#endif
