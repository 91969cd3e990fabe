/* SPDX-License-Identifier: Apache-2.0 */
/* modref.h - what statements, calls and procedures may modify and use (MOD and USE), from points-to facts.
 *
 * As section 3.1.3 and figure 3.3 of A. Rountev's thesis (Dataflow analysis of software fragments): a statement's
 * direct modification is its variable's; an indirect one is of all cells that the pointer may point to and that are
 * active there; a call's is what its targets' procedures modify, as far as it is active and accessible at the call.
 * Direct modifications of locals that are not static end with their procedure. USE is the same for reads. Constants
 * are not modified: a program that tries to ends. */
#ifndef ANALYSIS_MODREF_H
#define ANALYSIS_MODREF_H

#include "analysis/cpta/cpta.h"

struct modref;                           /* owns its memory; borrows the facts */
struct modref *modref_compute(const struct cpta *a, bool (*go_on)(void *ctx), void *ctx);       /* NULL: stopped */
void modref_free(struct modref *m);

/* What is modified or used: a cell, or a local variable that has no address. */
struct affected {
	ccell_id cell;
	cvar_id var;                 /* when there is no cell */
};
typedef VEC(struct affected) affected_vec;
enum effect { EFFECT_MOD, EFFECT_USE };

/* Not by two threads at a time.
 *
 * Of the statement in row `stmt` of the program's `stmts`, one of f's; a C_CALL's is the call's. `out` is replaced, in
 * increasing order (cells first). Nothing for statements of functions that are not reached. */
void modref_stmt(struct modref *m, cfn_id f, uint32_t stmt, enum effect e, affected_vec *out);
/* What of a procedure's effects its callers may see; the same order. */
void modref_fn(struct modref *m, cfn_id f, enum effect e, affected_vec *out);
void modref_name(const struct modref *m, struct affected x, struct strbuf *out);

#endif
