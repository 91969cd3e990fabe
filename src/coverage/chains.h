/* SPDX-License-Identifier: Apache-2.0 */
/* chains.h - which call chains of a plan were seen in runs.
 *
 * The trees of a plan are never unfolded: there may be more chains than memory. What was seen is a tree of rows, each of which is
 * a chain of the plan or an entry; what was missed is what the states of the plan have below these rows and the rows do not. */
#ifndef COVERAGE_CHAINS_H
#define COVERAGE_CHAINS_H

#include "base/strbuf.h"
#include "formats/coverage/plan.h"

#define COV_MANY UINT64_MAX           /* numbers of chains stay there when they get there */

struct cov_chain {                /* that was seen: its parent's, and a call */
	uint32_t parent;              /* UINT32_MAX: an entry */
	uint32_t tree;                /* of the plan */
	uint32_t child;               /* of the plan's: the call. UINT32_MAX: an entry */
	uint32_t state;
	uint32_t depth;               /* calls from the entry */
	uint32_t first, next;         /* rows: its first child, in the order of the plan's; its parent's next one. UINT32_MAX: none */
	bool is_required;             /* an entry may be none, or what filters leave out */
	uint64_t count;
	uint32_t first_test, ntests;  /* in `tests`: rows of coverage's tests, ascending */
};
struct cov_chain_count { uint64_t required, covered; };
/* A chain that was seen and is none of the plan. */
struct cov_strange {
	uint32_t parent;              /* its longest part that is one; UINT32_MAX: none */
	struct str text;              /* pkg.Cls.name(desc)ret > @pc [receiver] callee */
	uint32_t level;
	uint64_t count;
	bool is_excused;              /* the call may have objects that the analysis does not know */
};

struct cov_chains {
	const struct plan *plan;
	VEC(struct cov_chain) rows;   /* behind their parents */
	VEC(uint32_t) roots;          /* by tree: the row of its entry; UINT32_MAX: it was never seen */
	VEC(uint32_t) tests;
	VEC(struct cov_strange) strange;      /* not more than COV_STRANGE; those that are not excused first */
	uint64_t nstrange, nexcused;
	uint32_t nlengths;            /* lengths are 0 .. nlengths - 1 */
	struct cov_chain_count *of;   /* [row of levels * nlengths + length] */
	struct cov_chain_count *by_class;     /* of the plan: that the entry is in */
	struct cov_chain_count sum;
	/* Its own */
	uint32_t depth;               /* of the deepest tree */
	uint64_t *counts;             /* [d * states + state]: chains that end d calls below it */
	bool is_cut;                  /* a plan that nobody made: its chains cannot be counted */
};
#define COV_STRANGE 1000

/* The length of a row, as the plan counts it. */
static inline uint32_t cov_chain_length(const struct cov_chains *c, const struct cov_chain *row)
{
	return c->plan->chains.trees.data[row->tree].start + row->depth;
}
/* Required chains that begin with the way to a state, which `depth` calls led to in a tree; that way itself included. */
uint64_t cov_chains_below(const struct cov_chains *c, uint32_t tree, uint32_t state, uint32_t depth);
/* Calls that a chain of the tree may have. Chains that end d calls below a state, whatever the room. */
uint32_t cov_chains_room(const struct cov_chains *c, uint32_t tree);
uint64_t cov_chains_at(const struct cov_chains *c, uint32_t state, uint32_t d);
/* The class of the plan that the entry of a tree is in. */
static inline uint32_t cov_tree_class(const struct cov_chains *c, uint32_t tree)
{
	const struct plan_chains *x = &c->plan->chains;

	return x->bodies.data[x->states.data[x->trees.data[tree].state].body].class;
}

/* Calls that were never made from where chains were seen, in order of the rows: what to test next.
 *
 *	struct cov_missed m = { .chains = c };
 *	while (cov_missed_next(&m))
 *		... m.row, m.child, m.below ...
 *
 * All missed chains begin with one of these. An entry that was never called has no row: then `row` is UINT32_MAX, and `tree` says which. */
struct cov_missed {
	const struct cov_chains *chains;
	uint32_t row, tree;           /* the longest part of it that was seen; its tree */
	uint32_t child;               /* of the plan's; UINT32_MAX: the entry itself */
	uint64_t below;               /* missed chains that begin so */
	/* its own */
	uint32_t at, kid, step;
	bool is_started;
};
bool cov_missed_next(struct cov_missed *m);

/* The same for people: what looks the same is one row, however many ways lead there, and rows are in the order of their worth.
 * First come calls; then entries that were never called, which have no call. */
struct cov_next {
	uint32_t row, tree, child;    /* as above, of the way that is best to go on from: the shortest */
	uint32_t call, body;          /* of the plan: that is missed, and what it runs. No call: UINT32_MAX, and the entry */
	uint32_t receiver;            /* row of types, or 0 */
	uint32_t depth;               /* calls from the entry to there, with this one */
	uint32_t ways;                /* that were seen and that it never follows */
	uint64_t below;               /* missed chains that begin with one of them and the call */
	uint32_t turn;                /* 0: the best one in its method, and of what it runs */
	bool is_client;               /* the receiver is of a class that clients write */
	bool is_own;                  /* or of the component */
	bool is_fixed;                /* all ways begin in a class initialiser */
	bool is_made;                 /* the call is made at the end of other ways */
};
struct cov_nexts {
	VEC(struct cov_next) rows;
	uint32_t ncalls;              /* the first ones, which are no entries */
};
void cov_chains_next(const struct cov_chains *c, struct cov_nexts *out);      /* release its rows */

/* pkg.Cls.name(desc)ret > @pc [receiver] callee > ..., appended, as `sherd chains --format csv` writes it. */
void cov_chain_text(const struct cov_chains *c, uint32_t row, struct strbuf *out);
/* " > @pc [receiver] callee" of a child, as far as the granularity has it. */
void cov_child_text(const struct plan *p, uint32_t child, struct strbuf *out);
void cov_body_text(const struct plan *p, uint32_t body, struct strbuf *out);

#endif
