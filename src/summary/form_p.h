/* SPDX-License-Identifier: Apache-2.0 */
/* form_p.h - what both forms of a summary are made from: labels, which name rows by what they are, and the order of layouts.
 *
 * A label has a sign and a name: `#deflate` is a function, `@z_errmsg` an object of no function, `.buf` one of the function at hand,
 * `%strm` a variable of it, `$node` a layout. Of two rows with one label the second has `/2` behind it; layouts that have the same name
 * have a digest of what they are. Rows without a name have a number within their function: `.1`, `%1`; `%0` is its result, `%-1` its
 * first parameter. */
#ifndef SUMMARY_FORM_P_H
#define SUMMARY_FORM_P_H

#include "base/strbuf.h"
#include "summary/summary.h"

#define SUMMARY_TEXT "sherd-summary "
#define SUMMARY_BINARY "\x8bSUM\r\n\x1a\n"       /* what text tools, and transfers of text, would change */

struct sform {
	const struct cprogram *p;
	struct interner text;
	VEC(str_id) fns, objs, vars, layouts;          /* labels, by row */
	VEC(uint32_t) order;                           /* layouts as both forms have them: each behind what it contains */
	VEC(uint32_t) places;                          /* by layout: 1 + its place in `order`; equal ones have one */
	VEC(uint64_t) digests;                         /* of layouts */
	struct map by_digest;
};

void sform_init(struct sform *f, const struct cprogram *p);
void sform_release(struct sform *f);

/* Nameless scalars and arrays are written where they are used: `8`, `$node[10]`. */
bool sform_is_row(const struct clayout *l);
bool sform_same_loc(const struct cprogram *p, cloc_id a, cloc_id b);

/* Text and bytes to a program, which is new: cprogram_init. What is read need not be consistent, nor as writers make it. False with a
 * sentence, which begins with the line or the byte. */
bool summary_parse(struct summary *s, struct str text, struct strbuf *why);
bool summary_decode(struct summary *s, struct span bytes, struct strbuf *why);

#endif
