/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_p.h - a join in progress.
 *
 * Every class that runs mention becomes a joined type. Every requirement has a slot: those of a site are beside each other,
 * in the order of the plan's lists; what is seen and not required gets slots behind all of these. A cell of a run refers to
 * the slots it counts for: of each criterion. At the end slots become items, in the order of sites. */
#ifndef COVERAGE_COVERAGE_P_H
#define COVERAGE_COVERAGE_P_H

#include "base/intern.h"
#include "base/map.h"
#include "coverage/coverage.h"

#define NONE UINT32_MAX

struct joined_type {
	struct str name;
	uint8_t origin;               /* enum cov_origin, in case it is unexpected */
	uint32_t first, n;            /* in `candidates`: types of the plan that it may be */
};
struct joined_types {
	const struct plan *plan;
	struct interner keys;         /* of joined types: the id is the row, row 0 is not used */
	VEC(struct joined_type) rows;
	VEC(uint32_t) candidates;
	struct interner names;        /* of types of the plan, and what tells lambdas apart */
	VEC(uint32_t) first_of;       /* by id of names: the first type that has it; 0: none */
	uint32_t *next_name;          /* by type: the next one with the same name */
	uint32_t *next_host, *next_body;      /* by lambda: the next one of the same host and interface; and body */
	struct strbuf key;            /* scratch */
};
void joined_types_init(struct joined_types *t, const struct plan *p);
void joined_types_release(struct joined_types *t);
/* The row of the joined type that a type of a run is. Rows that look the same are one. */
uint32_t joined_type(struct joined_types *t, const struct run *r, const struct run_type *type, struct arena *mem);

struct unexpected {
	uint32_t site;
	uint8_t criterion;            /* enum cov_criterion */
	struct str name;
	uint8_t origin;
	uint32_t slot;
};

/* What runs say of a class of the plan: how often it was loaded with which outcome. */
struct class_seen {
	uint32_t watched, matched;    /* all its sites */
	uint32_t partly, other;       /* some; none, because it was another class file */
	uint32_t stale;               /* its data is of another class file */
	uint32_t missed;              /* sites, of the load in `partly` with the fewest */
	struct str text;              /* of that load */
};

struct joined_run {
	const struct run *run;
	uint32_t first_ref;           /* in `ref_starts`: one a cell and one more */
};

struct join {
	struct coverage *c;
	const struct plan *p;
	struct joined_types types;
	uint32_t *ranks;              /* by type of the plan: its place by name */
	bool *owns;                   /* by type of the plan: is it the component's own? */
	uint32_t *slots;              /* by site and criterion: the first one */
	VEC(uint64_t) counts;         /* by slot */
	uint32_t nrequired;           /* slots of requirements; behind them those of: */
	VEC(struct unexpected) unexpected;
	struct map unexpected_at;     /* site * CRITERIA + criterion, joined type or id of `callees` -> row + 1 */
	struct interner callees;      /* methods that are unexpected, with where they come from */
	uint32_t *items;              /* by slot, at last */
	struct class_seen *seen;      /* by class */
	VEC(struct joined_run) runs;  /* by time */
	VEC(uint32_t) ref_starts, refs;
	struct interner aliens;       /* classes of runs that the plan does not have */
	uint64_t wrong_cells;         /* that name calls which their class does not have */
};

static inline uint32_t *slot_at(const struct join *j, uint32_t site, uint32_t criterion)
{
	return &j->slots[(size_t)site * CRITERIA + criterion];
}

/* A cell of a run, for the rows of criteria.def. */
struct seen_cell {
	const struct plan_site *site;
	uint32_t receiver, target;    /* joined types; no target: NONE. No receiver: NONE, nothing more is known of this call, or: */
	struct str callee;            /* a method that is called back, or the definition that is used; empty: none */
	uint8_t origin;               /* of the code that calls it back: enum cov_origin */
	uint64_t count;
	/* For the two functions below */
	struct join *j;
	uint32_t row;                 /* of the site */
	uint8_t criterion;
};
/* It covers the nth requirement of the criterion. */
void seen_requirement(struct seen_cell *cell, uint32_t nth);
/* It covers those requirements that the joined type may be, when they are the types of `list`, which is in the order of names.
 * If it is none of them, it is unexpected. O(log n) */
void seen_type(struct seen_cell *cell, struct plan_range list, uint32_t joined);

/* It covers the method of `list` that has this name. False: there is none. O(log n) */
bool seen_method(struct seen_cell *cell, struct plan_range list, struct str name);
/* Is there one? */
bool seen_is_in(const struct seen_cell *cell, struct plan_range list, struct str name);
/* The method of the cell is unexpected. */
void seen_unexpected(struct seen_cell *cell);

static inline uint64_t add_counts(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* cells.c: fills counts, unexpected, seen, refs and the counts of sites. */
void join_runs(struct join *j);
/* tests.c: needs items. `rows`, which are then the caller's to free, are those of all tests of all runs, in order. */
void join_tests(struct join *j, uint32_t **rows);
/* join_chains.c: needs those. */
void join_chains(struct join *j, const uint32_t *tests);
/* One of `ntests` that exercised something that is required. */
static inline void note_backups(struct cov_test *t, uint32_t ntests)
{
	if (t->backups > ntests - 1)
		t->backups = ntests - 1;
}
/* After both. */
void finish_tests(struct coverage *c);
/* chains.c, for it: numbers of chains, and those that are required. */
uint64_t cov_chains_plus(uint64_t a, uint64_t b);         /* stays at COV_MANY */
void cov_chains_count(struct cov_chains *c);
void cov_chains_require(struct cov_chains *c);
void cov_chains_release(struct cov_chains *c);
/* diff_chains.c, for coverage_diff() */
void diff_chains(struct cov_diff *d);
/* groups.c: needs items. */
void coverage_group(struct coverage *c);
/* notes.c */
void join_notes(struct join *j);

#endif
