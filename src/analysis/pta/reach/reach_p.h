/* SPDX-License-Identifier: Apache-2.0 */
/* reach_p.h - a call that is looked at: the methods that it reached so far, their statements as constraints of a part (solve/part.h).
 *
 * What is there is a stack: all of it can be taken back to a mark. Nothing is added to the analysis, whose tables have every instance,
 * target and node that can come up. */
#ifndef ANALYSIS_PTA_REACH_P_H
#define ANALYSIS_PTA_REACH_P_H

#include "algo/seen.h"
#include "analysis/pta/pta_p.h"
#include "analysis/pta/reach/reach.h"
#include "solve/part.h"

struct reach_watch {             /* the tag of a watch is the number of its row */
	uint8_t sort;            /* WATCH_CALL, WATCH_GET_ANY, WATCH_PUT_ANY */
	uint32_t instance, stmt;
	uint32_t linked;         /* of the calls: where reach.linked has the last callee */
};

/* What a call runs on objects of a kind; none: nothing. */
struct reach_target { uint32_t site, kind; method_id target; bool has_one_context; };
#define REACH_TARGETS (1u << 15)

struct reach_link { uint32_t caller, callee, next, site; };      /* instances; `next`: of the same caller. No site: as an initialiser */

/* What a method is given that is not entered, though it is the library's (quiet.def): it may read it and, but for strings, write it. */
struct reach_given { node_id node; bool is_string; };

struct reach_back {              /* a method of the application is called */
	uint32_t instance;       /* of the library's method that does */
	uint32_t site;           /* 0: as an initialiser */
	method_id target;
};

/* A method, and objects that it is given: what that leads to begins many answers. */
struct given { node_id node; uint32_t block; uint64_t bits; };
struct beginning {
	uint32_t instance;
	VEC(struct given) given;         /* to its parameters */
	uint32_t of;                     /* the beginning that it is, or leads to, by number */
};
typedef VEC(struct beginning) beginning_list;

#define NEAR_MOST 32             /* calls: who is as far away, or further, comes last */

struct reach {
	struct pta *a;
	struct reach_opt opt;
	struct part *part;
	method_id start;                 /* java.lang.Thread.start0: what it calls is run later */
	VEC(uint8_t) is_library;         /* by method: 0 not asked yet, 1 no, 2 yes */
	VEC(uint8_t) has_stmt;           /* by site: a T_CALL is about it */
	VEC(uint8_t) is_quiet;           /* by method: it is not entered (quiet.def) */
	struct reach_target *targets;    /* REACH_TARGETS of them, each in its place: those that were asked for last */
	/* The stack */
	VEC(uint8_t) reached;            /* by instance */
	VEC(uint32_t) instances;         /* those, in order */
	uint32_t applied;                /* how many of them have their constraints, but for those that wait */
	VEC(uint32_t) waiting[NEAR_MOST + 1];    /* with `near`: instances without their constraints, by how near they are */
	VEC(struct reach_watch) watches;
	VEC(struct reach_link) links;    /* [0] unused */
	VEC(uint32_t) last_link;         /* by caller */
	struct seen linked;              /* (watch, callee) */
	VEC(struct reach_back) backs;
	struct seen called_back;         /* (site, target) */
	VEC(struct reach_given) given;   /* where opt.effects wants it */
	VEC(method_id) skipped;          /* likewise: initialisers that are quiet; some more than once */
	/* While it runs */
	const beginning_list *stop_at;   /* stops when one of them holds; NULL: never */
	const uint8_t *near;             /* by method: how many calls away from these. NULL: methods get constraints as they are reached */
	uint64_t limit;                  /* stops when so many words were walked; 0: never */
	uint64_t done, of;               /* answers, for opt.progress */
	bool stopped;                    /* it said so */
};

struct reach_mark { struct part_mark part; uint32_t instances, watches, links, linked, backs, called_back, given, skipped; };
struct reach_mark reach_mark(struct reach *r);
void reach_undo(struct reach *r, struct reach_mark m);

struct reach *reach_new(struct pta *a, const struct reach_opt *opt);
void reach_free(struct reach *r);
bool reach_run(struct reach *r);                         /* false: it was stopped */

