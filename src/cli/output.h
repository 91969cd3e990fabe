/* SPDX-License-Identifier: Apache-2.0 */
/* output.h - results in files that are whole or absent, and the budgets of a run.
 *
 * A result is written beside its place and moved there by output_commit; when the run fails, is
 * interrupted or leaves its budget, nothing stays behind. When it is killed, what stays has a name of its own.
 * One output is open at a time. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"

struct output {
	FILE *file;             /* NULL after output_reserve */
	int fd;                 /* of the temporary or the device; -1: none. It stays open until the commit */
	char *path;             /* owned; NULL: stdout */
	char *temporary;        /* owned: where the bytes go until the commit; NULL for stdout and devices */
};

/* Opens `path`, or stdout for NULL and "-". False, with errno set, when it cannot be written. */
bool output_open(struct output *o, const char *path);
/* The same without opening: for writers that need a name (o->temporary, or o->path for devices). */
bool output_reserve(struct output *o, const char *path);
/* Flushes, closes and moves the file into place; false, with errno set and nothing left, on failure. */
bool output_commit(struct output *o);
/* Closes and removes what was written. */
void output_abort(struct output *o);

/* A new empty file beside `path`, with the permissions that creating `path` would have given; nobody can know its `name`
 * before, which is the path, a dot, `mark` and something random. Gives its descriptor, or -1 with errno set. */
int temporary_open(const char *path, const char *mark, struct strbuf *name);

/* What else is to be done before the process ends early, in a signal handler perhaps; NULL: nothing. */
void before_early_end(void (*f)(void));
/* Removes the open output, writes the sentence to stderr as it is and ends the process: for signal handlers. */
void end_early(const char *sentence, int status) ATTR_NORETURN;

/* From now on: beyond `seconds` of wall time or `megabytes` of data (0: no limit) the open output is
 * removed, a sentence printed and the process ends with EXIT_BUDGET. SIGINT and SIGTERM clean up, too. */
void budget_start(int seconds, int megabytes);
/* No more budgets: for what comes after the work, and for commands that are run, which would inherit them. */
void budget_end(void);
/* For that sentence: how far the run came ("after 34,567 methods (2obj)"), and what to try besides a larger budget
 * ("--algorithm 1obj"). Either may be "". Both are copied, cut where they are long; cheap enough to say often. */
void budget_note(const char *how_far, const char *to_try);

#endif
