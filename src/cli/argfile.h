/* SPDX-License-Identifier: Apache-2.0 */
/* argfile.h - arguments from files: a word `@FILE` of a command line stands for the words of FILE.
 *
 * They are written as for the JVM: separated by blanks and ends of lines; `#` in front of a word starts a comment; quotes, single or
 * double, keep blanks, and within them a backslash gives the next character, \n \r \t \f, or goes on with the next line. `@@word` is
 * the word `@word`. The value of an option is never read so (`--component @LIST` is the option's matter), nor is what follows `--`, or
 * the command that a verb runs. A file cannot name another one. */
#ifndef CLI_ARGFILE_H
#define CLI_ARGFILE_H

#include "base/mem.h"
#include "cli/options.h"

struct argfiles {
	struct arena mem;
	VEC(char *) words;            /* then NULL, which is not counted by `n` */
	int n;
};

/* Fills a->words with argv[0..argc), files read. False with a sentence in `err`, which names file and line, when one cannot be. Always
 * end with argfiles_release; the words are valid until then. */
bool argfiles_expand(struct argfiles *a, const struct command_spec *spec, int argc, char **argv, struct strbuf *err);
void argfiles_release(struct argfiles *a);

#endif