/* reach.c */
bool is_library(struct reach *r, method_id m);
bool is_entered(struct reach *r, method_id m);           /* its code is looked at, too */
bool is_quiet(const struct reach *r, method_id m);
void reach_instance(struct reach *r, uint32_t in);
void reach_link(struct reach *r, uint32_t caller, uint32_t callee, uint32_t site);
void reach_back(struct reach *r, uint32_t in, uint32_t site, method_id target);

/* statements.c */
void reach_apply(struct reach *r);                       /* of what was reached: constraints */
void reach_apply_one(struct reach *r, uint32_t in);
void reach_first(struct reach *r, uint32_t in);           /* what is called first of all: its class may not be initialised */
/* What `from` holds, or ever does (is_whole), is thrown in a scope of an instance. */
void reach_throw(struct reach *r, uint32_t in, uint32_t scope, node_id from, bool is_whole);
void reach_any(struct reach *r, const struct reach_watch *w, struct set_view news);

/* escaping.c: shares every object that may leave the method that makes it. */
void escaping_share(struct reach *r);

/* calls.c */
struct reach_callee {
	uint32_t in;                     /* the instance with the call */
	const struct t_stmt *s;
	uint32_t callee;                 /* an instance */
	uint32_t block;                  /* receivers; no bits: none */
	uint64_t bits;
};
typedef void callee_fn(void *ctx, const struct reach_callee *c);
void reach_call(struct reach *r, uint32_t in, uint32_t stmt);
void reach_give(struct reach *r, uint32_t in, const uint32_t *vars, uint32_t n, uint32_t callee);     /* to a quiet callee */
void reach_deliver(struct reach *r, uint32_t tag, struct set_view news);
void reach_open_site(struct reach *r, uint32_t in, uint32_t site);
/* The callees of a call by the whole solution. */
void reach_callees(struct reach *r, uint32_t in, const struct t_stmt *s, callee_fn *fn, void *ctx);

/* beginning.c */
void beginnings_note(struct reach *r, beginning_list *out);            /* of an answer, one object for each parameter */
void beginnings_release(beginning_list *all);
const struct beginning *beginnings_hold(const struct reach *r, const beginning_list *any);     /* the first that does; or NULL */
void beginning_state(struct reach *r, const struct beginning *b);

/* nearness.c: how many calls away from beginnings methods are, by the whole graph: where to look first. Any order gives the same sets. */
struct nearness;
struct nearness *nearness_new(struct reach *r);
void nearness_free(struct nearness *n);
const uint8_t *nearness_to(struct nearness *n, const beginning_list *to);      /* by method; valid until the next call */

/* paths.c: which callbacks a call makes through methods of the library alone. */
struct paths;
struct paths *paths_new(const struct reach *r);
void paths_free(struct paths *p);
void paths_begin(struct paths *p);
void paths_from(struct paths *p, uint32_t in);           /* a callee of the call */
typedef void back_fn(void *ctx, const struct reach_back *b, bool is_later);
bool paths_end(struct paths *p, back_fn *fn, void *ctx);         /* true: and what fn of paths_share was told */
/* As long as all that is there now remains: walks that come to the instance share what they find from there. Tells fn the callbacks that
 * it finds at once. Ways are not known then. Undone in the reverse order. */
void paths_share(struct paths *p, uint32_t in, back_fn *fn, void *ctx);
void paths_unshare(struct paths *p);
/* From within fn: the links from the callee to the method that calls back, the fewest; valid until the next call. */
struct way { const uint32_t *links; uint32_t n; };
struct way paths_way(struct paths *p, const struct reach_back *b, bool is_later);

/* effects.c: what calls read and write. Only reads the analysis. */
struct effects;
struct effects *effects_new(const struct reach *r);
void effects_free(struct effects *e);                    /* may be NULL */
/* That of the call, which has run: the number of its row. The callees end with 0. */
uint32_t effects_of_answer(struct effects *e, const uint32_t *callees);
/* What has all of these. Sorts them. */
uint32_t effects_join(struct effects *e, uint32_t *rows, uint32_t n);
void effects_keep(struct effects *e, struct reach_result *out);          /* the rows that there are, which go to the result */

static inline const uint32_t *operands(const struct template *t, const struct t_stmt *s, uint32_t *n)
{
	*n = t->args[s->from];
	return t->args + s->from + 1;
}

#endif
