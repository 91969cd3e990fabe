/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic.h - what reflection and its kin did in runs, as a text file (docs/formats/dynamic-record.md): written by the agent,
 * merged and read by sherd. Facts are the same when kind, target, caller and line are; their counts add up. */
#ifndef FORMATS_DYNAMIC_DYNAMIC_H
#define FORMATS_DYNAMIC_DYNAMIC_H

#include "base/intern.h"
#include "base/strbuf.h"

#define DYNAMIC_HEAD "sherd-dynamic 1"        /* the first line */

struct dynamic_facts {                /* all zero: none */
	struct interner keys;         /* "KIND\tTARGET\tCALLER\tLINE": id 1 is the first fact */
	VEC(uint64_t) counts;         /* by id; that of id 0 stands for nothing */
};
void dynamic_release(struct dynamic_facts *f);
uint32_t dynamic_len(const struct dynamic_facts *f);

/* Adds to the count of a fact. Target and caller are escaped already and have no tabs. */
void dynamic_add(struct dynamic_facts *f, const char *kind, struct str target, struct str caller, uint32_t line, uint64_t count);

/* Adds what a file has. False, with a sentence in `err`, when it is no such file: what was before the wrong line is added. */
bool dynamic_read(struct dynamic_facts *f, struct span bytes, struct strbuf *err);
/* The whole file, appended: sorted by bytes. */
void dynamic_write(const struct dynamic_facts *f, struct strbuf *out);

/* A name or a string, modified UTF-8, as a field has it: JSON's escapes, without quotes around it. */
void dynamic_escape(struct strbuf *out, struct str s);

#endif
