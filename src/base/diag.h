/* SPDX-License-Identifier: Apache-2.0 */
/* diag.h - what went wrong, where, and what to do about it. Lower layers add; cli/ prints.
 * Rendered as `artifact!class: offset: error[E011]: sentence`; sentences are lower case, have no full
 * stop, and name the fix when there is one. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum diag_severity { DIAG_WARNING, DIAG_ERROR };

enum diag_code {
#define DIAG(code, severity, title) DIAG_##code,
#include "base/diag.def"
#undef DIAG
	DIAG_CODES
};

#define DIAG_NO_OFFSET UINT64_MAX

struct diag_entry {
	enum diag_code code;
	const char *artifact;      /* file, or "" */
	const char *item;          /* class or entry inside it, or "" */
	uint64_t offset;           /* into the item, or DIAG_NO_OFFSET */
	const char *text;
};

/* Entries beyond DIAG_LIMIT are counted in `dropped`, so that hostile input cannot fill the memory. */
#define DIAG_LIMIT 10000
struct diag {
	struct arena text;
	VEC(struct diag_entry) entries;
	uint32_t dropped, errors, warnings;
};

void diag_init(struct diag *d);
void diag_release(struct diag *d);

/* All strings are copied; artifact and item may be NULL. `d` may be NULL: then nothing is kept. */
void diag_add(struct diag *d, enum diag_code code, const char *artifact, struct str item, uint64_t offset,
	      const char *fmt, ...) ATTR_PRINTF(6, 7);

/* Forgets the entries behind the first n: what they say was said before. */
void diag_cut(struct diag *d, uint32_t n);

enum diag_severity diag_severity(enum diag_code code);
const char *diag_name(enum diag_code code);       /* "E011" */
const char *diag_title(enum diag_code code);
void diag_render(const struct diag_entry *e, struct strbuf *out);   /* one line, no newline */

#endif
