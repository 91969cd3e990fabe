/* SPDX-License-Identifier: Apache-2.0 */
/* exports_p.h - lists of exports: what their readers share. */
#ifndef CMODEL_EXPORTS_P_H
#define CMODEL_EXPORTS_P_H

#include "base/map.h"
#include "cmodel/cmodel.h"

struct export_error {
	const char *reason;
	uint32_t line;               /* 0: of the whole file */
	struct str word;             /* that it is about; may be empty */
};
bool export_fail(struct export_error *e, uint32_t line, const char *reason, struct str word);    /* returns false */

bool export_candidate(const struct cprogram *p, cobj_id o);      /* defined and visible: clients could name it */
cobj_id export_named(const struct cprogram *p, const struct map *by_name, struct str name);        /* of candidates; none: there is none */
bool export_is_text(struct span bytes, struct export_error *e);  /* and small enough */
bool export_is_glob(struct str s);
uint32_t export_skip(struct str text, uint32_t i);               /* behind a comment or literal that starts at i; else i */

/* exports_header.c: does the header, which is read from `path`, name a candidate? Those are exported. */
bool header_read(struct cprogram *p, struct str text, const char *path, const struct map *by_name, struct diag *d);

/* version_script.c: what a linker exports. Names that no pattern matches stay exported, as with the linker. */
bool version_script_is(struct str text);
bool version_script_read(struct cprogram *p, struct str text, struct export_error *e);

#endif
