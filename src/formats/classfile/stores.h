/* SPDX-License-Identifier: Apache-2.0 */
/* stores.h - names of statements that write fields. */
#ifndef FORMATS_CLASSFILE_STORES_H
#define FORMATS_CLASSFILE_STORES_H

#include "base/strbuf.h"
#include "formats/classfile/classfile.h"

/* Appends a name of the putfield or putstatic at `pc`: "p.C.m(I)V:12", from class file alone; the second one of the line that writes the same
 * field is "p.C.m(I)V:12#2". Without lines the pc counts: "p.C.m(I)V@7". `class`: as it is to be written. O(length of the code) */
void cf_store_name(const struct classfile *cf, const struct cf_member *m, uint32_t pc, struct str class, struct strbuf *out);

#endif
