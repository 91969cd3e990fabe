/* SPDX-License-Identifier: Apache-2.0 */
/* known.h - what users know of a program (--facts): files of facts, read and looked up in the program, as analyses take them; and how
 * much of it they used. */
#ifndef SESSION_OUTSIDE_KNOWN_H
#define SESSION_OUTSIDE_KNOWN_H

#include "analysis/callgraph/callgraph.h"
#include "analysis/dynamic/outside/outside.h"
#include "formats/facts/facts.h"
#include "report/java/sources.h"

struct session;

struct known {
	struct session *session;
	struct facts table;                      /* as the files have them */
	struct outside outside;                  /* as analyses take them */
	VEC(uint32_t) row_of;                    /* by fact of `outside`: its row of the table */
	VEC(struct report_source) sources;       /* the files, in their order */
	VEC(uint32_t) first_row;                 /* by file, its first row; and the end */
	bool has_told;                           /* what did not fit */
};

/* Reads the files. What is wrong in them, or is about what the program does not have, becomes a diagnostic, and the rest
 * counts; false when a file cannot be opened. NULL when no file is given. */
bool known_read(struct session *s, const char *const *paths, uint32_t n, struct known **out);
void known_free(struct known *k);                /* may be NULL */

void known_start(struct known *k);               /* an analysis begins: nothing is used yet */
/* It has this graph: counts what was used, and tells facts about reached methods that no call fits. */
void known_count(struct known *k, const struct callgraph *g);
struct report_sources known_sources(const struct known *k);      /* `k` may be NULL */

/* known_p: a fact that the program fits, from a row. */
void known_add(struct known *k, uint32_t row, struct outside_fact f);
void known_look_up(struct known *k, struct hierarchy *h, uint32_t row, uint8_t file);

#endif
