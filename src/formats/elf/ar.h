/* SPDX-License-Identifier: Apache-2.0 */
/* ar.h - the members of an archive that ar made, in order; the index of symbols and the table of names are left out. */
#ifndef FORMATS_ELF_AR_H
#define FORMATS_ELF_AR_H

#include "base/reader.h"
#include "base/strbuf.h"

struct ar {
	struct reader r;
	struct str names;             /* the table of long names */
	bool is_thin;                 /* members are files of their own, named from where the archive is */
};

struct ar_member {
	struct str name;              /* borrowed; as the archive has it, without its end mark */
	struct span bytes;            /* borrowed; empty in a thin archive */
};

/* False: not an archive. */
bool ar_open(struct ar *a, struct span file);
/* False at the end, and, with a sentence in `err`, where the archive is damaged. */
bool ar_next(struct ar *a, struct ar_member *out, struct strbuf *err);

#endif
