/* SPDX-License-Identifier: Apache-2.0 */
/* term.h - what people see on stderr: progress and diagnostics, fitted to their terminal. */
#ifndef CLI_TERM_H
#define CLI_TERM_H

#include <stdint.h>

#include "base/diag.h"
#include "cli/options.h"

struct term {
	bool color_out, color_err;    /* --color, NO_COLOR, TERM, and whether each is a terminal */
	int width;                    /* columns of the terminal; 80 when unknown */
	bool quiet, verbose;
	bool progress;                /* the progress line is shown */
	bool line_shown;              /* it is on the screen now */
	uint64_t next_ns;             /* not redrawn before this time */
};

void term_init(struct term *t, const struct shared_options *o);
bool term_color(int when, int fd);        /* enum when */
int term_width(int fd);

/* Redraws the progress line, at most ten times a second; does nothing when progress is off.
 *	term_progress(t, "reading %s: %u classes", name, n) */
void term_progress(struct term *t, const char *fmt, ...) ATTR_PRINTF(2, 3);
void term_progress_end(struct term *t);   /* clears the line; safe to call at any time */

/* Prints one `sherd: error: sentence` line on stderr, clearing the progress line first. */
void term_error(struct term *t, const char *fmt, ...) ATTR_PRINTF(2, 3);
void term_warning(struct term *t, const char *fmt, ...) ATTR_PRINTF(2, 3);     /* not when quiet */
void term_note(struct term *t, const char *fmt, ...) ATTR_PRINTF(2, 3);        /* not when quiet */

/* Prints diagnostics by code: the first 10 of each and a count of the others (-v: all; -q: errors only).
 * Missing classes (W040) are one warning with their names. */
void term_diagnostics(struct term *t, const struct diag *d);
/* The same into `out`: what tests look at. */
void term_render_diagnostics(const struct term *t, const struct diag *d, struct strbuf *out);

#endif
