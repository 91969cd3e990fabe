/* SPDX-License-Identifier: Apache-2.0 */
/* run.h - the frame of a verb that works on a program: opening, budgets, the result in its place, diagnostics. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/options.h"
#include "cli/term.h"
#include "report/graph/callgraph.h"
#include "session/session.h"

struct cli_run {
	const struct shared_options *o;
	struct term term;
	struct inquiry inquiry;
	struct session session;       /* of run_verb() only */
};

/* Opens the program, calls work(r, ctx), prints the diagnostics and closes it. Returns what `work` returns, an exit
 * status, or EXIT_UNSERVED when the program could not be opened. */
int run_verb(const struct shared_options *o, int (*work)(struct cli_run *r, void *ctx), void *ctx);

/* The same for a verb that opens no Java program. `phases`: what its run has, PHASES_*. */
int run_verb_alone(const struct shared_options *o, unsigned phases, int (*work)(struct cli_run *r, void *ctx), void *ctx);

/* Is there a place for the result? Not when --stats=json has standard output for itself. */
bool run_writes(const struct cli_run *r);

/* Streams the result to its place with write(out, ctx), which finishes the sink and returns whether all is well; that
 * ends the phase. False, with an error on stderr, when it cannot be written. */
bool run_write(struct cli_run *r, bool (*write)(struct sink *out, void *ctx), void *ctx);
void run_cannot_write(struct cli_run *r);           /* says so, with errno */
/* The same to a place of its own; `path` NULL: standard output. */
bool run_write_to(struct cli_run *r, const char *path, bool (*write)(struct sink *out, void *ctx), void *ctx);

/* The same for a database, which `fill` makes at the path that it is given; false, with a sentence in `err`, when it cannot. */
bool run_write_database(struct cli_run *r, bool (*fill)(const char *path, void *ctx, struct strbuf *err), void *ctx);

/* Writes what --stats asks for, to standard output or standard error. */
void run_write_stats(struct cli_run *r, const char *verb, const struct stats *st);

/* The class path and colours of a result's head; the verb fills in what it was asked. */
struct report_head run_head(struct cli_run *r);

#endif
