/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.h - a plan and what was seen in runs, put together: what is covered, what is missed, what nobody expected. */
#ifndef COVERAGE_COVERAGE_H
#define COVERAGE_COVERAGE_H

#include "coverage/accepted.h"
#include "coverage/chains.h"
#include "coverage/criteria.h"
#include "formats/coverage/plan.h"
#include "formats/coverage/reasons.h"
#include "formats/coverage/runs.h"

/* Where a receiver comes from that is not required at its site. */
enum cov_origin {
	COV_COMPONENT,                /* a class of the component: the analysis is wrong, or clients broke its assumptions */
	COV_LIBRARY,                  /* the JDK or the rest of the class path: clients gave it, or the analysis is wrong */
	COV_CLIENT,                   /* not on the class path: a class of the tests, say, or a lambda in one */
	COV_GENERATED,                /* made at run time: a proxy, a hidden class that is no lambda */
};
struct cov_item {                 /* a requirement of a site, or what came that is none */
	struct str name;              /* of the class; of the class that declares the target */
	uint32_t type;                /* row of the plan's types; 0: unexpected, or no class */
	struct str by;                /* of a method that is called back: by whom; may be empty */
	bool is_required;
	uint8_t origin;               /* unexpected: enum cov_origin */
	uint64_t count;               /* calls that were seen; 0: missed */
	bool is_own;                  /* a class of the component, or a lambda in one */
	uint32_t acceptance;          /* 1 + the entry that takes it out; 0: none. It is not required then, nor unexpected */
	uint32_t first_test, ntests;  /* in `item_tests`: rows of tests, ascending */
};
/* What a site has of a criterion. */
struct cov_list {
	uint32_t first, n;            /* of `items`: required ones by name, then unexpected ones by name. A part has none */
	uint32_t required, covered;   /* of the required ones */
	uint32_t accepted;            /* of `items`, behind these n: what would be required, were it not accepted; by name */
};
struct cov_site {
	uint32_t site;                /* row of the plan */
	uint64_t count;               /* calls in all */
	bool is_watched;              /* by at least one run */
	struct cov_list of[CRITERIA];
};
/* Items of a whole, at one call or several, that are one requirement of a part (criterion.group). */
struct cov_member { uint32_t site, item; };   /* rows of `sites` and `items` */
struct cov_group {
	uint8_t criterion;
	uint32_t class;               /* row of `classes`: whose requirement it is */
	uint32_t first, n;            /* of `members`, by site */
	uint64_t count;               /* calls that were seen; 0: missed */
};
struct cov_counts {                /* percent: coverage_permille() */
	uint64_t required, covered;
	uint64_t alarms;              /* what came beside these that nobody expected, and that is not excused */
};
struct cov_sums {                 /* of a class, a package or all */
	struct cov_counts of[CRITERIA];
	uint64_t sites, called_sites; /* sites; those that were called at least once */
	uint64_t unexpected;          /* receivers that are not excused, see coverage_is_excused() */
	uint64_t client;              /* unexpected receivers that are */
	uint64_t accepted;            /* requirements of calls that are taken out */
};
/* What became of a class of the component. */
enum cov_state {
	COV_WATCHED, COV_NOT_LOADED,
	COV_MATCHED,                  /* another class file was loaded; all its calls could be matched */
	COV_PARTLY,                   /* some sites were not watched: `text` */
	COV_OTHER,                    /* another class file was loaded, and its calls are not those of the plan */
	COV_STALE,                    /* the data is of a plan for another class file: nothing of it counts */
};
struct cov_class {
	uint32_t class;               /* row of the plan */
	uint8_t state;
	uint32_t unwatched;           /* sites that no run watched */
	struct str text;              /* why, for COV_PARTLY */
	struct cov_sums sums;
};
struct cov_test {
	struct str name;
	uint64_t of[CRITERIA];        /* required items that it exercised; of wholes */
	uint64_t alone;               /* required items that no other test exercised */
	uint64_t fresh;               /* required items that no test before it (in the order of runs and time) exercised */
	uint32_t backups;             /* of the item of it that fewest others exercised: how many these are. They would have to go before it
				       * is the only one for something. 0: it is, or it exercised nothing */
};

