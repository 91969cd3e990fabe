/* SPDX-License-Identifier: Apache-2.0 */
/* plan_p.h - a plan that is being written, or read. */
#ifndef FORMATS_PLAN_P_H
#define FORMATS_PLAN_P_H

#include "formats/coverage/plan.h"
#include "formats/coverage/wire_p.h"

/* The key of a class: of its name, its methods, and their sites. */
uint64_t plan_key(struct str class, const struct plan_method *methods, uint32_t n, const struct plan_site *sites);

/* The lists that sites have, and the criteria with which they are in files. */
enum { PLAN_LISTS = 6 };
static inline struct plan_range *plan_list(struct plan_site *s, uint32_t k)
{
	struct plan_range *const lists[PLAN_LISTS] = { &s->rc, &s->tm, &s->own, &s->own_targets, &s->callbacks, &s->direct };

	return lists[k];
}
static inline bool plan_has_list(const struct plan *p, uint32_t k)
{
	return k < 2 || (p->criteria & (k < 4 ? PLAN_LADDER : PLAN_CALLBACKS | PLAN_DU));
}

struct plan_writer {
	const struct plan *p;
	struct wire_strings strings;
	struct interner lists;        /* of types, as they are written: each once */
	uint32_t *lists_of[PLAN_LISTS];       /* by site: numbers of lists, in the order of plan_list() */
	struct strbuf out;
};
void plan_put_string(struct plan_writer *w, struct str s);
void plan_put_call(struct plan_writer *w, const struct plan_site *s);         /* without its lists */

/* Strings are compared by their numbers. */
struct plan_reader {
	struct plan *p;
	struct reader r;
	struct wire_table strings;
	uint32_t *names;              /* by type: number of its name */
	struct plan_range *lists;
	uint32_t nlists;
};
static inline void plan_fail_unless(struct plan_reader *x, bool good)
{
	x->r.failed |= !good;
}
static inline uint32_t plan_get_number(struct plan_reader *x)
{
	return wire_read_below(&x->r, x->strings.n);
}
static inline struct str plan_get_string(struct plan_reader *x)
{
	return wire_read_string(&x->r, x->strings);
}
#define PLAN_CALL_BYTES 8             /* of what plan_put_call() writes, at least */
/* Calls of a method are by pc: *next_pc is the first one that this may have. */
struct plan_site plan_get_call(struct plan_reader *x, uint32_t method, uint32_t *next_pc);

/* plan_fields.c */
void plan_put_fields(struct plan_writer *w);
void plan_get_fields(struct plan_reader *x);   /* behind the classes */

/* plan_chains.c */
void plan_chains_release(struct plan_chains *c);
void plan_chain_keys(struct plan *p);
void plan_put_chains(struct plan_writer *w);
void plan_get_chains(struct plan_reader *x);   /* behind the classes */

#endif
