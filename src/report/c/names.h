/* SPDX-License-Identifier: Apache-2.0 */
/* names.h - a C program's results by name, for whoever shows them: names with their order, sets of names, who calls whom,
 * statements and notes by their place. */
#ifndef REPORT_C_NAMES_H
#define REPORT_C_NAMES_H

#include "report/c/c.h"
#include "report/write/escape.h"

/* Names of cells and of variables, once each, in one order: a *rank* stands for a name. What has the same name has the same
 * rank. A set is put in order by marking ranks and reading them off. */
struct c_names {
	const struct c_result *r;
	struct arena mem;
	uint32_t ncells;              /* cells are items 1 .. ncells, variable v is item ncells + v */
	uint32_t *rank;               /* by item; 0: it has no name */
	uint32_t *target_rank;        /* by cell, as what is pointed to: a pointer to the start of an object points to the object */
	struct str *text;             /* by rank, escaped */
	uint32_t n;                   /* ranks: 1 .. n */
	struct cfunctions functions;  /* in their order */
	struct str *fns;              /* by function, escaped */
	uint64_t *marks;              /* by rank: in the set under construction */
	uint32_t low, high;           /* words of marks that are in use */
	uint32_t nmarked;
	VEC(uint32_t) sorted;
	ccell_vec cells;              /* scratch */
	affected_vec places;
};
void c_names_init(struct c_names *n, const struct c_result *r, enum escape form);
/* Of functions only; `fns` comes with the form of it. */
void c_names_init_functions(struct c_names *n, const struct c_result *r);
void c_names_escape_functions(struct c_names *n, enum escape form);
void c_names_release(struct c_names *n);

static inline uint32_t c_rank_cell(const struct c_names *n, ccell_id c)
{
	return n->rank[c.i];
}
static inline uint32_t c_rank_target(const struct c_names *n, ccell_id c)
{
	return n->target_rank[c.i] ? n->target_rank[c.i] : n->rank[c.i];
}
static inline uint32_t c_rank_var(const struct c_names *n, cvar_id v)
{
	return n->rank[n->ncells + v.i];
}
static inline uint32_t c_rank_place(const struct c_names *n, struct affected x)
{
	return x.cell.i ? c_rank_cell(n, x.cell) : c_rank_var(n, x.var);
}

/* A statement, and the function it is in. */
struct c_stmt {
	uint32_t row;
	cfn_id fn;
};

/* A set of names: begin, add, and read it in order, which empties it. */
struct c_set {
	const uint32_t *ranks;        /* valid until the next set is read */
	uint32_t n;
};
void c_set_add(struct c_names *n, uint32_t rank);
void c_set_add_var(struct c_names *n, cvar_id v);                      /* what it points to */
void c_set_add_content(struct c_names *n, ccell_id c);
void c_set_add_stmt(struct c_names *n, const struct c_stmt *s, enum effect e);
void c_set_add_fn(struct c_names *n, cfn_id f, enum effect e);
struct c_set c_set_read(struct c_names *n);
static inline uint32_t c_set_size(const struct c_names *n)             /* of what was added so far */
{
	return n->nmarked;
}

/* Sets of names, each once, by number: in the order in which they were read. Number 0 is the empty set. */
struct c_sets {
	struct interner sets;         /* by number: its ranks, packed */
	struct strbuf bytes;          /* scratch */
};
void c_sets_init(struct c_sets *s);
void c_sets_release(struct c_sets *s);
uint32_t c_sets_read(struct c_sets *s, struct c_names *n);              /* reads the set under construction */

/* As cfunctions_targets. */
static inline const cfn_vec *c_targets(struct c_names *n, ccall_id c)
{
	return cfunctions_targets(&n->functions, c);
}

/* What has a set of its own: a variable, or a cell, with its name. Several may have one name. */
struct c_holder {
	uint32_t rank;
	ccell_id cell;
	cvar_id var;                  /* when there is no cell */
};
typedef VEC(struct c_holder) c_holder_vec;
/* Those of the user's own code and data, by name. */
void c_holders(struct c_names *n, c_holder_vec *out);
void c_holder_add(struct c_names *n, const struct c_holder *h);        /* to the set */

static inline bool c_is_own(const struct c_result *r, cfn_id f)         /* as cfn_is_own */
{
	return cfn_is_own(r->facts, f);
}
static inline const struct cfn *c_fn(const struct c_result *r, cfn_id f)
{
	return &r->program->fns.data[f.i];
}
static inline bool c_is_indirect(const struct c_result *r, ccall_id c)
{
	return ccall_is_indirect(&r->program->calls.data[c.i]);
}

/* Does one of them match: with * and ?; a name without them also stands for its fields: "g" for g.next and g+8. */
bool c_matches(const struct c_patterns *patterns, struct str name);
bool c_matches_one(const char *pattern, struct str name);
/* Is the statement on one of the lines? */
bool c_is_at(const struct c_result *r, const struct c_line *lines, uint32_t nlines, uint32_t stmt);

/* Statements that show in MOD and USE: of the user's functions, with a place. By file, line and column. */
typedef VEC(struct c_stmt) c_stmt_vec;
void c_statements(const struct c_result *r, c_stmt_vec *out);
const char *c_stmt_kind(const struct cstmt *s);                 /* "store", "load", "copy", "move", "call" */

const char *c_note_name(enum cnote_kind k);                     /* "inline-assembly" */
const char *c_note_title(enum cnote_kind k);                    /* "inline assembly" */
/* The notes in the order of their kinds, texts, places; once each. */
typedef VEC(struct cnote) c_note_vec;
void c_notes(const struct c_result *r, c_note_vec *out);

#endif
