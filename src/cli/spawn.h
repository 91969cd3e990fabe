/* SPDX-License-Identifier: Apache-2.0 */
/* spawn.h - other commands, run to their end. */
#ifndef CLI_SPAWN_H
#define CLI_SPAWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

enum { SPAWN_CANNOT_RUN = 126, SPAWN_NOT_FOUND = 127, SPAWN_SIGNAL = 128 };

struct spawn {
	char **command;               /* argv: the program, looked for on PATH, then its arguments; ends with NULL */
	const char *name, *value;     /* a variable that is set for it; NULL: none */
	bool stdout_to_stderr;        /* our standard output is for something else */
};
/* Runs it and waits. Meanwhile SIGTERM and SIGHUP are passed on; what the keyboard sends reaches the command by itself
 * and is ignored here. Returns its exit status as a shell does: 128 + n when signal n ended it, 126 or 127, with a
 * sentence in `err`, when it cannot be run or found. */
int spawn_wait(const struct spawn *s, struct strbuf *err);

struct spawn_job {
	char **command;               /* as above */
	const char *directory;        /* where it runs; NULL: here */
	int output;                   /* a descriptor, for its standard output and error */
	int status;                   /* as above, when it has ended */
};
/* Runs commands, at most `at_once` at a time, and waits for all. Signals are treated as ever. */
void spawn_all(struct spawn_job *jobs, uint32_t n, unsigned at_once);

/* Quotes one option for JAVA_TOOL_OPTIONS, which is split at blanks outside of quotes and knows no escapes. */
void java_option_quote(const char *option, struct strbuf *out);

#endif