struct coverage {
	const struct plan *plan;
	const struct runs *runs;
	const struct reasons *reasons;        /* may be NULL */
	struct cov_accepted *accepted;        /* may be NULL */
	struct arena mem;
	VEC(struct cov_item) items;
	VEC(struct cov_site) sites;   /* as in the plan */
	VEC(struct cov_class) classes;        /* as in the plan */
	VEC(struct cov_group) groups; /* by criterion, first member */
	VEC(struct cov_member) members;
	VEC(struct cov_test) tests;   /* by first appearance */
	VEC(uint32_t) item_tests;
	VEC(struct str) notes;        /* sentences: stale data, damaged runs, what the agents noted; each once. Where there is
				       * something to watch, but not coverage_has_loaded(), the first one says so */
	struct cov_chains chains;     /* empty unless the plan has some */
	struct cov_sums sums;
};
/* Never fails: what does not fit is in states and notes. `reasons` and `accepted` may be NULL. All arguments must outlive it. */
void coverage_join(struct coverage *c, const struct plan *p, const struct runs *r, const struct reasons *why,
		   struct cov_accepted *accepted);
void coverage_release(struct coverage *c);

/* What a call requires of a type; NULL: nothing. */
const struct cov_item *coverage_item(const struct coverage *c, uint32_t site, uint32_t criterion, uint32_t type);

/* In tenths of a percent, rounded down, so that 1000 means all, and that there is no alarm; 1000 when nothing is required. */
uint32_t coverage_permille(struct cov_counts n);

/* Is an unexpected receiver at this site no cause for alarm? When the plan announced unknown objects; when it is a client's;
 * when it was made at run time: those that the component makes are unknown objects to the analysis, so the plan announces
 * them, and the others are of clients, mocks say. */
bool coverage_is_excused(const struct coverage *c, const struct cov_site *s, const struct cov_item *i);

/* The order in which people want to see the items of a site, lowest first: classes of the component, then others; of
 * both, those that stand in another class, which tests can seldom name, come last. Equal ones are listed by name. */
#define COV_RANKS 4
uint32_t coverage_rank(const struct cov_item *i);     /* below COV_RANKS */

/* Has the class anything to watch: sites, or methods that chains go through? */
static inline bool coverage_is_watchable(const struct coverage *c, uint32_t class)
{
	return c->plan->classes.data[class].nsites || c->plan->classes.data[class].nbodies;
}
/* Is there one that has? */
bool coverage_has_watchable(const struct coverage *c);
/* Did a run load one? If not, that is all the figures say. */
bool coverage_has_loaded(const struct coverage *c);

/* What data holds, without its plan. What occurs in several runs counts once. */
struct cov_contents {
	uint32_t runs;                /* one a JVM */
	uint32_t unended, damaged;    /* runs that did not come to their end; of which something was cut off or damaged */
	uint32_t classes;             /* of components, that were loaded; by name */
	uint32_t cells;               /* classes of receivers at calls */
	uint32_t tests;               /* by name */
};
struct cov_contents coverage_contents(const struct runs *r);

/* Two results, site by site, for `sherd report --diff`: matched by class, method, and call (its order among equal ones). */
enum cov_change { COV_SAME, COV_GAINED, COV_LOST, COV_NEW_COVERED, COV_NEW_MISSED, COV_GONE };
struct cov_diff_row {
	uint8_t change;
	uint8_t criterion;            /* enum cov_criterion */
	uint32_t old_site, new_site;  /* rows of cov sites; UINT32_MAX: none */
	struct str name;
};
/* A chain that changed; or chains that are new and were missed, which begin with it and which nobody came near before. */
struct cov_diff_chain {
	uint8_t change;
	uint32_t row;                 /* of cov_chains: of the new ones; when it is lost or gone, of the old ones. UINT32_MAX: none */
	uint32_t child;               /* of the new plan's: it is the row's chain and this call. UINT32_MAX: the row's, or an entry */
	uint32_t tree;                /* of the same plan as the row */
	uint32_t length;
	uint64_t chains;
};
struct cov_diff {
	const struct coverage *old, *new;
	VEC(struct cov_diff_row) rows;        /* without COV_SAME; by class, method, site, name */
	uint64_t counts[COV_GONE + 1];
	bool has_chains;              /* both have, of the same granularity: */
	VEC(struct cov_diff_chain) chains;    /* in the order of trees. What is gone and was never seen is only counted */
	uint32_t nlengths;
	uint64_t *chain_counts;       /* [enum cov_change * nlengths + length] */
};
void coverage_diff(struct cov_diff *d, const struct coverage *old, const struct coverage *new);
void coverage_diff_release(struct cov_diff *d);

#endif
