/* SPDX-License-Identifier: Apache-2.0 */
/* exports_p.h - lists of exports: what their readers share. */
#ifndef CMODEL_EXPORTS_P_H
#define CMODEL_EXPORTS_P_H

#include "cmodel/cmodel.h"

struct export_error {
	const char *reason;
	uint32_t line;               /* 0: of the whole file */
	struct str word;             /* that it is about; may be empty */
};
bool export_fail(struct export_error *e, uint32_t line, const char *reason, struct str word);    /* returns false */

bool export_candidate(const struct cprogram *p, cobj_id o);      /* defined and visible: clients could name it */
bool export_glob(struct str glob, struct str s);                 /* does s match? */
bool export_is_glob(struct str s);
uint32_t export_skip(struct str text, uint32_t i);               /* behind a comment or literal that starts at i; else i */

/* version_script.c: what a linker exports. Names that no pattern matches stay exported, as with the linker. */
bool version_script_is(struct str text);
bool version_script_read(struct cprogram *p, struct str text, struct export_error *e);

#endif
