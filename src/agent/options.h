/* SPDX-License-Identifier: Apache-2.0 */
/* options.h - what stands behind -agentpath:libsherd-agent.so=, in the words of JaCoCo's agent. */
#ifndef AGENT_OPTIONS_H
#define AGENT_OPTIONS_H

#include "base/mem.h"
#include "base/span.h"

struct options {
	const char *plan;             /* file; NULL: not given */
	const char *destfile;         /* as given; %p: number of the process, %r: random */
	const char *dynamic;          /* the file for what dynamic features do, likewise; NULL: it is not recorded */
	const char *session;
	const char *includes, *excludes;      /* patterns of class names, separated by colons; * and ? */
	bool dumps_on_exit;
	bool has_tests;               /* coverage of single tests */
	bool is_debug;
};

/* name=value, separated by commas; a comma that no name= follows is part of the value. Unknown names are reported and skipped.
 * Text is copied to `mem`; `text` may be NULL. */
void options_parse(struct options *o, const char *text, struct arena *mem);

/* The character at *s, which is left on its last byte: %2C is a comma, %25 a percent sign. */
char options_char(const char **s);

/* May this class (dotted or internal name) be watched, by includes and excludes? */
bool options_allow(const struct options *o, struct str name);

#endif
