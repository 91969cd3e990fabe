/* SPDX-License-Identifier: Apache-2.0 */
/* summary.h - what clients of a C library have to know of it: its program, as far as it matters to them, and what it was made from.
 *
 * A summary is a C program without models, as cir_compact leaves it, whose functions are CFN_SUMMARY: linked with a client
 * (cir/link.h), it takes the place of the library's code. It has two forms, which are the same rows: text, one row a line, with
 * names instead of numbers, so that a small change of the library is a small change of the text; and bytes. docs/formats/summary.md
 * describes both. */
#ifndef SUMMARY_SUMMARY_H
#define SUMMARY_SUMMARY_H

#include "base/diag.h"
#include "base/digest.h"
#include "cir/cir.h"

enum { SUMMARY_VERSION = 1 };

enum summary_option {
	SUMMARY_OPTIMISED = 1,       /* without what no client can tell */
};

/* A file that the library was made of. */
struct summary_module {
	str_id name;                 /* without folders */
	uint64_t digest;             /* of its bytes */
};

/* Strings are those of the program. Lists are sorted by name: the order of the command line does not matter. The program is as
 * cir_compact leaves it: what writes relies on its order, and that all variables are named. The folders of files are not kept. */
struct summary {
	str_id library;              /* what users call it: libz */
	uint32_t options;            /* summary_option */
	VEC(struct summary_module) modules;
	uint64_t exports;            /* digest of the names that clients may use, one a line, sorted */
	uint64_t models;             /* digest of the table of models (libc.model) that decided what is an allocator */
	VEC(struct summary_module) uses;     /* other libraries that it was made with, and what summary_build says of their summaries */
	str_id attached;             /* what elf_build() says of the file that it was attached to; none: to no library */
	VEC(str_id) inner;           /* symbols that are defined, and not static, and no client may use */
	struct cprogram program;
};

void summary_init(struct summary *s);               /* with a program: cprogram_init */
void summary_release(struct summary *s);

/* Sizes and counts, for people and scripts. */
struct summary_stats {
	uint32_t functions, objects, variables, statements, calls, layouts;
	uint64_t text, binary;       /* bytes; 0: not asked for */
};
struct summary_stats summary_stats(const struct summary *s);

/* The digest of the names that clients may use: those of exported objects and of aliases. */
uint64_t summary_exports_digest(const struct cprogram *p);

/* The digest of the library's modules and exports: of two summaries of one build it is the same, however much they leave out. */
uint64_t summary_build(const struct summary *s);

/* Adds to `out`. The same on every machine. */
void summary_write_text(const struct summary *s, struct strbuf *out);
void summary_write_binary(const struct summary *s, struct strbuf *out);

/* Of either form, by its first bytes; `s` is new: summary_init. What is taken passes cir_check, and is as the writers make it: digests
 * fit, too, and text is the same to the byte. False with one diagnostic (E081), which names the line or the byte; `s` is only to be
 * released then. Takes memory in proportion to the bytes. */
bool summary_read(struct summary *s, struct span bytes, const char *artifact, struct diag *d);
bool summary_is(struct span bytes);                  /* do they begin as a summary does? */

/* Of summaries in binary form one behind the other, as linkers put sections together, the first; all bytes where they are not that. */
struct span summary_first(struct span bytes);

#endif
