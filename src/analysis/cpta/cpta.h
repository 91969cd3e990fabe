/* SPDX-License-Identifier: Apache-2.0 */
/* cpta.h - what C pointers may point to: constraints from a C program, solved by solve/.
 *
 * Andersen's analysis, which knows no order of statements and no contexts, as section 3.1.2 of A. Rountev's thesis has
 * it (Dataflow analysis of software fragments). There an object is one whole; here its fields are apart.
 *
 * A *cell* is one place of an object: (object, canonical offset), or some place of it that is not known. Cells are
 * found while solving. An object may *collapse*: then all of it is its cell at 0. Only functions that can be reached
 * from those that start by themselves (CFN_STARTS) are looked at. The order of cells, and with it of all results, depends on the
 * program alone. */
#ifndef ANALYSIS_CPTA_H
#define ANALYSIS_CPTA_H

#include "cir/cir.h"

typedef struct { uint32_t i; } ccell_id;         /* 0 is none */

/* From precise to coarse; the answer of each contains that of the one before.
 * categories: cells that one pointer may point to have one content for each of k categories of objects (Shapiro and Horwitz);
 * one-level: one content for all of them, assignments being directed (Das); steens: assignments unify as well (Steensgaard). */
enum cengine { CENGINE_ANDERSEN, CENGINE_CATEGORIES, CENGINE_ONE_LEVEL, CENGINE_STEENS, CENGINES };
const char *cengine_name(enum cengine e);        /* "andersen", "categories", "one-level", "steens" */

struct cpta_opt {
	enum cengine engine;
	uint32_t categories;         /* CENGINE_CATEGORIES: how many, at least 1 */
	bool fields;                 /* false: every object is one cell */
	bool any_calls;              /* indirect calls may call functions with another number of parameters than they pass */
	bool (*go_on)(void *ctx);    /* asked now and then; false stops. May be NULL */
	void *ctx;
};

struct cpta;                             /* owns its memory; borrows the program */
/* NULL: go_on stopped it. */
struct cpta *cpta_compute(const struct cprogram *p, const struct cpta_opt *opt);
void cpta_free(struct cpta *a);

const struct cprogram *cpta_program(const struct cpta *a);

/* Cells: 1 .. cpta_ncells. */
struct ccell {
	cobj_id obj;
	uint64_t off;
	bool whole;                  /* stands for all of the object, or for many offsets of it: it collapsed, or a pointer to it may be
	                              * to any place in it */
};
uint32_t cpta_ncells(const struct cpta *a);
struct ccell cpta_cell(const struct cpta *a, ccell_id c);
/* The cell that stands for this place now; none when the analysis never heard of it (nothing was stored there). */
ccell_id cpta_cell_at(const struct cpta *a, cobj_id o, uint64_t off);

/* What a variable, or what is in a cell, may point to: cells that stand for themselves, in increasing order. */
typedef VEC(ccell_id) ccell_vec;
void cpta_points_to(const struct cpta *a, cvar_id v, ccell_vec *out);
void cpta_content(const struct cpta *a, ccell_id c, ccell_vec *out);
/* Equal numbers: equal sets. For caches of what is computed from sets; below cpta_nsets. */
uint32_t cpta_set_of_var(const struct cpta *a, cvar_id v);
uint32_t cpta_set_of_cell(const struct cpta *a, ccell_id c);
uint32_t cpta_nsets(const struct cpta *a);
void cpta_set(const struct cpta *a, uint32_t set, ccell_vec *out);

/* The call graph. */
bool cpta_reached(const struct cpta *a, cfn_id f);
typedef VEC(cfn_id) cfn_vec;
void cpta_targets(const struct cpta *a, ccall_id c, cfn_vec *out);       /* in increasing order; also of direct calls */

struct cpta_stats {
	uint64_t variables;          /* that have a name in the source and may point to something */
	uint64_t objects, cells;     /* reached */
	uint64_t statements, functions;      /* reached, of the program's own */
	uint64_t points_to_pairs;    /* of variables and cells with names */
	uint64_t indirect_calls, indirect_edges, direct_calls;       /* of the program's own functions, to its own functions */
	uint64_t library_edges;      /* of indirect calls, to functions that have a model or are unknown */
	uint64_t mismatched;         /* edges of indirect calls left out: another number of parameters (unless any_calls) */
	uint64_t collapsed;          /* objects */
	uint64_t nodes, facts, bytes;        /* of the solver */
};
struct cpta_stats cpta_stats(const struct cpta *a);

/* Does the solution satisfy every constraint? For tests. */
bool cpta_check(const struct cpta *a, const char **reason);

#endif
