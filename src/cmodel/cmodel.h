/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel.h - what is not in a C program's modules: models of library functions, and placeholders for unknown code.
 * Both become ordinary functions of ordinary statements. */
#ifndef CMODEL_CMODEL_H
#define CMODEL_CMODEL_H

#include "base/diag.h"
#include "cir/cir.h"

/* Gives every imported function that the table has (libc.model) its body, CFN_MODEL; the objects that these need (stdin,
 * errno, the environment, ...) are COBJ_MODEL and one cell each. Imported globals that the table knows are no longer unknown.
 * Direct calls of functions that follow or return pointers of theirs (strchr, memset, ...) get private copies of the model
 * (cfn.of), so that callers do not mix. A function `_start` gives main's parameters and the library's objects their first
 * values. What is found at run time by its name (dlsym) is unknown code (`loads_unknown`), or not there: then every call gets a
 * note CNOTE_LOADS. Call it once, before allocation_rewrite. Returns how many functions got a body. */
uint32_t cmodel_libc(struct cprogram *p, bool loads_unknown);
/* The same with another table, in the language of docs/formats/libc-model.md. False with a diagnostic: what follows the row that
 * is wrong has no effects. */
bool cmodel_table(struct cprogram *p, struct str text, bool loads_unknown, const char *artifact, struct diag *d, uint32_t *given);

uint64_t cmodel_digest(void);        /* of the table */

/* What clients may name. Marks COBJ_EXPORTED: all that is defined and neither internal nor hidden; or what a file
 * lists: a linker's version script, a C header (every identifier in it, and in what it includes, that names a
 * definition), a shared library (its dynamic symbols), or a name a line. False with a diagnostic. */
bool cmodel_export_visible(struct cprogram *p);
bool cmodel_export_file(struct cprogram *p, const char *path, struct diag *d);

/* Unknown code: figure 3.4 of A. Rountev's thesis (Dataflow analysis of software fragments). Adds the global ph_var
 * and the function ph_proc with the statements that stand for all that clients may do with exported objects
 * (`library`), and for functions without body or model (section 3.4.2): these are marked CFN_UNKNOWN, with a note,
 * calls to them and their addresses become ph_proc's, imported globals without a model are ph_var's. ph_proc starts
 * by itself when there are clients or unknown globals, else it is called. Without `library` and with nothing unknown
 * it does nothing. Call it last. */
struct cplaceholders {
	cobj_id var;                 /* ph_var; none: there are no placeholders */
	cfn_id proc;
};
struct cplaceholders cmodel_placeholders(struct cprogram *p, bool library);

#endif
