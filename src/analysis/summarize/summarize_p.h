/* SPDX-License-Identifier: Apache-2.0 */
/* summarize_p.h - between the files of summarize/. */
#ifndef ANALYSIS_SUMMARIZE_SUMMARIZE_P_H
#define ANALYSIS_SUMMARIZE_SUMMARIZE_P_H

#include "analysis/summarize/summarize.h"

/* visible.c: what a client can tell. An object is visible when it is a global, or static, or unknown code, or when one that is
 * visible leads to it; others are private. */
struct visible {
	const struct cpta *a;
	uint8_t *objs, *sets;        /* enum sight */
};
enum sight {
	SIGHT_OBJECT = 1,            /* of an object: it is visible; of a set: it has one */
	SIGHT_LEADS = 2,             /* one that is visible can be got at from there, or is */
	SIGHT_MEMORY = 4             /* of a set: an access through it touches visible memory */
};
void visible_init(struct visible *v, const struct cpta *a);
void visible_release(struct visible *v);
static inline uint8_t sight_of_var(const struct visible *v, uint32_t var)
{
	return v->sets[cpta_set_of_var(v->a, (cvar_id){ var })];
}

/* equal.c: variables of a function that hold the same, whoever calls it: they have one label. */
struct labels {
	const struct cprogram *p;
	const struct visible *v;
	uint32_t *of;                /* by variable: 0: nothing that a client can tell */
	uint32_t *rep;               /* by label of the function: a variable that has it */
	uint32_t *next_def, *first_def;      /* by statement of the function, by variable: 1 + a statement */
	struct map known;
	VEC(struct label_key) keys;
	VEC(uint32_t) members;       /* of labels that are unions */
	VEC(struct label_frame) stack;
	VEC(uint32_t) collected;
	VEC(uint32_t) touched;       /* variables of the function */
	VEC(uint32_t) reps;
	cfn_id fn;
};
struct label_key {
	uint32_t kind, a, b, c, d;
};
struct label_frame {
	uint32_t var, def;
};
void labels_init(struct labels *l, const struct cprogram *p, const struct visible *v);
void labels_release(struct labels *l);
void labels_of_function(struct labels *l, cfn_id f);           /* those of the last one are forgotten */
uint32_t label_rep(const struct labels *l, uint32_t var);      /* the variable that stands for it; 0: nothing does */

/* reduce.c: the body of a settled function, without what no client can tell, appended to `stmts`; calls are changed in their rows. */
typedef VEC(struct cstmt) stmt_rows;
struct reducer {
	struct cprogram *p;
	const struct visible *v;
	struct labels labels;
	struct map seen;
	stmt_rows body;
	uint8_t *used;               /* by variable; also how often, up to two */
	uint32_t *first, *next;      /* by variable, by statement of the body: what gives it its value */
	VEC(uint32_t) users;         /* variables that are used */
};
void reducer_init(struct reducer *r, struct cprogram *p, const struct visible *v);
void reducer_release(struct reducer *r);
void reduce_body(struct reducer *r, cfn_id f, stmt_rows *out);

#endif
