/* SPDX-License-Identifier: Apache-2.0 */
/* wire_p.h - what the files of this folder are made of: a first line with the version, varints, a sorted table of strings.
 *
 * The table of strings is sorted so that the number of a string tells its place among others: readers check the order of
 * lists by numbers, in linear time whatever the text. */
#ifndef FORMATS_WIRE_P_H
#define FORMATS_WIRE_P_H

#include "base/intern.h"
#include "base/mem.h"
#include "base/reader.h"
#include "base/strbuf.h"

/* Writing: 7 bits a byte, the lowest first, the high bit says that more follow. */
#define WIRE_VARINT 10                /* bytes at most */
size_t wire_encode(uint8_t *to, uint64_t x);
void wire_varint(struct strbuf *out, uint64_t x);
void wire_le(struct strbuf *out, uint64_t x, unsigned nbytes);
void wire_text(struct strbuf *out, struct str s);             /* length, bytes */

/* Reading: what does not fit, or is out of range, sets `failed` and is 0. */
uint64_t wire_read_varint(struct reader *r);
uint32_t wire_read_u32(struct reader *r);
uint32_t wire_read_below(struct reader *r, uint32_t limit);
uint32_t wire_read_count(struct reader *r, size_t size);      /* of elements of at least `size` bytes each */
struct str wire_read_text(struct reader *r);

/* A kind of file, which its first line names: "sherd plan 1\n". */
struct wire_kind {
	const char *name;             /* "plan" */
	unsigned version;
	const char *what;             /* "a plan": for sentences */
	const char *fix;              /* "name a file that sherd cover wrote" */
};
#define WIRE_HEAD 32                  /* bytes of a first line at most */
size_t wire_head(char *to, const struct wire_kind *k);        /* returns its length */
/* Behind the first line of a file of that kind and version; else false, with a sentence in `err`. */
bool wire_read_head(struct reader *r, const struct wire_kind *k, struct strbuf *err);

/* A file that is checked as a whole: first line, 8 bytes of digest, the rest. Returns the digest. */
uint64_t wire_seal(struct strbuf *out, const struct wire_kind *k, const struct strbuf *rest);
bool wire_unseal(struct reader *r, struct span file, const struct wire_kind *k, uint64_t *digest, struct strbuf *err);

/* The table of strings. A writer goes over its data twice: first the strings are gathered, then written as numbers. */
struct wire_strings {
	struct interner all;
	uint32_t *ranks;              /* by id, once sorted */
};
void wire_strings_init(struct wire_strings *t);
void wire_strings_release(struct wire_strings *t);
void wire_strings_sort(struct wire_strings *t, struct strbuf *out);   /* and writes the table */
void wire_string(struct wire_strings *t, struct strbuf *out, struct str s);   /* gathers, or writes the number */

struct wire_table {
	const struct str *rows;       /* by number, ascending; row 0 is the empty one */
	uint32_t n;
};
struct wire_table wire_read_strings(struct reader *r, struct arena *mem);
static inline struct str wire_read_string(struct reader *r, struct wire_table t)
{
	return t.rows[wire_read_below(r, t.n)];
}

#endif
