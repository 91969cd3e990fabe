/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_p.h - what the writers of coverage share: rows of a result, names, and which calls are on a line. */
#ifndef REPORT_COVERAGE_COVERAGE_P_H
#define REPORT_COVERAGE_COVERAGE_P_H

#include "report/coverage/coverage.h"
#include "report/coverage/names.h"
#include "report/write/escape.h"
#include "report/write/json.h"

/* Rows */

static inline const struct plan_site *cov_plan_site(const struct coverage *c, const struct cov_site *s)
{
	return &c->plan->sites.data[s->site];
}

static inline const struct plan_method *cov_method(const struct coverage *c, const struct cov_site *s)
{
	return &c->plan->methods.data[cov_plan_site(c, s)->method];
}

static inline const struct plan_class *cov_class(const struct coverage *c, const struct cov_site *s)
{
	return &c->plan->classes.data[cov_method(c, s)->class];
}

static inline const struct cov_item *cov_items(const struct coverage *c, struct cov_list l)
{
	return l.n ? &c->items.data[l.first] : NULL;
}

static inline bool cov_is_missed(const struct cov_item *i)
{
	return i->is_required && !i->count;
}

static inline void cov_add(struct cov_counts *to, struct cov_counts n)
{
	to->required += n.required;
	to->covered += n.covered;
}

/* Criteria: rows of coverage/criteria.def */

/* One that the plan has, and that is no part of another one. */
static inline bool cov_is_counted(const struct coverage *c, uint32_t k)
{
	return criterion_in(c->plan, k) && !criterion_is_part(k);
}

/* Is a criterion of calls among those that were asked for? */
static inline bool cov_has_calls(const struct coverage *c)
{
	for (uint32_t k = 0; k < CRITERIA; k++)
		if (cov_is_counted(c, k) && criterion_is_of_calls(k))
			return true;
	return false;
}

/* Has the ladder anything to say: is there a call that may run several methods, of which the component has one? */
static inline bool cov_has_ladder(const struct cov_sums *s)
{
	return s->of[COV_TARGETS].required > 0;
}

/* Is a whole; or a rung, or a part that is some, but not all of its whole, where there is no ladder: other parts are not worth a line. */
static inline bool cov_is_worth_a_line(const struct cov_sums *s, uint32_t k)
{
	if (criterion_is_rung(k))
		return cov_has_ladder(s);
	return !criterion_is_part(k) ||
	       (!cov_has_ladder(s) && s->of[k].required && s->of[k].required < s->of[cov_criteria[k].whole].required);
}

/* Is it a figure of each class? The ladder is, instead of what it is made of. */
static inline bool cov_is_column(const struct coverage *c, uint32_t k)
{
	if (criterion_is_rung(k))
		return cov_has_ladder(&c->sums);
	return cov_is_counted(c, k) && !(cov_has_ladder(&c->sums) && (k == COV_RC || k == COV_TM));
}

/* What is missed, by these figures. */
static inline uint64_t cov_missed_in_columns(const struct coverage *c, const struct cov_sums *s)
{
	uint64_t n = 0;

	for (uint32_t k = 0; k < CRITERIA; k++)
		if (cov_is_column(c, k))
			n += s->of[k].required - s->of[k].covered;
	return n;
}

/* All requirements, of a call; and of a class or the whole. */
static inline struct cov_counts cov_requirements(const struct cov_site *s)
{
	struct cov_counts n = { 0 };

	for (uint32_t k = 0; k < CRITERIA; k++)
		if (!criterion_is_part(k))
			cov_add(&n, (struct cov_counts){ .required = s->of[k].required, .covered = s->of[k].covered });
	return n;
}
static inline struct cov_counts cov_total(const struct cov_sums *s)
{
	struct cov_counts n = { 0 };

	for (uint32_t k = 0; k < CRITERIA; k++)
		if (!criterion_is_part(k))
			cov_add(&n, s->of[k]);
	return n;
}

/* Those requirements of a call that other tools are told of as branches. */
static inline struct cov_counts cov_branches(const struct cov_site *s)
{
	struct cov_counts n = { 0 };

	for (uint32_t k = 0; k < CRITERIA; k++)
		if (cov_criteria[k].is_branch)
			cov_add(&n, (struct cov_counts){ .required = s->of[k].required, .covered = s->of[k].covered });
	return n;
}

/* Names; none of them is escaped */

struct str cov_package(struct str class);     /* p.q of p.q.C; empty for none */
struct str cov_simple(struct str class);      /* C of p.q.C */
uint64_t cov_last_start(const struct coverage *c);    /* of the last run, in seconds since 1970; 0: no run */
const char *cov_tool(const struct coverage_head *head);
/* What to do about an unexpected receiver at a call that the analysis does not reach. */
const char *cov_unreached_advice(const struct coverage *c);
/* About all unexpected ones: which options that were not given may account for them. */
void cov_add_advice(const struct coverage *c, struct strbuf *out);
bool cov_has_tests(const struct coverage *c);         /* the interface is that of some */

/* "rc": {"required": 4, "covered": 2, "percent": 50.0} */
void cov_json_counts(struct json *j, const char *key, struct cov_counts n);
/* chains_json.c: the key call_chains, and its value. */
void cov_json_chains(struct json *j, const struct coverage *c);
/* The counts of every criterion that the plan has, by its name. */
void cov_json_criteria(struct json *j, const struct coverage *c, const struct cov_sums *s);

/* Lines: formats that know no calls see the requirements as branches of the line of the call */

struct cov_on_line {
	uint32_t line, site;          /* row of cov sites */
};
struct cov_source {               /* a source file: the classes that were compiled from it */
	struct str package, name;     /* "p.q", "Shapes.java" */
	uint32_t first, n;            /* of `classes` */
};
struct cov_layout {
	const struct coverage *c;
	VEC(uint32_t) classes;        /* rows of those that have calls, by package, source, name */
	VEC(struct cov_source) sources;
	VEC(uint32_t) lines;          /* by site, never 0: one that is not known is the first of its method, its class, or 1 */
	struct arena mem;
};
void cov_layout_init(struct cov_layout *l, const struct coverage *c);
void cov_layout_release(struct cov_layout *l);
/* The end of the sources of the package of `first`. */
uint32_t cov_package_end(const struct cov_layout *l, uint32_t first);

struct cov_line {
	uint32_t line;
	uint32_t first, n;            /* of the calls of a table */
	uint64_t hits;                /* calls that were made there */
	uint32_t made;                /* calls of which at least one was made */
	struct cov_counts branches;
};
/* The calls of some methods by line, made anew for each use. */
struct cov_lines {
	VEC(struct cov_on_line) calls;
	VEC(struct cov_line) lines;
};
void cov_lines_add(struct cov_lines *t, const struct cov_layout *l, uint32_t first_site, uint32_t n);
void cov_lines_sort(struct cov_lines *t, const struct coverage *c);
static inline void cov_lines_clear(struct cov_lines *t)
{
	vec_clear(&t->calls), vec_clear(&t->lines);
}
void cov_lines_release(struct cov_lines *t);

/* Other tools read counts into 32 bits. */
static inline uint64_t cov_hits(uint64_t n)
{
	return n < INT32_MAX ? n : INT32_MAX;
}

#endif
