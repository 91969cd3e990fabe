/* SPDX-License-Identifier: Apache-2.0 */
/* criteria.h - what can be counted as covered: the rows of criteria.def. Joining, reports, gates and options loop over them, so
 * that a criterion is a row, and the two functions that it names.
 *
 * A row is a whole, which has requirements, or a part, which counts some of the requirements of a whole, each for itself or, where the
 * row groups them, several as one. Rungs of the ladder are parts: each counts what the one below it does, told apart by more.
 *
 * Requirements of a whole are those of calls: functions derive them from what the plan says of one call, and find out which of
 * them a cell of a run covers. A whole whose requirements are of another shape (of pairs of calls, say) has no such functions: who
 * adds one reads its section of the plan, and adds to the sums. */
#ifndef COVERAGE_CRITERIA_H
#define COVERAGE_CRITERIA_H

#include "formats/coverage/plan.h"

enum cov_criterion {
#define CRITERION(id, ...) COV_##id,
#include "coverage/criteria.def"
#undef CRITERION
	CRITERIA
};

/* What the requirements of a criterion name. */
enum criterion_items {
	ITEM_NAMES,                   /* something that is shown as it is */
	ITEM_RECEIVERS,               /* classes: sherd why says how they get there, unexpected ones are an alarm */
	ITEM_TARGETS,                 /* classes that declare the method that runs */
	ITEM_METHODS,                 /* methods of the component, with descriptors: unexpected ones are an alarm, too */
	ITEM_STORES,                  /* statements that write fields: likewise */
};

struct requirement {
	struct str name;
	uint32_t type;                /* row of the plan's types; 0: it is no class */
	struct str by;                /* of methods: who calls them; may be empty */
};
struct cov_item;
struct seen_cell;                     /* what a run saw at a call, see coverage_p.h */
struct item_at {                      /* a requirement of a whole at a call */
	const struct plan *p;
	const struct plan_site *site;
	const struct cov_item *item;
};

struct criterion {
	const char *name;             /* "rc": in --criteria and --fail-under; the key in JSON */
	const char *short_name;       /* "RC": over columns, on badges; in SARIF, the rule is RC-missed. Of wholes */
	const char *title;            /* "Receiver classes" */
	const char *words;            /* "receiver classes", in a sentence */
	const char *noun;             /* "receiver": of one; in Cobertura, the type of a condition. Of wholes */
	const char *example;          /* a percent, where help shows what can be written */
	uint32_t bit;                 /* enum plan_criteria; a part has its whole's */
	/* Wholes */
	bool is_default;              /* counted where --criteria does not say what is */
	bool is_branch;               /* Cobertura, JaCoCo and LCOV count its requirements as branches */
	uint8_t items;                /* enum criterion_items */
	const char *item_key;         /* in JSON: of the name of a requirement */
	const char *missed_key, *unexpected_key;      /* in JSON: of lists of a call; seen ones have the criterion's name */
	const char *means;            /* what is counted, in a line: of rungs */
	const char *label;            /* on screens: before a list of missed ones */
	const char *change;           /* on screens: before a list of changes; NULL: nothing */
	const char *never;            /* in SARIF: between a call and what it misses */
	const char *brief, *full;     /* in SARIF: of the rule */
	/* How many requirements a call has. The nth, in the order of names, is put into `out` if there is one and it is asked for. */
	uint32_t (*required)(const struct plan *p, const struct plan_site *s, uint32_t nth, struct requirement *out);
	/* Says which of them a cell covers, by seen_requirement() or seen_type(). */
	void (*covered_by)(struct seen_cell *cell);
	/* Parts */
	uint8_t whole;                /* enum cov_criterion */
	bool (*is_part)(struct item_at at);           /* NULL: the row is a whole */
	/* Items with the same key are one requirement, of the class whose row of the plan this returns. NULL: each is one */
	uint32_t (*group)(struct item_at at, struct strbuf *key);
};
extern const struct criterion cov_criteria[CRITERIA];

static inline bool criterion_is_part(uint32_t k)
{
	return cov_criteria[k].is_part != NULL;
}
static inline bool criterion_is_rung(uint32_t k)
{
	return cov_criteria[k].bit == PLAN_LADDER;
}
static inline bool criterion_has_groups(uint32_t k)
{
	return cov_criteria[k].group != NULL;
}
/* Are its requirements those of calls? Those of a whole that is not are found elsewhere: chains in struct cov_chains. */
static inline bool criterion_is_of_calls(uint32_t k)
{
	return cov_criteria[k].required != NULL;
}
/* Was it asked for? */
static inline bool criterion_in(const struct plan *p, uint32_t k)
{
	return p->criteria & cov_criteria[k].bit;
}
/* Are they known by methods of the component? */
static inline bool criterion_is_of_methods(uint32_t k)
{
	return cov_criteria[k].items == ITEM_METHODS || cov_criteria[k].items == ITEM_STORES;
}
/* The bits of all wholes; of those that are counted by default. */
uint32_t criteria_bits(void);
uint32_t criteria_default_bits(void);
/* These and, where they have what it is made of, the ladder. */
uint32_t criteria_with_ladder(uint32_t bits);
/* The bits of the wholes that a row of this name needs; 0: there is none. */
uint32_t criteria_named(struct str name);
/* The first one of receivers that the plan has: the one that is explained, and that raises the alarm. CRITERIA: none. */
uint32_t criteria_receivers(const struct plan *p);

#endif
