/* SPDX-License-Identifier: Apache-2.0 */
/* filter_file.h - filters of call chains in a file: what `sherd chains --interactive` leaves, and --filter reads.
 *
 * Text, one filter a line; `#` starts a comment:
 *
 *	k 4                                     chains have at most so many calls
 *	from org.lib.Parser.parse(*)            as --from LIST; lines are added up, and so is the option
 *	through org.lib.Token                   as --through LIST: each line is passed
 *	not-through org.lib.A->org.lib.B        as --not-through LIST; lines are added up, and so is the option
 *
 * Any verb that makes a struct chains_request (chains.h) hands the lines on to it, and takes k where the user says none. */
#ifndef SESSION_COMPONENT_FILTER_FILE_H
#define SESSION_COMPONENT_FILTER_FILE_H

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum filter_kind { FILTER_FROM, FILTER_THROUGH, FILTER_NOT_THROUGH, FILTER_KINDS };
extern const char *const filter_kind_names[];      /* "from", ... */
extern const char *const filter_kind_options[];    /* "--from", ... */

/* A list of filters, as chains.h says, and where it was written: `file` NULL: not in a file. */
struct filter_line {
	enum filter_kind kind;
	const char *list, *file;
	uint64_t line;
};

struct filter_file {
	struct arena mem;                     /* of all texts */
	uint32_t k;                           /* 0: not said */
	VEC(struct filter_line) lines;
};

/* False: `err` says what is wrong, where, and what to write instead. Does not look up what lists name. Always end with
 * filter_file_release. */
bool filter_file_read(const char *path, struct filter_file *out, struct strbuf *err);
void filter_file_release(struct filter_file *f);

/* The text of a file with these filters; k 0: any length. */
void filter_file_print(uint32_t k, const struct filter_line *lines, uint32_t n, struct strbuf *out);

#endif
